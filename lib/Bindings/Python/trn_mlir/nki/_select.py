# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions of `nki.isa` that count, choose, search and move across partitions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from . import _ops
from ._affine import Condition, Index
from ._call import Call, handles
from ._errors import NkiError
from ._masks import holds_less, reduced_part, starts_of
from ._recorder import Recorder
from ._tensor import View
from ._values import tile_of


def _walk(pattern: Sequence, views: Sequence[View]) -> tuple[list[int], list[View]]:
    """The steps of a pattern, [step, count] for each dimension, along the free dimensions of
    views, which may have other sizes: elements are counted through."""
    first, *others = [_ops.tile(view) for view in views]
    views = [first, *[one if one.shape == first.shape else one.reshaped(first.shape)
                      for one in others]]
    steps = [int(step) for step, _count in pattern]
    counts = [int(count) for _step, count in pattern]
    free = first.shape[1:]
    if math.prod(counts) != math.prod(free):
        raise NkiError("nki_r3", "a pattern of %s has %d elements, but a partition of the tile has "
                       "%d; they are as many" % (pattern, math.prod(counts), math.prod(free)))
    if tuple(counts) == free:
        return steps, views
    merged: list[list[int]] = []  # dimensions of the pattern that are one
    for step, count in zip(steps, counts):
        if count == 1:
            continue
        if merged and merged[-1][0] == step * count:
            merged[-1] = [step, merged[-1][1] * count]
        else:
            merged.append([step, count])
    if len(merged) < 2:
        step = merged[0][0] if merged else 0
        return [step * math.prod(free[at + 1:]) for at in range(len(free))], views
    sizes = [count for _step, count in merged]
    return [step for step, _count in merged], \
        [view.reshaped((view.shape[0], *sizes)) for view in views]


@handles("isa", "iota")
def _iota(call: Call) -> object:
    if call.expr is not None:  # beta 1: a grid
        grid = call.expr
        shape, base, steps = grid.shape, grid.base, grid.steps
        result = call.result(shape, "f32")
    else:
        free, (result,) = _walk(call.pattern, [call.tile("dst")])
        steps = [int(call.channel_multiplier), *free]
        base = Index.of(call.offset)
    if base.terms:
        base = Index.of(int(base))
    dst = _ops.tile(result)
    free = list(steps[1:]) or [0]
    if dst.ndim == 2:
        walk = "step %d" % free[-1]
    else:
        walk = "steps [%s]" % ", ".join(map(str, free))
    partition = " partition_step %d" % steps[0] if steps[0] else ""
    Recorder.current.add("trn.iota {0} start %d %s%s : {0:t}" % (base.constant, walk, partition),
                         [dst], (0,))
    return call.finish(result)


@handles("isa", "affine_select")
def _affine_select(call: Call) -> object:
    on_true = call.tile("on_true_tile")
    result = call.result(on_true.shape, on_true.element)
    if call.pred is not None:  # beta 1: a condition on grids
        if not isinstance(call.pred, Condition) or len(call.pred.parts) != 1:
            raise NkiError("nki_r5", "affine_select takes one comparison of an affine expression")
        value, predicate = call.pred.parts[0]
        base = value if isinstance(value, Index) else value.base
        steps = value.expanded(result.shape) if not isinstance(value, Index) else \
            (0,) * result.ndim
    else:
        base, predicate = Index.of(call.offset), call.function("cmp_op", "binary")
        free, (result, on_true) = _walk(call.pattern, [result, on_true])
        steps = [int(call.channel_multiplier), *free]
    if base.terms:
        base = Index.of(int(base))
    parts = call.masked(result, on_true)
    if parts is None:
        return result
    base = Index.of(base + sum(step * start for step, start in
                               zip(steps, starts_of(parts[0], result))))
    dst, src = _ops.tile(parts[0]), _ops.in_sbuf(_ops.tile(parts[1]))
    free = list(steps[1:]) or [0]
    is_identity = predicate == "eq" and base.constant == 0 and len(free) == 1 and \
        (steps[0], free[0]) in ((1, -1), (-1, 1)) and src.buffer.constant == 1 and \
        float(call.on_false_value) == 0 and dst.shape == dst.buffer.shape
    Recorder.current.add(
        "trn.affine_select %s({1} : {1:t}) start %d partition_step %d steps [%s] otherwise %s "
        "into {0} : {0:t}" % (predicate, base.constant, steps[0], ", ".join(map(str, free)),
                              _ops.real(call.on_false_value)), [dst, src], (0,))
    dst.buffer.is_identity = is_identity
    return call.finish(result)


