"""What trn-gen writes for norms, attention and decoder layers is what NumPy computes, rounding where they round.

RUN: %trn_python %s %S/Inputs/rows
"""

import subprocess
import sys

import numpy as np
import trn_mlir as trn

sys.path.insert(0, sys.argv[1])
from oracles import bf16, f16, f32, layer, rms, rope, softmax  # noqa: E402

ROUND = {"bf16": bf16, "f16": f16, "f32": f32}
# Of the largest value.
KERNEL = {"bf16": 5e-3, "f16": 2e-3, "f32": 1e-5}
LAYER = {"bf16": 1e-2, "f16": 4e-3, "f32": 1e-5}
HIDDEN, HEADS, KV_HEADS, HEAD_DIM, INTERMEDIATE = 96, 4, 2, 16, 136

random = np.random.default_rng(30)


def run(flags, dtype, arrays, expected, tolerance):
    name = "_".join(flag.lstrip("-") for flag in [*flags, dtype])
    source = subprocess.run(["trn-gen", *flags, f"--dtype={dtype}"], check=True, capture_output=True).stdout
    results = trn.compile(source, effort=1).run(*arrays)
    for index, (result, want) in enumerate(zip(results if isinstance(results, tuple) else [results], expected, strict=True)):
        actual = np.asarray(result, np.float32)
        assert actual.shape == want.shape, (name, actual.shape, want.shape)
        error = abs(actual - want).max() / abs(want).max()
        print(f"{name}, result {index}: {error:.2e} of the largest")
        if not error <= tolerance[dtype]:
            sys.exit(f"at most {tolerance[dtype]:.0e} is allowed")


def normal(dtype, *shape, scale=1.0):
    return ROUND[dtype](random.standard_normal(shape) * scale)


def weight(dtype, rows, columns):
    return normal(dtype, rows, columns, scale=rows**-0.5)


def norm(dtype, kind, columns=None, m=37):
    rounded = ROUND[dtype]
    x, gain, bias = normal(dtype, m, HIDDEN), normal(dtype, HIDDEN), normal(dtype, HIDDEN)
    arrays = [x, gain] + [bias] * (kind == "layer")
    want = rms(x, gain, rounded) if kind == "rms" else layer(x, gain, bias, rounded=rounded)
    flags = ["norm", f"--m={m}", f"--hidden={HIDDEN}", f"--kind={kind}"]
    if columns:
        arrays.append(weight(dtype, HIDDEN, columns))
        want = rounded(want @ arrays[-1])
        flags.append(f"--n={columns}")
    run(flags, dtype, arrays, [want], KERNEL)


def attend(q, k, v, rounded, causal, window=None):
    k, v = (np.repeat(x, q.shape[0] // x.shape[0], 0) for x in (k, v))
    scores = q @ k.transpose(0, 2, 1) * np.float32(q.shape[-1] ** -0.5)
    rows, keys = scores.shape[1:]
    before = np.arange(rows)[:, None] + keys - rows - np.arange(keys)
    if causal:
        scores = np.where((before >= 0) & (before < (window or keys)), scores, -np.inf)
    return rounded(softmax(scores, rounded) @ v)


def attention(dtype, m, context, causal=False, window=None, kv_heads=KV_HEADS):
    q = normal(dtype, HEADS, m, HEAD_DIM)
    k, v = normal(dtype, kv_heads, context, HEAD_DIM), normal(dtype, kv_heads, context, HEAD_DIM)
    flags = ["attention", f"--m={m}", f"--context={context}", f"--heads={HEADS}", f"--kv-heads={kv_heads}",
             f"--head-dim={HEAD_DIM}", *["--causal"] * causal, *[f"--window={window}"] * (window is not None)]
    run(flags, dtype, [q, k, v], [attend(q, k, v, ROUND[dtype], causal, window)], KERNEL)


def decoder(dtype, m, context, qk_norm=False, rank=None):
    rounded = ROUND[dtype]
    queries, shared = HEADS * HEAD_DIM, KV_HEADS * HEAD_DIM

    def project(x, factors):
        for factor in factors[:-1]:
            x = rounded(x @ factor)
        return x @ factors[-1]

    def factors(rows, columns):
        return [weight(dtype, rows, rank), weight(dtype, rank, columns)] if rank else [weight(dtype, rows, columns)]

    x = normal(dtype, m, HIDDEN)
    angles = random.standard_normal((m, HEAD_DIM // 2)) * 9
    cos, sin = (rounded(np.concatenate([f(angles)] * 2, -1)) for f in (np.cos, np.sin))
    cache = [normal(dtype, KV_HEADS, context - m, HEAD_DIM) for _ in "kv"] if context > m else []
    gains = [normal(dtype, size) for size in (HIDDEN, HIDDEN, *[HEAD_DIM] * 2 * qk_norm)]
    wq, wk, wv = (factors(HIDDEN, columns) for columns in (queries, shared, shared))
    wo, gate, up, down = (factors(*shape) for shape in (
        (queries, HIDDEN), (HIDDEN, INTERMEDIATE), (HIDDEN, INTERMEDIATE), (INTERMEDIATE, HIDDEN)))

    normed = rms(x, gains[0], rounded)
    q, k, v = (rounded(project(normed, w)).reshape(m, -1, HEAD_DIM) for w in (wq, wk, wv))
    if qk_norm:
        q, k = rms(q, gains[2], rounded), rms(k, gains[3], rounded)
    q, k = (rope(each.transpose(1, 0, 2), cos, sin, rounded) for each in (q, k))
    v = v.transpose(1, 0, 2)
    keys, values = (np.concatenate([*before, new], 1) for before, new in zip(
        ([each] for each in cache) if cache else ([], []), (k, v)))
    attended = attend(q, keys, values, rounded, causal=True).transpose(1, 0, 2).reshape(m, queries)
    between = rounded(x + rounded(project(attended, wo)))
    normed = rms(between, gains[1], rounded)
    wide = project(normed, gate)
    h = rounded(wide / (1 + np.exp(-wide)) * project(normed, up))
    want = rounded(between + rounded(project(h, down)))

    flags = ["layer", f"--m={m}", f"--context={context}", f"--hidden={HIDDEN}", f"--heads={HEADS}",
             f"--kv-heads={KV_HEADS}", f"--head-dim={HEAD_DIM}", f"--intermediate={INTERMEDIATE}",
             *["--qk-norm"] * qk_norm, *[f"--rank={rank}"] * (rank is not None)]
    arrays = [x, cos, sin, *cache, gains[0], *wq, *wk, *wv, *gains[2:], *wo, gains[1], *gate, *up, *down]
    run(flags, dtype, arrays, [want, k, v] if cache else [want], LAYER)


for kind in "rms", "layer":
    for dtype in ROUND:
        norm(dtype, kind)
    norm("bf16", kind, columns=72)
    norm("f32", kind, columns=72, m=1)
for dtype in "bf16", "f32":
    attention(dtype, 37, 37)
    attention(dtype, 37, 61, causal=True, window=9)
    decoder(dtype, 37, 37, qk_norm=dtype == "f32")
    decoder(dtype, 5, 21, qk_norm=dtype == "bf16")
attention("bf16", 37, 61, causal=True)
attention("bf16", 1, 130, kv_heads=HEADS)
decoder("bf16", 1, 61)
decoder("f16", 37, 37, rank=24)
