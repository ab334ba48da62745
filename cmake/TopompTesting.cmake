# SPDX-License-Identifier: BSL-1.0
# How tests are registered, and how each MPI is launched on a machine with fewer cores than ranks.

set(TOPOMP_TEST_PREFIX "" CACHE STRING "Put before the name of every test")
option(TOPOMP_EVERY_TEST "Also tests that repeat others with another MPI, compiler or number of ranks, and a few that take long" FALSE)
set(topomp_test_support "${PROJECT_SOURCE_DIR}/tests/support")

# The command up to the number of ranks, and the environment it runs in.
if("${CMAKE_CXX_COMPILER}" MATCHES "smpicxx")
    set(topomp_mpi smpi)
    find_program(TOPOMP_SMPIRUN smpirun REQUIRED)
    set(topomp_launch "${TOPOMP_SMPIRUN}" -platform "${topomp_test_support}/smpi/cluster.xml"
        -hostfile "${topomp_test_support}/smpi/hostfile" --cfg=smpi/simulate-computation:no
        --cfg=smpi/host-speed:40Gf --log=root.thresh:critical -np)
    set(topomp_launch_environment "")
else()
    execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE mpiexec_version ERROR_VARIABLE mpiexec_version)
    if(mpiexec_version MATCHES "Open MPI|OpenRTE|prterun")
        set(topomp_mpi openmpi)
        # Root and more ranks than cores are both normal on a test machine; ranks that wait must let others run.
        # Single-copy transfers need a permission that containers lack, and warn about it.
        set(topomp_launch "${MPIEXEC_EXECUTABLE}" --allow-run-as-root --oversubscribe --bind-to none
            --mca mpi_yield_when_idle 1 --mca btl_vader_single_copy_mechanism none -n)
        # All ranks are on this machine. Otherwise each of them loads libraries for fast networks, of which libpsm2 and libinfinipath
        # alone sleep for 0.2 s. A rank that ends with an error is a test's intention, too: the others need no second to end themselves.
        # Each rank has hwloc look for devices, of which no test knows: a sixth of the processor time that it takes to start 8 ranks.
        set(topomp_launch_environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HWLOC_COMPONENTS=-linuxio
            OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_odls_base_sigkill_timeout=0)
    else()
        set(topomp_mpi mpich)
        set(topomp_launch "${MPIEXEC_EXECUTABLE}" -n)
        if(NOT TARGET topomp_mpich_yield)
            add_library(topomp_mpich_yield SHARED "${topomp_test_support}/mpich_yield.cpp")
            target_compile_features(topomp_mpich_yield PRIVATE cxx_std_20)
            target_link_libraries(topomp_mpich_yield PRIVATE ${CMAKE_DL_LIBS})
            set_target_properties(topomp_mpich_yield PROPERTIES
                LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
        endif()
        set(topomp_launch_environment "LD_PRELOAD=${PROJECT_BINARY_DIR}/tests/libtopomp_mpich_yield.so")
    endif()
endif()
# Which of the four builds of scripts/test this is. A test belongs to one of them, or to several that see different faults;
# with TOPOMP_EVERY_TEST also to those that repeat it.
set(topomp_build ${topomp_mpi})
if(TOPOMP_SANITIZE)
    set(topomp_build sanitizers)
endif()
# The numbers of ranks of the MPI tests.
set(topomp_usual_ranks_openmpi 1 2 3 4 8)
set(topomp_usual_ranks_mpich 4)
set(topomp_usual_ranks_sanitizers 3 7)
set(topomp_usual_ranks_smpi 24)
if(TOPOMP_EVERY_TEST)
    set(topomp_usual_ranks_openmpi 1 2 3 4 7 8)
    set(topomp_usual_ranks_mpich 1 4 7)
    set(topomp_usual_ranks_sanitizers 1 4 7)
    set(topomp_usual_ranks_smpi 4 8 40)
endif()
set(TOPOMP_MPI_TEST_RANKS "" CACHE STRING "Numbers of ranks that every MPI test runs at, in place of the usual ones")
set(topomp_test_ranks ${topomp_usual_ranks_${topomp_build}})
if(TOPOMP_MPI_TEST_RANKS)
    set(topomp_test_ranks ${TOPOMP_MPI_TEST_RANKS})
endif()
if(TOPOMP_SANITIZE)
    list(APPEND topomp_launch_environment
        "ASAN_OPTIONS=detect_leaks=1"
        "LSAN_OPTIONS=suppressions=${topomp_test_support}/lsan.supp:print_suppressions=0"
        "UBSAN_OPTIONS=print_stacktrace=1")
endif()

# topomp_tests_of(RESULT BUILD... [REPEATED BUILD...]): whether tests belong to this build. Those of the builds behind REPEATED see what
# others have seen, and are there with TOPOMP_EVERY_TEST.
function(topomp_tests_of result)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "REPEATED")
    set(${result} FALSE PARENT_SCOPE)
    if(topomp_build IN_LIST arg_UNPARSED_ARGUMENTS OR (TOPOMP_EVERY_TEST AND topomp_build IN_LIST arg_REPEATED))
        set(${result} TRUE PARENT_SCOPE)
    endif()
endfunction()

# topomp_add_test(NAME [SEVERAL_RANKS] [LABELS ...] [TIMEOUT seconds] COMMAND ...): a test.
# SEVERAL_RANKS: it is a full machine, for ranks that wait spin. SimGrid's are one process.
function(topomp_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SEVERAL_RANKS" "TIMEOUT" "LABELS;COMMAND")
    add_test(NAME "${TOPOMP_TEST_PREFIX}${name}" COMMAND ${arg_COMMAND})
    if(arg_SEVERAL_RANKS AND NOT topomp_mpi STREQUAL "smpi")
        set_tests_properties("${TOPOMP_TEST_PREFIX}${name}" PROPERTIES PROCESSORS 2)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 60)
    endif()
    if(TOPOMP_SANITIZE) # which makes everything several times slower
        math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")
    endif()
    set_tests_properties("${TOPOMP_TEST_PREFIX}${name}" PROPERTIES TIMEOUT ${arg_TIMEOUT}
        LABELS "${arg_LABELS}" ENVIRONMENT "${topomp_launch_environment}")
endfunction()

# topomp_add_mpi_test(NAME RANKS n [LABELS ...] [TIMEOUT seconds] COMMAND ...): COMMAND on n ranks.
function(topomp_add_mpi_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "RANKS;TIMEOUT" "LABELS;COMMAND")
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    set(several_ranks "")
    if(arg_RANKS GREATER 1)
        set(several_ranks SEVERAL_RANKS)
    endif()
    topomp_add_test(${name} ${several_ranks} TIMEOUT ${arg_TIMEOUT} LABELS mpi ${arg_LABELS}
        COMMAND ${topomp_launch} ${arg_RANKS} ${arg_COMMAND})
endfunction()

# topomp_add_output_test(NAME RANKS n EXPECTED file COMMAND ...): COMMAND on n ranks; its output must be as in the
# file (examples/CMakeLists.txt says how they are compared), or may be anything if there is no such file.
function(topomp_add_output_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "RANKS;EXPECTED" "COMMAND")
    topomp_add_test(${name} SEVERAL_RANKS TIMEOUT 120 LABELS mpi example quick COMMAND "${CMAKE_COMMAND}"
        "-DEXPECTED=${arg_EXPECTED}" -P "${topomp_test_support}/compare_output.cmake"
        -- ${topomp_launch} ${arg_RANKS} ${arg_COMMAND})
endfunction()
