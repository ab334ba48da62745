// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/hierarchy/impl/discover.ipp>
#include <topomp/hierarchy/impl/gather_outline.ipp>
#include <topomp/hierarchy/impl/hierarchy.ipp>
#include <topomp/hierarchy/impl/level.ipp>
#include <topomp/hierarchy/impl/level_info.ipp>
#include <topomp/hierarchy/impl/options.ipp>
#include <topomp/hierarchy/impl/outline.ipp>
#include <topomp/hierarchy/impl/relate.ipp>
#include <topomp/hierarchy/impl/remap.ipp>
#include <topomp/hierarchy/impl/shared_level.ipp>
#include <topomp/hierarchy/impl/split.ipp>
#include <topomp/hierarchy/impl/split_memory.ipp>
#include <topomp/hierarchy/impl/split_step.ipp>
#include <topomp/hierarchy/impl/trail.ipp>
#include <topomp/hierarchy/impl/trail_steps.ipp>
#include <topomp/hierarchy/impl/translate.ipp>
