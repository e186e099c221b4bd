"""Kernels with row work as we would write them: f32, no publisher's structure. Predicted blind.

The order is a scheduler's: what the next step needs is prepared amid the instructions of this one (Kernel.ahead).
ScalarE computes exponentials alone, so that it keeps its table of functions; VectorE copies and scales.
"""

from trn_writer import Kernel

P, BANK, BANKS = 128, 512, 8


def turn_rows(k, argument, rows, depth, at, bank_count=2, first_bank=6, buffers=1):
    """[rows, depth] of `argument`, from row `at` on, as [depth, rows]."""
    turned = k.sbuf((depth, rows), "f32", buffers=buffers)
    with k.loop(rows // P) as tile:
        raw = k.sbuf((P, depth), "f32")
        k.dma(k.hbm(argument, at + tile * P, 0, (P, depth)), raw)
        bank = k.psum((depth, P), first_bank, bank_count)
        k.transpose(raw, bank)
        k.evict(bank, k.part(turned, tile * P, P), "vector")
    return turned


class Softmax:
    """Exponentials of rows of scores, which come in chunks of 512 columns and stay in their banks until then."""

    def __init__(self, k, chunks, banks):
        self.k, self.chunks, self.banks = k, chunks, banks
        self.maxima = [k.sbuf((P, chunks), "f32", buffers=1) for _ in range(2)]
        self.parts = k.sbuf((P, chunks), "f32", buffers=1)
        self.negative = k.sbuf((P, 1), "f32", buffers=1)

    def score(self, slot, chunk, queries, keys):
        self.k.matmul(self.banks[chunk], queries, keys, 0)
        self.k.tensor_reduce("max", self.banks[chunk], self.k.part(self.maxima[slot], chunk, 1))

    def begin(self, slot):
        """The negative maximum of each row."""
        largest = self.k.sbuf((P, 1), "f32")
        self.k.tensor_reduce("max", self.maxima[slot], largest)
        self.k.tensor_scalar("mul", largest, self.negative, constant=-1.0)

    def exponentials(self, chunk, target):
        self.k.activation("exp", self.banks[chunk], target, biases=self.negative)
        self.k.tensor_reduce("add", target, self.k.part(self.parts, chunk, 1))

    def inverse(self):
        """One over the sum of each row."""
        total, inverse = self.k.sbuf((P, 1), "f32"), self.k.sbuf((P, 1), "f32")
        self.k.tensor_reduce("add", self.parts, total)
        self.k.reciprocal(total, inverse)
        return inverse


def bmm_softmax(batches=16, m=4096, depth=64, n=4096):
    """softmax(lhs * rhs) for each batch: a row tile's products fill the banks as the exponentials of the one before
    leave them."""
    k = Kernel("bmm_softmax", {"lhs": ((batches * m, depth), "f32"), "rhs": ((batches * depth, n), "f32")},
               {"out": ((batches * m, n), "f32")})
    chunks = n // BANK
    with k.loop(batches) as batch:
        right = k.sbuf((depth, n), "f32", buffers=1)
        k.dma(k.hbm(k.rhs, batch * depth, 0, (depth, n)), right)
        left = turn_rows(k, k.lhs, m, depth, batch * m)
        softmax = Softmax(k, chunks, [k.psum((P, BANK), bank, 1) for bank in range(chunks)])
        results = [k.sbuf((P, n), "f32", buffers=1) for _ in range(2)]

        def score(row, slot, chunk):
            softmax.score(slot, chunk, k.part(left, row * P, P), k.part(right, chunk * BANK, BANK))

        def first(prepare):
            for chunk in range(chunks):
                prepare(chunk)

        def finish(row, slot, prepare):
            softmax.begin(slot)
            for chunk in range(chunks):
                softmax.exponentials(chunk, k.part(results[slot], chunk * BANK, BANK))
                prepare(chunk)
            k.tensor_scalar("mul", results[slot], results[slot], scalars=softmax.inverse())
            k.dma(results[slot], k.hbm(k.out, batch * m + row * P, 0, (P, n)))

        k.ahead(m // P, [score], finish, first, slots=2)
    return k


def gqa(tokens=4096, heads=16, kv_heads=8, depth=128, chunks=4):
    """Attention without a mask, heads of queries in groups that share keys and values. Keys come in blocks of
    2048; sums of earlier blocks are corrected by the change of the maximum."""
    k = Kernel("gqa", {"q": ((heads * tokens, depth), "f32"), "k": ((kv_heads * tokens, depth), "f32"),
                       "v": ((kv_heads * tokens, depth), "f32")}, {"out": ((heads * tokens, depth), "f32")})
    blocks, block = tokens // (chunks * BANK), chunks * BANK
    with k.loop(kv_heads) as group:
        keys = turn_rows(k, k.k, tokens, depth, group * tokens)
        values = k.sbuf((P, tokens // P, depth), "f32", buffers=1)
        with k.loop(tokens // P) as tile:
            k.dma(k.hbm(k.v, group * tokens + tile * P, 0, (P, depth)), k.part(values, (tile, 0), depth))
        with k.loop(heads // kv_heads) as head:
            first_row = group * (heads // kv_heads * tokens) + head * tokens
            queries = turn_rows(k, k.q, tokens, depth, first_row)
            softmax = Softmax(k, chunks, [k.psum((P, BANK), bank, 1) for bank in range(chunks)])
            largest, new, total, change = (k.sbuf((P, 1), "f32", buffers=1) for _ in range(4))
            out = k.sbuf((P, depth), "f32", buffers=1)

            def multiply(chunk, part, sums, powers):
                """One chunk of exponentials, turned, with its values."""
                with k.scope():
                    turned, bank = k.sbuf((P, BANK), "f32", buffers=1), k.psum((P, BANK), 4 + chunk % 2, 1)
                    for tile in range(BANK // P):
                        k.transpose(k.part(powers, tile * P, P), k.part(bank, tile * P, P))
                    k.evict(bank, turned, "vector")
                    with k.loop(BANK // P) as tile:
                        # The first product of a chunk adds to those of earlier chunks.
                        at = chunk * (BANK // P) + tile
                        k.matmul(sums, k.part(turned, tile * P, P),
                                 k.part(values, (at + part * (block // P), 0), depth), at)

            def attend(row, part, slot, score_next):
                """A row tile's products with one block of keys and values."""
                softmax.begin(slot)
                if part:
                    k.tensor_tensor("min", largest, softmax.negative, new)
                    k.tensor_tensor("sub", new, largest, change)
                    k.activation("exp", change, change)
                    k.evict(new, softmax.negative, "vector")
                k.evict(softmax.negative, largest, "vector")
                sums = k.psum((P, depth), 6 + part % 2, 1)
                powers = [k.sbuf((P, BANK), "f32", buffers=1) for _ in range(chunks)]
                for chunk in range(chunks + 1):
                    if chunk < chunks:
                        softmax.exponentials(chunk, powers[chunk])
                        score_next(chunk)
                    if chunk:
                        multiply(chunk - 1, part, sums, powers[chunk - 1])
                fresh = k.sbuf((P, 1), "f32")
                k.tensor_reduce("add", softmax.parts, fresh)
                if part:
                    k.tensor_scalar("mul", out, out, scalars=change)
                    k.tensor_tensor("add", out, sums, out)
                    k.tensor_tensor("mul", total, change, total)
                    k.tensor_tensor("add", total, fresh, total)
                else:
                    k.evict(sums, out, "vector")
                    k.evict(fresh, total, "vector")
                if part == blocks - 1:
                    inverse, result = k.sbuf((P, 1), "f32"), k.sbuf((P, depth), "f32")
                    k.reciprocal(total, inverse)
                    k.tensor_scalar("mul", out, result, scalars=inverse)
                    k.dma(result, k.hbm(k.out, first_row + row * P, 0, (P, depth)))

            def score(row, slot, part, chunk):
                softmax.score(part % 2, chunk, k.part(queries, row * P, P),
                              k.part(keys, part * block + chunk * BANK, BANK))

            def step(row, slot, prepare):
                for part in range(blocks):
                    def score_next(chunk):
                        if part + 1 < blocks:
                            score(row, slot, part + 1, chunk)
                        else:
                            prepare(0, chunk)
                    attend(row, part, part % 2, score_next)

            def first(prepare):
                for chunk in range(chunks):
                    prepare(0, chunk)

            k.ahead(tokens // P, [score], step, first, slots=2)
    return k


def rope(heads=64, tokens=4096, depth=128, rows=8):
    """x cos + (x turned by halves) sin. Partition p holds `rows` adjacent tokens, so that pieces are long; the
    halves of each token are instructions of their own, four on VectorE and two on GpSimd."""
    half = depth // 2
    shape = (heads * tokens // rows, rows * depth)
    angles = (tokens // rows, rows * half)
    k = Kernel("rope", {"x": (shape, "f32"), "cos": (angles, "f32"), "sin": (angles, "f32")}, {"out": (shape, "f32")})
    tiles = tokens // rows // P
    tables = []
    for argument in (k.cos, k.sin):
        tables.append(k.sbuf((P, tiles, rows * half), "f32", buffers=1))
        with k.loop(tiles) as tile:
            k.dma(k.hbm(argument, tile * P, 0, (P, rows * half)), k.part(tables[-1], (tile, 0), rows * half))
    with k.loop(heads) as head, k.loop(tiles) as tile:
        x, out = k.sbuf((P, rows * depth), "f32", buffers=3), k.sbuf((P, rows * depth), "f32", buffers=3)
        k.dma(k.hbm(k.x, head * (tokens // rows) + tile * P, 0, (P, rows * depth)), x)
        with k.loop(rows) as row:
            cos, sin = (k.part(table, (tile, row * half), half) for table in tables)
            first, second = k.part(x, row * depth, half), k.part(x, row * depth + half, half)
            a, b, c, d = (k.sbuf((P, half), "f32", buffers=4) for _ in range(4))
            k.tensor_tensor("mul", second, sin, b, "gpsimd")
            k.tensor_tensor("mul", first, sin, c, "gpsimd")
            k.tensor_tensor("mul", first, cos, a)
            k.tensor_tensor("mul", second, cos, d)
            k.tensor_tensor("sub", a, b, k.part(out, row * depth, half))
            k.tensor_tensor("add", c, d, k.part(out, row * depth + half, half))
        k.dma(out, k.hbm(k.out, head * (tokens // rows) + tile * P, 0, (P, rows * depth)))
    return k
