"""Candidates are judged in processes of their own: passed or not, how long, and by which rule.

RUN: %trn_python %s %S/Inputs/good.py
"""

import multiprocessing
import re
import sys

import numpy as np
import trn_mlir as trn
from trn_mlir import nki
from trn_mlir.nki._recorder import Recorder

GOOD = sys.argv[1]
HEADER = """
import nki
import nki.isa as nisa
import nki.language as nl
@nki.jit
"""
X = np.random.default_rng(0).standard_normal((128, 512), np.float32)


def copying(body="", times=1):
    """The text of a kernel that copies its input through SBUF, after `body`."""
    return HEADER + f"""
def copied(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    {body}
    for _ in nl.affine_range({times}):
        nisa.dma_copy(dst=t, src=x)
        nisa.dma_copy(dst=out, src=t)
    return out
"""


def integers_without_a_sign_pass():
    """What searches leave where they find nothing is moved and compared as it is."""
    x = np.full((128, 8), 2 ** 32 - 1, np.uint32)
    found = trn.evaluate(copying(), [x], [x], machine="trn2")
    assert found["passed"], found
    found = trn.evaluate(copying(), [x], [np.zeros_like(x)], machine="trn2")
    assert found["rule"] == "nki_r10", found


def good_kernels_pass():
    x = np.random.default_rng(1).standard_normal((200, 64), np.float32)
    wanted = np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)
    for inputs in ([x], {"x": x}):
        judged = trn.evaluate(GOOD + ":softmax", inputs, wanted)
        assert judged["passed"] and judged["rule"] == judged["message"] == "", judged
        low, high = judged["range_ms"]
        assert 0 < low < judged["latency_ms"] < high and judged["error"] < 1e-6
        assert judged["counters"]["hbm_read_bytes"] == x.nbytes
        assert 0 < judged["counters"]["vector_engine_active_time_percent"] < 100
        assert isinstance(judged["findings"], list)
    # A function of the inputs is as good as its values, and types stand for random ones.
    reference = lambda x: np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)  # noqa: E731
    assert trn.evaluate(GOOD + ":softmax", [x], reference)["passed"]
    assert trn.evaluate(GOOD + ":softmax", [trn.f32(200, 64)])["passed"]
    assert trn.evaluate(GOOD + ":softmax", [trn.f32(200, 64)], reference)["passed"]
    # On trn1, too, where times are others.
    other = trn.evaluate(GOOD + ":product", [trn.bf16(192, 128), trn.bf16(192, 96)], machine="trn1")
    assert other["passed"] and other["latency_ms"] > 0, other
    # A function of a module that Python has.
    assert trn.evaluate(nki.find(GOOD + ":softmax"), [x], wanted)["passed"]


def nki_r10__results_that_differ():
    for wanted, text in ((X + 1, "values differ by 0.[0-9]+ of the largest one, and 1e-05 is"),
                         (X[:, :4], r"result 0 has shape \(128, 512\), but \(128, 4\) is expected"),
                         ([X, X], "the kernel has 1 results, but 2 are expected"),
                         (np.where(X > 3, np.nan, X), "values differ by inf")):
        judged = trn.evaluate(copying(), [X], wanted)
        assert judged["rule"] == "nki_r10" and re.search(text, judged["message"]), judged
        assert not judged["passed"] and judged["latency_ms"] > 0
    assert trn.evaluate(copying(), [X], X + 1, tolerance=1)["passed"]
    infinite = np.where(X > 2, np.inf, X)
    assert trn.evaluate(copying(), [infinite], infinite)["passed"]


