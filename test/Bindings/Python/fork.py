"""A process that was forked, as multiprocessing makes them on Linux, runs, times and compiles.

RUN: %trn_python %s
"""

import multiprocessing

import numpy as np
import trn_mlir as trn

RNG = np.random.default_rng(3)
# More values than one thread widens.
X, W = RNG.standard_normal((512, 256), np.float32), RNG.standard_normal((256, 128), np.float32)
SOURCE = trn.product(m=512, k=256, n=128, dtype="f32")
KERNEL = trn.compile(SOURCE)


def check(kernel):
    assert np.allclose(kernel.run(X, W), X @ W, atol=1e-3)


def child():
    check(KERNEL)
    compiled = trn.compile(SOURCE)
    check(compiled)
    assert compiled.time() == KERNEL.time()


check(KERNEL)
process = multiprocessing.get_context("fork").Process(target=child)
process.start()
process.join(600)  # one that waits for threads that are not there does so for ever
if process.exitcode is None:
    process.kill()
assert process.exitcode == 0, process.exitcode
