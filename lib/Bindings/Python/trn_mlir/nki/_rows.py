# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of HBM that a tile of indices chooses, one for each of its partitions.

They come from `x.ap(pattern, vector_offset=indices, indirect_dim=0)`, or with `scalar_offset`,
and from `x.vector_select(0, indices)`, in beta 1 from `x[indices, ...]`, and are only transferred:
a `dma_copy`, load or store of them is a gather or a scatter.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence

from ._affine import Grid, Index
from ._errors import NkiError
from ._recorder import Recorder
from ._tensor import Dim, View

_INTEGERS = ("i32", "ui32")


class Rows:
    """Rows of `table`, the first dimension of which is the one that `indices` choose in, as a
    kernel has them: with a partition for each index, or a `block` that one index chooses."""

    is_on_chip, memory = False, "hbm"
    op = None
    is_empty = False

    def __init__(self, table: View, indices: View, block: Sequence[int] = ()) -> None:
        count = indices.num_elements if block else indices.shape[0]
        if indices.memory != "sbuf" or indices.num_elements != count:
            raise NkiError("nki_r16", "rows are chosen by a tile of SBUF with one index for each "
                           "partition, but it is %s in %s; give one column" %
                           (indices.shape, indices.memory.upper()))
        if indices.element not in _INTEGERS:
            raise NkiError("nki_r16", "rows are chosen by int32 or uint32, but the indices are %s; "
                           "copy them to a tile of int32" % indices.dtype)
        if table.is_on_chip:
            raise NkiError("nki_r16", "rows are chosen of a tensor in HBM, but it is in %s" %
                           table.memory.upper())
        self.table, self.indices = table, indices
        self.shape = tuple(block) or (count, *table.shape[1:])
        self.is_block = bool(block)

    def __getattr__(self, name: str) -> object:
        if name in ("buffer", "element", "dtype"):
            return getattr(self.table, name)
        if name == "ndim":
            return len(self.shape)
        if name == "num_elements":
            return math.prod(self.shape)
        if name == "is_indirect":
            return lambda: True
        raise NkiError("nki_r2", "rows that a tile chooses are transferred as they are by dma_copy, "
                       "nl.load or nl.store, but have no `%s`" % name)

    def __getitem__(self, key: object) -> Rows:
        keys = key if isinstance(key, tuple) else (key,)
        if all(one is Ellipsis or one == slice(None) for one in keys):
            return self
        raise NkiError("nki_r2", "rows that a tile chooses are not indexed once more")


class Register:
    """A number, a tile of one element, or nothing yet."""

    def __init__(self, value: int | View | None) -> None:
        self.value = value

    def __index__(self) -> int:
        if self.value is None:
            raise NkiError("nki_r2", "a register is read before it is loaded; load it, or give "
                           "nisa.register_alloc a number")
        if isinstance(self.value, View):
            raise NkiError("nki_r2", "the kernel loops or decides by a register that holds data, "
                           "which is not known when it is read; give the kernel a number in its "
                           "place")
        return self.value

    def __bool__(self) -> bool:
        return operator.index(self) != 0


def held(value: object) -> object:
    """What a register holds; what is no register itself."""
    return value.value if isinstance(value, Register) and value.value is not None else value


def row_pattern(x: View, dims: Sequence[Dim], start: Index, indices: View, dim: int) -> Rows:
    """Of `ap`: where a row begins is `start` + its index * what follows dimension 0 of `x`; the
    step of the first pair of the pattern does not count."""
    if dim != 0:
        raise NkiError("nki_r2", "`ap` with vector_offset takes indirect_dim=0, but it is %d" % dim)
    if dims[0].size != indices.shape[0]:
        raise NkiError("nki_r16", "`ap` takes %d rows, but vector_offset has %d partitions" %
                       (dims[0].size, indices.shape[0]))
    return Rows(_table(x, dims[1:], start, dim), indices)


def one_block(x: View, dims: Sequence[Dim], start: Index, index: View, dim: int) -> Rows:
    """Of `ap` with a scalar_offset in a tile: where all of it begins, along `dim`."""
    if index.num_elements != 1:
        raise NkiError("nki_r16", "a scalar_offset is one number, but it is %s" % (index.shape,))
    return _block(_table(x, dims, start, dim), index)


def _block(table: View, index: View) -> Rows:
    """What `index` chooses along the first dimension of `table`."""
    if table.ndim < 2:
        table = View(table.buffer, Index(), table.offset, [*table.dims, Dim(1, 1)])
    return Rows(table, _column(index), table.shape[1:])


