"""Kernels of trn2 in f32 whose transfers have static descriptors. Source order."""

from rows import turn_rows
from trn_writer import Kernel

P, BANK, BANKS = 128, 512, 8


def silu(columns, m=4096, n=7168):
    """Load, one activation, store, in tiles of so many columns."""
    k = Kernel("silu_%d" % columns, {"x": ((m, n), "f32")}, {"out": ((m, n), "f32")})
    with k.loop(m // P) as row, k.loop(n // columns) as column:
        x, out = (k.sbuf((P, columns), "f32") for _ in range(2))
        k.dma(k.hbm(k.x, row * P, column * columns, (P, columns)), x)
        k.activation("silu", x, out)
        k.dma(out, k.hbm(k.out, row * P, column * columns, (P, columns)))
    return k


def adamw_flat(columns, elements=10944 * 2048):
    """AdamW's first step on four matrices as if they were vectors: a tile is 128 pieces of so many elements. Its four
    instructions of VectorE take a scalar and two tensors each; what they cost are two tensors."""
    shape = (elements // columns, columns)
    k = Kernel("adamw_%d" % columns, {name: (shape, "f32") for name in ("theta", "m", "v", "g")},
               {"out": (shape, "f32")})
    with k.loop(elements // (P * columns)) as i:
        theta, m, v, g = (k.sbuf((P, columns), "f32") for _ in range(4))
        square, moment, variance, root, update, out = (k.sbuf((P, columns), "f32") for _ in range(6))
        for argument, tile in zip((k.theta, k.m, k.v, k.g), (theta, m, v, g)):
            k.dma(k.hbm(argument, i * P, 0, (P, columns)), tile)
        k.activation("square", g, square, scale=0.03)
        k.tensor_tensor("add", m, g, moment)
        k.tensor_tensor("add", v, square, variance)
        k.activation("rsqrt", variance, root, scale=1000.0)
        k.tensor_tensor("mul", moment, root, update)
        k.tensor_tensor("sub", theta, update, out)
        k.dma(out, k.hbm(k.out, i * P, 0, (P, columns)))
    return k


def bmm(batches=16, m=4096, depth=64, n=4096):
    """A product for each batch: lhs is turned first, then 8 products of 512 columns a row tile, of whose copies
    ScalarE does five and VectorE three."""
    k = Kernel("bmm", {"lhs": ((batches * m, depth), "f32"), "rhs": ((batches * depth, n), "f32")},
               {"out": ((batches * m, n), "f32")})
    with k.loop(batches) as batch:
        right = k.sbuf((depth, n), "f32")
        k.dma(k.hbm(k.rhs, batch * depth, 0, (depth, n)), right)
        left = turn_rows(k, k.lhs, m, depth, batch * m, bank_count=BANKS, first_bank=0, buffers=2)
        with k.loop(m // P) as row:
            out = k.sbuf((P, n), "f32")
            for chunk in range(n // BANK):
                with k.scope():
                    bank = k.psum((P, BANK), chunk % BANKS, 1)
                    k.matmul(bank, k.part(left, row * P, P), k.part(right, chunk * BANK, BANK), 0)
                    k.evict(bank, k.part(out, chunk * BANK, BANK), "vector" if chunk in (1, 4, 6) else "scalar")
            k.dma(out, k.hbm(k.out, batch * m + row * P, 0, (P, n)))
    return k
