// SPDX-License-Identifier: BSL-1.0
// What was moved from, and what is kept beyond MPI_Finalize, can be destroyed, copied and assigned to; each
// other use is refused by its name.
#include "support/program_check.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_gatherv_init.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_reduce_init.hpp>
#include <topomp/collective/all_to_all.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/barrier.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/gatherv.hpp>
#include <topomp/collective/iall_gather.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/iall_to_all.hpp>
#include <topomp/collective/ibarrier.hpp>
#include <topomp/collective/ibroadcast.hpp>
#include <topomp/collective/igatherv.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/iscatter.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/collective/scatterv.hpp>
#include <topomp/hardware/cpu_set.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/hierarchy/gather_outline.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/remap.hpp>
#include <topomp/hierarchy/shared_level.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/hybrid/all_gather.hpp>
#include <topomp/hybrid/all_gatherv.hpp>
#include <topomp/hybrid/all_reduce.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/broadcast.hpp>
#include <topomp/hybrid/gather.hpp>
#include <topomp/hybrid/iall_reduce.hpp>
#include <topomp/hybrid/reduce.hpp>
#include <topomp/hybrid/scatter.hpp>
#include <topomp/mapping/graph.hpp>
#include <topomp/mapping/node_cart.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/neighbour/neighbourhood.hpp>
#include <topomp/neighbour/sparse_exchange.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

/// Each call throws a usage_error that begins with its name and gives the reason.
struct refusals {
    std::string reason;

    /// A call that may be refused in the name of one that it makes first.
    template <class Call>
    void of(const std::string& name, Call call) const {
        try {
            call();
            topo_test::check(false, name + ": no exception");
        } catch (const topo::usage_error& problem) {
            const std::string text = problem.what();
            topo_test::check(text.starts_with("topo::") && text.find(reason) != text.npos,
                             name + " throws " + text);
        } catch (const std::exception& problem) {
            topo_test::check(false, name + ": another exception: " + problem.what());
        }
    }

    template <class Call>
    void operator()(const std::string& name, Call call) const {
        try {
            call();
            topo_test::check(false, name + ": no exception");
        } catch (const topo::usage_error& problem) {
            const std::string text = problem.what();
            topo_test::check(text.starts_with(name + ": ") && text.find(reason) != text.npos,
                             name + " throws " + text);
        } catch (const std::exception& problem) {
            topo_test::check(false, name + ": another exception: " + problem.what());
        }
    }
};

/// Every verb.
template <class Policy>
void check_verbs(const topo::hierarchy& levels, const refusals& refused) {
    std::vector<int> in{1}, out{0};
    const std::vector<int> counts{1};
    constexpr std::plus<> sum;
    const auto refuse = [&](const char* name, auto call) { refused(std::string{"topo::"} + name, call); };
    refuse("barrier", [&] { topo::barrier(levels, Policy{}); });
    refuse("broadcast", [&] { topo::broadcast(levels, in, 0, Policy{}); });
    refuse("reduce", [&] { topo::reduce(levels, in, out, sum, 0, Policy{}); });
    refuse("all_reduce", [&] { topo::all_reduce(levels, in, out, sum, Policy{}); });
    refuse("gather", [&] { topo::gather(levels, in, out, 0, Policy{}); });
    refuse("scatter", [&] { topo::scatter(levels, in, out, 0, Policy{}); });
    refuse("all_gather", [&] { topo::all_gather(levels, in, out, Policy{}); });
    refuse("all_to_all", [&] { topo::all_to_all(levels, in, out, Policy{}); });
    refuse("gatherv", [&] { topo::gatherv(levels, in, out, counts, 0, Policy{}); });
    refuse("gatherv", [&] { static_cast<void>(topo::gatherv(levels, in, 0, Policy{})); });
    refuse("scatterv", [&] { topo::scatterv(levels, in, counts, out, 0, Policy{}); });
    refuse("all_gatherv", [&] { topo::all_gatherv(levels, in, out, counts, Policy{}); });
    refuse("all_gatherv", [&] { static_cast<void>(topo::all_gatherv(levels, in, Policy{})); });
    refuse("all_to_allv", [&] { topo::all_to_allv(levels, in, counts, out, counts, Policy{}); });
    refuse("all_to_allv", [&] { static_cast<void>(topo::all_to_allv(levels, in, counts, Policy{})); });
    refuse("reduce_scatter", [&] { topo::reduce_scatter(levels, in, out, sum, Policy{}); });
    refuse("scan", [&] { topo::scan(levels, in, out, sum, Policy{}); });
    refuse("exclusive_scan", [&] { topo::exclusive_scan(levels, in, out, sum, Policy{}); });
    refuse("ibarrier", [&] { static_cast<void>(topo::ibarrier(levels, Policy{})); });
    refuse("ibroadcast", [&] { static_cast<void>(topo::ibroadcast(levels, in, 0, Policy{})); });
    refuse("ireduce", [&] { static_cast<void>(topo::ireduce(levels, in, out, sum, 0, Policy{})); });
    refuse("iall_reduce", [&] { static_cast<void>(topo::iall_reduce(levels, in, out, sum, Policy{})); });
    refuse("iall_gather", [&] { static_cast<void>(topo::iall_gather(levels, in, out, Policy{})); });
    refuse("iall_to_all", [&] { static_cast<void>(topo::iall_to_all(levels, in, out, Policy{})); });
    refuse("igatherv", [&] { static_cast<void>(topo::igatherv(levels, in, out, counts, 0)); });
    refuse("iscatter", [&] { static_cast<void>(topo::iscatter(levels, in, out, 0)); });
    refuse("all_gatherv_init", [&] { static_cast<void>(topo::all_gatherv_init(levels, in, out, counts)); });
    refuse("all_reduce_init", [&] { static_cast<void>(topo::all_reduce_init(levels, in, out, sum)); });
}

