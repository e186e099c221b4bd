# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of narrow integers: masks and counts.

The dialect has integers of 32 bits, which a run holds to what the engines do with them: they
compute in float32 whatever the type of a tile is (ISA:1115). A tile of integers of 8 or 16 bits is
kept as one of f32 as long as what is written to it are integers that both types hold. For that,
bounds of the values of a buffer are followed: results of comparisons are 0 or 1, those of `iota`
are known, copies keep them. What is no integer, or may not fit the type, would be rounded or wrap
around on a device, which f32 does not do: it is refused. Such a tile takes four bytes an element,
in memory and in transfers.
"""

from __future__ import annotations

import functools
import math
import re

from ._errors import NkiError
from ._tensor import View
from ._types import name_of

_EXACT = float(2 ** 24)  # f32 holds all integers up to it
RANGES = {"bool": (0, 1), "int8": (-128, 127), "uint8": (0, 255), "int16": (-32768, 32767),
          "uint16": (0, 65535)}
_WIDE = {"i32": (-_EXACT, _EXACT), "ui32": (0, _EXACT)}  # what a run lets them be

# Functions that make 0 or 1 of whatever they are given, and those that choose one of their inputs.
_TRUTHS = {"eq", "ne", "gt", "ge", "lt", "le", "and", "or", "xor"}
_CHOICES = {"max", "min", "copy"}
_SUMS = {"add", "mul", "sub", "abs", "square"}
_MOVES = {"dma_copy", "dma_gather", "dma_scatter", "dma_transpose", "tensor_copy", "transpose",
          "stream_shuffle", "affine_select", "partition_gather"}
# What makes integers of floats.
_FROM_FLOATS = ("trn.tensor_tensor ", "trn.tensor_scalar ", "trn.scalar_tensor_tensor ",
                "trn.select ", "trn.find_index8 ", "trn.match_replace8 ")
_OP = re.compile(r"trn\.(\w+)")
_FUNCTION = re.compile(r"(?:^trn\.\w+|then|,) (\w+)")
_NUMBER = re.compile(r"(?:constant|otherwise|initial|scale|bias|\{0\},) (\S+)")


def integer_of(dtype: object) -> str | None:
    """The name of a narrow integer type, None for other types."""
    name = name_of(dtype)
    name = "bool" if name == "bool_" else name
    return name if name in RANGES else None


def given_bounds(integer: str | None, element: str) -> tuple[float, float] | None:
    """Of what is given to a kernel."""
    return RANGES[integer] if integer else _WIDE.get(element)


def follow(text: str, views: list[View], writes: tuple[int, ...], in_loop: bool) -> None:
    """Bounds of what an instruction writes; refuses what a tile of integers does not hold."""
    written = [views[at].buffer for at in writes]
    if not any([buffer.integer for buffer in written]):
        if not text.startswith(_FROM_FLOATS) and \
                None in [view.buffer.bounds for at, view in enumerate(views) if at not in writes]:
            for buffer in written:
                buffer.bounds = None
        if all([buffer.bounds is None for buffer in written]):
            return
    op = _read(text)[0]
    reads = [view for at, view in enumerate(views) if at not in writes]
    found = _bounds(op, text, views[0], reads, in_loop)
    for at in writes:
        buffer = views[at].buffer
        one = found if at == 0 else (0, _EXACT) if op == "match_replace8" else None
        if buffer.integer is not None:
            low, high = RANGES[buffer.integer]
            if one is None or one[0] < low or one[1] > high:
                raise NkiError(
                    "nki_r6", "%s writes a tile of %s what may not be an integer of it. Integers "
                    "of 8 and 16 bits are kept as float32 here: masks and counts; use a tile of "
                    "int32 for others" % (op, buffer.integer))
        if one is None and buffer.dtype in _WIDE:
            one = _WIDE[buffer.dtype]
        buffer.bounds = None if one is None or buffer.bounds is None else _union(buffer.bounds, one)


def _union(*bounds: tuple[float, float]) -> tuple[float, float]:
    return min(one[0] for one in bounds), max(one[1] for one in bounds)


@functools.lru_cache(maxsize=4096)
def _read(text: str) -> tuple[str, tuple[str, ...], tuple[float, ...]]:
    """The op of an instruction, its functions and its numbers."""
    return (_OP.match(text)[1], tuple(_FUNCTION.findall(text)),
            tuple(math.nan if number.startswith("0x") else float(number.rstrip(",)"))
                  for number in _NUMBER.findall(text)))


def _bounds(op: str, text: str, dst: View, reads: list[View],
            in_loop: bool) -> tuple[float, float] | None:
    _op, functions, numbers = _read(text)
    if op == "find_index8":
        return 0, reads[0].num_elements // reads[0].shape[0] - 1
    if op == "iota":
        return _iota(text, dst)
    if op in ("tensor_tensor", "tensor_scalar", "scalar_tensor_tensor") and \
            functions[-1] in _TRUTHS:
        return 0, 1
    if op == "select":
        reads = reads[1:]
    elif op == "partition_gather":
        reads = reads[:1]
    sources = [view.buffer.bounds for view in reads] + [(number, number) for number in numbers]
    if None in sources or any(number != math.floor(number) for number in numbers
                              if math.isfinite(number)) or \
            any(not math.isfinite(number) for number in numbers) or not sources:
        return None
    either = _union(*sources)
    if op in _MOVES or op in ("memset", "select") or set(functions) <= _CHOICES and functions:
        return either
    if op in ("tensor_tensor", "tensor_scalar", "scalar_tensor_tensor", "activation",
              "tensor_reduce", "partition_reduce", "matmul", "tensor_tensor_scan") and \
            set(functions) <= _SUMS | _CHOICES | _TRUTHS:
        sizes = [max(map(abs, one)) for one in sources]
        most = _EXACT if in_loop or op not in ("tensor_tensor", "tensor_scalar") else \
            sum(sizes) if set(functions) <= {"add", "sub", "abs"} else \
            math.prod(sizes) if set(functions) == {"mul"} else \
            math.prod(1 + size for size in sizes)
        is_natural = either[0] >= 0 and "sub" not in functions and "negated" not in text
        return (0 if is_natural else -most, most)
    return None


def _iota(text: str, dst: View) -> tuple[float, float]:
    numbers = [int(number) for number in re.findall(r"-?\d+", text.split("start", 1)[1])]
    has_partition = "partition_step" in text
    start, steps = numbers[0], numbers[1:-1]  # the last one is the operand's
    partition = steps.pop() if has_partition else 0
    reach = [step * (size - 1) for step, size in
             zip([partition, *steps], (dst.shape[0], *dst.shape[1:]))]
    return start + sum(min(one, 0) for one in reach), start + sum(max(one, 0) for one in reach)
