"""Exported chains of three and more products, and of batches, compute what trn-run does.

RUN: %trn_python %s %t
"""

from Inputs.exports import check, finish


def rounded(name, source, shape, maps):
    """`source` of f32 as %`name` of bf16."""
    return f"""
  %{name}_init = tensor.empty() : tensor<{shape}xbf16>
  %{name} = linalg.generic {{indexing_maps = [{maps}, {maps}],
      iterator_types = [{', '.join(['"parallel"'] * len(shape.split('x')))}]}}
      ins(%{source} : tensor<{shape}xf32>) outs(%{name}_init : tensor<{shape}xbf16>) {{
  ^bb0(%wide: f32, %old: bf16):
    %narrow = arith.truncf %wide : f32 to bf16
    linalg.yield %narrow : bf16
  }} -> tensor<{shape}xbf16>"""


def product(op, name, left, right, left_shape, right_shape, shape):
    return f"""
  %{name}_empty = tensor.empty() : tensor<{shape}xf32>
  %{name}_zeros = linalg.fill ins(%zero : f32) outs(%{name}_empty : tensor<{shape}xf32>)
      -> tensor<{shape}xf32>
  %{name} = linalg.{op} ins(%{left}, %{right} : tensor<{left_shape}xbf16>,
      tensor<{right_shape}xbf16>) outs(%{name}_zeros : tensor<{shape}xf32>)
      -> tensor<{shape}xf32>"""


def chain(sizes, batches=()):
    """x * w1 * w2 * ..., with sizes m, k, r1, r2, ..., n; x and all weights in batches."""
    maps = "affine_map<(b, i, j) -> (b, i, j)>" if batches else "affine_map<(i, j) -> (i, j)>"
    op = "batch_matmul" if batches else "matmul"

    def shape(rows, columns):
        return "x".join(map(str, (*batches, rows, columns)))
    weights = [shape(k, n) for k, n in zip(sizes[1:], sizes[2:])]
    arguments = [f"%x: tensor<{shape(*sizes[:2])}xbf16>"]
    arguments += [f"%w{i}: tensor<{w}xbf16>" for i, w in enumerate(weights)]
    body, left, left_shape = "", "x", shape(*sizes[:2])
    for i, weight in enumerate(weights):
        result = shape(sizes[0], sizes[i + 2])
        body += product(op, f"s{i}", left, f"w{i}", left_shape, weight, result)
        body += rounded(f"y{i}", f"s{i}", result, maps)
        left, left_shape = f"y{i}", result
    return f"""
func.func @main({', '.join(arguments)}) -> tensor<{left_shape}xbf16> {{
  %zero = arith.constant 0.0 : f32{body}
  return %{left} : tensor<{left_shape}xbf16>
}}"""


for version in "0.6", "beta1":
    check(f"three {version}", chain([128, 256, 64, 128, 256]), version, "effort=2")
    check(f"three odd {version}", chain([150, 70, 33, 90, 130]), version, "effort=2")
    check(f"four {version}", chain([64, 128, 32, 256, 32, 128]), version, "effort=2")
    check(f"five odd {version}", chain([70, 40, 20, 140, 20, 60, 50]), version, "effort=1")
    check(f"batches {version}", chain([70, 64, 40], batches=(3,)), version, "effort=2")
    check(f"batches of two {version}", chain([64, 128, 32, 96], batches=(2,)), version,
          "effort=2")
finish(12)
