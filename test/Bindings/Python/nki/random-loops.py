"""Random Python around instructions, in loops: what a kernel leaves is what the same Python does to
arrays of NumPy. `random-loops.py COUNT SEED` makes any number.

RUN: %trn_python %s 60 1
"""

import random
import sys

import numpy as np
from trn_mlir import nki

# What the text of a kernel calls, for tiles and for arrays.
TILES = """import nki
import nki.isa as nisa
import nki.language as nl


def add(t, s, v): nisa.tensor_scalar(dst=t[:, s], data=t[:, s], op0=nl.add, operand0=float(v))
def fill(t, s, v): nisa.memset(dst=t[:, s], value=float(v))
def take(t, s, u, q): nisa.tensor_copy(dst=t[:, s], src=u[:, s if t is u else q])
def most(t, s, u, q):
    nisa.tensor_tensor(dst=t[:, s], data1=t[:, s], data2=u[:, s if t is u else q], op=nl.maximum)
def new(u):
    made = nl.ndarray((32, 64), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=made, src=u)
    return made
def load(x):
    made = nl.ndarray((32, 64), dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=made, src=x)
    return made
def store(out, number, t): nisa.dma_copy(dst=out[number], src=t)
def result(): return nl.ndarray((3, 32, 64), dtype=nl.float32, buffer=nl.shared_hbm)
steps = nl.sequential_range


@nki.jit
"""
ARRAYS = """import numpy as np


def add(t, s, v): t[:, s] += np.float32(v)
def fill(t, s, v): t[:, s] = v
def take(t, s, u, q): t[:, s] = u[:, s if t is u else q].copy()
def most(t, s, u, q): t[:, s] = np.maximum(t[:, s], u[:, s if t is u else q])
def new(u): return u.copy()
load = new
def store(out, number, t): out[number] = t
def result(): return np.zeros((3, 32, 64), np.float32)
steps = range


"""
HEAD = """def kernel(x):
    out, a = result(), load(x)
    b, c = new(a), new(a)
    n, m, some, named, i, j, k = 0, 1, [0, 0], {"k": 0}, 0, 0, 0

    def more(by=1):
        nonlocal n
        n += by
        return n
"""
TAIL = """    add(a, slice(0, 64), n + m)
    add(b, slice(0, 64), sum(some) + len(some) + named["k"])
    add(c, slice(0, 8), i)
    for number, tile in enumerate((a, b, c)):
        store(out, number, tile)
    return out
"""
RANGES = ("range(4)", "range(1, 4)", "range(3, -1, -1)", "range(0, 4, 2)", "steps(3)", "[0, 2, 1]")
COUNTS = ("n", "m", "some[1]", "named['k']", "len(some)")


class Text:
    """The body of a kernel."""

    def __init__(self, seed):
        self.random, self.loops, self.left = random.Random(seed), [], 14
        self.lines = []
        self.block(1)

    def one_of(self, *given):
        return self.random.choice(given)

    def columns(self):
        index = self.one_of("3", "5", *["n % 8", "some[0] % 8"] * (self.random.random() < 0.3),
                            *[form % loop for loop in self.loops for form in
                              ("%s", "%s + 2", "7 - %s", "%s // 2", "(%s + 5) %% 8", "min(%s, 2)")])
        if len(self.loops) > 1 and self.random.random() < 0.4:
            index = self.one_of("%s + %s", "abs(%s - %s)") % tuple(self.random.sample(self.loops, 2))
        return "slice((%s) * 8, (%s) * 8 + 8)" % (index, index)

    def number(self):
        return self.one_of("2", "0.5", *COUNTS, *self.loops, *[loop + " * 0.5" for loop in self.loops])

    def condition(self):
        one = self.one_of("n", *self.loops)
        return self.one_of("%s == 2", "%s % 2", "%s < 3", "not %s", "n > 2", "%s and n < 5",
                           "some[0] != 1", "named['k'] % 2 == 0").replace("%s", one)

    def statement(self):
        tile, other = self.random.choice("abc"), self.random.choice("abc")
        return self.one_of(
            "add(%s, %s, %s)" % (tile, self.columns(), self.number()),
            "fill(%s, %s, %s)" % (tile, self.columns(), self.number()),
            "take(%s, %s, %s, %s)" % (tile, self.columns(), other, self.columns()),
            "most(%s, %s, %s, %s)" % (tile, self.columns(), other, self.columns()),
            "a, b = b, a", "a, b, c = c, a, b", "%s = new(%s)" % (tile, other), "n += 2", "more()",
            "some[0] += 1", "some.append(%s)" % self.number(), "named['k'] += 1",
            "m = %s" % self.number(), "m = more(2) if %s else m" % self.condition())

    def block(self, depth):
        indent, before = "    " * depth, len(self.lines)
        for _ in range(self.random.randrange(1, 5)):
            self.left -= 1
            kind = self.random.random()
            if self.left < 0:
                break
            if kind < 0.3 and len(self.loops) < 3:
                loop = "ijk"[len(self.loops)]
                self.lines.append("%sfor %s in %s:" % (indent, loop, self.one_of(
                    *RANGES, *["range(%s, 4)" % one for one in self.loops])))
                self.loops.append(loop)
                self.block(depth + 1)
                if self.random.random() < 0.2:
                    self.lines.append("%s    if %s: %s" % (indent, self.condition(),
                                                           self.one_of("break", "continue")))
                    self.lines.append(indent + "    " + self.statement())
                self.loops.pop()
            elif kind < 0.42:
                self.lines.append("%sif %s:" % (indent, self.condition()))
                self.block(depth + 1)
            else:
                self.lines.append(indent + self.statement())
        if len(self.lines) == before:
            self.lines.append(indent + "pass")


def check(seed):
    body = HEAD + "\n".join(Text(seed).lines) + "\n" + TAIL
    x = np.random.default_rng(seed).integers(-8, 8, (32, 64)).astype(np.float32)
    arrays = {}
    exec(compile(ARRAYS + body, "arrays.py", "exec"), arrays)
    expected = arrays["kernel"](x)
    found = nki.load(nki.find_in_text(TILES + body), [x]).run(x)
    assert np.array_equal(found, expected), "seed %d:\n%s" % (seed, body)


count, first = map(int, sys.argv[1:])
for number in range(first, first + count):
    check(number)
