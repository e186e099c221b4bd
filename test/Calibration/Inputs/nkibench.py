"""Kernels of NKIBench (AOP): trn1, f32."""

from trn_writer import Kernel

P, BANK = 128, 512


def nki_matmul():
    """AOP matmul, trn1, f32: M4096 K5120 N12288; the right block streams in for each row tile. The next 8 tiles
    of the left operand are transposed amid the products of these 8; each row tile begins anew."""
    k = Kernel("nki_matmul", {"lhs": ((4096, 5120), "f32"), "rhs": ((5120, 12288), "f32")},
               {"out": ((4096, 12288), "f32")})
    with k.loop(12) as n, k.loop(32) as m:
        turned = k.sbuf((P, 40, P), "f32")
        banks = [k.psum((P, BANK), 4 + 2 * half, 2) for half in range(2)]

        def turn(group, _, tile):
            raw = k.part(left, (group, tile * P), P)
            bank = k.psum((P, P), 0, 4)
            k.transpose(raw, bank)
            k.evict(bank, k.part(turned, (group * 8 + tile, 0), P))

        def multiply(group, _, turn_next):
            with k.loop(8) as tile:
                turn_next(tile)
                step = group * 8 + tile
                block = k.sbuf((P, 1024), "f32")
                k.dma(k.hbm(k.rhs, step * P, n * 1024, (P, 1024)), block)
                for half in range(2):
                    k.matmul(banks[half], k.part(turned, (step, 0), P), k.part(block, half * BANK, BANK), step)

        left = k.sbuf((P, 5, 1024), "f32")
        with k.loop(5) as group:
            k.dma(k.hbm(k.lhs, m * P, group * 1024, (P, 1024)), k.part(left, (group, 0), 1024))
        def turn_first(turn_next):
            with k.loop(8) as tile:
                turn_next(tile)

        k.ahead(5, [turn], multiply, turn_first)
        out = k.sbuf((P, 1024), "f32")
        for half in range(2):
            k.evict(banks[half], k.part(out, half * BANK, BANK))
        k.dma(out, k.hbm(k.out, m * P, n * 1024, (P, 1024)))
    return k


def nki_transpose_matmul():
    """AOP transpose_matmul, trn1, f32: M4096 K2048 N10944, the left operand given transposed. Source order."""
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
    """AOP rmsnorm_matmul, trn1, f32: M4096 K1024 N2048; rows are divided by their norms, then turned. In the first
    column block a row tile is divided two tiles ahead and turned one tile ahead; each row block begins anew."""
    k = Kernel("nki_rmsnorm_matmul", {"x": ((4096, 1024), "f32"), "weight": ((1024, 2048), "f32"),
                                      "identity": ((P, P), "f32")}, {"out": ((4096, 2048), "f32")})
    # What the transposes multiply by; trn.transpose needs no operand for it.
    k.dma(k.hbm(k.identity, 0, 0, (P, P)), k.sbuf((P, P), "f32", buffers=1))
    weight = k.sbuf((P, 16, 1024), "f32", buffers=1)
    with k.loop(2) as n, k.loop(8) as step:
        k.dma(k.hbm(k.weight, step * P, n * 1024, (P, 1024)), k.part(weight, (n * 8 + step, 0), 1024))
    normal, out = ([k.sbuf((P, 1024), "f32", buffers=1) for _ in range(2)] for _ in range(2))
    with k.loop(4) as m:
        turned = k.sbuf((P, 8, 1024), "f32")

        def normalise(row, slot):
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
                k.tensor_scalar("mul", k.part(again, half * BANK, BANK), k.part(normal[slot], half * BANK, BANK),
                                scalars=factor)

        def turn(row, slot):
            with k.loop(8) as tile:
                bank = k.psum((P, P), 0, 4)
                k.transpose(k.part(normal[slot], tile * P, P), bank)
                k.evict(bank, k.part(turned, (tile, row * P), P))

        def multiply(row, n, parity):
            for half in range(2):
                with k.scope():
                    bank = k.psum((P, BANK), 4 + 2 * half + parity, 1)
                    with k.loop(8) as step:
                        k.matmul(bank, k.part(turned, (step, row * P), P),
                                 k.part(weight, (n * 8 + step, half * BANK), BANK), step)
                    k.evict(bank, k.part(out[parity], half * BANK, BANK))
            k.dma(out[parity], k.hbm(k.out, m * 1024 + row * P, n * 1024, (P, 1024)))

        def first_column_block(row, slot, prepare):
            prepare()
            multiply(row, 0, slot)

        k.ahead(8, [normalise, turn], first_column_block, lambda prepare: prepare(), slots=2)
        with k.loop(4) as pair:
            for slot in range(2):
                multiply(pair * 2 + slot, 1, slot)
    return k


def nki_silu():
    """AOP silu, trn1, f32: M4096 N7168; rows of a tile are 32 apart. The two halves are interleaved."""
    k = Kernel("nki_silu", {"x": ((4096, 7168), "f32")}, {"out": ((4096, 7168), "f32")})
    with k.loop(32) as tile, k.loop(7) as n:
        x, out = k.sbuf((P, 1024), "f32"), k.sbuf((P, 1024), "f32")
        k.dma(k.hbm(k.x, tile, n * 1024, (P, 1024), row_step=32), x)
        halves = [[k.sbuf((P, BANK), "f32") for _ in range(3)] for _ in range(2)]
        for half, (power, _, _) in enumerate(halves):
            k.activation("exp", k.part(x, half * BANK, BANK), power, scale=-1.0)
        for power, sum_, _ in halves:
            k.tensor_scalar("add", power, sum_, constant=1.0)
        for _, sum_, inverse in halves:
            k.reciprocal(sum_, inverse)
        for half, (_, _, inverse) in enumerate(halves):
            k.tensor_tensor("mul", k.part(x, half * BANK, BANK), inverse, k.part(out, half * BANK, BANK))
        k.dma(out, k.hbm(k.out, tile, n * 1024, (P, 1024), row_step=32))
    return k
