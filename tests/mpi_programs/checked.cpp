// SPDX-License-Identifier: BSL-1.0
// Built twice: with TOPOMP_CHECKED, all ranks throw if the arguments of one are wrong, or if they differ in
// verb, root, length, type, operation or policy, and the hierarchy can be used afterwards; without, nothing
// is compared, and what each rank can tell by itself is refused by each.
#include "support/collective_faults.hpp"
#include "support/faults.hpp"
#include "support/hybrid_faults.hpp"
#include "support/mapping_faults.hpp"
#include "support/persistent_faults.hpp"
#include "support/program_check.hpp"
#include <topomp/core/detail/checked.hpp>
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using topo_test::check;

int sent = 0;         ///< messages of the calling rank
bool is_late = false; ///< the calling rank goes on some time after a comparison with others

} // namespace

#undef MPI_Isend // SimGrid's are macros
#undef MPI_Test

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++sent;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status) {
    const int result = PMPI_Test(request, is_complete, status);
    if (is_late && *is_complete != 0) std::this_thread::sleep_for(std::chrono::milliseconds{3});
    return result;
}
}

namespace {

using topo::message;

/// A rank may wait for an exchange with neighbours, in which others have several steps to do, before it
/// starts the next, or calls one that waits.
void use_neighbours_crosswise(const topo::hierarchy& levels) {
    constexpr std::size_t count = 2000;
    const int size = levels.whole_size(), rank = levels.whole_rank();
    const auto ranks = static_cast<std::size_t>(size);
    std::vector<int> everyone(ranks), others(ranks), first(count * ranks);
    std::iota(everyone.begin(), everyone.end(), 0);
    for (const auto route : {topo::neighbour_route::by_node, topo::neighbour_route::best}) {
        const topo::neighbourhood links{levels, everyone, everyone, route};
        for (int waiting = 0; waiting < 2 * size; ++waiting) {
            const std::vector<int> mine(count * ranks, rank + waiting), own(ranks, rank);
            is_late = rank == (waiting + 1) % size; // behind the first steps of the others
            topo::request started = topo::ineighbour_all_to_all(links, mine, first);
            is_late = false;
            if (rank == waiting % size) started.wait();
            if (waiting < size)
                topo::neighbour_all_to_all(links, own, others);
            else
                topo::ineighbour_all_to_all(links, own, others).wait();
            started.wait();
            bool is_right = others == everyone;
            for (std::size_t i = 0; i < first.size(); ++i)
                is_right = is_right && first[i] == everyone[i / count] + waiting;
            check(is_right, "exchanges with neighbours, crosswise");
        }
    }
}

/// Every verb with arguments that fit each other, and all by one policy and by the default. Nothing may
/// throw.
void use_all(const topo::hierarchy& levels) {
    const auto& whole = levels.whole();
    const auto ranks = static_cast<std::size_t>(whole.size());
    const int last = whole.size() - 1, all = whole.size() * (whole.size() + 1) / 2;
    const std::vector<int> mine(3, whole.rank() + 1);
    std::vector<int> some = mine;
    topo::barrier(levels);
    topo::broadcast(levels, some, last, topo::binomial{});
    check(some == std::vector<int>(3, whole.size()), "broadcast");
    std::vector<int> sum(3);
    topo::reduce(levels, mine, sum, std::plus<>{}, last, topo::native{});
    check(whole.rank() != last || sum == std::vector<int>(3, all), "reduce");
    check(topo::all_reduce(levels, whole.rank() + 1, std::plus<>{}) == all, "all_reduce");
    check(topo::reduce_scatter(levels, std::vector<int>(ranks, 1), std::plus<>{}).front() == whole.size(),
          "reduce_scatter");
    check(topo::scan(levels, 1, std::plus<>{}) == whole.rank() + 1, "scan");
    check(topo::exclusive_scan(levels, 1, std::plus<>{}) == whole.rank(), "exclusive_scan");
    const auto gathered = topo::gather(levels, whole.rank(), last);
    check(gathered.size() == (whole.rank() == last ? ranks : 0), "gather");
    check(topo::scatter(levels, std::vector<int>(ranks, 7), last) == 7, "scatter");
    check(topo::all_gather(levels, mine).size() == 3 * ranks, "all_gather");
    const std::vector<int> own(static_cast<std::size_t>(whole.rank()), 1);
    check(topo::gatherv(levels, own, 0).values.size() == (whole.rank() == 0 ? ranks * (ranks - 1) / 2 : 0),
          "gatherv");
    check(topo::all_gatherv(levels, own).values.size() == ranks * (ranks - 1) / 2, "all_gatherv");
    check(topo::all_to_all(levels, std::vector<int>(ranks, whole.rank())).back() == last, "all_to_all");
    // MPI lets an all_to_allv, unlike a scatterv, read elements for several ranks.
    const std::vector<std::size_t> counts(ranks, 3), same(ranks, 0);
    std::vector<std::size_t> places(ranks);
    for (std::size_t i = 0; i < ranks; ++i)
        places[i] = 3 * i;
    std::vector<int> from_all(3 * ranks);
    topo::all_to_allv(levels, mine, counts, same, from_all, counts, places);
    check(from_all.front() == 1 && from_all.back() == whole.size(),
          "all_to_allv of elements for several ranks");
    std::string text = whole.rank() == last ? "of any length" : "";
    topo::broadcast(levels, text, last);
    check(text == "of any length", "broadcast of a string");

    // The same numbers in other datatypes: only signatures must agree.
    MPI_Datatype pairs = MPI_DATATYPE_NULL, spread = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &pairs);
    MPI_Type_create_resized(pairs, 0, 12, &spread);
    MPI_Type_commit(&spread);
    std::vector<int> numbers(12, whole.rank());
    topo::broadcast(
        levels, whole.rank() == 0 ? message{numbers.data(), 4, MPI_INT} : message{numbers.data(), 2, spread},
        0, topo::chain{});
    check(numbers[0] == 0 && numbers[2] == (whole.rank() == 0 ? 0 : whole.rank()), "other datatypes");
    MPI_Type_free(&spread);
    MPI_Type_free(&pairs);

