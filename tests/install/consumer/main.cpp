// SPDX-License-Identifier: BSL-1.0
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/memory/shared_window.hpp>
#include <topomp/version.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <array>
#include <iostream>
#include <string_view>

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};
    topo::shared_window<int> ranks{levels, 1};
    ranks.local().front() = world.rank();
    ranks.fence();

    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    MPI_Get_library_version(library.data(), &length);
    const bool is_open_mpi = std::string_view{library.data()}.starts_with("Open MPI");
    if (world.rank() == 0)
        std::cout << "topomp " << topo::version << " on " << ranks.size() << " ranks of "
                  << (is_open_mpi ? "openmpi" : "mpich") << '\n';
}