@handles("isa", "tensor_partition_reduce")
def _partition_reduce(call: Call) -> object:
    data = call.tile("data")
    result = call.result((1, *data.shape[1:]), data.element)
    dst, src = _ops.aligned(result)[0], _ops.aligned(_ops.in_sbuf(data))[0]
    _add("partition_reduce %s({1} : {1:t}) into {0} : {0:t}" % call.function("op", "reduce"),
         [dst, src])
    return call.finish(result)


def _add(text: str, views: list[View], writes: tuple[int, ...] = (0,)) -> None:
    Recorder.current.add("trn." + text, views, writes)


# Values that an instruction leaves for a partition, or that it looks for.
_EIGHT = 8
_RESULTS = {"bn_stats": 6, "bn_aggr": 2, "max8": _EIGHT}


@handles("isa", "bn_stats", "bn_aggr", "max8")
def _statistics(call: Call) -> object:
    name = call.name.split(".")[-1]
    src = call.tile("src" if name == "max8" else "data")
    result = call.result((src.shape[0], _RESULTS[name]), src.element)
    read = reduced_part(call.mask, src)
    if read is None:
        return result
    into = result
    if read.shape[0] != src.shape[0]:
        starts, sizes = (read.partition - src.partition, 0), (read.shape[0], _RESULTS[name])
        into = result.box(starts, sizes)
        if call.dst is None:
            result.box_at, result.buffer.valid = (starts, sizes), (starts, sizes)
        elif not holds_less(result, into):
            into, read = result, src
    _add(name + " {1} into {0} : {1:t} to {0:t}",
         [_ops.aligned(into)[0], _ops.aligned(read)[0]])
    return call.finish(result)


@handles("isa", "nc_find_index8")
def _find_index8(call: Call) -> object:
    data, values = call.tile("data"), call.tile("vals")
    result = call.result((data.shape[0], _EIGHT), "ui32")
    tiles = [_ops.aligned(one)[0] for one in (result, data, values)]
    _add("find_index8 data({1} : {1:t}) values({2} : {2:t}) into {0} : {0:t}", tiles)
    return call.finish(result)


@handles("isa", "nc_match_replace8")
def _match_replace8(call: Call) -> object:
    data, values = call.tile("data"), call.tile("vals")
    result = call.result(data.shape, data.element)
    tiles = [_ops.aligned(one)[0] for one in (result, data, values)]
    indices, writes = "", (0,)
    if call.dst_idx is not None:
        tiles.append(_ops.aligned(call.tile("dst_idx"))[0])
        indices, writes = " indices({3} : {3:t})", (0, 3)
    _add("match_replace8 data({1} : {1:t}) values({2} : {2:t}) replacement %s%s into {0} : {0:t}" %
         (_ops.real(call.imm), indices), tiles, writes)
    return call.finish(result)


@handles("isa", "nc_n_gather")
@handles("language", "gather_flattened")
def _gather(call: Call) -> object:
    """Elements of each partition, which indices count over its free dimensions."""
    data, indices = call.tile("data"), call.tile("indices")
    if call.axis:
        raise NkiError("nki_r2", "%s along axis %s, but indices count over all free dimensions, "
                       "which is axis 0" % (call.name, call.axis))
    result = call.result(indices.shape, data.element)
    tiles = [_ops.aligned(data)[0], *_ops.aligned(indices, result)]
    _add("partition_gather data({1} : {1:t}) indices({2} : {2:t}) into {0} : {0:t}",
         [tiles[2], tiles[0], tiles[1]])
    return call.finish(result)


@handles("isa", "dropout")
def _dropout(call: Call) -> object:
    """What leaves out all of a tile, or nothing, is no matter of chance."""
    data, rate = call.tile("data"), call.prob
    if isinstance(rate, View) or float(rate) not in (0.0, 1.0):
        raise NkiError("nki_r2", "%s with a probability of %s leaves elements out at random, so "
                       "that there are no values to compare; give it 0.0 or 1.0" %
                       (call.name, "a tile" if isinstance(rate, View) else rate))
    return call.map([data], data.element, lambda dst, src: _ops.fill(dst, 0.0) if rate else
                    _ops.copy(dst, src, "vector"))


@handles("isa", "nc_stream_shuffle")
def _stream_shuffle(call: Call) -> object:
    """Both versions write a tile that they are given."""
    mask = ", ".join(str(int(one)) for one in call.shuffle_mask)
    _add("stream_shuffle {1} into {0} mask [%s] : {1:t} to {0:t}" % mask,
         [_ops.aligned(call.tile(name))[0] for name in ("dst", "src")])


