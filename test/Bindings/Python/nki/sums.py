"""`+=` of a product in PSUM adds, whatever was written there before (beta 1).

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

HEAD = """import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def kernel(a, b):
    out = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.shared_hbm)
    x, y = nl.load(a), nl.load(b)
"""
ZERO = "acc = nl.zeros((128, 512), nl.float32, buffer=nl.psum)"
BARE = "acc = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.psum)"
PRODUCT = "nisa.nc_matmul(x, y)"
HALF = "nisa.nc_matmul(x, y[:, 0:256])"
THREE = "for i in nl.affine_range(3):\n    "

# The lines of each kernel, and what is left in `acc`: P is the product, B is b, and H is P in the
# first 256 columns, and 0 elsewhere.
KERNELS = {
    "to the result of a product": (["acc = " + PRODUCT, "acc += " + PRODUCT], "2 * P"),
    "to that of nl.matmul": (["acc = nl.matmul(x, y, transpose_x=True)", "acc += " + PRODUCT],
                             "2 * P"),
    "in a loop, to the result of a product": (
        ["acc = " + PRODUCT, THREE + "acc += " + PRODUCT], "4 * P"),
    "to zeros, in two loops": ([ZERO, THREE + "acc += " + PRODUCT, THREE + "acc += " + PRODUCT],
                               "6 * P"),
    "to a copy": ([BARE, "acc[...] = nl.copy(y)", "acc += " + PRODUCT], "P + B"),
    "in a loop, to a copy": ([BARE, "acc[...] = nl.copy(y)", THREE + "acc += " + PRODUCT],
                             "3 * P + B"),
    "to a transpose": ([BARE, "acc[:, 128:512] = nl.copy(y[:, 128:512])",
                        "acc[:, 0:128] = nisa.nc_transpose(y[:, 0:128])", "acc += " + PRODUCT],
                       "P + np.hstack([B[:, :128].T, B[:, 128:]])"),
    "to ones": (["acc = nl.full((128, 512), 1.0, nl.float32, buffer=nl.psum)",
                 THREE + "acc += " + PRODUCT], "3 * P + 1"),
    "of a product that is read before": (
        [ZERO, "p = " + PRODUCT, "s = nl.copy(p)", "acc += p", "acc[...] = nl.add(acc, s)"],
        "2 * P"),
    "of a product behind which something else is": (
        [ZERO, THREE + "p = " + PRODUCT + "\n    q = nl.load(b)\n    acc += p\n    acc += q"],
        "3 * (P + B)"),
    "of two products": ([ZERO, "p = " + PRODUCT, "q = " + PRODUCT, "acc += p", "acc += q"],
                        "2 * P"),
    "to a part, then to all": ([ZERO, "acc[:, 0:256] += " + HALF, "acc += " + PRODUCT], "P + H"),
    "to all, then to a part": ([ZERO, "acc += " + PRODUCT, "acc[:, 0:256] += " + HALF], "P + H"),
    "to all, then to each part in a loop": (
        [ZERO, "acc += " + PRODUCT, "for j in nl.affine_range(2):\n    acc[:, nl.ds(j * 256, 256)]"
         " += nisa.nc_matmul(x, y[:, nl.ds(j * 256, 256)])"], "2 * P"),
    "to parts that overlap": (
        [ZERO, "for j in nl.affine_range(2):\n    acc[:, nl.ds(j * 128, 384)] += "
         "nisa.nc_matmul(x, y[:, nl.ds(j * 128, 384)])"],
        "np.hstack([P[:, :128], 2 * P[:, 128:384], P[:, 384:]])"),
    "to a part only": ([ZERO, "acc[:, 0:256] += " + HALF], "H"),
    "under a mask": (
        [ZERO, "i, j = nl.arange(128)[:, None], nl.arange(512)[None, :]",
         "acc[i, j] += " + PRODUCT, "acc[i, j] += nisa.nc_matmul(x, y, mask=(j < 256))"], "P + H"),
    "under a mask first": (
        [ZERO, "j = nl.arange(512)[None, :]", "acc += nisa.nc_matmul(x, y, mask=(j < 256))"], "H"),
    "under a mask that leaves all out": (
        [ZERO, "j = nl.arange(512)[None, :]", "for i in nl.affine_range(2):\n    "
         "acc += nisa.nc_matmul(x, y, mask=(j + i * 512 < 512))"], "P"),
    "under no mask at all": ([ZERO, "acc += nl.matmul(x, y, transpose_x=True, mask=False)"], "0 * P"),
    "of columns that a load wrote": (
        [ZERO, "i, j = nl.arange(128)[:, None], nl.arange(512)[None, :]",
         "for k in nl.affine_range(2):\n    w = nl.load(b[i, j], mask=(j < 384))\n    "
         "acc[:, 0:256] += nisa.nc_matmul(x, w[:, 0:256])\n    "
         "acc[:, 256:512] += nisa.nc_matmul(x, w[:, 256:512])",
         "acc[:, 384:512] += nisa.nc_matmul(x, y[:, 384:512])"],
        "np.hstack([2 * P[:, :384], P[:, 384:]])"),
    "behind a tile": ([ZERO, THREE + "acc += y\n    acc += " + PRODUCT], "3 * (P + B)"),
    "before a tile": ([ZERO, THREE + "acc += " + PRODUCT + "\n    acc += y"], "3 * (P + B)"),
    "to what is doubled": (
        [ZERO, THREE + "acc[...] = nl.multiply(acc, 2.0)\n    acc += " + PRODUCT], "7 * P"),
    "to one that overwrites": (
        [ZERO, THREE + "acc += " + PRODUCT, "acc[...] = " + PRODUCT, "acc += " + PRODUCT], "2 * P"),
    "to what nobody wrote": ([BARE, "p = " + PRODUCT, "q = nl.load(b)", "acc += p"], "P"),
}

rng = np.random.default_rng(3)
a = rng.standard_normal((128, 128), np.float32) * np.float32(0.1)
b = rng.standard_normal((128, 512), np.float32)
P = a.T @ b
H = np.hstack([P[:, :256], np.zeros_like(P[:, 256:])])
wrong = []
for name, (lines, expected) in KERNELS.items():
    body = "\n".join([*lines, "nl.store(out, acc)", "return out"]).replace("\n", "\n    ")
    module = nki.load(nki.find_in_text(HEAD + "    " + body + "\n"), [a, b])
    error = np.abs(module.run(a, b) - eval(expected, {"np": np, "P": P, "B": b, "H": H})).max()
    if not error < 1e-4:
        wrong.append("%s: off by %.2g" % (name, error))
    if name == "to zeros, in two loops":  # all of it is the tensor engine's
        assert "tensor_tensor" not in module.traced.mlir, module.traced.mlir
assert not wrong, "\n".join(wrong)

# In 0.6, `accumulate=True` adds to zeros, too: of `nl.zeros`, or of a `memset`. Without it, the first
# product of each element overwrites.
TEXT = """import nki
import nki.isa as nisa
import nki.language as nl


