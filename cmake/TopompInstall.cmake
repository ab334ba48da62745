# SPDX-License-Identifier: BSL-1.0
# What `cmake --install` lays down: the headers, the CMake package and the pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/topomp")

install(TARGETS topomp EXPORT topompTargets FILE_SET HEADERS)
install(EXPORT topompTargets NAMESPACE topomp:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/topompConfig.cmake.in topompConfig.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(topompConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/topompConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/topompConfigVersion.cmake"
    cmake/TopompDependencies.cmake cmake/TopompBoostMPI.cmake DESTINATION "${package_dir}")
install(DIRECTORY cmake/boost_mpi DESTINATION "${package_dir}")

# The compiler wrapper of the MPI gives the flags of the MPI; the rest is here.
configure_file(cmake/topomp.pc.in topomp.pc.in @ONLY)
file(GENERATE OUTPUT topomp.pc INPUT "${CMAKE_CURRENT_BINARY_DIR}/topomp.pc.in")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/topomp.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
