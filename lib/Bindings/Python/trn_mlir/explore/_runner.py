# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that answer requests: one that is quick, and one that takes its time."""

from __future__ import annotations

import pickle
import threading

from ..nki._workers import Worker

_MEMORY_MB = 4096
_SECONDS = {False: 5, True: 60}  # by whether the answer is full
_LATE = {"passed": False, "messages": [], "levels": {}, "superseded": True}


class Runner:
    """Answers one request after the other. A newer one of the same page ends an older one, whose
    answer nobody waits for any more."""

    def __init__(self, is_full: bool) -> None:
        self._limits = {"seconds": _SECONDS[is_full], "memory_mb": _MEMORY_MB}
        self._lock = threading.Lock()
        self._worker = Worker()
        self._newest: dict[str, int] = {}  # the number of the newest request, by page
        self._page: str | None = None  # whose request is being answered

    def supersede(self, request: dict) -> None:
        """Ends what an older request of the same page asked for."""
        page, number = request["client"], request["number"]
        if number > self._newest.get(page, -1):
            self._newest[page] = number
            if self._page == page:
                self._worker.end()

    def answer(self, request: dict) -> dict:
        self.supersede(request)
        page, number = request["client"], request["number"]
        with self._lock:
            self._page = page
            try:
                # The newer request may end the process when the older one has just left it.
                for _ in range(3):
                    if number < self._newest[page]:
                        return _LATE
                    if answer := self._try(request):
                        return _told(answer)
                return _told({"message": "ended the process that compiles"})
            finally:
                self._page = None

    def _try(self, request: dict) -> dict | None:
        if not self._worker.is_usable():
            self._worker = Worker()
        try:
            return self._worker.ask(("show", {}, [request], 1, self._limits))[0]
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            self._worker.close()
            return None

    def end(self) -> None:
        self._worker.close()


def _told(answer: dict) -> dict:
    """With a message for an input that its process did not survive."""
    if "messages" in answer:
        return answer
    message = {"line": 0, "column": 0, "kind": "error",
               "text": f"reading or compiling this {answer['message']}"}
    return {"passed": False, "messages": [message], "levels": {}}
