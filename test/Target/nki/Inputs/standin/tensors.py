"""Tensors of a NeuronCore in NumPy, for the stand-ins of the vendor's packages.

Values are kept in float32 and rounded to the type of a tensor when they are written. What
nobody wrote is NaN. Sources are the vendor's documents, of version 2.32 (nki) and 2.26
(neuronxcc.nki).
"""

import numpy as np

PARTITIONS = 128
STATIONARY_FREE = 128
MOVING_FREE = 512
BANK_BYTES = 2048


class NKIError(Exception):
    """A rule of NKI is broken."""


def require(holds, message):
    if not holds:
        raise NKIError(message)


class DType:
    def __init__(self, name, size, integers=None):
        self.name, self.size, self.integers = name, size, integers

    def __repr__(self):
        return self.name

    def round(self, values):
        values = np.asarray(values, np.float32)
        if self.name == "float16":
            with np.errstate(over="ignore"):
                return values.astype(np.float16).astype(np.float32)
        if self.name == "bfloat16":
            bits = np.ascontiguousarray(values).view(np.uint32)
            rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
            return np.where(np.isnan(values), values, rounded.view(np.float32))
        if self.integers is not None:
            with np.errstate(invalid="ignore"):
                return np.clip(np.rint(values), self.integers.min, self.integers.max)
        return values


bfloat16, float16, float32 = DType("bfloat16", 2), DType("float16", 2), DType("float32", 4)
# Integers are exact up to 2^24 here.
int8, int16, int32, uint8, uint16, uint32 = INTEGERS = [
    DType(np.dtype(kind).name, np.dtype(kind).itemsize, np.iinfo(kind))
    for kind in (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32)]
bool_ = DType("bool", 1, np.iinfo(np.uint8))


class BFloat16(np.ndarray):
    """An array of float32 that stands for one of bfloat16, which NumPy does not have."""


def dtype_of(array):
    if isinstance(array, BFloat16):
        return bfloat16
    known = {kind.name: kind for kind in (float32, float16, bool_, *INTEGERS)}
    require(array.dtype.name in known, f"an argument has type {array.dtype}")
    return known[array.dtype.name]


class Buffer:
    def __init__(self, name, on_chip):
        self.name, self.on_chip = name, on_chip

    def __repr__(self):
        return self.name


sbuf, psum = Buffer("sbuf", True), Buffer("psum", True)
hbm, shared_hbm, private_hbm = (Buffer(name, False)
                                for name in ("hbm", "shared_hbm", "private_hbm"))

# What wrote an element of PSUM last.
NOBODY, MATMUL, ANOTHER = range(3)


class Storage:
    """Memory; `blocks` dimensions stand before that of the partitions."""

    def __init__(self, shape, dtype, buffer, blocks=0):
        require(isinstance(dtype, DType), f"{dtype} is no type of nki.language")
        require(isinstance(buffer, Buffer), f"{buffer} is no buffer of nki.language")
        require(all(isinstance(size, int) and size > 0 for size in shape), f"shape {shape}")
        require(not buffer.on_chip or len(shape) - blocks >= 2,
                "a tile has two dimensions at least")
        require(not buffer.on_chip or shape[blocks] <= PARTITIONS,
                f"partition dimension {shape[blocks]} exceeds {PARTITIONS}")
        self.shape, self.dtype, self.buffer, self.blocks = tuple(shape), dtype, buffer, blocks
        self.values = np.full(shape, np.nan, np.float32)
        self.writer = np.full(shape, NOBODY, np.uint8)


