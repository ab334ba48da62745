// SPDX-License-Identifier: BSL-1.0
/// @file
/// Matrix multiplication by SUMMA: what is the same however panels come to the ranks.
///
/// C = A B with m x k times k x n elements, on a grid of processes. Each has a block of A, of B and of C. In
/// each step the processes of a row get a panel of A, some columns, from the one that has it; those of a
/// column some rows of B; and all add the product to their block of C. @see R. van de Geijn, J. Watts: SUMMA
/// (1997); paper 1, section 7.3; paper 2, section 5.3.1
#pragma once

#include "../support/blocks.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cblas.h>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace summa {

struct options {
    apps::common_options common{};
    int m = 0, n = 0, k = 0, size = 256, panel = 0;
    std::string grid = "0x0";

    void declare(apps::command_line& line) {
        constexpr int most = 1 << 24;
        line.add("--size", size, "rows and columns of all matrices").range(1, most);
        line.add_unset("--m", m, "rows of A and C, if not --size").range(1, most);
        line.add_unset("--n", n, "columns of B and C, if not --size").range(1, most);
        line.add_unset("--k", k, "columns of A and rows of B, if not --size").range(1, most);
        line.add("--panel", panel,
                 "columns of A and rows of B in a step at most; 0: as many as one process has")
            .range(0, most);
        line.add("--grid", grid, "rows and columns of processes, such as 2x3; 0: chosen by MPI");
        common.declare(line);
    }
};

/// What is multiplied in one step.
struct panel {
    int first, width;     ///< columns of A, rows of B
    int a_owner, b_owner; ///< whose columns of A in each row of processes, whose rows of B in each column
};

/// The steps of a grid of processes: nobody's part begins inside a panel, and none is wider than `widest` (0:
/// no limit).
inline std::vector<panel> panels_of(std::array<int, 2> dims, int k, int widest) {
    std::set<int> cuts{k};
    for (const int parts : dims)
        for (int part = 0; part < parts; ++part)
            cuts.insert(apps::begin_of(part, k, parts));
    std::vector<panel> result;
    int a_owner = 0, b_owner = 0;
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
        while (apps::begin_of(a_owner + 1, k, dims[1]) <= *cut)
            ++a_owner;
        while (apps::begin_of(b_owner + 1, k, dims[0]) <= *cut)
            ++b_owner;
        const int all = *std::next(cut) - *cut, parts = widest == 0 ? 1 : (all + widest - 1) / widest;
        for (int part = 0; part < parts; ++part) {
            const int first = apps::begin_of(part, all, parts);
            result.push_back({*cut + first, apps::begin_of(part + 1, all, parts) - first, a_owner, b_owner});
        }
    }
    return result;
}

/// The calling rank's place in the grid, and what is multiplied there.
class problem {
public:
    explicit problem(const options& given)
        : m(or_size(given.m, given)), n(or_size(given.n, given)), k(or_size(given.k, given)),
          dims(apps::grid_dims(apps::size_of(MPI_COMM_WORLD), apps::read_extents("--grid", given.grid))) {
        require_at_least("m", m, dims[0], "rows");
        require_at_least("n", n, dims[1], "columns");
        require_at_least("k", k, std::max(dims[0], dims[1]), "rows or columns");
        constexpr std::array periods{0, 0};
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 0, &made);
        grid = apps::owned_comm{made};
        MPI_Cart_coords(grid, apps::rank_in(grid), 2, here.data());
        of_a = apps::block_range::of(here, dims, m, k);
        of_b = apps::block_range::of(here, dims, k, n);
        of_c = apps::block_range::of(here, dims, m, n);
        panels = panels_of(dims, k, given.panel);
        const int widest = std::ranges::max(panels, {}, &panel::width).width;
        const auto longest =
            static_cast<std::int64_t>(std::max((m - 1) / dims[0] + 1, (n - 1) / dims[1] + 1));
        if (longest * widest > std::numeric_limits<int>::max() ||
            longest * longest > std::numeric_limits<int>::max())
            throw apps::refused(
                "--size: a block is more than one message holds, so more processes are needed");
    }

    /// The processes of the calling rank's row, in the order of columns. @collective over the grid
    apps::owned_comm row() const { return part({0, 1}); }
    /// The processes of its column, in the order of rows. @collective over the grid
    apps::owned_comm column() const { return part({1, 0}); }

    /// Doubles of a panel of A in the calling rank's row of processes, of B in its column.
    int a_count(const panel& of) const { return of_a.rows * of.width; }
    int b_count(const panel& of) const { return of_b.columns * of.width; }
    /// Whether the calling rank has it.
    bool has_a(const panel& of) const { return here[1] == of.a_owner; }
    bool has_b(const panel& of) const { return here[0] == of.b_owner; }

    const int m, n, k;
    const std::array<int, 2> dims;
    apps::owned_comm grid;
    std::array<int, 2> here{}; ///< row and column
    apps::block_range of_a, of_b, of_c;
    std::vector<panel> panels;

private:
    static int or_size(int extent, const options& given) { return extent == 0 ? given.size : extent; }
    static void require_at_least(const char* option, int extent, int processes, const char* of) {
        if (extent < processes)
            throw apps::refused(std::string("--size or --") + option + ' ' + std::to_string(extent) +
                                ": fewer than the " + std::to_string(processes) + ' ' + of + " of processes");
    }
    apps::owned_comm part(std::array<int, 2> kept) const {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Cart_sub(grid, kept.data(), &made);
        return apps::owned_comm{made};
    }
};

