// SPDX-License-Identifier: BSL-1.0
// What the verbs move and combine: C++ types and function objects by Boost.MPI's traits, derived datatypes
// with gaps.
#include "support/check_fails.hpp"
#include "support/collective_calls.hpp"
#include "support/collective_policies.hpp"
#include <topomp/collective/exclusive_scan.hpp>
#include <topomp/collective/scan.hpp>
#include <topomp/core/detail/type_order.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/datatype.hpp>
#include <boost/mpi/operations.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tree_verbs_types_tests {

namespace {

/// A user's own struct.
struct particle {
    double mass = 0;
    std::int32_t charge = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& mass& charge;
    }
    friend bool operator==(const particle&, const particle&) = default;
};

/// Its sum, in any order.
struct merge {
    particle operator()(const particle& a, const particle& b) const {
        return {a.mass + b.mass, a.charge + b.charge};
    }
};

/// One that ends with what is not sent.
struct measurement {
    double value = 0;
    std::int16_t unit = 0;
    double own = -1; ///< of the rank

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& value& unit;
    }
    friend bool operator==(const measurement&, const measurement&) = default;
};

/// Another one, whose operation depends on the order: digits put behind each other, modulo a prime.
struct digits {
    std::uint32_t value = 0, power = 1;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& value& power;
    }
    friend bool operator==(const digits&, const digits&) = default;
};

struct behind {
    digits operator()(const digits& a, const digits& b) const {
        constexpr std::uint64_t prime = 1000003;
        return {static_cast<std::uint32_t>((std::uint64_t{a.value} * b.power + b.value) % prime),
                static_cast<std::uint32_t>(std::uint64_t{a.power} * b.power % prime)};
    }
};

} // namespace
} // namespace tree_verbs_types_tests

BOOST_IS_MPI_DATATYPE(tree_verbs_types_tests::particle)
BOOST_IS_MPI_DATATYPE(tree_verbs_types_tests::measurement)
BOOST_IS_MPI_DATATYPE(tree_verbs_types_tests::digits)

namespace boost::mpi {
template <>
struct is_commutative<tree_verbs_types_tests::merge, tree_verbs_types_tests::particle> : mpl::true_ {};
} // namespace boost::mpi

