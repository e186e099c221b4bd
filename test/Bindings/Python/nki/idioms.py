"""What kernels of other people do, in small.

RUN: %trn_python %s
"""

import re

import numpy as np
from trn_mlir import nki
from trn_mlir.nki._load import find_in_text
from trn_mlir.nki._modules import read_text

RNG = np.random.default_rng(4)
BETA = """import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
"""
ISA = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
"""


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def check(text, expected, *inputs):
    for machine in ("trn2", "trn1"):
        found = nki.load(find_in_text(text), inputs, machine=machine).run(*inputs)
        assert found.shape == expected.shape, (found.shape, expected.shape)
        error = np.abs(found - expected).max() / np.abs(expected).max()
        assert error < 1e-5, (machine, error, text)


def columns():
    """A column of beta 1 has two dimensions: it is indexed by two, and scales a tile."""
    x, b = random(128, 32), random(128)
    check(BETA + """def kernel(x, b):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile, bias = nl.load(x), nl.load(b)
    most = nl.ndarray((128, 4), dtype=nl.float32)
    for i in nl.affine_range(4):
        mine = most[:, i]
        mine[:, 0] = nl.max(tile[:, i * 8:(i + 1) * 8], axis=1)
        nl.store(out[:, i * 8:(i + 1) * 8], nl.add(tile[:, i * 8:(i + 1) * 8], bias) * mine[:, 0])
    return out
""", (x + b[:, None]) * x.reshape(128, 4, 8).max(2).repeat(8, 1), x, b)
    x = random(64, 64)  # one row of which has as many elements as a column
    check(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.load(x)
    nl.store(out, nl.multiply(tile, tile[0, :]))
    return out
""", x * x[0], x)


def compared():
    """Operators of Python compare tiles and raise them to powers; indices of a comparison give it
    dimensions."""
    x, w = random(64, 64), random(64, 96)
    check(BETA + """def kernel(x, w):
    out = nl.ndarray((60, 96), dtype=x.dtype, buffer=nl.shared_hbm)
    rows, inner, columns = nl.arange(64), nl.arange(64), nl.arange(96)
    is_row = rows < 60
    a = nl.load(x[rows[:, None], inner[None, :]])
    b = nl.load(w[inner[:, None], columns[None, :]])
    y = nl.copy(nl.matmul(a, b))
    y = (y > 0.0) * y ** 2.0 + (y <= -1.0) * -3.0 + (y >= 4.0) * (y < 5.0)
    nl.store(out[rows[:, None], columns[None, :]], value=y, mask=is_row[:, None])
    return out
""", _compared(x[:60] @ w), x, w)
    x = x.round()
    check(BETA + """def kernel(x, bias=None):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.load(x)
    tile = 2.0 ** tile + (tile == 0.0) * 5.0 + (tile != tile * tile)
    nl.store(out, tile * 3.0 if x and not bias else tile)
    return out
""", 3 * (2 ** x + (x == 0) * 5 + (x != x * x)), x)


def _compared(y):
    return np.where(y > 0, y * y, 0) + np.where(y <= -1, -3, 0) + ((y >= 4) & (y < 5))


def keyed():
    """Tiles are kept in dictionaries by an index, or by a name of which it is a part; names of
    tiles have it, too."""
    x = random(128, 64)
    text = BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tiles = {}
    for i in range(4):
        tile = nl.ndarray((128, 16), dtype=x.dtype, buffer=nl.sbuf, name=f"part_{i}")
        tile[...] = nl.load(x[:, i * 16:i * 16 + 16])
        tiles[KEY] = tile
    for i in range(4):
        nl.store(out[:, i * 16:i * 16 + 16], tiles[OTHER])
    return out
