// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of one length from one rank to all.
#pragma once

#include <topomp/collective/scatter_by_tree.hpp>
#include <topomp/decide/detail/automatic.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/collective/impl/scatter_engines.ipp>
#endif
