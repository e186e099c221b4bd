# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel that was read: the module that `trn_mlir.compile` would give, with errors in words of
the kernel, and perhaps with more memory than the machine has."""

from __future__ import annotations

import html
import os
import re

import numpy as np

from .._arrays import ArrayType
from .._library import TrnError, call, ref
from .._module import Function, Module
from ._errors import NkiError
from ._rules import OVERFLOW, explain, taught

_TITLE = "not a legal kernel"


def _as_float(value: object, to: ArrayType) -> object:
    """Narrow integers of a kernel are floats here: see _integers.py."""
    is_integer = to.dtype == "f32" and getattr(value, "dtype", np.dtype("f")).kind in "biu"
    return value.astype(np.float32) if is_integer else value


class KernelFunction(Function):
    """The function of a kernel."""

    def run(self, *inputs: object) -> np.ndarray | tuple[np.ndarray, ...] | None:
        """Runs the kernel; see `Function.run`. Tensors that it only writes may be among the
        inputs, and are left as they are."""
        kernel = self._module
        if kernel.excess:
            raise NkiError(kernel.excess.rule, "%s, so that it has no values: %s" %
                           (_TITLE, kernel.excess.message),
                           (kernel.excess.file, kernel.excess.line))
        read = kernel.traced.inputs
        if len(inputs) == kernel.traced.num_arguments:
            inputs = tuple(inputs[index] for index in read)
        types = self.signature[0]
        if len(inputs) == len(types):
            inputs = tuple(map(_as_float, inputs, types))
        try:
            return self._signed(super().run(*inputs))
        except TrnError as problem:
            raise taught(problem, kernel.traced.mlir) from None

    __call__ = run

    def _signed(self, results: object) -> object:
        """With the integers that MLIR's types of tensors do not tell apart."""
        several = results if isinstance(results, tuple) else (results,)
        unsigned = self._module.traced.unsigned or [False] * len(several)
        made = tuple(one.view(np.uint32) if is_unsigned else one
                     for one, is_unsigned in zip(several, unsigned))
        return made if isinstance(results, tuple) else made[0]

    @property
    def report(self) -> dict:
        """The report of a run; `not_a_legal_kernel` says why it is none."""
        report = super().report
        if self._module.excess:
            report["not_a_legal_kernel"] = self._module.excess.message
        return report

    def html(self, path: str | os.PathLike | None = None) -> str | None:
        """See `Function.html`."""
        text = super().html()
        if self._module.excess:
            note = "<p role=\"alert\"><strong>%s</strong>: %s</p>" % (
                _TITLE, html.escape(self._module.excess.message))
            text = re.sub(r"<body[^>]*>", lambda found: found[0] + note, text, count=1)
        return self._give(text, path)


class KernelModule(Module):
    """A kernel as `load` reads it."""

    _function = KernelFunction

    def __init__(self, handle: object, traced: object, excess: object = None) -> None:
        self.traced, self.excess = traced, excess
        super().__init__(handle)

    @property
    def remarks(self) -> list[str]:
        """See `Module.remarks`."""
        said = super().remarks
        if self.excess:
            said.insert(0, "%s:%d: %s: %s" % (self.excess.file, self.excess.line, _TITLE,
                                              self.excess.message))
        return said


def compile_traced(traced: object, oversize: bool = False) -> KernelModule:
    """Compiles a kernel. With `oversize` its machine gets the memory that the kernel needs, and no
    more, since the compiler uses what is there."""
    text, excess = traced.mlir, None
    for _ in range(20 if oversize else 1):
        try:
            return KernelModule(call("trnModuleCompile", ref(text), ref("module"), ref("")),
                                traced, excess)
        except TrnError as problem:
            refused = problem
        found = OVERFLOW.search(str(refused))
        if not oversize or not found:
            break
        excess = excess or explain(refused, traced.mlir)
        text = _enlarged(text, found)
    raise taught(refused, traced.mlir) from None


_MACHINE = re.compile(r"#trn\.machine<(\"\w+\")(?:, \{(.*)\})?>")
_FIELDS = {"sbuf": "sbuf_partition_bytes", "psum": "psum_banks"}


def _enlarged(text: str, overflow: re.Match) -> str:
    """The module for a machine with the memory that was asked for."""
    memory, size, capacity = overflow[1], int(overflow[2]), int(overflow[4])
    size = max(size, capacity + -(-capacity // 16)) if overflow[5] else size

    def larger(found: re.Match) -> str:
        fields = dict(one.split(" = ") for one in (found[2] or "").split(", ") if one)
        fields[_FIELDS[memory]] = str(size)
        return "#trn.machine<%s, {%s}>" % (
            found[1], ", ".join("%s = %s" % item for item in fields.items()))
    return _MACHINE.sub(larger, text, count=1)
