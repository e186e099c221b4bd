# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace as text of MLIR: a kernel, and a function that calls it."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ._affine import Condition, Index, LoopCounter
from ._recorder import Alloc, Block, Instruction, Loop, Recorder
from ._tensor import Buffer, View

_PREDICATES = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}


def _memref(shape: tuple[int, ...], dtype: str, memory: str, strides: list[int] | None = None,
            offset: int | None = 0) -> str:
    text = "x".join([*map(str, shape), dtype])
    if strides is not None:
        text += ", strided<[%s]%s>" % (", ".join(map(str, strides)),
                                       ", offset: ?" if offset is None else
                                       ", offset: %d" % offset if offset else "")
    if memory:
        text += ", #trn.mem<%s>" % memory
    return "memref<%s>" % text


def _quoted(text: str) -> str:
    return '"%s"' % "".join(
        one if one.isprintable() and one not in '"\\' else
        "".join("\\%02X" % byte for byte in one.encode("utf-8", "surrogatepass"))
        for one in text)


@functools.lru_cache(maxsize=4096)
def location(place: tuple[str, int] | None, name: str = "") -> str:
    """Where something stands, and what it is called, behind an op or an argument."""
    if not place or not place[0]:
        return " loc(%s)" % _quoted(name) if name else ""
    at = "%s:%d:0" % (_quoted(place[0]), place[1])
    return " loc(%s(%s))" % (_quoted(name), at) if name else " loc(%s)" % at


class _Shown(NamedTuple):
    """A view in the text of an instruction."""
    name: str
    type: str


_MARK = re.compile(r"\{(\d+)(:t)?\}")


