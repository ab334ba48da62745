// SPDX-License-Identifier: BSL-1.0
/// @file
/// What an algorithm inside a level can do, and the MPI's own as one of them.
#pragma once

#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <string_view>

namespace topo {

class level_members;
namespace detail {
class context;
struct loop_plan;
} // namespace detail

/// `A::broadcast(here, what, root)`: after it every member holds the data of the member `root`.
template <class A>
concept broadcasts_in_level = requires(level_members& here, message what, int root) {
    A::broadcast(here, what, root);
};

/// `A::reduce(here, sum, op, root)`: before it each member's operands lie in `sum`; after it the root's `sum`
/// is the result, combined in the order of members if the operation does not commute. The others' `sum` may
/// hold anything then.
template <class A>
concept reduces_in_level = requires(level_members& here, message sum, MPI_Op op, int root) {
    A::reduce(here, sum, op, root);
};

/// `A::all_reduce(here, sum, op)`: the same, with the result in every member's `sum`.
template <class A>
concept all_reduces_in_level = requires(level_members& here, message sum, MPI_Op op) {
    A::all_reduce(here, sum, op);
};

/// `A::reduce(here, input, result, op, root)`: the same with each member's operands in `input`, which stays
/// as it is; only the root's `result` is used. Not needed, but saves a copy.
template <class A>
concept reduces_from_input_in_level = requires(level_members& here, const void* input, message result,
                                               MPI_Op op, int root) {
    A::reduce(here, input, result, op, root);
};

/// `A::all_reduce(here, input, result, op)`: the same with the result in every member's `result`. Not needed,
/// but saves a copy.
template <class A>
concept all_reduces_from_input_in_level = requires(level_members& here, const void* input, message result,
                                                   MPI_Op op) {
    A::all_reduce(here, input, result, op);
};

/// `A::barrier(here)`: no member returns before all have called.
template <class A>
concept waits_in_level = requires(level_members& here) {
    A::barrier(here);
};

/// `A::arrive(here)`: member 0 returns when all have called, the others at once; `A::release(here)`: the
/// others return when member 0 has called. Not needed, but saves a second wait if a barrier covers several
/// levels.
template <class A>
concept waits_in_halves_in_level = requires(level_members& here) {
    A::arrive(here);
    A::release(here);
};

/// The MPI's own collectives on the level's communicator.
struct mpi_calls {
    /// `MPI_Bcast`
    static void broadcast(level_members& here, const message& what, int root);
    /// `MPI_Reduce` in place
    static void reduce(level_members& here, const message& sum, MPI_Op op, int root);
    /// `MPI_Reduce`
    static void reduce(level_members& here, const void* input, const message& result, MPI_Op op, int root);
    /// `MPI_Allreduce` in place
    static void all_reduce(level_members& here, const message& sum, MPI_Op op);
    /// `MPI_Allreduce`
    static void all_reduce(level_members& here, const void* input, const message& result, MPI_Op op);
    /// `MPI_Barrier`
    static void barrier(level_members& here);
};

namespace detail {

/// The name of an algorithm inside a level; none: an algorithm of the program.
template <class A>
inline constexpr std::string_view level_algorithm_name{};
template <>
inline constexpr std::string_view level_algorithm_name<mpi_calls> = "mpi_calls";

/// What an algorithm between nodes does with all ranks of these, through their memory. Each returns whether
/// it has done it, the same on all ranks; null: it has no such function.
struct calls_among_all {
    bool (*barrier)(context&, const loop_plan&) = nullptr;
    bool (*broadcast)(context&, const loop_plan&, const message&, int root) = nullptr;
    bool (*reduce)(context&, const loop_plan&, const void*, const message&, MPI_Op, int root) = nullptr;
    bool (*all_reduce)(context&, const loop_plan&, const void*, const message&, MPI_Op) = nullptr;

    friend constexpr bool operator==(const calls_among_all&, const calls_among_all&) = default;
};

/// A type-erased algorithm inside a level; null for operations that it does not have.
struct any_level_algorithm {
    void (*broadcast)(level_members&, const message&, int root) = nullptr;
    void (*reduce)(level_members&, const message&, MPI_Op, int root) = nullptr;
    void (*all_reduce)(level_members&, const message&, MPI_Op) = nullptr;
    void (*barrier)(level_members&) = nullptr;
    void (*arrive)(level_members&) = nullptr;  ///< `barrier` if there are no `arrive` and `release`
    void (*release)(level_members&) = nullptr; ///< the same
    void (*reduce_input)(level_members&, const void*, const message&, MPI_Op, int root) = nullptr;
    void (*all_reduce_input)(level_members&, const void*, const message&, MPI_Op) = nullptr;
    bool uses_node_memory = false;        ///< uses `level_members::node_memory`
    calls_among_all among_all;            ///< not one rank of each node alone takes part
    int radix_of_lanes = 0;               ///< of `rounds_in_lanes`
    std::size_t whole_bytes_of_lanes = 0; ///< of `rounds_in_lanes`
    std::string_view name;                ///< see `level_algorithm_name`

    friend constexpr bool operator==(const any_level_algorithm&, const any_level_algorithm&) = default;

    template <class A>
    static constexpr any_level_algorithm of() {
        any_level_algorithm result;
        result.name = level_algorithm_name<A>;
        if constexpr (requires { A::uses_node_memory; }) result.uses_node_memory = A::uses_node_memory;
        if constexpr (requires { A::among_all; }) result.among_all = A::among_all;
        if constexpr (requires { A::radix_of_lanes; }) {
            result.radix_of_lanes = A::radix_of_lanes;
            result.whole_bytes_of_lanes = A::whole_bytes_of_lanes;
        }
        if constexpr (broadcasts_in_level<A>)
            result.broadcast = [](level_members& here, const message& what, int root) {
                A::broadcast(here, what, root);
            };
        if constexpr (reduces_in_level<A>)
            result.reduce = [](level_members& here, const message& sum, MPI_Op op, int root) {
                A::reduce(here, sum, op, root);
            };
        if constexpr (all_reduces_in_level<A>)
            result.all_reduce = [](level_members& here, const message& sum, MPI_Op op) {
                A::all_reduce(here, sum, op);
            };
        if constexpr (reduces_from_input_in_level<A>)
            result.reduce_input = [](level_members& here, const void* input, const message& to, MPI_Op op,
                                     int root) { A::reduce(here, input, to, op, root); };
        if constexpr (all_reduces_from_input_in_level<A>)
            result.all_reduce_input = [](level_members& here, const void* input, const message& to,
                                         MPI_Op op) { A::all_reduce(here, input, to, op); };
        if constexpr (waits_in_level<A>)
            result.barrier = result.arrive = result.release = [](level_members& here) { A::barrier(here); };
        if constexpr (waits_in_halves_in_level<A>) {
            result.arrive = [](level_members& here) { A::arrive(here); };
            result.release = [](level_members& here) { A::release(here); };
        }
        return result;
    }
};

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/impl/level_algorithm.ipp>
#endif
