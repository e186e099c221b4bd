# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program that a kernel's calls make: blocks of buffers, instructions and loops.

A loop of Python becomes one loop of the program if two runs of its body record the same: the body
runs twice with a counter in the place of the index. Where they differ, or where the index must be
a number, the trace starts again with that loop unrolled.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator

from ._affine import Condition, Index, LoopCounter, Unroll
from ._errors import NkiError, kernel_line
from ._integers import follow
from ._names import name_collected
from ._spans import Span, all_written, note_box, note_mixed, note_rows
from ._state import differs, key_of, state_of
from ._tensor import PARTITIONS, Buffer, View


class Block:
    def __init__(self, parent: Block | None = None) -> None:
        self.parent = parent
        self.nodes: list[Alloc | Instruction | Loop] = []
        self.is_closed = False


class Alloc:
    def __init__(self, buffer: Buffer, place: tuple[str, int]) -> None:
        self.buffer, self.place = buffer, place


class Instruction:
    """An op of the dialect. `text` is its form with a mark for each operand: `{0}` is the name of
    a view, `{0:t}` its type. `writes` are the positions of the views that it writes."""

    def __init__(self, text: str, views: list[View], writes: tuple[int, ...],
                 place: tuple[str, int], condition: Condition | bool | None = None) -> None:
        self.text, self.views, self.writes = text, views, writes
        self.place, self.condition = place, condition
        self.is_spare = False  # unless what it writes is read


class Loop:
    """Iterations of an `is_affine` loop may overlap."""

    def __init__(self, counter: LoopCounter, body: Block, is_affine: bool = False) -> None:
        self.counter, self.body, self.is_affine = counter, body, is_affine


def find_last(nodes: list, is_wanted: Callable[[object], bool]) -> int:
    """Where the last such node is, or -1. What is searched is among the latest ones."""
    at = len(nodes) - 1
    while at >= 0 and not is_wanted(nodes[at]):
        at -= 1
    return at


def drop_last(nodes: list, is_wanted: Callable[[object], bool]) -> None:
    at = find_last(nodes, is_wanted)
    if at >= 0:
        del nodes[at]


def sink_allocations(block: Block) -> None:
    """Moves each allocation to where its buffer is first used: a tile lives no longer than it must.
    What nobody uses goes."""
    first: dict[Buffer, int] = {}
    block.nodes = [node for node in block.nodes
                   if not (isinstance(node, Instruction) and node.is_spare
                           and node.views[0].buffer.uses == 0)]
    for position, node in enumerate(block.nodes):
        if type(node) is not Alloc:
            for buffer in _buffers(node):
                first.setdefault(buffer, position)
    sunk: dict[int, list[Alloc]] = {}
    for node in block.nodes:
        if isinstance(node, Alloc) and node.buffer in first:
            sunk.setdefault(first[node.buffer], []).append(node)
    nodes = []
    for position, node in enumerate(block.nodes):
        nodes += sunk.get(position, [])
        if not isinstance(node, Alloc):
            nodes.append(node)
        if isinstance(node, Loop):
            sink_allocations(node.body)
    block.nodes = nodes


def _buffers(node: object) -> list[Buffer]:
    if isinstance(node, Instruction):
        return [view.buffer for view in node.views]
    nodes = node.body.nodes if isinstance(node, Loop) else ()
    return [buffer for one in nodes for buffer in _buffers(one)]


def _fingerprint(nodes: list, numbers: dict[Buffer, int]) -> list:
    """What a block does, whatever its own buffers are called."""
    found = []
    for node in nodes:
        if isinstance(node, Alloc):
            numbers[node.buffer] = len(numbers)
            found.append((node.buffer.shape, node.buffer.dtype, node.buffer.memory,
                          node.buffer.address))
        elif isinstance(node, Loop):
            counter = node.counter
            found.append((counter.first, counter.step, counter.count,
                          _fingerprint(node.body.nodes, numbers)))
        else:
            views = [(numbers.get(view.buffer, view.buffer), key_of(view.partition),
                      key_of(view.offset), view.dims) for view in node.views]
            condition = node.condition
            if isinstance(condition, Condition):
                condition = tuple((key_of(value), sign) for value, sign in condition.parts)
            found.append((node.text, views, condition))
    return found