/// The hybrid verbs, of which each needs a hierarchy and a window.
void check_hybrid(const topo::hierarchy& levels, topo::shared_window<int>& window, const refusals& refused) {
    namespace hybrid = topo::hybrid;
    std::vector<int> in{1};
    const std::vector<int> counts{1};
    constexpr std::plus<> sum;
    const auto refuse = [&](const char* name, auto call) { refused(std::string{"topo::"} + name, call); };
    refuse("hybrid::broadcast", [&] { hybrid::broadcast(levels, window, 0); });
    refuse("hybrid::reduce", [&] { hybrid::reduce(levels, in, window, sum, 0); });
    refuse("hybrid::all_reduce", [&] { hybrid::all_reduce(levels, in, window, sum); });
    refuse("hybrid::all_gather", [&] { hybrid::all_gather(levels, in, window); });
    refuse("hybrid::all_gatherv", [&] { hybrid::all_gatherv(levels, in, window, counts); });
    refuse("hybrid::gather", [&] { hybrid::gather(levels, in, window, 0); });
    refuse("hybrid::scatter", [&] { hybrid::scatter(levels, window, in, 0); });
    refuse("hybrid::all_to_all", [&] { hybrid::all_to_all(levels, window, window); });
    refuse("hybrid::iall_reduce", [&] { static_cast<void>(hybrid::iall_reduce(levels, in, window, sum)); });
}

void check_hierarchy(const topo::hierarchy& levels, const refusals& refused) {
    refused("topo::hierarchy::whole", [&] { levels.whole(); });
    refused("topo::hierarchy::whole_info", [&] { levels.whole_info(); });
    refused("topo::hierarchy::levels", [&] { levels.levels(); });
    refused("topo::hierarchy::levels", [&] { levels.begin(); });
    refused("topo::hierarchy::levels", [&] { levels.end(); });
    refused("topo::hierarchy::levels", [&] { levels.depth(); });
    refused("topo::hierarchy::levels", [&] { levels[0]; });
    refused("topo::hierarchy::levels", [&] { levels.find(topo::kind::core); });
    refused("topo::hierarchy::max_depth", [&] { levels.max_depth(); });
    refused("topo::hierarchy::most_ranks_of_node", [&] { levels.most_ranks_of_node(); });
    refused("topo::hierarchy::whole", [&] { levels.node(0); });
    refused("topo::hierarchy::levels", [&] { levels.node(1); });
    refused("topo::hierarchy::whole_info", [&] { std::ostringstream{} << levels; });
    refused("topo::hierarchy::attachment",
            [&] { levels.attachment<int>([] { return std::make_shared<int>(); }); });
    topo_test::check(!levels.is_open(), "it says so");

    check_verbs<topo::automatic>(levels, refused);
    check_verbs<topo::flat>(levels, refused);
    refused("topo::hierarchy::whole", [&] { topo::shared_depth(levels, 0, 0); });
    refused("topo::hierarchy::whole", [&] { topo::gather_outline(levels); });
    refused("topo::hierarchy::whole", [&] { topo::lowest_shared_type(levels, std::array{0}); });
    refused("topo::shared_window", [&] { topo::shared_window<int>{levels, 1}; });
    refused("topo::node_cart", [&] { topo::node_cart{levels, {0, 0}}; });
    refused("topo::graph", [&] { topo::graph{levels, std::vector<int>{}}; });
    refused("topo::neighbourhood", [&] { topo::neighbourhood{levels, {}, {}}; });
    refused("topo::sparse_exchange", [&] { topo::sparse_exchange(levels, std::map<int, int>{}); });
}

