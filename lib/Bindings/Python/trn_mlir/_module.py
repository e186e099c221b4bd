# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled modules and their functions."""

from __future__ import annotations

import ctypes
import html
import json
import os
import operator
import pathlib
import re
import weakref
from collections.abc import Iterator, Mapping

import numpy as np

from ._arrays import NAMES, ArrayType, Input, Result
from ._library import Array, ModuleRef, Signature, TrnError, call, library, print_text, ref

_LEVELS = ("tensor", "virtual", "placed")
# What people give where a module is expected.
_FILE_NAME = re.compile(r"[^\n{}()\"]+\.(mlir|mlirbc|bc|txt)")


class Function:
    """A function of a compiled module: `k["name"]`, or the module itself if it has only one."""

    def __init__(self, module: Module, name: str) -> None:
        self._module = module
        self.name = name

    def __repr__(self) -> str:
        inputs, results = self.signature

        def show(types: tuple[ArrayType, ...]) -> str:
            return ", ".join("x".join([*map(str, t.shape), t.dtype]) for t in types)
        return f"<trn_mlir function @{self.name}({show(inputs)}) -> ({show(results)})>"

    @property
    def signature(self) -> tuple[tuple[ArrayType, ...], tuple[ArrayType, ...]]:
        """The types of the inputs and of the results."""
        signature = Signature()
        call("trnModuleGetSignature", self._module._handle, ref(self.name),
             ctypes.byref(signature))
        return (tuple(ArrayType.of(signature.inputs[i], signature.mayWrite[i])
                      for i in range(signature.numInputs)),
                tuple(ArrayType.of(signature.results[i]) for i in range(signature.numResults)))

    def run(self, *inputs: object) -> np.ndarray | tuple[np.ndarray, ...] | None:
        """Runs the function on arrays, or what NumPy makes arrays of, and returns its result; a
        tuple if it has several, None if it has none.

        Floats are rounded to the type of the input, nearest even. A bf16 input takes float
        arrays, `uint16` arrays that hold the bits, and arrays of ml_dtypes' `bfloat16`; a bf16
        result is a float32 array. An input that is a memref is written in place.
        """
        types, result_types = self.signature
        if len(inputs) != len(types):
            raise TrnError(f"@{self.name} has {len(types)} inputs, but {len(inputs)} are given")
        given = [Input(value, to, i) for i, (value, to) in enumerate(zip(inputs, types))]
        results = [Result(of) for of in result_types]
        call("trnModuleRun", self._module._handle, ref(self.name),
             len(given), (Array * len(given))(*(value.array for value in given)),
             len(results), (Array * len(results))(*(value.array for value in results)))
        for value in given:
            value.finish()
        values = tuple(result.values for result in results)
        return values[0] if len(values) == 1 else values or None

    __call__ = run

    def time(self) -> float:
        """The modelled latency in milliseconds."""
        milliseconds = ctypes.c_double()
        call("trnModuleTime", self._module._handle, ref(self.name), ctypes.byref(milliseconds))
        return milliseconds.value

    @property
    def report(self) -> dict:
        """The report of a run, with the keys of docs/Tools.md."""
        reports = self._module._reports
        if self.name not in reports:
            reports[self.name] = print_text("trnModuleReport", self._module._handle,
                                            ref(self.name))
        return json.loads(reports[self.name])

    def html(self, path: str | os.PathLike | None = None) -> str | None:
        """A page with report, timeline and roofline, one file that needs no other: as text, or
        written to `path`."""
        return self._give(print_text("trnModulePage", self._module._handle, ref(self.name)), path)

    @staticmethod
    def _give(page: str, path: str | os.PathLike | None) -> str | None:
        if path is None:
            return page
        pathlib.Path(path).write_text(page, encoding="utf-8")
        return None

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html())}" '
                'style="width: 100%; height: 640px; border: 0"></iframe>')


