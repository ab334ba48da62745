// SPDX-License-Identifier: BSL-1.0
#include "passed_on.hpp"

#include "forms.hpp"
#include "report.hpp"
#include <topomp/core/mpi.hpp>

namespace topo::preload {

namespace {

template <class... Arguments>
int pass_on(passed_call what, int (*own)(Arguments...), Arguments... arguments) noexcept {
    auto& counts = report::self();
    if (!counts.is_wanted() || !mpi::is_running()) return own(arguments...);
    const double begin = MPI_Wtime();
    const int code = own(arguments...);
    counts.add(what, MPI_Wtime() - begin);
    return code;
}

} // namespace

} // namespace topo::preload

using topo::preload::pass_on;
using topo::preload::passed_call;

/// A function that calls the MPI's own and counts.
#define TOPOMP_DEFINE_AS(line, function, arguments)                                                          \
    TOPOMP_INTERCEPT(function, arguments,                                                                    \
                     return pass_on(passed_call::line, function, BOOST_PP_ENUM_PARAMS(arguments, a));)
#define TOPOMP_DEFINE(name, arguments) TOPOMP_DEFINE_AS(name, MPI_##name, arguments)
#define TOPOMP_DEFINE_PERSISTENT(name, arguments)                                                            \
    TOPOMP_DEFINE_AS(name##_init, TOPOMP_PERSISTENT(name), BOOST_PP_ADD(arguments, 2))
#define TOPOMP_DEFINE_LARGE(name, arguments) TOPOMP_DEFINE_AS(name##_c, MPI_##name##_c, arguments)
#define TOPOMP_DEFINE_LARGE_PERSISTENT(name, arguments)                                                      \
    TOPOMP_DEFINE_AS(name##_init_c, MPI_##name##_init_c, BOOST_PP_ADD(arguments, 2))

extern "C" {

TOPOMP_STARTED_PASSED_ON(TOPOMP_DEFINE)

#if TOPOMP_HAS_PERSISTENT
TOPOMP_PERSISTENT_PASSED_ON(TOPOMP_DEFINE_PERSISTENT)
#endif

#if TOPOMP_HAS_LARGE_COUNTS
TOPOMP_STARTED_PASSED_ON(TOPOMP_DEFINE_LARGE)
TOPOMP_PERSISTENT_PASSED_ON(TOPOMP_DEFINE_LARGE_PERSISTENT)
#endif

} // extern "C"
