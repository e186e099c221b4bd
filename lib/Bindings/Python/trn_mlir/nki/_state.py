# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel keeps from one iteration of a loop to the next.

The body of a loop runs twice for all iterations. That is enough if the second run leaves Python as
the first one did: what counts iterations, or takes turns, does not. It may be a variable of any
function that runs, a number of its module, and whatever lists, dictionaries, objects and closures
hold. A tile of the iteration is another one each time, and is not there behind the loop.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from ._affine import NO_NUMBER, Condition, Grid, Index, Remainder
from ._tensor import View

_PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None)))
_SKIPPED = (types.ModuleType, types.BuiltinFunctionType)
_LISTS = (list, tuple, set, frozenset, collections.deque)
_SETS = (dict, set, frozenset)
_PACKAGE = __package__.split(".", 1)[0]
_LAST = __package__ + "._load"  # which calls the kernel
_MOST_BYTES = 4096              # of an array that is compared


class _Reader:
    """Values as what can be compared with those of another run."""

    def __init__(self) -> None:
        # By identity, with the order in which they are met. They stay, so that no other takes it.
        self.seen: dict[int, tuple[object, int]] = {}

    def is_new(self, value: object) -> bool:
        count = len(self.seen)
        self.seen.setdefault(id(value), (value, count))
        return len(self.seen) > count

    def read(self, value: object) -> object:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if isinstance(value, View):
            return _place(value)
        if kind is Index:
            return key_of(value)
        if kind is Remainder:
            return value.key
        if isinstance(value, _SKIPPED):
            return None
        if id(value) in self.seen:
            return "seen", self.seen[id(value)][1]
        self.is_new(value)
        return self._read_parts(value)

    def _read_parts(self, value: object) -> object:
        if isinstance(value, _SETS) and any(map(_has_index, value)):
            return object()  # numbers are its keys
        if isinstance(value, _LISTS):
            return len(value), self._all(value)
        if isinstance(value, dict):
            return len(value), [(self.read(key), self.read(one)) for key, one in value.items()]
        if isinstance(value, Grid):
            return key_of(value.base), value.shape, value.steps
        if isinstance(value, Condition):
            return self._all(value.parts)
        if isinstance(value, np.ndarray):
            return value.tobytes() if value.nbytes <= _MOST_BYTES else id(value)
        return self._read_code(value) or self._read_object(value)

    def _read_code(self, value: object) -> object:
        """Of what can be called, or asked for the next one."""
        if isinstance(value, types.FunctionType):
            return self._all((*_contents(value.__closure__ or ()), value.__dict__,
                              value.__defaults__, value.__kwdefaults__))
        if isinstance(value, types.MethodType):
            return self._all((value.__self__,))
        if isinstance(value, functools.partial):
            return self._all((value.func, value.args, value.keywords))
        if isinstance(value, types.GeneratorType):
            frame = value.gi_frame
            return (frame.f_lasti, self.names(frame.f_locals)) if frame else ("ended",)
        if isinstance(value, Iterator) and type(value).__module__ in ("builtins", "itertools"):
            with contextlib.suppress(TypeError):
                return self._all(value.__reduce__()[1:])
        return None

    def _read_object(self, value: object) -> object:
        """Of a class of the kernel, or such a class itself."""
        kind = value if isinstance(value, type) else type(value)
        if kind.__module__.split(".", 1)[0] in ("builtins", "numpy", _PACKAGE):
            return None
        return self.names(getattr(value, "__dict__", {})), self._all(
            getattr(value, name, None) for name in getattr(kind, "__slots__", ())
            if value is not kind)

    def _all(self, values: Iterable[object]) -> list:
        return [self.read(one) for one in values]

    def names(self, space: Mapping[str, object]) -> list:
        return [(name, self.read(value)) for name, value in list(space.items())
                if not isinstance(value, _SKIPPED) and not name.startswith("__")]


def state_of(frame: types.FrameType | None) -> list[dict[str, object]]:
    """Of the function in `frame`, those that have called it, and their modules."""
    reader, found = _Reader(), []
    while frame is not None and frame.f_globals.get("__name__") != _LAST:
        space = frame.f_globals
        if not space.get("__name__", "").startswith(__package__):
            found.append(dict(reader.names(frame.f_locals)))
            if reader.is_new(space):
                found.append(dict(reader.names(space)))
        frame = frame.f_back
    return found


def differs(one: list[dict[str, object]], other: list[dict[str, object]]) -> bool:
    """Whether a name that both have stands for something else."""
    return any(name in after and after[name] != value
               for before, after in zip(one, other) for name, value in before.items())


def _contents(cells: Iterable[types.CellType]) -> Iterable[object]:
    for cell in cells:
        with contextlib.suppress(ValueError):  # it is empty yet
            yield cell.cell_contents


def _numbers(space: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in space.items()
            if type(value) in _PLAIN and not name.startswith("__")}


def kept(space: dict[str, object]) -> Callable[[], None]:
    """A function that gives the numbers, lists, dictionaries and objects of a module the values
    that they have now: a trace that starts again finds them as the first one did."""
    own = [value for name, value in space.items() if not name.startswith("__")]
    module = space.get("__name__")
    numbers = [(one, _numbers(vars(one))) for one in own
               if isinstance(one, type) and one.__module__ == module]
    holders = [one if type(one) in (list, dict, set) else vars(one) for one in own
               if type(one) in (list, dict, set) or
               type(one).__module__ == module and hasattr(one, "__dict__")]
    copies = [(one, one.copy()) for one in holders]
    names = _numbers(space)

    def restore() -> None:
        space.update(names)
        for one, values in copies:
            one.clear()
            (one.extend if isinstance(one, list) else one.update)(values)
        for one, values in numbers:
            for name, value in values.items():
                setattr(one, name, value)
    return restore


def _place(view: View) -> object:
    """Where it is, if it is there behind the loop."""
    scope = view.buffer.scope
    if scope is not None and scope.is_closed:
        return None
    return id(view.buffer), view.partition.constant, view.offset.constant, view.shape


def key_of(index: Index) -> tuple:
    return index.constant, frozenset((counter.place, coefficient)
                                     for counter, coefficient in index.terms.items())


def _has_index(key: object) -> bool:
    return isinstance(key, Index) or isinstance(key, str) and NO_NUMBER in key or \
        isinstance(key, tuple) and any(map(_has_index, key))
