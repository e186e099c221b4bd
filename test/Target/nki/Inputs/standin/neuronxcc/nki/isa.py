"""`neuronxcc.nki.isa`, as far as exported kernels use it. A type that is not given is that of
the input, or of the wider one."""

import numpy as np

from neuronxcc.nki.tensor import Arange, Tensor, Tile
from tensors import (ACTIVATIONS, BINARY, MATMUL, check_alike, check_column, check_matmul,
                     check_tile, check_transpose, find_operator, float32, psum, refuse_name,
                     require, sbuf)

tensor_engine, vector_engine, scalar_engine, gpsimd_engine, unknown_engine = (
    "tensor", "vector", "scalar", "gpsimd", "unknown")


def _check_engine(engine, *allowed):
    require(engine in (unknown_engine, *allowed), f"it does not run on {engine}")


def _tile(values, dtype, default, memories=(sbuf, psum)):
    kept = dtype or default
    return Tile(kept.round(values), kept, memories=memories)


def _reach(engine, *tiles):
    """The memories that a result may go to."""
    require(engine != gpsimd_engine or all(tile.buffer is sbuf for tile in tiles),
            "GpSimd does not reach PSUM")
    return (sbuf,) if engine == gpsimd_engine else (sbuf, psum)


def dma_copy(*, dst, src):
    for tensor, what in (dst, "dst"), (src, "src"):
        require(isinstance(tensor, Tensor), f"{what} is no tensor")
        require(tensor.buffer is not psum, f"no DMA reaches PSUM, where {what} is")
    require(dst.shape == src.shape, f"{src.shape} to {dst.shape}")
    dst.write(src.values)


def nc_matmul(stationary, moving):
    return Tile(check_matmul(stationary, moving), float32, MATMUL, memories=(psum,))


def nc_transpose(data, *, dtype=None, engine=unknown_engine):
    _check_engine(engine, tensor_engine, vector_engine)
    on_tensor = engine != vector_engine
    values = check_transpose(data, data.free, data.partitions, on_tensor)
    return _tile(values, dtype, data.dtype, (psum,) if on_tensor else (sbuf, psum))


def tensor_copy(src, *, dtype=None, engine=unknown_engine):
    # On trn1 the scalar engine copies by nisa.activation.
    _check_engine(engine, vector_engine, gpsimd_engine)
    check_tile(src, "src")
    return _tile(src.values, dtype, src.dtype, _reach(engine, src))


def activation(op, data, *, bias=None, scale=1.0, dtype=None):
    function = find_operator(op, ACTIVATIONS)
    check_tile(data, "data")
    if isinstance(scale, Tensor):
        check_column(scale, data, "scale")
        require(scale.dtype is float32, f"scale has type {scale.dtype}, not float32")
        scale = scale.values
    values = data.values * np.float32(scale)
    if bias is not None:
        require(isinstance(bias, Tensor), "bias is no tile; trn1 takes no number")
        check_column(bias, data, "bias")
        values = values + bias.values
    return _tile(function(values), dtype, data.dtype)


def tensor_tensor(data1, data2, op, *, dtype=None, engine=unknown_engine):
    _check_engine(engine, vector_engine, gpsimd_engine)
    function = find_operator(op, BINARY)
    check_tile(data1, "data1")
    check_alike(data2, data1, "data2")
    require(not data1.buffer is data2.buffer is psum, "both inputs are in PSUM")
    wider = data1.dtype if data1.dtype is float32 else data2.dtype
    return _tile(function(data1.values, data2.values), dtype, wider,
                 _reach(engine, data1, data2))


def tensor_scalar(data, op0, operand0, reverse0=False, *, dtype=None, engine=unknown_engine):
    _check_engine(engine, vector_engine)
    function = find_operator(op0, BINARY)
    check_tile(data, "data")
    if isinstance(operand0, Tensor):
        check_column(operand0, data, "operand0")
        require(operand0.dtype is float32, f"operand0 has type {operand0.dtype}, not float32")
        operand0 = operand0.values
    values = data.values, np.float32(operand0)
    return _tile(function(*(values[::-1] if reverse0 else values)), dtype, data.dtype)


def tensor_reduce(op, data, axis, *, dtype=None, keepdims=False):
    function = find_operator(op, {name: BINARY[name] for name in ("add", "maximum", "minimum")})
    check_tile(data, "data")
    require(axis == len(data.shape) - 1, f"axis {axis} is not the last of {data.shape}")
    return _tile(function.reduce(data.values, axis=axis, keepdims=keepdims), dtype, data.dtype)


def memset(shape, value, dtype, *, engine=unknown_engine):
    _check_engine(engine, vector_engine, gpsimd_engine)
    return _tile(np.full(shape, value, np.float32), dtype, dtype)


def iota(expr, dtype):
    require(isinstance(expr, Arange), "expr is not of nl.arange")
    return _tile(np.asarray(expr), dtype, dtype, (sbuf,))


def reciprocal(data, *, dtype=None):
    check_tile(data, "data")
    return _tile(np.float32(1) / data.values, dtype, data.dtype)


__getattr__ = refuse_name("neuronxcc.nki.isa", deprecated={"engine"})
