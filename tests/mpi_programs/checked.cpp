// SPDX-License-Identifier: BSL-1.0
// Built twice: with TOPOMP_CHECKED, all ranks throw if the arguments of one are wrong, or if they differ in
// verb, root, length, type, operation or policy, and the hierarchy can be used afterwards; without, nothing
// is compared, and what each rank can tell by itself is refused by each.
#include "support/collective_faults.hpp"
#include "support/faults.hpp"
#include "support/hybrid_faults.hpp"
#include "support/mapping_faults.hpp"
#include "support/program_check.hpp"
#include <topomp/core/detail/checked.hpp>
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using topo_test::check;

int sent = 0; ///< messages of the calling rank

} // namespace

#undef MPI_Isend // SimGrid's is a macro

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    ++sent;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}
}

namespace {

using topo::message;

/// Every verb with arguments that fit each other, and all by one policy and by the default. Nothing may
/// throw.
void use_all(const topo::hierarchy& tree) {
    const auto& whole = tree.whole();
    const auto ranks = static_cast<std::size_t>(whole.size());
    const int last = whole.size() - 1, all = whole.size() * (whole.size() + 1) / 2;
    const std::vector<int> mine(3, whole.rank() + 1);
    std::vector<int> some = mine;
    topo::barrier(tree);
    topo::broadcast(tree, some, last, topo::binomial{});
    check(some == std::vector<int>(3, whole.size()), "broadcast");
    std::vector<int> sum(3);
    topo::reduce(tree, mine, sum, std::plus<>{}, last, topo::native{});
    check(whole.rank() != last || sum == std::vector<int>(3, all), "reduce");
    check(topo::all_reduce(tree, whole.rank() + 1, std::plus<>{}) == all, "all_reduce");
    check(topo::reduce_scatter(tree, std::vector<int>(ranks, 1), std::plus<>{}).front() == whole.size(),
          "reduce_scatter");
    check(topo::scan(tree, 1, std::plus<>{}) == whole.rank() + 1, "scan");
    check(topo::exclusive_scan(tree, 1, std::plus<>{}) == whole.rank(), "exclusive_scan");
    const auto gathered = topo::gather(tree, whole.rank(), last);
    check(gathered.size() == (whole.rank() == last ? ranks : 0), "gather");
    check(topo::scatter(tree, std::vector<int>(ranks, 7), last) == 7, "scatter");
    check(topo::all_gather(tree, mine).size() == 3 * ranks, "all_gather");
    const std::vector<int> own(static_cast<std::size_t>(whole.rank()), 1);
    check(topo::gatherv(tree, own, 0).values.size() == (whole.rank() == 0 ? ranks * (ranks - 1) / 2 : 0),
          "gatherv");
    check(topo::all_gatherv(tree, own).values.size() == ranks * (ranks - 1) / 2, "all_gatherv");
    check(topo::all_to_all(tree, std::vector<int>(ranks, whole.rank())).back() == last, "all_to_all");
    std::string text = whole.rank() == last ? "of any length" : "";
    topo::broadcast(tree, text, last);
    check(text == "of any length", "broadcast of a string");

    // The same numbers in other datatypes: only signatures must agree.
    MPI_Datatype pairs = MPI_DATATYPE_NULL, spread = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &pairs);
    MPI_Type_create_resized(pairs, 0, 12, &spread);
    MPI_Type_commit(&spread);
    std::vector<int> numbers(12, whole.rank());
    topo::broadcast(
        tree, whole.rank() == 0 ? message{numbers.data(), 4, MPI_INT} : message{numbers.data(), 2, spread}, 0,
        topo::chain{});
    check(numbers[0] == 0 && numbers[2] == (whole.rank() == 0 ? 0 : whole.rank()), "other datatypes");
    MPI_Type_free(&spread);
    MPI_Type_free(&pairs);

