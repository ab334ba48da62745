// SPDX-License-Identifier: BSL-1.0
/// @file
/// A look at the messages between two nodes, for TOPOMP_TUNING=probe.
#pragma once

#include <topomp/decide/detail/sharing.hpp>
#include <topomp/model/network_messages.hpp>

namespace topo::detail {

/// What messages between the first two nodes cost: half round trips by length, the time between short
/// messages, and the rates of one rank and of all ranks of a node. Each is the fastest of a few tries.
/// Lengths for which there was no time are interpolated, and those above 256 KiB continue it.
/// @param where what `ranks.between` gives @collective over the ranks @return the same on all of them
/// @cost about 50 ms, more only where messages of 256 KiB take longer
model::network_messages probe_network(const sharing& ranks, const two_nodes& where);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/probe.ipp>
#endif
