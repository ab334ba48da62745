# SPDX-License-Identifier: BSL-1.0
# What only topomp's own build wants, never a project that uses it.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS TRUE)
set(CMAKE_CXX_EXTENSIONS FALSE)

option(TOPOMP_SANITIZE "Build everything with the address and undefined-behaviour sanitizers" FALSE)
option(TOPOMP_QUICK_PROGRAMS "Optimise programs only as far as they build quickly: to test, not to measure" FALSE)
# With GCC, what calls instantiate of the headers takes three fifths of the time to build at -O0 that it takes at -O1, but tests run twice
# as long: the simulated ones 620 s in the place of 350. With Clang -O0 takes less than a half.
set(topomp_quick $<IF:$<CXX_COMPILER_ID:GNU>,-O1,-O0>)
option(TOPOMP_CLANG_TIDY "Run clang-tidy on every compiled file" FALSE)

find_program(TOPOMP_CCACHE ccache)
if(TOPOMP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${TOPOMP_CCACHE}")
endif()
if(TOPOMP_CLANG_TIDY)
    find_program(TOPOMP_CLANG_TIDY_COMMAND NAMES clang-tidy REQUIRED)
    set(CMAKE_CXX_CLANG_TIDY "${TOPOMP_CLANG_TIDY_COMMAND}" --quiet)
endif()

option(TOPOMP_WARNINGS_ARE_ERRORS "Stop at the first warning of a compiler, which another version may have more of" TRUE)
set(topomp_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(TOPOMP_WARNINGS_ARE_ERRORS)
    list(APPEND topomp_warnings -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
    # GCC's bug 105651: it takes "text" + std::string for overlapping memory.
    list(APPEND topomp_warnings -Wno-restrict)
endif()
# What computes for minutes then is optimised by itself.
set(topomp_is_unoptimised FALSE)
if(TOPOMP_SANITIZE OR CMAKE_CXX_FLAGS_RELEASE MATCHES "-O0")
    set(topomp_is_unoptimised TRUE)
endif()
set(topomp_sanitizers "")
if(TOPOMP_SANITIZE)
    set(topomp_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
endif()

# How everything is compiled here.
add_library(topomp_developer_options INTERFACE)
target_compile_options(topomp_developer_options INTERFACE ${topomp_warnings} ${topomp_sanitizers})
# The compiler collects its garbage only from 300 MB on, which is a sixth of the time of a file that includes the headers, and hardly any
# memory more at its end.
target_compile_options(topomp_developer_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=300000>)
target_compile_definitions(topomp_developer_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
target_link_options(topomp_developer_options INTERFACE ${topomp_sanitizers})
if("${CMAKE_CXX_COMPILER}" MATCHES "smpicxx")
    # As topomp::boost_mpi, for programs that do without topomp.
    target_compile_options(topomp_developer_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    # Strings are compiled with the program, so that a replaced operator new sees them also where a program is loaded with
    # its own names first, as SimGrid's ranks are.
    target_compile_definitions(topomp_developer_options INTERFACE _GLIBCXX_EXTERN_TEMPLATE=0)
endif()

# Link one of these to everything that is compiled here: the compiled library, or the headers only.
add_library(topomp_developer INTERFACE)
target_link_libraries(topomp_developer INTERFACE topomp::compiled topomp_developer_options)
add_library(topomp_developer_headers INTERFACE)
target_link_libraries(topomp_developer_headers INTERFACE topomp::topomp topomp_developer_options)
if(TOPOMP_SANITIZE OR TOPOMP_QUICK_PROGRAMS)
    find_program(TOPOMP_LLD NAMES ld.lld)
    if(TOPOMP_LLD) # which links in a third to a half of the time
        target_link_options(topomp_developer_options INTERFACE -fuse-ld=lld)
    endif()
endif()
if(TOPOMP_SANITIZE)
    # Compiled once, and exported, so that the libraries that the program loads call these.
    add_library(topomp_sanitizer_support OBJECT "${PROJECT_SOURCE_DIR}/tests/support/keep_libraries.cpp"
        "${PROJECT_SOURCE_DIR}/tests/support/leaks_of_mpi.cpp")
    target_link_libraries(topomp_sanitizer_support PRIVATE topomp_developer_options MPI::MPI_CXX)
    target_compile_features(topomp_sanitizer_support PRIVATE cxx_std_20)
    foreach(kind IN ITEMS topomp_developer topomp_developer_headers)
        target_sources(${kind} INTERFACE $<TARGET_OBJECTS:topomp_sanitizer_support>)
        target_link_options(${kind} INTERFACE -Wl,--export-dynamic-symbol=dlclose
            -Wl,--export-dynamic-symbol=MPI_Init -Wl,--export-dynamic-symbol=MPI_Init_thread
            -Wl,--export-dynamic-symbol=MPI_Finalize -Wl,--export-dynamic-symbol=__asprintf_chk
            -Wl,--export-dynamic-symbol=__vasprintf_chk)
    endforeach()
endif()
