"""Softmax along the rows of X[R, N], bf16, in place on chip.

`side by side`: the passes of three row tiles run beside each other: maxima of tile t + 2, exp with its
sums of t + 1, scaling of t. `in order` takes one row tile after the other.
"""

import numpy as np

from unrolled import Kernel, bf16

SLOTS = 6
ENGINES = {"s": "scalar", "v": "vector", "g": "gpsimd"}


def kernel(machine, rows, columns, pieces=1, scaled="s", in_order=False):
    """A row falls into `pieces`; the letters of `scaled` are the engines that scale them in turn."""
    k = Kernel(machine, {"x": ((rows, columns), "bf16")}, {"o": ((rows, columns), "bf16")})
    tiles, width = rows // 128, columns // pieces
    x, maxima, stats = k.several(SLOTS, 128, columns), k.several(4, 128, pieces), k.several(4, 128, pieces + 4, "f32")

    def parts(tile):
        for i in range(pieces):
            yield i, x[tile % SLOTS](0, 128, i * width, width)

    def outside(argument, tile, i):
        return k.hbm(argument, tile * 128 * columns + i * width, (128, width), (columns, 1))

    def column(tile, number):
        return stats[tile % 4](0, 128, pieces + number, 1)

    def load(tile):
        if tile < tiles:
            for i, part in parts(tile):
                k.dma(outside("x", tile, i), part)

    def largest(tile):
        if not 0 <= tile < tiles:
            return
        most, top = maxima[tile % 4], column(tile, 0)
        for i, part in parts(tile):
            k.reduce("max", part, most(0, 128, i, 1))
        if pieces > 1:
            k.reduce("max", most, top)
        k.apply("mul", top if pieces > 1 else most, -1, column(tile, 1))

    def exps(tile):
        if not 0 <= tile < tiles:
            return
        sums = stats[tile % 4](0, 128, 0, pieces)
        for i, part in parts(tile):
            k.activation("exp", part, part, bias=column(tile, 1), sums=sums(0, 128, i, 1) if pieces > 1 else sums)
        if pieces > 1:
            k.reduce("add", sums, column(tile, 2))
        k.reciprocal(column(tile, 2) if pieces > 1 else sums, column(tile, 3))

    def scale(tile):
        if not 0 <= tile < tiles:
            return
        for i, part in parts(tile):
            engine = ENGINES[scaled[i % len(scaled)]]
            if engine == "scalar":
                k.activation("copy", part, part, scale=column(tile, 3))
            else:
                k.apply("mul", part, column(tile, 3), part, engine)
            k.dma(part, outside("o", tile, i))
        load(tile + SLOTS)

    for tile in range(SLOTS):
        load(tile)
    for tile in range(-2, tiles):
        largest(tile if in_order else tile + 2), exps(tile if in_order else tile + 1), scale(tile)
    return k


def inputs(rows, columns):
    return {"x": bf16(3 * np.random.default_rng(columns).normal(size=(rows, columns)))}


def reference(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)
