// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hierarchy/detail/split_memory.hpp>
#include <topomp/hierarchy/detail/split_step.hpp>
#include <topomp/hierarchy/detail/trail.hpp>
#include <topomp/hierarchy/detail/trail_steps.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE std::string text_of(const std::vector<kind>& kinds) {
    std::string text;
    for (const kind each : kinds)
        text.append(text.empty() ? "" : ", ").append(to_string(each));
    return text.empty() ? "none" : text;
}

[[gnu::cold]] TOPOMP_INLINE void add_options(comparison& all, const hierarchy_options& options) {
    all.add("max_depth", std::to_string(options.max_depth));
    all.add("only", text_of(options.only));
    all.add("skip", text_of(options.skip));
}

[[gnu::cold]] TOPOMP_INLINE common_part compare(MPI_Comm comm, std::span<const trail_step> steps) {
    // Equal everywhere means that minimum and maximum agree; the maximum is the minimum of the complement.
    std::array<std::uint64_t, 4 * longest_trail> mine{}, least{};
    for (std::size_t i = 0; i < longest_trail; ++i) {
        const object_key key = i < steps.size() ? steps[i].key : object_key{};
        mine[4 * i] = key.high;
        mine[4 * i + 1] = key.low;
        mine[4 * i + 2] = ~key.high;
        mine[4 * i + 3] = ~key.low;
    }
    mpi::allreduce(mine.data(), least.data(), static_cast<int>(least.size()), MPI_UINT64_T, MPI_MIN, comm,
                   "comparison of places");
    for (std::size_t i = 0; i < longest_trail; ++i) {
        const bool all_equal = least[4 * i] == ~least[4 * i + 2] && least[4 * i + 1] == ~least[4 * i + 3];
        if (!all_equal) return {i, true};
        if (least[4 * i] == 0 && least[4 * i + 1] == 0) return {i, false}; // no rank has a step here
    }
    return {longest_trail, false};
}

[[gnu::cold]] TOPOMP_INLINE boost::mpi::communicator split_by_object(const boost::mpi::communicator& comm,
                                                                     std::span<const trail_step> steps,
                                                                     std::size_t position,
                                                                     common_part& common) {
    const bool is_member = position < steps.size();
    // A colour has 31 bits, a key 128: different objects can get the same colour. The comparison that the
    // next step needs anyhow shows it, and then other bits of the key decide.
    constexpr int colour_bits = 31;
    auto part = comm;
    for (std::uint64_t attempt = 0;; ++attempt) {
        const auto bits = is_member ? mix(steps[position].key.high + attempt) ^ steps[position].key.low : 0;
        const int colour = is_member ? static_cast<int>(bits >> (64 - colour_bits)) : MPI_UNDEFINED;
        part = own(mpi::comm_split(part, colour, part.rank(), "next level"));
        if (!part) return null_communicator();
        common = compare(part, steps);
        if (common.length > position) return part;
    }
}

[[gnu::cold]] TOPOMP_INLINE std::optional<split_result>
split_step(const boost::mpi::communicator& comm, std::span<const trail_step> steps, common_part known,
           int depth, int whole_rank, const std::shared_ptr<const trail>& memory) {
    common_part common;
    auto part = split_by_object(comm, steps, known.length, common);
    const bool is_root = part && part.rank() == 0;
    auto roots =
        own(mpi::comm_split(comm, is_root ? 0 : MPI_UNDEFINED, comm.rank(), "roots of the next level"));
    if (!part) return std::nullopt;

    std::array<int, 3> about{0, 0, whole_rank};
    if (is_root) about = {roots.rank(), roots.size(), whole_rank};
    mpi::bcast(about.data(), static_cast<int>(about.size()), MPI_INT, 0, part, "index and count of a level");

    const auto beyond = steps.subspan(known.length, common.length - known.length);
    level_info info = info_of(kinds_of_level(beyond), beyond, depth);
    info.index = about[0];
    info.count = about[1];
    info.root = about[2];
    split_attribute::set(part, {info, memory, whole_rank});
    return split_result{
        level{std::move(part), is_root ? std::move(roots) : null_communicator(), std::move(info)}, common};
}

} // namespace topo::detail
