// SPDX-License-Identifier: BSL-1.0
#include "recipes.hpp"

#include <topomp/model/concurrent_tree_time.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace recipes {

using topo::model::message_cost;

/// An algorithm's name without whose it is.
struct libraries::name {
    std::string text;

    explicit name(std::string_view algorithm) : text(algorithm) {
        for (const std::string_view whose : {"_ompi", "_mpich", "_over"})
            if (const auto at = text.find(whose); at != text.npos) text.erase(at, whose.size());
    }
    bool is(std::string_view other) const { return text == other; }
    bool begins(std::string_view with) const { return text.starts_with(with); }
    /// The number at the end, such as the segment's length; 0: none.
    double number() const {
        const auto at = text.find_last_not_of("0123456789");
        return at + 1 < text.size() ? std::stod(text.substr(at + 1)) : 0;
    }
};

libraries::libraries(const machine& on, int nodes, int ranks_per_node)
    : on_(on), levels_{{{nodes, on.between}, {ranks_per_node, on.inside}}}, exchange_(levels_),
      ranks_(nodes * ranks_per_node) {
    // Inside a node every rank sends at a time, and a message is read once and written once.
    for (std::size_t i = 0; i < on.inside.seconds.size(); ++i)
        levels_[1].messages.seconds[i] =
            std::max(on.inside.seconds[i],
                     on.inside.seconds.front() + on.inside.lengths[i] * ranks_per_node / on.memory.node_rate);
    on_.memory.ranks = ranks_per_node;
}

std::optional<double> libraries::of_name(const std::string& verb, const std::string& algorithm,
                                         double bytes) const {
    const name what{algorithm};
    if (ranks_ < 2) return std::nullopt; // nothing is sent
    if (verb == "allgather") return all_gather(what, bytes);
    if (verb == "allreduce") return all_reduce(what, bytes);
    if (verb == "reduce_scatter") return reduce_scatter(what, bytes);
    if (verb == "bcast") return broadcast(what, bytes);
    if (verb == "reduce") return reduce(what, bytes);
    if (verb == "gather") return gather(what, bytes);
    if (verb == "scatter") return scatter(what, bytes);
    if (verb == "alltoall") return all_to_all(what, bytes);
    return std::nullopt;
}

std::optional<double> libraries::seconds(const std::string& verb, const std::string& algorithm,
                                         double bytes) const {
    if (const auto known = of_name(verb, algorithm, bytes)) return known;
    const auto last = algorithm.rfind('_'); // of a library that is not known here
    return last == algorithm.npos ? std::nullopt : of_name(verb, algorithm.substr(0, last), bytes);
}

namespace {
double power_below(int ranks) { return static_cast<double>(std::bit_floor(static_cast<unsigned>(ranks))); }
} // namespace

/// How far apart partners are: as far as `step` is a power of two, or in Bine trees about two thirds of that,
/// |1 - 2 + 4 - ...|.
long long libraries::distance(long long step, partners which) const {
    if (which == partners::doubling) return step;
    return (2 * step + (std::countr_zero(static_cast<unsigned long long>(step)) % 2 == 0 ? 1 : -1)) / 3;
}

/// Bine programs look through all blocks, or compute their places, so many times.
double libraries::looked_through(double times) const { return times * ranks_ * 5e-9; }

/// Pairs exchange all that they have, twice as much in each step. @param least where the shortest goes
double libraries::messages(double block, order least, partners which) const {
    const auto ranks = static_cast<long long>(power_below(ranks_));
    double sum = 0;
    for (long long step = 1; step < ranks; step *= 2) {
        sum += exchange_.swap(block * static_cast<double>(step),
                              distance(least == order::near_first ? step : ranks / 2 / step, which));
    }
    return sum;
}

/// Each step sends as many blocks, each as a message of its own, the most of them to near ranks.
double libraries::blocks(double block) const {
    double sum = 0;
    for (long long distance = static_cast<long long>(std::bit_ceil(static_cast<unsigned>(ranks_))) / 2,
                   held = 1, left = ranks_ - 1;
         distance >= 1 && left > 0; distance /= 2, held *= 2) {
        const long long now = std::min(held, left);
        sum += exchange_.shift(block, distance, now);
        left -= now;
    }
    return sum;
}

/// Pairs exchange and combine all in each step.
double libraries::whole(double bytes, partners which) const {
    double sum = 0;
    for (long long step = 1; step < static_cast<long long>(power_below(ranks_)); step *= 2)
        sum += exchange_.swap(bytes, distance(step, which)) + on_.memory.combine(bytes);
    return sum;
}

