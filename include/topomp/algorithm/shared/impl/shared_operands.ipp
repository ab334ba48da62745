// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/shared/shared_operands.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <cstddef>

namespace topo::detail {

TOPOMP_INLINE const std::byte* shared_operands::input_bytes(std::size_t first) const {
    return static_cast<const std::byte*>(layout_.element(input_, first)) + layout_.true_lower;
}

TOPOMP_INLINE void shared_operands::copy_in(std::byte* to, std::size_t first, std::size_t count) const {
    if (count > 0) copy_shared(to, input_bytes(first), layout_.span(count));
}

TOPOMP_INLINE void shared_operands::copy_out(std::byte* from, std::size_t first, std::size_t count) {
    charge_copy(layout_.span(count));
    copy_block({elements_at(from), count, result_.type},
               {layout_.element(result_.data, first), count, result_.type}, room_.spare());
}

} // namespace topo::detail
