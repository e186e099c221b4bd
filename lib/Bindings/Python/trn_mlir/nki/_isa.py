# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instructions of `nki.isa`, of all versions."""

from __future__ import annotations

import itertools

from . import _ops
from ._affine import Condition
from ._bits import compute_bits, operator_of
from ._call import Call, handles
from ._cores import COMPUTE_PIPE, check_ranks, waits_for_other
from ._errors import NkiError
from ._masks import holds_less, reduced_part, solve_mask, within_valid
from ._recorder import Recorder
from ._rows import Rows, transfer
from ._tensor import PARTITIONS, View
from ._types import wider
from ._sums import accumulates, is_sum_of_products, is_zeroed, note_product, note_zero
from ._values import Tensor, tile_of


@handles("isa", "nc_matmul")
def _nc_matmul(call: Call) -> object:
    stationary, moving = call.tile("stationary"), call.tile("moving")
    if Recorder.current.version == "beta1":  # whose compiler copies what a product left in PSUM
        stationary, moving = (_ops.in_sbuf(one) if one.memory == "psum" else one
                              for one in (stationary, moving))
    # `tile_position` and `tile_size` say which part of the array multiplies: the product is the
    # same. Products in other parts run beside it on a device, one after the other here.
    if getattr(call.perf_mode, "name", "none") != "none":
        raise NkiError("nki_r2", "nc_matmul with perf_mode %s needs float8" % call.perf_mode)
    rows, columns = _free(stationary), moving.shape[1:] if moving.ndim > 1 else (1,)
    if call.is_transpose and not moving.buffer.is_identity:
        raise NkiError("nki_r7", "nc_matmul with is_transpose, but the moving tile is not known to "
                       "be an identity matrix; load one, or use nisa.nc_transpose")
    if rows > PARTITIONS:
        raise NkiError("matmul_c3", "stationary free size is %d, but at most %d is allowed; split "
                       "the rows of the result" % (rows, PARTITIONS))
    if call.is_transpose:
        result = call.result((rows, *columns), _transposed(stationary.element), "psum")
    else:
        result = call.result((rows, *columns), "f32", "psum")
    boxes = _matmul_part(call, result, stationary, moving)
    if boxes is None:
        return result
    dst, stationary, moving = boxes
    if call.is_transpose:
        _ops.transpose(dst, stationary, "tensor")
    else:
        _ops.matmul(dst, stationary, moving, _accumulate(call, dst))
        if call.dst is None:
            note_product(dst)
    return call.finish(result)


def _matmul_part(call: Call, result: Tensor, stationary: View, moving: View) -> list | None:
    """A mask is over the result: rows are columns of the stationary tile."""
    if call.mask is None:
        return _columns_written(call, result, stationary, moving) or [result, stationary, moving]
    parts = call.masked(result)
    if parts is None or parts[0].shape == result.shape:
        return parts and [result, stationary, moving]
    starts, sizes = result.box_at
    return [parts[0],
            stationary.box((0, starts[0]), (stationary.shape[0], sizes[0])),
            moving.box((0, *starts[1:]), (moving.shape[0], *sizes[1:]))]


def _columns_written(call: Call, result: Tensor, stationary: View, moving: View) -> list | None:
    """A product of those columns that a masked load wrote, if it did not write all of them."""
    starts, sizes = within_valid(moving, [0] * moving.ndim, list(moving.shape))
    if call.dst is not None or call.is_transpose or moving.ndim != 2 or sizes[0] != moving.shape[0] or \
            sizes[1] in (0, moving.shape[1]):
        return None
    result.box_at = (0, starts[1]), (result.shape[0], sizes[1])
    result.buffer.valid = result.box_at
    return [result.box(*result.box_at), stationary, moving.box(starts, sizes)]


def _accumulate(call: Call, dst: View) -> Condition | bool:
    """0.6 says it, or leaves it to the compiler: the first product into a tile overwrites. So does
    the first one that is added to zeros."""
    if "accumulate" not in call.arguments:
        return False  # beta 1: `+=` says it
    given = call.accumulate
    if given is None or not isinstance(given, Condition) and given and is_zeroed(dst) and \
            is_sum_of_products(dst):
        return accumulates(dst)
    note_product(dst)
    return given if isinstance(given, Condition) else bool(given)


def _free(view: View) -> int:
    count = 1
    for size in view.shape[1:]:
        count *= size
    return count


