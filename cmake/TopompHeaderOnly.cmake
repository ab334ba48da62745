# SPDX-License-Identifier: BSL-1.0
# Libraries that are header-only: where a distribution ships no CMake package, finding the header is enough.
include_guard()

function(topomp_find_header_only package target header)
    find_package(${package} CONFIG QUIET)
    if(NOT TARGET ${target})
        find_path(TOPOMP_${package}_INCLUDE_DIR ${header} REQUIRED)
        add_library(${target} INTERFACE IMPORTED GLOBAL)
        target_include_directories(${target} INTERFACE "${TOPOMP_${package}_INCLUDE_DIR}")
    endif()
endfunction()
