# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `nki.language`, of all versions. What the vendor composes of several
instructions is composed of the same here."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Sequence

import numpy as np

from . import _ops
from ._address import call_allocator, call_stack, read_address, read_place
from ._affine import Grid, Index, broadcast
from ._call import Call, function_of, handles
from ._errors import NkiError
from ._isa import axes_of, copied, note_load, reduce_into, reduced
from ._masks import solve_mask
from ._recorder import Range, Recorder
from ._rows import Rows, transfer
from ._integers import integer_of
from ._sums import note_product
from ._tensor import BYTES, Buffer, DynamicSlice, View
from ._types import element_of, wider
from ._values import Blocks, LoopReduced, Tensor, combine_into, elementwise, finished, tile_of

#===----------------------------------------------------------------------===//
# Tensors.
#===----------------------------------------------------------------------===//


class ParDim(int):
    """`nl.par_dim(128)`: the dimension of partitions."""


class Region:
    """`nl.sbuf` and its kin."""

    def __init__(self, word: str, memory: str) -> None:
        self.word, self.memory = word, memory
        self.name = word.split(".")[-1]

    def __repr__(self) -> str:
        return self.word

    def __eq__(self, other: object) -> bool:
        return getattr(other, "word", other) in (self.word, self.name)

    def __hash__(self) -> int:
        return hash(self.word)


def declare(shape: object, dtype: object, buffer: object, name: str = "",
            address: object = None) -> object:
    sizes = list(shape) if isinstance(shape, (tuple, list, Sequence)) else [shape]
    par = ([i for i, one in enumerate(sizes) if isinstance(one, ParDim)] or [0])[0]
    sizes = [operator.index(size) for size in sizes]
    if min(sizes, default=1) < 1:
        raise NkiError("nki_r3", "a tensor of %s; sizes are at least 1" % (tuple(sizes),))
    integer = integer_of(dtype)
    made = _declare(sizes, par, "f32" if integer else element_of(dtype), buffer, name)
    for tile in made.tiles if isinstance(made, Blocks) else [made]:
        tile.buffer.integer = integer
    if address is not None and isinstance(made, Tensor) and made.is_on_chip:
        made.buffer.address = read_address(address, made.memory,
                                           BYTES[made.element] * made.buffer.row,
                                           Recorder.current.loops)
    return made


def _declare(sizes: list[int], par: int, element: str, buffer: object, name: str) -> object:
    memory = getattr(buffer, "memory", None) or ("sbuf" if buffer is None else str(buffer))
    if memory == "hbm":
        return _declare_hbm(sizes, element, buffer, name)
    if memory not in ("sbuf", "psum"):
        raise NkiError("nki_r3", "there is no buffer %r" % (buffer,))
    place = getattr(buffer, "place", None)
    if par > 0 and (memory == "psum" or place):
        return _declare_blocks(sizes[:par], sizes[par:], element, memory, name, place)
    if place:
        return _declare_block((), sizes, element, memory, name, place)
    physical = [sizes[par], *sizes[:par], *sizes[par + 1:]]
    if len(physical) == 1:
        physical.append(1)
    tile = tile_of(physical, element, memory)
    tile.buffer.name = name
    if par > 0:
        tile.buffer.blocks = tuple(sizes[:par])
        dims = list(tile.dims)
        return tile.like([*dims[1:1 + par], dims[0], *dims[1 + par:]])
    return tile if len(sizes) > 1 else tile.like(tile.dims[:1])


def _declare_blocks(blocks: list[int], sizes: list[int], element: str, memory: str, name: str,
                    place: object) -> Blocks:
    """A tile for each block."""
    tiles = [_declare_block(index, sizes, element, memory, name, place)
             for index in itertools.product(*map(range, blocks))]
    return Blocks(tuple(blocks), tiles, tiles[0].dtype)


def _declare_block(index: tuple[int, ...], sizes: list[int], element: str, memory: str, name: str,
                   place: Callable | None) -> Tensor:
    """One block, where the kernel places it."""
    if place is None:
        return tile_of(sizes, element, memory)
    given = call_allocator(place, index, sizes[0], BYTES[element] * math.prod(sizes[1:]))
    tile = tile_of(sizes, element, memory)
    tile.buffer.address = Recorder.current.place_once((index, call_stack()),
                                                      read_place(given, memory))
    tile.buffer.name = name
    return tile


def _declare_hbm(sizes: list[int], element: str, buffer: object, name: str) -> Tensor:
    recorder = Recorder.current
    word = getattr(buffer, "word", buffer)
    if word in ("nl.shared_hbm", "shared_hbm"):
        made = Tensor.of(recorder.share(tuple(sizes), element, name))
    else:
        made = Tensor.of(recorder.allocate(tuple(sizes), element, "hbm", name))
    made.buffer.word = getattr(buffer, "word", made.buffer.word)
    return made


