// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/memory/detail/node_waiting.hpp>
#include <topomp/memory/detail/waiting.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE bool outnumber_cores(const boost::mpi::communicator& comm) {
    using mask = std::array<std::uint64_t, sizeof(cpu_set_t) / sizeof(std::uint64_t)>;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    // A machine with more CPUs than the set holds: as if there were enough.
    const bool is_known = sched_getaffinity(0, sizeof mine, &mine) == 0;
    mask own{}, together{};
    std::memcpy(own.data(), &mine, sizeof mine);
    if (!is_known) own.fill(~std::uint64_t{0});
    mpi::allreduce(own.data(), together.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_BOR, comm,
                   "cores of a node");
    int cores = 0;
    for (const std::uint64_t word : together)
        cores += std::popcount(word);
    return comm.size() > cores;
}

TOPOMP_INLINE void node_waiting::go_on([[maybe_unused]] const void* self) {
#ifdef SMPI_H
    usleep(1); // the simulator moves messages by itself, and its MPI_Iprobe takes 100 us and more
#else
    const node_waiting& now = *static_cast<const node_waiting*>(self);
    int arrived = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, now.raw_, &arrived, MPI_STATUS_IGNORE);
    if (now.work_ != nullptr) now.work_->go_on();
#endif
}

TOPOMP_INLINE node_waiting::node_waiting(boost::mpi::communicator comm, std::shared_ptr<background_slot> work)
    : comm_(std::move(comm)), raw_(comm_), work_(std::move(work)),
      is_oversubscribed_(are_oversubscribed(comm_)), waits_(looks(), &go_on, this, is_oversubscribed_) {}

TOPOMP_INLINE bool node_waiting::are_oversubscribed(const boost::mpi::communicator& comm) {
#ifdef SMPI_H
    static_cast<void>(comm);
    return false; // simulated ranks have cores as the platform says
#else
    return outnumber_cores(comm);
#endif
}

TOPOMP_INLINE std::size_t node_waiting::looks() const noexcept {
#ifdef SMPI_H
    return 0; // only one simulated rank runs at a time: looking again shows the same
#else
    return is_oversubscribed_ ? waiting::few_looks : waiting::looks_of_a_yield();
#endif
}

} // namespace topo::detail
