// SPDX-License-Identifier: BSL-1.0
#include "tune_calls.hpp"

#include "support/agreed_start.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/collective/scatterv.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/mpi.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace topo::tool {

namespace {

using detail::verb;

constexpr int root = 0;

/// For MPI a sum that does not commute.
void add_in_order(void* left, void* right, int* count, MPI_Datatype*) {
    const auto* const from = static_cast<const std::uint64_t*>(left);
    auto* const to = static_cast<std::uint64_t*>(right);
    for (int i = 0; i < *count; ++i)
        to[i] += from[i];
}

bool sends_blocks(verb what) {
    return what == verb::scatter || what == verb::scatterv || what == verb::reduce_scatter ||
           what == verb::all_to_all || what == verb::all_to_allv;
}
bool gets_blocks(verb what) {
    return detail::combines(what) ? false
                                  : has_blocks(what) && what != verb::scatter && what != verb::scatterv;
}

} // namespace

std::size_t measurable_bytes(verb what, std::size_t bytes, int ranks) {
    if (has_no_bytes(what)) return 0;
    const std::size_t unit =
        sizeof(std::uint64_t) * (what == verb::reduce_scatter ? static_cast<std::size_t>(ranks) : 1);
    return std::max<std::size_t>(1, (bytes + unit - 1) / unit) * unit;
}

tuned_calls::tuned_calls(const hierarchy& levels) : levels_(levels) {
    mpi::check(MPI_Comm_dup(levels.whole(), &comm_), "MPI_Comm_dup", "ranks that measure");
    mpi::check(MPI_Op_create(&add_in_order, 0, &ordered_sum_), "MPI_Op_create", "sum in order");
}

tuned_calls::~tuned_calls() {
    MPI_Op_free(&ordered_sum_);
    MPI_Comm_free(&comm_);
}

std::size_t tuned_calls::unequal_count(int from, int to) const {
    return std::array{count_ / 2, count_, count_ + (count_ + 1) / 2}[static_cast<std::size_t>(from + to) % 3];
}

void tuned_calls::prepare(const tuned_call& call) {
    if (prepared_ == call) return;
    prepared_.reset();
    const int ranks = levels_.whole().size(), rank = levels_.whole().rank();
    const verb what = call.what;
    const std::size_t bytes =
        has_no_bytes(what) && what != verb::barrier ? bytes_of_unknown_blocks : call.bytes;
    count_ = bytes / sizeof(number);
    if (what == verb::reduce_scatter) count_ /= static_cast<std::size_t>(ranks);
    const bool is_unequal = detail::has_unequal_blocks(what);
    const int sender = what == verb::all_to_allv ? rank : 0;
    counts_.assign(static_cast<std::size_t>(ranks), count_);
    if (is_unequal)
        for (int each = 0; each < ranks; ++each)
            counts_[static_cast<std::size_t>(each)] = unequal_count(sender, each);
    positions_.resize(counts_.size());
    std::exclusive_scan(counts_.begin(), counts_.end(), positions_.begin(), std::size_t{0});
    const std::size_t all = positions_.back() + counts_.back();
    const std::size_t own = is_unequal && what != verb::all_to_allv ? unequal_count(0, rank) : count_;
    detail::all_or_none(comm_, [&] { // else a rank without memory leaves the others waiting
        const bool is_root = rank == root;
        const bool scatters = what == verb::scatter || what == verb::scatterv;
        const bool gathers = what == verb::gather || what == verb::gatherv;
        input_.assign(scatters && !is_root ? 0 : sends_blocks(what) ? all : own, 0);
        result_.assign(gathers && !is_root ? 0 : gets_blocks(what) ? all : own, 0);
        return true;
    });
    prepared_ = call;
}

detail::combination tuned_calls::sum() const {
    // Scans keep the order, whatever the operation.
    return prepared_->is_commutative || detail::is_scan(prepared_->what)
               ? detail::combination{MPI_SUM, true}
               : detail::combination{ordered_sum_, false};
}

message tuned_calls::whole(std::vector<number>& all) const { return {all.data(), all.size(), MPI_UINT64_T}; }

blocks tuned_calls::equal_blocks(std::vector<number>& all) const {
    return {all.data(), MPI_UINT64_T, count_, {}, {}};
}

blocks tuned_calls::unequal_blocks(std::vector<number>& all) const {
    return {all.data(), MPI_UINT64_T, 0, counts_, positions_};
}

void tuned_calls::run(const plan& by) {
    const auto rank = static_cast<std::size_t>(levels_.whole().rank());
    const auto put_own_block = [&] {
        std::ranges::copy(input_, result_.begin() + static_cast<std::ptrdiff_t>(positions_[rank]));
    };
    switch (prepared_->what) {
    case verb::barrier:
        return detail::barrier(levels_, by);
    case verb::broadcast:
        return detail::broadcast(levels_, whole(input_), root, by);
    case verb::reduce:
        return detail::reduce(levels_, input_.data(), whole(result_), sum(), root, by);
    case verb::all_reduce:
        return detail::all_reduce(levels_, input_.data(), whole(result_), sum(), by);
    case verb::gather:
        return detail::gather(levels_, whole(input_), equal_blocks(result_), root, by);
    case verb::gatherv:
        return detail::gatherv(levels_, whole(input_), unequal_blocks(result_), root, by);
    case verb::scatter:
        return detail::scatter(levels_, equal_blocks(input_), whole(result_), root, by);
    case verb::scatterv:
        return detail::scatterv(levels_, unequal_blocks(input_), whole(result_), root, by);
    case verb::all_gather:
        put_own_block();
        return detail::all_gather(levels_, equal_blocks(result_), by);
    case verb::all_gatherv:
        put_own_block();
        return detail::all_gatherv(levels_, unequal_blocks(result_), by);
    case verb::all_to_all:
        return detail::all_to_all(levels_, equal_blocks(input_), equal_blocks(result_), by);
    case verb::all_to_allv:
        return detail::all_to_allv(levels_, unequal_blocks(input_), unequal_blocks(result_), by);
    case verb::reduce_scatter:
        return detail::reduce_scatter(levels_, equal_blocks(input_), input_.size(), whole(result_), sum(),
                                      by);
    case verb::scan:
        return detail::scan(levels_, input_.data(), whole(result_), sum().op, detail::scan_kind::inclusive,
                            by);
    case verb::exclusive_scan:
        return detail::scan(levels_, input_.data(), whole(result_), sum().op, detail::scan_kind::exclusive,
                            by);
    }
}

double tuned_calls::seconds(const tuned_call& call, const plan& by) {
    prepare(call);
    ++calls_;
    for (std::size_t i = 0; i < input_.size(); ++i)
        input_[i] = calls_ * 7919U + i * 17U + static_cast<number>(levels_.whole().rank());
    topo_bench::start_together(comm_);
    const double start = MPI_Wtime();
    run(by);
    const double mine = MPI_Wtime() - start;
    return topo_bench::greatest(comm_, std::array{mine})[0];
}

} // namespace topo::tool
