// SPDX-License-Identifier: BSL-1.0
/// @file
/// A tuning file as rules for programs that call MPI only.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace topo::tool {

/// An algorithm of Open MPI's component coll_tuned.
struct ompi_algorithm {
    int id = 0; ///< 0: what Open MPI chooses by itself
    int segment_bytes = 0;

    friend bool operator==(const ompi_algorithm&, const ompi_algorithm&) = default;
};

/// That with the same name as a plan; nothing where there is none.
std::optional<ompi_algorithm> ompi_equal(detail::verb what, const plan& one);
/// MPICH's, as in `MPIR_Bcast_intra_binomial`; empty: what MPICH chooses by itself.
std::optional<std::string> mpich_equal(detail::verb what, const plan& one);

/// Plans by which this build's MPI might serve a key, by their names, beside its own choice.
std::vector<const plan*> plans_of_mpi(const detail::call_key& now);

/// For each verb and length, the fastest of the plans that an MPI has an equal of.
struct best_equal {
    detail::verb what{};
    std::size_t from_bytes = 0; ///< as in `call_key`: the rule counts from here on
    const detail::tuning_file::row* best = nullptr;
};
/// In the order of verbs and bytes; lengths next to each other with the same plan are one. A rule begins in
/// the middle, in the logarithms, between two lengths that were measured.
std::vector<best_equal> best_equals(const detail::tuning_file& file,
                                    bool (*has_equal)(detail::verb, const plan&));

/// Open MPI's file of dynamic rules.
std::string ompi_rules(const detail::tuning_file& file);
/// MPICH's selection tree.
std::string mpich_rules(const detail::tuning_file& file);

} // namespace topo::tool
