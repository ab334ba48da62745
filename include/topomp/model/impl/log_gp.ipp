// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/model/log_gp.hpp>
#include <topomp/model/message_cost.hpp>

#include <algorithm>
#include <cmath>

namespace topo::model {

TOPOMP_INLINE message_cost log_p::cost(double bytes, int) const {
    const double words = std::max(1.0, std::ceil(bytes / word_bytes));
    const double step = std::max(gap, overhead);
    return {words * step, (words - 1) * step + 2 * overhead + latency, 2 * words * overhead};
}

} // namespace topo::model
