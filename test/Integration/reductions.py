"""Reductions of any dimensions, in three spellings, are kernels, and compute what NumPy does.

RUN: %trn_python %s
"""

import itertools

import numpy as np
import trn_mlir as trn

# A shape, and the dimensions that are reduced. Each needs up to three kernels and no host code.
CASES = [
    ((4, 77, 96), (0,)), ((4, 256, 64), (0,)), ((3, 5, 7, 32), (0,)), ((40, 3, 24), (1,)), ((4, 12, 8, 16), (1,)),
    ((300, 48), (0,)), ((8, 100, 48), (1,)), ((2, 3, 5, 64), (2,)), ((6, 9, 40), (2,)), ((2, 40, 7, 9), (2, 3)),
    ((4, 40, 64), (0, 1)), ((8, 16, 20, 12), (0, 2)), ((4, 32, 6, 6), (0, 2, 3)), ((64, 96), (0, 1)), ((500,), (0,)),
    ((2, 1, 40, 3, 24), (0, 3)),
]
START = {"add": "0.0", "maximum": "0xFF800000", "minimum": "0x7F800000"}
NUMPY = {"add": np.sum, "maximum": np.max, "minimum": np.min}


def tensor(shape, kind="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{kind}>"


def kept(shape, dims, keeps):
    return [1 if i in dims else size for i, size in enumerate(shape) if keeps or i not in dims]


def module(shape, dims, fold, kind, spelling):
    """`fold` of x * x: as JAX prints it, as torch-mlir does with dimensions of one, and by a named op."""
    whole, result = tensor(shape), kept(shape, dims, spelling == "torch")
    loops = ", ".join(f"d{i}" for i in range(len(shape)))
    all_loops = f"affine_map<({loops}) -> ({loops})>"
    places = ", ".join("0" if i in dims else f"d{i}" for i in range(len(shape)) if spelling == "torch" or i not in dims)
    kinds = ", ".join('"reduction"' if i in dims else '"parallel"' for i in range(len(shape)))
    parallel = ", ".join(['"parallel"'] * len(shape))
    folded = f"""%s = linalg.generic {{indexing_maps = [{all_loops}, affine_map<({loops}) -> ({places})>],
      iterator_types = [{kinds}]}} ins(%q : {whole}) outs(%start : {tensor(result)}) {{
  ^bb0(%in: f32, %out: f32):
    %f = arith.{fold}f %in, %out : f32
    linalg.yield %f : f32
  }} -> {tensor(result)}"""
    if spelling == "named":
        folded = f"%s = linalg.reduce {{ arith.{fold}f }} ins(%q : {whole}) outs(%start : {tensor(result)}) " \
                 f"dimensions = {list(dims)}"
    widen = "" if kind == "f32" else f"%w = arith.extf %x : {tensor(shape, kind)} to {whole}"
    wide = "%x" if kind == "f32" else "%w"
    return result, f"""
func.func @main(%x: {tensor(shape, kind)}) -> {tensor(result)} {{
  {widen}
  %empty = tensor.empty() : {whole}
  %q = linalg.generic {{indexing_maps = [{all_loops}, {all_loops}], iterator_types = [{parallel}]}}
      ins({wide} : {whole}) outs(%empty : {whole}) {{
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %in : f32
    linalg.yield %m : f32
  }} -> {whole}
  %first = arith.constant {START[fold]} : f32
  %row = tensor.empty() : {tensor(result)}
  %start = linalg.fill ins(%first : f32) outs(%row : {tensor(result)}) -> {tensor(result)}
  {folded}
  return %s : {tensor(result)}
}}"""


random = np.random.default_rng(7)
SPELLINGS = ["torch", "jax", "named"]
for number, ((shape, dims), fold) in enumerate(itertools.product(CASES, ["add", "maximum", "minimum"])):
    spelling, kind = SPELLINGS[number % 3], ["f32", "bf16"][number % 2]
    result, text = module(shape, dims, fold, kind, spelling)
    # Whole numbers: sums in any order are exact.
    x = random.integers(-6, 7, shape).astype(np.float32)
    main = trn.compile(text, effort=1, machine="trn2")["main"]
    found = np.asarray(main.run(x), np.float32).reshape(result)
    name = f"{fold} of {tensor(shape, kind)} over {dims}, {spelling}"
    assert np.array_equal(found, NUMPY[fold](x * x, axis=dims).reshape(result)), name
    kernels, host = len(main.report["kernels"]), main.report.get("host_ops", [])
    assert kernels <= 3 and not host, f"{name}: {kernels} kernels, {host}"
