// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/detail/comparison.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/neighbour/detail/exchange_in_background.hpp>
#include <topomp/neighbour/impl/neighbourhood.ipp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE
exchange_in_background::exchange_in_background(const char* call, node_groups& groups, const links& all,
                                               const node_routes& routes, std::vector<message> out,
                                               std::vector<message> in, std::size_t direct_from, bool is_same)
    : started_exchange(call, groups, all), routes_(routes), out_(std::move(out)), in_(std::move(in)),
      direct_from_(direct_from), is_same_(is_same) {
    for (const int node : routes.nodes_in)
        carriers_.push_back(groups_.nodes.carrier(node, groups_.node()));
}

/// Exchanges under way at the same time take their steps in any order, so each has other tags for these.
TOPOMP_INLINE exchange_tags started_exchange::next_tags() {
    if (own_tags_) return *own_tags_;
    constexpr int exchanges = (neighbour_tag::first_own - neighbour_tag::first_step) / 3;
    groups_.started = (groups_.started + 1) % exchanges;
    return {neighbour_tag::first_step + 3 * groups_.started};
}

TOPOMP_INLINE void started_exchange::start() {
    groups_.require_sound(call_);
    is_under_way_ = true;
    try {
        post(next_tags());
    } catch (...) {
        note_failure();
        throw;
    }
}

TOPOMP_INLINE void started_exchange::note_failure() noexcept {
    if (!std::exchange(is_under_way_, false)) return;
    groups_.has_failed = true;
    leave_memory();
}

TOPOMP_INLINE bool started_exchange::end(const std::string& problem) {
    is_under_way_ = false;
    if (!problem.empty()) throw argument_error(call_, "block", problem);
    return true;
}

TOPOMP_INLINE void exchange_in_background::post(const exchange_tags& tags) {
    tag_ = tags.step;
    slots_.clear();
    step_ = direct_from_ > 0 ? 0 : 3;
    work_.emplace(call_, groups_, links_, out_, in_, slots_);
    work_->start_direct(direct_from_, 0, tags);
    if (direct_from_ > 0) {
        expect(from_node_, routes_.gather_from, tag_);
        expect(from_carriers_, carriers_, tag_ + 1);
        expect(from_own_carriers_, routes_.receive_from, tag_ + 2);
        work_->give(routes_, direct_from_, is_same_);
        for (const int rank : routes_.give_to)
            work_->send(work_->given_[rank], rank, tag_);
    }
}

TOPOMP_INLINE void exchange_in_background::expect(arrivals& what, std::vector<int> from, int tag) {
    what.from = std::move(from);
    what.messages.resize(what.from.size());
    what.tag = tag;
    for (std::size_t i = 0; i < what.from.size(); ++i) {
        arrivals::one& next = what.messages[i];
        next.bytes.resize(node_exchange::longest_part);
        next.slot = slots_.size();
        next.has_rest = false;
        slots_.push_back(MPI_REQUEST_NULL);
        mpi::check(MPI_Irecv(next.bytes.data(), static_cast<int>(node_exchange::longest_part), MPI_BYTE,
                             what.from[i], tag, groups_.comm, &slots_.back()),
                   "MPI_Irecv", "blocks of a node");
    }
}

TOPOMP_INLINE bool exchange_in_background::have_come(arrivals& what) {
    bool are_here = true;
    for (std::size_t i = 0; i < what.from.size(); ++i) {
        arrivals::one& next = what.messages[i];
        if (slots_[next.slot] == MPI_REQUEST_NULL && !next.has_rest) {
            const std::size_t length = record_buffer::length_of(next.bytes);
            next.has_rest = true;
            next.bytes.resize(length);
            if (length > node_exchange::longest_part)
                mpi::check(MPI_Irecv(next.bytes.data() + node_exchange::longest_part,
                                     static_cast<int>(length - node_exchange::longest_part), MPI_BYTE,
                                     what.from[i], what.tag, groups_.comm, &slots_[next.slot]),
                           "MPI_Irecv", "blocks of a node");
        }
        are_here = are_here && slots_[next.slot] == MPI_REQUEST_NULL;
    }
    return are_here;
}

template <class F>
void exchange_in_background::for_each_record(arrivals& what, F f) {
    for (const arrivals::one& each : what.messages)
        record_buffer::for_each(record_buffer::without_length(each.bytes), f);
}

TOPOMP_INLINE void exchange_in_background::take_step() {
    using record = record_buffer::record;
    switch (step_++) {
    case 0:
        for_each_record(from_node_, [&](const record& block) {
            work_->across_[groups_.nodes.node(block.targets.front().rank)].append(block);
        });
        for (const int node : routes_.nodes_out)
            work_->send(work_->across_[node], groups_.nodes.carrier(node, groups_.node()), tag_ + 1);
        break;
    case 1:
        for (const int rank : routes_.hand_to)
            work_->opened(work_->handed_, rank);
        for_each_record(from_carriers_, [&](const record& block) { work_->hand_out(block); });
        for (const int rank : routes_.hand_to)
            work_->send(work_->handed_[rank], rank, tag_ + 2);
        break;
    default:
        for_each_record(from_own_carriers_, [&](const record& block) {
            for (const link_end& target : block.targets)
                work_->deliver(block.source, target, block.data);
        });
    }
}

