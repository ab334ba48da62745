# SPDX-License-Identifier: BSL-1.0
# Defines topomp::boost_mpi: Boost.MPI and Boost.Serialization that fit the MPI in use.
#
# A distribution builds Boost.MPI for one MPI only. Whether that is the MPI in use shows at the link, because
# MPI_Comm, and with it the name of every function that takes one, is another type in another MPI. Where it does
# not fit, Boost.MPI is made from sources, once per MPI, Boost and compiler, and kept in a cache.
include_guard(DIRECTORY)
include("${CMAKE_CURRENT_LIST_DIR}/TopompBoostSource.cmake")

set(TOPOMP_BOOST_SOURCE "" CACHE PATH
    "Sources of Boost, of the version that is installed, for a Boost.MPI that fits the MPI; empty: the distribution's source package")
set(TOPOMP_CACHE "" CACHE PATH
    "Where a Boost.MPI that was made is kept; empty: topomp in XDG_CACHE_HOME or in .cache of the home folder, else the build tree")

if(TARGET topomp::boost_mpi)
    return()
endif()

find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS serialization OPTIONAL_COMPONENTS mpi)

# In SimGrid's MPI all ranks share one process and each has its own copy of the program's globals, but not of a
# shared library's: Boost.Serialization must be part of the program.
if("${MPI_CXX_COMPILER};${CMAKE_CXX_COMPILER}" MATCHES "smpicxx")
    set(topomp_own_serialization TRUE)
else()
    set(topomp_own_serialization FALSE)
endif()

