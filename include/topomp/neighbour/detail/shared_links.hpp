// SPDX-License-Identifier: BSL-1.0
/// @file
/// Neighbour exchanges through the memory of nodes.
#pragma once

#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/node_routes.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace topo::detail {

/// The links of a neighbourhood in the memory of nodes. A rank writes its short blocks into slots, one for
/// each link, and raises its signal; targets in its node read them. Of what goes to another node together the
/// carrier makes one message out of the slots of its node; it arrives in a box from which all targets read.
///
/// ```
///   nodes {0 1} {2 3}, links 0-2 1-2 1-3        0 writes, 1 writes | carrier 1 -> carrier 2 | 2 reads, 3
///   reads
/// ```
///
/// Slots and boxes have two halves, which exchanges use in turn. A rank writes into a half when all who read
/// it two exchanges ago have begun the one after that.
class shared_links {
public:
    /// Longer blocks are messages; inside a node, where an MPI copies these once, already those of more than
    /// `longest_inside`.
    static constexpr std::size_t longest = 16384, longest_inside = 4096;

    /// What an exchange costs the busiest rank and node.
    ///
    /// As in `node_routes`, a message between nodes has a latency of three times what it takes to start one,
    /// and 4 KiB take as long as a start, on the link that the ranks of a node share, or to be copied. Then
    /// direct messages of b bytes take 3 + direct + links b / 4 KiB, and carriers 5 + messages +
    /// (links + copied) b / 4 KiB, or fewer `blocks` in the place of `links`.
    struct load {
        int direct = 0;   ///< messages of a rank to or from other nodes, if each link is a message
        int messages = 0; ///< of a carrier
        int links = 0;    ///< of a node to or from other nodes
        int copied = 0;   ///< blocks that a carrier copies, and a rank reads
        int blocks = 0;   ///< as `links`, if each rank has one block for all
        int copied_of_blocks = 0;
        int inside = 0; ///< 1: links inside a node

        std::size_t limit(bool is_same) const;
    };

    /// @return nothing if the ranks of some node have no memory in common, or too many links. The same on all
    /// ranks @collective over the communicator of the groups
    static std::shared_ptr<shared_links> of(const node_groups& groups, const links& all);

    shared_links(const node_groups& groups, const links& all);

    /// The most of all ranks. @collective over the communicator of the groups
    load busiest() const;

    /// The short blocks of one exchange. @param direct_from blocks for other nodes of fewer bytes go by
    /// carriers @param is_same all blocks of a rank are one
    /// @return what is wrong with the first block that had another length; empty: nothing
    std::string exchange(std::span<const message> out, std::span<const message> in, std::size_t direct_from,
                         bool is_same);

private:
    /// A link of the node, as both nodes order them.
    struct carried {
        int source = 0, target = 0, key = 0;
        int number = 0; ///< of the one that is in this node
        int slot = 0;   ///< of the source's, if that is in this node
        friend bool operator<(const carried& a, const carried& b) {
            return std::tie(a.source, a.target, a.key) < std::tie(b.source, b.target, b.key);
        }
    };
    /// What goes to another node or comes from it.
    struct bundle {
        int node = 0;
        int carrier_here = 0, carrier_there = 0; ///< number in the node; rank
        std::vector<carried> links;
        std::vector<int> numbers; ///< of the ranks of this node that have some, each once
        std::vector<int> others;  ///< of these, without the calling rank
        std::size_t box = 0;      ///< where its box begins: of what comes
        std::vector<std::byte> packed;

        std::size_t box_bytes() const { return links.size() * (sizeof(std::uint32_t) + longest); }
    };
    /// A link to the calling rank.
    struct incoming {
        int number = -1; ///< of the source, if it is in this node; -1: not, or no rank
        int bundle = -1; ///< else that of its node
        int slot = 0;    ///< of the source's, or place in the bundle
        int place = 0;   ///< in the bundle, if each source has one block
    };
    struct listed {
        std::vector<link_end> out, in;
    };

    std::vector<listed> all_links() const;
    void find_bundles(const std::vector<listed>& all);
    void find_incoming(const std::vector<listed>& all);
    void find_load();
    bool take_memory();

    bool is_here(int rank) const { return rank != MPI_PROC_NULL && groups_.who.node(rank) == node_; }
    int number_of(int rank) const;

    signal* signals() const { return reinterpret_cast<signal*>(block_.data()); }
    signal& written(int number) const { return signals()[number]; }
    signal& arrived(int number) const { return signals()[groups_.inside.size() + number]; }
    std::byte* slot(int number, int which) const;
    std::byte* box(const bundle& from) const;
    void wait_for(std::span<const int> numbers, bool carriers, signal::value_type round, bool is_charged);

    void write(std::span<const message> out, std::size_t direct_from, bool is_same);
    void receive_boxes();
    void send_bundles(std::size_t direct_from, bool is_same);
    void read(std::span<const message> in, std::size_t direct_from, bool is_same, bool from_boxes);
    void read_block(const std::byte* data, std::size_t bytes, const message& to, std::size_t which);
    void wait_for_messages(std::vector<MPI_Request>& requests);

    const node_groups& groups_;
    const links& links_;
    int node_, mine_;
    std::vector<bundle> out_, in_;
    std::vector<incoming> incoming_;
    std::vector<std::size_t> first_slot_;                               ///< of each rank of the node
    std::vector<int> sources_here_, carriers_, before_, before_unseen_; ///< numbers in the node, each once
    std::size_t slots_begin_ = 0, boxes_begin_ = 0, half_bytes_ = 0, copied_ = 0;
    load load_;
    arena::block block_;
    signal::value_type round_ = 0;
    std::vector<MPI_Request> sends_, receives_;
    std::string problem_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/shared_links.ipp>
#endif
