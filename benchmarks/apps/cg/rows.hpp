// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which rank has which rows of the matrix, where the vectors' elements are then, and what a rank computes
/// with its rows.
#pragma once

#include "../solver_support/matrix_market.hpp"
#include "problem.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace cg {

/// Consecutive rows in blocks with about as many entries each. @return of each row its block
inline std::vector<int> blocks_of_rows(const apps::sparse_matrix& matrix, int blocks) {
    std::vector<int> result(static_cast<std::size_t>(matrix.rows));
    const auto entries = matrix.entries.size(), count = static_cast<std::size_t>(blocks);
    for (std::size_t i = entries; i-- > 0;) // the first entry of a row decides
        result[static_cast<std::size_t>(matrix.entries[i].row)] = static_cast<int>(i * count / entries);
    return result;
}

/// Vectors lie rank by rank, and in a rank's block in the order of rows.
struct layout {
    std::vector<int> counts, begins; ///< of each rank
    std::vector<int> place;          ///< of each row's element

    layout(const std::vector<int>& owner, int ranks)
        : counts(static_cast<std::size_t>(ranks)), begins(counts.size()), place(owner.size()) {
        for (const int rank : owner)
            ++counts[static_cast<std::size_t>(rank)];
        for (std::size_t rank = 1; rank < begins.size(); ++rank)
            begins[rank] = begins[rank - 1] + counts[rank - 1];
        std::vector<int> next = begins;
        for (std::size_t row = 0; row < owner.size(); ++row)
            place[row] = next[static_cast<std::size_t>(owner[row])]++;
    }
};

/// A rank's rows. Columns are places in vectors.
struct own_rows {
    std::vector<std::size_t> begin{
        0}; ///< of each row, where its entries begin; then where the last one's end
    std::vector<int> column{};
    std::vector<double> value{}, inverse_diagonal{}, right_side{};

    own_rows(const problem& all, const std::vector<int>& owner, const layout& where, int rank) {
        const auto& entries = all.matrix.entries;
        for (std::size_t i = 0; i < entries.size();) {
            const auto row = static_cast<std::size_t>(entries[i].row);
            const bool is_mine = owner[row] == rank;
            for (; i < entries.size() && entries[i].row == static_cast<int>(row); ++i) {
                if (!is_mine) continue;
                column.push_back(where.place[static_cast<std::size_t>(entries[i].column)]);
                value.push_back(entries[i].value);
                if (entries[i].column == entries[i].row) inverse_diagonal.push_back(1 / entries[i].value);
            }
            if (!is_mine) continue;
            begin.push_back(column.size());
            right_side.push_back(all.right_side[row]);
        }
    }

    std::size_t count() const { return right_side.size(); }
    /// Of an iteration.
    double operations() const {
        return 2 * static_cast<double>(value.size()) + 13 * static_cast<double>(count());
    }

    /// The own rows' product with a whole vector.
    void multiply(std::span<const double> vector, std::span<double> result) const {
        for (std::size_t row = 0; row < count(); ++row) {
            double sum = 0;
            for (std::size_t i = begin[row]; i < begin[row + 1]; ++i)
                sum += value[i] * vector[static_cast<std::size_t>(column[i])];
            result[row] = sum;
        }
    }
    /// The preconditioner: divides by the diagonal.
    void divide_by_diagonal(std::span<const double> vector, std::span<double> result) const {
        for (std::size_t row = 0; row < count(); ++row)
            result[row] = vector[row] * inverse_diagonal[row];
    }
};

/// What the calling rank adds to a scalar product.
inline double product(std::span<const double> one, std::span<const double> other) {
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        sum += one[i] * other[i];
    return sum;
}

/// `to += factor * vector`
inline void add(std::span<double> to, double factor, std::span<const double> vector) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += factor * vector[i];
}

/// `to = vector + factor * to`
inline void turn(std::span<double> to, double factor, std::span<const double> vector) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = vector[i] + factor * to[i];
}

} // namespace cg