@handles("language", "ndarray", "empty_like")
def _ndarray(call: Call) -> object:
    like = call.a if call.a is not None else call.x
    if like is not None:
        buffer = call.buffer if call.buffer is not None else like.memory
        return declare(like.shape, call.dtype or like.dtype, buffer)
    name = call.arguments.get("name")  # `call.name` is that of the operation
    return declare(call.shape, call.dtype, call.buffer, name if isinstance(name, str) else "",
                   call.address)


@handles("language", "zeros", "ones", "full", "zeros_like")
def _filled(call: Call) -> object:
    kind = call.name.split(".")[-1]
    made = _ndarray(call)
    value = {"zeros": 0.0, "zeros_like": 0.0, "ones": 1.0}.get(kind, call.fill_value)
    tiles = made.tiles if isinstance(made, Blocks) else [made]
    for tile in tiles:
        if tile.memory == "psum" and value == 0:
            tile.buffer.is_zero = True  # sums of products: the first overwrites
            continue
        _ops.fill(tile, float(value))
    return made


@handles("language", "par_dim")
def _par_dim(call: Call) -> object:
    return ParDim(call.args[0])


@handles("language", "arange")
def _arange(call: Call) -> object:
    limits = [Index.of(limit) for limit in call.args]
    start, stop = (Index(), limits[0]) if len(limits) == 1 else limits[:2]
    step = int(Index.of(limits[2]).simplified()) if len(limits) > 2 else 1
    size = int(Index.of(stop - start).simplified())
    grid = Grid.arange(0, size, step)
    return grid + start


@handles("language", "ds")
def _ds(call: Call) -> object:
    return DynamicSlice(call.start, call.size)


@handles("language", "affine_range", "sequential_range", "dynamic_range")
def _range(call: Call) -> object:
    return Range(*_limits(call), is_affine=call.name == "nl.affine_range")


@handles("language", "static_range")
def _static_range(call: Call) -> object:
    return range(*map(operator.index, _limits(call)))


def _limits(call: Call) -> list:
    if call.args is not None:
        return list(call.args)
    if call.stop is None:
        return [call.start]
    return [call.start, call.stop, call.step]


@handles("language", "fori_loop")
def _fori_loop(call: Call) -> object:
    for index in Range(call.lower, call.upper, call.step):
        call.body_fun(index)


@handles("language", "program_id")
def _program_id(call: Call) -> object:
    axis = int(call.axis or 0)
    ids = Recorder.current.program_ids
    return ids[axis] if axis < len(ids) else 0


@handles("language", "num_programs")
def _num_programs(call: Call) -> object:
    grid = Recorder.current.grid
    axes = call.axes
    if axes is None:
        axes = range(len(grid))
    elif hasattr(axes, "__index__"):
        axes = [axes]
    count = 1
    for axis in axes:
        count *= grid[axis] if axis < len(grid) else 1
    return count


@handles("language", "program_ndim")
def _program_ndim(call: Call) -> object:
    return len(Recorder.current.grid)


@handles("language", "shared_constant")
def _shared_constant(call: Call) -> object:
    given = call.constant
    values = np.load(given) if isinstance(given, str) else np.asarray(given)
    element = element_of(call.dtype) if call.dtype is not None else "f32"
    if values.dtype == np.float16:
        element = "f16"
    buffer = Buffer(values.shape, element, "hbm")
    buffer.is_identity = values.ndim == 2 and values.shape[0] == values.shape[1] and \
        bool(np.array_equal(values, np.eye(values.shape[0])))
    Recorder.current.constants.append((buffer, values.astype(np.float32)))
    return Tensor.of(buffer)


@handles("language", "shared_identity_matrix")
def _shared_identity_matrix(call: Call) -> object:
    buffer = Buffer((call.n, call.n), element_of(call.dtype), "hbm")
    buffer.is_identity = True
    Recorder.current.constants.append((buffer, np.eye(call.n, dtype=np.float32)))
    return Tensor.of(buffer)


@handles("language", "device_print", "random_seed")
def _nothing(call: Call) -> object:
    return None


#===----------------------------------------------------------------------===//
# Transfers.
#===----------------------------------------------------------------------===//


@handles("language", "load")
def _load(call: Call) -> object:
    if isinstance(call.src, Rows):
        return _load_rows(call, call.src)
    src = call.tile("src")
    if src.ndim < 2:
        src = src.with_ones(2 - src.ndim)
    result = tile_of(src.shape, element_of(call.dtype) if call.dtype is not None else src.element)
    parts = call.masked(result, src)
    if parts is None:
        return result
    _ops.dma_copy(*parts)
    made = finished(result)
    if parts[0] is result:
        note_load(result, src)
    return made


