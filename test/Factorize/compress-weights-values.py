"""Constant weights become the factors that NumPy finds, however they lie and are read.

RUN: %python %s %t
"""

import pathlib
import struct
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(5)
M, K, N, RANK = 6, 24, 40, 7
MAPS = "#x = affine_map<(m, n, k) -> (m, k)>\n#t = affine_map<(m, n, k) -> (n, k)>\n" \
       "#w = affine_map<(m, n, k) -> (k, n)>\n#o = affine_map<(m, n, k) -> (m, n)>\n"


def dense(values):
    return f'dense<"0x{values.astype("<f4").tobytes().hex().upper()}">'


def text(shape, element="f32"):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def module(shape, result, weight, body, resource=None):
    """@main(%x) returns %y; %w is the weight and %z zeros."""
    resources = "" if resource is None else (
        "{-# dialect_resources: { builtin: { weight: \"0x04000000"
        f"{resource.astype('<f4').tobytes().hex().upper()}\" }} }} #-}}\n")
    return f"""{MAPS}
func.func @main(%x: {text(shape)}) -> {text(result)} {{
  %w = {weight}
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {text(result)}
  %z = linalg.fill ins(%zero : f32) outs(%e : {text(result)}) -> {text(result)}
{body}
  return %y : {text(result)}
}}
{resources}"""


def run(source, x, options=""):
    (folder / "in.mlir").write_text(source)
    np.save(folder / "x.npy", x)
    subprocess.run(["trn-opt", folder / "in.mlir", f"--trn-compress=rank={RANK} {options}",
                    "-o", folder / "out.mlir"], check=True)
    subprocess.run(["trn-run", folder / "out.mlir", "--compile=effort=1", f"--arg=@{folder / 'x.npy'}",
                    f"--out=@{folder / 'y.npy'}"], check=True, stdout=subprocess.DEVNULL)
    return np.load(folder / "y.npy")


def truncate(w):
    """w [in, out]."""
    u, s, v = np.linalg.svd(w, full_matrices=False)
    return u[:, :RANK] * s[:RANK] @ v[:RANK], np.sqrt((s[RANK:]**2).sum())


def check(name, found, wanted):
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert error < 1e-5, (name, error)


x = rng.standard_normal((M, K)).astype("<f4")
w = (rng.standard_normal((K, N)) * np.geomspace(1, 0.05, N)).astype("<f4")
wanted, lost = truncate(w.astype(np.float64))
# The identity shows the product of the factors: what it lacks is what a truncation loses.
plain = module((K, K), (K, N), f"arith.constant {dense(w)} : {text(w.shape)}",
               f"%y = linalg.matmul ins(%x, %w : {text((K, K))}, {text((K, N))}) "
               f"outs(%z : {text((K, N))}) -> {text((K, N))}")
product = run(plain, np.eye(K, dtype="<f4"))
error = np.linalg.norm(product.astype(np.float64) - w)
assert abs(error / lost - 1) < 1e-5, (error, lost)
check("plain", product, wanted)

xk, kn, nk, mn = text((M, K)), text((K, N)), text((N, K)), text((M, N))
turned = f"arith.constant {dense(w.T)} : {nk}"
matmul = f"linalg.matmul indexing_maps = [#x, #t, #o] ins(%x, %w : {xk}, {nk}) " \
         f"outs(%z : {mn}) -> {mn}"
check("stored as [n, k]", run(module((M, K), (M, N), turned, f"%y = {matmul}"), x), x @ wanted)
check("a resource", run(module((M, K), (M, N), f"arith.constant dense_resource<weight> : {nk}",
                               f"%y = {matmul}", resource=w.T), x), x @ wanted)
check("transposed first", run(module((M, K), (M, N), turned, f"""
  %te = tensor.empty() : {kn}
  %t = linalg.transpose ins(%w : {nk}) outs(%te : {kn}) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %t : {xk}, {kn}) outs(%z : {mn}) -> {mn}"""), x), x @ wanted)
check("one weight for a batch", run(module((2, 3, K), (2, 3, N), f"arith.constant {dense(w)} : {kn}", f"""
  %be = tensor.empty() : {text((2, K, N))}
  %b = linalg.broadcast ins(%w : {kn}) outs(%be : {text((2, K, N))}) dimensions = [0]
  %y = linalg.batch_matmul ins(%x, %b : {text((2, 3, K))}, {text((2, K, N))})
      outs(%z : {text((2, 3, N))}) -> {text((2, 3, N))}"""), x.reshape(2, 3, K)),
      (x @ wanted).reshape(2, 3, N))
check("a batch of one", run(module((1, M, K), (1, M, N), f"arith.constant {dense(w)} : {kn}", f"""
  %b = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, {K}, {N}] : {kn} into {text((1, K, N))}
  %y = linalg.batch_matmul ins(%x, %b : {text((1, M, K))}, {text((1, K, N))})
      outs(%z : {text((1, M, N))}) -> {text((1, M, N))}"""), x.reshape(1, M, K)),
      (x @ wanted).reshape(1, M, N))