/// A reduce-scatter by pairs, of which each rank combines half. @param largest where the first half goes
double libraries::halving(double bytes, order largest, partners which) const {
    const auto ranks = static_cast<long long>(power_below(ranks_));
    double sum = 0;
    for (long long step = 1; step < ranks; step *= 2) {
        bytes /= 2;
        sum +=
            exchange_.swap(bytes, distance(largest == order::near_first ? step : ranks / 2 / step, which)) +
            on_.memory.combine(bytes);
    }
    return sum;
}

/// The same in segments, of which one is combined while the next is under way.
double libraries::segmented_halving(double bytes, double segment, partners which) const {
    const auto ranks = static_cast<long long>(power_below(ranks_));
    double sum = 0;
    for (long long step = 1; step < ranks; step *= 2) {
        bytes /= 2;
        const double piece = std::min(segment, bytes), pieces = std::ceil(bytes / piece);
        sum += pieces * std::max(exchange_.swap(piece, distance(step, which)), on_.memory.combine(piece)) +
               on_.memory.combine(piece);
    }
    return sum;
}

/// Ranks beyond a power of two exchange with a neighbour before and behind the steps.
double libraries::uneven(double before, double behind) const {
    if (power_below(ranks_) == ranks_) return 0;
    return exchange_.swap(before, 1) + (behind > 0 ? exchange_.swap(behind, 1) : 0);
}

double libraries::bruck(double block) const { return exchange_.bruck_all_gather(block); }

double libraries::ring(double block, double combine) const {
    return (ranks_ - 1) * (exchange_.shift(block, 1) + combine);
}

/// From one rank halves of what is left go to the farthest.
double libraries::scattered(double bytes) const {
    double sum = 0;
    for (auto distance = static_cast<long long>(std::bit_ceil(static_cast<unsigned>(ranks_))) / 2;
         distance >= 1; distance /= 2)
        sum += exchange_.shift(bytes /= 2, std::min<long long>(distance, ranks_ - 1));
    return sum;
}

message_cost libraries::between(int a, int b, double bytes) const {
    const int inside = levels_[1].members, distance = std::abs(a / inside - b / inside);
    return distance == 0 ? levels_[1].messages.cost(bytes) : levels_[0].messages.cost(bytes, 1, distance);
}

template <class Children>
double libraries::tree(double bytes, double combine, sending sends, Children children) const {
    return topo::model::concurrent_tree_time(0, on_.between.overhead, combine, [&](int rank, auto send) {
        int turn = 0;
        children(rank, [&](int child) {
            message_cost cost = between(rank, child, bytes);
            if (sends == sending::in_turn) { // a blocking send ends when the message has left
                const double each = std::max(cost.gap, cost.time - between(rank, child, 0).time);
                cost.time += turn * each;
                cost.gap = 0;
            }
            ++turn;
            send(child, cost);
        });
    });
}

/// A k-nomial tree. @param first which child's message leaves first
double libraries::nomial(int radix, double bytes, double combine, sending sends, order first) const {
    return tree(bytes, combine, sends, [&](int rank, auto send) {
        std::vector<int> found;
        if (first == order::far_first) { // below a child lie the ranks up to the next child
            long long digit = 1;
            while (digit < ranks_ && rank % (digit * radix) == 0)
                digit *= radix;
            for (digit /= radix; digit >= 1; digit /= radix) {
                for (int times = 1; times < radix; ++times)
                    if (rank + digit * times < ranks_)
                        found.push_back(static_cast<int>(rank + digit * times));
            }
        } else {
            long long digit = 1;
            while (digit <= rank)
                digit *= radix;
            for (; rank + digit < ranks_; digit *= radix)
                for (int times = 1; times < radix && rank + digit * times < ranks_; ++times)
                    found.push_back(static_cast<int>(rank + digit * times));
        }
        for (const int child : found)
            send(child);
    });
}

double libraries::binary(double bytes, double combine) const {
    return tree(bytes, combine, sending::together, [&](int rank, auto send) {
        for (const int child : {2 * rank + 1, 2 * rank + 2})
            if (child < ranks_) send(child);
    });
}

