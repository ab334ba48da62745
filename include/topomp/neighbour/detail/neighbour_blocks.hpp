// SPDX-License-Identifier: BSL-1.0
/// @file
/// The blocks of a neighbour exchange as messages.
#pragma once

#include <topomp/core/detail/agreement.hpp>
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/integers.hpp>
#include <topomp/core/message.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace topo::detail {

/// What an exchange fills must be there to be read.
template <class Result>
constexpr void assert_filled() {
    static_assert(outlives_call<Result>,
                  "topo: this exchange fills a buffer that ends with the call, so that the result could "
                  "not be read: pass a variable or a span");
}

struct repeated_block {};
inline constexpr repeated_block repeated{};

/// A block of a buffer for each neighbour. @throws argument_error for elements at a null address, too
class neighbour_blocks {
public:
    neighbour_blocks() = default;

    /// Of equal lengths. @throws argument_error if the elements cannot be divided so
    template <class R>
    neighbour_blocks(std::string_view call, std::string_view object, R& elements, std::size_t neighbours)
        : neighbour_blocks(whole(elements)) {
        cut(call, object, neighbours, sizeof(element_value_t<R>));
    }

    /// Of lengths of their own. @throws argument_error if these do not fit
    template <class R>
    neighbour_blocks(std::string_view call, std::string_view object, R& elements, std::size_t neighbours,
                     const integers& counts)
        : neighbour_blocks(whole(elements)) {
        cut(call, object, neighbours, counts, sizeof(element_value_t<R>));
    }

    /// All elements for each.
    template <class R>
    neighbour_blocks(repeated_block, std::string_view call, R& elements, std::size_t neighbours)
        : neighbour_blocks(whole(elements)) {
        repeat(call, neighbours);
    }

    std::span<const message> all() const noexcept;
    std::size_t elements() const noexcept { return all_.count; }

private:
    explicit neighbour_blocks(const message& all) : all_(all) {}

    template <class R>
    static message whole(R& elements) {
        using value = element_value_t<R>;
        return {const_cast<value*>(data_of(elements)), length_of(elements), datatype_of<value>()};
    }

    void repeat(std::string_view call, std::size_t neighbours);
    void cut(std::string_view call, std::string_view object, std::size_t neighbours, std::size_t bytes_each);
    void cut(std::string_view call, std::string_view object, std::size_t neighbours, const integers& counts,
             std::size_t bytes_each);

    /// Room for so many blocks.
    message* take(std::size_t number);

    message all_;
    std::size_t number_ = 0;
    std::array<message, 8> few_; ///< without an allocation in each call
    std::vector<message> many_;  ///< empty: all are in `few_`
};

/// Both directions of one exchange.
struct neighbour_buffers {
    neighbour_blocks out, in;
};

/// Runs a rank's checks of its own arguments; in a checked build all ranks throw if one does, and what was
/// started goes on meanwhile.
template <class Make>
neighbour_buffers checked_buffers([[maybe_unused]] const neighbourhood& links, Make make) {
    if constexpr (is_checked)
        return all_or_none(links.comm(), make, [&](std::int64_t* values, std::size_t count) {
            lowest_of_neighbours(links, values, count);
        });
    else
        return make();
}

/// Refuses blocks whose lengths differ between the two directions, where there are both.
void require_one_length(std::string_view call, const neighbour_blocks& out, const neighbour_blocks& in);
void require_own_length(std::string_view call, std::size_t own, const neighbour_blocks& in);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/neighbour_blocks.ipp>
#endif
