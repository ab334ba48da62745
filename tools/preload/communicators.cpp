// SPDX-License-Identifier: BSL-1.0
#include "communicators.hpp"

#include "price.hpp"
#include "process.hpp"
#include "reason.hpp"
#include <topomp/core/detail/attribute.hpp>
#include <topomp/core/detail/device_memory.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/topology_lists.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace topo::preload {

namespace {

/// Counts up whenever what threads remember of communicators may be wrong.
std::atomic<std::uint64_t> generation{0};
std::atomic<int> live_hierarchies{0};

/// MPICH has 2000 communicators for a process, of which a hierarchy takes about ten.
constexpr int most_hierarchies = 64;
/// What `automatic` looks at: between two ranks there is nothing to arrange.
constexpr int fewest_ranks = 3;
/// So many calls of a communicator are left to the MPI before its ranks compare for the first time what its
/// calls took with what its hierarchy costs: many communicators are made for a few calls.
constexpr std::int64_t calls_before = 8;

using steady = std::chrono::steady_clock;

hierarchy_price price;

struct counted_hierarchy {
    counted_hierarchy(hierarchy built, bool has_devices)
        : levels(std::move(built)), uses_devices(has_devices) {
        ++live_hierarchies;
    }
    counted_hierarchy(const counted_hierarchy&) = delete;
    counted_hierarchy& operator=(const counted_hierarchy&) = delete;
    ~counted_hierarchy() { --live_hierarchies; }
    hierarchy levels;
    bool uses_devices;                          ///< of any rank
    std::optional<known_neighbours> neighbours; ///< from the first collective of neighbours on
    background_ranks background; ///< those collectives that are under way keep what it points to
};

/// What is known of a communicator.
struct knowledge {
    std::int64_t calls = 0;                ///< the same on all ranks
    std::int64_t next_look = calls_before; ///< so many calls are made before the ranks compare times again
    hierarchy_price::duration spent{};     ///< in blocking calls, on the calling rank, until it is settled
    bool is_settled = false;
    /// Whether the next blocking call makes the ranks ready for non-blocking ones, as one of these could not.
    bool lacks_background = process::self().prepares_background();
    std::unique_ptr<counted_hierarchy> owned;
    reason has_none = reason::other; ///< why, where it is settled and there is no hierarchy

    knowledge() = default;
    knowledge(knowledge&&) = default;
    knowledge& operator=(knowledge&&) = delete;
    ~knowledge() { ++generation; }

    bool is_ready() const { return is_settled && !lacks_background; }
    const hierarchy* levels() const { return owned ? &owned->levels : nullptr; }
};
using knowledge_of = detail::attribute<knowledge, detail::on_duplicate::forget>;

/// The communicator that the calling thread used last.
struct last_used {
    MPI_Comm comm = MPI_COMM_NULL;
    std::uint64_t generation = 0;
    knowledge* known = nullptr;      ///< null: it is left to the MPI
    reason has_none = reason::other; ///< then why
};
thread_local last_used last;
/// `spent` of the communicator whose call the calling thread is about to leave to the MPI, where that counts.
thread_local std::chrono::nanoseconds* to_time = nullptr;
thread_local const freeing* innermost = nullptr;

/// A communicator with the ranks of another one and none of its attributes, whose callbacks are the user's;
/// errors on it are returned, and so on all that are made from it.
boost::mpi::communicator bare_copy(MPI_Comm comm) {
    auto copy = detail::own(mpi::comm_split(comm, 0, mpi::comm_rank(comm), "ranks of a hierarchy"));
    mpi::check(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", "hierarchy");
    return copy;
}

/// Why there is to be no hierarchy: ranks are of several programs, or there is no room for one more hierarchy
/// on one of them; nothing: there is to be one. The same on all ranks
/// @param uses_devices is set if a runtime of accelerators is loaded on any rank
std::optional<reason> is_unwanted(MPI_Comm comm, bool& uses_devices) {
    const auto& mine = process::self();
    const std::int64_t room = live_hierarchies < most_hierarchies ? 1 : 0;
    const std::int64_t node = mine.node;
    const std::int64_t no_device = detail::device_runtimes::look() ? 0 : 1;
    const std::array<std::int64_t, 6> here{mine.world, ~mine.world, node, ~node, room, no_device};
    std::array<std::int64_t, 6> least{};
    mpi::allreduce(here.data(), least.data(), 6, MPI_INT64_T, MPI_MIN, comm, "ranks of a communicator");
    uses_devices = least[5] == 0;
    if (least[0] != ~least[1]) return reason::several_programs;
    if (least[4] != 1) return reason::many_hierarchies;
    return std::nullopt;
}

/// Whether some node has several of the ranks. Where each has one, the MPI knows all there is to know.
bool shares_nodes(const hierarchy& levels) {
    const level* const node = levels.find(kind::machine);
    const int mine = node != nullptr ? node->size() : 1;
    int most = 1;
    mpi::allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, levels.whole(), "ranks of nodes");
    return most > 1;
}

/// Whether `automatic` could do anything but leave all to the MPI.
bool gains(const hierarchy& levels) {
    const detail::call_key now{
        detail::verb::broadcast, detail::innermost_kind(levels.whole_info()), levels.max_depth(), 0, true,
        levels.whole().size()};
    return now.has_levels() && (!now.crosses_nodes() || shares_nodes(levels));
}

void build(knowledge& known, MPI_Comm comm) {
    bool uses_devices = false;
    if (const auto why = is_unwanted(comm, uses_devices)) {
        known.has_none = *why;
        return;
    }
    const auto begin = steady::now(); // the ranks have just waited for each other
    const auto& mine = process::self();
    hierarchy levels{bare_copy(comm), mine.mine};
    const bool is_useless = mine.policy.is_automatic() && !gains(levels);
    price.add(levels.whole().size(), steady::now() - begin);
    if (is_useless)
        known.has_none = reason::one_level;
    else
        known.owned = std::make_unique<counted_hierarchy>(std::move(levels), uses_devices);
}

bool has_repeats(std::vector<int> ranks) {
    std::erase(ranks, MPI_PROC_NULL);
    std::ranges::sort(ranks);
    return std::ranges::adjacent_find(ranks) != ranks.end();
}

/// @collective over `comm`, which has a topology
known_neighbours neighbours_by_topology(MPI_Comm comm, std::shared_ptr<detail::node_groups> groups) {
    auto lists = detail::topology_of(comm);
    const int mine = has_repeats(lists.sources) || has_repeats(lists.destinations) ? 1 : 0;
    int any = 0;
    mpi::allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, groups->comm, "links of ranks");
    return {neighbourhood{std::move(groups), std::move(lists.sources), std::move(lists.destinations),
                          neighbour_route::best, std::move(lists.source_keys),
                          std::move(lists.destination_keys)},
            any != 0};
}

