// SPDX-License-Identifier: BSL-1.0
/// @file
/// The buffers to which a collective refers for longer than a call, in checked builds.
#pragma once

#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/memory/detail/window_life.hpp>

#include <cstddef>
#include <span> // and the concepts of ranges
#include <type_traits>
#include <vector>

namespace topo::detail {

/// A container that is a buffer, and where its elements were when it was given.
struct watched_container {
    struct place {
        const void* data;
        std::size_t size;
        friend bool operator==(const place&, const place&) = default;
    };
    const void* container;
    place (*place_of)(const void* container);
    place then;
};

/// A buffer that only the root of a call uses.
template <class Buffer, class Where>
struct used_by_root {
    const Buffer& buffer;
    const Where& levels;
    int root;
};
template <class Buffer, class Where>
used_by_root(const Buffer&, const Where&, int) -> used_by_root<Buffer, Where>;

/// The containers and windows of one collective. Containers are asked where their elements are, so they must
/// live as long as the collective; nothing can tell whether they do. Windows may end: that is found.
class watched_buffers {
public:
    /// @param call as errors name it @param where a hierarchy or a neighbourhood, whose rank they name
    template <class Where>
    void name(const char* call, const Where& where) {
        call_ = call;
        if constexpr (requires { where.whole_rank(); })
            rank_ = where.whole_rank();
        else
            rank_ = where.comm().rank();
    }

    /// A range that only refers to elements is not watched, nor a single value.
    template <class Buffer>
    void add(const Buffer& buffer) {
        if constexpr (std::is_same_v<Buffer, watched_window>) {
            windows_.push_back(buffer);
        } else if constexpr (!std::ranges::borrowed_range<Buffer>) {
            constexpr auto place_of = [](const void* one) {
                const auto& container = *static_cast<const Buffer*>(one);
                return watched_container::place{data_of(container), length_of(container)};
            };
            containers_.push_back({&buffer, place_of, place_of(&buffer)});
        }
    }

    template <class Buffer, class Where>
    void add(const used_by_root<Buffer, Where>& one) {
        if (one.levels.whole_rank() == one.root) add(one.buffer);
    }

    bool are_any() const noexcept { return !containers_.empty() || !windows_.empty(); }

    /// Local. @throws argument_error if a container has moved its elements since, usage_error if a window has
    /// ended or was moved, without the rank
    void require_unmoved() const;
    /// The same with the rank, for what other ranks do not hear of.
    void require_unmoved_here() const;

private:
    const char* call_ = "";
    int rank_ = 0;
    std::vector<watched_container> containers_;
    std::vector<watched_window> windows_;
};

/// The same of a build without checks.
struct unwatched_buffers {
    template <class Where>
    static void name(const char*, const Where&) noexcept {}
    template <class Buffer>
    static void add(const Buffer&) noexcept {}
    static constexpr bool are_any() noexcept { return false; }
    static void require_unmoved() noexcept {}
    static void require_unmoved_here() noexcept {}
};

using buffers_of_call = std::conditional_t<is_checked, watched_buffers, unwatched_buffers>;

} // namespace topo::detail

#if defined(TOPOMP_CHECKED) && !defined(TOPOMP_COMPILED)
#include <topomp/collective/impl/watched_buffers.ipp>
#endif
