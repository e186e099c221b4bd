# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which elements of a tile views take, in all iterations of their loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._affine import LoopCounter
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