void check_level(const topo::level& level, const refusals& refused) {
    refused("topo::level::comm", [&] { level.comm(); });
    refused("topo::level::roots", [&] { level.roots(); });
    refused("topo::level::type", [&] { level.type(); });
    refused("topo::level::also", [&] { level.also(); });
    refused("topo::level::name", [&] { level.name(); });
    refused("topo::level::depth", [&] { level.depth(); });
    refused("topo::level::index", [&] { level.index(); });
    refused("topo::level::count", [&] { level.count(); });
    refused("topo::level::is", [&] { level.is(topo::kind::core); });
    refused("topo::level::info", [&] { level.info(); });
    refused("topo::level::rank", [&] { level.rank(); });
    refused("topo::level::size", [&] { level.size(); });
    refused("topo::level::rank", [&] { level.is_root(); });
    refused("topo::level::info", [&] { std::ostringstream{} << level; });
    refused.of("shared_window", [&] { topo::shared_window<int>{level, 1}; });
}

void check_window(topo::shared_window<int>& window, const refusals& refused) {
    const auto& same = window;
    refused("topo::shared_window::comm", [&] { window.comm(); });
    refused("topo::shared_window::comm", [&] { window.rank(); });
    refused("topo::shared_window::local", [&] { window.local(); });
    refused("topo::shared_window::local", [&] { same.local(); });
    refused("topo::shared_window::of", [&] { window.of(0); });
    refused("topo::shared_window::all", [&] { window.all(); });
    refused("topo::shared_window::all", [&] { same.begin(); });
    refused("topo::shared_window::size", [&] { window.size(); });
    refused("topo::shared_window::size", [&] { window.empty(); });
    refused("topo::shared_window::fence", [&] { window.fence(); });
    refused("topo::shared_window::numa_shares_of", [&] { window.numa_shares_of(0); });
    refused("topo::shared_window::steps", [&] { window.steps(); });
    refused("topo::shared_window::waits", [&] { window.waits(); });
    refused("topo::shared_window::win", [&] { window.win(); });
}

void check_cart(const topo::node_cart& cart, const refusals& refused) {
    refused("topo::node_cart::comm", [&] { cart.comm(); });
    refused("topo::node_cart::comm", [&] { static_cast<void>(MPI_Comm{cart}); });
    refused("topo::node_cart::rank", [&] { cart.rank(); });
    refused("topo::node_cart::cells", [&] { cart.size(); });
    refused("topo::node_cart::cells", [&] { cart.cells(); });
    refused("topo::node_cart::cells", [&] { cart.dims(); });
    refused("topo::node_cart::cells", [&] { cart.periods(); });
    refused("topo::node_cart::plan", [&] { cart.plan(); });
    refused("topo::node_cart::comm", [&] { cart.old_rank(0); });
    refused("topo::node_cart::comm", [&] { cart.coordinates(0); });
    refused("topo::node_cart::cells", [&] { cart.coordinates(); });
    refused("topo::node_cart::cells", [&] { cart.rank(std::array{0, 0}); });
    refused("topo::node_cart::cells", [&] { cart.neighbour(std::array{0, 1}); });
    refused("topo::node_cart::cells", [&] { cart.shift(0, 1); });
    refused("topo::node_cart::destinations", [&] { cart.destinations(); });
    refused("topo::node_cart::sources", [&] { cart.sources(); });
    refused("topo::node_cart::comm", [&] { cart.is_on_node(0); });
    refused("topo::node_cart::destinations", [&] { cart.partners_on_node(); });
    refused("topo::node_cart::comm", [&] { cart.sub({true, true}); });
    refused("topo::node_cart::exchange", [&] { cart.exchange({}); });
}

