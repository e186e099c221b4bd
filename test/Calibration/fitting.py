"""The fit finds constants that reproduce what was measured, leaves alone what the data does not decide,
and the check of the table sees errors above its limits.

RUN: %python %s %S/Inputs
"""

import sys

sys.path.insert(0, sys.argv[1])
import fit  # noqa: E402
import instructions  # noqa: E402
import kernels  # noqa: E402
import table  # noqa: E402
from measured import CURVE, FITTED, MEASURED, PEAK_GB_PER_S, spell_bytes  # noqa: E402
from timing import ENGINES  # noqa: E402

# How long kernels take, by constant: names are those of real kernels, times are not.
SLOPES = {"tutorial_tiled": (0.02, 0.001), "tutorial_hoisted": (0.01, 0.003), "tutorial_blocked": (0.03, 0.0)}
fit.RANGES["trn2"] = {"dma_ns_per_descriptor": (0.0, 42.0, 14, 0.5, 22.0),
                      "semaphore_ns": (100.0, 300.0, 4, 10.0, 300.0)}


def model(name, row, semaphore):
    return 10 + SLOPES[name][0] * row + SLOPES[name][1] * semaphore


def expect_fit(names, row, semaphore, expected):
    def errors(names, point):
        values = dict(point)
        return {name: model(name, values["dma_ns_per_descriptor"], values["semaphore_ns"])
                / model(name, row, semaphore) - 1 for name in names}
    fit.errors, fit.excess = errors, lambda *_: 0
    found = tuple(value for _, value in fit.fit(names))
    print("fitted %s for %s" % (found, expected))
    if found != expected:
        sys.exit("fitted %s, but %s is expected" % (found, expected))


expect_fit(list(SLOPES), 13.5, 210, (13.5, 210.0))
# This one does not depend on semaphores, which stay where they were published.
expect_fit(["tutorial_blocked"], 7, 100, (7.0, 300.0))
# A value outside the range stops at its edge.
expect_fit(["tutorial_blocked"], 50, 100, (42.0, 300.0))


def faults(factor, refitted=1.0, curve=1.0, probe=1.0, left_out=lambda i: 5.0, ranges=False):
    """What the check finds if every kernel takes `factor` times as long as measured, and a transfer alone `curve`
    times as long as published."""
    results = table.Results.__new__(table.Results)
    names = [name for names in FITTED.values() for name in names]
    results.reports = {name: {**{key: 99 if name == "tensor" else 0 for name, key in ENGINES.items()},
                              "latency_ms": MEASURED[name] * factor} for name in names}
    results.left_out = {name: left_out(i) for i, name in enumerate(names)}
    results.probes = {("exp", 64): probe * instructions.measured("exp", 64)}
    for size, percent in CURVE.items():
        ms = kernels.P * size / (percent / 100 * PEAK_GB_PER_S) / 1e6 * curve
        results.reports["alone_" + spell_bytes(size)] = {
            "latency_ms": ms + 0.02, "critical_path": [{"ms": 0.015, "reason": "kernel_overhead"}, {
                "ms": 0.005, "reason": "dma_latency"}, {"ms": ms, "reason": "busy"}]}
    results.reports["stream_1k"] = {"latency_ms": 1.0}
    results.refitted = {name: {"latency_ms": results.reports[name]["latency_ms"] * refitted}
                        for names in table.SENSITIVE.values() for name in names}
    if not ranges:
        results.range_faults = lambda *_: []
    return "\n".join(results.faults())


def expect_faults(text, *parts):
    if bool(text) != bool(parts) or any(part not in text for part in parts):
        sys.exit("found '%s', but %s is expected" % (text, parts or "nothing"))


table.CURVE_LIMIT = 15.0
expect_faults(faults(1.029, curve=1.15))
expect_faults(faults(0.89), "the mean error on trn1 is 11.0 %, but at most 3.0 % are allowed",
              "the worst error on trn1 is 11.0 %, but at most 7.0 % are allowed", "the mean error on trn2")
expect_faults(faults(1.0, refitted=1.001), "the constants of trn1 are not those of fitted.json", "trn2")
expect_faults(faults(1.0, curve=1.2), "rows of 64 bytes is -16.7 % off the curve, but at most 15.0 % are allowed")
expect_faults(faults(1.04), "the busiest engine of bmm is busy for 3.0 % longer than it was measured to take",
              "the busiest engine of nki_silu")
expect_faults(faults(1.0, probe=1.11), "exp of 64 elements is +11.0 % off, but at most 10.0 % are allowed")
expect_faults(faults(1.0, left_out=lambda i: 3.0 * (i % 2), ranges=True),
              "range_tensor_percent of trn1 is 6.5, but left-out errors have 3", "range_dma_percent of trn2 is 11.3")
