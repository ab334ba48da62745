// SPDX-License-Identifier: BSL-1.0
/// @file
/// A comparison of the arguments that must be the same on all ranks of a call.
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/function_ref.hpp>

#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
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
    void among(MPI_Comm comm, failure mine, function_ref<void(std::int64_t*, std::size_t)> lowest) const;

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
    [[noreturn]] void complain(MPI_Comm comm, const fact& mine, std::int64_t least, std::int64_t greatest,
                               function_ref<void(std::int64_t*, std::size_t)> lowest) const;

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
