"""One token of Llama-3.2-1B: attention against a cache in HBM, and whole layers in one launch.

K is cached as [key heads * d, T], V as [T, key heads * d]; the new column and row are results. Head h = 4 g + j
of key head g = 2 c + p: scores have heads on partitions, and tile c of K^T has key heads 2 c and 2 c + 1 on its
partitions (p, d), against a block-diagonal Q. From 2048 keys on, they fall into chunks of 512 that lie side by
side on the partitions: `lanes` of them, as many as there are parts of the tensor engine's columns (access_c7),
which makes elementwise work and PSUM that much smaller.

Vectors lie on chip as columns [128, n]; weights are the stationary operand, so that y^T = W^T x^T leaves columns
again: 64 columns a tile of 128 x 128, where a moving weight takes 128.
"""

import numpy as np

from projections import rotation
from unrolled import Kernel, bf16

D, HEADS, KEY_HEADS, HIDDEN, INTER, EPS = 64, 32, 8, 2048, 8192, 1e-5
KV = KEY_HEADS * D
PART = {"trn1": 64, "trn2": 32}  # columns of the smallest part of the tensor engine


class Token(Kernel):
    """Buffers of later layers are those of the first one, in the same order."""

    known, at = None, None

    def begin_layer(self, number):
        if number == 0:
            self.known = []
        self.at = 0 if number else None

    def sbuf(self, partitions, columns, dtype="bf16"):
        if self.at is not None:
            view = self.known[self.at]
            self.at += 1
            assert view.shape == (partitions, columns)
            return view
        view = super().sbuf(partitions, columns, dtype)
        if self.known is not None:
            self.known.append(view)
        return view

    def make_constants(self):
        """Ones, Q as [128, 4 tiles of heads that are padded to a part of the columns], and a buffer of 2048 columns
        for the probabilities, and later the residual as a row."""
        self.lane = PART[self.machine]
        self.ones, self.q, self.row = self.sbuf(128, 1), self.sbuf(128, 4 * self.lane), self.sbuf(128, 2048)
        self.fill(1, self.ones), self.fill(0, self.q)

    def head_columns(self, c, p):
        """Where heads 8 c + 4 p to 8 c + 4 p + 3 are in Q."""
        return (64 * p, 64, self.lane * c + 8 * c + 4 * p, 4)

    def load_cache(self, number, context, kt, v):
        for first in range(0, context, 2048):
            step = min(context, 2048)
            for c in range(4):
                self.dma(self.hbm("kt" + number, c * 128 * context + first, (128, step), (context, 1)),
                         kt(0, 128, c * (context + 4) + first, step))
        for tile in range(0, context // 128, 4):
            self.dma(self.hbm("v" + number, tile * 128 * KV, (128, 4, KV), (KV, 128 * KV, 1)),
                     v(0, 128, KV * tile, 4 * KV).split(4, KV))

    def attend(self, kt, v, new_v, context, banks):
        """O[32, 512] = softmax(q K^T / 8) V, with blocks that are not used beside those on the diagonal. The new key
        is column `context` of each tile of K^T. `banks` are eight."""
        scale, pitch, chunks, lane = D ** -.5, context + 4, context // 512, self.lane
        lanes = 128 // lane if chunks >= 128 // lane else 1
        rows, count = (128, chunks // lanes) if lanes > 1 else (HEADS, chunks)
        score_banks, (turned, more_turned, sums, totals) = banks[:count], banks[4:]
        wide = lane if lanes > 1 else HEADS
        for chunk in range(chunks):
            into = score_banks[chunk // lanes](lane * (chunk % lanes), wide)
            for c in range(4):
                self.matmul(into, self.q(0, 128, lane * c, wide), kt(0, 128, c * pitch + 512 * chunk, 512), c > 0)
        stats, new, new_scores = self.sbuf(rows, 8, "f32"), self.sbuf(HEADS, 4, "f32"), turned(0, HEADS, 0, 1)
        for i, bank in enumerate(score_banks):
            self.reduce("max", bank(0, rows), stats(0, rows, i, 1))
        if count > 1:
            self.reduce("max", stats(0, rows, 0, count), stats(0, rows, 4, 1))
        top, negative = stats(0, rows, 4 if count > 1 else 0, 1), stats(0, rows, 5, 1)
        for c in range(4):
            self.matmul(new_scores, self.q(0, 128, lane * c, HEADS), kt(0, 128, c * pitch + context, 1), c > 0)
        self.copy(new_scores, new(0, HEADS, 0, 1))
        if lanes == 1:
            self.pair("max", top, new(0, HEADS, 0, 1), new(0, HEADS, 1, 1))
            self.apply("mul", new(0, HEADS, 1, 1), -scale, negative)
        else:
            self.spread_maxima(top, new, negative, lanes, more_turned, scale)
        # exp, and the probabilities turned.
        p, new_p = self.row(0, rows, 0, 512 * count), self.sbuf(HEADS, 1)
        pt, new_pt = self.sbuf(128, 4 * chunks * HEADS), self.sbuf(1, HEADS)
        for i, bank in enumerate(score_banks):
            self.activation("exp", bank(0, rows), p(0, rows, 512 * i, 512), scale=scale, bias=negative)
        self.activation("exp", new(0, HEADS, 0, 1), new_p, scale=scale, bias=stats(0, HEADS, 5, 1))
        self.transpose(new_p, more_turned(0, 1, 0, HEADS))
        self.copy(more_turned(0, 1, 0, HEADS), new_pt)
        for i in range(count):
            bank = (turned, more_turned)[i % 2] if lanes > 1 else turned
            at = 0 if lanes > 1 else 128
            for u in range(4):
                self.transpose(p(0, rows, 512 * i + 128 * u, 128), bank(0, 128, at + rows * u, rows))
            size = 4 * lanes * HEADS
            self.copy(bank(0, 128, at, 4 * rows).split(4, lanes, wide).window((0, 0, 0, 0), (128, 4, lanes, HEADS)),
                      pt(0, 128, size * i, size).split(4, lanes, HEADS))

        def probabilities(tile):
            chunk, u = divmod(tile, 4)
            return pt(0, 128, ((4 * (chunk // lanes) + u) * lanes + chunk % lanes) * HEADS, HEADS)

        self.matmul(totals(0, HEADS, 0, 1), new_pt, self.ones(0, 1))
        for tile in range(context // 128):
            self.matmul(totals(0, HEADS, 0, 1), probabilities(tile), self.ones, True)
        self.reciprocal(totals(0, HEADS, 0, 1), new(0, HEADS, 2, 1))
        self.matmul(sums(0, HEADS), new_pt, new_v)
        for tile in range(context // 128):
            self.matmul(sums(0, HEADS), probabilities(tile), v(0, 128, KV * tile, KV), True)
        out = self.sbuf(HEADS, KV)
        self.activation("copy", sums(0, HEADS), out, scale=new(0, HEADS, 2, 1))
        return out

    def spread_maxima(self, top, new, negative, lanes, bank, scale):
        """The maximum of a head over all lanes and the new key: as a row, and back to each lane."""
        row, lane = self.sbuf(1, 448, "f32"), self.lane
        self.transpose(top, bank(0, 1, 0, 128))
        self.transpose(new(0, HEADS, 0, 1), bank(0, 1, 128, HEADS))
        self.copy(bank(0, 1, 0, 128 + HEADS), row(0, 1, 0, 128 + HEADS))
        best, width = 0, 128
        while width > lane:
            width //= 2
            self.pair("max", row(0, 1, best, width), row(0, 1, best + width, width), row(0, 1, 192 + width, width))
            best = 192 + width
        self.pair("max", row(0, 1, best, HEADS), row(0, 1, 128, HEADS), row(0, 1, 160, HEADS))
        if lane > HEADS:  # padded heads have scores of 0
            self.apply("mul", row(0, 1, 0, 128), 0, row(0, 1, 320, 128))
        for i in range(lanes):
            self.apply("mul", row(0, 1, 160, HEADS), -scale, row(0, 1, 320 + lane * i, HEADS))
        self.transpose(row(0, 1, 320, 128), bank(0, 128, 256, 1))
        self.copy(bank(0, 128, 256, 1), negative)


def attention(machine, context):
    """Q and the new key and value come as rows."""
    k = Token(machine, {"q": ((HEADS, D), "bf16"), "kt": ((KV, context), "bf16"), "v": ((context, KV), "bf16"),
                        "kn": ((KV,), "bf16"), "vn": ((KV,), "bf16")}, {"o": ((HEADS, D), "bf16")},
              4 * HEADS * (context + 1) * D)
    banks = [k.psum(bank) for bank in range(8)]
    k.make_constants()
    kt, v = k.sbuf(128, 4 * (context + 4)), k.sbuf(128, context // 128 * KV)
    q, new_k, new_v = k.sbuf(HEADS, D), k.sbuf(4, 128), k.sbuf(1, KV)
    k.dma(k.hbm("q", 0, (HEADS, D), (D, 1)), q)
    k.dma(k.hbm("kn", 0, (4, 128), (128, 1)), new_k)
    k.dma(k.hbm("vn", 0, (1, KV), (KV, 1)), new_v)
    k.load_cache("", context, kt, v)
    bank = banks[7]
    k.transpose(q, bank(0, D, 0, HEADS)), k.transpose(new_k, bank(0, 128, 64, 4))
    for c in range(4):
        for p in range(2):
            k.copy(bank(0, D, 8 * c + 4 * p, 4), k.q(*k.head_columns(c, p)), "scalar" if p else "vector")
    k.copy(bank(0, 128, 64, 4), kt(0, 128, context, 4, context + 4))
    out = k.attend(kt, v, new_v, context, banks)
    for g in range(KEY_HEADS):
        k.dma(out(4 * g, 4, D * g, D), k.hbm("o", 4 * g * D, (4, D), (D, 1)))
    return k


class Ring:
    """Weights stream through `units` buffers of 8 x 128 rows of 2048 columns."""

    def __init__(self, kernel, units, queue):
        self.buffers, self.queue = kernel.several(units, 128, 8 * 2048), queue
        self.filled, self.freed = 0, 0

    def fill(self):
        if self.queue:
            self.queue.pop(0)(self.buffers[self.filled % len(self.buffers)])
            self.filled += 1

    def take(self, count):
        """A function of (tile of 128 rows, column, columns) on the next `count` units; `free` gives them back."""
        first = self.freed
        return lambda tile, column, columns: self.buffers[(first + tile // 8) % len(self.buffers)](
            0, 128, tile % 8 * 2048 + column, columns)

    def free(self, count):
        self.freed += count
        for _ in range(count):
            self.fill()


class Layers(Token):
    """Decoder layers in one launch."""

    WEIGHTS = {"wq": (HIDDEN, HIDDEN), "wk": (HIDDEN, KV), "wv": (HIDDEN, KV), "wo": (HIDDEN, HIDDEN),
               "wg": (HIDDEN, INTER), "wu": (HIDDEN, INTER), "wd": (INTER, HIDDEN)}

    def __init__(self, machine, context, layers=1):
        self.context, self.layers = context, layers
        given = {"x": (1, HIDDEN), "cs": (2, 128), "rot": (128, 128)}
        made = {"y": (1, HIDDEN)}
        for number in map(str, range(layers)):
            shapes = {"kt": (KV, context), "v": (context, KV), "g1": (HIDDEN,), "g2": (HIDDEN,), **self.WEIGHTS}
            given.update({name + number: shape for name, shape in shapes.items()})
            made.update({"kn" + number: (KV,), "vn" + number: (KV,)})
        flops = 2 * sum(a * b for a, b in self.WEIGHTS.values()) + 4 * HEADS * (context + 1) * D
        super().__init__(machine, *({name: (shape, "bf16") for name, shape in of.items()} for of in (given, made)),
                         layers * flops)
        self.banks = [self.psum(bank) for bank in range(8)]
        self.make_constants()
        self.all_ones, self.eps = self.sbuf(128, 128, "f32"), self.sbuf(128, 1, "f32")
        self.fill(1, self.all_ones), self.fill(EPS, self.eps)
        self.kt, self.v = self.sbuf(128, 4 * (context + 4)), self.sbuf(128, context // 128 * KV)
        self.angle_rows, self.angles, self.rot = self.sbuf(2, 128), self.sbuf(128, 2, "f32"), self.sbuf(128, 128)
        self.gain_rows, self.x_row = self.several(2, 16, 128), self.sbuf(16, 128)
        self.ring = Ring(self, 4 if context <= 1024 else 3,
                         [load for number in range(layers) for load in self.loads(str(number))])
        self.dma(self.hbm("x", 0, (16, 128), (128, 1)), self.x_row)
        self.dma(self.hbm("cs", 0, (2, 128), (128, 1)), self.angle_rows)
        for unit in range(len(self.ring.buffers)):
            self.ring.fill()
            if unit == 1:
                self.dma(self.hbm("rot", 0, (128, 128), (128, 1)), self.rot)
        row = None
        for number in range(layers):
            self.begin_layer(number)
            row = self.layer(str(number), row)

    # What streams in, a unit each. Small transfers come before large ones of the same unit.

    def load(self, name, unit, first_row=0, column=0, columns=2048, tiles=8, at=0, each=4):
        pitch = self.inputs[name][0][1]
        for j in range(0, tiles, each):
            at_row = (first_row + 128 * j) * pitch
            source = self.hbm(name, at_row + column, (128, each, columns), (pitch, 128 * pitch, 1))
            self.dma(source, unit(0, 128, at + j * columns, each * columns).split(each, columns))

    def loads(self, n):
        def queries(half):
            def load(unit):
                if half == 0:
                    for i, gain in enumerate(self.gain_rows):
                        self.dma(self.hbm("g%d" % (i + 1) + n, 0, (16, 128), (128, 1)), gain)
                self.load("wq" + n, unit, 1024 * half)
            return load

        def keys_and_values(unit):
            for i, name in enumerate(("wk", "wv")):
                self.load(name + n, unit, columns=KV, tiles=16, at=i * 16 * KV, each=16)
            self.load_cache(n, self.context, self.kt, self.v)

        def out(half):
            def load(unit):  # partitions (p, d), tiles (c, j)
                for c in (2 * half, 2 * half + 1):
                    for p in range(2):
                        source = self.hbm("wo" + n, 64 * (8 * c + 4 * p) * HIDDEN, (64, 4, HIDDEN),
                                          (HIDDEN, 64 * HIDDEN, 1))
                        self.dma(source, unit(64 * p, 64, 4 * (c - 2 * half) * HIDDEN, 4 * HIDDEN).split(4, HIDDEN))
            return load

        def part(name, first_row, column):
            return lambda unit: self.load(name + n, unit, first_row, column)

        return [queries(0), queries(1), keys_and_values, out(0), out(1),
                *(part(name, 1024 * half, 2048 * block)
                  for block in range(4) for name in ("wg", "wu") for half in (0, 1)),
                *(part("wd", 1024 * block, 0) for block in range(8))]

    # What is computed.

    def columns_of(self, into, weight, column, vector, tiles=16):
        """A column of y^T = W^T x^T: 128 of the outputs."""
        for t in range(tiles):
            self.matmul(into, weight(t, column, into.shape[0]), vector(0, 128, t, 1), t > 0)

    def norm(self, x, gain):
        bank, squares, stats = self.banks[7], self.sbuf(128, 16, "f32"), self.sbuf(128, 2, "f32")
        normed, scaled = self.sbuf(128, 16), self.sbuf(128, 16)
        self.activation("square", x, squares, sums=stats(0, 128, 0, 1))
        self.matmul(bank(0, 128, 0, 1), self.all_ones, stats(0, 128, 0, 1))
        self.activation("rsqrt", bank(0, 128, 0, 1), stats(0, 128, 1, 1), scale=1 / HIDDEN, bias=self.eps)
        self.apply("mul", x, stats(0, 128, 1, 1), normed)
        self.pair("mul", normed, gain, scaled)
        return scaled

    def layer(self, n, row):
        """`row` is what the layer before left; the row of this one."""
        columns, bank = self.sbuf(128, 48, "f32"), self.banks[7]
        if row is None:
            self.transpose(self.x_row, bank(0, 128, 0, 16)), self.transpose(self.angle_rows, bank(0, 128, 48, 2))
            self.copy(bank(0, 128, 48, 2), self.angles)
        else:
            for t in range(16):
                self.transpose(row(0, 1, 128 * t, 128), bank(0, 128, t, 1))
        for i, gain in enumerate(self.gain_rows):
            self.transpose(gain, bank(0, 128, 16 + 16 * i, 16))
        self.copy(bank(0, 128, 0, 48), columns)
        x, first_gain, second_gain = (columns(0, 128, 16 * i, 16) for i in range(3))
        attended = self.attention(n, self.norm(x, first_gain))
        bank, weight = self.banks[3], self.ring.take(2)
        for m in range(16):
            self.columns_of(bank(0, 128, m, 1), weight, 128 * m, attended)
        self.ring.free(2)
        projected, middle = self.sbuf(128, 16), self.sbuf(128, 16)
        self.copy(bank(0, 128, 0, 16), projected)
        self.pair("add", projected, x, middle)
        return self.mlp(n, middle, self.norm(middle, second_gain))

    def attention(self, n, h):
        """Q, K, V, RoPE and the heads, as columns of the tiles (c, j) that W_o is read in."""
        bank, v_bank, rot_bank = self.banks[:3]
        weight = self.ring.take(2)
        for c in range(4):
            for j in range(4):
                for p in range(2):
                    self.columns_of(bank(64 * p, 64, 4 * c + j, 1), weight, 64 * (8 * c + 4 * p + j), h)
        self.ring.free(2)
        unit = self.ring.buffers[self.ring.freed % len(self.ring.buffers)]
        for c in range(4):
            self.columns_of(bank(0, 128, 16 + c, 1), lambda t, at, size: unit(0, 128, KV * t + at, size), 128 * c, h)
        for t in range(16):
            self.matmul(v_bank(0, 1), h(0, 128, t, 1), unit(0, 128, 16 * KV + KV * t, KV), t > 0)
        self.ring.free(1)
        plain, new_v = self.sbuf(128, 20), self.sbuf(1, KV)
        self.copy(bank(0, 128, 0, 20), plain)
        self.copy(v_bank(0, 1), new_v, "scalar")
        self.dma(new_v, self.hbm("vn" + n, 0, (1, KV), (KV, 1)))
        self.matmul(rot_bank(0, 128, 0, 20), self.rot, plain)
        straight, crossed = self.several(2, 128, 20, "f32")
        new_k, new_k_row = self.sbuf(128, 4), self.sbuf(4, 128)
        self.activation("copy", plain, straight, scale=self.angles(0, 128, 0, 1))
        self.apply("mul", rot_bank(0, 128, 0, 20), self.angles(0, 128, 1, 1), crossed)
        for c in range(4):
            for p in range(2):
                at = (64 * p, 64, 4 * c, 4)
                self.pair("add", straight(*at), crossed(*at), self.q(*self.head_columns(c, p)))
        self.pair("add", straight(0, 128, 16, 4), crossed(0, 128, 16, 4), new_k)
        self.copy(new_k, self.kt(0, 128, self.context, 4, self.context + 4))
        self.transpose(new_k, rot_bank(0, 4, 128, 128))
        self.copy(rot_bank(0, 4, 128, 128), new_k_row)
        self.dma(new_k_row, self.hbm("kn" + n, 0, (4, 128), (128, 1)))
        banks = [self.banks[bank] for bank in (3, 4, 7, 2, 5, 6, 0, 1)]
        heads = self.attend(self.kt, self.v, new_v, self.context, banks)
        turned, bank = self.sbuf(128, 16), self.banks[2]
        for c in range(4):
            self.transpose(heads(0, HEADS, 128 * c, 128), bank(0, 128, 256 + 32 * c, HEADS))
        for c in range(4):
            for p in range(2):
                self.copy(bank(64 * p, 64, 256 + 40 * c + 4 * p, 4), turned(64 * p, 64, 4 * c, 4),
                          "scalar" if p else "vector")
        return turned

    def mlp(self, n, x, h):
        """The residual and the down projection leave rows."""
        row, hidden, gate = self.row(0, 1), self.sbuf(128, 64), self.sbuf(128, 16)
        for t in range(16):
            bank = self.banks[4 + t // 4 % 2]
            self.transpose(x(0, 128, t, 1), bank(0, 1, 128 * (t % 4), 128))
            if t % 4 == 3:
                self.copy(bank(0, 1), row(0, 1, 512 * (t // 4), 512), "scalar" if t % 8 == 3 else "vector")
        for block in range(4):
            for bank in self.banks[block % 2 * 2:][:2]:
                weight = self.ring.take(2)
                for m in range(16):
                    self.columns_of(bank(0, 128, m, 1), weight, 128 * m, h)
                self.ring.free(2)
                if bank is self.banks[block % 2 * 2]:
                    self.activation("silu", bank(0, 128, 0, 16), gate)
                else:
                    self.pair("mul", bank(0, 128, 0, 16), gate, hidden(0, 128, 16 * block, 16))
        banks = self.banks[4:]
        for block in range(8):
            weight = self.ring.take(1)
            for t in range(8):
                for i, bank in enumerate(banks):
                    self.matmul(bank(0, 1), hidden(0, 128, 8 * block + t, 1), weight(t, 512 * i, 512), block + t > 0)
            self.ring.free(1)
        for i, bank in enumerate(banks):
            self.pair("add", bank(0, 1), row(0, 1, 512 * i, 512), row(0, 1, 512 * i, 512))
            if i % 2 and n == str(self.layers - 1):
                self.dma(row(0, 1, 512 * (i - 1), 1024), self.hbm("y", 512 * (i - 1), (1, 1024), (HIDDEN, 1)))
        return row


def attention_inputs(context):
    random = np.random.default_rng(1)
    shapes = {"q": (HEADS, D), "kt": (KV, context), "v": (context, KV), "kn": (KV,), "vn": (KV,)}
    return {name: bf16(random.normal(size=shape)) for name, shape in shapes.items()}


def attention_reference(q, kt, v, kn, vn):
    out = np.empty((HEADS, D))
    for head in range(HEADS):
        at = slice(head // 4 * D, head // 4 * D + D)
        scores = q[head].astype(np.float64) @ np.concatenate([kt[at], kn[at, None]], 1) * D ** -.5
        e = np.exp(scores - scores.max())
        out[head] = e / e.sum() @ np.concatenate([v[:, at], vn[None, at]])
    return out


def layer_inputs(context):
    random = np.random.default_rng(1)
    angles = 100 / 10000 ** (np.arange(32) / 32)
    given = {"x": (1, HIDDEN), "kt0": (KV, context), "v0": (context, KV)}
    return {**{name: bf16(random.normal(size=shape)) for name, shape in given.items()}, "rot": rotation(),
            "cs": bf16(np.stack([np.tile(f(angles), 4) for f in (np.cos, np.sin)])),
            **{gain: bf16(1 + .1 * random.normal(size=HIDDEN)) for gain in ("g10", "g20")},
            **{name + "0": bf16(random.normal(size=shape) * shape[0] ** -.5) for name, shape in Layers.WEIGHTS.items()}}


def layer_reference(x, cs, kt0, v0, g10, g20, wq0, wk0, wv0, wo0, wg0, wu0, wd0, rot):
    """y, and the new key and value. `rot` says what is done with halves here."""
    def norm(x, gain):
        return bf16(bf16(x * np.float32(1 / np.sqrt((x.astype(np.float64) ** 2).mean() + EPS))) * gain)

    def turn(x):
        low, high = np.split(x.reshape(-1, D), 2, 1)
        return bf16(x.reshape(-1, D) * cs[0, :D] + np.concatenate([-high, low], 1) * cs[1, :D]).reshape(-1)

    h = norm(x[0], g10)
    q, new_k, new_v = turn(bf16(h @ wq0)), turn(bf16(h @ wk0)), bf16(h @ wv0)
    o = bf16(attention_reference(q.reshape(HEADS, D), kt0, v0, new_k, new_v)).reshape(-1)
    middle = bf16(x[0] + bf16(o @ wo0))
    h = norm(middle, g20)
    gate = h @ wg0
    hidden = bf16(bf16(gate / (1 + np.exp(-gate))) * (h @ wu0))
    return np.concatenate([bf16(middle + hidden @ wd0), new_k, new_v])