"""
    expected = x.reshape(128, 4, 16)[:, ::-1].reshape(128, 64)
    for key, other in (("i", "3 - i"), ("i, 0", "3 - i, 0"), ('f"t{i}"', 'f"t{3 - i}"')):
        check(text.replace("KEY", key).replace("OTHER", other), expected, x)
    named = nki.load(find_in_text(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(4):
        tile = nl.ndarray((128, 16), dtype=x.dtype, buffer=nl.sbuf, name=f"part_{i}")
        tile[...] = nl.load(x[:, i * 16:i * 16 + 16])
        nl.store(out[:, i * 16:i * 16 + 16], tile)
    return out
"""), [x])
    assert "part_<i>" in named.traced.mlir, named.traced.mlir


def indexed_by_ranges():
    """A range is an index, as a slice is."""
    x = random(128, 64)
    check(ISA + """def kernel(x):
    rows, columns = nl.affine_range(x.shape[0]), nl.affine_range(16, 64, 2)
    out = nl.ndarray((128, 24), dtype=x.dtype, buffer=nl.shared_hbm)
    nl.store(out[rows, range(24)], nl.multiply(nl.load(x[rows, columns]), 2.0))
    return out
""", 2 * x[:, 16::2], x)


def beyond():
    """What is computed of a tile that a mask leaves out is left out, until it is written."""
    x = random(128, 64)
    check(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    i, j = nl.arange(128)[:, None], nl.arange(16)[None, :]
    for k in nl.affine_range(6):
        t = nl.load(x[i, k * 16 + j], mask=(k * 16 + j < 64))
        u = nl.multiply(nl.exp(t), nl.max(t, axis=1, keepdims=True))
        nl.store(out[i, k * 16 + j], u, mask=(k * 16 + j < 64))
    return out
""", np.exp(x) * x.reshape(128, 4, 16).max(2).repeat(16, 1), x)
    check(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    i, j = nl.arange(128)[:, None], nl.arange(64)[None, :]
    y, sums = nl.load(x), nl.zeros((128, 64), nl.float32)
    for k in nl.affine_range(2):
        t = nl.load(x[i, j], mask=(k * 64 + j < 64))
        t[...] = nl.copy(y)
        sums[...] = nl.add(sums, nl.multiply(t, 2.0))
    nl.store(out, sums)
    return out
""", 4 * x, x)


def crossed():
    """A column and a row make a tile, whichever is first."""
    x, row = random(128, 1), random(1, 600)
    check(BETA + """def kernel(x, row):
    out = nl.ndarray((2, 128, 600), dtype=x.dtype, buffer=nl.shared_hbm)
    nl.store(out[0], nl.subtract(nl.load(x), nl.load(row)))
    nl.store(out[1], nl.subtract(nl.load(row), nl.load(x)))
    return out
""", np.stack([x - row, row - x]), x, row)


def grids():
    """A dimension of a grid over cores and in each of them has as many programs as both together."""
    x = random(4, 2, 128, 8)
    text = BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    i, j = nl.program_id(0), nl.program_id(1)
    nl.store(out[i, j], nl.multiply(nl.load(x[i, j]), 2.0))
    return out


@nki.jit
def main(x):
    return kernel[GRID, 2](x)
