// SPDX-License-Identifier: BSL-1.0
/// @file
/// Operations that are not commutative, and what they give in the order of ranks.
#pragma once

#include "collective_calls.hpp"
#include "collective_policies.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace topo_test {

/// A text that can be joined to another one of the same index, so that the result shows where the text of
/// every rank is.
struct word {
    std::int32_t index = 0;
    std::int32_t length = 0; ///< -1: broken
    std::array<char, 64> text{};

    friend bool operator==(const word&, const word&) = default;
};

inline word word_of(int rank, std::size_t index) {
    word result;
    result.index = static_cast<std::int32_t>(index);
    result.length = 1;
    result.text[0] = static_cast<char>('0' + rank);
    return result;
}

inline word join(const word& left, const word& right) {
    word result = left;
    if (left.index != right.index || left.length < 0 || right.length < 0 || left.length + right.length > 64) {
        result.length = -1;
        return result;
    }
    std::copy_n(right.text.begin(), right.length, result.text.begin() + left.length);
    result.length += right.length;
    return result;
}

/// x -> a x + b modulo a prime; after one another they depend on the order.
struct affine {
    std::uint32_t a = 1, b = 0;

    friend bool operator==(const affine&, const affine&) = default;
};

inline affine affine_of(int rank, std::size_t index) {
    const auto mixed = number_of(rank, index, 1);
    return {static_cast<std::uint32_t>(mixed % 65520) + 1, static_cast<std::uint32_t>(mixed >> 40) % 65521};
}

inline affine join(const affine& first, const affine& second) {
    constexpr std::uint64_t prime = 65521;
    const std::uint64_t a = first.a, b = first.b;
    return {static_cast<std::uint32_t>(a * second.a % prime),
            static_cast<std::uint32_t>((b * second.a + second.b) % prime)};
}

template <class T>
void join_all(void* left, void* right, int* count, MPI_Datatype*) {
    const T* const first = static_cast<const T*>(left);
    T* const second = static_cast<T*>(right);
    for (int i = 0; i < *count; ++i)
        second[i] = join(first[i], second[i]);
}

/// An element type, the operation on it and what all ranks together give.
template <class T>
class joining {
public:
    explicit joining(T (*element)(int, std::size_t)) : element_(element) {
        MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type_);
        MPI_Type_commit(&type_);
        MPI_Op_create(&join_all<T>, 0, &op_);
    }
    joining(const joining&) = delete;
    joining& operator=(const joining&) = delete;
    ~joining() {
        MPI_Op_free(&op_);
        MPI_Type_free(&type_);
    }

    /// By reduce from every root and all_reduce, in place and not. @collective over the whole
    void check(const topo::hierarchy& levels, const verbs& by, std::size_t count, complaints& wrong) const {
        const int me = levels.whole_rank(), ranks = levels.whole_size();
        std::vector<T> mine, expected;
        for (std::size_t i = 0; i < count; ++i) {
            mine.push_back(element_(me, i));
            expected.push_back(element_(0, i));
            for (int rank = 1; rank < ranks; ++rank)
                expected.back() = join(expected.back(), element_(rank, i));
        }
        const std::string text = " by " + by.name + ", " + std::to_string(count) + " elements of " +
                                 std::to_string(sizeof(T)) + " bytes";
        for (const int root : roots(ranks)) {
            const bool is_root = me == root;
            guarded<T> result{count, T{}};
            by.reduce(levels, mine.data(), {result.data(), count, type_}, op_, root);
            const bool is_right =
                is_root ? std::ranges::equal(result.elements(), expected) : result.is_untouched();
            wrong.expect(is_right && result.is_intact(), "reduce" + text + ", root " + std::to_string(root));

            guarded<T> both{count, T{}};
            std::ranges::copy(mine, both.elements().begin());
            by.reduce(levels, is_root ? MPI_IN_PLACE : both.data(), {both.data(), count, type_}, op_, root);
            wrong.expect(std::ranges::equal(both.elements(), is_root ? expected : mine) && both.is_intact(),
                         "reduce in place" + text + ", root " + std::to_string(root));
        }
        guarded<T> result{count, T{}};
        by.all_reduce(levels, mine.data(), {result.data(), count, type_}, op_);
        wrong.expect(std::ranges::equal(result.elements(), expected) && result.is_intact(),
                     "all_reduce" + text);
        std::ranges::copy(mine, result.elements().begin());
        by.all_reduce(levels, MPI_IN_PLACE, {result.data(), count, type_}, op_);
        wrong.expect(std::ranges::equal(result.elements(), expected) && result.is_intact(),
                     "all_reduce in place" + text);
    }

    MPI_Datatype type() const { return type_; }
    MPI_Op op() const { return op_; }

private:
    T (*element_)(int, std::size_t);
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op op_ = MPI_OP_NULL;
};

} // namespace topo_test
