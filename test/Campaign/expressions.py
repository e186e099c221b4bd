"""What is computed element by element, as trees: drawn in the ways that people write it, as
MLIR, and as intervals.

A tree rounds after each of its ops, as MLIR does. An engine may compute several ops of f32
as one function, so that f32 values of trees with functions have some last bits of freedom;
narrower types have none but theirs.
"""

import dataclasses

import numpy as np

import values
from values import Values, round_to

FREE = 2.0 ** -21  # relative, of an f32 value beside functions
ARITH = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf", "max": "maximumf",
         "min": "minimumf"}
MATH = {"exp": "exp", "tanh": "tanh", "erf": "erf", "sqrt": "sqrt", "rsqrt": "rsqrt",
        "log": "log", "abs": "absf"}
NAMED = {"add": "add", "sub": "sub", "mul": "mul", "max": "max", "min": "min", "div": "div",
         "exp": "exp", "tanh": "tanh", "erf": "erf", "abs": "abs", "neg": "negf", "sqrt": "sqrt",
         "rsqrt": "rsqrt", "log": "log"}


@dataclasses.dataclass(eq=False)
class Tree:
    op: str
    args: list
    dtype: str
    number: float = 0  # of the operand, or the constant

    def postorder(self):
        """Each subtree once."""
        found = []

        def visit(tree):
            if tree not in found:
                for argument in tree.args:
                    visit(argument)
                found.append(tree)
        visit(self)
        return found


def operand(number, dtype):
    return Tree("operand", [], dtype, number)


def constant(value, dtype):
    return Tree("constant", [], dtype, float(round_to(np.float32(value), dtype)))


def apply(op, *args):
    """Numbers among `args` are constants."""
    dtype = next(a.dtype for a in args if isinstance(a, Tree))
    return Tree(op, [a if isinstance(a, Tree) else constant(a, dtype) for a in args], dtype)


def to(x, dtype):
    """A cast, through f32 if it has to be."""
    if x.dtype == dtype:
        return x
    if "f32" not in (x.dtype, dtype):
        x = Tree("extf", [x], "f32")
    return Tree("truncf" if x.dtype == "f32" else "extf", [x], dtype)


# What people write.

def either(rng, op, a, b):
    return apply(op, a, b) if rng.random() < 0.5 else apply(op, b, a)


def negative(rng, x):
    return rng.choice([lambda: apply("neg", x), lambda: apply("sub", 0.0, x),
                       lambda: apply("mul", x, -1.0)])()


def power(rng, x, exponent):
    which = rng.random()
    if which < 0.1:
        return apply("powf", x, float(exponent))
    if which < 0.2:
        return Tree("fpowi", [x], x.dtype, exponent)
    result = apply("mul", x, x)
    return result if exponent == 2 else either(rng, "mul", result, x)


def sigmoid(rng, x):
    if rng.random() < 0.25:
        half = apply("tanh", either(rng, "mul", x, 0.5))
        return either(rng, "mul", either(rng, "add", half, 1.0), 0.5)
    return apply("div", 1.0, either(rng, "add", apply("exp", negative(rng, x)), 1.0))


def silu(rng, x):
    if rng.random() < 0.3:
        return apply("div", x, either(rng, "add", apply("exp", negative(rng, x)), 1.0))
    return either(rng, "mul", x, sigmoid(rng, x))


def gelu_erf(rng, x):
    inner = apply("div", x, 1.4142135) if rng.random() < 0.4 \
        else either(rng, "mul", x, 0.70710678)
    outer = either(rng, "add", apply("erf", inner), 1.0)
    if rng.random() < 0.5:
        return either(rng, "mul", either(rng, "mul", x, 0.5), outer)
    return either(rng, "mul", either(rng, "mul", x, outer), 0.5)


def gelu_tanh(rng, x):
    cube = either(rng, "mul", power(rng, x, 3), 0.044715)
    inner = either(rng, "mul", either(rng, "add", x, cube), 0.7978845608)
    outer = either(rng, "add", apply("tanh", inner), 1.0)
    return either(rng, "mul", either(rng, "mul", x, 0.5), outer)


def relu(rng, x):
    which = rng.random()
    if which < 0.5:
        return either(rng, "max", x, 0.0)
    return Tree("positive" if which < 0.8 else "unordered", [x, x, constant(0, x.dtype)], x.dtype)


def leaky(rng, x):
    return Tree("positive", [x, x, apply("mul", x, 0.125)], x.dtype)


def clamp(rng, x):
    return apply("min", apply("max", x, -1.0), 1.5)


ACTIVATIONS = [silu, silu, silu, gelu_erf, gelu_tanh, relu, relu, sigmoid, clamp, leaky,
               lambda rng, x: apply("tanh", x), lambda rng, x: power(rng, x, 2),
               lambda rng, x: apply("sqrt", apply("abs", x)),
               lambda rng, x: apply("rsqrt", apply("add", power(rng, x, 2), 1.0)),
               lambda rng, x: apply("log", apply("add", apply("exp", x), 1.0))]


