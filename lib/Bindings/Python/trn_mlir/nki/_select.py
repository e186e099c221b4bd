# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions of `nki.isa` that count, choose, search and move across partitions."""

from __future__ import annotations

from . import _ops
from ._affine import Condition, Index
from ._call import Call, handles
from ._errors import NkiError
from ._recorder import Recorder
from ._tensor import View


@handles("isa", "iota")
def _iota(call: Call) -> object:
    if call.expr is not None:  # beta 1: a grid
        grid = call.expr
        shape, base, steps = grid.shape, grid.base, grid.steps
        result = call.result(shape, "f32")
    else:
        result = call.tile("dst")
        steps = [int(call.channel_multiplier), *[int(step) for step, _count in call.pattern]]
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
        steps = [int(call.channel_multiplier), *[int(step) for step, _count in call.pattern]]
    if base.terms:
        base = Index.of(int(base))
    parts = call.masked(result, on_true)
    if parts is None:
        return result
    if result.box_at is not None:
        base = Index.of(base + sum(step * start for step, start in
                                   zip(steps, result.box_at[0])))
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
    _add(name + " {1} into {0} : {1:t} to {0:t}",
         [_ops.aligned(result)[0], _ops.aligned(src)[0]])
    return call.finish(result)


@handles("isa", "nc_find_index8")
def _find_index8(call: Call) -> object:
    data, values = call.tile("data"), call.tile("vals")
    result = call.result((data.shape[0], _EIGHT), "f32")
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


@handles("isa", "nc_stream_shuffle")
def _stream_shuffle(call: Call) -> object:
    """Both versions write a tile that they are given."""
    mask = ", ".join(str(int(one)) for one in call.shuffle_mask)
    _add("stream_shuffle {1} into {0} mask [%s] : {1:t} to {0:t}" % mask,
         [_ops.aligned(call.tile(name))[0] for name in ("dst", "src")])
