# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a function to a program."""

from __future__ import annotations

import contextlib
import gc
import inspect
import itertools
import os
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from .._library import TrnError
from ._affine import Copied, Unroll
from ._blocks import split_blocks
from ._cores import NO_RESULT, cores_of, results_of_cores
from ._emit import module_of
from ._errors import NkiError
from ._kernel import KernelModule, compile_traced
from ._modules import BETA, CURRENT, Kernel, importable, read_file, read_text
from ._pipeline import pipelined, room_of
from ._recorder import Recorder, sink_allocations
from ._integers import given_bounds, integer_of
from ._state import kept
from ._tensor import Buffer
from ._types import element_of
from ._updates import updated
from ._values import Tensor

_INPUT = re.compile(r"([a-z]\w*)\[([\d, ]*)\]")


class Traced:
    """A kernel as a module of MLIR. `name` is the function to run, `inputs` are the tensors that
    it takes, by their numbers among the `num_arguments` that the kernel is given."""

    def __init__(self, name: str, version: str, machine: str, mlir: str,
                 inputs: Sequence[int] = (), num_arguments: int = 0) -> None:
        self.name, self.version, self.machine, self.mlir = name, version, machine, mlir
        self.inputs, self.num_arguments = list(inputs), num_arguments
        self.unsigned: list[bool] = []  # results that are integers without a sign


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Without searches for cycles: what a trace makes stays until it ends."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_uncollected()
def trace(kernel: Callable, inputs: Mapping[str, object] | Sequence[object], *,
          machine: str = "trn2", version: str | None = None,
          grid: Sequence[int] = (), lnc: int | None = None, pipeline: bool = False) -> Traced:
    """The program of a kernel for `inputs`, by parameter or in their order: arrays, types such as
    "bf16[128, 4096]", and what else the kernel takes as numbers. With `pipeline`, iterations of
    `nl.affine_range` overlap, as the vendor's compiler of beta 1 may do it. With `lnc=2` the two
    programs of a grid run on the two cores of a logical one, as `kernel[2]` does since NKI 0.6."""
    function = kernel.function if isinstance(kernel, Kernel) else inspect.unwrap(kernel)
    version = version or (kernel.version if isinstance(kernel, Kernel) else _version(function))
    grid = tuple(grid) or getattr(kernel, "grid", ())
    place = _place(function)
    cores = cores_of(grid, lnc, version, machine, pipeline, place)
    name = re.sub(r"\W", "_", getattr(function, "__name__", "kernel"), flags=re.ASCII)
    name = name.removesuffix("_kernel") or name  # the function that calls it has none
    traces = []
    for core in range(cores):
        recorder, returned = _record(function, inputs, version, machine,
                                     grid if cores == 1 else (cores,), core, cores)
        traces.append((recorder, returned))
    recorders = [recorder for recorder, _returned in traces]
    results = results_of_cores(recorders, [_results(*one, place) for one in traces], place)
    for recorder in recorders:
        if version == BETA:
            split_blocks(recorder.body, room_of(machine)["sbuf"])
        sink_allocations(recorder.body)
    if pipeline:
        pipelined(recorders[0].body, room_of(machine))
        sink_allocations(recorders[0].body)
    changed = updated(recorders, results)
    inputs = [number for number, buffer in enumerate(recorders[0].arguments)
              if buffer not in results[0] or number in changed]
    text = module_of(recorders, results, name, place, machine_of(machine, version),
                     [recorders[0].arguments[number] for number in changed])
    for recorder in recorders:
        recorder.release()
    traced = Traced(name, version, machine, text, inputs, len(recorders[0].arguments))
    traced.unsigned = [buffer.dtype == "ui32" for buffer in results[0]]
    return traced


