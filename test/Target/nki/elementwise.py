"""Exported products with functions of their sums compute what trn-run does.

RUN: %trn_python %s %t
"""

from Inputs.exports import check, finish

M, K, N = 150, 130, 200
PRODUCT = """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i, 0)>
func.func @main(%x: tensor<{M}x{K}x{T}>, %w: tensor<{K}x{N}x{T}>, %e: tensor<{shape}x{E}>)
    -> {results} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{M}x{N}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
  %sums = linalg.matmul ins(%x, %w : tensor<{M}x{K}x{T}>, tensor<{K}x{N}x{T}>)
      outs(%zeros : tensor<{M}x{N}xf32>) -> tensor<{M}x{N}xf32>
  %init = tensor.empty() : tensor<{M}x{N}x{R}>
  %o = linalg.generic {{indexing_maps = [#id, #{map}, #id],
                       iterator_types = ["parallel", "parallel"]}}
      ins(%sums, %e : tensor<{M}x{N}xf32>, tensor<{shape}x{E}>)
      outs(%init : tensor<{M}x{N}x{R}>) {{
  ^bb0(%s: f32, {argument}: {E}, %old: {R}):
    {wide}
    %one = arith.constant 1.0 : f32
    %three = arith.constant 3.0 : f32
{body}
    {rounded}
    linalg.yield {yielded} : {R}
  }} -> tensor<{M}x{N}x{R}>
  return {returned}
}}
"""
SHAPES = {"id": f"{M}x{N}", "row": f"{N}", "column": f"{M}x1"}
# A name, what the second operand is, and the value %v of the sum %s and of %e.
CASES = [
    ("bias of rows", "row", ["%v = arith.addf %s, %f : f32"]),
    ("bias of columns", "column", ["%v = arith.addf %s, %f : f32"]),
    ("scale of columns", "column", ["%v = arith.mulf %s, %f : f32"]),
    ("scale and silu", "column",
     ["%a = arith.mulf %s, %f : f32", "%n = arith.negf %a : f32", "%p = math.exp %n : f32",
      "%b = arith.addf %p, %one : f32", "%v = arith.divf %a, %b : f32"]),
    ("gelu by tanh", "row",
     ["%a = arith.addf %s, %f : f32", "%b = arith.mulf %a, %a : f32",
      "%c = arith.mulf %b, %a : f32", "%k = arith.constant 0.044715 : f32",
      "%d = arith.mulf %c, %k : f32", "%z = arith.addf %a, %d : f32",
      "%l = arith.constant 0.797884583 : f32", "%g = arith.mulf %z, %l : f32",
      "%h = math.tanh %g : f32", "%i = arith.addf %h, %one : f32",
      "%half = arith.constant 0.5 : f32", "%j = arith.mulf %a, %half : f32",
      "%v = arith.mulf %j, %i : f32"]),
    ("softplus", "row",
     ["%a = arith.addf %s, %f : f32", "%b = math.exp %a : f32", "%v = math.log1p %b : f32"]),
    ("mish", "row",
     ["%a = arith.addf %s, %f : f32", "%b = math.exp %a : f32", "%c = math.log1p %b : f32",
      "%d = math.tanh %c : f32", "%v = arith.mulf %a, %d : f32"]),
    ("residual", "id", ["%v = arith.addf %s, %f : f32"]),
    ("difference", "id", ["%v = arith.subf %f, %s : f32"]),
    ("maximum", "id", ["%v = arith.maximumf %s, %f : f32"]),
    ("relu", "row",
     ["%a = arith.addf %s, %f : f32", "%c = arith.cmpf ugt, %a, %zero : f32",
      "%v = arith.select %c, %a, %zero : f32"]),
    ("tanh of thirds", "row",
     ["%a = arith.divf %s, %three : f32", "%b = math.tanh %a : f32",
      "%v = arith.addf %b, %f : f32"]),
    ("erf and exp", "id",
     ["%a = math.erf %s : f32", "%b = math.exp %f : f32", "%v = arith.mulf %a, %b : f32"]),
    ("quotient", "id",
     ["%a = math.exp %f : f32", "%v = arith.divf %s, %a : f32"]),
    ("quotient of columns", "column",
     ["%a = math.exp %f : f32", "%v = arith.divf %s, %a : f32"]),
    ("one over", "id",
     ["%a = math.exp %s : f32", "%b = arith.divf %three, %a : f32",
      "%v = arith.mulf %b, %f : f32"]),
    ("clamp", "row",
     ["%n = arith.negf %one : f32", "%a = arith.minimumf %s, %one : f32",
      "%b = arith.maximumf %a, %n : f32", "%v = arith.mulf %b, %f : f32"]),
    ("power", "row",
     ["%a = arith.mulf %s, %s : f32", "%b = math.absf %a : f32", "%c = math.sqrt %b : f32",
      "%v = arith.addf %c, %f : f32"]),
]


def module(operand, body, type, extra, result, both=False):
    tensor = f"tensor<{M}x{N}x{result}>"
    sums = f"tensor<{M}x{N}xf32>"
    return PRODUCT.format(
        M=M, K=K, N=N, T=type, E=extra, R=result, map=operand, shape=SHAPES[operand],
        argument="%f" if extra == "f32" else "%narrow",
        wide="" if extra == "f32" else f"%f = arith.extf %narrow : {extra} to f32",
        yielded="%v" if result == "f32" else "%r",
        rounded="" if result == "f32" else f"%r = arith.truncf %v : f32 to {result}",
        body="\n".join("    " + line for line in body),
        results=f"({sums}, {tensor})" if both else tensor,
        returned=f"%sums, %o : {sums}, {tensor}" if both else f"%o : {tensor}")


for version in "0.6", "beta1":
    for name, operand, body in CASES:
        check(f"{name} {version}", module(operand, body, "bf16", "f32", "bf16"), version,
              "effort=1")
    # Types of their own: what is added is bf16, and the result f32, or the other way round.
    check(f"wide result {version}", module("id", CASES[4][2], "bf16", "bf16", "f32"), version,
          "effort=1")
    check(f"narrow factors {version}", module("column", CASES[2][2], "bf16", "bf16", "bf16"),
          version, "effort=1")
    check(f"f32 {version}", module("row", CASES[0][2], "f32", "f32", "f32"), version, "effort=1")
    check(f"two results {version}", module("row", CASES[8][2], "bf16", "f32", "bf16", both=True),
          version, "effort=1")
finish(2 * (len(CASES) + 4))