"""
    for grid in ("nl.spmd_dim(nl.nc(2), 2)", "nl.spmd_dim(2, nl.nc(2))", "nl.nc(2) * 2", "4"):
        found = nki.load(read_text(text.replace("GRID", grid), "kernel.py").main, [x]).run(x)
        assert (found == 2 * x).all(), grid


def chosen_rows():
    """Rows by a tile of indices and by a grid that counts the rows, too."""
    x = random(64, 96)
    check(BETA + """def kernel(x):
    out = nl.ndarray((32, 48), dtype=x.dtype, buffer=nl.shared_hbm)
    index = nisa.iota(2 * nl.arange(32)[:, None], dtype=np.int32)
    p, f = nl.mgrid[0:32, 0:48]
    tile = nl.ndarray((nl.par_dim(32), 48), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(src=x[index, f + 16], dst=tile[p, f])
    nl.store(out, tile)
    return out
""", x[::2, 16:64], x)


def ranges():
    """`range_select` of beta 1 returns its tile; another value than the least float32 is refused."""
    x, low, high = random(128, 64), np.full((128, 1), 40.0, np.float32), random(128, 1) * 20 + 70
    at = 32 + np.arange(64)
    text = BETA + """def kernel(x, low, high):
    out = nl.ndarray((128, 65), dtype=x.dtype, buffer=nl.shared_hbm)
    top = nl.ndarray((128, 1), dtype=x.dtype)
    chosen = nisa.range_select(on_true_tile=nl.load(x), comp_op0=nl.greater_equal,
                               comp_op1=nl.less, bound0=nl.load(low), bound1=nl.load(high),
                               reduce_cmd=nisa.reduce_cmd.reset_reduce, reduce_res=top,
                               reduce_op=np.max, range_start=32, on_false_value=OTHER)
    nl.store(out[:, 0:64], nl.maximum(chosen, -9.0))
    nl.store(out[:, 64:65], top)
    return out
"""
    inside = np.where((at >= low) & (at < high), x, np.float32(-3.4028235e38))
    check(text.replace("OTHER", "nl.fp32.min"),
          np.hstack([np.maximum(inside, -9), inside.max(1, keepdims=True)]), x, low, high)
    refused(text.replace("OTHER", "0.0"), "nki_r2", "on_false_value 0.0, which is always",
            x, low, high)


def shapes():
    """A shape by name, and the size of an element as NumPy has it."""
    x = random(128, 32)
    check(BETA + """def kernel(x):
    out = nl.ndarray((128, 4, 8), dtype=x.dtype, buffer=nl.shared_hbm)
    assert np.dtype(nl.bfloat16).itemsize == 2
    nl.store(out, nl.load(x).reshape(shape=(128, np.dtype(nl.bfloat16).itemsize * 2, 8)))
    return out.reshape(shape=(128, 32))
""", x, x)


def fills():
    """`lazy_initialization` says when a tile is filled, not with what."""
    x = random(128, 32)
    check(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    sums = nl.zeros((nl.par_dim(128), 32), dtype=nl.float32, lazy_initialization=True)
    ones = nl.full((nl.par_dim(128), 32), fill_value=1.0, dtype=nl.float32, lazy_initialization=False)
    for i in nl.sequential_range(3):
        sums[...] = sums + nl.load(x) * ones
    nl.store(out, sums)
    return out
""", 3 * x, x)


def products_of_products():
    """What a product left in PSUM is copied by the compiler of beta 1, before another reads it."""
    x, w = random(64, 64), random(64, 48)
    check(BETA + """def kernel(x, w):
    out = nl.ndarray((64, 48), dtype=x.dtype, buffer=nl.shared_hbm)
    sums = nl.zeros((64, 48), dtype=nl.float32, buffer=nl.psum)
    turned = nisa.nc_transpose(nl.load(x))
    sums[...] += nisa.nc_matmul(turned, nl.load(w))
    nl.store(out, sums)
    return out
""", x @ w, x, w)


def masked_rows():
    """Rows that no load wrote are left out of means, of softmax and of rms_norm."""
    x, w = random(200, 32), random(1, 32)
    text = BETA + """def kernel(x, w):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    p, f = nl.arange(128)[:, None], nl.arange(32)[None, :]
    for i in nl.affine_range(2):
        t = nl.load(x[i * 128 + p, f], mask=i * 128 + p < 200)
        nl.store(out[i * 128 + p, f], RESULT, mask=i * 128 + p < 200)
    return out
"""
    mean = x.mean(1, keepdims=True)
    powers = np.exp(x - x.max(1, keepdims=True))
    for result, expected in (("t - nl.mean(t, axis=1)", x - mean),
                             ("nl.softmax(t, axis=1)", powers / powers.sum(1, keepdims=True)),
                             ("nl.rms_norm(t, nl.load(w).broadcast_to((128, 32)), 1, 32)",
                              x / np.sqrt((x * x).mean(1, keepdims=True)) * w)):
        check(text.replace("RESULT", result), expected, x, w)


