# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of a kernel: arguments bound as the table of NKI's words has them.

A handler, `@handles("isa", "activation")`, is written once for all versions: it takes a `Call`
whose attributes are the arguments, asks it for the tile to write (`result`), and records
instructions. In 0.6 that tile is the argument `dst`; in beta 1 it is made, and returned.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence

from .._library import print_text, ref
from ._errors import NkiError
from ._recorder import Alloc, Recorder
from ._rows import Rows
from ._masks import cut, solve_mask
from ._names import name_result
from ._tensor import View
from ._types import element_of
from ._values import Tensor, finished, tile_of, typed_tile

_BEFORE = {"0.7": "0.6"}
HANDLERS: dict[tuple[str, str], Callable[[Call], object]] = {}


def handles(module: str, *names: str) -> Callable:
    def register(function: Callable) -> Callable:
        for name in names:
            HANDLERS[module, name] = function
        return function
    return register


@functools.cache
def words(version: str) -> dict:
    """The table of NKI's words in a version: see include/trn-c/NKI.h."""
    return json.loads(print_text("trnNKIGetWords", ref(version)))


@functools.cache
def operations(version: str) -> list[dict]:
    """Its operations, and those that it removed: kernels of before have them."""
    found = words(version)["operations"]
    names = {(one["module"], one["name"]) for one in found}
    return found + [one for one in words(_BEFORE.get(version, version))["operations"]
                    if (one["module"], one["name"]) not in names]


class Call:
    """One call. Attributes are its arguments by name; what the version does not have is None."""

    def __init__(self, name: str, arguments: dict[str, object]) -> None:
        self.__dict__.update(arguments)
        self.name, self.arguments = name, arguments
        self.has_read_mask = False

    @property
    def mask(self) -> object:
        self.has_read_mask = True
        return self.arguments.get("mask")

    def __getattr__(self, name: str) -> object:
        return None

    def __repr__(self) -> str:
        return self.name

    def tile(self, name: str) -> Tensor:
        """An argument that must be a tensor."""
        value = self.arguments.get(name)
        if isinstance(value, Rows):
            raise NkiError("nki_r2", "`%s` of %s is rows that a tile chooses, which are only "
                           "transferred: by nisa.dma_copy, nl.load and nl.store" %
                           (name, self.name))
        if not isinstance(value, View):
            raise NkiError("nki_r3", "`%s` of %s must be a tensor, but is %r" %
                           (name, self.name, value))
        return value

    def function(self, name: str, kind: str) -> str:
        """An argument that names a function: nl.add, np.exp. `kind` is binary, activation or
        reduce."""
        return function_of(self.arguments.get(name), kind, "%s of %s" % (name, self.name))

    @property
    def engine_name(self) -> str | None:
        engine = self.arguments.get("engine")
        return getattr(engine, "engine", None)

    def result(self, shape: Sequence[int], like: str, memory: str = "sbuf") -> Tensor:
        """The tile to write: `dst`, or a new one of `shape` and of the type that the call asks
        for, else of `like`."""
        if self.dst is not None:
            return self.tile("dst")
        if self.dtype is not None:
            return typed_tile(shape, self.dtype, memory)
        return tile_of(shape, like, memory)

    def finish(self, result: Tensor) -> Tensor | None:
        """What the call returns."""
        return finished(result) if self.dst is None else None

    def map(self, views: Sequence[View], element: str, emit: Callable[..., None]) -> object:
        """An instruction on the elements of `views`; the result has the shape of the first one.
        `emit` records it for the parts of result and views that a mask leaves."""
        result = self.result(views[0].shape, element)
        parts = self.masked(result, *views)
        if parts is None:
            return result
        emit(*parts)
        return self.finish(result)

    def masked(self, result: Tensor, *views: View) -> list[View] | None:
        """The parts that the instruction runs on: see `cut`."""
        return cut(self.mask, result, views, is_new=self.dst is None)


def function_of(value: object, kind: str, what: str) -> str:
    name = getattr(value, "word", None)
    if name is None:
        name = "np." + getattr(value, "__name__", repr(value))
    known = words(Recorder.current.version)["functions"].get(name, {})
    found = known.get(kind)
    if found is None and kind == "reduce":  # nl.add and nl.maximum fold, too
        found = known.get("binary")
    if found is None and kind == "binary":
        found = known.get("reduce")
    if found is None:
        raise NkiError("nki_r2", "%s is %s, which is not computed here%s" %
                       (what, name, _why_unread(name.split(".")[-1])))
    return found


# What older kernels say to the vendor's compiler, beside the arguments.
_HINTS = ("name", "directives", "lowering_kwargs", "precise_schedule", "lazy_initialization")
# What is not read, why, and what to do.
_UNREAD = {
    "nonzero_with_count": "how many elements are found is data; select by a mask, or find the "
                          "largest ones by nisa.max8",
    "mx": "microscaled types are those of a later core than trn2's; use bfloat16 or float8",
    "abs_max abs_min": "an operator of a later core than trn2's; take nl.abs of the tile first",
    "exponential activate2": "an instruction of a later core than trn2's; use nisa.activation",
    "rand rng": "random numbers leave no values to compare; give the kernel a tensor of them",
    "bitwise shift invert": "bits are those of a tile of integers and a number; use nl.logical_and "
                            "and its kin of comparisons, arithmetic, or a table",
}


