// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/packed.hpp>
#include <topomp/algorithm/shared/node_messages.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/usual_messages.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/simulated.hpp>
#include <topomp/memory/detail/window_layout.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/shared_links.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

inline constexpr std::uint64_t no_block = ~std::uint64_t{0};

/// How much slower than direct messages carriers may be somewhere, in the model, to be used everywhere.
inline constexpr double tolerated = 1.0 / 20;

TOPOMP_INLINE std::shared_ptr<shared_links> shared_links::of(const node_groups& groups, const links& all,
                                                             bool is_forced, std::size_t bytes) {
    const auto agreed = [&](bool mine) {
        const int own = mine ? 1 : 0;
        int least = 0;
        mpi::allreduce(&own, &least, 1, MPI_INT, MPI_MIN, groups.comm, "memory of nodes");
        return least == 1;
    };
    if (!agreed(groups.memory != nullptr && groups.memory->comm().size() == groups.inside.size()))
        return nullptr;
    auto made = std::make_shared<shared_links>(groups, all);
    const load most = made->busiest(bytes);
    made->longest_block_ = static_cast<std::size_t>(most.bytes);
    if (most.inside > 0 && made->longest_block_ > most.longest_inside(false, false)) made->find_processes();
    for (std::size_t i = 0; i < 2; ++i) {
        made->direct_from_[i] = is_forced && most.direct > 0 ? longest + 1 : most.limit(i == 1);
        made->longest_inside_[i] = most.longest_inside(i == 1, made->copies_by_kernel());
        if (made->direct_from_[i] == 0) made->forms_[i] = {};
    }
    made->takes_any_length_ = is_forced || most.hides_carriers();
    made->find_readers();
    if (const bool is_direct = made->direct_from_ == std::array<std::size_t, 2>{};
        is_direct && (most.inside == 0 || (most.is_late && most.direct > 0 && !is_forced)))
        return nullptr; // a late rank had better wait once, for messages, than for these and for memory
    return agreed(made->take_memory()) ? made : nullptr;
}

TOPOMP_INLINE shared_links::shared_links(const node_groups& groups, const links& all)
    : groups_(groups), links_(all), node_(groups.node()), mine_(groups.inside.rank()),
      seen_(static_cast<std::size_t>(groups.inside.size())) {
    const auto of_node = all_links();
    find_bundles(of_node);
    find_carriers();
    find_shares();
    find_incoming(of_node);
    for (const listed& each : of_node)
        links_of_ranks_.push_back(each.out);
}

TOPOMP_INLINE int shared_links::number_of(int rank) const {
    const auto& ranks = groups_.nodes.of_node(node_);
    return static_cast<int>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

TOPOMP_INLINE void shared_links::find_processes() {
    // The time of a message, in copies inside a process, with an MPI that does not copy by the kernel.
    constexpr double copies_of_message = 2;
    shared_reader found = find_reader(groups_.inside, std::size_t{1} << 18);
    if (found.slowness <= copies_of_message) processes_ = std::move(found.processes);
}

TOPOMP_INLINE std::vector<shared_links::listed> shared_links::all_links() const {
    std::vector<int> mine{static_cast<int>(links_.out.size()), static_cast<int>(links_.in.size())};
    for (const auto* const list : {&links_.out, &links_.in})
        for (const link_end& each : *list) {
            mine.push_back(each.rank);
            mine.push_back(each.key);
        }
    const auto ranks = static_cast<std::size_t>(groups_.inside.size());
    std::vector<int> counts(ranks), begins(ranks);
    const auto count = static_cast<int>(mine.size());
    mpi::check(MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, groups_.inside), "MPI_Allgather",
               "numbers of links");
    for (std::size_t i = 1; i < ranks; ++i)
        begins[i] = begins[i - 1] + counts[i - 1];
    std::vector<int> all(static_cast<std::size_t>(begins.back() + counts.back()));
    mpi::check(MPI_Allgatherv(mine.data(), count, MPI_INT, all.data(), counts.data(), begins.data(), MPI_INT,
                              groups_.inside),
               "MPI_Allgatherv", "links of a node");
    std::vector<listed> result(ranks);
    for (std::size_t i = 0; i < ranks; ++i) {
        const int* next = all.data() + begins[i];
        const int out = *next++, in = *next++;
        for (int link = 0; link < out; ++link, next += 2)
            result[i].out.push_back({next[0], next[1]});
        for (int link = 0; link < in; ++link, next += 2)
            result[i].in.push_back({next[0], next[1]});
    }
    return result;
}

