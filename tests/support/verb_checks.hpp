// SPDX-License-Identifier: BSL-1.0
/// @file
/// One call of broadcast, reduce or all_reduce, compared with a serial computation.
#pragma once

#include "collective_calls.hpp"
#include "collective_policies.hpp"
#include <topomp/hierarchy/hierarchy.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace topo_test {

using number = std::uint64_t;
inline constexpr number nothing = 0xDEADBEEF;

/// Nothing, one, less than a segment, and nine segments and a bit: more than are under way at a time.
inline constexpr std::array<std::size_t, 4> counts{0, 1, 7, 9 * short_segment / sizeof(number) + 3};

/// One call of one verb: who, what, and which call of the test, so that no two move the same data.
struct call {
    const topo::hierarchy& levels;
    const verbs& by;
    int root;
    std::size_t count;
    number number_of_call;
    complaints& wrong;

    int rank() const { return levels.whole_rank(); }
    bool is_root() const { return rank() == root; }
    std::string text(const char* verb) const {
        return std::string{verb} + " by " + by.name + ", root " + std::to_string(root) + ", " +
               std::to_string(count) + " elements";
    }
    void fill(std::span<number> elements) const {
        const int mine = rank();
        for (std::size_t i = 0; i < count; ++i)
            elements[i] = number_of(mine, i, number_of_call);
    }
    bool is_of_root(std::span<const number> elements) const {
        for (std::size_t i = 0; i < count; ++i)
            if (elements[i] != number_of(root, i, number_of_call)) return false;
        return true;
    }
    bool is_sum(std::span<const number> elements) const {
        // Not of `whole()`: its call of MPI for each number took most of the time of simulated tests.
        const int ranks = levels.whole_size();
        for (std::size_t i = 0; i < count; ++i) {
            number sum = 0;
            for (int each = 0; each < ranks; ++each)
                sum += number_of(each, i, number_of_call);
            if (elements[i] != sum) return false;
        }
        return true;
    }
};

inline void check_broadcast(const call& now) {
    guarded<number> buffer{now.count, nothing};
    if (now.is_root()) now.fill(buffer.elements());
    now.by.broadcast(now.levels, {buffer.data(), now.count, MPI_UINT64_T}, now.root);
    now.wrong.expect(now.is_of_root(buffer.elements()) && buffer.is_intact(), now.text("broadcast"));
}

inline void check_reduce(const call& now) {
    guarded<number> input{now.count, nothing}, result{now.count, nothing};
    now.fill(input.elements());
    now.by.reduce(now.levels, input.data(), {result.data(), now.count, MPI_UINT64_T}, MPI_SUM, now.root);
    const bool is_right = now.is_root() ? now.is_sum(result.elements()) : result.is_untouched();
    guarded<number> same{now.count, nothing};
    now.fill(same.elements());
    now.wrong.expect(is_right && result.is_intact(), now.text("reduce"));
    now.wrong.expect(std::ranges::equal(input.elements(), same.elements()), now.text("input of reduce"));
}

inline void check_reduce_in_place(const call& now) {
    guarded<number> buffer{now.count, nothing};
    now.fill(buffer.elements());
    if (now.is_root())
        now.by.reduce(now.levels, MPI_IN_PLACE, {buffer.data(), now.count, MPI_UINT64_T}, MPI_SUM, now.root);
    else
        now.by.reduce(now.levels, buffer.data(), {nullptr, now.count, MPI_UINT64_T}, MPI_SUM, now.root);
    guarded<number> same{now.count, nothing};
    now.fill(same.elements());
    const bool is_right = now.is_root() ? now.is_sum(buffer.elements())
                                        : std::ranges::equal(buffer.elements(), same.elements());
    now.wrong.expect(is_right && buffer.is_intact(), now.text("reduce in place"));
}

inline void check_all_reduce(const call& now) {
    guarded<number> input{now.count, nothing}, result{now.count, nothing};
    now.fill(input.elements());
    now.by.all_reduce(now.levels, input.data(), {result.data(), now.count, MPI_UINT64_T}, MPI_SUM);
    now.wrong.expect(now.is_sum(result.elements()) && result.is_intact(), now.text("all_reduce"));
    now.by.all_reduce(now.levels, MPI_IN_PLACE, {input.data(), now.count, MPI_UINT64_T}, MPI_SUM);
    now.wrong.expect(now.is_sum(input.elements()) && input.is_intact(), now.text("all_reduce in place"));
}

} // namespace topo_test