def _load_rows(call: Call, src: Rows) -> object:
    if call.mask is not None:
        raise NkiError("nki_r2", "nl.load of rows that a tile chooses takes no mask here")
    result = tile_of(src.shape, element_of(call.dtype) if call.dtype is not None else src.element)
    transfer(result, src, skips=False)
    return finished(result)


@handles("language", "load_transpose2d")
def _load_transpose2d(call: Call) -> object:
    src = call.tile("src")
    result = tile_of((src.shape[1], src.shape[0]),
                     element_of(call.dtype) if call.dtype is not None else src.element)
    if call.mask is not None:
        starts, sizes = solve_mask(call.mask, src.shape)
        if 0 in sizes:
            return result
        result.box_at = (starts[::-1], sizes[::-1])
        result.buffer.valid = (tuple(starts[::-1]), tuple(sizes[::-1]))
        _ops.dma_transpose(result.box(*result.box_at), src.box(starts, sizes))
    else:
        _ops.dma_transpose(result, src)
    return finished(result)


@handles("language", "store")
def _store(call: Call) -> object:
    value = call.value
    if isinstance(call.dst, Rows) and isinstance(value, View) and call.mask is None:
        return transfer(call.dst, value, skips=False)
    dst = call.tile("dst")
    if isinstance(value, (int, float)):
        return _ops.fill(dst, float(value))
    if not isinstance(value, View):
        raise NkiError("nki_r3", "nl.store of %r; a tile is stored" % type(value).__name__)
    if value.shape != dst.shape:
        value = value.reshaped(dst.shape) if value.num_elements == dst.num_elements else \
            value.repeated(dst.shape)
    parts = call.masked(dst, value)
    if parts is not None:
        _ops.dma_copy(*parts)
    return None


#===----------------------------------------------------------------------===//
# Element by element.
#===----------------------------------------------------------------------===//

_BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "mod", "fmod",
           "equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "logical_and",
           "logical_or", "logical_xor", "abs_max", "abs_min")
_UNARY = ("exp", "log", "sqrt", "rsqrt", "square", "tanh", "sigmoid", "relu", "gelu", "silu",
          "gelu_apprx_tanh", "gelu_apprx_sigmoid", "softplus", "mish", "erf", "sin", "arctan",
          "sign", "abs", "erf_dx", "gelu_dx", "silu_dx", "gelu_apprx_sigmoid_dx")


@handles("language", *_BINARY)
def _binary(call: Call) -> object:
    x, y = call.x, call.y
    if not isinstance(x, View) and not isinstance(y, View):
        raise NkiError("nki_r3", "%s of two numbers; one of them is a tile" % call.name)
    return elementwise(function_of(_Named(call.name), "binary", call.name), x, y,
                       dtype=call.dtype, mask=call.mask)


class _Named:
    def __init__(self, word: str) -> None:
        self.word = word


@handles("language", *_UNARY)
def _unary(call: Call) -> object:
    x = call.tile("x")
    function = function_of(_Named(call.name), "activation", call.name)
    return call.map([x], x.element, lambda dst, src: _ops.activation(dst, function, src))


@handles("language", "copy", "static_cast")
def _copy(call: Call) -> object:
    x = call.src if call.src is not None else call.x if call.x is not None else call.input_data
    return copied(call, call.result(x.shape, x.element), x)


@handles("language", "negative")
def _negative(call: Call) -> object:
    x = call.tile("x")
    return call.map([x], x.element, lambda dst, src: _ops.tensor_scalar(
        dst, src, [("mul", -1.0, False)]))


@handles("language", "where")
def _where(call: Call) -> object:
    condition = call.tile("condition")
    tiles = [one for one in (call.x, call.y) if isinstance(one, View)]
    element = functools.reduce(wider, [one.element for one in tiles]) if tiles else "f32"
    result = call.result(broadcast(condition.shape, *[one.shape for one in tiles]), element)
    parts = call.masked(result, condition, *tiles)
    if parts is None:
        return result
    into, condition, *tiles = parts
    sides = [tiles.pop(0) if isinstance(one, View) else _tile_filled(into, one)
             for one in (call.x, call.y)]
    _ops.select(into, condition, *sides)
    return call.finish(result)


def _tile_filled(like: View, value: object) -> View:
    made = tile_of(like.shape, like.element)
    _ops.fill(made, float(value))
    return made


#===----------------------------------------------------------------------===//
# Reductions, products and layouts.
#===----------------------------------------------------------------------===//


@handles("language", "sum", "max", "min", "prod")
def _reduce(call: Call) -> object:
    x = call.tile("x")
    axes = axes_of(call.axis, x.ndim)
    result = call.result(reduced(x.shape, axes, bool(call.keepdims)), x.element)
    function = {"sum": "add", "prod": "mul"}.get(call.name[3:], call.name[3:])
    return reduce_into(call, result, function, x, axes, False)