/// Makes the ranks ready for non-blocking collectives. Neighbours have messages of their own then, and no
/// memory: that of a node is for one thread of a rank. @collective over `comm`
void add_background(counted_hierarchy& owned, MPI_Comm comm) {
    background_ranks made{&owned.levels, std::make_shared<detail::context>(owned.levels), nullptr};
    process::self().policy.prepare(owned.levels, *made.context);
    int topology = MPI_UNDEFINED;
    mpi::check(MPI_Topo_test(comm, &topology), "MPI_Topo_test", "communicator");
    if (topology != MPI_UNDEFINED)
        made.neighbours = std::make_shared<known_neighbours>(neighbours_by_topology(
            comm, std::make_shared<detail::node_groups>(
                      owned.levels.whole(), detail::node_groups::of(owned.levels).nodes.node_of)));
    owned.background = std::move(made);
}

/// Whether all ranks are of this program, started together. Those of another one may lack the library, so
/// that they cannot be asked by messages. Local, and the same on all ranks
bool is_of_one_program(MPI_Comm comm) {
    MPI_Group here = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    mpi::check(MPI_Comm_group(comm, &here), "MPI_Comm_group", "communicator");
    mpi::check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group", "MPI_COMM_WORLD");
    std::vector<int> ranks(static_cast<std::size_t>(mpi::comm_size(comm))), known(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    mpi::check(
        MPI_Group_translate_ranks(here, static_cast<int>(ranks.size()), ranks.data(), world, known.data()),
        "MPI_Group_translate_ranks", "communicator");
    MPI_Group_free(&here);
    MPI_Group_free(&world);
    return std::ranges::find(known, MPI_UNDEFINED) == known.end();
}

/// Why a communicator is left to the MPI for ever, from what is known at once; nothing: it may get a
/// hierarchy. Local, and the same on all ranks
std::optional<reason> is_excluded(MPI_Comm comm) {
    int is_inter = 0;
    mpi::check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter", "communicator");
    if (is_inter != 0) return reason::inter_communicator;
    if (mpi::comm_size(comm) < (process::self().policy.is_automatic() ? fewest_ranks : 2))
        return reason::few_ranks;
    if (!is_of_one_program(comm)) return reason::several_programs;
    return std::nullopt;
}

/// What is known of a communicator; null if it is left to the MPI for ever.
/// @param has_none is set to the reason then
knowledge* find(MPI_Comm comm, reason& has_none) {
    if (knowledge* const known = knowledge_of::find(comm)) return known;
    if (const auto why = is_excluded(comm)) {
        has_none = *why;
        return nullptr;
    }
    knowledge_of::set(comm, {});
    return knowledge_of::find(comm);
}

} // namespace

freeing::freeing(MPI_Comm comm) : comm_(comm), outer_(std::exchange(innermost, this)) { ++generation; }

freeing::~freeing() {
    innermost = outer_;
    ++generation;
}

bool freeing::is_going_on_for(MPI_Comm comm) {
    for (const freeing* each = innermost; each != nullptr; each = each->outer_)
        if (each->comm_ == comm) return true;
    return false;
}

