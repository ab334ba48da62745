// SPDX-License-Identifier: BSL-1.0
/// @file
/// Messages between ranks, measured.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <vector>

namespace topo::tool {

#if defined(SIMGRID_VERSION) || defined(SMPI_H)
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

/// Returns when all ranks have come. Ranks that wait sleep, so that they take no core from those that
/// measure.
/// @collective over `comm`
void wait_asleep(MPI_Comm comm);

/// Measures between the two ranks of a communicator: for each of some lengths its bytes, the overhead of
/// sending and of receiving it, the gap between two messages, and half a round trip, and then how far the
/// samples of these four spread, all in one row of nine.
/// @param seconds about so long it may take; each is measured a few times in any case
/// @return on rank 0 @collective over the communicator
/// @see Kielmann, Bal, Verstoep 2000
std::vector<double> measure_messages(const boost::mpi::communicator& two, double seconds);

/// What the ranks of the first half of a communicator reach together, in bytes a second, when each sends to
/// one of the second half: the sum of what each reaches, and all bytes over the slowest one's time.
/// @return on all ranks @collective over the communicator
std::vector<double> measure_rates(const boost::mpi::communicator& ranks);

} // namespace topo::tool
