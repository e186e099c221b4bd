"""The calibration kernels, loop for loop as their publishers describe them.

    kernels.py NAME     writes one kernel as a placed trn module
    kernels.py --list   names them all

Measurements: docs/CostModel.md. P = 128 partitions; a load [p, f] is one transfer of p
partitions with f elements a row. Buffers rotate twice where that fits; blocks that fill the SBUF
are allocated once, and the hazards of their tiles let the next load begin as soon as a tile's last
reader is done.
"""

import sys

from trn_writer import Kernel, module, spell

P, BANK = 128, 512


def nki_matmul():
    """AOP matmul, trn1, f32: M4096 K5120 N12288; the right block streams in for each row tile."""
    k = Kernel("nki_matmul", {"lhs": ((4096, 5120), "f32"), "rhs": ((5120, 12288), "f32")},
               {"out": ((4096, 12288), "f32")})
    with k.loop(12) as n, k.loop(32) as m:
        turned = k.sbuf((P, 40, P), "f32")
        with k.loop(5) as group:
            raw = k.sbuf((P, 1024), "f32")
            k.dma(k.hbm(k.lhs, m * P, group * 1024, (P, 1024)), raw)
            with k.loop(8) as tile:
                bank = k.psum((P, P), 0, 4)
                k.transpose(k.part(raw, tile * P, P), bank)
                k.evict(bank, k.part(turned, (group * 8 + tile, 0), P))
        banks = [k.psum((P, BANK), 4 + 2 * half, 2) for half in range(2)]
        with k.loop(40) as step:
            block = k.sbuf((P, 1024), "f32")
            k.dma(k.hbm(k.rhs, step * P, n * 1024, (P, 1024)), block)
            for half in range(2):
                k.matmul(banks[half], k.part(turned, (step, 0), P), k.part(block, half * BANK, BANK), step)
        out = k.sbuf((P, 1024), "f32")
        for half in range(2):
            k.evict(banks[half], k.part(out, half * BANK, BANK))
        k.dma(out, k.hbm(k.out, m * P, n * 1024, (P, 1024)))
    return k


def nki_transpose_matmul():
    """AOP transpose_matmul, trn1, f32: M4096 K2048 N10944, the left operand given transposed."""
    k = Kernel("nki_transpose_matmul", {"lhsT": ((2048, 4096), "f32"), "rhs": ((2048, 10944), "f32")},
               {"out": ((4096, 10944), "f32")})

    def column_block(m, left, right, at, columns):
        with k.loop(16) as step:
            k.dma(k.hbm(k.rhs, step * P, at, (P, columns)), k.part(right, (step, 0), columns))
        with k.loop(8) as row:
            out = k.sbuf((P, columns), "f32")
            for begin in range(0, columns, BANK):
                width = min(BANK, columns - begin)
                bank = k.psum((P, width), 0 if begin == 0 else 4, 4)
                with k.loop(16) as step:
                    k.matmul(bank, k.part(left, (step, row * P), P), k.part(right, (step, begin), width), step)
                k.evict(bank, k.part(out, begin, width))
            k.dma(out, k.hbm(k.out, m * 1024 + row * P, at, (P, columns)))

    with k.loop(4) as m:
        left = k.sbuf((P, 16, 1024), "f32", buffers=1)
        with k.loop(16) as step:
            k.dma(k.hbm(k.lhsT, step * P, m * 1024, (P, 1024)), k.part(left, (step, 0), 1024))
        right = k.sbuf((P, 16, 1024), "f32", buffers=1)
        with k.loop(10) as n:
            column_block(m, left, right, n * 1024, 1024)
        column_block(m, left, right, 10 * 1024, 704)
    return k


def nki_rmsnorm_matmul():
    """AOP rmsnorm_matmul, trn1, f32: M4096 K1024 N2048; rows are divided by their norms, then turned."""
    k = Kernel("nki_rmsnorm_matmul", {"x": ((4096, 1024), "f32"), "weight": ((1024, 2048), "f32"),
                                      "identity": ((P, P), "f32")}, {"out": ((4096, 2048), "f32")})
    # What the transposes multiply by; trn.transpose needs no operand for it.
    k.dma(k.hbm(k.identity, 0, 0, (P, P)), k.sbuf((P, P), "f32", buffers=1))
    weight = k.sbuf((P, 16, 1024), "f32", buffers=1)
    with k.loop(2) as n, k.loop(8) as step:
        k.dma(k.hbm(k.weight, step * P, n * 1024, (P, 1024)), k.part(weight, (n * 8 + step, 0), 1024))
    with k.loop(4) as m:
        turned = k.sbuf((P, 8, 1024), "f32")
        with k.loop(8) as row:
            rows = k.hbm(k.x, m * 1024 + row * P, 0, (P, 1024))
            raw = k.sbuf((P, 1024), "f32")
            k.dma(rows, raw)
            total, factor = k.sbuf((P, 1), "f32"), k.sbuf((P, 1), "f32")
            k.memset(total)
            with k.loop(2) as half:
                square, mean, part = k.sbuf((P, BANK), "f32"), k.sbuf((P, BANK), "f32"), k.sbuf((P, 1), "f32")
                k.activation("square", k.part(raw, half * BANK, BANK), square)
                k.tensor_scalar("mul", square, mean, constant=1 / 1024)
                k.tensor_reduce("add", mean, part)
                k.tensor_tensor("add", total, part, total)
            k.activation("rsqrt", total, factor)
            again = k.sbuf((P, 1024), "f32")
            k.dma(rows, again)
            with k.loop(2) as half:
                normal = k.sbuf((P, BANK), "f32")
                k.tensor_scalar("mul", k.part(again, half * BANK, BANK), normal, scalars=factor)
                with k.loop(4) as tile:
                    bank = k.psum((P, P), 0, 4)
                    k.transpose(k.part(normal, tile * P, P), bank)
                    k.evict(bank, k.part(turned, (half * 4 + tile, row * P), P))
        with k.loop(2) as n, k.loop(8) as row:
            out = k.sbuf((P, 1024), "f32")
            for half in range(2):
                bank = k.psum((P, BANK), 4 + 2 * half, 2)
                with k.loop(8) as step:
                    k.matmul(bank, k.part(turned, (step, row * P), P),
                             k.part(weight, (n * 8 + step, half * BANK), BANK), step)
                k.evict(bank, k.part(out, half * BANK, BANK))
            k.dma(out, k.hbm(k.out, m * 1024 + row * P, n * 1024, (P, 1024)))
    return k


