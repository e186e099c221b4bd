# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Software pipelining, as the vendor's compiler of beta 1 may do it to `nl.affine_range`.

Engines execute their instructions in order. Where an iteration comes back to an engine with a
result that went through another one, it waits there, and with it all later iterations. So the body
is cut into stages at these returns, and stages of neighbouring iterations take turns:

    as written   T0 C0 M0 | T1 C1 M1 | ...     M0 waits for C0, T1 for M0
    pipelined    T0 | T1 C0 | T2 C1 M0 | ...   T: transpose, C: copy, M: matmul

Buffers of the body get a slot for each iteration that is under way.
"""

from __future__ import annotations

from ._affine import Condition, Index, LoopCounter, decide
from ._recorder import Alloc, Block, Instruction, Loop
from ._tensor import BYTES, Buffer, View

# What an unrolled loop may have; longer ones stay as they are.
MAX_NODES = 20_000
# What kernels have of a partition, in bytes: sbuf_partition_bytes and the banks of docs/Machine.md.
SBUF_BYTES = {"trn1": 180_224, "trn2": 212_992}
BANK_BYTES, BANKS = 2048, 8


def room_of(machine: str) -> dict[str, int]:
    """Bytes of SBUF and banks of PSUM."""
    return {"sbuf": SBUF_BYTES[machine], "psum": BANKS}


def _taken(buffer: Buffer) -> int:
    size = buffer.row * BYTES[buffer.dtype]
    return -(-size // BANK_BYTES) if buffer.memory == "psum" else size


def pipelined(block: Block, room: dict[str, int]) -> bool:
    """Pipelines the innermost loops in `block` that have something to gain and fit into `room`,
    where all buffers of the blocks around them count. Whether there was one."""
    nodes, found = [], False
    room = dict(room)
    for node in block.nodes:
        if isinstance(node, Alloc) and node.buffer.memory in room:
            room[node.buffer.memory] -= _taken(node.buffer)
    for node in block.nodes:
        if not isinstance(node, Loop):
            nodes.append(node)
        elif pipelined(node.body, room):
            nodes.append(node)
            found = True
        else:
            made = _pipelined_loop(node, room)
            found |= made != [node]
            nodes += made
    block.nodes = nodes
    return found


def _pipelined_loop(loop: Loop, room: dict[str, int]) -> list:
    body = [node for node in loop.body.nodes if not isinstance(node, Alloc)]
    own = [node.buffer for node in loop.body.nodes if isinstance(node, Alloc)]
    count = loop.counter.count
    if not loop.is_affine or count < 2 or _size(body) * count > MAX_NODES or \
            any(buffer.address is not None for buffer in own):
        return [loop]
    stages = _stages(body, set(own))
    last = max(stages, default=0)
    if last == 0:
        return [loop]
    slots = next((slots for slots in (_slots(body, stages, own, extra) for extra in _EXTRA)
                  if _fit(slots, room)), None)
    if slots is None:
        return [loop]
    made = [Alloc(buffer, place) for copies, place in slots.values() for buffer in copies]
    for time in range(count + last):
        for stage in range(last + 1):
            number = time - stage
            if not 0 <= number < count:
                continue
            replaced = {buffer: copies[number % len(copies)]
                        for buffer, (copies, _place) in slots.items()}
            index = loop.counter.first + number * loop.counter.step
            made += [_at(node, loop.counter, index, replaced)
                     for node, its in zip(body, stages) if its == stage]
    return made


def _size(nodes: list) -> int:
    return sum(1 if not isinstance(node, Loop) else _size(node.body.nodes) for node in nodes)


#===----------------------------------------------------------------------===//
# Stages.
#===----------------------------------------------------------------------===//


def _instructions(node: object) -> list[Instruction]:
    if isinstance(node, Instruction):
        return [node]
    if isinstance(node, Loop):
        return [one for inner in node.body.nodes for one in _instructions(inner)]
    return []


def _engine(op: Instruction) -> str:
    if op.text.startswith("trn.dma"):
        return "store" if op.views[0].memory == "hbm" else "load"
    if op.text.startswith(("trn.matmul", "trn.transpose")):
        return "vector" if op.text.endswith("on vector") else "tensor"
    if op.text.startswith("trn.activation"):
        return "scalar"
    return "gpsimd" if op.text.endswith("on gpsimd") or \
        op.text.startswith(("trn.iota", "trn.affine_select")) else "vector"


def _touched(node: object) -> tuple[set[Buffer], set[Buffer]]:
    reads, writes = set(), set()
    for op in _instructions(node):
        for position, view in enumerate(op.views):
            (writes if position in op.writes else reads).add(view.buffer)
            if position in op.writes and op.condition is not None:
                reads.add(view.buffer)
    return reads, writes


def _stages(body: list, own: set[Buffer]) -> list[int]:
    """The stage of each node: one more wherever it comes back to an engine that what it needs has
    used, by way of another engine."""
    touched = [_touched(node) for node in body]
    engines = [{_engine(op) for op in _instructions(node)} for node in body]
    read_from: list[set[int]] = []  # those whose results a node reads
    before: list[set[int]] = []     # those that it must not pass
    for at, (reads, writes) in enumerate(touched):
        read_from.append({i for i in range(at) if touched[i][1] & reads})
        before.append(read_from[at] | {i for i in range(at) if (touched[i][0] | touched[i][1])
                                       & writes})
    behind: list[set[tuple[str, int]]] = []  # engines, with stages, that its ancestors used
    stages: list[int] = []
    for at in range(len(body)):
        used = set().union(*(behind[i] for i in read_from[at]))
        stages.append(max([0, *(stages[i] for i in before[at]),
                           *(stage + 1 for engine, stage in used if engine in engines[at])]))
        behind.append(used | {(engine, stages[i]) for i in read_from[at]
                              for engine in engines[i] - engines[at]})
    _keep_together(stages, touched, own, before)
    return stages


def _keep_together(stages: list[int], touched: list, own: set[Buffer],
                   before: list[set[int]]) -> None:
    """What is not the iteration's own and is written stays in the order of iterations: all that
    touch it are of one stage."""
    changed = True
    while changed:
        changed = False
        shared: dict[Buffer, int] = {}
        written = {buffer for _reads, writes in touched for buffer in writes if buffer not in own}
        for at, (reads, writes) in enumerate(touched):
            for buffer in (reads | writes) & written:
                shared[buffer] = max(shared.get(buffer, 0), stages[at])
        for at, (reads, writes) in enumerate(touched):
            least = max([stages[at], *[shared[buffer] for buffer in (reads | writes) & written],
                         *[stages[i] for i in before[at]]])
            changed |= least != stages[at]
            stages[at] = least


def _fit(slots: dict, room: dict[str, int]) -> bool:
    return all(sum(len(copies) * _taken(buffer) for buffer, (copies, _place) in slots.items()
                   if buffer.memory == memory) <= left for memory, left in room.items())


# Slots to be filled meanwhile. A tile in PSUM comes and goes fast: it can do without.
_EXTRA = ({"sbuf": 1, "psum": 1, "hbm": 1}, {"sbuf": 1, "psum": 0, "hbm": 1})


def _slots(body: list, stages: list[int], own: list[Buffer], extra: dict[str, int]) -> dict:
    """Buffers in the place of each one of the body's: one for each stage that it lives through,
    and `extra` ones."""
    found = {}
    for buffer in own:
        lives = [(stage, node) for node, stage in zip(body, stages)
                 if any(view.buffer is buffer for op in _instructions(node) for view in op.views)]
        if not lives:
            continue
        numbers = [stage for stage, _node in lives]
        count = max(numbers) - min(numbers) + 1 + extra[buffer.memory]
        place = _instructions(lives[0][1])[0].place
        found[buffer] = ([Buffer(buffer.shape, buffer.dtype, buffer.memory, buffer.scope,
                                 buffer.name) for _ in range(count)], place)
    return found


#===----------------------------------------------------------------------===//
# Iterations by number.
#===----------------------------------------------------------------------===//


def _at(node: object, counter: LoopCounter, value: int, replaced: dict) -> object:
    """A copy of a node for one iteration."""
    if isinstance(node, Loop):
        body = Block(node.body.parent)
        body.nodes = [_at(one, counter, value, replaced) for one in node.body.nodes]
        return Loop(node.counter, body, node.is_affine)
    if isinstance(node, Alloc):
        return node
    views = [View(replaced.get(view.buffer, view.buffer), _number(view.partition, counter, value),
                  _number(view.offset, counter, value), view.dims) for view in node.views]
    condition = node.condition
    if isinstance(condition, Condition):
        condition = Condition([(_number(part, counter, value), sign)
                               for part, sign in condition.parts])
        known = [decide(part, sign) for part, sign in condition.parts]
        if None not in known:
            condition = True if all(known) else None
    return Instruction(node.text, views, node.writes, node.place, condition)


def _number(index: Index, counter: LoopCounter, value: int) -> Index:
    if counter not in index.terms:
        return index
    terms = {one: factor for one, factor in index.terms.items() if one is not counter}
    return Index(index.constant + index.terms[counter] * value, terms)
