// SPDX-License-Identifier: BSL-1.0
/// @file
/// A request and a call that wait for each other, unless the call goes on with what was started.
#pragma once

#include <boost/mpi/communicator.hpp>

namespace topo_test {

/// The last rank starts when all others have. It waits for the request, in which it needs them; they call,
/// and wait there for its call. @param start returns a request in which all ranks are needed @param call in
/// which the last rank is needed @collective over `world`
template <class Start, class Call>
void wait_crosswise(const boost::mpi::communicator& world, Start start, Call call) {
    const int rank = world.rank(), last = world.size() - 1;
    for (int other = 0; rank == last && other < last; ++other)
        world.recv(other, 5);
    auto started = start();
    if (rank != last) world.send(last, 5);
    if (rank == last) started.wait();
    call();
    started.wait();
}

} // namespace topo_test
