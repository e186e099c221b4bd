# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nisa.dma_compute`: DMA engines add tensors up while they move them.

What that takes is not published. Here it is transfers to SBUF and back, with VectorE between them:
the same sums in float32, rounded once, in the time of that composition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import _ops
from ._affine import Index
from ._call import Call, handles
from ._errors import NkiError
from ._recorder import Recorder
from ._rows import Rows, transfer
from ._tensor import PARTITIONS, View

_MAX_SOURCES = 16
_COLUMNS = 4096  # of a piece of tensors in HBM, which are as large as they like


@handles("isa", "dma_compute")
def _dma_compute(call: Call) -> None:
    sources = list(call.srcs)
    scales = [1.0] * len(sources) if call.scales is None else list(call.scales)
    if not 1 <= len(sources) <= _MAX_SOURCES or len(scales) != len(sources):
        raise NkiError("nki_r2", "dma_compute of %d tensors and %d scales; it takes 1 to %d "
                       "tensors, and a scale for each" %
                       (len(sources), len(scales), _MAX_SOURCES))
    if call.function("reduce_op", "reduce") != "add" or any(scale != 1 for scale in scales):
        raise NkiError("nki_r2", "dma_compute adds tensors by nl.add, each times 1.0; compute "
                       "anything else by nisa.tensor_scalar and nisa.tensor_tensor")
    if not call.unique_indices:
        raise NkiError("nki_r2", "dma_compute with unique_indices=False, but rows that are added "
                       "to are chosen once each")
    if any(isinstance(one, Rows) for one in (call.dst, *sources)):
        return _add_rows(call, sources)
    dst = call.tile("dst")
    for one in (dst, *sources):
        if not isinstance(one, View) or one.memory == "psum":
            raise NkiError("transfer_c1", "dma_compute takes tensors in HBM and SBUF, but is given "
                           "%s" % ("one in PSUM" if isinstance(one, View) else repr(one)))
    for one in sources:
        if one.num_elements != dst.num_elements:
            raise NkiError("nki_r3", "dma_compute of %s into %s; all tensors have as many "
                           "elements" % (one.shape, dst.shape))
    for into, *parts in _pieces(dst, *sources):
        _add(into, parts)


def _add_rows(call: Call, sources: Sequence[object]) -> None:
    """To rows of HBM that a tile chooses, or of them to a tile."""
    rows = [one for one in sources if isinstance(one, Rows)]
    others = [one for one in sources if isinstance(one, View)]
    if len(rows) != 1 or len(others) != 1:
        raise NkiError("nki_r2", "dma_compute of rows that a tile chooses adds them and one tile "
                       "of SBUF, but is given %d and %d" % (len(rows), len(others)))
    rows, tile = rows[0], others[0]
    is_scatter = isinstance(call.dst, Rows)
    if is_scatter and not _are_same(call.dst, rows) or \
            not is_scatter and not _are_same_view(call.tile("dst"), tile):
        raise NkiError("nki_r2", "dma_compute of rows that a tile chooses writes what it adds to: "
                       "give `dst` as one of `srcs`")
    skips = getattr(call.oob_mode, "name", "error") == "skip"
    held = _allocate(tile.shape, rows.element)
    if skips:
        _ops.fill(held, 0.0)
    transfer(held, rows, skips)
    if not is_scatter:
        return _ops.tensor_tensor(tile, "add", tile, held)
    _ops.tensor_tensor(held, "add", held, tile)
    transfer(call.dst, held, skips)


def _are_same(one: Rows, other: Rows) -> bool:
    return _are_same_view(one.table, other.table) and _are_same_view(one.indices, other.indices)


def _are_same_view(one: View, other: View) -> bool:
    distances = [Index.of(ours - theirs) for ours, theirs in
                 ((one.offset, other.offset), (one.partition, other.partition))]
    return one.buffer is other.buffer and one.dims == other.dims and not any(
        distance.terms or distance.constant for distance in distances)


def _pieces(dst: View, *sources: View) -> Iterator[list[View]]:
    """As large as tiles are. One tile in SBUF says how all of them are cut."""
    views = [dst, *sources]
    tiles = [one for one in views if one.is_on_chip]
    if tiles:
        shape = tiles[0].shape
        yield [one if one.shape == shape else one.reshaped(shape) for one in views]
        return
    flat = [one._merge(one.dims) for one in views]
    if None not in flat:
        count = dst.num_elements
        rows = max(size for size in range(1, PARTITIONS + 1) if count % size == 0)
        views = [one.reshaped((rows, count // rows)) for one in views]
    elif any(one.shape != dst.shape for one in views):
        views = [one.reshaped(dst.shape) for one in views]
    sizes = list(views[0].shape)
    yield from _cut(views, [0] * len(sizes), sizes, 0)


def _cut(views: Sequence[View], starts: list[int], sizes: list[int], at: int) -> Iterator[list]:
    """All boxes of at most 128 rows, and so many columns behind them."""
    if at == len(sizes):
        yield [one.box(starts, sizes) for one in views]
        return
    behind = 1
    for size in views[0].shape[at + 1:]:
        behind *= size
    step = PARTITIONS if at == 0 else max(1, _COLUMNS // behind)
    for start in range(0, views[0].shape[at], step):
        size = min(step, views[0].shape[at] - start)
        yield from _cut(views, [*starts[:at], start, *starts[at + 1:]],
                        [*sizes[:at], size, *sizes[at + 1:]], at + 1)


def _add(dst: View, sources: Sequence[View]) -> None:
    """In float32, with one rounding at the end."""
    if len(sources) == 1:
        return _ops.dma_copy(dst, sources[0])
    total = None
    for number, one in enumerate(sources):
        if not one.is_on_chip:
            tile = _allocate(dst.shape, one.element)
            _ops.dma_copy(tile, one)
            one = tile
        if total is None:
            total = one
            continue
        is_last = number == len(sources) - 1
        made = dst if is_last and dst.is_on_chip else \
            _allocate(dst.shape, dst.element if is_last else "f32")
        _ops.tensor_tensor(made, "add", total, one)
        total = made
    if total is not dst:
        _ops.dma_copy(dst, total)
    return None


def _allocate(shape: Sequence[int], element: str) -> View:
    sizes = [*shape, 1] if len(shape) == 1 else list(shape)
    made = View.of(Recorder.current.allocate(sizes, element, "sbuf"))
    return made if len(shape) > 1 else made.like(made.dims[:1])
