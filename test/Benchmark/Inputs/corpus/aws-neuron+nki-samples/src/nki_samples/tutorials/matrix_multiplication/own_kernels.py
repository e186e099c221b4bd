"""Kernels of our own under names of a public corpus, one of them wrong."""

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def nki_matmul_basic_(lhsT, rhs):
    out = nl.ndarray((lhsT.shape[1], rhs.shape[1]), dtype=rhs.dtype, buffer=nl.shared_hbm)
    left = nl.ndarray(lhsT.shape, dtype=lhsT.dtype, buffer=nl.sbuf)
    right = nl.ndarray(rhs.shape, dtype=rhs.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=left, src=lhsT)
    nisa.dma_copy(dst=right, src=rhs)
    sums = nl.ndarray(out.shape, dtype=nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=left, moving=right)
    tile = nl.ndarray(out.shape, dtype=out.dtype, buffer=nl.sbuf)
    nisa.tensor_copy(dst=tile, src=sums)
    nisa.dma_copy(dst=out, src=tile)
    return out


@nki.jit
def nki_matmul_tiled_(lhsT, rhs):
    out = nl.ndarray((lhsT.shape[1], rhs.shape[1]), dtype=rhs.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, out.shape[1]), dtype=out.dtype, buffer=nl.sbuf)
    for i in range(out.shape[0] // 128):
        nisa.dma_copy(dst=tile, src=rhs[i * 128:(i + 1) * 128, :])
        nisa.dma_copy(dst=out[i * 128:(i + 1) * 128, :], src=tile)
    return out