def zeroed_sums():
    """A memset begins sums again, in a tile that stands outside of the loop."""
    x, w = random(256, 64), random(256, 96)
    for index in ("0", "j % 2"):  # of a part of the tile, and of one that a number chooses
        check(ISA + """def kernel(x, w):
    out = nl.ndarray((64, 96), dtype=x.dtype, buffer=nl.shared_hbm)
    xs = nl.ndarray((128, 2, 64), dtype=x.dtype, buffer=nl.sbuf)
    ws = nl.ndarray((128, 2, 96), dtype=w.dtype, buffer=nl.sbuf)
    for k in range(2):
        nisa.dma_copy(dst=xs[:, k, :], src=x[k * 128:(k + 1) * 128, :])
        nisa.dma_copy(dst=ws[:, k, :], src=w[k * 128:(k + 1) * 128, :])
    sums = nl.ndarray((64, 2, 32), dtype=nl.float32, buffer=nl.psum)
    done = nl.ndarray((64, 32), dtype=x.dtype, buffer=nl.sbuf)
    for j in range(3):
        nisa.memset(dst=sums[0:64, INDEX, 0:32], value=0.0)
        for k in range(2):
            nisa.nc_matmul(dst=sums[0:64, INDEX, 0:32], stationary=xs[:, k, :],
                           moving=ws[:, k, j * 32:(j + 1) * 32])
        nisa.tensor_copy(dst=done, src=sums[0:64, INDEX, 0:32])
        nisa.dma_copy(dst=out[:, j * 32:(j + 1) * 32], src=done)
    return out
""".replace("INDEX", index), x.T @ w, x, w)


def windows():
    """A reduction whose dimensions of one make too many for an instruction."""
    x = random(128, 64)
    check(BETA + """def kernel(x):
    out = nl.ndarray((128, 16), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.load(x).reshape((128, 1, 1, 2, 16, 2))
    nl.store(out, nisa.tensor_reduce(nl.max, tile, axis=[3, 5]))
    return out
""", x.reshape(128, 2, 16, 2).max((1, 3)), x)


def inverse_roots():
    """`nl.rsqrt` as an operator of tensor_scalar."""
    x = np.abs(random(128, 32)) + 1
    text = ISA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=0.5, op1=nl.rsqrt, operand1=0.0,
                       engine=nisa.engine.gpsimd)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""
    check(text, 1 / np.sqrt(x + np.float32(0.5)), x)
    try:
        nki.load(find_in_text(text.replace("operand1=0.0", "operand1=2.0")), [x])
    except nki.NkiError as problem:
        assert problem.rule == "nki_r2" and "give it the operand 0.0" in problem.message
    else:
        raise AssertionError("it is read")


def absolute():
    """`nl.abs` as an operator of tensor_scalar: before, behind and without another one, and with a
    maximum of its results."""
    x = random(128, 64)
    check(ISA + """def kernel(x):
    out = nl.ndarray((128, 65), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 65), dtype=x.dtype, buffer=nl.sbuf)
    t = tile[:, 0:64]
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_scalar(dst=t, data=t, op0=nl.add, operand0=0.5, op1=nl.abs, operand1=0.0)
    nisa.tensor_scalar(dst=t, data=t, op0=nl.subtract, operand0=1.0)
    nisa.tensor_scalar(dst=t, data=t, op0=nl.abs, operand0=0.0, op1=nl.multiply, operand1=2.0)
    nisa.tensor_scalar(dst=t, data=t, op0=nl.subtract, operand0=1.0)
    nisa.tensor_scalar_reduce(dst=t, data=t, op0=nl.abs, operand0=0.0, reduce_op=nl.maximum,
                              reduce_res=tile[:, 64:65])
    nisa.dma_copy(dst=out, src=tile)
    return out
""", np.hstack([(found := np.abs(np.abs(np.abs(x + 0.5) - 1) * 2 - 1)), found.max(1, keepdims=True)]), x)


