"""Elementwise ops alone compute in kernels what NumPy does: of one to four dimensions, of any type, with broadcasts.

RUN: %trn_python %s
"""

import itertools

import numpy as np
import trn_mlir as trn

TOLERANCE = {"bf16": 1e-2, "f16": 2e-3, "f32": 1e-5}
random = np.random.default_rng(1)


def rounded(value, kind):
    if kind == "bf16":
        bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32).astype(float)
    return value.astype({"f16": np.float16, "f32": np.float32}[kind]).astype(float)


def tensor(shape, kind):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{kind}>"


# A body of %a and %b, both of f32, that yields %r; and what it computes.
BODIES = {
    "add": ("%r = arith.addf %a, %b : f32", lambda a, b: a + b),
    "gate": ("""%one = arith.constant 1.0 : f32
      %n = arith.negf %a : f32
      %e = math.exp %n : f32
      %d = arith.addf %e, %one : f32
      %s = arith.divf %a, %d : f32
      %r = arith.mulf %s, %b : f32""", lambda a, b: a / (1 + np.exp(-a)) * b),
    "clamp": ("""%k = arith.constant 0.5 : f32
      %m = arith.minimumf %a, %b : f32
      %u = arith.maximumf %m, %k : f32
      %r = arith.subf %u, %a : f32""", lambda a, b: np.maximum(np.minimum(a, b), 0.5) - a),
    "leaky": ("""%z = arith.constant 0.0 : f32
      %k = arith.constant 0.01 : f32
      %p = arith.cmpf ogt, %a, %z : f32
      %l = arith.mulf %a, %k : f32
      %s = arith.select %p, %a, %l : f32
      %r = arith.addf %s, %b : f32""", lambda a, b: np.where(a > 0, a, 0.01 * a) + b),
    "distance": ("""%d = arith.subf %a, %b : f32
      %q = arith.mulf %d, %d : f32
      %o = arith.constant 1.0 : f32
      %w = arith.addf %q, %o : f32
      %r = math.rsqrt %w : f32""", lambda a, b: 1 / np.sqrt((a - b) ** 2 + 1)),
    "tanh": ("""%t = math.tanh %a : f32
      %r = arith.divf %t, %b : f32""", lambda a, b: np.tanh(a) / b),
}


def check(body, shape, places, kinds, result):
    """`places`: the dimensions of the second operand; a `None` is one of one index."""
    text, function = BODIES[body]
    rank = len(shape)
    loops = ", ".join(f"d{i}" for i in range(rank))
    other = [1 if place is None else shape[place] for place in places]
    read = ", ".join("0" if place is None else f"d{place}" for place in places)
    a = rounded(random.standard_normal(shape), kinds[0])
    b = rounded(random.uniform(0.5, 2.0, other), kinds[1])

    def widened(name, kind):
        return (f"%{name} = arith.extf %{name}_in : {kind} to f32" if kind != "f32" else
                f"%{name}_zero = arith.constant 0.0 : f32\n"
                f"      %{name} = arith.addf %{name}_in, %{name}_zero : f32")
    narrow = (f"%o = arith.truncf %r : f32 to {result}" if result != "f32" else
              "%minus = arith.negf %r : f32\n      %o = arith.negf %minus : f32")
    narrow = narrow.replace("%o =", "%result =")
    module = f"""
  func.func @main(%x: {tensor(shape, kinds[0])}, %y: {tensor(other, kinds[1])}) -> {tensor(shape, result)} {{
    %empty = tensor.empty() : {tensor(shape, result)}
    %o = linalg.generic {{
        indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({read})>,
                         affine_map<({loops}) -> ({loops})>],
        iterator_types = [{', '.join(['"parallel"'] * rank)}]}}
        ins(%x, %y : {tensor(shape, kinds[0])}, {tensor(other, kinds[1])})
        outs(%empty : {tensor(shape, result)}) {{
    ^bb0(%a_in: {kinds[0]}, %b_in: {kinds[1]}, %out: {result}):
      {widened('a', kinds[0])}
      {widened('b', kinds[1])}
      {text}
      {narrow}
      linalg.yield %result : {result}
    }} -> {tensor(shape, result)}
    return %o : {tensor(shape, result)}
  }}"""
    name = f"{body} of {shape} and {places} in {kinds} to {result}"
    compiled = trn.compile(module, effort=1)
    host = compiled.mlir.split("func.func private", 1)
    assert "trn.kernel" in compiled.mlir and "linalg.generic" not in host[0], name
    aligned = [[i for i in places if i is not None].index(i) if i in places else None
               for i in range(rank)]
    own = b.reshape([size for size, place in zip(other, places) if place is not None])
    own = own.transpose([i for i in aligned if i is not None])
    own = own.reshape([shape[i] if i in places else 1 for i in range(rank)])
    expected = rounded(function(a, own), result)
    actual = np.asarray(compiled.run(a, b), float)
    coarsest = min(*kinds, result, key=["bf16", "f16", "f32"].index)
    error = np.abs(actual - expected).max() / np.abs(expected).max()
    assert actual.shape == expected.shape and error <= TOLERANCE[coarsest], f"{name}: {error:.2e}"


SHAPES = [((1000,), (0,)), ((77, 130), (0, 1)), ((77, 130), (1,)), ((77, 130), (0, None)),
          ((130, 77), (1, 0)), ((4, 33, 50), (0, 1, 2)), ((4, 33, 50), (2,)), ((4, 33, 50), (0, None, None)),
          ((4, 33, 50), (1, 2)), ((2, 6, 5, 40), (0, 1, 2, 3)), ((2, 6, 5, 40), (1,)),
          ((2, 6, 5, 40), (None, 1, None, None)), ((2, 6, 5, 40), (0, None, None, 3)), ((3, 5003), (0, 1))]
KINDS = [("f32", "f32", "f32"), ("bf16", "bf16", "bf16"), ("f16", "f32", "f16"), ("bf16", "f32", "f32")]

bodies, kinds = itertools.cycle(BODIES), itertools.cycle(KINDS)
for shape, places in SHAPES:
    for _ in range(2):
        left, right, result = next(kinds)
        check(next(bodies), shape, places, (left, right), result)
    next(kinds)
