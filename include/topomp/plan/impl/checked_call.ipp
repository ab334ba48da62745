// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/run.hpp>
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/tree/tree_operations.hpp>
#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/device_memory.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/predefined_reduction.hpp>
#include <topomp/core/detail/signature.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/checked_call.hpp>
#include <topomp/plan/policy.hpp>
#include <topomp/plan/policy_traits.hpp>

#include <boost/core/demangle.hpp>
#include <boost/mpi/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE std::string name_of(verb what) { return std::string{"topo::"}.append(to_string(what)); }

TOPOMP_INLINE std::string name_of(MPI_Op op, bool is_commutative) {
    if (op == MPI_OP_NULL) return {};
    if (const predefined_op* const known = find_predefined(op)) return std::string{known->name};
    return is_commutative ? "a user's that commutes" : "a user's that does not commute";
}

TOPOMP_INLINE void lowest_of_all(context& ranks, std::int64_t* values, std::size_t count) {
    run(ranks.pool<all_reduce_operation>(), [&](all_reduce_operation& op) {
        op.start(ranks, tree_plan_of<binomial>, values, {values, count, MPI_INT64_T}, {MPI_MIN, true});
    });
}

TOPOMP_INLINE void compare_among(const hierarchy& levels, const comparison& call, failure mine) {
    context& ranks = context::of(levels);
    const auto lowest = [&](std::int64_t* values, std::size_t count) { lowest_of_all(ranks, values, count); };
    call.among(ranks.private_comm(), std::move(mine), lowest);
}

TOPOMP_INLINE void check_host_memory(const hierarchy& levels, std::string_view call,
                                     std::initializer_list<const void*> buffers) {
    check_on_all_ranks(levels, [&] { require_host_memory(call, buffers); });
}

TOPOMP_INLINE std::string text_of(const message& data) {
    const std::string name = type_name(data.type);
    return std::to_string(data.count) + " x " + (name.empty() ? "a derived type" : name);
}

TOPOMP_INLINE std::string text_of_policy(const std::type_info& policy) {
    const std::array names{
        std::pair{"topo::binary (k_ary<2>)", &typeid(binary)},
        std::pair{"topo::binomial (k_nomial<2>)", &typeid(binomial)},
        std::pair{"topo::recursive_doubling (k_ary_recursive_doubling<2>)", &typeid(recursive_doubling)},
        std::pair{"topo::recursive_halving (k_ary_recursive_halving<2>)", &typeid(recursive_halving)},
        std::pair{"topo::rabenseifner (k_ary_rabenseifner<2>)", &typeid(rabenseifner)},
        std::pair{"topo::native (hierarchical<otherwise<mpi_calls>>)", &typeid(native)}};
    std::string text = boost::core::demangle(policy.name());
    for (const auto& [name, stands_for] : names) {
        const std::string type = boost::core::demangle(stands_for->name());
        const std::string_view both = name;
        for (std::size_t at = 0; (at = text.find(type, at)) != std::string::npos; at += both.size())
            text.replace(at, type.size(), both);
    }
    return text;
}

} // namespace topo::detail
