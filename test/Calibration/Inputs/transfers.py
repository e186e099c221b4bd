"""Kernels that only move something, or hardly do more: trn2. Source order."""

from measured import TRANSFERS
from trn_writer import Kernel

P = 128


def stream(name, rows, columns, count=TRANSFERS):
    """Loads [rows, columns] in bf16 that wait for nothing but each other."""
    k = Kernel(name, {"rows": ((rows, columns), "bf16")}, {"out": ((rows, columns), "bf16")})
    with k.loop(count):
        k.dma(k.hbm(k.rows, 0, 0, (rows, columns)), k.sbuf((rows, columns), "bf16"))
    return k


def vector_add(partitions, columns, elements=25600):
    """The sum of two vectors in f32, `partitions` x `columns` elements at a time. These are adjacent in
    HBM: partition p of iteration i holds the elements from (i * partitions + p) * columns on, so its
    row is `columns` elements long."""
    shape = (elements // columns, columns)
    k = Kernel("vector_add_%dx%d" % (partitions, columns), {"a": (shape, "f32"), "b": (shape, "f32")},
               {"out": (shape, "f32")})
    tile = (partitions, columns)
    with k.loop(elements // (partitions * columns)) as i:
        a, b, out = (k.sbuf(tile, "f32") for _ in range(3))
        k.dma(k.hbm(k.a, i * partitions, 0, tile), a)
        k.dma(k.hbm(k.b, i * partitions, 0, tile), b)
        k.tensor_tensor("add", a, b, out)
        k.dma(out, k.hbm(k.out, i * partitions, 0, tile))
    return k
