# SPDX-License-Identifier: BSL-1.0
# cmake -DNM=nm -DOBJECT=file -P defined_once.cmake: of topomp's names an object defines only such as other objects may define too, and no
# operation that it does not use. The one function of the file itself, on(), shows that names are seen.
cmake_minimum_required(VERSION 3.24)
execute_process(COMMAND "${NM}" --demangle --extern-only --defined-only "${OBJECT}" OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
if(NOT names MATCHES " T on\\(boost::mpi::communicator const&\\)" OR NOT names MATCHES " W topo::hierarchy::")
    message(SEND_ERROR "no names of topomp in the object")
endif()
if(names MATCHES "[^\n]* [TDBRC] [^\n]*topo::[^\n]*")
    message(SEND_ERROR "every file that has the headers only defines this: ${CMAKE_MATCH_0}")
endif()
# Reading a tuning file reaches those of broadcasts and reductions, for a plan in it may name any. A class of which a virtual function is not
# TOPOMP_INLINE at its declaration is in each object, with all that its functions call.
set(operations "posted_[a-z_]*|prefix_exchange|exchange_in_[a-z_]*|started_exchange|sparse_operation")
if(names MATCHES "[^\n]*vtable for topo::detail::(${operations})[^\n]*")
    message(SEND_ERROR "nothing calls this: ${CMAKE_MATCH_0}")
endif()
