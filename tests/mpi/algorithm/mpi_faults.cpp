// SPDX-License-Identifier: BSL-1.0
// Verbs are right where some MPI is not (tests/mpi_faults): structs with padding that travel packed, and
// operands whose data does not begin at the element's address.
#include "support/collective_calls.hpp"
#include "support/made_up.hpp"
#include <topomp/collective/all_gather.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/gather.hpp>
#include <topomp/collective/iall_reduce.hpp>
#include <topomp/collective/ireduce.hpp>
#include <topomp/collective/reduce.hpp>
#include <topomp/collective/reduce_scatter_init.hpp>
#include <topomp/collective/scatter.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/datatype.hpp>
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace mpi_faults_tests {

struct mixed {
    char c;
    double d;
    short s;
    friend bool operator==(const mixed&, const mixed&) = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& c& d& s;
    }
};

} // namespace mpi_faults_tests

BOOST_IS_MPI_DATATYPE(mpi_faults_tests::mixed)

namespace mpi_faults_tests {

namespace {

mixed value(int rank, std::size_t index) {
    return {static_cast<char>((rank + static_cast<int>(index)) % 100),
            rank + 0.5 * static_cast<double>(index), static_cast<short>(index)};
}

std::vector<mixed> block_of(int rank, std::size_t count) {
    std::vector<mixed> block;
    for (std::size_t i = 0; i < count; ++i)
        block.push_back(value(rank, i));
    return block;
}

/// Where a block differs, or nothing.
template <class Policy>
std::string wrong_blocks(const topo::hierarchy& levels, std::size_t count) {
    const int rank = levels.whole().rank(), ranks = levels.whole().size();
    std::vector<mixed> expected;
    for (int each = 0; each < ranks; ++each)
        for (const mixed& one : block_of(each, count))
            expected.push_back(one);
    const auto mine = block_of(rank, count);
    std::string wrong;
    for (const int root : {0, ranks - 1}) {
        std::vector<mixed> all(rank == root ? expected.size() : 0), received(count);
        topo::gather(levels, mine, all, root, Policy{});
        if (rank == root && all != expected) wrong += "gather; ";
        all.assign(expected.begin(), expected.end());
        topo::scatter(levels, all, received, root, Policy{});
        if (received != mine) wrong += "scatter; ";
    }
    std::vector<mixed> of_all(expected.size());
    topo::all_gather(levels, mine, of_all, Policy{});
    if (of_all != expected) wrong += "all_gather; ";
    return wrong;
}

constexpr std::size_t offset = 8, extent = 16;

void add(void* in, void* inout, int* count, MPI_Datatype*) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
        std::int32_t a = 0, b = 0;
        std::memcpy(&a, static_cast<char*>(in) + i * extent + offset, sizeof a);
        std::memcpy(&b, static_cast<char*>(inout) + i * extent + offset, sizeof b);
        b += a;
        std::memcpy(static_cast<char*>(inout) + i * extent + offset, &b, sizeof b);
    }
}

/// An integer behind 8 bytes that are no data.
class behind_a_gap {
public:
    behind_a_gap() {
        const int one = 1;
        const MPI_Aint at = offset;
        MPI_Datatype raw = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed(1, &one, &at, MPI_INT32_T, &raw);
        MPI_Type_create_resized(raw, 0, extent, &type);
        MPI_Type_commit(&type);
        MPI_Type_free(&raw);
        MPI_Op_create(&add, 1, &op);
    }
    behind_a_gap(const behind_a_gap&) = delete;
    behind_a_gap& operator=(const behind_a_gap&) = delete;
    ~behind_a_gap() {
        MPI_Op_free(&op);
        MPI_Type_free(&type);
    }

    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
};

std::vector<char> elements(std::size_t count, char gap, int first) {
    std::vector<char> bytes(count * extent, gap);
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<std::int32_t>(first * (static_cast<int>(i) + 1));
        std::memcpy(&bytes[i * extent + offset], &number, sizeof number);
    }
    return bytes;
}

template <class Policy>
std::string wrong_sums(const topo::hierarchy& levels, std::size_t count) {
    const int rank = levels.whole().rank(), ranks = levels.whole().size(), root = ranks - 1;
    const behind_a_gap shifted;
    const auto mine = elements(count, 'x', rank + 1);
    const auto sum = elements(count, 'x', ranks * (ranks + 1) / 2);
    std::vector<char> result = mine; // with the same gaps, which stay as they are
    const topo::message to{result.data(), count, shifted.type};
    std::string wrong;
    topo::all_reduce(levels, mine.data(), to, shifted.op, Policy{});
    if (result != sum) wrong += "all_reduce; ";
    result = mine;
    topo::all_reduce(levels, MPI_IN_PLACE, to, shifted.op, Policy{});
    if (result != sum) wrong += "all_reduce in place; ";
    result = mine;
    topo::reduce(levels, mine.data(), to, shifted.op, root, Policy{});
    if (rank == root && result != sum) wrong += "reduce; ";
    return wrong;
}

