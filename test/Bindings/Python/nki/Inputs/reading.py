"""Kernels that use Python in the ways in which people do, for reading.py."""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import numpy as np
from helpers import halves, scaled


def hbm(shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype=dtype, buffer=nl.shared_hbm)


@nki.jit
def steady(x):
    out = hbm(x.shape)
    for i in nl.affine_range(8):
        nl.store(out[i * 16:(i + 1) * 16, :], nl.exp(nl.load(x[i * 16:(i + 1) * 16, :])))
    return out


@nki.jit
def peeled(x):
    out = hbm(x.shape)
    p, f = nl.arange(48)[:, None], nl.arange(64)[None, :]
    for i in nl.affine_range(3):
        t = nl.load(x[i * 48 + p, f], mask=i * 48 + p < 128)
        nl.store(out[i * 48 + p, f], nl.square(t), mask=i * 48 + p < 128)
    return out


@nki.jit
def unrolled_by_if(x):
    out = hbm(x.shape)
    for i in range(4):
        t = nl.load(x[i * 32:(i + 1) * 32, :])
        if i % 2:
            t = nl.negative(t)
        nl.store(out[i * 32:(i + 1) * 32, :], t)
    return out


@nki.jit
def list_in_a_loop(x):
    out = hbm(x.shape)
    tiles = []
    for i in nl.affine_range(4):
        tiles.append(nl.load(x[i * 32:(i + 1) * 32, :]))
    for i in range(4):
        nl.store(out[i * 32:(i + 1) * 32, :], tiles[3 - i])
    return out


@nki.jit
def counter_that_changes(x):
    out = hbm(x.shape)
    row, size = 0, 8
    for _ in nl.sequential_range(4):
        t = nl.load(x[row:row + size, :])
        nl.store(out[row:row + size, :], scaled(t, float(size)))
        row, size = row + size, size * 2
    nl.store(out[120:128, :], nl.load(x[120:128, :]))
    return out


@nki.jit
def early_break(x):
    out = hbm(x.shape)
    for i in range(100):
        if i * 32 >= x.shape[0]:
            break
        nl.store(out[i * 32:(i + 1) * 32, :], nl.load(x[i * 32:(i + 1) * 32, :]) + float(i))
    return out


@nki.jit
def comprehension(x):
    out = hbm(x.shape)
    tiles = [nl.load(x[i * 64:(i + 1) * 64, :]) for i in range(2)]
    for at, t in zip(halves(2), tiles):
        nl.store(out[at:at + 64, :], t * 3.0)
    return out


@nki.jit
def nested(x):
    out = hbm(x.shape)
    for i in nl.affine_range(4):
        for j in nl.affine_range(i + 1):  # as long as another counter says
            nl.store(out[i * 32:(i + 1) * 32, j * 16:(j + 1) * 16],
                     nl.load(x[i * 32:(i + 1) * 32, j * 16:(j + 1) * 16]))
        for j in range(i + 1, 4):
            nl.store(out[i * 32:(i + 1) * 32, j * 16:(j + 1) * 16],
                     nl.load(x[i * 32:(i + 1) * 32, j * 16:(j + 1) * 16]) * 0.0)
    return out


@nki.jit
def caught_unroll(x):
    """What the reader needs passes through handlers of the kernel."""
    out = hbm(x.shape)
    for i in range(2):
        try:
            shift = [0.0, 1.0][i]
        except:  # noqa: E722
            shift = 5.0
        nl.store(out[i * 64:(i + 1) * 64, :], nl.load(x[i * 64:(i + 1) * 64, :]) + shift)
    return out


@nki.jit
def index_grids(x):
    out = hbm((128, 32, 2))
    i = nl.mgrid[0:128, 0:32, 0:2]
    p, a, b = nl.arange(128)[:, None, None], nl.arange(32)[None, :, None], nl.arange(2)[None, None, :]
    t = nl.load(x)
    nl.store(out[i[0], i[1], i[2]], t[p, 2 * a + b])
    return out


@nki.jit
def strided_slices(x):
    out = hbm((128, 32))
    t = nl.load(x)
    odd = nl.ndarray((nl.par_dim(128), 32), dtype=nl.float32, buffer=nl.sbuf)
    odd[:, 0:32] = t[:, 1:64:2]
    nl.store(out, odd)
    return out