class Recorder:
    """One trace. `unrolled` and `peeled` are the places of loops whose index must be a number, in
    all iterations or in the last one, `copied` those of assignments that must copy."""

    current: Recorder | None = None
    missing: list[str] | None = None  # collects what is not read, instead of an error for each

    max_instructions = 2_000_000

    def __init__(self, version: str, machine: str, unrolled: set, peeled: set,
                 copied: set) -> None:
        self.version, self.machine = version, machine
        self.unrolled, self.peeled, self.copied = unrolled, peeled, copied
        self.block = self.body = Block()
        self.loops: list[LoopCounter] = []
        self.arguments: list[Buffer] = []
        self.shared: list[Buffer] = []      # in HBM, in the order in which they are declared
        self.num_shared = 0                 # that this program has declared
        self.constants: list[tuple[Buffer, object]] = []
        self.written: set[Buffer] = set()   # in HBM
        self.placed: dict[object, list] = {}  # addresses by the place of their declaration
        self.turns: dict[object, int] = {}    # of declarations, in this iteration
        self.left = self.max_instructions
        self.program_ids: tuple[int, ...] = ()
        self.grid: tuple[int, ...] = ()
        self.core, self.cores = 0, 1  # of a logical core, and which of them this is

    # Buffers and instructions.

    def allocate(self, shape: tuple[int, ...], dtype: str, memory: str, name: str = "") -> Buffer:
        if memory != "hbm" and shape[0] > PARTITIONS:
            raise NkiError("placed_c2", "a tile of %s has %d partitions, but there are %d; cut it "
                           "into tiles" % (tuple(shape), shape[0], PARTITIONS))
        buffer = Buffer(shape, dtype, memory, self.block, name)
        self.block.nodes.append(Alloc(buffer, kernel_line()))
        return buffer

    def share(self, shape: tuple[int, ...], dtype: str, name: str = "") -> Buffer:
        """A tensor in HBM that may be a result. All programs of a grid declare the same ones."""
        if self.num_shared == len(self.shared):
            self.shared.append(Buffer(shape, dtype, "hbm", None, name))
        self.num_shared += 1
        return self.shared[self.num_shared - 1]

    def add(self, text: str, views: list[View], writes: tuple[int, ...],
            condition: Condition | bool | None = None) -> Instruction:
        self.left -= 1
        if self.left < 0:
            raise NkiError("nki_r9", "the kernel has too many instructions for one program; "
                           "loops whose index is only used in affine ways stay loops")
        for position, view in enumerate(views):
            buffer = view.buffer
            if view.bounds:
                view.check_bounds()
            self.check_alive(view)
            if buffer.taken is not None:
                buffer.taken.refuse()
            if view.loan is not None:
                view.loan.check(view) if position not in writes else view.loan.refuse()
            if position not in writes:
                buffer.uses += 1
                if buffer.is_zero and not all_written([*view.products, *buffer.mixed], Span(view)):
                    self._fill_zero(buffer)
            else:
                buffer.is_identity, buffer.constant = False, None
                if buffer.memory == "hbm":
                    self.written.add(buffer)
        for position in writes:  # behind what it reads
            views[position].buffer.is_written = True
            if self.version == "beta1" or views[position].buffer.boxes:
                note_box(views[position])
            if self.version != "beta1":
                note_rows(views[position])
            if not text.startswith("trn.matmul"):
                note_mixed(views[position])
        follow(text, views, writes, bool(self.loops))
        instruction = Instruction(text, views, writes, kernel_line(), condition)
        self.block.nodes.append(instruction)
        return instruction

    def _fill_zero(self, buffer: Buffer) -> None:
        """Zeros in PSUM are not written for products, the first of which overwrites; what else
        reads them needs them there, from the declaration on."""
        buffer.is_zero = False
        nodes = buffer.scope.nodes
        at = find_last(nodes, lambda node: isinstance(node, Alloc) and node.buffer is buffer)
        nodes.insert(at + 1, Instruction("trn.memset {0}, 0.0 : {0:t}", [View.of(buffer)], (0,),
                                         nodes[at].place))

    def check_alive(self, view: View) -> None:
        """Buffers and counters of a loop are not there behind it. Where Python's variables are,
        the loop must be unrolled."""
        scope = view.buffer.scope
        if scope is not None and scope.is_closed:
            raise Unroll([scope.counter], "a tile that outlives its loop")
        if not view.partition.terms and not view.offset.terms:
            return
        for index in (view.partition, view.offset):
            ended = [counter for counter in index.terms if counter not in self.loops]
            if ended:
                raise Unroll(ended, "an index that outlives its loop")

    def place_once(self, key: object, address: object) -> object:
        """The address of a declaration in the first iteration of the loops that are unrolled here:
        the compiler of beta 1 runs a body once, whatever its Python counts."""
        turn = self.turns[key] = self.turns.get(key, -1) + 1
        addresses = self.placed.setdefault(key, [])
        if turn == len(addresses):
            addresses.append(address)
        return addresses[turn]

    # Loops.

    def iterate(self, first: int, stop: int, step: int, place: tuple,
                is_affine: bool = False) -> Iterator[object]:
        name_collected(_kernel_frame())
        count = max(0, -(-(stop - first) // step))
        unrolls = place in self.unrolled or count <= 1
        if unrolls:
            for i in range(count):
                self.turns = {}
                yield first + i * step
            return
        is_peeled = place in self.peeled and count > 2
        counter = LoopCounter(place, "i", first, step, count - is_peeled)
        index = Index(0, {counter: 1})
        bodies, states = [], []
        for _ in range(2):
            body = Block(self.block)
            body.counter = counter
            bodies.append(body)
            self.block = body
            self.loops.append(counter)
            yield index
            if self.block is not body:
                raise Unroll([counter], "a loop that is left early")
            self.loops.pop()
            self.block = body.parent
            body.is_closed = True
            states.append(state_of(_kernel_frame()))
        if differs(*states):
            raise Unroll([counter], "a number that changes from iteration to iteration")
        if _fingerprint(bodies[0].nodes, {}) != _fingerprint(bodies[1].nodes, {}):
            raise Unroll([counter], "iterations that differ in more than the index")
        if not bodies[1].nodes:
            raise Unroll([counter], "a loop without instructions")
        self.block.nodes.append(Loop(counter, bodies[1], is_affine))
        if is_peeled:
            yield first + (count - 1) * step

    def finish(self) -> None:
        if self.loops:
            raise Unroll(list(self.loops), "a loop that is left early")

    def release(self) -> None:
        """Lets go of what was recorded. Buffers, views and blocks know each other: Python would
        search for such circles in all of it."""
        blocks = [self.body]
        while blocks:
            nodes = blocks.pop().nodes
            blocks += [node.body for node in nodes if isinstance(node, Loop)]
            for node in nodes:
                if isinstance(node, Instruction):
                    node.views = []
            nodes.clear()


def _kernel_frame() -> object:
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return frame


def _starts_loop(frame: object) -> bool:
    """Whether a `for` statement asks for the iterator, and no list or comprehension."""
    code = frame.f_code.co_code
    at = frame.f_lasti
    if dis.opname[code[at]] != "GET_ITER" or frame.f_code.co_name.startswith("<"):
        return False
    at += 2
    while dis.opname[code[at]] in ("CACHE", "EXTENDED_ARG"):
        at += 2
    return dis.opname[code[at]] == "FOR_ITER"


class Range:
    """`nl.affine_range`, `nl.sequential_range`, and the `range` of a traced file."""

    def __init__(self, *limits: object, is_affine: bool = False) -> None:
        self.is_affine = is_affine
        limits = [Index.of(limit).simplified() for limit in limits]
        if not 1 <= len(limits) <= 3:
            raise TypeError("a range has one to three limits, but %d are given" % len(limits))
        self.start, self.stop, self.step = (0, limits[0], 1) if len(limits) == 1 else \
            (*limits, 1) if len(limits) == 2 else limits

    def _numbers(self) -> range:
        return range(*map(int, (self.start, self.stop, self.step)))

    def __iter__(self) -> Iterator[object]:
        recorder, frame = Recorder.current, sys._getframe(1)
        code = frame.f_code
        if recorder is None or not _starts_loop(frame):
            return iter(self._numbers())  # list(range(n)) and the like
        count = Index.of(self.stop - self.start).simplified()
        if isinstance(count, Index):
            raise Unroll(count.terms, "a loop whose length depends on another")
        place, step = (code, frame.f_lineno), int(self.step)
        if step < 0:  # loops of the program count up
            return (self.start - i for i in recorder.iterate(0, -count, -step, place,
                                                             self.is_affine))
        if count >= 0 and isinstance(self.start, Index):
            return (self.start + i for i in recorder.iterate(0, count, step, place,
                                                             self.is_affine))
        return recorder.iterate(self.start, self.stop, step, place, self.is_affine)

    def __len__(self) -> int:
        return len(self._numbers())

    def __getitem__(self, key: object) -> object:
        return self._numbers()[key]

    def __contains__(self, value: object) -> bool:
        return value in self._numbers()

    def __reversed__(self) -> Iterator[int]:
        return reversed(self._numbers())

    def __repr__(self) -> str:
        return repr(self._numbers())

    def __eq__(self, other: object) -> bool:
        return self._numbers() == (other._numbers() if isinstance(other, Range) else other)

    def __hash__(self) -> int:
        return hash(self._numbers())

