# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that a kernel computes with while it is traced.

`Index` is an affine function of loop counters; `Grid` is one of loop counters and of positions in
a tile (`nl.arange(128)[:, None] + 128 * i`); `Condition` compares one with zero. What is not
affine needs the counters as numbers: it raises `Unroll`, and the trace starts again with these
loops unrolled.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence


NO_NUMBER = "<i>"


class Unroll(BaseException):
    """These loops must be unrolled; where `is_cut`, it may do to unroll their last iterations. No
    `Exception`: a kernel may not catch it. If it does, `last` is what it has caught."""

    last: Unroll | None = None

    def __init__(self, loops: Iterable[LoopCounter], why: str, is_cut: bool = False) -> None:
        super().__init__(why)
        self.loops, self.is_cut = frozenset(loops), is_cut
        Unroll.last = self


class Copied(Unroll):
    """The assignment at a place must copy: what was assigned is read behind a later write."""

    def __init__(self, place: object) -> None:
        super().__init__((), "a tile that is assigned, and read when that is gone")
        self.assigned = place


class LoopCounter:
    """Counts the iterations of a loop from `first` by `step`. `place` is where the loop stands."""

    def __init__(self, place: tuple, name: str, first: int, step: int, count: int) -> None:
        self.place, self.name = place, name
        self.first, self.step, self.count = first, step, count

    @property
    def last(self) -> int:
        return self.first + (self.count - 1) * self.step


def _sum(a: dict, b: dict, factor: int = 1) -> dict:
    total = dict(a)
    for key, coefficient in b.items():
        total[key] = total.get(key, 0) + factor * coefficient
        if not total[key]:
            del total[key]
    return total


class Compared:
    """What comparisons make conditions of."""
    __slots__ = ()

    def __eq__(self, other: object) -> object:
        return compare(self, other, "eq")

    def __ne__(self, other: object) -> object:
        return compare(self, other, "ne")

    def __lt__(self, other: object) -> object:
        return compare(self, other, "lt")

    def __le__(self, other: object) -> object:
        return compare(self, other, "le")

    def __gt__(self, other: object) -> object:
        return compare(self, other, "gt")

    def __ge__(self, other: object) -> object:
        return compare(self, other, "ge")


