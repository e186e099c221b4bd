"""Random linalg modules as graphs: what NumPy makes of them.

A node is one op on tensors, or a few that belong together (a fill and a product, a softmax).
Values are the intervals of values.py: exact but for the order of the sums and the last bits
of functions, so that a rounding that is dropped or added shows, and cancellation does not.
"""

import dataclasses
import itertools

import numpy as np

import expressions
import values
from values import EPS, Values

STEP = {"bf16": 2.0 ** -8, "f16": 2.0 ** -11}  # half of a unit in the last place, relative


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
        return f"tensor<{''.join(f'{s}x' for s in self.shape)}{self.dtype}>"


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
    a, attrs = args[0] if args else None, node.attrs
    if node.op == "constant":
        return Values(np.broadcast_to(attrs["value"], node.shape))
    if node.op in ("map", "cast"):
        return elementwise(node, args)
    if node.op in ("product", "call"):
        return product(node, args)
    if node.op == "transpose":
        return a.map(lambda v: np.transpose(v, attrs.get("permutation")))
    if node.op == "slice":
        (r, c), (h, w) = attrs["offset"], node.shape
        return a.map(lambda v: v[r:r + h, c:c + w])
    if node.op == "reshape":
        return a.map(lambda v: v.reshape(node.shape))
    if node.op == "broadcast":
        return a.map(lambda v: np.broadcast_to(aligned(v, attrs["axes"], len(node.shape)), node.shape))
    if node.op == "pad":
        return a.map(lambda v: np.pad(v, list(zip(attrs["low"], attrs["high"]))))
    if node.op == "gather":
        return a.map(lambda v: v[attrs["rows"]])
    if node.op == "concat":
        return joined(args, lambda parts: np.concatenate(parts, attrs["axis"]))
    if node.op == "insert":
        return joined(args, lambda parts: inserted(*parts, attrs["offset"]))
    if node.op == "branch":
        return args[0 if attrs["taken"] else 1]
    if node.op == "loop":
        for _ in range(attrs["count"]):
            a = round_product(a, args[1], None).round_to(node.dtype)
        return a
    return {"softmax": softmax, "rms": rms}[node.op](a)


def joined(args, function):
    if all(a.certain for a in args):
        return Values(function([a.lo for a in args]))
    return Values(function([a.lo for a in args]), function([a.hi for a in args]))


def inserted(part, whole, offset):
    result = whole.copy()
    result[tuple(slice(o, o + s) for o, s in zip(offset, part.shape))] = part
    return result


def aligned(v, axes, rank):
    """With a dimension for each loop; `axes` has the loop of each dimension, or None."""
    sizes = [1] * rank
    for axis, size in zip(axes, v.shape):
        if axis is not None:
            sizes[axis] = size
    return v.reshape(sizes)


def elementwise(node, args):
    rank = len(node.shape)
    operands = [a.map(lambda v, axes=axes: aligned(v, axes, rank))
                for a, axes in zip(args, node.attrs["axes"])]
    result = expressions.evaluate(node.attrs["tree"], operands)
    return result.map(lambda v: np.broadcast_to(v, node.shape))


def round_product(x, w, init):
    """x @ w in f32, in any order."""
    exact, slack = values.product(x.map(np.transpose), w)
    return values.accumulate(init, exact, slack)


def product(node, args):
    """Each batch by itself."""
    batch = node.shape[:-2]
    init = args[2] if len(args) > 2 else None
    parts = []
    for index in itertools.product(*map(range, batch)):
        x, w = (a.map(lambda v: v[index] if v.ndim > 2 else v) for a in args[:2])
        parts.append(matrix_product(node, x, w, init and init.map(lambda v: v[index])))
    if not batch:
        return parts[0]
    return Values(*(np.stack(ends).reshape(node.shape)
                    for ends in ([p.lo for p in parts], [p.hi for p in parts])))


def matrix_product(node, x, w, init):
    if node.attrs.get("ta"):
        x = x.map(np.transpose)
    if node.attrs.get("tb"):
        w = w.map(np.transpose)
    if before := node.attrs.get("before"):
        x = Values(-x.lo) if before == "neg" and x.certain else \
            Values(-x.hi, -x.lo) if before == "neg" else values.unary("abs", x)
    result = round_product(x, w, init)
    if init is not None and not result.certain:
        # The initial value may come last, or first.
        room = (np.abs(init.lo) + np.abs(result.hi) + np.abs(result.lo)) \
            * np.float32(EPS * (x.lo.shape[1] + 2))
        result = Values(result.lo - room, result.hi + room)
    if node.dtype != "f32" and node.op == "product":
        # Sums in a narrow type may round each time.
        size = [np.maximum(np.abs(v.lo), np.abs(v.hi)).astype(np.float64) for v in (x, w)]
        room = size[0] @ size[1] + (0 if init is None else np.abs(init.lo) + np.abs(init.hi))
        room = room * (STEP[node.dtype] * (x.lo.shape[1] + 2))
        result = values.hull(result.lo - room, result.hi + room)
    return result.round_to(node.dtype)


def total(v):
    """Of each row, in any order."""
    ends = [end.astype(np.float64).sum(axis=-1, keepdims=True) for end in (v.lo, v.hi)]
    room = np.maximum(np.abs(v.lo), np.abs(v.hi)).astype(np.float64).sum(axis=-1, keepdims=True) \
        * EPS * (v.lo.shape[-1] + 2) + 1e-37
    return values.hull(ends[0] - room, ends[1] + room)


def softmax(v):
    highest = v.map(lambda e: e.max(axis=-1, keepdims=True))
    powers = expressions.loosen(values.unary("exp", values.binary("sub", v, highest)))
    return expressions.loosen(values.binary("div", powers, total(powers)))


def rms(v):
    squares = total(values.binary("mul", v, v))
    size = np.float32(v.lo.shape[-1])
    mean = values.binary("add", values.binary("div", squares, Values(size.reshape(()))),
                         Values(np.float32(1e-5).reshape(())))
    return expressions.loosen(values.binary("mul", v, values.unary("rsqrt", mean)))
