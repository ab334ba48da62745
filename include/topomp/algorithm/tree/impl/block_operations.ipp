// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/blocks.hpp>
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/tree/block_operations.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <string>

namespace topo::detail {

TOPOMP_INLINE void block_operation::begin(context& ranks, const tree_plan& plan, int root) {
    below_ = ranks.subtree_for(plan, root);
    edges_ = ranks.edges_for(plan, root, operand_order::any);
    private_comm_ = ranks.private_comm();
    tag_ = ranks.next_tag();
    slots_.clear();
    problem_.clear();
}

TOPOMP_INLINE bool block_operation::have_lengths_come() {
    if (!are_free(slots_, 0)) return false;
    has_lengths_ = true;
    slots_.clear();
    return true;
}

TOPOMP_INLINE bool block_operation::ends(const char* argument) const {
    if (!are_free(slots_, 0)) return false;
    if (!problem_.empty()) throw argument_error(call_, argument, problem_);
    return true;
}

TOPOMP_INLINE void block_operation::receive_lengths(std::size_t first, std::size_t number, int from) {
    mpi::check(MPI_Irecv(lengths_.data() + first, static_cast<int>(number), mpi::size_type(), from, tag_,
                         private_comm_, &slots_.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Irecv", "lengths of blocks");
}

TOPOMP_INLINE void block_operation::send_lengths(std::size_t first, std::size_t number, int to) {
    mpi::check(mpi::isend(lengths_.data() + first, static_cast<int>(number), mpi::size_type(), to, tag_,
                          private_comm_, &slots_.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Isend", "lengths of blocks");
}

TOPOMP_INLINE void gather_operation::start(context& ranks, const tree_plan& plan, const message& mine,
                                           const blocks& result, int root) {
    begin(ranks, plan, root);
    has_lengths_ = true;
    sizes_.set_equal(bytes_of(mine), below_->ranks.size());
    up_.start(private_comm_, tag_, *edges_, *below_, sizes_, mine, result, slots_);
}

TOPOMP_INLINE void gather_operation::start_unequal(context& ranks, const tree_plan& plan, const message& mine,
                                                   result_maker result_for, int root) {
    start_expected("topo::gatherv", ranks, plan, mine, {}, root);
    result_for_.emplace(result_for);
}

TOPOMP_INLINE void gather_operation::start_expected(const char* call, context& ranks, const tree_plan& plan,
                                                    const message& mine, const blocks& result, int root) {
    begin(ranks, plan, root);
    call_ = call;
    result_for_.reset();
    mine_ = mine;
    all_ = result;
    has_lengths_ = false;
    lengths_.assign(below_->ranks.size(), bytes_of(mine));
    for (std::size_t child = 0; child < edges_->children.size(); ++child)
        receive_lengths(below_->begin[child], below_->below(child).size(), edges_->children[child]);
}

TOPOMP_INLINE bool gather_operation::advance() {
    if (!has_lengths_) {
        if (!have_lengths_come()) return false;
        if (!is_root())
            send_lengths(0, lengths_.size(), edges_->parent);
        else if (result_for_)
            all_ = (*result_for_)(below_->ranks, lengths_);
        else
            look_for_other_lengths();
        sizes_.set(lengths_);
        up_.start(private_comm_, tag_, *edges_, *below_, sizes_, mine_, all_, slots_);
    }
    return up_.advance() && ends("counts");
}

TOPOMP_INLINE void gather_operation::look_for_other_lengths() {
    const type_layout layout{all_.type};
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
        const int rank = below_->ranks[i];
        if (const std::size_t expected = all_.count_of(rank) * layout.size; lengths_[i] != expected)
            problem_ = "rank " + std::to_string(rank) + " sends " + number_of(lengths_[i], "byte") +
                       ", its count stands for " + std::to_string(expected);
    }
    if (!problem_.empty()) all_ = {};
}

TOPOMP_INLINE void scatter_operation::start(context& ranks, const tree_plan& plan, const blocks& source,
                                            const message& mine, int root) {
    begin(ranks, plan, root);
    has_lengths_ = true;
    sizes_.set_equal(bytes_of(mine), below_->ranks.size());
    down_.start(private_comm_, tag_, *edges_, *below_, sizes_, source, mine, slots_);
}

TOPOMP_INLINE void scatter_operation::start_unequal(context& ranks, const tree_plan& plan,
                                                    const blocks& source, own_maker mine_for, int root) {
    start_expected("topo::scatterv", ranks, plan, source, {}, root);
    mine_for_.emplace(mine_for);
}

TOPOMP_INLINE void scatter_operation::start_expected(const char* call, context& ranks, const tree_plan& plan,
                                                     const blocks& source, const message& mine, int root) {
    begin(ranks, plan, root);
    call_ = call;
    mine_for_.reset();
    all_ = source;
    mine_ = mine;
    has_lengths_ = false;
    lengths_.resize(below_->ranks.size());
    if (!is_root()) return receive_lengths(0, lengths_.size(), edges_->parent);
    const type_layout layout{source.type};
    for (std::size_t i = 0; i < lengths_.size(); ++i)
        lengths_[i] = source.count_of(below_->ranks[i]) * layout.size;
}

TOPOMP_INLINE bool scatter_operation::advance() {
    if (!has_lengths_) {
        if (!have_lengths_come()) return false;
        for (std::size_t child = 0; child < edges_->children.size(); ++child)
            send_lengths(below_->begin[child], below_->below(child).size(), edges_->children[child]);
        if (mine_for_) {
            mine_ = (*mine_for_)(lengths_.front());
        } else if (const std::size_t expected = bytes_of(mine_); lengths_.front() != expected) {
            problem_ = "it has room for " + number_of(expected, "byte") + ", the root sends " +
                       std::to_string(lengths_.front());
            mine_ = {};
        }
        sizes_.set(lengths_);
        down_.start(private_comm_, tag_, *edges_, *below_, sizes_, all_, mine_, slots_);
    }
    return down_.advance() && ends("mine");
}

} // namespace topo::detail
