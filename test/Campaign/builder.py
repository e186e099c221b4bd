"""Draws the graphs of modules.py: whatever people put around products."""

import math

import numpy as np

import expressions
from expressions import apply, either, operand, to
from graph import Node
from values import round_to

PARTITIONS = 128
SIZES = [1, 1, 2, 3, 127, 128, 129, 255, 257, 384, 513]
FORMS = ["generic", "generic", "steps", "tensor", "named", "mapped"]


class Builder:
    def __init__(self, rng):
        self.rng = rng
        self.nodes = []
        self.inputs = []

    def chance(self, probability):
        return self.rng.random() < probability

    def size(self):
        r = self.rng
        which = r.random()
        if which < 0.3:
            return r.randint(1, 17)
        if which < 0.5:
            return r.choice(SIZES)
        if which < 0.65:
            return min(PARTITIONS * r.randint(1, 4) + r.randint(-2, 2), 400)
        return r.randint(1, 300)

    def add(self, op, args, shape, dtype, **attrs):
        node = Node(op, args, tuple(shape), dtype, attrs)
        (self.inputs if op == "input" else self.nodes).append(node)
        return node

    def input(self, shape, dtype):
        for node in self.inputs:
            if node.shape == tuple(shape) and node.dtype == dtype and self.chance(0.3):
                return node
        return self.add("input", [], shape, dtype)

    def some(self, test=lambda n: True):
        """A matrix made before, the later the likelier, or an input."""
        found = [n for n in self.nodes + self.inputs
                 if len(n.shape) == 2 and n.op != "constant" and test(n)]
        later = [n for n in self.nodes[-2:] if n in found]
        if later and self.chance(0.6):
            return self.rng.choice(later)
        return self.rng.choice(found) if found else None

    def graph(self):
        r = self.rng
        self.dtype = r.choice(["bf16", "bf16", "f32", "f16"])
        which = r.random()
        if which < 0.12:
            return [self.chain()]
        if which < 0.35:
            return self.anything()
        if which < 0.43:
            return self.batches()
        if which < 0.5:
            return self.attention()
        return self.model()

    # Whole models: layers of linear maps and what is between them.

    def model(self):
        r = self.rng
        lead = (r.choice([1, 2, 3, 5]),) if self.chance(0.15) else ()
        x = self.add("input", [], (*lead, self.size(), self.size()), self.dtype)
        results = []
        for _ in range(r.choice([1, 1, 1, 2, 2, 3])):
            layer = r.choice([self.mlp, self.mlp, self.qkv, self.dense, self.dense, self.up_gate,
                              self.long_chain])
            x = layer(x, results)
            if self.chance(0.25):
                x = self.between(x)
            if x.dtype != self.dtype and self.chance(0.9):
                x = self.narrow(x)
        results.append(x)
        if self.chance(0.15):
            results.append(r.choice([n for n in self.nodes if n.op != "constant"]))
        return list(dict.fromkeys(results))

    def dense(self, x, results):
        return self.epilogue(self.linear(x, self.size()), x)

    def mlp(self, x, results):
        width = x.shape[-1]
        h = self.up_gate(x, results) if self.chance(0.7) \
            else self.epilogue(self.linear(x, self.size()), x, sure=True)
        if self.chance(0.1):
            results.append(h)  # it has another reader
        y = self.linear(self.narrow(h), width)
        return self.epilogue(y, x, residual=self.chance(0.5))

    def up_gate(self, x, results):
        n = self.size()
        gate, up = self.linear(x, n), self.linear(x, n)
        if gate.dtype != up.dtype:
            gate, up = self.narrow(gate), self.narrow(up)
        if self.chance(0.3):
            gate, up = self.epilogue(gate, x), self.epilogue(up, x)
        if gate.dtype != up.dtype:
            up = self.cast_to(up, gate.dtype)
        a, b = operand(0, gate.dtype), operand(1, up.dtype)
        activation = self.rng.choice([expressions.silu] * 3 + expressions.ACTIVATIONS)
        tree = to(activation(self.rng, a), gate.dtype)
        if self.chance(0.2):
            middle = self.map([gate], [tree], [self.full(gate)])
            tree, gate = operand(0, middle.dtype), middle
        tree = either(self.rng, "mul", tree, b)
        if self.chance(0.6):
            tree = to(tree, self.dtype)
        return self.map([gate, up], [tree], [self.full(gate), self.full(up)])

    def qkv(self, x, results):
        sizes = [self.size()] * 3 if self.chance(0.5) else [self.size() for _ in range(3)]
        parts = [self.epilogue(self.linear(x, n), x) if self.chance(0.5) else
                 self.narrow(self.linear(x, n)) for n in sizes[:self.rng.choice([2, 3, 3, 3])]]
        results += parts[1:]
        return parts[0]

    def long_chain(self, x, results):
        for _ in range(self.rng.choice([2, 2, 3])):
            x = self.narrow(self.linear(x, self.size()))
        return x

    def linear(self, x, columns):
        """x times a weight, in a type of its own."""
        r = self.rng
        k, lead = x.shape[-1], x.shape[:-1]
        if len(lead) == 2 and self.chance(0.4):
            flat = self.add("reshape", [x], (math.prod(lead), k), x.dtype)
            y = self.linear(flat, columns)
            return self.add("reshape", [y], (*lead, columns), y.dtype)
        w, turned = self.weight(k, columns, x.dtype)
        dtype = x.dtype if self.chance(0.12) else "f32"
        args = [x, w]
        if self.chance(0.12):
            args.append(self.accumulator((*lead, columns), dtype))
        return self.add("product", args, (*lead, columns), dtype, ta=False, tb=turned,
                        form=r.choice(["named", "named", "named", "generic", "contract"]),
                        widened=self.chance(0.15), zeros=r.choice([0, 0, 1]))

    def weight(self, rows, columns, dtype):
        """And whether it is stored the other way round."""
        stored = self.rng.choice(["plain"] * 4 + ["turned", "turned", "transposed"])
        shape = (rows, columns) if stored == "plain" else (columns, rows)
        kind = self.rng.random()
        if kind < 0.1 and rows * columns <= 40000:
            w = self.known(shape, dtype, 0 if self.chance(0.2) else 2)
        else:
            w = self.add("input", [], shape, dtype, param=kind < 0.3)
        if stored == "transposed":
            w = self.add("transpose", [w], shape[::-1], dtype)
        return w, stored == "turned"

    def known(self, shape, dtype, rank):
        """A constant; of rank 0 all its elements are one."""
        draw = np.random.default_rng(self.rng.randrange(2 ** 31))
        own = shape if rank else [1] * len(shape)
        scale = shape[-1] ** -0.5 if len(shape) > 1 else 1
        value = round_to(draw.standard_normal(own) * scale, dtype)
        return self.add("constant", [], shape, dtype, value=value)

    def accumulator(self, shape, dtype):
        if self.chance(0.5):
            return self.input(shape, dtype)
        vector, axes = self.vector(shape, dtype)
        return self.add("broadcast", [vector], shape, dtype, axes=axes)

    def vector(self, shape, dtype):
        """What is broadcast to `shape`: a row, a column, or one number, and its axes."""
        rank = len(shape)
        kind = self.rng.choice(["row"] * 5 + ["column"] * 2 + ["one"])
        axes = {"row": [rank - 1], "column": [rank - 2], "one": []}[kind]
        if self.chance(0.25):
            axes = [a if a in axes else None for a in range(rank)] if axes or self.chance(0.5) else [None]
        sizes = [1 if a is None else shape[a] for a in axes]
        if self.chance(0.2):
            return self.known(sizes, dtype, 0 if self.chance(0.2) else 1), axes
        return self.add("input", [], sizes, dtype), axes

    def epilogue(self, y, x, residual=False, sure=False):
        """Some of bias, scale, activation, residual, gate and cast, as one op or several."""
        r = self.rng
        steps = r.sample([self.biased, self.scaled, self.activated, self.gated, self.rounded,
                          self.biased], r.choice([1, 1, 2, 3]) if sure or self.chance(0.8) else 0)
        if residual:
            steps.append(self.residual)
        self.x = x
        args, axes, tree = [y], [self.full(y)], operand(0, y.dtype)
        for i, step in enumerate(steps):
            tree = step(tree, args, axes, y.shape)
            if i + 1 < len(steps) and self.chance(0.35):
                y = self.map(args, [tree], axes)
                args, axes, tree = [y], [self.full(y)], operand(0, y.dtype)
        if tree.op == "operand":
            return y
        return self.map(args, [tree], axes)

    def read(self, node, axes, dtype, args, own):
        """`node` as an operand of the tree, in `dtype`."""
        args.append(node)
        own.append(axes)
        return to(operand(len(args) - 1, node.dtype), dtype)

    def biased(self, tree, args, axes, shape):
        node, own = self.vector(shape, self.rng.choice([tree.dtype, tree.dtype, self.dtype]))
        return either(self.rng, "add", tree, self.read(node, own, tree.dtype, args, axes))

    def scaled(self, tree, args, axes, shape):
        if self.chance(0.6):
            return either(self.rng, "mul", tree, self.rng.choice([0.125, 0.3, 2.0, -1.5]))
        node, own = self.vector(shape, self.rng.choice([tree.dtype, self.dtype]))
        return either(self.rng, "mul", tree, self.read(node, own, tree.dtype, args, axes))

    def activated(self, tree, args, axes, shape):
        return expressions.activation(self.rng, tree)

    def gated(self, tree, args, axes, shape):
        node = self.input(shape, self.rng.choice([tree.dtype, self.dtype]))
        return either(self.rng, "mul", tree,
                      self.read(node, self.full(node), tree.dtype, args, axes))

    def residual(self, tree, args, axes, shape):
        node = self.x if self.x.shape == tuple(shape) else self.input(shape, self.dtype)
        if node.dtype != tree.dtype and self.chance(0.5):
            tree = to(tree, node.dtype)
        return either(self.rng, "add", tree,
                      self.read(node, self.full(node), tree.dtype, args, axes))

    def rounded(self, tree, args, axes, shape):
        return to(tree, self.dtype)

    def between(self, x):
        """Host code."""
        r = self.rng
        if len(x.shape) != 2:
            return x
        h, w = x.shape
        which = r.choice(["softmax", "rms", "rms", "pad", "slice", "concat", "insert", "branch",
                          "loop", "gather"])
        if which in ("softmax", "rms"):
            return self.add(which, [self.cast_to(x, "f32")], x.shape, "f32")
        if which == "pad":
            low, high = ([r.randint(0, 3) for _ in range(2)] for _ in range(2))
            shape = [e + a + b for e, a, b in zip(x.shape, low, high)]
            return self.add("pad", [x], shape, x.dtype, low=low, high=high)
        if which == "slice":
            shape = [r.randint(1, e) for e in x.shape]
            return self.add("slice", [x], shape, x.dtype,
                            offset=[r.randint(0, e - s) for e, s in zip(x.shape, shape)])
        if which == "concat":
            axis = r.randint(0, 1)
            other = self.input((r.randint(1, 9), w) if axis == 0 else (h, r.randint(1, 9)), x.dtype)
            shape = (h + other.shape[0], w) if axis == 0 else (h, w + other.shape[1])
            return self.add("concat", [x, other], shape, x.dtype, axis=axis)
        if which == "insert":
            other = self.input((h + r.randint(0, 5), w + r.randint(0, 5)), x.dtype)
            return self.add("insert", [x, other], other.shape, x.dtype,
                            offset=[r.randint(0, b - a) for a, b in zip(x.shape, other.shape)])
        if which == "branch":
            other = self.some(lambda n: n.shape == x.shape and n.dtype == x.dtype) or x
            return self.add("branch", [x, other], x.shape, x.dtype, taken=self.chance(0.5))
        if which == "gather":
            rows = [r.randrange(h) for _ in range(r.randint(1, 9))]
            return self.add("gather", [x], (len(rows), w), x.dtype, rows=rows)
        weight = self.input((w, w), x.dtype)
        return self.add("loop", [x, weight], x.shape, x.dtype, count=r.choice([1, 2, 3]))

    # Graphs of any ops.

    def anything(self):
        r = self.rng
        self.input((self.size(), self.size()), self.dtype)
        for _ in range(r.choice([1, 2, 2, 3, 4, 6])):
            self.product()
            for _ in range(r.choice([0, 0, 1, 1, 2])):
                r.choice([self.cast, self.transpose, self.transpose, self.unary, self.binary,
                          self.binary, lambda: self.between(self.some())])()
        used = {a for n in self.nodes for a in n.args}
        made = [n for n in self.nodes if n.op != "constant"]
        results = [n for n in made if n not in used][-3:] or made[-1:]
        if self.chance(0.15):
            results.append(r.choice(made))
        if self.chance(0.06):
            results.append(results[0])
        if self.chance(0.04):
            results.append(self.inputs[0])
        return results

    def chain(self):
        """Two products, or one: what the strategies are for."""
        m, k, r, n = (self.size() if self.chance(0.8) else self.rng.randint(1, 700)
                      for _ in range(4))
        transposed = self.chance(0.35)
        x = self.add("input", [], (k, m) if transposed else (m, k), self.dtype)
        for rows, columns in ((k, r), (r, n))[:1 + self.chance(0.8)]:
            w = self.add("input", [], (rows, columns), self.dtype)
            y = self.add("product", [x, w], (m, columns), "f32", ta=transposed, tb=False, form="named")
            x, transposed = self.narrow(y), False
        if self.chance(0.35):
            x = self.add("transpose", [x], x.shape[::-1], x.dtype)
        return x

    def product(self):
        r = self.rng
        x = self.some()
        if x.dtype != self.dtype and (self.chance(0.9) or self.dtype == "f16"):
            x = self.narrow(x)
        if self.chance(0.12):
            n = self.size()
            w = self.input((x.shape[1], n), x.dtype)
            self.add("call", [x, w], (x.shape[0], n), r.choice([x.dtype, "f32"]))
            return
        ta, tb = self.chance(0.25), self.chance(0.2)
        m, k = x.shape[::-1] if ta else x.shape
        other = self.some(lambda n: n.dtype == x.dtype and n.shape[1 if tb else 0] == k
                          and n.op != "input")
        if other and self.chance(0.15):
            w, n = other, other.shape[0 if tb else 1]
        else:
            n = self.size()
            w = self.input((n, k) if tb else (k, n), x.dtype)
        args = [x, w]
        attrs = {"ta": ta, "tb": tb, "form": r.choice(["named", "named", "generic", "contract"]),
                 "swapped": self.chance(0.2), "widened": self.chance(0.1)}
        if self.chance(0.1):
            args.append(self.input((m, n), "f32"))
        if self.chance(0.04):
            attrs["before"] = r.choice(["neg", "abs"])
        self.add("product", args, (m, n), "f32", **attrs)

    def batches(self):
        """Products of which both operands have a batch, as those of attention."""
        r = self.rng
        batch = [r.choice([1, 2, 3, 5]) for _ in range(r.choice([1, 1, 2]))]
        size = lambda: r.randint(1, 40) if self.chance(0.6) else r.choice(SIZES)
        m, k = size(), size()
        x = self.add("input", [], (*batch, m, k), self.dtype)
        ta = False
        for _ in range(r.choice([1, 1, 2])):
            n, tb = size(), self.chance(0.4)
            own = batch if self.chance(0.85) else batch[1:]
            w = self.add("input", [], (*own, n, k) if tb else (*own, k, n), self.dtype)
            dtype = self.dtype if self.chance(0.1) else "f32"
            args = [x, w]
            if len(own) < len(batch) and own:
                args[1] = self.add("broadcast", [w], (*batch, *w.shape[-2:]), w.dtype,
                                   axes=[1, 2, 3])
            if self.chance(0.1):
                args.append(self.accumulator((*batch, m, n), dtype))
            y = self.add("product", args, (*batch, m, n), dtype, ta=ta, tb=tb,
                         form=r.choice(["named", "generic", "contract"]), swapped=self.chance(0.2),
                         widened=self.chance(0.1))
            x, k = self.narrow(self.epilogue(y, x) if self.chance(0.5) else y), n
        return [x] + ([y] if self.chance(0.1) else [])

    def attention(self):
        """Of one sequence, with the heads in front."""
        r = self.rng
        rows, heads, depth = min(self.size(), 200), r.choice([1, 2, 3, 4]), r.choice([4, 5, 8, 16])
        x = self.add("input", [], (rows, self.size()), self.dtype)
        q, k, v = (self.narrow(self.linear(x, heads * depth)) for _ in range(3))
        q, k, v = (self.turn(self.add("reshape", [t], (rows, heads, depth), t.dtype, at=1))
                   for t in (q, k, v))
        scores = self.add("product", [q, k], (heads, rows, rows), "f32", ta=False, tb=True,
                          form=r.choice(["named", "generic", "contract"]))
        args, axes, tree = [scores], [self.full(scores)], operand(0, "f32")
        tree = either(r, "mul", tree, depth ** -0.5)
        if self.chance(0.5):  # a mask for all heads
            mask = self.add("input", [], (rows, rows), "f32")
            tree = either(r, "add", tree, self.read(mask, [1, 2], "f32", args, axes))
        scores = self.map(args, [tree], axes)
        share = self.narrow(self.add("softmax", [scores], scores.shape, "f32"))
        y = self.add("product", [share, v], (heads, rows, depth), "f32", ta=False, tb=False,
                     form=r.choice(["named", "generic", "contract"]))
        y = self.turn(self.narrow(y))
        y = self.add("reshape", [y], (rows, heads * depth), y.dtype, at=1)
        return [self.epilogue(self.linear(y, x.shape[1]), x, residual=self.chance(0.6))]

    def turn(self, x):
        """The first two of three dimensions."""
        a, b, c = x.shape
        return self.add("transpose", [x], (b, a, c), x.dtype, permutation=[1, 0, 2])

    # What is computed element by element.

    def full(self, node):
        return list(range(len(node.shape)))

    def map(self, args, trees, axes):
        tree, shape = trees[0], args[0].shape
        attrs = {"tree": tree, "axes": list(axes), "form": self.rng.choice(FORMS)}
        dest = self.dest(shape, tree.dtype) if attrs["form"] in ("generic", "mapped") else None
        if dest:
            return self.add("map", [*args, dest], shape, tree.dtype, dest=dest, **attrs)
        return self.add("map", list(args), shape, tree.dtype, **attrs)

    def dest(self, shape, dtype):
        """A tensor whose content nobody reads."""
        if self.chance(0.08):
            return self.some(lambda n: n.shape == tuple(shape) and n.dtype == dtype)
        return None

    def cast_to(self, x, dtype):
        if x.dtype == dtype:
            return x
        return self.add("cast", [x], x.shape, dtype, tree=to(operand(0, x.dtype), dtype),
                        axes=[self.full(x)], form=self.rng.choice(FORMS))

    def narrow(self, x):
        return self.cast_to(x, self.dtype)

    def cast(self):
        x, dtype = self.some(), self.rng.choice([self.dtype, "f32"])
        self.add("cast", [x], x.shape, dtype, tree=to(operand(0, x.dtype), dtype),
                 axes=[self.full(x)], form=self.rng.choice(FORMS))

    def transpose(self):
        x = self.some()
        if dest := self.dest(x.shape[::-1], x.dtype):
            self.add("transpose", [x, dest], x.shape[::-1], x.dtype, dest=dest)
        else:
            self.add("transpose", [x], x.shape[::-1], x.dtype)

    def unary(self):
        x = self.some()
        op = self.rng.choice(["neg", "abs", "exp", "tanh", "relu", "erf"])
        own = operand(0, x.dtype)
        tree = expressions.relu(self.rng, own) if op == "relu" else apply(op, own)
        self.map([x], [tree], [self.full(x)])

    def binary(self):
        x = self.some()
        op = self.rng.choice(["add", "sub", "mul", "max", "min"])
        if self.chance(0.4):
            y, axes = self.vector(x.shape, x.dtype)
        else:
            y = self.some(lambda n: n.shape == x.shape and n.dtype == x.dtype) \
                or self.input(x.shape, x.dtype)
            axes = self.full(y)
        self.map([x, y], [apply(op, operand(0, x.dtype), operand(1, y.dtype))], [self.full(x), axes])
