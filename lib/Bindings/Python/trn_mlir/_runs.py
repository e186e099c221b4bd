# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs, sweeps and comparisons, as `trn-run` does them."""

from __future__ import annotations

import builtins
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._library import TrnError
from ._module import Module, written_options
from ._tools import flags, run_tool

_VERIFIED = re.compile(r"^verify: result (\d+): relative error (\S+), at most (\S+) is allowed$",
                       re.M)


class Run(NamedTuple):
    """What a run gives.

    `results`: arrays in the order of the function's results, `dumps`: arrays by what was asked
    for, `verified`: for each result its relative `error` and what was `allowed`, `report`: the
    keys of docs/Tools.md, `trace`: events for https://ui.perfetto.dev, in microseconds, `text`:
    what the tool prints."""
    results: list[np.ndarray]
    report: dict[str, Any]
    verified: list[dict[str, float]]
    dumps: dict[str, np.ndarray]
    trace: dict[str, Any] | None
    text: str


def _given(source: object) -> tuple[str, str | bytes]:
    """A module as the name of a file and, for a text, what that is read from."""
    if isinstance(source, os.PathLike):
        return os.fspath(source), b""
    if isinstance(source, Module):
        source = source.mlir
    if not isinstance(source, (str, bytes)):
        raise TrnError("a module is text, bytes, a pathlib.Path or a compiled one, not "
                       f"{type(source).__name__}")
    return "-", source


def _argument(value: object, path: pathlib.Path) -> str:
    """An input as the tool takes it: arrays go by files, in a type that has one."""
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return f"@{os.fspath(value)}"
    array = np.asarray(value)
    if array.dtype == np.uint16:  # the bits of a bf16, as elsewhere in this package
        array = (array.astype(np.uint32) << 16).view(np.float32)
    elif array.dtype.name in ("float64", "bfloat16"):
        array = array.astype(np.float32)
    np.save(path, array)
    return f"@{path}"


def _machine(machine: object, folder: pathlib.Path) -> object:
    """A machine of one's own as a file."""
    if not isinstance(machine, Mapping):
        return machine
    path = folder / "machine.json"
    path.write_text(json.dumps(machine), "utf-8")
    return path


def _compile(value: object) -> object:
    return written_options(value) if isinstance(value, Mapping) else value


def run(source: str | bytes | os.PathLike | Module, *arg: object,
        compile: bool | str | Mapping[str, object] = True,
        out: int = 0,
        verify: bool = False,
        dump: Sequence[str] = (),
        trace: bool = False,
        timing_only: bool = False,
        range: bool = False,
        entry: str | None = None,
        machine: str | os.PathLike | Mapping[str, object] | None = None,
        weights: str | os.PathLike | None = None,
        html: str | os.PathLike | None = None,
        plan_cache: str | os.PathLike | None = None,
        threads: int | None = None,
        max_steps: int | None = None,
        load_dialect_plugin: Sequence[str] = (),
        load_pass_plugin: Sequence[str] = ()) -> Run:
    """Runs a module in a process of its own, as `trn-run` does.

    `arg`: inputs in order: arrays, paths of .npy files, "random:SEED" or "zeros"; all random if
    none is given. `compile`: options of `trn.compile` as a dictionary or a text, or False for a
    module that is compiled. `out`: how many results to return. `verify` compares with values
    computed on the host; a result that is too far off is an error. `dump`: buffers of a kernel
    after an iteration, as "yt@0" or "o@1,0",
    or "o" outside of loops. `trace` gives the timeline. `timing_only` computes
    no values. `range` times with constants at the ends of their ranges, too. `machine`: a name, a
    JSON file, or what `trn.machine` returns. `weights`: tensors for arguments with `trn.param`.
    `html`: where to write a page. `max_steps`: instructions and iterations at most.

    >>> import numpy as np, trn_mlir as trn
    >>> x, w = np.full((4, 8), 0.5, np.float32), np.ones((8, 16), np.float32)
    >>> done = trn.run(trn.product(m=4, k=8, n=16), x, w, out=1, verify=True, dump=["o"])
    >>> done.results[0][0, :3], done.verified[0]["error"] <= done.verified[0]["allowed"]
    (array([4., 4., 4.], dtype=float32), True)
    >>> list(done.dumps), done.report["bound_by"]
    (['o'], 'traffic')
    """
    options = dict(entry=entry, verify=verify, timing_only=timing_only, range=range,
                   weights=weights, html=html, plan_cache=plan_cache, threads=threads,
                   max_steps=max_steps, load_dialect_plugin=load_dialect_plugin,
                   load_pass_plugin=load_pass_plugin, compile=_compile(compile))
    file, given = _given(source)
    results = builtins.range(out)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = {what: folder / f"{what}.npy" for what in (*map(str, results), *dump)}
        options.update(
            machine=_machine(machine, folder), report=folder / "report.json",
            trace=folder / "trace.json" if trace else None,
            arg=[_argument(value, folder / f"input{i}.npy") for i, value in enumerate(arg)],
            out=[f"@{paths[str(i)]}" for i in results],
            dump=[f"{what}={paths[what]}" for what in dump])
        text = run_tool("trn-run", [*flags(options), "--", file], given)
        return Run([np.load(paths[str(i)]) for i in results],
                   json.loads((folder / "report.json").read_text("utf-8")),
                   [{"error": float(error), "allowed": float(allowed)}
                    for _, error, allowed in _VERIFIED.findall(text)],
                   {what: np.load(paths[what]) for what in dump},
                   json.loads((folder / "trace.json").read_text("utf-8")) if trace else None, text)


