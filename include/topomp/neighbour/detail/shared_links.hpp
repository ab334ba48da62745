// SPDX-License-Identifier: BSL-1.0
/// @file
/// Neighbour exchanges through the memory of nodes.
#pragma once

#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/algorithm/shared/shared_reader.hpp>
#include <topomp/core/message.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/node_routes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace topo::detail {

/// Of blocks that are equally long; 0 if there are none.
std::size_t length_of(std::span<const message> out, std::span<const message> in);

/// The links of a neighbourhood in the memory of nodes. A rank writes its short blocks into slots, one for
/// each link, and raises its signal; targets in its node read them. Of a long block for its node it writes
/// the address, if the kernel copies between processes, and waits until the target has copied it. What goes
/// from one node to another is divided into shares, each of which one rank carries: it makes one message out
/// of the slots of its node, which arrives in a box from which all targets read.
///
/// ```
///   nodes {0 1} {2 3}, links 0-2 1-2 1-3, a share    0 writes, 1 writes | carrier 0 -> 2 | 2 reads, 3 reads
/// ```
///
/// Slots and boxes have two halves, which exchanges use in turn. A rank writes into a half when all ranks
/// that read it two exchanges ago have begun the exchange after that one.
class shared_links {
public:
    /// Longer blocks for other nodes are messages.
    static constexpr std::size_t longest = 16384;
    /// Longer blocks inside a node are copied by the kernel, or without it messages, as may be shorter ones.
    static constexpr std::size_t most_inside = 8192, most_without_kernel = 4096;

    /// What an exchange does on the rank and node that do the most of it.
    struct load {
        int direct = 0;   ///< messages of a rank to or from other nodes, if each link is a message
        int messages = 0; ///< of a carrier
        int links = 0;    ///< of a node to or from other nodes
        int copied = 0;   ///< blocks that a rank writes, packs and reads
        int blocks = 0;   ///< as `links`, if each rank has one block for all
        int copied_of_blocks = 0;
        int inside = 0; ///< links of a rank to ranks of its node
        int bytes = 0;  ///< of a block: no rank has longer ones
        int ranks = 1;  ///< of a node
        /// Whether ranks of some node outnumber its cores. Then a signal is seen by a rank that gets a core.
        bool is_late = false;
        /// For so many messages. Four hosts of four ranks on two cores, 8 bytes, microseconds by carriers and
        /// in direct messages: stencils of 5 points, 2 messages for 1, 650 and 589; 7 points, 593 and 499; 9
        /// points, 6 for 1, 1.5 times faster by carriers; 27 points 1.8 times (2026-11-28).
        static constexpr double messages_until_core = 3;

        /// From so many bytes on blocks for other nodes are direct; 0: all are.
        ///
        /// With o the processor time of a message at each end, R the rate of a node's link, c the time to
        /// copy a byte and s that of a signal, direct messages of b bytes take, beside the latency, at least
        /// max(2 direct o, links b / R), and carriers 2 s + 2 messages o + links b / R + copied b c, or with
        /// `blocks` in the place of `links`. Carriers are faster up to a length; and
        /// in an all-gather from another length on, because fewer blocks are on the link: if they are nowhere
        /// more than 5 % slower, always. The figures are those by which `decide` models machines on which
        /// nothing was measured. On a slower network copies are a smaller part.
        std::size_t limit(bool is_same) const;

        /// The longest block that is faster through a slot than otherwise inside a node: a message takes 2 o,
        /// and is copied once, and a copy by the kernel takes about 1 us to start; while a block is written
        /// into its slot, or in an all-gather once for all links, and read. All ranks of a node do so at the
        /// same time, each with its share of the memory's rate. (What carriers copy is no more than three
        /// times what the node's link carries, which is much slower than its memory.)
        std::size_t longest_inside(bool is_same, bool copies_by_kernel) const;

        /// Whether the messages of carriers that have no block make direct ones at most 5 % slower.
        bool hides_carriers() const;
    };

    /// @param is_forced all blocks for other nodes go by carriers, as far as there is room
    /// @param bytes of the calling rank's longest block in all exchanges
    /// @return nothing if no block would go through memory, if the ranks of some node have none in common,
    /// or for too many links. The same on all ranks @collective over the communicator of the groups
    static std::shared_ptr<shared_links> of(const node_groups& groups, const links& all, bool is_forced,
                                            std::size_t bytes = longest);

    /// @collective over the communicator of the groups
    shared_links(const node_groups& groups, const links& all);

