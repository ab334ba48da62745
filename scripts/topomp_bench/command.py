# SPDX-License-Identifier: BSL-1.0
"""What every script does around its measurements: one line for what is wrong, builds, notes on where samples come from."""
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from . import processes

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLATFORMS = ROOT / "benchmarks/platforms"


class Refused(Exception):
    """What was asked for, or what a file holds, is wrong: one line, exit code 2."""


class Failed(Exception):
    """A build or a measurement failed: one line, exit code 1."""


_name = "topomp_bench"
_started = time.monotonic()


def say(text):
    """Progress, on stderr."""
    print(f"{_name}: {text}", file=sys.stderr, flush=True)


def seconds():
    """Whole seconds since the script was started."""
    return int(time.monotonic() - _started)


def run(name, main):
    """Runs a script: main(arguments) gives its exit code, or None. However it ends, no process of its own stays behind."""
    global _name
    _name = name
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    code = 1
    try:
        code = main(sys.argv[1:]) or 0
        sys.stdout.flush()
    except (Refused, Failed) as problem:
        say(" ".join(str(problem).split("\n")))
        code = 2 if isinstance(problem, Refused) else 1
    except OSError as problem:
        say(problem)
    except KeyboardInterrupt:
        code = 130
    except SystemExit as end:
        code = end.code
    finally:
        processes.stop_all()
        sys.stderr.flush()
        if code in (130, 143):  # threads take their scratch folders away, and do not start anything more
            end = time.monotonic() + 10
            for thread in threading.enumerate():
                if thread is not threading.current_thread():
                    thread.join(max(0, end - time.monotonic()))
            os._exit(code)
    sys.exit(code)


def from_here(path):
    """A path as the caller means it, absolute."""
    return pathlib.Path(os.path.abspath(path))


def folder_of(variable, default):
    """A folder that a variable of the environment names."""
    return from_here(os.environ.get(variable) or default)


def builds_folder():
    return folder_of("TOPOMP_BUILD_ROOT", ROOT / "build")


def help_if_asked(arguments):
    if arguments in (["-h"], ["--help"]):
        print(sys.modules["__main__"].__doc__.strip())
        sys.exit(0)


def only_flags(arguments, known, usage):
    """The one flag that was given, or None; every other command line is refused."""
    help_if_asked(arguments)
    if not arguments:
        return None
    if len(arguments) == 1 and arguments[0] in known:
        return arguments[0]
    raise Refused(f"usage: {usage}")


def setup(*arguments):
    code = subprocess.run([ROOT / "scripts/setup", *arguments], stdout=sys.stderr, check=False).returncode
    if code != 0:
        raise Failed(f"scripts/setup failed with code {code}")


def build(preset, targets, log, folder=None, options=()):
    """Builds targets by a preset, in a folder of that name; quiet unless it fails. Gives the build folder."""
    say(f"building {preset}")
    where = builds_folder() / (folder or preset)
    log = pathlib.Path(log)
    with open(log, "w", encoding="utf-8") as output:
        for command in (["cmake", "--preset", preset, "-B", where, *options],
                        ["cmake", "--build", where, "--target", *targets]):
            if processes.run(command, log=output, folder=ROOT).code != 0:
                output.flush()
                sys.stderr.write(log.read_text(encoding="utf-8", errors="replace"))
                raise Failed(f"building {preset} failed: {log}")
    return where


def mpirun_of(folder):
    """The launcher of a build's MPI."""
    for line in (folder / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("MPIEXEC_EXECUTABLE:"):
            return line.split("=", 1)[1]
    raise Failed(f"{folder}/CMakeCache.txt names no launcher of MPI")


def is_open_mpi(mpirun):
    version = subprocess.run([mpirun, "--version"], capture_output=True, text=True, check=False)
    return any(name in version.stdout + version.stderr for name in ("Open MPI", "OpenRTE", "prterun"))


OPEN_MPI_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# Options of Open MPI's launcher for more ranks than cores. Containers may not copy out of other processes' memory.
OPEN_MPI_OVERSUBSCRIBED = ["--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
                           "--mca", "btl_vader_single_copy_mechanism", "none"]


def cpus():
    return len(os.sched_getaffinity(0))


def stamp():
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())


def commit():
    """The commit, and whether what is measured was changed since."""
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)

    head = git("rev-parse", "--short", "HEAD")
    if head.returncode != 0:
        return "unknown"
    changes = git("status", "--porcelain", "--untracked-files=no", "--", "include", "benchmarks").stdout
    return head.stdout.strip() + ("+changes" if changes else "")


def processor():
    """The processor's name, without spaces, at which smpirun cuts."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(": ", 1)[-1].strip().replace(" ", "_")
    return ""


def notes(**pairs):
    """Options of a benchmark that add these pairs to each of its samples."""
    return [word for key, value in pairs.items() for word in ("--note", f"{key}={value}")]
