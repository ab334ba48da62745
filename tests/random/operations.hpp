// SPDX-License-Identifier: BSL-1.0
/// @file
/// Operations of MPI's and of users', with operands for them and a serial computation of what they give.
#pragma once

#include "layouts.hpp"
#include "support/made_up.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace topo_random {

using bytes = std::vector<std::byte>;

/// An operation on elements of one layout, on their data without gaps.
struct operation {
    std::string name;
    MPI_Op op = MPI_OP_NULL;
    bool commutes = true;
    const layout* on = nullptr;
    bool may_write_gaps = false; ///< MPI's own copy whole structs
    /// Makes right = left op right, one element.
    void (*combine)(const std::byte* left, std::byte* right, std::size_t size, int which) = nullptr;
    /// Makes an operand out of random bytes, such that results are exact.
    void (*adjust)(std::byte* operand, std::size_t size, int which, int rank) = nullptr;
    int which = 0;

    /// A rank's operands. @param random of `count * on->size` bytes
    void adjust_all(bytes& random, int rank) const {
        for (std::size_t i = 0; i < random.size(); i += on->size)
            adjust(random.data() + i, on->size, which, rank);
    }
    /// Element by element: the left operands combined with the right ones.
    void combine_all(const bytes& left, bytes& right) const {
        for (std::size_t i = 0; i < right.size(); i += on->size)
            combine(left.data() + i, right.data() + i, on->size, which);
    }
};

/// One of MPI's operations on a type of MPI's, or a user's on any layout, which commutes or not.
operation draw_operation(topo_test::dice& roll);
void make_operations();
void free_operations();

} // namespace topo_random
