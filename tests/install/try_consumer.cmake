# SPDX-License-Identifier: BSL-1.0
# cmake -DWAY=find_package|add_subdirectory|fetch_content|pkg_config -D... -P try_consumer.cmake -- launcher up to the rank count
#
# Builds consumer/ against topomp in the way given and runs its programs on 2 ranks.
cmake_minimum_required(VERSION 3.24)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(consumer "${CMAKE_CURRENT_LIST_DIR}/consumer")
set(programs consumer boost_only)
set(consumers consumer)
set(prefix "${WORK_DIR}/prefix")
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
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
    list(JOIN warnings " " warnings)
    foreach(program IN LISTS programs)
        string(REPLACE consumer main source "${program}")
        run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${pc_dir}" "OMPI_CXX=${COMPILER}" "MPICH_CXX=${COMPILER}"
            sh -c "flags=$(pkg-config --cflags --libs topomp) && '${MPI_COMPILER}' -std=c++20 ${warnings} \
                -o '${program_dir}/${program}' '${consumer}/${source}.cpp' $flags")
    endforeach()
else()
    set(program_dir "${WORK_DIR}/build")
    run("${CMAKE_COMMAND}" -S "${consumer}" -B "${program_dir}" ${configure_options} "-DWAY=${WAY}"
        "-DWARNINGS=${warnings}" "-DTOPOMP_SOURCE_DIR=${SOURCE_DIR}" "-DTOPOMP_REPOSITORY=${WORK_DIR}/repository"
        "-DTOPOMP_TAG=v${VERSION}" "-DCMAKE_PREFIX_PATH=${prefix}")
    run("${CMAKE_COMMAND}" --build "${program_dir}" --parallel 2)
endif()

run(${arguments} 2 "${program_dir}/boost_only")
if(NOT output MATCHES "Boost.MPI on 2 ranks")
    message(FATAL_ERROR "the program that uses Boost.MPI only did not say what it should:\n${output}")
endif()
if(WAY MATCHES "find_package|add_subdirectory")
    list(APPEND consumers compiled)
endif()
foreach(program IN LISTS consumers)
    run(${arguments} 2 "${program_dir}/${program}")
    if(NOT output MATCHES "topomp ${VERSION} on 2 ranks of ${MPI}")
        message(FATAL_ERROR "${program} did not say what it should:\n${output}")
    endif()
endforeach()
message("${output}")