namespace tree_verbs_types_tests {
namespace {

digits digit(int rank) { return {static_cast<std::uint32_t>(rank * 7 % 10), 10}; }

digits number_of_all(int size) {
    digits result = digit(0);
    for (int rank = 1; rank < size; ++rank)
        result = behind{}(result, digit(rank));
    return result;
}

/// The tests of this file run on a machine whose ranks interleave, and on one with an odd one out.
std::vector<topo::hierarchy> hierarchies(const boost::mpi::communicator& world) {
    std::vector<topo::hierarchy> result;
    const auto all = topo_test::scenarios(world.size());
    for (const std::size_t chosen : {std::size_t{3}, std::size_t{9}})
        result.emplace_back(world, all[chosen].on, all[chosen].rule);
    return result;
}

using mixed = topo::per_level<topo::on<topo::kind::machine, topo::binomial>, topo::otherwise<topo::chain>>;

} // namespace

TEST_CASE("vectors, arrays, spans and single values are broadcast from every root") {
    const boost::mpi::communicator world;
    for (const auto& levels : hierarchies(world))
        for (const int root : topo_test::roots(world.size())) {
            const bool is_root = world.rank() == root;
            std::vector<int> vector(5, is_root ? root + 100 : -1);
            topo::broadcast(levels, vector, root, mixed{});
            CHECK(vector == std::vector<int>(5, root + 100));

            std::array<double, 3> array{};
            if (is_root) array = {1.5, 2.5, root + 0.5};
            topo::broadcast(levels, array, root);
            CHECK(array == std::array<double, 3>{1.5, 2.5, root + 0.5});

            std::vector<char> text(9, is_root ? 'r' : '-');
            topo::broadcast(levels, std::span{text}.subspan(2, 4), root, topo::chain{});
            CHECK(text == (is_root ? std::vector<char>(9, 'r')
                                   : std::vector<char>{'-', '-', 'r', 'r', 'r', 'r', '-', '-', '-'}));

            particle one = is_root ? particle{2.0, root} : particle{};
            topo::broadcast(levels, one, root, topo::binary{});
            CHECK(one == particle{2.0, root});

            std::vector<std::uint64_t> none;
            topo::broadcast(levels, none, root, topo::linear{});
            CHECK(none.empty());
        }
}

TEST_CASE("the operations of the standard library and of Boost.MPI") {
    const boost::mpi::communicator world;
    const int n = world.size(), rank = world.rank();
    for (const auto& levels : hierarchies(world)) {
        CHECK(topo::all_reduce(levels, rank + 1, std::plus<>{}) == n * (n + 1) / 2);
        CHECK(topo::all_reduce(levels, rank + 1, std::plus<int>{}, mixed{}) == n * (n + 1) / 2);
        CHECK(topo::all_reduce(levels, rank % 3 == 1 ? 2L : 1L, std::multiplies<>{}, topo::k_ary<3>{}) ==
              (1L << ((n + 1) / 3)));
        CHECK(topo::all_reduce(levels, 10 - rank, boost::mpi::minimum<int>{}, mixed{}) == 11 - n);
        CHECK(topo::all_reduce(levels, rank * 0.5, boost::mpi::maximum<double>{}, topo::chain{}) ==
              (n - 1) * 0.5);
        CHECK(topo::all_reduce(levels, rank != 0, std::logical_and<>{}, mixed{}) == false);
        CHECK(topo::all_reduce(levels, rank == n - 1, std::logical_or<>{}, mixed{}) == true);
        CHECK(topo::all_reduce(levels, 1 << rank % 8, boost::mpi::bitwise_or<int>{}, mixed{}) ==
              (n >= 8 ? 255 : (1 << n) - 1));
    }
}

TEST_CASE("results that own their memory") {
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:2"),
                                 topo::placement::round_robin()};
    const int rank = world.rank(), size = world.size(), last = size - 1;
    const std::vector<int> mine{rank, 2 * rank + 1};
    const auto sum_below = [](int end) { return std::vector<int>{end * (end - 1) / 2, end * end}; };
    CHECK(topo::all_reduce(levels, mine, std::plus<>{}) == sum_below(size));
    CHECK(topo::all_reduce(levels, std::span{mine}, std::plus<>{}, topo::chain{}) == sum_below(size));
    CHECK(topo::reduce(levels, mine, std::plus<>{}, last) ==
          (rank == last ? sum_below(size) : std::vector<int>{}));
    CHECK(topo::reduce(levels, mine, std::plus<>{}, 0, topo::binomial{}) ==
          (rank == 0 ? sum_below(size) : std::vector<int>{}));
    CHECK(topo::scan(levels, mine, std::plus<>{}) == sum_below(rank + 1));
    CHECK(topo::exclusive_scan(levels, mine, std::plus<>{}, topo::linear{}) == sum_below(rank));
}

TEST_CASE("a lambda without state is an operation; without a word on it, operands keep their order") {
    const boost::mpi::communicator world;
    for (const auto& levels : hierarchies(world)) {
        const auto last = [](int, int b) { return b; };
        CHECK(topo::all_reduce(levels, world.rank() * 3, last, topo::in_order_binary{}) ==
              (world.size() - 1) * 3);
        const auto first = [](int a, int) { return a; };
        int result = -1;
        topo::reduce(levels, world.rank() + 40, result, first, world.size() - 1, topo::k_nomial<3>{});
        CHECK(result == (world.rank() == world.size() - 1 ? 40 : -1));
    }
}

TEST_CASE("user's structs and operations, said to be commutative or not") {
    static_assert(topo::detail::is_commutative<merge, particle>);
    static_assert(!topo::detail::is_commutative<behind, digits>);
    const boost::mpi::communicator world;
    const int n = world.size(), rank = world.rank();
    const std::vector<particle> mine(11, {0.25 * (rank + 1), rank});
    const particle all{0.25 * (n * (n + 1) / 2), n * (n - 1) / 2};
    for (const auto& levels : hierarchies(world)) {
        for (const int root : topo_test::roots(n)) {
            std::vector<particle> sum(rank == root ? mine.size() : 0);
            topo::reduce(levels, mine, sum, merge{}, root, topo::segmented<40, topo::binary>{});
            CHECK(sum == std::vector<particle>(rank == root ? 11 : 0, all));

            const std::vector<digits> one(3, digit(rank));
            std::vector<digits> number(3);
            topo::reduce(levels, one, number, behind{}, root, mixed{});
            CHECK(number == std::vector<digits>(3, rank == root ? number_of_all(n) : digits{}));
        }
        std::vector<particle> both = mine; // the same memory is in place
        topo::all_reduce(levels, both, both, merge{}, mixed{});
        CHECK(both == std::vector<particle>(11, all));
        CHECK(topo::all_reduce(levels, digit(rank), behind{}) == number_of_all(n));
        CHECK(topo::all_reduce(levels, digit(rank), behind{}, topo::native{}) == number_of_all(n));
    }
}