    // A rank may wait for a request before the others start the next.
    std::vector<int> later(5000, whole.rank() == 0 ? 1 : 0);
    topo::request first = topo::ibroadcast(levels, later, 0, topo::segmented<64, topo::chain>{});
    if (whole.rank() % 2 == 1) first.wait();
    int value = whole.rank() == 0 ? 5 : 0;
    topo::request second = topo::ibroadcast(levels, value, 0, topo::linear{});
    second.wait();
    first.wait();
    check(value == 5 && later.back() == 1, "requests");
}

/// Both of two calls, one on rank `odd`, the other everywhere else: all ranks throw, and say who differs.
template <class Usual, class Odd>
void differ(const topo::hierarchy& levels, int odd, Usual usual, Odd other, const std::string& object,
            const char* what) {
    const int rank = levels.whole().rank();
    const topo_test::time_limit limit{what};
    const auto call = [&] { rank == odd ? other() : usual(); };
    topo_test::check_throws<topo::argument_error>(call, object, what);
    topo_test::check_throws<topo::argument_error>(call, " on rank 0 and ", what);
    const std::string who = " on rank " + std::to_string(odd == 0 ? 1 : odd);
    topo_test::check_throws<topo::argument_error>(call, who, what);
    check(topo::all_reduce(levels, 1, std::plus<>{}) == levels.whole().size(), what);
}

