# SPDX-License-Identifier: BSL-1.0
# cmake -D... -P prefix.cmake
#
# What is not built is not installed by half; the headers alone need nothing that only tools and tests need; and the
# pkg-config file knows where it was installed, whatever prefix was configured.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(tree "${WORK_DIR}/tree")
set(prefix "${WORK_DIR}/prefix")
set(configure "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${tree}" ${configure_options} "-DCMAKE_INSTALL_PREFIX=/nowhere"
    -DTOPOMP_BUILD_TESTS=OFF -DTOPOMP_BUILD_EXAMPLES=OFF -DTOPOMP_BUILD_BENCHMARKS=OFF)

run(${configure} -DTOPOMP_BUILD_TOOLS=OFF)
file(STRINGS "${tree}/CMakeCache.txt" looked_for REGEX "^[^#/]*([Cc][Ll][Ii]11|nlohmann|doctest)")
if(looked_for)
    message(FATAL_ERROR "configured for the headers only, topomp looks for: ${looked_for}")
endif()

# expect_prefix(PREFIX): the pkg-config file below it points there.
function(expect_prefix expected)
    file(GLOB_RECURSE pc "${expected}/*topomp.pc")
    cmake_path(GET pc PARENT_PATH pc_dir)
    foreach(variable IN ITEMS prefix includedir)
        run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${pc_dir}" pkg-config --variable=${variable} topomp)
        string(STRIP "${output}" ${variable})
        file(REAL_PATH "${${variable}}" ${variable})
    endforeach()
    if(NOT prefix STREQUAL expected OR NOT EXISTS "${includedir}/topomp/topomp.hpp")
        message(FATAL_ERROR "installed below ${expected}, topomp.pc says prefix=${prefix} includedir=${includedir}")
    endif()
endfunction()
run("${CMAKE_COMMAND}" --install "${tree}" --prefix "${prefix}")
expect_prefix("${prefix}")
file(GLOB_RECURSE license "${prefix}/*LICENSE")
if(NOT license)
    message(FATAL_ERROR "no LICENSE below ${prefix}")
endif()
run("${CMAKE_COMMAND}" -E env "DESTDIR=${WORK_DIR}/staged" "${CMAKE_COMMAND}" --install "${tree}" --prefix "${prefix}")
expect_prefix("${WORK_DIR}/staged${prefix}")

run(${configure} -DTOPOMP_BUILD_TOOLS=ON)
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${tree}" --prefix "${WORK_DIR}/half"
    RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed EQUAL 0 OR NOT output MATCHES "nothing is built yet" OR EXISTS "${WORK_DIR}/half")
    message(FATAL_ERROR "installing what is not built ended with ${failed}, and should leave nothing behind:\n${output}")
endif()
