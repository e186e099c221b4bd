"""`nki.isa` of NKI 0.6, as far as exported kernels use it, and what is like that."""

import enum

import numpy as np

from functions import (ACTIVATIONS, BINARY, COMPARISONS, REDUCTIONS, Registers, combine,
                       find_operator, found8, largest8, moments, reduce_axes, replaced8, scan,
                       shuffled, statistics)
from tensors import (ANOTHER, MATMUL, ChosenRows, View, check_alike, check_bank, check_column,
                     check_matmul, check_tile, check_transpose, float32, psum, refuse_name,
                     require, sbuf)


class engine(enum.Enum):
    tensor, vector, scalar, gpsimd, dma, sync, unknown = range(7)


class reduce_cmd(enum.Enum):
    idle, reset, reduce, reset_reduce, load_reduce = range(5)


scalar_registers, vector_registers = Registers(), Registers()


def _check_engine(chosen, *allowed):
    require(chosen in (engine.unknown, *allowed), f"it does not run on {chosen}")


def _check_gpsimd(chosen, *tiles):
    require(chosen is not engine.gpsimd or all(tile.buffer is sbuf for tile in tiles),
            "GpSimd does not reach PSUM")


class oob_mode(enum.Enum):
    error, skip = range(2)


def dma_copy(dst, src, oob_mode=oob_mode.error):
    for tensor, what in (dst, "dst"), (src, "src"):
        require(isinstance(tensor, View), f"{what} is no tensor")
        require(tensor.buffer is not psum, f"no DMA reaches PSUM, where {what} is")
    require(dst.values.size == src.values.size,
            f"{src.values.size} elements to {dst.values.size}")
    for rows in (dst, src):
        if isinstance(rows, ChosenRows):
            require(rows.present.all() or oob_mode is type(oob_mode).skip,
                    "an index is out of bounds")
    if isinstance(src, ChosenRows) and not src.present.all():
        dst.values[src.present] = dst.dtype.round(src.values)[src.present]
        dst.writer[src.present] = ANOTHER
        return
    dst.write(src.values)


def dma_transpose(dst, src):
    for tensor, what in (dst, "dst"), (src, "src"):
        require(tensor.buffer is not psum, f"no DMA reaches PSUM, where {what} is")
        require(tensor.dtype.size == 2 and len(tensor.shape) == 2,
                f"{what} is {tensor.dtype} {tensor.shape}, not 2 bytes in two dimensions")
    require(dst.shape == src.shape[::-1], f"{dst.shape} is no transpose of {src.shape}")
    dst.write(src.values.T)


def nc_matmul(dst, stationary, moving, is_stationary_onezero=False, is_moving_onezero=False,
              is_transpose=False, accumulate=None):
    product = check_matmul(stationary, moving, is_transpose)
    check_bank(dst, moving.dtype if is_transpose else float32)
    require((dst.partitions, dst.free) == product.shape,
            f"dst is {dst.shape}, the product {product.shape}")
    if is_transpose:
        require(not accumulate, "a transposed tile is added")
        dst.write(product)
        return
    if accumulate is None:
        written = dst.writer == MATMUL
        require(np.all(written) or not np.any(written), "products wrote a part of dst before")
        accumulate = bool(np.all(written))
    if accumulate:
        require(np.all(dst.writer == MATMUL),
                "a product is added to what no product has written")
        product = dst.rows() + product
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


def _operand(operand, dst, what, dtype=float32):
    """A number, or a column of `dtype`, or of any type."""
    if not isinstance(operand, View):
        return np.float32(operand)
    check_column(operand, dst, what)
    require(dtype is None or operand.dtype is dtype,
            f"{what} has type {operand.dtype}, not {dtype}")
    return operand.values


def _write_reduced(registers, reduce_res, command, rows, reduction, initial=None, negate=False):
    values = registers.accumulate(command.name, rows, reduction, initial)
    if reduce_res is not None:
        check_tile(reduce_res, "reduce_res")
        require(reduce_res.shape == (len(rows), 1), f"reduce_res is {reduce_res.shape}")
        reduce_res.write(-values if negate else values)


