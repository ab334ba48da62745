// SPDX-License-Identifier: BSL-1.0
/// @file
/// Measured times of plans on one machine, and their file.
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/measured_plans.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// What a tuning file holds. Its format, a JSON object of plain values a line, is in docs/tuning.md.
struct tuning_file : measured_plans {
    static constexpr int version = 1;

    /// Where and by what the times were measured.
    struct origin {
        std::string machine, mpi, date;
        int nodes = 1, ranks = 1, least_ranks_of_node = 1, most_ranks_of_node = 1;

        friend bool operator==(const origin&, const origin&) = default;
    };
    /// The median of some calls by a plan.
    struct row {
        verb what{};
        std::size_t bytes = 0; ///< as in `call_key`
        bool is_commutative = true;
        plan chosen;
        double seconds = 0;
        double spread = 0; ///< (third quartile - first quartile) / median
        int calls = 1;
        bool is_built_in = false; ///< whether `decide` takes it without any file
    };

    origin from;
    std::vector<row> rows;
    bool is_complete = false; ///< whether all was measured that was to be

    /// Whether the times are of as many nodes and ranks as a key has.
    bool is_for(const call_key& now) const;
    /// What each plan takes that was measured both below and above so many bytes, in between by a straight
    /// line in the logarithms. Up to twice the longest message, and down to half of the shortest.
    TOPOMP_INLINE std::vector<time> times_of(const call_key& now) const override;

    /// The lines of a file. @param skipped how many lines could not be used, and why the first could not;
    /// empty if all could
    /// @throws input_error naming the line, if nothing of the text can be used: it is of another version, or
    /// no tuning file
    static tuning_file read(const std::string& name, std::string_view text, std::string& skipped);
    std::string header_line() const;
    static std::string line_of(const row& each);
    static std::string last_line();
};

/// The processor's model, and the MPI with its version. Local.
std::string this_machine();
std::string this_mpi();

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/tuning_file.ipp>
#endif
