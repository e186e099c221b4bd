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
- `nki_r6`: elements are float32, bfloat16, float16, float8_e4m3, float8_e4m3fn, int32 or uint32,
  or narrower integers that float32 holds
- `nki_r7`: a product with `is_transpose` is one with an identity matrix
- `nki_r8`: the Python of a kernel raises nothing
- `nki_r9`: a kernel has at most 2,000,000 instructions; those of a loop count once
- `nki_r10`: results have the shapes and the values that are expected
- `nki_r11`: a candidate stays within its limits of time and memory, ends by itself, and
  tells its program alone
- `nki_r12`: a call has the arguments that its version of NKI takes
- `nki_r13`: NKI is called inside of a kernel that is read
- `nki_r14`: a kernel returns tensors in HBM, or writes some that it is given
- `nki_r15`: an address is (partition, byte): partition 0, and a byte that is not negative; for PSUM, an allocator gives a
  bank before them
- `nki_r16`: rows of HBM are chosen by int32 or uint32 in SBUF, one for each partition
- `nki_r17`: a kernel that waits for another core is read for the two of a logical one; each names
  both or the other one, exchanges tiles in SBUF, and declares the same tensors that they share
"""

from __future__ import annotations

import bisect
import functools
import sys
import types
from collections.abc import Callable
from typing import TypeVar

from .._library import TrnError

_Found = TypeVar("_Found")
_MAX_CODES = 256


def once_for_code(find: Callable[[types.CodeType], _Found]) -> Callable[[types.CodeType], _Found]:
    """Keeps what `find` finds in the code of a function. By its identity: to hash the code of a
    kernel takes as long as the kernel is long, and is asked for in each of its calls."""
    kept: dict[int, tuple[types.CodeType, _Found]] = {}

    @functools.wraps(find, updated=())
    def found(code: types.CodeType) -> _Found:
        entry = kept.get(id(code))
        if entry is None:
            if len(kept) >= _MAX_CODES:
                kept.clear()
            entry = kept[id(code)] = code, find(code)
        return entry[1]
    return found


_ours: dict[int, dict] = {}  # the globals of our modules, by identity


def kernel_frame() -> types.FrameType | None:
    """The innermost function that is not ours: the kernel, or what it calls."""
    frame = sys._getframe(1)
    while frame:
        space = frame.f_globals
        if id(space) not in _ours:
            if not space.get("__name__", "").startswith(__package__):
                return frame
            _ours[id(space)] = space
        frame = frame.f_back
    return None


@once_for_code
def _lines(code: types.CodeType) -> tuple[list[int], list[int]]:
    """Offsets of instructions where lines begin, and these: Python itself counts lines from the
    first one on whenever it is asked for one."""
    starts = [(start, line or 0) for start, _end, line in code.co_lines()]
    return [start for start, _line in starts], [line for _start, line in starts]


def kernel_line() -> tuple[str, int]:
    """The line of the kernel that is being executed."""
    frame = kernel_frame()
    if frame is None:
        return "", 0
    starts, lines = _lines(frame.f_code)
    return frame.f_code.co_filename, lines[bisect.bisect_right(starts, frame.f_lasti) - 1]


class NkiError(TrnError):
    """A kernel that breaks a rule, or uses what is not supported. `rule` is its label in
    docs/Rules.md; `file` and `line` are those of the call."""
    __module__ = "trn_mlir.nki"

    def __init__(self, rule: str, message: str, place: tuple[str, int] | None = None) -> None:
        self.rule, self.message = rule, message
        self.file, self.line = place or kernel_line()
        super().__init__("%s:%d: error: %s [%s]" % (self.file, self.line, message, rule))
