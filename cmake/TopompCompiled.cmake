# SPDX-License-Identifier: BSL-1.0
# topomp_add_compiled(NAME INCLUDES): a static library with all of topomp that is no template, for programs that link it
# instead of topomp::topomp. It is part of the project's own build, so that it fits its compiler, its MPI and its options.
# Used by topomp's own build and, installed beside topompConfig.cmake, by find_package(topomp).
include_guard(GLOBAL)

function(topomp_add_compiled name includes)
    file(GLOB sources CONFIGURE_DEPENDS "${includes}/topomp/impl/*.cpp")
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${name} PUBLIC topomp::topomp)
    target_compile_definitions(${name} PUBLIC TOPOMP_COMPILED)
    set_target_properties(${name} PROPERTIES UNITY_BUILD FALSE)
    if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE) # a program's own shared library may want it
        set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE TRUE)
    endif()
endfunction()

# topomp_add_precompiled(NAME LIBRARY): the library, with topomp.hpp precompiled once for each target that links NAME.
function(topomp_add_precompiled name library)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${library})
    target_precompile_headers(${name} INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:<topomp/topomp.hpp$<ANGLE-R>>")
endfunction()
