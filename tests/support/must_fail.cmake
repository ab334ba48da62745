# SPDX-License-Identifier: BSL-1.0
# cmake -DCOMPLAINT=regex -P must_fail.cmake -- command arguments...
#
# For the tests of the tests: the command must fail, and say why.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/arguments.cmake")

execute_process(COMMAND ${arguments} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(failed EQUAL 0)
    message(FATAL_ERROR "the command succeeded, but must not")
endif()
if(NOT output MATCHES "${COMPLAINT}")
    message(FATAL_ERROR "the command failed, but did not say: ${COMPLAINT}")
endif()
