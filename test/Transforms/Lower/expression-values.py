"""Kernels with expressions compute what their bodies say, and their schedules can be read again.

RUN: %trn_python %s
"""

import sys

import numpy as np
import trn_mlir as trn

TOLERANCE = {"bf16": 1e-2, "f16": 2e-3, "f32": 1e-5}
ORDER = ["f32", "f16", "bf16"]


def rounded(value, kind):
    if kind == "bf16":
        bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32).astype(float)
    return value.astype({"f16": np.float16, "f32": np.float32}[kind]).astype(float)


def erf(x):
    """Abramowitz and Stegun 7.1.26 has no more than 1.5e-7 of error."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (
        1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - series * np.exp(-x * x))


class Scalar:
    """A value in the body of an elementwise op, of all elements at once."""

    def __init__(self, code, name, kind, value):
        self.code, self.name, self.kind, self.value = code, name, kind, value

    kinds = {"f32"}  # of all values so far

    def make(self, op, kind, value, *others):
        names = ", ".join(one.name for one in (self, *others))
        suffix = f"{self.kind} to {kind}" if op in ("arith.truncf", "arith.extf") else self.kind
        name = f"%v{len(self.code)}"
        self.code.append(f"{name} = {op} {names} : {suffix}")
        return Scalar(self.code, name, kind, rounded(value, kind))

    def constant(self, value):
        name = f"%v{len(self.code)}"
        self.code.append(f"{name} = arith.constant {float(value):e} : {self.kind}")
        return Scalar(self.code, name, self.kind, rounded(np.array(float(value)), self.kind))

    def lift(self, other):
        return other if isinstance(other, Scalar) else self.constant(other)

    def binary(self, op, other, function, flip=False):
        other = self.lift(other)
        a, b = (other, self) if flip else (self, other)
        return a.make(op, self.kind, function(a.value, b.value), b)

    def __add__(self, other):
        return self.binary("arith.addf", other, np.add)

    def __radd__(self, other):
        return self.binary("arith.addf", other, np.add, True)

    def __sub__(self, other):
        return self.binary("arith.subf", other, np.subtract)

    def __rsub__(self, other):
        return self.binary("arith.subf", other, np.subtract, True)

    def __mul__(self, other):
        return self.binary("arith.mulf", other, np.multiply)

    def __rmul__(self, other):
        return self.binary("arith.mulf", other, np.multiply, True)

    def __truediv__(self, other):
        return self.binary("arith.divf", other, np.divide)

    def __rtruediv__(self, other):
        return self.binary("arith.divf", other, np.divide, True)

    def __neg__(self):
        return self.make("arith.negf", self.kind, -self.value)

    def max(self, other):
        return self.binary("arith.maximumf", other, np.maximum)

    def min(self, other):
        return self.binary("arith.minimumf", other, np.minimum)

    def exp(self):
        return self.make("math.exp", self.kind, np.exp(self.value))

    def tanh(self):
        return self.make("math.tanh", self.kind, np.tanh(self.value))

    def erf(self):
        return self.make("math.erf", self.kind, erf(self.value))

    def abs(self):
        return self.make("math.absf", self.kind, np.abs(self.value))

    def sqrt(self):
        return self.make("math.sqrt", self.kind, np.sqrt(self.value))

    def rsqrt(self):
        return self.make("math.rsqrt", self.kind, 1 / np.sqrt(self.value))

    def log(self):
        return self.make("math.log", self.kind, np.log(self.value))

    def to(self, kind):
        Scalar.kinds.add(kind)
        if kind == self.kind:
            return self
        narrows = ORDER.index(kind) > ORDER.index(self.kind)
        return self.make("arith.truncf" if narrows else "arith.extf", kind, self.value)

    def relu_by_select(self):
        zero = self.constant(0)
        name = f"%v{len(self.code)}"
        self.code.append(f"{name} = arith.cmpf ugt, {self.name}, {zero.name} : {self.kind}")
        result = f"%v{len(self.code)}"
        self.code.append(f"{result} = arith.select {name}, {self.name}, {zero.name} : {self.kind}")
        return Scalar(self.code, result, self.kind, np.maximum(self.value, 0))


class Tensor:
    def __init__(self, name, kind, value):
        self.name, self.kind, self.value = name, kind, value

    def type(self, word="tensor"):
        return f"{word}<{''.join(f'{size}x' for size in self.value.shape)}{self.kind}>"


class Kernel:
    """The text of a kernel, and of a function that calls it, and its values."""

    def __init__(self, name, seed=0):
        self.name, self.rng = name, np.random.default_rng(seed)
        self.inputs, self.results, self.body, self.count = [], [], [], 0
        self.coarsest = "f32"

    def add(self, text, kind, value):
        if ORDER.index(kind) > ORDER.index(self.coarsest):
            self.coarsest = kind
        tensor = Tensor(f"%t{self.count}", kind, value)
        self.count += 1
        self.body.append(text.replace("$", tensor.name).replace("@type", tensor.type()))
        return tensor

    def input(self, kind, *shape, scale=1.0):
        value = rounded(self.rng.standard_normal(shape) * scale, kind)
        buffer = f"%a{len(self.inputs)}"
        tensor = self.add("", kind, value)
        self.body.append(f"{tensor.name} = bufferization.to_tensor {buffer} restrict : "
                         f"{tensor.type('memref')} to {tensor.type()}")
        self.inputs.append(tensor)
        return tensor

    def weight(self, kind, rows, columns, turned=False):
        shape = (columns, rows) if turned else (rows, columns)
        return self.input(kind, *shape, scale=rows**-0.5)

    def product(self, left, right, left_turned=False, right_turned=False):
        a = left.value.T if left_turned else left.value
        b = right.value.T if right_turned else right.value
        result = np.empty((a.shape[0], b.shape[1]))
        kind = f"tensor<{result.shape[0]}x{result.shape[1]}xf32>"
        n = self.count
        self.body += [f"%z{n} = arith.constant 0.0 : f32", f"%e{n} = tensor.empty() : {kind}",
                      f"%f{n} = linalg.fill ins(%z{n} : f32) outs(%e{n} : {kind}) -> {kind}"]
        maps = [f"affine_map<(m, n, k) -> ({'k, m' if left_turned else 'm, k'})>",
                f"affine_map<(m, n, k) -> ({'n, k' if right_turned else 'k, n'})>",
                "affine_map<(m, n, k) -> (m, n)>"]
        return self.add(
            f"$ = linalg.matmul indexing_maps = [{', '.join(maps)}] ins({left.name}, {right.name} "
            f": {left.type()}, {right.type()}) outs(%f{n} : {kind}) -> @type", "f32",
            rounded(a @ b, "f32"))

    def transpose(self, tensor):
        n = self.count
        result = Tensor("", tensor.kind, tensor.value.T)
        self.body.append(f"%e{n} = tensor.empty() : {result.type()}")
        return self.add(f"$ = linalg.transpose ins({tensor.name} : {tensor.type()}) "
                        f"outs(%e{n} : @type) permutation = [1, 0]", tensor.kind, tensor.value.T)

    def map(self, function, *operands, kind=None, layout="ij"):
        """An elementwise op; operands are tensors, or pairs with what indexes them: `ij`, `j`,
        `0j`, `i0` ... Columns of `i%` repeat."""
        operands = [one if isinstance(one, tuple) else (one, "ij") for one in operands]
        sizes = {}
        for tensor, places in operands:
            sizes.update({p: s for p, s in zip(places, tensor.value.shape) if p in "ij"})
        code, scalars = [], []
        for number, (tensor, places) in enumerate(operands):
            value = tensor.value.reshape([s for p, s in zip(places, tensor.value.shape)
                                          if p != "0"])
            places = places.replace("0", "")
            if places == "i%":
                value = np.tile(value, sizes["j"] // value.shape[1])
            elif places == "ji":
                value = value.T
            elif places == "i":
                value = value[:, None]
            scalars.append(Scalar(code, f"%in{number}", tensor.kind,
                                  np.broadcast_to(value, (sizes["i"], sizes["j"]))))
        Scalar.kinds = {self.coarsest}
        result = function(*scalars)
        if kind:
            result = result.to(kind)
        self.coarsest = max(Scalar.kinds, key=ORDER.index)
        value = result.value if layout == "ij" else result.value.T
        n, out = self.count, Tensor("", result.kind, value)

        def as_map(places, tensor=out):
            return f"affine_map<(i, j) -> ({', '.join(places)})>".replace("%", f"j mod {tensor.value.shape[-1]}")
        self.body.append(f"%e{n} = tensor.empty() : {out.type()}")
        arguments = "".join(f"%in{i}: {one.kind}, " for i, (one, _) in enumerate(operands))
        return self.add(
            f"$ = linalg.generic {{indexing_maps = "
            f"[{', '.join(as_map(places, one) for one, places in operands)}, {as_map(layout)}], "
            f"iterator_types = [\"parallel\", \"parallel\"]}} "
            f"ins({', '.join(one.name for one, _ in operands)} : "
            f"{', '.join(one.type() for one, _ in operands)}) outs(%e{n} : @type) {{\n"
            f"^bb0({arguments}%out: {result.kind}):\n  " + "\n  ".join(code) +
            f"\n  linalg.yield {result.name} : {result.kind}\n}} -> @type",
            result.kind, value)

    def rotate(self, tensor, by):
        """Columns change places by pairs of `by`: (a, b) is (-b, a)."""
        n, one = self.count, tensor.type()
        left, right = np.split(tensor.value.reshape(len(tensor.value), -1, 2 * by), 2, axis=2)
        value = np.concatenate([-right, left], axis=2).reshape(tensor.value.shape)
        self.body.append(f"%e{n} = tensor.empty() : {one}")
        return self.add(
            f"$ = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, (j floordiv {2 * by}) * {2 * by} "
            f"+ (j + {by}) mod {2 * by})>, affine_map<(i, j) -> (i, j)>], "
            f"iterator_types = [\"parallel\", \"parallel\"]}} ins({tensor.name} : {one}) outs(%e{n} : {one}) {{\n"
            f"^bb0(%in: {tensor.kind}, %out: {tensor.kind}):\n  %j = linalg.index 1 : index\n"
            f"  %both = arith.constant {2 * by} : index\n  %half = arith.constant {by} : index\n"
            f"  %place = arith.remui %j, %both : index\n  %left = arith.cmpi ult, %place, %half : index\n"
            f"  %minus = arith.negf %in : {tensor.kind}\n"
            f"  %value = arith.select %left, %minus, %in : {tensor.kind}\n"
            f"  linalg.yield %value : {tensor.kind}\n}} -> @type", tensor.kind, value)

    def result(self, tensor):
        self.results.append(tensor)

    def text(self):
        inputs = [f"%a{i}: {one.type('memref')}" for i, one in enumerate(self.inputs)]
        results = [f"%r{i}: {one.type('memref')}" for i, one in enumerate(self.results)]
        stores = [f"bufferization.materialize_in_destination {one.name} in restrict writable %r{i} "
                  f": ({one.type()}, {one.type('memref')}) -> ()"
                  for i, one in enumerate(self.results)]
        tensors = [one.type() for one in self.results]
        outer = [f"%a{i} = bufferization.to_buffer %x{i} read_only : {one.type()} to {one.type('memref')}"
                 for i, one in enumerate(self.inputs)]
        outer += [f"%r{i} = memref.alloc() : {one.type('memref')}"
                  for i, one in enumerate(self.results)]
        read = [f"%o{i} = bufferization.to_tensor %r{i} restrict : {one.type('memref')} to "
                f"{one.type()}" for i, one in enumerate(self.results)]
        given = [f"%x{i}: {one.type()}" for i, one in enumerate(self.inputs)]
        names = [name.split(":")[0] for name in inputs + results]
        types = ", ".join(one.type("memref") for one in self.inputs + self.results)
        marked = [one + " {trn.result}" for one in results]
        return "\n".join([
            f"func.func private @kernel({', '.join(inputs + marked)}) attributes {{trn.kernel}} {{",
            *self.body, *stores, "return", "}",
            f"func.func @main({', '.join(given)}) -> ({', '.join(tensors)}) {{", *outer,
            f"call @kernel({', '.join(names)}) : ({types}) -> ()", *read,
            f"return {', '.join(f'%o{i}' for i in range(len(self.results)))} : "
            f"{', '.join(tensors)}", "}"])

    def check(self, machine="trn1", **options):
        """What is wrong with what it computes, or with its schedule as text; empty if nothing is."""
        try:
            compiled = trn.compile(self.text(), machine=machine, **options)
            results = compiled.run(*(one.value for one in self.inputs))
            again = trn.compile(compiled.mlir_at("tensor"), machine=machine)
        except trn.TrnError as error:
            return str(error)[:1500]
        if again.mlir != compiled.mlir:
            return "its schedule is another one as text"
        for i, one in enumerate(self.results):
            got = np.asarray(results if len(self.results) == 1 else results[i], float)
            most = np.abs(one.value).max() or 1
            error = np.abs(got - one.value).max() / most
            if got.shape != one.value.shape or not error <= TOLERANCE[self.coarsest]:
                return f"result {i} is off by {error:.2e} ({self.coarsest})"
        return ""


def sigmoid(x):
    return 1.0 / (1.0 + (-x).exp())


def silu(x):
    return x / (1.0 + (-x).exp())


def gelu(x):
    return x * 0.5 * (1.0 + (x * 0.7071067811865476).erf())


def gelu_by_tanh(x):
    return 0.5 * x * (1.0 + ((x + x * x * x * 0.044715) * 0.7978845608028654).tanh())


def softplus(x):
    return (1.0 + x.exp()).log()


def clip(x):
    return x.max(-0.5).min(0.5)


FUNCTIONS = [
    silu, gelu, gelu_by_tanh, softplus, lambda x: x * softplus(x).tanh(), sigmoid, clip,
    Scalar.tanh, Scalar.exp, Scalar.erf, Scalar.abs,
    Scalar.relu_by_select, lambda x: x * sigmoid(x), lambda x: x.constant(0).max(x),
    lambda x: 0.5 * (x * (1.0 + (x / 1.4142135623730951).erf())), lambda x: x * x,
    lambda x: x + x, lambda x: -x, lambda x: x, lambda x: 1.0 - 2.0 * x, lambda x: x / 3.0,
    lambda x: 2.0 / (x * x + 1.0), lambda x: 1.0 / (x.abs() + 1.0), lambda x: x.abs().sqrt(),
    lambda x: (x.abs() + 1.0).rsqrt(), lambda x: (x * x + 1.0).log(),
    lambda x: silu(gelu(x * 2.0 + 1.0) * 0.5), lambda x: x * (x.constant(2.0) * 1.5).exp(),
    lambda x: silu(x.to("bf16").to("f32")).to("f16").to("f32") + x,
]


def functions():
    """One result for each function: a spread of instructions, in few kernels."""
    for start in range(0, len(FUNCTIONS), 7):
        k = Kernel(f"functions-{start}")
        sums = k.product(k.input("f32", 70, 96), k.weight("f32", 96, 150))
        for function in FUNCTIONS[start:start + 7]:
            k.result(k.map(function, sums))
        yield k


def operands(m, depth, n, kind):
    """Vectors and matrices, in any layout of them and of the result."""
    shapes = [((n,), "j"), ((1, n), "0j"), ((m,), "i"), ((m, 1), "i0"), ((1, 1), "00"),
              ((m, n), "ij"), ((n, m), "ji")]
    for number, (shape, places) in enumerate(shapes):
        for layout, left, right in [("ij", False, False), ("ji", number % 2, number % 3 == 0)]:
            k = Kernel(f"operands-{m}-{kind}-{number}-{layout}")
            x = k.input(kind, *((depth, m) if left else (m, depth)))
            sums = k.product(x, k.weight(kind, depth, n, right), left, right)
            k.result(k.map(lambda a, c: silu(a * 0.5 + c.to("f32")), sums,
                           (k.input(kind if number % 2 else "f32", *shape), places), kind=kind,
                           layout=layout))
            yield k


def taken_along(kind):
    """A scale and a bias of each row are free for a function."""
    k = Kernel(f"taken-along-{kind}")
    sums = k.product(k.input(kind, 70, 96), k.weight(kind, 96, 150))
    scale, bias = k.input(kind, 70, 1), k.input("f32", 70)
    k.result(k.map(lambda a, s, b: gelu(a * s.to("f32") + b), sums, (scale, "i0"), (bias, "i"),
                   kind=kind))
    k.result(k.map(lambda a, s, b: a * sigmoid(s.to("f32") * 2.0) + b, sums, (scale, "i0"),
                   (bias, "i"), kind=kind))
    return k


def gating(kind, turned, layout):
    """Up and gate share the rows of x; each weight may lie the other way."""
    k = Kernel(f"gating-{kind}-{turned}-{layout}")
    x, bias = k.input(kind, 130, 96), k.input("f32", 140)
    gate, up = (k.product(x, k.weight(kind, 96, 140, turned), False, turned) for _ in range(2))
    k.result(k.map(lambda g, u, b: silu(g + b) * u, gate, up, (bias, "j"), kind=kind,
                   layout=layout))
    return k


def mlp(kind, m, turned):
    """All of an MLP, with the residual: what comes in is read twice."""
    k = Kernel(f"mlp-{kind}-{m}-{turned}")
    x = k.input(kind, m, 96)
    gate, up = (k.product(x, k.weight(kind, 96, 140, turned), False, turned) for _ in range(2))
    hidden = k.map(lambda g, u: silu(g) * u, gate, up, kind=kind)
    down = k.product(hidden, k.weight(kind, 140, 96, turned), False, turned)
    k.result(k.map(lambda d, r: d + r.to("f32"), down, x, kind=kind))
    return k


def chain(kind):
    k = Kernel(f"chain-{kind}")
    x, bias, factor = k.input(kind, 200, 130), k.input("f32", 48), k.input(kind, 200, 220)
    y = k.map(lambda a, b: silu(a + b), k.product(x, k.weight(kind, 130, 48)), (bias, "j"),
              kind=kind)
    k.result(k.map(lambda a, c: a * c.to("f32"), k.product(y, k.weight(kind, 48, 220)), factor,
                   kind=kind))
    return k


def shared(turned):
    """Queries, keys and values; and two products of one weight."""
    k = Kernel(f"shared-{turned}")
    x = k.input("bf16", 150, 100)
    for size in (120, 40, 40):
        k.result(k.map(lambda a: a * 0.125, k.product(x, k.weight("bf16", 100, size, turned),
                                                      False, turned), kind="bf16"))
    yield k
    k = Kernel(f"shared-weight-{turned}")
    x, z = k.input("bf16", 150, 100), k.input("bf16", 150, 100)
    weight = k.weight("bf16", 100, 140, turned)
    for left, function in ((x, silu), (z, gelu)):
        k.result(k.map(function, k.product(left, weight, False, turned), kind="bf16"))
    yield k


def other_rows(kind):
    """Gate and up multiply different matrices; what is added lies the other way, too."""
    k = Kernel(f"other-rows-{kind}")
    gate, up = (k.product(k.input(kind, 70, depth), k.weight(kind, depth, 90, True), False, True)
                for depth in (96, 50))
    other = k.input(kind, 90, 70)
    k.result(k.map(lambda g, u, c: silu(g) * u + c.to("f32"), gate, up, (other, "ji"), kind=kind))
    return k


def several_readers(kind):
    """What one product computes is stored, read by elements and multiplied twice."""
    k = Kernel(f"several-readers-{kind}")
    sums = k.product(k.input(kind, 70, 96), k.weight(kind, 96, 150))
    hidden = k.map(lambda a: a * 0.5, sums, kind=kind)
    k.result(hidden)
    k.result(k.map(lambda a: silu(a.to("f32")), hidden, kind=kind, layout="ji"))
    back = k.map(lambda a: a, k.product(hidden, k.weight(kind, 150, 40)), kind=kind)
    k.result(k.map(lambda a, h: a + h.to("f32"), k.product(back, k.weight(kind, 40, 150)), hidden,
                   kind=kind))
    return k


def repeated(kind):
    """What is computed has one row or column for all of another result's."""
    k = Kernel(f"repeated-{kind}")
    x, w = k.input(kind, 70, 96), k.weight(kind, 96, 150)
    column = k.map(sigmoid, k.product(x, k.weight(kind, 96, 1)), kind=kind)
    k.result(k.map(lambda a, c: a * c.to("f32"), k.product(x, w), (column, "i0"), kind=kind))
    yield k
    k = Kernel(f"repeated-row-{kind}")
    row = k.map(lambda a: a * 2.0, k.product(k.input(kind, 1, 50), k.weight(kind, 50, 150)),
                kind=kind)
    k.result(row)
    k.result(k.map(lambda a, r: a + r.to("f32"),
                   k.product(k.input(kind, 70, 96), k.weight(kind, 96, 150)), (row, "0j"),
                   kind=kind))
    yield k