    // A rank may wait for a request before the others start the next.
    std::vector<int> later(5000, whole.rank() == 0 ? 1 : 0);
    topo::request first = topo::ibroadcast(tree, later, 0, topo::segmented<64, topo::chain>{});
    if (whole.rank() % 2 == 1) first.wait();
    int value = whole.rank() == 0 ? 5 : 0;
    topo::request second = topo::ibroadcast(tree, value, 0, topo::linear{});
    second.wait();
    first.wait();
    check(value == 5 && later.back() == 1, "requests");
}

/// Both of two calls, one on rank `odd`, the other everywhere else: all ranks throw, and say who differs.
template <class Usual, class Odd>
void differ(const topo::hierarchy& tree, int odd, Usual usual, Odd other, const std::string& object,
            const char* what) {
    const int rank = tree.whole().rank();
    const topo_test::time_limit limit{what};
    const auto call = [&] { rank == odd ? other() : usual(); };
    topo_test::check_throws<topo::argument_error>(call, object, what);
    topo_test::check_throws<topo::argument_error>(call, " on rank 0 and ", what);
    const std::string who = " on rank " + std::to_string(odd == 0 ? 1 : odd);
    topo_test::check_throws<topo::argument_error>(call, who, what);
    check(topo::all_reduce(tree, 1, std::plus<>{}) == tree.whole().size(), what);
}