void check_differences(const topo::hierarchy& levels, int odd) {
    std::vector<int> some(8), result(8), all(8 * static_cast<std::size_t>(levels.whole().size()));
    const auto ints = [&](std::size_t count) { return message{some.data(), count, MPI_INT}; };
    const auto to = [&](std::size_t count) { return message{result.data(), count, MPI_INT}; };
    const int size = levels.whole().size();
    differ(
        levels, odd, [&] { topo::broadcast(levels, ints(4), 0); },
        [&] { topo::broadcast(levels, ints(4), 1); }, ": root: it is ", "roots of a broadcast");
    differ(
        levels, odd, [&] { topo::broadcast(levels, ints(4), 0); },
        [&] { topo::broadcast(levels, ints(5), 0); }, "topo::broadcast: length: it is ",
        "lengths of a broadcast");
    if (topo::detail::decodes_datatypes)
        differ(
            levels, odd, [&] { topo::broadcast(levels, ints(4), 0); },
            [&] {
                topo::broadcast(levels, message{some.data(), 4, MPI_FLOAT}, 0);
            },
            "topo::broadcast: datatype: it is ", "types of a broadcast");
    differ(
        levels, odd, [&] { topo::broadcast(levels, ints(4), 0); }, [&] { topo::barrier(levels); },
        "call: it is topo::", "a broadcast and a barrier");
    differ(
        levels, odd, [&] { topo::broadcast(levels, ints(4), 0, topo::chain{}); },
        [&] { topo::broadcast(levels, ints(4), 0, topo::binomial{}); }, "policy: it is topo::", "policies");
    differ(
        levels, odd, [&] { topo::broadcast(levels, ints(4), 0, topo::segmented<64, topo::binomial>{}); },
        [&] { topo::broadcast(levels, ints(4), 0, topo::native{}); }, "topo::binomial (k_nomial<2>)",
        "policies with names for types");
    differ(
        levels, odd, [&] { topo::all_reduce(levels, 1, std::plus<>{}, topo::native{}); },
        [&] { topo::all_reduce(levels, 1, std::plus<>{}, topo::rabenseifner{}); },
        odd == 0 ? "policy: it is topo::rabenseifner (k_ary_rabenseifner<2>) on rank 0 and topo::native "
                   "(hierarchical<otherwise<mpi_calls>>) on rank 1"
                 : "policy: it is topo::native (hierarchical<otherwise<mpi_calls>>) on rank 0 and "
                   "topo::rabenseifner (k_ary_rabenseifner<2>) on rank ",
        "policies with names for types");
    differ(
        levels, odd, [&] { topo::reduce(levels, some.data(), to(4), MPI_SUM, 0); },
        [&] { topo::reduce(levels, some.data(), to(4), MPI_MAX, 0); }, "topo::reduce: operation: it is MPI_",
        "operations");
    differ(
        levels, odd, [&] { topo::reduce(levels, some, result, std::plus<>{}, 0); },
        [&] { topo::reduce(levels, some, result, std::plus<>{}, 1); }, "topo::reduce: root",
        "roots of a reduce");
    differ(
        levels, odd, [&] { topo::all_reduce(levels, some.data(), to(4), MPI_SUM, topo::native{}); },
        [&] { topo::all_reduce(levels, some.data(), to(3), MPI_SUM, topo::native{}); },
        "topo::all_reduce: length", "lengths of an all_reduce");
    const auto left = [](int a, int) { return a; };
    differ(
        levels, odd, [&] { topo::all_reduce(levels, some, result, std::plus<>{}); },
        [&] { topo::all_reduce(levels, some, result, left); }, "topo::all_reduce: operation",
        "an operation that commutes and one that does not");
    differ(
        levels, odd, [&] { topo::scan(levels, some.data(), to(4), MPI_SUM); },
        [&] { topo::exclusive_scan(levels, some.data(), to(4), MPI_SUM); },
        "call: it is topo::", "a scan and an exclusive one");
    differ(
        levels, odd,
        [&] {
            topo::gather(levels, ints(4), topo::blocks{all.data(), MPI_INT, 4}, 0);
        },
        [&] {
            topo::gather(levels, ints(3), topo::blocks{all.data(), MPI_INT, 3}, 0);
        },
        "topo::gather: length", "lengths of a gather");
    differ(
        levels, odd, [&] { topo::scatter(levels, all, some, 0); },
        [&] { topo::scatter(levels, all, some, 1); }, "topo::scatter: root", "roots of a scatter");
    differ(
        levels, odd, [&] { static_cast<void>(topo::gatherv(levels, some, 0)); },
        [&] { static_cast<void>(topo::gatherv(levels, some, 1)); }, "topo::gatherv: root",
        "roots of a gatherv");
    differ(
        levels, odd,
        [&] {
            topo::reduce_scatter(levels, topo::blocks{all.data(), MPI_INT, 2}, to(2), MPI_SUM);
        },
        [&] {
            topo::reduce_scatter(levels, topo::blocks{all.data(), MPI_INT, 3}, to(3), MPI_SUM);
        },
        "topo::reduce_scatter: length", "lengths of a reduce_scatter");
    differ(
        levels, odd, [&] { topo::all_gather(levels, some, all); },
        [&] {
            topo::all_gather(levels, ints(4), topo::blocks{all.data(), MPI_INT, 4});
        },
        "topo::all_gather: length", "lengths of an all_gather");
    differ(
        levels, odd, [&] { topo::ibroadcast(levels, ints(4), 0).wait(); },
        [&] { topo::ibroadcast(levels, ints(4), 1).wait(); }, "topo::ibroadcast: root",
        "roots of an ibroadcast");
    differ(
        levels, odd, [&] { topo::ibroadcast(levels, ints(4), 0).wait(); },
        [&] { topo::broadcast(levels, ints(4), 0); },
        "call: it is topo::", "a broadcast in the background and one that is not");
    const std::vector<int> blocks(static_cast<std::size_t>(size), 1);
    differ(
        levels, odd, [&] { topo::reduce_scatter(levels, blocks, std::plus<>{}); },
        [&] { topo::reduce_scatter(levels, blocks, std::multiplies<>{}); }, "topo::reduce_scatter: operation",
        "operations of a reduce_scatter");
    if (size == 2) return; // two ranks may well exchange their lengths
    std::vector<std::size_t> counts(static_cast<std::size_t>(size), 1), others = counts;
    others[1] = 2;
    others[2] = 0;
    if (levels.whole().rank() == odd) std::swap(counts, others);
    if (odd == 0)
        differ(
            levels, odd,
            [&] {
                topo::all_gatherv(levels, ints(1), topo::blocks{all.data(), MPI_INT, 0, counts});
            },
            [&] {
                topo::all_gatherv(levels, ints(1), topo::blocks{all.data(), MPI_INT, 0, counts});
            },
            "topo::all_gatherv: lengths of blocks", "lengths of an all_gatherv");
    std::vector<std::size_t> more(static_cast<std::size_t>(size), 1);
    if (levels.whole().rank() == odd) more[odd == 1 ? 2 : 1] += more.size();
    const auto gather_more = [&] {
        topo::all_gatherv(levels, ints(1), topo::blocks{all.data(), MPI_INT, 0, more});
    };
    differ(levels, odd, gather_more, gather_more, "topo::all_gatherv: lengths of blocks, in the mean: it is ",
           "sums of the lengths of an all_gatherv");
}

