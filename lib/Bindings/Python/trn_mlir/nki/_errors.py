# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong with a kernel, and where."""

from __future__ import annotations

import sys

from .._library import TrnError


def kernel_line() -> tuple[str, int]:
    """The line of the kernel that is being executed: the innermost one that is not ours."""
    frame = sys._getframe(1)
    while frame and frame.f_globals.get("__name__", "").startswith(__package__):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


class NkiError(TrnError):
    """A kernel that breaks a rule, or uses what is not supported. `rule` is its label in
    docs/Rules.md; `file` and `line` are those of the call."""
    __module__ = "trn_mlir.nki"

    def __init__(self, rule: str, message: str, place: tuple[str, int] | None = None) -> None:
        self.rule, self.message = rule, message
        self.file, self.line = place or kernel_line()
        super().__init__("%s:%d: error: %s [%s]" % (self.file, self.line, message, rule))
