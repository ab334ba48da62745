# SPDX-License-Identifier: BSL-1.0
# What the solvers in the folders beside this one stand on, and how they are built.
include_guard(GLOBAL)

include(TopompHeaderOnly)
topomp_find_header_only(Eigen3 Eigen3::Eigen Eigen/Core OPTIONAL SUFFIXES eigen3)
topomp_find_header_only(Random123 Random123::Random123 Random123/philox.h OPTIONAL)
if(TOPOMP_BUILD_TESTS)
    include(TopompTesting)
    topomp_find_header_only(doctest doctest::doctest doctest/doctest.h OPTIONAL)
endif()

# topomp_add_solver_programs(NAME LIBRARY...): NAME_mpi and NAME_hybrid out of mpi.cpp and hybrid.cpp in the current folder,
# and their tests, the scripts in tests/; where a library is missing, one line that they are not built.
function(topomp_add_solver_programs name)
    set(libraries ${ARGN} benchmark_support)
    foreach(library IN LISTS libraries)
        if(NOT TARGET ${library})
            message(STATUS "topomp: benchmarks/apps/${name} is not built: ${library} is missing (scripts/setup installs it)")
            return()
        endif()
    endforeach()
    foreach(variant IN ITEMS mpi hybrid)
        set(target app_${name}_${variant})
        add_executable(${target} "${variant}.cpp")
        set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}_${variant}
            RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/benchmarks/apps")
        target_link_libraries(${target} PRIVATE ${libraries})
    endforeach()
    target_link_libraries(app_${name}_hybrid PRIVATE topomp_developer)
    # Without topomp, so that none of it can be in there.
    target_link_libraries(app_${name}_mpi PRIVATE topomp_developer_options MPI::MPI_CXX)
    target_compile_features(app_${name}_mpi PRIVATE cxx_std_20)
    if(NOT TOPOMP_BUILD_TESTS)
        return()
    endif()
    foreach(test IN ITEMS numbers bad_input)
        set(several_ranks "")
        if(test STREQUAL "numbers")
            set(several_ranks SEVERAL_RANKS)
        endif()
        topomp_add_test("apps.${name}.${test}" ${several_ranks} LABELS mpi TIMEOUT 300
            COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/tests/${test}.sh" $<TARGET_FILE:app_${name}_mpi>
                $<TARGET_FILE:app_${name}_hybrid> ${topomp_launch})
    endforeach()
endfunction()

# topomp_add_solver_unit_test(NAME SOURCE LIBRARY...): a test without MPI, which SimGrid's programs cannot be.
function(topomp_add_solver_unit_test name source)
    if(NOT TOPOMP_BUILD_TESTS OR topomp_mpi STREQUAL "smpi" OR NOT TARGET app_bpmf_mpi)
        return()
    endif()
    add_executable(test_apps_${name} "${source}")
    set_target_properties(test_apps_${name} PROPERTIES OUTPUT_NAME test_${name})
    target_link_libraries(test_apps_${name} PRIVATE topomp_developer doctest::doctest ${ARGN} benchmark_support)
    topomp_add_test("apps.${name}" LABELS unit quick COMMAND test_apps_${name})
endfunction()
