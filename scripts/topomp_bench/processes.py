# SPDX-License-Identifier: BSL-1.0
"""Programs within limits of time, and several jobs at a time within a limit of memory."""
import dataclasses
import os
import queue
import signal
import subprocess
import threading
import time
import typing

# Memory that is given back to the system at once costs more than half of a simulation's time.
KEEP_MEMORY = {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=8589934592"}

_starting = threading.Lock()
_is_stopping = False


@dataclasses.dataclass
class Ended:
    code: int  # as a shell has it: 124 where the time was over, 128 and the signal's number
    user_seconds: float
    system_seconds: float
    peak_mib: float


def children_of(process):
    """Children, and theirs, whatever group they are in: launchers make groups of their own."""
    found = []
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as file:
                for child in map(int, file.read().split()):
                    found += [*children_of(child), child]
    except OSError:  # it has ended
        pass
    return found


def stop(processes, patience=5.0):
    """Ends processes; those that do not follow are killed."""
    def send(number):
        for process in processes:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def is_there(process):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
                return file.read().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False

    send(signal.SIGTERM)
    end = time.monotonic() + patience
    while any(map(is_there, processes)):
        if time.monotonic() > end:
            send(signal.SIGKILL)
            return
        time.sleep(0.05)


def stop_all():
    """Ends everything that this process has started, and lets it start nothing more."""
    global _is_stopping
    with _starting:
        _is_stopping = True
    stop(children_of(os.getpid()))


def run(command, *, log=None, cpu_seconds=None, wall_seconds=None, environment=None, folder=None, output=None):
    """Runs a program to its end, with no input; gives its code and what it used.

    log: an open file for what it says, None: as this process's. output: an open file for stdout alone.
    cpu_seconds: of each process of it, so that a busy machine changes nothing.
    """
    if cpu_seconds:
        command = ["prlimit", f"--cpu={cpu_seconds}", *command]
    with _starting:
        if _is_stopping:
            raise KeyboardInterrupt
        child = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output or log, stderr=log,
                                 cwd=folder, env={**os.environ, **(environment or {})})
    is_late = threading.Event()

    def end_it():
        is_late.set()
        stop([*children_of(child.pid), child.pid])

    timer = threading.Timer(wall_seconds or 0, end_it)
    timer.daemon = True
    if wall_seconds:
        timer.start()
    _, status, used = os.wait4(child.pid, 0)
    timer.cancel()
    if is_late.is_set():
        timer.join()  # until its children have ended too
    code = os.waitstatus_to_exitcode(status)
    child.returncode = code  # for Popen, which has not waited itself
    code = 124 if is_late.is_set() else 128 - code if code < 0 else code
    return Ended(code, used.ru_utime, used.ru_stime, used.ru_maxrss / 1024)


@dataclasses.dataclass
class Job:
    run: typing.Callable[[], None]
    name: str = ""
    memory: int = 0  # bytes
    weight: int = 1  # about how long it takes, in no unit
    most_beside: typing.Optional[int] = None  # it starts beside no more jobs than that


def run_jobs(jobs, at_once, most_memory=None, has_ended=None):
    """Runs jobs, so many at a time: always the first that fits into memory beside those that run.

    has_ended(job): is called as soon as one has ended. A job that raises ends itself only; its exception is raised
    once all have ended.
    """
    waiting, running, ended, problems = list(jobs), [], queue.Queue(), []

    def work(job):
        try:
            job.run()
        except BaseException as problem:  # the thread that waits raises it
            problems.append(problem)
        ended.put(job)

    def fits(job):
        if running and most_memory is not None and sum(each.memory for each in running) + job.memory > most_memory:
            return False
        return job.most_beside is None or len(running) <= job.most_beside

    while waiting or running:
        next_one = next(filter(fits, waiting), None) if len(running) < at_once else None
        if next_one is not None:
            waiting = [job for job in waiting if job is not next_one]
            running.append(next_one)
            threading.Thread(target=work, args=[next_one], daemon=True).start()
            continue
        try:
            # Python sees a signal that comes just before it waits only when it has waited.
            job = ended.get(timeout=1)
        except queue.Empty:
            continue
        running = [each for each in running if each is not job]
        if has_ended:
            has_ended(job)
    if problems:
        raise problems[0]


class Progress:
    """Says how much is done, and about how long the rest takes."""

    def __init__(self, say, number, weight, unit=""):
        self._say, self._number, self._weight, self._unit = say, number, weight, unit
        self._ended = self._ended_weight = 0
        self._begin = time.monotonic()

    def add(self, number, weight):
        self._ended += number
        self._ended_weight += weight

    def tell(self, name):
        used = int(time.monotonic() - self._begin)
        left = used * (self._weight - self._ended_weight) // max(1, self._ended_weight)
        self._say(f"{self._ended} of {self._number}{self._unit}: {name}, {used} s so far, about {left} s to go")
