// SPDX-License-Identifier: BSL-1.0
/// @file
/// The data of BPMF: generated or from a file, divided into what is learnt from and what is predicted, and
/// among ranks.
#pragma once

#include "../solver_support/matrix_market.hpp"
#include "../solver_support/program.hpp"
#include "options.hpp"
#include "random_streams.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace bpmf {

inline std::uint32_t to_counter(int value) { return static_cast<std::uint32_t>(value); }

/// A matrix of low rank, of which some entries are known, with noise: entry (i, j) is `a_i b_j / sqrt(rank) +
/// noise z`, with standard normal a, b and z, so that without noise its variance is 1. Entries are at random
/// places. Local: each rank that asks gets the same. @cost linear in the number of entries
inline apps::sparse_matrix generated_matrix(const options& given) {
    const auto rank = static_cast<std::size_t>(given.rank);
    const auto factor = [&](side which, int item, double* out) {
        stream random = stream_of(given.seed, purpose::factors, which, 0, to_counter(item));
        std::normal_distribution<double> normal;
        for (std::size_t k = 0; k < rank; ++k)
            out[k] = normal(random);
    };
    std::vector<double> of_columns(rank * static_cast<std::size_t>(given.columns)), of_row(rank);
    for (int column = 0; column < given.columns; ++column)
        factor(side::columns, column, &of_columns[rank * static_cast<std::size_t>(column)]);
    apps::sparse_matrix result{given.rows, given.columns, {}};
    for (int row = 0; row < given.rows; ++row) {
        factor(side::rows, row, of_row.data());
        stream random = stream_of(given.seed, purpose::entries, side::rows, 0, to_counter(row));
        std::normal_distribution<double> normal;
        std::geometric_distribution<std::int64_t> gap{std::min(given.density, 0.999999)};
        const auto next_gap = [&] { return given.density < 1 ? gap(random) : 0; };
        for (std::int64_t column = next_gap(); column < given.columns; column += 1 + next_gap()) {
            const double* const b = &of_columns[rank * static_cast<std::size_t>(column)];
            double value = 0;
            for (std::size_t k = 0; k < rank; ++k)
                value += of_row[k] * b[k];
            value = value / std::sqrt(static_cast<double>(rank)) + given.noise * normal(random);
            result.entries.push_back({row, static_cast<int>(column), value});
        }
    }
    return result;
}

/// Which items of one side a rank samples: blocks of equal length, of which the last ones may lack some or
/// all.
struct block {
    int first = 0, count = 0;
    int length = 0; ///< of each rank's block, with what it lacks

    static block of(int items, int rank, int ranks) {
        const int length = (items - 1) / ranks + 1;
        const auto first = static_cast<int>(std::min<std::int64_t>(items, std::int64_t{rank} * length));
        return {first, std::min(length, items - first), length};
    }
};

/// The ratings of a rank's items of one side, item by item.
struct ratings {
    block own;
    int items = 0; ///< of this side, on all ranks
    std::vector<std::size_t>
        begin{};                 ///< of each own item, where its ratings begin; then where the last one's end
    std::vector<int> other{};    ///< of each rating the item of the other side
    std::vector<double> value{}; ///< standardised
};

/// What a rank needs of the data.
struct data_set {
    int rows = 0, columns = 0;
    std::size_t learnt = 0, held_out = 0; ///< entries of all ranks
    double mean = 0, deviation = 1;       ///< of the entries that are learnt from
    ratings of_rows{}, of_columns{};
    std::vector<apps::entry> to_predict{}; ///< the own rows' held-out entries
};

/// The ratings of the items in a block. @param item_of, other_of the ends of an entry
/// @param entries in the order in which each item shall have its ratings
template <class Item, class Other>
ratings ratings_of(const block& own, int items, const std::vector<apps::entry>& entries, Item item_of,
                   Other other_of, const data_set& all) {
    ratings result{own, items};
    const auto is_own = [&](const apps::entry& each) {
        return item_of(each) >= own.first && item_of(each) < own.first + own.count;
    };
    const auto place_of = [&](const apps::entry& each) {
        return static_cast<std::size_t>(item_of(each) - own.first);
    };
    result.begin.assign(static_cast<std::size_t>(own.count) + 1, 0);
    for (const auto& each : entries)
        if (is_own(each)) ++result.begin[place_of(each) + 1];
    for (std::size_t i = 1; i < result.begin.size(); ++i)
        result.begin[i] += result.begin[i - 1];
    result.other.resize(result.begin.back());
    result.value.resize(result.begin.back());
    std::vector<std::size_t> next = result.begin;
    for (const auto& each : entries)
        if (is_own(each)) {
            const std::size_t at = next[place_of(each)]++;
            result.other[at] = other_of(each);
            result.value[at] = (each.value - all.mean) / all.deviation;
        }
    return result;
}

/// Whether an entry is predicted, not learnt from: the same on all ranks.
inline bool is_held_out(const options& given, const apps::entry& each) {
    stream random =
        stream_of(given.seed, purpose::held_out, side::rows, to_counter(each.column), to_counter(each.row));
    return std::uniform_real_distribution<double>{}(random) < given.held_out;
}

/// Reads or makes the data and keeps what the calling rank needs. All of the matrix passes through each rank.
/// @collective over `comm` @throws refused if there is nothing to learn from
inline data_set data_of(const options& given, MPI_Comm comm) {
    const apps::sparse_matrix matrix =
        given.matrix.empty() ? generated_matrix(given) : apps::read_matrix_on_all(given.matrix, comm);
    data_set result{matrix.rows, matrix.columns};
    const block rows = block::of(matrix.rows, apps::rank_in(comm), apps::size_of(comm));
    const block columns = block::of(matrix.columns, apps::rank_in(comm), apps::size_of(comm));
    const std::string name = given.matrix.empty() ? "the generated matrix" : given.matrix;
    if (std::int64_t{std::max(rows.length, columns.length)} * given.latent > std::numeric_limits<int>::max())
        throw apps::refused(name + ": a rank's vectors are longer than an int counts; start more ranks");
    std::vector<apps::entry> learnt;
    double sum = 0, squares = 0;
    for (const auto& each : matrix.entries) {
        if (is_held_out(given, each)) {
            ++result.held_out;
            if (each.row >= rows.first && each.row < rows.first + rows.count)
                result.to_predict.push_back(each);
            continue;
        }
        learnt.push_back(each);
        sum += each.value;
    }
    result.learnt = learnt.size();
    if (learnt.size() < 2) throw apps::refused(name + ": there are fewer than two entries to learn from");
    result.mean = sum / static_cast<double>(learnt.size());
    for (const auto& each : learnt)
        squares += (each.value - result.mean) * (each.value - result.mean);
    result.deviation = std::sqrt(squares / static_cast<double>(learnt.size()));
    if (!(result.deviation > 0) || !std::isfinite(result.deviation))
        throw apps::refused(name + ": its entries are all the same, or too large");
    const auto row = [](const apps::entry& each) { return each.row; };
    const auto column = [](const apps::entry& each) { return each.column; };
    result.of_rows = ratings_of(rows, matrix.rows, learnt, row, column, result);
    result.of_columns = ratings_of(columns, matrix.columns, learnt, column, row, result);
    return result;
}

} // namespace bpmf
