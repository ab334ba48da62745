// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/any_shape.hpp>
#include <topomp/algorithm/direct_messages.hpp>
#include <topomp/algorithm/rounds/all_reduce_in_rounds.hpp>
#include <topomp/algorithm/rounds/whole_bytes.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/shared/aggregated_exchange.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/algorithm/shared/shared_room.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/candidates.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/model_table.hpp>
#include <topomp/decide/detail/predicted.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/signals.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/exchange_time.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/rounds_time.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE machine_costs machine_costs::of(const model::usual_network* network,
                                                            const other_messages& other) {
    constexpr double signal = usual_inside_node.single.latency,
                     copy_per_byte = usual_inside_node.single.seconds_per_byte;
    // Simulations without charges combine in no time what messages bring, and SimGrid's links inside a host
    // are not shared by ranks.
    const bool is_free = !moves_in_memory();
    machine_costs made{{usual_between_nodes.slower_by(other.latency, other.per_byte)},
                       {usual_inside_node},
                       usual_between_numa_nodes.slower_by(other.numa_latency, other.numa_per_byte),
                       signal,
                       copy_per_byte,
                       is_free ? 0 : 1 / usual_combine_rate,
                       is_free ? 0 : 1 / usual_receive_rate,
                       is_free,
                       {}};
    if (is_free) {
        made.between.usual = made.between.usual.without_copies();
        made.inside.usual = made.inside.usual.without_copies();
        made.numa_nodes = made.inside.usual;
    }
    if (network != nullptr) {
        made.between.network = &network->messages;
        made.copy_per_byte = network->memory.copy_per_byte;
        made.combine_per_byte = network->memory.combine_per_byte; // with what receiving takes
        made.receive_per_byte = 0;
    }
    return made;
}

/// What the algorithm `shared` takes inside a node.
struct node_memory {
    int ranks = 1;
    double flag = 0, per_byte = 0;
    double crowded_per_byte = 0; ///< if all ranks copy at the same time

    /// Each rank copies so many bytes, in pieces of which short ones stay in caches.
    double by_all(double bytes, double piece) const {
        constexpr double in_cache = 4096;
        return bytes * (piece < in_cache ? per_byte : crowded_per_byte);
    }

    double signals(int number) const {
        constexpr double line_bytes = 128; // lines are under way at the same time
        return number > 0 ? flag + (number - 1) * line_bytes * per_byte : 0;
    }
    /// @param upwards with the signals of all children, else with the parent's
    double along_tree(bool upwards) const {
        const bool is_star = ranks <= static_cast<int>(signals::most_flat);
        const int fan = is_star ? ranks - 1 : static_cast<int>(signals::tree_children);
        double sum = 0;
        for (long long reached = 1, width = 1; reached < ranks; reached += width *= fan)
            sum += signals(upwards ? fan : 1);
        return sum;
    }
    /// A barrier.
    double barrier() const {
        if (ranks <= static_cast<int>(signals::most_flat)) return signals(ranks - 1);
        return along_tree(true) + along_tree(false);
    }
    double combine(double bytes) const {
        if (ranks == 1) return 0;
        if (bytes <= static_cast<double>(shared_combine::whole_bytes_of(ranks)))
            return signals(ranks - 1) + (ranks + 1) * bytes * per_byte;
        const double pieces = std::ceil(bytes / static_cast<double>(shared_combine::piece_bytes));
        const double length = std::min(bytes, static_cast<double>(shared_combine::piece_bytes));
        const int slices = shared_combine::slices_of(static_cast<std::size_t>(bytes), ranks);
        // The first time until all have ended the call in which the memory was used before.
        return (1 + pieces) * signals(ranks - 1) + pieces * signals(std::min(slices, ranks - 1)) +
               by_all(bytes, length) + by_all(bytes * ranks / slices, length / slices) + bytes * per_byte;
    }
    /// Each rank has the result.
    double combine_for_all(double bytes) const {
        const bool is_whole = bytes <= static_cast<double>(shared_combine::whole_bytes_of(ranks));
        return combine(bytes) + (is_whole ? 0 : by_all(bytes, bytes / ranks));
    }
    double broadcast(double bytes) const {
        if (ranks == 1) return 0;
        if (bytes <= static_cast<double>(signal::payload_bytes)) return flag + 2 * bytes * per_byte;
        const double piece =
            std::clamp(bytes / 4, 4096.0, static_cast<double>(shared_room::chunk_bytes)); // shared_pull's
        const double pieces = std::ceil(bytes / piece), length = std::min(piece, bytes);
        return length * per_byte + pieces * (flag + by_all(length, length));
    }
};