TEST_CASE("vectors of structs with members that are not sent") {
    const boost::mpi::communicator world;
    const int n = world.size(), rank = world.rank();
    const auto larger = [](const measurement& a, const measurement& b) { return a.value > b.value ? a : b; };
    for (const auto& levels : hierarchies(world))
        for (const int root : topo_test::roots(n)) {
            std::vector<measurement> some(5, {1.0, 1, 0.5 * rank});
            if (rank == root) some.assign(5, {root + 7.0, 3, 0.5 * rank});
            topo::broadcast(levels, some, root, mixed{});
            CHECK(some == std::vector<measurement>(5, {root + 7.0, 3, 0.5 * rank}));

            for (auto& each : some)
                each.value = rank;
            std::vector<measurement> most(5);
            topo::reduce(levels, some, most, larger, root, mixed{});
            bool is_right = true;
            for (const auto& each : most)
                is_right = is_right && each.value == (rank == root ? n - 1 : 0);
            CHECK(is_right);
        }
}

namespace {

/// One double, eight bytes that are padding, an int and four more such bytes; the type's elements are 24
/// bytes apart, and its data begin 4 bytes behind their address.
struct gappy {
    static constexpr std::size_t size = 24;
    static constexpr std::size_t number_at = 16, map_at = 4;

    static MPI_Datatype make() {
        const std::array<int, 2> lengths{1, 1};
        const std::array<MPI_Aint, 2> places{number_at, map_at};
        const std::array<MPI_Datatype, 2> types{MPI_DOUBLE, MPI_INT32_T};
        MPI_Datatype bare = MPI_DATATYPE_NULL, result = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &bare);
        MPI_Type_create_resized(bare, 0, size, &result);
        MPI_Type_commit(&result);
        MPI_Type_free(&bare);
        return result;
    }

    template <class T>
    static T read(const std::byte* element, std::size_t at) {
        T value{};
        std::copy_n(element + at, sizeof(T), reinterpret_cast<std::byte*>(&value));
        return value;
    }
    template <class T>
    static void write(std::byte* element, std::size_t at, T value) {
        std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof(T), element + at);
    }

    /// Two maps x -> a x + b modulo 251, each in one int, after one another: depends on the order.
    static std::int32_t joined(std::int32_t first, std::int32_t second) {
        const int a = first / 256, b = first % 256, c = second / 256, d = second % 256;
        return a * c % 251 * 256 + (b * c + d) % 251;
    }
    static std::int32_t map_of(int rank, std::size_t i) {
        return (2 + (rank * 5 + static_cast<int>(i)) % 249) * 256 + (rank * 17 + static_cast<int>(i)) % 251;
    }

    /// Adds the numbers and joins the maps.
    static void combine(void* left, void* right, int* elements, MPI_Datatype*) {
        const auto* first = static_cast<const std::byte*>(left);
        auto* second = static_cast<std::byte*>(right);
        for (int i = 0; i < *elements; ++i, first += size, second += size) {
            write(second, number_at, read<double>(first, number_at) + read<double>(second, number_at));
            write(second, map_at,
                  joined(read<std::int32_t>(first, map_at), read<std::int32_t>(second, map_at)));
        }
    }
};

/// Elements of that type in memory that is full of a mark, which shall stay in the gaps.
class gappy_buffer {
public:
    gappy_buffer(std::size_t count, std::byte mark) : bytes_(count * gappy::size, mark), mark_(mark) {}

    std::byte* data() { return bytes_.data(); }
    void set(std::size_t i, double number, std::int32_t map) {
        gappy::write(data() + i * gappy::size, gappy::number_at, number);
        gappy::write(data() + i * gappy::size, gappy::map_at, map);
    }
    double number(std::size_t i) const {
        return gappy::read<double>(bytes_.data() + i * gappy::size, gappy::number_at);
    }
    std::int32_t map(std::size_t i) const {
        return gappy::read<std::int32_t>(bytes_.data() + i * gappy::size, gappy::map_at);
    }
    bool has_whole_gaps() const {
        for (std::size_t at = 0; at < bytes_.size(); ++at) {
            const std::size_t inside = at % gappy::size;
            const bool is_data = (inside >= gappy::number_at && inside < gappy::number_at + 8) ||
                                 (inside >= gappy::map_at && inside < gappy::map_at + 4);
            if (!is_data && bytes_[at] != mark_) return false;
        }
        return true;
    }
    bool is_untouched() const {
        return std::ranges::all_of(bytes_, [&](std::byte each) { return each == mark_; });
    }

private:
    std::vector<std::byte> bytes_;
    std::byte mark_;
};

