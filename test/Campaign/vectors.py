"""Graphs of products of vectors and thin matrices, against NumPy: steps of decoding.

Every op reads what any other has made: products, which begin with zeros or with a value, sums
and differences, functions, and reshapes that add dimensions of one, split and merge. So vectors
are rows here and columns there, and results of several products meet in one op.
Inputs are small whole numbers, so that sums are exact in any order.
"""

import random

import numpy as np

import spellings

LARGEST = 2.0 ** 12  # of an operand: sums of products of two stay exact


class Graph(spellings.Text):
    def __init__(self, rng):
        super().__init__(rng)
        self.sizes = [1, *rng.sample(range(2, 33), 2)]
        self.unread = []
        for shape in ((self.size(),), rng.choice([(self.size(),), (1, self.size())])):
            self.keep(self.input(shape, "f32"))

    def size(self):
        return self.rng.choice([*self.sizes, *self.sizes[1:]])

    def keep(self, name, *read):
        self.unread = [n for n in self.unread if n not in read] + [name]

    def choose(self, accepts=lambda value: True):
        """A value, more often one that nothing has read."""
        names = [n for n in self.values if n.startswith("%v") and accepts(self.values[n])]
        unread = [n for n in names if n in self.unread]
        return self.rng.choice(unread * 3 + names) if names else None

    def matching(self, shape):
        """A value of this shape, or an input."""
        return self.choose(lambda v: v.shape == shape) or self.input(shape, "f32")

    def multiply(self):
        x = self.choose(lambda v: 0 < v.ndim < 3 and np.abs(v).max() <= LARGEST)
        if not x:
            return
        rank = self.values[x].ndim
        summed, columns = [self.rng.randrange(rank)], list(range(rank, rank + self.rng.choice([0, 1, 1])))
        rows = [i for i in range(rank) if i not in summed]
        sizes = [*self.values[x].shape, *(self.size() for _ in columns)]
        axes = spellings.shuffled(self.rng, summed + columns)
        shape = tuple(sizes[l] for l in axes)
        # A matrix as often a new one: values beside it have what nobody meant to multiply.
        w = self.choose(lambda v: v.shape == shape and np.abs(v).max() <= 2)
        if not w or self.rng.random() < 0.7:
            w = self.input(shape, "f32")
        result = rows + columns if self.rng.random() < 0.8 else columns + rows
        init = self.matching(tuple(sizes[l] for l in result)) if self.rng.random() < 0.4 else None
        pair = [(x, list(range(rank))), (w, axes)]
        if self.rng.random() < 0.3:
            pair.reverse()
        (a, a_axes), (b, b_axes) = pair
        self.keep(self.product(a, b, (a_axes, b_axes, result), list(range(len(sizes))), summed, init),
                  x, w, init)

    def write(self, value, op, *names):
        """`op` on each element, on tensors, as a generic, or mapped."""
        type = self.types[names[0]][0]
        form = self.rng.randrange(3)
        if form == 0:
            return self.put(value, "f32", f"{op} {', '.join(names)} : {type}")
        operands = f"ins({', '.join(names)} : {', '.join([type] * len(names))})"
        if form == 1:
            return self.put(value, "f32", f"linalg.map {{{{ {op} }}}} {operands} outs({{e}})")
        loops = ", ".join(f"d{i}" for i in range(value.ndim))
        indices = [*(", ".join(self.indices(value.shape)) for _ in names), loops]
        maps = ", ".join(f"affine_map<({loops}) -> ({i})>" for i in indices)
        kinds = ", ".join(['"parallel"'] * value.ndim)
        inner = [f"%i{i}" for i in range(len(names))]
        return self.put(value, "f32", (
            f"linalg.generic {{{{indexing_maps = [{maps}], iterator_types = [{kinds}]}}}} {operands} "
            f"outs({{e}}) {{{{\n  ^bb0({', '.join(i + ': f32' for i in [*inner, '%o'])}):\n"
            f"    %r = {op} {', '.join(inner)} : f32\n    linalg.yield %r : f32\n  }}}} -> {{t}}"))

    def combine(self):
        x = self.choose()
        y = self.matching(self.values[x].shape)
        op, function = self.rng.choice([("addf", np.add), ("addf", np.add), ("subf", np.subtract),
                                        ("maximumf", np.maximum)])
        self.keep(self.write(function(self.values[x], self.values[y]), f"arith.{op}", x, y), x, y)

    def change(self):
        x = self.choose()
        op, function = self.rng.choice([("arith.negf", np.negative), ("math.absf", np.abs)])
        self.keep(self.write(function(self.values[x]), op, x), x)

    def fold(self):
        x = self.choose()
        shape = self.values[x].shape
        if len(shape) == 2 and self.rng.random() < 0.5:
            new, at = (shape[0] * shape[1],), 0
        elif 0 < len(shape) < 3:
            at = self.rng.randrange(len(shape))
            part = self.rng.choice([d for d in (1, 1, shape[at], 2, 3) if shape[at] % d == 0])
            new = shape[:at] + (part, shape[at] // part) + shape[at + 1:]
        else:
            return
        self.keep(self.reshape(x, new, at), x)


def run(number, seed, tools, directory):
    rng = random.Random(f"vectors {seed} {number}")
    graph = Graph(rng)
    graph.multiply()
    for _ in range(rng.randint(3, 10)):
        rng.choice([graph.multiply, graph.multiply, graph.combine, graph.combine, graph.change,
                    graph.fold])()
    return spellings.judge(graph, graph.unread, tools, directory)
