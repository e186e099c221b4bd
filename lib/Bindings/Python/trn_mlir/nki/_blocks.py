# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of beta 1's tiles in SBUF, each with a life of its own.

A tile with block dimensions is many tiles, which the compiler of beta 1 places one by one: a block
takes room from where it is written to where it is last read. Where all blocks of a kernel do not
fit at once, a tile whose block dimension goes with a loop is declared anew in each iteration, and
one whose blocks are numbers becomes a tile for each. Several block dimensions are tried in their
order. What needs several blocks at once stays whole.
"""

from __future__ import annotations

from typing import NamedTuple

from ._affine import Index, LoopCounter
from ._recorder import Alloc, Block, Instruction, Loop
from ._tensor import BYTES, Buffer, View


class _Use(NamedTuple):
    """An operand, and the loops around its instruction, the outermost first."""
    op: Instruction
    position: int
    loops: tuple[Loop, ...]


class _Blocks(NamedTuple):
    """`factor * counter + constant`: which block an access touches. No counter: one block."""
    counter: LoopCounter | None
    factor: int
    constant: int

    def numbers(self) -> range:
        counter = self.counter
        if counter is None:
            return range(self.constant, self.constant + 1)
        first, last = (self.factor * end + self.constant for end in (counter.first, counter.last))
        step = self.factor * counter.step
        return range(first, last + (1 if step > 0 else -1), step)


def split_blocks(body: Block, room: int) -> None:
    """Splits tiles that are declared in `body`, or in its loops, unless all of them fit in `room`
    bytes of a partition."""
    uses: dict[Buffer, list[_Use]] = {}
    if _collect(body, (), uses) <= room:
        return
    for block, depth in list(_blocks_of(body, 0)):
        for node in [node for node in block.nodes if isinstance(node, Alloc)]:
            if node.buffer.memory == "sbuf" and node.buffer.address is None and \
                    node.buffer.blocks and node.buffer in uses:
                block.nodes.remove(node)
                _split(node, uses[node.buffer], block, depth)


def _collect(block: Block, loops: tuple[Loop, ...], uses: dict[Buffer, list[_Use]]) -> int:
    """Who uses what. The bytes of SBUF that are declared."""
    size = 0
    for node in block.nodes:
        if isinstance(node, Alloc):
            size += node.buffer.row * BYTES[node.buffer.dtype] * (node.buffer.memory == "sbuf")
        elif isinstance(node, Loop):
            size += _collect(node.body, (*loops, node), uses)
        else:
            for position, view in enumerate(node.views):
                uses.setdefault(view.buffer, []).append(_Use(node, position, loops))
    return size


def _blocks_of(block: Block, depth: int) -> object:
    yield block, depth
    for node in block.nodes:
        if isinstance(node, Loop):
            yield from _blocks_of(node.body, depth + 1)


def _split(alloc: Alloc, uses: list[_Use], block: Block, depth: int) -> None:
    """Along the first block dimension whose blocks have lives of their own, and what comes of it
    again. `depth` is that of the loops around the declaration."""
    buffer, groups = alloc.buffer, None
    views = [use.op.views[use.position] for use in uses]
    for dim in range(len(buffer.blocks)):
        made = _with_first(buffer, dim) if dim else buffer
        moved = [_moved(view, dim, made) if dim else view for view in views]
        if None not in moved:
            _replace(uses, moved)
            groups = _groups(made, uses, depth)
        if groups is not None:
            break
    if groups is None:
        _replace(uses, views)
        block.nodes.insert(0, alloc)
        return
    buffer = made
    size = buffer.row // buffer.blocks[0]
    rest = buffer.shape[2:] if len(buffer.shape) > 2 and buffer.shape[1] == buffer.blocks[0] else \
        (size,)
    for key, group in groups.items():
        made = Buffer((buffer.shape[0], *rest), buffer.dtype, "sbuf", None, buffer.name)
        made.blocks = buffer.blocks[1:]
        for op, position, _loops in group:
            view = op.views[position]
            start = Index(-key.constant * size, {} if key.counter is None else
                          {key.counter: -key.factor * size})
            op.views[position] = View(made, view.partition, Index.of(view.offset + start),
                                      view.dims)
        inner, at = block, depth
        loops = group[0].loops
        outer = next((i for i, loop in enumerate(loops) if loop.counter is key.counter), -1)
        if outer >= depth:  # else all of the loop's body is around the declaration
            inner, at = loops[outer].body, outer + 1
        _split(Alloc(made, alloc.place), group, inner, at)


def _replace(uses: list[_Use], views: list[View]) -> None:
    for use, view in zip(uses, views):
        use.op.views[use.position] = view


def _first(one: tuple, dim: int) -> tuple:
    return (one[dim], *one[:dim], *one[dim + 1:])


def _strides(buffer: Buffer) -> list[int]:
    """Of the block dimensions."""
    found = [buffer.row]
    for count in buffer.blocks:
        found.append(found[-1] // count)
    return found[1:]


def _with_first(buffer: Buffer, dim: int) -> Buffer:
    """A buffer like this, whose block dimension `dim` is the first one."""
    count, blocks = len(buffer.blocks), _first(buffer.blocks, dim)
    rest = buffer.shape[1 + count:] if buffer.shape[1:1 + count] == buffer.blocks else \
        (_strides(buffer)[-1],)
    made = Buffer((buffer.shape[0], *blocks, *rest), buffer.dtype, "sbuf", None, buffer.name)
    made.blocks = blocks
    return made


def _moved(view: View, dim: int, made: Buffer) -> View | None:
    """A view of a buffer as one of `made`, whose first block dimension is its block dimension
    `dim`. None if it may leave a block dimension at its end for the next position of another."""
    buffer = view.buffer
    strides, new = _strides(buffer), [0] * len(buffer.blocks)
    for old, stride in zip(_first(tuple(range(len(new))), dim), _strides(made)):
        new[old] = stride
    positions = [Index() for _ in new]
    offset, dims = Index(), []

    def place(step: int) -> tuple[int, int]:
        """Of a step: the block dimension that it goes along, and how far. A step within a block
        has none."""
        return next(((at, step // stride) for at, stride in enumerate(strides)
                     if step % stride == 0), (-1, step))

    for counter, step in view.offset.terms.items():
        at, factor = place(step)
        if at < 0:
            offset = Index.of(offset + Index(0, {counter: step}))
        else:
            positions[at] = Index.of(positions[at] + Index(0, {counter: factor}))
    rest = view.offset.constant
    for at, stride in enumerate(strides):
        number, rest = divmod(rest, stride)
        positions[at] = Index.of(positions[at] + number)
    offset = Index.of(offset + rest)
    ends = [list(position.range()) for position in positions]
    reach = offset.range()[1]
    if any(one.stride < 0 for one in view.dims):
        return None
    for one in view.dims:
        at, factor = (-1, one.stride) if one.is_partition or not one.stride else place(one.stride)
        if at < 0:
            dims.append(one)
            reach += 0 if one.is_partition else one.stride * (one.size - 1)
        else:
            dims.append(one._replace(stride=factor * new[at]))
            ends[at][1] += factor * (one.size - 1)
    if offset.range()[0] < 0 or reach >= strides[-1] or any(
            low < 0 or high >= count for (low, high), count in zip(ends, buffer.blocks)):
        return None
    for position, stride in zip(positions, new):
        offset = Index.of(offset + position * stride)
    return View(made, view.partition, offset, dims)


def _groups(buffer: Buffer, uses: list[_Use], depth: int) -> dict[_Blocks, list[_Use]] | None:
    """Uses by the blocks that they touch; None if a block is touched by two groups, or all blocks
    by one."""
    groups: dict[_Blocks, list[_Use]] = {}
    for use in uses:
        key = _touched(use.op.views[use.position], buffer.row // buffer.blocks[0])
        if key is None:
            return None
        groups.setdefault(key, []).append(use)
    touched: set[int] = set()
    for key in groups:
        numbers = key.numbers()
        if not touched.isdisjoint(numbers):
            return None
        touched.update(numbers)
    return groups


def _touched(view: View, size: int) -> _Blocks | None:
    """The block of `size` elements that all of a view lies in."""
    terms = {counter: step for counter, step in view.offset.terms.items() if step % size == 0}
    rest = Index(view.offset.constant, {counter: step for counter, step in view.offset.terms.items()
                                        if step % size})
    low, high = rest.range()
    reach = 0
    for dim in view.dims:
        if not dim.is_partition:
            reach += max(0, dim.stride) * (dim.size - 1)
            if dim.stride < 0:
                return None
    if len(terms) > 1 or low // size != (high + reach) // size:
        return None
    counter, step = next(iter(terms.items()), (None, 0))
    return _Blocks(counter, step // size, low // size)
