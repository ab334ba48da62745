// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/tree/block_sizes.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/algorithm/tree/scatter_down.hpp>
#include <topomp/algorithm/tree/subtree.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE void scatter_down::start(MPI_Comm private_comm, int tag, const tree_edges& edges,
                                       const subtree& below, const block_sizes& sizes, const blocks& source,
                                       const message& mine, std::vector<MPI_Request>& slots) {
    private_comm_ = private_comm;
    tag_ = tag;
    edges_ = &edges;
    below_ = &below;
    sizes_ = &sizes;
    source_ = source;
    mine_ = mine;
    slots_ = &slots;
    first_slot_ = slots.size();
    is_served_ = false;
    layout_ = type_layout{is_root() ? source.type : mine.type};
    is_direct_leaf_ = !is_root() && edges.children.empty() && fits_own() && arrives_as_it_lies(mine, layout_);
    if (needs_scratch()) scratch_.reserve(sizes.total());
    if (is_root() || sizes.total() == 0) return;
    if (is_direct_leaf_)
        receive_short(mine, layout_, edges.parent, tag, private_comm, slots);
    else
        receive_packed(scratch_.data(), sizes.total(), edges.parent, tag, private_comm, slots);
}

TOPOMP_INLINE bool scatter_down::advance() {
    if (!are_free(*slots_, first_slot_)) return false;
    if (is_served_) return true;
    is_served_ = true;
    slots_->resize(first_slot_);
    for (std::size_t child = 0; child < edges_->children.size(); ++child)
        serve(child);
    keep_own();
    return are_free(*slots_, first_slot_);
}

TOPOMP_INLINE bool scatter_down::needs_scratch() const {
    if (!is_root()) return !is_direct_leaf_;
    for (std::size_t child = 0; child < edges_->children.size(); ++child)
        if (sizes_->of_child(*below_, child) > 0 && direct(child).count == 0) return true;
    return false;
}

TOPOMP_INLINE message scatter_down::direct(std::size_t child) const {
    if (!is_root()) return {};
    const message run = source_.run_of(below_->below(child), layout_);
    return is_short(run, layout_) ? run : message{};
}

TOPOMP_INLINE void scatter_down::serve(std::size_t child) {
    const std::size_t bytes = sizes_->of_child(*below_, child);
    if (bytes == 0) return;
    if (const message run = direct(child); run.count > 0)
        return send_short(run, edges_->children[child], tag_, private_comm_, *slots_);
    if (is_root())
        for (std::size_t i = below_->begin[child]; i < below_->begin[child + 1]; ++i)
            pack(source_.block_of(below_->ranks[i], layout_), layout_, scratch_.data() + sizes_->begin(i));
    send_packed(scratch_.data() + sizes_->begin(below_->begin[child]), bytes, edges_->children[child], tag_,
                private_comm_, *slots_);
}

TOPOMP_INLINE void scatter_down::keep_own() {
    if (is_root())
        copy_block(source_.block_of(below_->ranks.front(), layout_), mine_, temporary_);
    else if (!is_direct_leaf_ && fits_own())
        unpack(scratch_.data(), mine_, layout_);
}

} // namespace topo::detail