def _why_unread(name: str) -> str:
    parts = name.split("_")
    return next((": " + why for words_, why in _UNREAD.items() for word in words_.split()
                 if word in parts or word == name), "")


_ANYWHERE = ("arange", "ds", "par_dim", "finfo")  # that make no instruction: a file may call them


class Word:
    """An operation of NKI as the kernel calls it."""

    def __init__(self, entry: dict, version: str, resolve: Callable[[str], object]) -> None:
        self.entry, self.version, self.resolve = entry, version, resolve
        self.defaults: dict[str, object] = {}  # that were needed
        arguments = entry["arguments"]
        self.known = frozenset(one["name"] for one in arguments)
        self.ordered = [one["name"] for one in arguments if not one.get("keyword")]
        self.is_variadic = any(one.get("variadic") for one in arguments)
        self.module, self.name = entry["module"], entry["name"]
        self.word = ("nl." if self.module == "language" else "nisa.") + self.name
        self.__name__ = self.name

    def __repr__(self) -> str:
        return self.word

    def __call__(self, *given: object, **named: object) -> object:
        recorder = Recorder.current
        handler = HANDLERS.get((self.module, self.name))
        if recorder is None:
            if self.name in _ANYWHERE:
                return handler(Call(self.word, self._bind(given, named)))
            raise NkiError("nki_r13", "%s is called outside of a kernel" % self.word)
        try:
            call = Call(self.word, self._bind(given, named))
            if handler is None:
                raise NkiError("nki_r2", "%s of NKI %s is not read here%s" %
                               (self.word, self.version, _why_unread(self.name)))
            before = len(recorder.block.nodes)
            result = handler(call)
            self._check_mask(call, result, before)
            name_result(result)
            return result
        except NkiError as problem:
            if Recorder.missing is None or problem.rule not in ("nki_r2", "nki_r12"):
                raise
            Recorder.missing.append(str(problem))
            tensors = [value for value in (*given, *named.values()) if isinstance(value, View)]
            return tile_of(tensors[0].shape, tensors[0].element) if tensors else None

    def _check_mask(self, call: Call, result: object, before: int) -> None:
        """An operation that reads no mask runs on the whole tile, which must be what it says, or
        not at all: then its instructions, those behind `before`, are taken back."""
        given = call.arguments.get("mask")
        if given is None or call.has_read_mask or not isinstance(result, View):
            return
        _starts, sizes = solve_mask(given, result.shape)
        nodes = Recorder.current.block.nodes
        if 0 in sizes:
            nodes[before:] = [node for node in nodes[before:] if isinstance(node, Alloc)]
            result.is_empty, result.op, result.buffer.is_written = True, None, False
        elif tuple(sizes) != result.shape:
            raise NkiError("nki_r2", "%s with a mask that leaves a part of the tile out is not "
                           "computed here; give it a slice of the tile" % self.word)

    def _bind(self, given: tuple, named: dict) -> dict[str, object]:
        return self._bind_again(given, named) or self._bind_first(given, dict(named))

    def _bind_again(self, given: tuple, named: dict) -> dict[str, object] | None:
        """What the table says of a call that is as it should be, once its defaults are known."""
        if self.is_variadic or len(given) > len(self.ordered) or not named.keys() <= self.known:
            return None
        arguments = {**self.defaults, **dict(zip(self.ordered, given)), **named}
        is_once = not given or named.keys().isdisjoint(self.ordered[:len(given)])
        return arguments if is_once and len(arguments) == len(self.known) else None

    def _bind_first(self, given: tuple, named: dict) -> dict[str, object]:
        arguments, rest = {}, list(given)
        for one in self.entry["arguments"]:
            name = one["name"]
            if one.get("variadic"):
                arguments[name] = tuple(rest)
                rest = []
            elif rest and not one.get("keyword"):
                if name in named:
                    raise NkiError("nki_r12", "%s is given `%s` twice" % (self.word, name))
                arguments[name] = rest.pop(0)
            elif name in named:
                arguments[name] = named.pop(name)
            elif "default" in one:
                if name not in self.defaults:
                    self.defaults[name] = self.resolve(one["default"])
                arguments[name] = self.defaults[name]
            else:
                raise NkiError("nki_r12", "%s needs `%s`" % (self.word, name))
        for hint in _HINTS:
            named.pop(hint, None)
        self._drop_type(arguments, named)
        if rest or named:
            what = "`%s`" % next(iter(named)) if named else \
                "%d arguments" % len(given)
            takes = ", ".join("`%s`" % one["name"] for one in self.entry["arguments"])
            hint = "; masks are those of beta 1, a slice cuts the last tile" * ("mask" in named)
            raise NkiError("nki_r12", "%s of NKI %s does not take %s; it takes %s%s" %
                           (self.word, self.version, what, takes or "nothing", hint))
        return arguments

    @staticmethod
    def _drop_type(arguments: dict, named: dict) -> None:
        """Kernels of NKI 0.1 repeat the type of `dst`."""
        dst = arguments.get("dst")
        if isinstance(dst, View) and "dtype" in named and \
                element_of(named["dtype"]) == dst.element:
            del named["dtype"]
