"""A stand-in for the vendor's package `nki`, version 0.6, in NumPy."""

import functools

import numpy as np

import tensors
from nki import isa, language
from nki.tensor import NkiTensor
from tensors import NKIError, refuse_name, require


def jit(kernel):
    @functools.wraps(kernel)
    def launch(*_):
        raise NKIError("there is no device here; use nki.simulate")
    launch.kernel = kernel
    return launch


def simulate(kernel):
    """Runs a kernel on arrays of NumPy, and returns such arrays."""
    require(hasattr(kernel, "kernel"), "what is simulated has the decorator nki.jit")

    def run(*arrays):
        arguments = []
        for array in arrays:
            argument = NkiTensor(tensors.Storage(array.shape, tensors.dtype_of(array),
                                                 tensors.hbm))
            argument.write(np.asarray(array, np.float32))
            arguments.append(argument)
        results = kernel.kernel(*arguments)
        single = not isinstance(results, tuple)
        for result in (results,) if single else results:
            require(isinstance(result, NkiTensor) and result.buffer is tensors.shared_hbm,
                    "a result is no tensor in nl.shared_hbm")
        values = tuple(result.values for result in ((results,) if single else results))
        return values[0] if single else values
    return run


__getattr__ = refuse_name("nki")
__all__ = ["isa", "language", "jit", "simulate"]
