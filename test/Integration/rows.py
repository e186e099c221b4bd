"""Norms, softmax, RoPE and attention in the ways of frontends: they parse, run, and compute what NumPy does.

Inputs/rows/table.csv says what each of them is and which kernels it should become. Most do: what is not there
yet are a projection with RoPE, a cache with a new row, and masks that are tensors of conditions.

    rows.py INPUTS [NAME...]

RUN: %trn_python %s %S/Inputs/rows | FileCheck %s
CHECK: 41 modules compute what NumPy does
CHECK: {{3[89]|4[01]}} of 41 become the kernels of the table
"""

import csv
import pathlib
import re
import sys

import numpy as np
import trn_mlir as trn

inputs = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(inputs))
from oracles import ORACLES, bf16, f16, f32  # noqa: E402

ROUND = {"bf16": bf16, "f16": f16, "f32": f32}
# Of the largest value: what one kernel may differ from NumPy. In bf16 it is one unit in the last place, since
# sums in another order can round the other way.
TOLERANCE = {"bf16": 2**-7, "f16": 2e-3, "f32": 1e-5}
# A product beside a function that has none, which the compiler refuses to compile.
BESIDE = """
func.func @main(%s, %%p: tensor<1x1xf32>) -> (%s, tensor<1x1xf32>) {
  %%r%s = call @rows(%s) : (%s) -> (%s)
  %%zeros = arith.constant dense<0.0> : tensor<1x1xf32>
  %%q = linalg.matmul ins(%%p, %%p : tensor<1x1xf32>, tensor<1x1xf32>)
      outs(%%zeros : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %s, %%q : %s, tensor<1x1xf32>
}
"""


def signature(text):
    """Shape and element type of each argument and result of @main."""
    split = (re.findall(r"tensor<([0-9a-z]+)>", part)
             for part in re.search(r"func @main\((.*)\) -> (.*) \{", text).groups())
    return [[([int(size) for size in name.split("x")[:-1]], name.split("x")[-1]) for name in names]
            for names in split]


def values(name, arguments):
    """Inputs: what turns is in [-1, 1], a mask leaves each row its own column."""
    random = np.random.default_rng(len(name))
    for index, (shape, kind) in enumerate(arguments):
        if name.startswith("mask") and index == 3:
            seen = random.random(shape) < 0.7
            seen |= np.eye(shape[-2], shape[-1], dtype=bool)
            yield seen if kind == "i1" else np.where(seen, 0, ROUND[kind](-3.3e38)).astype(np.float32)
        elif name.startswith("rope") and index >= len(arguments) - 2:
            yield ROUND[kind](np.cos(random.normal(size=shape) * 9))
        elif name.endswith(("product-torch", "product-jax", "product-iree", "qkv-torch")) and len(shape) == 2 and index:
            yield ROUND[kind](random.normal(size=shape) / 16)
        else:
            yield ROUND[kind](random.normal(size=shape))


def run(text, arrays):
    """The results, and how many kernels and host ops compute them."""
    try:
        module = trn.compile(text, effort=1)
    except trn.TrnError as problem:
        return str(problem), None
    found, report = module["main"].run(*arrays), module["main"].report
    found = [np.asarray(one, np.float32) for one in (found if isinstance(found, tuple) else (found,))]
    return found, (len(report["kernels"]), len(report.get("host_ops", [])))


def run_beside(text, arguments, arrays, kinds):
    """As `run`, for what has no product; the kernel of BESIDE is not counted."""
    def spell(values):
        return ["tensor<" + "x".join([*map(str, shape), kind]) + ">" for shape, kind in values]

    names, given, made = [f"%x{index}" for index in range(len(arrays))], spell(arguments), ", ".join(spell(kinds))
    several = len(kinds) > 1
    results = ", ".join(f"%r#{index}" for index in range(len(kinds))) if several else "%r"
    text = text.replace("func @main(", "func private @rows(") + BESIDE % (
        ", ".join(map("{}: {}".format, names, given)), made, f":{len(kinds)}" if several else "", ", ".join(names),
        ", ".join(given), made, results, made)
    found, counts = run(text, [*arrays, np.ones((1, 1), np.float32)])
    return (found[:-1], (counts[0] - 1, counts[1])) if counts else (found, None)


def check(row):
    name = row["file"]
    text = (inputs / f"{name}.mlir").read_text(encoding="utf-8")
    arguments, kinds = signature(text)
    arrays = list(values(name, arguments))
    found, made = run(text, arrays)
    if made is None and "found nothing that it can compile" in found:
        found, made = run_beside(text, arguments, arrays, kinds)
    if made is None:
        sys.exit(f"{name}: {found}")
    expected = ORACLES[name](*arrays)
    for actual, want, (shape, kind) in zip(found, expected if len(kinds) > 1 else [expected], kinds):
        assert actual.shape == want.shape == tuple(shape), (name, actual.shape, want.shape)
        error = abs(actual - want).max() / abs(want).max()
        assert error <= TOLERANCE[kind], (name, error)
    return made == (int(row["kernels"]), 0), made


def main():
    with open(inputs / "table.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["file"] for row in rows} == set(ORACLES) == {path.stem for path in inputs.glob("*.mlir")}
    rows = [row for row in rows if not sys.argv[2:] or row["file"] in sys.argv[2:]]
    compiled = 0
    for row in rows:
        right, (kernels, host_ops) = check(row)
        compiled += right
        print(f"{row['file']:24} {kernels} kernels of {row['kernels']}, {host_ops} host ops")
    print(f"{len(rows)} modules compute what NumPy does")
    print(f"{compiled} of {len(rows)} become the kernels of the table")


main()
