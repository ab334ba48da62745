# SPDX-License-Identifier: BSL-1.0
# cmake -DCOMPILER=command -DINCLUDES=folders -DOPTIONS=options -DSOURCE=file -DUNWANTED=headers -DUNWANTED_LINES=headers
# -P standard_headers.cmake: a verb brings in no header that is long to compile and that it does not need. No header of topomp's has an
# include line of one of UNWANTED_LINES, which Boost.MPI's own headers bring in.
cmake_minimum_required(VERSION 3.24)
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(COMMAND "${COMPILER}" -std=c++20 ${INCLUDES} ${OPTIONS} -M "${SOURCE}" OUTPUT_VARIABLE headers
    COMMAND_ERROR_IS_FATAL ANY)
if(NOT headers MATCHES "/collective/broadcast(_by_tree)?[.]hpp")
    message(FATAL_ERROR "the compiler did not say what it read:\n${headers}")
endif()
foreach(header IN LISTS UNWANTED)
    if(headers MATCHES "/(c[+][+]/[^/ ]+|topomp)/${header}[ \n]")
        message(SEND_ERROR "<${header}> is included")
    endif()
endforeach()

string(REGEX MATCHALL "[^ \n]*/include/topomp/[^ \n]+" own "${headers}")
foreach(file IN LISTS own)
    foreach(header IN LISTS UNWANTED_LINES)
        file(STRINGS "${file}" lines REGEX "^ *# *include *<${header}>")
        if(lines)
            message(SEND_ERROR "${file} includes <${header}>")
        endif()
    endforeach()
endforeach()