def negated_sums():
    """`reduce_res_negate` of tensor_scalar_reduce; what begins a sum has a command of its own."""
    x = random(128, 64)
    text = ISA + """def kernel(x):
    out = nl.ndarray((128, 65), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 65), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile[:, 0:64], src=x)
    nisa.tensor_scalar_reduce(dst=tile[:, 0:64], data=tile[:, 0:64], op0=nl.multiply, operand0=2.0,
                              reduce_op=nl.maximum, reduce_res=tile[:, 64:65], MORE)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""
    check(text.replace("MORE", "reduce_res_negate=True"),
          np.hstack([2 * x, -2 * x.max(1, keepdims=True)]), x)
    refused(text.replace("MORE", "reduce_init=1.0"), "nki_r2", "reduce_init, which is for", x)


def refused(text, rule, message, *inputs):
    try:
        nki.load(find_in_text(text), inputs)
    except nki.NkiError as problem:
        assert problem.rule == rule and message in problem.message, problem
    else:
        raise AssertionError("it is read")


def functions():
    """Functions of nl that are composed."""
    x = 3 * random(128, 32)
    x[0, :5] = (-2, -0.5, 0, 0.5, 2)
    text = BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.load(x)
    nl.store(out, RESULT)
    return out
"""
    for result, expected in (("nl.floor(t)", np.floor(x)), ("nl.ceil(t)", np.ceil(x)),
                             ("nl.trunc(t)", np.trunc(x)), ("nl.cos(t)", np.cos(x)),
                             ("t * nl.all(nl.greater(t, -6.0), axis=1)", x * (x > -6).all(1, keepdims=True)),
                             ("t * nl.logical_not(nl.greater(t, 0.5))", x * ~(x > 0.5)),
                             ("t - nl.var(t, axis=1)", x - x.var(1, keepdims=True)),
                             ("nl.maximum(t, nl.finfo(nl.float16).min)", x),
                             ("nl.copy(nl.greater(t, 0.0, dtype=nl.int8), dtype=nl.float32)",
                              (x > 0).astype(np.float32))):
        check(text.replace("RESULT", result), expected, x)
    text = ISA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    assert nl.is_hbm(x.buffer) and nl.is_on_chip(t.buffer) and not nl.is_psum(t.buffer)
    nisa.dma_copy(dst=t, src=x)
    nisa.dma_copy(dst=out, src=t)
    return out
"""
    check(text, x, x)


def masked_statistics():
    """Means and variances of rows of which a mask left some unloaded."""
    x = random(200, 32)
    check(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    p, f = nl.arange(128)[:, None], nl.arange(32)[None, :]
    for i in nl.affine_range(2):
        t = nl.load(x[i * 128 + p, f], mask=i * 128 + p < 200)
        found = nisa.bn_aggr(nisa.bn_stats(t))
        nl.store(out[i * 128 + p, f], (t - found[:, 0]) * nl.rsqrt(found[:, 1]) + nl.var(t, axis=1),
                 mask=i * 128 + p < 200)
    return out
""", (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True) + x.var(1, keepdims=True), x)


def masks():
    """A mask that an operation does not read is refused where it leaves something out."""
    x = random(64, 64)
    text = BETA + """def kernel(x):
    out = nl.ndarray((64, 64), dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.load(x)
    p, f = nl.arange(64)[:, None], nl.arange(64)[None, :]
    nl.store(out, nisa.nc_transpose(t[p, f], mask=p < ROWS))
    return out
"""
    check(text.replace("ROWS", "64"), x.T, x)
    refused(text.replace("ROWS", "32"), "nki_r2", "give it a slice of the tile", x)
    check(text.replace("ROWS", "64").replace("    nl.store(out, ", "    u = nl.ndarray((64, 64), "
                                             "dtype=x.dtype)\n    u[...] = t\n    u[...] = (").replace(
        "    return", "    u[...] = nisa.nc_transpose(u, mask=p < 0)\n    nl.store(out, u)\n    return"),
          x.T, x)
    refused(text.replace("t[p, f], mask=p < ROWS", "t[p, f][p < 32]"), "nki_r5",
            "give that to the instruction, as its mask", x)
    refused(ISA + """def kernel(x):
    nl.load(x, mask=True)
""", "nki_r12", "masks are those of beta 1, a slice cuts the last tile", x)