def two_layouts(kind):
    """A vector is a column for one result and a row for another one."""
    k = Kernel(f"two-layouts-{kind}")
    x, bias = k.input(kind, 70, 96), k.input("f32", 70)
    k.result(k.map(lambda a, b: a + b, k.product(x, k.weight(kind, 96, 150)), (bias, "i"),
                   kind=kind))
    k.result(k.map(lambda a, b: a * b, k.product(x, k.weight(kind, 96, 130)), (bias, "i"),
                   kind=kind, layout="ji"))
    return k


def by_tensors(kind):
    """Ops one by one, and transpositions between them."""
    k = Kernel(f"by-tensors-{kind}")
    sums, bias = k.product(k.input(kind, 70, 96), k.weight(kind, 96, 150)), k.input("f32", 150)
    p = k.map(lambda a, b: a + b, sums, (bias, "j"))
    q = k.transpose(k.map(lambda a: a.tanh(), p))
    k.result(k.transpose(k.map(lambda a, b: a * b, p, (q, "ji"), kind=kind)))
    return k


def residual(kind):
    """x * w + x for a square w: x is two arguments, one is multiplied and one added."""
    k = Kernel(f"residual-{kind}")
    x = k.input(kind, 70, 96)
    again = k.input(kind, 70, 96)
    again.value[:] = x.value
    k.result(k.map(lambda a, r: a + r.to("f32"), k.product(x, k.weight(kind, 96, 96)), again,
                   kind=kind))
    return k


