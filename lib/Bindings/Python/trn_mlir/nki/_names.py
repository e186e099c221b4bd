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
def _stores(code: types.CodeType) -> dict[int, str]:
    """The name that each instruction's result gets if it is stored at once, and _RETURNED if it is
    returned, by the offsets of the instruction and of its caches."""
    found = {}
    name, end = "", len(code.co_code)
    for instruction in reversed(list(dis.get_instructions(code))):
        if name:
            found.update(dict.fromkeys(range(instruction.offset, end, 2), name))
        end = instruction.offset
        if instruction.opname in _STORES:
            name = instruction.argval
        elif instruction.opname == "RETURN_VALUE":
            name = _RETURNED
        elif instruction.opname not in _SKIPPED:
            name = ""
    return found


def assigned_name(frame: types.FrameType | None) -> str:
    """The variable that takes the result of the call that `frame` is in, or of the one that
    returns it; "" if none does."""
    name = _RETURNED
    while frame and name == _RETURNED:
        name = _stores(frame.f_code).get(frame.f_lasti, "")
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