struct gappy_tests {
    const topo::hierarchy& levels;
    const topo_test::verbs& by;
    MPI_Datatype type;
    MPI_Op op;
    std::size_t elements;
    topo_test::complaints& wrong;

    int rank() const { return levels.whole().rank(); }
    gappy_buffer mine() const {
        gappy_buffer result{elements, std::byte{0x5A}};
        for (std::size_t i = 0; i < elements; ++i)
            result.set(i, 0.5 * rank() + static_cast<double>(i), gappy::map_of(rank(), i));
        return result;
    }
    bool is_result(const gappy_buffer& result) const {
        for (std::size_t i = 0; i < elements; ++i) {
            double number = static_cast<double>(i);
            std::int32_t map = gappy::map_of(0, i);
            for (int other = 1; other < levels.whole().size(); ++other) {
                number += 0.5 * other + static_cast<double>(i);
                map = gappy::joined(map, gappy::map_of(other, i));
            }
            if (result.number(i) != number || result.map(i) != map) return false;
        }
        return result.has_whole_gaps();
    }

    void broadcast(int root) const {
        gappy_buffer buffer = rank() == root ? mine() : gappy_buffer{elements, std::byte{0x33}};
        by.broadcast(levels, {buffer.data(), elements, type}, root);
        bool is_right = buffer.has_whole_gaps();
        for (std::size_t i = 0; i < elements; ++i)
            is_right = is_right && buffer.number(i) == 0.5 * root + static_cast<double>(i) &&
                       buffer.map(i) == gappy::map_of(root, i);
        wrong.expect(is_right, "broadcast by " + by.name + ", root " + std::to_string(root));
    }
    void reduce(int root) const {
        gappy_buffer input = mine(), result{elements, std::byte{0x77}};
        by.reduce(levels, input.data(), {result.data(), elements, type}, op, root);
        wrong.expect(rank() == root ? is_result(result) : result.is_untouched(),
                     "reduce by " + by.name + ", root " + std::to_string(root));
        const gappy_buffer same = mine();
        bool is_same = input.has_whole_gaps();
        for (std::size_t i = 0; i < elements; ++i)
            is_same = is_same && input.number(i) == same.number(i) && input.map(i) == same.map(i);
        wrong.expect(is_same, "input of reduce by " + by.name);
    }
    void all_reduce() const {
        gappy_buffer input = mine(), result{elements, std::byte{0x77}};
        by.all_reduce(levels, input.data(), {result.data(), elements, type}, op);
        wrong.expect(is_result(result), "all_reduce by " + by.name);
        by.all_reduce(levels, MPI_IN_PLACE, {input.data(), elements, type}, op);
        wrong.expect(is_result(input), "all_reduce in place by " + by.name);
    }
};

} // namespace

TEST_CASE("derived datatypes with gaps: every policy leaves the gaps alone") {
    const boost::mpi::communicator world;
    MPI_Datatype type = gappy::make();
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&gappy::combine, 0, &op);
    std::size_t combinations = 0;
    char received = 0; // copies inside a rank are no messages that the user could get
    MPI_Request to_myself = MPI_REQUEST_NULL;
    MPI_Irecv(&received, 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &to_myself);
    auto policies = topo_test::ordered_policies();
    policies.push_back(topo_test::verbs_by<topo::lanes<>>("lanes"));
    policies.push_back(topo_test::verbs_by<topo::lanes<topo::native, topo::native>>("native lanes"));
    for (const auto& levels : hierarchies(world))
        for (const auto& by : policies) {
            if (++combinations % (1 + topo_test::sampling(world) / 4) != 0) continue;
            topo_test::complaints wrong;
            for (const std::size_t elements : {1U, 2U, 50U}) {
                const gappy_tests now{levels, by, type, op, elements, wrong};
                for (const int root : topo_test::roots(world.size())) {
                    now.broadcast(root);
                    now.reduce(root);
                }
                now.all_reduce();
            }
            INFO(wrong.text());
            CHECK(wrong.text().empty());
        }
    int arrived = 1;
    MPI_Test(&to_myself, &arrived, MPI_STATUS_IGNORE);
    CHECK(arrived == 0);
    MPI_Send("m", 1, MPI_CHAR, 0, 5, MPI_COMM_SELF);
    MPI_Wait(&to_myself, MPI_STATUS_IGNORE);
    CHECK(received == 'm');
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

