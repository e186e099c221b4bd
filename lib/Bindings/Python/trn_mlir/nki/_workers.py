# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The processes that read and run candidates, as the caller sees them. They stay for later."""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading

from ._judge import failed


class Worker:
    """A process that forks for each candidate: see _worker.py."""

    def __init__(self) -> None:
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        self.pid = os.getpid()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "trn_mlir.nki._worker"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path})
        atexit.register(self.end)

    def is_usable(self) -> bool:
        """A fork of the caller has no worker of its own yet."""
        return self.pid == os.getpid() and self.process.poll() is None

    def end(self) -> None:
        if self.pid == os.getpid():
            self.process.kill()

    def close(self) -> None:
        """Ends it for good."""
        self.end()
        atexit.unregister(self.end)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def ask(self, request: tuple) -> list[dict]:
        pickle.dump(request, self.process.stdin, protocol=5)
        self.process.stdin.flush()
        return pickle.load(self.process.stdout)


_lock = threading.Lock()
_workers: dict[str, Worker] = {}


def ask(task: str, common: dict, candidates: list, jobs: int, limits: dict) -> list[dict]:
    """What becomes of each candidate. One that ends the worker itself is told from the others."""
    with _lock:
        answers = _try(task, common, candidates, jobs, limits)
        if answers is not None:
            return answers
        answers = []
        for candidate in candidates:
            answer = _try(task, common, [candidate], 1, limits)
            answers += answer if answer is not None else [
                failed("nki_r11", "ended the process that evaluates kernels")]
        return answers


def _try(task: str, common: dict, candidates: list, jobs: int, limits: dict) -> list[dict] | None:
    if task not in _workers or not _workers[task].is_usable():
        _workers[task] = Worker()
    worker = _workers[task]
    try:
        return worker.ask((task, common, candidates, jobs, limits))
    except (EOFError, BrokenPipeError, pickle.UnpicklingError):
        del _workers[task]
        return None
    except BaseException:  # such as Ctrl-C: its answer would be taken for the next one's
        del _workers[task]
        raise
    finally:
        if task not in _workers:
            worker.close()