#===----------------------------------------------------------------------===//
# Instructions that the dialect has no op for, composed of others: the values are those that are
# documented, the time is that of the composition.
#===----------------------------------------------------------------------===//


def _commands(call: Call, *known: str) -> str:
    """`reduce_cmd`, as far as registers need not outlive the instruction."""
    command = getattr(call.reduce_cmd, "name", "idle")
    if command not in known:
        raise NkiError("nki_r2", "%s with reduce_cmd.%s is not computed here, as it reads a "
                       "register that an instruction before it left" % (call.name, command))
    return command


def _constant(value: float, like: View) -> View:
    made = tile_of(like.shape, "f32")
    _ops.fill(made, value)
    return made


def _reduce_and_store(call: Call, chosen: View) -> object:
    """Folds what was computed in f32, and rounds it to the type of the result."""
    if _commands(call, "idle", "reset_reduce") == "reset_reduce" and call.reduce_res is not None:
        if call.function("reduce_op", "reduce") != "max":
            raise NkiError("nki_r2", "%s folds by nl.maximum only" % call.name)
        _ops.reduce(call.tile("reduce_res"), "max", chosen, range(1, chosen.ndim), False)
    result = call.result(chosen.shape, "f32")
    _ops.copy(result, chosen, "vector")
    return call.finish(result)


@handles("isa", "range_select")
def _range_select(call: Call) -> object:
    """ISA:2819. Where positions are within bounds of their partition, else the least f32."""
    data = _ops.aligned(call.tile("on_true_tile"))[0]
    positions, mask, chosen = (tile_of(data.shape, "f32") for _ in range(3))
    if data.ndim != 2:
        raise NkiError("nki_r4", "range_select of a tile of %d dimensions" % data.ndim)
    other = call.on_false_value
    if other is not None and other is not Ellipsis and abs(float(other) / _LEAST - 1) > 1e-7:
        raise NkiError("nki_r2", "range_select with on_false_value %s, which is always nl.fp32.min" %
                       other)
    _add("iota {0} start %d step 1 : {0:t}" % int(call.range_start), [positions])
    bounds = [(call.function("comp_op%d" % at, "binary"), call.tile("bound%d" % at))
              for at in (0, 1)]
    _ops.tensor_scalar(mask, positions, [(*bounds[0], False)])
    _ops.scalar_tensor_tensor(mask, positions, (*bounds[1], False), ("mul", mask, False))
    _ops.select(chosen, mask, data, _constant(_LEAST, data))
    return _reduce_and_store(call, chosen)


_LEAST = -3.4028234663852886e38


@handles("isa", "select_reduce")
def _select_reduce(call: Call) -> object:
    """ISA:2899. A choice, and its largest."""
    predicate, on_true = call.tile("predicate"), call.tile("on_true")
    other = call.on_false if isinstance(call.on_false, View) else \
        _constant(float(call.on_false), on_true)
    chosen = tile_of(on_true.shape, "f32")
    sides = (other, on_true) if call.reverse_pred else (on_true, other)
    _ops.select(chosen, predicate, *sides)
    return _reduce_and_store(call, chosen)


# What a running fold starts with, and how a scan computes it: its functions, and the data that
# the one before is combined with (None: what is folded).
_RUNNING = {"add": (0.0, ("mul", "add"), 1.0), "sub": (0.0, ("mul", "add"), -1.0),
            "mul": (1.0, ("mul", "mul"), None), "max": (float("-inf"), ("max", "max"), None),
            "min": (float("inf"), ("min", "min"), None)}


@handles("isa", "tensor_scalar_cumulative")
def _cumulative(call: Call) -> object:
    """ISA:1254. `result = op1(op0(data, imm0), result)`, from left to right."""
    data, function = call.tile("src"), call.function("op1", "binary")
    if function not in _RUNNING:
        raise NkiError("nki_r2", "tensor_scalar_cumulative folds by add, subtract, multiply, "
                       "maximum or minimum")
    start, functions, factor = _RUNNING[function]
    if _commands(call, "reset_reduce", "load_reduce") == "load_reduce":
        start = call.imm1
    values = tile_of(data.shape, "f32")
    _ops.tensor_scalar(values, data, [(call.function("op0", "binary"), call.imm0, False)])
    first = _constant(factor if factor is not None else 1.0, values)
    if function in ("max", "min", "mul"):
        first, values = values, first if function == "mul" else values
    _ops.scan(call.tile("dst"), functions, first, values, start, False, False)
    return None
