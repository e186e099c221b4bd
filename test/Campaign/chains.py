"""Chains of one to five products, planned in ways that are not the best, against NumPy.

Modules differ in sizes, types and layouts, and in how the products are spelled; blocks,
levels and the effort of the search are drawn, as are machines with little room. What counts
as a failure is what does so for modules.py.
"""

import random

import modules
from builder import PARTITIONS, Builder
from modules import Case


class ChainBuilder(Builder):
    def size(self):
        r = self.rng
        which = r.random()
        if which < 0.12:
            return 1
        if which < 0.35:
            return r.randint(1, 40)
        if which < 0.65:
            return PARTITIONS * r.randint(1, 5) + r.choice([0, 0, 0, -1, 1])
        return r.randint(1, 600)

    def graph(self):
        r = self.rng
        self.dtype = r.choice(["bf16", "bf16", "f16", "f32"])
        self.sizes = [self.size() for _ in range(1 + r.choice([1, 1, 2, 2, 2, 3, 4, 5]) + 1)]
        rows, depth = self.sizes[:2]
        turned = r.random() < 0.4  # x is the transpose of the chain's left operand
        x = self.add("input", [], (depth, rows) if turned else (rows, depth), self.dtype)
        for columns in self.sizes[2:]:
            x, turned = self.times(x, turned, rows, depth, columns)
            depth = columns
        if r.random() < 0.3:
            x = self.add("transpose", [x], x.shape[::-1], x.dtype)
        return [x]

    def times(self, x, turned, rows, depth, columns):
        """x * w or its transpose, w^T * x^T."""
        r = self.rng
        other = r.random() < 0.3  # how w is stored
        w = self.add("input", [], (columns, depth) if other else (depth, columns), self.dtype)
        swapped = r.random() < 0.2
        args, ta, tb = ([w, x], not other, not turned) if swapped else ([x, w], turned, other)
        shape = (columns, rows) if swapped else (rows, columns)
        y = self.add("product", args, shape, "f32", ta=ta, tb=tb,
                     form=r.choice(["named"] * 4 + ["generic"]), swapped=r.random() < 0.2)
        if len(self.sizes) > 2 or r.random() < 0.7:
            y = self.narrow(y)
        if r.random() < 0.1:
            y, swapped = self.add("transpose", [y], y.shape[::-1], y.dtype), not swapped
        return y, swapped


def draw_options(rng, count):
    """Options of trn-compile for `count` products."""
    options = {}
    weights = {1: ["w"], 2: ["u", "v"]}.get(count) or [f"w{i + 1}" for i in range(count)]
    values = {1: [], 2: ["y"]}.get(count) or [f"y{i + 1}" for i in range(count - 1)]
    ranks = {1: [], 2: ["r"]}.get(count) or [f"r{i + 1}" for i in range(count - 1)]
    dims = ["m", "k", *ranks, "n"]
    if rng.random() < 0.35:
        options["strategy"] = rng.choice(["strip-cache", "sequential", "recompute"])
    if rng.random() < 0.35:
        options["transpose"] = rng.choice(["implicit", "explicit"])
    if rng.random() < 0.1:
        options["output-layout"] = "transposed"
    if rng.random() < 0.25:
        options["allow-rounding"] = "true"
    blocks = {d: PARTITIONS * rng.randint(1, 8) for d in dims if rng.random() < 0.25}
    if count <= 2 and rng.random() < 0.5:
        options |= {f"block-{d}": size for d, size in blocks.items()}
    elif blocks:
        options["blocks"] = ",".join(f"{d}={size}" for d, size in blocks.items())
    if rng.random() < 0.2:
        matrix = rng.choice(["x", "xt", "o", *weights, *values, *(f"{v}t" for v in values)])
        options["keep"] = f"{matrix}={rng.choice(['kernel', *dims])}"
    options["effort"] = rng.choice([1, 1, 2, 3, 5, 9, 20])
    return options


def draw_machine(rng):
    machine = {"base": rng.choice(["trn1", "trn2"])}
    if rng.random() < 0.4:
        machine["sbuf_partition_bytes"] = 4 * int(2 ** rng.uniform(9, 13))
    for name, choices in (("psum_banks", [1, 2, 3, 4, 16]), ("moving_free_max", [128, 256]),
                          ("psum_bank_bytes", [1024, 4096]), ("access_stride_max", [255, 1023]),
                          ("sbuf_free_max", [512, 4096]), ("dma_engines", [1, 3])):
        if rng.random() < 0.07:
            machine[name] = rng.choice(choices)
    if rng.random() < 0.3:
        machine["kernel_overhead_ns"] = 0  # small weights may be multiplied first
    if rng.random() < 0.06:
        machine["partitions"] = machine["stationary_free_max"] = rng.choice([32, 64])
    return machine


def run(number, seed, tools, directory):
    rng = random.Random(f"chains {seed} {number}")
    builder = ChainBuilder(rng)
    results = builder.graph()
    case = Case(results, draw_options(rng, len(builder.sizes) - 2), draw_machine(rng),
                rng.randrange(2 ** 31))
    outcome, text = case.check(tools, directory)
    return modules.conclude(case, outcome, text, tools, directory)
