# SPDX-License-Identifier: BSL-1.0
# CLI11 and nlohmann-json: header-only, so where a distribution ships no CMake package, finding the header is enough.
function(topomp_find_header_only package target header)
    if(NOT TARGET ${target})
        find_package(${package} CONFIG QUIET GLOBAL)
    endif()
    if(NOT TARGET ${target})
        find_path(TOPOMP_${package}_INCLUDE_DIR ${header} REQUIRED)
        add_library(${target} INTERFACE IMPORTED GLOBAL)
        target_include_directories(${target} INTERFACE "${TOPOMP_${package}_INCLUDE_DIR}")
    endif()
endfunction()
topomp_find_header_only(CLI11 CLI11::CLI11 CLI/CLI.hpp)
topomp_find_header_only(nlohmann_json nlohmann_json::nlohmann_json nlohmann/json.hpp)
