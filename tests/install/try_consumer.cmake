# SPDX-License-Identifier: BSL-1.0
# cmake -DWAY=find_package|add_subdirectory|pkg_config -D... -P try_consumer.cmake -- launcher up to the rank count
#
# Builds consumer/ against topomp in the way given and runs it on 2 ranks.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/../support/arguments.cmake")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT failed EQUAL 0)
        message(FATAL_ERROR "failed with ${failed}: ${ARGN}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
set(consumer "${CMAKE_CURRENT_LIST_DIR}/consumer")
set(prefix "${WORK_DIR}/prefix")
if(NOT WAY STREQUAL "add_subdirectory")
    run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
endif()

if(WAY STREQUAL "pkg_config")
    file(GLOB_RECURSE pc "${prefix}/topomp.pc")
    cmake_path(GET pc PARENT_PATH pc_dir)
    # As a user would: the prefix is where the package was unpacked, not where the build was told to install.
    set(flags "--define-prefix --cflags --libs topomp")
    run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${pc_dir}" "OMPI_CXX=${COMPILER}" "MPICH_CXX=${COMPILER}"
        sh -c "flags=$(pkg-config ${flags}) && '${MPI_COMPILER}' -std=c++20 -o '${WORK_DIR}/consumer' '${consumer}/main.cpp' $flags")
    set(program "${WORK_DIR}/consumer")
else()
    run("${CMAKE_COMMAND}" -S "${consumer}" -B "${WORK_DIR}/build" -G "${GENERATOR}" "-DWAY=${WAY}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
        "-DMPI_CXX_COMPILER=${MPI_COMPILER}" "-DTOPOMP_SOURCE_DIR=${SOURCE_DIR}" "-DCMAKE_PREFIX_PATH=${prefix}")
    run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
    set(program "${WORK_DIR}/build/consumer")
endif()

run(${arguments} 2 "${program}")
if(NOT output MATCHES "topomp ${VERSION} on 2 ranks")
    message(FATAL_ERROR "the consumer did not say what it should:\n${output}")
endif()
message("${output}")
