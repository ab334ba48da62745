# SPDX-License-Identifier: BSL-1.0
# Where in TOPOMP_BOOST_SOURCE the sources are.
include_guard()

# Sets RESULT to the folder in TOPOMP_BOOST_SOURCE that holds mpi/src and serialization/src, for all ways to unpack Boost; to nothing
# if the variable is empty.
function(topomp_sources_of_boost result)
    set(${result} "" PARENT_SCOPE)
    if(NOT TOPOMP_BOOST_SOURCE)
        return()
    endif()
    foreach(folder IN ITEMS "${TOPOMP_BOOST_SOURCE}/libs" "${TOPOMP_BOOST_SOURCE}")
        if(EXISTS "${folder}/mpi/src/communicator.cpp" AND EXISTS "${folder}/serialization/src/basic_archive.cpp")
            set(${result} "${folder}" PARENT_SCOPE)
            set(header "${TOPOMP_BOOST_SOURCE}/boost/version.hpp")
            if(EXISTS "${header}")
                file(STRINGS "${header}" number REGEX "^#define BOOST_VERSION [0-9]+")
                string(REGEX REPLACE "[^0-9]" "" number "${number}")
                math(EXPR wanted "${Boost_VERSION_MAJOR} * 1000 + ${Boost_VERSION_MINOR}")
                math(EXPR number "${number} / 100")
                if(NOT number EQUAL wanted)
                    message(FATAL_ERROR "TOPOMP_BOOST_SOURCE=${TOPOMP_BOOST_SOURCE} has another version of Boost than the headers "
                        "in use, ${Boost_VERSION}")
                endif()
            endif()
            return()
        endif()
    endforeach()
    message(FATAL_ERROR "TOPOMP_BOOST_SOURCE=${TOPOMP_BOOST_SOURCE} has neither libs/mpi/src and libs/serialization/src nor mpi/src "
        "and serialization/src")
endfunction()
