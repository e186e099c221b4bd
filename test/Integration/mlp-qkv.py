"""What trn-gen writes for an MLP and for queries, keys and values is what NumPy computes.

The compiler may round and sum as it likes within the tolerances of --verify.

RUN: %python %s %t
"""

import subprocess
import sys

import numpy as np

M, HIDDEN, INTERMEDIATE, RANK = 37, 96, 200, 24
HEADS, KV_HEADS, HEAD_DIM = 4, 2, 20
TOLERANCE = {"bf16": 1e-2, "f16": 2e-3, "f32": 1e-5}

random = np.random.default_rng(7)


def round_to(values, dtype):
    values = values.astype(np.float32)
    if dtype == "f16":
        return values.astype(np.float16).astype(np.float64)
    if dtype == "bf16":
        bits = values.view(np.uint32)
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
        values = bits.view(np.float32)
    return values.astype(np.float64)


def make_weight(rows, columns, rank, dtype):
    """The factors of the weight, or the weight alone."""
    shapes = [(rows, rank), (rank, columns)] if rank else [(rows, columns)]
    return [round_to(random.standard_normal(shape) / np.sqrt(shape[0]), dtype) for shape in shapes]


def project(x, weight, dtype):
    *inner, last = weight
    for factor in inner:
        x = round_to(x @ factor, dtype)
    return x @ last


def mlp(x, weights, dtype):
    gate, up, down = weights
    wide = project(x, gate, dtype)
    h = round_to(wide / (1 + np.exp(-wide)) * project(x, up, dtype), dtype)
    return [project(h, down, dtype)]


def qkv(x, weights, dtype):
    return [project(x, weight, dtype) for weight in weights]


def run(stem, kind, sizes, arrays, results, flags):
    source = subprocess.run(["trn-gen", kind, f"--m={M}", f"--hidden={HIDDEN}", *sizes, *flags],
                            check=True, capture_output=True).stdout
    command = ["trn-run", "-", "--compile=effort=1", "--verify"]
    for number, value in enumerate(arrays):
        np.save(f"{stem}.{number}.npy", value.astype(np.float32))
        command.append(f"--arg=@{stem}.{number}.npy")
    outputs = [f"{stem}.o{number}.npy" for number in range(results)]
    subprocess.run([*command, *(f"--out=@{path}" for path in outputs)], input=source, check=True,
                   capture_output=True)
    return [np.load(path).astype(np.float64) for path in outputs]


def check(kind, evaluate, sizes, shapes, dtype, rank, transposed=False):
    x = round_to(random.standard_normal((M, HIDDEN)), dtype)
    weights = [make_weight(*shape, rank, dtype) for shape in shapes]
    expected = evaluate(x, weights, dtype)
    flags = [f"--dtype={dtype}", f"--rank={rank}" if rank else "--dense"]
    flags += ["--transposed-input", "--transposed-output"] if transposed else []
    arrays = [x.T if transposed else x, *(factor for weight in weights for factor in weight)]
    actual = run(sys.argv[1], kind, sizes, arrays, len(expected), flags)
    for number, (value, wanted) in enumerate(zip(actual, expected)):
        wanted = wanted.T if transposed else wanted
        error = np.linalg.norm(value - wanted) / np.linalg.norm(wanted)
        what = f"{kind} {' '.join(flags)}, result {number}"
        print(f"{what}: relative error {error:.2e}")
        if value.shape != wanted.shape or not error <= TOLERANCE[dtype]:
            sys.exit(f"{what}: at most {TOLERANCE[dtype]:.0e} is allowed")


MLP = (mlp, [f"--intermediate={INTERMEDIATE}"],
       [(HIDDEN, INTERMEDIATE), (HIDDEN, INTERMEDIATE), (INTERMEDIATE, HIDDEN)])
QKV = (qkv, [f"--heads={HEADS}", f"--kv-heads={KV_HEADS}", f"--head-dim={HEAD_DIM}"],
       [(HIDDEN, heads * HEAD_DIM) for heads in (HEADS, KV_HEADS, KV_HEADS)])
for name, what in ("mlp", MLP), ("qkv", QKV):
    for rank in (0, RANK):
        check(name, *what, "f32", rank)
        check(name, *what, "f32", rank, transposed=True)
        check(name, *what, "bf16", rank)
    check(name, *what, "f16", RANK, transposed=True)
