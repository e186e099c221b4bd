"""Kernels compute what their Python says: loops, lists, masks, indices, sums, grids, results.

RUN: %trn_python %s %S/Inputs/reading.py %S/Inputs/reading_isa.py
"""

import json
import subprocess
import sys

import numpy as np
import trn_mlir as trn
from trn_mlir import nki
from trn_mlir.nki._pipeline import BANK_BYTES, BANKS, SBUF_BYTES

BETA, ISA = sys.argv[1:]
rng = np.random.default_rng(0)
X = rng.standard_normal((128, 64), np.float32)
W = rng.standard_normal((128, 96), np.float32)


def blocks(function, size=32):
    return np.concatenate([function(i, X[at:at + size])
                           for i, at in enumerate(range(0, len(X), size))])


def check(wanted, name, *inputs, path=BETA, loops=None, **options):
    """Values, and how many loops are left of those of the kernel."""
    kernel = nki.load(f"{path}:{name}", list(inputs), **options)
    arrays = [value for value in inputs if isinstance(value, np.ndarray)]
    found = kernel.run(*arrays)
    found, wanted = (one if isinstance(one, tuple) else (one,) for one in (found, wanted))
    assert len(found) == len(wanted), name
    for one, right in zip(found, wanted):
        assert one.shape == right.shape, (name, one.shape, right.shape)
        difference = np.abs(one - right).max() / np.abs(right).max()
        assert difference < 1e-5, f"{name}: {difference}"
    if loops is not None:
        assert kernel.traced.mlir.count("scf.for") == loops, kernel.traced.mlir
    return kernel


def loops():
    check(np.exp(X), "steady", X, loops=1)
    check(X ** 2, "peeled", X, loops=1)
    check(blocks(lambda i, x: -x if i % 2 else x), "unrolled_by_if", X, loops=0)
    check(blocks(lambda i, x: X[(3 - i) * 32:(4 - i) * 32]), "list_in_a_loop", X, loops=0)
    sizes = np.repeat([8, 16, 32, 64, 1], [8, 16, 32, 64, 8])[:, None]
    check(X * sizes, "counter_that_changes", X, loops=0)
    check(blocks(lambda i, x: x + i), "early_break", X)
    check(X * 3, "comprehension", X)
    check(np.concatenate([np.where(np.arange(64) < 16 * (i + 1), X[i * 32:(i + 1) * 32], 0)
                          for i in range(4)]), "nested", X)
    check(np.concatenate([X[:64], X[64:] + 1]), "caught_unroll", X)


def tiles():
    check(X.reshape(128, 32, 2), "index_grids", X)
    check(X[:, 1::2], "strided_slices", X)
    check(blocks(lambda i, x: x + X[:32]), "block_dims", X)
    check(np.hstack([X[:, :32] - X[:, 32:], X[:, 32:]]), "symbols_in_slices", X, W, path=ISA,
          loops=1)


def sums():
    for name in ("sums_of_products", "sums_for_each_row"):
        check(X.T @ W, name, X, W)
    for name in ("accumulate_said", "accumulate_left_open"):
        check(X.T @ W, name, X, W, path=ISA)
    check(X[96:].T @ W[96:], "accumulate_both", X, W, path=ISA)


def calls():
    check((np.exp(X), X.max(axis=1, keepdims=True)), "several_results", X)
    check(X * 2, "grid_of_programs", X, grid=(4,))
    kernel = check(X - 1, "written_argument", X, np.zeros_like(X))
    assert kernel.run(X).shape == X.shape  # what it only writes need not be given
    check(X * 6, "other_arguments", X, 3.0)
    check(X * -9, "other_arguments", X, 3.0, ["a", "b", "c"], {"negate": True})
    check(X + np.arange(64), "constants", X)


def overlap():
    """Iterations that overlap compute the same, in less time; their slots are those that fit."""
    x = rng.standard_normal((128, 256), np.float32)
    wanted = np.stack([x[:, at:at + 64] @ W[:64] for at in range(0, 256, 64)], axis=2)
    written = check(wanted, "turned_products", x, W)
    overlapped = check(wanted, "turned_products", x, W, pipeline=True)
    assert overlapped.time() < written.time(), (overlapped.time(), written.time())
    check(wanted, "turned_in_chunks", x, W, pipeline=True)
    for machine, size in SBUF_BYTES.items():
        known = json.loads(subprocess.run(["trn-run", "--print-machine", "--machine=" + machine],
                                          capture_output=True, check=True).stdout)
        constants = [known[name]["value"] for name in
                     ("sbuf_partition_bytes", "psum_bank_bytes", "psum_banks")]
        assert constants == [size, BANK_BYTES, BANKS], machine


def names():
    """Tiles are called as the kernel calls them."""
    kernel = nki.load(f"{BETA}:several_results", x=trn.f32(128, 64))
    assert "%t = trn.alloc" in kernel.mlir and "%second:" in kernel.mlir, kernel.mlir
    kernel = nki.load(f"{ISA}:accumulate_said", x=trn.f32(128, 64), w=trn.f32(128, 96))
    assert "%sums = trn.alloc" in kernel.mlir and "%back = trn.alloc" in kernel.mlir, kernel.mlir
    assert all(f'"{name}"' in kernel.html() for name in ("sums", "back", "x", "out"))
    kernel = nki.load(f"{ISA}:said_name", x=trn.f32(128, 64))
    assert "%left.half = trn.alloc" in kernel.mlir and '"left.half"' in kernel.html(), kernel.mlir


loops()
tiles()
sums()
calls()
overlap()
names()
