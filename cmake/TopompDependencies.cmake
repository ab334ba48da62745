# SPDX-License-Identifier: BSL-1.0
# What the headers of topomp stand on: MPI, hwloc, Boost.MPI, perhaps Scotch. Used by topomp's own build and, installed beside
# topompConfig.cmake, by find_package(topomp): so both find the same things in the same way.
#
# Sets topomp_dependencies to the targets to link; fails with FATAL_ERROR where one cannot be had.
include_guard(DIRECTORY)

# Targets are as visible as those that find_package makes here: in the own build they must reach a parent project.
if(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
    set(topomp_scope GLOBAL)
else()
    set(topomp_scope "")
endif()

set(TOPOMP_MPI "" CACHE STRING "Prefer this MPI where several are installed: openmpi, mpich")
if(TOPOMP_MPI)
    # Debian's alternatives give each MPI's commands a suffix; elsewhere the plain names have to do.
    find_program(TOPOMP_MPI_CXX_COMPILER NAMES "mpicxx.${TOPOMP_MPI}" mpicxx)
    mark_as_advanced(TOPOMP_MPI_CXX_COMPILER)
    if(TARGET MPI::MPI_CXX AND MPI_CXX_COMPILER)
        file(REAL_PATH "${MPI_CXX_COMPILER}" topomp_found)
        file(REAL_PATH "${TOPOMP_MPI_CXX_COMPILER}" topomp_preferred)
        if(NOT topomp_found STREQUAL topomp_preferred)
            message(WARNING "topomp: TOPOMP_MPI=${TOPOMP_MPI} changes nothing, because the project has found the MPI of "
                "${MPI_CXX_COMPILER} before topomp; give -DMPI_CXX_COMPILER=${TOPOMP_MPI_CXX_COMPILER} instead")
        endif()
    endif()
    set(MPI_CXX_COMPILER "${TOPOMP_MPI_CXX_COMPILER}" CACHE FILEPATH "Compiler wrapper of the MPI")
    find_program(MPIEXEC_EXECUTABLE NAMES "mpiexec.${TOPOMP_MPI}" mpiexec)
endif()

# The C++ bindings of MPI-2 are gone from the standard; linking them only drags in another library.
set(MPI_CXX_SKIP_MPICXX TRUE CACHE BOOL "Leave out the C++ bindings of MPI-2")
find_package(MPI REQUIRED COMPONENTS CXX)

# hwloc built with CMake has a config package; the distributions' has a pkg-config file only.
if(NOT TARGET topomp::hwloc)
    add_library(topomp::hwloc INTERFACE IMPORTED ${topomp_scope})
    find_package(hwloc CONFIG QUIET)
    if(hwloc_FOUND AND TARGET hwloc::hwloc AND (NOT hwloc_VERSION OR NOT hwloc_VERSION VERSION_LESS 2.5))
        target_link_libraries(topomp::hwloc INTERFACE hwloc::hwloc)
    else()
        find_package(PkgConfig REQUIRED)
        pkg_check_modules(topomp_pc_hwloc REQUIRED QUIET IMPORTED_TARGET ${topomp_scope} hwloc>=2.5)
        target_link_libraries(topomp::hwloc INTERFACE PkgConfig::topomp_pc_hwloc)
    endif()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/TopompBoostMPI.cmake")
if("${CMAKE_CXX_COMPILER}" MATCHES "smpicxx")
    # Else all of SimGrid's ranks, which are one process, share what an inline function or variable holds.
    target_compile_options(topomp::boost_mpi INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
endif()

# Scotch is one more candidate for graphs, where it is installed. The simulator's ranks would share what it keeps.
option(TOPOMP_SCOTCH "Map graphs with Scotch too, where it is found" ON)
if(NOT TARGET topomp::scotch)
    add_library(topomp::scotch INTERFACE IMPORTED ${topomp_scope})
    if(TOPOMP_SCOTCH AND NOT CMAKE_CXX_COMPILER MATCHES "smpicxx")
        find_path(TOPOMP_SCOTCH_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
        find_library(TOPOMP_SCOTCH_LIBRARY scotch)
        find_library(TOPOMP_SCOTCHERR_LIBRARY scotcherr)
        mark_as_advanced(TOPOMP_SCOTCH_INCLUDE_DIR TOPOMP_SCOTCH_LIBRARY TOPOMP_SCOTCHERR_LIBRARY)
        if(TOPOMP_SCOTCH_INCLUDE_DIR AND TOPOMP_SCOTCH_LIBRARY AND TOPOMP_SCOTCHERR_LIBRARY)
            target_include_directories(topomp::scotch SYSTEM INTERFACE "${TOPOMP_SCOTCH_INCLUDE_DIR}")
            target_link_libraries(topomp::scotch INTERFACE "${TOPOMP_SCOTCH_LIBRARY}" "${TOPOMP_SCOTCHERR_LIBRARY}")
            target_compile_definitions(topomp::scotch INTERFACE TOPOMP_SCOTCH)
        endif()
    endif()
endif()

# What needs others stands before them, as a linker wants it. The headers look for runtimes of accelerators with dlopen,
# which before glibc 2.34 is in a library of its own.
set(topomp_dependencies topomp::boost_mpi topomp::hwloc topomp::scotch MPI::MPI_CXX ${CMAKE_DL_LIBS})
