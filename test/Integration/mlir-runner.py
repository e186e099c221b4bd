"""Compiled chains give the values of upstream's own lowering, bit by bit.

Operands are small integers: products and sums are exact in f32, and the one
rounding of the intermediate is the same on both roads.

RUN: %python %s %t
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

LOWERING = [
    "--convert-elementwise-to-linalg",
    "--one-shot-bufferize=bufferize-function-boundaries",
    "--convert-linalg-to-loops", "--convert-scf-to-cf", "--expand-strided-metadata",
    "--lower-affine", "--arith-expand=include-bf16=true", "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm", "--convert-func-to-llvm", "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts"]

# sizes m, k, r (0: a single product), n; type; flags of trn-gen; options
CASES = [
    ((5, 7, 3, 9), "f32", [], "strategy=strip-cache"),
    ((5, 7, 3, 9), "bf16", ["--transposed-input"], "strategy=recompute"),
    ((33, 130, 40, 17), "bf16", ["--transposed-output"], "transpose=explicit"),
    ((130, 20, 129, 31), "bf16", [], "strategy=sequential block-m=128"),
    ((1, 1, 1, 1), "f32", [], ""),
    ((140, 30, 0, 45), "bf16", ["--transposed-input"], "block-m=128"),
]


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def tensor(shape, dtype):
    return f"tensor<{shape[0]}x{shape[1]}x{dtype}>"


def wrap(module, inputs, result, dtype):
    """Adds a function that calls @main on constants and prints the result."""
    lines = ["func.func private @printMemrefF32(tensor<*xf32>)", "func.func @entry() {"]
    for i, value in enumerate(inputs):
        rows = ", ".join("[" + ", ".join(f"{x:.1f}" for x in row) + "]" for row in value)
        lines.append(f"%i{i} = arith.constant dense<[{rows}]> : {tensor(value.shape, dtype)}")
    names = ", ".join(f"%i{i}" for i in range(len(inputs)))
    types = ", ".join(tensor(value.shape, dtype) for value in inputs)
    lines.append(f"%r = func.call @main({names}) : ({types}) -> {tensor(result, dtype)}")
    wide = "%r"
    if dtype != "f32":
        wide = "%w"
        lines.append(f"%w = arith.extf %r : {tensor(result, dtype)} to {tensor(result, 'f32')}")
    lines += [f"%u = tensor.cast {wide} : {tensor(result, 'f32')} to tensor<*xf32>",
              "func.call @printMemrefF32(%u) : (tensor<*xf32>) -> ()", "return", "}"]
    body, _, end = module.rstrip().rpartition("}")
    return "\n".join([body, *lines, "}" + end])


def upstream(module, inputs, result, dtype):
    libraries = run(["llvm-config", "--libdir"]).strip() + "/lib"
    lowered = run(["mlir-opt", *LOWERING], wrap(module, inputs, result, dtype))
    printed = run(["mlir-runner", "-e", "entry", "--entry-point-result=void",
                   f"--shared-libs={libraries}mlir_runner_utils.so",
                   f"--shared-libs={libraries}mlir_c_runner_utils.so"], lowered)
    data = printed.partition("data =")[2]
    numbers = re.findall(r"-?[0-9]+\.?[0-9]*(?:e[+-]?[0-9]+)?", data)
    return np.array(numbers, dtype=np.float64).reshape(result)


def main():
    stem = pathlib.Path(sys.argv[1])
    for number, ((m, k, r, n), dtype, flags, options) in enumerate(CASES):
        rng = np.random.default_rng(number)
        shapes = [(m, k), (k, r), (r, n)] if r else [(m, k), (k, n)]
        inputs = [rng.integers(-2, 3, shape).astype(np.float32) for shape in shapes]
        if "--transposed-input" in flags:
            inputs[0] = inputs[0].T.copy()
        result = (n, m) if "--transposed-output" in flags else (m, n)
        sizes = [f"--m={m}", f"--k={k}", f"--n={n}"] + ([f"--r={r}"] if r else [])
        module = run(["trn-gen", "xuv" if r else "xw", *sizes, f"--dtype={dtype}", *flags])

        paths = [f"{stem}.{number}.{i}.npy" for i in range(len(inputs))]
        for path, value in zip(paths, inputs):
            np.save(path, value)
        output = f"{stem}.{number}.out.npy"
        run(["trn-run", "-", f"--compile=effort=1 {options}", f"--out=@{output}",
             *(f"--arg=@{path}" for path in paths)], module)
        # Six digits are printed: enough for the integers that occur here.
        np.testing.assert_array_equal(
            np.load(output), upstream(module, inputs, result, dtype), f"case {number}")
    print(f"{len(CASES)} cases agree with mlir-runner")


main()