def _transposed(element: str) -> str:
    """What the tensor engine leaves of a transpose: f32 on trn1."""
    return element if Recorder.current.machine != "trn1" else "f32"


@handles("isa", "nc_transpose")
def _nc_transpose(call: Call) -> object:
    data = call.tile("data")
    engine = call.engine_name
    rows = _free(data)
    if engine is None:
        engine = "vector" if max(data.shape[0], rows) <= 32 or data.memory == "psum" else "tensor"
    is_psum = engine == "tensor"
    result = call.result((rows, data.shape[0]),
                         _transposed(data.element) if is_psum else data.element,
                         "psum" if is_psum else "sbuf")
    _ops.transpose(result, data, engine)
    return call.finish(result)


@handles("isa", "activation", "activation_reduce")
def _activation(call: Call) -> object:
    data = call.tile("data")
    function = call.function("op", "activation")
    return call.map([data], data.element, lambda dst, src: _ops.activation(
        dst, function, src, _cut(call, call.scale, src), _cut(call, call.bias, src),
        _reduction(call, src)))


def _cut(call: Call, value: object, data: View) -> object:
    return value if value is None else _column(call, value, data)


def _scalar(value: object) -> object:
    """A number or a column."""
    return value if isinstance(value, View) or value is None else float(value)


def _reduction(call: Call, data: View) -> tuple | None:
    """`reduce_res` and its kin as what an instruction takes beside its result."""
    command = getattr(call.reduce_cmd, "name", None)
    if call.name.endswith("_reduce"):
        command = command or "reset_reduce"
    if command in (None, "idle"):
        if call.reduce_res is not None and not call.name.endswith("_reduce"):
            raise NkiError("nki_r2", "%s with reduce_res, but reduce_cmd is idle: the register "
                           "that it reads was not filled; give reduce_cmd.reset_reduce" % call.name)
        return None
    if command not in ("reset_reduce", "reduce") or call.reduce_res is None:
        raise NkiError("nki_r2", "%s with reduce_cmd.%s%s is not computed here; give reset_reduce "
                       "or reduce, and reduce_res" %
                       (call.name, command, "" if call.reduce_res is not None else
                        " and no reduce_res"))
    if call.reduce_init is not None:
        raise NkiError("nki_r2", "%s with reduce_init, which is for reduce_cmd.load_reduce alone" %
                       call.name)
    function = call.function("reduce_op", "reduce") if call.reduce_op is not None else "add"
    sums = call.tile("reduce_res")
    part = _column(call, sums, data)
    if call.mask is None and part is not sums and not holds_less(sums, part):
        raise NkiError("memory_c2", "%s spoils rows of reduce_res by rows of `data` that nobody "
                       "wrote; give it those that are written" % call.name)
    return function, part, command == "reduce"


def _check_one_in_psum(rule: str, a: View, b: View) -> None:
    if a.memory == b.memory == "psum":
        raise NkiError(rule, "at most one input may be in psum, but both are; copy one of them to "
                       "sbuf first")


@handles("isa", "tensor_tensor")
def _tensor_tensor(call: Call) -> object:
    lhs, rhs = call.tile("data1"), call.tile("data2")
    _check_one_in_psum("tensor_tensor_c4", lhs, rhs)
    function = call.function("op", "binary")
    return call.map([lhs, rhs], wider(lhs.element, rhs.element), lambda dst, lhs, rhs:
                    _ops.tensor_tensor(dst, function, lhs, rhs, engine=call.engine_name))


@handles("isa", "tensor_scalar", "tensor_scalar_reduce")
def _tensor_scalar(call: Call) -> object:
    data = call.tile("data")
    if operator_of(call.op0):
        return _bits_and_scalars(call, data)

    def emit(dst: View, src: View) -> None:
        steps = [_step(call, 0, src)]
        if call.op1 is not None:
            steps.append(_step(call, 1, src))
        reduction = _reduction(call, src)
        _scalar_steps(dst, src, steps, call.engine_name, reduction)
        if call.reduce_res_negate:
            _negate_sums(call, reduction)
    return call.map([data], data.element, emit)