def activation(dst, op, data, bias=None, scale=1.0, reduce_op=None, reduce_res=None,
               reduce_cmd=reduce_cmd.idle):
    function = find_operator(op, ACTIVATIONS)
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    values = data.rows() * _operand(scale, dst, "scale")
    if bias is not None:
        values = values + _operand(bias, dst, "bias", None)
    values = function(values)
    dst.write(values)
    if reduce_op is None:
        require(reduce_cmd is type(reduce_cmd).idle and reduce_res is None,
                "a reduction without reduce_op")
        return
    reduction = find_operator(reduce_op, {"add": REDUCTIONS["add"]})
    _write_reduced(scalar_registers, reduce_res, reduce_cmd, values, reduction)


def activation_reduce(dst, op, data, reduce_op, reduce_res, bias=None, scale=1.0):
    activation(dst, op, data, bias, scale, reduce_op, reduce_res, reduce_cmd.reset_reduce)


def tensor_tensor(dst, data1, data2, op, engine=engine.unknown):
    _check_engine(engine, type(engine).vector, type(engine).gpsimd)
    function = find_operator(op, BINARY)
    check_tile(dst, "dst")
    check_alike(data1, dst, "data1")
    check_alike(data2, dst, "data2")
    require(not data1.buffer is data2.buffer is psum, "both inputs are in PSUM")
    _check_gpsimd(engine, dst, data1, data2)
    dst.write(combine(function, data1.rows(), data2.rows()))


def tensor_scalar(dst, data, op0, operand0, reverse0=False, op1=None, operand1=None,
                  reverse1=False, engine=engine.unknown):
    _check_engine(engine, type(engine).vector, type(engine).scalar)
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    require((op1 is None) == (operand1 is None), "op1 and operand1 come together")
    values = combine(find_operator(op0, BINARY), data.rows(),
                     _operand(operand0, dst, "operand0"), reverse0)
    if op1 is not None:
        values = combine(find_operator(op1, BINARY), values,
                         _operand(operand1, dst, "operand1"), reverse1)
    dst.write(values)


def scalar_tensor_tensor(dst, data, op0, operand0, op1, operand1, reverse0=False,
                         reverse1=False):
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    check_alike(operand1, dst, "operand1")
    require(not data.buffer is operand1.buffer is psum, "both inputs are in PSUM")
    values = combine(find_operator(op0, BINARY), data.rows(),
                     _operand(operand0, dst, "operand0", None), reverse0)
    dst.write(combine(find_operator(op1, BINARY), values, operand1.rows(), reverse1))


def tensor_scalar_reduce(dst, data, op0, operand0, reduce_op, reduce_res=None, reverse0=False,
                         reduce_cmd=reduce_cmd.reset_reduce, reduce_init=None,
                         reduce_res_negate=False):
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    require(not reverse0, "reverse0 is not supported yet")
    values = combine(find_operator(op0, BINARY), data.rows(),
                     _operand(operand0, dst, "operand0"))
    dst.write(values)
    if isinstance(reduce_init, View):
        reduce_init = _operand(reduce_init, dst, "reduce_init")
    _write_reduced(vector_registers, reduce_res, reduce_cmd, values,
                   find_operator(reduce_op, REDUCTIONS), reduce_init, reduce_res_negate)


def tensor_tensor_scan(dst, data0, data1, initial, op0, op1, reverse0=False, reverse1=False):
    check_tile(dst, "dst")
    check_alike(data0, dst, "data0")
    check_alike(data1, dst, "data1")
    require(not data0.buffer is data1.buffer is psum, "both inputs are in PSUM")
    dst.write(scan(data0.rows(), data1.rows(), _operand(initial, dst, "initial", None),
                   find_operator(op0, BINARY), find_operator(op1, BINARY), reverse0, reverse1))


def tensor_reduce(dst, op, data, axis, negate=False, keepdims=False):
    reduction = find_operator(op, REDUCTIONS)
    check_tile(dst, "dst")
    check_tile(data, "data")
    values = reduce_axes(reduction, data.values, axis, keepdims, negate)
    require(values.size == dst.values.size, f"{values.size} results for {dst.shape}")
    dst.write(values)


def tensor_partition_reduce(dst, op, data):
    reduction = find_operator(op, {name: REDUCTIONS[name] for name in ("add", "maximum")})
    check_tile(dst, "dst")
    check_tile(data, "data")
    require(data.buffer is dst.buffer is sbuf, "GpSimd does not reach PSUM")
    dst.write(reduction[0].reduce(data.rows(), axis=0, keepdims=True))


def bn_stats(dst, data):
    check_tile(data, "data")
    require(data.rows().shape[1] <= 512, "data has more than 512 columns")
    dst.write(statistics(data.rows()))


