// SPDX-License-Identifier: BSL-1.0
/// @file
/// A comparison of the arguments that must be the same on all ranks of a collective, before anything else is
/// sent.
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/signature.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hierarchy/detail/require_open.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace topo::detail {

class context;

/// The facts of a call besides its policy and its bytes.
struct call_facts {
    std::string_view call{}; ///< its name, if it is not the verb's
    int root = 0;            ///< 0 where there is none
    MPI_Op op = MPI_OP_NULL; ///< where there is one
    message data{}; ///< whose type signature is the same on all ranks; without elements: not compared
    std::uint64_t lengths = 0; ///< a hash of the blocks' lengths, if they are known on all ranks
    std::size_t window = 0;    ///< which groups of ranks share a window; 0: there is none
};

std::string name_of(verb what);

/// The same on every rank for MPI's own operations, whose handles may differ. Users' operations are
/// distinguished only by whether they commute.
std::string name_of(MPI_Op op, bool is_commutative);

/// The lowest of all ranks' values, in the same way. @collective over the whole
void lowest_of_all(context& ranks, std::int64_t* values, std::size_t count);

/// Compares along the tree of `context`, so that a nonblocking collective for which another rank waits
/// progresses here. @collective over the whole
void compare_among(const hierarchy& levels, const comparison& call, failure mine = {});

/// Runs a rank's checks of its own arguments, which must not communicate, and returns what they return. Each
/// verb makes all of them before it calls `select` or `check_call`. In a checked build a rank that fails here
/// takes part in that comparison with its exception: so all ranks throw, and none waits for one that has
/// left.
/// @throws what the checks throw, and as `require_open`
template <class Call, class Checks>
std::invoke_result_t<Checks> check_own(const Call& call, const hierarchy& levels, Checks&& checks) {
    require_open(call, levels);
    if constexpr (is_checked) {
        failure mine;
        try {
            return std::forward<Checks>(checks)();
        } catch (...) {
            mine = failure::of_exception();
        }
        if (mpi::is_running()) compare_among(levels, comparison{{}}, mine);
        std::rethrow_exception(mine.what);
    } else {
        return std::forward<Checks>(checks)();
    }
}

/// Runs checks that need data exchanged after the comparison, and so cannot be part of it. In a checked
/// build, in which it is collective over the whole, all ranks throw if any does.
template <class Checks>
void check_on_all_ranks([[maybe_unused]] const hierarchy& levels, Checks&& checks) {
    if constexpr (is_checked) {
        failure mine;
        try {
            std::forward<Checks>(checks)();
        } catch (...) {
            mine = failure::of_exception();
        }
        compare_among(levels, comparison{{}}, std::move(mine));
    } else {
        std::forward<Checks>(checks)();
    }
}

/// Refuses buffers that the processor cannot read, as `require_host_memory`. In a checked build, in which it
/// is collective over the whole, all ranks throw if any does.
void check_host_memory(const hierarchy& levels, std::string_view call,
                       std::initializer_list<const void*> buffers);

std::string text_of(const message& data);

/// A policy type for messages. If it is an alias, the compiler's name of the type and the alias are given.
std::string text_of_policy(const std::type_info& policy);

/// Compares a call with those of the other ranks, which may have another policy and even be of another verb.
/// @param options of the policy that are not in its type @collective over the whole
/// @cost an all-reduce of 17 integers along a binomial tree
/// @throws argument_error on every rank, if not all are the same, or as `check_own` of another rank does
template <verb Verb, class Policy>
void check_call(const hierarchy& levels, std::size_t bytes, bool is_commutative, const call_facts& facts,
                const std::string& options = {}) {
    const std::string call = facts.call.empty() ? name_of(Verb) : std::string{facts.call};
    const bool has_elements = decodes_datatypes && facts.data.count > 0;
    comparison all{call};
    all.add("call", call);
    all.add("policy", text_of_policy(typeid(Policy)) + options);
    all.add("root", static_cast<std::uint64_t>(facts.root), std::to_string(facts.root));
    all.add("operation", name_of(facts.op, is_commutative));
    all.add(Verb == verb::all_gatherv ? "lengths of blocks, in the mean" : "length", bytes,
            std::to_string(bytes) + " bytes");
    all.add("datatype", has_elements ? signature{facts.data}.hash() : 0,
            has_elements ? text_of(facts.data) : "");
    all.add("lengths of blocks", facts.lengths, "others");
    all.add("window", facts.window, "over the groups of ranks number " + std::to_string(facts.window));
    compare_among(levels, all);
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/plan/impl/checked_call.ipp>
#endif