void check_differences(const topo::hierarchy& tree, int odd) {
    std::vector<int> some(8), result(8), all(8 * static_cast<std::size_t>(tree.whole().size()));
    const auto ints = [&](std::size_t count) { return message{some.data(), count, MPI_INT}; };
    const auto to = [&](std::size_t count) { return message{result.data(), count, MPI_INT}; };
    const int size = tree.whole().size();
    differ(
        tree, odd, [&] { topo::broadcast(tree, ints(4), 0); }, [&] { topo::broadcast(tree, ints(4), 1); },
        ": root: it is ", "roots of a broadcast");
    differ(
        tree, odd, [&] { topo::broadcast(tree, ints(4), 0); }, [&] { topo::broadcast(tree, ints(5), 0); },
        "topo::broadcast: length: it is ", "lengths of a broadcast");
    if (topo::detail::decodes_datatypes)
        differ(
            tree, odd, [&] { topo::broadcast(tree, ints(4), 0); },
            [&] {
                topo::broadcast(tree, message{some.data(), 4, MPI_FLOAT}, 0);
            },
            "topo::broadcast: datatype: it is ", "types of a broadcast");
    differ(
        tree, odd, [&] { topo::broadcast(tree, ints(4), 0); }, [&] { topo::barrier(tree); },
        "call: it is topo::", "a broadcast and a barrier");
    differ(
        tree, odd, [&] { topo::broadcast(tree, ints(4), 0, topo::chain{}); },
        [&] { topo::broadcast(tree, ints(4), 0, topo::binomial{}); }, "policy: it is topo::", "policies");
    differ(
        tree, odd, [&] { topo::reduce(tree, some.data(), to(4), MPI_SUM, 0); },
        [&] { topo::reduce(tree, some.data(), to(4), MPI_MAX, 0); }, "topo::reduce: operation: it is MPI_",
        "operations");
    differ(
        tree, odd, [&] { topo::reduce(tree, some, result, std::plus<>{}, 0); },
        [&] { topo::reduce(tree, some, result, std::plus<>{}, 1); }, "topo::reduce: root",
        "roots of a reduce");
    differ(
        tree, odd, [&] { topo::all_reduce(tree, some.data(), to(4), MPI_SUM, topo::native{}); },
        [&] { topo::all_reduce(tree, some.data(), to(3), MPI_SUM, topo::native{}); },
        "topo::all_reduce: length", "lengths of an all_reduce");
    const auto left = [](int a, int) { return a; };
    differ(
        tree, odd, [&] { topo::all_reduce(tree, some, result, std::plus<>{}); },
        [&] { topo::all_reduce(tree, some, result, left); }, "topo::all_reduce: operation",
        "an operation that commutes and one that does not");
    differ(
        tree, odd, [&] { topo::scan(tree, some.data(), to(4), MPI_SUM); },
        [&] { topo::exclusive_scan(tree, some.data(), to(4), MPI_SUM); },
        "call: it is topo::", "a scan and an exclusive one");
    differ(
        tree, odd,
        [&] {
            topo::gather(tree, ints(4), topo::blocks{all.data(), MPI_INT, 4}, 0);
        },
        [&] {
            topo::gather(tree, ints(3), topo::blocks{all.data(), MPI_INT, 3}, 0);
        },
        "topo::gather: length", "lengths of a gather");
    differ(
        tree, odd, [&] { topo::scatter(tree, all, some, 0); }, [&] { topo::scatter(tree, all, some, 1); },
        "topo::scatter: root", "roots of a scatter");
    differ(
        tree, odd, [&] { static_cast<void>(topo::gatherv(tree, some, 0)); },
        [&] { static_cast<void>(topo::gatherv(tree, some, 1)); }, "topo::gatherv: root",
        "roots of a gatherv");
    differ(
        tree, odd,
        [&] {
            topo::reduce_scatter(tree, topo::blocks{all.data(), MPI_INT, 2}, to(2), MPI_SUM);
        },
        [&] {
            topo::reduce_scatter(tree, topo::blocks{all.data(), MPI_INT, 3}, to(3), MPI_SUM);
        },
        "topo::reduce_scatter: length", "lengths of a reduce_scatter");
    differ(
        tree, odd, [&] { topo::all_gather(tree, some, all); },
        [&] {
            topo::all_gather(tree, ints(4), topo::blocks{all.data(), MPI_INT, 4});
        },
        "topo::all_gather: length", "lengths of an all_gather");
    differ(
        tree, odd, [&] { topo::ibroadcast(tree, ints(4), 0).wait(); },
        [&] { topo::ibroadcast(tree, ints(4), 1).wait(); }, "topo::ibroadcast: root",
        "roots of an ibroadcast");
    differ(
        tree, odd, [&] { topo::ibroadcast(tree, ints(4), 0).wait(); },
        [&] { topo::broadcast(tree, ints(4), 0); },
        "call: it is topo::", "a broadcast in the background and one that is not");
    const std::vector<int> blocks(static_cast<std::size_t>(size), 1);
    differ(
        tree, odd, [&] { topo::reduce_scatter(tree, blocks, std::plus<>{}); },
        [&] { topo::reduce_scatter(tree, blocks, std::multiplies<>{}); }, "topo::reduce_scatter: operation",
        "operations of a reduce_scatter");
    if (size == 2) return; // two ranks may well exchange their lengths
    std::vector<std::size_t> counts(static_cast<std::size_t>(size), 1), others = counts;
    others[1] = 2;
    others[2] = 0;
    if (tree.whole().rank() == odd) std::swap(counts, others);
    if (odd == 0)
        differ(
            tree, odd,
            [&] {
                topo::all_gatherv(tree, ints(1), topo::blocks{all.data(), MPI_INT, 0, counts});
            },
            [&] {
                topo::all_gatherv(tree, ints(1), topo::blocks{all.data(), MPI_INT, 0, counts});
            },
            "topo::all_gatherv: lengths of blocks", "lengths of an all_gatherv");
}

