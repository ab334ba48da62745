// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/neighbour/impl/begin_exchange.ipp>
#include <topomp/neighbour/impl/exchange_in_background.ipp>
#include <topomp/neighbour/impl/neighbour_blocks.ipp>
#include <topomp/neighbour/impl/neighbourhood.ipp>
#include <topomp/neighbour/impl/node_exchange.ipp>
#include <topomp/neighbour/impl/node_groups.ipp>
#include <topomp/neighbour/impl/node_routes.ipp>
#include <topomp/neighbour/impl/shared_links.ipp>
#include <topomp/neighbour/impl/sparse_blocks.ipp>
#include <topomp/neighbour/impl/sparse_by_lengths.ipp>
#include <topomp/neighbour/impl/sparse_bytes.ipp>
#include <topomp/neighbour/impl/sparse_operation.ipp>
#include <topomp/neighbour/impl/topology_lists.ipp>