def nki_r11__limits():
    # On a loaded machine, a second of CPU time takes more than four.
    for body, text in (("while True: pass", "took more than (1 s of CPU time|4 s without an end)"),
                       ("import time; time.sleep(100)", "took more than 4 s without an end"),
                       ("memory = bytearray(100 << 30)", "takes more memory than it may"),
                       ("import os; os._exit(3)", "ended by exit status 3 before it was done"),
                       ("import os; os.kill(os.getpid(), 11)", "ended by SIGSEGV before"),
                       ("import os, signal; os.kill(os.getppid(), signal.SIGKILL)",
                        "ended the process that evaluates kernels")):
        judged = trn.evaluate(copying(body), [X], X, seconds=1, memory_mb=2048)
        assert judged["rule"] == "nki_r11" and re.search(text, judged["message"]), judged
        assert judged["latency_ms"] is None and not judged["passed"]
    # Whoever kills the process that reads costs the others nothing.
    kill = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    judged = trn.rank([copying(), copying(kill), copying()], [X], X)
    assert [one["passed"] for one in judged] == [True, True, False], judged


def nki_r11__forged_programs():
    """A kernel that writes the answer of the process that reads it: host code has no time."""
    mlir = nki.trace(nki.find_in_text(copying()), [X]).mlir
    for forged in (mlir, mlir.replace("  return %r0", "  %c = arith.addi %a, %b : index\n  return %r0"),
                   mlir.replace('"trn2"', '"trn2", {dma_fixed_ns = 0}', 1)):
        answer = {"mlir": forged, "inputs": [0]}
        judged = trn.evaluate(copying(f"""
    import json, os
    for fd in range(3, 99):
        try: os.write(fd, json.dumps({answer!r}).encode())
        except OSError: pass
    os._exit(0)
"""), [X], X)
        assert judged["passed"] == (forged == mlir), judged
    assert "tells more than the program of a kernel" in judged["message"], judged


def nki_r9__too_many_instructions():
    Recorder.max_instructions = 100
    try:
        nki.trace(nki.find_in_text(copying(times=200)), [X])  # stays a loop
        nki.trace(nki.find_in_text(copying().replace("affine_range(1)", "static_range(200)")), [X])
    except nki.NkiError as problem:
        assert problem.rule == "nki_r9", problem
    else:
        assert False, "200 instructions are too many"
    finally:
        Recorder.max_instructions = 2_000_000


def nki_r13__outside_of_a_kernel():
    kernel = nki.find_in_text(copying())
    try:
        kernel(X)
    except nki.NkiError as problem:
        assert problem.rule == "nki_r13" and "copied is called outside of a trace" in str(problem)
    else:
        assert False, "a kernel is not called"


def ranks():
    kernels = [copying(times=9), copying("raise ValueError('no')"), copying(), copying(times=4)]
    judged = trn.rank(kernels, [X], X, jobs=2)
    assert [one["index"] for one in judged] == [2, 3, 0, 1], judged
    assert judged[-1]["message"] == "ValueError: no" and judged[-1]["rule"] == "nki_r8"
    assert judged[-1]["line"] == 10 and judged[-1]["file"] == "kernel.py", judged[-1]
    times = [one["latency_ms"] for one in judged[:3]]
    assert times == sorted(times)
    assert trn.rank([], [X]) == []


def in_a_fork(queue):
    queue.put(trn.evaluate(copying(), [X], X)["passed"])


def forks_have_their_own():
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=in_a_fork, args=(queue,))
    process.start()
    assert queue.get(timeout=60)
    process.join()
    assert trn.evaluate(copying(), [X], X)["passed"]


def kernels_cannot_know():
    """What is expected is in no process that runs a kernel's Python."""
    spying = copying("import gc; assert not [o for o in gc.get_objects() if type(o) is dict and "
                     "('expected' in o or 'arrays' in o)]")
    assert trn.evaluate(spying, [X], X)["passed"]


integers_without_a_sign_pass()
good_kernels_pass()
nki_r10__results_that_differ()
nki_r11__limits()
nki_r9__too_many_instructions()
nki_r13__outside_of_a_kernel()
nki_r11__forged_programs()
ranks()
forks_have_their_own()
kernels_cannot_know()
