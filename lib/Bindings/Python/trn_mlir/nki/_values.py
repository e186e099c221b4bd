# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel holds in its hands: tensors and tiles, and what Python's operators do to them."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence

from . import _ops
from ._affine import Index, broadcast
from ._errors import NkiError, kernel_frame
from ._masks import cut, is_left_out
from ._names import name_result
from ._recorder import Alloc, Recorder, drop_last
from ._rows import Rows, chosen, held, one_block, row_pattern
from ._integers import integer_of
from ._spans import Loan, note_box, note_mixed
from ._sums import accumulates, is_sum_of_products, note_product
from ._tensor import Bound, Buffer, Dim, DynamicSlice, View
from ._types import dtype_of, element_of, wider


class Tensor(View):
    """A tensor in HBM, a tile on chip, or a part of one."""

    op = None      # the instruction that made it, if it is a result that nobody has taken
    box_at = None  # the part of the result that a mask let it write
    is_empty = False  # the mask let it write nothing

    @property
    def dtype(self) -> object:
        return dtype_of(self.buffer.integer or self.element)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def size(self) -> int:
        return self.num_elements

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        """`if bias:` asks whether an argument is given. What it holds is not known."""
        if not self.is_on_chip and 1 < self.num_elements == math.prod(self.buffer.shape):
            return True
        raise NkiError("nki_r8", "the kernel decides by what a tile holds, which is not known when "
                       "it is read; compute both sides and select, or ask `is not None`")

    def __repr__(self) -> str:
        return "<%s tensor %s of %s>" % (self.memory, self.shape, self.element)

    __hash__ = object.__hash__

    def __getitem__(self, key: object) -> Tensor | Rows:
        keys = key if isinstance(key, tuple) else (key,)
        if any(isinstance(one, View) for one in keys):
            return self._chosen(self._keys(key))
        if Recorder.current.version != "beta1":
            return self._indexed(key)
        made = self.at(key)
        is_column = made.ndim == 1 and made.dims[0].is_partition and made.is_on_chip
        return made.with_ones(1) if is_column else made

    def _indexed(self, key: object) -> Tensor:
        """In 0.6, an index keeps the partition of a tile as a dimension of one; a tile has two
        dimensions at least, and a tensor in HBM one."""
        keys = self._keys(key)
        if self.is_on_chip and (isinstance(keys[0], Index) or hasattr(keys[0], "__index__")):
            start = keys[0]
            if not isinstance(start, Index) and start < 0:
                start = operator.index(start) + self.shape[0]
            keys[0] = DynamicSlice(start, 1)
        made = self.at_keys(keys)
        missing = (2 if self.is_on_chip else 1) - made.ndim
        return made.with_ones(missing) if missing > 0 else made

    def with_ones(self, count: int) -> Tensor:
        """With dimensions of one behind the others: a tile has two at least, in all versions."""
        return self.like([*self.dims, *[Dim(1, 1)] * count], bounds=tuple(
            bound._replace(steps=bound.steps + (0,) * count) for bound in self.bounds))

    def _chosen(self, keys: list) -> Rows:
        if not isinstance(keys[0], View) or any(isinstance(one, View) for one in keys[1:]):
            raise NkiError("nki_r16", "a tile chooses along the first dimension of a tensor in HBM, "
                           "and along that alone")
        return chosen(self, keys)

    def __setitem__(self, key: object, value: object) -> None:
        assign(self.at(key), value)

    def assert_shape(self, shape: Sequence[int]) -> Tensor:
        if self.shape != tuple(shape):
            raise NkiError("nki_r3", "a tensor of %s, but %s is expected" %
                           (self.shape, tuple(shape)))
        return self

    # Views, by the names of both versions.

    def reshape(self, *sizes: object, shape: Sequence[int] | None = None) -> Tensor:
        if shape is None:
            shape = sizes[0] if len(sizes) == 1 and not hasattr(sizes[0], "__index__") else sizes
        return self.reshaped(shape)

    def permute(self, dims: Sequence[int]) -> Tensor:
        return self.permuted(dims)

    def astype(self, dtype: object) -> Tensor:
        """A copy in another type."""
        made = typed_tile(self.shape, dtype)
        _ops.copy(made, self)
        name_result(made)
        return finished(made)

    def broadcast_to(self, shape: Sequence[int]) -> Tensor:
        shape = tuple(shape)
        if self.is_on_chip and self.shape[0] == 1 and shape[0] > 1:
            row = _ops.spread(_ops.tile(self), shape[0])
            return Tensor(row.buffer, row.partition, row.offset, row.dims).repeated(shape)
        return self.repeated(shape)

    def broadcast(self, dim: int, size: int) -> Tensor:
        return self.repeated([size if axis == dim else one for axis, one in enumerate(self.shape)])

    def expand_dim(self, dim: int) -> Tensor:
        return self.reshaped([*self.shape[:dim], 1, *self.shape[dim:]])

    def squeeze_dim(self, dim: int) -> Tensor:
        return self.like([one for axis, one in enumerate(self.dims) if axis != dim])

    def reshape_dim(self, dim: int, shape: Sequence[int]) -> Tensor:
        return self.reshaped([*self.shape[:dim], *_inferred(shape, self.shape[dim]),
                              *self.shape[dim + 1:]])

    def flatten_dims(self, start_dim: int, end_dim: int) -> Tensor:
        count = 1
        for size in self.shape[start_dim:end_dim + 1]:
            count *= size
        return self.reshaped([*self.shape[:start_dim], count, *self.shape[end_dim + 1:]])

    def slice(self, dim: int, start: object, end: object, step: int = 1) -> Tensor:
        return self.at((slice(None),) * dim + (slice(start, end, step),))

    def select(self, dim: int, index: object) -> Tensor | Rows:
        index = held(index)
        if isinstance(index, View):
            others = [one for axis, one in enumerate(self.dims) if axis != dim]
            return one_block(self, others, Index(), index, dim)
        return self.at((slice(None),) * dim + (index,))

    def vector_select(self, dim: int, vector_offset: View) -> Rows:
        if dim != 0:
            raise NkiError("nki_r2", "vector_select chooses along dimension 0, but it is %d" % dim)
        return chosen(self, [vector_offset, *[slice(None)] * (self.ndim - 1)])

    def is_indirect(self) -> bool:
        return False

    def ap(self, pattern: Sequence[Sequence[int]], offset: object = None,
           scalar_offset: object = None, vector_offset: object = None, indirect_dim: int = 0,
           dtype: object = None) -> Tensor | Rows:
        """`[[step, count], ...]` over the buffer, the partition first on chip."""
        if dtype is not None:
            self.view(dtype)
        dims = [Dim(operator.index(count), operator.index(step)) for step, count in pattern]
        start = Index.of(offset or 0)
        if vector_offset is not None:
            return row_pattern(self, dims, start, vector_offset, indirect_dim)
        scalar_offset = held(scalar_offset)
        if isinstance(scalar_offset, View):
            return one_block(self, dims, start, scalar_offset, indirect_dim)
        if scalar_offset is not None:
            start = Index.of(start + Index.of(scalar_offset) * self.strides[indirect_dim])
        if not self.is_on_chip:
            return self.like(dims, offset=Index.of(self.offset + start), bounds=self._reach(
                dims, start))
        row = self.buffer.row
        if dims[0].stride != row and dims[0].size != 1:
            raise NkiError("nki_r4", "`ap` steps over partitions by %d elements, but a partition "
                           "of the tile has %d, which is the step" % (dims[0].stride, row))
        dims[0] = Dim(dims[0].size, 1, True)
        partition, within = _split(start, row)
        return self.like(dims, offset=Index.of(self.offset + within),
                         partition=Index.of(self.partition + partition))

    def _reach(self, dims: Sequence[Dim], start: Index) -> tuple[Bound, ...]:
        """What elements of a pattern in HBM must hold."""
        total = math.prod(self.buffer.shape)
        return (Bound(Index.of(self.offset + start), tuple(dim.stride for dim in dims), total, 0),)

    def view(self, dtype: object) -> Tensor:
        """The same bits as of another type, which must be its own here."""
        if integer_of(dtype) != self.buffer.integer or \
                self.buffer.integer is None and element_of(dtype) != self.element:
            raise NkiError("nki_r6", "the bits of %s are read as %s; elements keep their type "
                           "here; convert them by nisa.tensor_copy, or give the kernel a tensor "
                           "of that type" % (self.dtype, dtype))
        return self

    reinterpret_cast = view

    def get_pattern(self) -> list[list[int]]:
        row = self.buffer.row
        return [[row if dim.is_partition else dim.stride, dim.size] for dim in self.dims]

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(step for step, _count in self.get_pattern())

    def is_contiguous(self) -> bool:
        return self._merge([dim for dim in self.dims if not dim.is_partition]) is not None

    def rearrange(self, src_pattern: Sequence, dst_pattern: Sequence,
                  fixed_sizes: dict[str, int] | None = None) -> Tensor:
        """Splits, permutes and merges dimensions, named as in einops."""
        sizes, names, shape = dict(fixed_sizes or {}), [], []
        for group, size in zip(src_pattern, self.shape):
            group = (group,) if isinstance(group, str) else tuple(group)
            known = math.prod(sizes.get(name, 1) for name in group)
            for name in group:
                sizes.setdefault(name, size // known)
            names += group
            shape += [sizes[name] for name in group]
        order = [name for group in dst_pattern
                 for name in ((group,) if isinstance(group, str) else group)]
        split = self.reshaped(shape).permuted([names.index(name) for name in order])
        return split.reshaped([math.prod(sizes[name] for name in
                                         ((group,) if isinstance(group, str) else group))
                               for group in dst_pattern])

    # Arithmetic of beta 1.

    def _combine(self, function: str, other: object, is_reversed: bool = False) -> Tensor:
        result = elementwise(function, self, other, is_reversed=is_reversed)
        name_result(result)
        return result

    def _update(self, function: str, other: object) -> Tensor:
        if self.memory == "psum" and is_left_out(other):
            return self  # a product that a mask leaves out
        if function == "add" and isinstance(other, Tensor) and other.op is not None \
                and self.memory == "psum" and other.op.text.startswith("trn.matmul"):
            count, part = len(self.products), self
            if other.box_at is not None and self.shape == other.shape:
                part = self.box(*other.box_at)
            if is_sum_of_products(part) and take(other, self, accumulate=accumulates(part)):
                return self
            del self.products[count:]
            self.buffer.is_zero |= not self.products and not self.buffer.mixed
        combine_into(self, function, self, other)
        return self

    def __add__(self, other: object) -> Tensor:
        return self._combine("add", other)

    def __radd__(self, other: object) -> Tensor:
        return self._combine("add", other, True)

    def __sub__(self, other: object) -> Tensor:
        return self._combine("sub", other)

    def __rsub__(self, other: object) -> Tensor:
        return self._combine("sub", other, True)

    def __mul__(self, other: object) -> Tensor:
        return self._combine("mul", other)

    def __rmul__(self, other: object) -> Tensor:
        return self._combine("mul", other, True)

    def __truediv__(self, other: object) -> Tensor:
        return self._combine("div", other)

    def __rtruediv__(self, other: object) -> Tensor:
        return self._combine("div", other, True)

    def __neg__(self) -> Tensor:
        return self._combine("mul", -1.0)

    def __pow__(self, other: object) -> Tensor:
        return self._combine("pow", other)

    def __rpow__(self, other: object) -> Tensor:
        return self._combine("pow", other, True)

    def __eq__(self, other: object) -> Tensor:
        return self._combine("eq", other) if _is_computed_with(other) else NotImplemented

    def __ne__(self, other: object) -> Tensor:
        return self._combine("ne", other) if _is_computed_with(other) else NotImplemented

    def __gt__(self, other: object) -> Tensor:
        return self._combine("gt", other)

    def __ge__(self, other: object) -> Tensor:
        return self._combine("ge", other)

    def __lt__(self, other: object) -> Tensor:
        return self._combine("lt", other)

    def __le__(self, other: object) -> Tensor:
        return self._combine("le", other)

    def __iadd__(self, other: object) -> Tensor:
        return self._update("add", other)

    def __isub__(self, other: object) -> Tensor:
        return self._update("sub", other)

    def __imul__(self, other: object) -> Tensor:
        return self._update("mul", other)

    def __itruediv__(self, other: object) -> Tensor:
        return self._update("div", other)


def _is_computed_with(other: object) -> bool:
    return isinstance(other, (View, int, float))


def _split(start: Index, row: int) -> tuple[Index, Index]:
    """Elements of a tile, counted over its partitions of `row`, as partitions and the rest."""
    over = {counter: step // row for counter, step in start.terms.items() if step % row == 0}
    rest = {counter: step for counter, step in start.terms.items() if step % row}
    return Index(start.constant // row, over), Index(start.constant % row, rest)


def _inferred(shape: Sequence[int], total: int) -> list[int]:
    known = 1
    for size in shape:
        known *= size if size != -1 else 1
    return [total // known if size == -1 else size for size in shape]


class Blocks:
    """A tensor with block dimensions in PSUM, or one whose blocks the kernel places: a tile for
    each block. Blocks are chosen by numbers."""

    def __init__(self, blocks: tuple[int, ...], tiles: list[Tensor], dtype: object) -> None:
        self.blocks, self.tiles, self.dtype = blocks, tiles, dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.blocks, *self.tiles[0].shape)

    def _find(self, key: object) -> tuple[object, tuple]:
        keys = list(key if isinstance(key, tuple) else (key,))
        if Ellipsis in keys:
            at = keys.index(Ellipsis)
            keys[at:at + 1] = [slice(None)] * (len(self.shape) - len(keys) + 1)
        number, count = 0, 0
        for size, one in zip(self.blocks, keys):
            index = operator.index(one)
            if not 0 <= index < size:
                raise NkiError("nki_r1", "index %d of a block dimension, which has %d" %
                               (index, size))
            number, count = number * size + index, count + 1
        rest = self.blocks[count:]
        width = 1
        for size in rest:
            width *= size
        tiles = self.tiles[number * width:(number + 1) * width]
        found = Blocks(rest, tiles, self.dtype) if rest else tiles[0]
        return found, tuple(keys[count:])

    def __getitem__(self, key: object) -> object:
        found, rest = self._find(key)
        return found[rest] if rest else found

    def __setitem__(self, key: object, value: object) -> None:
        found, rest = self._find(key)
        found[rest or ...] = value


#===----------------------------------------------------------------------===//
# Results, and what becomes of them.
#===----------------------------------------------------------------------===//


def tile_of(shape: Sequence[int], element: str, memory: str = "sbuf") -> Tensor:
    """A new tile on chip."""
    shape = (*shape, *[1] * (2 - len(shape)))
    physical = shape if len(shape) <= _ops.MAX_RANK else (shape[0], math.prod(shape[1:]))
    made = Tensor.of(Recorder.current.allocate(physical, element, memory))
    return made if shape == physical and 1 not in shape[1:-1] else made.reshaped(shape)


def typed_tile(shape: Sequence[int], dtype: object, memory: str = "sbuf") -> Tensor:
    """A new tile of one of NKI's types, narrow integers among them."""
    integer = integer_of(dtype)
    made = tile_of(shape, "f32" if integer else element_of(dtype), memory)
    made.buffer.integer = integer
    return made


def _of(buffer: Buffer) -> Tensor:
    return Tensor(buffer, Index(), Index(), buffer.dims)


Tensor.of = staticmethod(_of)


class LoopReduced:
    """`nl.loop_reduce(tile)`: what it is assigned to is folded with the tile, or with none in
    iterations that a mask leaves out."""

    def __init__(self, tile: View | None, function: str) -> None:
        self.tile, self.function = tile, function


def assign(dst: Tensor, value: object) -> None:
    """`dst[...] = value`."""
    if isinstance(value, LoopReduced):
        return None if value.tile is None else \
            combine_into(dst, value.function, dst, value.tile)
    if isinstance(value, (int, float)) or hasattr(value, "__float__") and \
            not isinstance(value, View):
        return _ops.fill(dst, float(value))
    if not isinstance(value, View):
        raise NkiError("nki_r3", "a tile is set to %r, but is set to a tile or a number" %
                       type(value).__name__)
    if value.loan is not None:
        value.loan.check(value)
    if value.buffer is dst.buffer and value.dims == dst.dims and \
            value.offset.is_same(dst.offset) and value.partition.is_same(dst.partition):
        return None  # `x[i] += y`, which has been done
    if is_left_out(value) or take(value, dst):
        return None
    if value.shape != dst.shape:
        value = value.reshaped(dst.shape) if value.num_elements == dst.num_elements else \
            _ops.operands(dst, value)[1]
    parts = cut(None, dst, [value], is_new=False)
    if parts is not None:
        _ops.copy(*parts)
        note_part(dst, parts[0])
    return None


def take(result: Tensor, dst: View, accumulate: object = None) -> bool:
    """Lets the instruction that made `result`, the last one so far, write `dst` instead, if
    nobody has read it and no rounding gets lost."""
    op, nodes, place = result.op, Recorder.current.block.nodes, _assignment()
    if dst.loan is not None:
        dst.loan.refuse()
    if op is None or place in Recorder.current.copied or result.buffer.uses or \
            not _is_last(op, nodes) or dst.memory == "hbm" or \
            dst.buffer.integer != result.buffer.integer:
        return False
    is_product = op.text.startswith(("trn.matmul", "trn.transpose"))
    if is_product and (result.memory == "psum" != dst.memory or
                       dst.element != result.element) or \
            op.text.startswith("trn.dma") and dst.memory != "sbuf" or \
            wider(result.element, dst.element) != result.element:
        return False
    if _ops.tile(dst).shape[0] != result.shape[0] or dst.num_elements != result.num_elements:
        return False
    target = dst if dst.shape == result.shape else _fit(dst, result.shape)
    if target is not None and result.box_at is not None:
        target = target.box(*result.box_at)
    target = None if target is None else _fit(target, op.views[0].shape)
    if target is None:
        return False
    target.check_bounds()
    Recorder.current.check_alive(target)
    op.views[0] = target
    dst.buffer.is_written = True
    note_box(target)
    dst.buffer.bounds = None  # of integers: not followed here
    if accumulate is not None:
        op.condition = None if accumulate is False else accumulate
    elif is_product:
        note_product(dst, overwrites=True)
    if not op.text.startswith("trn.matmul"):
        note_mixed(target)
    drop_last(nodes, lambda node: node is op)
    drop_last(nodes, lambda node: isinstance(node, Alloc) and node.buffer is result.buffer)
    nodes.append(op)
    if accumulate is True or accumulate is not None and dst.buffer.is_zero:
        pass  # what it leaves alone has a value, too
    elif dst.num_elements == View.of(dst.buffer).num_elements:
        dst.buffer.inherit(result.buffer)
    elif result.box_at is not None:
        note_part(dst, target)
    # What is added to has another value from now on.
    loan = Loan(place, dst.buffer.writes if accumulate in (None, False) else -1)
    result.op, result.loan, result.buffer.taken = None, loan, loan
    result.buffer, result.partition, result.offset, result.dims, result.shape = \
        dst.buffer, dst.partition, dst.offset, dst.dims, dst.shape
    result.products = dst.products
    return True


def _assignment() -> tuple:
    """Where the kernel assigns."""
    frame = kernel_frame()
    return (frame.f_code, frame.f_lasti) if frame else ()


def note_part(dst: View, written: View) -> None:
    """Partitions of a buffer that a mask left alone while others were written."""
    buffer, whole = dst.buffer, View.of(dst.buffer)
    if buffer.is_filled or not dst.is_on_chip or written.shape == dst.shape or \
            written.partition.terms:
        return
    count = next((dim.size for dim in written.dims if dim.is_partition), 1)
    if count < dst.shape[0]:
        buffer.valid = ((written.partition.constant, *[0] * (whole.ndim - 1)),
                        (count, *whole.shape[1:]))


def _is_last(op: object, nodes: list) -> bool:
    for node in reversed(nodes):
        if not isinstance(node, Alloc):
            return node is op
    return False


def _fit(view: View, shape: tuple[int, ...]) -> View | None:
    """`view` in the shape that an instruction was written with, if it has it."""
    if view.shape == shape:
        return view
    try:
        return _ops.tile(view).reshaped(shape)
    except NkiError:
        return None


def elementwise(function: str, x: object, y: object, dtype: object = None,
                is_reversed: bool = False, mask: object = None) -> Tensor:
    """A function of two tiles, or of a tile and a number, into a new tile."""
    if not isinstance(x, View):
        x, y, is_reversed = y, x, not is_reversed
    if not isinstance(y, View):
        shape, element, given = x.shape, x.element, [x]
    else:
        try:
            shape = broadcast(x.shape, y.shape)
        except ValueError as problem:
            raise NkiError("nki_r3", str(problem)) from None
        element, given = wider(x.element, y.element), [x, y]
    result = typed_tile(shape, dtype) if dtype is not None else tile_of(shape, element)
    parts = cut(mask, result, given, is_new=True)
    if parts is None:
        return result
    combine_into(parts[0], function, parts[1], parts[2] if len(parts) > 2 else float(y),
                 is_reversed)
    return finished(result)


def combine_into(dst: View, function: str, x: View, y: object, is_reversed: bool = False,
                 engine: str | None = None) -> None:
    if not isinstance(y, View):
        return _ops.tensor_scalar(dst, x, [(function, y, is_reversed)], engine)
    if is_reversed:
        x, y = y, x
    count = _ops.tile(dst).shape[0]
    for column, tile, is_first in ((y, x, False), (x, y, True)):
        if column.is_on_chip and column.num_elements == count == _ops.tile(column).shape[0] and \
                dst.num_elements > count:
            if tile.is_on_chip and tile.shape[0] == 1 < count:
                tile = _ops.spread(_ops.tile(tile), count)
            return _ops.tensor_scalar(dst, tile, [(function, column, is_first)], engine)
    return _ops.tensor_tensor(dst, function, x, y, engine)


def finished(result: Tensor) -> Tensor:
    """A tile that the instruction recorded last has made."""
    result.op = Recorder.current.block.nodes[-1]
    return result
