# SPDX-License-Identifier: BSL-1.0
# What `cmake --install` lays down, in components: dev, the headers, the CMake package, the pkg-config file, man pages and completions;
# tools, the command and the preload library (tools/CMakeLists.txt); boost, a Boost.MPI made for this MPI; and what only packages hold (TopompPackage.cmake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)

# First of all: an installation that stopped at the first file that is not built would leave half a prefix.
set(not_built "topomp: nothing was installed, because nothing is built yet: run first \`cmake --build ${PROJECT_BINARY_DIR}\`, \
or configure with -DTOPOMP_BUILD_TOOLS=OFF to install the headers only")
foreach(target IN ITEMS topomp_command topomp_preload)
    install(CODE "
        set(file \"$<$<TARGET_EXISTS:${target}>:$<TARGET_FILE:${target}>>\")
        if(file AND NOT EXISTS \"\${file}\")
            message(FATAL_ERROR \"${not_built}\")
        endif()" ALL_COMPONENTS)
endforeach()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/topomp")

install(TARGETS topomp EXPORT topompTargets FILE_SET HEADERS)
install(EXPORT topompTargets NAMESPACE topomp:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/topompConfig.cmake.in topompConfig.cmake INSTALL_DESTINATION "${package_dir}"
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(topompConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/topompConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/topompConfigVersion.cmake"
    cmake/TopompDependencies.cmake cmake/TopompBoostMPI.cmake cmake/TopompBoostSource.cmake cmake/TopompCompiled.cmake
    cmake/TopompMpiName.cmake DESTINATION "${package_dir}")
install(DIRECTORY cmake/boost_mpi DESTINATION "${package_dir}")
install(FILES cmake/download_source.sh DESTINATION "${package_dir}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/topomp")

# The compiler wrapper of the MPI gives the flags of the MPI; the rest is here. The prefix follows from where the file
# lies, for --prefix, DESTDIR and who moves the folder change it after this; not so where the folders are absolute.
set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
    set(pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${pc_dir}" OUTPUT_VARIABLE to_prefix)
    set(pc_prefix "\${pcfiledir}/${to_prefix}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
# A Boost.MPI that was made for this MPI lies in the cache of who builds: users of what is installed get a copy.
if(topomp_boost_mpi_dir)
    include(TopompMpiName)
    topomp_name_mpi(install_mpi)
    set(own_boost_dir "${CMAKE_INSTALL_LIBDIR}/topomp/${install_mpi}")
    file(GLOB own_boost "${topomp_boost_mpi_dir}/*.a")
    install(FILES ${own_boost} DESTINATION "${own_boost_dir}" COMPONENT boost)
    string(REPLACE "${topomp_boost_mpi_dir}" "\${libdir}/topomp/${install_mpi}" topomp_pc_boost_libraries "${topomp_pc_boost_libraries}")
endif()
list(TRANSFORM CMAKE_DL_LIBS PREPEND " -l" OUTPUT_VARIABLE pc_dl_libraries)
configure_file(cmake/topomp.pc.in topomp.pc.in @ONLY)
file(GENERATE OUTPUT topomp.pc INPUT "${CMAKE_CURRENT_BINARY_DIR}/topomp.pc.in")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/topomp.pc" DESTINATION "${pc_dir}")
