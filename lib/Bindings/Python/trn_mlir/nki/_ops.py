# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions of the `trn` dialect on views: shapes as an instruction takes them, and its text."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from ._affine import Condition
from ._errors import NkiError
from ._recorder import Recorder
from ._tensor import PARTITIONS, Dim, View

# Most dimensions of a tile, and columns of a product: the rules tile_c1 and matmul_c4.
MAX_RANK = 5
MAX_MOVING = 512


def real(value: object) -> str:
    """A number as MLIR spells floats."""
    number = float(value)
    if math.isinf(number) or math.isnan(number):
        return {"inf": "0x7F800000", "-inf": "0xFF800000"}.get(str(number), "0x7FC00000")
    text = repr(number)
    return text if "." in text else "%.17e" % number if "e" in text else text + ".0"


def tile(view: View) -> View:
    """With the partition first and at least one free dimension."""
    if view.buffer.memory == "hbm" or len(view.dims) > 1 and view.dims[0].is_partition:
        return view
    dims = list(view.dims)
    while len(dims) > 1 and dims[0].size == 1 and not dims[0].is_partition:
        dims.pop(0)
    if not dims or not dims[0].is_partition:
        if any(dim.is_partition for dim in dims):
            raise NkiError("nki_r4", "the partition is dimension 0 of a tile, but here it is a "
                           "later one of %s" % (view.shape,))
        dims.insert(0, Dim(1, 1, True))
    if len(dims) == 1:
        dims.append(Dim(1, 1))
    return _with(view, dims)


def _with(view: View, dims: Sequence[Dim]) -> View:
    if tuple(dims) == view.dims:
        return view
    view.check_bounds()
    return view.like(dims)


def aligned(*views: View) -> list[View]:
    """The same tiles with as few dimensions as all of them can have, unless they have the same
    shape already: then an instruction takes them as the kernel has them."""
    tiles = [tile(view) for view in views]
    if len(tiles) > 1 and tiles[0].ndim <= MAX_RANK and \
            all([view.shape == tiles[0].shape for view in tiles]):
        return tiles
    tiles = refined(*views)
    rank = max(view.ndim for view in tiles)
    columns = [list(view.dims) for view in tiles]
    for dims in columns:  # NumPy would add ones in front; the partition stays where it is
        dims[1:1] = [Dim(1, 1)] * (rank - len(dims))
    merged = [[dims[0], dims[1]] for dims in columns]
    for axis in range(2, rank):
        pairs = [_pair(done[-1], dims[axis]) for done, dims in zip(merged, columns)]
        if None not in pairs:
            for done, pair in zip(merged, pairs):
                done[-1] = pair
        else:
            for done, dims in zip(merged, columns):
                done.append(dims[axis])
    return [_with(view, dims) for view, dims in zip(tiles, merged)]


