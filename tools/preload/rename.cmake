# SPDX-License-Identifier: BSL-1.0
# cmake -DNM=... -DOBJCOPY=... -DFROM=a.a -DTO=b.a -P rename.cmake
#
# Copies an archive so that what it calls by MPI's names it calls by MPI's profiling names, MPI_X as PMPI_X; and what it
# defines as intercepted_MPI_X is the MPI_X that programs call. So nothing inside the library can call the library again.
cmake_minimum_required(VERSION 3.24)

execute_process(COMMAND "${NM}" --format=posix "${FROM}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)(intercepted_)?MPIX?_[A-Z]+_?[a-z][A-Za-z0-9_]* [TUtuVWvw]" found "${symbols}")
list(TRANSFORM found REPLACE "\n" "")
list(TRANSFORM found REPLACE " .*" "")
list(REMOVE_DUPLICATES found)
set(pairs "")
foreach(name IN LISTS found)
    if(name MATCHES "^intercepted_(.*)$")
        string(APPEND pairs "${name} ${CMAKE_MATCH_1}\n")
    else()
        string(APPEND pairs "${name} P${name}\n")
    endif()
endforeach()
file(WRITE "${TO}.names" "${pairs}")
execute_process(COMMAND "${OBJCOPY}" "--redefine-syms=${TO}.names" "${FROM}" "${TO}" COMMAND_ERROR_IS_FATAL ANY)

# Of the compiler's intermediate code, as link-time optimisation leaves it in archives, it renames nothing.
set(old_name "MPIX?_[A-Z]+_?[a-z][A-Za-z0-9_]* ")
if(pairs MATCHES "intercepted_")
    set(old_name "intercepted_${old_name}") # what intercepts MPI_X may be called, too, and has that name now
else()
    string(APPEND old_name "U")
endif()
execute_process(COMMAND "${NM}" --format=posix "${TO}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(symbols MATCHES "(^|\n)${old_name}" OR NOT found)
    file(REMOVE "${TO}")
    message(FATAL_ERROR "${FROM}: objcopy renamed no MPI function: is it machine code, compiled with -fno-lto?")
endif()
