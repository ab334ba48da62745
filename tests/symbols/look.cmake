# SPDX-License-Identifier: BSL-1.0
# cmake -DNM=nm -DOBJECT=file -DEXPECTED=patterns -DUNEXPECTED=patterns -P look.cmake: names that must and must not be in an
# object.
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND "${NM}" --demangle "${OBJECT}" OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
foreach(pattern IN LISTS EXPECTED)
    if(NOT names MATCHES "topo::detail::[^\n]*${pattern}")
        message(SEND_ERROR "${pattern} is not in the object")
    endif()
endforeach()
foreach(pattern IN LISTS UNEXPECTED)
    if(names MATCHES "[^\n]*topo::detail::${pattern}[^\n]*")
        message(SEND_ERROR "${pattern} is in the object: ${CMAKE_MATCH_0}")
    endif()
endforeach()