class Index(Compared):
    """`constant + sum of coefficient * counter`."""
    __slots__ = ("constant", "terms")

    def __init__(self, constant: int = 0, terms: dict[LoopCounter, int] | None = None) -> None:
        self.constant = constant
        self.terms = terms or {}

    @staticmethod
    def of(value: object) -> Index:
        return value if isinstance(value, Index) else Index(operator.index(value))

    def __str__(self) -> str:
        """As a kernel writes it into names: its loop runs once for all iterations."""
        return NO_NUMBER if self.terms else str(self.constant)

    def simplified(self) -> Index | int:
        return self if self.terms else self.constant

    def range(self) -> tuple[int, int]:
        """The least and the largest value."""
        low = high = self.constant
        for counter, coefficient in self.terms.items():
            ends = sorted((coefficient * counter.first, coefficient * counter.last))
            low, high = low + ends[0], high + ends[1]
        return low, high

    # What stays affine.

    def __add__(self, other: object) -> Index | int:
        if type(other) is int:
            return Index(self.constant + other, self.terms) if self.terms else \
                self.constant + other
        if not isinstance(other, (Index, int)) and not hasattr(other, "__index__"):
            return NotImplemented
        other = Index.of(other)
        return Index(self.constant + other.constant, _sum(self.terms, other.terms)).simplified()

    __radd__ = __add__

    def __neg__(self) -> Index | int:
        return self * -1

    def __pos__(self) -> Index:
        return self

    def __sub__(self, other: object) -> Index | int:
        if not isinstance(other, (Index, int)) and not hasattr(other, "__index__"):
            return NotImplemented
        other = Index.of(other)
        return Index(self.constant - other.constant, _sum(self.terms, other.terms, -1)).simplified()

    def __rsub__(self, other: object) -> Index | int:
        return Index.of(other) - self

    def __mul__(self, other: object) -> object:
        if isinstance(other, Index):
            self._need_numbers("a product of loop indices", other)
        if not hasattr(other, "__index__"):
            return NotImplemented if not isinstance(other, float) else float(self) * other
        factor = operator.index(other)
        terms = {c: k * factor for c, k in self.terms.items()} if factor else {}
        return Index(self.constant * factor, terms).simplified()

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> object:
        if isinstance(other, int) and other > 0:
            if all(k % other == 0 for k in self.terms.values()):
                return Index(self.constant // other,
                             {c: k // other for c, k in self.terms.items()})
            low, high = self.range()
            if low // other == high // other:
                return low // other
        return self._need_numbers("a quotient of a loop index", other)

    def __mod__(self, other: object) -> object:
        if isinstance(other, int) and other > 0:
            if all(k % other == 0 for k in self.terms.values()):
                return self.constant % other
            low, high = self.range()
            if low // other == high // other:
                return self - low // other * other
            return Remainder(self, other)
        return self._need_numbers("a remainder of a loop index", other)

    # What does not.

    def _need_numbers(self, why: str, *others: object) -> object:
        loops = set(self.terms)
        for other in others:
            if isinstance(other, Index):
                loops.update(other.terms)
        raise Unroll(loops, why)

    def __index__(self) -> int:
        return self._need_numbers("a loop index as a number")

    def __int__(self) -> int:
        return self._need_numbers("a loop index as a number")

    def __float__(self) -> float:
        return self._need_numbers("a loop index as a number")

    def __hash__(self) -> int:
        return hash((self.constant, frozenset(self.terms.items())))

    def is_same(self, other: Index) -> bool:
        return self.constant == other.constant and self.terms == other.terms

    def _other(self, *others: object) -> object:
        return self._need_numbers("arithmetic that is not affine", *others)

    __truediv__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __pow__ = __rpow__ = _other
    __lshift__ = __rshift__ = __and__ = __or__ = __xor__ = __divmod__ = __abs__ = _other

    def __bool__(self) -> bool:
        return bool(compare(self, 0, "ne"))


class Remainder:
    """`constant + factor * (index % divisor)`: the address of a tile that goes round. Whatever else
    is made of it needs the index as a number."""
    __slots__ = ("index", "divisor", "factor", "constant")

    def __init__(self, index: Index, divisor: int, factor: int = 1, constant: int = 0) -> None:
        self.index, self.divisor = index, divisor
        self.factor, self.constant = factor, constant

    @property
    def key(self) -> tuple:
        return hash(self.index), self.divisor, self.factor, self.constant

    def __mul__(self, other: object) -> Remainder:
        if not isinstance(other, int):
            return self._need_numbers()
        return Remainder(self.index, self.divisor, self.factor * other, self.constant * other)

    def __add__(self, other: object) -> Remainder:
        if not isinstance(other, int):
            return self._need_numbers()
        return Remainder(self.index, self.divisor, self.factor, self.constant + other)

    __rmul__, __radd__ = __mul__, __add__

    def _need_numbers(self, *_others: object) -> object:
        raise Unroll(self.index.terms, "a remainder of a loop index")

    __index__ = __int__ = __float__ = __bool__ = __hash__ = _need_numbers
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _need_numbers
    __sub__ = __rsub__ = __neg__ = __pos__ = __abs__ = __mod__ = __rmod__ = _need_numbers
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _need_numbers
    __lshift__ = __rshift__ = __and__ = __or__ = __xor__ = __divmod__ = _need_numbers


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge}


class Condition:
    """`value predicate 0`, or several of them that all hold."""

    def __init__(self, parts: Sequence[tuple[Grid | Index, str]]) -> None:
        self.parts = tuple(parts)

    def __and__(self, other: object) -> Condition:
        if other is True or other is None:
            return self
        if other is False:
            return False
        if isinstance(other, Condition):
            return Condition(self.parts + other.parts)
        return NotImplemented

    __rand__ = __and__

    def __getitem__(self, key: object) -> Condition:
        return Condition([(value[key] if isinstance(value, Grid) else value, predicate)
                          for value, predicate in self.parts])

    def __bool__(self) -> bool:
        loops: set[LoopCounter] = set()
        for value, predicate in self.parts:
            if isinstance(value, Grid):
                raise TypeError("a mask has no truth value; give it as `mask=`")
            known = decide(value, predicate)
            if known is False:
                return False
            if known is None:
                loops.update(value.terms)
        if loops:
            raise Unroll(loops, "a condition on a loop index")
        return True


def decide(value: Index, predicate: str) -> bool | None:
    """Whether it holds for all values (True), for none (False), or for some (None)."""
    low, high = value.range()
    holds = _COMPARE[predicate]
    if predicate in ("eq", "ne"):
        if low == high:
            return holds(low, 0)
        return None if low <= 0 <= high else predicate == "ne"
    ends = {holds(low, 0), holds(high, 0)}
    return ends.pop() if len(ends) == 1 else None


def compare(a: object, b: object, predicate: str) -> object:
    try:
        difference = a - b
    except TypeError:
        return NotImplemented
    if isinstance(difference, (Index, Grid)):
        if isinstance(difference, Index):
            known = decide(difference, predicate)
            if known is not None:
                return known
        return Condition([(difference, predicate)])
    return _COMPARE[predicate](difference, 0)


class Grid(Compared):
    """`base + sum over axes of step * position`, with a position for each axis of `shape`."""
    __slots__ = ("base", "shape", "steps")

    def __init__(self, base: Index, shape: tuple[int, ...], steps: tuple[int, ...]) -> None:
        self.base, self.shape, self.steps = base, shape, steps

    @staticmethod
    def arange(start: int, stop: int, step: int = 1) -> Grid:
        return Grid(Index(start), (max(0, math.ceil((stop - start) / step)),), (step,))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __getitem__(self, key: object) -> Grid:
        keys = list(key if isinstance(key, tuple) else (key,))
        if Ellipsis in keys:
            at = keys.index(Ellipsis)
            given = sum(k is not None for k in keys) - 1
            keys[at:at + 1] = [slice(None)] * (len(self.shape) - given)
        shape, steps, axis = [], [], 0
        for one in keys:
            if one is None:
                shape.append(1)
                steps.append(0)
            elif isinstance(one, slice) and one == slice(None):
                shape.append(self.shape[axis])
                steps.append(self.steps[axis])
                axis += 1
            else:
                raise TypeError("an index of nl.arange is `:` or None, but is " + repr(one))
        return Grid(self.base, (*shape, *self.shape[axis:]), (*steps, *self.steps[axis:]))

    def expanded(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The steps along the axes of `shape`, which it is broadcast to."""
        missing = len(shape) - len(self.shape)
        steps = [0] * missing + [step if size > 1 else 0
                                 for size, step in zip(self.shape, self.steps)]
        return tuple(steps)

    def __add__(self, other: object) -> Grid:
        if isinstance(other, Grid):
            shape = broadcast(self.shape, other.shape)
            steps = tuple(a + b for a, b in zip(self.expanded(shape), other.expanded(shape)))
            return Grid(Index.of(self.base + other.base), shape, steps)
        if not isinstance(other, Index) and not hasattr(other, "__index__"):
            return NotImplemented
        return Grid(Index.of(self.base + other), self.shape, self.steps)

    __radd__ = __add__

    def __neg__(self) -> Grid:
        return self * -1

    def __sub__(self, other: object) -> Grid:
        return self + -other

    def __rsub__(self, other: object) -> Grid:
        return -self + other

    def __mul__(self, other: object) -> Grid:
        factor = operator.index(other)
        return Grid(Index.of(self.base * factor), self.shape, tuple(s * factor for s in self.steps))

    __rmul__ = __mul__

    def __hash__(self) -> int:
        return id(self)


class MGrid:
    """`nl.mgrid[0:128, 0:512]`: grids for the axes of a box, by position or as `.p`, `.x`, `.y`."""

    def __getitem__(self, key: object) -> Grids:
        keys = key if isinstance(key, tuple) else (key,)
        sizes = [(operator.index(one.start or 0), operator.index(one.stop)) for one in keys]
        shape = tuple(stop - start for start, stop in sizes)
        return Grids(Grid(Index(start), shape, tuple(int(i == axis) for i in range(len(sizes))))
                     for axis, (start, _stop) in enumerate(sizes))


class Grids(tuple):
    """One grid for each axis: the first is `p`, the last `x`, those before it `y` and `z`."""

    @property
    def p(self) -> Grid:
        return self[0]

    @property
    def x(self) -> Grid:
        return self[-1]

    @property
    def y(self) -> Grid:
        return self[-2]

    @property
    def z(self) -> Grid:
        return self[-3]


def broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that all of them are broadcast to, as NumPy does it."""
    rank = max(map(len, shapes), default=0)
    result = []
    for sizes in zip(*[(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]):
        size = max(sizes) if 0 not in sizes else 0
        if any(one not in (1, size) for one in sizes):
            raise ValueError("shapes %s do not go together" %
                             " and ".join(str(tuple(shape)) for shape in shapes))
        result.append(size)
    return tuple(result)
