# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process behind `evaluate` and `trn_mlir.explore`: takes requests, forks for each candidate, and tells what becomes
of them.

`python3 -m trn_mlir.nki._worker` speaks pickles on its standard streams. What a child tells is
JSON, since it may be what a kernel wants to tell.
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import resource
import select
import signal
import sys
import time

from . import _kernel, _load, _rules  # noqa: F401  (so that children have them)
from ..explore._show import show
from ._judge import failed, read, run

_TASKS = {"read": read, "run": run, "show": show}
# A child that sleeps costs no CPU time: it may also take this many times `seconds` of waiting.
PATIENCE = 4
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_prctl = ctypes.CDLL(None).prctl


class Child:
    """A fork that does a task for one candidate."""

    def __init__(self, number: int, task: str, common: dict, candidate: object,
                 limits: dict) -> None:
        self.number, self.limits = number, limits
        self.ends_at = time.monotonic() + PATIENCE * limits["seconds"] + 1
        self.data = bytearray()
        self.is_late = self.is_loud = False
        self.pipe, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _do_and_exit(task, common, candidate, limits, write)
        os.close(write)
        os.set_blocking(self.pipe, False)
        self.process = os.pidfd_open(self.pid)

    def take(self) -> bool:
        """Takes what it tells; whether there may be more to come."""
        try:
            chunk = os.read(self.pipe, 1 << 20)
        except BlockingIOError:
            return False
        self.data += chunk
        if len(self.data) > self.limits["memory_mb"] << 20:
            self.is_loud = True
            self.kill()
        return bool(chunk)

    def kill(self) -> None:
        """With what it has started, unless that has gone its own way."""
        for kill, pid in ((os.killpg, self.pid), (os.kill, self.pid)):
            try:
                kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def result(self) -> dict:
        """After its end."""
        while not self.is_loud and self.take():
            pass
        os.close(self.pipe)
        os.close(self.process)
        self.kill()
        _pid, status, usage = os.wait4(self.pid, 0)
        try:
            answer = json.loads(self.data)
            if isinstance(answer, dict) and ("mlir" in answer or "passed" in answer):
                return answer
        except (ValueError, RecursionError):
            pass  # no result: it died
        return self._end(status, usage.ru_utime + usage.ru_stime)

    def _end(self, status: int, spent: float) -> dict:
        seconds, memory = self.limits["seconds"], self.limits["memory_mb"]
        name = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else \
            "exit status %d" % os.waitstatus_to_exitcode(status)
        if self.is_late:
            return failed("nki_r11", "took more than %g s without an end" % (PATIENCE * seconds))
        if name == "SIGXCPU" or spent >= seconds:
            return failed("nki_r11", "took more than %g s of CPU time" % seconds)
        return failed("nki_r11", "ended by %s before it was done; its limit is %d MB of memory" %
                      (name, memory))


def _do_and_exit(task: str, common: dict, candidate: object, limits: dict, write: int) -> None:
    try:
        _isolate(limits, write)
        try:
            answer = json.dumps(_TASKS[task](common, candidate))
        except MemoryError:
            answer = json.dumps(failed("nki_r11", "takes more than %d MB of memory" %
                                       limits["memory_mb"]))
        except BaseException as problem:  # whatever a kernel may throw, SystemExit too
            answer = json.dumps(failed("nki_r8", "%s: %s" % (type(problem).__name__, problem)))
        with os.fdopen(write, "wb") as pipe:
            pipe.write(answer.encode("utf-8", "replace"))
    finally:
        os._exit(0)


def _isolate(limits: dict, write: int) -> None:
    """A process group of its own, with no file of ours but the one for the answer, and limits."""
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # it does not outlive this process
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    os.closerange(3, write)
    os.closerange(write + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    seconds = max(1, int(limits["seconds"]))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    space = (limits["memory_mb"] << 20) + _mapped()
    resource.setrlimit(resource.RLIMIT_AS, (space, space))


def _mapped() -> int:
    with open("/proc/self/statm") as status:
        return int(status.read().split()[0]) * resource.getpagesize()


def _end_orphans(running: dict[int, Child]) -> None:
    """What candidates that are gone have left behind is our child now."""
    known = {child.pid for child in running.values()}
    with open("/proc/self/task/%d/children" % os.getpid()) as children:
        orphans = set(map(int, children.read().split())) - known
    for pid in orphans:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def serve(task: str, common: dict, candidates: list, jobs: int, limits: dict) -> list[dict]:
    results: list[dict] = [{}] * len(candidates)
    waiting = list(enumerate(candidates))[::-1]
    running: dict[int, Child] = {}  # by both of their files
    while waiting or running:
        while waiting and len(set(running.values())) < jobs:
            number, candidate = waiting.pop()
            child = Child(number, task, common, candidate, limits)
            running[child.pipe] = running[child.process] = child
        ready, _, _ = select.select(list(running), [], [], 0.5)
        for file in ready:
            child = running.get(file)
            if child and file == child.process:
                running.pop(child.pipe, None)
                del running[child.process]
                results[child.number] = child.result()
                _end_orphans(running)
            elif child and not child.take():
                del running[file]  # it has closed its side, and still runs
        for child in list(running.values()):
            if time.monotonic() > child.ends_at:
                child.is_late = True
                child.kill()
    return results


def main() -> None:
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nobody else writes answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(serve(*request), answers)
        answers.flush()


if __name__ == "__main__":
    main()