using known_machine = modelled_machine<known_messages>;

/// The MPI's own collective among all ranks of a machine.
[[gnu::cold]] TOPOMP_INLINE std::optional<double> flat_seconds(const known_machine& machine,
                                                               const call_key& now) {
    const auto bytes = static_cast<double>(now.bytes);
    const double combine = combines(now.what) ? machine.combine_per_byte : 0;
    const model::exchanges<known_messages> exchange{machine.all(), combine};
    const model::rounds<known_messages> rounds{machine.all(), 2, combine, machine.uneven,
                                               machine.memory_per_byte};
    const auto along = [&](const any_shape& what, double segment) {
        const double piece = std::min(segment, bytes);
        return model::broadcast_time({&what, 1}, model::costs_of(machine.all(), piece, combine),
                                     piece > 0 ? std::ceil(bytes / piece) : 1);
    };
    constexpr double usual_segment = 32768;
    switch (now.what) {
    case verb::barrier:
        return exchange.dissemination_barrier();
    case verb::broadcast:
    case verb::reduce:
        return std::min({along(any_shape::of<binomial>(), bytes),
                         along(any_shape::of<chain>(), usual_segment),
                         now.what == verb::broadcast ? rounds.broadcast(bytes) : rounds.reduce(bytes)});
    case verb::all_reduce:
        return std::min(rounds.all_reduce(bytes), rounds.splitting_all_reduce(bytes, 0));
    case verb::all_gather:
    case verb::all_gatherv:
        return std::min(exchange.ring_all_gather(bytes), rounds.all_gather(bytes));
    case verb::reduce_scatter:
        return std::min(exchange.ring_reduce_scatter(bytes / now.ranks),
                        rounds.reduce_scatter(bytes / now.ranks));
    case verb::all_to_all:
        return std::min(exchange.pairwise_all_to_all(bytes), exchange.bruck_all_to_all(bytes));
    default:
        return std::nullopt;
    }
}

/// Among one rank of each node.
[[gnu::cold]] TOPOMP_INLINE std::optional<double>
between_seconds(const composed& plan_of_two, const known_machine& leaders, call_key now) {
    using form = composed::between_form;
    const form between = plan_of_two.between;
    now.ranks = now.nodes();
    if (between == form::mpi) return flat_seconds(leaders, now);
    if (between == form::direct && !sends_directly(now)) return flat_seconds(leaders, now);
    plan like = *plan_of_two.parameters;
    if (between == form::rounds && (now.what == verb::reduce || now.what == verb::all_reduce)) {
        const bool is_circulant =
            now.what == verb::all_reduce && is_circulant_faster(now.nodes(), like.radix, now.bytes);
        like.uses = is_circulant ? algorithm::circulant : algorithm::rabenseifner;
        like.whole_bytes = whole_bytes_in_rounds;
    }
    return predicted(leaders, like, now);
}

/// Each rank of a node sends or receives `number` messages, `flows` ranks at a time.
[[gnu::cold]] TOPOMP_INLINE double messages_of_node(const known_messages& between, double bytes,
                                                    double number, int flows) {
    const model::message_cost each = between.cost(bytes, flows);
    return std::max((number - 1) * each.gap + each.time, number * each.busy);
}

