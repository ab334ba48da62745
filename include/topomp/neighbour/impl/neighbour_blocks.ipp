// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/argument_checks.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/neighbour/detail/neighbour_blocks.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE message* neighbour_blocks::take(std::size_t number) {
    number_ = number;
    if (number <= few_.size()) return few_.data();
    many_.assign(number, {});
    return many_.data();
}

TOPOMP_INLINE std::span<const message> neighbour_blocks::all() const noexcept {
    return {many_.empty() ? few_.data() : many_.data(), number_};
}

TOPOMP_INLINE void neighbour_blocks::repeat(std::string_view call, std::size_t neighbours) {
    require_data(call, "elements", all_);
    std::fill_n(take(neighbours), neighbours, all_);
}

TOPOMP_INLINE void neighbour_blocks::cut(std::string_view call, std::string_view object,
                                         std::size_t neighbours, std::size_t bytes_each) {
    require_data(call, object, all_);
    if (neighbours == 0 ? all_.count != 0 : all_.count % neighbours != 0)
        throw argument_error(call, object,
                             std::to_string(all_.count) + " elements are no blocks of one length for " +
                                 std::to_string(neighbours) + " neighbours");
    const std::size_t count = neighbours == 0 ? 0 : all_.count / neighbours;
    message* const blocks = take(neighbours);
    for (std::size_t i = 0; i < neighbours; ++i)
        blocks[i] = {static_cast<std::byte*>(all_.data) + i * count * bytes_each, count, all_.type};
}

TOPOMP_INLINE void neighbour_blocks::cut(std::string_view call, std::string_view object,
                                         std::size_t neighbours, const integers& counts,
                                         std::size_t bytes_each) {
    require_data(call, object, all_);
    if (counts.size() != neighbours)
        throw argument_error(call, object,
                             "there are " + std::to_string(counts.size()) + " counts for " +
                                 std::to_string(neighbours) + " neighbours");
    std::size_t left = all_.count;
    message* const blocks = take(neighbours);
    for (std::size_t i = 0; i < neighbours; ++i) {
        if (counts[i] > left)
            throw argument_error(call, object,
                                 "count " + std::to_string(i) + " is " +
                                     std::to_string(static_cast<long long>(counts[i])) + ", and " +
                                     std::to_string(left) + " elements are left");
        blocks[i] = {static_cast<std::byte*>(all_.data) + (all_.count - left) * bytes_each, counts[i],
                     all_.type};
        left -= counts[i];
    }
    if (left != 0)
        throw argument_error(call, object,
                             std::to_string(left) + " elements more than the sum of the counts");
}

TOPOMP_INLINE void require_own_length(std::string_view call, std::size_t own, const neighbour_blocks& in) {
    if (!in.all().empty() && in.all().front().count != own)
        throw argument_error(call, "result",
                             std::to_string(in.all().front().count) + " elements for each source, but " +
                                 std::to_string(own) + " are sent");
}

TOPOMP_INLINE void require_one_length(std::string_view call, const neighbour_blocks& out,
                                      const neighbour_blocks& in) {
    if (!out.all().empty()) require_own_length(call, out.all().front().count, in);
}

} // namespace topo::detail
