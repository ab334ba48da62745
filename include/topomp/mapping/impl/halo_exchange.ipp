// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/persistent.hpp>
#include <topomp/collective/request.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/mapping/node_cart.hpp>
#include <topomp/neighbour/detail/neighbour_forms.hpp>

#include <span>

namespace topo {

template <class Form>
auto node_cart::begin(const char* call, const char* member, std::span<const halo> halos) const {
    detail::check_on(open(member).private_comm, call, [&] { require_halos(call, halos); });
    const halo_messages all = messages_of(halos);
    return detail::begin_exchange<Form>(call, neighbours(), all.out, all.in, false, false);
}

TOPOMP_INLINE request node_cart::iexchange(std::span<const halo> halos) const {
    return begin<detail::at_once>("topo::node_cart::iexchange", "iexchange", halos);
}

TOPOMP_INLINE persistent node_cart::exchange_init(std::span<const halo> halos) const {
    return begin<detail::when_started>("topo::node_cart::exchange_init", "exchange_init", halos);
}

} // namespace topo
