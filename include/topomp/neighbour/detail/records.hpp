// SPDX-License-Identifier: BSL-1.0
/// @file
/// Blocks of several ranks in one message.
#pragma once

#include <topomp/core/detail/copy_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace topo::detail {

/// A link of a neighbourhood: the other rank, and which of the links between the two ranks it is.
struct link_end {
    std::int32_t rank = 0, key = 0;
    friend bool operator==(const link_end&, const link_end&) = default;
    friend auto operator<=>(const link_end&, const link_end&) = default;
};

/// Blocks one behind the other, each with its source rank and the links that it is for, so that a rank can
/// pass on a block of other ranks' links.
///
/// ```
///   source, targets | bytes | rank, key | rank, key | ... | data, filled up to 8 bytes
/// ```
class record_buffer {
public:
    /// A block in a buffer.
    struct record {
        std::int32_t source = 0;
        std::vector<link_end> targets;
        std::span<const std::byte> data;
    };

    /// Appends a block. @return where its `bytes` of data have to go; valid until the next one
    std::byte* append(int source, std::span<const link_end> targets, std::size_t bytes) {
        const head begin{source, static_cast<std::int32_t>(targets.size()), bytes};
        const std::size_t old = bytes_.size(), data = old + sizeof begin + targets.size_bytes();
        bytes_.resize(data + padded(bytes));
        std::memcpy(bytes_.data() + old, &begin, sizeof begin);
        if (!targets.empty())
            std::memcpy(bytes_.data() + old + sizeof begin, targets.data(), targets.size_bytes());
        return bytes_.data() + data;
    }

    void append(const record& what) {
        std::byte* const to = append(what.source, what.targets, what.data.size());
        copy_bytes(to, what.data.data(), what.data.size());
    }

    /// Calls `f(record)` for each block of a message.
    template <class F>
    static void for_each(std::span<const std::byte> message, F f) {
        record next;
        while (!message.empty()) {
            head begin;
            std::memcpy(&begin, message.data(), sizeof begin);
            next.source = begin.source;
            next.targets.resize(static_cast<std::size_t>(begin.targets));
            const std::size_t links = next.targets.size() * sizeof(link_end);
            if (links > 0) std::memcpy(next.targets.data(), message.data() + sizeof begin, links);
            next.data = message.subspan(sizeof begin + links, begin.bytes);
            f(std::as_const(next));
            message = message.subspan(sizeof begin + links + padded(begin.bytes));
        }
    }

    /// Begins a message with a block of its own, for the length of the whole message: the receiver need not
    /// know it before. @pre nothing was appended
    void begin_with_length() { append(-1, {}, sizeof(std::uint64_t)); }
    /// Writes the length. @pre nothing is appended any more
    void close() {
        const std::uint64_t all = bytes_.size();
        std::memcpy(bytes_.data() + sizeof(head), &all, sizeof all);
    }
    /// The length of a message of which the beginning has arrived.
    static std::size_t length_of(std::span<const std::byte> beginning) {
        std::uint64_t all = 0;
        std::memcpy(&all, beginning.data() + sizeof(head), sizeof all);
        return all;
    }
    /// What follows the length.
    static std::span<const std::byte> without_length(std::span<const std::byte> message) {
        return message.subspan(sizeof(head) + sizeof(std::uint64_t));
    }

    std::vector<std::byte>& bytes() noexcept { return bytes_; }
    std::span<const std::byte> view() const noexcept { return bytes_; }

private:
    struct head {
        std::int32_t source = 0, targets = 0;
        std::uint64_t bytes = 0;
    };
    static constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

    std::vector<std::byte> bytes_;
};

} // namespace topo::detail