void check_graph(const topo::graph& graph, const refusals& refused) {
    refused("topo::graph::operator bool", [&] { static_cast<void>(static_cast<bool>(graph)); });
    refused("topo::graph::comm", [&] { graph.comm(); });
    refused("topo::graph::comm", [&] { static_cast<void>(MPI_Comm{graph}); });
    refused("topo::graph::rank", [&] { graph.rank(); });
    refused("topo::graph::plan", [&] { graph.size(); });
    refused("topo::graph::plan", [&] { graph.plan(); });
    refused("topo::graph::plan", [&] { graph.old_rank(0); });
    refused("topo::graph::plan", [&] { graph.new_rank(0); });
    refused("topo::graph::destinations", [&] { graph.destinations(); });
    refused("topo::graph::sources", [&] { graph.sources(); });
    refused("topo::graph::destination_weights", [&] { graph.destination_weights(); });
    refused("topo::graph::source_weights", [&] { graph.source_weights(); });
    refused("topo::graph::plan", [&] { graph.is_on_node(0); });
    refused("topo::graph::destinations", [&] { graph.partners_on_node(); });
}

void check_remapping(const topo::remapping& along, const refusals& refused) {
    int in = 0, out = 0;
    refused("topo::remapping::to_rank", [&] { along.to_rank(); });
    refused("topo::remapping::from_rank", [&] { along.from_rank(); });
    refused("topo::permute", [&] { topo::permute(along, std::span{&in, 1}, std::span{&out, 1}); });
}

void check_arena(topo::arena& arena, const refusals& refused) {
    refused("topo::arena::comm", [&] { arena.comm(); });
    refused("topo::arena::waits", [&] { arena.waits(); });
    refused("topo::arena::is_oversubscribed", [&] { arena.is_oversubscribed(); });
    refused("topo::arena::name", [&] { arena.name(); });
    refused("topo::arena::windows", [&] { arena.windows(); });
    refused("topo::arena::bytes", [&] { arena.bytes(); });
    refused("topo::arena::take", [&] { arena.take(1, 1, "topo_test"); });
}

void check_block(topo::arena::block& block, const refusals& refused) {
    topo_test::check(!block.is_open(), "a block says that it is none");
    refused("topo::arena::block::comm", [&] { block.comm(); });
    refused("topo::arena::block::waits", [&] { block.waits(); });
    refused("topo::arena::block::is_oversubscribed", [&] { block.is_oversubscribed(); });
    refused("topo::arena::block::name", [&] { block.name(); });
    refused("topo::arena::block::sync", [&] { block.sync(); });
}

/// Everything that holds communicators or memory.
struct everything {
    topo::hierarchy levels;
    topo::level level;
    topo::shared_window<int> window;
    topo::node_cart cart;
    topo::graph graph;
    topo::remapping along;
    topo::arena arena;
    topo::arena::block block;

    void check(const refusals& refused) {
        check_hierarchy(levels, refused);
        check_level(level, refused);
        check_window(window, refused);
        check_hybrid(levels, window, refused);
        check_cart(cart, refused);
        check_graph(graph, refused);
        check_remapping(along, refused);
        check_arena(arena, refused);
        check_block(block, refused);
    }
};

everything make(const boost::mpi::communicator& world) {
    topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"), topo::placement::round_robin()};
    const topo::node_cart cart{levels, {0, 0}};
    topo::arena arena = topo::arena::of(levels);
    return {levels,
            *topo::split(world, topo::kind::machine),
            topo::shared_window<int>{levels, 1},
            cart,
            topo::graph{levels, {(world.rank() + 1) % world.size()}},
            topo::remap(world, cart),
            arena,
            arena.take(8, 8, "topo_test")};
}

