# SPDX-License-Identifier: BSL-1.0
# What the solvers in the folders beside this one stand on, and how they are built.
include_guard(GLOBAL)

# topomp_find_solver_library(PACKAGE TARGET HEADER): a library of headers only. Where a distribution ships no CMake package,
# finding the header is enough; where there is none, TARGET does not exist afterwards.
function(topomp_find_solver_library package target header)
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
    find_package(${package} CONFIG QUIET)
    if(NOT TARGET ${target})
        find_path(TOPOMP_${package}_INCLUDE_DIR ${header} PATH_SUFFIXES eigen3)
        mark_as_advanced(TOPOMP_${package}_INCLUDE_DIR)
        if(TOPOMP_${package}_INCLUDE_DIR)
            add_library(${target} INTERFACE IMPORTED GLOBAL)
            target_include_directories(${target} INTERFACE "${TOPOMP_${package}_INCLUDE_DIR}")
        endif()
    endif()
endfunction()
topomp_find_solver_library(CLI11 CLI11::CLI11 CLI/CLI.hpp)
topomp_find_solver_library(nlohmann_json nlohmann_json::nlohmann_json nlohmann/json.hpp)
topomp_find_solver_library(Eigen3 Eigen3::Eigen Eigen/Core)
topomp_find_solver_library(Random123 Random123::Random123 Random123/philox.h)

# topomp_add_solver_programs(NAME LIBRARY...): NAME_mpi and NAME_topomp out of the sources of these names in the current folder;
# where a library is missing, one line that they are not built.
function(topomp_add_solver_programs name)
    set(libraries ${ARGN} CLI11::CLI11 nlohmann_json::nlohmann_json)
    foreach(library IN LISTS libraries)
        if(NOT TARGET ${library})
            message(STATUS "topomp: benchmarks/apps/${name} is not built: ${library} is missing (scripts/setup installs it)")
            return()
        endif()
    endforeach()
    foreach(by IN ITEMS mpi topomp)
        add_executable(${name}_${by} "${name}_${by}.cpp")
        target_link_libraries(${name}_${by} PRIVATE topomp_developer ${libraries})
        target_compile_definitions(${name}_${by} PRIVATE SMPI_NO_OVERRIDE_MALLOC)
    endforeach()
endfunction()