def activation(rng, x):
    """Of x, in its type or in f32."""
    wide = to(x, "f32") if rng.random() < 0.5 else x
    return to(rng.choice(ACTIVATIONS)(rng, wide), x.dtype)


# Values.

def evaluate(tree, operands):
    """`operands` are Values that broadcast against each other."""
    order, known = tree.postorder(), {}
    free = any(t.op in MATH or t.op in ("div", "powf", "fpowi") for t in order)
    for t in order:
        if t.op == "operand":
            known[t] = operands[int(t.number)]
        elif t.op == "constant":
            known[t] = Values(np.float32(t.number).reshape(()))
        else:
            result = compute(t, [known[a] for a in t.args]).round_to(t.dtype)
            known[t] = loosen(result) if free and t.dtype == "f32" and t.op != "extf" else result
    return known[tree]


def loosen(v):
    room = np.maximum(np.abs(v.lo), np.abs(v.hi)).astype(np.float64) * FREE
    room = np.where(np.isfinite(room), room, 0)
    return values.hull(v.lo - room, v.hi + room) if np.isfinite(room).all() else v


def compute(t, args):
    a = args[0]
    if t.op in ("truncf", "extf"):
        return a
    if t.op == "neg":
        return Values(-a.lo) if a.certain else Values(-a.hi, -a.lo)
    if t.op in ARITH:
        return values.binary(t.op, *args)
    if t.op in MATH:
        return values.unary(t.op, a)
    if t.op in ("powf", "fpowi"):
        return powers(a, t.args[1].number if t.op == "powf" else t.number)
    return choose(t.op, *args)


def powers(a, exponent):
    ends = [np.power(e.astype(np.float64), exponent) for e in (a.lo, a.hi)]
    ends.append(np.where((a.lo <= 0) & (a.hi >= 0), 0.0, ends[0]))
    room = np.minimum(np.maximum.reduce([np.abs(e) for e in ends]), 1e38) * 4e-6 + 1e-37
    return values.hull(*(e + s for e in ends for s in (-room, room)))


def choose(op, x, yes, no):
    """yes where x > 0, else no; a NaN is "unordered", which takes yes, or not."""
    def pick(x, yes, no):
        return np.where(~(x <= 0) if op == "unordered" else x > 0, yes, no)
    if x.certain and yes.certain and no.certain:
        return Values(pick(x.lo, yes.lo, no.lo))
    corners = [pick(e, y, n) for e in (x.lo, x.hi) for y in (yes.lo, yes.hi)
               for n in (no.lo, no.hi)]
    unclear = np.isnan(x.lo) | np.isnan(x.hi) | ((x.lo == -np.inf) & (x.hi == np.inf))
    return values.hull(*corners, np.where(unclear, np.nan, corners[0]))


# Text.

def literal(value):
    return f"{value:.12e}"


def statement(t, args, type, name):
    """Lines that compute `t` of the values `args`, in `type`: a scalar type, or a tensor."""
    splat = lambda text: f"dense<{text}>" if type(t.dtype) != t.dtype else text
    ty = type(t.dtype)
    if t.op == "constant":
        return [f"{name} = arith.constant {splat(literal(t.number))} : {ty}"]
    if t.op in ("extf", "truncf"):
        return [f"{name} = arith.{t.op} {args[0]} : {type(t.args[0].dtype)} to {ty}"]
    if t.op in ARITH:
        return [f"{name} = arith.{ARITH[t.op]} {args[0]}, {args[1]} : {ty}"]
    if t.op == "neg":
        return [f"{name} = arith.negf {args[0]} : {ty}"]
    if t.op in MATH:
        return [f"{name} = math.{MATH[t.op]} {args[0]} : {ty}"]
    if t.op == "powf":
        return [f"{name} = math.powf {args[0]}, {args[1]} : {ty}"]
    if t.op == "fpowi":
        return [f"{name}_i = arith.constant {splat(int(t.number))} : {type('i32')}",
                f"{name} = math.fpowi {args[0]}, {name}_i : {ty}, {type('i32')}"]
    predicate = "ugt" if t.op == "unordered" else "ogt"
    condition = f"{type('i1')}, {ty}" if type("i1") != "i1" else ty
    return [f"{name}_z = arith.constant {splat('0.0')} : {ty}",
            f"{name}_c = arith.cmpf {predicate}, {args[0]}, {name}_z : {ty}",
            f"{name} = arith.select {name}_c, {args[1]}, {args[2]} : {condition}"]


def lines(tree, operands, type, prefix):
    """Lines that compute the tree of values named `operands`, and the name of the result."""
    names, found = {}, []
    for i, t in enumerate(tree.postorder()):
        if t.op == "operand":
            names[t] = operands[int(t.number)]
            continue
        names[t] = f"{prefix}{i}"
        found += statement(t, [names[a] for a in t.args], type, names[t])
    return found, names[tree]
