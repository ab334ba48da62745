// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/reduce_local.hpp>
#include <topomp/algorithm/shared/posted_multi_object.hpp>
#include <topomp/algorithm/shared/shared_combine.hpp>
#include <topomp/core/detail/copy_bytes.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/arena.hpp>
#include <topomp/memory/detail/block_list.hpp>
#include <topomp/memory/detail/futex_event.hpp>
#include <topomp/memory/detail/signal.hpp>
#include <topomp/memory/detail/simulated.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE bool posted_multi_object::takes(const multi_object_nodes& nodes, const message& operands) {
    if (operands.count == 0) return true;
    const type_layout layout{operands.type};
    return layout.is_dense && nodes.bytes_of_slot(layout, operands.count).has_value();
}

TOPOMP_INLINE posted_multi_object::sizes::sizes(const multi_object_nodes& nodes, const message& operands_of,
                                                bool is_oversubscribed)
    : operands(operands_of.count == 0 ? 0 : bytes_of(operands_of)), slot(round_up(operands, 16)),
      slices(nodes.size() == 1 || shared_combine::is_whole(operands, nodes.size(), is_oversubscribed)
                 ? 0
                 : shared_combine::slices_of(operands, nodes.size())) {
    constexpr std::size_t header = offsetof(signal, payload) + sizeof(futex_event);
    const auto slots = static_cast<std::size_t>((nodes.nodes() - 2) / nodes.size() + 1); // of a carrier
    post = round_up(header + operands, sizeof(signal));
    received = round_up(header + slots * slot, sizeof(signal));
    slices_at = static_cast<std::size_t>(nodes.size()) * post;
    received_at = slices_at + static_cast<std::size_t>(slices) * sizeof(signal);
    sum_at = received_at + static_cast<std::size_t>(nodes.carriers()) * received;
    all = sum_at + round_up(operands, sizeof(signal));
}

TOPOMP_INLINE posted_multi_object::posted_multi_object(arena& memory, const multi_object_nodes& nodes,
                                                       MPI_Comm comm, int tag, const void* input,
                                                       const message& result, MPI_Op op)
    : posted_between_nodes(memory, 2 * sizes{nodes, result, memory.is_oversubscribed()}.all), nodes_(nodes),
      number_(nodes.number()), size_(nodes.size()), at_(nodes, result, memory.is_oversubscribed()),
      size_of_element_(at_.operands == 0 ? 0 : at_.operands / result.count), comm_(comm), tag_(tag),
      input_(input), result_(result), op_(op) {
    if (at_.operands == 0) result_ = {nullptr, 0, MPI_BYTE};
    if (at_.slices == 0) own_sum_.reserve(at_.operands);
    for (; round_ < 2; ++round_)
        for (const signal_row& row : {operands(), slices(), received()})
            if (number_ < row.number) row[number_] = {};
    round_ = 0;
    begin_at_zero();
}

TOPOMP_INLINE std::byte* posted_multi_object::behind(signal& post) {
    return reinterpret_cast<std::byte*>(&post) + offsetof(signal, payload) + sizeof(futex_event);
}

TOPOMP_INLINE std::byte* posted_multi_object::slot(int away) const {
    return behind(received()[nodes_.carrier(nodes_.node(), away)]) +
           static_cast<std::size_t>((away - 1) / size_) * at_.slot;
}

TOPOMP_INLINE block_range posted_multi_object::slice_of(int number) const {
    return number < at_.slices ? block_range{0, result_.count}.part(number, at_.slices) : block_range{};
}

/// Without the own slice, which no other rank reads.
TOPOMP_INLINE void posted_multi_object::start() {
    ++round_;
    const auto* const from = static_cast<const std::byte*>(input_);
    if (size_ > 1) {
        const block_range own = slice_of(number_);
        const std::size_t before = own.begin * size_of_element_, end = own.end * size_of_element_;
        copy_shared(behind(operands()[number_]), from, before);
        copy_shared(behind(operands()[number_]) + end, from + end, at_.operands - end);
        raise(operands()[number_], round_);
    }
    if (size_ == 1) {
        copy_bytes(own_sum_.data(), input_, at_.operands);
        exchange();
    } else if (at_.slices == 0 || number_ < at_.slices) {
        await_stage(stage::operands);
    } else {
        await_slices();
    }
}

