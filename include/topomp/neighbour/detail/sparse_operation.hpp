// SPDX-License-Identifier: BSL-1.0
/// @file
/// A sparse exchange under way.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/records.hpp>
#include <topomp/neighbour/detail/sparse_blocks.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <vector>

namespace topo::detail {

/// The steps of a sparse exchange, each as soon as what it needs has arrived. Exchanges of one hierarchy take
/// them one after another, in the order of their starts: all ranks exchange several times in each.
class sparse_operation final : public operation {
public:
    sparse_operation(const char* call, node_groups& groups, sparse_sends sent, neighbour_route route,
                     sparse_result result);

    /// In the same order on all ranks. Local @throws usage_error if an exchange of the groups has failed
    void start();

    TOPOMP_INLINE void note_failure() noexcept override;

private:
    enum class step { queued, agree, get_problem, count, give_lengths, give, send, hand_lengths, hand, end };

    /// What all ranks agree on, each number the largest of a rank.
    struct agreement {
        std::int64_t failure = 0; ///< of the lowest rank with one: ranks from it on; 0: there is none
        std::int64_t direct = 0, by_node = 0; ///< messages
        std::int64_t between = 0; ///< no message by node to a carrier or another node has more bytes
        std::int64_t to_rank = 0; ///< nor has one to a rank, but perhaps much less
        void take(const agreement& other);
        bool can_go_by_node() const;
        bool is_better_by_node() const { return by_node + 2 < direct && can_go_by_node(); }
    };

    TOPOMP_INLINE bool advance() override;
    TOPOMP_INLINE void await() override;
    TOPOMP_INLINE void let_go() noexcept override;

    bool has_ended_step();
    void begin(step next);
    void take_step();

    agreement own_part();
    void choose_route();
    void end();
    [[noreturn]] void refuse();
    [[noreturn]] void refuse_by_node();

    void send_to_some(std::vector<sparse_block>& sent);
    bool has_all_of_some();
    void take_message(const MPI_Status& found);
    bool disseminate();

    void tell_lengths(std::map<int, record_buffer>& sent);
    void exchange_inside(std::map<int, record_buffer>& sent);
    template <class F>
    void for_each_inside(F f) const;
    void give();
    void finish();

    MPI_Request& slot() { return slots_.emplace_back(MPI_REQUEST_NULL); }
    const std::vector<int>& of_own_node() const { return groups_.nodes.of_node(groups_.node()); }

    const char* call_;
    node_groups& groups_;
    sparse_sends sent_;
    neighbour_route route_;
    sparse_result result_;

    step step_ = step::end;
    unsigned place_ = 0; ///< in the order of starts
    agreement all_, heard_;
    sparse_problem own_, common_problem_;
    std::vector<std::int64_t> to_ranks_, to_all_ranks_; ///< bytes by node, by rank
    bool by_node_ = false;
    std::map<int, record_buffer> given_, handed_; ///< by rank
    std::vector<int> out_, in_;                   ///< lengths by rank of the node
    std::vector<std::vector<std::byte>> inside_;  ///< by rank of the node
    std::vector<sparse_block> between_, came_;
    std::size_t sends_ = 0; ///< of `slots_`, which all have to be received
    int distance_ = 0;      ///< in the last round of a dissemination among all ranks; 0: there was none
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/sparse_operation.ipp>
#endif
