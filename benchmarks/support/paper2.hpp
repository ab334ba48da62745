// SPDX-License-Identifier: BSL-1.0
/// @file
/// Paper 2's scheme as its pseudo-code has it (figures 3, 6, 10 and 11): a leader in each node, who has the
/// node's memory and speaks with the other leaders by the MPI's collectives.
#pragma once

#include "simulated_nodes.hpp"
#include <topomp/memory/detail/simulated.hpp>

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <sched.h>
#include <vector>

namespace topo_bench {

/// The wrappers' communicators, windows and collectives. For ranks that are placed block by block, and
/// broadcasts from a leader, as in the paper's measurements.
class scheme {
public:
    /// @param add adds numbers
    explicit scheme(MPI_Comm whole, MPI_Op add = MPI_SUM) : whole_(whole), add_(add) {
        MPI_Comm_rank(whole, &rank_);
        MPI_Comm_split_type(whole, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_);
        MPI_Comm_rank(node_, &node_rank_);
        MPI_Comm_size(node_, &node_size_);
        MPI_Comm_split(whole, node_rank_ == 0 ? 0 : MPI_UNDEFINED, 0, &bridge_);
    }
    scheme(scheme&&) = default;

    MPI_Comm whole() const { return whole_; }
    MPI_Op add() const { return add_; }
    int node_rank() const { return node_rank_; }
    int node_size() const { return node_size_; }

    /// Memory of the leader, and a counter behind it, which only the leader writes.
    struct window {
        double* data = nullptr;
        volatile int* status = nullptr;
        int seen = 0; ///< what the counter was, as far as this rank knows
        MPI_Win raw = MPI_WIN_NULL;

        window() = default;
        window(window&& other) noexcept
            : data(other.data), status(other.status), seen(other.seen), raw(other.raw) {
            other.raw = MPI_WIN_NULL;
        }
        window& operator=(window&&) = delete;
        ~window() {
            int is_over = 0;
            MPI_Finalized(&is_over);
            if (raw == MPI_WIN_NULL || is_over != 0) return;
            MPI_Win_unlock_all(raw);
            MPI_Win_free(&raw);
        }
    };
    window allocate(std::size_t count) const {
        window made;
        void* own = nullptr;
        const std::size_t bytes = count * sizeof(double) + 64;
        MPI_Win_allocate_shared(node_rank_ == 0 ? static_cast<MPI_Aint>(bytes) : 0, 1, MPI_INFO_NULL, node_,
                                static_cast<void*>(&own), &made.raw);
        MPI_Aint found = 0;
        int unit = 0;
        MPI_Win_shared_query(made.raw, 0, &found, &unit, static_cast<void*>(&made.data));
        MPI_Win_lock_all(MPI_MODE_NOCHECK, made.raw);
        made.status = reinterpret_cast<volatile int*>(made.data + count);
        if (node_rank_ == 0) *made.status = 0;
        red(made);
        return made;
    }

    /// Counts and positions for the leaders' all-gather.
    void make_tables() {
        if (bridge_ == MPI_COMM_NULL) return;
        int nodes = 0;
        MPI_Comm_size(bridge_, &nodes);
        sizes_.resize(static_cast<std::size_t>(nodes));
        counts_.resize(sizes_.size());
        positions_.resize(sizes_.size());
        MPI_Allgather(&node_size_, 1, MPI_INT, sizes_.data(), 1, MPI_INT, bridge_);
    }

    void broadcast(window& on, int count) const {
        if (bridge_ != MPI_COMM_NULL) MPI_Bcast(on.data, count, MPI_DOUBLE, 0, bridge_);
        red(on); // "the current version replaces the synchronization point with a barrier operation"
    }

    void all_gather(window& on, int count) {
        red(on);
        if (bridge_ != MPI_COMM_NULL) {
            int next = 0;
            for (std::size_t i = 0; i < sizes_.size(); ++i) {
                counts_[i] = sizes_[i] * count;
                positions_[i] = next;
                next += counts_[i];
            }
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, on.data, counts_.data(), positions_.data(),
                           MPI_DOUBLE, bridge_);
        }
        yellow(on);
    }

    /// How the operands of a node are combined: by MPI_Reduce, or by the leader.
    enum class method { first, second };
    /// Up to so many bytes by the leader: paper 2's figure 15.
    static constexpr std::size_t most_by_leader = 2048;

    void all_reduce(window& on, int count) {
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(double);
        all_reduce(on, count, bytes > most_by_leader ? method::first : method::second);
    }
    /// The node's operands one behind the other, and the result behind them.
    void all_reduce(window& on, int count, method by) {
        const auto each = static_cast<std::size_t>(count);
        double* const result = on.data + static_cast<std::size_t>(node_size_) * each;
        if (by == method::first) {
            // Some of SimGrid's reductions write also where children say that their result is.
            spare_.resize(each);
            MPI_Reduce(on.data + static_cast<std::size_t>(node_rank_) * each,
                       node_rank_ == 0 ? result : spare_.data(), count, MPI_DOUBLE, add_, 0, node_);
        } else {
            red(on);
            if (node_rank_ == 0) {
                // In a simulation reading the others' operands takes time, as in topo::hybrid.
                for (int other = 1; other < node_size_; ++other)
                    topo::detail::charge_copy(each * sizeof(double));
                charge_combining(static_cast<std::size_t>(node_size_ - 1) * each * sizeof(double));
                for (std::size_t i = 0; i < each; ++i) {
                    double sum = 0;
                    for (std::size_t k = 0; k < static_cast<std::size_t>(node_size_); ++k)
                        sum += on.data[k * each + i];
                    result[i] = sum;
                }
            }
        }
        if (bridge_ != MPI_COMM_NULL) MPI_Allreduce(MPI_IN_PLACE, result, count, MPI_DOUBLE, add_, bridge_);
        yellow(on);
    }

private:
    /// All wait for all.
    void red(const window& on) const {
        MPI_Win_sync(on.raw);
        MPI_Barrier(node_);
        MPI_Win_sync(on.raw);
    }
    /// All wait for the leader, spinning. Where ranks are more than cores, they give the core up: else they
    /// would wait for the time that the system gives each of them.
    void yellow(window& on) const {
        ++on.seen;
        if (node_rank_ == 0) {
            MPI_Win_sync(on.raw);
            *on.status = on.seen;
            MPI_Win_sync(on.raw);
            topo::detail::wake_in_simulation();
            return;
        }
        const auto has_come = [&] {
            MPI_Win_sync(on.raw);
            return *on.status == on.seen;
        };
        if constexpr (topo::detail::is_simulated) {
            topo::detail::wait_in_simulation(has_come);
            topo::detail::charge_signals(1);
        } else {
            for (int looks = 1; !has_come(); ++looks)
                if (looks % 20 == 0) sched_yield();
        }
    }

    MPI_Comm whole_, node_ = MPI_COMM_NULL, bridge_ = MPI_COMM_NULL;
    MPI_Op add_;
    int rank_ = 0, node_rank_ = 0, node_size_ = 1;
    std::vector<int> sizes_, counts_, positions_;
    std::vector<double> spare_;
};

} // namespace topo_bench