std::optional<double> libraries::all_gather(const name& what, double bytes) const {
    const double block = bytes / ranks_, far = exchange_.shift(block, ranks_ / 2);
    const auto& memory = on_.memory;
    const partners which = what.begins("bine") ? partners::bine : partners::doubling;
    const double steps = std::log2(power_below(ranks_));
    if (what.is("ring")) return ring(block, 0);
    if (what.is("neighbor"))
        return ranks_ % 2 == 0 ? exchange_.swap(block, 1) + (ranks_ / 2 - 1) * exchange_.swap(2 * block, 1)
                               : ring(block, 0);
    if (what.is("recursive_doubling"))
        return messages(block, order::near_first, which) + uneven(block, bytes);
    if (what.is("brucks")) return bruck(block) + memory.copy(bytes) + memory.fresh(bytes);
    if (what.is("k_bruck")) return bruck(block) + 2 * memory.copy(bytes) + memory.fresh(bytes);
    if (what.is("sparbit")) return blocks(block);
    if (what.begins("bine_block_by_block")) return blocks(block) + looked_through(steps);
    if (what.begins("bine_permute")) return messages(block, order::far_first, which) + 2 * memory.copy(bytes);
    if (what.begins("bine_send")) return far + looked_through(1) + messages(block, order::far_first, which);
    if (what.is("bine_2_blocks")) return messages(block, order::near_first, which);
    if (what.is("bine_2_blocks_dtype")) return messages(block, order::near_first, which) + memory.copy(bytes);
    return std::nullopt;
}

std::optional<double> libraries::all_reduce(const name& what, double bytes) const {
    const auto& memory = on_.memory;
    const double block = bytes / ranks_;
    const partners which = what.begins("bine") ? partners::bine : partners::doubling;
    const double outside = uneven(bytes, bytes) + (power_below(ranks_) == ranks_ ? 0 : memory.combine(bytes));
    if (what.is("recursive_doubling") || what.is("bine_lat"))
        return outside + 2 * memory.copy(bytes) + memory.fresh(bytes) + whole(bytes, which);
    if (what.is("rabenseifner") || what.begins("bine_bdw_remap") || what.is("bine_bdw_static")) {
        const double gathering = messages(bytes / power_below(ranks_), order::far_first, which);
        if (what.begins("bine_bdw_remap_segmented")) {
            const double segment = what.number() > 0 ? what.number() : block;
            return outside + memory.copy(bytes) + memory.fresh(std::min(segment, bytes / 2)) * 2 +
                   segmented_halving(bytes, segment, which) + gathering;
        }
        const double scratch = what.is("rabenseifner") ? bytes : bytes / 2;
        return outside + memory.copy(bytes) + memory.fresh(scratch) +
               halving(bytes, order::near_first, which) + gathering;
    }
    if (what.begins("bine_block_by_block"))
        return memory.copy(bytes) + memory.combine(bytes) + memory.fresh(bytes) + 2 * blocks(block) +
               looked_through(2 * std::log2(power_below(ranks_)));
    if (what.is("ring") || what.is("ring_segmented"))
        return memory.copy(bytes) + ring(block, memory.combine(block)) + ring(block, 0);
    return std::nullopt;
}

std::optional<double> libraries::reduce_scatter(const name& what, double bytes) const {
    const auto& memory = on_.memory;
    const double block = bytes / ranks_, far = exchange_.shift(block, ranks_ / 2);
    const double outside = uneven(bytes, block) + (power_below(ranks_) == ranks_ ? 0 : memory.combine(bytes));
    const double scratch = memory.copy(bytes) + 2 * memory.fresh(bytes);
    const partners which = what.begins("bine") ? partners::bine : partners::doubling;
    const double looked = which == partners::bine ? looked_through(1) : 0;
    if (what.is("ring")) return memory.copy(bytes) + memory.fresh(bytes) + ring(block, memory.combine(block));
    if (what.is("pairwise")) {
        double sum = memory.combine(bytes);
        for (int distance = 1; distance < ranks_; ++distance)
            sum += exchange_.shift(block, distance);
        return sum;
    }
    if (what.is("recursive_halving")) return outside + scratch + halving(bytes, order::far_first, which);
    if (what.is("recursive_distance_doubling") || what.is("bine_send_remap") || what.is("bine_static"))
        return far + scratch + looked + halving(bytes, order::near_first, which);
    if (what.is("bine_permute_remap"))
        return scratch + looked + memory.copy(bytes) + halving(bytes, order::near_first, which);
    if (what.is("butterfly")) return outside + far + scratch + halving(bytes, order::near_first, which);
    if (what.begins("bine_block_by_block"))
        return scratch + memory.combine(bytes) + blocks(block) +
               looked_through(std::log2(power_below(ranks_)));
    if (what.is("recursive_doubling")) return outside + scratch + whole(bytes, which);
    return std::nullopt;
}

