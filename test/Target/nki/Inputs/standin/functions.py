"""What instructions compute, in float32, and the names that they take as `op`."""

import numpy as np

from tensors import NKIError, require


def erf(x):
    from math import erf as scalar
    return np.vectorize(scalar, otypes=[np.float32])(x)


def sigmoid(x):
    with np.errstate(over="ignore"):
        return np.float32(1) / (np.float32(1) + np.exp(-x))


GELU_SLOPE = np.float32(1.702)


def _product_dx(x, slope):
    """The derivative of x times a sigmoid."""
    part = sigmoid(slope * x)
    return part * (1 + slope * x * (1 - part))


ACTIVATIONS = {
    "copy": lambda x: x,
    "relu": lambda x: np.maximum(x, np.float32(0)),
    "silu": lambda x: x * sigmoid(x),
    "gelu": lambda x: np.float32(0.5) * x * (1 + erf(x / np.float32(np.sqrt(2)))),
    "gelu_apprx_tanh": lambda x: np.float32(0.5) * x * (
        1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x * x * x))),
    "softplus": lambda x: np.logaddexp(x, np.float32(0)),
    "mish": lambda x: x * np.tanh(np.logaddexp(x, np.float32(0))),
    "sigmoid": sigmoid,
    "tanh": np.tanh,
    "erf": erf,
    "exp": np.exp,
    "log": np.log,
    "square": np.square,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: np.float32(1) / np.sqrt(x),
    "reciprocal": lambda x: np.float32(1) / x,
    "abs": np.abs,
    "sin": np.sin,
    "arctan": np.arctan,
    "sign": np.sign,
    "gelu_apprx_sigmoid": lambda x: x * sigmoid(GELU_SLOPE * x),
    "gelu_apprx_sigmoid_dx": lambda x: _product_dx(x, GELU_SLOPE),
    "silu_dx": lambda x: _product_dx(x, np.float32(1)),
    "gelu_dx": lambda x: np.float32(0.5) * (1 + erf(x / np.float32(np.sqrt(2)))) + (
        x * np.exp(-x * x / 2) / np.float32(np.sqrt(2 * np.pi))),
    "erf_dx": lambda x: np.float32(2 / np.sqrt(np.pi)) * np.exp(-x * x),
}
# Of the vendor's functions, these have no op in the dialect.
MORE_FUNCTIONS = {
    "negative": np.negative,
    "cos": np.cos,
    "tan": np.tan,
    "ceil": np.ceil,
    "floor": np.floor,
    "trunc": np.trunc,
}


def _of_bits(function):
    def compute(x, y):
        return function(np.asarray(x, np.int64), np.asarray(y, np.int64)).astype(np.float32)
    return compute


def _of_truth(function):
    return lambda x, y: np.asarray(function(x, y), np.float32)


COMPARISONS = {name: _of_truth(getattr(np, name)) for name in (
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
    "logical_and", "logical_or", "logical_xor")}
BITS = {name: _of_bits(getattr(np, name)) for name in (
    "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")}
# What the ALU of an engine computes; none divides.
BINARY = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "power": np.power,
    "mod": np.mod,
    "fmod": np.fmod,
    **COMPARISONS,
    **BITS,
}
# Functions, and where they begin.
REDUCTIONS = {
    "add": (np.add, 0.0),
    "multiply": (np.multiply, 1.0),
    "maximum": (np.maximum, -np.inf),
    "minimum": (np.minimum, np.inf),
}
# Other names: of reductions, and of NumPy.
ALIASES = {"max": "maximum", "amax": "maximum", "min": "minimum", "amin": "minimum",
           "sum": "add", "prod": "multiply", "absolute": "abs"}


def combine(function, x, y, reverse=False):
    x, y = (y, x) if reverse else (x, y)
    with np.errstate(all="ignore"):
        return np.asarray(function(np.asarray(x, np.float32), np.asarray(y, np.float32)),
                          np.float32)