# Sets RESULT to whether a program that uses Boost.MPI links with the libraries given; runs once per build tree.
function(topomp_check_boost_mpi result)
    if(DEFINED ${result})
        return()
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/topomp_boost_mpi_check.cpp")
    file(WRITE "${source}" "
        #include <boost/mpi/communicator.hpp>
        int main() { return boost::mpi::communicator(MPI_COMM_WORLD, boost::mpi::comm_attach).rank(); }")
    try_compile(${result} "${CMAKE_CURRENT_BINARY_DIR}/${result}" "${source}"
        LINK_LIBRARIES ${ARGN} MPI::MPI_CXX Boost::headers
        CXX_STANDARD 20 OUTPUT_VARIABLE output)
    set(${result}_OUTPUT "${output}" PARENT_SCOPE)
    set(${result} "${${result}}" CACHE INTERNAL "Boost.MPI links with the MPI in use")
endfunction()

# Sets RESULT to the directory with the libraries of Boost.MPI made for the MPI in use.
function(topomp_make_boost_mpi result)
    set(version "${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}")
    if(TOPOMP_CACHE)
        set(cache "${TOPOMP_CACHE}")
    elseif(NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
        set(cache "$ENV{XDG_CACHE_HOME}/topomp")
    elseif(IS_DIRECTORY "$ENV{HOME}")
        set(cache "$ENV{HOME}/.cache/topomp")
    else()
        set(cache "${CMAKE_BINARY_DIR}/topomp_cache")
    endif()

    # The text of mpi.h as this compiler sees it is the identity of the MPI.
    set(probe "${CMAKE_CURRENT_BINARY_DIR}/topomp_mpi_identity.cpp")
    file(WRITE "${probe}" "#include <mpi.h>\n")
    get_target_property(mpi_includes MPI::MPI_CXX INTERFACE_INCLUDE_DIRECTORIES)
    if(NOT mpi_includes)
        set(mpi_includes "")
    endif()
    list(TRANSFORM mpi_includes PREPEND "-I")
    separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" ${flags} ${mpi_includes} -E -P "${probe}"
        OUTPUT_VARIABLE mpi_text COMMAND_ERROR_IS_FATAL ANY)
    set(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/boost_mpi")
    file(SHA256 "${here}/CMakeLists.txt" recipe)
    # Compilers with link-time optimisation put no machine code into archives, whose symbols the preload library renames.
    set(made_with "${CMAKE_CXX_FLAGS}")
    if(made_with MATCHES "-flto")
        string(APPEND made_with " -fno-lto")
    endif()
    string(CONCAT identity "${CMAKE_CXX_COMPILER};${CMAKE_CXX_COMPILER_VERSION};${made_with};"
        "${Boost_VERSION};${recipe};${mpi_text}")
    if(CMAKE_TOOLCHAIN_FILE)
        file(SHA256 "${CMAKE_TOOLCHAIN_FILE}" toolchain)
        string(APPEND identity ";${toolchain}")
    endif()
    string(SHA256 key "${identity}")
    string(SUBSTRING "${key}" 0 16 key)
    set(made "${cache}/boost_mpi-${version}-${key}")
    set(${result} "${made}" PARENT_SCOPE)

    # Two builds may get here at once: the first one makes it, the other one finds it made.
    file(MAKE_DIRECTORY "${cache}")
    file(LOCK "${cache}/lock" GUARD FUNCTION TIMEOUT 1200)
    if(EXISTS "${made}")
        return()
    endif()
    message(STATUS "topomp: no installed Boost.MPI is for this MPI: building Boost.MPI ${version} into ${made}")

    set(remedy "Install a Boost.MPI that is built for this MPI and name its prefix in CMAKE_PREFIX_PATH, name a folder with the "
        "sources of Boost ${version} in TOPOMP_BOOST_SOURCE, or make the distribution's source packages reachable for apt-get.")
    list(JOIN remedy "" remedy)
    topomp_sources_of_boost(sources)
    if(NOT sources)
        set(sources "${cache}/boost-${version}-source")
    endif()
    if(NOT EXISTS "${sources}")
        message(STATUS "topomp: getting the source package boost${version}")
        execute_process(COMMAND bash "${here}/fetch_source.sh" "boost${version}" "${sources}"
            RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
        if(failed)
            message(FATAL_ERROR "topomp needs Boost.MPI for the MPI in use (${MPI_CXX_COMPILER}); the installed one "
                "is made for another MPI, and its source package boost${version} could not be fetched. ${remedy}\n"
                "${output}")
        endif()
    endif()

    file(GLOB found "${sources}/mpi/src/*.cpp")
    if(NOT found)
        message(FATAL_ERROR "topomp: ${sources}/mpi/src has no sources of Boost.MPI: remove ${sources}, and it is fetched again")
    endif()

    string(RANDOM LENGTH 8 unique)
    set(work "${made}.${unique}")
    # CMake's default generator may need a program that this build does not.
    set(arguments -G "${CMAKE_GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}"
        "-DCMAKE_BUILD_TYPE=Release" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
        "-DCMAKE_CXX_FLAGS=${made_with}" "-DMPI_CXX_COMPILER=${MPI_CXX_COMPILER}"
        "-DMPI_CXX_SKIP_MPICXX=TRUE" "-DBoost_DIR=${Boost_DIR}" "-DBOOST_SOURCES=${sources}")
    if(CMAKE_TOOLCHAIN_FILE)
        list(APPEND arguments "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_TOOLCHAIN_FILE}")
    endif()
    # Many files compiled as one take half of the time. Where another version of Boost does not allow it, each by itself.
    message(STATUS "topomp: compiling Boost.MPI, which takes a minute or two")
    foreach(unity IN ITEMS TRUE FALSE)
        execute_process(COMMAND "${CMAKE_COMMAND}" -S "${here}" -B "${work}/build" ${arguments} "-DCMAKE_UNITY_BUILD=${unity}"
                -DCMAKE_UNITY_BUILD_BATCH_SIZE=0
            RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
        if(NOT failed)
            execute_process(COMMAND "${CMAKE_COMMAND}" --build "${work}/build" --config Release --parallel 2
                RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output ECHO_OUTPUT_VARIABLE)
        endif()
        if(NOT failed)
            break()
        endif()
    endforeach()
    if(failed)
        file(REMOVE_RECURSE "${work}")
        message(FATAL_ERROR "topomp needs Boost.MPI for the MPI in use (${MPI_CXX_COMPILER}); building it from "
            "${sources} failed. ${remedy}\n${output}")
    endif()
    file(GLOB libraries "${work}/build/*.a" "${work}/build/Release/*.a") # the latter of a generator with several configurations
    file(MAKE_DIRECTORY "${work}/lib")
    file(COPY ${libraries} DESTINATION "${work}/lib")
    file(RENAME "${work}/lib" "${made}")
    file(REMOVE_RECURSE "${work}")
endfunction()

# Adds topomp::static_NAME, the static library NAME made here: as a target, for a linker has to get it before what it needs.
function(topomp_add_static_boost name)
    add_library(topomp::static_${name} STATIC IMPORTED ${topomp_scope})
    set_target_properties(topomp::static_${name} PROPERTIES IMPORTED_LOCATION "${topomp_boost_mpi_dir}/lib${name}.a"
        INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()

set(topomp_packaged_boost_mpi_fits FALSE)
if(TARGET Boost::mpi AND NOT topomp_own_serialization)
    topomp_check_boost_mpi(TOPOMP_PACKAGED_BOOST_MPI_FITS Boost::mpi Boost::serialization)
    set(topomp_packaged_boost_mpi_fits ${TOPOMP_PACKAGED_BOOST_MPI_FITS})
endif()

if(topomp_packaged_boost_mpi_fits)
    set(topomp_boost_libraries Boost::mpi Boost::serialization)
    set(topomp_pc_boost_libraries "-L$<TARGET_FILE_DIR:Boost::serialization> -lboost_mpi -lboost_serialization")
else()
    topomp_make_boost_mpi(topomp_boost_mpi_dir)
    set(topomp_pc_boost_libraries "${topomp_boost_mpi_dir}/libboost_mpi.a")
    if(topomp_own_serialization)
        set(topomp_serialization topomp::static_boost_serialization)
        topomp_add_static_boost(boost_serialization)
        string(APPEND topomp_pc_boost_libraries " ${topomp_boost_mpi_dir}/libboost_serialization.a")
    else()
        set(topomp_serialization Boost::serialization)
        string(APPEND topomp_pc_boost_libraries " -L$<TARGET_FILE_DIR:Boost::serialization> -lboost_serialization")
    endif()
    set(topomp_boost_libraries topomp::static_boost_mpi)
    topomp_add_static_boost(boost_mpi ${topomp_serialization} MPI::MPI_CXX)
    topomp_check_boost_mpi(TOPOMP_OWN_BOOST_MPI_FITS ${topomp_boost_libraries})
    if(NOT TOPOMP_OWN_BOOST_MPI_FITS)
        unset(TOPOMP_OWN_BOOST_MPI_FITS CACHE)
        message(FATAL_ERROR "Boost.MPI was built for the MPI in use (${MPI_CXX_COMPILER}) but does not link with it; "
            "remove ${topomp_boost_mpi_dir} to have it built again.\n"
            "${TOPOMP_OWN_BOOST_MPI_FITS_OUTPUT}")
    endif()
endif()

add_library(topomp::boost_mpi INTERFACE IMPORTED ${topomp_scope})
target_link_libraries(topomp::boost_mpi INTERFACE ${topomp_boost_libraries} Boost::headers MPI::MPI_CXX)