void check_differences_of_nodes(const topo::hierarchy& levels, int odd) {
    using namespace topo;
    shared_window<int> window{levels, 8, hybrid::one_copy};
    std::vector<int> some(8);
    const auto broadcast = [&] { hybrid::broadcast(levels, some, window, 0); };
    differ(
        levels, odd, broadcast, [&] { topo::broadcast(levels, some, 0); },
        "call: it is topo::", "a hybrid broadcast and an ordinary one");
    differ(
        levels, odd, broadcast, [&] { hybrid::broadcast(levels, some, window, 1); },
        "topo::hybrid::broadcast: root", "roots of a hybrid broadcast");
    differ(
        levels, odd, broadcast,
        [&] { hybrid::broadcast(levels, some, window, 0, {.across = hybrid::carriers::lanes}); },
        "topo::hybrid::broadcast: policy: it is topo::automatic {across ", "carriers of a hybrid broadcast");
    const auto combine = [&](auto op) { return [&, op] { hybrid::all_reduce(levels, some, window, op); }; };
    differ(levels, odd, combine(std::plus<>{}), combine(std::multiplies<>{}),
           "topo::hybrid::all_reduce: operation: it is MPI_", "operations of a hybrid all_reduce");
    differ(
        levels, odd,
        [&] {
            shared_window<int>{levels, 1};
        },
        [&] {
            shared_window<int>{levels, 1, {.sharers = window_sharers::of_numa_node}};
        },
        "topo::shared_window: sharers: it is of_n", "sharers of a window");
    differ(
        levels, odd,
        [&] {
            hierarchy{levels.whole(), place{}};
        },
        [&] {
            hierarchy{levels.whole(), place{}, {.max_depth = 1}};
        },
        "topo::hierarchy: max_depth: it is ", "options of a hierarchy");
    differ(
        levels, odd, [&] { split(levels.whole(), kind::machine); },
        [&] { split(levels.whole(), kind::core); }, "topo::split: kind: it is ", "kinds of a split");
    differ(
        levels, odd, [&] { locate(levels, 0); }, [&] { locate(levels, 1); }, "topo::locate: rank: it is ",
        "ranks that are looked for");
    const int size = levels.whole().size();
    const node_cart line{levels, {size}, {.reorder = reordering::off}};
    differ(
        levels, odd, [&] { node_cart(levels, {size}); },
        [&] {
            node_cart(levels, {size, 1});
        },
        "topo::node_cart: dims: it is ", "dims of a grid");
    differ(
        levels, odd, [&] { line.sub({true}); }, [&] { line.sub({false}); },
        "topo::node_cart::sub: kept: it is ", "parts of a grid");
}