class Module:
    """A compiled module, as `compile` returns it.

    `k["name"]` is a function of it, and `list(k)` holds their names. A module with one function
    has the methods of that function: `k.run(...)` is `k["main"].run(...)`.
    """

    _function = Function

    def __init__(self, handle: ModuleRef) -> None:
        self._handle = handle
        self._reports: dict[str, str] = {}
        weakref.finalize(self, library.trnModuleDestroy, handle)
        self._functions = {
            name: self._function(self, name) for name in (
                str(library.trnModuleGetFunctionName(handle, i))
                for i in range(library.trnModuleGetNumFunctions(handle)))}

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __getitem__(self, name: str) -> Function:
        if name not in self._functions:
            raise KeyError(f"no function @{name}; functions: {self._names()}")
        return self._functions[name]

    def __repr__(self) -> str:
        return f"<trn_mlir module with {self._names()}>"

    def _names(self) -> str:
        return ", ".join("@" + name for name in self)

    def _only(self) -> Function:
        if len(self._functions) != 1:
            raise TrnError(f"the module has {len(self)} functions, so choose one as k[\"name\"]: "
                           + self._names())
        return next(iter(self._functions.values()))

    @property
    def signature(self) -> tuple[tuple[ArrayType, ...], tuple[ArrayType, ...]]:
        """The types of the inputs and of the results."""
        return self._only().signature

    def run(self, *inputs: object) -> np.ndarray | tuple[np.ndarray, ...] | None:
        """Runs the function; see `Function.run`."""
        return self._only().run(*inputs)

    __call__ = run

    def time(self) -> float:
        """The modelled latency in milliseconds."""
        return self._only().time()

    @property
    def report(self) -> dict:
        """The report of a run, with the keys of docs/Tools.md."""
        return self._only().report

    def html(self, path: str | os.PathLike | None = None) -> str | None:
        """A page with report, timeline and roofline; see `Function.html`."""
        return self._only().html(path)

    def _repr_html_(self) -> str:
        if len(self._functions) != 1:
            return html.escape(repr(self))
        return self._only()._repr_html_()

    @property
    def remarks(self) -> list[str]:
        """What the compiler did by which plan, and what it left alone and why."""
        count = library.trnModuleGetNumRemarks(self._handle)
        return [str(library.trnModuleGetRemark(self._handle, i)) for i in range(count)]

    @property
    def mlir(self) -> str:
        """The program that runs, as MLIR."""
        return self.mlir_at("placed")

    def mlir_at(self, level: str) -> str:
        """The module at a level of its compilation: `tensor` (kernels with their plans),
        `virtual` (instructions on buffers without addresses) or `placed`."""
        return print_text("trnModulePrint", self._handle, _level(level))

    def nki(self) -> str:
        """The kernels as Python for the vendor's compiler: see docs/NKI.md."""
        return print_text("trnModulePrintNKI", self._handle)

    def places_at(self, level: str) -> list[str]:
        """For each line of `mlir_at(level)`, or with level `nki` of `nki()`: where in the source
        it comes from, as "module:LINE:COLUMN", or "" where nothing says so."""
        if level == "nki":
            return print_text("trnModulePrintNKIPlaces", self._handle).splitlines()
        return print_text("trnModulePrintPlaces", self._handle, _level(level)).splitlines()


def _level(level: str) -> int:
    if level not in _LEVELS:
        raise TrnError(f"there is no level {level!r}; levels are {', '.join(_LEVELS)}")
    return _LEVELS.index(level)


def _write(option: str, value: object) -> str:
    """A value as an option of the pipeline."""
    if isinstance(value, Mapping):
        for word in map(str, [*value, *value.values()]):
            if not word or any(character in "=," or character.isspace() for character in word):
                raise TrnError(f"{option} has {word!r}, but names and values have no '=', ',' or "
                               f"blanks: write {option}={{\"NAME\": VALUE, \"NAME\": VALUE}}")
        value = ",".join(f"{name}={size}" for name, size in value.items())
    if isinstance(value, bool):
        return str(value).lower()
    text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    if not any(character.isspace() for character in text):
        return text
    quote = "'" if '"' in text else '"'
    return quote + text + quote


def written_options(options: Mapping[str, object]) -> str:
    """Options of the pipeline as a command line has them; None is none."""
    named = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    return " ".join(f"{name}={_write(name, value)}" for name, value in named.items())


