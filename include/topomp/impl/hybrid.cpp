// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/hybrid/impl/all_gather.ipp>
#include <topomp/hybrid/impl/all_gather_forms.ipp>
#include <topomp/hybrid/impl/all_gatherv.ipp>
#include <topomp/hybrid/impl/all_reduce.ipp>
#include <topomp/hybrid/impl/all_to_all.ipp>
#include <topomp/hybrid/impl/all_to_all_forms.ipp>
#include <topomp/hybrid/impl/begin_steps.ipp>
#include <topomp/hybrid/impl/block_messages.ipp>
#include <topomp/hybrid/impl/broadcast.ipp>
#include <topomp/hybrid/impl/broadcast_forms.ipp>
#include <topomp/hybrid/impl/check_hybrid_call.ipp>
#include <topomp/hybrid/impl/combine_in_group.ipp>
#include <topomp/hybrid/impl/gather.ipp>
#include <topomp/hybrid/impl/gather_forms.ipp>
#include <topomp/hybrid/impl/hybrid_steps.ipp>
#include <topomp/hybrid/impl/rank_blocks.ipp>
#include <topomp/hybrid/impl/reduce.ipp>
#include <topomp/hybrid/impl/reduce_forms.ipp>
#include <topomp/hybrid/impl/reproducible.ipp>
#include <topomp/hybrid/impl/scatter.ipp>
#include <topomp/hybrid/impl/through_nodes.ipp>
#include <topomp/hybrid/impl/window_view.ipp>