class View:
    """Some elements of a tensor."""

    def __init__(self, storage, values=None, writer=None, first_partition=0):
        self.storage = storage
        self.values = storage.values if values is None else values
        self.writer = storage.writer if writer is None else writer
        self.first_partition = first_partition

    shape = property(lambda self: self.values.shape)
    dtype = property(lambda self: self.storage.dtype)
    buffer = property(lambda self: self.storage.buffer)
    on_chip = property(lambda self: self.storage.buffer.on_chip)
    partitions = property(lambda self: self.shape[0])
    free = property(lambda self: self.values.size // self.shape[0])

    def derive(self, transform, first_partition=None):
        first = self.first_partition if first_partition is None else first_partition
        return type(self)(self.storage, transform(self.values), transform(self.writer), first)

    def rows(self):
        """The values, one row for each partition."""
        return self.values.reshape(self.shape[0], -1)

    def write(self, values, writer=ANOTHER):
        """Takes as many values as there are elements, in row-major order."""
        require(np.size(values) == self.values.size,
                f"{np.size(values)} values for {self.values.size} elements")
        self.values[...] = self.dtype.round(np.reshape(values, self.shape))
        self.writer[...] = writer


class ChosenRows(View):
    """Rows of a tensor in HBM by the indices of a tile: `places` are those of their elements in the
    storage, for each index that is in range (`present`)."""

    def __init__(self, storage, places, present):
        flat = storage.values.reshape(-1)
        values = np.full(places.shape, np.nan, np.float32)
        values[present] = flat[places[present]]
        super().__init__(storage, values, values)
        self.places, self.present = places, present

    def write(self, values, writer=ANOTHER):
        chosen = self.places[self.present]
        require(np.unique(chosen).size == chosen.size, "a row is written twice")
        values = self.dtype.round(np.reshape(values, self.shape))
        self.storage.values.reshape(-1)[chosen] = values[self.present]


def check_indices(indices):
    check_tile(indices, "vector_offset")
    require(indices.buffer is sbuf, f"vector_offset is in {indices.buffer}, not in sbuf")
    require(indices.free == 1, f"vector_offset is {indices.shape}, not one column")
    require(indices.dtype in (int32, uint32), f"vector_offset is of {indices.dtype}")
    return indices.rows()[:, 0].astype(np.int64)


def normalize(key, shape):
    """`key` as a slice or an integer for each dimension, within `shape`."""
    key = list(key) if isinstance(key, tuple) else [key]
    if any(one is Ellipsis for one in key):
        place = next(i for i, one in enumerate(key) if one is Ellipsis)
        key[place:place + 1] = [slice(None)] * (len(shape) - len(key) + 1)
    require(len(key) <= len(shape), f"{len(key)} indices for {len(shape)} dimensions")
    key += [slice(None)] * (len(shape) - len(key))
    for i, (one, size) in enumerate(zip(key, shape)):
        if isinstance(one, slice):
            start, stop = one.start or 0, size if one.stop is None else one.stop
            step = 1 if one.step is None else one.step
            require(all(isinstance(n, (int, np.integer)) for n in (start, stop, step)),
                    f"slice {one} is not of integers")
            require(0 <= start < stop <= size and step >= 1,
                    f"slice {start}:{stop}:{step} of a dimension of {size}")
            key[i] = slice(start, stop, step)
        else:
            require(isinstance(one, (int, np.integer)), f"index {one} is not an integer")
            require(0 <= one < size, f"index {one} of a dimension of {size}")
    return key


def take_slices(view, key):
    """Basic indexing: an integer drops its dimension, but a tile keeps two."""
    key = normalize(key, view.shape)
    first = view.first_partition
    if view.on_chip:
        if not isinstance(key[0], slice):
            key[0] = slice(key[0], key[0] + 1)
        require((key[0].step or 1) == 1, "partitions are not skipped")
        first += key[0].start
        if not any(isinstance(one, slice) for one in key[1:]):
            key[-1] = slice(key[-1], key[-1] + 1)
    elif not any(isinstance(one, slice) for one in key):
        key[-1] = slice(key[-1], key[-1] + 1)
    return view.derive(lambda array: array[tuple(key)], first)


def check_start(view):
    """Where a tile may start by its number of partitions (arch guide of trn1)."""
    allowed = 128 if view.partitions > 64 else 64 if view.partitions > 32 else 32
    require(view.first_partition % allowed == 0,
            f"{view.partitions} partitions start at partition {view.first_partition}")


def check_tile(view, what):
    require(isinstance(view, View), f"{what} is no tensor")
    require(view.on_chip, f"{what} is in {view.buffer}, not on chip")
    check_start(view)


def check_alike(view, dst, what):
    check_tile(view, what)
    require(view.partitions == dst.partitions,
            f"{what} has {view.partitions} partitions, dst {dst.partitions}")
    require(view.free == dst.free, f"{what} has {view.free} elements a partition, dst {dst.free}")


def check_column(view, dst, what):
    check_tile(view, what)
    require(view.shape == (dst.partitions, 1), f"{what} is {view.shape}, not a column of dst")


def check_matmul(stationary, moving, is_transpose=False):
    """Returns the product, in float32. To transpose, the moving tile is the identity."""
    for operand, what in (stationary, "stationary"), (moving, "moving"):
        check_tile(operand, what)
        require(operand.buffer is sbuf, f"{what} is in {operand.buffer}, not in sbuf")
    require(stationary.partitions == moving.partitions,
            f"stationary has {stationary.partitions} partitions, moving {moving.partitions}")
    require(stationary.free <= STATIONARY_FREE,
            f"stationary has {stationary.free} columns, which exceeds {STATIONARY_FREE}")
    require(moving.free <= MOVING_FREE,
            f"moving has {moving.free} columns, which exceeds {MOVING_FREE}")
    require((stationary.dtype is float32) == (moving.dtype is float32),
            f"{stationary.dtype} times {moving.dtype}")
    require(not is_transpose or stationary.dtype is moving.dtype,
            f"is_transpose of {stationary.dtype} and {moving.dtype}")
    return stationary.rows().T @ moving.rows()


def check_bank(view, dtype=float32):
    """A product lies inside of one bank of PSUM."""
    require(view.buffer is psum, f"dst is in {view.buffer}, not in psum")
    require(view.dtype is dtype, f"dst has type {view.dtype}, not {dtype}")
    check_start(view)
    place = (view.values.__array_interface__["data"][0] -
             view.storage.values.__array_interface__["data"][0])
    row = view.storage.values.strides[0]
    last = place % row + sum((size - 1) * stride for size, stride in
                             zip(view.shape[1:], view.values.strides[1:]))
    require(place % row // BANK_BYTES == last // BANK_BYTES, "dst lies in two banks of psum")


def check_transpose(data, dst_partitions, dst_free, on_tensor_engine):
    check_tile(data, "data")
    largest = PARTITIONS if on_tensor_engine else 32
    require(data.partitions <= largest and data.free <= largest,
            f"data of {data.shape} exceeds {largest} x {largest}")
    require((dst_partitions, dst_free) == (data.free, data.partitions),
            f"dst is no transpose of {data.shape}")
    require(not on_tensor_engine or data.buffer is sbuf,
            f"data is in {data.buffer}, not in sbuf")
    return data.rows().T


def refuse_name(module, deprecated=()):
    """A `__getattr__` for a module: every other name is an error."""
    def getattribute(name):
        why = "is deprecated" if name in deprecated else "is unknown to the stand-in"
        raise NKIError(f"{module}.{name} {why}")
    return getattribute
