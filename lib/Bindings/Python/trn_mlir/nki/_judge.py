# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is done with one candidate, in a process of its own: `read` gives its program, `run` says
what that is worth."""

from __future__ import annotations

import itertools
import re

import numpy as np

from .._library import TrnError

# Names that users know from the vendor's profiler, and ours.
COUNTERS = {
    "tensor_engine_active_time_percent": "tensor_engine_active_percent",
    "vector_engine_active_time_percent": "vector_engine_active_percent",
    "scalar_engine_active_time_percent": "scalar_engine_active_percent",
    "gpsimd_engine_active_time_percent": "gpsimd_engine_active_percent",
    "dma_active_time_percent": "dma_active_percent",
    "hbm_read_bytes": "hbm_read_bytes",
    "hbm_write_bytes": "hbm_write_bytes",
    "spill_save_bytes": "spill_save_bytes",
    "spill_reload_bytes": "spill_reload_bytes",
    "sbuf_peak_bytes": "sbuf_peak_bytes",
    "psum_peak_banks": "psum_peak_banks",
    "hardware_flops": "executed_flops",
    "model_flops": "flops",
    "transpose_flops": "transpose_flops",
    "mfu_estimated_percent": "mfu_percent",
    "instruction_count": "instructions",
}
_TOLERANCES = {"f32": 1e-5, "f16": 2e-3, "bf16": 1e-2}


def failed(rule: str, message: str, file: str = "", line: int = 0) -> dict:
    """What `evaluate` says of a kernel that does not run."""
    return {"passed": False, "latency_ms": None, "range_ms": None, "rule": rule, "file": file,
            "line": line, "message": message, "counters": {}, "findings": [], "error": None}


def read(common: dict, candidate: tuple[str, str, str]) -> dict:
    """The program of a candidate, or why it has none. Runs its Python."""
    from ._load import find, find_in_text, trace
    from ._rules import explain
    path, name, text = candidate
    try:
        kernel = find_in_text(text, path) if text else find(path + (":" + name if name else ""))
        traced = trace(kernel, common["inputs"], machine=common["machine"], grid=common["grid"],
                       lnc=common["lnc"])
    except TrnError as problem:
        return _refused(explain(problem))
    return {"mlir": traced.mlir, "inputs": traced.inputs}


def run(common: dict, candidate: dict) -> dict:
    """What a program is worth. No Python of the candidate runs here."""
    from ._load import Traced
    from ._kernel import compile_traced
    from ._rules import explain
    if not _is_as_read(candidate["mlir"], common["machine"]):
        return failed("nki_r11", "tells more than the program of a kernel")
    arrays = common["arrays"]
    traced = Traced("", "", "", candidate["mlir"], candidate["inputs"], len(arrays))
    try:
        module = compile_traced(traced)
        values = module.run(*(arrays[index] for index in traced.inputs))
        report = module.report
    except TrnError as problem:
        return _refused(explain(problem, traced.mlir))
    result = failed("", "")
    result.update(passed=True, latency_ms=report["latency_ms"],
                  range_ms=report["latency_range_ms"],
                  counters={name: report[ours] for name, ours in COUNTERS.items()
                            if ours in report},
                  findings=report.get("findings", []))
    if common["expected"] is not None:
        types = [one.dtype for part in module.signature for one in part]
        tolerance = common["tolerance"]
        if tolerance is None:
            tolerance = max(_TOLERANCES.get(one, 1e-5) for one in types)
        _compare(result, values if isinstance(values, tuple) else (values,), common["expected"],
                 tolerance)
    return result


# Names of types come first.
_ALIAS = re.compile(r"!\w+ = memref<[\w<>\[\], :?#.-]+>")
# What Emitter.host writes: such a function computes nothing by itself.
_HOST = re.compile(r"func\.func @|  %\w+ = (bufferization\.to_|memref\.alloc\(\)|"
                   r"arith\.constant )|  call @|  return |\}")
_KERNEL = re.compile(r"\) attributes \{trn\.kernel(, trn\.other_core = @\w+)?\} \{$")


def _is_as_read(mlir: str, machine: str) -> bool:
    """Whether a text may be from the reader. It comes from a process that runs a stranger's Python,
    host code takes no time, and a machine may be fast."""
    from ._load import machine_of
    from ._modules import BETA, CURRENT
    host, *kernels = mlir.split("func.func private @")
    lines = list(itertools.dropwhile(_ALIAS.fullmatch, host.splitlines())) or [""]
    return lines[0] in ("module attributes {trn.machine = %s} {" % machine_of(machine, version)
                        for version in (BETA, CURRENT)) and \
        all(map(_HOST.match, lines[1:])) and len(kernels) <= 2 and \
        all(_KERNEL.search(kernel.split("\n", 1)[0]) and "func.func" not in kernel and
            "trn.machine" not in kernel for kernel in kernels)


def _refused(told: object) -> dict:
    return failed(told.rule or "nki_r8", told.message, told.file, told.line)


def _compare(result: dict, values: tuple, expected: list[np.ndarray], tolerance: float) -> None:
    def refuse(message: str, *arguments: object) -> None:
        result.update(passed=False, rule="nki_r10", message=message % arguments)

    if len(values) != len(expected):
        return refuse("the kernel has %d results, but %d are expected", len(values), len(expected))
    worst = 0.0
    for number, (found, wanted) in enumerate(zip(values, expected)):
        if found.shape != wanted.shape:
            return refuse("result %d has shape %s, but %s is expected", number, found.shape,
                          wanted.shape)
        if found.dtype == np.int32 and wanted.dtype == np.uint32:
            found = found.view(np.uint32)  # programs do not tell which of their results have no sign
        worst = max(worst, _difference(found.astype(np.float64), wanted.astype(np.float64)))
    result["error"] = worst
    if worst > tolerance:
        refuse("values differ by %.2g of the largest one, and %.2g is allowed", worst, tolerance)
    return None


def _difference(found: np.ndarray, wanted: np.ndarray) -> float:
    """The largest one, in units of the largest value; infinite where one alone is finite."""
    is_same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    if not np.isfinite(found[~is_same]).all() or not np.isfinite(wanted[~is_same]).all():
        return float("inf")
    scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0) or 1.0
    return float(np.abs(found[~is_same] - wanted[~is_same]).max(initial=0.0) / scale)
