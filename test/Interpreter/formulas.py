"""Chains of operations, folds, scans, counts and products of tiles with several free dimensions
give the values that NumPy gives.

RUN: %trn_python %s
"""

import pathlib
import sys

import numpy as np
import trn_mlir as trn

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import memrefs  # noqa: E402

R, P, Q = 37, 4, 10
F = P * Q
f32 = np.float32
SPECIAL = [0.0, -0.0, 1.0, -3.0, np.inf, -np.inf, np.nan, 1e-40, 3e38, 0.1]


def bf16(values):
    """Rounds f32 to bf16, to nearest even."""
    bits = np.ascontiguousarray(values, dtype=f32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
    return np.where(np.isnan(values), f32(np.nan), rounded.view(f32))


ROUND = {"f32": lambda v: v.astype(f32), "bf16": bf16,
         "f16": lambda v: v.astype(np.float16).astype(f32)}


def fold(function, values, start=None):
    """All of each row, one after the other."""
    rows = values.reshape(len(values), -1)
    total = rows[:, 0].copy() if start is None else function(start[:, 0], rows[:, 0])
    for i in range(1, rows.shape[1]):
        total = function(total, rows[:, i]).astype(f32)
    return total[:, None]


def fold_last(function, values):
    total = values[..., 0].copy()
    for i in range(1, values.shape[-1]):
        total = function(total, values[..., i]).astype(f32)
    return total


def scan(step, a, b, start):
    """`step(a, state, b)` along each row."""
    left, right = a.reshape(R, F), b.reshape(R, F)
    state, results = np.broadcast_to(f32(start), (R, 1))[:, 0], []
    for i in range(F):
        state = step(left[:, i], state, right[:, i]).astype(f32)
        results.append(state)
    return np.stack(results, axis=1).reshape(R, P, Q)


def count(start, row, steps):
    p, i, j = np.ogrid[:R, :P, :Q]
    return start + row * p + steps[0] * i + steps[1] * j


def truth(values):
    return values.astype(f32)


# The op; the shape of its result, and its values of a, b and c; the sums, if it has any.
FULL = (R, P, Q)
CASES = [
    ("trn.tensor_scalar mul(%a : {src}) constant 3.0 then add scalars(%c : {col}) into %y : {dst} on vector",
     FULL, lambda a, b, c: a * f32(3) + c[..., None]),
    ("trn.tensor_scalar sub(%a : {src}) scalars(%c : {col}) reversed then div constant 7.0 reversed into %y : {dst} on vector",
     FULL, lambda a, b, c: f32(7) / (c[..., None] - a)),
    ("trn.tensor_scalar ge(%a : {src}) constant 0.5 then mul constant -2.0 into %y : {dst} on vector",
     FULL, lambda a, b, c: truth(a >= f32(0.5)) * f32(-2)),
    ("trn.scalar_tensor_tensor mul(%a : {src}) scalars(%c : {col}) then sub(%b : {src}) into %y : {dst} on vector",
     FULL, lambda a, b, c: a * c[..., None] - b),
    ("trn.scalar_tensor_tensor sub(%a : {src}) constant 1.0 reversed then max(%b : {src}) reversed into %y : {dst} on vector",
     FULL, lambda a, b, c: np.maximum(b, f32(1) - a)),
    ("trn.tensor_tensor mod(%a : {src}, %b : {src}) into %y : {dst} on vector",
     FULL, lambda a, b, c: np.mod(a, b)),
    ("trn.tensor_tensor lt(%a : {src}, %b : {src}) into %y : {dst} on vector",
     FULL, lambda a, b, c: truth(a < b)),
    ("trn.tensor_tensor xor(%a : {src}, %b : {src}) into %y : {dst} on vector",
     FULL, lambda a, b, c: truth(np.logical_xor(a, b))),
    ("trn.tensor_scalar min(%a : {src}) constant 2.0 reducing max(%s : {col}) into %y : {dst} on vector",
     FULL, lambda a, b, c: np.minimum(a, f32(2)),
     lambda y, c: fold(np.maximum, y)),
    ("trn.tensor_scalar add(%a : {src}) constant 2.0 reducing add(%s : {col}) accumulate into %y : {dst} on vector",
     FULL, lambda a, b, c: a + f32(2), lambda y, c: fold(np.add, y, c)),
    ("trn.tensor_scalar mul(%a : {src}) scalars(%c : {col}) reducing mul(%s : {col}) into %y : {dst} on vector",
     FULL, lambda a, b, c: a * c[..., None], lambda y, c: fold(np.multiply, y)),
    ("trn.activation square(%a : {src}) scale 0.5 biases(%c : {col}) reducing add(%s : {col}) into %y : {dst}",
     FULL, lambda a, b, c: np.square(a * f32(0.5) + c[..., None]), lambda y, c: fold(np.add, y)),
    ("trn.activation copy(%a : {src}) reducing add(%s : {col}) accumulate into %y : {dst}",
     FULL, lambda a, b, c: a, lambda y, c: fold(np.add, y, c)),
    ("trn.tensor_tensor_scan mul, add(%a : {src}, %b : {src}) initial 0.5 into %y : {dst}",
     FULL, lambda a, b, c: scan(lambda x, state, y: x * state + y, a, b, [[0.5]])),
    ("trn.tensor_tensor_scan sub, max(%a : {src}, %b : {src}) initials(%c : {col}) reversed0 into %y : {dst}",
     FULL, lambda a, b, c: scan(lambda x, state, y: np.maximum(state - x, y), a, b, c)),
    ("trn.tensor_tensor_scan add, sub(%a : {src}, %b : {src}) initials(%c : {col}) reversed1 into %y : {dst}",
     FULL, lambda a, b, c: scan(lambda x, state, y: y - (x + state), a, b, c)),
    ("trn.iota %y start -5 steps [100, 3] partition_step -7 : {dst}",
     FULL, lambda a, b, c: truth(count(-5, -7, [100, 3]))),
    ("trn.affine_select ge(%a : {src}) start 3 partition_step 1 steps [-10, -1] otherwise -9.5 into %y : {dst}",
     FULL, lambda a, b, c: np.where(count(3, 1, [-10, -1]) >= 0, a, f32(-9.5))),
    ("trn.affine_select ne(%a : {src}) start -12 steps [4, 1] otherwise 0.25 into %y : {dst}",
     FULL, lambda a, b, c: np.where(count(-12, 0, [4, 1]) != 0, a, f32(0.25))),
    ("trn.tensor_reduce max(%a : {src}) negated into %y : {dst}",
     (R, P), lambda a, b, c: -fold_last(np.maximum, a)),
    ("trn.tensor_reduce add(%a : {src}) into %y : {dst}",
     (R, P, 1), lambda a, b, c: fold_last(np.add, a)[..., None]),
    ("trn.tensor_reduce mul(%a : {src}) negated into %y : {dst}",
     (R, 1), lambda a, b, c: -fold(np.multiply, a)),
    # Every row of the first Q elements, P times.
    ("""%r = memref.reinterpret_cast %a to offset: [10], sizes: [37, 4, 10], strides: [40, 0, 1]
            : {src} to {repeated}
        trn.tensor_tensor mul(%b : {src}, %r : {repeated}) into %y : {dst} on vector""",
     FULL, lambda a, b, c: b * a[:, 1:2]),
    ("""%r = memref.reinterpret_cast %a to offset: [10], sizes: [37, 4, 10], strides: [40, 0, 1]
            : {src} to {repeated}
        trn.activation copy(%r : {repeated}) reducing add(%s : {col}) into %y : {dst}""",
     FULL, lambda a, b, c: np.broadcast_to(a[:, 1:2], FULL), lambda y, c: fold(np.add, y)),
]


def memref(shape, dtype, layout="", space=""):
    return f"memref<{'x'.join(map(str, shape))}x{dtype}{layout}{space}>"


def kernel(name, op, shape, source, target):
    """With the function that calls it."""
    sbuf = ", #trn.mem<sbuf>"
    types = {"src": memref(FULL, source, space=sbuf), "dst": memref(shape, target, space=sbuf),
             "col": memref((R, 1), "f32", space=sbuf),
             "repeated": memref(FULL, source, ", strided<[40, 0, 1], offset: 10>", sbuf)}
    x, y, column = memref(FULL, source), memref(shape, target), memref((R, 1), "f32")
    return memrefs.entry(name, [x, x, column, y, column]) + f"""
      func.func private @{name}(%xa: {x}, %xb: {x}, %xc: {column}, %ry: {y} {{trn.result}},
                                %rs: {column} {{trn.result}}) attributes {{trn.kernel}} {{
        %a = trn.alloc offset 0 : {types['src']}
        %b = trn.alloc offset 1024 : {types['src']}
        %y = trn.alloc offset 2048 : {types['dst']}
        %c = trn.alloc offset 3072 : {types['col']}
        %s = trn.alloc offset 3136 : {types['col']}
        trn.dma_copy %xa to %a : {x} to {types['src']}
        trn.dma_copy %xb to %b : {x} to {types['src']}
        trn.dma_copy %xc to %c : {column} to {types['col']}
        trn.dma_copy %xc to %s : {column} to {types['col']}
        {op.format(**types)}
        trn.dma_copy %y to %ry : {types['dst']} to {y}
        trn.dma_copy %s to %rs : {types['col']} to {column}
        return
      }}
"""


def main():
    rng = np.random.default_rng(0)
    raw = [(rng.standard_normal(FULL) * 2).astype(f32) for _ in "ab"]
    for row, value in enumerate(SPECIAL):
        raw[0][row, row % P, row] = value
        raw[1][row + 10, row % P, row] = value
    column = (rng.standard_normal((R, 1)) * 2).astype(f32)
    np.seterr(all="ignore")
    for source, target in (("f32", "f32"), ("bf16", "f32"), ("f16", "bf16"), ("f32", "f16")):
        a, b = (ROUND[source](values) for values in raw)
        module = trn.compile("".join(kernel(f"k{number}", op, shape, source, target)
                                     for number, (op, shape, *_) in enumerate(CASES)))
        for number, (op, shape, function, *sums) in enumerate(CASES):
            full = function(a, b, column).astype(f32)
            y, s = memrefs.store(np.zeros(shape), target), np.zeros((R, 1), f32)
            module[f"run_k{number}"].run(memrefs.store(a, source), memrefs.store(b, source), column, y, s)
            expected = [ROUND[target](full), sums[0](full, column) if sums else column]
            for actual, right in zip([memrefs.load(y, target), s], expected):
                np.testing.assert_array_equal(actual, right, f"{op} from {source} to {target}")
    print(f"{len(CASES)} instructions agree with NumPy")


main()