/// Each node with each other by all their ranks, see multi_object_nodes.
[[gnu::cold]] TOPOMP_INLINE std::optional<double> multi_object_seconds(const call_key& now, int nodes,
                                                                       const node_memory& memory,
                                                                       const known_messages& between,
                                                                       double combine_per_byte) {
    const int others = nodes - 1, least = now.is_uneven() ? now.least_of_node : memory.ranks;
    const auto bytes = static_cast<double>(now.bytes);
    const double of_rank = std::ceil(static_cast<double>(others) / least);
    if (combines(now.what) && of_rank * bytes > static_cast<double>(shared_room::chunk_bytes))
        return std::nullopt;
    const double exchange = messages_of_node(between, bytes, of_rank, std::min(others, least));
    const int carriers = std::min(others, memory.ranks);
    switch (now.what) {
    case verb::barrier:
        return memory.signals(memory.ranks - 1) + exchange + memory.signals(carriers);
    case verb::broadcast:
        return 2 * memory.broadcast(bytes) + exchange;
    case verb::reduce:
        return 2 * memory.combine(bytes) + exchange + of_rank * bytes * combine_per_byte;
    case verb::all_reduce:
        return memory.combine_for_all(bytes) + exchange + memory.signals(carriers) +
               memory.by_all(nodes * bytes, bytes) + others * bytes * combine_per_byte;
    default:
        return std::nullopt;
    }
}

/// What counts of messages: all of it, what they take of the processor, or of the link.
enum class share_of_message : unsigned char { all, processor, link };

/// Messages of all ranks of a node at the same time.
struct lane_messages {
    known_messages of;
    int lanes = 1;
    share_of_message counts = share_of_message::all;

    model::message_cost cost(double bytes, int flows = 1) const {
        const model::message_cost all = of.cost(bytes, flows * lanes);
        if (counts == share_of_message::all) return all;
        if (counts == share_of_message::processor) return {all.busy, all.busy, all.busy};
        const model::message_cost empty = of.cost(0, flows * lanes);
        const double sent = std::max(0.0, all.time - empty.time);
        return {sent, sent, 0};
    }
};

/// The ranks of the largest part whose ranks have memory in common.
constexpr int ranks_with_memory(const call_key& now) {
    const int numa_nodes = now.has_numa_nodes() ? now.numa_nodes() : 1;
    return (now.ranks_of_node + numa_nodes - 1) / numa_nodes;
}

constexpr int lanes_between(const call_key& now) {
    return now.is_uneven() ? now.least_of_node : ranks_with_memory(now);
}

[[gnu::cold]] TOPOMP_INLINE double slice_in_lanes(const call_key& now) {
    const auto pieces = combines(now.what) ? shared_combine::exchanged_pieces(now.bytes) : 1;
    return static_cast<double>(now.bytes) / static_cast<double>(pieces) / lanes_between(now);
}

