# SPDX-License-Identifier: BSL-1.0
# What the tests here share.
include("${CMAKE_CURRENT_LIST_DIR}/../support/arguments.cmake")

# run(COMMAND...): sets output; ends the test if the command fails.
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT failed EQUAL 0)
        message(FATAL_ERROR "failed with ${failed}: ${ARGN}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")

set(configure_options -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
if(MPI_PREFERENCE) # which has to be enough
    list(APPEND configure_options "-DTOPOMP_MPI=${MPI_PREFERENCE}")
else()
    list(APPEND configure_options "-DMPI_CXX_COMPILER=${MPI_COMPILER}")
endif()
