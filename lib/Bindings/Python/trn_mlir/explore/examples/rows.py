"""RMSNorm of each row, with a gain."""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128  # partitions


@nki.jit
def rms_norm(x, gain):
    rows, columns = x.shape
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    gains = nl.ndarray((P, columns), dtype=gain.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=gains, src=gain.broadcast_to((P, columns)))
    for i in nl.affine_range(rows // P):
        tile = nl.ndarray((P, columns), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[i * P:(i + 1) * P, :])
        squares = nl.ndarray((P, columns), dtype=nl.float32, buffer=nl.sbuf)
        sums = nl.ndarray((P, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation(dst=squares, op=nl.square, data=tile, reduce_op=nl.add, reduce_res=sums,
                        reduce_cmd=nisa.reduce_cmd.reset_reduce)
        scale = nl.ndarray((P, 1), dtype=nl.float32, buffer=nl.sbuf)
        nisa.activation(dst=scale, op=nl.rsqrt, data=sums, scale=1.0 / columns)
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=scale)
        nisa.tensor_tensor(dst=tile, data1=tile, data2=gains, op=nl.multiply)
        nisa.dma_copy(dst=out[i * P:(i + 1) * P, :], src=tile)
    return out
