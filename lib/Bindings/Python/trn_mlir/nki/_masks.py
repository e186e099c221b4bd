# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks of beta 1: conditions on positions of a tile. The instruction runs on the box where they
hold; a mask that is no box is refused. Which part of a tile a masked load has written is kept with
its buffer, so that what is computed from it leaves the rest alone, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ._affine import Condition, Index, Unroll, broadcast, decide
from ._errors import NkiError
from ._spans import written_box
from ._tensor import Dim, View


def cut(mask: object, result: View, views: Sequence[View], is_new: bool) -> list[View] | None:
    """The parts of a result and of what has its shape where the mask holds, and where masked loads
    have written what is read. None: nothing. A result that `is_new` remembers its part."""
    if is_new and any([is_left_out(view) for view in views]):
        result.is_empty = True
        return None
    if mask is None and not any([view.buffer.valid for view in views]):
        return [result, *views]
    starts, sizes = solve_mask(mask, result.shape)
    if not is_new and 0 not in sizes:  # what was left out of a load is no mask of a store
        result.box(starts, sizes).check_bounds()
    for view in views:
        starts, sizes = within_valid(_as_rows(view, result), starts, sizes)
    if 0 in sizes:
        result.is_empty = is_new
        return None
    parts = [_part(view, result.shape, starts, sizes) for view in (result, *views)]
    if mask is None and not is_new and not holds_less(result, parts[0]):
        return [result, *views]
    if tuple(sizes) != result.shape and result.is_on_chip and is_new:
        result.box_at = (starts, sizes)
        result.buffer.valid = (tuple(starts), tuple(sizes))
    return parts


def is_left_out(view: object) -> bool:
    """Whether it is a result that a mask left out, and that nobody has written since."""
    return getattr(view, "is_empty", False) and not view.buffer.is_written


def holds_less(result: View, part: View) -> bool:
    """Whether nothing is in the rest of a tile, if only this part of a result is written. Then the
    rest may stay so; elsewhere the instruction would spoil it, by what nobody wrote."""
    buffer = result.buffer
    if not buffer.is_touched:
        return True
    if buffer.valid is None or part.partition.terms:
        return False
    first, count = part.partition.constant, next(d.size for d in part.dims if d.is_partition)
    return first <= buffer.valid[0][0] and \
        buffer.valid[0][0] + buffer.valid[1][0] <= first + count


def starts_of(part: View, whole: View) -> list[int]:
    """Where a box begins, along each dimension of the view that it was cut from."""
    starts, rest = [0] * whole.ndim, part.offset - whole.offset
    for axis in sorted(range(whole.ndim), key=lambda axis: -whole.dims[axis].stride):
        size, stride, is_partition = whole.dims[axis]
        if is_partition:
            starts[axis] = part.partition - whole.partition
        elif stride and size > 1:
            starts[axis], rest = divmod(rest, stride)
    return starts


def _as_rows(view: View, result: View) -> View:
    """A view of another shape by the rows of the result, which both have."""
    is_alike = all([own in (1, size) for own, size in zip(view.shape, result.shape)])
    if view.ndim == result.ndim and is_alike or not _has_rows(view, result.shape[0]):
        return view
    return view.like([view.dims[0], *[Dim(size, 0) for size in result.shape[1:]]])


def _has_rows(view: View, count: int) -> bool:
    return view.is_on_chip and view.dims[0].is_partition and view.shape[0] == count


def _part(view: View, shape: tuple[int, ...], starts: list[int], sizes: list[int]) -> View:
    if tuple(sizes[1:]) == shape[1:] and _has_rows(view, shape[0]):
        return view.box((starts[0], *[0] * (view.ndim - 1)), (sizes[0], *view.shape[1:]))
    if view.is_on_chip and view.ndim != len(shape) and view.num_elements == math.prod(shape) and \
            view.shape[0] == shape[0]:
        view = view.reshaped(shape)  # instructions count through
    if view.shape == shape:
        return view.box(starts, sizes)
    if view.ndim > len(shape):
        raise NkiError("nki_r5", "a mask of a tile of %s cannot cut one of %s" %
                       (shape, view.shape))
    extra, boxes = len(shape) - view.ndim, list(zip(starts, sizes))
    boxes = boxes[:1] * view.dims[0].is_partition + boxes[extra + view.dims[0].is_partition:]
    ends = [box if own != 1 else (0, 1) for own, box in zip(view.shape, boxes)]
    return view.box([start for start, _ in ends], [size for _, size in ends])


