# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffers of a kernel, and views of them.

A `View` is what a kernel calls a tensor or a tile: elements of one buffer, by an offset that is
affine in loop counters and a stride for each dimension. On chip one dimension walks over
partitions; offset and strides of the others are within a partition.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import NamedTuple

from ._affine import Condition, Grid, Index, Unroll, broadcast
from ._errors import NkiError

# Of a core, and so of a tile.
PARTITIONS = 128
BYTES = {"f32": 4, "bf16": 2, "f16": 2, "i32": 4, "ui32": 4, "f8E4M3": 1, "f8E4M3FN": 1}


class Buffer:
    """Memory that is allocated once: `memory` is hbm, sbuf or psum. On chip `shape[0]` counts
    partitions. `scope` is the block of the program that allocates it, None for arguments."""
    address: object = None       # that the kernel has chosen
    uses = 0
    is_identity = False          # ones on the diagonal: a product with it transposes
    loaded_row: View | None = None  # what in HBM a single row was loaded from
    valid: tuple | None = None   # starts and sizes of what a masked load wrote
    is_touched = False           # something has written some of it (not of beta 1)
    is_written = False           # the same, in all versions
    is_zero = False              # in PSUM, to which products are added
    zeroed: tuple = ()           # parts that a memset set to zero
    mixed: Sequence = ()         # in PSUM: spans that others than products wrote
    constant: float | None = None  # that all of it holds
    is_filled = False            # with a constant, so that all of it is written
    writes = 0                   # that are among `boxes`
    taken: object = None         # the loan of the only result, which lies in another buffer now
    blocks: tuple = ()           # of beta 1: sizes of its first free dimensions
    integer: str | None = None   # the type of its elements, if it is a narrow integer
    bounds: tuple | None = (math.inf, -math.inf)  # of its values, if they are integers

    def __init__(self, shape: Sequence[int], dtype: str, memory: str, scope: object = None,
                 name: str = "") -> None:
        self.shape, self.dtype, self.memory = tuple(shape), dtype, memory
        self.scope, self.name = scope, name
        self.boxes: dict = {}             # of what was written, with the number of the last write
        self.word = "nl." + memory        # of NKI, as a kernel compares it
        self.strides, self.dims = _whole(self.shape, self.is_on_chip)

    def take_shape(self, view: View) -> None:
        """That of a view of all its elements in their order, as which a kernel returns it."""
        free = view._merge(view.dims)
        if view.shape and free is not None and free.size == math.prod(self.shape) and \
                free.stride == 1:
            self.shape = view.shape
            self.strides, self.dims = _whole(self.shape, self.is_on_chip)

    def inherit(self, other: Buffer) -> None:
        """What is known of the values of a buffer that this one takes the place of."""
        self.is_identity, self.loaded_row = other.is_identity, other.loaded_row
        if not self.is_filled:
            self.valid = other.valid

    @property
    def is_on_chip(self) -> bool:
        return self.memory != "hbm"

    @property
    def row(self) -> int:
        """Elements of a partition."""
        return self.strides[0]


class Dim(NamedTuple):
    size: int
    stride: int
    is_partition: bool = False


@functools.lru_cache(maxsize=4096)
def _whole(shape: tuple[int, ...], is_on_chip: bool) -> tuple[tuple[int, ...], tuple[Dim, ...]]:
    """The strides of a buffer, and the dimensions of a view of all of it."""
    strides, total = [], 1
    for size in reversed(shape):
        strides.insert(0, total)
        total *= size
    dims = [Dim(size, stride) for size, stride in zip(shape, strides)]
    if is_on_chip:
        dims[0] = Dim(shape[0], 1, True)
    return tuple(strides), tuple(dims)


class Bound(NamedTuple):
    """`0 <= base + sum of steps * positions < size`: an index of a dimension of the source."""
    base: Index
    steps: tuple[int, ...]
    size: int
    dim: int


class DynamicSlice(NamedTuple):
    """`nl.ds(start, size)`."""
    start: object
    size: int


_ZERO = Index()

# Where a dimension starts, its step along each dimension of the result, and the dimension of the
# result that stands for it, if one does.
Move = tuple[Index, tuple[int, ...], "int | None"]