def bn_aggr(dst, data):
    check_tile(data, "data")
    require(data.rows().shape[1] % 3 == 0, "data is not of triples")
    dst.write(moments(data.rows()))


def max8(dst, src):
    check_tile(src, "src")
    require(8 <= src.rows().shape[1] <= 16384, "src has less than 8 elements a partition, or more "
                                               "than 16384")
    dst.write(largest8(src.rows()))


def nc_find_index8(dst, data, vals):
    check_tile(dst, "dst")
    check_tile(data, "data")
    require(vals.free == 8 and dst.free == 8, "vals and dst have 8 elements a partition")
    require(dst.dtype.name in ("uint16", "uint32"), f"indices in a tile of {dst.dtype}")
    dst.write(found8(data.rows(), vals.rows()))


def nc_n_gather(dst, data, indices):
    check_alike(indices, dst, "indices")
    check_tile(data, "data")
    require(indices.dtype.name == "uint32", f"indices in a tile of {indices.dtype}")
    require(dst.dtype == data.dtype, f"elements of {data.dtype} in a tile of {dst.dtype}")
    places = indices.rows().astype(np.int64)
    require((places >= 0).all() and (places < data.free).all(), "indices beyond a partition")
    dst.write(np.take_along_axis(data.rows(), places, 1))


def nc_match_replace8(dst, data, vals, imm, dst_idx=None):
    check_alike(data, dst, "data")
    require(dst_idx is None, "the stand-in knows no dst_idx")
    require(vals.rows().shape[1] == 8, "vals has not 8 elements a partition")
    dst.write(replaced8(data.rows(), vals.rows(), np.float32(imm)))


def nc_stream_shuffle(dst, src, shuffle_mask):
    check_alike(src, dst, "src")
    require(len(shuffle_mask) == 32, f"shuffle_mask has {len(shuffle_mask)} numbers, not 32")
    dst.write(shuffled(src.rows(), dst.rows(), shuffle_mask))


def tensor_copy_predicated(dst, src, predicate, reverse_pred=False):
    check_tile(dst, "dst")
    check_alike(predicate, dst, "predicate")
    if isinstance(src, View):
        check_alike(src, dst, "src")
        src = src.rows()
    chosen = (predicate.rows() != 0) != reverse_pred
    dst.write(np.where(chosen, src, dst.rows()))


def memset(dst, value, engine=engine.unknown):
    _check_engine(engine, type(engine).vector, type(engine).gpsimd)
    check_tile(dst, "dst")
    _check_gpsimd(engine, dst)
    dst.write(np.full(dst.shape, value, np.float32))


def _affine(dst, pattern, offset, channel_multiplier):
    """The value of an affine expression for each element of `dst`."""
    row = np.zeros((), np.int64)
    for step, count in pattern:
        row = row[..., None] + step * np.arange(count)
    require(row.size == dst.free, f"a pattern of {row.size} for {dst.free} elements")
    channel = np.arange(dst.partitions)[:, None] * channel_multiplier
    return offset + channel + row.reshape(1, -1)


def iota(dst, pattern, offset=0, channel_multiplier=0):
    check_tile(dst, "dst")
    require(dst.buffer is sbuf, f"dst is in {dst.buffer}, not in sbuf")
    dst.write(_affine(dst, pattern, offset, channel_multiplier))


def affine_select(dst, pattern, channel_multiplier, on_true_tile, on_false_value, cmp_op=None,
                  offset=0):
    check_tile(dst, "dst")
    check_alike(on_true_tile, dst, "on_true_tile")
    for tile, what in (dst, "dst"), (on_true_tile, "on_true_tile"):
        require(tile.buffer is sbuf, f"{what} is in {tile.buffer}, not in sbuf")
    compare = COMPARISONS["equal"] if cmp_op is None else find_operator(cmp_op, COMPARISONS)
    chosen = compare(_affine(dst, pattern, offset, channel_multiplier), 0)
    dst.write(np.where(chosen, on_true_tile.rows(), np.float32(on_false_value)))


def reciprocal(dst, data):
    check_tile(dst, "dst")
    check_alike(data, dst, "data")
    dst.write(np.float32(1) / data.rows())


__getattr__ = refuse_name("nki.isa", deprecated={
    "tensor_engine", "vector_engine", "scalar_engine", "gpsimd_engine", "unknown_engine"})
