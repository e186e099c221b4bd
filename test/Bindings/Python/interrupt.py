"""Ctrl-C ends what computes, and leaves a module that works; threads do not disturb each other.

RUN: %trn_python %s
"""

import os
import signal
import threading
import time

import numpy as np
import trn_mlir as trn


# The shell of a test may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupted(function, seconds):
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.process_time()
    try:
        function()
        time.sleep(60)
        assert False, "the signal is lost"
    except KeyboardInterrupt:
        assert time.process_time() < start + 30, "nobody listened"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# Each takes far longer than it is given: 10^12 FLOPs of values, 10^8 instructions of time.
interrupted(lambda: trn.compile(trn.chain(4096, 7168, 4096, 18432)), 0.2)
long = trn.compile(trn.product(131072, 16384, 65536))
interrupted(long.time, 0.5)
interrupted(long.html, 0.5)
slow = trn.compile(trn.product(8192, 8192, 8192))
x = w = np.ones((8192, 8192), np.float32)
interrupted(lambda: slow.run(x, w), 0.5)

# Two modules for four threads, while others are compiled.
modules = [trn.compile(trn.product(128, 128, 512)) for _ in range(2)]
w = np.ones((128, 512), np.float32)
sums = {}


def work(number):
    x = np.full((128, 128), number, np.float32)
    for _ in range(3):
        sums[number] = modules[number % 2].run(x, w)[0, 0]
    trn.compile(trn.product(64, 64, 64)).time()


threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert sums == {number: 128 * number for number in range(4)}, sums