def _table(x: View, row: Sequence[Dim], start: Index, dim: int) -> View:
    """All rows that stay inside of the tensor, as many as `dim` has at most."""
    if x._merge(x.dims) is None:
        raise NkiError("nki_r2", "`ap` with an offset in a tile counts rows of a tensor, but this "
                       "is a slice with gaps; give the tensor, and an offset")
    step = math.prod(x.shape[dim + 1:])
    low, high = start.range()
    reach = sum((dim.size - 1) * dim.stride for dim in row)
    if low < 0:
        raise NkiError("nki_r1", "`ap` starts at element %d of its tensor" % low)
    count = min(x.shape[dim], (math.prod(x.shape) - 1 - high - reach) // step + 1)
    if count < 1:
        raise NkiError("nki_r1", "`ap` reaches element %d, but the tensor has %d" %
                       (high + reach, math.prod(x.shape)))
    dims = [Dim(count, step), *(row or [Dim(1, 1)])]
    return View(x.buffer, Index(), Index.of(x.offset + start), dims)


def chosen(x: View, keys: Sequence[object]) -> Rows:
    """`x[indices, ...]`: the other keys are taken of each row. Grids of beta 1 have a dimension
    for the partitions in front."""
    rest = []
    for key in keys[1:]:
        if isinstance(key, Grid):
            walked = [axis for axis, step in enumerate(key.steps) if step]
            if 0 in walked and key.shape[0] > 1:
                raise NkiError("nki_r2", "rows that a tile chooses have the same columns in each "
                               "partition; index them without the partition's grid")
            key = _without_partition(key, keys[0].shape[0])
        rest.append(key)
    whole = x.at((slice(None), *rest))
    whole.check_bounds()
    indices, dims = keys[0], list(whole.dims)
    if indices.ndim == 0:  # a number, as in NumPy
        return _block(View(x.buffer, Index(), whole.offset, dims), indices)
    return Rows(View(x.buffer, Index(), whole.offset, dims if len(dims) > 1 else
                     [*dims, Dim(1, 1)]), indices)


def _without_partition(grid: Grid, count: int) -> object:
    """`count` is that of the rows, which a grid of `nl.mgrid` counts in front."""
    if grid.shape[0] not in (1, count) or len(grid.shape) == 1:
        return grid
    return Grid(grid.base, grid.shape[1:], grid.steps[1:])


def transfer(dst: object, src: object, skips: bool) -> None:
    """A gather, or a scatter."""
    if isinstance(dst, Rows) == isinstance(src, Rows):
        raise NkiError("nki_r2", "a transfer chooses the rows of one side, but not of both")
    is_gather = isinstance(src, Rows)
    rows, tile = (src, dst) if is_gather else (dst, src)
    if not tile.is_on_chip and rows.indices.num_elements == 1:
        rows = _block(rows.table, rows.indices)
    _check_tile(rows, tile)
    table, tile = _aligned_block(rows.table, tile) if rows.is_block else \
        _aligned(rows.table, tile)
    indices = _column(rows.indices)
    skip = " skip" * skips
    if is_gather:
        Recorder.current.add("trn.dma_gather {1}[{2}] to {0}%s : {1:t}[{2:t}] to {0:t}" % skip,
                             [tile, table, indices], (0,))
    else:
        Recorder.current.add("trn.dma_scatter {1} to {0}[{2}]%s : {1:t} to {0:t}[{2:t}]" % skip,
                             [table, tile, indices], (0,))


def _check_tile(rows: Rows, tile: View) -> None:
    if tile.memory == "psum" or not tile.is_on_chip and not rows.is_block:
        raise NkiError("nki_r16", "rows that a tile chooses go to or come from SBUF, but the other "
                       "side is in %s; copy it to SBUF first" % tile.memory.upper())
    is_whole = tile.shape[0] == rows.shape[0] or not tile.is_on_chip
    if not is_whole or tile.num_elements != rows.num_elements:
        raise NkiError("nki_r3", "rows of %s are transferred to or from a tile of %s" %
                       (rows.shape, tile.shape))


def _column(view: View) -> View:
    first = next((dim for dim in view.dims if dim.is_partition), Dim(1, 1, True))
    return view.like([first, Dim(1, 1)])


def _aligned_block(table: View, tile: View) -> tuple[View, View]:
    """The block with the dimensions of the tile; those behind its partitions merged, if they can
    be."""
    block = View(table.buffer, Index(), table.offset, table.dims[1:])
    if block.shape != tile.shape:
        block = block.reshaped(tile.shape)
    merged, own = block._merge(block.dims[1:]), tile._merge(tile.dims[1:])
    dims, mine = [*block.dims], [*tile.dims]
    if merged and own:
        dims, mine = [block.dims[0], merged], [tile.dims[0], own]
    return (View(table.buffer, Index(), table.offset, [table.dims[0], *dims]),
            tile.like(mine))


def _aligned(table: View, tile: View) -> tuple[View, View]:
    """Both with the dimensions of the tile, merged where they can be, or of the row."""
    row = View(table.buffer, Index(), table.offset, table.dims[1:])
    merged, own = row._merge(row.dims), tile._merge(tile.dims[1:])
    if merged and own:
        dims, mine = [merged], [own]
    elif [dim.size for dim in row.dims] == list(tile.shape[1:]):
        dims, mine = list(row.dims), list(tile.dims[1:])
    elif own:
        dims, mine = list(row.dims), tile.reshaped((tile.shape[0], *row.shape)).dims[1:]
    else:
        dims, mine = row.reshaped(tile.shape[1:]).dims, list(tile.dims[1:])
    return (View(table.buffer, Index(), table.offset, [table.dims[0], *dims]),
            tile.like([tile.dims[0], *mine]))
