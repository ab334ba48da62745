// SPDX-License-Identifier: BSL-1.0
/// @file
/// What Fortran passes, as C's functions take it. All arguments are addresses, and handles are integers.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <dlfcn.h>
#include <type_traits>
#include <vector>

static_assert(std::is_same_v<MPI_Fint, int>, "arrays of Fortran's integers are passed on as they are");

using integers = const MPI_Fint*;

namespace topo::preload {

/// Fortran's constants that are addresses: variables of the program or of the MPI's Fortran library.
struct fortran_constants {
#ifdef OPEN_MPI
    const void* in_place = dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_");
    const void* bottom = dlsym(RTLD_DEFAULT, "mpi_fortran_bottom_");
    const void* unweighted = dlsym(RTLD_DEFAULT, "mpi_fortran_unweighted_");
    const void* weights_empty = dlsym(RTLD_DEFAULT, "mpi_fortran_weights_empty_");
#else
    const void* unweighted = dlsym(RTLD_DEFAULT, "MPIR_C_MPI_UNWEIGHTED");
    const void* weights_empty = dlsym(RTLD_DEFAULT, "MPIR_C_MPI_WEIGHTS_EMPTY");
    // Those of mpi_f08.
    const void* unweighted_f08 = dlsym(RTLD_DEFAULT, "__mpi_f08_link_constants_MOD_mpi_unweighted");
    const void* weights_empty_f08 = dlsym(RTLD_DEFAULT, "__mpi_f08_link_constants_MOD_mpi_weights_empty");
#endif

    bool are_unweighted(const void* weights) const {
#ifndef OPEN_MPI
        if (weights == unweighted_f08) return true;
#endif
        return weights == unweighted;
    }
    bool are_empty(const void* weights) const {
#ifndef OPEN_MPI
        if (weights == weights_empty_f08) return true;
#endif
        return weights == weights_empty;
    }

    static const fortran_constants& found() {
        static const fortran_constants all;
        return all;
    }
};

/// A function of the MPI's Fortran library, which is hidden where a module of another language brought it.
/// @return null if there is no such library
inline void* fortran_function(const char* name) {
    if (void* const found = dlsym(RTLD_DEFAULT, name)) return found;
#ifdef OPEN_MPI
    static void* const library = dlopen("libmpi_mpifh.so.40", RTLD_LAZY | RTLD_NOLOAD);
#else
    static void* const library = dlopen("libmpichfort.so.12", RTLD_LAZY | RTLD_NOLOAD);
#endif
    return library == nullptr ? nullptr : dlsym(library, name);
}

inline MPI_Comm comm_of(const MPI_Fint* handle) { return MPI_Comm_f2c(*handle); }

/// @param ierror null where a caller of mpi_f08 left it out
inline void say(MPI_Fint* ierror, int code) {
    if (ierror != nullptr) *ierror = code;
}

/// A call that starts something.
template <class Call>
void starting(MPI_Fint* handle, MPI_Fint* ierror, Call call) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = call(&request);
    if (code == MPI_SUCCESS) *handle = MPI_Request_c2f(request);
    say(ierror, code);
}

#ifdef OPEN_MPI

inline void* buffer_of(void* address) {
    const auto& constants = fortran_constants::found();
    if (address == constants.in_place) return MPI_IN_PLACE;
    return address == constants.bottom ? MPI_BOTTOM : address;
}

inline MPI_Datatype type_of(const MPI_Fint* handle) { return MPI_Type_f2c(*handle); }
/// Of so many blocks. Not null, even if there are none.
inline std::vector<MPI_Datatype> types_of(const MPI_Fint* handles, int blocks) {
    std::vector<MPI_Datatype> all;
    all.reserve(static_cast<std::size_t>(blocks) + 1);
    for (int i = 0; i < blocks; ++i)
        all.push_back(type_of(handles + i));
    return all;
}
/// The same for a call that may use them until its end: they stay, once for all calls with the same ones.
const MPI_Datatype* lasting_types_of(const MPI_Fint* handles, int blocks);
inline MPI_Op op_of(const MPI_Fint* handle) { return MPI_Op_f2c(*handle); }

#endif

} // namespace topo::preload

#ifdef OPEN_MPI

// Compilers write names differently, and mpi_f08 has names of its own: a macro, for no function can name
// others.
#define TOPOMP_FORTRAN_NAMES_OF(lower, upper)                                                                \
    extern "C" __attribute__((alias(#lower "_f08_"))) decltype(lower##_f08_) lower, lower##_, lower##__,     \
        upper;
#define TOPOMP_FORTRAN_NAMES(lower, upper) TOPOMP_FORTRAN_NAMES_OF(mpi_##lower, MPI_##upper)

#endif
