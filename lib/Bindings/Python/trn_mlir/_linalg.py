# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linalg on tensors as text: the ops that `from_fx` needs. Floats are computed in f32 inside of an
op, and rounded once where it ends, as PyTorch does."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from ._library import TrnError


class Value(NamedTuple):
    """A tensor of the text: its name, its shape, its element type."""
    name: str
    shape: tuple[int, ...]
    dtype: str

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.dtype}>"


def _map(rank: int, results: Sequence[int | None]) -> str:
    """An affine map of `rank` dims; None is index 0."""
    dims = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({dims}) -> ({', '.join('0' if i is None else f'd{i}' for i in results)})>"


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that all of these have when they are broadcast to each other."""
    rank = max(map(len, shapes))
    made = []
    for sizes in zip(*([1] * (rank - len(shape)) + list(shape) for shape in shapes)):
        size = max(sizes)
        if any(one not in (1, size) for one in sizes):
            raise TrnError("shapes " + " and ".join(str(list(shape)) for shape in shapes)
                           + " cannot be broadcast to each other")
        made.append(size)
    return tuple(made)


class Writer:
    """Writes the body of a function. `name` is what values are called from now on."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.name = "value"
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        """A name that no value has yet."""
        base = re.sub(r"\W", "_", wanted, flags=re.ASCII)
        base = base if base[:1].isalpha() else f"_{base}"
        name = next(one for one in itertools.chain([base], (f"{base}_{i}" for i in
                                                            itertools.count(1)))
                    if one not in self._taken)
        self._taken.add(name)
        return f"%{name}"

    def add(self, shape: Sequence[int], dtype: str, text: str) -> Value:
        """A line that makes a value; `{type}` in it stands for its type."""
        made = Value(self.take(self.name), tuple(shape), dtype)
        self.lines.append(f"{made.name} = " + text.replace("{type}", made.type))
        return made

    def constant(self, number: float) -> str:
        if math.isnan(number):
            raise TrnError("a constant is NaN")
        text = {math.inf: "0x7F800000", -math.inf: "0xFF800000"}.get(number, f"{number:.9e}")
        name = self.take("constant")
        self.lines.append(f"{name} = arith.constant {text} : f32")
        return name

    def _empty(self, shape: Sequence[int], dtype: str) -> Value:
        return self.add(shape, dtype, "tensor.empty() : {type}")

    def filled(self, shape: Sequence[int], number: float) -> Value:
        constant, empty = self.constant(number), self._empty(shape, "f32")
        return self.add(shape, "f32", f"linalg.fill ins({constant} : f32) outs({empty.name} : "
                                      f"{empty.type}) -> {{type}}")

    def _generic(self, inputs: Sequence[Value], maps: Sequence[str], kinds: Sequence[str],
                 to: Value, body: Sequence[str], arguments: Sequence[str]) -> Value:
        names = ", ".join(one.name for one in inputs)
        types = ", ".join(one.type for one in inputs)
        block = ", ".join(f"{name}: {one.dtype}" for name, one in zip(arguments, [*inputs, to]))
        made = self.add(to.shape, to.dtype,
                        f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = "
                        f"[{', '.join(kinds)}]}} ins({names} : {types}) outs({to.name} : "
                        f"{to.type}) {{")
        self.lines += [f"^bb0({block}):", *(f"  {line}" for line in body), f"}} -> {to.type}"]
        return made

    def elementwise(self, inputs: Sequence[Value], body: str, dtype: str | None = None,
                    shape: Sequence[int] | None = None) -> Value:
        """A value of each element of the inputs, which are broadcast. `body` is lines of
        `NAME = OP ARGUMENTS`, on f32, in which `{0}` is the first input; the last line is the
        result. It has the widest type of the inputs, or `dtype`."""
        shape = broadcast(*(one.shape for one in inputs)) if shape is None else tuple(shape)
        dtype = dtype or widest(inputs)
        rank, lines, wide = len(shape), [], []
        arguments = [self.take("in") for _ in inputs] + [self.take("out")]
        for argument, one in zip(arguments, inputs):
            wide.append(argument if one.dtype == "f32" else self.take("wide"))
            if one.dtype != "f32":
                lines.append(f"{wide[-1]} = arith.extf {argument} : {one.dtype} to f32")
        named = {}
        for line in filter(None, map(str.strip, body.format(*wide).split(";"))):
            name, _, operation = line.partition(" = ")
            words = re.sub(r"(?<![%.\w])[a-z]\w*\b(?!\.)",
                           lambda found: named.get(found[0], found[0]), operation)
            named[name] = self.take(name)
            typed = words if " : " in words else f"{words} : f32"
            lines.append(f"{named[name]} = {typed}")
        last = named[name] if named else wide[0]
        if dtype != "f32":
            rounded = self.take("rounded")
            lines.append(f"{rounded} = arith.truncf {last} : f32 to {dtype}")
            last = rounded
        lines.append(f"linalg.yield {last} : {dtype}")
        maps = [_map(rank, [None if size == 1 and shape[rank - len(one.shape) + i] != 1
                            else rank - len(one.shape) + i for i, size in enumerate(one.shape)])
                for one in inputs]
        return self._generic(inputs, [*maps, _map(rank, range(rank))], ['"parallel"'] * rank,
                             self._empty(shape, dtype), lines, arguments)

    def cast(self, value: Value, dtype: str) -> Value:
        return value if value.dtype == dtype else self.elementwise([value], "", dtype)

    def sums(self, value: Value) -> Value:
        """Sums over the last dimension, in f32, which stays with one element."""
        rank = len(value.shape)
        arguments = [self.take("in"), self.take("out")]
        wide, total = arguments[0], self.take("sum")
        body = []
        if value.dtype != "f32":
            wide = self.take("wide")
            body.append(f"{wide} = arith.extf {arguments[0]} : {value.dtype} to f32")
        body += [f"{total} = arith.addf {wide}, {arguments[1]} : f32",
                 f"linalg.yield {total} : f32"]
        made = self._generic([value], [_map(rank, range(rank)), _map(rank, range(rank - 1))],
                             ['"parallel"'] * (rank - 1) + ['"reduction"'],
                             self.filled(value.shape[:-1], 0.0), body, arguments)
        return self.reshape(made, (*value.shape[:-1], 1))

    def softmax(self, value: Value, dim: int) -> Value:
        """In f32 and not rounded."""
        wide = self.cast(value, "f32")
        empty = self._empty(wide.shape, "f32")
        return self.add(wide.shape, "f32",
                        f"linalg.softmax dimension({dim}) ins({wide.name} : {wide.type}) "
                        f"outs({empty.name} : {empty.type}) -> {{type}}")

    def product(self, left: Value, right: Value, transposed: bool = False) -> Value:
        """`left[..., m, k] right[..., k, n]` in f32, of two or three dimensions each; with
        `transposed`, `right` is [..., n, k]."""
        batch, (m, k), n = left.shape[:-2], left.shape[-2:], right.shape[-2 if transposed else -1]
        zeros = self.filled((*batch, m, n), 0.0)
        b, rank = len(batch), len(batch) + 3
        lead = list(range(b))
        maps = [_map(rank, [*lead, b, b + 2]), _map(rank, [*lead, b + 1, b + 2]),
                _map(rank, [*lead, b, b + 1])]
        spelled = f"indexing_maps = [{', '.join(maps)}] " if transposed else ""
        return self.add(zeros.shape, "f32",
                        f"linalg.{'batch_' if batch else ''}matmul {spelled}ins({left.name}, "
                        f"{right.name} : {left.type}, {right.type}) outs({zeros.name} : "
                        f"{zeros.type}) -> {{type}}")

    def transpose(self, value: Value, order: Sequence[int]) -> Value:
        empty = self._empty([value.shape[i] for i in order], value.dtype)
        if list(order) == list(range(len(order))):
            return value
        return self.add(empty.shape, value.dtype,
                        f"linalg.transpose ins({value.name} : {value.type}) outs({empty.name} : "
                        f"{empty.type}) permutation = {list(order)}")

    def reshape(self, value: Value, shape: Sequence[int]) -> Value:
        """The same elements in another shape: groups of dimensions become one, and others."""
        shape = tuple(shape)
        if shape == value.shape:
            return value
        groups = _groups(value.shape, shape)
        sizes = [math.prod(value.shape[i] for i in group) for group, _ in groups]
        if any(len(group) != 1 for group, _ in groups):
            value = self.add(sizes, value.dtype,
                             f"tensor.collapse_shape {value.name} {[g for g, _ in groups]} : "
                             f"{value.type} into {{type}}")
        if all(len(group) == 1 for _, group in groups):
            return value
        return self.add(shape, value.dtype,
                        f"tensor.expand_shape {value.name} {[g for _, g in groups]} output_shape "
                        f"{list(shape)} : {value.type} into {{type}}")


def _groups(before: Sequence[int], after: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Dimensions that hold the same elements before and after, least ones first."""
    if not before or not after:
        return [(list(range(len(before))), list(range(len(after))))]
    groups, i, j = [], 0, 0
    while i < len(before) and j < len(after):
        left, right = [i], [j]
        while math.prod(before[a] for a in left) != math.prod(after[b] for b in right):
            if math.prod(before[a] for a in left) < math.prod(after[b] for b in right):
                left.append(left[-1] + 1)
            else:
                right.append(right[-1] + 1)
        groups.append((left, right))
        i, j = left[-1] + 1, right[-1] + 1
    groups[-1][0].extend(range(i, len(before)))  # dimensions of one element
    groups[-1][1].extend(range(j, len(after)))
    return groups


def widest(values: Sequence[Value]) -> str:
    """The type that holds those of all: f32 unless they agree."""
    dtypes = {one.dtype for one in values}
    return dtypes.pop() if len(dtypes) == 1 else "f32"