/// Each fault on one rank and on all.
template <class Faults>
void check_faults(const topo::hierarchy& levels, bool compares) {
    const Faults those{levels};
    const int size = levels.whole().size();
    const std::array odd{0, size / 2, size - 1};
    std::size_t number = 0;
    for (const topo_test::fault& each : those.all()) {
        if (compares) topo_test::check_one_wrong(levels, each, odd[++number % odd.size()]);
        topo_test::check_all_wrong(levels, each);
    }
    check(number == (compares ? those.all().size() : 0) && !those.all().empty(), "faults");
    check(topo::all_reduce(levels, 1, std::plus<>{}) == size, "a sum after the faults");
}

/// A fence that one rank leaves out ends on the others, and not only with the program.
void check_fence(const topo::hierarchy& levels) {
    topo::shared_window<int> window{levels, 1};
    if (window.rank() != 0) // who leaves a window for good is waited for no more, so rank 0 keeps it
        topo_test::check_throws<topo::usage_error>([&] { window.fence(); }, "every rank of the window",
                                                   "a fence without a rank");
    MPI_Barrier(levels.whole());
}

} // namespace

int main(int argc, char** argv) {
    setenv("TOPOMP_FENCE_SECONDS", "1", 1);
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 package:2 core:2"),
                                 topo::placement::round_robin()};
    use_all(levels);
    sent = 0;
    std::vector<int> some(5);
    topo::broadcast(levels, some, 0, topo::flat{}); // which is MPI's own
    const bool compares = topo::detail::is_checked && world.size() > 1;
    check((sent > 0) == compares, "calls are compared, or are not");
    if (compares) {
        for (const int odd : {0, world.size() - 1})
            check_differences(levels, odd);
        check_differences_of_nodes(levels, world.size() - 1);
        use_all(levels);
        check_fence(levels);
    }
    check_faults<topo_test::collective_faults>(levels, compares);
    check_faults<topo_test::hybrid_faults>(levels, compares);
    check_faults<topo_test::mapping_faults>(levels, compares);
    topo_test::check_persistent_faults(levels);
    if (compares)
        for (const int odd : {0, world.size() - 1})
            topo_test::one_wrong_user{levels, odd}.check_all();
    use_all(levels);
    use_neighbours_crosswise(levels);
    return topo_test::exit_code();
}
