# SPDX-License-Identifier: BSL-1.0
# cmake -DTREE=include/topomp -P public_headers.cmake: topomp.hpp lists the headers that lie in the rooms themselves, which are
# for programs, and none of the folders in these, which are internal.
cmake_minimum_required(VERSION 3.24)

# With MPI's names in C, of which a program asks for by itself.
set(left_out mapping/nodecart_c.hpp)

set(listed "")
file(STRINGS "${TREE}/topomp.hpp" lines REGEX "^#include <topomp/[a-z_]+/")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include <topomp/([^>]*)>.*" "\\1" header "${line}")
    list(APPEND listed "${header}")
endforeach()

set(complaints "")
file(GLOB headers RELATIVE "${TREE}" "${TREE}/*/*.hpp")
list(REMOVE_ITEM headers ${left_out})
foreach(header IN LISTS headers)
    if(NOT header IN_LIST listed)
        string(APPEND complaints "${header}: not in topomp.hpp\n")
    endif()
endforeach()
foreach(header IN LISTS listed)
    if(NOT header IN_LIST headers)
        string(APPEND complaints "${header}: in topomp.hpp, but no header for programs\n")
    endif()
endforeach()
if(complaints)
    message(FATAL_ERROR "${complaints}")
endif()
list(LENGTH headers count)
message("${count} headers are for programs, and listed")
