// SPDX-License-Identifier: BSL-1.0
// MatrixMarket files are read as Eigen reads them, and malformed ones are refused with their line.
#include "../matrix_market.hpp"

#include <Eigen/SparseCore>
#include <unsupported/Eigen/SparseExtra>
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

apps::sparse_matrix read(const std::string& text) {
    std::istringstream in{text};
    return apps::read_matrix(in, "file");
}

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

std::string complaint(const std::string& text) {
    try {
        read(text);
    } catch (const apps::refused& problem) {
        return problem.what();
    }
    return "none";
}

std::string complaint_of_vector(const std::string& text) {
    try {
        std::istringstream in{text};
        apps::read_vector(in, "file");
    } catch (const apps::refused& problem) {
        return problem.what();
    }
    return "none";
}

} // namespace

TEST_CASE("matrices are those that Eigen reads") {
    for (const std::string& text :
         {general + "% a comment\n\n3 4 4\n3 1 -2.5e-3\n1 4 7\n% another\n2 2 1e300\n1 1 0\n",
          symmetric + "3 3 3\n1 1 2\n3 1 -1\n3 3 5\n"}) {
        CAPTURE(text);
        const std::string file = "matrix_market_" + std::to_string(getpid()) + ".mtx";
        std::ofstream{file} << text;
        Eigen::SparseMatrix<double> theirs;
        const bool is_read = Eigen::loadMarket(theirs, file);
        std::remove(file.c_str());
        REQUIRE(is_read);
        if (text.starts_with(symmetric)) // of which Eigen reads the lower half
            theirs = Eigen::SparseMatrix<double>(theirs.selfadjointView<Eigen::Lower>());
        const apps::sparse_matrix ours = read(text);
        CHECK(ours.rows == theirs.rows());
        CHECK(ours.columns == theirs.cols());
        CHECK(ours.entries.size() == static_cast<std::size_t>(theirs.nonZeros()));
        for (const auto& each : ours.entries)
            CHECK(each.value == theirs.coeff(each.row, each.column));
    }
}

TEST_CASE("entries are in order, and skew-symmetric ones have their other half") {
    const apps::sparse_matrix found =
        read("%%MatrixMarket MATRIX Coordinate Integer skew-symmetric\r\n3 3 2\r\n3 2 4\r\n2 1 5\r\n");
    REQUIRE(found.entries.size() == 4);
    const std::vector<std::vector<double>> expected{{0, 1, -5}, {1, 0, 5}, {1, 2, -4}, {2, 1, 4}};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(found.entries[i].row == expected[i][0]);
        CHECK(found.entries[i].column == expected[i][1]);
        CHECK(found.entries[i].value == expected[i][2]);
    }
}

TEST_CASE("malformed matrices are refused with their line") {
    CHECK(complaint("") ==
          "file, line 1: no MatrixMarket file: it does not begin with '%%MatrixMarket matrix'");
    CHECK(complaint("1 1 1\n") == complaint(""));
    CHECK(complaint("%%MatrixMarket vector coordinate real general\n1 1 1\n") == complaint(""));
    CHECK(complaint("%%MatrixMarket matrix array real general\n1 1\n1\n") ==
          "file, line 1: the matrix is 'array', but must be coordinate: sparse");
    CHECK(complaint("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n") ==
          "file, line 1: numbers are 'pattern', but must be real or integer");
    CHECK(complaint("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n") ==
          "file, line 1: the symmetry 'hermitian' is none of general, symmetric and skew-symmetric");
    CHECK(complaint("%%MatrixMarket matrix coordinate real\n") ==
          "file, line 1: the symmetry '' is none of general, symmetric and skew-symmetric");
    CHECK(complaint(general) ==
          "file, line 2: the file ends where a number of rows, of columns and of entries should be");
    CHECK(complaint(general + "2 2\n") ==
          "file, line 2: '2 2' is not a number of rows, of columns and of entries");
    CHECK(complaint(general + "0 2 1\n") == "file, line 2: the number of rows 0 is not from 1 to 2147483647");
    CHECK(complaint(general + "2 3000000000 1\n") ==
          "file, line 2: the number of columns 3000000000 is not from 1 to 2147483647");
    CHECK(complaint(general + "2 2 -1\n") ==
          "file, line 2: the number of entries -1 is not from 0 to 2147483647");
    CHECK(complaint(general + "2 2 2\n1 1 1\n") ==
          "file, line 4: the file ends where a row, a column and a value should be");
    CHECK(complaint(general + "2 2 1\n1 1\n") == "file, line 3: '1 1' is not a row, a column and a value");
    CHECK(complaint(general + "2 2 1\n1 1 1 1\n") ==
          "file, line 3: '1 1 1 1' is not a row, a column and a value");
    CHECK(complaint(general + "2 2 1\n1 1 nan\n") == "file, line 3: 'nan' is no finite number");
    CHECK(complaint(general + "2 2 1\n1 1 1e999\n") == "file, line 3: '1e999' is no finite number");
    CHECK(complaint(general + "2 2 1\n1 1 x\n") == "file, line 3: 'x' is no finite number");
    CHECK(complaint(general + "2 2 1\n1 1 1x\n") == "file, line 3: '1x' is no finite number");
    CHECK(complaint(general + "2 2 1\n1.5 1 1\n") == "file, line 3: row 1.5 is not from 1 to 2");
    CHECK(complaint(general + "2 2 1\n1 0 1\n") == "file, line 3: column 0 is not from 1 to 2");
    CHECK(complaint(general + "2 2 1\n1 1 1\n2 2 1\n") == "file, line 4: there are more entries than 1");
    CHECK(complaint(general + "2 2 2\n1 2 1\n1 2 3\n") == "file: row 1, column 2 has two entries");
    CHECK(complaint(symmetric + "2 3 1\n1 1 1\n") == "file, line 2: it is symmetric, but not square");
    CHECK(complaint(symmetric + "2 2 1\n1 2 1\n") ==
          "file, line 3: it is symmetric, and this entry is above the diagonal");
    CHECK(complaint(general + "2 2 1\n\n% comment\n2 2 1\n") == "none");
}

TEST_CASE("vectors are written and read as the same bits, and malformed ones refused") {
    const std::string file = "vector_" + std::to_string(getpid()) + ".mtx";
    const std::vector<double> values{0.1, -1e-300, 1.0 / 3, 12345678.9};
    apps::write_matrix(file, values, 1);
    auto in = apps::open_file(file);
    CHECK(apps::read_vector(in, file) == values);
    std::remove(file.c_str());
    CHECK_THROWS_AS(apps::open_file(file), apps::refused);
    CHECK_THROWS_AS(apps::write_matrix("/nowhere/file", values, 1), apps::refused);
    const std::string array = "%%MatrixMarket matrix array real general\n";
    CHECK(complaint_of_vector(general + "1 1 1\n") ==
          "file, line 1: a vector has to be 'array' and 'general'");
    CHECK(complaint_of_vector(array + "2 2\n") == "file, line 2: the number of columns 2 is not from 1 to 1");
    CHECK(complaint_of_vector(array + "2 1\n1\n") == "file, line 4: the file ends where a value should be");
}
