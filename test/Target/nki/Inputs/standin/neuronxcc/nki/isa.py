"""`neuronxcc.nki.isa`, as far as exported kernels use it, and what is like that. A type that is
not given is that of the input, or of the wider one."""

import enum

import numpy as np

from functions import (ACTIVATIONS, BINARY, REDUCTIONS, Registers, combine, find_operator,
                       found8, largest8, moments, reduce_axes, replaced8, scan, shuffled,
                       statistics)
from neuronxcc.nki.tensor import Arange, Gathered, Tensor, Tile, to_dtype, widest
from tensors import (ANOTHER, MATMUL, check_alike, check_column, check_matmul, check_tile,
                     check_transpose, float32, psum, refuse_name, require, sbuf, uint32)

tensor_engine, vector_engine, scalar_engine, gpsimd_engine, unknown_engine = (
    "tensor", "vector", "scalar", "gpsimd", "unknown")


class reduce_cmd(enum.Enum):
    idle, reset, reduce, reset_reduce = range(4)


scalar_registers, vector_registers = Registers(), Registers()


def _check_engine(engine, *allowed):
    require(engine in (unknown_engine, *allowed), f"it does not run on {engine}")


def _tile(values, dtype, default, memories=(sbuf, psum), mask=None, kind=ANOTHER):
    return Tile(values, to_dtype(dtype) or default, kind, memories, mask)


def _reach(engine, *tiles):
    """The memories that a result may go to."""
    require(engine != gpsimd_engine or all(tile.buffer is sbuf for tile in tiles),
            "GpSimd does not reach PSUM")
    return (sbuf,) if engine == gpsimd_engine else (sbuf, psum)


def _operand(operand, data, what, dtype=float32):
    """A number, or a column of `dtype`, or of any type."""
    if not isinstance(operand, Tensor):
        return np.float32(operand)
    check_column(operand, data, what)
    require(dtype is None or operand.dtype is dtype,
            f"{what} has type {operand.dtype}, not {dtype}")
    return operand.values.reshape((operand.shape[0],) + (1,) * (len(data.shape) - 1))


class oob_mode(enum.Enum):
    error, skip = range(2)


def dma_copy(*, dst, src, mask=None, oob_mode=oob_mode.error):
    for tensor, what in (dst, "dst"), (src, "src"):
        require(isinstance(tensor, Tensor), f"{what} is no tensor")
        require(tensor.buffer is not psum, f"no DMA reaches PSUM, where {what} is")
    require(dst.shape == src.shape, f"{src.shape} to {dst.shape}")
    if oob_mode is type(oob_mode).skip:
        require(mask is None, "a mask, and rows that are skipped")
        mask = np.logical_and(*(one.present() if isinstance(one, Gathered) else True for one in (dst, src)))
    dst.write(src.read(mask), ANOTHER, mask)


def nc_matmul(stationary, moving, *, is_stationary_onezero=False, is_moving_onezero=False,
              is_transpose=False, mask=None):
    require(mask is None, "the stand-in knows no mask of a product")
    product = check_matmul(stationary, moving, is_transpose)
    if is_transpose:
        return Tile(product, stationary.dtype, memories=(psum,))
    return Tile(product, float32, MATMUL, memories=(psum,))


def nc_transpose(data, *, mask=None, dtype=None, engine=unknown_engine):
    _check_engine(engine, tensor_engine, vector_engine)
    require(mask is None, "the stand-in knows no mask of a transpose")
    on_tensor = engine != vector_engine
    values = check_transpose(data, data.free, data.partitions, on_tensor)
    return _tile(values, dtype, data.dtype, (psum,) if on_tensor else (sbuf, psum))


def tensor_copy(src, *, mask=None, dtype=None, engine=unknown_engine):
    # On trn1 the scalar engine copies by nisa.activation.
    _check_engine(engine, vector_engine, gpsimd_engine)
    check_tile(src, "src")
    return _tile(src.read(mask), dtype, src.dtype, _reach(engine, src), mask)


def tensor_copy_predicated(*, src, dst, predicate, reverse_pred=False, mask=None):
    check_tile(dst, "dst")
    check_alike(predicate, dst, "predicate")
    if isinstance(src, Tensor):
        check_alike(src, dst, "src")
        src = src.read(mask)
    chosen = (predicate.read(mask) != 0) != reverse_pred
    dst.write(np.where(chosen, src, dst.values), ANOTHER, mask)


