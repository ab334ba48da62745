// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/schedule/circulant_schedule.hpp>
#include <topomp/core/detail/inline.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace topo::detail {

/// The sums of different distances by which pieces reach one rank from rank 0, one for each round of a cycle.
/// Träff's depth-first search, which removes each distance that ends a sum.
class path_search {
public:
    /// @param distances ascending, and the number of ranks
    path_search(std::span<const int> distances, int rank)
        : distances_(distances), goal_(distances.back() + rank),
          rounds_(static_cast<int>(distances.size()) - 1) {
        for (int i = 0; i <= rounds_; ++i) {
            next_[at(i)] = i - 1;
            previous_[at(i)] = i + 1;
        }
        first_ = last_distance_to(rank);
        remove(first_);
        search(0, 2 * distances.back(), first_ == rounds_ ? rounds_ - 1 : rounds_, 0);
    }

    /// The number of the piece that arrives in each round of the first cycle. The first piece that the rank
    /// gets comes in the round of its last distance; all others are those of the cycle before.
    void write(std::span<std::int8_t> numbers) const {
        for (int round = 0; round < rounds_; ++round) {
            const int end = ends_[at(round)];
            numbers[at(round)] = static_cast<std::int8_t>(end == rounds_ ? first_ : end - rounds_);
        }
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    /// Of the greatest distances whose sum is the rank, the smallest one; the number of rounds for rank 0.
    int last_distance_to(int rank) const {
        for (int i = rounds_; i-- > 0;) {
            if (distances_[at(i)] == rank) return i;
            if (distances_[at(i)] < rank) rank -= distances_[at(i)];
        }
        return rounds_;
    }

    void remove(int i) {
        if (previous_[at(i)] <= rounds_) next_[at(previous_[at(i)])] = next_[at(i)];
        if (next_[at(i)] >= 0) previous_[at(next_[at(i)])] = previous_[at(i)];
    }

    /// Looks for sums below `limit` that begin with `sum` and go on with distance `i` or a smaller one.
    /// @param round of which the path is looked for @return the first round without one
    int search(int sum, int limit, int i, int round) {
        for (; i >= 0; i = next_[at(i)]) {
            const int longer = sum + distances_[at(i)];
            if (longer > goal_ - distances_[at(round)] || longer >= limit) continue;
            if (longer <= goal_ - distances_[at(round + 1)]) round = search(longer, limit, i, round);
            if (round == rounds_ || sum > goal_ - distances_[at(round + 1)]) return round;
            limit = longer;
            ends_[at(round++)] = i;
            remove(i);
            if (round == rounds_) return round;
        }
        return round;
    }

    using by_distance = std::array<int, circulant_rounds::most_distances>;

    std::span<const int> distances_;
    int goal_, rounds_, first_ = 0;
    by_distance next_{}, previous_{}; ///< distances that are not used yet, the greatest first
    by_distance ends_{};              ///< the last distance of each round's path
};

TOPOMP_INLINE circulant_rounds::circulant_rounds(int size, std::size_t pieces)
    : size_(size), pieces_(pieces) {
    if (size == 1 || pieces == 0) return;
    for (int distance = size; distance > 1; distance -= distance / 2)
        distances_[++cycle_] = distance;
    std::reverse(&distances_[1], &distances_[cycle_ + 1]);
    distances_[0] = 1;
    rounds_ = pieces - 1 + cycle_;
    skipped_ = (cycle_ - rounds_ % cycle_) % cycle_;
}

TOPOMP_INLINE circulant_rounds::arrivals circulant_rounds::arrivals_of(int number) const {
    arrivals made;
    path_search{{distances_.data(), cycle_ + 1}, number}.write(made.first);
    // In a cycle of rounds the pieces of the cycle before arrive, and one of this cycle.
    made.last_round = skipped_ + (pieces_ > cycle_ ? pieces_ - cycle_ : 0);
    while (number_of(made, made.last_round) + 1 < static_cast<std::int64_t>(pieces_))
        ++made.last_round;
    return made;
}

TOPOMP_INLINE std::int64_t circulant_rounds::number_of(const arrivals& those, std::size_t round) const {
    return those.first[round % cycle_] + static_cast<std::int64_t>(round / cycle_ * cycle_) -
           static_cast<std::int64_t>(skipped_);
}

TOPOMP_INLINE std::size_t circulant_rounds::piece(const arrivals& those, std::size_t round) const {
    round += skipped_;
    const std::int64_t number = number_of(those, round);
    if (number < 0) return no_piece;
    // In the last rounds the last piece stands for those that would follow it.
    if (number + 1 >= static_cast<std::int64_t>(pieces_))
        return round == those.last_round ? pieces_ - 1 : no_piece;
    return static_cast<std::size_t>(number);
}

TOPOMP_INLINE circulant_schedule::circulant_schedule(int rank, int size, std::size_t pieces)
    : all_(size, pieces), rank_(rank) {
    if (all_.rounds() == 0) return;
    if (rank > 0) own_ = all_.arrivals_of(rank);
    for (std::size_t i = 0; i < all_.number_of_distances(); ++i)
        if (const int other = (rank + all_.distance(i)) % size; other > 0)
            others_[i] = all_.arrivals_of(other);
}

TOPOMP_INLINE circulant_schedule::step circulant_schedule::at(std::size_t round) const {
    const std::size_t i = all_.place_of(round);
    const int to = (rank_ + all_.distance(i)) % all_.size();
    return {to, (rank_ + all_.size() - all_.distance(i)) % all_.size(),
            to == 0 ? no_piece : all_.piece(others_[i], round),
            rank_ == 0 ? no_piece : all_.piece(own_, round)};
}

} // namespace topo::detail