def masked_iterations():
    """Iterations of a loop that a mask leaves out fold nothing."""
    x = random(128, 32)
    check(BETA + """def kernel(x):
    out = nl.ndarray((32, 4), dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(4):
        most = nl.zeros((32, 1), dtype=nl.float32)
        for j in nl.affine_range(4):
            rows = nl.load(x[j * 32:(j + 1) * 32, :])
            sums = nl.sum(rows, axis=1, mask=j <= i)
            most[...] = nl.loop_reduce(sums, op=np.add, loop_indices=[j], mask=j <= i)
        nl.store(out[:, i:i + 1], most)
    return out
""", x.reshape(4, 32, 32).sum(2).cumsum(0).T, x)


def eighths(values):
    """The nearest number of float8_e4m3, whose largest is 240."""
    known = [mantissa / 8 * 2.0 ** -6 if exponent == 0 else (1 + mantissa / 8) * 2.0 ** (exponent - 7)
             for exponent in range(15) for mantissa in range(8)]
    known = np.array(known)
    return np.sign(values) * known[np.abs(np.abs(values)[..., None] - known).argmin(-1)]


def float8():
    """Arguments, tiles, results and products of float8."""
    x, w = random(128, 64), random(128, 96)
    text = ISA + """def kernel(x, w):
    out = nl.ndarray((64, 96), dtype=TYPE, buffer=nl.shared_hbm)
    xs = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    ws = nl.ndarray(w.shape, dtype=w.dtype, buffer=nl.sbuf)
    narrow = nl.ndarray(w.shape, dtype=nl.float8_e4m3, buffer=nl.sbuf)
    assert x.dtype == nl.float8_e4m3 and x.dtype == narrow.dtype != nl.bfloat16
    nisa.dma_copy(dst=xs, src=x)
    nisa.dma_copy(dst=ws, src=w)
    nisa.tensor_scalar(dst=narrow, data=ws, op0=nl.multiply, operand0=2.0)
    sums = nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=xs, moving=narrow)
    done = nl.ndarray((64, 96), dtype=TYPE, buffer=nl.sbuf)
    nisa.tensor_scalar(dst=done, data=sums, op0=nl.multiply, operand0=0.25)
    nisa.dma_copy(dst=out, src=done)
    return out
"""
    product = eighths(x).T @ eighths(2 * w) / 4
    for kind, error in (("nl.float32", 0), ("nl.float8_e4m3", np.abs(eighths(product) - product))):
        for machine in ("trn2", "trn1"):
            kernel = nki.load(find_in_text(text.replace("TYPE", kind)),
                              ["float8_e4m3[128,64]", "f32[128,96]"], machine=machine)
            found = np.abs(kernel.run(x, w) - product)  # halfway between two, both are as near
            assert np.abs(found - error).max() < 1e-5 * np.abs(product).max(), (kind, machine)


