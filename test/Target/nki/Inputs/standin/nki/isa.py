"""`nki.isa` of NKI 0.6, as far as exported kernels use it."""

import enum

import numpy as np

from tensors import (ACTIVATIONS, ANOTHER, BINARY, MATMUL, View, check_alike, check_bank,
                     check_column, check_matmul, check_tile, check_transpose, find_operator,
                     float32, psum, refuse_name, require, sbuf)


class engine(enum.Enum):
    tensor, vector, scalar, gpsimd, dma, sync, unknown = range(7)


def _check_engine(chosen, *allowed):
    require(chosen in (engine.unknown, *allowed), f"it does not run on {chosen}")


def _check_gpsimd(chosen, *tiles):
    require(chosen is not engine.gpsimd or all(tile.buffer is sbuf for tile in tiles),
            "GpSimd does not reach PSUM")


def dma_copy(dst, src):
    for tensor, what in (dst, "dst"), (src, "src"):
        require(isinstance(tensor, View), f"{what} is no tensor")
        require(tensor.buffer is not psum, f"no DMA reaches PSUM, where {what} is")
    require(dst.values.size == src.values.size,
            f"{src.values.size} elements to {dst.values.size}")
    dst.write(src.values)


def dma_transpose(dst, src):
    for tensor, what in (dst, "dst"), (src, "src"):
        require(tensor.buffer is not psum, f"no DMA reaches PSUM, where {what} is")
        require(tensor.dtype.size == 2 and len(tensor.shape) == 2,
                f"{what} is {tensor.dtype} {tensor.shape}, not 2 bytes in two dimensions")
    require(dst.shape == src.shape[::-1], f"{dst.shape} is no transpose of {src.shape}")
    dst.write(src.values.T)


def nc_matmul(dst, stationary, moving, accumulate=None):
    product = check_matmul(stationary, moving)
    check_bank(dst)
    require(dst.shape == product.shape, f"dst is {dst.shape}, the product {product.shape}")
    require(isinstance(accumulate, bool), "the stand-in does not guess whether to accumulate")
    if accumulate:
        require(np.all(dst.writer == MATMUL),
                "a product is added to what no product has written")
        product = dst.values + product
    dst.write(product, MATMUL)


def nc_transpose(dst, data, engine=engine.unknown):
    _check_engine(engine, type(engine).tensor, type(engine).vector)
    check_tile(dst, "dst")
    on_tensor = engine is not type(engine).vector
    values = check_transpose(data, dst.partitions, dst.free, on_tensor)
    require(not on_tensor or dst.buffer is psum, f"dst is in {dst.buffer}, not in psum")
    require(dst.dtype is data.dtype, f"dst has type {dst.dtype}, data {data.dtype}")
    dst.write(values, ANOTHER)


def tensor_copy(dst, src, engine=engine.unknown):
    _check_engine(engine, type(engine).vector, type(engine).scalar, type(engine).gpsimd)
    check_tile(dst, "dst")
    check_alike(src, dst, "src")
    _check_gpsimd(engine, dst, src)
    dst.write(src.values)


def activation(dst, op, data, bias=None, scale=1.0):
    function = find_operator(op, ACTIVATIONS)
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    if isinstance(scale, View):
        check_column(scale, dst, "scale")
        require(scale.dtype is float32, f"scale has type {scale.dtype}, not float32")
        scale = scale.values
    if isinstance(bias, View):
        check_column(bias, dst, "bias")
        bias = bias.values
    values = data.rows() * np.float32(scale)
    if bias is not None:
        values = values + np.float32(bias)
    dst.write(function(values))


def tensor_tensor(dst, data1, data2, op, engine=engine.unknown):
    _check_engine(engine, type(engine).vector, type(engine).gpsimd)
    function = find_operator(op, BINARY)
    check_tile(dst, "dst")
    check_alike(data1, dst, "data1")
    check_alike(data2, dst, "data2")
    require(not data1.buffer is data2.buffer is psum, "both inputs are in PSUM")
    _check_gpsimd(engine, dst, data1, data2)
    dst.write(function(data1.rows(), data2.rows()))


def tensor_scalar(dst, data, op0, operand0, reverse0=False, engine=engine.unknown):
    _check_engine(engine, type(engine).vector, type(engine).scalar)
    function = find_operator(op0, BINARY)
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    if isinstance(operand0, View):
        check_column(operand0, dst, "operand0")
        require(operand0.dtype is float32, f"operand0 has type {operand0.dtype}, not float32")
        operand0 = operand0.values
    values = data.rows(), np.float32(operand0)
    dst.write(function(*(values[::-1] if reverse0 else values)))


def tensor_reduce(dst, op, data, axis, keepdims=False):
    function = find_operator(op, {name: BINARY[name] for name in ("add", "maximum", "minimum")})
    check_tile(dst, "dst")
    check_tile(data, "data")
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    require(axes == tuple(range(len(data.shape) - len(axes), len(data.shape))) and 0 not in axes,
            f"axis {axis} is not the last free dimensions of {data.shape}")
    values = data.values
    for _ in axes:
        values = function.reduce(values, axis=-1)
    require(values.size == dst.values.size, f"{values.size} results for {dst.shape}")
    dst.write(values)


def memset(dst, value, engine=engine.unknown):
    _check_engine(engine, type(engine).vector, type(engine).gpsimd)
    check_tile(dst, "dst")
    _check_gpsimd(engine, dst)
    dst.write(np.full(dst.shape, value, np.float32))


def iota(dst, pattern, offset=0, channel_multiplier=0):
    check_tile(dst, "dst")
    require(dst.buffer is sbuf, f"dst is in {dst.buffer}, not in sbuf")
    row = np.zeros((), np.int64)
    for step, count in pattern:
        row = row[..., None] + step * np.arange(count)
    require(row.size == dst.free, f"a pattern of {row.size} for {dst.free} elements")
    channel = np.arange(dst.partitions)[:, None] * channel_multiplier
    dst.write(offset + channel + row.reshape(1, -1))


def reciprocal(dst, data):
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    dst.write(np.float32(1) / data.rows())


__getattr__ = refuse_name("nki.isa", deprecated={
    "tensor_engine", "vector_engine", "scalar_engine", "gpsimd_engine", "unknown_engine"})
