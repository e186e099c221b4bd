"""O[M, N] = (rmsnorm(X[M, K]) * g) W, which rounds as Llama does: bf16(x * rstd), then bf16(that * g).

X comes as rows. ScalarE squares it and sums the squares, rows are scaled by ScalarE and VectorE, and the
gain is the scale of what leaves PSUM behind the transposes, where it is a column.
"""

import numpy as np

from unrolled import Kernel, bf16

K, N, EPS = 2048, 3072, 1e-5
KT, BLOCK = K // 128, 512
BLOCKS = N // BLOCK


class Norm(Kernel):
    """What all numbers of rows have in common. `sums`: who adds up squares; None leaves the norm out."""

    def __init__(self, machine, rows, sums, slots):
        super().__init__(machine, {"x": ((rows, K), "bf16"), "g": ((K,), "bf16"), "w": ((K, N), "bf16")},
                         {"o": ((rows, N), "bf16")}, 2 * rows * K * N)
        self.sums, self.p = sums, min(rows, 128)
        self.gain, self.gain_row, self.eps = self.sbuf(128, KT, "f32"), self.sbuf(KT, 128), self.sbuf(128, 1, "f32")
        self.turned_banks, self.banks = [self.psum(6), self.psum(7)], [self.psum(bank) for bank in range(6)]
        self.fill(EPS, self.eps)
        self.w = self.several(BLOCKS, 128, KT * BLOCK)
        self.x, self.normed = self.several(slots, self.p, K), self.several(2, self.p, K)
        self.squares, self.stats = self.sbuf(self.p, K, "f32"), self.several(4, self.p, 2, "f32")

    def load_w(self, block):
        for half in (0, KT // 2):
            self.dma(self.hbm("w", half * 128 * N + block * BLOCK, (128, KT // 2, BLOCK), (N, 128 * N, 1)),
                     self.w[block](0, 128, half * BLOCK, KT // 2 * BLOCK).split(KT // 2, BLOCK))

    def load_x(self, tile):
        self.dma(self.hbm("x", tile * 128 * K, (self.p, K), (K, 1)), self.x[tile % len(self.x)])

    def load_gain(self):
        self.dma(self.hbm("g", 0, (KT, 128), (128, 1)), self.gain_row)

    def turn_gain(self):
        self.transpose(self.gain_row, self.turned_banks[0](0, 128, 0, KT))
        self.copy(self.turned_banks[0](0, 128, 0, KT), self.gain)

    def norm(self, tile):
        if self.sums is None:
            return
        x, stats, normed, half = self.x[tile % len(self.x)], self.stats[tile % 4], self.normed[tile % 2], K // 2
        sums, factor = stats(0, self.p, 0, 1), stats(0, self.p, 1, 1)
        self.activation("square", x, self.squares, sums=sums if self.sums == "scalar" else None)
        if self.sums == "vector":
            self.reduce("add", self.squares, sums)
        self.activation("rsqrt", sums, factor, scale=1 / K, bias=self.eps(0, self.p))
        self.activation("copy", x(0, self.p, 0, half), normed(0, self.p, 0, half), scale=factor)
        self.apply("mul", x(0, self.p, half, half), factor, normed(0, self.p, half, half))

    def turn(self, tile, piece, into):
        """One of KT pieces; a bank has four."""
        source = self.x[tile % len(self.x)] if self.sums is None else self.normed[tile % 2]
        bank = self.turned_banks[piece // 4 % 2](0, 128, piece % 4 * 128, self.p)
        self.transpose(source(0, self.p, 128 * piece, 128), bank)
        target = into(0, 128, piece * self.p, self.p)
        if self.sums is None:
            self.copy(bank, target, "scalar" if piece % 2 else "vector")
        elif piece % 2:
            self.activation("copy", bank, target, scale=self.gain(0, 128, piece, 1))
        else:
            self.apply("mul", bank, self.gain(0, 128, piece, 1), target)


def one_tile(machine, rows, sums="scalar"):
    """Up to 128 rows: weights stream in."""
    k = Norm(machine, rows, sums, 1)
    xt, out = k.sbuf(128, KT * k.p), k.sbuf(k.p, N)
    k.load_x(0), k.load_gain()
    for block in range(BLOCKS):
        k.load_w(block)
    k.turn_gain(), k.norm(0)
    for piece in range(KT):
        k.turn(0, piece, xt)
    for block, bank in enumerate(k.banks):
        for j in range(KT):
            k.matmul(bank(0, k.p), xt(0, 128, j * k.p, k.p), k.w[block](0, 128, j * BLOCK, BLOCK), j > 0)
        k.copy(bank(0, k.p), out(0, k.p, block * BLOCK, BLOCK), "scalar" if block % 2 else "vector")
        if block % 2:
            at = (block - 1) * BLOCK
            k.dma(out(0, k.p, at, 2 * BLOCK), k.hbm("o", at, (k.p, 2 * BLOCK), (N, 1)))
    return k


def strips(machine, rows, sums="scalar", strip=4):
    """More rows: the first strip of row tiles runs through the column blocks as they arrive, later tiles one by
    one. What is next is normed one tile ahead and turned amid the products."""
    k = Norm(machine, rows, sums, 3)
    tiles, done = rows // 128, [0]
    xt, out = k.several(strip + 1, 128, KT * 128), k.several(4, 128, 2 * BLOCK)

    def load(tile):
        if tile < tiles:
            k.load_x(tile)

    def product(tile, block, pieces=()):
        """`pieces` of a later tile are turned amid it: a list of four at a time."""
        bank, pieces = k.banks[done[0] % 6], list(pieces)
        target = out[done[0] % 4 if tile < strip else done[0] // 2 % 4]
        for j in range(KT):
            k.matmul(bank, xt[tile % (strip + 1)](0, 128, j * 128, 128), k.w[block](0, 128, j * BLOCK, BLOCK), j > 0)
            if pieces and j % 4 == 3:
                for piece in pieces.pop(0):
                    k.turn(tile + 1, piece, xt[(tile + 1) % (strip + 1)])
        at = block % 2 * BLOCK if tile >= strip else 0
        k.copy(bank, target(0, 128, at, BLOCK), "scalar" if done[0] % 2 else "vector")
        done[0] += 1
        first, columns = (block, BLOCK) if tile < strip else (block - 1, 2 * BLOCK)
        if tile < strip or block % 2:
            k.dma(target(0, 128, 0, columns), k.hbm("o", tile * 128 * N + first * BLOCK, (128, columns), (N, 1)))

    quarters = [range(j, j + 4) for j in range(0, KT, 4)]
    load(0), k.load_gain(), load(1), k.load_w(0), load(2), k.load_w(1)
    k.turn_gain(), k.norm(0), k.norm(1)
    for piece in range(KT):
        k.turn(0, piece, xt[0])
    loaded = 2
    for block in range(BLOCKS):
        if block == 1:
            load(4)
        for tile in range(strip):
            product(tile, block, quarters if block == 0 and tile + 1 < strip else [])
            if block == 0 and tile + 2 < strip:
                load(tile + 3), k.norm(tile + 2)
            if tile == 0 and loaded < BLOCKS:
                k.load_w(loaded)
                loaded += 1
        if block == 0:
            load(5)
        if block == 1:
            k.norm(strip)
    for piece in range(KT):
        k.turn(strip, piece, xt[strip])
    for tile in range(strip, tiles):
        load(tile + 2)
        if tile + 1 < tiles:
            k.norm(tile + 1)
        for block in range(BLOCKS):
            product(tile, block, [quarters[block - 1]] if tile + 1 < tiles and 1 <= block < 5 else [])
    return k


def row(machine):
    """One row comes as [KT, 128], is turned, and summed over partitions by a product with ones."""
    k = Kernel(machine, {"x": ((1, K), "bf16"), "g": ((K,), "bf16"), "w": ((K, N), "bf16")},
               {"o": ((1, N), "bf16")}, 2 * K * N)
    columns, ones, eps = k.sbuf(128, 2 * KT, "f32"), k.sbuf(128, 128, "f32"), k.sbuf(128, 1, "f32")
    x, gain, squares, stats = k.sbuf(KT, 128), k.sbuf(KT, 128), k.sbuf(128, KT, "f32"), k.sbuf(128, 2, "f32")
    normed, scaled, out = k.sbuf(128, KT), k.sbuf(128, KT), k.sbuf(1, N)
    banks, turned, total = [k.psum(bank) for bank in range(6)], k.psum(6), k.psum(7)
    k.fill(1, ones), k.fill(EPS, eps)
    k.dma(k.hbm("x", 0, (KT, 128), (128, 1)), x)
    k.dma(k.hbm("g", 0, (KT, 128), (128, 1)), gain)
    w = k.several(KT, 128, N)
    for j in range(KT):
        k.dma(k.hbm("w", j * 128 * N, (128, N), (N, 1)), w[j])
    k.transpose(x, turned(0, 128, 0, KT)), k.transpose(gain, turned(0, 128, KT, KT))
    k.copy(turned(0, 128, 0, 2 * KT), columns)
    k.activation("square", columns(0, 128, 0, KT), squares, sums=stats(0, 128, 0, 1))
    k.matmul(total(0, 128, 0, 1), ones, stats(0, 128, 0, 1))
    k.activation("rsqrt", total(0, 128, 0, 1), stats(0, 128, 1, 1), scale=1 / K, bias=eps)
    k.apply("mul", columns(0, 128, 0, KT), stats(0, 128, 1, 1), normed)
    k.pair("mul", normed, columns(0, 128, KT, KT), scaled)
    for j in range(KT):
        for i, bank in enumerate(banks):
            k.matmul(bank(0, 1), scaled(0, 128, j, 1), w[j](0, 128, BLOCK * i, BLOCK), j > 0)
    for i, bank in enumerate(banks):
        k.copy(bank(0, 1), out(0, 1, BLOCK * i, BLOCK), "scalar" if i % 2 else "vector")
        if i % 2:
            k.dma(out(0, 1, BLOCK * (i - 1), 2 * BLOCK), k.hbm("o", BLOCK * (i - 1), (1, 2 * BLOCK), (N, 1)))
    return k


def kernel(machine, rows, sums="scalar"):
    return row(machine) if rows == 1 else one_tile(machine, rows, sums) if rows <= 128 else strips(machine, rows, sums)


def inputs(rows):
    random = np.random.default_rng(rows)
    return {"x": bf16(random.normal(size=(rows, K))), "g": bf16(1 + .1 * random.normal(size=K)),
            "w": bf16(random.normal(size=(K, N)) / 45)}


def reference(x, g, w):
    factor = 1 / np.sqrt((x * x).mean(1, keepdims=True, dtype=np.float64) + EPS)
    return bf16(bf16(bf16(x * factor.astype(np.float32)) * g) @ w)