def _record(function: Callable, inputs: object, version: str, machine: str, grid: tuple[int, ...],
            core: int, cores: int) -> tuple[Recorder, object]:
    """What one core does, and what the kernel returns there."""
    unrolled: set = set()
    peeled: set = set()
    copied: set = set()
    restore = kept(getattr(function, "__globals__", {}))
    while True:
        restore()
        recorder = Recorder(version, machine, unrolled, peeled, copied)
        recorder.grid, recorder.core, recorder.cores = grid, core, cores
        try:
            return recorder, _run(recorder, function, inputs)
        except Copied as needed:
            copied.add(needed.assigned)
        except Unroll as needed:
            places = {counter.place for counter in needed.loops}
            if places <= unrolled:
                raise NkiError("nki_r8", "the loops of the kernel cannot be followed: %s" %
                               needed) from None
            fresh = places - peeled - unrolled if needed.is_cut else set()
            peeled |= fresh
            unrolled |= places - fresh
        except (Exception, SystemExit) as problem:
            # What is wrong may be an index that was no number: numbers say what is wrong.
            if not recorder.loops:
                raise problem if isinstance(problem, NkiError) else _explained(problem)
            unrolled |= {counter.place for counter in recorder.loops}


def _version(function: Callable) -> str:
    """Of a function that nothing marks: by the modules that its file imports."""
    modules = (value for value in getattr(function, "__globals__", {}).values()
               if isinstance(value, types.ModuleType))
    return BETA if any(one.__name__.startswith("neuronxcc.nki") for one in modules) else CURRENT


def machine_of(name: str, version: str) -> str:
    """The machine as an attribute. What the compiler of beta 1 makes has static descriptors for
    its transfers; later versions let the DMA engines generate them."""
    if name == "trn2" and version == BETA:
        return '#trn.machine<"trn2", {dma_static_descriptors = true}>'
    return '#trn.machine<"%s">' % name


