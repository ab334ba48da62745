// SPDX-License-Identifier: BSL-1.0
/// @file
/// The groupings of a context's rank order that its exchanges use.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/schedule/folded_order.hpp>

#include <map>
#include <optional>

namespace topo::detail {

/// A context's rank order, grouped for rounds: computed once for each radix, because it takes time linear in
/// the number of ranks.
class folded_orders {
public:
    explicit folded_orders(context& ranks) : ranks_(ranks) {}

    /// @collective over the whole the first time
    const folded_order& of(int radix);

    /// @collective over the whole the first time
    const folded_order& bine();

private:
    context& ranks_;
    std::map<int, folded_order> rank_orders_; ///< by radix
    std::optional<folded_order> bine_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/schedule/impl/folded_orders.ipp>
#endif
