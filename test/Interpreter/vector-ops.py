"""Instructions of VectorE and GpSimd give the values that NumPy gives, special ones included.

RUN: %trn_python %s
"""

import pathlib
import sys

import numpy as np
import trn_mlir as trn

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import memrefs  # noqa: E402

ROWS, COLUMNS = 37, 41
SPECIAL = [0.0, -0.0, 1.0, -3.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 3e38, 0.1]


def bf16(values):
    """Rounds f32 to bf16, to nearest even."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
    return np.where(np.isnan(values), np.float32(np.nan), rounded.view(np.float32))


ROUND = {"f32": lambda v: v.astype(np.float32), "bf16": bf16,
         "f16": lambda v: v.astype(np.float16).astype(np.float32)}


def fold(function):
    def column(values):
        total = values[:, :1].copy()
        for i in range(1, values.shape[1]):
            total = function(total, values[:, i:i + 1]).astype(np.float32)
        return total
    return column


# op, with the types filled in; columns of its result; what NumPy computes
OPS = [
    ("trn.reciprocal %a into %b : {src} to {dst}", COLUMNS, lambda v: np.float32(1) / v),
    ("trn.tensor_reduce add(%a : {src}) into %b : {dst}", 1, fold(np.add)),
    ("trn.tensor_reduce max(%a : {src}) into %b : {dst}", 1, fold(np.maximum)),
    ("trn.tensor_reduce min(%a : {src}) into %b : {dst}", 1, fold(np.minimum)),
    ("""trn.memset %b, 7.0 : {dst} on vector
        trn.select if(%a : {src}) then(%b : {dst}) else(%a : {src}) into %b : {dst}""",
     COLUMNS, lambda v: np.where(v != 0, np.float32(7), v)),
    ("trn.iota %b start -5 step 3 partition_step -100 : {dst}", COLUMNS,
     lambda v: (-5 - 100 * np.arange(ROWS)[:, None] + 3 * np.arange(COLUMNS)[None])
     .astype(np.float32)),
    # The products alone are beyond what f32 holds exactly.
    ("trn.iota %b start -16777216 step 818401 : {dst}", COLUMNS,
     lambda v: np.broadcast_to((-2**24 + 818401 * np.arange(COLUMNS)).astype(np.float32), (ROWS, COLUMNS))),
]


def memref(columns, dtype, space=""):
    return f"memref<{ROWS}x{columns}x{dtype}{space}>"


def kernel(name, op, columns, source, target):
    """With the function that calls it."""
    tiles = {"src": memref(COLUMNS, source, ", #trn.mem<sbuf>"),
             "dst": memref(columns, target, ", #trn.mem<sbuf>")}
    x, y = memref(COLUMNS, source), memref(columns, target)
    return memrefs.entry(name, [x, y]) + f"""
      func.func private @{name}(%x: {x}, %y: {y} {{trn.result}}) attributes {{trn.kernel}} {{
        %a = trn.alloc offset 0 : {tiles['src']}
        %b = trn.alloc offset 1024 : {tiles['dst']}
        trn.dma_copy %x to %a : {x} to {tiles['src']}
        {op.format(**tiles)}
        trn.dma_copy %b to %y : {tiles['dst']} to {y}
        return
      }}
"""


def main():
    rng = np.random.default_rng(0)
    raw = (rng.standard_normal((ROWS, COLUMNS)) * 8).astype(np.float32)
    for row, value in enumerate(SPECIAL):
        raw[row, row] = value
    np.seterr(all="ignore")
    for source in ROUND:
        values = ROUND[source](raw)
        for target in ROUND:
            module = trn.compile("".join(kernel(f"k{number}", op, columns, source, target)
                                         for number, (op, columns, _) in enumerate(OPS)))
            for number, (op, columns, function) in enumerate(OPS):
                expected = ROUND[target](function(values))
                written = memrefs.store(np.zeros((ROWS, columns)), target)
                module[f"run_k{number}"].run(memrefs.store(values, source), written)
                actual = memrefs.load(written, target)
                case = f"{op} from {source} to {target}"
                np.testing.assert_array_equal(actual, expected, case)
                zero = expected == 0
                np.testing.assert_array_equal(np.signbit(actual[zero]),
                                              np.signbit(expected[zero]), case)
    print(f"{len(OPS)} ops agree with NumPy")


main()
