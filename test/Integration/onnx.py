"""Cases of the ONNX backend tests, written as linalg, give the values that ONNX expects.

MatMul of any rank, Gemm, Mul and Sigmoid in floats, two Linear layers of torch, and a batch
of products by Einsum, rounded to f32. Products must be in kernels, and nothing but Mul and
Sigmoid by themselves may stay on the host. The data is optional; where it is absent, this
test is reported as unsupported because `trn-data` is missing.

REQUIRES: trn-data
RUN: %python %s %t | FileCheck %s
CHECK: 22 of 22 cases
"""

import json
import os
import pathlib
import string
import subprocess
import sys

import numpy as np

DATA = pathlib.Path(os.environ["TRN_DATA_DIR"], "onnx-node")
TYPES = {"float32": "<f4", "float64": "<f8"}


class Writer:
    """A module: each value is a name and a shape."""

    def __init__(self):
        self.lines, self.products = [], 0

    def put(self, text, shape):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name, tuple(shape)

    def constant(self, value, shape):
        return self.put(f"arith.constant dense<{value:.9e}> : {tensor(shape)}", shape)

    def product(self, a, b, axes, init=None):
        """An einsum of two operands: `bij,bjk->bik`."""
        inputs, result = axes.replace(" ", "").split("->")
        left, right = inputs.split(",")
        sizes = dict(zip(left + right, a[1] + b[1]))
        shape = [sizes[axis] for axis in result]
        out = init or self.constant(0, shape)
        maps = ", ".join(affine_map(left + right, part) for part in (left, right, result))
        self.products += 1
        return self.put(f"linalg.contract indexing_maps = [{maps}] ins({a[0]}, {b[0]} : "
                        f"{tensor(a[1])}, {tensor(b[1])}) outs({out[0]} : {tensor(shape)}) "
                        f"-> {tensor(shape)}", shape)

    def elementwise(self, shape, operands, body):
        """`operands` are broadcast as NumPy does; `body` computes %r of %a, %b."""
        axes = string.ascii_lowercase[:len(shape)]
        maps, names = [], string.ascii_lowercase
        for _, own in operands:
            last = axes[len(axes) - len(own):]
            maps.append([axis if size != 1 or shape[axes.index(axis)] == 1 else "0"
                         for axis, size in zip(last, own)])
        loops = ", ".join(axes)
        printed = ", ".join(f"affine_map<({loops}) -> ({', '.join(m)})>" for m in [*maps, axes])
        empty = self.put(f"tensor.empty() : {tensor(shape)}", shape)
        kinds = ", ".join(['"parallel"'] * len(shape))
        arguments = "".join(f"%{name}: f32, " for name, _ in zip(names, operands))
        return self.put(
            f"linalg.generic {{indexing_maps = [{printed}], iterator_types = [{kinds}]}} "
            f"ins({', '.join(o[0] for o in operands)} : {', '.join(tensor(o[1]) for o in operands)}) "
            f"outs({empty[0]} : {tensor(shape)}) {{\n  ^bb0({arguments}%o: f32):\n    "
            + "\n    ".join(body) + f"\n    linalg.yield %r : f32\n  }} -> {tensor(shape)}", shape)

    # The ops of the cases.

    def Gemm(self, a, b, c=None, alpha=1.0, beta=1.0, transA=0, transB=0, broadcast=1):
        y = self.product(a, b, ("ki" if transA else "ik") + "," + ("jk" if transB else "kj") + "->ij")
        if c is None:
            return y
        body = [f"%p = arith.constant {alpha:.9e} : f32", "%s = arith.mulf %a, %p : f32",
                f"%q = arith.constant {beta:.9e} : f32", "%t = arith.mulf %b, %q : f32",
                "%r = arith.addf %s, %t : f32"]
        return self.elementwise(y[1], [y, c], body)

    def MatMul(self, a, b):
        batch = string.ascii_lowercase[:len(a[1]) - 2]
        return self.product(a, b, f"{batch}xy,{batch}yz->{batch}xz")

    def Einsum(self, a, b, equation):
        return self.product(a, b, equation)

    def Transpose(self, x, perm):
        shape = [x[1][axis] for axis in perm]
        empty = self.put(f"tensor.empty() : {tensor(shape)}", shape)
        return self.put(f"linalg.transpose ins({x[0]} : {tensor(x[1])}) outs({empty[0]} : "
                        f"{tensor(shape)}) permutation = {perm}", shape)

    def Mul(self, a, b):
        return self.elementwise(np.broadcast_shapes(a[1], b[1]), [a, b], ["%r = arith.mulf %a, %b : f32"])

    def Sigmoid(self, x):
        return self.elementwise(x[1], [x], [
            "%one = arith.constant 1.0 : f32", "%n = arith.negf %a : f32", "%e = math.exp %n : f32",
            "%d = arith.addf %e, %one : f32", "%r = arith.divf %one, %d : f32"])


