"""Random linalg modules as graphs: what they say in MLIR, and what NumPy makes of them.

A node is one op on tensors (or a fill and a product). Values are the intervals of
values.py: exact but for the order of the sums and the last bits of functions, so that a
rounding that is dropped or added shows, and cancellation does not.
"""

import dataclasses

import numpy as np

import values
from values import Values

MLIR_UNARY = {"neg": ("arith.negf {0}", None), "abs": ("math.absf {0}", "abs"),
              "exp": ("math.exp {0}", "exp"), "tanh": ("math.tanh {0}", "tanh"),
              "relu": ("arith.maximumf {0}, %zero{1}", "relu")}
MLIR_BINARY = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf",
               "max": "arith.maximumf", "min": "arith.minimumf"}
NAMED = ("add", "sub", "mul", "max", "min")


@dataclasses.dataclass(eq=False)
class Node:
    op: str
    args: list  # of Node
    shape: tuple
    dtype: str
    attrs: dict = dataclasses.field(default_factory=dict)
    name: str = ""

    @property
    def type(self):
        return f"tensor<{'x'.join(map(str, self.shape))}x{self.dtype}>"


def reached(results):
    """Nodes in the order of their making, those that nobody needs left out."""
    order = []

    def visit(node):
        if node not in order:
            for argument in node.args:
                visit(argument)
            order.append(node)
    for node in results:
        visit(node)
    return order


# Values.

def evaluate(order, inputs, rounds=True):
    """Node -> Values; `inputs` are the arrays of the nodes that are inputs, rounded. Casts keep
    every digit unless it `rounds`."""
    known, given = {}, iter(inputs)
    for node in order:
        if node.op == "input":
            known[node] = Values(next(given))
            continue
        args = [known[a] for a in node.args]
        known[node] = args[0] if node.op == "cast" and not rounds else compute(node, args)
    return known


def compute(node, args):
    a = args[0] if args else None
    if node.op == "matmul":
        return product(node, args)
    if node.op == "cast":
        return a.round_to(node.dtype)
    if node.op == "transpose":
        return a.map(np.transpose)
    if node.op == "slice":
        (r, c), (h, w) = node.attrs["offset"], node.shape
        return a.map(lambda v: v[r:r + h, c:c + w])
    if node.op == "reshape":
        return a.map(lambda v: v.reshape(node.shape))
    if node.op == "unary":
        return unary(node.attrs["function"], a).round_to(node.dtype)
    if node.op == "binary":
        other = args[1]
        if node.attrs.get("row"):
            other = other.map(lambda v: v.reshape(1, -1))
        return values.binary(node.attrs["function"], a, other).round_to(node.dtype)
    if node.op == "call":
        x, w = args
        return round_product(x, w, None).round_to(node.dtype)
    return batch(args)


def unary(name, a):
    if name == "neg":
        return Values(-a.lo) if a.certain else Values(-a.hi, -a.lo)
    return values.unary(MLIR_UNARY[name][1], a)


def round_product(x, w, init):
    """x @ w in f32, in any order."""
    exact, slack = values.product(x.map(np.transpose), w)
    return values.accumulate(init, exact, slack)


def product(node, args):
    x, w = args[:2]
    if node.attrs["ta"]:
        x = x.map(np.transpose)
    if node.attrs["tb"]:
        w = w.map(np.transpose)
    before = node.attrs.get("before")
    if before:
        x = unary(before, x)
    init = args[2] if len(args) > 2 and not node.attrs.get("after") else None
    result = round_product(x, w, init)
    if init is not None and not result.certain:
        # The initial value may come last, or first.
        room = (np.abs(init.lo) + np.abs(result.hi) + np.abs(result.lo)) \
            * np.float32(2.0 ** -24 * (x.lo.shape[1] + 2))
        result = Values(result.lo - room, result.hi + room)
    return result


def batch(args):
    parts = [round_product(Values(args[0].lo[i], args[0].hi[i]),
                           Values(args[1].lo[i], args[1].hi[i]), None)
             for i in range(args[0].lo.shape[0])]
    return Values(np.stack([p.lo for p in parts]), np.stack([p.hi for p in parts]))


# Text.

