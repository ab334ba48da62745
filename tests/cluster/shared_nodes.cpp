// SPDX-License-Identifier: BSL-1.0
// Proves the made-up cluster itself: what MPI says about the hosts is what the arguments say.
//
// It uses MPI and nothing of the library, so that a failure of another cluster test can be told from a broken
// cluster.

#include "arrangement.hpp"

#include <mpi.h>

#include <array>
#include <iostream>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

std::vector<int> ranks_in_world(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int size = 0;
    MPI_Comm_size(comm, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::vector<int> result(ranks.size());
    MPI_Group_translate_ranks(group, size, ranks.data(), world, result.data());
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return result;
}

std::string own_host_name() {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

/// What is wrong on this rank; empty if nothing is.
std::string find_fault(cluster_test::arrangement const& expected, int rank, int size) {
    if (size != expected.ranks()) {
        return "the run has " + std::to_string(size) + " ranks, expected " + std::to_string(expected.ranks());
    }
    int const host = expected.host_of[static_cast<std::size_t>(rank)];
    if (own_host_name() != cluster_test::arrangement::host_name(host)) {
        return "runs on " + own_host_name() + ", expected " + cluster_test::arrangement::host_name(host);
    }
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    auto const members = ranks_in_world(node);
    MPI_Comm_free(&node);
    if (members != expected.ranks_on(host)) {
        return "shares memory with " + std::to_string(members.size()) +
               " ranks, and they are not those of its host";
    }
    return {};
}

} // namespace

int main(int argc, char** argv) {
    auto const expected = cluster_test::read_arrangement(argc, argv);
    // Not MPI_Init: the leaks of an MPI's start are suppressed under the name that the other tests start it
    // by.
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    auto const fault = find_fault(expected, rank, size);
    if (!fault.empty()) {
        std::cerr << "rank " << rank << ": " << fault << '\n';
    }

    // A sum over all ranks also shows that messages cross between the hosts.
    int const mine = fault.empty() ? 0 : 1;
    int faults = 0;
    MPI_Allreduce(&mine, &faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && faults == 0) {
        std::cout << "shared_nodes: " << size << " ranks on " << expected.hosts() << " hosts, as arranged\n";
    }
    MPI_Finalize();
    return faults == 0 ? 0 : 1;
}