def _read(source: object) -> tuple[str | bytes, str | bytes]:
    """A name and the module itself."""
    if isinstance(source, os.PathLike):
        try:
            return os.fsencode(source), pathlib.Path(source).read_bytes()
        except OSError as problem:
            raise TrnError(f"cannot read {os.fspath(source)!r}: {problem.strerror}") from None
    if not isinstance(source, (str, bytes)):
        raise TrnError(f"a module is text, bytes or a pathlib.Path, not {type(source).__name__}")
    if isinstance(source, str) and _FILE_NAME.fullmatch(source):
        raise TrnError(f"{source!r} is no module, but the name of a file; compile "
                       f"pathlib.Path({source!r})")
    return "module", source


def compile(source: str | bytes | os.PathLike, *,
            machine: str | os.PathLike | None = None,
            specialize: int | str | None = None,
            partition: int | None = None,
            lnc: int | None = None,
            scheme: str | None = None,
            strategy: str | None = None,
            strategy_for: str | None = None,
            transpose: str | None = None,
            output_layout: str | None = None,
            allow_rounding: bool | None = None,
            drop_maxima: bool | None = None,
            block_m: int | None = None,
            block_k: int | None = None,
            block_r: int | None = None,
            block_n: int | None = None,
            blocks: Mapping[str, int] | str | None = None,
            keep: Mapping[str, str] | str | None = None,
            effort: int | None = None,
            plan_cache: str | os.PathLike | None = None) -> Module:
    """Compiles a module: MLIR as text or bytecode, or the path of a file as a `pathlib.Path`.

    The options are those of the pipeline `trn-compile`; what is not given is chosen.
    `machine` is a name or the path of a machine file, `specialize` the size of a dynamic
    dimension of the arguments, or sizes such as "1x128". The weights of a model are split over
    `partition` logical cores of `lnc` cores, which run it together. Plans are kept in the folder
    `plan_cache`, and taken from there.

    >>> k = compile(product(m=128, k=128, n=512, dtype="f32"), machine="trn2", block_m=128)
    >>> k.report["modelled_on"], k.signature[0][0]
    ('trn2', ArrayType(dtype='f32', shape=(128, 128), is_written=False))

    An error holds what the tools print:

    >>> compile(product(m=128, k=128, n=512), strategy="fast")
    Traceback (most recent call last):
    ...
    trn_mlir.TrnError: error: options 'strategy=fast' of the compiler are not ...
    """
    text = written_options({name: value for name, value in locals().items() if name != "source"})
    name, source = _read(source)
    return Module(call("trnModuleCompile", ref(source), ref(name), ref(text)))


def chain(m: int, k: int, r: int, n: int, dtype: str = "bf16") -> str:
    """A module whose function `@main` computes `X[m, k] U[k, r] V[r, n]` in `bf16`, `f16` or
    `f32`.

    >>> chain(m=128, k=256, r=64, n=512).count("linalg.matmul")
    2
    """
    return _generate(m, k, r, n, dtype, needs_rank=True)


def product(m: int, k: int, n: int, dtype: str = "bf16") -> str:
    """A module whose function `@main` computes `X[m, k] W[k, n]`."""
    return _generate(m, k, 0, n, dtype, needs_rank=False)


def _size(name: str, value: object) -> int:
    try:
        size = operator.index(value)
    except TypeError:
        size = None
    if size is None or abs(size) >= 2 ** 63:
        raise TrnError(f"size {name} is {value!r}, but must be a whole number of 64 bits")
    return size


def _generate(m: int, k: int, r: int, n: int, dtype: str, needs_rank: bool) -> str:
    if dtype not in NAMES:
        raise TrnError(f"there is no dtype {dtype!r}; dtypes are bf16, f16 and f32")
    if needs_rank and r == 0:
        raise TrnError("r is 0, but must be positive; product() has no rank")
    sizes = [_size(name, value) for name, value in [("m", m), ("k", k), ("r", r), ("n", n)]]
    return print_text("trnGenerateChain", *sizes, NAMES.index(dtype))