def activation(op, data, *, bias=None, scale=1.0, reduce_op=None, reduce_res=None,
               reduce_cmd=reduce_cmd.idle, mask=None, dtype=None):
    function = find_operator(op, ACTIVATIONS)
    check_tile(data, "data")
    values = data.read(mask) * _operand(scale, data, "scale")
    if bias is not None:
        require(isinstance(bias, Tensor), "bias is no tile; trn1 takes no number")
        values = values + _operand(bias, data, "bias", None)
    values = np.asarray(function(values), np.float32)
    if reduce_op is None:
        require(reduce_cmd is type(reduce_cmd).idle and reduce_res is None,
                "a reduction without reduce_op")
    else:
        reduction = find_operator(reduce_op, {"add": REDUCTIONS["add"]})
        _reduce(scalar_registers, values, reduction, reduce_res, reduce_cmd, mask)
    return _tile(values, dtype, data.dtype, mask=mask)


def activation_reduce(op, data, *, reduce_op, reduce_res, bias=None, scale=1.0, mask=None,
                      dtype=None):
    return activation(op, data, bias=bias, scale=scale, reduce_op=reduce_op,
                      reduce_res=reduce_res, reduce_cmd=reduce_cmd.reset_reduce, mask=mask,
                      dtype=dtype)


def _fill(values, reduction, mask):
    """What is masked out changes no reduction."""
    return values if mask is None else np.where(np.broadcast_to(mask, values.shape), values,
                                                np.float32(reduction[1]))


def _reduce(registers, values, reduction, reduce_res, command, mask):
    rows = _fill(values, reduction, mask).reshape(len(values), -1)
    sums = registers.accumulate(command.name, rows, reduction)
    if reduce_res is not None:
        check_tile(reduce_res, "reduce_res")
        require(reduce_res.shape == (len(rows), 1), f"reduce_res is {reduce_res.shape}")
        reduce_res.write(sums)


def tensor_tensor(data1, data2, op, *, dtype=None, mask=None, engine=unknown_engine):
    _check_engine(engine, vector_engine, gpsimd_engine)
    function = find_operator(op, BINARY)
    check_tile(data1, "data1")
    check_alike(data2, data1, "data2")
    require(not data1.buffer is data2.buffer is psum, "both inputs are in PSUM")
    return _tile(combine(function, data1.read(mask), data2.read(mask)), dtype,
                 widest((data1, data2)), _reach(engine, data1, data2), mask)


def tensor_scalar(data, op0, operand0, reverse0=False, op1=None, operand1=None, reverse1=False,
                  *, dtype=None, mask=None, engine=unknown_engine):
    _check_engine(engine, vector_engine, scalar_engine)
    check_tile(data, "data")
    require((op1 is None) == (operand1 is None), "op1 and operand1 come together")
    values = combine(find_operator(op0, BINARY), data.read(mask),
                     _operand(operand0, data, "operand0"), reverse0)
    if op1 is not None:
        values = combine(find_operator(op1, BINARY), values,
                         _operand(operand1, data, "operand1"), reverse1)
    return _tile(values, dtype, data.dtype, mask=mask)


def scalar_tensor_tensor(*, data, op0, operand0, op1, operand1, reverse0=False, reverse1=False,
                         dtype=None, mask=None):
    check_tile(data, "data")
    check_alike(operand1, data, "operand1")
    require(not data.buffer is operand1.buffer is psum, "both inputs are in PSUM")
    values = combine(find_operator(op0, BINARY), data.read(mask),
                     _operand(operand0, data, "operand0", None), reverse0)
    values = combine(find_operator(op1, BINARY), values, operand1.read(mask), reverse1)
    return _tile(values, dtype, widest((data, operand1)), mask=mask)


def tensor_scalar_reduce(*, data, op0, operand0, reduce_op, reduce_res, reverse0=False,
                         dtype=None, mask=None):
    check_tile(data, "data")
    require(not reverse0, "reverse0 is not supported yet")
    values = combine(find_operator(op0, BINARY), data.read(mask),
                     _operand(operand0, data, "operand0"))
    _reduce(vector_registers, values, find_operator(reduce_op, REDUCTIONS), reduce_res,
            reduce_cmd.reset_reduce, mask)
    return _tile(values, dtype, data.dtype, mask=mask)


def tensor_tensor_scan(data0, data1, initial, op0, op1, reverse0=False, reverse1=False, *,
                       dtype=None, mask=None):
    check_tile(data0, "data0")
    check_alike(data1, data0, "data1")
    require(not data0.buffer is data1.buffer is psum, "both inputs are in PSUM")
    rows = [one.read(mask).reshape(one.shape[0], -1) for one in (data0, data1)]
    values = scan(*rows, _operand(initial, data0, "initial", None),
                  find_operator(op0, BINARY), find_operator(op1, BINARY), reverse0, reverse1)
    return _tile(values.reshape(data0.shape), dtype, widest((data0, data1)), mask=mask)


