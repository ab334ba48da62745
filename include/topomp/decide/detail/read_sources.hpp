// SPDX-License-Identifier: BSL-1.0
/// @file
/// From the name of a file, or what stands in TOPOMP_TUNING, to costs.
#pragma once

#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/sharing.hpp>
#include <topomp/model/machine_parameters.hpp>
#include <topomp/model/network_messages.hpp>

#include <boost/mpi/communicator.hpp>

#include <string>
#include <vector>

namespace topo::detail {

/// Over a communicator.
sharing sharing_over(const boost::mpi::communicator& comm);

/// The names in a list of sources, with commas between them. That of a file that there is is one name,
/// whatever it holds. Local
std::vector<std::string> names_in(const std::string& list);

/// Why a source cannot be used, or some of its lines cannot.
struct source_complaint {
    std::string text;
    bool is_used = false; ///< the rest of it is, or it is no file
};

/// The costs in files of `topomp tune` or `topomp measure`, or those of a usual network by its name. Rank 0
/// reads. Of two of the same kind the last counts.
/// @param list rank 0's, as for `names_in` @param complaints on rank 0, one for each of which it has some
/// @collective over the ranks
/// @return without costs, if nothing can be used
cost_sources read_sources(const sharing& ranks, const std::string& list,
                          std::vector<source_complaint>& complaints);

/// The same, but local.
cost_sources read_sources_here(const std::string& list, std::vector<source_complaint>& complaints);

/// The same as `read_sources`; rank 0 writes the complaints to standard error, a line for each.
/// @param where what names the files, for these lines
cost_sources read_sources_or_say(const sharing& ranks, const std::string& where, const std::string& list);

/// Costs by measured parameters.
machine_costs costs_by(model::machine_parameters measured);
/// Costs by messages between nodes alone.
machine_costs costs_by(const model::network_messages& between_nodes);

/// The same from a text; local. @param complaint why something cannot be used, else empty
cost_sources sources_in(const std::string& name, const std::string& text, std::string& complaint);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/read_sources.ipp>
#endif
