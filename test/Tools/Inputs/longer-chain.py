"""Prints a module with a chain of three products, and one product on request."""

import sys


def product(name, left, right, m, k, n):
    return f"""  %{name}_empty = tensor.empty() : tensor<{m}x{n}xbf16>
  %{name}_zero = linalg.fill ins(%zero : bf16) outs(%{name}_empty : tensor<{m}x{n}xbf16>) -> tensor<{m}x{n}xbf16>
  %{name} = linalg.matmul ins(%{left}, %{right} : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>)
      outs(%{name}_zero : tensor<{m}x{n}xbf16>) -> tensor<{m}x{n}xbf16>
"""


def chain(name, *sizes):
    """A function that multiplies matrices of sizes[0] x sizes[1], sizes[1] x sizes[2] and so on."""
    arguments = ", ".join(f"%a{i}: tensor<{m}x{n}xbf16>" for i, (m, n) in enumerate(zip(sizes, sizes[1:])))
    result = f"tensor<{sizes[0]}x{sizes[-1]}xbf16>"
    last, body = "a0", ""
    for i in range(1, len(sizes) - 1):
        body += product(f"p{i}", last, f"a{i}", sizes[0], sizes[i], sizes[i + 1])
        last = f"p{i}"
    return f"""func.func @{name}({arguments}) -> {result} {{
  %zero = arith.constant 0.0 : bf16
{body}  return %{last} : {result}
}}
"""


print(chain("chain", 256, 128, 256, 128, 512))
if "--with-product" in sys.argv:
    print(chain("product", 256, 128, 512))