def tensor_reduce(op, data, axis, *, mask=None, dtype=None, negate=False, keepdims=False):
    reduction = find_operator(op, REDUCTIONS)
    check_tile(data, "data")
    values = reduce_axes(reduction, _fill(data.read(mask), reduction, mask), axis, keepdims,
                         negate)
    return _tile(values, dtype, data.dtype)


def tensor_partition_reduce(op, data, *, mask=None, dtype=None):
    reduction = find_operator(op, {name: REDUCTIONS[name] for name in ("add", "maximum")})
    check_tile(data, "data")
    values = reduction[0].reduce(_fill(data.read(mask), reduction, mask), axis=0, keepdims=True)
    return _tile(values, dtype, data.dtype, (sbuf,))


def affine_select(pred, on_true_tile, on_false_value, *, mask=None, dtype=None):
    require(isinstance(pred, Arange), "pred is not of nl.arange")
    check_tile(on_true_tile, "on_true_tile")
    require(on_true_tile.buffer is sbuf, "on_true_tile is in psum, not in sbuf")
    values = on_true_tile.read(mask)
    require(np.broadcast_shapes(pred.shape, values.shape) == values.shape,
            f"pred is {pred.shape}, on_true_tile {values.shape}")
    return _tile(np.where(pred, values, np.float32(on_false_value)), dtype, on_true_tile.dtype,
                 (sbuf,), mask)


def bn_stats(data, *, mask=None, dtype=None):
    check_tile(data, "data")
    require(mask is None, "the stand-in knows no mask of statistics")
    require(data.free <= 512, f"data has {data.free} columns, which exceeds 512")
    return _tile(statistics(data.rows()), dtype, data.dtype)


def bn_aggr(data, *, mask=None, dtype=None):
    check_tile(data, "data")
    require(mask is None, "the stand-in knows no mask of statistics")
    require(data.free % 3 == 0, f"data has {data.free} elements a partition")
    return _tile(moments(data.rows()), dtype, data.dtype)


def max8(*, src, mask=None, dtype=None):
    check_tile(src, "src")
    require(mask is None, "the stand-in knows no mask of searches")
    require(8 <= src.free <= 16384, f"src has {src.free} elements a partition")
    return _tile(largest8(src.rows()), dtype, src.dtype)


def nc_find_index8(*, data, vals, mask=None, dtype=None):
    check_tile(data, "data")
    check_tile(vals, "vals")
    require(mask is None, "the stand-in knows no mask of a search")
    require(vals.free == 8, f"vals has {vals.free} elements a partition, not 8")
    return _tile(found8(data.rows(), vals.rows()), dtype, uint32)


def nc_match_replace8(*, data, vals, imm, dst_idx=None, mask=None, dtype=None):
    check_tile(data, "data")
    check_tile(vals, "vals")
    require(mask is None and dst_idx is None, "the stand-in knows neither mask nor dst_idx")
    require(vals.free == 8, f"vals has {vals.free} elements a partition, not 8")
    return _tile(replaced8(data.rows(), vals.rows(), np.float32(imm)), dtype, data.dtype)


def nc_stream_shuffle(src, dst, shuffle_mask, *, dtype=None, mask=None):
    check_tile(src, "src")
    require(mask is None and dtype is None, "the stand-in knows no mask of shuffles")
    require(len(shuffle_mask) == 32, f"shuffle_mask has {len(shuffle_mask)} numbers, not 32")
    dst[...] = _tile(shuffled(src.rows(), dst.rows(), shuffle_mask), None, src.dtype)


def memset(shape, value, dtype, *, mask=None, engine=unknown_engine):
    _check_engine(engine, vector_engine, gpsimd_engine)
    return _tile(np.full(shape, value, np.float32), dtype, None, mask=mask)


def iota(expr, dtype, *, mask=None):
    require(isinstance(expr, Arange), "expr is not of nl.arange")
    return _tile(np.asarray(expr), dtype, None, (sbuf,), mask)


def reciprocal(data, *, dtype=None, mask=None):
    check_tile(data, "data")
    return _tile(np.float32(1) / data.read(mask), dtype, data.dtype, mask=mask)


__getattr__ = refuse_name("neuronxcc.nki.isa", deprecated={"engine"})