void check_differences_of_nodes(const topo::hierarchy& tree, int odd) {
    using namespace topo;
    shared_window<int> window{tree, 8, hybrid::one_copy};
    std::vector<int> some(8);
    const auto broadcast = [&] { hybrid::broadcast(tree, some, window, 0); };
    differ(
        tree, odd, broadcast, [&] { topo::broadcast(tree, some, 0); },
        "call: it is topo::", "a hybrid broadcast and an ordinary one");
    differ(
        tree, odd, broadcast, [&] { hybrid::broadcast(tree, some, window, 1); },
        "topo::hybrid::broadcast: root", "roots of a hybrid broadcast");
    differ(
        tree, odd, broadcast,
        [&] { hybrid::broadcast(tree, some, window, 0, {.across = hybrid::carriers::lanes}); },
        "topo::hybrid::broadcast: policy: it is topo::automatic {across ", "carriers of a hybrid broadcast");
    const auto combine = [&](auto op) { return [&, op] { hybrid::all_reduce(tree, some, window, op); }; };
    differ(tree, odd, combine(std::plus<>{}), combine(std::multiplies<>{}),
           "topo::hybrid::all_reduce: operation: it is MPI_", "operations of a hybrid all_reduce");
    differ(
        tree, odd,
        [&] {
            shared_window<int>{tree, 1};
        },
        [&] {
            shared_window<int>{tree, 1, {.sharers = window_sharers::of_numa_node}};
        },
        "topo::shared_window: sharers: it is of_n", "sharers of a window");
    differ(
        tree, odd,
        [&] {
            hierarchy{tree.whole(), place{}};
        },
        [&] {
            hierarchy{tree.whole(), place{}, {.max_depth = 1}};
        },
        "topo::hierarchy: max_depth: it is ", "options of a hierarchy");
    differ(
        tree, odd, [&] { split(tree.whole(), kind::machine); }, [&] { split(tree.whole(), kind::core); },
        "topo::split: kind: it is ", "kinds of a split");
    differ(
        tree, odd, [&] { locate(tree, 0); }, [&] { locate(tree, 1); }, "topo::locate: rank: it is ",
        "ranks that are looked for");
    const int size = tree.whole().size();
    const node_cart line{tree, {size}, {.reorder = reordering::off}};
    differ(
        tree, odd, [&] { node_cart(tree, {size}); },
        [&] {
            node_cart(tree, {size, 1});
        },
        "topo::node_cart: dims: it is ", "dims of a grid");
    differ(
        tree, odd, [&] { line.sub({true}); }, [&] { line.sub({false}); },
        "topo::node_cart::sub: kept: it is ", "parts of a grid");
}

/// Each fault on one rank and on all.
template <class Faults>
void check_faults(const topo::hierarchy& tree, bool compares) {
    const Faults those{tree};
    const int size = tree.whole().size();
    const std::array odd{0, size / 2, size - 1};
    std::size_t number = 0;
    for (const topo_test::fault& each : those.all()) {
        if (compares) topo_test::check_one_wrong(tree, each, odd[++number % odd.size()]);
        topo_test::check_all_wrong(tree, each);
    }
    check(number == (compares ? those.all().size() : 0) && !those.all().empty(), "faults");
    check(topo::all_reduce(tree, 1, std::plus<>{}) == size, "a sum after the faults");
}

/// A fence that one rank leaves out ends on the others, and not only with the program.
void check_fence(const topo::hierarchy& tree) {
    topo::shared_window<int> window{tree, 1};
    if (window.rank() != 0) // who leaves a window for good is waited for no more, so rank 0 keeps it
        topo_test::check_throws<topo::usage_error>([&] { window.fence(); }, "every rank of the window",
                                                   "a fence without a rank");
    MPI_Barrier(tree.whole());
}

} // namespace

int main(int argc, char** argv) {
    setenv("TOPOMP_FENCE_SECONDS", "1", 1);
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy tree{world, topo::machine::parse("node:2 package:2 core:2"),
                               topo::placement::round_robin()};
    use_all(tree);
    sent = 0;
    std::vector<int> some(5);
    topo::broadcast(tree, some, 0, topo::flat{}); // which is MPI's own
    const bool compares = topo::detail::is_checked && world.size() > 1;
    check((sent > 0) == compares, "calls are compared, or are not");
    if (compares) {
        for (const int odd : {0, world.size() - 1})
            check_differences(tree, odd);
        check_differences_of_nodes(tree, world.size() - 1);
        use_all(tree);
        check_fence(tree);
    }
    check_faults<topo_test::collective_faults>(tree, compares);
    check_faults<topo_test::hybrid_faults>(tree, compares);
    check_faults<topo_test::mapping_faults>(tree, compares);
    use_all(tree);
    return topo_test::exit_code();
}