def product(x, y, acc, begin, end, accumulate=None):
    nisa.nc_matmul(dst=acc[:, begin:end], stationary=x, moving=y[:, begin:end],
                   accumulate=accumulate)


@nki.jit
def kernel(a, b):
    out = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.shared_hbm)
    x = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.sbuf)
    y = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.sbuf)
    r = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=x, src=a)
    nisa.dma_copy(dst=y, src=b)
    acc = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.psum)
    LINES
    nisa.tensor_copy(dst=r, src=acc)
    nisa.dma_copy(dst=out, src=r)
    return out
"""
HALVES = "for i in range(3):\n    product(x, y, acc, 0, 256, True)"
SET = "nisa.memset(dst=acc, value=0.0)"
PLUS = "nisa.tensor_tensor(dst=acc, data1=acc, data2=y, op=nl.add)"
BOTH = "for j in range(2):\n    product(x, y, acc, 256 * j, 256 * j + 256)"
KERNELS = {
    "to nl.zeros": (["acc = nl.zeros((128, 512), dtype=nl.float32, buffer=nl.psum)", HALVES], "3 * H"),
    "to a memset": ([SET, HALVES], "3 * H"),
    "to what is more than zeros": ([SET, PLUS, "product(x, y, acc, 0, 512, True)"], "group_c3"),
    "to both parts": ([BOTH, BOTH], "2 * P"),
    "to both parts at once": ([BOTH, "product(x, y, acc, 0, 512)"], "group_c2"),
    "to one part at once": (["product(x, y, acc, 0, 256)", "product(x, y, acc, 0, 512)"], "nki_r2"),
    "to parts that overlap": (
        ["for j in range(2):\n    product(x, y, acc, 128 * j, 128 * j + 384)"], "nki_r2"),
    "to parts that come again": (
        ["for i in range(2):\n    for j in range(2):\n"
         "        product(x, y, acc, 128 * (i + j), 128 * (i + j) + 128)",
         "product(x, y, acc, 384, 512)"],
        "np.hstack([P[:, :128], 2 * P[:, 128:256], P[:, 256:]])"),
}
for name, (lines, expected) in KERNELS.items():
    text = TEXT.replace("LINES", "\n".join(lines).replace("\n", "\n    "))
    try:
        found = nki.load(nki.find_in_text(text), [a, b]).run(a, b)
    except nki.NkiError as problem:
        assert problem.rule == expected, (name, problem)
        continue
    assert "_" not in expected, name
    error = np.abs(found - eval(expected, {"np": np, "P": P, "H": H})).max()
    assert error < 1e-4, (name, error)
