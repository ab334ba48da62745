// SPDX-License-Identifier: BSL-1.0
/// @file
/// What the ranks of a collective must have in common, compared before anything else is sent.
#pragma once

#include <topomp/algorithm/run.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/team.hpp>
#include <topomp/algorithm/tree_operations.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/core/signature.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/policy.hpp>
#include <topomp/policy/policy_traits.hpp>

#include <boost/core/demangle.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace topo::detail {

/// What a verb knows of a call beside its policy and its bytes.
struct call_facts {
    int root = 0;              ///< 0 where there is none
    MPI_Op op = MPI_OP_NULL;   ///< where there is one
    message data{};            ///< whose type signature all ranks have; of no element: not compared
    std::uint64_t lengths = 0; ///< a hash of what all ranks know of the blocks' lengths
};

inline std::string name_of(verb what) {
    constexpr std::array names{"barrier",    "broadcast",   "reduce",         "all_reduce", "gather",
                               "gatherv",    "scatter",     "scatterv",       "all_gather", "all_gatherv",
                               "all_to_all", "all_to_allv", "reduce_scatter", "scan",       "exclusive_scan"};
    return std::string{"topo::"} + names.at(static_cast<std::size_t>(what));
}

/// The same on every rank for MPI's own operations, whose handles may differ. User's ones cannot be told
/// apart, but by whether they commute.
inline std::string name_of(MPI_Op op, bool is_commutative) {
    struct named {
        MPI_Op op;
        const char* name;
    };
    const std::array all{
        named{MPI_SUM, "MPI_SUM"},   named{MPI_PROD, "MPI_PROD"},     named{MPI_MAX, "MPI_MAX"},
        named{MPI_MIN, "MPI_MIN"},   named{MPI_LAND, "MPI_LAND"},     named{MPI_LOR, "MPI_LOR"},
        named{MPI_LXOR, "MPI_LXOR"}, named{MPI_BAND, "MPI_BAND"},     named{MPI_BOR, "MPI_BOR"},
        named{MPI_BXOR, "MPI_BXOR"}, named{MPI_MAXLOC, "MPI_MAXLOC"}, named{MPI_MINLOC, "MPI_MINLOC"}};
    for (const named& each : all)
        if (each.op == op) return each.name;
    return is_commutative ? "a user's that commutes" : "a user's that does not commute";
}

/// The lowest of all ranks' values. Along a tree: a rank that waits for a collective in the background first
/// is helped to its end here.
inline void lowest_of_all(team& ranks, std::int64_t* values, std::size_t count) {
    run(ranks.pool<all_reduce_operation>(), [&](all_reduce_operation& op) {
        op.start(ranks, tree_plan_of<binomial>, values, {values, count, MPI_INT64_T}, {MPI_MIN, true});
    });
}

/// The facts of one call in a row: a number each, that is compared, and a text for whom they differ.
class checked_call {
public:
    checked_call(verb what, const std::string& policy, std::size_t bytes, bool is_commutative,
                 const call_facts& facts)
        : call_(name_of(what)) {
        const bool has_elements = decodes_datatypes && facts.data.count > 0;
        add("call", static_cast<std::int64_t>(what), call_);
        add("policy", hash_of(policy), policy);
        add("root", facts.root, std::to_string(facts.root));
        const std::string op = facts.op == MPI_OP_NULL ? "" : name_of(facts.op, is_commutative);
        add("operation", hash_of(op), op);
        add("length", static_cast<std::int64_t>(bytes), std::to_string(bytes) + " bytes");
        add("datatype", has_elements ? signature{facts.data}.hash() : 0,
            has_elements ? std::to_string(facts.data.count) + " x " + readable(facts.data.type) : "");
        add("lengths of blocks", facts.lengths, "others");
    }

    /// @collective over the team @cost an all-reduce of 14 integers along a binomial tree
    /// @throws argument_error on every rank, if not all are the same
    void compare(team& ranks) const {
        std::array<std::int64_t, 2 * number> ends{};
        for (std::size_t i = 0; i < number; ++i) {
            ends[i] = facts_[i].value;
            ends[number + i] = ~facts_[i].value; // whose minimum is the maximum's
        }
        lowest_of_all(ranks, ends.data(), ends.size());
        for (std::size_t i = 0; i < number; ++i)
            if (ends[i] != ~ends[number + i]) complain(ranks, facts_[i], ends[i], ~ends[number + i]);
    }

private:
    static constexpr std::size_t number = 7;
    struct fact {
        const char* name = "";
        std::int64_t value = 0;
        std::string text;
    };

    void add(const char* name, std::int64_t value, std::string text) {
        facts_[added_++] = {name, value, std::move(text)};
    }
    void add(const char* name, std::uint64_t value, std::string text) {
        add(name, static_cast<std::int64_t>(value), std::move(text));
    }
    void add(const char* name, int value, std::string text) {
        add(name, static_cast<std::int64_t>(value), std::move(text));
    }

    static std::string readable(MPI_Datatype type) {
        const std::string name = type_name(type);
        return name.empty() ? "a derived type" : name;
    }

    /// What two of the ranks have, the lowest with the least and the lowest with the greatest value.
    [[noreturn]] void complain(team& ranks, const fact& mine, std::int64_t least, std::int64_t most) const {
        const int none = ranks.wire().size();
        std::array<std::int64_t, 2> holders{mine.value == least ? ranks.rank() : none,
                                            mine.value == most ? ranks.rank() : none};
        lowest_of_all(ranks, holders.data(), holders.size());
        std::string problem;
        std::ranges::sort(holders);
        for (const auto holder : holders) {
            const int rank = static_cast<int>(holder);
            const std::string text =
                mpi::bcast_text(mine.text, rank, ranks.wire(), "difference of arguments");
            problem += (problem.empty() ? "it is " : " and ") + text + " on rank " + std::to_string(rank);
        }
        throw argument_error(call_, mine.name, problem + ", but must be the same on all ranks");
    }

    std::string call_;
    std::array<fact, number> facts_;
    std::size_t added_ = 0;
};

/// Compares a call with those of the other ranks. @collective over the whole
template <verb Verb, class Policy>
void check_call(const hierarchy& tree, std::size_t bytes, bool is_commutative, const call_facts& facts) {
    checked_call{Verb, boost::core::demangle(typeid(Policy).name()), bytes, is_commutative, facts}.compare(
        team::of(tree));
}

} // namespace topo::detail
