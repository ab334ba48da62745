// SPDX-License-Identifier: BSL-1.0
// More than 2^31 bytes and elements in one call. 2 ranks, 2.1 GB each.
#include "support/program_check.hpp"
#include <topomp/collective/all_gatherv.hpp>
#include <topomp/collective/all_reduce.hpp>
#include <topomp/collective/all_to_allv.hpp>
#include <topomp/collective/broadcast.hpp>
#include <topomp/collective/gather_init.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace {

constexpr std::size_t block = 65536;
constexpr std::size_t blocks = 32768 + 77;
constexpr std::size_t words = blocks * block / sizeof(std::uint64_t);
static_assert(blocks * block > std::size_t{1} << 31 && words % 2 == 0);

std::uint64_t word(std::size_t i, std::uint64_t call) { return i * 0x9E3779B97F4A7C15U + call; }

void fill(std::uint64_t* data, std::uint64_t call) {
    for (std::size_t i = 0; i < words; ++i)
        data[i] = word(i, call);
}

bool is(const std::uint64_t* data, std::uint64_t call) {
    for (std::size_t i = 0; i < words; ++i)
        if (data[i] != word(i, call)) return false;
    return true;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const boost::mpi::communicator world;
        const topo::hierarchy levels{world, topo::machine::parse("node:2 core:1"),
                                     topo::placement::core_by_core()};
        const std::unique_ptr<std::uint64_t[]> data{new std::uint64_t[words]}; // not zeroed
        MPI_Datatype blocks_of = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(block, MPI_BYTE, &blocks_of);
        MPI_Type_commit(&blocks_of);

        if (world.rank() == 1) fill(data.get(), 1);
        topo::broadcast(levels, topo::message{data.get(), blocks, blocks_of}, 1, topo::binomial{});
        topo_test::check(is(data.get(), 1), "elements of a derived type, in as few pieces as MPI can count");

        MPI_Datatype whole = MPI_DATATYPE_NULL, apart = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(blocks, blocks_of, &whole);
        MPI_Type_commit(&whole);
        if (world.rank() == 1) fill(data.get(), 10);
        topo::broadcast(levels, topo::message{data.get(), 1, whole}, 1, topo::binomial{});
        topo_test::check(is(data.get(), 10), "one element of more than 2^31 bytes");
        if (world.rank() == 0) fill(data.get(), 11);
        topo::broadcast(levels, topo::message{data.get(), 1, whole}, 0);
        topo_test::check(is(data.get(), 11), "the same by the policy automatic");

        MPI_Type_vector(blocks, block, block + 1, MPI_BYTE, &apart);
        MPI_Type_commit(&apart);
        bool is_refused = false;
        try {
            topo::broadcast(levels, topo::message{data.get(), 1, apart}, 0, topo::binomial{});
        } catch (const topo::argument_error& problem) {
            is_refused = std::string_view{problem.what()}.find("bytes and gaps") != std::string_view::npos;
        }
        topo_test::check(is_refused, "one such element with gaps, which MPI cannot pack");
        MPI_Type_free(&whole);
        MPI_Type_free(&apart);

        if (world.rank() == 0) fill(data.get(), 2);
        topo::broadcast(levels, topo::message{data.get(), blocks * block, MPI_BYTE}, 0,
                        topo::segmented<1 << 20, topo::chain>{});
        topo_test::check(is(data.get(), 2), "bytes in segments");

        if (world.rank() == 0) fill(data.get(), 3);
        topo::broadcast(levels, topo::message{data.get(), blocks * block, MPI_BYTE}, 0, topo::flat{});
        topo_test::check(is(data.get(), 3), "bytes by the MPI");

        fill(data.get(), world.rank() == 0 ? 4 : 5);
        topo::all_reduce(levels, MPI_IN_PLACE, topo::message{data.get(), blocks * block, MPI_UINT8_T},
                         MPI_BXOR, topo::segmented<1 << 20, topo::linear>{});
        bool is_right = true;
        for (std::size_t i = 0; i < words; ++i)
            is_right = is_right && data[i] == (word(i, 4) ^ word(i, 5));
        topo_test::check(is_right, "more than 2^31 elements reduced");

        // Nearly everything is rank 0's.
        const std::size_t counts[] = {blocks * block - 8, 8}, nothing[] = {0, 0};
        const topo::blocks all{data.get(), MPI_BYTE, 0, counts};
        const auto put_own = [&](std::uint64_t call) {
            if (world.rank() == 0)
                fill(data.get(), call);
            else
                data[words - 1] = word(words - 1, call);
        };
        put_own(6);
        topo::all_gatherv(levels, {MPI_IN_PLACE}, all, topo::ring{});
        topo_test::check(is(data.get(), 6), "blocks of more than 2^31 bytes around a ring");
        put_own(7);
        topo::all_gatherv(levels, {MPI_IN_PLACE}, all, topo::flat{});
        topo_test::check(is(data.get(), 7), "where the MPI cannot count them, another way is taken");

        const std::size_t to_rank_1[] = {0, blocks * block}, from_rank_0[] = {blocks * block, 0};
        const auto send_all = [&](auto policy) {
            if (world.rank() == 0)
                topo::all_to_allv(levels, topo::blocks{data.get(), MPI_BYTE, 0, to_rank_1},
                                  topo::blocks{nullptr, MPI_BYTE, 0, nothing}, policy);
            else
                topo::all_to_allv(levels, topo::blocks{nullptr, MPI_BYTE, 0, nothing},
                                  topo::blocks{data.get(), MPI_BYTE, 0, from_rank_0}, policy);
        };
        if (world.rank() == 0) fill(data.get(), 8);
        send_all(topo::pairwise{});
        topo_test::check(is(data.get(), 8), "a block of more than 2^31 bytes from one rank to another");
        if (world.rank() == 0) fill(data.get(), 9);
        send_all(topo::flat{});
        topo_test::check(is(data.get(), 9), "such a block beside the MPI's own call");

        // Blocks that the MPI cannot count go along a tree, which is there before the start: rank 1 starts
        // when rank 0 has started. Each block is a half of the memory.
        constexpr std::size_t half = words / 2;
        const std::span<std::uint64_t> gathered{data.get(), world.rank() == 0 ? 2 * half : 0};
        const std::span<const std::uint64_t> own{data.get(), half};
        for (std::size_t i = 0; i < half; ++i)
            data[i] = word(static_cast<std::size_t>(world.rank()) * half + i, 12);
        auto step = topo::gather_init(levels, own, gathered, 0, topo::flat{});
        if (world.rank() == 1) world.recv(0, 77);
        step.start();
        if (world.rank() == 0) world.send(1, 77);
        step.wait();
        topo_test::check(world.rank() == 1 || is(data.get(), 12), "a prepared gather of such blocks");
        MPI_Type_free(&blocks_of);
    }
    MPI_Finalize();
    return topo_test::exit_code();
}
