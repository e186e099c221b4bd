"""Tensors and tiles of the beta of NKI.

Instructions return tiles, which are operands of others, or are assigned to (parts of) tensors.
The indices of a tensor are slices and integers, or `nl.arange` with a place for each axis, but
not both. A mask says which elements are read and written; the indices of others may be out of
bounds.
"""

import functools

import numpy as np

from functions import BINARY, combine
from tensors import (ANOTHER, MATMUL, DType, NKIError, Storage, View, bool_, bfloat16, check_bank,
                     check_indices, check_tile, dtype_of, float16, float32, psum, require, sbuf, take_slices)

ZEROS = 3  # of nl.zeros in PSUM, to which products may be added


class Arange(np.ndarray):
    """Indices by `nl.arange`, or a mask of such."""


def to_dtype(dtype):
    """Types of NumPy stand for those of the language."""
    if dtype is None or isinstance(dtype, DType):
        return dtype
    return bool_ if np.dtype(dtype) == bool else dtype_of(np.empty(0, dtype))


def widest(tiles):
    """The type of a result that nobody chose."""
    for dtype in float32, bfloat16, float16:
        if any(tile.dtype is dtype for tile in tiles):
            return dtype
    return max((tile.dtype for tile in tiles), key=lambda dtype: dtype.size)


class Tensor(View):
    """On chip, `blocks` dimensions may stand before the partitions: those of several tiles."""

    def __init__(self, storage, values=None, writer=None, first_partition=0, blocks=None):
        super().__init__(storage, values, writer, first_partition)
        self.blocks = storage.blocks if blocks is None else blocks
        self.ndim = len(self.shape)

    def derive(self, transform, first_partition=None):
        first = self.first_partition if first_partition is None else first_partition
        return Tensor(self.storage, transform(self.values), transform(self.writer), first, 0)

    def __getitem__(self, key):
        parts = key if isinstance(key, tuple) else (key,)
        if self.blocks:
            return self._of_block(parts)
        if not any(isinstance(one, Arange) for one in parts):
            return take_slices(self, key)
        require(not any(isinstance(one, slice) for one in parts),
                "indices mix slices and nl.arange")
        require(len(parts) == len(self.shape), f"{len(parts)} indices of {self.shape}")
        return Gathered(self, tuple(self._index(one) for one in parts))

    def _index(self, one):
        """Indices in SBUF choose rows of HBM."""
        if not isinstance(one, View):
            return np.asarray(one)
        require(not self.on_chip, "indices of a tile choose in HBM")
        return check_indices(one).reshape(-1, *[1] * (len(one.shape) - 1))

    def _of_block(self, parts):
        if parts[0] is Ellipsis:
            return self
        count = min(len(parts), self.blocks)
        for one, size in zip(parts[:count], self.shape):
            require(isinstance(one, (int, np.integer)), "a block is chosen by an integer")
            require(0 <= one < size, f"index {one} of a dimension of {size}")
        key = tuple(int(one) for one in parts[:count])
        block = Tensor(self.storage, self.values[key], self.writer[key], 0, self.blocks - count)
        return block[parts[count:]] if parts[count:] else block

    def __setitem__(self, key, tile):
        part = self[key]
        if isinstance(tile, View) and tile.storage is self.storage:
            return  # What `+=` returns is there already.
        if isinstance(tile, View):
            require(isinstance(tile, Tile), "a tensor is assigned; copy it")
        require(isinstance(tile, Tile), f"{tile} is no tile")
        require(part.on_chip, f"a tile is assigned to {part.buffer}; use nl.store")
        check_tile(part, "what is assigned")
        require(tile.memories is None or part.buffer in tile.memories,
                f"a tile for {tile.memories} is assigned to {part.buffer}")
        require(part.shape == tile.shape, f"a tile of {tile.shape} is assigned to {part.shape}")
        part.write(tile.values, tile.kind, tile.mask)

    def read(self, mask=None):
        """What is masked out is NaN."""
        if mask is None:
            return self.values
        return np.where(np.broadcast_to(mask, self.shape), self.values, np.float32(np.nan))

    def write(self, values, writer=ANOTHER, mask=None):
        if mask is None:
            super().write(values, writer)
            return
        require(np.shape(values) == self.shape, f"{np.shape(values)} to {self.shape}")
        chosen = np.broadcast_to(mask, self.shape)
        self.values[chosen] = self.dtype.round(values)[chosen]
        self.writer[chosen] = writer

    def __iadd__(self, tile):
        if self.buffer is not psum or self.dtype is not float32:
            require(self.buffer is sbuf, f"dst is in {self.buffer}, not in psum")
            require(not isinstance(tile, Tile) or tile.kind != MATMUL,
                    f"dst is in {self.buffer}, not in psum")
            return self._update("add", tile)
        require(isinstance(tile, Tile) and tile.kind == MATMUL, "the stand-in adds products only")
        check_bank(self)
        require(self.shape == tile.shape, f"{tile.shape} to {self.shape}")
        require(np.all(np.isin(self.writer, (MATMUL, ZEROS))),
                "a product is added to what is neither nl.zeros nor a product")
        self.write(self.values + tile.values, MATMUL, tile.mask)
        return self

    def _update(self, name, other):
        result = compute(BINARY[name], self, other)
        self.write(result.values, mask=getattr(other, "mask", None))
        return self

    def __isub__(self, other):
        return self._update("subtract", other)

    def __imul__(self, other):
        return self._update("multiply", other)

    def __itruediv__(self, other):
        result = compute(np.divide, self, other)
        self.write(result.values)
        return self

    def assert_shape(self, shape):
        require(self.shape == tuple(shape), f"shape {self.shape}, not {shape}")
        return self

    def reshape(self, shape):
        require(not self.on_chip or shape[0] == self.shape[0],
                "the partition dimension is not reshaped")
        require(np.prod(shape) == self.values.size, f"{shape} for {self.values.size} elements")
        reshaped = self.derive(lambda array: array.reshape(shape))
        require(np.shares_memory(reshaped.values, self.storage.values),
                "the layout is none of that shape")
        return reshaped

    def broadcast_to(self, shape):
        """A view: no instruction is needed, but along the partitions."""
        shape = tuple(shape)
        require(self.on_chip, f"a tensor in {self.buffer} is broadcast")
        return Tile(np.broadcast_to(self.values, shape), self.dtype)

    def expand_dims(self, axis):
        require(axis == len(self.shape), f"axis {axis} is not behind the last one")
        return self.derive(lambda array: array[..., None])

    def astype(self, dtype):
        return Tile(self.values, to_dtype(dtype))

    itemsize = property(lambda self: self.dtype.size)


