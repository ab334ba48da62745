// SPDX-License-Identifier: BSL-1.0
/// @file
/// One rank's data to all ranks.
#pragma once

#include <topomp/collective/broadcast_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/broadcast_engines.ipp>
#endif