TOPOMP_INLINE void shared_links::find_bundles(const std::vector<listed>& all) {
    const auto bundle_of = [&](std::vector<bundle>& list, int node) -> bundle& {
        const auto found = std::ranges::find(list, node, &bundle::node);
        if (found != list.end()) return *found;
        list.emplace_back().node = node;
        return list.back();
    };
    const auto& ranks = groups_.nodes.of_node(node_);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int number = static_cast<int>(i), rank = ranks[i];
        const auto add = [&](std::vector<bundle>& list, const link_end& end, int which, bool comes) {
            if (end.rank == MPI_PROC_NULL || is_here(end.rank)) return;
            const int node = groups_.nodes.node(end.rank);
            carried made{rank, end.rank, end.key, comes ? end.rank : rank, number, which};
            if (node < node_) std::swap(made.lower, made.upper);
            bundle_of(list, node).links.push_back(made);
        };
        for (std::size_t link = 0; link < all[i].out.size(); ++link)
            add(out_, all[i].out[link], static_cast<int>(link), false);
        for (const link_end& end : all[i].in)
            add(in_, end, 0, true);
    }
    for (auto* const list : {&out_, &in_})
        for (bundle& each : *list) {
            std::ranges::sort(each.links, [](const carried& a, const carried& b) { return a < b; });
            std::set<int> known;
            for (const carried& link : each.links)
                if (known.insert(link.source).second) each.sources.push_back(link.source);
        }
}

