// SPDX-License-Identifier: BSL-1.0
/// @file
/// Why calls are left to the MPI, for the report.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace topo::preload {

/// Why a call is the MPI's own. In the order in which the report lists them.
enum class reason : std::size_t {
    never,              ///< topomp has no form of the call
    settings,           ///< the environment variables leave it to the MPI
    off,                ///< the library could not start, or has ended
    arguments,          ///< the MPI refuses the arguments of the calling rank
    inter_communicator, ///< the communicator joins two groups
    few_ranks,          ///< too few for anything to be arranged
    new_communicator,   ///< its calls have not yet taken as long as its hierarchy would take to build
    one_level,          ///< nothing to arrange
    several_programs,   ///< the ranks were started apart
    many_hierarchies,   ///< the process has as many as it may have
    many_persistent,    ///< the communicator has as many persistent collectives as it may have
    freeing,            ///< the communicator is being freed
    no_threads,         ///< threads may not call the MPI, or the library shall have none
    not_ready,          ///< nothing is prepared for non-blocking collectives on the communicator
    no_data,            ///< no bytes would move
    device_memory,      ///< of an accelerator
    operation,          ///< the program's own, or one that the policy would apply in another order
    choice,             ///< automatic chose the MPI's own
    policy,             ///< the policy named has no algorithm for the call
    keeps_numbers,      ///< ranks of the grid or graph may or would keep their numbers
    several_links,      ///< the MPI orders several links between two ranks in its own way
    some_ranks,         ///< a grid for some of the ranks only
    other,              ///< none of these was noted
    end
};

inline constexpr auto number_of_reasons = static_cast<std::size_t>(reason::end);

/// What the report says of each, in that order.
inline constexpr std::array<std::string_view, number_of_reasons> reason_texts{
    "not a call that topomp serves",
    "not asked for",
    "library not running",
    "refused arguments",
    "inter-communicator",
    "too few ranks",
    "new communicator",
    "one level",
    "ranks of several programs",
    "too many hierarchies",
    "too many persistent collectives",
    "communicator being freed",
    "no thread for non-blocking calls",
    "not yet ready for non-blocking calls",
    "no data",
    "memory of an accelerator",
    "operation",
    "choice of automatic",
    "not served by the policy",
    "numbers of ranks kept",
    "several links between two ranks",
    "grid for some of the ranks",
    "data or operation"};

/// Notes why the calling thread's present call is left to the MPI. @return false
bool left_for(reason why) noexcept;

/// What the calling thread noted last. Forgets it.
reason take_reason() noexcept;

} // namespace topo::preload
