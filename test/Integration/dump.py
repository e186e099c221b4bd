"""What `trn-run --dump` writes is what NumPy computes of the same inputs.

RUN: rm -rf %t.tmp && %python %s %t.tmp
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

M, K, R, N = 384, 384, 128, 1024
scratch = pathlib.Path(sys.argv[1])
scratch.mkdir()


def bf16(values):
    """Rounded to the nearest bf16, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32)


def run(source, *flags):
    subprocess.run(["trn-run", source, *flags], cwd=scratch, check=True, stdout=subprocess.DEVNULL)


def load(name):
    values = np.load(scratch / name)
    assert values.dtype == np.float32, (name, values.dtype)
    return values


def check(name, expected, tolerance=0.0):
    actual = load(name)
    assert actual.shape == expected.shape, (name, actual.shape, expected.shape)
    worst = np.abs(actual - expected).max()
    assert worst <= tolerance, (name, worst)


random = np.random.default_rng(5)
X, U, V = (random.uniform(-1, 1, shape).astype(np.float32) for shape in ((M, K), (K, R), (R, N)))
for name, values in ("u", U), ("v", V):
    np.save(scratch / f"{name}.npy", values)
X, U, V = map(bf16, (X, U, V))

# Three strips of X, each of three tiles of K, through buffers of two slots; two blocks of O each.
PLAN = """nests = [yt (m = 128, r = 128, k = 384), o (m = 128, n = 512, r = 128)],
homes = [u at kernel, x at m slots 2, yt at m sums at r in psum, v at kernel,
         o at n slots 2 sums at n in psum]"""
np.save(scratch / "xt.npy", X.T)
subprocess.run(["trn-gen", "xuv", f"--m={M}", f"--k={K}", f"--r={R}", f"--n={N}",
                "--transposed-input", "-o", "chain.mlir"], cwd=scratch, check=True)
subprocess.run(["trn-opt", "chain.mlir", "--trn-outline-kernels", "--trn-plan-kernels=block-m=128",
                "-o", "planned.mlir"], cwd=scratch, check=True)
planned = (scratch / "planned.mlir").read_text(encoding="utf-8")
planned, count = re.subn(r"nests = .*\]>", PLAN + ">", planned)
assert count == 1
(scratch / "planned.mlir").write_text(planned, encoding="utf-8")

for threads in "1", "4":
    run("planned.mlir", "--compile", "--arg=@xt.npy", "--arg=@u.npy", "--arg=@v.npy",
        f"--threads={threads}", "--dump=x.hbm", "--dump=u=u_tile.npy", "--dump=main_kernel:yt",
        "--dump=main_kernel#0:yt@0=first.npy", "--dump=o@1", "--dump=o@1,0", "--dump=o.hbm@1",
        "--dump=o.hbm@1,0", "--dump=o.hbm", "--out=@o.npy", *(f"--dump=x@{m}" for m in range(3)),
        *(f"--dump=yt.psum@{m},{k}" for m in range(3) for k in range(3)))
    O = load("o.npy")
    check("x.hbm.npy", X.T)
    # Tiles of rows that lie beside each other on the partitions are below each other again.
    check("u_tile.npy", U)
    for m in range(3):
        rows = slice(128 * m, 128 * m + 128)
        check(f"x@{m}.npy", X.T[:, rows])
        for k in range(3):
            some = slice(0, 128 * k + 128)
            # Up to 384 products, which each library adds up in an order of its own.
            expected = (X[rows, some].astype(np.float64) @ U[some]).T.astype(np.float32)
            check(f"yt.psum@{m},{k}.npy", expected, np.abs(expected).max() * 2 ** -20)
    # Rounded where it leaves PSUM: where NumPy adds in another order, to a neighbour at most.
    for name, m in ("first.npy", 0), ("main_kernel:yt.npy", 2):
        expected = (X[128 * m:128 * m + 128] @ U).T
        check(name, bf16(expected), np.abs(expected).max() * 2 ** -8)
        assert (load(name) == bf16(load(name))).all() and (load(name) == bf16(expected)).mean() > 0.99
    # A block, and the whole result as far as it was written then: the rest is NaN.
    check("o@1,0.npy", O[128:256, :512])
    check("o@1.npy", O[128:256, 512:])
    check("o.hbm.npy", O)
    for name, rows, last in ("o.hbm@1,0.npy", 128, 512), ("o.hbm@1.npy", 256, 0):
        written = load(name)
        expected = np.full_like(O, np.nan)
        expected[:rows] = O[:rows]
        expected[rows:rows + 128, :last] = O[rows:rows + 128, :last]
        assert np.array_equal(written, expected, equal_nan=True), name

# Rows of the last tile that the matrix does not have are not a number.
subprocess.run(["trn-gen", "xw", "--m=64", "--k=200", "--n=96", "-o", "ragged.mlir"],
               cwd=scratch, check=True)
run("ragged.mlir", "--compile=effort=1 block-k=200", "--dump=w=tiles.npy", "--dump=w.hbm=whole.npy")
tiles, whole = load("tiles.npy"), load("whole.npy")
assert tiles.shape == (256, 96) and whole.shape == (200, 96)
assert (tiles[:200] == whole).all() and np.isnan(tiles[200:]).all()

# Calls of a kernel are counted: this one is called twice.
(scratch / "calls.mlir").write_text("""
func.func @main(%x: tensor<128x128xbf16>, %w: tensor<128x128xbf16>, %v: tensor<128x128xbf16>)
    -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<128x128xbf16>, tensor<128x128xbf16>)
                     outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  %s = math.sin %0 : tensor<128x128xf32>
  %n = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xbf16>
  %1 = linalg.matmul ins(%n, %v : tensor<128x128xbf16>, tensor<128x128xbf16>)
                     outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0, %1 : tensor<128x128xf32>, tensor<128x128xf32>
}
""", encoding="utf-8")
run("calls.mlir", "--compile=effort=1", "--out=@0.npy", "--out=@1.npy",
    "--dump=main_kernel#0:o.hbm=a.npy", "--dump=main_kernel#1:o.hbm=b.npy")
check("a.npy", load("0.npy"))
check("b.npy", load("1.npy"))
