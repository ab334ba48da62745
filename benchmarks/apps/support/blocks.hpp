// SPDX-License-Identifier: BSL-1.0
/// @file
/// A matrix in blocks, one of each rank of a grid.
#pragma once

#include "program.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// Where part `part` of `parts` of 0 to `count` begins: lengths differ by one at most.
constexpr int begin_of(int part, int count, int parts) {
    return static_cast<int>(static_cast<std::int64_t>(part) * count / parts);
}

/// Rows and columns of a matrix that one rank has.
struct block_range {
    int first_row = 0, rows = 0, first_column = 0, columns = 0;

    std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

    /// That of the rank at `coordinates` of a grid of `dims`.
    static block_range of(std::array<int, 2> coordinates, std::array<int, 2> dims, int rows, int columns) {
        const auto [i, j] = coordinates;
        const int row = begin_of(i, rows, dims[0]), column = begin_of(j, columns, dims[1]);
        return {row, begin_of(i + 1, rows, dims[0]) - row, column,
                begin_of(j + 1, columns, dims[1]) - column};
    }
};

/// The rows and columns of a grid of processes, with what was not given (0) chosen by MPI.
/// @throws refused if the ranks are more or fewer than the cells
inline std::array<int, 2> grid_dims(int ranks, std::array<int, 2> wanted) {
    const std::string text = std::to_string(wanted[0]) + 'x' + std::to_string(wanted[1]);
    for (int& extent : wanted)
        if (extent != 0 && ranks % extent != 0)
            throw refused("--grid " + text + ": does not divide " + std::to_string(ranks) + " ranks");
    if (wanted[0] != 0 && wanted[1] != 0 && wanted[0] * wanted[1] != ranks)
        throw refused("--grid " + text + ": this run has " + std::to_string(ranks) + " ranks");
    MPI_Dims_create(ranks, 2, wanted.data());
    return wanted;
}

/// Reads `2x3`. @throws refused naming the option
inline std::array<int, 2> read_extents(const std::string& option, const std::string& text) {
    std::array<int, 2> read{};
    int end = 0;
    if (std::sscanf(text.c_str(), "%6dx%6d%n", &read[0], &read[1], &end) != 2 ||
        static_cast<std::size_t>(end) != text.size() || read[0] < 0 || read[1] < 0)
        throw refused(option + ' ' + text + ": must be two numbers, such as 2x3");
    return read;
}

/// All blocks put together on rank 0, row by row; nothing elsewhere. @collective over `comm`
inline std::vector<double> gather_blocks(MPI_Comm comm, const block_range& mine,
                                         const std::vector<double>& values, int rows, int columns) {
    const std::array range{mine.first_row, mine.rows, mine.first_column, mine.columns};
    const int rank = rank_in(comm);
    if (rank != 0) {
        MPI_Send(range.data(), 4, MPI_INT, 0, 0, comm);
        MPI_Send(values.data(), static_cast<int>(mine.size()), MPI_DOUBLE, 0, 1, comm);
        return {};
    }
    std::vector<double> whole(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (int from = 0; from < size_of(comm); ++from) {
        block_range range_of = mine;
        std::vector<double> block = from == 0 ? values : std::vector<double>{};
        if (from != 0) {
            std::array<int, 4> came{};
            MPI_Recv(came.data(), 4, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE);
            range_of = {came[0], came[1], came[2], came[3]};
            block.resize(range_of.size());
            MPI_Recv(block.data(), static_cast<int>(block.size()), MPI_DOUBLE, from, 1, comm,
                     MPI_STATUS_IGNORE);
        }
        for (int row = 0; row < range_of.rows; ++row)
            std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(row) * range_of.columns, range_of.columns,
                        whole.begin() + static_cast<std::ptrdiff_t>(range_of.first_row + row) * columns +
                            range_of.first_column);
    }
    return whole;
}

/// The greatest difference between two lists of numbers of one length; infinite if one is no number.
inline double greatest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double greatest = a.size() == b.size() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        greatest = difference <= HUGE_VAL ? std::max(greatest, difference) : HUGE_VAL;
    }
    return greatest;
}

/// A number from -1 to 1 that looks like chance but is the same on all ranks.
inline double noise(std::uint64_t which, std::uint64_t row, std::uint64_t column) {
    std::uint64_t x = which * 0x9e3779b97f4a7c15U + row * 0xbf58476d1ce4e5b9U + column * 0x94d049bb133111ebU;
    for (const std::uint64_t factor : {0xff51afd7ed558ccdU, 0xc4ceb9fe1a85ec53U}) {
        x ^= x >> 33U;
        x *= factor;
    }
    return static_cast<double>(static_cast<std::int64_t>(x) >> 11) /
           static_cast<double>(std::int64_t{1} << 52);
}

} // namespace apps