/// The calling rank's blocks: A column by column, so that its panels lie in one piece, B and C row by row.
class blocks {
public:
    blocks(const problem& of, double gflops)
        : of_(of), gflops_(gflops), a_(of.of_a.size()), b_(of.of_b.size()), c_(of.of_c.size()) {}

    /// Other matrices for each repetition, and C zero.
    void fill(int repetition) {
        for (int l = 0; l < of_.of_a.columns; ++l)
            for (int i = 0; i < of_.of_a.rows; ++i)
                a_[at(l, of_.of_a.rows, i)] =
                    a_value(repetition, of_.of_a.first_row + i, of_.of_a.first_column + l);
        for (int l = 0; l < of_.of_b.rows; ++l)
            for (int j = 0; j < of_.of_b.columns; ++j)
                b_[at(l, of_.of_b.columns, j)] =
                    b_value(repetition, of_.of_b.first_row + l, of_.of_b.first_column + j);
        std::ranges::fill(c_, 0.0);
    }

    /// The elements of a panel that the calling rank has.
    double* a_panel(const panel& of) {
        return a_.data() + at(of.first - of_.of_a.first_column, of_.of_a.rows, 0);
    }
    double* b_panel(const panel& of) {
        return b_.data() + at(of.first - of_.of_b.first_row, of_.of_b.columns, 0);
    }

    /// Adds the product of panels of this width to C.
    void add_product(const double* a, const double* b, int width) {
        const double start = PMPI_Wtime();
        const int rows = of_.of_c.rows, columns = of_.of_c.columns;
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, rows, columns, width, 1, a, rows, b, columns, 1,
                    c_.data(), columns);
        apps::charge(2.0 * rows * columns * width, gflops_);
        computing_ += PMPI_Wtime() - start;
    }

    /// Seconds of the products since this was asked last.
    double computing() { return std::exchange(computing_, 0); }
    const std::vector<double>& c() const { return c_; }

    static double a_value(int repetition, int row, int column) { return value(2 * repetition, row, column); }
    static double b_value(int repetition, int row, int column) {
        return value(2 * repetition + 1, row, column);
    }

private:
    static double value(int which, int row, int column) {
        return apps::noise(static_cast<std::uint64_t>(which), static_cast<std::uint64_t>(row),
                           static_cast<std::uint64_t>(column));
    }
    static std::size_t at(int line, int length, int place) {
        return static_cast<std::size_t>(line) * static_cast<std::size_t>(length) +
               static_cast<std::size_t>(place);
    }

    const problem& of_;
    double gflops_, computing_ = 0;
    std::vector<double> a_, b_, c_;
};

/// The whole product by one call of OpenBLAS.
inline std::vector<double> serial_product(int m, int n, int k, int repetition) {
    std::vector<double> a, b, c(static_cast<std::size_t>(m) * static_cast<std::size_t>(n));
    for (int i = 0; i < m; ++i)
        for (int l = 0; l < k; ++l)
            a.push_back(blocks::a_value(repetition, i, l));
    for (int l = 0; l < k; ++l)
        for (int j = 0; j < n; ++j)
            b.push_back(blocks::b_value(repetition, l, j));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a.data(), k, b.data(), n, 0, c.data(),
                n);
    return c;
}

/// Throws on all ranks if the product differs from the serial one. @return the greatest difference, on rank 0
inline double check(const problem& of, const blocks& mine, int repetition) {
    const auto product = apps::gather_blocks(of.grid, of.of_c, mine.c(), of.m, of.n);
    double difference = 0;
    std::string problem;
    if (apps::rank_in(of.grid) == 0) {
        difference = apps::greatest_difference(product, serial_product(of.m, of.n, of.k, repetition));
        // Sums of k products of at most 1, added up in any order.
        if (difference > std::numeric_limits<double>::epsilon() * of.k * of.k)
            problem = "the product differs from the serial one by " + std::to_string(difference);
    }
    apps::require_on_root(of.grid, problem);
    return difference;
}

/// The program. @param given where `declare` reads options into
/// @param make `make(problem)` returns what multiplies: called as `multiply(blocks)`
template <class Declare, class Make>
int main_of(int argc, char** argv, const std::string& variant, const std::string& what, options& given,
            Declare declare, Make make) {
    openblas_set_num_threads(1); // a core of each rank
    return apps::main_of(argc, argv, "summa", variant, what, declare, [&]() -> apps::json {
        apps::progress shown{"summa_" + variant};
        const problem of{given};
        blocks mine{of, given.common.gflops};
        auto multiply = make(of);
        const auto took = apps::measure(
            of.grid, given.common, shown, [&](int repetition) { mine.fill(repetition); },
            [&] {
                multiply(mine);
                return mine.computing();
            });
        apps::json result{
            {"m", of.m}, {"n", of.n}, {"k", of.k}, {"grid", of.dims}, {"steps", of.panels.size()}};
        result.update(took.members());
        result.set("checked", given.common.has_check);
        if (given.common.has_check) result.set("difference", check(of, mine, given.common.repetitions - 1));
        return result;
    });
}

} // namespace summa
