// SPDX-License-Identifier: BSL-1.0
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <iostream>

int main(int argc, char** argv) {
    const boost::mpi::environment environment{argc, argv};
    const boost::mpi::communicator world;
    if (world.rank() == 0) std::cout << "Boost.MPI on " << world.size() << " ranks\n";
}
