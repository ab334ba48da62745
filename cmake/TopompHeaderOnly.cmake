# SPDX-License-Identifier: BSL-1.0
# Libraries that are header-only: where a distribution ships no CMake package, finding the header is enough.
include_guard()

# topomp_find_header_only(PACKAGE TARGET HEADER [OPTIONAL] [SUFFIXES FOLDER...]): with OPTIONAL, TARGET does not exist where there is no
# such library; SUFFIXES are folders below the usual ones.
function(topomp_find_header_only package target header)
    cmake_parse_arguments(PARSE_ARGV 3 option "OPTIONAL" "" "SUFFIXES")
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
    find_package(${package} CONFIG QUIET)
    if(TARGET ${target})
        return()
    endif()
    set(required REQUIRED)
    if(option_OPTIONAL)
        set(required "")
    endif()
    find_path(TOPOMP_${package}_INCLUDE_DIR ${header} PATH_SUFFIXES ${option_SUFFIXES} ${required})
    mark_as_advanced(TOPOMP_${package}_INCLUDE_DIR)
    if(TOPOMP_${package}_INCLUDE_DIR)
        add_library(${target} INTERFACE IMPORTED GLOBAL)
        target_include_directories(${target} INTERFACE "${TOPOMP_${package}_INCLUDE_DIR}")
    endif()
endfunction()