def tensor(shape):
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def affine_map(axes, results):
    loops = ", ".join(dict.fromkeys(axes))
    return f"affine_map<({loops}) -> ({', '.join(results)})>"


def read(entry):
    return np.fromfile(DATA / entry["file"], TYPES[entry["dtype"]]).reshape(entry["shape"])


def run(case, stem):
    """An error, or nothing."""
    given = [t for t in case["tensors"] if "/output_" not in t["file"]]
    expected = [read(t) for t in case["tensors"] if "/output_" in t["file"]]
    names = dict.fromkeys(name for node in case["graph"] for name in node["inputs"])
    made = {name for node in case["graph"] for name in node["outputs"]}
    names = [name for name in names if name not in made]
    named = {t["name"]: t for t in given if t["name"]}
    rest = iter([t for t in given if not t["name"]])
    given = [named[name] if name in named else next(rest) for name in names]

    writer, values, command = Writer(), {}, []
    arguments = []
    for i, (name, entry) in enumerate(zip(names, given)):
        values[name] = f"%arg{i}", tuple(entry["shape"])
        arguments.append(f"%arg{i}: {tensor(entry['shape'])}")
        np.save(f"{stem}.{i}.npy", read(entry).astype(np.float32))
        command.append(f"--arg=@{stem}.{i}.npy")
    for node in case["graph"]:
        values[node["outputs"][0]] = getattr(writer, node["op"])(
            *(values[name] for name in node["inputs"]), **node["attrs"])
    alone = writer.products == 0
    result, shape = values[case["graph"][-1]["outputs"][0]]
    results = f"{tensor(shape)}"
    returned = result
    if alone:  # a module that is compiled has a product
        one = writer.product(writer.constant(1, (1, 1)), writer.constant(1, (1, 1)), "ik,kj->ij")
        results, returned = f"({results}, tensor<1x1xf32>)", f"{result}, {one[0]}"
        command.append(f"--out=@{stem}.out.npy")
    command.append(f"--out=@{stem}.{'one' if alone else 'out'}.npy")
    types = results.strip("()")
    module = "\n".join([f"func.func @main({', '.join(arguments)}) -> {results} {{", *writer.lines,
                        f"  return {returned} : {types}", "}"])
    pathlib.Path(f"{stem}.mlir").write_text(module + "\n")
    done = subprocess.run(["trn-run", f"{stem}.mlir", "--compile=effort=1", "--verify",
                           f"--report={stem}.json", *command], capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    report = json.loads(pathlib.Path(f"{stem}.json").read_text())
    if not alone and report["host_ops"]:
        return f"on the host: {report['host_ops']}"
    actual = np.load(f"{stem}.out.npy")
    if actual.shape != expected[0].shape:
        return f"the result is {actual.shape}, but should be {expected[0].shape}"
    error = np.linalg.norm(actual - expected[0]) / np.linalg.norm(expected[0])
    return "" if error <= 1e-5 else f"relative error {error}"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = [case for case in json.loads((DATA / "index.json").read_text())
             if all(t["dtype"] in TYPES for t in case["tensors"])]
    good = 0
    for case in cases:
        problem = run(case, folder / case["name"])
        good += not problem
        if problem:
            print(f"{case['name']}: {problem}")
    print(f"{good} of {len(cases)} cases")


if __name__ == "__main__":
    main()