def embedded(kind, m, heads, columns, by):
    """Rotary embeddings of all heads, and what is multiplied with these."""
    k = Kernel(f"embedded-{kind}-{m}-{heads}-{columns}-{by}")
    q = k.map(lambda a: a, k.product(k.input(kind, m, 64), k.weight(kind, 64, heads * columns)), kind=kind)
    c, s = (k.input(kind, m, columns) for _ in range(2))
    out = k.map(lambda a, r, c, s: a * c + r * s, q, k.rotate(q, by), (c, "i%"), (s, "i%"))
    k.result(out)
    if by == 1:
        k.result(k.map(silu, k.product(out, k.weight(kind, heads * columns, 40)), kind=kind))
    return k


def wide(kind):
    """Many blocks of rows and of columns."""
    k = Kernel(f"wide-{kind}")
    x, w = k.input(kind, 260, 64), k.weight(kind, 64, 1100)
    other, bias = k.input(kind, 1100, 260), k.input("f32", 1100)
    k.result(k.map(lambda a, c, b: gelu(a + b) + c.to("f32"), k.product(x, w), (other, "ji"),
                   (bias, "j"), kind=kind))
    return k


def kernels():
    yield from functions()
    yield from operands(70, 96, 150, "bf16")
    yield from operands(1, 64, 130, "f32")
    yield from operands(130, 1, 5, "f32")
    for kind in ("bf16", "f16", "f32"):
        yield from (taken_along(kind), chain(kind), several_readers(kind), two_layouts(kind))
        yield from repeated(kind)
    for turned in (False, True):
        yield from (gating("f32", turned, "ji"), gating("bf16", turned, "ij"),
                    mlp("bf16", 1, turned), mlp("f32", 150, turned))
        yield from shared(turned)
    yield from (by_tensors("f16"), other_rows("bf16"), residual("f32"), wide("bf16"))
    yield from (embedded("bf16", 300, 20, 64, 32), embedded("f32", 7, 3, 16, 1), embedded("f16", 130, 6, 32, 16))


OPTIONS = [{}, {"strategy": "recompute"}, {"strategy": "sequential"}, {"transpose": "explicit"}]
bad, count = [], 0
for kernel in kernels():
    for options in OPTIONS if kernel.name.startswith("chain") else OPTIONS[:1]:
        machine = ("trn1", "trn2")[count % 2]
        if problem := kernel.check(machine, effort=2, **options):
            bad.append(f"{kernel.name} ({machine}, {options}): {problem}")
        count += 1
if bad or count < 78:
    sys.exit("\n".join(bad) + f"\n{len(bad)} of {count} kernels are wrong")
