# SPDX-License-Identifier: BSL-1.0
# Spack: put this folder into a repository of your own as packages/topomp, then `spack install topomp ^openmpi`.
from spack.package import *


class Topomp(CMakePackage):
    """Topology-aware MPI for C++20: the hardware as communicators, collectives, shared memory and grids."""

    homepage = "https://example.org/topomp"
    url = "https://example.org/topomp/archive/v0.1.0.tar.gz"
    git = "https://example.org/topomp.git"

    license("BSL-1.0")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("tools", default=False, description="The command topomp and the preload library")
    variant("boost_source", default="none", values=lambda value: True, description="Folder with Boost's sources, which +tools needs; "
            "`spack stage boost` makes one")
    variant("scotch", default=True, description="Map graphs with Scotch too")

    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("pkgconfig", type=("build", "run"))
    depends_on("mpi")
    depends_on("hwloc@2.5:")
    # Built for the MPI in use. The preload library has one of its own, compiled from Boost's sources.
    depends_on("boost@1.74: +mpi +serialization")
    depends_on("scotch ~mpi", when="+scotch")
    depends_on("cli11", type="build", when="+tools")
    depends_on("nlohmann-json", type="build", when="+tools")
    depends_on("binutils", type="build", when="+tools")

    def cmake_args(self):
        args = [
            self.define_from_variant("TOPOMP_BUILD_TOOLS", "tools"),
            self.define_from_variant("TOPOMP_SCOTCH", "scotch"),
            self.define("TOPOMP_BUILD_TESTS", False),
            self.define("TOPOMP_BUILD_EXAMPLES", False),
            self.define("TOPOMP_BUILD_BENCHMARKS", False),
            self.define("TOPOMP_CACHE", join_path(self.stage.path, "topomp_cache")),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
        ]
        if self.spec.satisfies("+tools"):
            args.append(self.define("TOPOMP_BOOST_SOURCE", self.spec.variants["boost_source"].value))
        return args
