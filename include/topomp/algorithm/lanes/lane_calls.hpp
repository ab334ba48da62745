// SPDX-License-Identifier: BSL-1.0
/// @file
/// The MPI's own collectives inside nodes and along lanes.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/lanes/lane_layout.hpp>
#include <topomp/algorithm/native/native.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Scatter or reduce-scatter inside each node, the lanes' collective, and a gather inside: one after the
/// other, on the communicators of a context's nodes and lanes.
class lane_calls {
public:
    explicit lane_calls(context& ranks) : layout_(ranks.attached<lane_layout>()), others_(ranks.running()) {}

    void broadcast(const message& whole, int root);

    /// @param whole where the root gets the result; elsewhere only its count and type matter
    void reduce(const void* input, const message& whole, MPI_Op op, int root);

    void all_reduce(const void* input, const message& whole, MPI_Op op);

private:
    /// Calls `f(piece, its operands)` for pieces that MPI can count, divided into the lanes' stripes.
    template <class F>
    void in_pieces(const message& whole, const void* input, F f) {
        const type_layout layout{whole.type};
        in_countable_pieces(whole, [&](std::size_t first, int count) {
            measure(static_cast<std::size_t>(count));
            void* const data = whole.data == nullptr ? nullptr : layout.element(whole.data, first);
            f(message{data, static_cast<std::size_t>(count), whole.type}, layout.element(input, first));
        });
    }
    template <class F>
    void in_pieces(const message& whole, F f) {
        in_pieces(whole, whole.data, f);
    }

    /// The length and the begin of each rank's stripe; ranks in no lane have none.
    void measure(std::size_t elements);

    int number() const { return layout_.number(); }
    int count() const { return counts_[static_cast<std::size_t>(number())]; }
    void* part_in(const message& what) const;
    message part_at(void* data, const message& whole) const;

    void scatter(const message& what, void* mine, int from);

    /// The node's sum of the own lane's stripe, in memory of this object.
    void* combine_inside(const void* input, const message& what, MPI_Op op);

    void gather(const void* mine, const message& what, int to);

    void gather_to_all(const void* mine, const message& what);

    lane_layout& layout_;
    in_flight& others_;
    std::vector<int> counts_, positions_; ///< of the stripes, by number in the node
    scratch_buffer part_, spare_;
};

void native_lane_broadcast(context& ranks, const message& what, int root);

void native_lane_reduce(context& all_ranks, const void* input, const message& result, combination combiner,
                        int root);

void native_lane_all_reduce(context& all_ranks, const void* input, const message& result,
                            combination combiner);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/lanes/impl/lane_calls.ipp>
#endif
