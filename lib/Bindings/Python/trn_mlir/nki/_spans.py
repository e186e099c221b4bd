# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which elements of a tile views take, in all iterations of their loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ._affine import Copied, LoopCounter
from ._tensor import View


class Span:
    """The elements of a view in all iterations: `partitions` and `free` are the first and the last
    one. Between these there may be gaps, which `positions` knows."""

    def __init__(self, view: View) -> None:
        self.view = view
        low, high = view.offset.range()
        first, last = view.partition.range()
        for dim in view.dims:
            if dim.is_partition:
                last += dim.size - 1
            else:
                high += (dim.size - 1) * dim.stride
        self.partitions, self.free = (first, last), (low, high)
        self._positions: np.ndarray | None = None

    @property
    def positions(self) -> np.ndarray:
        """Those in a partition, in order, each of them once."""
        if self._positions is None:
            offset, found = self.view.offset, np.zeros(1, np.int64)
            steps = [(counter.step * factor, counter.count)
                     for counter, factor in offset.terms.items()]
            steps += [(dim.stride, dim.size) for dim in self.view.dims if not dim.is_partition]
            for step, count in steps:
                found = np.unique(np.add.outer(found, step * np.arange(count)))
            self._positions = found - found[0] + self.free[0]
        return self._positions

    def is_at(self, other: Span) -> bool:
        """Whether it is where another one is, in every iteration."""
        one, two = self.view, other.view
        return one.dims == two.dims and one.offset.is_same(two.offset) and \
            one.partition.is_same(two.partition)

    def meets(self, other: Span) -> bool:
        """Whether they have an element in common."""
        if not _overlap(self.partitions, other.partitions) or not _overlap(self.free, other.free):
            return False
        return np.intersect1d(self.positions, other.positions, assume_unique=True).size > 0

    def holds(self, other: Span) -> bool:
        """Whether it has all elements of another one, once its loops have ended."""
        return _contains(self.partitions, other.partitions) and \
            _contains(self.free, other.free) and \
            bool(np.isin(other.positions, self.positions, assume_unique=True).all())

    def meets_itself(self, loops: Sequence[LoopCounter]) -> bool:
        """Whether iterations of these loops share some of their elements."""
        count = 1
        for counter in loops:
            count *= counter.count if counter in self.view.offset.terms else 1
        for dim in self.view.dims:
            count *= 1 if dim.is_partition else dim.size
        return count > self.positions.size


def _overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def _contains(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] <= b[0] and b[1] <= a[1]


def all_written(written: Sequence[Span], read: Span) -> bool:
    """Whether these hold all elements of `read`, together."""
    if any(one.is_at(read) for one in written):
        return True
    parts = [one.positions for one in written if _contains(one.partitions, read.partitions)]
    return bool(parts) and bool(np.isin(read.positions, np.concatenate(parts)).all())


def note_mixed(dst: View) -> None:
    """That another instruction than a product writes `dst`. It counts in PSUM."""
    if dst.memory != "psum":
        return
    span, mixed = Span(dst), dst.buffer.mixed
    if not mixed or not mixed[-1].is_at(span):
        dst.buffer.mixed = [*mixed, span]


class Box(NamedTuple):
    """The partitions and the elements of a partition that a view takes, in all iterations."""
    partitions: tuple[int, int]
    free: tuple[int, int]

    @staticmethod
    def of(view: View) -> Box:
        span = Span(view)
        return Box(span.partitions, span.free)

    def meets(self, other: Box) -> bool:
        return _overlap(self.partitions, other.partitions) and _overlap(self.free, other.free)


def note_box(dst: View) -> None:
    """That `dst` is written."""
    buffer = dst.buffer
    if dst.is_on_chip:
        buffer.writes += 1
        buffer.boxes[Box.of(dst)] = buffer.writes


class Loan(NamedTuple):
    """A result that lies in the tile that it was assigned to, by the instruction at `place`: as long
    as nobody writes there, behind the first `writes` ones."""
    place: object
    writes: int

    def check(self, view: View) -> None:
        own = Box.of(view)
        if any(number > self.writes and box.meets(own) for box, number in view.buffer.boxes.items()):
            self.refuse()

    def refuse(self) -> None:
        raise Copied(self.place)


def written_box(view: View) -> Box | None:
    """What holds all that was written to elements of a view, of a tile of which a mask left out
    some."""
    own = Box.of(view)
    met = [one for one in view.buffer.boxes if one.meets(own)]
    if not met:
        return None
    return Box(*[(min(one[at][0] for one in met), max(one[at][1] for one in met)) for at in (0, 1)])


def note_rows(dst: View) -> None:
    """That `dst` is written: of a tile of which only some partitions are, as those of the last rows
    of a tensor, instructions leave the rest alone. Whoever needs that is told by the
    interpreter."""
    buffer = dst.buffer
    is_first, buffer.is_touched = not buffer.is_touched, True
    if not dst.is_on_chip or not is_first and buffer.valid is None:
        return
    count = next((dim.size for dim in dst.dims if dim.is_partition), 1)
    first, is_whole = dst.partition, dst.num_elements == count * buffer.row
    old = None if is_first else (buffer.valid[0][0], buffer.valid[0][0] + buffer.valid[1][0])
    buffer.valid = None
    if first.terms or is_first and not is_whole:
        return
    start, end = first.constant, first.constant + count
    if old and old[0] <= start and end <= old[1]:
        start, end = old  # nothing new
    elif old:
        if not is_whole or start > old[1] or end < old[0]:
            return
        start, end = min(start, old[0]), max(end, old[1])
    if end - start < buffer.shape[0]:
        free = buffer.shape[1:]
        buffer.valid = (start, *[0] * len(free)), (end - start, *free)