TOPOMP_INLINE bool exchange_in_background::advance() {
    while (step_ < 3) {
        if (!have_come(step_ == 0 ? from_node_ : step_ == 1 ? from_carriers_ : from_own_carriers_))
            return false;
        take_step();
    }
    if (!are_free(slots_, 0)) return false;
    return end(work_->problem_);
}

TOPOMP_INLINE
exchange_in_memory::exchange_in_memory(const char* call, node_groups& groups, const links& all,
                                       std::shared_ptr<shared_links> memory, std::vector<message> out,
                                       std::vector<message> in, bool is_same, bool is_equal)
    : started_exchange(call, groups, all), memory_(std::move(memory)), out_(std::move(out)),
      in_(std::move(in)), is_same_(is_same), direct_from_(memory_->direct_from(is_same, is_equal, out_, in_)),
      parts_(is_equal ? memory_->parts_of(direct_from_, is_same, out_, in_) : shared_links::parts::both) {}

TOPOMP_INLINE void exchange_in_memory::post(const exchange_tags& tags) {
    tag_ = tags.step;
    slots_.clear();
    if (parts_ != shared_links::parts::memory) {
        node_exchange direct{call_, groups_, links_, out_, in_, slots_};
        direct.start_direct(direct_from_, memory_->messages_inside_from(is_same_), tags);
    }
    step_ = step::end;
    problem_.clear();
    if (parts_ == shared_links::parts::messages) return;
    step_ = step::queued;
    place_ = memory_->queue();
}

TOPOMP_INLINE bool exchange_in_memory::advance() {
    if (step_ == step::queued && memory_->is_next(call_, place_)) {
        memory_->begin(out_, in_, direct_from_, is_same_, tag_);
        step_ = step::under_way;
    }
    if (step_ == step::under_way && memory_->go_on(false)) end_in_memory();
    looks_at_memory_ = step_ != step::end;
    if (looks_at_memory_ || !are_free(slots_, 0)) return false;
    return end(problem_);
}

TOPOMP_INLINE void exchange_in_memory::await() {
    if (step_ != step::under_way) return operation::await();
    memory_->go_on(true);
    end_in_memory();
}

TOPOMP_INLINE void exchange_in_memory::end_in_memory() {
    step_ = step::end;
    looks_at_memory_ = false;
    problem_ = memory_->problem(); // which the next one forgets
    memory_->leave();
}

TOPOMP_INLINE void neighbours_in_background::check(const neighbourhood& where, const char* call,
                                                   std::span<const message> out, std::span<const message> in,
                                                   bool is_equal) {
    const neighbourhood::state& known = where.open(call);
    known.groups->require_sound(call);
    compare_lengths(call, *known.groups, known.links, out, in);
    if (is_equal) require_equal_lengths(call, *known.groups, known.links, out, in);
}

#ifdef TOPOMP_CHECKED
TOPOMP_INLINE void neighbours_in_background::compare_starts(ranks_of_start& starts,
                                                            const neighbourhood& where) {
    const node_groups& groups = *where.open("compare_starts").groups;
    starts.of = &groups;
    starts.rank = groups.comm.rank();
    starts.compare = [](const void* of, const comparison& start, failure mine) {
        const auto& all = *static_cast<const node_groups*>(of);
        const auto lowest = [&all, alone = mine.what](std::int64_t* values, std::size_t count) {
            all.lowest_of_all(values, count, alone);
        };
        start.among(all.comm, std::move(mine), lowest);
    };
}
#else
TOPOMP_INLINE void neighbours_in_background::compare_starts(ranks_of_start&, const neighbourhood&) {}
#endif

TOPOMP_INLINE prepared_exchange neighbours_in_background::prepare(const neighbourhood& where,
                                                                  const char* call,
                                                                  std::span<const message> out,
                                                                  std::span<const message> in, bool is_same,
                                                                  bool is_equal, bool is_kept) {
    const neighbourhood::state& known = where.open(call);
    std::vector<message> sent{out.begin(), out.end()}, coming{in.begin(), in.end()};
    if (known.memory != nullptr && !is_kept)
        return {std::make_unique<exchange_in_memory>(call, *known.groups, known.links, known.memory,
                                                     std::move(sent), std::move(coming), is_same, is_equal),
                &known.groups->running, where.state_};
    if (known.memory != nullptr) {
        std::size_t bytes = 0;
        for (const auto* const list : {&sent, &coming})
            for (const message& each : *list)
                bytes = std::max(bytes, bytes_of(each));
        if (auto memory =
                shared_links::of(*known.groups, known.links, known.route == neighbour_route::by_node, bytes))
            return {std::make_unique<exchange_in_memory>(call, *known.groups, known.links, std::move(memory),
                                                         std::move(sent), std::move(coming), is_same,
                                                         is_equal),
                    &known.groups->running, where.state_};
    }
    const std::size_t limit = is_same ? known.direct_from_in_gather : known.direct_from;
    return {std::make_unique<exchange_in_background>(call, *known.groups, known.links, known.routes,
                                                     std::move(sent), std::move(coming), limit, is_same),
            &known.groups->running, where.state_};
}

} // namespace topo::detail
