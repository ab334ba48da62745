// SPDX-License-Identifier: BSL-1.0
/// @file
/// The messages of one neighbour exchange.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/node_routes.hpp>
#include <topomp/neighbour/detail/records.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

/// Tags on the communicator of the groups.
namespace neighbour_tag {
inline constexpr int give = 1, across = 2, hand = 3, sparse = 4, inside = 6, lengths = 7, who_carries = 8,
                     dissemination = 9, first_link = 16, of_links = 8192, first_step = first_link + of_links,
                     first_own = 16384; ///< of exchanges with tags of their own, as `context::reserve_tags`
/// Of the messages of a sparse exchange, by its place in the order of starts: two in turn.
constexpr int sparse_of(unsigned place) { return sparse + static_cast<int>(place % 2); }
} // namespace neighbour_tag

/// The tags of an exchange that does not wait: three for its steps, and some for direct messages.
struct exchange_tags {
    int step = 0, first_link = neighbour_tag::first_link, of_links = neighbour_tag::of_links;

    /// Links between the same two ranks may have one tag if their order in both lists is the same: of a
    /// Cartesian topology only the two links of a dimension must have different ones.
    int of_link(int key) const { return first_link + key % of_links; }
};

/// The links of the calling rank, in the order of its blocks.
struct links {
    std::vector<link_end> out, in;
    std::vector<std::size_t> in_order;  ///< of `in`, by rank and key
    std::vector<std::size_t> out_nodes; ///< of `out`, by node: those of one node follow each other

    /// Numbers links between the same two ranks in their order, if there are no keys.
    static links of(const node_members& nodes, std::span<const int> sources,
                    std::span<const int> destinations, std::span<const int> source_keys,
                    std::span<const int> destination_keys);
};

/// One exchange from its start to its end: the requests and buffers of one call.
class node_exchange {
public:
    /// @param requests to which it appends those of its messages, so that they outlive a failed start
    node_exchange(const char* call, const node_groups& groups, const links& all, std::span<const message> out,
                  std::span<const message> in, std::vector<MPI_Request>& requests)
        : call_(call), groups_(groups), links_(all), out_(out), in_(in), requests_(requests) {}

    /// Calls `go()`. If that throws, the buffers of messages that may be under way last, and later exchanges
    /// of the groups are refused.
    /// @param also memory for messages
    template <class Go>
    void keep_if_failed(Go go, const std::shared_ptr<const void>& also = {}) {
        try {
            go();
        } catch (...) {
            groups_.has_failed = true;
            groups_.running.left.add(requests_);
            for (const awaited* const each : {&from_node_, &from_carriers_, &from_own_carriers_})
                groups_.running.left.add(each->requests);
            keep_for_messages(std::make_shared<node_exchange>(std::move(*this)));
            if (also != nullptr) keep_for_messages(also);
            throw;
        }
    }

    /// Starts the messages of blocks of so many bytes or more: for other nodes, and for the own one.
    void start_direct(std::size_t direct_from, std::size_t direct_from_inside = 0,
                      const exchange_tags& tags = {});

    /// The three steps. Every rank takes part. @param is_same all blocks of a rank are one
    void by_node(const node_routes& routes, std::size_t direct_from, bool is_same);

    /// Waits for all messages.
    void finish() { groups_.running.wait_for_all(requests_, "blocks of neighbours"); }
    /// @throws argument_error if a block had another length
    void require_lengths() const {
        if (!problem_.empty()) throw argument_error(call_, "block", problem_);
    }

private:
    friend class exchange_in_background;
    friend class exchange_in_memory;

    bool goes_by_node(const link_end& link, const message& block, std::size_t direct_from) const;
    void deliver(int source, const link_end& target, std::span<const std::byte> data);
    /// Messages that are awaited, the first `longest_part` bytes of each.
    struct awaited {
        std::vector<MPI_Request> requests;
        std::unique_ptr<std::byte[]> parts;
    };
    /// The beginning of a message, and what follows if there is more.
    static constexpr std::size_t longest_part = 8192;

    record_buffer& opened(std::map<int, record_buffer>& messages, int key);
    void send(record_buffer& what, int to, int tag);
    void await(awaited& what, std::span<const int> from, int tag);
    /// Waits for all and calls `f(record)` for each block.
    template <class F>
    void receive(awaited& what, std::span<const int> from, int tag, F f);

    void give(const node_routes& routes, std::size_t direct_from, bool is_same);
    void hand_out(const record_buffer::record& block);

    const char* call_;
    const node_groups& groups_;
    const links& links_;
    std::span<const message> out_, in_;
    std::vector<MPI_Request>& requests_;
    std::map<int, record_buffer> given_, across_, handed_;  ///< by rank, node, rank
    awaited from_node_, from_carriers_, from_own_carriers_; ///< where the exchange waits
    std::vector<std::byte> arrived_;
    std::string problem_; ///< the first one
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/node_exchange.ipp>
#endif