def refined(*views: View) -> list[View]:
    """Tiles of as many elements in other dimensions are split until all have the same: an
    instruction takes the elements of a partition in their order."""
    tiles = [tile(view) for view in views]
    alike = [one for one in tiles if one.num_elements == tiles[0].num_elements and
             one.shape[0] == tiles[0].shape[0]]
    if len({one.shape for one in alike}) < 2:
        return tiles
    ends = {1}
    for one in alike:
        for axis in range(1, one.ndim):
            ends.add(math.prod(one.shape[axis:]))
    sizes = sorted(ends)
    if any(outer % inner for inner, outer in zip(sizes, sizes[1:])):
        return tiles
    shape = (tiles[0].shape[0], *[outer // inner for inner, outer in zip(sizes, sizes[1:])][::-1])
    return [_with(one, one.reshaped(shape).dims) if any([one is other for other in alike]) else one
            for one in tiles]


def pieces(*views: View) -> Iterator[list[View]]:
    """The same tiles, aligned; where they have more dimensions than an instruction takes, in
    pieces, one instruction each."""
    tiles = aligned(*views)
    extra = tiles[0].ndim - MAX_RANK
    if extra <= 0:
        yield tiles
        return
    for index in itertools.product(*map(range, tiles[0].shape[1:1 + extra])):
        starts = (0, *index, *[0] * (MAX_RANK - 1))
        cut = [view.box(starts, (view.shape[0], *[1] * extra, *view.shape[1 + extra:]))
               for view in tiles]
        yield aligned(*cut)


def _pair(outer: Dim, inner: Dim) -> Dim | None:
    if outer.size == 1:
        return inner
    if inner.size == 1:
        return outer
    if outer.stride == inner.stride * inner.size:
        return Dim(outer.size * inner.size, inner.stride)
    return None


def column(view: View, partitions: int) -> View:
    """One value for each partition."""
    found = tile(view)
    check_column(found, partitions)
    return in_sbuf(_with(found, [found.dims[0], Dim(1, 1)]))


def check_column(view: View, partitions: int) -> None:
    if view.num_elements != view.shape[0] or view.shape[0] != partitions:
        raise NkiError("nki_r3", "an operand of one value for each of %d partitions is needed, "
                       "but it is %s" % (partitions, view.shape))


def in_sbuf(view: View) -> View:
    """A copy in SBUF of what lies elsewhere."""
    if view.memory == "sbuf":
        return view
    made = View.of(Recorder.current.allocate(tile(view).shape if view.is_on_chip else view.shape,
                                             view.element, "sbuf"))
    copy(made, view)
    return made


def _engine(engine: str | None) -> str:
    return " on " + engine if engine else ""


def copy(dst: View, src: View, engine: str | None = None) -> None:
    """By an engine between tiles, by DMA where HBM takes part."""
    if not (dst.is_on_chip and src.is_on_chip):
        return dma_copy(dst, src)
    for dst, src in pieces(dst, src):
        if engine == "scalar":
            activation(dst, "copy", src)
        else:
            Recorder.current.add("trn.tensor_copy {1} into {0} : {1:t} to {0:t}" +
                                 _engine(engine), [dst, src], (0,))
    return None


def dma_copy(dst: View, src: View) -> None:
    if src.memory == "psum":
        src = in_sbuf(src)
    if dst.memory == "psum":
        raise NkiError("transfer_c1", "a DMA writes PSUM, which it does not reach; copy through "
                       "SBUF")
    if dst.shape != src.shape:
        src = src.reshaped(dst.shape)
    dst.check_bounds(), src.check_bounds()
    dims = _transfer_dims(dst, src)
    Recorder.current.add("trn.dma_copy {1} to {0} : {1:t} to {0:t}",
                         [dst.like(dims[0]), src.like(dims[1])], (0,))


def core_barrier(data: View) -> None:
    """Of the tensor, whichever part of it is given."""
    whole = View.of(data.buffer)
    if data.memory != "hbm" or data.buffer.word == "nl.private_hbm":
        raise NkiError("nki_r17", "core_barrier of a tensor that this core has alone; cores share "
                       "tensors of nl.shared_hbm and arguments")
    if whole.ndim > MAX_RANK:
        whole = whole.reshaped((whole.num_elements,))
    Recorder.current.add("trn.core_barrier {0} : {0:t}", [whole], ())


def send_receive(dst: View, src: View, pipe: int) -> None:
    if dst.memory != "sbuf" or src.memory != "sbuf":
        raise NkiError("nki_r17", "sendrecv exchanges tiles in SBUF, but src is in %s and dst in %s"
                       % (src.memory, dst.memory))
    for one, other in pieces(dst, src):
        Recorder.current.add("trn.send_receive {1} to {0} pipe %d : {1:t} to {0:t}" % pipe,
                             [one, other], (0,))


def _transfer_dims(dst: View, src: View) -> list[list[Dim]]:
    """At most five dimensions, the partition of a tile first."""
    pairs = [pair for pair in zip(dst.dims, src.dims) if pair[0].size != 1
             or pair[0].is_partition or pair[1].is_partition]
    pairs.sort(key=lambda pair: not (pair[0].is_partition or pair[1].is_partition))
    merged: list[list[Dim]] = []
    for pair in pairs:
        if merged and len(pairs) > MAX_RANK and not any(dim.is_partition for dim in merged[-1]):
            both = [_pair(outer, inner) for outer, inner in zip(merged[-1], pair)]
            if None not in both:
                merged[-1] = both
                continue
        merged.append(list(pair))
    on_chip = dst.is_on_chip or src.is_on_chip
    while len(merged) < 1 + on_chip:
        merged.append([Dim(1, 1), Dim(1, 1)])
    if on_chip:
        for side, view in enumerate((dst, src)):
            if view.is_on_chip and not merged[0][side].is_partition:
                merged.insert(0, [Dim(1, 1, dst.is_on_chip), Dim(1, 1, src.is_on_chip)])
    if len(merged) > MAX_RANK:
        raise NkiError("nki_r2", "a transfer of %d dimensions that do not follow each other; one "
                       "takes %d" % (len(merged), MAX_RANK))
    return [[pair[side] for pair in merged] for side in (0, 1)]


def fill(dst: View, value: float, engine: str | None = None) -> None:
    dst.buffer.is_filled = True
    if not dst.is_on_chip:
        return _fill_hbm(dst, value)
    dst = _with(dst, sorted(dst.dims, key=lambda dim: not dim.is_partition))  # in any order
    dst = aligned(dst)[0]
    Recorder.current.add("trn.memset {0}, %s : {0:t}%s" % (real(value), _engine(engine)),
                         [dst], (0,))
    if dst.num_elements == View.of(dst.buffer).num_elements:
        dst.buffer.constant = value


def _fill_hbm(dst: View, value: float) -> None:
    """From a tile, as many rows at once as that has partitions."""
    dst = _with(dst, [*[Dim(1, 1)] * (2 - dst.ndim), *dst.dims])
    rows, free = dst.shape[0], math.prod(dst.shape[1:])
    made = View.of(Recorder.current.allocate((min(rows, PARTITIONS), free), dst.element, "sbuf"))
    fill(made, value)
    for start in range(0, rows, PARTITIONS):
        count = min(PARTITIONS, rows - start)
        part = dst.box((start, *[0] * (dst.ndim - 1)), (count, *dst.shape[1:]))
        dma_copy(part, made.box((0, 0), (count, free)).reshaped(part.shape))


def _reduce(reduce: tuple | None, partitions: int, views: list[View]) -> str:
    """`reducing add(%sums)`: a function, a column, and whether it adds to what that holds."""
    if reduce is None:
        return ""
    function, sums, accumulates = reduce
    views.append(column(sums, partitions))
    at = len(views) - 1
    return " reducing %s({%d} : {%d:t})%s" % (function, at, at, " accumulate" * accumulates)


def activation(dst: View, function: str, src: View, scale: object = 1.0, bias: object = None,
               reduce: tuple | None = None) -> None:
    dst, src = aligned(dst, src)
    views, text = [dst, src], ""
    for name, value, plain in (("scale", scale, 1.0), ("bias", bias, 0.0)):
        if isinstance(value, View):
            views.append(column(value, src.shape[0]))
            text += " %ss({%d} : {%d:t})" % (name if name == "scale" else "biase",
                                             len(views) - 1, len(views) - 1)
        elif value is not None and float(value) != plain:
            if name == "bias" and Recorder.current.machine == "trn1":
                return activation(dst, function, src, scale, constant_column(value, src), reduce)
            text += " %s %s" % (name, real(value))
    text += _reduce(reduce, src.shape[0], views)
    writes = (0, len(views) - 1) if reduce else (0,)
    Recorder.current.add("trn.activation %s({1} : {1:t})%s into {0} : {0:t}" % (function, text),
                         views, writes)


def constant_column(value: float, like: View) -> View:
    made = View.of(Recorder.current.allocate((like.shape[0], 1), "f32", "sbuf"))
    fill(made, value)
    return made


def tensor_tensor(dst: View, function: str, lhs: View, rhs: View,
                  engine: str | None = None) -> None:
    for dst, lhs, rhs in pieces(*operands(dst, lhs, rhs)):
        if lhs.memory == rhs.memory == "psum":
            rhs = in_sbuf(rhs)
        Recorder.current.add("trn.tensor_tensor %s({1} : {1:t}, {2} : {2:t}) into {0} : {0:t}%s" %
                             (function, _engine(engine)), [dst, lhs, rhs], (0,))


def operands(dst: View, *given: View) -> list[View]:
    """The result, and what it is computed of, repeated to its shape as NumPy would."""
    dst, *given = refined(dst, *given)
    shape = dst.shape
    made = [dst]
    for one in given:
        if one.shape == shape:
            made.append(one)
            continue
        if one.shape[0] == 1 and shape[0] > 1:
            one = spread(one, shape[0])
        if one.num_elements == shape[0]:
            one = _with(one, [one.dims[0]] + [Dim(1, 1)] * (len(shape) - 1))
        elif one.ndim < len(shape):
            one = _with(one, [one.dims[0]] + [Dim(1, 1)] * (len(shape) - one.ndim)
                        + list(one.dims[1:]))
        made.append(_with(one, one.repeated(shape).dims))
    return made


def spread(row: View, partitions: int) -> View:
    """A copy of one row in each partition, by a product with ones: an engine reads its own
    partition only."""
    recorder = Recorder.current
    if row.element in ("i32", "ui32"):  # the tensor engine has floats
        copied = View.of(recorder.allocate(tile(row).shape, "f32", "sbuf"))
        copy(copied, tile(row))
        back = View.of(recorder.allocate((partitions, *copied.shape[1:]), row.element, "sbuf"))
        copy(back, spread(copied, partitions))
        return _with(back, back.reshaped((partitions, *row.shape[1:])).dims)
    merged = row._merge(row.dims[1:])
    flat = _with(row, [row.dims[0], merged]) if merged else row
    made = View.of(recorder.allocate((partitions, *flat.shape[1:]), row.element, "sbuf"))
    row = in_sbuf(flat)
    ones = View.of(recorder.allocate((1, partitions), row.element, "sbuf"))
    fill(ones, 1.0)
    for start in range(0, row.shape[1], MAX_MOVING):
        size = min(MAX_MOVING, row.shape[1] - start)
        sums = View.of(recorder.allocate((partitions, size), "f32", "psum"))
        matmul(sums, ones, row.box((0, start), (1, size)), False)
        copy(made.box((0, start), (partitions, size)), sums)
    return _with(made, [made.dims[0], *made.reshaped((partitions, *row.shape[1:])).dims[1:]])


Scalar = tuple[str, object, bool]


def _scalar(operand: object, partitions: int, views: list[View], is_reversed: bool) -> str:
    """`constant 2.0` or `scalars(%c)`."""
    if isinstance(operand, View):
        views.append(column(operand, partitions))
        text = " scalars({%d} : {%d:t})" % (len(views) - 1, len(views) - 1)
    else:
        text = " constant " + real(operand)
    return text + " reversed" * bool(is_reversed)


def tensor_scalar(dst: View, src: View, steps: Sequence[Scalar], engine: str | None = None,
                  reduce: tuple | None = None) -> None:
    """`steps` are one or two functions with their scalar, and whether it is the first argument."""
    for views in pieces(dst, src):
        text, count = "", views[1].shape[0]
        for number, (function, operand, is_reversed) in enumerate(steps):
            text += " then " + function if number else function + "({1} : {1:t})"
            text += _scalar(operand, count, views, is_reversed)
        text += _reduce(reduce, count, views)
        writes = (0, len(views) - 1) if reduce else (0,)
        Recorder.current.add("trn.tensor_scalar %s into {0} : {0:t}%s" % (text, _engine(engine)),
                             views, writes)


def scalar_tensor_tensor(dst: View, src: View, first: Scalar, second: Scalar) -> None:
    function, operand, is_reversed = first
    then, rhs, then_reversed = second
    dst, src, rhs = aligned(*operands(dst, src, rhs))
    if src.memory == rhs.memory == "psum":
        rhs = in_sbuf(rhs)
    views = [dst, src, rhs]
    scalar = _scalar(operand, src.shape[0], views, is_reversed)
    Recorder.current.add(
        "trn.scalar_tensor_tensor %s({1} : {1:t})%s then %s({2} : {2:t})%s into {0} : {0:t}" %
        (function, scalar, then, " reversed" * bool(then_reversed)), views, (0,))


def scan(dst: View, functions: tuple[str, str], data0: View, data1: View, initial: object,
         reversed0: bool, reversed1: bool) -> None:
    dst, data0, data1 = aligned(*operands(dst, data0, data1))
    views = [dst, data0, data1]
    if isinstance(initial, View):
        views.append(column(initial, dst.shape[0]))
        start = "initials({3} : {3:t})"
    else:
        start = "initial " + real(initial)
    Recorder.current.add(
        "trn.tensor_tensor_scan %s, %s({1} : {1:t}, {2} : {2:t}) %s%s%s into {0} : {0:t}" %
        (*functions, start, " reversed0" * bool(reversed0), " reversed1" * bool(reversed1)),
        views, (0,))


def reduce(dst: View, function: str, src: View, axes: Sequence[int], negates: bool) -> None:
    """Over `axes` of `src`, counted as the kernel does: 0 is the partition."""
    kept = [axis for axis in range(1, src.ndim) if axis not in axes]
    if src.ndim > MAX_RANK:
        kept = [axis for axis in kept if src.shape[axis] != 1]
        axes = [axis for axis in axes if src.shape[axis] != 1] or axes[:1]
    order = [0, *kept, *axes]
    src = tile(_with(src, [src.dims[axis] for axis in order]))
    dst = tile(dst)
    outer = src.shape[1:1 + len(kept)] if kept else ()
    dims = [dim for dim in dst.dims[1:] if dim.size != 1]
    if [dim.size for dim in dims] != [size for size in outer if size != 1]:
        raise NkiError("nki_r3", "a reduction of %s over %s leaves %s, but the result is %s" %
                       (src.shape, tuple(axes), (src.shape[0], *outer), dst.shape))
    wide = iter(dims)
    dims = [dst.dims[0], *[Dim(1, 1) if size == 1 else next(wide) for size in outer]]
    if len(dims) == 1:
        dims.append(Dim(1, 1))
    if src.ndim - len(kept) - 1 > 1:  # the folded dimensions as one, if they can be
        folded = src._merge(src.dims[1 + len(kept):])
        if folded is not None:
            src = _with(src, [*src.dims[:1 + len(kept)], folded])
    Recorder.current.add("trn.tensor_reduce %s({1} : {1:t})%s into {0} : {0:t}" %
                         (function, " negated" * bool(negates)), [_with(dst, dims), src], (0,))


def reciprocal(dst: View, src: View) -> None:
    dst, src = aligned(dst, src)
    Recorder.current.add("trn.reciprocal {1} into {0} : {1:t} to {0:t}", [dst, src], (0,))


def select(dst: View, condition: View, on_true: View, on_false: View) -> None:
    tiles = aligned(*operands(dst, condition, on_true, on_false))
    Recorder.current.add("trn.select if({1} : {1:t}) then({2} : {2:t}) else({3} : {3:t}) "
                         "into {0} : {0:t}", tiles, (0,))


def matmul(dst: View, stationary: View, moving: View,
           accumulate: Condition | bool) -> None:
    dst, stationary, moving = (aligned(one)[0] for one in (dst, stationary, moving))
    if dst.memory != "psum":
        raise NkiError("tile_c3", "a product is written to %s, but its sums are made in PSUM" %
                       dst.memory.upper())
    for name, one in (("stationary", stationary), ("moving", moving)):
        if one.memory != "sbuf":
            raise NkiError("tile_c2", "the %s tile is in %s, but the tensor engine reads SBUF" %
                           (name, one.memory.upper()))
    stationary, moving = _widened(stationary), _widened(moving)
    if isinstance(accumulate, Condition) and len(accumulate.parts) > 1:
        accumulate = bool(accumulate)  # an instruction takes one comparison: loops are unrolled
    condition = None if accumulate is False else accumulate
    Recorder.current.add(
        "trn.matmul stationary({1} : {1:t}) moving({2} : {2:t}) into {0} : {0:t}",
        [dst, stationary, moving], (0,), condition)


def _widened(view: View) -> View:
    """A tile of float8 as one of bf16, which holds its values: the product is the same."""
    if not view.element.startswith("f8"):
        return view
    made = View.of(Recorder.current.allocate(view.shape, "bf16", "sbuf"))
    copy(made, view)
    return made


def transpose(dst: View, src: View, engine: str | None) -> None:
    dst, src = aligned(dst)[0], aligned(src)[0]
    Recorder.current.add("trn.transpose {1} into {0} : {1:t} to {0:t}" + _engine(engine),
                         [dst, src], (0,))


def dma_transpose(dst: View, src: View) -> None:
    """On DMA engines that turn two-byte types; other types element by element, and from tile to
    tile by way of HBM, in the time of both transfers."""
    if src.element in ("bf16", "f16") and src.element == dst.element and src.ndim == 2:
        dst.check_bounds(), src.check_bounds()
        Recorder.current.add("trn.dma_transpose {1} to {0} : {1:t} to {0:t}", [dst, src], (0,))
    elif dst.is_on_chip and src.is_on_chip:
        scratch = View.of(Recorder.current.allocate(src.shape, src.element, "hbm"))
        dma_copy(scratch, src)
        dma_copy(dst, scratch.permuted((1, 0)))
    else:
        dma_copy(dst, src.permuted((1, 0)))
