"""What instructions compute, as intervals: a point where docs/Interpreter.md leaves no freedom.

Freedom is the order of the sum inside of one tile of a matmul, and the last bits of
transcendental functions. Everything after them is exact in both ends of the interval.
"""

import math

import numpy as np

ANY = np.float32(np.inf)
EPS = 2.0 ** -24
np.seterr(all="ignore")  # infinities and NaN are values like others here
_erf = np.frompyfunc(math.erf, 1, 1)


def round_to(values, dtype):
    """To nearest, ties to even, as f32."""
    values = np.asarray(values, dtype=np.float32)
    if dtype in ("f32", "i32", "ui32"):  # integers that are none are no values
        return values
    if dtype == "f16":
        return values.astype(np.float16).astype(np.float32)
    bits = np.ascontiguousarray(values).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000)
    rounded = rounded.astype(np.uint32).view(np.float32).reshape(values.shape)
    return np.where(np.isnan(values), values, rounded)


class Values:
    """`lo` and `hi` are f32; they are one array where the values are certain."""

    def __init__(self, lo, hi=None):
        self.lo = lo
        self.hi = lo if hi is None or np.array_equal(lo, hi, equal_nan=True) else hi

    @property
    def certain(self):
        return self.hi is self.lo

    def round_to(self, dtype):
        if self.certain:
            return Values(round_to(self.lo, dtype))
        return Values(round_to(self.lo, dtype), round_to(self.hi, dtype))

    def map(self, function):
        """A function that only moves or repeats elements."""
        return Values(function(self.lo)) if self.certain \
            else Values(function(self.lo), function(self.hi))

    def accepts(self, actual):
        """Which elements another computation may have left."""
        same = (actual == self.lo) | (np.isnan(actual) & np.isnan(self.lo))
        if self.certain:
            return same
        anything = (self.lo == -ANY) & (self.hi == ANY)
        return same | anything | ((actual >= self.lo) & (actual <= self.hi))


def hull(*corners):
    """The interval around some f64 or f32 candidates; a NaN among them may be anything."""
    lo, hi = corners[0], corners[0]
    for corner in corners[1:]:
        lo, hi = np.minimum(lo, corner), np.maximum(hi, corner)
    unclear = np.isnan(lo) | np.isnan(hi)
    return Values(np.where(unclear, -ANY, lo).astype(np.float32),
                  np.where(unclear, ANY, hi).astype(np.float32))


BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
          "max": np.maximum, "min": np.minimum}


# Whatever the values are, 1 or 0.
LOGIC = {"eq": np.equal, "ne": np.not_equal, "gt": np.greater, "ge": np.greater_equal,
         "lt": np.less, "le": np.less_equal, "and": np.logical_and, "or": np.logical_or,
         "xor": np.logical_xor}


def _unclear(v):
    """Where a value may be anything, NaN too."""
    return (v.lo == -ANY) & (v.hi == ANY)


def logic(name, a, b):
    if a.certain and b.certain:
        return Values(LOGIC[name](a.lo, b.lo).astype(np.float32))
    shape = np.broadcast(a.lo, b.lo).shape
    return Values(np.zeros(shape, np.float32), np.ones(shape, np.float32))