/// Slices along lanes, piece by piece, see lanes_of_slices.
[[gnu::cold]] TOPOMP_INLINE std::optional<double>
lanes_seconds(const call_key& now, int nodes, const plan& like, const node_memory& memory,
              const known_messages& between, double combine_per_byte, double receive_per_byte) {
    const auto bytes = static_cast<double>(now.bytes);
    const int lanes = lanes_between(now);
    if (lanes < 2 || bytes == 0 || now.what == verb::barrier) return std::nullopt;
    const double barrier = memory.signals(memory.ranks - 1);
    const double of_message = combine_per_byte + receive_per_byte;
    const auto exchanged = [&](double slice, share_of_message counts = share_of_message::all) {
        const std::array<model::level_model<lane_messages>, 1> along{{{nodes, {between, lanes, counts}}}};
        const model::rounds<lane_messages> rounds{along, like.radix, of_message};
        if (now.what == verb::broadcast) return rounds.broadcast(slice);
        if (now.what == verb::reduce) return rounds.reduce(slice);
        return is_circulant_faster(nodes, like.radix, static_cast<std::size_t>(slice))
                   ? model::exchanges<lane_messages>{along, of_message}.circulant_all_reduce(slice,
                                                                                             like.radix)
                   : rounds.splitting_all_reduce(slice, static_cast<double>(like.whole_bytes));
    };
    if (now.what == verb::broadcast) {
        const double piece = std::min(bytes, static_cast<double>(shared_room::half_bytes));
        return bytes / piece *
               (piece * memory.per_byte + memory.flag + exchanged(piece / lanes) + barrier +
                memory.by_all(piece, piece / memory.ranks));
    }
    const auto pieces = static_cast<double>(shared_combine::exchanged_pieces(now.bytes));
    const double piece = bytes / pieces, own = piece / memory.ranks, slice = piece / lanes;
    const double combined = memory.by_all(piece, piece) + barrier + memory.by_all(piece, own) +
                            piece * combine_per_byte + (lanes < memory.ranks ? barrier : 0);
    const double taken = memory.signals(lanes < memory.ranks ? lanes : lanes - 1) +
                         (now.what == verb::reduce ? piece * memory.per_byte : memory.by_all(piece, own));
    const double exchange = exchanged(slice);
    if (pieces < 2) return combined + exchange + taken + barrier; // see node_memory::combine
    // Either the ranks have no pause, but for the end of the last exchange, or the network has none.
    const double processor = exchanged(slice, share_of_message::processor);
    const double of_ranks =
        pieces * (combined + taken + processor) + std::max(0.0, exchange - processor - taken);
    const double of_network = combined + taken +
                              pieces * std::max(exchange / shared_combine::exchanged_depth,
                                                exchanged(slice, share_of_message::link));
    return std::max(of_ranks, of_network) + barrier;
}

/// An all_to_all through the memory of nodes, see aggregated_exchange.
[[gnu::cold]] TOPOMP_INLINE std::optional<double> aggregated_seconds(const plan& what, const call_key& now,
                                                                     const node_memory& memory,
                                                                     const known_messages& between) {
    const int nodes = now.nodes(), here = now.ranks_of_node;
    if (!aggregated_exchange::fits(static_cast<std::size_t>(now.ranks), static_cast<std::size_t>(here),
                                   now.bytes))
        return std::nullopt;
    const auto block = static_cast<double>(now.bytes);
    const double copy = now.ranks * block * memory.per_byte;
    // All messages of a node are under way at a time and have equal parts of its link, so that the longest
    // decide: those between the largest nodes, of which two may be equally large. On uneven6, whose largest
    // pair is 24 and 16 ranks, two steps took 170 us for blocks of 1 KiB, and pairwise 122.
    const double targets = here;
    if (now.bytes >= what.whole_bytes) {
        const auto read = static_cast<std::size_t>(now.ranks) * now.bytes;
        const int parts = aggregated_exchange::parts_of(read, nodes);
        // Ranks of a smaller node receive from several ranks of the others.
        const int least = now.least_of_node > 0 ? now.least_of_node : here;
        const double received = std::ceil(static_cast<double>(now.ranks - least) / least);
        return std::max(messages_of_node(between, targets * block, nodes - 1, here),
                        messages_of_node(between, least * block, received, least)) +
               parts * memory.barrier() + copy / parts;
    }
    const double of_pair = here * targets * block;
    const int pieces = aggregated_exchange::pieces(nodes, here, static_cast<std::size_t>(of_pair));
    const int carried = (nodes - 1) * pieces; // messages that leave a node
    return 2 * copy + 2 * memory.barrier() +
           messages_of_node(between, of_pair / pieces, std::ceil(static_cast<double>(carried) / here),
                            std::min(here, carried));
}