    /// Blocks for other nodes of fewer bytes go by carriers. @param is_same all blocks of a rank are one
    std::size_t direct_from(bool is_same) const { return direct_from_[is_same ? 1 : 0]; }

    /// From so many bytes on blocks inside a node are messages. @param is_same all blocks of a rank are one
    std::size_t messages_inside_from(bool is_same) const {
        return copies_by_kernel() ? std::numeric_limits<std::size_t>::max() : longest_inside(is_same) + 1;
    }

    /// For one exchange. No rank knows the lengths of other ranks' blocks, so carriers always wait for each
    /// other, except where all blocks are equally long.
    /// @param is_equal all blocks of all ranks have one length
    std::size_t direct_from(bool is_same, bool is_equal, std::span<const message> out,
                            std::span<const message> in) const;

    /// Where the blocks of an exchange are: in memory, in messages of their own, or some here and some there.
    enum class parts { memory, messages, both };

    /// Of blocks that all have one length. For a rank without links, which does not know the length, the
    /// result does not matter, because no rank waits for its signals.
    parts parts_of(std::size_t direct_from, bool is_same, std::span<const message> out,
                   std::span<const message> in) const;

    /// The place of an exchange among those that use these links, which all ranks begin in the same order:
    /// each begins when the one before has ended on this rank.
    std::uint64_t queue() { return queued_++; }
    /// Whether all exchanges before it have ended. @throws usage_error if one has failed, also if that has
    /// begun
    bool is_next(const char* call, std::uint64_t place) const {
        if (has_failed_) [[unlikely]]
            groups_.require_sound(call);
        return ended_ == place;
    }
    /// An exchange that has a place will not end.
    void note_failure() noexcept {
        has_failed_ = true;
        for (const node_messages* const each : {&sends_, &receives_})
            groups_.running.left.add(each->requests());
    }
    /// The exchange that is under way has ended.
    void leave() { ++ended_; }

    /// Begins with the short blocks of one exchange. The lists have to last to its end.
    /// @pre `is_next`
    /// @param direct_from as for this exchange; 0 on all ranks or on none that has links to other nodes
    /// @param tag of its messages on the communicator of the groups
    void begin(std::span<const message> out, std::span<const message> in, std::size_t direct_from,
               bool is_same, int tag);

    /// Goes on with it. @param waits to its end, else as far as it can without waiting
    /// @return whether it is complete; also if none was begun
    bool go_on(bool waits);

    /// What is wrong with the first block that had another length; empty: nothing
    const std::string& problem() const { return problem_; }

private:
    /// A link to or from another node, as both nodes order them.
    struct carried {
        int lower = 0, upper = 0, key = 0; ///< ranks: that in the node with the lower number, and the other
        int source = 0;
        int number = 0; ///< in the node, of the one that is there
        int which = 0;  ///< of the source's links, if that is in this node
        friend bool operator<(const carried& a, const carried& b) {
            return std::tie(a.lower, a.upper, a.key) < std::tie(b.lower, b.upper, b.key);
        }
    };
    struct carrier_pair {
        int here = 0, there = 0; ///< number in the node; rank
    };
    /// All links to or from another node, and the ranks that carry their blocks.
    struct bundle {
        int node = 0;
        std::vector<carried> links;
        std::vector<int> sources; ///< each once, in the order of `links`
        std::vector<carrier_pair> carriers;
    };
    /// A block that is sent to another node.
    struct packed_block {
        int number = 0; ///< of its source in the node
        int which = 0;  ///< of its links
    };
    /// What one rank carries to another node, or gets from it.
    struct share {
        int bundle = 0;
        carrier_pair by;
        std::size_t first = 0, count = 0; ///< of the blocks of the bundle
        std::vector<packed_block> blocks; ///< what is sent
        std::vector<int>
            numbers;          ///< of the ranks of this node that write or read it, without the calling one
        bool is_mine = false; ///< whether that does
        std::vector<int> readers; ///< of the box, in whatever form
        std::size_t box = 0, box_bytes = 0;
        std::vector<std::byte> packed;
    };
    /// A link to the calling rank.
    struct incoming {
        int number = -1; ///< of the source, if it is in this node; -1: not, or no rank
        int which = 0;   ///< of its links
        struct place {
            int share = -1; ///< of those that come in; -1: none
            std::size_t block = 0;
        };
        std::array<place, 2> places; ///< as `forms_`
    };
    struct listed {
        std::vector<link_end> out, in;
    };
    /// What depends on whether each link has a block, or each rank one for all.
    struct form {
        std::vector<share> out, in;
        std::vector<int> carriers; ///< numbers of those whose boxes the calling rank reads, without its own
        std::vector<int> readers;  ///< of the calling rank's slots
        std::array<signal::value_type, 2> used{}; ///< when the slots of each half were written; 0: never
    };
    /// What a slot begins with.
    struct slot_head {
        std::uint64_t bytes = 0;
        std::uint64_t address = 0; ///< of the block in the memory of its source; 0: it follows
    };
    static constexpr std::size_t line_bytes = 64;

