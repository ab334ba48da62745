// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/model/message_cost.hpp>
#include <topomp/model/plogp.hpp>
#include <topomp/model/table.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace topo::model {

TOPOMP_INLINE plogp::plogp(double latency, std::vector<row> rows)
    : latency_(latency), rows_(std::move(rows)) {
    if (rows_.empty()) throw argument_error("topo::model::plogp", "table", "it is empty");
    for (std::size_t i = 1; i < rows_.size(); ++i)
        if (rows_[i].bytes <= rows_[i - 1].bytes)
            throw argument_error("topo::model::plogp", "row " + std::to_string(i),
                                 "its messages are not longer than those of the row before");
}

TOPOMP_INLINE double plogp::gap(double bytes) const {
    return std::max({read(bytes, &row::gap), send_overhead(bytes), receive_overhead(bytes)});
}

TOPOMP_INLINE message_cost plogp::cost(double bytes, int) const {
    const double busy = gap(bytes);
    return {busy, latency_ + busy, send_overhead(bytes) + receive_overhead(bytes)};
}

TOPOMP_INLINE double plogp::read(double bytes, double row::*column) const {
    return detail::read_table(rows_, bytes, [&](const row& at) { return at.*column; });
}

} // namespace topo::model
