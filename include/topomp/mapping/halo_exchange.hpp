// SPDX-License-Identifier: BSL-1.0
/// @file
/// Exchanges of halos on a `node_cart` that do not wait: `iexchange` and `exchange_init`.
///
/// ```
///   topo::request halos = grid.iexchange(halos_of(field));
///   compute(interior);
///   halos.wait();
///   compute(border);
/// ```
#pragma once

#include <topomp/collective/persistent.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/mapping/node_cart.hpp>

#ifndef TOPOMP_COMPILED
#include <topomp/mapping/impl/halo_exchange.ipp>
#endif