def nki_silu(reciprocal="vector"):
    """AOP silu, trn1, f32: M4096 N7168; rows of a tile are 32 apart."""
    k = Kernel("nki_silu", {"x": ((4096, 7168), "f32")}, {"out": ((4096, 7168), "f32")})
    with k.loop(32) as tile, k.loop(7) as n:
        x, out = k.sbuf((P, 1024), "f32"), k.sbuf((P, 1024), "f32")
        k.dma(k.hbm(k.x, tile, n * 1024, (P, 1024), row_step=32), x)
        for half in range(2):
            power, sum_, inverse = (k.sbuf((P, BANK), "f32") for _ in range(3))
            k.activation("exp", k.part(x, half * BANK, BANK), power, scale=-1.0)
            k.tensor_scalar("add", power, sum_, constant=1.0)
            if reciprocal == "vector":
                k.reciprocal(sum_, inverse)
            else:
                k.activation("reciprocal", sum_, inverse)
            k.tensor_tensor("mul", k.part(x, half * BANK, BANK), inverse, k.part(out, half * BANK, BANK))
        k.dma(out, k.hbm(k.out, tile, n * 1024, (P, 1024), row_step=32))
    return k


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


def tutorial(name):
    return Kernel(name, {"lhsT": ((8192, 4096), "f32"), "rhs": ((8192, 8192), "f32")},
                  {"out": ((4096, 8192), "f32")})


def load_every_tile(k, m, depth, n, dtype):
    """lhsT[depth, m] * rhs[depth, n]: every operand tile is loaded for every matmul."""
    with k.loop(m // P) as row, k.loop(n // BANK) as column:
        bank = k.psum((P, BANK), 0, 8)
        with k.loop(depth // P) as step:
            left, right = k.sbuf((P, P), dtype), k.sbuf((P, BANK), dtype)
            k.dma(k.hbm(k.lhsT, step * P, row * P, (P, P)), left)
            k.dma(k.hbm(k.rhs, step * P, column * BANK, (P, BANK)), right)
            k.matmul(bank, left, right, step)
        out = k.sbuf((P, BANK), dtype)
        k.evict(bank, out)
        k.dma(out, k.hbm(k.out, row * P, column * BANK, (P, BANK)))
    return k


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


def stream(name, columns):
    """NAD, trn2: loads of bf16 rows that wait for nothing but each other."""
    k = Kernel(name, {"rows": ((P, columns), "bf16")}, {"out": ((P, columns), "bf16")})
    with k.loop(8 * 2**30 // (P * columns * 2)):
        k.dma(k.hbm(k.rows, 0, 0, (P, columns)), k.sbuf((P, columns), "bf16"))
    return k


# The published kernel fills all of SBUF; whether the compiler keeps a part of trn2's is not known.
WHOLE = {"sbuf_partition_bytes": 224 * 1024}

# Machine, constants of it that differ, and what makes the kernel.
KERNELS = {
    "nki_matmul": ("trn1", {}, nki_matmul),
    "nki_transpose_matmul": ("trn1", {}, nki_transpose_matmul),
    "nki_rmsnorm_matmul": ("trn1", {}, nki_rmsnorm_matmul),
    "nki_silu": ("trn1", {}, nki_silu),
    # The same with ScalarE's reciprocal: see docs/CostModel.md.
    "nki_silu_scalar": ("trn1", {}, lambda: nki_silu(reciprocal="scalar")),
    "autocomp_2": ("trn1", {}, lambda: autocomp(2, rows=2, left_loads=2, right_loads=2)),
    "autocomp_3": ("trn1", {}, lambda: autocomp(3, rows=4, left_loads=4, right_loads=2)),
    "autocomp_4": ("trn1", {}, lambda: autocomp(4, rows=4, left_loads=2, right_loads=2)),
    "autocomp_5": ("trn1", {}, lambda: autocomp(5, rows=4, left_loads=1, right_loads=1, engine="vector")),
    "tutorial_tiled": ("trn2", {}, tutorial_tiled),
    "tutorial_hoisted": ("trn2", {}, tutorial_hoisted),
    "tutorial_blocked": ("trn2", {}, tutorial_blocked),
    "tutorial_fully_blocked": ("trn2", WHOLE, tutorial_fully_blocked),
    "stream_1k": ("trn2", {}, lambda: stream("stream_1k", 512)),
    "stream_4k": ("trn2", {}, lambda: stream("stream_4k", 2048)),
}


def text(name, constants=None):
    """The module of one kernel, on its machine with some constants replaced."""
    machine, own, make = KERNELS[name]
    return module(spell(machine, {**own, **(constants or {})}), make())


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in [*KERNELS, "--list"]:
        sys.exit("usage: kernels.py %s" % "|".join([*KERNELS, "--list"]))
    if sys.argv[1] == "--list":
        print("\n".join(KERNELS))
        return
    sys.stdout.write(text(sys.argv[1]))


if __name__ == "__main__":
    main()
