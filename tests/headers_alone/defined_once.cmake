# SPDX-License-Identifier: BSL-1.0
# cmake -DNM=nm -DOBJECT=file -P defined_once.cmake: of topomp's names an object defines only such as other objects may define too. The one
# function of the file itself, on(), shows that names are seen.
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND "${NM}" --demangle --extern-only --defined-only "${OBJECT}" OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
if(NOT names MATCHES " T on\\(boost::mpi::communicator const&\\)" OR NOT names MATCHES " W topo::hierarchy::")
    message(SEND_ERROR "no names of topomp in the object")
endif()
if(names MATCHES "[^\n]* [TDBRC] [^\n]*topo::[^\n]*")
    message(SEND_ERROR "every file that has the headers only defines this: ${CMAKE_MATCH_0}")
endif()
