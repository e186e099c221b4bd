# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judging kernels that may be wrong, slow or hostile, in processes of their own.

Reading a kernel runs its Python; what is read is text. One process is started that reads, and one
that runs what was read: both fork for each candidate, so that what it breaks is its own. The first
has neither inputs nor results, so that no kernel can know what is expected of it.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from .._arrays import ArrayType
from .._library import TrnError
from ._workers import ask


def evaluate(kernel: str | Callable, inputs: Sequence[object] | Mapping[str, object],
             expected: object = None, *, machine: str = "trn2", grid: Sequence[int] = (),
             lnc: int | None = None, tolerance: float | None = None, seconds: float = 60,
             memory_mb: int = 8192) -> dict:
    """What a kernel is worth: whether it is legal and right, and how long it takes.

    `kernel` is FILE.py:NAME, a function of a file, or the text of one with one kernel. `inputs`
    are arrays and numbers, by parameter or in their order; a type such as `trn.bf16(128, 512)`
    stands for random values. `expected` is the result or the results as arrays, a function of the
    inputs that returns them, or None for no comparison. `tolerance` is relative to the largest
    value expected (1e-5 for float32, 2e-3 for float16, 1e-2 for bfloat16). `grid` and `lnc` are
    those of `load`. Reading the kernel and running it may each take `seconds` of CPU time and `memory_mb`.

    Returns `passed`, `latency_ms` and `range_ms` (modelled; None if it does not run), `rule`,
    `file`, `line` and `message` of what is wrong, `counters` with the names of the vendor's
    profiler, `findings`, and `error`, the largest difference in units of the largest value.
    """
    return _evaluate([kernel], inputs, expected, 1, machine, grid, lnc, tolerance, seconds,
                     memory_mb)[0]


def rank(kernels: Iterable[str | Callable], inputs: Sequence[object] | Mapping[str, object],
         expected: object = None, *, jobs: int = 2, machine: str = "trn2",
         grid: Sequence[int] = (), lnc: int | None = None, tolerance: float | None = None,
         seconds: float = 60, memory_mb: int = 8192) -> list[dict]:
    """Evaluates kernels, `jobs` at a time. What `evaluate` says of each, with `index`, its place
    among `kernels`: those that pass come first, the fastest of them before all."""
    found = _evaluate(list(kernels), inputs, expected, max(1, jobs), machine, grid, lnc, tolerance,
                      seconds, memory_mb)
    for index, one in enumerate(found):
        one["index"] = index
    return sorted(found, key=lambda one: (not one["passed"], one["latency_ms"] or 0.0,
                                          one["index"]))


def _evaluate(kernels: list, inputs: object, expected: object, jobs: int, machine: str,
              grid: Sequence[int], lnc: int | None, tolerance: float | None, seconds: float,
              memory_mb: int) -> list[dict]:
    inputs = _filled(inputs)
    if callable(expected):
        expected = expected(**inputs) if isinstance(inputs, Mapping) else expected(*inputs)
    limits = {"seconds": seconds, "memory_mb": memory_mb}
    read = ask("read", {"inputs": _outline(inputs), "machine": machine, "grid": tuple(grid),
                        "lnc": lnc}, [_source(kernel) for kernel in kernels], jobs, limits)
    right = [one for one in read if "mlir" in one]
    common = {"arrays": arrays_of(inputs), "expected": _arrays_or_none(expected),
              "tolerance": tolerance, "machine": machine}
    ran = iter(ask("run", common, right, jobs, limits) if right else [])
    return [next(ran) if "mlir" in one else one for one in read]


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


def _mapped(function: Callable, value: object) -> object:
    """`function` of all that has a shape in what a kernel is given."""
    if isinstance(value, Mapping):
        return {key: _mapped(function, one) for key, one in value.items()}
    if hasattr(value, "shape") and hasattr(value, "dtype") and tuple(value.shape):
        return function(value)
    if isinstance(value, (list, tuple)):
        return [_mapped(function, one) for one in value]
    return value


def _filled(inputs: object) -> object:
    rng = np.random.default_rng(0)

    def fill(value: object) -> object:
        if not isinstance(value, ArrayType):
            return value
        if "int" in value.dtype or value.dtype in ("i32", "ui32"):
            return rng.integers(0, 2, value.shape, np.int32)  # indices of almost everything
        return rng.standard_normal(value.shape, np.float32)
    return _mapped(fill, inputs)


def _outline(inputs: object) -> object:
    """Types for arrays."""
    return _mapped(lambda value: ArrayType(_spelled(value.dtype), tuple(value.shape)), inputs)


def _spelled(dtype: object) -> str:
    name = getattr(dtype, "name", None) or str(dtype).rsplit(".", 1)[-1]
    return {"uint16": "bfloat16", "float64": "float32"}.get(name, name)


def arrays_of(value: object) -> list[np.ndarray]:
    """The tensors that a kernel is given, in the order of its parameters."""
    found: list[np.ndarray] = []
    _mapped(lambda one: found.append(np.asarray(one)), value)
    return found


def _arrays_or_none(expected: object) -> list[np.ndarray] | None:
    if expected is None:
        return None
    several = expected if isinstance(expected, (list, tuple)) else (expected,)
    return [np.asarray(one) for one in several]