def binary(name, a, b):
    if name in LOGIC:
        return logic(name, a, b)
    function = BINARY[name]
    if a.certain and b.certain:
        return Values(function(a.lo, b.lo))
    corners = [function(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    if name == "div":
        crossing = np.broadcast_to((b.lo <= 0) & (b.hi >= 0), corners[0].shape)
        corners.append(np.where(crossing, np.float32(np.nan), corners[0]))
    corners.append(np.where(_unclear(a) | _unclear(b), np.float32(np.nan), corners[0]))
    return hull(*corners)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _error(x):
    return np.asarray(_erf(x), dtype=np.float64)


def _gelu_by_tanh(x):
    return x * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


# name: the function in f64, slack relative to the result, slack relative to the
# argument, where it turns
UNARY = {
    "copy": (lambda x: x, 0, 0, None),
    "relu": (lambda x: np.maximum(x, 0), 0, 0, None),
    "abs": (np.abs, 0, 0, 0.0),
    "square": (lambda x: x * x, 0, 0, 0.0),
    "sqrt": (np.sqrt, 0, 0, None),
    "reciprocal": (lambda x: 1 / x, 0, 0, None),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 4e-7, 0, None),
    "exp": (np.exp, 2e-6, 0, None),
    "log": (np.log, 1e-6, 1e-7, None),
    "tanh": (np.tanh, 2e-6, 0, None),
    "erf": (_error, 2e-6, 1e-7, None),
    "sigmoid": (_sigmoid, 2e-6, 0, None),
    "silu": (lambda x: x * _sigmoid(x), 2e-6, 3e-7, -1.2784645),
    "gelu": (lambda x: x * 0.5 * (1 + _error(x / math.sqrt(2))), 2e-6, 3e-7, -0.7517915),
    "gelu_apprx_tanh": (_gelu_by_tanh, 2e-6, 3e-7, -0.7524614),
    "softplus": (lambda x: np.logaddexp(x, 0), 2e-6, 0, None),
    "mish": (lambda x: x * np.tanh(np.logaddexp(x, 0)), 2e-6, 3e-7, -1.1924386),
}


def unary(name, a):
    function, relative, absolute, turn = UNARY[name]
    if a.certain and not relative:
        return Values(function(a.lo.astype(np.float64)).astype(np.float32))
    ends = [a.lo.astype(np.float64)] if a.certain \
        else [a.lo.astype(np.float64), a.hi.astype(np.float64)]
    corners = [function(end) for end in ends]
    if len(ends) == 2 and turn is not None:
        corners.append(np.where((ends[0] < turn) & (ends[1] > turn), function(np.float64(turn)),
                                corners[0]))
    if len(ends) == 2:
        corners.append(np.where(_unclear(a), np.nan, corners[0]))
    if len(ends) == 2 and name == "reciprocal":
        corners.append(np.where((ends[0] <= 0) & (ends[1] >= 0), np.nan, corners[0]))
    if relative:
        # Not inf - inf: an infinite result has no slack, but may be the largest number.
        size = np.maximum.reduce([np.minimum(np.abs(e), 1e30) for e in ends])
        slack = [np.minimum(np.abs(c), 1e38) * relative + size * absolute + 1e-37
                 for c in corners]
        corners = [c + s * sign for c, s in zip(corners, slack) for sign in (-1, 1)]
        if a.certain:
            # NaN in, NaN out.
            result = hull(*corners)
            nan = np.isnan(ends[0]) | np.isnan(function(ends[0]))
            return Values(np.where(nan, np.float32(np.nan), result.lo),
                          np.where(nan, np.float32(np.nan), result.hi))
    return hull(*corners)


def product(stationary, moving):
    """stationary^T moving of one tile, exact or with the slack of any order of the sum."""
    def centre(v):
        lo, hi = v.lo.astype(np.float64), v.hi.astype(np.float64)
        return ((lo + hi) / 2, (hi - lo) / 2) if not v.certain else (lo, None)

    (a, ar), (b, br) = centre(stationary), centre(moving)
    exact = a.T @ b
    terms = np.abs(a).T @ np.abs(b)
    slack = terms * ((a.shape[0] + 2) * EPS)
    if ar is None and br is None:
        whole = np.all(a == np.rint(a)) and np.all(b == np.rint(b)) and np.all(terms < 2 ** 24)
        if whole:
            return exact, None
        tiny = [np.where(np.abs(v) < 2.0 ** -126, np.abs(v), 0) for v in (a, b)]
        if tiny[0].any() or tiny[1].any():
            slack = slack + tiny[0].T @ np.abs(b) + np.abs(a).T @ tiny[1]
    else:
        ar = np.zeros_like(a) if ar is None else ar
        br = np.zeros_like(b) if br is None else br
        more = np.abs(a).T @ br + ar.T @ np.abs(b) + ar.T @ br
        slack = slack + more * (1 + a.shape[0] * EPS)
    slack = slack + 1e-37
    # f32 may overflow in the middle of a sum, or not, depending on the order.
    return exact, np.where(terms > 1e38, np.nan, slack)


def accumulate(before, exact, slack):
    """`before` is None for a matmul that overwrites."""
    if slack is None and before is None:
        return Values(exact.astype(np.float32))
    if slack is None and before.certain and np.all(np.abs(before.lo) < 2 ** 23) \
            and np.all(before.lo == np.rint(before.lo)) and np.all(np.abs(exact) < 2 ** 23):
        return Values((before.lo + exact).astype(np.float32))
    slack = np.zeros_like(exact) if slack is None else slack
    lo, hi = exact - slack, exact + slack
    if before is not None:
        lo, hi = before.lo + lo, before.hi + hi
        room = (np.abs(lo) + np.abs(hi)) * 2 * EPS
        lo, hi = lo - room, hi + room
    return hull(lo, hi)


def join(*columns):
    """Side by side."""
    lo = np.concatenate([v.lo for v in columns], axis=1)
    if all(v.certain for v in columns):
        return Values(lo)
    return Values(lo, np.concatenate([v.hi for v in columns], axis=1))


def fold(name, values):
    """The elements of each row, one after the other from the first."""
    function = BINARY[name]
    if name == "mul" and not values.certain:  # its ends need not come from ends
        ends = np.full((len(values.lo), 1), ANY)
        return Values(-ends, ends)
    with np.errstate(all="ignore"):
        ends = [function.accumulate(end, axis=1, dtype=np.float32)[:, -1:]
                for end in ((values.lo,) if values.certain else (values.lo, values.hi))]
    if len(ends) == 1:
        return Values(ends[0])
    unclear = _unclear(values).any(axis=1, keepdims=True)
    return hull(*(np.where(unclear, np.float32(np.nan), end) for end in ends))
