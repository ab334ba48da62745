#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""recipes.py ROOT WORK MPI_COMPILER CXX: the recipes of packaging/ do what they should.

Each is loaded with stand-ins for Spack, Conan and EasyBuild, and the CMake commands that it asks for are run: what they install must
have the headers, the CMake package and the pkg-config file.
"""
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import types
from pathlib import Path

root, work, mpi_compiler, compiler = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
packaging = root / "packaging"


def install(name: str, options: list[str]) -> None:
    build, prefix = work / name, work / f"{name}-prefix"
    for command in (
        ["cmake", "-S", root, "-B", build, f"-DCMAKE_CXX_COMPILER={compiler}", f"-DMPI_CXX_COMPILER={mpi_compiler}", *options],
        ["cmake", "--install", build, "--prefix", prefix],
    ):
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{name}: {shlex.join(map(str, command))} failed:\n{done.stdout}")
    cache = (build / "CMakeCache.txt").read_text()
    for part in ("TOOLS", "TESTS", "EXAMPLES", "BENCHMARKS"):
        if f"TOPOMP_BUILD_{part}:BOOL=OFF" not in cache.replace("=False", "=OFF").replace("UNINITIALIZED", "BOOL"):
            sys.exit(f"{name}: TOPOMP_BUILD_{part} is not off")
    for file in ("include/topomp/topomp.hpp", "lib/cmake/topomp/topompConfig.cmake", "lib/pkgconfig/topomp.pc"):
        if not (prefix / file).is_file():
            sys.exit(f"{name}: no {file} below its prefix")
    print(f"{name}: installed with {' '.join(options)}")


def module(name: str, **contents) -> None:
    made = types.ModuleType(name)
    vars(made).update(contents)
    sys.modules[name] = made


def spack() -> list[str]:
    class CMakePackage:
        stage = types.SimpleNamespace(path=str(work), source_path=str(root))
        values = {"tools": False, "scotch": True}

        def define(self, name, value):
            return f"-D{name}={('ON' if value else 'OFF') if isinstance(value, bool) else value}"

        def define_from_variant(self, name, variant):
            return self.define(name, self.values[variant])

        spec = type("spec", (), {"satisfies": lambda self, what: False,
                                 "__getitem__": lambda self, name: types.SimpleNamespace(mpicxx=mpi_compiler)})()

    nothing = {name: lambda *arguments, **named: None for name in ("version", "variant", "depends_on", "license")}
    module("spack")
    module("spack.package", CMakePackage=CMakePackage, join_path=lambda *parts: str(Path(*parts)), **nothing)
    sys.modules["spack.package"].__all__ = ["CMakePackage", "join_path", *nothing]
    return runpy.run_path(str(packaging / "spack/package.py"))["Topomp"]().cmake_args()


def conan() -> list[str]:
    variables: dict[str, object] = {}
    steps: list[str] = []
    toolchain = type("CMakeToolchain", (), {"__init__": lambda self, conanfile: None, "cache_variables": variables,
                                            "generate": lambda self: steps.append("toolchain")})
    deps = type("CMakeDeps", (), {"__init__": lambda self, conanfile: None, "generate": lambda self: steps.append("deps")})
    cmake = type("CMake", (), {"__init__": lambda self, conanfile: None, "configure": lambda self: steps.append("configure"),
                               "install": lambda self: steps.append("install")})
    copied: list[Path] = []
    module("conan", ConanFile=type("ConanFile", (), {"build_folder": str(work), "export_sources_folder": str(work / "sources")}))
    module("conan.tools")
    module("conan.tools.build", check_min_cppstd=lambda conanfile, standard: None)
    module("conan.tools.cmake", CMake=cmake, CMakeDeps=deps, CMakeToolchain=toolchain, cmake_layout=lambda conanfile: None)
    module("conan.tools.files", copy=lambda conanfile, pattern, source, target: copied.extend(Path(source).glob(pattern)))
    recipe = runpy.run_path(str(packaging / "conan/conanfile.py"))["Topomp"]()
    for step in ("export_sources", "generate", "build", "package"):
        getattr(recipe, step)()
    if steps != ["toolchain", "deps", "configure", "install"] or not {root / "CMakeLists.txt", root / "LICENSE"} <= set(copied):
        sys.exit(f"conan: its steps were {steps}, its sources {copied}")
    return [f"-D{name}={value}" for name, value in variables.items()]


def easybuild() -> list[str]:
    (file,) = (packaging / "easybuild").glob("*.eb")
    recipe = {}
    exec(compile(file.read_text(), str(file), "exec"), recipe)  # which is Python
    return shlex.split(recipe["configopts"] % {"builddir": str(work)})


def container() -> None:
    """Debian has the packages that it installs, for scripts/setup installs the same; no image is built, which takes a network."""
    text = (packaging / "Containerfile").read_text().replace("\\\n", " ")
    known = set((root / "scripts/setup").read_text().split())
    installed = [word for words in re.findall(r"apt-get install -y --no-install-recommends ([^&\n]*)", text) for word in words.split()]
    unknown = [word for word in installed if word not in known and not word.startswith("/packages/")]
    if unknown or len(installed) < 20:
        sys.exit(f"Containerfile: scripts/setup does not install: {' '.join(unknown)}")
    if "RUN /topomp/scripts/package --mpi openmpi /packages\n" not in text:
        sys.exit("Containerfile: it makes no packages")


def main() -> None:
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for recipe in (spack, conan, easybuild):
        install(recipe.__name__, recipe())
    container()
    if shutil.which("tclsh"):
        words = "".join(f"proc {word} args {{ puts [list {word} $args] }}\n" for word in ("prepend-path", "module-whatis", "conflict"))
        done = subprocess.run(["tclsh"], input=f"{words}source {packaging / 'module/topomp'}\n", text=True, capture_output=True, check=True)
        if "CMAKE_PREFIX_PATH" not in done.stdout or done.stderr:
            sys.exit(f"module: {done.stdout}{done.stderr}")


main()