check("a vector", run(module((K,), (N,), turned, f"""
  %y = linalg.matvec ins(%w, %x : {nk}, {text((K,))}) outs(%z : {text((N,))}) -> {text((N,))}"""),
      x[0]), x[0] @ wanted)
check("from the left", run(module((K, M), (N, M), turned, f"""
  %y = linalg.matmul ins(%w, %x : {nk}, {text((K, M))}) outs(%z : {text((N, M))}) -> {text((N, M))}"""),
      x.T.copy()), (x @ wanted).T)
# Heads of 8 columns between two halves of the rows: [12, 5, 2, 8].
apart = w.reshape(2, 12, 5, 8).transpose(1, 2, 0, 3)
check("several dimensions", run(module((M, 2, 12), (5, M, 8), f"arith.constant {dense(apart)} : {text(apart.shape)}", f"""
  %y = linalg.generic {{
      indexing_maps = [affine_map<(h, m, d, a, b) -> (m, a, b)>, affine_map<(h, m, d, a, b) -> (b, h, a, d)>,
                       affine_map<(h, m, d, a, b) -> (h, m, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}}
      ins(%x, %w : {text((M, 2, 12))}, {text(apart.shape)}) outs(%z : {text((5, M, 8))}) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  }} -> {text((5, M, 8))}"""), x.reshape(M, 2, 12)),
      (x @ wanted).reshape(M, 5, 8).transpose(1, 0, 2))
# What is read the other way round is the same factors, the other one first.
both = run(module((M, K), (M, K), turned, f"""
  %e1 = tensor.empty() : {mn}
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : {mn}) -> {mn}
  %h = linalg.matmul indexing_maps = [#x, #t, #o] ins(%x, %w : {xk}, {nk}) outs(%z1 : {mn}) -> {mn}
  %y = linalg.matmul ins(%h, %w : {mn}, {nk}) outs(%z : {xk}) -> {xk}"""), x)
check("there and back", both, x @ wanted @ wanted.T)

# Weights of no rank, and of rank one.
for splat in 0.0, 0.25:
    found = run(module((M, K), (M, N), f"arith.constant dense<{splat}> : {nk}", f"%y = {matmul}"), x)
    assert np.abs(found - x @ np.full((K, N), splat)).max() < 1e-5, splat

# Two weights that one function reads.
other = w[:, ::-1].copy()
found = run(f"""{MAPS}
func.func private @layer(%x: {xk}, %w: {nk}) -> {mn} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {mn}
  %z = linalg.fill ins(%zero : f32) outs(%e : {mn}) -> {mn}
  %y = {matmul}
  return %y : {mn}
}}
func.func @main(%x: {xk}) -> {mn} {{
  %w = {turned}
  %v = arith.constant {dense(other.T)} : {nk}
  %a = call @layer(%x, %w) : ({xk}, {nk}) -> {mn}
  %b = call @layer(%x, %v) : ({xk}, {nk}) -> {mn}
  %y = arith.subf %a, %b : {mn}
  return %y : {mn}
}}""", x)
check("two weights of a function", found, x @ wanted - x @ wanted[:, ::-1])

# Factors that keep Y = X W best: those of Q_r Q_r^T W, Q being the left singular vectors of it.
inputs = rng.standard_normal((200, K)) @ rng.standard_normal((K, K)) * np.geomspace(1, 0.1, K)
for weight, dtype in (w, "F32"), (w.T.copy(), "F64"):
    rows, columns = weight.shape
    gram = (inputs.T @ inputs / 200 if rows == K else
            np.cov(rng.standard_normal((N, 200)))).astype("<f4")
    llama.write_safetensors(folder / "grams.safetensors", {"main.0": gram}, dtype)
    spread = weight.T.astype(np.float64) @ gram @ weight
    vectors = np.linalg.eigh(spread)[1][:, ::-1][:, :RANK]
    whitened = weight @ vectors @ vectors.T
    y = rng.standard_normal((M, rows)).astype("<f4")
    found = run(module((M, rows), (M, columns), f"arith.constant {dense(weight)} : {text(weight.shape)}", f"""
  %y = linalg.matmul ins(%x, %w : {text((M, rows))}, {text(weight.shape)})
      outs(%z : {text((M, columns))}) -> {text((M, columns))}"""), y,
                f"grams={folder / 'grams.safetensors'}")
    error = np.abs(found - y @ whitened).max() / np.abs(y @ whitened).max()
    assert error < 1e-4, (weight.shape, error)

# Gram matrices that are none.
for tensors, problem in (({"main.1": gram}, "the file of Gram matrices has none for it"),
                         ({"main.0": gram[1:]}, "its Gram matrix is none: tensor 'main.0' is 39x40, but must be 40x40"),
                         ({"main.0": gram * np.inf}, "has values that are not finite")):
    llama.write_safetensors(folder / "grams.safetensors", tensors)
    result = subprocess.run(["trn-opt", folder / "in.mlir",
                             f"--trn-compress=rank={RANK} grams={folder / 'grams.safetensors'}"],
                            check=True, capture_output=True, text=True)
    assert "remark: weight 'main.0' kept dense: " in result.stderr, result.stderr
    assert problem in result.stderr and "7x" not in result.stdout, result.stderr
