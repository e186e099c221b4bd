# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong with a kernel, and where.

Rules of the reader, before the rules of the dialect:
- `nki_r1`: an index stays inside of its tensor in every iteration
- `nki_r2`: what a call asks for is computed here
- `nki_r3`: tensors stand where tensors are needed, and shapes go together
- `nki_r4`: a tile's partition is its first dimension, which is not reduced, split or mixed with
  others
- `nki_r5`: a mask holds on a box of its tile
- `nki_r6`: elements are float32, bfloat16 or float16, or integers that float32 holds
- `nki_r7`: a product with `is_transpose` is one with an identity matrix
- `nki_r8`: the Python of a kernel raises nothing
- `nki_r9`: a kernel has at most 2,000,000 instructions; those of a loop count once
- `nki_r10`: results have the shapes and the values that are expected
- `nki_r11`: a candidate stays within its limits of time and memory, ends by itself, and
  tells its program alone
- `nki_r12`: a call has the arguments that its version of NKI takes
- `nki_r13`: NKI is called inside of a kernel that is read
- `nki_r14`: a kernel returns tensors in HBM, or writes some that it is given
- `nki_r15`: an address is (partition, byte): partition 0, and a byte that is not negative
"""

from __future__ import annotations

import sys
import types

from .._library import TrnError


def kernel_frame() -> types.FrameType | None:
    """The innermost function that is not ours: the kernel, or what it calls."""
    frame = sys._getframe(1)
    while frame and frame.f_globals.get("__name__", "").startswith(__package__):
        frame = frame.f_back
    return frame


def kernel_line() -> tuple[str, int]:
    """The line of the kernel that is being executed."""
    frame = kernel_frame()
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


class NkiError(TrnError):
    """A kernel that breaks a rule, or uses what is not supported. `rule` is its label in
    docs/Rules.md; `file` and `line` are those of the call."""
    __module__ = "trn_mlir.nki"

    def __init__(self, rule: str, message: str, place: tuple[str, int] | None = None) -> None:
        self.rule, self.message = rule, message
        self.file, self.line = place or kernel_line()
        super().__init__("%s:%d: error: %s [%s]" % (self.file, self.line, message, rule))
