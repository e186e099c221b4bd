"""Beside other kernels of a launch, what is streamed has more slots: with the same values, and the launch takes less time
than with the plans that are best for each kernel alone.

RUN: trn-gen layer --m=1 --context=128 --hidden=1024 --heads=8 --intermediate=4096 -o %t.mlir
RUN: trn-run %t.mlir --compile=effort=20 --verify | FileCheck %s
RUN: trn-gen xw --m=1 --k=1024 --n=1024 -o %t.alone.mlir
RUN: %python %s %t.mlir %t.alone.mlir

CHECK: verify: result 0: relative error
"""

import json
import re
import subprocess
import sys

BESIDE = "beside other kernels of a launch: "


def compile_plans(module, machine):
    """The module with plans, and by kernel: the plan alone and, if it has another one, the one in the launch."""
    done = subprocess.run(
        ["trn-opt", module, f"--trn-compile=effort=20 machine={machine}", "-o", "/dev/null", "--mlir-disable-threading",
         "--mlir-print-ir-after=trn-plan-kernels", "--mlir-print-ir-module-scope", "--remark-format=emitRemark",
         "--remarks-filter=trn-plan-kernels"], check=True, capture_output=True, text=True).stderr
    plans = {}
    for kernel, plan in re.findall(rf'Function=(\w+) \| Remark="((?:{BESIDE})?nests = [^"]*)"', done):
        plans.setdefault(kernel, []).append(plan.removeprefix(BESIDE))
    planned = done[done.index("// -----// IR Dump"):]
    return "\n".join(line for line in planned.split("\n") if "remark: " not in line), plans


def run(text, machine, file):
    open(file, "w", encoding="utf-8").write(text)
    subprocess.run(["trn-run", file, "--compile=effort=1", f"--machine={machine}", "--timing-only", f"--report={file}.json"],
                   check=True, capture_output=True)
    return json.load(open(file + ".json", encoding="utf-8"))


module, alone = sys.argv[1:]
for machine in "trn1", "trn2":
    planned, plans = compile_plans(module, machine)
    changed = {kernel: both for kernel, both in plans.items() if len(both) > 1}
    assert len(changed) >= 2, plans
    before = planned
    for first, beside in changed.values():
        assert re.sub(r"slots \d+", "", first) == re.sub(r"slots \d+", "", beside)
        assert beside in before
        before = before.replace(beside, first)
    deep = run(planned, machine, module + ".deep.mlir")
    flat = run(before, machine, module + ".flat.mlir")
    assert deep["latency_ms"] < 0.99 * flat["latency_ms"], (machine, deep["latency_ms"], flat["latency_ms"])
    # A kernel that is alone has the plan that is best for it.
    assert all(len(known) == 1 for known in compile_plans(alone, machine)[1].values())
