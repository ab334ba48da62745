// SPDX-License-Identifier: BSL-1.0
/// @file
/// The common base of all collectives that execute a schedule of exchanges.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/schedule/exchange_schedule.hpp>
#include <topomp/algorithm/schedule/exchange_steps.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>
#include <topomp/algorithm/schedule/folded_orders.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace topo::detail {

/// An operation that executes a schedule, in hierarchy order or in rank order.
class exchange_operation : public operation {
protected:
    /// Begins a schedule. @collective over the whole the first time with any order
    void begin(context& ranks, operand_order order);

    /// Groups the order for exchanges of up to `radix` groups at a time.
    void fold(context& ranks, int radix) { folded_ = &ranks.attached<folded_orders>().of(radix); }

    /// Both for a schedule that begins or ends at a root, which is the leader of its pair. @return its
    /// position
    int begin_rooted(context& ranks, int radix, int root);

    /// All elements in the first block.
    void put_in_one_part(std::size_t count);
    /// Nearly as much to each position.
    void put_in_equal_parts(std::size_t count);
    /// Nearly as much to each leader of a group, nothing to the others.
    void put_in_leaders_parts(std::size_t count);

    /// In how many rounds of halving a message becomes short. @pre the order is folded
    int splits_of(std::size_t bytes, std::size_t short_bytes) const;

    void play(const message& work, MPI_Op op);
    /// The last schedule once more, on the same data.
    void play_again();

    int size() const { return static_cast<int>(rank_order_.size()); }
    int rank_at(int position) const { return rank_order_[static_cast<std::size_t>(position)]; }
    std::size_t begin_of(int part) const { return begin_[static_cast<std::size_t>(part)]; }
    std::size_t length_of(int part) const { return begin_of(part + 1) - begin_of(part); }

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    std::span<const int> rank_order_;      ///< ranks at positions
    int position_ = 0;                     ///< of the calling rank
    const folded_order* folded_ = nullptr; ///< the order in groups
    exchange_schedule schedule_;
    std::vector<std::size_t> begin_; ///< of blocks, and the end, in elements
    exchange_steps steps_;

private:
    /// Plays another schedule after one is complete. @return false: there is none
    virtual bool play_next() { return false; }
    /// The last action. Called once.
    virtual void finish() {}

    TOPOMP_INLINE bool advance() final;

    /// Where share number `part` of `parts` begins.
    static std::size_t share(std::size_t count, std::size_t part, std::size_t parts);

    std::vector<int> in_order_;
    folded_order led_by_root_;
    bool is_finished_ = false;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/rounds/impl/exchange_operation.ipp>
#endif