def sweep(source: object, sweep: str | Mapping[str, Sequence[object]], *,
          compile: bool | str | Mapping[str, object] = True,
          range: bool = False,
          entry: str | None = None,
          machine: str | os.PathLike | Mapping[str, object] | None = None,
          join: str | os.PathLike | None = None,
          csv: str | os.PathLike | None = None,
          html: str | os.PathLike | None = None,
          plan_cache: str | os.PathLike | None = None,
          threads: int | None = None,
          max_points: int | None = None,
          max_steps: int | None = None,
          load_dialect_plugin: Sequence[str] = (),
          load_pass_plugin: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Compiles and times a module, or each of several, for every combination of values: options
    of the compiler, sizes `m`, `k`, `r`, `n`, and fields of the machine.

    Each point is a dictionary with its `point`, and the `report` or the `error` of that. `csv`
    and `html` write the table and a page, `join` takes numbers from a CSV beside the points.

    >>> import trn_mlir as trn
    >>> points = trn.sweep(trn.chain(m=128, k=128, r=128, n=512),
    ...                    {"strategy": ["strip-cache", "sequential"], "m": [128, 256]})
    >>> [(one["point"]["m"], one["report"]["launches"]) for one in points]
    [('128', 1), ('256', 1), ('128', 1), ('256', 1)]
    """
    several = source if isinstance(source, (list, tuple)) else [source]
    files, texts = zip(*map(_given, several)) if several else ((), ())
    if files.count("-") > 1:
        raise TrnError("of several modules, one at most can be a text; give the others as a "
                       "pathlib.Path")
    if isinstance(sweep, Mapping):
        sweep = ";".join(f"{name}={','.join(map(str, values))}" for name, values in sweep.items())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        options = dict(sweep=sweep, compile=None if compile is True else _compile(compile),
                       range=range, entry=entry, machine=_machine(machine, folder), join=join,
                       csv=csv, html=html, plan_cache=plan_cache, threads=threads,
                       max_points=max_points, max_steps=max_steps,
                       load_dialect_plugin=load_dialect_plugin, load_pass_plugin=load_pass_plugin,
                       report=folder / "report.json")
        run_tool("trn-run", [*flags(options), "--", *files], b"".join(
            text.encode() if isinstance(text, str) else text for text in texts))
        return json.loads((folder / "report.json").read_text("utf-8"))["sweep"]


def _numbers(report: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for key, value in report.items():
        if isinstance(value, (int, float, str)):
            yield key, value


def compare(*reports: Mapping[str, Any], html: str | os.PathLike | None = None
            ) -> dict[str, list[object]]:
    """Reports side by side: for each key of one, its values in the order of the reports, None
    where one has none. `html` writes a page.

    >>> import trn_mlir as trn
    >>> whole, half = (trn.compile(trn.product(m=m, k=128, n=512)).report for m in (256, 128))
    >>> trn.compare(whole, half)["flops"]
    [33554432, 16777216]
    """
    if len(reports) < 2:
        raise TrnError("comparing needs at least two reports")
    if html is not None:
        with tempfile.TemporaryDirectory() as name:
            paths = [pathlib.Path(name) / f"{i}.json" for i, _ in enumerate(reports)]
            for path, report in zip(paths, reports):
                path.write_text(json.dumps(report), "utf-8")
            run_tool("trn-run", ["--compare", f"--html={os.fspath(html)}", *map(str, paths)])
    keys = dict.fromkeys(key for report in reports for key, _ in _numbers(report))
    return {key: [report.get(key) for report in reports] for key in keys}


def machine(name: str | os.PathLike = "trn1") -> dict[str, Any]:
    """The constants of a machine, each with `value`, `unit` and `source`: to change, and to give
    to `run` and `sweep`.

    >>> roomy = machine("trn2")
    >>> roomy["sbuf_partition_bytes"]["value"] *= 2
    """
    return json.loads(run_tool("trn-run", [f"--machine={os.fspath(name)}", "--print-machine"]))
