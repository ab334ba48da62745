# SPDX-License-Identifier: BSL-1.0
# cmake -DSOURCE=file -P must_not_compile.cmake -- compiler flags...
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/../support/arguments.cmake")

# Said plainly first: FATAL_ERROR wraps its lines.
function(complain text)
    message("${text}")
    message(FATAL_ERROR "the misuse is not refused as it should be")
endfunction()

file(STRINGS "${SOURCE}" expectation REGEX "^// expect: ." LIMIT_COUNT 1)
if(NOT expectation)
    complain("${SOURCE} names no sentence: it needs a line '// expect: SENTENCE'")
endif()
string(REGEX REPLACE "^// expect: " "" sentence "${expectation}")

execute_process(COMMAND ${arguments} "${SOURCE}" RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed EQUAL 0)
    complain("${SOURCE} compiles, but must not")
endif()
# The compiler may quote the source: only what stands on a line that reports an error counts.
string(REGEX MATCHALL "[^\n]*(error|note)[^\n]*" reports "${output}")
string(FIND "${reports}" "${sentence}" position)
if(position EQUAL -1)
    complain("${SOURCE} does not compile, but not for the reason expected: ${sentence}\n${output}")
endif()

# "// errors: NUMBER": as many as the user gets, for one sentence that is followed by others is not found.
file(STRINGS "${SOURCE}" number REGEX "^// errors: [0-9]+$")
if(number)
    string(REGEX REPLACE "^// errors: " "" number "${number}")
    string(REGEX MATCHALL "(^|\n)[^\n]*:[0-9]+: error: " errors "${output}")
    list(LENGTH errors found)
    if(NOT found EQUAL number)
        complain("${SOURCE} has ${found} errors, but must have ${number}\n${output}")
    endif()
endif()
