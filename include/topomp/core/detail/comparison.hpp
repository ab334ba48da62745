// SPDX-License-Identifier: BSL-1.0
/// @file
/// A comparison of the arguments that must be the same on all ranks of a call.
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace topo::detail {

/// The facts of one call in order: for each a number, which is compared, and a text for the error message. A
/// rank with invalid arguments takes part with its exception instead, so that no rank waits for it.
class comparison {
public:
    explicit comparison(std::string call) : call_(std::move(call)) {}

    /// All ranks must add the same facts, at most `most`.
    void add(const char* name, std::uint64_t value, std::string text);
    /// A fact identified by its text.
    void add(const char* name, std::string text);

    /// @param mine the error in the calling rank's arguments, if any
    /// @param lowest `lowest(values, count)` replaces each value by the lowest of all ranks'
    /// @collective over `comm` @cost an all-reduce of 17 integers
    /// @throws as `throw_on_all` if arguments are invalid on any rank; else argument_error on every rank, if
    /// not all have the same
    template <class Lowest>
    void among(MPI_Comm comm, failure mine, Lowest lowest) const {
        const int rank = mpi::comm_rank(comm), size = mpi::comm_size(comm);
        std::array<std::int64_t, 2 * most + 1> ends{};
        ends.fill(std::numeric_limits<std::int64_t>::max());
        ends[0] = mine.what ? rank : size;
        for (std::size_t i = 0; i < added_; ++i) {
            ends[1 + i] = facts_[i].value;
            ends[1 + most + i] = ~facts_[i].value; // whose minimum is the maximum's
        }
        lowest(ends.data(), ends.size());
        if (ends[0] < size) throw_on_all(comm, static_cast<int>(ends[0]), std::move(mine));
        for (std::size_t i = 0; i < added_; ++i)
            if (const std::int64_t greatest = ~ends[1 + most + i]; ends[1 + i] != greatest)
                complain(comm, facts_[i], ends[1 + i], greatest, lowest);
    }

    /// The same by MPI's own collective.
    void among(MPI_Comm comm, failure mine = {}) const;

private:
    static constexpr std::size_t most = 8;
    struct fact {
        const char* name = "";
        std::int64_t value = 0;
        std::string text;
    };

    /// The values of two ranks: the lowest with the least and the lowest with the greatest value.
    template <class Lowest>
    [[noreturn]] void complain(MPI_Comm comm, const fact& mine, std::int64_t least, std::int64_t greatest,
                               Lowest lowest) const {
        const int rank = mpi::comm_rank(comm), none = mpi::comm_size(comm);
        std::array<std::int64_t, 2> holders{mine.value == least ? rank : none,
                                            mine.value == greatest ? rank : none};
        lowest(holders.data(), holders.size());
        std::ranges::sort(holders);
        std::string problem;
        for (const auto holder : holders) {
            const int which = static_cast<int>(holder);
            const std::string text = mpi::bcast_text(mine.text, which, comm, "difference of arguments");
            problem += (problem.empty() ? "it is " : " and ") + text + " on rank " + std::to_string(which);
        }
        throw argument_error(call_, mine.name, problem + ", but must be the same on all ranks");
    }

    std::string call_;
    std::array<fact, most> facts_;
    std::size_t added_ = 0;
};

/// The first step of a collective function on a communicator: runs the rank's checks of its own arguments,
/// which must not communicate, and in a checked build compares with the other ranks. There all throw if any
/// does.
/// @param facts `facts(comparison&)` adds the facts that must be the same on all ranks
/// @collective over `comm` in a checked build @throws what the checks throw; argument_error for facts that
/// differ
template <class Checks, class Facts>
void check_on([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] const char* call, Checks checks,
              [[maybe_unused]] Facts facts) {
    if constexpr (is_checked) {
        comparison all{call};
        failure mine;
        try {
            checks();
            facts(all);
        } catch (...) {
            mine = failure::of_exception();
        }
        all.among(comm, std::move(mine));
    } else {
        checks();
    }
}

/// The same for functions all of whose arguments may differ between ranks.
template <class Checks>
void check_on(MPI_Comm comm, const char* call, Checks checks) {
    check_on(comm, call, checks, [](comparison&) {});
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/comparison.ipp>
#endif
