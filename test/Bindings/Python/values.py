"""Values are NumPy's: all types, several results, functions and ways to give an array.

RUN: %trn_python %s
"""

import numpy as np
import trn_mlir as trn

RNG = np.random.default_rng(1)


def close(actual, expected, tolerance):
    expected = np.asarray(expected, np.float64)
    error = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
    assert actual.shape == expected.shape and error <= tolerance, error


def to_bits(values):
    """f32 as bf16, nearest even."""
    bits = values.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def to_floats(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def chains():
    for dtype, tolerance in [("bf16", 1e-2), ("f16", 2e-3), ("f32", 1e-6)]:
        for m, k, r, n in [(128, 256, 128, 512), (5, 70, 33, 130)]:
            x, u, v = (RNG.standard_normal(shape, np.float32) for shape in [(m, k), (k, r), (r, n)])
            o = trn.compile(trn.chain(m, k, r, n, dtype), effort=1).run(x, u, v)
            assert o.dtype == (np.float16 if dtype == "f16" else np.float32)
            close(o, x @ u @ v, tolerance)


def vendors_loops():
    """A product in the loops that others are compared with."""
    source = trn.product(300, 200, 130, "f32")
    x, w = RNG.standard_normal((300, 200), np.float32), RNG.standard_normal((200, 130), np.float32)
    k = trn.compile(source, strategy="nki-xw")
    assert "sums at n in sbuf f32" in k.report["kernels"][0]["schedule"]
    close(k.run(x, w), x @ w, 1e-6)
    # The weight has no name.
    close(trn.compile(source, strategy="nki-xw", strategy_for="mlp").run(x, w), x @ w, 1e-6)


def dynamic():
    source = """func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x16xf32>) -> tensor<?x16xf32> {
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0.0 : f32
        %m = tensor.dim %x, %c0 : tensor<?x8xf32>
        %empty = tensor.empty(%m) : tensor<?x16xf32>
        %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
        %o = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x16xf32>)
                           outs(%zeros : tensor<?x16xf32>) -> tensor<?x16xf32>
        return %o : tensor<?x16xf32>
    }"""
    for m in 1, 24:
        x, w = RNG.standard_normal((m, 8), np.float32), RNG.standard_normal((8, 16), np.float32)
        close(trn.compile(source, specialize=m, effort=1).run(x, w), x @ w, 1e-6)


def ways_to_give():
    k = trn.compile(trn.product(4, 8, 16))
    x, w = RNG.standard_normal((4, 8), np.float32), RNG.standard_normal((8, 16), np.float32)
    expected = k.run(x, w)
    # An input is rounded once, to nearest even.
    xr, wr = to_floats(to_bits(x)), to_floats(to_bits(w))
    close(expected, xr.astype(np.float64) @ wr.astype(np.float64), 4e-3)
    for given in [(xr, wr), (to_bits(x), to_bits(w)), (xr.astype(np.float64), wr), (xr.tolist(), wr),
                  (np.asfortranarray(x), w[::1]), (np.repeat(x, 2, axis=1)[:, ::2], w)]:
        assert np.array_equal(k(*given), expected)


FUNCTIONS = """
func.func @layer.0.up(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %z = arith.constant dense<0.0> : tensor<4x16xf32>
  %o = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>)
                     outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %o : tensor<4x16xf32>
}
func.func @kinds(%a: tensor<2xi8>, %b: tensor<2xi1>, %c: tensor<3x0xf32>, %i: tensor<1xindex>,
                 %s: i32) -> (tensor<2xi8>, tensor<2xi1>, tensor<3x0xf32>, tensor<1xindex>, tensor<i32>) {
  %t = tensor.from_elements %s : tensor<i32>
  return %a, %b, %c, %i, %t
      : tensor<2xi8>, tensor<2xi1>, tensor<3x0xf32>, tensor<1xindex>, tensor<i32>
}
func.func @count(%state: memref<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %old = memref.load %state[%c0, %c1] : memref<2x2xf32>
  %new = arith.addf %old, %one : f32
  memref.store %new, %state[%c0, %c1] : memref<2x2xf32>
  return
}
"""


def functions():
    k = trn.compile(FUNCTIONS)
    assert list(k) == ["layer.0.up", "kinds", "count"] and len(k) == 3
    x, w = RNG.standard_normal((4, 8), np.float32), RNG.standard_normal((8, 16), np.float32)
    close(k["layer.0.up"](x, w), x @ w, 1e-6)

    given = [np.int8([-3, 4]), np.array([True, False]), np.ones((3, 0), np.float32), [2**40], 7]
    results = k["kinds"].run(*given)
    assert [str(r.dtype) for r in results] == ["int8", "bool", "float32", "int64", "int32"]
    for value, result in zip(given, results):
        assert np.array_equal(value, result) and np.shape(value) == result.shape
    # Types have no sign, but numbers do: 253 is -3 of i8, and 253 of i32.
    assert np.array_equal(k["kinds"](np.uint8([253, 4]), *given[1:])[0], [-3, 4])
    assert k["kinds"](*given[:4], np.uint8(253))[4] == 253
    assert k["kinds"](*given[:4], True)[4] == 1

    # A memref is the caller's, wherever it lies.
    for state in [np.zeros((2, 2), np.float32), np.zeros((4, 4), np.float32)[::2, ::2]]:
        assert k["count"].run(state) is None and k["count"].run(state) is None
        assert state.tolist() == [[0, 2], [0, 0]]
    assert k["count"].signature == ((trn.ArrayType("f32", (2, 2), True),), ())


chains()
vendors_loops()
dynamic()
ways_to_give()
functions()
