// SPDX-License-Identifier: BSL-1.0
/// @file
/// A request and a call that wait for each other, unless the call goes on with what was started.
#pragma once

#include <boost/mpi/communicator.hpp>

namespace topo_test {

/// One rank starts when all others have. It waits for the request, in which it needs them; they call, and
/// wait there for its call. @param start returns a request in which all ranks are needed @param call in which
/// that rank is needed @collective over `world`
template <class Start, class Call>
void wait_crosswise(const boost::mpi::communicator& world, int last, Start start, Call call) {
    const int rank = world.rank();
    for (int i = 1; rank == last && i < world.size(); ++i)
        world.recv(boost::mpi::any_source, 5);
    auto started = start();
    if (rank != last) world.send(last, 5);
    if (rank == last) started.wait();
    call();
    started.wait();
}

/// The same, where that is the last rank.
template <class Start, class Call>
void wait_crosswise(const boost::mpi::communicator& world, Start start, Call call) {
    wait_crosswise(world, world.size() - 1, start, call);
}

} // namespace topo_test
