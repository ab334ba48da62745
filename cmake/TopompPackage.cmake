# SPDX-License-Identifier: BSL-1.0
# What `cpack -G DEB` or `cpack -G RPM` in a build tree makes (scripts/package makes it for each MPI):
#   topomp-dev   the headers, the CMake package, the pkg-config file; man pages and completions
#   topomp-MPI   for one MPI: the command as topomp.MPI, the preload library, and topomp::compiled as a library
include(TopompMpiName)
topomp_name_mpi(package_mpi)
set(for_packages COMPONENT mpi EXCLUDE_FROM_ALL)
set(has_mpi_package ${TOPOMP_BUILD_TOOLS})
if(own_boost) # of TopompInstall.cmake
    set(has_mpi_package TRUE)
    install(FILES ${own_boost} DESTINATION "${own_boost_dir}" ${for_packages})
endif()
if(TOPOMP_BUILD_TOOLS)
    # A folder for each MPI with the folders of a prefix in it, so that the command finds its library in the same way.
    set(mpi_dir "${CMAKE_INSTALL_LIBDIR}/topomp/${package_mpi}")
    set(packaged topomp_command topomp_compiled)
    if(NOT TOPOMP_SANITIZE)
        list(APPEND packaged topomp_preload)
    endif()
    install(TARGETS ${packaged} RUNTIME DESTINATION "${mpi_dir}/${CMAKE_INSTALL_BINDIR}" ${for_packages}
        LIBRARY DESTINATION "${mpi_dir}/${CMAKE_INSTALL_LIBDIR}" ${for_packages}
        ARCHIVE DESTINATION "${mpi_dir}/${CMAKE_INSTALL_LIBDIR}" ${for_packages})
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_FULL_BINDIR}" OUTPUT_VARIABLE to_library)
    install(CODE "
        set(bin \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
        file(MAKE_DIRECTORY \"\${bin}\")
        file(CREATE_LINK \"${to_library}/topomp/${package_mpi}/${CMAKE_INSTALL_BINDIR}/topomp\" \"\${bin}/topomp.${package_mpi}\"
            SYMBOLIC)" ${for_packages})
    install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/topomp-${package_mpi}" ${for_packages})
endif()

set(CPACK_PACKAGE_NAME topomp)
set(CPACK_PACKAGE_VENDOR "The topomp developers")
set(CPACK_PACKAGE_CONTACT "The topomp developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL dev)
if(has_mpi_package)
    list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL TRUE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME topomp-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "cmake, pkg-config, libhwloc-dev (>= 2.5), libboost-mpi-dev (>= 1.74), libboost-serialization-dev (>= 1.74)")
set(CPACK_DEBIAN_DEV_DESCRIPTION "Topology-aware MPI for C++20: headers")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME topomp-${package_mpi})
set(CPACK_DEBIAN_MPI_DESCRIPTION "Topology-aware MPI for C++20: the command, the preload library and the compiled library for ${package_mpi}")
find_program(TOPOMP_SHLIBDEPS dpkg-shlibdeps)
find_program(TOPOMP_FILE file) # CPack asks it which files are programs
mark_as_advanced(TOPOMP_SHLIBDEPS TOPOMP_FILE)
if(TOPOMP_SHLIBDEPS AND TOPOMP_FILE)
    set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS TRUE)
endif()

set(CPACK_RPM_COMPONENT_INSTALL TRUE)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE BSL-1.0)
set(CPACK_RPM_DEV_PACKAGE_NAME topomp-devel)
set(CPACK_RPM_DEV_PACKAGE_ARCHITECTURE noarch)
set(CPACK_RPM_MPI_PACKAGE_NAME topomp-${package_mpi})
include(CPack)
