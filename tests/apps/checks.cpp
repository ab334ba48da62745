// SPDX-License-Identifier: BSL-1.0
// The serial answers and comparisons of the programs in benchmarks/apps, against answers that were found in
// another way; and whether the comparisons see what is wrong. No MPI runs here.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "poisson/poisson.hpp"
#include "summa/summa.hpp"
#include "vectors/vectors.hpp"

#include <doctest/doctest.h>

TEST_CASE("panels are all of k, each inside one owner's part") {
    for (const std::array<int, 2> dims : {std::array{1, 1}, {2, 3}, {3, 2}, {4, 6}, {1, 7}})
        for (const int k : {7, 12, 41})
            for (const int widest : {0, 1, 5, 100}) {
                int next = 0;
                for (const auto& each : summa::panels_of(dims, k, widest)) {
                    REQUIRE(each.first == next);
                    REQUIRE(each.width > 0);
                    if (widest > 0) CHECK(each.width <= widest);
                    next += each.width;
                    CHECK(each.first >= apps::begin_of(each.a_owner, k, dims[1]));
                    CHECK(next <= apps::begin_of(each.a_owner + 1, k, dims[1]));
                    CHECK(each.first >= apps::begin_of(each.b_owner, k, dims[0]));
                    CHECK(next <= apps::begin_of(each.b_owner + 1, k, dims[0]));
                }
                CHECK(next == k);
            }
    CHECK(summa::panels_of({2, 2}, 8, 0).size() == 2); // as many as a row has processes
}

TEST_CASE("the serial product is that of three loops") {
    constexpr int m = 5, n = 3, k = 4, repetition = 2;
    const auto product = summa::serial_product(m, n, k, repetition);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int l = 0; l < k; ++l)
                sum += summa::blocks::a_value(repetition, i, l) * summa::blocks::b_value(repetition, l, j);
            CHECK(product[static_cast<std::size_t>(i * n + j)] == doctest::Approx(sum));
        }
    CHECK(summa::serial_product(m, n, k, 3) != product);
}

TEST_CASE("numbers are spread between -1 and 1") {
    double sum = 0, least = 1, greatest = -1;
    for (std::uint64_t i = 0; i < 100; ++i)
        for (std::uint64_t j = 0; j < 100; ++j) {
            const double each = apps::noise(3, i, j);
            sum += each;
            least = std::min(least, each);
            greatest = std::max(greatest, each);
        }
    CHECK(std::abs(sum) < 300); // 5 standard deviations
    CHECK((least >= -1 && least < -0.99 && greatest > 0.99 && greatest <= 1));
}

TEST_CASE("differences are seen") {
    const std::vector<double> some{1, 2, 3};
    CHECK(apps::greatest_difference(some, some) == 0);
    CHECK(apps::greatest_difference(some, {1, 2.5, 3}) == 0.5);
    CHECK(apps::greatest_difference(some, {1, 2}) == HUGE_VAL);
    CHECK(apps::greatest_difference(some, {std::nan(""), 2, 3}) == HUGE_VAL);

    const poisson::solution serial{{5, 0.25}, some};
    CHECK(poisson::difference_of(serial, serial).empty());
    CHECK(poisson::difference_of({{6, 0.25}, some}, serial).find("6 iterations") == 0);
    CHECK(poisson::difference_of({{5, std::nextafter(0.25, 1)}, some}, serial).find("5 iterations") == 0);
    CHECK(poisson::difference_of({{5, 0.25}, {1, 2, std::nextafter(3, 4)}}, serial).find("the solution") ==
          0);

    CHECK(vectors::difference_of({1, 2}, {1, 2}).empty());
    CHECK(vectors::difference_of({1, 2.001F}, {1, 2}).find("element 1") == 0);
    CHECK(vectors::difference_of({1}, {1, 2}).find("the result") == 0);
    CHECK(vectors::difference_of({std::nanf(""), 2}, {1, 2}).find("element 0") == 0);
}

TEST_CASE("the serial solver of Poisson's equation finds the solution that is known") {
    poisson::options given;
    given.size = 12;
    given.tolerance = 1e-14;
    const auto found = poisson::solve_serially(given, 3);
    CHECK(poisson::error_of(found.values, given.size, 3) < 1e-12);
    CHECK(poisson::error_of(found.values, given.size, 4) > 1e-5); // that of another right-hand side
    CHECK(found.done.change <= given.tolerance);
    given.iterations = 7;
    CHECK(poisson::solve_serially(given, 3).done.iterations == 7);
}

TEST_CASE("vectors are added and divided") {
    const std::vector<float> own{2, 4};
    CHECK(vectors::combine(std::vector<float>{1, 2, 3, 4, 5, 6}, own) == std::vector<float>{4.5, 3});
    constexpr int elements = 3, repetition = 1;
    const auto of = [&](int rank) { return vectors::own_vector(rank, elements, repetition); };
    // Ranks 2 and 3 meet in 2; 0 and 1 in 0; then 0 and 2 in 0.
    const auto result = vectors::serial_result({{2, 3}, {0, 1}, {0, 2}}, 4, elements, repetition);
    for (std::size_t i = 0; i < elements; ++i) {
        const float right = (of(2)[i] + of(3)[i]) / of(2)[i], left = (of(0)[i] + of(1)[i]) / of(0)[i];
        CHECK(result[i] == doctest::Approx((left + right) / of(0)[i]));
    }
    CHECK(vectors::serial_result({{0}}, 1, elements, repetition) == of(0));
}
