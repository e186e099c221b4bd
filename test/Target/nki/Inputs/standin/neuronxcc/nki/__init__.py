"""A stand-in for the vendor's package `neuronxcc.nki`, the beta of NKI, in NumPy."""

import functools

import numpy as np

import tensors
from neuronxcc.nki import isa, language
from neuronxcc.nki.tensor import Tensor
from tensors import NKIError, refuse_name, require


def jit(kernel):
    @functools.wraps(kernel)
    def launch(*_):
        raise NKIError("there is no device here; use nki.simulate_kernel")
    launch.kernel = kernel
    return launch


def simulate_kernel(kernel, *arrays):
    """Runs a kernel on arrays of NumPy, and returns such arrays."""
    require(hasattr(kernel, "kernel"), "what is simulated has the decorator nki.jit")
    arguments = []
    for array in arrays:
        argument = Tensor(tensors.Storage(array.shape, tensors.dtype_of(array), tensors.hbm))
        argument.write(np.asarray(array, np.float32))
        arguments.append(argument)
    results = kernel.kernel(*arguments)
    single = not isinstance(results, tuple)
    for result in (results,) if single else results:
        require(isinstance(result, Tensor) and result.buffer is tensors.shared_hbm,
                "a result is no tensor in nl.shared_hbm")
    values = tuple(result.values for result in ((results,) if single else results))
    return values[0] if single else values


__getattr__ = refuse_name("neuronxcc.nki")
__all__ = ["isa", "language", "jit", "simulate_kernel"]