std::optional<double> libraries::broadcast(const name& what, double bytes) const {
    const double block = bytes / ranks_;
    if (what.is("binary")) return binary(bytes, 0);
    if (what.is("split_binary")) return binary(bytes / 2, 0) + exchange_.swap(bytes / 2, 1);
    if (what.is("binomial")) return nomial(2, bytes, 0, sending::together, order::near_first);
    if (what.is("knomial")) return nomial(4, bytes, 0, sending::together, order::far_first);
    if (what.is("bine_lat")) return nomial(2, bytes, 0, sending::together, order::near_first);
    if (what.is("bine_lat_reversed") || what.is("bine_lat_i_new"))
        return nomial(2, bytes, 0, sending::together, order::far_first);
    if (what.is("bine_lat_new")) return nomial(2, bytes, 0, sending::in_turn, order::far_first);
    if (what.is("scatter_allgather") || what.is("scatter_recursive_doubling_allgather"))
        return scattered(bytes) + messages(block, order::near_first, partners::doubling);
    if (what.is("scatter_allgather_ring") || what.is("scatter_ring_allgather"))
        return scattered(bytes) + ring(block, 0);
    if (what.begins("bine_bdw")) return scattered(bytes) + messages(block, order::far_first, partners::bine);
    return std::nullopt;
}

std::optional<double> libraries::reduce(const name& what, double bytes) const {
    const auto& memory = on_.memory;
    const double combine = memory.combine(bytes);
    if (what.is("linear"))
        return tree(bytes, combine, sending::together, [&](int rank, auto send) {
            for (int child = 1; rank == 0 && child < ranks_; ++child)
                send(child);
        });
    if (what.is("binomial"))
        return memory.copy(bytes) + memory.fresh(bytes) * 2 +
               nomial(2, bytes, combine, sending::in_turn, order::far_first);
    if (what.is("bine_lat"))
        return memory.copy(bytes) + memory.fresh(bytes) * 2 +
               nomial(2, bytes, combine, sending::in_turn, order::far_first);
    if (what.is("binary") || what.is("in_order"))
        return memory.copy(bytes) + memory.fresh(bytes) * 2 + binary(bytes, combine);
    if (what.is("rabenseifner") || what.is("bine_bdw"))
        return memory.copy(bytes) + memory.fresh(bytes) * 2 + scattered(bytes) +
               halving(bytes, order::near_first, what.is("bine_bdw") ? partners::bine : partners::doubling);
    return std::nullopt;
}

std::optional<double> libraries::gather(const name& what, double bytes) const {
    const double block = bytes / ranks_;
    const message_cost one = between(0, ranks_ - 1, block);
    if (what.is("linear")) return one.time + (ranks_ - 2) * one.gap;
    if (what.is("linear_synch")) return (ranks_ - 1) * (one.time + 2 * between(0, ranks_ - 1, 0).time);
    if (what.is("binomial") || what.is("bine")) return scattered(bytes) + on_.memory.fresh(bytes / 2);
    return std::nullopt;
}

std::optional<double> libraries::scatter(const name& what, double bytes) const {
    const double block = bytes / ranks_;
    const message_cost one = between(0, ranks_ - 1, block);
    const double blocking = std::max(one.gap, one.time - between(0, ranks_ - 1, 0).time);
    if (what.is("linear")) return one.time + (ranks_ - 2) * blocking;
    if (what.is("linear_nb")) return one.time + (ranks_ - 2) * one.gap;
    if (what.is("binomial") || what.is("bine")) return scattered(bytes) + on_.memory.fresh(bytes / 2);
    return std::nullopt;
}

std::optional<double> libraries::all_to_all(const name& what, double bytes) const {
    const double block = bytes / ranks_;
    const auto& memory = on_.memory;
    if (what.is("pairwise")) return exchange_.pairwise_all_to_all(block);
    if (what.is("linear") || what.is("linear_sync") || what.is("scattered"))
        return memory.copy(block) + exchange_.shift(block, ranks_ / 2, ranks_ - 1);
    if (what.is("modified_bruck") || what.is("brucks") || what.is("bine")) {
        const double steps = std::ceil(std::log2(ranks_));
        return exchange_.bruck_all_to_all(block) + memory.copy(bytes) * (2 + steps) + memory.fresh(bytes);
    }
    return std::nullopt;
}

} // namespace recipes
