"""Rows that a tile chooses, and integers: values against NumPy, in all versions.

RUN: %trn_python %s %S/Inputs/rows.py %S/Inputs/rows_beta1.py
"""

import sys

import numpy as np
from trn_mlir import nki

rng = np.random.default_rng(7)
current, beta = sys.argv[1:]


def run(path, name, *inputs, **options):
    kernel = nki.load(f"{path}:{name}", inputs, **options)
    return kernel, kernel.run(*inputs)


def floats(*shape):
    return rng.standard_normal(shape, np.float32)


def same(found, wanted):
    np.testing.assert_array_equal(np.asarray(found), wanted)
    assert np.asarray(found).dtype == wanted.dtype, (found.dtype, wanted.dtype)


table = floats(1000, 96)
for dtype in (np.int32, np.uint32):
    tokens = rng.integers(0, 1000, (512, 1)).astype(dtype)
    kernel, found = run(current, "embed", table, tokens)
    same(found, table[tokens[:, 0]])
    assert "scf.for" in kernel.mlir and "trn.dma_gather" in kernel.mlir
    # 512 rows, of whatever table.
    moved = 512 * 96 * 4 + 512 * 4
    assert kernel.report["hbm_read_bytes"] == moved, kernel.report
    # The table is larger, but nobody needs all of it: 1000 * 96 * 4 bytes.
    lower = min(1000 * 96 * 4, 512 * 96 * 4) + 512 * 4 + 512 * 96 * 4
    assert kernel.report["hbm_lower_bound_bytes"] == lower, kernel.report

indices = rng.permutation(1000)[:64].astype(np.int32)
same(run(current, "selected", table, indices)[1], table[indices])
same(run(current, "selected", table.astype(np.float16), indices)[1],
     table.astype(np.float16)[indices].astype(np.float32))
pairs = np.stack([np.full(64, 10 ** 9), indices], axis=1).astype(np.int32)
same(run(current, "columns", table, pairs)[1], table[indices, 48:])

columns = rng.integers(0, 96, 20).astype(np.int32)
same(run(current, "picked", table[:20], columns)[1], table[np.arange(20), columns][:, None])

weights, x = rng.integers(-4, 5, (5, 64, 32)).astype(np.float32), rng.integers(
    -4, 5, (64, 16)).astype(np.float32)
product, chosen = run(current, "expert", weights, np.array([3], np.uint32), x)[1]
same(product, weights[3].T @ x)
same(chosen, weights * (np.arange(5) == 3)[:, None, None].astype(np.float32))

# What is not there: as a number without a sign, and with one.
missing = indices.copy()
missing[[3, 17]] = -1, 1000
kept = np.where((missing >= 0) & (missing < 1000), 1, 0)[:, None].astype(np.float32)
same(run(current, "present", table, missing)[1], table[missing % 1000] * kept)
same(run(current, "present", table, missing.astype(np.uint32))[1], table[missing % 1000] * kept)

x, order = floats(128, 40), rng.permutation(128).astype(np.int32)
wanted = np.empty_like(x)
wanted[order] = x
same(run(current, "permuted", x, order)[1], wanted)

cache, new = floats(4, 64, 32), floats(4, 32)
places = np.array([5, 63, 0xFFFF00, 0], np.uint32)
wanted = cache.copy()
wanted[[0, 1, 3], [5, 63, 0]] = new[[0, 1, 3]]
same(run(current, "cached", cache, new, places)[1], wanted)
cache, new, places = floats(32, 100), floats(4, 32), np.array([7, 0, 99, 50], np.int32)
wanted = cache.copy()
wanted[:, places] = new.T
same(run(current, "transposed_cache", cache, new, places)[1], wanted)

scores, table = floats(128, 50), floats(50, 16)
rows, found = run(current, "best", scores, table)[1]
same(rows, table[scores.argmax(axis=1)])
same(found, np.argsort(-scores, axis=1)[:, :8].astype(np.uint32))

for dtype in (np.int32, np.uint32):
    x = rng.integers(1, 1000, (128, 8)).astype(dtype)
    whole, halves = run(current, "counted", x)[1]
    same(whole, x * 3 - 1)
    same(halves, (x * 3 - 1).astype(np.float32) / 2)

# Beta 1.
for machine in ("trn1", "trn2"):
    table = floats(128, 512)
    indices = rng.permutation(128)[:64].astype(np.int32)
    same(run(beta, "loaded", table, indices, machine=machine)[1], table[indices])
    same(run(beta, "counted", table, machine=machine)[1], table[::2, 256:])
    x, order = floats(64, 512), rng.permutation(64).astype(np.int32)
    wanted = np.empty_like(x)
    wanted[order] = x
    same(run(beta, "stored", x, order, machine=machine)[1], wanted)
    indices[5] = 128
    wanted = table[indices % 128]
    wanted[5] = 0
    same(run(beta, "skipped", table, indices, machine=machine)[1], wanted)
    # Iterations that overlap see the same rows.
    same(run(beta, "skipped", table, indices, machine=machine, pipeline=True)[1], wanted)
