"""What Python carries from one iteration to the next is followed, wherever a kernel keeps it.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

TEXT = """import functools
import nki
import nki.isa as nisa
import nki.language as nl

N, TURNS = 0, {"a": 0}


class Counter:
    total = 0

    def __init__(self):
        self.count = 0

    def up(self):
        self.count += 1
        Counter.total += 1


SHARED = Counter()


def count(x, tile, i):
    global N
    nisa.dma_copy(dst=tile[:, i * 16:(i + 1) * 16], src=x[:, i * 16:(i + 1) * 16])
    N += 1


@nki.jit
def kernel(x):
    out = nl.ndarray((128, 65), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 65), dtype=x.dtype, buffer=nl.sbuf)
    BEFORE
    for i in range(4):
        count(x, tile, i)
        STEP
    nisa.memset(dst=tile[:, 64:65], value=float(AFTER))
    nisa.dma_copy(dst=out, src=tile)
    return out
"""
CLOSURE = """def make():
        n = 0

        def step():
            nonlocal n
            n += 1
            return n
        return step
    step = make()"""
# Before the loop, in it, and what counts its four iterations behind it.
FORMS = [("n = [0]", "n[0] += 1", "n[0]"),
         ("n = {'a': [0]}", "n['a'][0] += 1", "n['a'][0]"),
         ("n = Counter()", "n.up()", "n.count"),
         ("n = (0, 'a')", "n = (n[0] + 1, 'a')", "n[0]"),
         (CLOSURE, "step()", "step() - 1"),
         ("n = Counter(); up = functools.partial(Counter.up, n)", "up()", "n.count"),
         ("n = Counter()", "(lambda: n.up())()", "n.count"),
         ("", "SHARED.up()", "SHARED.count"), ("", "SHARED.up()", "Counter.total"),
         ("", "TURNS['a'] += 1", "TURNS['a']"), ("", "pass", "N"),
         ("import numpy as np; n = np.zeros(2)", "n[1] += 1", "n[1]"),
         ("import itertools; n = itertools.count(-1)", "next(n)", "next(n) + 1"),
         ("n = iter([1, 2, 3, 4, 5, 6])", "next(n)", "next(n) - 1"),
         ("n = (i for i in range(9))", "next(n)", "next(n)"),
         ("n = set()", "n.add(i)", "len(n)"),
         ("def n(): pass\n    n.count = 0", "n.count += 1", "n.count"),
         ("import enum; n = enum.Enum('E', 'a b'); m = n.a", "m = n.b if m is n.a else n.a",
          "4 * m.value")]

x = np.random.default_rng(6).standard_normal((128, 64), np.float32)
expected = np.concatenate([x, np.full((128, 1), 4, np.float32)], axis=1)
for before, step, after in FORMS:
    text = TEXT.replace("BEFORE", before).replace("STEP", step).replace("AFTER", after)
    found = nki.load(nki.find_in_text(text), [x]).run(x)
    assert np.array_equal(found, expected), (step, found[0, 64])

# Tiles that take turns, and a call for each iteration.
TURNS = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def kernel(x):
    out = nl.ndarray((128, 64), dtype=x.dtype, buffer=nl.shared_hbm)
    tiles = [nl.ndarray((128, 64), dtype=x.dtype, buffer=nl.sbuf) for _ in range(3)]
    for number, tile in enumerate(tiles):
        nisa.memset(dst=tile, value=float(number))
    a, b, rest = tiles

    def step(i):
        nonlocal a, b
        nisa.dma_copy(dst=rest[:, nl.ds(i * 16, 16)], src=x[:, nl.ds(i * 16, 16)])
        a, b = b, a
    LOOP
    nisa.dma_copy(dst=out, src=a)
    return out
"""
for loop in ("for i in range(3): step(i)", "nl.fori_loop(0, 3, step)"):
    found = nki.load(nki.find_in_text(TURNS.replace("LOOP", loop)), [x]).run(x)
    assert (found == 1).all(), (loop, found[0, 0])

# Ranges that go down are loops, too.
down = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def kernel(x):
    out = nl.ndarray((128, 64), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 64), dtype=x.dtype, buffer=nl.sbuf)
    for i in range(48, -1, -16):
        nisa.dma_copy(dst=tile[:, i:i + 16], src=x[:, 48 - i:64 - i])
        for j in nl.affine_range(i + 15, i + 11, -2):
            nisa.memset(dst=tile[:, j:j + 1], value=0.0)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""
found = nki.load(nki.find_in_text(down), [x])
assert found.traced.mlir.count("scf.for") == 2, found.traced.mlir
expected = x.reshape(128, 4, 16)[:, ::-1] * ~np.isin(np.arange(16), (13, 15))
assert np.array_equal(found.run(x), expected.reshape(128, 64))

# What is the same after each iteration is no reason to repeat the loop.
same = TEXT.replace("BEFORE", "n, parts = Counter(), [nl.ds(0, 16)] * 4; n.of = n") \
    .replace("STEP", "n.count = 4; parts[0] = nl.ds(0, 16)").replace("AFTER", "n.count") \
    .replace("    N += 1\n", "    N = 1\n")
assert "scf.for" in nki.load(nki.find_in_text(same), [x]).traced.mlir
