# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bits of integers and of a number, composed of arithmetic on float32, which has integers of 24 bits.

The lowest bits of an integer are its remainder by a power of two, also of a negative one, as its
bits are those of the two's complement. What a mask keeps are differences of such remainders; `|` and
`^` follow from `&`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence

from . import _ops
from ._call import Call, handles
from ._errors import NkiError
from ._integers import RANGES, given_bounds
from ._tensor import View
from ._values import tile_of

OPERATORS = ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")
_BITS = 24


def operator_of(value: object) -> str | None:
    """The name of one of these operators, None for others."""
    name = getattr(value, "word", "").removeprefix("nl.")
    return name if name in OPERATORS else None


@handles("language", *OPERATORS)
def _binary(call: Call) -> object:
    return _of_tile(call, call.name[3:], call.y)


@handles("language", "invert")
def _invert(call: Call) -> object:
    return _of_tile(call, "invert", 0)


def _of_tile(call: Call, name: str, number: object) -> object:
    x = call.tile("x")
    call.dtype = call.dtype or x.dtype
    return call.map([x], x.element, lambda dst, src: compute_bits(call, dst, src, [(name, number)]))


def compute_bits(call: Call, dst: View, src: View, steps: Sequence[tuple[str, object]]) -> None:
    """Writes `dst`. `steps` are operators, each with its number on the right."""
    for one in (src, dst):
        if not one.buffer.integer and one.element not in ("i32", "ui32"):
            raise NkiError("nki_r3", "%s of %s, which has no bits of an integer; copy it to a tile "
                           "of integers" % (call.name, one.element))
    integer, element = src.buffer.integer, src.element
    for name, number in steps:
        bounds = src.buffer.bounds or given_bounds(integer, element)
        low, high = (int(max(-2 ** _BITS, min(2 ** _BITS, end))) for end in bounds)
        src = _Bits(call, src, low, high, integer, element).step(name, _constant(call, number))
    _ops.copy(dst, src, "vector")


def _constant(call: Call, value: object) -> int:
    if isinstance(value, View) or int(value) != value or abs(int(value)) >= 2 ** _BITS:
        raise NkiError("nki_r2", "%s of %s: here it is of a tile and an integer of at most %d bits, "
                       "as engines compute in float32" %
                       (call.name, "two tiles" if isinstance(value, View) else value, _BITS))
    return operator.index(int(value))


class _Bits:
    """A tile of integers, `low` at least and `high` at most."""

    def __init__(self, call: Call, x: View, low: int, high: int, integer: str | None,
                 element: str) -> None:
        self.call, self.x, self.low, self.high = call, x, low, high
        self.integer, self.element = integer, element

    def step(self, name: str, number: int) -> View:
        if name in ("left_shift", "right_shift") and not 0 <= number < _BITS:
            raise NkiError("nki_r2", "%s by %d, but here it is by 0 to %d" %
                           (self.call.name, number, _BITS - 1))
        made = getattr(self, "_" + name.removeprefix("bitwise_"))(number)
        low, high = self._bounds(name, number)
        made.buffer.bounds = low, high
        return made

    def _bounds(self, name: str, number: int) -> tuple[int, int]:
        if name == "left_shift":
            return self.low << number, self.high << number
        if name == "right_shift":
            return self.low >> number, self.high >> number
        if name == "bitwise_and" and number >= 0:
            return 0, number
        if name == "invert" and self._all_ones is not None:
            return self._all_ones - self.high, self._all_ones - self.low
        bits = max(self.low.bit_length(), self.high.bit_length(), number.bit_length())
        is_natural = self.low >= 0 and number >= 0 and name != "invert"
        return 0 if is_natural else -2 ** bits, 2 ** bits - 1

    def _affine(self, factor: float, constant: float = 0.0) -> View:
        made = tile_of(self.x.shape, "f32")
        _ops.tensor_scalar(made, self.x, [("mul", factor, False), ("add", constant, False)])
        return made

    def _remainder(self, bits: int, *more: tuple) -> View:
        made = tile_of(self.x.shape, "f32")
        _ops.tensor_scalar(made, self.x, [("mod", float(2 ** bits), False), *more])
        return made

    def _minus(self, first: tuple, other: View) -> View:
        """`first` of the tile, without another tile."""
        made = tile_of(self.x.shape, "f32")
        _ops.scalar_tensor_tensor(made, self.x, first, ("sub", other, False))
        return made

    def _left_shift(self, number: int) -> View:
        return self._affine(float(2 ** number))

    def _right_shift(self, number: int) -> View:
        if self.low < 0:
            raise NkiError("nki_r2", "%s of what may be negative: zeros come in at the left, to "
                           "numbers that float32 does not hold; mask the bits first, or use "
                           "unsigned integers" % self.call.name)
        factor = 2.0 ** -number
        return self._minus(("mul", factor, False), self._remainder(number, ("mul", factor, False)))

    def _and(self, mask: int) -> View:
        if mask < 0:  # without the others
            return self._minus(("mul", 1.0, False), self._and(~mask))
        kept = None
        for first, last in _runs(mask):
            part = self._remainder(last) if not first else \
                self._minus(("mod", float(2 ** last), False), self._remainder(first))
            if kept is not None:
                _ops.tensor_tensor(part, "add", part, kept)
            kept = part
        return kept if kept is not None else self._affine(0.0)

    def _or(self, mask: int) -> View:
        return self._sum(mask, -1.0)

    def _xor(self, mask: int) -> View:
        return self._sum(mask, -2.0)

    def _sum(self, mask: int, factor: float) -> View:
        """With the mask, and without what both have, once or twice."""
        both = self._and(mask)
        made = tile_of(self.x.shape, "f32")
        _ops.scalar_tensor_tensor(made, both, ("mul", factor, False), ("add", self.x, False))
        _ops.tensor_scalar(made, made, [("add", float(mask), False)])
        return made

    @property
    def _all_ones(self) -> int | None:
        """As a number: of a type without a sign it is the largest one."""
        if self.integer is None:
            return -1 if self.element == "i32" else None
        return RANGES[self.integer][1] if RANGES[self.integer][0] == 0 else -1

    def _invert(self, _number: int) -> View:
        if self._all_ones is None:
            raise NkiError("nki_r2", "nl.invert of uint32, the results of which float32 does not "
                           "hold; use int32")
        return self._affine(-1.0, float(self._all_ones))


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """Where its bits that are set begin, and where they end."""
    first = None
    for at in range(mask.bit_length() + 1):
        is_set = mask >> at & 1
        if is_set and first is None:
            first = at
        elif not is_set and first is not None:
            yield first, at
            first = None
