// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sparse matrices, and MatrixMarket files of them.
#pragma once

#include "program.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iomanip>
#include <istream>
#include <limits>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace apps {

struct entry {
    int row = 0, column = 0; ///< from 0
    double value = 0;
};

/// A sparse matrix as its entries: by rows and in these by columns, no place twice.
struct sparse_matrix {
    int rows = 0, columns = 0;
    std::vector<entry> entries{};
};

namespace detail {

/// Reads a text line by line, and names the line in errors.
class matrix_market_text {
public:
    matrix_market_text(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

    [[noreturn]] void fail(const std::string& problem) const {
        throw refused(name_ + ", line " + std::to_string(line_) + ": " + problem);
    }

    bool next_line() {
        ++line_;
        return static_cast<bool>(std::getline(in_, text_));
    }
    const std::string& text() const { return text_; }

    /// The numbers of the next line that is neither empty nor a comment.
    /// @param wanted how many there have to be @param what they are, for errors
    void read_numbers(std::span<double> wanted, const std::string& what) {
        do {
            if (!next_line()) fail("the file ends where " + what + " should be");
        } while (text_.find_first_not_of(" \t\r") == std::string::npos || text_.front() == '%');
        std::istringstream words{text_};
        std::string word;
        for (double& each : wanted) {
            if (!(words >> word)) fail("'" + text_ + "' is not " + what);
            std::size_t used = 0;
            try {
                each = std::stod(word, &used);
            } catch (const std::logic_error&) {
                used = 0;
            }
            if (used != word.size() || !std::isfinite(each)) fail("'" + word + "' is no finite number");
        }
        if (words >> word) fail("'" + text_ + "' is not " + what);
    }

    int integer(double value, double least, double most, const std::string& what) const {
        if (value != std::floor(value) || value < least || value > most) {
            std::ostringstream message;
            message << what << ' ' << std::setprecision(15) << value << " is not from " << least << " to "
                    << most;
            fail(message.str());
        }
        return static_cast<int>(value);
    }

private:
    std::istream& in_;
    std::string name_, text_;
    std::size_t line_ = 0;
};

/// The last words of a file's first line, in small letters: storage, numbers, symmetry.
inline std::array<std::string, 3> read_banner(matrix_market_text& in) {
    std::string banner, object, words[3];
    if (in.next_line()) {
        std::istringstream line{in.text()};
        line >> banner >> object >> words[0] >> words[1] >> words[2];
    }
    for (std::string* each : {&object, &words[0], &words[1], &words[2]})
        std::ranges::transform(*each, each->begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (banner != "%%MatrixMarket" || object != "matrix")
        in.fail("no MatrixMarket file: it does not begin with '%%MatrixMarket matrix'");
    if (words[1] != "real" && words[1] != "integer" && words[1] != "double")
        in.fail("numbers are '" + words[1] + "', but must be real or integer");
    return {words[0], words[1], words[2]};
}

} // namespace detail

/// Puts entries in order. @throws refused if a place has two
inline void sort_entries(sparse_matrix& matrix, const std::string& name) {
    const auto is_before = [](const entry& one, const entry& other) {
        return one.row != other.row ? one.row < other.row : one.column < other.column;
    };
    std::ranges::sort(matrix.entries, is_before);
    const auto twice = std::ranges::adjacent_find(
        matrix.entries, [&](const entry& one, const entry& other) { return !is_before(one, other); });
    if (twice != matrix.entries.end())
        throw refused(name + ": row " + std::to_string(twice->row + 1) + ", column " +
                      std::to_string(twice->column + 1) + " has two entries");
}

/// Reads a sparse matrix: coordinate, real or integer, general, symmetric or skew-symmetric. Of symmetric
/// ones also the half that the file leaves out. @throws refused naming file and line
inline sparse_matrix read_matrix(std::istream& stream, const std::string& name) {
    detail::matrix_market_text in{stream, name};
    const auto [storage, numbers, symmetry] = detail::read_banner(in);
    if (storage != "coordinate") in.fail("the matrix is '" + storage + "', but must be coordinate: sparse");
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
        in.fail("the symmetry '" + symmetry + "' is none of general, symmetric and skew-symmetric");
    std::array<double, 3> line{};
    in.read_numbers(line, "a number of rows, of columns and of entries");
    constexpr double most = std::numeric_limits<int>::max();
    sparse_matrix result{in.integer(line[0], 1, most, "the number of rows"),
                         in.integer(line[1], 1, most, "the number of columns"),
                         {}};
    if (symmetry != "general" && result.rows != result.columns) in.fail("it is symmetric, but not square");
    const int count = in.integer(line[2], 0, most, "the number of entries");
    for (int i = 0; i < count; ++i) {
        in.read_numbers(line, "a row, a column and a value");
        const entry each{in.integer(line[0], 1, result.rows, "row") - 1,
                         in.integer(line[1], 1, result.columns, "column") - 1, line[2]};
        result.entries.push_back(each);
        if (symmetry == "general") continue;
        if (each.column > each.row) in.fail("it is symmetric, and this entry is above the diagonal");
        if (each.column < each.row)
            result.entries.push_back(
                {each.column, each.row, symmetry == "symmetric" ? each.value : -each.value});
    }
    while (in.next_line())
        if (in.text().find_first_not_of(" \t\r") != std::string::npos && in.text().front() != '%')
            in.fail("there are more entries than " + std::to_string(count));
    sort_entries(result, name);
    return result;
}

/// Reads a dense column: array, real or integer, general. @throws refused naming file and line
inline std::vector<double> read_vector(std::istream& stream, const std::string& name) {
    detail::matrix_market_text in{stream, name};
    const auto [storage, numbers, symmetry] = detail::read_banner(in);
    if (storage != "array" || symmetry != "general") in.fail("a vector has to be 'array' and 'general'");
    std::array<double, 2> sizes{};
    in.read_numbers(sizes, "a number of rows and of columns");
    constexpr double most = std::numeric_limits<int>::max();
    std::vector<double> result(static_cast<std::size_t>(in.integer(sizes[0], 1, most, "the number of rows")));
    in.integer(sizes[1], 1, 1, "the number of columns");
    for (double& each : result)
        in.read_numbers(std::span{&each, 1}, "a value");
    return result;
}

/// Writes a dense matrix whose rows lie one behind the other, so that each number is read back as the same
/// bits.
/// @throws refused if the file cannot be written
inline void write_matrix(const std::string& file, std::span<const double> values, std::size_t columns) {
    const std::size_t rows = values.size() / columns;
    std::ofstream out{file};
    out << "%%MatrixMarket matrix array real general\n"
        << rows << ' ' << columns << '\n'
        << std::setprecision(std::numeric_limits<double>::max_digits10);
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t row = 0; row < rows; ++row)
            out << values[row * columns + column] << '\n';
    out.close();
    if (!out) throw refused(file + ": cannot be written");
}

inline std::ifstream open_file(const std::string& file) {
    std::ifstream in{file};
    if (!in) throw refused(file + ": cannot be read");
    return in;
}

/// The matrix in a file, read by rank 0, on all ranks. @collective over `comm` @throws refused on every rank
inline sparse_matrix read_matrix_on_all(const std::string& file, MPI_Comm comm) {
    sparse_matrix result;
    on_first(comm, [&] {
        auto in = open_file(file);
        result = read_matrix(in, file);
    });
    MPI_Bcast(&result.rows, 1, MPI_INT, 0, comm);
    MPI_Bcast(&result.columns, 1, MPI_INT, 0, comm);
    broadcast(result.entries, comm);
    return result;
}

} // namespace apps
