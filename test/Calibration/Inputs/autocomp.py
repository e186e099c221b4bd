"""The product of ACO, step by step: trn1, bf16. Source order."""

from trn_writer import Kernel

P, BANK = 128, 512


def autocomp(step, rows, left_loads, right_loads, engine="scalar"):
    """ACO GEMM, trn1, bf16: lhsT[8192, 4096] rhs[8192, 8192]; blocks of `rows` x 2 tiles stay open."""
    k = Kernel("autocomp_%d" % step, {"lhsT": ((8192, 4096), "bf16"), "rhs": ((8192, 8192), "bf16")},
               {"out": ((4096, 8192), "bf16")})
    slots = 8 // (2 * rows)
    with k.loop(4096 // (rows * P)) as m, k.loop(8) as n:
        banks = {}
        for r in range(rows):
            for c in range(2):
                banks[r, c] = k.psum((P, BANK), (2 * r + c) * slots, slots)
        with k.loop(64) as depth:
            width = rows * P // left_loads
            left = [k.sbuf((P, width), "bf16") for _ in range(left_loads)]
            for i, tile in enumerate(left):
                k.dma(k.hbm(k.lhsT, depth * P, m * (rows * P) + i * width, (P, width)), tile)
            across = 1024 // right_loads
            right = [k.sbuf((P, across), "bf16") for _ in range(right_loads)]
            for i, tile in enumerate(right):
                k.dma(k.hbm(k.rhs, depth * P, n * 1024 + i * across, (P, across)), tile)
            for (r, c), bank in banks.items():
                stationary = k.part(left[r * P // width], r * P % width, P)
                moving = k.part(right[c * BANK // across], c * BANK % across, BANK)
                k.matmul(bank, stationary, moving, depth)
        for (r, c), bank in banks.items():
            out = k.sbuf((P, BANK), "bf16")
            k.evict(bank, out, engine)
            k.dma(out, k.hbm(k.out, m * (rows * P) + r * P, n * 1024 + c * BANK, (P, BANK)))
    return k
