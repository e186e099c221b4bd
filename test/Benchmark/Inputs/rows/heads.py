"""Causal attention of G groups of H query heads that share a key head: Q^T [G H d, S], K^T [G d, S] as a
projection leaves them, V [S, G d] -> O [S, G H d], bf16.

Scores are computed turned, S^T = K Q^T with keys on partitions: exp then leaves P^T as the values need it,
and nothing is transposed. V has a column of ones beside it, so that the denominators are one more column of
the values. The mask of the diagonal is a product with the identity. Nothing is subtracted from the scores;
exact.py takes maxima.
"""

import numpy as np

from unrolled import Kernel, bf16


class Heads(Kernel):
    """`lead`: by how many steps scores are ahead of exp, `behind`: by how many values are behind it. `evicts`:
    who takes results out of PSUM."""

    score_banks, value_banks = 4, 4

    def __init__(self, machine, size, d=64, groups=8, heads=4, lead=3, behind=1, evicts="scalar"):
        self.d, self.groups, self.heads, self.evicts = d, groups, heads, evicts
        self.size, self.width, self.tiles = size, heads * d, size // 128
        super().__init__(machine, {"q": ((groups * self.width, size), "bf16"), "k": ((groups * d, size), "bf16"),
                                   "v": ((size, groups * d), "bf16")}, {"o": ((size, groups * self.width), "bf16")},
                         4 * groups * heads * size * (size + 1) // 2 * d)
        self.block = min(512, size)
        self.eye, self.mask, self.bias = self.identity(), self.causal(heads), self.sbuf(128, 1, "f32")
        self.fill(0, self.bias)
        self.kt = self.several(2, d, size)
        self.v = [v.split(groups, d + 1) for v in self.several(self.tiles, 128, groups * (d + 1))]
        self.staged = [v.split(groups, d) for v in self.several(2, 128, groups * d)]
        self.qt = [qt.split(heads, self.block) for qt in self.several(3, d, heads * self.block)]
        self.pt = self.several(6, 128, heads * 128)
        self.summed = self.several(2, 128, heads * (d + 1), "f32")
        self.out = self.several(3, 128, self.width)
        self.banks = [self.psum(bank) for bank in range(8)]
        self.fill(1, *(v.window((0, 0, d), (128, groups, 1)) for v in self.v))
        self.load_queries(0), self.load_keys(0, 0), self.load_values(0), self.load_values(1), self.load_queries(1)
        self.emit(lead, behind)

    def emit(self, lead, behind):
        steps = self.steps()
        for step in range(-lead, len(steps) + behind):
            for distance, work in ((lead, self.scores), (0, self.exps), (-behind, self.sums)):
                if 0 <= step + distance < len(steps):
                    work(step + distance, *steps[step + distance])

    def steps(self):
        """(row tile, counted over all groups; key tile), for all heads."""
        return [(i, j) for i in range(self.groups * self.tiles) for j in range(i % self.tiles + 1)]

    def load_ahead(self, i):
        """At the first step of row tile `i`: what later ones need."""
        group, tile = divmod(i, self.tiles)
        if 128 * tile % self.block == 0 and i:
            self.load_queries(128 * i // self.block + 1)
        self.load_keys(group + 1, tile)
        if group == 0 and tile + 2 < self.tiles:
            self.load_values(tile + 2), self.load_keys(0, tile + 2)

    def load_keys(self, group, tile):
        """Those of a block, with its first tile."""
        if group < self.groups and 128 * tile % self.block == 0:
            self.dma(self.hbm("k", group * self.d * self.size + 128 * tile, (self.d, self.block), (self.size, 1)),
                     self.kt[group % 2](0, self.d, 128 * tile, self.block))

    def load_values(self, tile):
        """Those of all groups, in whole rows."""
        d, pitch, staged = self.d, self.groups * self.d, self.staged[tile % 2]
        self.dma(self.hbm("v", tile * 128 * pitch, (128, self.groups, d), (pitch, d, 1)), staged)
        self.copy(staged, self.v[tile].window((0, 0, 0), (128, self.groups, d)), "gpsimd")

    def load_queries(self, number):
        """A block of them, counted over all groups."""
        group, block = divmod(number, self.size // self.block)
        if group < self.groups:
            self.dma(self.hbm("q", group * self.width * self.size + block * self.block,
                              (self.d, self.heads, self.block), (self.size, self.d * self.size, 1)),
                     self.qt[number % 3].window((0, 0, 0), (self.d, self.heads, self.block)))

    def queries(self, i, head=0, heads=None):
        """Q^T of row tile `i`."""
        block, tile = divmod(i, self.block // 128)
        return self.qt[block % 3].window((0, head, 128 * tile), (self.d, heads or self.heads, 128))

    def scores(self, step, i, j):
        group, tile = divmod(i, self.tiles)
        if j == 0:
            self.load_ahead(i)
        bank = self.banks[step % self.score_banks]
        self.matmul(bank, self.kt[group % 2](0, self.d, 128 * j, 128), self.queries(i))
        if j == tile:
            self.matmul(bank, self.eye, self.mask, True)

    def exps(self, step, *_, columns=512):
        self.activation("exp", self.banks[step % self.score_banks](0, 128, 0, columns),
                        self.pt[step % 6](0, 128, 0, columns), scale=self.d ** -.5, bias=self.bias)

    def value_bank(self, head):
        return self.banks[8 - self.value_banks + head % self.value_banks](0, 128, 0, self.d + 1)

    def add_value(self, i, head, j, probabilities):
        self.matmul(self.value_bank(head), probabilities,
                    self.v[j].window((0, i // self.tiles, 0), (128, 1, self.d + 1)), j > 0)

    def sums(self, step, i, j):
        for head in range(self.heads):
            self.add_value(i, head, j, self.pt[step % 6](0, 128, 128 * head, 128))
        if j == i % self.tiles:
            for work in (self.evict, self.divide):
                for head in range(self.heads):
                    work(i, head)
            self.store(i)

    def summed_part(self, i, head, column, columns):
        return self.summed[i % 2](0, 128, head * (self.d + 1) + column, columns)

    def evict(self, i, head):
        self.copy(self.value_bank(head), self.summed_part(i, head, 0, self.d + 1), self.evicts)

    def divide(self, i, head):
        self.apply("div", self.summed_part(i, head, 0, self.d), self.summed_part(i, head, self.d, 1),
                   self.out[i % 3](0, 128, head * self.d, self.d), "gpsimd")

    def store(self, i):
        group, tile = divmod(i, self.tiles)
        pitch = self.groups * self.width
        self.dma(self.out[i % 3], self.hbm("o", tile * 128 * pitch + group * self.width, (128, self.width), (pitch, 1)))


def inputs(size, d=64, groups=8, heads=4, scale=1):
    """Scores have a deviation of `scale` squared."""
    random = np.random.default_rng(size)
    q, k, v = (random.normal(size=(size, count * d)) for count in (groups * heads, groups, groups))
    return {"q": bf16(scale * q).T, "k": bf16(scale * k).T, "v": bf16(v)}


def reference(q, k, v, d=64, heads=4):
    size = q.shape[1]
    visible = np.tril(np.ones((size, size), bool))
    out = []
    for head in range(q.shape[0] // d):
        group = head // heads
        scores = q[head * d:(head + 1) * d].T.astype(np.float64) @ k[group * d:(group + 1) * d] * d ** -.5
        scores[~visible] = -np.inf
        e = np.exp(scores - scores.max(1, keepdims=True))
        out.append(e / e.sum(1, keepdims=True) @ v[:, group * d:(group + 1) * d])
    return np.concatenate(out, 1)