/// The ranks of a node that have links with others are divided among the other nodes, because they
/// know the length of blocks if all are equally long.
TOPOMP_INLINE void shared_links::find_carriers() {
    std::set<int> nodes, numbers;
    for (const auto* const list : {&out_, &in_})
        for (const bundle& each : *list) {
            nodes.insert(each.node);
            for (const carried& link : each.links)
                numbers.insert(link.number);
        }
    if (nodes.empty()) return;
    const std::vector<int> others(nodes.begin(), nodes.end()), able(numbers.begin(), numbers.end());
    const std::size_t each_has = std::max(std::size_t{1}, able.size() / others.size());
    const auto& ranks = groups_.nodes.of_node(node_);
    std::vector<std::vector<int>> here(others.size()), there(others.size());
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; i < others.size(); ++i) {
        for (std::size_t which = 0; which < each_has; ++which)
            here[i].push_back(ranks[static_cast<std::size_t>(able[(i * each_has + which) % able.size()])]);
        there[i].assign(std::max(each_has, groups_.nodes.of_node(others[i]).size()), -1);
        if (groups_.nodes.carrier(node_, others[i]) != groups_.comm.rank()) continue;
        const int peer = groups_.nodes.carrier(others[i], node_);
        mpi::check(MPI_Irecv(there[i].data(), static_cast<int>(there[i].size()), MPI_INT, peer,
                             neighbour_tag::who_carries, groups_.comm,
                             &requests.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Irecv", "carriers of a node");
        mpi::check(mpi::isend(here[i].data(), static_cast<int>(here[i].size()), MPI_INT, peer,
                              neighbour_tag::who_carries, groups_.comm,
                              &requests.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Isend", "carriers of a node");
    }
    mpi::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
               "MPI_Waitall", "carriers of nodes");
    std::vector<int> mine, all(others.size() * each_has);
    for (const auto& ranks_there : there) // no more than this node has
        mine.insert(mine.end(), ranks_there.begin(),
                    ranks_there.begin() + static_cast<std::ptrdiff_t>(each_has));
    mpi::allreduce(mine.data(), all.data(), static_cast<int>(all.size()), MPI_INT, MPI_MAX, groups_.inside,
                   "carriers of nodes");
    for (auto* const list : {&out_, &in_})
        for (bundle& each : *list) {
            const auto i = static_cast<std::size_t>(std::ranges::find(others, each.node) - others.begin());
            for (std::size_t which = 0; which < each_has && all[i * each_has + which] >= 0; ++which)
                each.carriers.push_back({number_of(here[i][which]), all[i * each_has + which]});
        }
}

TOPOMP_INLINE void shared_links::find_shares() {
    for (const bool is_same : {false, true}) {
        form& made = forms_[is_same ? 1 : 0];
        for (const bool comes : {false, true})
            for (const bundle& each : comes ? in_ : out_) {
                const std::size_t number = is_same ? each.sources.size() : each.links.size(),
                                  shares = std::min(number, each.carriers.size());
                for (std::size_t i = 0; i < shares; ++i) {
                    share next;
                    next.bundle = static_cast<int>(&each - (comes ? in_ : out_).data());
                    next.by = each.carriers[i];
                    next.first = number * i / shares;
                    next.count = number * (i + 1) / shares - next.first;
                    std::set<int> numbers;
                    if (is_same) {
                        const std::span<const int> sources{each.sources.data() + next.first, next.count};
                        for (const carried& link : each.links)
                            if (std::ranges::find(sources, link.source) != sources.end())
                                numbers.insert(link.number);
                        for (const int source : sources)
                            if (!comes) next.blocks.push_back({number_of(source), 0});
                    } else {
                        for (const carried& link :
                             std::span<const carried>{each.links.data() + next.first, next.count}) {
                            numbers.insert(link.number);
                            if (!comes) next.blocks.push_back({link.number, link.which});
                        }
                    }
                    next.is_mine = numbers.erase(mine_) > 0;
                    next.numbers.assign(numbers.begin(), numbers.end());
                    (comes ? made.in : made.out).push_back(std::move(next));
                }
            }
        std::set<int> carriers;
        for (const share& each : made.in)
            if (each.is_mine && each.by.here != mine_) carriers.insert(each.by.here);
        made.carriers.assign(carriers.begin(), carriers.end());
    }
}

TOPOMP_INLINE void shared_links::find_incoming(const std::vector<listed>& all) {
    const int rank = groups_.comm.rank();
    std::set<int> sources;
    const auto place_of = [](const form& where, int of_bundle, std::ptrdiff_t block) {
        incoming::place result;
        const auto wanted = static_cast<std::size_t>(block);
        for (std::size_t i = 0; i < where.in.size(); ++i)
            if (const share& each = where.in[i];
                each.bundle == of_bundle && each.first <= wanted && wanted < each.first + each.count)
                result = {static_cast<int>(i), wanted - each.first};
        return result;
    };
    for (const link_end& end : links_.in) {
        incoming& made = incoming_.emplace_back();
        if (is_here(end.rank)) {
            made.number = number_of(end.rank);
            const auto& out = all[static_cast<std::size_t>(made.number)].out;
            made.which = static_cast<int>(std::ranges::find(out, link_end{rank, end.key}) - out.begin());
            sources.insert(made.number);
        } else if (end.rank != MPI_PROC_NULL) {
            const auto from = std::ranges::find(in_, groups_.nodes.node(end.rank), &bundle::node);
            const auto link = std::ranges::find_if(from->links, [&](const carried& each) {
                return each.source == end.rank && each.lower + each.upper == end.rank + rank &&
                       each.key == end.key;
            });
            const auto which = static_cast<int>(from - in_.begin());
            made.places = {place_of(forms_[0], which, link - from->links.begin()),
                           place_of(forms_[1], which,
                                    std::ranges::find(from->sources, end.rank) - from->sources.begin())};
        }
    }
    for (const auto* const list : {&links_.out, &links_.in})
        for (const link_end& end : *list)
            has_links_across_ = has_links_across_ || (end.rank != MPI_PROC_NULL && !is_here(end.rank));
    sources.erase(mine_);
    sources_here_.assign(sources.begin(), sources.end());
}

/// The ranks that must have read before a slot or box can be written again.
TOPOMP_INLINE void shared_links::find_readers() {
    for (form& each : forms_) {
        std::set<int> readers;
        for (const link_end& end : links_.out)
            if (is_here(end.rank)) readers.insert(number_of(end.rank));
        for (const share& what : each.out)
            if (what.is_mine) readers.insert(what.by.here);
        readers.erase(mine_);
        each.readers.assign(readers.begin(), readers.end());
        for (share& what : each.in) { // the two forms have their boxes at the same place
            if (what.by.here != mine_) continue;
            std::set<int> all;
            for (const form& other : forms_)
                for (const share& same : other.in)
                    if (same.bundle == what.bundle && same.by.here == mine_)
                        all.insert(same.numbers.begin(), same.numbers.end());
            what.readers.assign(all.begin(), all.end());
        }
    }
}

TOPOMP_INLINE shared_links::load shared_links::find_load() const {
    const auto crossing = [&](const std::vector<link_end>& ends) {
        return static_cast<int>(std::ranges::count_if(
            ends, [&](const link_end& end) { return end.rank != MPI_PROC_NULL && !is_here(end.rank); }));
    };
    load made;
    const int sent = crossing(links_.out), received = crossing(links_.in);
    made.direct = std::max(sent, received);
    made.inside = static_cast<int>(
        std::ranges::count_if(links_.out, [&](const link_end& end) { return is_here(end.rank); }));
    made.ranks = groups_.inside.size();
    for (const auto* const list : {&out_, &in_}) {
        int links = 0, blocks = 0;
        for (const bundle& each : *list) {
            links += static_cast<int>(each.links.size());
            blocks += static_cast<int>(each.sources.size());
        }
        made.links = std::max(made.links, links);
        made.blocks = std::max(made.blocks, blocks);
    }
    made.copied = sent + received;
    made.copied_of_blocks = (sent > 0 ? 1 : 0) + received;
    for (const bool is_same : {false, true}) {
        const form& now = forms_[is_same ? 1 : 0];
        for (const auto* const list : {&now.out, &now.in}) {
            int messages = 0;
            for (const share& each : *list) {
                if (each.by.here != mine_) continue;
                ++messages;
                if (list == &now.out)
                    (is_same ? made.copied_of_blocks : made.copied) += static_cast<int>(each.count);
            }
            made.messages = std::max(made.messages, messages);
        }
    }
    return made;
}

TOPOMP_INLINE shared_links::load shared_links::busiest(std::size_t bytes) const {
    const load own = find_load();
    const std::array mine{own.direct, own.messages,
                          own.links,  own.copied,
                          own.blocks, own.copied_of_blocks,
                          own.inside, static_cast<int>(std::min(bytes, longest)),
                          own.ranks,  groups_.memory->is_oversubscribed() ? 1 : 0};
    auto most = mine;
    mpi::allreduce(mine.data(), most.data(), static_cast<int>(mine.size()), MPI_INT, MPI_MAX, groups_.comm,
                   "loads of ranks");
    return {most[0], most[1], most[2], most[3], most[4], most[5], most[6], most[7], most[8], most[9] != 0};
}

TOPOMP_INLINE std::size_t shared_links::load::limit(bool is_same) const {
    constexpr auto message = usual_between_nodes.single.overhead;
    constexpr auto copy = usual_inside_node.single.seconds_per_byte;
    const double signal = is_late ? messages_until_core * message : usual_inside_node.single.latency;
    constexpr auto node_rate = usual_between_nodes.node_rate;
    const double direct_starts = 2 * direct * message, carrier_starts = 2 * (messages * message + signal);
    if (carrier_starts >= direct_starts) return 0;
    const double per_byte =
        (is_same ? blocks / node_rate + copied_of_blocks * copy : links / node_rate + copied * copy);
    // Where the bytes of direct messages take as long as their starts, carriers lose most.
    const double latency = usual_between_nodes.single.latency,
                 carriers_there = latency + carrier_starts + per_byte * direct_starts * node_rate / links;
    if (per_byte < links / node_rate && carriers_there <= (1 + tolerated) * (latency + direct_starts))
        return longest + 1;
    return std::min(longest + 1, static_cast<std::size_t>((direct_starts - carrier_starts) / per_byte));
}

TOPOMP_INLINE std::size_t shared_links::load::longest_inside(bool is_same, bool copies_by_kernel) const {
    if (inside == 0) return 0;
    // A slot costs a copy of a block for each link, or for all of a rank, more than a message does.
    const double copies = is_same ? 1.0 / inside : 1,
                 other = copies_by_kernel ? 1e-6 : 2 * usual_inside_node.single.overhead,
                 copy = std::max(usual_inside_node.single.seconds_per_byte, usual_seconds_if_all_copy(ranks));
    return std::min(copies_by_kernel ? most_inside : most_without_kernel,
                    static_cast<std::size_t>(other / (copies * copy)));
}

TOPOMP_INLINE bool shared_links::load::hides_carriers() const {
    const model::log_gp& message = usual_between_nodes.single;
    return 2 * messages * message.overhead <= tolerated * (message.latency + 2 * direct * message.overhead);
}

TOPOMP_INLINE std::size_t length_of(std::span<const message> out, std::span<const message> in) {
    return !out.empty() ? bytes_of(out.front()) : !in.empty() ? bytes_of(in.front()) : 0;
}

TOPOMP_INLINE std::size_t shared_links::direct_from(bool is_same, bool is_equal, std::span<const message> out,
                                                    std::span<const message> in) const {
    const std::size_t from = direct_from(is_same);
    if (!is_equal) return takes_any_length_ ? from : 0;
    return from > 0 && length_of(out, in) < from ? from : 0;
}

TOPOMP_INLINE shared_links::parts shared_links::parts_of(std::size_t direct_from, bool is_same,
                                                         std::span<const message> out,
                                                         std::span<const message> in) const {
    const bool is_in_memory = length_of(out, in) < messages_inside_from(is_same);
    if (direct_from == 0 && !is_in_memory) return parts::messages;
    return is_in_memory && (direct_from > 0 || !has_links_across_) ? parts::memory : parts::both;
}

TOPOMP_INLINE std::size_t shared_links::place_memory() {
    // Blocks at the same place in cache lines that are an odd number apart do not displace each other.
    const auto stride = [](std::size_t bytes) {
        return ((bytes + line_bytes - 1) / line_bytes | 1U) * line_bytes;
    };
    std::array<std::size_t, 2> longest_across{};
    for (std::size_t i = 0; i < 2; ++i)
        longest_across[i] = std::min(longest_block_, std::max(direct_from_[i], std::size_t{1}) - 1);
    const auto longest_here = [&](bool is_same) { return std::min(longest_block_, longest_inside(is_same)); };
    std::size_t next = 0;
    for (const auto& out : links_of_ranks_) {
        auto& slots = slots_.emplace_back();
        for (const link_end& end : out) {
            slots.push_back(next);
            next += stride(sizeof(slot_head) + (is_here(end.rank) ? longest_here(false) : longest_across[0]));
        }
        slots.push_back(next);
        if (!out.empty()) next += stride(sizeof(slot_head) + std::max(longest_here(true), longest_across[1]));
    }
    for (std::size_t which = 0; which < in_.size(); ++which) {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < 2; ++i)
            for (const share& each : forms_[i].in)
                if (each.bundle == static_cast<int>(which))
                    bytes = std::max(bytes, each.count * (sizeof(std::uint32_t) + longest_across[i]));
        bytes = stride(bytes);
        std::size_t boxes = 0;
        for (form& each : forms_) {
            std::size_t number = 0;
            for (share& what : each.in)
                if (what.bundle == static_cast<int>(which)) {
                    what.box = next + number++ * bytes;
                    what.box_bytes = bytes;
                }
            boxes = std::max(boxes, number);
        }
        next += boxes * bytes;
    }
    links_of_ranks_.clear();
    signal_bytes_ = 3 * seen_.size() * sizeof(signal);
    half_bytes_ = next;
    return signal_bytes_ + 2 * half_bytes_;
}

TOPOMP_INLINE bool shared_links::take_memory() {
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    const std::size_t bytes = place_memory();
    if (bytes > most_bytes) return false; // of the whole node, on which its ranks agree
    try {
        block_ = groups_.memory->take(round_up(bytes, page_bytes), page_bytes, "topo::neighbourhood");
    } catch (const system_error&) {
        return false;
    }
    for (signal* const each : {&written(mine_), &arrived(mine_), &copied(mine_)})
        std::memset(static_cast<void*>(each), 0, sizeof(signal));
    block_.steps().barrier(block_.waits());
    return true;
}

TOPOMP_INLINE std::byte* shared_links::at(std::size_t place) const {
    return block_.data() + signal_bytes_ + round_ % 2 * half_bytes_ + place;
}

TOPOMP_INLINE std::byte* shared_links::slot(int number, bool is_same, int which) const {
    const auto& slots = slots_[static_cast<std::size_t>(number)];
    return at(is_same ? slots.back() : slots[static_cast<std::size_t>(which)]);
}

TOPOMP_INLINE bool shared_links::have_begun(std::span<const int> numbers, signal::value_type round) const {
    return std::ranges::all_of(numbers,
                               [&](int number) { return seen_[static_cast<std::size_t>(number)] >= round; });
}

/// Ranks whose signals have been seen are not asked again: of a rank whose box is full in an exchange, or
/// that has copied in it, the slots have been written.
TOPOMP_INLINE bool shared_links::have_written(std::span<const int> numbers, signal::value_type round,
                                              bool waits) {
    unseen_.clear();
    for (const int number : numbers)
        if (seen_[static_cast<std::size_t>(number)] < round) unseen_.push_back(number);
    return have_raised(unseen_, &shared_links::written, round, waits);
}

TOPOMP_INLINE bool shared_links::have_raised(std::span<const int> numbers,
                                             signal& (shared_links::*which)(int) const,
                                             signal::value_type round, bool waits) {
    if (numbers.empty()) return true;
    auto all_have = [&, next = numbers.begin()]() mutable {
        while (next != numbers.end() && (this->*which)(*next).value() >= round)
            ++next;
        return next == numbers.end();
    };
    if (waits && block_.waits().sleeps())
        for (const int number : numbers) {
            signal& line = (this->*which)(number);
            wait_asleep(block_.waits(), event_of(line), [&] { return line.value() >= round; });
        }
    else if (waits)
        block_.waits().until_raised(all_have);
    else if (!all_have())
        return false;
    for (const int number : numbers)
        seen_[static_cast<std::size_t>(number)] = std::max(seen_[static_cast<std::size_t>(number)], round);
    charge_signals(numbers.size());
    return true;
}

TOPOMP_INLINE void shared_links::begin(std::span<const message> out, std::span<const message> in,
                                       std::size_t direct_from, bool is_same, int tag) {
    problem_.clear();
    out_blocks_ = out;
    in_blocks_ = in;
    limit_ = direct_from;
    is_same_ = is_same;
    tag_ = tag;
    next_share_ = 0;
    step_ = step::write;
    ++round_;
}

TOPOMP_INLINE bool shared_links::go_on(bool waits) {
    form& now = forms_[is_same_ ? 1 : 0];
    const bool is_by_node = limit_ > 0;
    switch (step_) {
    case step::write: {
        auto& used = now.used[round_ % 2];
        if (used > 0 && !have_written(now.readers, used + 1, waits)) return false;
        used = round_;
        if (is_by_node) receive();
        write();
        raise_and_wake(written(mine_), round_, block_.waits());
        if (is_by_node) sends_.begin(groups_.comm, tag_, groups_.running);
        step_ = step::send;
        [[fallthrough]];
    }
    case step::send:
        for (; is_by_node && next_share_ < now.out.size(); ++next_share_)
            if (!send(now.out[next_share_], waits)) return false;
        step_ = step::receive;
        [[fallthrough]];
    case step::receive: // while the messages are on their way
        for (; is_by_node && !late_.empty(); late_.pop_back()) {
            const share& each = *late_.back();
            if (!have_written(each.readers, boxes_before_ + 1, waits)) return false;
            receives_.receive(at(each.box), each.box_bytes, each.by.there);
        }
        step_ = step::read;
        [[fallthrough]];
    case step::read:
        if (!have_written(sources_here_, round_, waits)) return false;
        read(false);
        step_ = is_by_node ? step::arrive : step::shown;
        if (!is_by_node) return go_on(waits);
        [[fallthrough]];
    case step::arrive: {
        const bool has_boxes = receives_.number() > 0; // for which others wait
        if (!receives_.are_complete(waits)) return false;
        if (has_boxes) raise_and_wake(arrived(mine_), round_, block_.waits());
        step_ = step::read_boxes;
        [[fallthrough]];
    }
    case step::read_boxes:
        if (!have_raised(now.carriers, &shared_links::arrived, round_, waits)) return false;
        read(true);
        step_ = step::sent;
        [[fallthrough]];
    case step::sent:
        if (!sends_.are_complete(waits)) return false;
        step_ = step::shown;
        [[fallthrough]];
    case step::shown: // the program may change its blocks
        if (!have_raised(shown_to_, &shared_links::copied, round_, waits)) return false;
        step_ = step::end;
        [[fallthrough]];
    case step::end:
        return true;
    }
    return true;
}

/// Into boxes that all have read; the others are late.
TOPOMP_INLINE void shared_links::receive() {
    const std::size_t half = round_ % 2;
    boxes_before_ = std::exchange(boxes_used_[half], round_);
    late_.clear();
    receives_.begin(groups_.comm, tag_, groups_.running);
    for (const share& each : forms_[is_same_ ? 1 : 0].in) {
        if (each.by.here != mine_) continue;
        if (boxes_before_ == 0 || have_begun(each.readers, boxes_before_ + 1))
            receives_.receive(at(each.box), each.box_bytes, each.by.there);
        else
            late_.push_back(&each);
    }
}

TOPOMP_INLINE void shared_links::write() {
    copied_ = 0;
    shown_to_.clear();
    packed_.clear();
    const auto put = [&](const message& block, std::byte* to, bool is_in_slot, bool is_shown) {
        const std::size_t bytes = bytes_of(block);
        const slot_head head{is_in_slot || is_shown ? bytes : no_block, is_shown ? show(block) : 0};
        std::memcpy(to, &head, sizeof head);
        if (!is_in_slot) return;
        pack(block, to + sizeof head);
        copied_ += bytes;
    };
    bool is_any_in_slot = false, is_any_shown = false;
    for (std::size_t i = 0; i < out_blocks_.size(); ++i) {
        const int rank = links_.out[i].rank;
        if (rank == MPI_PROC_NULL) continue;
        const std::size_t bytes = bytes_of(out_blocks_[i]);
        const bool is_inside = is_here(rank),
                   is_in_slot = is_inside ? bytes <= longest_inside(is_same_) : bytes < limit_,
                   is_shown = !is_in_slot && is_inside && copies_by_kernel();
        if (is_shown && rank != groups_.comm.rank()) shown_to_.push_back(number_of(rank));
        is_any_in_slot |= is_in_slot;
        is_any_shown |= is_shown;
        if (!is_same_) put(out_blocks_[i], slot(mine_, false, static_cast<int>(i)), is_in_slot, is_shown);
    }
    if (is_same_ && !out_blocks_.empty())
        put(out_blocks_.front(), slot(mine_, true, 0), is_any_in_slot, is_any_shown);
    charge_copy(copied_);
}

TOPOMP_INLINE std::uint64_t shared_links::show(const message& block) {
    if (type_layout{block.type}.is_dense) return address_for_others(block.data);
    packed_.emplace_back(bytes_of(block));
    pack(block, packed_.back().data());
    return address_for_others(packed_.back().data());
}

TOPOMP_INLINE bool shared_links::send(share& what, bool waits) {
    if (what.by.here != mine_) return true;
    if (!have_written(what.numbers, round_, waits)) return false;
    const std::size_t ends = what.count * sizeof(std::uint32_t);
    if (what.packed.empty()) what.packed.resize(what.count * (sizeof(std::uint32_t) + limit_));
    std::byte* const data = what.packed.data() + ends;
    std::uint32_t end = 0;
    for (std::size_t i = 0; i < what.count; ++i) {
        const std::byte* const from = slot(what.blocks[i].number, is_same_, what.blocks[i].which);
        slot_head head;
        std::memcpy(&head, from, sizeof head);
        if (head.bytes < limit_) {
            std::memcpy(data + end, from + sizeof head, head.bytes);
            end += static_cast<std::uint32_t>(head.bytes);
        }
        std::memcpy(what.packed.data() + i * sizeof end, &end, sizeof end);
    }
    charge_copy(end);
    sends_.send(what.packed.data(), ends + end, what.by.there);
    return true;
}

TOPOMP_INLINE void shared_links::read(bool from_boxes) {
    const form& now = forms_[is_same_ ? 1 : 0];
    copied_ = 0;
    bool is_any_shown = false;
    for (std::size_t i = 0; i < in_blocks_.size(); ++i) {
        const incoming& from = incoming_[i];
        const auto [which, block] = from.places[is_same_ ? 1 : 0];
        const std::size_t expected = bytes_of(in_blocks_[i]);
        if (!from_boxes && from.number >= 0 && expected < messages_inside_from(is_same_)) {
            const std::byte* const data = slot(from.number, is_same_, from.which);
            slot_head head;
            std::memcpy(&head, data, sizeof head);
            is_any_shown |= head.address != 0;
            if (expected > longest_inside(is_same_) && head.address != 0)
                copy_block(from.number, head, i);
            else
                read_block(data + sizeof head, head.bytes, i);
        } else if (from_boxes && which >= 0 && expected < limit_) {
            const auto& where = now.in[static_cast<std::size_t>(which)];
            const std::byte* const ends = at(where.box);
            std::uint32_t begin = 0, end = 0;
            if (block > 0) std::memcpy(&begin, ends + (block - 1) * sizeof begin, sizeof begin);
            std::memcpy(&end, ends + block * sizeof end, sizeof end);
            read_block(ends + where.count * sizeof end + begin, end - begin, i);
        }
    }
    charge_copy(copied_);
    if (is_any_shown) raise_and_wake(copied(mine_), round_, block_.waits());
}

TOPOMP_INLINE bool shared_links::has_length(std::size_t bytes, std::size_t which) {
    const std::size_t expected = bytes_of(in_blocks_[which]);
    if (bytes != expected && problem_.empty())
        problem_ = "rank " + std::to_string(links_.in[which].rank) + " sends " +
                   (bytes == no_block ? "more than " + std::to_string(longest_inside(is_same_))
                                      : std::to_string(bytes)) +
                   " bytes to rank " + std::to_string(groups_.comm.rank()) + ", whose block has " +
                   std::to_string(expected);
    return bytes == expected;
}

TOPOMP_INLINE void shared_links::read_block(const std::byte* data, std::size_t bytes, std::size_t which) {
    if (!has_length(bytes, which)) return;
    unpack(data, in_blocks_[which]);
    copied_ += bytes;
}

TOPOMP_INLINE void shared_links::copy_block(int number, const slot_head& from, std::size_t which) {
    if (!has_length(from.bytes, which)) return;
    const message& to = in_blocks_[which];
    const bool is_dense = type_layout{to.type}.is_dense;
    if (!is_dense) unpacked_.resize(from.bytes);
    auto* const data = is_dense ? static_cast<std::byte*>(to.data) : unpacked_.data();
    read_across(processes_[static_cast<std::size_t>(number)], from.address, data, from.bytes);
    if (!is_dense) unpack(data, to);
}

} // namespace topo::detail
