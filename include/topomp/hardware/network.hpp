// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the names of the switches above a host come from: `topo::network` with all its sources.
#pragma once

#include <topomp/hardware/detail/network_value.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/network.ipp>
#endif
