"""The same for NKI 0.6 and later."""

import nki
import nki.isa as nisa
import nki.language as nl


def tile(shape, dtype=nl.float32, buffer=nl.sbuf):
    return nl.ndarray(shape, dtype=dtype, buffer=buffer)


def loaded(view):
    t = tile(view.shape, view.dtype)
    nisa.dma_copy(dst=t, src=view)
    return t


def stored(psum, out):
    back = tile(psum.shape)
    nisa.tensor_copy(dst=back, src=psum)
    nisa.dma_copy(dst=out, src=back)


@nki.jit
def accumulate_said(x, w):
    out = nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.shared_hbm)
    sums = tile((64, 96), buffer=nl.psum)
    for k in nl.affine_range(4):
        nisa.nc_matmul(dst=sums, stationary=loaded(x[k * 32:(k + 1) * 32, :]),
                       moving=loaded(w[k * 32:(k + 1) * 32, :]), accumulate=k > 0)
    stored(sums, out)
    return out


@nki.jit
def accumulate_left_open(x, w):
    """The first product into a tile overwrites, wherever the tile moves."""
    out = nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.shared_hbm)
    sums = tile((64, 96), buffer=nl.psum)
    for n in nl.affine_range(2):
        for k in nl.affine_range(4):
            nisa.nc_matmul(dst=sums[:, n * 48:(n + 1) * 48],
                           stationary=loaded(x[k * 32:(k + 1) * 32, :]),
                           moving=loaded(w[k * 32:(k + 1) * 32, n * 48:(n + 1) * 48]))
    stored(sums, out)
    return out


@nki.jit
def accumulate_both(x, w):
    """Two conditions that both must hold: the last product overwrites, too."""
    out = nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.shared_hbm)
    sums = tile((64, 96), buffer=nl.psum)
    for k in nl.affine_range(4):
        nisa.nc_matmul(dst=sums, stationary=loaded(x[k * 32:(k + 1) * 32, :]),
                       moving=loaded(w[k * 32:(k + 1) * 32, :]), accumulate=(k > 0) & (k < 3))
    stored(sums, out)
    return out


@nki.jit
def symbols_in_slices(x, w):
    out = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.shared_hbm)
    for i in range(2):
        rows = nl.ds(i * 64, 64)
        t = loaded(x[rows, 0:32])
        u = loaded(x[rows, 32:64])
        nisa.tensor_tensor(dst=t, data1=t, data2=u, op=nl.subtract)
        nisa.dma_copy(dst=out[i * 64:i * 64 + 64, 0:32], src=t)
        nisa.dma_copy(dst=out[rows, 32:64], src=u)
    return out


@nki.jit
def said_name(x):
    """Its name wins over that of the variable."""
    out = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.shared_hbm)
    t = nl.ndarray((128, 64), dtype=nl.float32, buffer=nl.sbuf, name="left.half")
    nisa.dma_copy(dst=t, src=x)
    nisa.dma_copy(dst=out, src=t)
    return out