def _bits_and_scalars(call: Call, data: Tensor) -> object:
    names = [one for one in (call.op0, call.op1) if one is not None]
    steps = [(operator_of(one), call.arguments["operand%d" % at]) for at, one in enumerate(names)]
    if None in [name for name, _number in steps] or call.reverse0 or call.reverse1 or \
            call.reduce_res is not None:
        raise NkiError("nki_r2", "%s by %s: operators of bits go by themselves, with the number on "
                       "the right, and fold nothing" % (call.name, call.op0))
    return call.map([data], data.element, lambda dst, src: compute_bits(call, dst, src, steps))


def _negate_sums(call: Call, reduction: tuple | None) -> None:
    if reduction is None or reduction[2]:
        raise NkiError("nki_r2", "%s with reduce_res_negate and without reduce_cmd.reset_reduce is "
                       "not computed here" % call.name)
    _ops.tensor_scalar(reduction[1], reduction[1], [("mul", -1.0, False)])


def _scalar_steps(dst: View, src: View, steps: list[tuple], engine: str | None,
                  reduction: tuple | None) -> None:
    """Instructions for one or two steps. The dialect has no step that drops a sign: it is the
    larger one of x and -x, by an instruction of its own."""
    at = next((number for number, step in enumerate(steps) if step[0] == "abs"), None)
    if at is None:
        return _ops.tensor_scalar(dst, src, steps, engine, reduction)
    if at:
        made = tile_of(src.shape, "f32")
        _ops.tensor_scalar(made, src, steps[:at], engine)
        src = made
    rest = steps[at + 1:] or ([("add", 0.0, False)] if reduction else [])
    made = tile_of(src.shape, "f32") if rest else dst
    _ops.scalar_tensor_tensor(made, src, ("mul", -1.0, False), ("max", src, False))
    return _scalar_steps(dst, made, rest, engine, reduction) if rest else None


_UNARY = {"nl.rsqrt": ("pow", -0.5, False), "nl.abs": ("abs", 0.0, False)}


def _step(call: Call, number: int, data: View) -> tuple:
    """One of the operators of tensor_scalar. Some take the data alone: kernels give them a zero
    beside it."""
    name, operand = "op%d" % number, call.arguments["operand%d" % number]
    word = getattr(call.arguments[name], "word", None)
    if word in _UNARY:
        if isinstance(operand, View) or operand:
            raise NkiError("nki_r2", "%s of %s is %s, which is computed of the data alone; "
                           "give it the operand 0.0" % (name, call.name, word))
        return _UNARY[word]
    return (call.function(name, "binary"), _column(call, operand, data),
            call.arguments["reverse%d" % number])


def _column(call: Call, operand: object, data: View) -> object:
    """A number, or one value for each partition of `data`, which is what masks, and rows that
    nobody wrote, leave of the call's."""
    if not isinstance(operand, View):
        return float(operand)
    whole, data, column = (_ops.tile(view) for view in (call.tile("data"), data, operand))
    first, count = data.partition - whole.partition, data.shape[0]
    if count == whole.shape[0] or first == 0 and count == column.shape[0]:
        return operand
    _ops.check_column(column, whole.shape[0])
    return column.box((first, *[0] * (column.ndim - 1)), (count, *[1] * (column.ndim - 1)))


@handles("isa", "scalar_tensor_tensor")
def _scalar_tensor_tensor(call: Call) -> object:
    data, other = call.tile("data"), call.tile("operand1")
    _check_one_in_psum("scalar_tensor_tensor_c5", data, other)
    return call.map(
        [data, other], wider(data.element, other.element),
        lambda dst, src, rhs: _ops.scalar_tensor_tensor(
            dst, src, (call.function("op0", "binary"), _column(call, call.operand0, src),
                       call.reverse0),
            (call.function("op1", "binary"), rhs, call.reverse1)))


@handles("isa", "tensor_tensor_scan")
def _scan(call: Call) -> object:
    data0, data1 = call.tile("data0"), call.tile("data1")
    result = call.result(data0.shape, wider(data0.element, data1.element))
    _ops.scan(result, (call.function("op0", "binary"), call.function("op1", "binary")),
              data0, data1, _scalar(call.initial), call.reverse0, call.reverse1)
    return call.finish(result)


@handles("isa", "tensor_reduce")
def _tensor_reduce(call: Call) -> object:
    data = call.tile("data")
    axes = axes_of(call.axis, data.ndim)
    result = call.result(reduced(data.shape, axes, bool(call.keepdims)), data.element)
    return reduce_into(call, result, call.function("op", "reduce"), data, axes, bool(call.negate))


