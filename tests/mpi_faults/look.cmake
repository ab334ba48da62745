# SPDX-License-Identifier: BSL-1.0
# cmake -DKNOWN=<bool> -P look.cmake -- COMMAND...: whether an MPI has a fault that topomp works around or reports. Says so either
# way; an MPI that is not known for the fault must not have it.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/../support/arguments.cmake")
execute_process(COMMAND ${arguments} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
    if(KNOWN)
        message("mended: this MPI does not show the fault any more, and the workaround can go where it is the oldest")
    else()
        message("right: this MPI does not have the fault")
    endif()
elseif(KNOWN)
    message("known: this MPI has the fault, and topomp works around it or reports it")
else()
    message(FATAL_ERROR "this MPI has the fault, and topomp does not work around it:\n${output}")
endif()
