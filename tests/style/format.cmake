# SPDX-License-Identifier: BSL-1.0
# cmake -DCLANG_FORMAT=command -DROOT=folder -P format.cmake: every C++ file is formatted as .clang-format says.
cmake_minimum_required(VERSION 3.24)

set(files "")
foreach(folder IN ITEMS include tests tools examples benchmarks)
    file(GLOB_RECURSE found "${ROOT}/${folder}/*.hpp" "${ROOT}/${folder}/*.ipp" "${ROOT}/${folder}/*.cpp")
    list(APPEND files ${found})
endforeach()
if(NOT files)
    message(FATAL_ERROR "no C++ file below ${ROOT}")
endif()
execute_process(COMMAND "${CLANG_FORMAT}" --style=file --dry-run -Werror ${files} RESULT_VARIABLE failed)
list(LENGTH files count)
if(NOT failed EQUAL 0)
    message(FATAL_ERROR "not formatted; clang-format -i FILE does it")
endif()
message("${count} files are formatted")
