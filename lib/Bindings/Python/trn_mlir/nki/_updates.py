# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments that a kernel changes in their place, such as a cache that it adds rows to.

A tensor that a kernel is given and writes is a result. What it held before counts if the kernel
reads it before it writes it, or writes less than all of it. Then it is an input, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ._affine import LoopCounter
from ._recorder import Block, Instruction, Loop, Recorder
from ._tensor import Buffer


def updated(recorders: Sequence[Recorder], results: Sequence[Sequence[Buffer]]) -> list[int]:
    """The numbers of these arguments. All cores of a kernel change them."""
    return [number for number, buffer in enumerate(recorders[0].arguments) if buffer in results[0]
            and _counts([one.body for one in recorders],
                        [one.arguments[number] for one in recorders])]


def _counts(bodies: Sequence[Block], buffers: Sequence[Buffer]) -> bool:
    """Whether what the buffer held counts: it has a name in each of the bodies."""
    written = 0
    for body, buffer in zip(bodies, buffers):
        is_written = False
        for op, counters in _instructions(body, ()):
            positions = [at for at, view in enumerate(op.views) if view.buffer is buffer]
            if not is_written and any(at not in op.writes for at in positions):
                return True
            for at in positions:
                if at in op.writes:
                    is_written = True
                    written += _elements(op, at, counters)
    return written < math.prod(buffers[0].shape)


def _elements(op: Instruction, position: int, counters: tuple[LoopCounter, ...]) -> int:
    """How many an instruction writes at most, in all iterations."""
    view = op.views[position]
    if op.text.startswith("trn.dma_scatter"):  # where, is data
        return op.views[1].num_elements * math.prod(one.count for one in counters)
    return view.num_elements * math.prod(one.count for one in counters if one in view.offset.terms)


def _instructions(block: Block, counters: tuple[LoopCounter, ...]
                  ) -> Iterator[tuple[Instruction, tuple[LoopCounter, ...]]]:
    for node in block.nodes:
        if isinstance(node, Loop):
            yield from _instructions(node.body, (*counters, node.counter))
        elif isinstance(node, Instruction):
            yield node, counters
