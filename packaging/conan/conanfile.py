# SPDX-License-Identifier: BSL-1.0
# Conan 2: `conan create packaging/conan`, from the root of the repository. The MPI is the system's; so are hwloc and Boost.MPI,
# which have to be made for it.
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

ROOT = Path(__file__).resolve().parents[2]


class Topomp(ConanFile):
    name = "topomp"
    version = "0.1.0"
    license = "BSL-1.0"
    description = "Topology-aware MPI for C++20: the hardware as communicators, collectives, shared memory and grids"
    topics = ("mpi", "hpc", "topology", "header-only")
    package_type = "header-library"
    settings = "os", "compiler", "build_type", "arch"
    no_copy_source = True

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "include/*", "cmake/*"):
            copy(self, pattern, ROOT, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TOOLS", "TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"TOPOMP_BUILD_{part}"] = False
        toolchain.cache_variables["TOPOMP_CACHE"] = str(Path(self.build_folder, "topomp_cache"))
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()

    def package_id(self):
        self.info.clear()

    def package_info(self):
        # The CMake package that topomp installs finds MPI, hwloc and Boost.MPI itself.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/topomp"]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
