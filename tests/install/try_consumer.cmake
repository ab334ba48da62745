# SPDX-License-Identifier: BSL-1.0
# cmake -DWAY=find_package|add_subdirectory|fetch_content|pkg_config -D... -P try_consumer.cmake -- launcher up to the rank count
#
# Builds consumer/ against topomp in the way given and runs its programs on 2 ranks. What takes long is built in as few ways as show
# it: fetch_content ends in add_subdirectory, so one of them has the headers only and the other one the compiled library; and what the
# compiled library is made of is the same with each MPI.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(consumer "${CMAKE_CURRENT_LIST_DIR}/consumer")
set(programs consumer boost_only)
if(WAY STREQUAL "add_subdirectory")
    set(programs compiled precompiled boost_only)
elseif(WAY STREQUAL "find_package" AND MPI STREQUAL "openmpi")
    list(APPEND programs compiled precompiled)
endif()
set(consumers ${programs})
list(REMOVE_ITEM consumers boost_only)
set(prefix "${WORK_DIR}/prefix")
set(warnings "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror")
if(WAY MATCHES "find_package|pkg_config")
    run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
endif()

# What a release is: a repository with a tag.
if(WAY STREQUAL "fetch_content")
    set(git git "--git-dir=${WORK_DIR}/repository" "--work-tree=${SOURCE_DIR}" -c user.name=test -c user.email=test@example.org)
    run(git init --quiet --bare "${WORK_DIR}/repository")
    run(${git} add --all)
    run(${git} commit --quiet --message release)
    run(${git} tag --annotate v${VERSION} --message release)
endif()

if(WAY STREQUAL "pkg_config")
    set(program_dir "${WORK_DIR}")
    file(GLOB_RECURSE pc "${prefix}/topomp.pc")
    cmake_path(GET pc PARENT_PATH pc_dir)
    run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${pc_dir}" pkg-config --libs topomp)
    string(REGEX MATCHALL "[^ \n]+[.]a" libraries "${output}") # of the builder's cache they would be of no use to others
    foreach(library IN LISTS libraries)
        cmake_path(IS_PREFIX prefix "${library}" NORMALIZE is_below)
        if(NOT is_below OR NOT EXISTS "${library}")
            message(FATAL_ERROR "topomp.pc names ${library}, which is not installed below ${prefix}")
        endif()
    endforeach()
    foreach(program IN LISTS programs)
        string(REPLACE consumer main source "${program}")
        run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${pc_dir}" "OMPI_CXX=${COMPILER}" "MPICH_CXX=${COMPILER}"
            sh -c "flags=$(pkg-config --cflags --libs topomp) && '${MPI_COMPILER}' -std=c++20 ${warnings} \
                -o '${program_dir}/${program}' '${consumer}/${source}.cpp' $flags")
    endforeach()
else()
    set(program_dir "${WORK_DIR}/build")
    list(JOIN programs " " names) # a list would become several arguments
    run("${CMAKE_COMMAND}" -S "${consumer}" -B "${program_dir}" ${configure_options} "-DWAY=${WAY}" "-DPROGRAMS=${names}"
        "-DWARNINGS=${warnings}" "-DTOPOMP_SOURCE_DIR=${SOURCE_DIR}" "-DTOPOMP_REPOSITORY=${WORK_DIR}/repository"
        "-DTOPOMP_TAG=v${VERSION}" "-DCMAKE_PREFIX_PATH=${prefix}")
    run("${CMAKE_COMMAND}" --build "${program_dir}" --parallel 2)
    if(WAY STREQUAL "find_package")
        set(checked "${WORK_DIR}/checked")
        run("${CMAKE_COMMAND}" -S "${consumer}" -B "${checked}" ${configure_options} "-DWAY=${WAY}" -DPROGRAMS=consumer
            -DTOPOMP_CHECKED=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "-DCMAKE_PREFIX_PATH=${prefix}")
        file(READ "${checked}/compile_commands.json" commands)
        if(NOT commands MATCHES "-DTOPOMP_CHECKED")
            message(FATAL_ERROR "TOPOMP_CHECKED=ON of a project that finds topomp does not reach its compiler:\n${commands}")
        endif()
    endif()
    if("precompiled" IN_LIST programs)
        file(GLOB precompiled "${program_dir}/CMakeFiles/precompiled.dir/cmake_pch.hxx.[gp]ch")
        if(NOT precompiled)
            message(FATAL_ERROR "no header was precompiled for the program that links topomp::precompiled")
        endif()
    endif()
endif()

run(${arguments} 2 "${program_dir}/boost_only")
if(NOT output MATCHES "Boost.MPI on 2 ranks")
    message(FATAL_ERROR "the program that uses Boost.MPI only did not say what it should:\n${output}")
endif()
foreach(program IN LISTS consumers)
    run(${arguments} 2 "${program_dir}/${program}")
    if(NOT output MATCHES "topomp ${VERSION} on 2 ranks of ${MPI}")
        message(FATAL_ERROR "${program} did not say what it should:\n${output}")
    endif()
endforeach()
message("${output}")