def allocations():
    """Tiles lie where the kernel says. Blocks take turns in one place, and bytes of what is done
    with are those of a tile of another shape."""
    x, b = random(6, 128, 64), random(128, 32)
    text = BETA.replace("import neuronxcc.nki.isa as nisa", """import functools
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.compiler as ncc""") + """def kernel(x, b):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    first = nl.ndarray((nl.par_dim(128), 32), dtype=b.dtype,
                       buffer=ncc.sbuf.alloc(lambda index, partitions, size: (0, 1024 - size)))
    first[...] = nl.load(b)
    def place(base, idx, pdim_size, fdim_size):
        return 0, base
    second = nl.ndarray((128, 32), dtype=b.dtype,
                        buffer=ncc.sbuf.alloc(functools.partial(place, base=128)))
    second[...] = nl.multiply(first, 2.0)
    blocks = nl.ndarray((6, nl.par_dim(128), 64), dtype=x.dtype,
                        buffer=ncc.sbuf.mod_alloc(base_addr=512, num_free_tiles=(2,)))
    at = 2048  # counted up once, as the body is run once
    for i in nl.affine_range(6):
        own = nl.ndarray((nl.par_dim(128), 32), dtype=x.dtype, buffer=ncc.sbuf.mod_alloc(base_addr=at))
        at += 65536
        blocks[i] = nl.load(x[i])
        own[...] = nl.add(blocks[i, :, 0:32], second)
        blocks[i, :, 0:32] = own
        nl.store(out[i], blocks[i])
    return out
"""
    check(text, x + np.pad(2 * b, ((0, 0), (0, 32))), x, b)
    kernel = nki.load(find_in_text(text), [x, b])
    assert re.findall(r"%([a-z]+)\w* = trn.alloc offset (\d+) ", kernel.mlir) == [
        ("first", "896"), ("second", "128"),
        *(one for i in range(6) for one in (("blocks", str(512 + i % 2 * 256)), ("own", "2048")))]


def groups_in_a_bank():
    """Sums that grow side by side in one bank: in columns, and in partitions, of their own."""
    x, w = random(4, 128, 64), random(4, 128, 96)
    check(ISA + """def kernel(x, w):
    out = nl.ndarray((128, 192), dtype=x.dtype, buffer=nl.shared_hbm)
    left = nl.ndarray((128, 4, 64), dtype=x.dtype, buffer=nl.sbuf)
    right = nl.ndarray((128, 4, 96), dtype=x.dtype, buffer=nl.sbuf)
    for k in range(4):
        nisa.dma_copy(dst=left[:, k, :], src=x[k])
        nisa.dma_copy(dst=right[:, k, :], src=w[k])
    sums = nl.ndarray((128, 192), dtype=nl.float32, buffer=nl.psum)
    for k in range(4):
        for row in range(2):
            for column in range(2):
                at = 3 - k if column else k
                nisa.nc_matmul(dst=sums[row * 64:(row + 1) * 64, column * 96:(column + 1) * 96],
                               stationary=left[:, at, :], moving=right[:, k, :],
                               accumulate=k > 0 if row else None)
    done = nl.ndarray((128, 192), dtype=x.dtype, buffer=nl.sbuf)
    nisa.tensor_copy(dst=done, src=sums)
    nisa.dma_copy(dst=out, src=done)
    return out
""", np.tile(np.hstack([np.einsum("kpm,kpn->mn", one, w) for one in (x, x[::-1])]), (2, 1)), x, w)