TOPOMP_INLINE void posted_multi_object::await_stage(stage next) {
    stage_ = next;
    if (next == stage::messages)
        await_messages();
    else
        await_signals(next == stage::operands ? operands()
                      : next == stage::slices ? slices()
                                              : received(),
                      round_);
}

/// A rank that is no carrier waits until the carriers have received, which implies that the slices are there.
TOPOMP_INLINE void posted_multi_object::await_slices() {
    await_stage(is_carrier() ? stage::slices : stage::received);
}

TOPOMP_INLINE bool posted_multi_object::advance() {
    while (stage_ != stage::none) {
        if (stage_ == stage::messages ? !are_free(slots_, 0) : !are_raised()) return false;
        const stage seen = std::exchange(stage_, stage::none);
        if (seen != stage::messages) charge_awaited(number_);
        if (seen == stage::operands) {
            combine();
        } else if (seen == stage::slices) {
            exchange();
        } else if (seen == stage::messages) {
            raise(received()[number_], round_);
            await_stage(stage::received);
        } else {
            finish();
        }
    }
    return true;
}

TOPOMP_INLINE void posted_multi_object::combine() {
    if (at_.slices == 0) {
        if (at_.operands > 0)
            reduce_in_order(size_, {own_sum_.data(), result_.count, result_.type}, op_, [&](int rank) {
                charge_copy(at_.operands);
                return behind(operands()[rank]);
            });
        return is_carrier() ? exchange() : await_stage(stage::received);
    }
    const block_range own = slice_of(number_);
    const std::size_t offset = own.begin * size_of_element_, length = own.length() * size_of_element_;
    if (length > 0)
        reduce_in_order(size_, {shared_sum() + offset, own.length(), result_.type}, op_,
                        [&](int rank) -> const void* {
                            if (rank == number_) return static_cast<const std::byte*>(input_) + offset;
                            charge_copy(length);
                            return behind(operands()[rank]) + offset;
                        });
    raise(slices()[number_], round_);
    await_slices();
}

TOPOMP_INLINE void posted_multi_object::exchange() {
    std::byte* const sum = at_.slices == 0 ? own_sum_.data() : shared_sum();
    const auto count = static_cast<int>(result_.count);
    slots_.clear();
    nodes_.for_distances([&](int away) {
        const int before = (nodes_.node() - away + nodes_.nodes()) % nodes_.nodes();
        const int behind_it = (nodes_.node() + away) % nodes_.nodes();
        mpi::check(MPI_Irecv(slot(away), count, result_.type, nodes_.carrier_rank(before, away), tag_, comm_,
                             &slots_.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Irecv", "from node to node");
        mpi::check(mpi::isend(sum, count, result_.type, nodes_.carrier_rank(behind_it, away), tag_, comm_,
                              &slots_.emplace_back(MPI_REQUEST_NULL)),
                   "MPI_Isend", "from node to node");
    });
    await_stage(stage::messages);
}

TOPOMP_INLINE void posted_multi_object::finish() {
    if (at_.operands == 0) return;
    reduce_in_order(nodes_.nodes(), result_, op_, [&](int node) -> const std::byte* {
        if (node == nodes_.node() && at_.slices == 0) return own_sum_.data();
        if (node == nodes_.node()) {
            charge_copy(at_.operands);
            return shared_sum();
        }
        const int away = nodes_.distance(node, nodes_.node());
        if (nodes_.carrier(nodes_.node(), away) != number_) charge_copy(at_.operands);
        return slot(away);
    });
}

} // namespace topo::detail
