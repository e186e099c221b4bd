# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judging kernels that may be wrong, slow or hostile, in processes of their own.

One process is started for all: it imports this package and nothing else, and forks for each
candidate, so that a candidate costs what it computes. What it breaks is its own.
"""

from __future__ import annotations

import atexit
import inspect
import itertools
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence

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


class _Worker:
    """The process that forks."""

    def __init__(self) -> None:
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "trn_mlir.nki._worker"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path})
        atexit.register(self.process.kill)

    def ask(self, requests: list[dict], jobs: int) -> list[dict]:
        pickle.dump((jobs, requests), self.process.stdin)
        self.process.stdin.flush()
        return pickle.load(self.process.stdout)


_lock = threading.Lock()
_workers: list[_Worker] = []


def _ask(requests: list[dict], jobs: int) -> list[dict]:
    with _lock:
        if not _workers or _workers[0].process.poll() is not None:
            _workers[:] = [_Worker()]
        try:
            return _workers[0].ask(requests, jobs)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as problem:
            _workers[0].process.kill()
            _workers.clear()
            raise TrnError("the process that evaluates kernels ended: %s" % problem) from None


def _source(kernel: object) -> tuple[str, str, str]:
    """How another process finds a kernel: file, name, text."""
    if isinstance(kernel, str) and "\n" in kernel:
        return "kernel.py", "", kernel
    if isinstance(kernel, str):
        path, separator, name = kernel.rpartition(":")
        return (os.path.abspath(path), name, "") if separator else (os.path.abspath(kernel), "", "")
    function = inspect.unwrap(kernel)
    path = inspect.getsourcefile(function)
    if not path or not os.path.exists(path) or "<locals>" in function.__qualname__:
        raise TrnError("the kernel %s is in no file, and another process evaluates it; give its "
                       "text, or FILE.py:NAME" % function.__qualname__)
    return os.path.abspath(path), function.__qualname__, ""


def _plain(values: object) -> object:
    """What can be sent: arrays as NumPy's."""
    if isinstance(values, Mapping):
        return {key: _plain(value) for key, value in values.items()}
    if isinstance(values, (list, tuple)) and not hasattr(values, "dtype"):
        return type(values)(map(_plain, values)) if type(values) in (list, tuple) else values
    return values


def evaluate(kernel: str | Callable, inputs: Sequence[object] | Mapping[str, object],
             expected: object = None, *, machine: str = "trn2", grid: Sequence[int] = (),
             tolerance: float | None = None, seconds: float = 60,
             memory_mb: int = 8192) -> dict:
    """What a kernel is worth: whether it is legal and right, and how long it takes.

    `kernel` is FILE.py:NAME, a function of a file, or the text of one with one kernel. `inputs`
    are arrays and numbers; `expected` the result or results as arrays, a function of the inputs
    that returns them, or None for no comparison. `tolerance` is relative to the largest value
    expected (1e-5 for float32, 2e-3 for float16, 1e-2 for bfloat16). The kernel may take
    `seconds` of CPU time and `memory_mb`.

    Returns `passed`, `latency_ms` and `range_ms` (modelled; None if it does not run), `rule`,
    `file`, `line` and `message` of what is wrong, `counters` with the names of the vendor's
    profiler, `findings`, and `error`, the largest difference in units of the largest value.
    """
    return _ask([_request(kernel, inputs, expected, machine, grid, tolerance, seconds,
                          memory_mb)], 1)[0]


def rank(kernels: Iterable[str | Callable], inputs: Sequence[object] | Mapping[str, object],
         expected: object = None, *, jobs: int = 2, machine: str = "trn2",
         grid: Sequence[int] = (), tolerance: float | None = None, seconds: float = 60,
         memory_mb: int = 8192) -> list[dict]:
    """Evaluates kernels, `jobs` at a time. What `evaluate` says of each, with `index`, its place
    among `kernels`: those that pass come first, the fastest of them before all."""
    kernels = list(kernels)
    found = _ask([_request(kernel, inputs, expected, machine, grid, tolerance, seconds, memory_mb)
                  for kernel in kernels], max(1, jobs))
    for index, one in enumerate(found):
        one["index"] = index
    return sorted(found, key=lambda one: (not one["passed"], one["latency_ms"] or 0.0,
                                          one["index"]))