def copies_in_another_type():
    """`astype` of beta 1 is a copy, of the type that it says."""
    x = random(128, 32)
    check(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.load(x)
    narrow = t.astype(np.float16)
    assert narrow.dtype == np.float16 and t.dtype == np.float32
    nl.store(out, narrow.astype(np.float32) + t)
    return out
""", x.astype(np.float16).astype(np.float32) + x, x)


def masked_columns():
    """A mask cuts the scale and the bias of an activation, too."""
    x, b = random(200, 32), random(128, 1)
    check(BETA + """def kernel(x, b):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    p, f = nl.arange(128)[:, None], nl.arange(32)[None, :]
    bias = nl.load(b)
    for i in nl.affine_range(2):
        inside = i * 128 + p < 200
        t = nl.load(x[i * 128 + p, f], mask=inside)
        nl.store(out[i * 128 + p, f], nisa.activation(np.exp, t, bias=bias, scale=bias, mask=inside),
                 mask=inside)
    return out
""", np.exp(x * (both := np.vstack([b, b])[:200]) + both), x, b)


def left_out():
    """What a dropout leaves out, where that is no matter of chance."""
    x = random(128, 32)
    x[0, 0] = np.inf
    for rate in (0.0, 1.0):
        for text in (ISA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=t, src=x)
    nisa.dropout(dst=t, data=t, prob=RATE)
    nisa.dma_copy(dst=out, src=t)
    return out
""", BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nl.store(out, nisa.dropout(nl.load(x), prob=RATE))
    return out
"""):
            text = text.replace("RATE", str(rate))
            found = nki.load(find_in_text(text), [x]).run(x)
            assert np.array_equal(found, np.zeros_like(x) if rate else x), rate
            refused(text.replace(str(rate), "0.5"), "nki_r2", "with a probability of 0.5 leaves", x)


def in_place():
    """An argument that is read before it is written, or of which a part is written, is an input and
    a result; one of which all is written is a result alone."""
    x, y = random(256, 32), random(256, 32)
    text = BETA + """def kernel(x, y):
    for i in nl.affine_range(ROWS // 128):
        rows = slice(i * 128, (i + 1) * 128)
        nl.store(y[rows, :], nl.load(x[rows, :]) * 2 + ADDED)
    return y
"""
    for rows, added, expected in ((256, "nl.load(y[rows, :])", 2 * x + y), (128, "0", None),
                                  (256, "0", 2 * x)):
        kernel = nki.load(find_in_text(text.replace("ROWS", str(rows)).replace("ADDED", added)), [x, y])
        expected = np.vstack([2 * x[:128], y[128:]]) if expected is None else expected
        np.testing.assert_allclose(kernel.run(x, y), expected, rtol=1e-6)
        is_input = rows == 128 or added != "0"
        assert len(kernel.signature[0]) == 1 + is_input, kernel.signature
        assert kernel.report["hbm_write_bytes"] == rows * 32 * 4, "a copy is no part of the time"


def fills_of_hbm():
    """Tensors in HBM of any shape, an element of one, and more rows than a tile has."""
    x = random(4, 8)
    check(ISA + """def kernel(x):
    out = nl.ndarray((300, 2, 8), dtype=x.dtype, buffer=nl.shared_hbm)
    zeros = nl.full((300, 2, 8), 3.0, dtype=x.dtype, buffer=nl.shared_hbm)
    counts = nl.zeros((8,), dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=zeros)
    nisa.dma_copy(dst=out[7, 1], src=counts)
    return out
""", np.where(np.arange(600).reshape(300, 2, 1) == 15, 0, 3) * np.ones((300, 2, 8), np.float32), x)
    check(BETA + """def kernel(x):
    out = nl.ndarray((4, 8), dtype=x.dtype, buffer=nl.shared_hbm)
    nl.store(out, nl.load(x))
    nl.store(out[2, 3], value=1.0)
    nl.store(out[3, 3], nl.load(x[0, 1]))
    return out
""", np.where((at := np.arange(32).reshape(4, 8)) == 19, 1, np.where(at == 27, x[0, 1], x)), x)


def running_sums():
    """tensor_scalar_cumulative of beta 1 writes a tile that it is given."""
    x = random(128, 32)
    check(BETA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    sums = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_scalar_cumulative(src=nl.load(x), dst=sums, op0=np.multiply, op1=np.add, imm0=2.0)
    nl.store(out, sums)
    return out
""", np.cumsum(2 * x, 1, dtype=np.float64).astype(np.float32), x)


def loops_of_before():
    """nl.dynamic_range of 0.6 is read, though 0.7 removed it."""
    x = random(256, 32)
    text = ISA + """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.dynamic_range(2):
        tile = nl.ndarray((128, 32), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[i * 128:(i + 1) * 128, :])
        nisa.dma_copy(dst=out[i * 128:(i + 1) * 128, :], src=tile)
    return out
"""
    check(text, x, x)
    assert "scf.for" in nki.load(find_in_text(text), [x]).mlir


for test in (loops_of_before, in_place, fills_of_hbm, copies_in_another_type, masked_columns, left_out, running_sums, allocations, groups_in_a_bank, compared, keyed, beyond, indexed_by_ranges, crossed, grids, chosen_rows, ranges, negated_sums, columns, shapes, fills, products_of_products, masked_rows, zeroed_sums, windows,
             inverse_roots, absolute, functions, masked_statistics, masks, masked_iterations,
             float8):
    test()