@nki.jit
def block_dims(x):
    out = hbm(x.shape)
    tiles = nl.ndarray((4, nl.par_dim(32), 64), dtype=nl.float32, buffer=nl.sbuf)
    for i in nl.affine_range(4):
        tiles[i] = nl.load(x[i * 32:(i + 1) * 32, :])
    for i in nl.affine_range(4):
        nl.store(out[i * 32:(i + 1) * 32, :], tiles[i] + tiles[0])
    return out


@nki.jit
def sums_of_products(x, w):
    out = hbm((64, 96))
    sums = nl.zeros((nl.par_dim(64), 96), dtype=nl.float32, buffer=nl.psum)
    for k in nl.affine_range(4):
        sums += nisa.nc_matmul(nl.load(x[k * 32:(k + 1) * 32, :]), nl.load(w[k * 32:(k + 1) * 32, :]))
    nl.store(out, nl.copy(sums))
    return out


@nki.jit
def sums_for_each_row(x, w):
    out = hbm((64, 96))
    for m in nl.affine_range(2):
        sums = nl.zeros((nl.par_dim(32), 96), dtype=nl.float32, buffer=nl.psum)
        for k in nl.affine_range(4):
            a = nl.load(x[k * 32:(k + 1) * 32, m * 32:(m + 1) * 32])
            sums[...] += nisa.nc_matmul(a, nl.load(w[k * 32:(k + 1) * 32, :]))
        nl.store(out[m * 32:(m + 1) * 32, :], nl.copy(sums))
    return out


@nki.jit
def several_results(x):
    first, second = hbm(x.shape), hbm((128, 1))
    t = nl.load(x)
    nl.store(first, nl.exp(t))
    nl.store(second, nl.max(t, axis=1, keepdims=True))
    return first, second


@nki.jit
def grid_of_programs(x):
    out = hbm(x.shape)
    i = nl.program_id(0)
    n = x.shape[0] // nl.num_programs(0)
    nl.store(out[i * n:(i + 1) * n, :], nl.load(x[i * n:(i + 1) * n, :]) * 2.0)
    return out


@nki.jit
def written_argument(x, out):
    nl.store(out, nl.load(x) - 1.0)


@nki.jit
def other_arguments(x, factor, names=("a", "b"), options=None):
    out = hbm(x.shape)
    if options and options["negate"]:
        factor = -factor
    nl.store(out, nl.load(x) * (factor * len(names)))
    return out


@nki.jit
def constants(x):
    out = hbm(x.shape)
    table = nl.shared_constant(np.arange(64, dtype=np.float32).reshape(1, 64))
    row = nl.load(table)
    nl.store(out, nl.load(x) + row.broadcast_to((128, 64)))
    return out


@nki.jit
def turned_products(x, w):
    """Each block of columns of x is turned, and then multiplied: the tensor engine waits for a copy
    of what it has just turned, unless the next block comes between."""
    out = nl.ndarray((x.shape[0], w.shape[1], 4), dtype=x.dtype, buffer=nl.shared_hbm)
    weights = nl.load(w[0:64, 0:w.shape[1]])
    for i in nl.affine_range(4):
        block = nl.load(x[0:x.shape[0], 64 * i:64 * i + 64])
        turned = nl.copy(nisa.nc_transpose(block))
        product = nisa.nc_matmul(turned, weights)
        nl.store(out[0:x.shape[0], 0:w.shape[1], i], value=nl.copy(product))
    return out


@nki.jit
def ping_pong(x):
    """ScalarE and VectorE wait for each other in each iteration, unless the next one comes between."""
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(16):
        value = nl.load(x[0:128, 512 * i:512 * i + 512])
        for _ in range(4):
            value = nl.add(nl.exp(nl.multiply(value, -1.0)), value)
        nl.store(out[0:128, 512 * i:512 * i + 512], value=value)
    return out


@nki.jit
def turned_in_chunks(x, w):
    """As turned_products. The inner loop is there once for each iteration, if those overlap."""
    out = nl.ndarray((x.shape[0], w.shape[1], 4), dtype=x.dtype, buffer=nl.shared_hbm)
    weights = nl.load(w[0:64, 0:w.shape[1]])
    for i in nl.affine_range(4):
        turned = nl.copy(nisa.nc_transpose(nl.load(x[0:x.shape[0], 64 * i:64 * i + 64])))
        for c in nl.affine_range(2):
            product = nisa.nc_matmul(turned, weights[0:64, 48 * c:48 * c + 48])
            nl.store(out[0:x.shape[0], 48 * c:48 * c + 48, i], value=nl.copy(product))
    return out