def reduce_axes(reduction, values, axis, keepdims=False, negate=False):
    """Over the last free dimensions. A tile keeps two dimensions."""
    rank = values.ndim
    axes = tuple(one + rank if one < 0 else one
                 for one in ((axis,) if isinstance(axis, int) else axis))
    require(sorted(axes) == list(range(rank - len(axes), rank)) and 0 not in axes,
            f"axis {axis} is not the last free dimensions of {values.shape}"
            if len(axes) > 1 else f"axis {axis} is not the last of {values.shape}")
    function, _ = reduction
    for _ in axes:
        values = function.reduce(values, axis=-1)
    if keepdims:
        values = values.reshape(values.shape + (1,) * len(axes))
    elif values.ndim < 2:
        values = values[:, None]
    return -values if negate else values


def scan(data0, data1, initial, op0, op1, reverse0=False, reverse1=False):
    """Each column from the one before it; rows of `initial`."""
    result = np.empty_like(data0)
    state = np.broadcast_to(np.asarray(initial, np.float32).reshape(-1), data0.shape[:1])
    for i in range(data0.shape[1]):
        state = combine(op1, combine(op0, data0[:, i], state, reverse0), data1[:, i], reverse1)
        result[:, i] = state
    return result


class Registers:
    """Sums that an engine keeps, one for each partition."""

    def __init__(self):
        self.values = np.full(128, np.nan, np.float32)

    def accumulate(self, command, rows, reduction, initial=None):
        """`command` is the name of one of `nisa.reduce_cmd`."""
        function, identity = reduction
        mine = self.values[:len(rows)]
        if command in ("reset", "reset_reduce"):
            mine[...] = identity
        elif command == "load_reduce":
            require(initial is not None, "load_reduce without reduce_init")
            mine[...] = np.reshape(initial, -1)
        else:
            require(initial is None, f"reduce_init is not for {command}")
        if command in ("reduce", "reset_reduce", "load_reduce"):
            mine[...] = function(mine, function.reduce(rows, axis=1))
        return mine[:, None]


class Operator:
    """A function of `nki.language` that instructions take as `op`."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *_, **__):
        raise NKIError(f"nl.{self.name} is an operator of instructions here, not a function")


def operators():
    return {name: Operator(name) for name in (
        *ACTIVATIONS, *MORE_FUNCTIONS, *BINARY, "divide", "max", "min")}


def find_operator(op, table):
    """One of `nki.language` or, where it is a function of that name, of NumPy."""
    name = getattr(op, "name", None) or getattr(op, "__name__", op)
    name = name if name in table else ALIASES.get(name, name)
    require(not isinstance(op, str) and name in table,
            f"op={name} is none of {', '.join(sorted(table))}")
    return table[name]


def statistics(rows):
    """`bn_stats` of each row: count, mean and squares of elements of even index, then of odd."""
    return np.stack([column for part in (rows[:, 0::2], rows[:, 1::2]) for column in (
        np.full(len(rows), part.shape[1]), part.mean(axis=1),
        part.var(axis=1) * part.shape[1])], axis=1)


def moments(rows):
    """`bn_aggr` of each row of such triples: mean and variance."""
    count, mean, squares = np.moveaxis(rows.reshape(len(rows), -1, 3), 2, 0)
    whole = (count * mean).sum(axis=1) / count.sum(axis=1)
    between = (count * (mean - whole[:, None]) ** 2).sum(axis=1)
    return np.stack([whole, (squares.sum(axis=1) + between) / count.sum(axis=1)], axis=1)


def largest8(rows):
    return -np.sort(-rows, axis=1)[:, :8]


def found8(rows, values):
    """Where each of eight values is first; equal ones take one element after the other."""
    found = np.empty((len(rows), 8), np.float32)
    for row, wanted, places in zip(rows, values, found):
        for number, value in enumerate(wanted):
            at = np.flatnonzero(row == value)
            before = int(np.sum(wanted[:number] == value))
            places[number] = at[before] if before < len(at) else 2.0 ** 32 - 1
    return found


def replaced8(rows, values, replacement):
    """The first element that equals each of the eight values of a row, from the last value on."""
    rows = rows.copy()
    for row, wanted in zip(rows, values):
        for value in wanted[::-1]:
            places = np.flatnonzero(row == value)
            if len(places):
                row[places[0]] = replacement
    return rows


def shuffled(rows, before, mask):
    """`nc_stream_shuffle`: partitions of each quadrant of 32 in the order of the mask; 255 leaves
    what was there."""
    result = before.copy()
    for at in range(len(result)):
        source = mask[at % 32]
        if source != 255:
            result[at] = rows[at // 32 * 32 + source]
    return result