def within_valid(view: View, starts: list[int], sizes: list[int]) -> tuple[list, list]:
    """The box, cut down to what was written of a view of a buffer that a masked load wrote, or
    others beside it: partitions, and columns of views that walk over them as the load did. Others
    read what nobody wrote, which the interpreter tells."""
    if view.buffer.valid is None or view.ndim != len(starts):
        return starts, sizes
    rows, columns = _written(view)
    starts, sizes = list(starts), list(sizes)
    for axis, dim in enumerate(view.dims):
        if dim.is_partition:
            base, (start, end) = view.partition, rows
        elif columns and axis == view.ndim - 1 == 1 and dim.stride == 1:
            base, (start, end) = view.offset, columns
        else:
            continue
        if base.terms or dim.size == 1:
            continue
        first = max(starts[axis], start - base.constant)
        last = min(starts[axis] + sizes[axis], end - base.constant)
        starts[axis], sizes[axis] = first, max(0, last - first)
    return starts, sizes


def _written(view: View) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """Where partitions that are written begin and end, and columns of a tile that has but these."""
    valid, box = view.buffer.valid, written_box(view)
    ends = [(start, start + size) for start, size in zip(*valid)]
    rows, *free = ends if box is None else [(first, last + 1) for first, last in box]
    return rows, free[0] if len(ends) == 2 else None


def reduced_part(mask: object, data: View) -> View | None:
    """What a reduction reads: its mask is over that, and partitions that no load wrote are left
    out. None: nothing."""
    starts, sizes = solve_mask(mask, data.shape)
    if is_left_out(data):
        return None
    if data.buffer.valid is not None:
        cut_starts, cut_sizes = within_valid(data, starts, sizes)
        starts[0], sizes[0] = cut_starts[0], cut_sizes[0]
    if 0 in sizes:
        return None
    return data if tuple(sizes) == data.shape else data.box(starts, sizes)


def solve_mask(mask: object, shape: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The box of a tile of `shape` where a mask holds: starts and sizes."""
    starts, ends = [0] * len(shape), list(shape)
    if mask is False:
        return starts, list(starts)
    if mask is not None and mask is not True and not isinstance(mask, Condition):
        raise NkiError("nki_r5", "a mask is a comparison of indices, but this is %r" % (mask,))
    for value, predicate in mask.parts if isinstance(mask, Condition) else ():
        if isinstance(value, Index):
            known = decide(value, predicate)
            if known is None:
                raise Unroll(value.terms, "a mask that holds in some iterations only", is_cut=True)
            if not known:
                ends = list(starts)
            continue
        steps = value.expanded(broadcast(shape, value.shape))[-len(shape):]
        _narrow(value.base, steps, predicate, starts, ends)
    return starts, [max(0, end - start) for start, end in zip(starts, ends)]


def _narrow(base: Index, steps: Sequence[int], predicate: str, starts: list[int],
            ends: list[int]) -> None:
    """Cuts the box down to where `base + sum of steps * positions` holds."""
    if predicate in ("gt", "le"):  # -x - 1 >= 0 is x < 0
        base = Index.of(base - 1) if predicate == "gt" else Index.of(-base)
        steps = steps if predicate == "gt" else [-step for step in steps]
    elif predicate == "lt":
        base, steps = Index.of(-base - 1), [-step for step in steps]
    walked = [axis for axis, step in enumerate(steps) if step and ends[axis] - starts[axis] > 1]
    for axis, step in enumerate(steps):
        if axis not in walked:
            base = Index.of(base + step * starts[axis])
    if any(end <= start for start, end in zip(starts, ends)):
        return
    low, high = base.range()
    least, most = low, high
    for axis in walked:
        reach = sorted((steps[axis] * starts[axis], steps[axis] * (ends[axis] - 1)))
        least, most = least + reach[0], most + reach[1]
    if predicate in ("eq", "ne"):
        raise NkiError("nki_r5", "a mask by == or != is not a box; use nisa.affine_select")
    if least >= 0:
        return  # holds everywhere
    if most < 0:
        ends[:] = starts
        return
    if low != high:
        raise Unroll(base.terms, "a mask that cuts tiles in some iterations", is_cut=True)
    if len(walked) != 1:
        raise NkiError("nki_r5", "a mask that is not a box of the tile: it compares a sum of "
                       "several positions; use nisa.affine_select")
    axis, step = walked[0], steps[walked[0]]
    if step > 0:  # base + step * p >= 0
        starts[axis] = max(starts[axis], -(low // step))
    else:
        ends[axis] = min(ends[axis], low // -step + 1)
