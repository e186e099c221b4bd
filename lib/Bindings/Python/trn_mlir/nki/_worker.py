# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process behind `evaluate`: reads requests, forks for each, and writes what becomes of them.

`python3 -m trn_mlir.nki._worker` speaks pickles on its standard streams.
"""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import sys
import time

from ._evaluate import failed, judge

# A child that sleeps costs no CPU time: it may also take this many times `seconds` of waiting.
PATIENCE = 4


class Child:
    """A fork that judges one request."""

    def __init__(self, number: int, request: dict) -> None:
        self.number, self.request = number, request
        self.read, write = os.pipe()
        self.ends_at = time.monotonic() + PATIENCE * request["seconds"] + 5
        self.data = b""
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.read)
            _judge_and_exit(request, write)
        os.close(write)

    def result(self) -> dict:
        """After the pipe has ended."""
        os.close(self.read)
        _pid, status, usage = os.wait4(self.pid, 0)
        try:
            return pickle.loads(self.data)
        except Exception:  # no result: it died
            pass
        name = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else \
            "exit status %d" % os.waitstatus_to_exitcode(status)
        spent = usage.ru_utime + usage.ru_stime
        if name in ("SIGXCPU", "SIGKILL") or spent >= self.request["seconds"]:
            return failed("nki_r11", "took more than %g s" % self.request["seconds"])
        return failed("nki_r11", "ended by %s; its limit is %d MB of memory" %
                      (name, self.request["memory_mb"]))


def _judge_and_exit(request: dict, write: int) -> None:
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    seconds = max(1, int(request["seconds"]))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = request["memory_mb"] << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit + _mapped(), limit + _mapped()))
    try:
        result = judge(request)
    except MemoryError:
        result = failed("nki_r11", "takes more than %d MB of memory" % request["memory_mb"])
    except BaseException as problem:  # whatever a kernel may throw, SystemExit too
        result = failed("nki_r8", "%s: %s" % (type(problem).__name__, problem))
    with os.fdopen(write, "wb") as pipe:
        pickle.dump(result, pipe)
    os._exit(0)


def _mapped() -> int:
    with open("/proc/self/statm") as status:
        return int(status.read().split()[0]) * resource.getpagesize()


def serve(requests: list[dict], jobs: int) -> list[dict]:
    results: list[dict] = [{}] * len(requests)
    waiting = list(enumerate(requests))[::-1]
    running: dict[int, Child] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            child = Child(*waiting.pop())
            running[child.read] = child
        ready, _, _ = select.select(list(running), [], [], 0.5)
        for read in ready:
            chunk = os.read(read, 1 << 20)
            running[read].data += chunk
            if not chunk:
                child = running.pop(read)
                results[child.number] = child.result()
        for child in running.values():
            if time.monotonic() > child.ends_at:
                os.kill(child.pid, signal.SIGKILL)
    return results


def main() -> None:
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nobody else writes answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            jobs, asked = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(serve(asked, jobs), answers)
        answers.flush()


if __name__ == "__main__":
    main()
