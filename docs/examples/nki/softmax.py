"""Softmax of each row, twice: as it comes to mind, and after reading its page."""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128    # partitions
C = 256    # columns of a tile


@nki.jit
def softmax(x):
    """Tile by tile, in three passes over x: maxima, sums, quotients."""
    rows, columns = x.shape
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(rows // P):
        top = nl.ndarray((P, columns // C), dtype=nl.float32, buffer=nl.sbuf)
        for j in nl.affine_range(columns // C):
            tile = nl.ndarray((P, C), dtype=x.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=x[i * P:(i + 1) * P, j * C:(j + 1) * C])
            nisa.tensor_reduce(dst=top[:, j:j + 1], op=nl.maximum, data=tile, axis=1)
        lowest = nl.ndarray((P, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(dst=lowest, op=nl.maximum, data=top, axis=1, negate=True)

        sums = nl.ndarray((P, columns // C), dtype=nl.float32, buffer=nl.sbuf)
        for j in nl.affine_range(columns // C):
            tile = nl.ndarray((P, C), dtype=x.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=x[i * P:(i + 1) * P, j * C:(j + 1) * C])
            nisa.activation(dst=tile, op=nl.exp, data=tile, bias=lowest)
            nisa.tensor_reduce(dst=sums[:, j:j + 1], op=nl.add, data=tile, axis=1)
        scale = nl.ndarray((P, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(dst=scale, op=nl.add, data=sums, axis=1)
        nisa.reciprocal(dst=scale, data=scale)

        for j in nl.affine_range(columns // C):
            tile = nl.ndarray((P, C), dtype=x.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=tile, src=x[i * P:(i + 1) * P, j * C:(j + 1) * C])
            nisa.activation(dst=tile, op=nl.exp, data=tile, bias=lowest)
            nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=scale)
            nisa.dma_copy(dst=out[i * P:(i + 1) * P, j * C:(j + 1) * C], src=tile)
    return out


@nki.jit
def softmax_once(x):
    """Whole rows, read once; the sums come with the exponentials."""
    rows, columns = x.shape
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(rows // P):
        tile = nl.ndarray((P, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[i * P:(i + 1) * P, :])
        lowest = nl.ndarray((P, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(dst=lowest, op=nl.maximum, data=tile, axis=1, negate=True)
        sums = nl.ndarray((P, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation(dst=tile, op=nl.exp, data=tile, bias=lowest, reduce_op=nl.add,
                        reduce_res=sums, reduce_cmd=nisa.reduce_cmd.reset_reduce)
        scale = nl.ndarray((P, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.reciprocal(dst=scale, data=sums)
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=scale)
        nisa.dma_copy(dst=out[i * P:(i + 1) * P, :], src=tile)
    return out
