"""A product: lhsT transposed, as the tensor engine takes it, times rhs."""

import nki
import nki.isa as nisa
import nki.language as nl

P, N = 128, 512  # partitions, and columns of a bank of PSUM


@nki.jit
def matmul(lhsT, rhs):
    k, m = lhsT.shape
    _, n = rhs.shape
    out = nl.ndarray((m, n), dtype=lhsT.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(m // P):
        for j in nl.affine_range(n // N):
            sums = nl.ndarray((P, N), dtype=nl.float32, buffer=nl.psum)
            for step in nl.affine_range(k // P):
                left = nl.ndarray((P, P), dtype=lhsT.dtype, buffer=nl.sbuf)
                right = nl.ndarray((P, N), dtype=rhs.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=left, src=lhsT[step * P:(step + 1) * P, i * P:(i + 1) * P])
                nisa.dma_copy(dst=right, src=rhs[step * P:(step + 1) * P, j * N:(j + 1) * N])
                nisa.nc_matmul(dst=sums, stationary=left, moving=right)
            block = nl.ndarray((P, N), dtype=out.dtype, buffer=nl.sbuf)
            nisa.tensor_copy(dst=block, src=sums)
            nisa.dma_copy(dst=out[i * P:(i + 1) * P, j * N:(j + 1) * N], src=block)
    return out