@functools.lru_cache(maxsize=1024)
def _template(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text of an instruction as a format of `%`, and what it takes: `{0}` is the name of a
    view, `{0:t}` its type."""
    marks = tuple((int(found[1]), 1 if found[2] else 0) for found in _MARK.finditer(text))
    return _MARK.sub("%s", text.replace("%", "%%")), marks


@functools.lru_cache(maxsize=1024)
def _stem(name: str) -> str:
    """The part of an SSA name before its number."""
    stem = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not stem or stem[0].isdigit():
        stem = "v" + stem
    return re.sub(r"(_\d+)+$", "", stem) or "v"


class _Scope:
    """Views and indices of a block, by what they are: each is written once."""

    def __init__(self) -> None:
        self.views: dict[tuple, _Shown] = {}
        self.indices: dict[tuple, str] = {}


class Emitter:
    def __init__(self, recorder: Recorder, name: str, place: tuple[str, int]) -> None:
        self.recorder, self.name, self.place = recorder, name, place
        self.lines: list[str] = []
        self.names: dict[Buffer, str] = {}
        self.stems: dict[Buffer, str] = {}  # of their names
        self.wholes: dict[Buffer, _Shown] = {}  # all of a buffer
        self.forms: dict[tuple, tuple[str, str]] = {}  # of views, and their types
        self.types: dict[Buffer, str] = {}
        self.taken: dict[str, int] = {}
        self.counters: dict[LoopCounter, str] = {}
        self.bound: set[Buffer] = set()  # to arguments of the kernel
        self.aliases: dict[str, str] = {}  # of types
        self.numbers: dict[int, str] = {}  # constants of the kernel
        self.scopes = [_Scope()]

    # Text.

    def line(self, text: str, place: tuple[str, int] | None = None, name: str = "") -> None:
        self.lines.append("  " * len(self.scopes) + text + location(place, name))

    def fresh(self, stem: str) -> str:
        """An SSA name that nobody has: `%x`, `%x_1` and so on."""
        stem = _stem(stem)
        count = self.taken.get(stem, 0)
        self.taken[stem] = count + 1
        return "%%%s_%d" % (stem, count) if count else "%" + stem

    def name_buffer(self, buffer: Buffer, stem: str) -> str:
        """A buffer of a loop that is there twice, as its outer loop was unrolled, has two names."""
        self.wholes.pop(buffer, None)
        self.stems[buffer] = stem
        name = self.names[buffer] = self.fresh(stem)
        return name

    def whole(self, buffer: Buffer) -> _Shown:
        found = self.wholes.get(buffer)
        if found is None:
            found = self.wholes[buffer] = _Shown(self.names[buffer], self.type(buffer))
        return found

    def number(self, value: int) -> str:
        """A constant, which stands at the head of the kernel."""
        if value not in self.numbers:
            self.numbers[value] = self.fresh("c")
        return self.numbers[value]

    def alias(self, memory: str, type_: str) -> str:
        """A type of the kernel, which is spelled once: `!sbuf_0`, `!sbuf_1` and so on."""
        name = self.aliases.get(type_)
        if name is None:
            name = self.aliases[type_] = "!%s_%d" % (memory, len(self.aliases))
        return name

    # The module.

    def kernel(self, results: list[Buffer], suffix: str = "", other: str = "") -> list[str]:
        """The kernel as lines; `other` is what the other core of a logical one runs."""
        arguments = [(buffer, "") for buffer in self.recorder.arguments
                     if buffer not in results]
        arguments += [(buffer, "") for buffer, _values in self.recorder.constants]
        arguments += [(buffer, " {trn.result}") for buffer in results]
        self.bound = {buffer for buffer, _mark in arguments}
        spelled = []
        for number, (buffer, mark) in enumerate(arguments):
            name = self.name_buffer(buffer, buffer.name or "arg%d" % number)
            spelled.append("%s: %s%s%s" % (name, self.spelled(buffer), mark,
                                           location(self.place, buffer.name)))
        for number, buffer in enumerate(self.recorder.shared):
            self.declare(buffer, self.place, number if self.recorder.cores > 1 else None)
        self.block(self.recorder.body)
        beside = ", trn.other_core = @%s_kernel%s" % (self.name, other) if other else ""
        return ["func.func private @%s_kernel%s(%s) attributes {trn.kernel%s} {" %
                (self.name, suffix, ", ".join(spelled), beside), *self.head(), *self.lines,
                "  return", "}" + location(self.place)]

    def head(self) -> list[str]:
        return ["  %s = arith.constant %d : index" % (name, value)
                for value, name in self.numbers.items()]

    def spelled(self, buffer: Buffer) -> str:
        return _memref(buffer.shape, buffer.dtype, self.space(buffer))

    def type(self, buffer: Buffer) -> str:
        found = self.types.get(buffer)
        if found is None:
            found = self.types[buffer] = self.alias(buffer.memory, self.spelled(buffer))
        return found

    def space(self, buffer: Buffer) -> str:
        """Arguments need no memory space: they are in HBM."""
        return "" if buffer in self.bound else buffer.memory

    def host(self, results: list[Buffer], updated: Sequence[Buffer]) -> list[str]:
        """`@NAME`, which takes and returns tensors. The kernel changes a copy of what is
        `updated`."""
        inputs = [buffer for buffer in self.recorder.arguments if buffer not in results or
                  buffer in updated]
        tensor = {buffer: "tensor<%s>" % "x".join([*map(str, buffer.shape), buffer.dtype])
                  for buffer in [*inputs, *results, *(b for b, _ in self.recorder.constants)]}
        lines = ["func.func @%s(%s) -> (%s) {" %
                 (self.name, ", ".join("%%%d: %s" % (i, tensor[b]) for i, b in enumerate(inputs)),
                  ", ".join(tensor[buffer] for buffer in results))]
        given = []
        for number, buffer in enumerate(inputs):
            lines.append("  %%i%d = bufferization.to_buffer %%%d read_only : %s to %s" %
                         (number, number, tensor[buffer], self.type(buffer)))
            if buffer not in updated:
                given.append("%%i%d" % number)
        for number, (buffer, values) in enumerate(self.recorder.constants):
            lines.append("  %%k%d = arith.constant %s : %s" %
                         (number, _dense(values, buffer.dtype), tensor[buffer]))
            lines.append("  %%c%d = bufferization.to_buffer %%k%d read_only : %s to %s" %
                         (number, number, tensor[buffer], self.type(buffer)))
            given.append("%%c%d" % number)
        for number, buffer in enumerate(results):
            lines.append("  %%o%d = memref.alloc() : %s" % (number, self.type(buffer)))
            if buffer in updated:
                lines.append("  memref.copy %%i%d, %%o%d : %s to %s" % (
                    inputs.index(buffer), number, self.type(buffer), self.type(buffer)))
            given.append("%%o%d" % number)
        types = [self.type(b) for b in [*(b for b in inputs if b not in updated), *(b for b, _ in self.recorder.constants),
                                        *results]]
        lines.append("  call @%s_kernel(%s) : (%s) -> ()" %
                     (self.name, ", ".join(given), ", ".join(types)))
        for number, buffer in enumerate(results):
            lines.append("  %%r%d = bufferization.to_tensor %%o%d restrict : %s to %s" %
                         (number, number, self.type(buffer), tensor[buffer]))
        lines.append("  return %s : %s" % (", ".join("%%r%d" % i for i in range(len(results))),
                                           ", ".join(tensor[b] for b in results)))
        return [*lines, "}" + location(self.place)]

    # The kernel.

    def block(self, block: Block) -> None:
        for node in block.nodes:
            if isinstance(node, Alloc):
                self.declare(node.buffer, node.place)
            elif isinstance(node, Loop):
                self.loop(node)
            else:
                self.instruction(node)

    def declare(self, buffer: Buffer, place: tuple[str, int] | None,
                shared: int | None = None) -> None:
        if buffer in self.bound:
            return  # a result
        name = self.name_buffer(buffer, buffer.name or buffer.memory)
        op = "memref.alloc()" if buffer.memory == "hbm" else "trn.alloc"
        if shared is not None:
            op += " {trn.shared = %d : i64}" % shared
        if buffer.address is not None:
            op += " " + str(buffer.address)
        self.line("%s = %s : %s" % (name, op, self.type(buffer)), place, buffer.name)

    def loop(self, loop: Loop) -> None:
        counter = loop.counter
        name = self.counters[counter] = self.fresh(counter.name)
        limits = map(self.number, (counter.first, counter.first + counter.count * counter.step,
                                   counter.step))
        code, number = counter.place
        self.line("scf.for %s = %s to %s step %s {" % (name, *limits))
        self.scopes.append(_Scope())
        self.block(loop.body)
        self.scopes.pop()
        self.line("}", (code.co_filename, number))

    def instruction(self, op: Instruction) -> None:
        shown = [self.view(view, op.place) for view in op.views]
        form, marks = _template(op.text)
        text = form % tuple([shown[number][part] for number, part in marks])
        if op.condition is not None:
            text += " accumulate(%s)" % self.condition(op.condition)
        self.line(text, op.place)

    def condition(self, condition: Condition | bool) -> str:
        """An i1: a comparison."""
        if isinstance(condition, bool):
            name = self.fresh("adds")
            self.line("%s = arith.constant %s" % (name, str(condition).lower()))
            return name
        (value, predicate), = condition.parts
        left, zero, name = self.index(value), self.number(0), self.fresh("adds")
        self.line("%s = arith.cmpi %s, %s, %s : index" %
                  (name, _PREDICATES[predicate], left, zero))
        return name

    def index(self, value: Index) -> str:
        """An affine function of counters as an SSA value."""
        terms = list(value.terms.items())
        key = (value.constant, *terms)
        for scope in self.scopes:
            if key in scope.indices:
                return scope.indices[key]
        name = self.scopes[-1].indices[key] = self.fresh("at")
        formula = " + ".join(["d%d * %d" % (i, k) for i, (_, k) in enumerate(terms)] or ["0"])
        if value.constant:
            formula += " + %d" % value.constant
        self.line("%s = affine.apply affine_map<(%s) -> (%s)>(%s)" %
                  (name, ", ".join("d%d" % i for i in range(len(terms))), formula,
                   ", ".join(self.counters[counter] for counter, _ in terms)))
        return name

    def view(self, view: View, place: tuple[str, int]) -> _Shown:
        buffer, offset, partition = view.buffer, view.offset, view.partition
        if offset.terms or partition.terms:
            key = (buffer, view.dims, offset.constant, *offset.terms.items(), partition.constant,
                   *partition.terms.items())
        elif view.dims is buffer.dims and not offset.constant and not partition.constant:
            return self.whole(buffer)
        else:
            key = (buffer, view.dims, offset.constant, partition.constant)
        for scope in self.scopes:
            if key in scope.views:
                return scope.views[key]
        shown = self.scopes[-1].views[key] = self.shown(view, place)
        return shown

    def shown(self, view: View, place: tuple[str, int]) -> _Shown:
        buffer, offset = view.buffer, view.offset
        if buffer.is_on_chip:
            offset = Index.of(offset + view.partition * buffer.row)
        constant = None if offset.terms else offset.constant
        form, type_ = self.form(view, constant)
        if not form:
            return self.whole(buffer)
        at = self.index(offset) if offset.terms else constant
        name = self.fresh(self.stems[buffer])
        self.line(form % (name, self.names[buffer], at), place)
        return _Shown(name, type_)

    def form(self, view: View, constant: int | None) -> tuple[str, str]:
        """The text that makes a view, with marks for its name, its buffer's and the offset, and
        its type. The view of all of a buffer is made by no text."""
        key = (self.type(view.buffer), view.dims, constant)
        found = self.forms.get(key)
        if found is None:
            found = self.forms[key] = self.spell_form(view, constant)
        return found

    def spell_form(self, view: View, constant: int | None) -> tuple[str, str]:
        buffer, strides = view.buffer, _strides(view)
        if constant == 0 and view.shape == buffer.shape and tuple(strides) == buffer.strides:
            return "", self.type(buffer)
        type_ = self.alias(buffer.memory, _memref(view.shape, buffer.dtype, self.space(buffer),
                                                  strides, constant))
        return ("%%s = memref.reinterpret_cast %%s to offset: [%%s], sizes: [%s], strides: [%s] : "
                "%s to %s" % (", ".join(map(str, view.shape)), ", ".join(map(str, strides)),
                              self.type(buffer), type_)), type_


def module_of(recorders: list[Recorder], results: list[list[Buffer]], name: str,
              place: tuple[str, int], machine: str, updated: Sequence[Buffer] = ()) -> str:
    """The module of a kernel, which one core runs or the two of a logical one."""
    emitters = [Emitter(recorder, name, place) for recorder in recorders]
    kernels: list[str] = []
    for number, emitter in enumerate(emitters):
        emitter.aliases = emitters[0].aliases
        kernels += emitter.kernel(results[number], "_core%d" % number if number else "",
                                  "_core1" if number == 0 and len(emitters) > 1 else "")
    host = emitters[0].host(results[0], updated)
    types = ["%s = %s" % (alias, type_) for type_, alias in emitters[0].aliases.items()]
    return "\n".join([*types, "module attributes {trn.machine = %s} {" % machine, *host, *kernels,
                      "}", ""])


def _strides(view: View) -> list[int]:
    """Of the memref. One element has the stride that whole rows would give it, so that a view is
    written in one way only."""
    strides: list[int] = []
    pitch = 1
    for dim in reversed(view.dims):
        stride = view.buffer.row if dim.is_partition else pitch if dim.size == 1 else dim.stride
        strides.append(stride)
        pitch = stride * dim.size
    return strides[::-1]


def _dense(values: np.ndarray, dtype: str) -> str:
    if dtype == "f32":
        data = np.ascontiguousarray(values, np.float32).tobytes()
    elif dtype in ("i32", "ui32"):
        data = np.ascontiguousarray(values).astype(np.int64).astype(np.uint32).tobytes()
    elif dtype == "f16":
        data = np.ascontiguousarray(values, np.float16).tobytes()
    else:
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
        rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        data = rounded.astype(np.uint16).tobytes()
    return 'dense<"0x%s">' % data.hex().upper()
