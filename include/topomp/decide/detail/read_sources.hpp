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

namespace topo::detail {

/// Over a communicator.
sharing sharing_over(const boost::mpi::communicator& comm);

/// The costs in a file of `topomp tune` or `topomp measure`, or those of a usual network by its name. Rank 0
/// reads.
/// @param what rank 0's @param complaint on rank 0, why something cannot be used, else empty
/// @collective over the ranks
/// @return without costs, if nothing can be used
cost_sources read_sources(const sharing& ranks, const std::string& what, std::string& complaint);

/// The same; rank 0 writes the complaint to standard error.
/// @param where what names the file, for that line
cost_sources read_sources_or_say(const sharing& ranks, const std::string& where, const std::string& what);

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