def _partition_axis(steps: tuple[int, ...], sizes: list[int], axis: int | None) -> int | None:
    """The dimension of a result that walks over partitions."""
    walked = [at for at, step in enumerate(steps) if step and sizes[at] != 1]
    if any(steps[at] != 1 for at in walked) or len(walked) > 1:
        raise NkiError("nki_r4", "partitions are taken one after the other, by one dimension of "
                       "the tile; this index skips or mixes them")
    if not walked and axis is not None and sizes[axis] != 1:
        raise NkiError("nki_r4", "%d rows of the tile are one partition, by an index that stays; "
                       "copy it to as many by nl.broadcast_to, or load it from HBM as often" %
                       sizes[axis])
    return walked[0] if walked else axis


class View:
    """Elements of a buffer. `dims` are those of its shape; `bounds` what its indices must hold
    where it is used (a mask may see to it)."""

    loan: object = None  # of a result that was assigned, and lies in another one's tile

    def __init__(self, buffer: Buffer, partition: Index, offset: Index, dims: Sequence[Dim],
                 bounds: Sequence[Bound] = (), products: list | None = None) -> None:
        self.buffer, self.partition, self.offset = buffer, partition, offset
        self.dims, self.bounds = tuple(dims), tuple(bounds)
        self.shape = tuple([dim[0] for dim in dims])
        # Their spans, of all since the tile was declared.
        self.products: list = [] if products is None else products

    @staticmethod
    def of(buffer: Buffer) -> View:
        return View(buffer, _ZERO, _ZERO, buffer.dims)

    # What kernels ask.

    @property
    def ndim(self) -> int:
        return len(self.dims)

    @property
    def is_on_chip(self) -> bool:
        return self.buffer.is_on_chip

    @property
    def memory(self) -> str:
        return self.buffer.memory

    @property
    def element(self) -> str:
        """The type of an element as MLIR spells it."""
        return self.buffer.dtype

    @property
    def num_elements(self) -> int:
        count = 1
        for dim in self.dims:
            count *= dim.size
        return count

    def like(self, dims: Sequence[Dim], partition: Index | None = None,
             offset: Index | None = None, bounds: Sequence[Bound] = ()) -> View:
        made = type(self)(self.buffer, self.partition if partition is None else partition,
                          self.offset if offset is None else offset, dims, bounds, self.products)
        if self.loan is not None:
            made.loan = self.loan
        return made

    # Indexing.

    def _keys(self, key: object) -> list:
        is_one = isinstance(key, DynamicSlice) or not isinstance(key, tuple)
        keys = [key] if is_one else list(key)
        if any([isinstance(one, Condition) for one in keys]):
            raise NkiError("nki_r5", "a tensor is indexed by a comparison; give that to the "
                           "instruction, as its mask")
        if any([one is None for one in keys]):
            raise NkiError("nki_r3", "a tensor is indexed by None; use expand_dim or reshape")
        keys = [slice(one.start, one.stop, one.step)  # a range, as of nl.affine_range
                if type(one) is not slice and hasattr(one, "step") else one for one in keys]
        at = [i for i, one in enumerate(keys) if one is Ellipsis]
        if at:
            keys[at[0]:at[0] + 1] = [slice(None)] * (self.ndim - len(keys) + 1)
        if len(keys) > self.ndim:
            raise NkiError("nki_r3", "%d indices for a tensor of %d dimensions, %s" %
                           (len(keys), self.ndim, self.shape))
        return keys + [slice(None)] * (self.ndim - len(keys))

    def at(self, key: object) -> View:
        """`self[key]`."""
        return self.at_keys(self._keys(key))

    def at_keys(self, keys: list) -> View:
        made = None if self.bounds else self._at_numbers(keys)
        return self._at_indices(keys) if made is None else made

    def _at_numbers(self, keys: list) -> View | None:
        """Of slices and indices that are numbers and inside of the tensor; None for others. It is
        what most kernels write, and quick."""
        starts, dims = [0, 0], []  # starts of all but the partition, and of that
        for key, (extent, stride, is_partition) in zip(keys, self.dims):
            if type(key) is slice and key.step is None:
                start = 0 if key.start is None else key.start
                end = extent if key.stop is None else key.stop
            elif type(key) is DynamicSlice and type(key.start) is type(key.size) is int:
                start, end = key.start, key.start + key.size
            else:
                start, end = key, None
            if type(start) is not int or not 0 <= start < extent:
                return None
            if end is not None:
                if type(end) is not int or not start < end <= extent:
                    return None
                dims.append(Dim(end - start, stride, is_partition))
            starts[is_partition] += start * stride
        offset, partition = [Index.of(index + start) if start else index for index, start in
                             zip((self.offset, self.partition), starts)]
        return self.like(dims, partition, offset)

    def _at_indices(self, keys: list) -> View:
        grids = [one for one in keys if isinstance(one, Grid)]
        sizes, moves = self._moves(keys, grids)
        rank = len(sizes)
        strides, partition_axis = [0] * rank, None
        partition, offset = self.partition, self.offset
        for (start, steps, axis), dim in zip(moves, self.dims):
            if dim.is_partition:
                partition = Index.of(partition + start)
                partition_axis = _partition_axis(steps, sizes, axis)
            else:
                offset = Index.of(offset + start * dim.stride)
                strides = [stride + step * dim.stride for stride, step in zip(strides, steps)]
        dims = [Dim(size, 1, True) if axis == partition_axis else Dim(size, stride)
                for axis, (size, stride) in enumerate(zip(sizes, strides))]
        bounds = [Bound(start, steps, dim.size, number)
                  for number, ((start, steps, _axis), dim) in enumerate(zip(moves, self.dims))]
        made = self.like(dims, partition=partition, offset=offset, bounds=(
            *self._moved_bounds([move[:2] for move in moves]), *bounds))
        if not grids:
            made.check_bounds()
        return made

    def _moves(self, keys: list, grids: list[Grid]) -> tuple[list[int], list[Move]]:
        """The sizes of the result, and how each dimension moves with those of the result. The
        dimensions of the grids stand where the first grid does."""
        try:
            grid_shape = broadcast(*[grid.shape for grid in grids]) if grids else ()
        except ValueError as problem:
            raise NkiError("nki_r3", "indices of %s" % problem) from None
        sizes: list[int] = []
        axes: list[int | None] = []  # that a slice makes
        grid_at = None
        for one in keys:
            is_slice = isinstance(one, (slice, DynamicSlice))
            axes.append(len(sizes) if is_slice else None)
            if is_slice:
                sizes.append(0)
            elif isinstance(one, Grid) and grid_at is None:
                grid_at = len(sizes)
                sizes += grid_shape
        moves = []
        for number, (one, dim) in enumerate(zip(keys, self.dims)):
            steps, axis = [0] * len(sizes), axes[number]
            if isinstance(one, Grid):
                start, axis = one.base, grid_at
                steps[grid_at:grid_at + len(grid_shape)] = one.expanded(grid_shape)
            elif axis is not None:
                start, sizes[axis], steps[axis] = self._slice(one, dim.size, number)
            else:
                start = Index.of(one)
                if not start.terms and start.constant < 0:
                    start = Index(start.constant + dim.size)
            moves.append((start, tuple(steps), axis))
        return sizes, moves

    def _slice(self, one: slice | DynamicSlice, size: int, number: int) -> tuple[Index, int, int]:
        if isinstance(one, DynamicSlice):
            return Index.of(one.start), operator.index(one.size), 1
        step = 1 if one.step is None else operator.index(one.step)
        if step < 1:
            raise NkiError("nki_r3", "a slice has step %d, but must go forward" % step)
        ends = []
        for end, default in ((one.start, 0), (one.stop, size)):
            end = Index.of(default if end is None else end)
            if not end.terms and end.constant < 0:
                end = Index(end.constant + size)
            ends.append(end)
        length = Index.of(ends[1] - ends[0])
        if length.terms:
            raise Unroll(length.terms, "a slice whose size is not known")
        count = max(0, -(-length.constant // step))
        return ends[0], count, step

    def _moved_bounds(self, moves: list[tuple[Index, tuple[int, ...]]]) -> tuple[Bound, ...]:
        moved = []
        for bound in self.bounds:
            base, steps = bound.base, [0] * len(moves[0][1]) if moves else []
            for factor, (start, walk) in zip(bound.steps, moves):
                base = Index.of(base + start * factor)
                steps = [a + factor * b for a, b in zip(steps, walk)]
            moved.append(Bound(base, tuple(steps), bound.size, bound.dim))
        return tuple(moved)

    def check_bounds(self) -> None:
        """That all elements are inside of the tensor, for all iterations. Then nothing remains to
        be checked."""
        if not self.bounds:
            return
        for base, steps, size, dim in self.bounds:
            low, high = base.range()
            for step, extent in zip(steps, self.shape):
                reach = step * (extent - 1)
                low, high = low + min(reach, 0), high + max(reach, 0)
            if 0 in self.shape:
                continue
            if low < 0 or high >= size:
                raise NkiError("nki_r1", "index %d of dimension %d, which has %d: an index stays "
                               "inside of its tensor in every iteration; cut the last tile, or "
                               "give a mask" % (low if low < 0 else high, dim, size))
        self.bounds = ()

    def box(self, starts: Sequence[int], sizes: Sequence[int]) -> View:
        """A part of it: `sizes` elements from `starts` on along each dimension."""
        keys = tuple(slice(start, start + size) for start, size in zip(starts, sizes))
        kept, self.bounds = self.bounds, ()
        try:
            made = self.at(keys)
        finally:
            self.bounds = kept
        made.bounds = self._moved_bounds(
            [(Index(start), tuple(int(i == axis) for i in range(self.ndim)))
             for axis, start in enumerate(starts)])
        return made

    # Other shapes of the same elements.

    def _merge(self, dims: Sequence[Dim]) -> Dim | None:
        """One dimension for several that follow each other, if there is one."""
        merged = Dim(1, 1)
        for dim in reversed(dims):
            if dim.size == 1 and not dim.is_partition:
                continue
            if merged.size == 1 and not merged.is_partition:
                merged = dim
            elif dim.is_partition or merged.is_partition or \
                    dim.stride != merged.stride * merged.size:
                return None
            else:
                merged = Dim(dim.size * merged.size, merged.stride)
        return merged

    def reshaped(self, shape: Sequence[int]) -> View:
        """The elements in the same order, in another shape."""
        self.check_bounds()
        shape = [operator.index(size) for size in shape]
        if -1 in shape:
            known = 1
            for size in shape:
                known *= size if size != -1 else 1
            shape[shape.index(-1)] = self.num_elements // max(known, 1)
        total = 1
        for size in shape:
            total *= size
        if total != self.num_elements:
            raise NkiError("nki_r3", "a tensor of %d elements, %s, has no shape %s" %
                           (self.num_elements, self.shape, tuple(shape)))
        dims, rest = [], list(self.dims)
        for position, size in enumerate(shape):
            if size == 1 and not (rest and rest[0].size == 1):
                dims.append(Dim(1, 1))
                continue
            # As many old dimensions as make whole new ones.
            taken = []
            count = 1
            while rest and (not taken or count % size):
                taken.append(rest.pop(0))
                count *= taken[-1].size
            merged = self._merge(taken)
            if merged is None or count % size:
                raise NkiError("nki_r3", "%s cannot be seen as %s without a copy" %
                               (self.shape, tuple(shape)))
            left = count // size
            if merged.is_partition and left != 1:
                raise NkiError("nki_r4", "the partitions of %s cannot be split by a shape of %s" %
                               (self.shape, tuple(shape)))
            dims.append(Dim(size, merged.stride if merged.is_partition else merged.stride * left,
                            merged.is_partition))
            if left != 1:
                rest.insert(0, Dim(left, merged.stride))
        return self.like(dims)

    def permuted(self, order: Sequence[int]) -> View:
        self.check_bounds()
        return self.like([self.dims[operator.index(axis)] for axis in order])

    def repeated(self, shape: Sequence[int]) -> View:
        """Broadcast along free dimensions of size one."""
        shape = tuple(map(operator.index, shape))
        missing = len(shape) - self.ndim
        dims = []
        for size, dim in zip(shape, [Dim(1, 0)] * missing + list(self.dims)):
            if dim.size == size:
                dims.append(dim)
            elif dim.size == 1 and not (dim.is_partition and self.is_on_chip):
                dims.append(Dim(size, 0))
            else:
                raise NkiError("nki_r3", "%s cannot be broadcast to %s" % (self.shape, shape))
        return self.like(dims)