@handles("language", "softmax")
def _softmax(call: Call) -> object:
    x = call.tile("x")
    axes = axes_of(call.axis, x.ndim)
    result = call.result(x.shape, x.element)
    parts = call.masked(result, x)
    if parts is None:
        return result
    into, x = parts
    column = reduced(x.shape, axes, True)
    top, sums = tile_of(column, "f32"), tile_of(column, "f32")
    _ops.reduce(top, "max", x, axes, True)
    powers = tile_of(x.shape, "f32")
    if len(axes) == x.ndim - 1:
        _ops.activation(powers, "exp", x, 1.0, top)
    else:
        _ops.tensor_tensor(powers, "add", x, top)
        _ops.activation(powers, "exp", powers)
    _ops.reduce(sums, "add", powers, axes, False)
    _ops.reciprocal(sums, sums)
    combine_into(into, "mul", powers, sums)
    return call.finish(result)


@handles("language", "rms_norm")
def _rms_norm(call: Call) -> object:
    x, weight = call.tile("x"), call.tile("w")
    axes = axes_of(call.axis, x.ndim)
    result = call.result(x.shape, x.element)
    parts = call.masked(result, x, weight)
    if parts is None:
        return result
    into, x, weight = parts
    squares = tile_of(x.shape, "f32")
    sums = tile_of(reduced(x.shape, axes, True), "f32")
    _ops.activation(squares, "square", x)
    _ops.reduce(sums, "add", squares, axes, False)
    _ops.tensor_scalar(sums, sums, [("mul", 1.0 / call.n, False), ("add", call.epsilon, False)])
    _ops.activation(sums, "rsqrt", sums)
    scaled = tile_of(x.shape, "f32")
    combine_into(scaled, "mul", x, sums)
    combine_into(into, "mul", scaled, weight)
    return call.finish(result)


@handles("language", "matmul")
def _matmul(call: Call) -> object:
    """x * y, or the transposed x, with at most 128 partitions to sum over."""
    x, y = call.tile("x"), call.tile("y")
    if not call.transpose_x:
        x = _transposed(x)
    rows = x.num_elements // x.shape[0]
    result = call.result((rows, y.num_elements // y.shape[0]), "f32", "psum")
    _ops.matmul(result, _ops.in_sbuf(x), _ops.in_sbuf(y), False)
    note_product(result)
    return call.finish(result)


def _transposed(x: View) -> View:
    """On the tensor engine, and back to SBUF."""
    x = _ops.in_sbuf(x)
    free = x.num_elements // x.shape[0]
    element = "f32" if Recorder.current.machine == "trn1" else x.element
    turned = tile_of((free, x.shape[0]), element, "psum")
    _ops.transpose(turned, x, "tensor")
    back = tile_of((free, x.shape[0]), x.element)
    _ops.copy(back, turned)
    return back


@handles("language", "transpose")
def _transpose(call: Call) -> object:
    x = _ops.in_sbuf(call.tile("x"))
    free = x.num_elements // x.shape[0]
    element = "f32" if Recorder.current.machine == "trn1" else x.element
    result = call.result((free, x.shape[0]), element, "psum")
    _ops.transpose(result, x, "tensor")
    return call.finish(result)


@handles("language", "broadcast_to")
def _broadcast_to(call: Call) -> object:
    src = call.src if call.src is not None else call.x
    shape = tuple(call.shape)
    row = src.buffer.loaded_row
    if row is None or src.shape[0] != 1 or src.op is None or src.buffer.uses:
        return src.broadcast_to(shape)
    # A load that serves this alone: one row of HBM for every partition.
    src.op.is_spare = True
    result = tile_of(shape, src.element)
    _ops.dma_copy(result, row.reshaped(src.shape).repeated(shape))
    return finished(result)


@handles("language", "expand_dims")
def _expand_dims(call: Call) -> object:
    x = call.data if call.data is not None else call.x
    axes = [call.axis] if hasattr(call.axis, "__index__") else list(call.axis)
    for axis in sorted(axis + x.ndim + 1 if axis < 0 else axis for axis in axes):
        x = x.expand_dim(axis)
    return x


@handles("language", "loop_reduce")
def _loop_reduce(call: Call) -> object:
    """Folds over iterations of loops, NL26:990: the tile that it is assigned to is the other
    operand."""
    x = call.tile("x")
    _starts, sizes = solve_mask(call.mask, x.shape)
    if 0 not in sizes and tuple(sizes) != x.shape:
        raise NkiError("nki_r2", "nl.loop_reduce with a mask that leaves a part of the tile out is "
                       "not computed here; fold a slice of it")
    return LoopReduced(None if 0 in sizes else x, call.function("op", "binary"))
