// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/collective/impl/all_gather.ipp>
#include <topomp/collective/impl/all_gatherv.ipp>
#include <topomp/collective/impl/all_reduce.ipp>
#include <topomp/collective/impl/all_to_all.ipp>
#include <topomp/collective/impl/all_to_allv.ipp>
#include <topomp/collective/impl/barrier.ipp>
#include <topomp/collective/impl/block_arguments.ipp>
#include <topomp/collective/impl/broadcast.ipp>
#include <topomp/collective/impl/exact_calls.ipp>
#include <topomp/collective/impl/gather.ipp>
#include <topomp/collective/impl/gatherv.ipp>
#include <topomp/collective/impl/iall_gather.ipp>
#include <topomp/collective/impl/iall_reduce.ipp>
#include <topomp/collective/impl/iall_to_all.ipp>
#include <topomp/collective/impl/ibarrier.ipp>
#include <topomp/collective/impl/ibroadcast.ipp>
#include <topomp/collective/impl/ireduce.ipp>
#include <topomp/collective/impl/kept_blocks.ipp>
#include <topomp/collective/impl/reduce.ipp>
#include <topomp/collective/impl/reduce_scatter.ipp>
#include <topomp/collective/impl/reduction_arguments.ipp>
#include <topomp/collective/impl/request.ipp>
#include <topomp/collective/impl/scan_algorithms.ipp>
#include <topomp/collective/impl/scatter.ipp>
#include <topomp/collective/impl/scatterv.ipp>
#include <topomp/collective/impl/serialized.ipp>