namespace {

/// What is known of a communicator, from the calling thread's memory where that is right; null as `find`'s,
/// with the reason noted.
knowledge* known_of(MPI_Comm comm) {
    const std::uint64_t now = generation.load(std::memory_order_relaxed);
    if (last.comm != comm || last.generation != now) {
        last.known = find(comm, last.has_none);
        last.comm = comm;
        last.generation = now;
    }
    if (last.known == nullptr) left_for(last.has_none);
    return last.known;
}

/// The hierarchy of a settled communicator; null with the reason noted.
const hierarchy* levels_or_reason(const knowledge& known) {
    if (known.owned == nullptr) left_for(known.has_none);
    return known.levels();
}

const hierarchy* settle(knowledge& known, MPI_Comm comm) {
    const bool was_settled = std::exchange(known.is_settled, true); // also where the following fails
    if (!was_settled) build(known, comm);
    if (std::exchange(known.lacks_background, false) && known.owned) add_background(*known.owned, comm);
    return levels_or_reason(known);
}

/// Whether the calls of a communicator have taken as long, on the average of its ranks, as its hierarchy
/// takes to build. Ranks know different times, so that they add them up: after so many calls, twice as many,
/// and so on. The same on all ranks @collective over `comm`, as a blocking call of the program
/// @cost at those calls an all-reduce of an integer
bool has_paid(knowledge& known, MPI_Comm comm) {
    const std::int64_t before = known.calls++;
    if (before < known.next_look) return false;
    known.next_look = 2 * before;
    const std::int64_t mine = (known.spent - price.expected(mpi::comm_size(comm))).count();
    std::int64_t sum = 0;
    mpi::allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, comm, "time in collectives");
    return sum >= 0;
}

/// Whether a communicator is there and not being freed; else the reason is noted.
bool is_usable(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return left_for(reason::arguments);
    return !freeing::is_going_on_for(comm) || left_for(reason::freeing);
}

} // namespace

bool may_have_hierarchy(MPI_Comm comm) {
    if (!is_usable(comm)) return false;
    const knowledge* const known = known_of(comm);
    return known != nullptr && (!known->is_ready() || levels_or_reason(*known) != nullptr);
}

const hierarchy* hierarchy_of(MPI_Comm comm) {
    if (!is_usable(comm)) return nullptr;
    knowledge* const known = known_of(comm);
    if (known == nullptr) return nullptr;
    if (known->is_ready()) return levels_or_reason(*known);
    const bool is_awaited =
        known->is_settled || comm == MPI_COMM_WORLD || !process::self().policy.is_automatic();
    if (!is_awaited && !has_paid(*known, comm)) {
        to_time = &known->spent;
        left_for(reason::new_communicator);
        return nullptr;
    }
    return settle(*known, comm);
}

timed_call::timed_call() noexcept : spent_(std::exchange(to_time, nullptr)) {
    if (spent_ == nullptr) return;
    generation_ = generation.load(std::memory_order_relaxed);
    begin_ = steady::now();
}

timed_call::~timed_call() {
    // What is known of a communicator may have gone with it, in a callback of the program.
    if (spent_ != nullptr && generation_ == generation.load(std::memory_order_relaxed))
        *spent_ += steady::now() - begin_;
}

const known_neighbours& neighbours_on(MPI_Comm comm) {
    auto& owned = *known_of(comm)->owned;
    if (!owned.neighbours) {
        // The pointer keeps the hierarchy, which owns the groups.
        owned.neighbours = neighbours_by_topology(
            comm, {std::make_shared<hierarchy>(owned.levels), &detail::node_groups::of(owned.levels)});
    }
    return *owned.neighbours;
}

bool may_use_devices(MPI_Comm comm) {
    const knowledge* const known = known_of(comm);
    return known != nullptr && known->owned != nullptr && known->owned->uses_devices;
}

background_ranks background_ranks_of(MPI_Comm comm) {
    if (!is_usable(comm)) return {};
    knowledge* const known = known_of(comm);
    if (known == nullptr) return {};
    // Whose buffers are whose, ranks could not agree on without waiting for each other.
    if (known->owned != nullptr && known->owned->uses_devices) {
        left_for(reason::device_memory);
        return {};
    }
    if (known->owned != nullptr && known->owned->background.levels != nullptr)
        return known->owned->background;
    if (!known->is_settled) ++known->calls;
    known->lacks_background = true;
    left_for(reason::not_ready);
    return {};
}

background_ranks background_ranks_at_once(MPI_Comm comm) {
    const background_ranks there = background_ranks_of(comm);
    if (there.levels != nullptr || hierarchy_at_once(comm) == nullptr) return there;
    return background_ranks_of(comm);
}

const hierarchy* hierarchy_at_once(MPI_Comm comm) {
    if (!is_usable(comm)) return nullptr;
    knowledge* const known = known_of(comm);
    if (known == nullptr) return nullptr;
    return known->is_ready() ? levels_or_reason(*known) : settle(*known, comm);
}

} // namespace topo::preload