TEST_CASE("a column of a matrix is broadcast into rows and columns: only signatures must agree") {
    const boost::mpi::communicator world;
    constexpr int rows = 30, columns = 7, column = 3;
    MPI_Datatype strided = MPI_DATATYPE_NULL;
    MPI_Type_vector(rows, 1, columns, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    for (const auto& levels : hierarchies(world))
        for (const int root : topo_test::roots(world.size())) {
            std::vector<int> matrix(rows * columns, -1);
            if (world.rank() == root) std::iota(matrix.begin(), matrix.end(), root);
            // One element of the vector type, whole: here it cannot be cut.
            topo::broadcast(levels, topo::message{matrix.data() + column, 1, strided}, root,
                            topo::segmented<16, topo::binomial>{});
            bool is_right = true;
            for (int i = 0; i < rows * columns; ++i) {
                const bool is_here = world.rank() == root || i % columns == column;
                is_right = is_right && matrix[static_cast<std::size_t>(i)] == (is_here ? root + i : -1);
            }
            CHECK(is_right);
        }
    MPI_Type_free(&strided);
}

namespace {

/// Bytes in blocks of a length, of which MPI sends the last two in the other order.
MPI_Datatype with_end_turned(std::size_t bytes, int length) {
    const int all = static_cast<int>(bytes) / length;
    std::vector<int> lengths(static_cast<std::size_t>(all), length), places;
    for (int i = 0; i < all; ++i)
        places.push_back(i * length);
    if (all > 1) std::swap(places[places.size() - 1], places[places.size() - 2]);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_indexed(all, lengths.data(), places.data(), MPI_BYTE, &made);
    return made;
}

bool is_dense(MPI_Datatype type) { return topo::detail::type_layout{type}.is_dense; }

} // namespace

TEST_CASE("elements are dense if MPI sends their bytes as they lie") {
    CHECK(is_dense(MPI_INT));
    CHECK(is_dense(MPI_2INT));
    int data = 0;
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_size(MPI_SHORT_INT, &data);
    MPI_Type_get_extent(MPI_SHORT_INT, &lower, &extent);
    CHECK(is_dense(MPI_SHORT_INT) == (data == extent)); // SimGrid's size is that of the struct
    CHECK(is_dense(topo::detail::datatype_of<digits>()));
    CHECK(!is_dense(topo::detail::datatype_of<measurement>()));
    constexpr std::size_t longest = topo::detail::type_order::longest;
    // One that differs in the low, the middle and the high part of its bytes' indices, and one that is too
    // long.
    for (const auto& each : {std::pair{std::size_t{2}, 1}, std::pair{std::size_t{1024}, 256},
                             std::pair{std::size_t{262144}, 65536}, std::pair{2 * longest, 65536}}) {
        const std::size_t bytes = each.first;
        const int length = each.second;
        CAPTURE(bytes);
        MPI_Datatype turned = with_end_turned(bytes, length), straight = MPI_DATATYPE_NULL,
                     inside = MPI_DATATYPE_NULL, dup = MPI_DATATYPE_NULL, even = MPI_DATATYPE_NULL;
        const auto step = static_cast<MPI_Aint>(bytes);
        MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &straight);
        MPI_Type_contiguous(3, turned, &inside);
        MPI_Type_create_resized(straight, 0, step, &dup);
        MPI_Type_vector(2, length, length, MPI_BYTE, &even);
        for (int time = 0; time < 2; ++time) { // found, and remembered
            CHECK(!is_dense(turned));
            CHECK(!is_dense(inside));
            CHECK(is_dense(straight));
#ifndef SMPI_H // whose resized datatypes are structs, which are packed to find out
            CHECK(is_dense(dup));
#endif
            CHECK(is_dense(even));
        }
        for (MPI_Datatype* type : {&turned, &straight, &inside, &dup, &even})
            MPI_Type_free(type);
    }
    // As long as its data, with a gap and an overlap.
    const std::array lengths{1, 1, 1}, places{0, 0, 2};
    MPI_Datatype overlapping = MPI_DATATYPE_NULL;
    MPI_Type_indexed(3, lengths.data(), places.data(), MPI_INT, &overlapping);
    CHECK(!is_dense(overlapping));
    MPI_Type_free(&overlapping);
    // A matrix column by column has no gaps, but its columns have, which reach far behind the bytes of one.
    constexpr int rows = 2000;
    constexpr MPI_Aint element = sizeof(double);
    MPI_Datatype column = MPI_DATATYPE_NULL, next = MPI_DATATYPE_NULL, columns = MPI_DATATYPE_NULL,
                 transposed = MPI_DATATYPE_NULL;
    MPI_Type_vector(rows, 1, rows, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, element, &next);
    MPI_Type_contiguous(rows, next, &columns);
    MPI_Type_create_resized(columns, 0, rows * rows * element, &transposed);
    MPI_Type_commit(&transposed);
    CHECK(!is_dense(transposed));
    for (MPI_Datatype* type : {&column, &next, &columns, &transposed})
        MPI_Type_free(type);
}