[[gnu::cold]] TOPOMP_INLINE std::optional<double> seconds_of(const plan& what, const call_key& now,
                                                             const machine_costs& costs) {
    const int nodes = now.crosses_nodes() ? now.nodes() : 1;
    const int numa_nodes = now.has_numa_nodes() ? now.numa_nodes() : 1;
    const int ranks_of_memory = ranks_with_memory(now);
    const double crowded =
        costs.is_memory_free
            ? 0
            : usual_seconds_if_all_copy(ranks_of_memory * std::min(numa_nodes, usual_numa_nodes));
    const node_memory memory{ranks_of_memory, costs.signal, costs.copy_per_byte,
                             std::max(costs.copy_per_byte, crowded)};
    known_messages apart = costs.inside; // between NUMA nodes
    apart.usual = costs.numa_nodes;
    known_messages together = costs.inside; // of ranks that have their memory in common
    if (crowded > 0) together.usual.node_rate = ranks_of_memory / crowded;
    const auto bytes = static_cast<double>(now.bytes);
    if (what.uses == algorithm::hierarchical) {
        const composed* const two = find_composed(what, now.crosses_nodes());
        if (two == nullptr) return std::nullopt;
        const call_key around = among_parts(now);
        const bool does_combine = combines(now.what);
        const double combine = does_combine ? costs.combine_per_byte : 0;
        const double receive = does_combine ? costs.receive_per_byte : 0;
        const known_messages& messages = now.crosses_nodes() ? costs.between : apart;
        const bool is_lanes = two->between == composed::between_form::lanes;
        if (is_lanes || two->between == composed::between_form::multi_object) {
            if (around.nodes() < 2) return std::nullopt;
            return is_lanes ? lanes_seconds(now, around.nodes(), *two->parameters, memory, messages, combine,
                                            receive)
                            : multi_object_seconds(now, around.nodes(), memory, messages, combine + receive);
        }
        const known_machine leaders{{kind::cluster}, {{around.nodes(), messages}}, combine, {}, 0, receive};
        const auto between = around.nodes() > 1 ? between_seconds(*two, leaders, around) : std::optional{0.0};
        if (!between) return std::nullopt;
        switch (now.what) {
        case verb::barrier:
            return memory.along_tree(true) + *between + memory.along_tree(false);
        case verb::broadcast:
            return *between + memory.broadcast(bytes);
        case verb::reduce:
            return memory.combine(bytes) + *between;
        case verb::all_reduce:
            return memory.combine(bytes) + *between + memory.broadcast(bytes);
        default:
            return std::nullopt;
        }
    }
    if (what.uses == algorithm::node_aggregated)
        return now.what == verb::all_to_all && nodes > 1 && now.uses_memory
                   ? aggregated_seconds(what, now, memory, costs.between)
                   : std::nullopt;
    known_machine machine{
        {kind::cluster, kind::machine},
        {{nodes, costs.between}, {now.ranks_of_node, now.numa_levels > 0 ? apart : together}},
        costs.combine_per_byte,
        {},
        crowded,
        costs.receive_per_byte};
    for (int depth = 1; const int parts : now.parts) { // where these are equally large
        const int ranks = machine.levels.back().members;
        if (parts < 2 || parts >= ranks || ranks % parts != 0) break;
        machine.levels.back().members = parts;
        machine.inside.push_back(kind::package);
        machine.levels.push_back({ranks / parts, depth++ < now.numa_levels ? apart : together});
    }
    if (now.is_uneven()) machine.uneven = {now.ranks, std::gcd(now.ranks_of_node, now.least_of_node)};
    if (what.uses != algorithm::flat) return predicted(machine, what, now);
    if (now.is_interleaved) { // ranks with numbers near each other are on different nodes
        machine.inside.resize(1);
        machine.levels = {{now.ranks, costs.between}};
        machine.uneven = {};
    }
    return flat_seconds(machine, now);
}

} // namespace topo::detail