def _request(kernel: object, inputs: object, expected: object, machine: str,
             grid: Sequence[int], tolerance: float | None, seconds: float,
             memory_mb: int) -> dict:
    if callable(expected):
        expected = expected(**inputs) if isinstance(inputs, Mapping) else expected(*inputs)
    path, name, text = _source(kernel)
    return {"path": path, "name": name, "text": text, "inputs": _plain(inputs),
            "expected": _plain(expected), "machine": machine, "grid": tuple(grid),
            "tolerance": tolerance, "seconds": seconds, "memory_mb": memory_mb}


def failed(rule: str, message: str, file: str = "", line: int = 0) -> dict:
    """What `evaluate` says of a kernel that does not run."""
    return {"passed": False, "latency_ms": None, "range_ms": None, "rule": rule, "file": file,
            "line": line, "message": message, "counters": {}, "findings": [], "error": None}


def judge(request: dict) -> dict:
    """Evaluates one kernel, in this process."""
    from ._load import find, find_in_text, trace
    from ._rules import explain
    from .._module import compile
    inputs = request["inputs"]
    try:
        kernel = find_in_text(request["text"], request["path"]) if request["text"] else \
            find(request["path"] + (":" + request["name"] if request["name"] else ""))
        module = compile(trace(kernel, inputs, machine=request["machine"],
                               grid=request["grid"]).mlir)
        arrays = list(itertools.chain.from_iterable(
            _arrays(value) for value in (inputs.values() if isinstance(inputs, Mapping)
                                         else inputs)))
        values = module.run(*arrays)
        report = module.report
    except TrnError as problem:
        rule, file, line, message = explain(problem)
        return failed(rule, message, file, line)
    result = failed("", "")
    result.update(passed=True, latency_ms=report["latency_ms"],
                  range_ms=report.get("latency_range_ms"),
                  counters={name: report[ours] for name, ours in COUNTERS.items()
                            if ours in report},
                  findings=report.get("findings", []))
    _compare(result, values, module, request)
    return result


def _arrays(value: object) -> list:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [array for one in value for array in _arrays(one)]
    return [value] if hasattr(value, "shape") and tuple(value.shape) else []


_TOLERANCES = {"f32": 1e-5, "f16": 2e-3, "bf16": 1e-2}


def _compare(result: dict, values: object, module: object, request: dict) -> None:
    expected = request["expected"]
    if expected is None:
        return
    values = values if isinstance(values, tuple) else (values,)
    expected = expected if isinstance(expected, (tuple, list)) else (expected,)
    types = [one.dtype for part in module.signature for one in part]
    tolerance = request["tolerance"]
    if tolerance is None:
        tolerance = max(_TOLERANCES.get(one, 1e-5) for one in types)
    if len(values) != len(expected):
        result.update(passed=False, rule="nki_r10", message="the kernel has %d results, but %d "
                      "are expected" % (len(values), len(expected)))
        return
    worst = 0.0
    for found, wanted in zip(values, expected):
        wanted = np.asarray(wanted, np.float64)
        if found.shape != wanted.shape:
            result.update(passed=False, rule="nki_r10", message="a result has shape %s, but %s is "
                          "expected" % (found.shape, wanted.shape))
            return
        scale = np.abs(wanted).max(initial=0.0) or 1.0
        error = np.abs(found.astype(np.float64) - wanted).max(initial=0.0) / scale
        worst = max(worst, np.inf if np.isnan(error) else float(error))
    result["error"] = worst
    if worst > tolerance:
        result.update(passed=False, rule="nki_r10", message="values differ by %.2g of the largest "
                      "one, and %.2g is allowed" % (worst, tolerance))
