// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which piece of a message each rank passes on in each round, on a circulant graph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace topo::detail {

/// Broadcasts of a message in pieces on a circulant graph. Ranks have numbers relative to the root: their
/// distance behind it.
///
/// In a round a rank sends a piece to the rank `d` positions ahead and receives one from the rank `d`
/// positions behind. The distances `d` are taken in turn: half of the number of ranks, rounded up, is the
/// greatest, half of that the next one, down to 1; so there are ceil(log2 p) of them for p ranks, and any p
/// will do. All ranks have all pieces after `pieces - 1 + ceil(log2 p)` rounds, which no broadcast in which a
/// rank sends and receives one piece at a time can beat. Each rank computes its own rounds.
///
///     5 ranks, distances 1, 2, 3; two pieces a, b
///     round 0:   0 sends a to 2      round 1:   0 sends b to 3     ...
///
/// @see J. L. Träff: Optimal broadcast schedules in logarithmic time with applications to broadcast,
/// all-broadcast, reduction and all-reduction (2024)
class circulant_rounds {
public:
    static constexpr std::size_t no_piece = std::numeric_limits<std::size_t>::max();
    /// Distances that any number of ranks can have, with room for the number of ranks itself.
    static constexpr std::size_t most_distances = std::numeric_limits<int>::digits + 2;

    circulant_rounds() = default;
    /// @param pieces of the message, the same on all ranks
    circulant_rounds(int size, std::size_t pieces);

    int size() const noexcept { return size_; }
    std::size_t pieces() const noexcept { return pieces_; }
    std::size_t rounds() const noexcept { return rounds_; }
    std::size_t number_of_distances() const noexcept { return cycle_; }
    /// Ascending. @pre `i < number_of_distances()`
    int distance(std::size_t i) const { return distances_[i]; }
    /// The place of a round's distance among all.
    std::size_t place_of(std::size_t round) const { return (round + skipped_) % cycle_; }

    /// When the pieces reach one rank: its first rounds, and the round in which it gets the last piece.
    struct arrivals {
        std::array<std::int8_t, most_distances> first{}; ///< by round; negative: none yet
        std::size_t last_round = 0;
    };
    /// Those of the rank with a number. @pre it is not 0, which receives nothing @cost ceil(log2 size);
    /// local; takes no memory beside the object
    arrivals arrivals_of(int number) const;
    /// What such a rank receives in a round; `no_piece`: nothing. It receives each piece in one round. What
    /// the rank at the round's distance ahead of it receives, it has received in a round before.
    std::size_t piece(const arrivals& those, std::size_t round) const;

private:
    std::int64_t number_of(const arrivals& those, std::size_t round) const;

    int size_ = 1;
    std::size_t pieces_ = 0, rounds_ = 0;
    std::size_t cycle_ = 0;                       ///< number of distances
    std::size_t skipped_ = 0;                     ///< rounds of the cycle of distances before the first one
    std::array<int, most_distances> distances_{}; ///< and the number of ranks
};

/// The rounds of one rank in such a broadcast from rank 0; backwards they are those of a reduction to rank 0.
class circulant_schedule {
public:
    static constexpr std::size_t no_piece = circulant_rounds::no_piece;

    /// What a rank does in a round.
    struct step {
        int to = 0, from = 0;
        std::size_t sent = no_piece, received = no_piece;
    };

    circulant_schedule() = default;
    /// @cost the square of ceil(log2 size); local; takes no memory beside the object
    circulant_schedule(int rank, int size, std::size_t pieces);

    std::size_t rounds() const noexcept { return all_.rounds(); }
    /// @pre `round < rounds()` @return a rank receives each piece in one round, rank 0 in none, and sends
    /// only what it has received in a round before
    step at(std::size_t round) const;

private:
    using arrivals = circulant_rounds::arrivals;

    circulant_rounds all_;
    int rank_ = 0;
    arrivals own_;
    std::array<arrivals, circulant_rounds::most_distances> others_{}; ///< of the rank at each distance
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/circulant_schedule.ipp>
#endif
