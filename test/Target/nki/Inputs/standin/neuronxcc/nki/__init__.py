"""A stand-in for the vendor's package `neuronxcc.nki`, the beta of NKI, in NumPy."""

import numpy as np

import tensors
from neuronxcc.nki import isa, language, launch
from neuronxcc.nki.tensor import Tensor
from tensors import NKIError, refuse_name, require


class Kernel:
    """What the decorator `nki.jit` makes of a function; `kernel[2, 2]` has a grid."""

    def __init__(self, function, grid=()):
        self.function, self.grid = function, grid

    def __getitem__(self, grid):
        return Kernel(self.function, grid if isinstance(grid, tuple) else (grid,))

    def __call__(self, *_):
        raise NKIError("there is no device here; use nki.simulate_kernel")


def jit(function=None, **_):
    return Kernel(function) if function else Kernel


def _to_tensor(array):
    if not isinstance(array, np.ndarray):
        return array
    argument = Tensor(tensors.Storage(array.shape, tensors.dtype_of(array), tensors.hbm))
    argument.write(np.asarray(array, np.float32), tensors.NOBODY)
    return argument


def simulate_kernel(kernel, *arrays, **named):
    """Runs a kernel on arrays of NumPy, and returns such arrays. Those that it stored to are
    changed, too."""
    require(isinstance(kernel, Kernel), "what is simulated has the decorator nki.jit")
    arguments = [_to_tensor(array) for array in arrays]
    keywords = {name: _to_tensor(array) for name, array in named.items()}
    results = None
    for _ in launch.instances(kernel.grid):
        results = kernel.function(*arguments, **keywords)
    for array, argument in zip([*arrays, *named.values()], [*arguments, *keywords.values()]):
        if isinstance(argument, Tensor) and np.any(argument.writer != tensors.NOBODY):
            array[...] = argument.values.astype(array.dtype)
    if results is None:
        return None
    single = not isinstance(results, (tuple, list))
    for result in (results,) if single else results:
        require(isinstance(result, Tensor) and result.buffer is tensors.shared_hbm,
                "a result is no tensor in nl.shared_hbm")
    values = tuple(result.values for result in ((results,) if single else results))
    return values[0] if single else values


__getattr__ = refuse_name("neuronxcc.nki")
__all__ = ["isa", "language", "jit", "simulate_kernel"]