#ifndef SMPI_H // which sends other elements (tests/mpi_faults/turned_elements.cpp)
TEST_CASE("elements without gaps in another order are broadcast into plain ones and back") {
    const boost::mpi::communicator world;
    const std::array lengths{1, 1}, places{1, 0};
    MPI_Datatype turned = MPI_DATATYPE_NULL, plain = MPI_DATATYPE_NULL;
    MPI_Type_indexed(2, lengths.data(), places.data(), MPI_INT, &turned);
    MPI_Type_contiguous(2, MPI_INT, &plain);
    MPI_Type_commit(&turned);
    MPI_Type_commit(&plain);
    auto policies = topo_test::ordered_policies();
    policies.push_back(topo_test::verbs_by<topo::automatic>("automatic"));
    policies.push_back(
        topo_test::verbs_by<topo::hierarchical<topo::within<topo::kind::machine, topo::shared>,
                                               topo::otherwise<topo::mpi_calls>>>("shared memory"));
    topo_test::complaints wrong;
    for (const auto& levels : hierarchies(world))
        for (const auto& by : policies)
            for (const std::size_t pairs : {1U, 1500U})
                for (const int root : {0, world.size() - 1})
                    for (const bool root_is_turned : {true, false}) {
                        const bool is_root = world.rank() == root, is_turned = is_root == root_is_turned;
                        std::vector<int> elements(2 * pairs, -1), expected(elements);
                        for (std::size_t i = 0; i < elements.size(); ++i)
                            expected[is_turned ? i ^ 1U : i] = root + static_cast<int>(i);
                        if (is_root) elements = expected;
                        if (by.broadcast == nullptr) continue;
                        by.broadcast(levels, {elements.data(), pairs, is_turned ? turned : plain}, root);
                        wrong.expect(elements == expected, by.name + " of " + std::to_string(pairs));
                    }
    INFO(wrong.text());
    CHECK(wrong.text().empty());
    MPI_Type_free(&turned);
    MPI_Type_free(&plain);
}
#endif

TEST_CASE("misuse that a rank can see by itself is refused") {
    const boost::mpi::communicator world;
    const auto levels = hierarchies(world).front();
    int value = 0, result = 0;
    const std::string size = std::to_string(world.size());
    topo_test::check_fails<topo::argument_error>([&] { topo::broadcast(levels, value, world.size()); },
                                                 {"topo::broadcast", "root " + size, size + " ranks"});
    topo_test::check_fails<topo::argument_error>([&] { topo::broadcast(levels, value, -1); },
                                                 {"topo::broadcast", "root -1"});
    topo_test::check_fails<topo::argument_error>(
        [&] { topo::reduce(levels, value, result, std::plus<>{}, world.size()); },
        {"topo::reduce", "root " + size});
    const std::vector<int> three(3);
    std::vector<int> two(2);
    topo_test::check_fails<topo::argument_error>([&] { topo::all_reduce(levels, three, two, std::plus<>{}); },
                                                 {"topo::all_reduce", "2 elements", "are 3"});
    // On a reduce only the root has a result, so only it can see that.
    if (world.size() == 1)
        topo_test::check_fails<topo::argument_error>(
            [&] { topo::reduce(levels, three, two, std::plus<>{}, 0); },
            {"topo::reduce", "2 elements", "are 3"});
}

} // namespace tree_verbs_types_tests
