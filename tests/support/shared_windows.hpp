// SPDX-License-Identifier: BSL-1.0
/// @file
/// A level's algorithm through memory that its members share: for tests of the slot only. It waits in MPI's
/// barriers, so that ranks may be more than cores.
#pragma once

#include <topomp/algorithm/level_algorithm.hpp>
#include <topomp/algorithm/tree_up.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <cstddef>

namespace topo_test {

/// Whether the ranks of a communicator have memory in common. @collective over `comm`
inline bool shares_memory(const boost::mpi::communicator& comm) {
    MPI_Comm shared = topo::mpi::comm_split_shared(comm, 0);
    const int size = topo::mpi::comm_size(shared);
    MPI_Comm_free(&shared);
    const int mine = size == comm.size() ? 1 : 0;
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
    return all != 0;
}

/// Memory that the members of a level share. It grows when all of them ask for more.
class window {
public:
    static inline int made = 0, freed = 0, used = 0; ///< of all windows of this rank

    explicit window(const boost::mpi::communicator& members) : members_(members) { ++made; }
    window(const window&) = delete;
    window& operator=(const window&) = delete;
    ~window() {
        ++freed;
        if (topo::mpi::is_running()) release();
    }

    /// @collective over the members
    std::byte* reserve(std::size_t bytes) {
        ++used;
        if (bytes <= bytes_) return memory_;
        release();
        const MPI_Aint mine = members_.rank() == 0 ? static_cast<MPI_Aint>(bytes) : 0;
        void* own = nullptr;
        MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, members_, &own, &window_);
        MPI_Aint size = 0;
        int unit = 0;
        MPI_Win_shared_query(window_, 0, &size, &unit, static_cast<void*>(&memory_));
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
        bytes_ = bytes;
        return memory_;
    }

    /// Everybody sees what everybody has written. @collective over the members
    void meet() {
        if (window_ != MPI_WIN_NULL) MPI_Win_sync(window_);
        MPI_Barrier(members_);
        if (window_ != MPI_WIN_NULL) MPI_Win_sync(window_);
    }

private:
    void release() {
        if (window_ == MPI_WIN_NULL) return;
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }

    boost::mpi::communicator members_;
    MPI_Win window_ = MPI_WIN_NULL;
    std::byte* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Everybody writes into the window, everybody reads.
struct shared_windows {
    static void broadcast(topo::level_members& here, topo::message what, int root) {
        const slots shared{here, what, 1};
        if (here.rank() == root) shared.write(0, what);
        shared.memory.meet();
        if (here.rank() != root) shared.read(0, what);
        shared.memory.meet(); // the next call writes
    }

    static void all_reduce(topo::level_members& here, topo::message sum, MPI_Op op) {
        const slots shared = collect(here, sum);
        shared.combine(here.size(), sum, op);
        shared.memory.meet();
    }

    static void reduce(topo::level_members& here, topo::message sum, MPI_Op op, int root) {
        const slots shared = collect(here, sum);
        if (here.rank() == root) shared.combine(here.size(), sum, op);
        shared.memory.meet();
    }

    static void barrier(topo::level_members& here) { MPI_Barrier(here.comm()); }

private:
    /// Room for so many messages in the window.
    struct slots {
        slots(topo::level_members& here, const topo::message& like, int count)
            : memory(here.kept<window>()), layout(like.type), bytes((layout.span(like.count) + 63) / 64 * 64),
              first(memory.reserve(bytes * static_cast<std::size_t>(count)) - layout.true_lower) {}

        void* at(int slot) const { return first + bytes * static_cast<std::size_t>(slot); }
        void write(int slot, const topo::message& what) const {
            topo::detail::copy_elements(what.data, at(slot), static_cast<int>(what.count), what.type);
        }
        void read(int slot, const topo::message& what) const {
            topo::detail::copy_elements(at(slot), what.data, static_cast<int>(what.count), what.type);
        }
        /// The operands of all slots, the last first: an operation leaves its result in the right operand.
        void combine(int count, const topo::message& sum, MPI_Op op) const {
            read(count - 1, sum);
            for (int slot = count - 1; slot-- > 0;)
                MPI_Reduce_local(at(slot), sum.data, static_cast<int>(sum.count), sum.type, op);
        }

        window& memory;
        topo::detail::type_layout layout;
        std::size_t bytes;
        std::byte* first;
    };

    static slots collect(topo::level_members& here, const topo::message& sum) {
        const slots shared{here, sum, here.size()};
        shared.write(here.rank(), sum);
        shared.memory.meet();
        return shared;
    }
};

} // namespace topo_test
