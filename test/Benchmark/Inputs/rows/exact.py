"""heads.py with the maximum of each row subtracted from its scores before exp.

A pass with queries on partitions takes the maxima: VectorE reads those scores from PSUM. They enter the turned
scores as products of rank one: the maxima of all heads are a tile [heads, 128], of which a stationary tile with
one row of ones picks that of its head. (As one more row of Q^T, which is free for d < 128, they must be moved to
one partition: 512 columns out of PSUM where this takes 128.) Heads come one after the other, four key tiles at a
time, so that two banks hold sums of values, and three each are left for the scores of both passes: neither
VectorE nor ScalarE waits for the other one's products.
"""

from heads import Heads


class Exact(Heads):
    score_banks, value_banks, maximum_banks = 3, 2, 3

    def __init__(self, machine, size, d=64, *rest, ahead=2, **others):
        """`ahead`: by how many row tiles maxima are ahead."""
        self.ahead, self.turns, self.pending, self.count = ahead, 0, [], (0, 1)
        super().__init__(machine, size, d, *rest, **others)

    def emit(self, lead, behind):
        self.row_mask, self.column_mask = self.causal(keys_on_partitions=False), self.mask(0, 128, 0, 128)
        # Of up to 8 blocks of keys, and then of all.
        self.tops = [tops.split(self.heads, 9) for tops in self.several(2, 128, self.heads * 9, "f32")]
        self.negative = self.several(2, 128, self.heads)
        self.shift, self.pick = self.several(self.ahead + 2, self.heads, 128), self.sbuf(self.heads, self.heads * 128)
        self.fill(1, self.pick)
        for head in range(self.heads):
            block = self.pick(0, self.heads, 128 * head, 128)
            self.apply("mul", block, self.eye(0, self.heads, head, 1), block)
        for i in range(self.ahead):
            for work in self.maxima(i):
                work()
        super().emit(lead, behind)

    def steps(self):
        """(row tile, head, first key tile, key tiles)."""
        return [(i, head, j, min(4, i % self.tiles + 1 - j)) for i in range(self.groups * self.tiles)
                for head in range(self.heads) for j in range(0, i % self.tiles + 1, 4)]

    def scores(self, step, i, head, first, count):
        group, tile = divmod(i, self.tiles)
        if first == 0 and head == 0:
            self.load_ahead(i)
            for work in self.pending:
                work()
            self.pending = self.maxima(i + self.ahead)
            self.count = len(self.pending), self.heads * -(-(tile + 1) // 4)
        # As many pieces of later maxima as there are steps of this tile.
        done = head * -(-(tile + 1) // 4) + first // 4
        while self.pending and len(self.pending) > self.count[0] * (self.count[1] - 1 - done) // self.count[1]:
            self.pending.pop(0)()
        bank = self.banks[step % self.score_banks]
        for u in range(count):
            part = bank(0, 128, 128 * u, 128)
            self.matmul(part, self.kt[group % 2](0, self.d, 128 * (first + u), 128), self.queries(i, head, 1))
            self.matmul(part, self.pick(0, self.heads, 128 * head, 128), self.shift[i % len(self.shift)], True)
            if first + u == tile:
                self.matmul(part, self.eye, self.column_mask, True)

    def exps(self, step, i, head, first, count):
        super().exps(step, columns=128 * count)

    def sums(self, step, i, head, first, count):
        for u in range(count):
            self.add_value(i, head, first + u, self.pt[step % 6](0, 128, 128 * u, 128))
        if first + count == i % self.tiles + 1:
            self.evict(i, head), self.divide(i, head)
            if head == self.heads - 1:
                self.store(i)

    def bank(self):
        self.turns += 1
        return self.banks[self.score_banks + self.turns % self.maximum_banks]

    def maxima(self, i):
        """Pieces of work that leave the negative maxima of row tile `i`, a row a head."""
        if i >= self.groups * self.tiles:
            return []
        group, tile = divmod(i, self.tiles)
        keys, tops, negative = 128 * (tile + 1), self.tops[i % 2], self.negative[i % 2]
        blocks = list(enumerate(range(0, keys, 512)))

        def block(head, number, first):
            width, bank = min(512, keys - first), self.bank()
            keys_there = self.kt[group % 2](0, self.d, first, width)
            self.matmul(bank(0, 128, 0, width), self.queries(i, head, 1), keys_there)
            if first + width == keys:
                self.matmul(bank(0, 128, width - 128, 128), self.eye, self.row_mask, True)
            self.reduce("max", bank(0, 128, 0, width), tops.window((0, head, number), (128, 1, 1)))

        def close():
            top = tops.window((0, 0, 8 if len(blocks) > 1 else 0), (128, self.heads, 1))
            if len(blocks) > 1:
                self.reduce("max", tops.window((0, 0, 0), (128, self.heads, len(blocks))), top)
            self.apply("mul", top, -1, negative.split(self.heads, 1))

        def turn():
            bank = self.bank()
            self.transpose(negative, bank(0, self.heads, 0, 128))
            self.copy(bank(0, self.heads, 0, 128), self.shift[i % len(self.shift)])

        return [*(lambda head=head, at=at: block(head, *at) for head in range(self.heads) for at in blocks),
                close, turn]