def reduce_into(call: Call, result: Tensor, function: str, data: View, axes: list[int],
                negates: bool) -> object:
    whole, data = data, reduced_part(call.mask, data)
    if data is None:
        result.is_empty = call.dst is None
        return result
    target = result
    if data.shape[0] != result.shape[0]:
        first = data.partition - whole.partition
        starts, sizes = [first, *[0] * (result.ndim - 1)], [data.shape[0], *result.shape[1:]]
        target = result.box(starts, sizes)
        if call.dst is not None and call.mask is None and not holds_less(result, target):
            target, data = result, whole
        if call.dst is None:
            result.box_at = (starts, sizes)
            result.buffer.valid = (tuple(starts), tuple(sizes))
    _ops.reduce(target, function, data, axes, negates)
    return call.finish(result)


def axes_of(axis: object, rank: int) -> list[int]:
    axes = [axis] if hasattr(axis, "__index__") else list(axis)
    axes = sorted(one + rank if one < 0 else one for one in axes)
    if not axes or axes[0] < 1 or axes[-1] >= rank:
        raise NkiError("nki_r4", "a reduction over %s of a tile of %d dimensions; 0 is the "
                       "partition, which is not reduced" % (axis, rank))
    return axes


def reduced(shape: tuple[int, ...], axes: list[int], keeps: bool) -> tuple[int, ...]:
    kept = [1 if axis in axes else size for axis, size in enumerate(shape)
            if keeps or axis not in axes]
    return tuple(kept) if len(kept) > 1 else (*kept, 1)


@handles("isa", "reciprocal")
@handles("language", "reciprocal")
def _reciprocal(call: Call) -> object:
    data = call.tile("data" if "data" in call.arguments else "x")
    return call.map([data], data.element, _ops.reciprocal)


@handles("isa", "tensor_copy")
def _tensor_copy(call: Call) -> object:
    src = call.tile("src")
    result = call.result(src.shape, src.element)
    return copied(call, result, src)


def copied(call: Call, result: Tensor, src: View) -> object:
    parts = call.masked(result, src)
    if parts is None:
        return result
    _ops.copy(*parts, engine=call.engine_name)
    if src.buffer.is_identity and src.num_elements == View.of(src.buffer).num_elements and \
            result.num_elements == View.of(result.buffer).num_elements:
        result.buffer.is_identity = True
    return call.finish(result)


@handles("isa", "tensor_copy_predicated")
def _tensor_copy_predicated(call: Call) -> object:
    dst, predicate = call.tile("dst"), call.tile("predicate")
    src = call.src
    if not isinstance(src, View):
        made = Tensor.of(Recorder.current.allocate(dst.shape, dst.element, "sbuf"))
        _ops.fill(made, float(src))
        src = made
    sides = (dst, src) if call.reverse_pred else (src, dst)
    _ops.select(dst, predicate, *sides)
    return None


@handles("isa", "memset")
def _memset(call: Call) -> object:
    shape = call.shape if call.dst is None else call.tile("dst").shape
    result = call.result(shape, "f32")
    parts = call.masked(result)
    if parts is None:
        return result
    _ops.fill(parts[0], float(call.value), call.engine_name)
    if parts[0].memory == "psum" and call.value == 0:
        note_zero(parts[0])
    return call.finish(result)


@handles("isa", "dma_copy")
def _dma_copy(call: Call) -> object:
    if isinstance(call.dst, Rows) or isinstance(call.src, Rows):
        return _move_rows(call)
    dst, src = call.tile("dst"), call.tile("src")
    if src.memory == "psum":
        raise NkiError("transfer_c1", "a DMA reads PSUM, which it does not reach; copy the tile to "
                       "SBUF by nisa.tensor_copy")
    if call.dst_rmw_op is not None:
        raise NkiError("nki_r2", "dma_copy with dst_rmw_op is not computed here")
    if call.mask is not None:
        starts, sizes = solve_mask(call.mask, dst.shape)
        if 0 in sizes:
            return None
        dst, src = dst.box(starts, sizes), src.box(starts, sizes)
    _ops.dma_copy(dst, src)
    note_load(dst, src)
    return None


