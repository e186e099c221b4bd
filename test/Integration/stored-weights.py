"""Weights of 8 bits with scales: what trn-gen writes is what NumPy computes, and so are the ways of frontends.

RUN: %python %s %t
"""

import subprocess
import sys

import numpy as np

M, HIDDEN, INTERMEDIATE, RANK = 37, 96, 200, 24
TOLERANCE = {"bf16": 5e-3, "f16": 2e-3, "f32": 1e-5}  # of the largest value

random = np.random.default_rng(11)


def round_to(values, dtype):
    values = values.astype(np.float32)
    if dtype == "f16":
        return values.astype(np.float16).astype(np.float64)
    if dtype == "bf16":
        bits = values.view(np.uint32)
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
        values = bits.view(np.float32)
    return values.astype(np.float64)


def floats_of_eight_bits():
    """All finite numbers of e4m3 up to 240, by their definition."""
    bits = np.arange(0x78)
    exponent, fraction = bits >> 3, bits & 7
    values = np.where(exponent == 0, fraction * 2.0 ** -9, (8 + fraction) * 2.0 ** (exponent - 10.0))
    return np.concatenate([values, -values])


FLOATS = floats_of_eight_bits()


class Weight:
    """What a checkpoint stores: numbers of 8 bits, and a scale for each column."""

    def __init__(self, rows, columns, kind):
        self.stored = (random.integers(-127, 128, (rows, columns)).astype(np.int8) if kind == "int8"
                       else random.choice(FLOATS, (rows, columns)).astype(np.float32))
        self.scales = (random.uniform(0.5, 2, columns) / 127 / np.sqrt(rows)).astype(np.float32)

    def times(self, x):
        return (x @ self.stored.astype(np.float64)) * self.scales

    def arrays(self):
        return [self.stored, self.scales]


def project(x, weight, dtype):
    *inner, last = weight
    for factor in inner:
        x = round_to(factor.times(x), dtype)
    return last.times(x)


def make_weight(rows, columns, rank, kind):
    if not rank:
        return [Weight(rows, columns, kind)]
    return [Weight(rows, rank, kind), Weight(rank, columns, kind)]


def run(stem, source, arrays, options):
    command = ["trn-run", "-", f"--compile=effort=1 {options}", "--verify", f"--out=@{stem}.o.npy"]
    for number, value in enumerate(arrays):
        np.save(f"{stem}.{number}.npy", value)
        command.append(f"--arg=@{stem}.{number}.npy")
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return np.load(f"{stem}.o.npy").astype(np.float64)


def compare(what, value, wanted, dtype):
    error = np.abs(value - wanted).max() / np.abs(wanted).max()
    print(f"{what}: {error:.1e} of the largest value")
    if value.shape != wanted.shape or not error <= TOLERANCE[dtype]:
        sys.exit(f"{what}: at most {TOLERANCE[dtype]:.0e} is allowed")


def check(stem, kind, dtype, rank, options=""):
    x = round_to(random.standard_normal((M, HIDDEN)), dtype)
    gate, up, down = (make_weight(*shape, rank, kind) for shape in
                      [(HIDDEN, INTERMEDIATE), (HIDDEN, INTERMEDIATE), (INTERMEDIATE, HIDDEN)])
    wide = project(x, gate, dtype)
    h = round_to(wide / (1 + np.exp(-wide)) * project(x, up, dtype), dtype)
    wanted = round_to(project(h, down, dtype), dtype)
    flags = [f"--weights={kind}", f"--dtype={dtype}", f"--rank={rank}" if rank else "--dense"]
    source = subprocess.run(["trn-gen", "mlp", f"--m={M}", f"--hidden={HIDDEN}", f"--intermediate={INTERMEDIATE}",
                             *flags], check=True, capture_output=True, text=True).stdout
    arrays = [x.astype(np.float32)]
    arrays += [array for weight in (gate, up, down) for factor in weight for array in factor.arrays()]
    compare(f"mlp {' '.join(flags)} {options}", run(stem, source, arrays, options), wanted, dtype)


# A weight [out, in] with scales [out, 1], widened and scaled in front of a product with its transpose.
TORCH = """
#id = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i, 0)>
func.func @main(%x: tensor<37x96xbf16>, %q: tensor<200x96xi8>, %s: tensor<200x1xbf16>) -> tensor<37x200xbf16> {
  %e = tensor.empty() : tensor<200x96xbf16>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<200x96xi8>) outs(%e : tensor<200x96xbf16>) {
  ^bb0(%in: i8, %out: bf16):
    %0 = arith.sitofp %in : i8 to bf16
    linalg.yield %0 : bf16
  } -> tensor<200x96xbf16>
  %w = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]}
      ins(%f, %s : tensor<200x96xbf16>, tensor<200x1xbf16>) outs(%e : tensor<200x96xbf16>) {
  ^bb0(%in: bf16, %scale: bf16, %out: bf16):
    %0 = arith.mulf %in, %scale : bf16
    linalg.yield %0 : bf16
  } -> tensor<200x96xbf16>
  %et = tensor.empty() : tensor<96x200xbf16>
  %wt = linalg.transpose ins(%w : tensor<200x96xbf16>) outs(%et : tensor<96x200xbf16>) permutation = [1, 0]
  %zero = arith.constant 0.0 : bf16
  %e2 = tensor.empty() : tensor<37x200xbf16>
  %fill = linalg.fill ins(%zero : bf16) outs(%e2 : tensor<37x200xbf16>) -> tensor<37x200xbf16>
  %y = linalg.matmul ins(%x, %wt : tensor<37x96xbf16>, tensor<96x200xbf16>) outs(%fill : tensor<37x200xbf16>)
      -> tensor<37x200xbf16>
  return %y : tensor<37x200xbf16>
}
"""

# The product reads integers itself.
MIXED = """
func.func @main(%x: tensor<37x96xbf16>, %q: tensor<96x200xi8>) -> tensor<37x200xf32> {
  %zero = arith.constant dense<0.0> : tensor<37x200xf32>
  %y = linalg.matmul ins(%x, %q : tensor<37x96xbf16>, tensor<96x200xi8>) outs(%zero : tensor<37x200xf32>)
      -> tensor<37x200xf32>
  return %y : tensor<37x200xf32>
}
"""

stem = sys.argv[1]
for kind in "int8", "fp8":
    for dtype in "bf16", "f32":
        for rank in 0, RANK:
            check(stem, kind, dtype, rank)
check(stem, "int8", "f16", RANK, "strategy=sequential")
check(stem, "int8", "bf16", RANK, "machine=trn2")
check(stem, "int8", "bf16", 0, "transpose=explicit")

x = round_to(random.standard_normal((M, HIDDEN)), "bf16")
q = random.integers(-127, 128, (200, 96)).astype(np.int8)
s = round_to(random.uniform(0.5, 2, (200, 1)) / 127, "bf16")
compare("torch", run(stem, TORCH, [x.astype(np.float32), q, s.astype(np.float32)], ""),
        round_to(x @ round_to(q * s, "bf16").T, "bf16"), "bf16")
compare("mixed", run(stem, MIXED, [x.astype(np.float32), np.ascontiguousarray(q.T)], ""),
        x @ q.T.astype(np.float64), "f32")
