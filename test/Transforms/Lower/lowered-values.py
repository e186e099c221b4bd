"""Kernels lowered by the schedules of lower-kernels-*.mlir compute what these say.

RUN: %trn_python %s %S

Inputs are small integers, few of them not 0, so that all sums are exact in bf16, too.
"""

import pathlib
import re
import sys

import numpy as np
import trn_mlir as trn

DIM = re.compile(r"(\w+) = (\d+)(?: of (\w+)(?: from (\d+))?)?")
MATRIX = re.compile(r"(\w+) : (\w+) x (\w+) (\w+)(?: (input|result))?(?: heads of (\d+))?")
STAGE = re.compile(r"(\w+) = (?:transpose (\w+)|(.*))$")
TERM = re.compile(r"(\w+) \* (\w+) over (\w+)")


class Schedule:
    """The graph of `#trn.schedule<...>`."""

    def __init__(self, text):
        lists = dict(re.findall(r"(\w+) = \[(.*?)\](?:, |$)", text))
        self.dims = {name: (int(size), whole or name, int(start or 0))
                     for name, size, whole, start in DIM.findall(lists["dims"])}
        self.matrices = {m[0]: m[1:] for m in MATRIX.findall(lists["matrices"])}
        self.stages = [STAGE.match(text).groups() for text in lists["stages"].split(", ")]

    def of_role(self, role):
        return [name for name, matrix in self.matrices.items() if matrix[3] == role]

    def memref(self, name):
        rows, columns, kind, _, width = self.matrices[name]
        shape = [self.dims[rows][0], self.dims[columns][0]]
        if width:
            shape = [shape[1] // int(width), shape[0], int(width)]
        return f"memref<{'x'.join(map(str, shape))}x{kind}>"

    def shape(self, name):
        return [self.dims[dim][0] for dim in self.matrices[name][:2]]

    def read(self, values, name, over):
        """What a term over `over`, which may be a part, reads of a matrix."""
        size, _, start = self.dims[over]
        if self.matrices[name][0] == over:
            return values[name]
        return values[name][start:start + size]

    def columns(self, values, name, dim):
        size, whole, start = self.dims[dim]
        if self.matrices[name][1] != whole or whole == dim:
            return values[name]
        return values[name][:, start:start + size]

    def compute(self, values):
        """The results, from the inputs."""
        for result, source, sum_ in self.stages:
            if source:
                values[result] = values[source].T
                continue
            rows, columns = self.matrices[result][:2]
            values[result] = sum(
                self.columns({left: self.read(values, left, over)}, left, rows).T
                @ self.columns({right: self.read(values, right, over)}, right, columns)
                for left, right, over in TERM.findall(sum_))
        return [self.stored(values[name], self.matrices[name][4])
                for name in self.of_role("result")]

    @staticmethod
    def stored(value, width):
        """As it lies in HBM, perhaps as heads."""
        return value.reshape(len(value), -1, int(width)).swapaxes(0, 1) if width else value


def entry(name, schedule):
    """A function for trn-run that calls the kernel."""
    inputs, results = schedule.of_role("input"), schedule.of_role("result")
    tensors = {n: schedule.memref(n).replace("memref", "tensor") for n in inputs + results}
    lines = [f"func.func @run_{name}({', '.join(f'%{n}: {tensors[n]}' for n in inputs)}) -> "
             f"({', '.join(tensors[n] for n in results)}) {{"]
    lines += [f"  %{n}_b = bufferization.to_buffer %{n} read_only : {tensors[n]} to "
              f"{schedule.memref(n)}" for n in inputs]
    lines += [f"  %{n}_b = memref.alloc() : {schedule.memref(n)}" for n in results]
    lines += [f"  call @{name}({', '.join(f'%{n}_b' for n in inputs + results)}) : "
              f"({', '.join(schedule.memref(n) for n in inputs + results)}) -> ()"]
    lines += [f"  %{n} = bufferization.to_tensor %{n}_b restrict : {schedule.memref(n)} to "
              f"{tensors[n]}" for n in results]
    lines += [f"  return {', '.join('%' + n for n in results)} : "
              f"{', '.join(tensors[n] for n in results)}", "}"]
    return "\n".join(lines)


count = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("lower-kernels-*.mlir")):
    if "expression" in path.name:  # expression-values.py has these
        continue
    for module in re.split(r"^// -----$", path.read_text(encoding="utf-8"), flags=re.M):
        if "expected-error" in module:
            continue
        text = trn.compile(module).mlir_at("tensor")
        kernels = re.findall(r"@(\w+)\(.*#trn\.schedule<(.*homes = .*?)>", text)
        entries = "\n".join(entry(name, Schedule(said)) for name, said in kernels)
        compiled = trn.compile(re.sub(r"^((?:#.*\n)*module.*\{\n)", lambda m: m[1] + entries + "\n", text))
        for name, said in kernels:
            schedule = Schedule(said)
            rng = np.random.default_rng(count)
            values = {n: rng.choice([-1, 1] + 14 * [0], schedule.shape(n)).astype(np.float32)
                      for n in schedule.of_role("input")}
            inputs = list(values.values())
            expected = schedule.compute(values)
            results = compiled[f"run_{name}"].run(*inputs)
            for got, want in zip(results if len(expected) > 1 else (results,), expected, strict=True):
                if not np.array_equal(got, want):
                    sys.exit(f"{path.name}: @{name} computes something else")
            count += 1
if count < 20:
    sys.exit(f"only {count} kernels were run")
