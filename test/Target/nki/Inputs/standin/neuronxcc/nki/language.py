"""`neuronxcc.nki.language`, as far as exported kernels use it, and what is like that."""

import numpy as np

import functions
from functions import ACTIVATIONS, BINARY, COMPARISONS, MORE_FUNCTIONS, REDUCTIONS, Operator
from neuronxcc.nki import launch
from neuronxcc.nki.tensor import ZEROS, Arange, Tensor, Tile, compute, to_dtype, widest
from tensors import (MATMUL, MOVING_FREE, PARTITIONS, STATIONARY_FREE, Storage, bfloat16, bool_,
                     check_matmul, check_tile, float16, float32, hbm, int8, int16, int32,
                     private_hbm, psum, refuse_name, require, sbuf, shared_hbm, uint8, uint16,
                     uint32)

# --- Functions of tiles -------------------------------------------------------------------------


class Function(Operator):
    """An operator that is called, too."""

    def __init__(self, name, function, kind=None):
        super().__init__(name)
        self.function, self.kind = function, kind

    def __call__(self, *operands, dtype=None, mask=None):
        return compute(self.function, *operands, dtype=dtype, mask=mask, kind=self.kind)


class Reduction(Operator):
    """Along the last free axes."""

    def __call__(self, x, axis, *, dtype=None, mask=None, keepdims=False):
        check_tile(x, "x")
        reduction = REDUCTIONS[functions.ALIASES[self.name]]
        values = x.read(mask)
        if mask is not None:
            values = np.where(np.broadcast_to(mask, x.shape), values, np.float32(reduction[1]))
        return Tile(functions.reduce_axes(reduction, values, axis, keepdims),
                    to_dtype(dtype) or x.dtype)


for _table in ACTIVATIONS, MORE_FUNCTIONS, BINARY, {"divide": np.divide}:
    for _name, _function in _table.items():
        globals()[_name] = Function(_name, _function, bool_ if _name in COMPARISONS else None)
for _name in "sum", "max", "min", "prod":
    globals()[_name] = Reduction(_name)


def mean(x, axis, *, dtype=None, mask=None, keepdims=False):
    require(mask is None, "the stand-in knows no mask of a mean")
    axes = (axis,) if isinstance(axis, int) else axis
    count = int(np.prod([x.shape[one] for one in axes]))
    total = Reduction("sum")(x, axis, dtype=float32, keepdims=keepdims)
    return Tile(total.values / np.float32(count), to_dtype(dtype) or x.dtype)


def var(x, axis, *, dtype=None, mask=None):
    difference = x - mean(x, axis, dtype=float32, mask=mask, keepdims=True)
    return mean(difference * difference, axis, dtype=to_dtype(dtype) or x.dtype)


def softmax(x, axis, *, dtype=None, compute_dtype=None, mask=None):
    require(mask is None, "the stand-in knows no mask of a softmax")
    largest = Reduction("max")(x, axis, keepdims=True)
    powers = compute(lambda a, b: np.exp(a - b), x, largest, dtype=float32)
    total = Reduction("sum")(powers, axis, keepdims=True)
    return compute(np.divide, powers, total, dtype=dtype or compute_dtype or x.dtype)


def rms_norm(x, w, axis, n, epsilon=1e-6, *, dtype=None, compute_dtype=None, mask=None):
    require(mask is None, "the stand-in knows no mask of a norm")
    squares = compute(np.square, x, dtype=float32)
    total = Reduction("sum")(squares, axis, keepdims=True)
    scale = compute(lambda a: 1 / np.sqrt(a / np.float32(n) + np.float32(epsilon)), total)
    return compute(lambda a, b, c: a * b * c, x, scale, w,
                   dtype=dtype or compute_dtype or x.dtype)


def where(condition, x, y, *, dtype=None, mask=None):
    kind = widest([one for one in (x, y) if isinstance(one, Tensor)])
    return compute(lambda c, a, b: np.where(c != 0, a, b), condition, x, y,
                   dtype=dtype or kind, mask=mask)


def matmul(x, y, *, transpose_x=False, mask=None):
    require(mask is None, "the stand-in knows no mask of a product")
    check_tile(x, "x")
    stationary = x if transpose_x else Tile(x.rows().T, x.dtype)
    return Tile(check_matmul(stationary, y), float32, MATMUL, memories=(psum,))


def transpose(x, *, dtype=None, mask=None):
    require(mask is None, "the stand-in knows no mask of a transpose")
    check_tile(x, "x")
    require(len(x.shape) == 2, f"x has {len(x.shape)} dimensions")
    return Tile(x.values.T, to_dtype(dtype) or x.dtype)


def broadcast_to(src, *, shape):
    check_tile(src, "src")
    require(shape[0] <= PARTITIONS, f"{shape[0]} partitions exceed {PARTITIONS}")
    return Tile(np.broadcast_to(src.values, shape), src.dtype)


def expand_dims(data, axis):
    return data.expand_dims(axis)