std::string wrong_sums_in_background(const topo::hierarchy& levels, std::size_t count) {
    const int rank = levels.whole().rank(), ranks = levels.whole().size(), root = ranks - 1;
    const behind_a_gap shifted;
    const auto mine = elements(count, 'x', rank + 1);
    const auto sum = elements(count, 'x', ranks * (ranks + 1) / 2);
    std::vector<char> first = mine, second = mine;
    auto one = topo::iall_reduce(levels, mine.data(), topo::message{first.data(), count, shifted.type},
                                 shifted.op, topo::flat{});
    one.wait();
    auto two = topo::ireduce(levels, mine.data(), topo::message{second.data(), count, shifted.type},
                             shifted.op, root, topo::flat{});
    two.wait();
    std::string wrong;
    if (first != sum) wrong += "iall_reduce; ";
    if (rank == root && second != sum) wrong += "ireduce; ";
    return wrong;
}

} // namespace

TEST_CASE("structs with padding travel whole") {
    const boost::mpi::communicator world;
    const auto all = topo_test::scenarios(world.size());
    for (const std::size_t which : {1U, 3U}) { // one node, uneven ones
        const topo::hierarchy levels{world, all[which].on, all[which].rule};
        INFO(all[which].name);
        for (const std::size_t count : {3U, 845U, 1891U, 20000U}) {
            CAPTURE(count);
            CHECK(wrong_blocks<topo::automatic>(levels, count) == "");
            CHECK(wrong_blocks<topo::flat>(levels, count) == "");
            CHECK(wrong_blocks<topo::chain>(levels, count) == "");
            CHECK(wrong_blocks<topo::linear>(levels, count) == "");
            CHECK(wrong_blocks<topo::binomial>(levels, count) == "");
        }
    }
}

TEST_CASE("operands may lie anywhere in their elements") {
    const boost::mpi::communicator world;
    const auto all = topo_test::scenarios(world.size());
    for (const std::size_t which : {1U, 3U}) {
        const topo::hierarchy levels{world, all[which].on, all[which].rule};
        INFO(all[which].name);
        for (const std::size_t count : {1U, 100U, 1500U, 5000U, 16000U}) {
            CAPTURE(count);
            CHECK(wrong_sums<topo::automatic>(levels, count) == "");
            CHECK(wrong_sums<topo::flat>(levels, count) == "");
            CHECK(wrong_sums<topo::native>(levels, count) == "");
            CHECK(wrong_sums<topo::binomial>(levels, count) == "");
            CHECK(wrong_sums_in_background(levels, count) == "");
        }
    }
}

namespace {

/// Neighbours that meet, with a gap behind each.
struct interval {
    int first, last, gap[6];
};

void join(void* left, void* right, int* count, MPI_Datatype*) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
        const interval& a = static_cast<interval*>(left)[i];
        interval& b = static_cast<interval*>(right)[i];
        b.first = a.last + 1 == b.first ? a.first : -1000;
    }
}

} // namespace

TEST_CASE("a prepared reduce_scatter of such operands, in the order of ranks, starts alone") {
    const boost::mpi::communicator world;
    const int rank = world.rank(), size = world.size();
    // Its ranks alternate between the nodes: what combines in their order needs communicators of its own.
    const topo::hierarchy levels{world, topo::machine::parse("node:2 core:4"),
                                 topo::placement::round_robin()};
    MPI_Datatype data = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &data);
    MPI_Type_create_resized(data, 0, sizeof(interval), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&data);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(&join, 0, &op);
    const std::size_t count = 9;
    const std::vector<interval> all(count * static_cast<std::size_t>(size), interval{rank, rank, {}});
    std::vector<interval> mine(count);
    {
        auto step =
            topo::reduce_scatter_init(levels, topo::blocks{const_cast<interval*>(all.data()), type, count},
                                      topo::message{mine.data(), count, type}, op, topo::flat{});
        for (int again = 0; again < 2; ++again) {
            mine.assign(count, interval{});
            if (rank > 0) world.recv(rank - 1, 77); // who waited for the next one would wait for ever
            step.start();
            if (rank + 1 < size) world.send(rank + 1, 77);
            step.wait();
            for (const interval& each : mine) {
                CHECK(each.first == 0);
                CHECK(each.last == size - 1);
            }
        }
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

} // namespace mpi_faults_tests