/// Values: what is left can be assigned to, and says so where it is used.
void check_values(const refusals& refused) {
    topo::topology hardware = topo::topology::from_synthetic("core:2 pu:1");
    const topo::topology taken{std::move(hardware)};
    refused("topo::topology", [&] { hardware.cpus(); });          // NOLINT(bugprone-use-after-move)
    refused("topo::topology", [&] { hardware.core_count(); });    // NOLINT(bugprone-use-after-move)
    refused("topo::topology", [&] { hardware.core(0); });         // NOLINT(bugprone-use-after-move)
    refused("topo::topology", [&] { hardware.path_of({}); });     // NOLINT(bugprone-use-after-move)
    refused("topo::topology", [&] { hardware.binding(); });       // NOLINT(bugprone-use-after-move)
    refused("topo::topology", [&] { hardware.last_cpu(); });      // NOLINT(bugprone-use-after-move)
    refused("topo::topology", [&] { hardware.native_handle(); }); // NOLINT(bugprone-use-after-move)
    hardware = topo::topology::from_synthetic("core:3 pu:1");
    topo_test::check(hardware.core_count() == 3, "a topology can be assigned to");

    auto machine = topo::machine::parse("node:2 core:2");
    const auto rule = topo::placement::core_by_core();
    const topo::machine moved{std::move(machine)};
    refused("topo::machine", [&] { machine.nodes(); });                           // NOLINT
    refused("topo::machine", [&] { machine.place_of({}); });                      // NOLINT
    refused("topo::machine", [&] { machine.under(topo::network::none()); });      // NOLINT
    refused("topo::machine", [&] { static_cast<void>(rule.seats(machine, 1)); }); // NOLINT
    machine = moved;
    topo_test::check(machine.nodes().size() == 2, "a machine can be assigned to");

    topo::cpu_set cpus = topo::cpu_set::parse("0-3");
    const topo::cpu_set kept{std::move(cpus)};
    refused("topo::cpu_set", [&] { static_cast<void>(cpus.empty()); });            // NOLINT
    refused("topo::cpu_set", [&] { static_cast<void>(cpus.contains(0)); });        // NOLINT
    refused("topo::cpu_set", [&] { static_cast<void>(cpus.is_subset_of(kept)); }); // NOLINT
    refused("topo::cpu_set", [&] { static_cast<void>(kept.is_subset_of(cpus)); }); // NOLINT
    refused("topo::cpu_set", [&] { static_cast<void>(cpus == kept); });            // NOLINT
    refused("topo::cpu_set", [&] { cpus.insert(0, 1); });                          // NOLINT
    refused("topo::cpu_set", [&] { static_cast<void>(kept.without(cpus)); });      // NOLINT
    refused("topo::cpu_set", [&] { const topo::cpu_set copy{cpus}; });             // NOLINT
    refused("topo::cpu_set", [&] { static_cast<void>(to_string(cpus)); });         // NOLINT
    cpus = kept;
    topo_test::check(to_string(cpus) == "0-3", "a set of CPUs can be assigned to");

    auto plan = topo::outline::of(topo::places_of(moved, rule, 4));
    const auto other = std::move(plan);
    topo_test::check(plan.communicators.empty(), "an outline is empty"); // NOLINT(bugprone-use-after-move)
    const refusals empty{"it is empty"};
    empty("topo::outline", [&] { plan.whole(); });     // NOLINT(bugprone-use-after-move)
    empty("topo::outline", [&] { plan.size(); });      // NOLINT(bugprone-use-after-move)
    empty("topo::outline", [&] { plan.max_depth(); }); // NOLINT(bugprone-use-after-move)
    plan = other;
    topo_test::check(plan.size() == 4, "and can be assigned to");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::optional<everything> kept;
    std::optional<topo::request> pending;
    static int value = 1; // which the request has until the end
    {
        const boost::mpi::communicator world;
        const refusals refused{"it was moved from"};
        check_values(refused);
        everything first = make(world);
        everything second{std::move(first)};
        first.check(refused); // NOLINT(bugprone-use-after-move)
        {
            const auto copies = std::tuple{first.levels, first.level, first.cart, first.graph, first.along};
            check_hierarchy(std::get<0>(copies), refused);
        }
        first = std::move(second);
        second.check(refused); // NOLINT(bugprone-use-after-move)
        topo::barrier(first.levels);
        first.window.local().front() = world.rank();
        first.window.fence();
        topo_test::check(first.level.size() >= 1 && first.cart.size() == world.size(), "all works again");
        kept.emplace(std::move(first));

        topo::request one = topo::ibroadcast(kept->levels, value, 0);
        topo::request two{std::move(one)};
        topo_test::check(!one.active() && one.test(), "a request that was moved from is complete"); // NOLINT
        one.wait();                                                                                 // NOLINT
        two.wait();

        // done.
        pending = topo::ibroadcast(kept->levels, value, 0);
        pending->wait();
    }
    MPI_Finalize();
    const refusals refused{"MPI has ended"};
    kept->check(refused);
    {
        const auto copies = std::tuple{kept->levels, kept->level, kept->cart, kept->graph, kept->along};
        check_level(std::get<1>(copies), refused);
        everything moved{*std::move(kept)};
        moved.check(refused);
        *kept = std::move(moved);
    }
    {
        // What makes something anew of a communicator that MPI always has.
        const refusals ended{"finalized"};
        const boost::mpi::communicator world;
        ended.of("split", [&] { static_cast<void>(topo::split(world, topo::kind::machine)); });
        ended.of("hierarchy", [&] { topo::hierarchy{world}; });
    }
    topo_test::check(pending->test(), "a request that is complete stays so");
    return topo_test::exit_code();
}