class Printer:
    def __init__(self, results, order, public_callee=False):
        self.number = 0
        self.lines = []
        self.layers = {}
        arguments = [n for n in order if n.op == "input"]
        for i, node in enumerate(order):
            node.name = f"%n{i}"
        for node in order:
            if node.op != "input":
                getattr(self, node.op)(node)
        listed = ", ".join(f"{n.name}: {n.type}" for n in arguments)
        types = ", ".join(n.type for n in results)
        names = ", ".join(n.name for n in results)
        private = "" if public_callee else "private "
        head = [f"func.func @main({listed}) -> ({types}) {{"]
        self.lines = [line for layer in self.layers.values() for line in layer(private)] + head \
            + [f"  %zero{t} = arith.constant 0.0 : {t}" for t in ("f32", "bf16", "f16")] \
            + self.lines + [f"  return {names} : {types}", "}"]

    def text(self):
        return "\n".join(self.lines) + "\n"

    def fresh(self):
        self.number += 1
        return f"%v{self.number}"

    def put(self, line):
        self.lines.append("  " + line)

    def empty(self, node):
        if dest := node.attrs.get("dest"):
            if dest in node.args and dest.type == node.type:
                return dest.name
        name = self.fresh()
        self.put(f"{name} = tensor.empty() : {node.type}")
        return name

    def filled(self, node):
        empty, name = self.empty(node), self.fresh()
        self.put(f"{name} = linalg.fill ins(%zero{node.dtype} : {node.dtype}) outs({empty} : "
                 f"{node.type}) -> {node.type}")
        return name

    def matmul(self, node):
        x, w = node.args[:2]
        out = node.args[2].name if len(node.args) > 2 else self.filled(node)
        ta, tb = node.attrs["ta"], node.attrs["tb"]
        maps = [f"affine_map<(d0, d1, d2) -> ({'d2, d0' if ta else 'd0, d2'})>",
                f"affine_map<(d0, d1, d2) -> ({'d1, d2' if tb else 'd2, d1'})>",
                "affine_map<(d0, d1, d2) -> (d0, d1)>"]
        operands = (f"ins({x.name}, {w.name} : {x.type}, {w.type}) outs({out} : {node.type})")
        if not node.attrs.get("generic") and not node.attrs.get("before"):
            given = f" indexing_maps = [{', '.join(maps)}]" if ta or tb else ""
            self.put(f"{node.name} = linalg.matmul{given} {operands} -> {node.type}")
            return
        kinds = '"parallel", "parallel", "reduction"'
        self.put(f"{node.name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
                 f"iterator_types = [{kinds}]}} {operands} {{")
        self.put(f"^bb0(%a: {x.dtype}, %b: {w.dtype}, %o: f32):")
        a, b = "%a", "%b"
        if x.dtype != "f32":
            self.put(f"  %ea = arith.extf %a : {x.dtype} to f32")
            a = "%ea"
        if w.dtype != "f32":
            self.put(f"  %eb = arith.extf %b : {w.dtype} to f32")
            b = "%eb"
        if before := node.attrs.get("before"):
            self.put(f"  %f = {MLIR_UNARY[before][0].format(a, 'f32')} : f32")
            a = "%f"
        pair = (b, a) if node.attrs.get("swapped") else (a, b)
        self.put(f"  %p = arith.mulf {pair[0]}, {pair[1]} : f32")
        self.put("  %s = arith.addf %o, %p : f32")
        self.put(f"  linalg.yield %s : f32")
        self.put(f"}} -> {node.type}")

    def generic(self, node, body, maps=None):
        """An elementwise op over two dimensions."""
        maps = maps or ["(d0, d1)"] * len(node.args)
        text = ", ".join(f"affine_map<(d0, d1) -> {m}>" for m in [*maps, "(d0, d1)"])
        ins = node.args[:len(maps)]
        operands = (f"ins({', '.join(n.name for n in ins)} : {', '.join(n.type for n in ins)})")
        out = self.empty(node)
        self.put(f"{node.name} = linalg.generic {{indexing_maps = [{text}], iterator_types = "
                 f'["parallel", "parallel"]}} {operands} outs({out} : {node.type}) {{')
        arguments = ", ".join(f"%b{i}: {n.dtype}" for i, n in enumerate(ins))
        self.put(f"^bb0({arguments}, %o: {node.dtype}):")
        for line in body:
            self.put("  " + line)
        self.put(f"}} -> {node.type}")

    def cast(self, node):
        source = node.args[0].dtype
        if source == node.dtype:
            self.generic(node, [f"linalg.yield %b0 : {source}"], ["(d0, d1)"])
            return
        if "f32" not in (source, node.dtype):
            self.generic(node, [f"%w = arith.extf %b0 : {source} to f32",
                                f"%r = arith.truncf %w : f32 to {node.dtype}",
                                f"linalg.yield %r : {node.dtype}"], ["(d0, d1)"])
            return
        op = "truncf" if source == "f32" else "extf"
        self.generic(node, [f"%r = arith.{op} %b0 : {source} to {node.dtype}",
                            f"linalg.yield %r : {node.dtype}"], ["(d0, d1)"])

    def transpose(self, node):
        x = node.args[0]
        out = self.empty(node)
        self.put(f"{node.name} = linalg.transpose ins({x.name} : {x.type}) outs({out} : "
                 f"{node.type}) permutation = [1, 0]")

    def unary(self, node):
        body = MLIR_UNARY[node.attrs["function"]][0].format("%b0", node.dtype)
        self.generic(node, [f"%r = {body} : {node.dtype}", f"linalg.yield %r : {node.dtype}"],
                     ["(d0, d1)"])

    def binary(self, node):
        x, y = node.args[:2]
        if node.attrs.get("named") and not node.attrs.get("row"):
            out = self.empty(node)
            self.put(f"{node.name} = linalg.{node.attrs['function']} ins({x.name}, {y.name} : "
                     f"{x.type}, {y.type}) outs({out} : {node.type}) -> {node.type}")
            return
        maps = ["(d0, d1)", "(d1)" if node.attrs.get("row") else "(d0, d1)"]
        op = MLIR_BINARY[node.attrs["function"]]
        self.generic(node, [f"%r = {op} %b0, %b1 : {node.dtype}",
                            f"linalg.yield %r : {node.dtype}"], maps)

    def slice(self, node):
        x, (r, c) = node.args[0], node.attrs["offset"]
        h, w = node.shape
        self.put(f"{node.name} = tensor.extract_slice {x.name}[{r}, {c}] [{h}, {w}] [1, 1] : "
                 f"{x.type} to {node.type}")

    def reshape(self, node):
        """A vector of a matrix of one row."""
        x = node.args[0]
        self.put(f"{node.name} = tensor.collapse_shape {x.name} [[0, 1]] : {x.type} into {node.type}")

    def batch(self, node):
        x, w = node.args
        out = self.filled(node)
        self.put(f"{node.name} = linalg.batch_matmul ins({x.name}, {w.name} : {x.type}, {w.type}) "
                 f"outs({out} : {node.type}) -> {node.type}")

    def call(self, node):
        x, w = node.args
        key = (x.type, w.type, node.type)
        callee = f"@layer{list(self.layers).index(key) if key in self.layers else len(self.layers)}"
        wide = f"tensor<{'x'.join(map(str, node.shape))}xf32>"

        def layer(private):
            yield f"func.func {private}{callee}(%x: {x.type}, %w: {w.type}) -> {node.type} {{"
            yield "  %zero = arith.constant 0.0 : f32"
            yield f"  %e = tensor.empty() : {wide}"
            yield (f"  %f = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}")
            yield (f"  %y = linalg.matmul ins(%x, %w : {x.type}, {w.type}) outs(%f : {wide}) "
                   f"-> {wide}")
            if node.dtype == "f32":
                yield f"  return %y : {wide}"
            else:
                yield f"  %h = tensor.empty() : {node.type}"
                yield ("  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, "
                       "affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", "
                       f"\"parallel\"]}} ins(%y : {wide}) outs(%h : {node.type}) {{")
                yield f"  ^bb0(%a: f32, %o: {node.dtype}):"
                yield f"    %r = arith.truncf %a : f32 to {node.dtype}"
                yield f"    linalg.yield %r : {node.dtype}"
                yield f"  }} -> {node.type}"
                yield f"  return %t : {node.type}"
            yield "}"

        self.layers.setdefault(key, layer)
        self.put(f"{node.name} = call {callee}({x.name}, {w.name}) : ({x.type}, {w.type}) -> {node.type}")
