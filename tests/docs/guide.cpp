// SPDX-License-Identifier: BSL-1.0
// A barrier by the algorithm that guide.py has added to a copy of the headers, by the guide in
// CONTRIBUTING.md.
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/decide/detail/model_table.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/model/hockney.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>
#include <topomp/plan/policy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string_view>
#include <thread>

namespace {

constexpr std::string_view name = "spreading_signals";
using policy = topo::spreading_signals;
constexpr topo::plan by_type = topo::plan_of<policy>;

static_assert(row_of(by_type.uses).name == name);
static_assert(serves_in_background(by_type.uses, topo::detail::verb::barrier));
static_assert(!serves(by_type.uses, topo::detail::verb::broadcast));

/// Whether models list it.
bool has_model() {
    constexpr auto& rows = topo::detail::model_table<topo::model::hockney, topo::detail::model_reader::list>;
    return std::ranges::any_of(
        rows, [](const auto& row) { return row.uses == by_type.uses && row.seconds != nullptr; });
}

/// One number of all ranks, in memory that they share.
class common_number {
public:
    explicit common_number(MPI_Comm ranks) {
        void* here = nullptr;
        MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, ranks, &here, &window_);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    }
    common_number(const common_number&) = delete;
    common_number& operator=(const common_number&) = delete;
    ~common_number() {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }
    int add(int more) {
        int before = 0;
        MPI_Fetch_and_op(&more, &before, MPI_INT, 0, 0, MPI_SUM, window_);
        MPI_Win_flush(0, window_);
        return before + more;
    }

private:
    MPI_Win window_ = MPI_WIN_NULL;
};

/// How often a rank left a barrier before the last one had come.
template <class Barrier>
int left_too_early(common_number& arrivals, int ranks, int rank, int& barriers, Barrier barrier) {
    int wrong = 0;
    for (int late = 0; late < ranks; ++late) {
        if (rank == late) std::this_thread::sleep_for(std::chrono::milliseconds{20});
        arrivals.add(1);
        barrier();
        if (arrivals.add(0) < ++barriers * ranks) ++wrong;
    }
    return wrong;
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    int wrong = 0, barriers = 0;
    {
        const topo::hierarchy levels{world};
        common_number arrivals{world};
        MPI_Barrier(world);
        wrong += left_too_early(arrivals, world.size(), world.rank(), barriers,
                                [&] { topo::barrier(levels, policy{}); });
        wrong += left_too_early(arrivals, world.size(), world.rank(), barriers,
                                [&] { topo::ibarrier(levels, policy{}).wait(); });
    }
    if (topo::read_plan("guide", "name", name) != by_type || to_string(by_type) != name || !has_model())
        ++wrong;
    if (wrong > 0) std::cerr << "rank " << world.rank() << ": " << wrong << " wrong\n";
    int all_wrong = 0;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, world);
    if (world.rank() == 0 && all_wrong == 0) std::cout << barriers << " barriers\n";
    return all_wrong > 0 || barriers == 0 ? 1 : 0;
}
