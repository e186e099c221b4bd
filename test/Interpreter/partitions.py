"""Instructions that see all values of a partition, or all partitions, give the values that NumPy
gives.

RUN: %trn_python %s
"""

import pathlib
import sys

import numpy as np
import trn_mlir as trn

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import memrefs  # noqa: E402

R, P, Q = 48, 3, 20
F = P * Q
f32 = np.float32
SBUF = ", #trn.mem<sbuf>"


def bf16(values):
    """Rounds f32 to bf16, to nearest even."""
    bits = np.ascontiguousarray(values, dtype=f32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
    return rounded.view(f32)


def fold_partitions(function, x):
    total = x[0]
    for row in x[1:]:
        total = function(total, row).astype(f32)
    return total[None]


def stats(x):
    columns = []
    for half in (x[:, 0::2], x[:, 1::2]):
        half = half.astype(np.float64)
        mean = half.mean(axis=1)
        columns += [np.full(R, half.shape[1]), mean, ((half - mean[:, None]) ** 2).sum(axis=1)]
    return np.stack(columns, axis=1).astype(f32)


def moments(x):
    x = x.astype(np.float64)
    return np.stack([x.mean(axis=1), x.var(axis=1)], axis=1)


def largest(x):
    return -np.sort(-x, axis=1)[:, :8]


def find(x, values, order):
    """Indices of each value, those of equal ones in `order`; one that is not there."""
    result = np.full(values.shape, f32(0xFFFFFFFF))
    for row in range(R):
        taken = {}
        for i in order:
            places = np.flatnonzero(x[row] == values[row, i])
            number = taken.setdefault(float(values[row, i]), 0)
            if number < len(places):
                result[row, i] = places[number]
            taken[float(values[row, i])] += 1
    return result


def replace(x, values, by):
    result = x.copy()
    for row in range(R):
        for value in values[row, ::-1]:
            places = np.flatnonzero(result[row] == value)
            if len(places):
                result[row, places[0]] = by
    return result


def shuffle(x, mask, old=None):
    result = np.empty_like(x) if old is None else old.copy()
    for row in range(R):
        quadrant, i = divmod(row, 32)
        if mask[i] != 255:
            result[row] = x[quadrant * 32 + mask[i]]
    return result


def memref(shape, dtype="f32", space=""):
    return f"memref<{'x'.join(map(str, shape))}x{dtype}{space}>"


def run(body, source, shape, values):
    """Runs `body`, which reads %a (x) and %v (values) and writes %y and %t."""
    x, v, y = memref((R, P, Q), source), memref((R, 8)), memref(shape)
    types = {"x": memref((R, P, Q), source, SBUF), "v": memref((R, 8), "f32", SBUF),
             "y": memref(shape, "f32", SBUF), "six": memref((R, 6), "f32", SBUF),
             "flat": memref((R, F), source, SBUF)}
    module = memrefs.entry("main", [x, v, y, v]) + f"""
      func.func private @main(%xa: {x}, %xv: {v}, %ry: {y} {{trn.result}}, %rt: {v} {{trn.result}})
          attributes {{trn.kernel}} {{
        %a = trn.alloc offset 0 : {types['x']}
        %v = trn.alloc offset 1024 : {types['v']}
        %y = trn.alloc offset 2048 : {types['y']}
        %t = trn.alloc offset 4096 : {types['v']}
        %six = trn.alloc offset 5120 : {types['six']}
        trn.dma_copy %xa to %a : {x} to {types['x']}
        trn.dma_copy %xv to %v : {v} to {types['v']}
        trn.dma_copy %xv to %t : {v} to {types['v']}
        {body.format(**types)}
        trn.dma_copy %y to %ry : {types['y']} to {y}
        trn.dma_copy %t to %rt : {types['v']} to {v}
        return
      }}"""
    y, t = np.zeros(shape, f32), np.zeros((R, 8), f32)
    trn.compile(module)["run_main"].run(memrefs.store(values[0], source), memrefs.store(values[1], "f32"), y, t)
    return y, t


def main():
    rng = np.random.default_rng(0)
    raw = np.round(rng.standard_normal((R, P, Q)) * 40).astype(f32) / f32(4)
    for source, around in (("f32", lambda x: x), ("bf16", bf16),
                           ("f16", lambda x: x.astype(np.float16).astype(f32))):
        x = around(raw).reshape(R, F)
        values = largest(x)
        values[:, 3] = 1000  # not there
        values[:, 6] = values[:, 5]
        inputs = (x.reshape(R, P, Q), values)

        def check(body, shape, expected, second=values, exact=True):
            actual, more = run(body, source, shape, inputs)
            if exact:
                np.testing.assert_array_equal(actual.reshape(expected.shape), expected, body)
            else:
                np.testing.assert_allclose(actual, expected, 1e-6, err_msg=body)
            np.testing.assert_array_equal(more, second, body)

        for name, function in (("add", np.add), ("max", np.maximum)):
            check(f"trn.partition_reduce {name}(%a : {{x}}) into %y : {{y}}", (1, P, Q),
                  fold_partitions(function, x))
        check("trn.bn_stats %a into %y : {x} to {y}", (R, 6), stats(x), exact=False)
        check("trn.bn_stats %a into %six : {x} to {six}\n trn.bn_aggr %six into %y : {six} to {y}",
              (R, 2), moments(x), exact=False)
        check("trn.max8 %a into %y : {x} to {y}", (R, 8), largest(x))
        check("trn.find_index8 data(%a : {x}) values(%v : {v}) into %y : {y}", (R, 8),
              find(x, values, range(8)))
        if source == "f32":
            check("trn.match_replace8 data(%a : {x}) values(%v : {v}) replacement -99.5 "
                  "indices(%t : {v}) into %y : {y}", (R, P, Q), replace(x, values, f32(-99.5)),
                  find(x, values, range(7, -1, -1)))
            rotated = [(i + 5) % 16 for i in range(32)]
            check(f"trn.stream_shuffle %a into %y mask {rotated} : {{x}} to {{y}}", (R, P, Q),
                  shuffle(x, rotated))
            kept = [255 if i % 3 == 0 else (i * 7) % 16 for i in range(32)]
            check(f"trn.memset %y, 2.5 : {{y}} on vector\n"
                  f"trn.stream_shuffle %a into %y mask {kept} : {{x}} to {{y}}", (R, P, Q),
                  shuffle(x, kept, np.full_like(x, 2.5)))
            check(f"trn.stream_shuffle %a into %a mask {rotated} : {{x}} to {{x}}\n"
                  f"trn.tensor_copy %a into %y : {{x}} to {{y}} on vector", (R, P, Q),
                  shuffle(x, rotated))
    print("instructions of whole partitions agree with NumPy")


main()
