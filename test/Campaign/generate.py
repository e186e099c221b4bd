"""Random placed kernels, most of them legal: the model decides, the generator only tries.

A kernel is a sequence of phrases (load, compute, a group of matmuls, a round trip
through scratch, a loop around other phrases ...), each of which finds its operands among
the tiles that are filled, or makes them. Sizes are small, so that thousands run.
"""

import numpy as np

from program import (BYTES, Buffer, Expand, For, Free, Index, Inst, Kernel, Loop, Permute,
                     Reinterpret, Subview, View)
from tiles import BANK_BYTES, CONSTANTS, TYPES, Tiles
from values import LOGIC, UNARY, round_to


class Generator(Tiles):
    def kernel(self):
        if self.rng.random() < 0.15:
            self.loop_phrase()
        for _ in range(self.rng.randint(1, 7)):
            self.phrase()
        self.store_results()
        inputs = [b for b in self.arguments if b.kind == "input"]
        return Kernel(inputs + self.results, self.body, self.machine)

    # Phrases.
    def phrase(self):
        phrases = [(4, self.compute), (3 * self.chains, self.chain), (3, self.group), (1, self.transpose), (1, self.scratch),
                   (2 if len(self.loops) < 2 else 0, self.loop_phrase), (1, self.drop),
                   (1, self.deep), (1, self.banks), (1, self.rows), (2, self.whole_partitions),
                   (1, lambda: self.new_tile((self.partitions(), self.free_size())))]
        weights = [weight for weight, _ in phrases]
        self.rng.choices(phrases, weights)[0][1]()

    def compute(self):
        shape = (self.partitions(), self.free_size())
        if self.tiles and self.chance(0.6):
            chosen = self.rng.choice(self.tiles)[0]
            shape = (chosen.shape[0], chosen.shape[-1])
        op = self.rng.choice(["activation", "activation", "tensor_copy", "tensor_tensor",
                              "tensor_tensor", "tensor_scalar", "select", "reciprocal",
                              "tensor_reduce", "memset"])
        both = ("sbuf", "psum")
        engine = self.rng.choice(["vector", "vector", "gpsimd"])
        kinds = ("sbuf",) if engine == "gpsimd" else both
        roles = {"tensor_tensor": ["lhs", "rhs"], "memset": [],
                 "select": ["condition", "on_true", "on_false"]}.get(op, ["src"])
        operands, attrs = {}, {}
        for number, role in enumerate(roles):
            reached = ("sbuf",) if op == "tensor_tensor" and number else kinds
            operands[role] = self.operand(shape, kinds=reached)
        column = None
        if op == "tensor_scalar" or (op == "activation" and self.chance(0.4)):
            column = self.operand((shape[0], 1)) if self.chance(0.5) else None
        if op == "activation":
            attrs["function"] = self.rng.choice(list(UNARY))
            role = self.rng.choice(["scale", "bias"])
            if column:
                operands[role + "s" if role == "scale" else "biases"] = column
            if "scales" not in operands and self.chance(0.4):
                attrs["scale"] = self.rng.choice(CONSTANTS)
            if "biases" not in operands and self.machine == "trn2" and self.chance(0.4):
                attrs["bias"] = self.rng.choice(CONSTANTS)
        elif op in ("tensor_tensor", "tensor_scalar", "tensor_reduce"):
            attrs["function"] = self.rng.choice(self.functions(op == "tensor_reduce"))
        if op == "tensor_reduce":
            attrs["negated"] = self.chains and self.chance(0.3)
        if op == "tensor_scalar":
            attrs["reversed"] = self.chance(0.3)
            if column:
                operands["scalars"] = column
            else:
                attrs["constant"] = self.rng.choice(CONSTANTS)
        if op == "memset":
            attrs["value"] = self.rng.choice(CONSTANTS)
        if op in ("tensor_copy", "tensor_tensor", "tensor_scalar", "memset"):
            attrs["engine"] = engine
        if None in operands.values():
            return
        result = (shape[0], 1) if op == "tensor_reduce" else shape
        sources = list(operands.values())
        operands["dst"] = self.destination(result, sources, kinds, op != "tensor_reduce")
        if operands["dst"]:
            self.inst(op, operands if op == "tensor_reduce" else self.deepened(operands), **attrs)

    def functions(self, folds):
        names = ["add", "max", "min"] + ["sub", "mul", "div"] * (not folds)
        if self.chains:
            names += ["mul"] if folds else LOGIC
        return names

    def chain(self):
        """More than one operation in an instruction, or more than one result."""
        shape = (self.partitions(), self.free_size())
        if self.tiles and self.chance(0.6):
            chosen = self.rng.choice(self.tiles)[0]
            shape = (chosen.shape[0], chosen.shape[-1])
        op = self.rng.choice(["tensor_scalar", "tensor_scalar", "scalar_tensor_tensor", "activation",
                              "tensor_tensor_scan", "affine_select"])
        both = ("sbuf", "psum")
        kinds = ("sbuf",) if op == "affine_select" else both
        first, second = {"tensor_tensor_scan": ("data0", "data1"),
                         "scalar_tensor_tensor": ("src", "rhs")}.get(op, ("src", None))
        operands = {first: self.operand(shape, kinds=kinds)}
        if second:
            operands[second] = self.operand(shape)
        names = self.functions(False)
        attrs = {"function": self.rng.choice(names), "reversed": self.chance(0.3)}

        def column(role, name):
            if self.chance(0.5):
                operands[role] = self.operand((shape[0], 1), kinds=both)
            else:
                attrs[name] = self.rng.choice(CONSTANTS)
        reduces = op == "activation" or (op == "tensor_scalar" and self.chance(0.5))
        if op == "activation":
            attrs = {"function": self.rng.choice(list(UNARY))}
            if self.chance(0.4):
                operands["biases"] = self.operand((shape[0], 1))
        elif op == "affine_select":
            attrs = {"function": self.rng.choice(["eq", "ne", "gt", "ge", "lt", "le"]),
                     "start": self.rng.randint(-9, 9), "partition_step": self.rng.randint(-2, 2),
                     "steps": [self.rng.randint(-2, 2)], "otherwise": self.rng.choice(CONSTANTS)}
        elif op == "tensor_tensor_scan":
            attrs = {"function0": self.rng.choice(names), "function1": self.rng.choice(names),
                     "reversed0": self.chance(0.3), "reversed1": self.chance(0.3)}
            column("initials", "initial")
        else:
            attrs["engine"] = "vector"
            column("scalars", "constant")
            if not reduces and (op != "tensor_scalar" or self.chance(0.8)):
                attrs["then_function"] = self.rng.choice(names)
                attrs["then_reversed"] = self.chance(0.3)
                if op == "tensor_scalar":
                    column("then_scalars", "then_constant")
        if reduces:
            attrs["accumulates"] = self.chance(0.4)
            attrs["reduce"] = "add" if op == "activation" else \
                self.rng.choice(["add", "max", "min", "mul"])
            operands["sums"] = self.operand((shape[0], 1), kinds=both) if attrs["accumulates"] else \
                self.destination((shape[0], 1), [v for v in operands.values() if v], both, False)
        if None in operands.values():
            return
        operands["dst"] = self.destination(shape, list(operands.values()), kinds)
        if operands["dst"]:
            if op != "affine_select":
                operands = self.deepened(operands)
            self.inst(op, operands, **attrs)

    def deepened(self, operands):
        """The same with the free dimension of all tiles in two, and perhaps with rows that are
        repeated in the place of what is read."""
        columns = ("scales", "biases", "scalars", "then_scalars", "initials", "sums")
        free = operands["dst"].shape[1]
        outer = self.rng.choice([n for n in range(1, free + 1) if free % n == 0])
        if not self.chains or len(operands["dst"].shape) != 2 or self.chance(0.7):
            return operands
        result = {}
        for role, view in operands.items():
            if role in columns:
                result[role] = view
                continue
            repeated = role != "dst" and self.chance(0.3) and \
                self.repeated(view, (outer, free // outer))
            result[role] = repeated or View(view.base,
                                            view.steps + [Expand(1, (outer, free // outer))])
        return result

    def repeated(self, view, sizes):
        """The first elements of a tile, again and again."""
        base = view.base
        if len(base.shape) != 2 or base.shape[0] != view.shape[0] or not base.chip:
            return None
        room = base.shape[1] - sizes[1]
        return View(base, [Reinterpret(self.rng.randint(0, room), (base.shape[0], *sizes),
                                       (base.shape[1], 0, 1))])

    def transpose(self):
        engine = self.rng.choice(["vector", "tensor", "tensor"])
        most = 32 if engine == "vector" else 128
        p, f = self.rng.randint(1, most), self.rng.randint(1, most)
        src = self.operand((p, f))
        if src is None:
            return
        if engine == "vector":
            dst = self.destination((f, p), [src], in_place=False)
        else:
            narrow = self.machine == "trn2" and self.chance(0.5)
            buffer = self.alloc("psum", (f, p), src.dtype if narrow else "f32")
            dst = buffer and self.whole(buffer)
            if buffer:
                self.filled(buffer)
        if dst:
            self.inst("transpose", {"src": src, "dst": dst}, engine=engine)

    def group(self):
        types = ("f32",) if self.chance(0.4) else ("bf16", "f16", "bf16")
        k, m = self.partitions(), self.rng.randint(1, 128)
        n = self.rng.choice([1, self.rng.randint(1, 64), self.rng.randint(1, 64),
                             self.rng.randint(1, 512)])
        if self.chance(0.5):
            m = min(m, 40)
        tiles = self.rng.randint(1, 4)
        psum = self.alloc("psum", (m, n), "f32")
        if psum is None:
            return
        dst = self.whole(psum)
        if tiles > 1 and self.chance(0.5):
            self.looped_group(types, k, m, n, tiles, dst)
        else:
            for i in range(tiles):
                a = self.operand((k, m), types, start=0)
                b = a and self.operand((k, n), types, start=0)
                if not b:
                    return
                condition = i > 0 if i or self.chance(0.3) else None
                self.inst("matmul", {"stationary": a, "moving": b, "dst": dst},
                          accumulate=condition)
                if i + 1 < tiles and self.chance(0.2):
                    self.compute()
        self.filled(psum)
        self.evict(psum, (m, n))

    def looped_group(self, types, k, m, n, tiles, dst):
        k = max(k, 2)
        w = self.new_tile((k, tiles, m), self.rng.choice(types))
        x = w and self.new_tile((k, tiles, n), self.rng.choice(types))
        if x is None:
            return
        loop = self.new_loop(tiles)
        position = Index(-loop.lower, {loop: 1})
        if loop.step > 1:
            return
        operands = {
            role: View(b, [Subview([Index(), position, Index()], [k, 1, size], [1, 1, 1], (1,))])
            for role, b, size in (("stationary", w, m), ("moving", x, n))}
        condition = self.rng.choice([("ne", Index(0, {loop: 1}), loop.lower),
                                     ("sgt", position, 0), ("sge", Index(0, {loop: 2}),
                                                            2 * loop.lower + 1)])
        body = [Inst("matmul", {**operands, "dst": dst}, {"accumulate": condition})]
        self.emit(For(loop, body))

    def deep(self):
        """A tile of more dimensions, in instructions that take one."""
        p, shape = self.partitions(), [self.rng.randint(1, 4) for _ in range(self.rng.randint(2, 4))]
        tile = self.new_tile((p, *shape))
        if not tile:
            return
        view = self.whole(tile)
        if self.chance(0.4):
            order = list(range(1, len(shape) + 1))
            self.rng.shuffle(order)
            view = View(tile, [Permute((0, *order))])
        kept = view.shape[:self.rng.randint(1, len(view.shape) - 1) if self.chains else 1]
        ones = (1,) * self.rng.randint(len(kept) == 1, len(view.shape) - len(kept))
        out = self.alloc("sbuf", kept + (ones if self.chains else (1,)), self.rng.choice(TYPES))
        if out and self.chance(0.7):
            self.inst("tensor_reduce", {"src": view, "dst": self.whole(out)},
                      function=self.rng.choice(self.functions(True)),
                      negated=self.chains and self.chance(0.3))
            self.filled(out)
        elif self.chains and self.chance(0.3):
            self.inst("iota", {"dst": view}, start=self.rng.randint(-9, 9),
                      partition_step=self.rng.randint(-3, 3),
                      steps=[self.rng.randint(-2, 3) for _ in view.shape[1:]])
        elif self.chance(0.5):
            self.inst("memset", {"dst": view}, value=self.rng.choice(CONSTANTS), engine="gpsimd")
        copy = self.alloc("sbuf", view.shape, self.rng.choice(TYPES))
        if copy:
            self.inst("dma_copy", {"src": view, "dst": self.whole(copy)})
            self.filled(copy)

    def banks(self):
        """Slots of PSUM that rotate, or groups that are open at the same time."""
        types = ("f32",) if self.chance(0.4) else ("bf16", "f16")
        k, m, n = self.partitions(), self.rng.randint(1, 32), self.rng.randint(1, 32)
        a = self.operand((k, m), types, start=0)
        b = a and self.operand((k, n), types, start=0)
        if not b:
            return
        matmul = {"stationary": a, "moving": b}
        if self.chance(0.5):
            tiles = [t for t in (self.alloc("psum", (m, n), "f32") for _ in range(2)) if t]
            for number in range(self.rng.randint(1, 3)):
                for tile in tiles:
                    self.inst("matmul", {**matmul, "dst": self.whole(tile)}, accumulate=number > 0)
            for tile in tiles:
                self.filled(tile)
                self.evict(tile, (m, n))
            return
        loop = self.new_loop()
        self.scopes.append([])
        self.loops.append(loop)
        psum = self.alloc("psum", (m, n), "f32", self.rng.randint(1, 3))
        if psum:
            self.inst("matmul", {**matmul, "dst": self.whole(psum)})
            self.inst("matmul", {**matmul, "dst": self.whole(psum)}, accumulate=True)
            out = self.alloc("sbuf", (m, n), self.rng.choice(TYPES), self.rng.choice([0, 2]))
            if out:
                self.inst("tensor_copy", {"src": self.whole(psum), "dst": self.whole(out)},
                          engine="vector")
        body = self.scopes.pop()
        self.loops.pop()
        self.emit(For(loop, body))

    def evict(self, psum, shape):
        out = self.alloc("sbuf", shape, self.rng.choice(TYPES))
        if out is None:
            return
        operands = {"src": self.whole(psum), "dst": self.whole(out)}
        if self.chance(0.5):
            self.inst("tensor_copy", operands, engine="vector")
        else:
            self.inst("activation", operands, function=self.rng.choice(["copy", *UNARY]))
        self.filled(out)
        if self.chance(0.6):
            self.free(psum)

    def new_loop(self, trips=None):
        r = self.rng
        trips = trips if trips is not None else r.choice([1, 2, 2, 3, 3, 4, 0])
        simple = self.chance(0.6)
        lower = 0 if simple else r.randint(-2, 5)
        step = 1 if simple or trips < 2 else r.choice([1, 1, 2, 3])
        upper = lower + (trips - 1) * step + r.randint(1, step) if trips else lower - r.randint(0, 2)
        return Loop(self.name("i"), lower, upper, step)

    def loop_phrase(self):
        loop = self.new_loop()
        body = []
        self.scopes.append(body)
        self.loops.append(loop)
        depth = len(self.scopes)
        # Tiles of one element type that rotate, in a loop of its own.
        for _ in range(self.rng.randint(1, 3)):
            if self.chance(0.35):
                self.row_phrase(loop)
            else:
                self.phrase()
        for buffer, where in list(self.tiles):
            if where == depth and (buffer.slots or self.chance(0.7)):
                self.free(buffer)
        # What a loop leaves stays where it is; its slots are free again behind it.
        gone = [t[0] for t in self.taken if t[0].slots and t[4] == depth
                and any(isinstance(s, Free) and s.buffer is t[0] for s in body)]
        self.taken = [t for t in self.taken if t[0] not in gone]
        self.tiles = [t for t in self.tiles if t[1] < depth]
        self.scopes.pop()
        self.loops.pop()
        self.emit(For(loop, body))

    def row_phrase(self, loop):
        """Each iteration writes its own rows of a result."""
        trips = len(loop.counts())
        if len(self.loops) > 1 or trips == 0:
            return
        p, f = self.rng.choice([16, 32, 7]), self.free_size()
        result = Buffer(self.name("y"), "result", (p * trips, f), self.rng.choice(TYPES))
        tile = self.new_tile((p, f), None, self.rng.choice([0, 1, 2, 3]))
        if tile is None:
            return
        self.results.append(result)
        step = p if loop.step == 1 else None
        if step is None:
            # Rows by a product that the step divides.
            whole = self.whole(result)
            if p % loop.step or trips * p * f == 0:
                self.results.remove(result)
                return
            step = p // loop.step
        first = Index(-step * loop.lower, {loop: step})
        rows = View(result, [Subview([first, Index()], [p, f], [1, 1])])
        self.inst("dma_copy", {"src": self.whole(tile), "dst": rows})

    def whole_partitions(self):
        """Of all values of a partition: statistics, searches, shuffles, and of all partitions."""
        op = self.rng.choice(["bn_stats", "bn_aggr", "max8", "find_index8", "match_replace8",
                              "stream_shuffle", "partition_reduce", "partition_gather"])
        kinds = ("sbuf",) if op.startswith("partition_") else ("sbuf", "psum")
        free = 3 * self.rng.randint(1, 9) if op == "bn_aggr" else self.rng.randint(8, 40)
        shape = (self.partitions(), free)
        src = self.operand(shape, kinds=kinds)
        if src is None:
            return
        attrs, result, dtype = {}, shape, self.rng.choice(TYPES)
        operands = {"src": src}
        if op in ("find_index8", "match_replace8"):
            top = self.alloc("sbuf", (shape[0], 8), self.rng.choice([src.dtype, "f32"]))
            if top is None:
                return
            self.inst("max8", {"src": src, "dst": self.whole(top)})
            self.filled(top)
            operands = {"data": src, "values": self.whole(top)}
        if op == "match_replace8":
            attrs["replacement"] = self.rng.choice(CONSTANTS)
        elif op == "stream_shuffle":
            dtype = src.dtype
            attrs["mask"] = [self.rng.randrange(max(1, min(32, shape[0] % 32 or 32)))
                             for _ in range(32)]
        elif op == "partition_gather":
            result, dtype = (shape[0], self.rng.randint(1, 24)), src.dtype
            places = self.alloc("sbuf", result, "ui32")
            if places is None:
                return
            start = self.rng.randint(0, free - 1)
            step = self.rng.randint(0, (free - 1 - start) // max(1, result[1] - 1))
            self.inst("iota", {"dst": self.whole(places)}, start=start, steps=[step],
                      partition_step=0)
            self.filled(places)
            operands = {"data": src, "indices": self.whole(places)}
        elif op == "partition_reduce":
            result, attrs["function"] = (1, free), self.rng.choice(["add", "max"])
        else:
            result = (shape[0], {"bn_stats": 6, "bn_aggr": 2}.get(op, 8))
        if op == "find_index8":
            dtype = "f32"
        out = self.alloc("sbuf", result, dtype)
        if out is None:
            return
        if op == "stream_shuffle" and self.chance(0.3):
            attrs["mask"][self.rng.randrange(32)] = 255
            self.inst("memset", {"dst": self.whole(out)}, value=1.0, engine="vector")
        self.inst(op, {**operands, "dst": self.whole(out)}, **attrs)
        self.filled(out)

    def indices(self, count, rows):
        """A column that is counted: rows that are there, most of the time, and different ones."""
        dtype = self.rng.choice(["i32", "i32", "ui32"])
        column = self.alloc("sbuf", (count, self.rng.choice([1, 1, 3])), dtype)
        if column is None:
            return None
        step = self.rng.randint(1, max(1, rows // count))
        start = self.rng.randint(0, max(0, rows - 1 - step * (count - 1)))
        if self.chance(0.2):
            step, start = (-step, start + step * (count - 1)) if self.chance(0.5) else \
                (0, self.rng.randint(-1, rows))
        start = max(start, 0) if dtype == "ui32" else start
        self.inst("iota", {"dst": self.whole(column)}, start=start, steps=[0],
                  partition_step=step)
        if self.chance(0.3) and dtype == "i32":
            self.inst("tensor_scalar", {"src": self.whole(column), "dst": self.whole(column)},
                      function="add", reversed=False, constant=self.rng.choice([0.0, 1.0, -1.0]),
                      engine=self.rng.choice(["vector", "gpsimd"]))
        column_at = self.rng.randrange(column.shape[1])
        return View(column, [Subview([Index(), Index(column_at)], [count, 1], [1, 1])])

    def rows(self):
        """A gather from an input, or a scatter to a buffer that is written before."""
        count, free = self.rng.choice([1, self.rng.randint(2, 40), 128]), self.free_size()
        rows = count * self.rng.choice([1, 2, 3]) + self.rng.choice([0, 0, 5])
        skips = self.chance(0.4)
        if self.chance(0.5):
            is_block = self.chance(0.3)
            table = self.input_region((3, count, free) if is_block else (rows, free))
            chosen = self.indices(1, 3) if is_block else self.indices(count, rows)
            tile = chosen and self.alloc("sbuf", (count, free), self.rng.choice(TYPES))
            if not tile:
                return
            if skips or self.chance(0.1):
                self.inst("memset", {"dst": self.whole(tile)}, value=self.rng.choice(CONSTANTS),
                          engine="vector")
            self.inst("dma_gather", {"src": table, "indices": chosen, "dst": self.whole(tile)},
                      skips=skips)
            self.filled(tile)
            return
        tile = self.operand((count, free))
        chosen = tile and self.indices(count, rows)
        buffer = chosen and self.alloc("scratch", (rows, free), self.rng.choice(TYPES))
        if not buffer:
            return
        if self.chance(0.95):
            self.inst("dma_copy", {"src": self.input_region((rows, free)),
                                   "dst": self.whole(buffer)})
        self.inst("dma_scatter", {"src": tile, "indices": chosen, "dst": self.whole(buffer)},
                  skips=skips)
        back = rows <= 128 and self.alloc("sbuf", (rows, free), self.rng.choice(TYPES))
        if back:
            self.inst("dma_copy", {"src": self.whole(buffer), "dst": self.whole(back)})
            self.filled(back)

    def scratch(self):
        shape = (self.partitions(), self.free_size())
        src = self.operand(shape)
        buffer = src and self.alloc("scratch", shape, self.rng.choice(TYPES))
        if not buffer:
            return
        self.inst("dma_copy", {"src": src, "dst": self.whole(buffer)})
        tile = self.alloc("sbuf", shape, self.rng.choice(TYPES))
        if tile:
            self.inst("dma_copy", {"src": self.whole(buffer), "dst": self.whole(tile)})
            self.filled(tile)
        if self.chance(0.6):
            self.emit(Free(buffer))

    def drop(self):
        own = [b for b, depth in self.tiles if depth == len(self.scopes)]
        if own:
            self.free(self.rng.choice(own))

    def store_results(self):
        sbuf = [b for b, _ in self.tiles if b.kind == "sbuf"]
        for buffer in self.rng.sample(sbuf, min(len(sbuf), self.rng.randint(1, 3))):
            result = Buffer(self.name("y"), "result", buffer.shape, self.rng.choice(TYPES))
            self.results.append(result)
            self.inst("dma_copy", {"src": self.whole(buffer), "dst": self.whole(result)})
            if self.chance(0.1):
                copy = Buffer(self.name("y"), "result", buffer.shape, self.rng.choice(TYPES))
                self.results.append(copy)
                self.inst("dma_copy", {"src": self.whole(result), "dst": self.whole(copy)})
        if not self.results:
            result = Buffer(self.name("y"), "result", (3, 5), "f32")
            self.results.append(result)
            self.inst("dma_copy", {"src": self.input_region((3, 5)), "dst": self.whole(result)})


def inputs(kernel, seed):
    """Whole numbers make every product exact; real ones and special ones do not."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(5)
    result = []
    for buffer in kernel.arguments:
        if buffer.kind == "input":
            value = rng.integers(-8, 9, buffer.shape).astype(np.float32) if kind < 2 \
                else rng.standard_normal(buffer.shape).astype(np.float32) * np.float32(2)
            if kind == 4 and value.size:
                special = [np.inf, -np.inf, np.nan, -0.0, 3e38, 1e-40, 65504.0, 70000.0, 0.0]
                for _ in range(3):
                    value.flat[rng.integers(value.size)] = rng.choice(special)
            result.append(value)
        else:
            result.append(None)
    return result


def rounded(kernel, values):
    return [None if v is None else round_to(v, b.dtype)
            for b, v in zip(kernel.arguments, values)]
