"""The product of the kernel optimisation tutorial (KO), version by version: trn2, f32.
Source order."""

from gemm import load_every_tile
from trn_writer import Kernel

P, BANK = 128, 512


def tutorial(name):
    return Kernel(name, {"lhsT": ((8192, 4096), "f32"), "rhs": ((8192, 8192), "f32")},
                  {"out": ((4096, 8192), "f32")})


def tutorial_tiled():
    """KO, trn2, f32."""
    return load_every_tile(tutorial("tutorial_tiled"), 4096, 8192, 8192, "f32")


def tutorial_hoisted():
    """KO, trn2, f32: the left operand of a row tile and the right one of a column tile come first."""
    k = tutorial("tutorial_hoisted")
    with k.loop(32) as m:
        left = k.sbuf((P, 64, P), "f32")
        with k.loop(64) as step:
            k.dma(k.hbm(k.lhsT, step * P, m * P, (P, P)), k.part(left, (step, 0), P))
        with k.loop(16) as n:
            right = k.sbuf((P, 64, BANK), "f32", buffers=1)
            with k.loop(64) as step:
                k.dma(k.hbm(k.rhs, step * P, n * BANK, (P, BANK)), k.part(right, (step, 0), BANK))
            bank = k.psum((P, BANK), 0, 8)
            with k.loop(64) as step:
                k.matmul(bank, k.part(left, (step, 0), P), k.part(right, (step, 0), BANK), step)
            out = k.sbuf((P, BANK), "f32")
            k.evict(bank, out)
            k.dma(out, k.hbm(k.out, m * P, n * BANK, (P, BANK)))
    return k


def tutorial_blocked():
    """KO, trn2, f32: blocks of 2 x 2 tiles. The right block is larger than SBUF and streams."""
    k = tutorial("tutorial_blocked")
    with k.loop(16) as m:
        left = k.sbuf((P, 64, 2 * P), "f32", buffers=1)
        with k.loop(64) as step:
            for row in range(2):
                k.dma(k.hbm(k.lhsT, step * P, m * (2 * P) + row * P, (P, P)), k.part(left, (step, row * P), P))
        with k.loop(8) as n:
            banks = [k.psum((P, BANK), 2 * i, 2) for i in range(4)]
            with k.loop(64) as step:
                right = [k.sbuf((P, BANK), "f32") for _ in range(2)]
                for column in range(2):
                    k.dma(k.hbm(k.rhs, step * P, n * 1024 + column * BANK, (P, BANK)), right[column])
                for i, bank in enumerate(banks):
                    k.matmul(bank, k.part(left, (step, i // 2 * P), P), right[i % 2], step)
            for i, bank in enumerate(banks):
                out = k.sbuf((P, BANK), "f32")
                k.evict(bank, out)
                k.dma(out, k.hbm(k.out, m * (2 * P) + i // 2 * P, n * 1024 + i % 2 * BANK, (P, BANK)))
    return k


def tutorial_fully_blocked():
    """KO, trn2, f32: contraction blocks of 8 tiles, sums in SBUF."""
    k = tutorial("tutorial_fully_blocked")
    with k.loop(8) as n:
        result = k.sbuf((P, 32, 1024), "f32", buffers=1)
        with k.loop(32) as row:
            k.memset(k.part(result, (row, 0), 1024))
        with k.loop(8) as depth:
            right = k.sbuf((P, 8, 1024), "f32", buffers=1)
            with k.loop(8) as step:
                k.dma(k.hbm(k.rhs, depth * 1024 + step * P, n * 1024, (P, 1024)), k.part(right, (step, 0), 1024))
            with k.loop(2) as m:
                left = k.sbuf((P, 8, 2048), "f32", buffers=1)
                with k.loop(8) as step:
                    k.dma(k.hbm(k.lhsT, depth * 1024 + step * P, m * 2048, (P, 2048)),
                          k.part(left, (step, 0), 2048))
                with k.loop(2) as half, k.loop(16) as row:
                    bank = k.psum((P, BANK), 0, 8)
                    with k.loop(8) as step:
                        k.matmul(bank, k.part(left, (step, row * P), P), k.part(right, (step, half * BANK), BANK), step)
                    total = k.part(result, (m * 16 + row, half * BANK), BANK)
                    k.tensor_tensor("add", total, bank, total)
        with k.loop(32) as row:
            k.dma(k.part(result, (row, 0), 1024), k.hbm(k.out, row * P, n * 1024, (P, 1024)))
    return k