def static_cast(input_data, dtype):
    return input_data.astype(dtype)


# --- Memory -------------------------------------------------------------------------------------


class ParDim(int):
    """The size of the dimension that the partitions are."""


par_dim = ParDim


def ndarray(shape, dtype, *, buffer=None, name=""):
    buffer = buffer or sbuf
    marked = [i for i, size in enumerate(shape) if isinstance(size, ParDim)]
    require(len(marked) <= 1, f"{len(marked)} dimensions of partitions")
    blocks = marked[0] if marked and buffer.on_chip else 0
    shape = tuple(int(size) for size in shape)
    if buffer is shared_hbm:
        return Tensor(launch.shared(shape, to_dtype(dtype)))
    return Tensor(Storage(shape, to_dtype(dtype), buffer, blocks))


def full(shape, fill_value, dtype, *, buffer=None, name=""):
    tensor = ndarray(shape, dtype, buffer=buffer)
    tensor.write(np.full(tensor.shape, fill_value, np.float32), ZEROS if fill_value == 0 else 0)
    return tensor


def zeros(shape, dtype, *, buffer=None, name=""):
    return full(shape, 0, dtype, buffer=buffer)


def ones(shape, dtype, *, buffer=None, name=""):
    return full(shape, 1, dtype, buffer=buffer)


def zeros_like(a, dtype=None, *, buffer=None, name=""):
    return full(a.shape, 0, dtype or a.dtype, buffer=buffer or a.buffer)


def empty_like(a, dtype=None, *, buffer=None, name=""):
    return ndarray(a.shape, dtype or a.dtype, buffer=buffer or a.buffer)


def shared_constant(constant, dtype=None):
    constant = np.asarray(constant)
    tensor = Tensor(Storage(constant.shape, to_dtype(dtype or constant.dtype), hbm))
    tensor.write(constant)
    return tensor


def shared_identity_matrix(n, dtype=np.uint8):
    """In SBUF."""
    return Tile(np.eye(n), to_dtype(dtype), memories=(sbuf,))


def _check_load(src):
    require(isinstance(src, Tensor) and not src.on_chip, "src of nl.load is not in HBM")
    require(len(src.shape) >= 2, f"src of {src.shape} has no free dimension")


def load(src, *, mask=None, dtype=None):
    _check_load(src)
    require(src.shape[0] <= PARTITIONS, f"{src.shape[0]} partitions exceed {PARTITIONS}")
    return Tile(src.read(mask), to_dtype(dtype) or src.dtype, memories=(sbuf,), mask=mask)


def load_transpose2d(src, *, mask=None, dtype=None):
    _check_load(src)
    require(mask is None, "the stand-in knows no mask of a transpose")
    require(len(src.shape) == 2, f"src has {len(src.shape)} dimensions")
    return Tile(src.values.T, to_dtype(dtype) or src.dtype, memories=(sbuf,))


def store(dst, value, *, mask=None):
    require(isinstance(dst, Tensor) and not dst.on_chip, "dst of nl.store is not in HBM")
    require(isinstance(value, Tensor) and value.on_chip, "the value of nl.store is not on chip")
    require(dst.shape == value.shape, f"a tile of {value.shape} to {dst.shape}")
    require(dst.dtype is value.dtype, f"{value.dtype} to {dst.dtype}")
    if mask is None:
        mask = getattr(value, "mask", None)
    dst.write(value.read(mask), mask=mask)


# --- Indices and loops --------------------------------------------------------------------------


def arange(*bounds):
    require(all(isinstance(bound, int) for bound in bounds), f"bounds {bounds}")
    return np.arange(*bounds).view(Arange)


class _Grid(tuple):
    """Indices that have names, too: the partitions, and the free axes."""

    p = property(lambda self: self[0])
    x = property(lambda self: self[-1])
    y = property(lambda self: self[-2])
    z = property(lambda self: self[-3])


class _MGrid:
    def __getitem__(self, slices):
        grid = np.mgrid[slices]
        return _Grid(one.view(Arange) for one in grid)


mgrid = _MGrid()


def ds(start, size):
    return slice(start, start + size)


def affine_range(*bounds):
    """Iterations do not depend on each other: the last one comes first."""
    return reversed(range(*bounds))


def sequential_range(*bounds):
    return range(*bounds)


static_range = sequential_range


def program_id(axis):
    return launch.index[axis]


def num_programs(axes=None):
    return launch.grid if axes is None else launch.grid[axes]


def program_ndim():
    return len(launch.grid)


class tile_size:
    pmax, psum_fmax, gemm_stationary_fmax, gemm_moving_fmax, bn_stats_fmax = (
        PARTITIONS, MOVING_FREE, STATIONARY_FREE, MOVING_FREE, 512)


__getattr__ = refuse_name("neuronxcc.nki.language")
__all__ = ["bfloat16", "bool_", "float16", "float32", "hbm", "int8", "int16", "int32",
           "private_hbm", "psum", "sbuf", "shared_hbm", "uint8", "uint16", "uint32"]
