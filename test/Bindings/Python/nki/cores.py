"""Kernels on the two cores of a logical one: values against NumPy, times, and what is refused.

RUN: %trn_python %s %S/Inputs/cores.py
"""

import sys

import numpy as np
import trn_mlir as trn
from trn_mlir import nki

FILE = sys.argv[1]
rng = np.random.default_rng(0)
XT = rng.standard_normal((1024, 128), np.float32)
W = rng.standard_normal((1024, 512), np.float32)
X = rng.standard_normal((128, 64), np.float32)


def load(name, *inputs, **options):
    return nki.load(FILE + ":" + name, inputs, **{"lnc": 2, **options})


def check(name, expected, *inputs, **options):
    kernel = load(name, *inputs, **options)
    found = kernel.run(*inputs)
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max(), name
    return kernel


def refused(rule, *parts, name, inputs, run=False, **options):
    try:
        kernel = load(name, *inputs, **options)
        if run:
            kernel.run(*inputs)
    except nki.NkiError as problem:
        assert problem.rule == rule and all(part in str(problem) for part in parts), problem
        return
    raise AssertionError("%s is not refused" % name)


def values():
    product = XT.T @ W
    check("columns_apart", product, XT, W)
    check("sum_by_sendrecv", product, XT, W)
    check("sum_by_barrier", product, XT, W)
    check("relay", X * 16, X)
    check("both_write_the_same", X, X)
    narrow = [one.astype(np.float16) for one in (XT, W)]
    found = load("sum_by_sendrecv", *narrow).run(*narrow)
    assert np.abs(found - product).max() <= 2e-3 * np.abs(product).max()


def computes():
    """`sendrecv_compute`, which is documented since 0.7. @nki_r17__cores"""
    latest = {"version": "0.7"}
    check("sum_by_compute", XT.T @ W, XT, W, **latest)
    check("largest_by_compute", np.maximum(XT[:512].T @ W[:512], XT[512:].T @ W[512:]), XT, W, **latest)
    # Both send the whole product, not half of it.
    sent, half = (load(name, XT, W, **latest).report for name in ("sum_by_compute", "sum_by_sendrecv"))
    assert sent["collective_bytes"] == 2 * half["collective_bytes"]
    refused("nki_r17", "by nl.add, nl.maximum or nl.minimum", name="product_by_compute", inputs=(XT, W), **latest)
    refused("nki_r17", "tiles in SBUF here", "hbm", name="compute_in_hbm", inputs=(X,), **latest)
    refused("nki_r17", "sendrecv_compute needs the other core", name="sum_by_compute", inputs=(XT, W), lnc=1, **latest)
    refused("cores_c4", "pipe 0", name="computes_and_sends", inputs=(X,), **latest)


def brackets():
    """`kernel[2]` is two cores since 0.6, unless one is asked for."""
    kernel = nki.find(FILE + ":columns_apart")
    assert "trn.other_core" in nki.trace(kernel[2], [XT, W]).mlir
    assert "trn.other_core" not in nki.trace(kernel[2], [XT, W], lnc=1).mlir
    assert "trn.other_core" not in nki.trace(kernel, [XT, W]).mlir
    assert np.abs(nki.load(kernel[2], [XT, W], lnc=1).run(XT, W) - XT.T @ W).max() < 1e-3


def times():
    one, two = (load("columns_apart", XT, W, lnc=lnc).report for lnc in (1, 2))
    assert two["latency_ms"] < one["latency_ms"]
    assert two["flops"] == one["flops"]
    cores = two["kernels"][0]["cores"]
    assert [row["core"] for row in cores] == [0, 1] and "cores" not in one["kernels"][0]
    assert all(row["meetings_ms"] == 0 for row in cores)
    assert sum(row["hbm_bytes"] for row in cores) == two["hbm_bytes"]
    assert max(row["end_ms"] for row in cores) == two["latency_ms"]
    # Two times what the DMA engines of one sustain is just below what the stack of HBM gives.
    assert two["dma_roof_gb_per_s"] == 2 * one["dma_roof_gb_per_s"] <= 750
    assert two["bound_ms"] == one["bound_ms"] / 2
    # From SBUF to SBUF is faster than through HBM.
    sent, shared = (load(name, XT, W).report for name in ("sum_by_sendrecv", "sum_by_barrier"))
    assert sent["latency_ms"] < shared["latency_ms"]
    assert sent["collective_bytes"] == 2 * 128 * 256 * 4 and shared["collective_bytes"] == 0
    assert all(row["meetings_ms"] > 0 for row in sent["kernels"][0]["cores"])


def meetings():
    """@cores_c4__one_waits, @cores_c5__race: both places are named, and nobody hangs."""
    refused("cores_c4", "cores.py:60: ", "waits for ever", "of parts", "cores.py:94",
            name="one_waits", inputs=(XT, W))
    refused("cores_c4", "pipe 0", "pipe 1", "cores.py:", name="other_pipes", inputs=(X,))
    refused("memory_c2", "core_barrier", name="nobody_waits", inputs=(XT, W), run=True)
    refused("cores_c5", "writes element 0", "writes another value there", name="both_write", inputs=(X,), run=True)
    refused("memory_c5", name="nobody_writes", inputs=(X,), run=True)


def reader():
    """@nki_r17__cores"""
    for name, part in (("itself", "the other core is rank 1"),
                       ("other_tensors", "f32[129, 8]"), ("private_barrier", "this core has alone")):
        refused("nki_r17", part, name=name, inputs=(X,))
    refused("nki_r17", "lnc=2", name="sum_by_sendrecv", inputs=(XT, W), lnc=1)
    refused("nki_r17", "lnc=2", name="sum_by_barrier", inputs=(XT, W), lnc=1)
    refused("nki_r17", "begin with trn2", name="relay", inputs=(X,), machine="trn1")
    refused("nki_r17", "a grid of 2", name="relay", inputs=(X,), grid=(4,))
    refused("nki_r17", "1 or 2 cores", name="relay", inputs=(X,), lnc=3)
    refused("nki_r17", "one core only", name="relay", inputs=(X,), pipeline=True)


def judged():
    expected = XT.T @ W
    names = ["columns_apart", "sum_by_sendrecv", "sum_by_barrier", "nobody_waits"]
    found = trn.rank([FILE + ":" + name for name in names], [XT, W], expected, lnc=2)
    assert [one["passed"] for one in found] == [True, True, True, False], found
    assert found[3]["index"] == 3 and found[3]["rule"] == "memory_c2"
    assert trn.evaluate(FILE + ":columns_apart", [XT, W], expected, lnc=2)["passed"]


for test in (values, computes, brackets, times, meetings, reader, judged):
    test()