class Gathered(Tensor):
    """Elements that `nl.arange` names; NumPy has no view of them."""

    def __init__(self, tensor, indices):
        self.tensor, self.indices = tensor, indices
        self.storage, self.blocks = tensor.storage, 0
        self._shape = np.broadcast_shapes(*(one.shape for one in indices))
        self.first_partition = tensor.first_partition + int(np.min(indices[0]))
        self.ndim = len(self._shape)

    shape = property(lambda self: self._shape)
    values = property(lambda self: self.tensor.values[self._inside()])
    writer = property(lambda self: self.tensor.writer[self._inside()])
    free = property(lambda self: int(np.prod(self._shape[1:])))

    def present(self):
        """Which of its elements are in bounds."""
        inside = [(one >= 0) & (one < size) for one, size in zip(self.indices, self.tensor.shape)]
        return np.broadcast_to(functools.reduce(np.logical_and, inside), self._shape)

    def _inside(self, mask=None):
        """The indices, which have to be in bounds where the mask is set."""
        places = []
        for one, size in zip(self.indices, self.tensor.shape):
            one = np.broadcast_to(one, self._shape)
            chosen = one if mask is None else one[np.broadcast_to(mask, self._shape)]
            require(chosen.size == 0 or 0 <= np.min(chosen) and np.max(chosen) < size,
                    f"indices {np.min(one)} to {np.max(one)} of a dimension of {size}")
            places.append(np.clip(one, 0, size - 1))
        return tuple(places)

    def read(self, mask=None):
        if mask is None:
            return self.values
        return np.where(np.broadcast_to(mask, self._shape),
                        self.tensor.values[self._inside(mask)], np.float32(np.nan))

    def write(self, values, writer=ANOTHER, mask=None):
        require(np.size(values) == np.prod(self._shape),
                f"{np.size(values)} values for {self._shape}")
        chosen = np.broadcast_to(True if mask is None else mask, self._shape)
        places = tuple(one[chosen] for one in self._inside(mask))
        self.tensor.values[places] = self.dtype.round(np.reshape(values, self._shape))[chosen]
        self.tensor.writer[places] = writer

    def derive(self, transform, first_partition=None):
        raise NKIError("a view of indices")

    def __getitem__(self, key):
        if key is Ellipsis:
            return self
        raise NKIError("indices of indices")


class Tile(Tensor):
    """What an instruction returns."""

    def __init__(self, values, dtype, kind=ANOTHER, memories=None, mask=None):
        values = np.asarray(values, np.float32)
        super().__init__(Storage(values.shape, dtype, memories[0] if memories else sbuf))
        super().write(values, kind)
        self.kind, self.memories, self.mask = kind, memories, mask


def compute(function, *operands, dtype=None, mask=None, kind=None):
    """A function of tiles and numbers, which are broadcast, element by element."""
    tiles = [one for one in operands if isinstance(one, Tensor)]
    require(tiles, "no operand is a tile")
    for tile in tiles:
        check_tile(tile, "an operand")
        require(not tile.blocks, "a block is chosen by an integer")
    values = [np.asarray(one.read(mask) if isinstance(one, Tensor) else one, np.float32)
              for one in operands]
    result = combine(function, *values) if len(values) == 2 else function(*values)
    return Tile(result, to_dtype(dtype) or kind or widest(tiles), mask=mask)


def _operators():
    def forward(function, kind=None):
        return lambda self, other: compute(function, self, other, kind=kind)

    def backward(function):
        return lambda self, other: compute(lambda x, y: function(y, x), self, other)

    for name, function in (("add", np.add), ("sub", np.subtract), ("mul", np.multiply),
                           ("truediv", np.divide), ("pow", np.power)):
        setattr(Tensor, f"__{name}__", forward(function))
        setattr(Tensor, f"__r{name}__", backward(function))
    for name, function in (("gt", "greater"), ("ge", "greater_equal"), ("lt", "less"),
                           ("le", "less_equal")):
        setattr(Tensor, f"__{name}__", forward(BINARY[function], bool_))
    Tensor.__neg__ = lambda self: compute(np.negative, self)


_operators()
