# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel calls its tiles: the variable that a call's result is assigned to."""

from __future__ import annotations

import dis
import types

from ._errors import kernel_frame, once_for_code
from ._tensor import Buffer, View

# Between a call and where its result goes.
_SKIPPED = {"CACHE", "COPY", "EXTENDED_ARG", "NOP", "RESUME"}
_RETURNED = "return"
_STORES = {"STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"}


@once_for_code
class _Code:
    """What Python would copy whenever it is asked for, and what is known of it."""

    def __init__(self, code: types.CodeType) -> None:
        self.instructions, self.names = code.co_code, code.co_names
        # Cells that are no arguments come behind the variables.
        variables = dict.fromkeys((*code.co_varnames, *code.co_cellvars))
        self.variables = [*variables, *code.co_freevars]
        self.takers: dict[int, str] = {}

    def taker(self, at: int) -> str:
        """The variable that takes the result of the instruction at an offset; _RETURNED if it is
        returned, "" if neither."""
        if at not in self.takers:
            self.takers[at] = self._find_taker(at + 2)
        return self.takers[at]

    def _find_taker(self, at: int) -> str:
        number = 0
        for here in range(at, len(self.instructions), 2):
            name = dis.opname[self.instructions[here]]
            number = number << 8 | self.instructions[here + 1]
            if name in _STORES:
                is_variable = name in ("STORE_FAST", "STORE_DEREF")
                return (self.variables if is_variable else self.names)[number]
            if name not in _SKIPPED:
                return _RETURNED if name == "RETURN_VALUE" else ""
            number = number if name == "EXTENDED_ARG" else 0
        return ""


def assigned_name(frame: types.FrameType | None) -> str:
    """The variable that takes the result of the call that `frame` is in, or of the one that
    returns it; "" if none does."""
    name = _RETURNED
    while frame and name == _RETURNED:
        name = _Code(frame.f_code).taker(frame.f_lasti)
        frame = frame.f_back
    return name if name != _RETURNED else ""


def name_result(result: object) -> None:
    """Calls the buffer of a result as the kernel does, unless it has a name."""
    if result is None:
        return
    for view in getattr(result, "tiles", (result,)):
        if isinstance(view, View) and not view.buffer.name:
            view.buffer.name = assigned_name(kernel_frame())


def name_collected(frame: types.FrameType) -> None:
    """The same for tiles in lists and dictionaries of a function."""
    for name, value in frame.f_locals.items():
        values = value.values() if isinstance(value, dict) else value
        if not isinstance(value, (list, tuple, dict)):
            continue
        for one in values:
            buffer = getattr(one, "buffer", None)
            if isinstance(buffer, Buffer) and not buffer.name:
                buffer.name = name