    std::vector<listed> all_links() const;
    void find_bundles(const std::vector<listed>& all);
    void find_carriers();
    void find_shares();
    void find_incoming(const std::vector<listed>& all);
    void find_readers();
    load find_load() const;
    load busiest(std::size_t bytes) const;
    std::size_t place_memory();
    bool take_memory();

    bool is_here(int rank) const { return rank != MPI_PROC_NULL && groups_.nodes.node(rank) == node_; }
    int number_of(int rank) const;
    /// Blocks of more bytes inside a node are copied by the kernel, or are messages.
    std::size_t longest_inside(bool is_same) const { return longest_inside_[is_same ? 1 : 0]; }
    bool copies_by_kernel() const { return !processes_.empty(); }

    signal* signals() const { return reinterpret_cast<signal*>(block_.data()); }
    signal& written(int number) const { return signals()[number]; }
    signal& arrived(int number) const { return signals()[groups_.inside.size() + number]; }
    signal& copied(int number) const { return signals()[2 * groups_.inside.size() + number]; }
    std::byte* at(std::size_t place) const;
    std::byte* slot(int number, bool is_same, int which) const;
    bool have_begun(std::span<const int> numbers, signal::value_type round) const;
    bool have_written(std::span<const int> numbers, signal::value_type round, bool waits);
    /// @param which one of the functions above
    bool have_raised(std::span<const int> numbers, signal& (shared_links::*which)(int) const,
                     signal::value_type round, bool waits);

    void find_processes();
    void receive();
    void write();
    std::uint64_t show(const message& block);
    bool send(share& what, bool waits);
    void read(bool from_boxes);
    bool has_length(std::size_t bytes, std::size_t which);
    void read_block(const std::byte* data, std::size_t bytes, std::size_t which);
    void copy_block(int number, const slot_head& from, std::size_t which);

    const node_groups& groups_;
    const links& links_;
    int node_, mine_;
    std::vector<bundle> out_, in_;
    std::array<form, 2> forms_; ///< a block for each link; one for all
    std::vector<incoming> incoming_;
    std::vector<std::vector<link_end>> links_of_ranks_; ///< of the node, until there is memory
    std::vector<std::vector<std::size_t>>
        slots_;                     ///< of each rank of the node; the last is that of all its links
    std::vector<int> sources_here_; ///< numbers, each once
    bool has_links_across_ = false, takes_any_length_ = false;
    std::array<std::size_t, 2> direct_from_{}, longest_inside_{};
    std::vector<process> processes_; ///< of the node; empty: the kernel copies nothing between them
    std::size_t longest_block_ = longest, signal_bytes_ = 0, half_bytes_ = 0, copied_ = 0;
    arena::block block_;
    signal::value_type round_ = 0;
    std::array<signal::value_type, 2> boxes_used_{}; ///< as `form::used`
    std::uint64_t queued_ = 0, ended_ = 0;
    bool has_failed_ = false;
    // Of the exchange that is under way.
    std::span<const message> out_blocks_, in_blocks_;
    std::size_t limit_ = 0, next_share_ = 0;
    bool is_same_ = false;
    int tag_ = 0;
    enum class step { write, send, receive, read, arrive, read_boxes, sent, shown, end } step_ = step::end;
    signal::value_type boxes_before_ = 0;  ///< when the boxes of its half were used
    std::vector<signal::value_type> seen_; ///< which exchange each rank of the node is known to have begun
    std::vector<int> unseen_;
    std::vector<const share*> late_; ///< whose boxes may still be read
    std::vector<int> shown_to_;      ///< numbers of the ranks that copy out of the calling rank's memory
    std::vector<std::vector<std::byte>> packed_; ///< long blocks that are not dense
    std::vector<std::byte> unpacked_;
    node_messages sends_, receives_;
    std::string problem_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/shared_links.ipp>
#endif