def _move_rows(call: Call) -> None:
    if call.mask is not None or call.dst_rmw_op is not None:
        raise NkiError("nki_r2", "%s of rows that a tile chooses takes no mask and no dst_rmw_op "
                       "here" % call.name)
    sides = [one if isinstance(one, Rows) else call.tile(name)
             for name, one in (("dst", call.dst), ("src", call.src))]
    transfer(*sides, getattr(call.oob_mode, "name", "error") == "skip")


def note_load(dst: View, src: View) -> None:
    """What is known of a buffer that a DMA filled as a whole."""
    if not dst.is_on_chip or dst.num_elements != View.of(dst.buffer).num_elements:
        return
    if src.buffer.is_identity and src.num_elements == View.of(src.buffer).num_elements:
        dst.buffer.is_identity = True
    if src.memory == "hbm" and dst.shape[0] == 1:
        dst.buffer.loaded_row = src


@handles("isa", "dma_transpose")
def _dma_transpose(call: Call) -> object:
    src = call.tile("src")
    axes = tuple(call.axes) if call.axes is not None else tuple(reversed(range(src.ndim)))
    result = call.result(tuple(src.shape[axis] for axis in axes), src.element)
    if src.ndim == 2 and axes == (1, 0):
        _ops.dma_transpose(result, src)
    elif src.is_on_chip and result.is_on_chip:
        _transpose_tiles(result, src, axes)
    else:
        _ops.dma_copy(result, src.permuted(axes))
    return call.finish(result)


def _transpose_tiles(dst: View, src: View, axes: tuple[int, ...]) -> None:
    """A transpose for each position along the dimensions that are not partitions, of either side:
    the time is that of so many transfers."""
    if dst.shape != tuple(src.shape[axis] for axis in axes):
        dst = dst.reshaped([src.shape[axis] for axis in axes])
    rows = next((at for at, dim in enumerate(dst.dims) if dim.is_partition), 0)
    columns = next((at for at, axis in enumerate(axes) if src.dims[axis].is_partition), 0)
    if rows == columns:
        return _ops.dma_copy(dst, src.permuted(axes))
    others = [at for at in range(dst.ndim) if at not in (rows, columns)]
    for index in itertools.product(*[range(dst.shape[at]) for at in others]):
        ours: list[object] = [slice(None)] * dst.ndim
        theirs: list[object] = [slice(None)] * dst.ndim
        for at, one in zip(others, index):
            ours[at] = theirs[axes[at]] = one
        tile, other = dst.at(tuple(ours)), src.at(tuple(theirs))
        _ops.dma_transpose(_ops.tile(tile if rows < columns else tile.permuted((1, 0))),
                           _ops.tile(other if axes[columns] < axes[rows] else
                                     other.permuted((1, 0))))
    return None


@handles("isa", "core_barrier")
def _core_barrier(call: Call) -> object:
    data = call.tile("data")
    if waits_for_other(call.cores):
        _ops.core_barrier(data)


@handles("isa", "sendrecv")
def _sendrecv(call: Call) -> object:
    src, dst = call.tile("src"), call.tile("dst")
    check_ranks("sendrecv", call.send_to_rank, call.recv_from_rank)
    _ops.send_receive(dst, src, int(call.pipe_id))


@handles("isa", "sendrecv_compute")
def _sendrecv_compute(call: Call) -> object:
    """An exchange, and behind it VectorE. What a DMA takes that reduces is not published."""
    src, dst = call.tile("src"), call.tile("dst")
    check_ranks("sendrecv_compute", call.send_to_rank, call.recv_from_rank)
    function = call.function("reduce_op", "reduce")
    if function not in ("add", "max", "min"):
        raise NkiError("nki_r17", "sendrecv_compute reduces by nl.add, nl.maximum or nl.minimum, "
                       "not by %s" % function)
    if src.memory != "sbuf" or dst.memory != "sbuf":
        raise NkiError("nki_r17", "sendrecv_compute takes tiles in SBUF here, but src is in %s and "
                       "dst in %s; load the tile first" % (src.memory, dst.memory))
    theirs = View.of(Recorder.current.allocate(_ops.tile(src).shape, src.element, "sbuf"))
    _ops.send_receive(theirs, src, COMPUTE_PIPE)
    _ops.tensor_tensor(dst, function, src, theirs)


@handles("isa", "get_nc_version")
def _get_nc_version(call: Call) -> object:
    from ._modules import namespace
    version = namespace(Recorder.current.version).isa.nc_version
    return version.gen2 if Recorder.current.machine == "trn1" else version.gen3
