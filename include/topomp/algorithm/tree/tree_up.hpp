// SPDX-License-Identifier: BSL-1.0
/// @file
/// Data up a tree in segments, combined at each rank.
#pragma once

#include <topomp/algorithm/progress/scratch_buffer.hpp>
#include <topomp/algorithm/progress/segments.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/detail/combination.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// Copies elements of one type between buffers, leaving the gaps of the type alone.
void copy_elements(const void* from, void* to, int count, MPI_Datatype type);

/// Combines all ranks' elements along the path to the root of a tree, in a fixed order.
///
/// A leaf sends from its caller's buffer. Other ranks receive into scratch buffers and combine there, the
/// root as far as possible in the caller's result.
class tree_up {
public:
    /// @param input the calling rank's operands; @param result where the root's result goes, may be the input
    void start(MPI_Comm private_comm, int tag, const tree_edges& edges, const void* input, message result,
               combination combiner, const segments& cut, std::vector<MPI_Request>& slots);

    /// @return whether the caller's work is complete
    bool advance();

    /// So many leading segments of the root's result are complete.
    std::size_t complete() const { return combined_; }
    /// So many leading segments of the caller's input are not needed any more.
    std::size_t released() const { return edges_->operands.empty() ? sent_ : combined_; }

private:
    bool is_root() const { return edges_->parent < 0; }
    bool is_in_place() const { return input_ == result_.data; }
    MPI_Request& slot(std::size_t i) { return (*slots_)[first_slot_ + i]; }
    MPI_Request& operand_slot(std::size_t segment, std::size_t operand);

    void make_scratch();

    /// The scratch buffer of an operand; the one behind the last operand's is for the caller's own data.
    void* scratch_buffer(std::size_t segment, std::size_t operand);

    /// Where an operand is received: the root's last one in the result, if nothing is there yet.
    void* landing(std::size_t segment, std::size_t operand);

    void post_receives();

    /// Combines one operand, or sends a finished segment up. @return false if there is nothing to do now
    bool combine_next();

    void combine(const operand& from, void* theirs);

    void reduce(const void* left, void* right, int length);

    void finish_segment();

    MPI_Comm private_comm_ = MPI_COMM_NULL;
    int tag_ = 0;
    const tree_edges* edges_ = nullptr;
    const void* input_ = nullptr;
    message result_;
    type_layout layout_{MPI_BYTE};
    combination combiner_;
    segments cut_;
    std::vector<MPI_Request>* slots_ = nullptr;
    std::size_t first_slot_ = 0;
    std::vector<std::byte> scratch_;
    std::size_t scratch_bytes_ = 0;
    std::size_t posted_ = 0;       ///< receives of so many segments are posted
    std::size_t combined_ = 0;     ///< so many segments are combined
    std::size_t sent_ = 0;         ///< so many have been sent, and their scratch buffers are free
    std::size_t next_operand_ = 0; ///< of the segment that is being combined
    void* current_ = nullptr;      ///< where it lies; null: still the caller's input
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/tree/impl/tree_up.ipp>
#endif
