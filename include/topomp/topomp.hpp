// SPDX-License-Identifier: BSL-1.0
/// @file
/// Everything.
#pragma once

#include <topomp/core/agreement.hpp>
#include <topomp/core/attribute.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/handle.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/cpu_set.hpp>
#include <topomp/hardware/hostlist.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/machine.hpp>
#include <topomp/hardware/machine_description.hpp>
#include <topomp/hardware/network.hpp>
#include <topomp/hardware/place.hpp>
#include <topomp/hardware/placement.hpp>
#include <topomp/hardware/topology.hpp>
#include <topomp/hierarchy/discover.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hierarchy/level.hpp>
#include <topomp/hierarchy/options.hpp>
#include <topomp/hierarchy/outline.hpp>
#include <topomp/hierarchy/split.hpp>
#include <topomp/version.hpp>