def _place(function: Callable) -> tuple[str, int]:
    """Where a function begins, behind its decorators."""
    code = getattr(function, "__code__", None)
    if code is None:
        return "", 0
    try:
        lines, first = inspect.getsourcelines(code)
    except (OSError, SyntaxError):
        return code.co_filename, code.co_firstlineno
    skipped = next((i for i, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
    return code.co_filename, first + skipped


def _run(recorder: Recorder, function: Callable, inputs: object) -> object:
    Recorder.current = recorder
    Unroll.last = None
    try:
        try:
            arguments, named = _bind(recorder, function, inputs)
        except NkiError as problem:
            raise NkiError(problem.rule, problem.message, _place(function)) from None
        returned, file = None, _place(function)[0]
        folder = os.path.dirname(file) if os.path.exists(file) else ""
        programs = itertools.product(*map(range, recorder.grid)) if recorder.cores == 1 else \
            [(recorder.core,)]
        for ids in programs:
            recorder.program_ids, recorder.num_shared = ids, 0
            with importable(folder=folder):  # some kernels import inside of themselves
                returned = function(*arguments, **named)
        if Unroll.last:  # which the kernel has caught
            raise Unroll.last
        recorder.finish()
        return returned
    finally:
        Recorder.current = None


def _explained(problem: Exception) -> NkiError:
    """An error of Python's as one of a kernel: at the line of the kernel where it came up."""
    frames = [frame for frame in inspect.getinnerframes(problem.__traceback__)
              if not frame.frame.f_globals.get("__name__", "").startswith((__package__, "importlib"))
              and not frame.filename.startswith("<frozen")]
    place = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    if isinstance(problem, MemoryError):
        return NkiError("nki_r11", "reading the kernel takes more memory than it may", place)
    return NkiError("nki_r8", "%s: %s" % (type(problem).__name__, problem), place)


def _bind(recorder: Recorder, function: Callable, inputs: object) -> tuple[list, dict]:
    if isinstance(inputs, Mapping):
        return [], {name: _argument(recorder, name, value) for name, value in inputs.items()}
    names = list(inspect.signature(function).parameters)
    names += ["input%d" % i for i in range(len(names), len(inputs))]
    return [_argument(recorder, name, value) for name, value in zip(names, inputs)], {}


def _argument(recorder: Recorder, name: str, value: object) -> object:
    """A tensor for what has a shape; anything else stays what it is."""
    if isinstance(value, str) and (found := _INPUT.fullmatch(value)):
        shape = tuple(int(size) for size in found[2].split(",") if size.strip())
        return _tensor(recorder, name, shape, found[1])
    if isinstance(value, (list, tuple)) and not hasattr(value, "dtype"):
        return type(value)(_argument(recorder, "%s_%d" % (name, i), one)
                           for i, one in enumerate(value))
    if isinstance(value, dict):
        return {key: _argument(recorder, "%s_%s" % (name, key), one)
                for key, one in value.items()}
    if hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, type) and \
            tuple(value.shape):
        return _tensor(recorder, name, tuple(value.shape), value.dtype)
    return value


def _tensor(recorder: Recorder, name: str, shape: tuple[int, ...], dtype: object) -> Tensor:
    if isinstance(dtype, np.dtype) and dtype == np.uint16:
        dtype = "bfloat16"  # its bits, as elsewhere in this package
    if dtype == np.float64:
        dtype = "float32"
    integer = integer_of(dtype)
    buffer = Buffer(shape, "f32" if integer else element_of(dtype), "hbm", None, name)
    buffer.integer, buffer.bounds = integer, given_bounds(integer, buffer.dtype)
    recorder.arguments.append(buffer)
    return Tensor.of(buffer)


def _results(recorder: Recorder, returned: object,
             place: tuple[str, int]) -> list[Buffer]:
    """What the kernel returns, or writes of what it is given."""
    found: list[Buffer] = []

    def collect(value: object) -> None:
        if isinstance(value, Tensor):
            if value.memory != "hbm":
                raise NkiError("nki_r14", "a kernel returns a tile on chip; store it in a tensor "
                               "of shared_hbm, and return that", place)
            if value.buffer not in recorder.arguments:
                value.buffer.take_shape(value)
            found.append(value.buffer)
        elif isinstance(value, (list, tuple)):
            for one in value:
                collect(one)
        elif isinstance(value, dict):
            collect(list(value.values()))

    collect(returned)
    if not found:
        found = [buffer for buffer in recorder.arguments if buffer in recorder.written]
    if not found and recorder.cores == 1:
        raise NkiError("nki_r14", NO_RESULT, place)
    return list(dict.fromkeys(found))


def load(kernel: str | Callable, inputs: Sequence[object] | Mapping[str, object] = (), *,
         machine: str = "trn2", version: str | None = None, grid: Sequence[int] = (),
         lnc: int | None = None, pipeline: bool = False, replace_vendor: bool = False, oversize: bool = False,
         **named: object) -> KernelModule:
    """Reads a kernel and compiles it: `FILE.py:NAME`, or a function.

    Inputs are those of the kernel, by their names or as one sequence. The file is executed, with
    everything in it. `lnc=2` runs it on the two cores of a logical one. `oversize` times a kernel that needs more memory than there is; its report
    and remarks say that it is not legal, and it has no values.
    """
    traced = trace(find(kernel, replace_vendor), named or inputs, machine=machine,
                   version=version, grid=grid, lnc=lnc, pipeline=pipeline)
    return compile_traced(traced, oversize)


def find_in_text(text: str, name: str = "kernel.py") -> Kernel:
    """The only kernel of a Python text."""
    return _only(read_text(text, name), name)


def _only(module: object, path: str) -> Kernel:
    kernels = {key: value for key, value in vars(module).items() if isinstance(value, Kernel)}
    if len(kernels) != 1:
        raise TrnError("%s has %d kernels; choose one as %s:NAME: %s" %
                       (path, len(kernels), path, ", ".join(kernels) or "none"))
    return next(iter(kernels.values()))


def _module(path: str, replace_vendor: bool) -> types.ModuleType:
    """A file that cannot be imported is an error at its line, or at that of what it imports."""
    try:
        return read_file(path, replace_vendor)
    except SyntaxError as problem:
        raise NkiError("nki_r8", "%s: %s" % (type(problem).__name__, problem.msg),
                       (problem.filename or path, problem.lineno or 0)) from None
    except (Exception, SystemExit) as problem:
        raise problem if isinstance(problem, TrnError) else _explained(problem) from problem


def find(kernel: str | Callable, replace_vendor: bool = False) -> Callable:
    if not isinstance(kernel, str):
        return kernel
    path, separator, name = kernel.rpartition(":")
    if not separator:
        path, name = kernel, ""
    if not os.path.exists(path):
        raise TrnError("there is no file %s; a kernel is FILE.py:NAME" % path)
    module = _module(path, replace_vendor)
    if not name:
        return _only(module, path)
    found = getattr(module, name, None)
    if not callable(found):
        kernels = [key for key, value in vars(module).items() if isinstance(value, Kernel)]
        raise TrnError("%s has no function %s; its kernels are %s" %
                       (path, name, ", ".join(kernels) or "none"))
    return found
