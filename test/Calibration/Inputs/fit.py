"""Fits the open constants of a machine to the calibration kernels.

    fit.py trn1|trn2     prints the constants, the errors, and the error of each kernel when the
                         constants are fitted without it
    fit.py --write       does so for both machines and writes fitted.json, which table.py reads

The objective is the mean absolute relative error of the latencies, and 0.05 % for each constant that
moves through its whole range, so that what the data does not decide stays where it was published or
assumed. Constants keep within the ranges below; a grid over these ranges comes first, then
steps along each constant, halved down to the last digit that is worth writing. Needs trn-run on PATH.
"""

import functools
import itertools
import json
import os
import sys

import kernels
from measured import FITTED, MEASURED, STREAMS
from timing import busiest, each, report

# Constant: lowest and highest value, steps of the grid, last digit, and the value without any kernel.
RANGES = {
    # Rows of 0 to 30 ns; 60 cycles are published and N + 107 were seen in SBUF; counters say 1 to 3 cycles for a
    # reciprocal. Semaphores are not fitted: they hardly matter to any kernel, so that a fit would hide the errors of
    # single ones in them. Nor is the tensor engine: it cannot be slower than where it was seen to be fastest.
    "trn1": {"dma_ns_per_descriptor": (0.0, 30.0, 6, 0.5, 15.0),
             "vector_access_cycles": (60, 107, 1, 1, 60),
             "reciprocal_cycles_per_element": (1, 3, 2, 1, 3)},
    # Pieces of 1 KiB at 259 GB/s take 63 ns; 56 if DMA is all that limits the tutorial's first kernel, 73 if
    # gemm_v1's DMA moved all the time that it was counted active. Beside their bytes at most the 18 ns that this
    # leaves at 1 KiB. Handoffs from the 0.1 us of trn1 to the 0.3 us between the end of a transfer and its reader
    # (DMAo). An engine that stays busy is occupied for about N + 100 cycles, and counters have up to N + 150. Isolated
    # probes have 9.4 us of overhead (VCT), small kernels fit 11 to 12 us.
    "trn2": {"dma_ns_per_descriptor": (0.0, 18.0, 2, 0.5, 0.0),
             "dma_min_ns_per_descriptor": (56.0, 73.0, 4, 0.5, 63.0),
             "semaphore_ns": (100.0, 300.0, 2, 10.0, 200.0),
             "vector_access_cycles": (100, 150, 1, 1, 100),
             "kernel_overhead_ns": (9400.0, 12000.0, 2, 100.0, 9400.0)},
}
# What a kernel contains if a constant matters to it. The others matter to all.
MATTERS = {"vector_access_cycles": "on vector", "reciprocal_cycles_per_element": "trn.reciprocal"}
# What does not matter where descriptors are static.
GENERATED = {"dma_ns_per_descriptor", "dma_min_ns_per_descriptor"}
TOWARDS_PUBLISHED = 0.0005
# No schedule makes a kernel shorter than its busiest engine is busy: what that is longer than measured, beyond this
# share, counts so many times.
LONGEST, TOO_LONG = 1.02, 10
ON = {"trn1": FITTED["trn1"], "trn2": [*FITTED["trn2"], *STREAMS]}
LATENCIES, BUSIEST = {}, {}  # by kernel and the constants that matter to it


@functools.cache
def constants_of(name):
    text = kernels.text(name)
    has = {key for key in RANGES[kernels.KERNELS[name][0]] if MATTERS.get(key, "") in text}
    return has - GENERATED if kernels.STATIC.items() <= kernels.KERNELS[name][1].items() else has


def errors(names, point):
    """Relative errors of kernels at a point, a tuple of (constant, value)."""
    keys = {name: (name, tuple(pair for pair in point if pair[0] in constants_of(name))) for name in names}
    missing = [key for key in keys.values() if key not in LATENCIES]
    for key, result in zip(missing, each(lambda key: report(kernels.text(key[0], dict(key[1]))), missing, quiet=True)):
        LATENCIES[key], BUSIEST[key] = result["latency_ms"], busiest(result)[1]
    return {name: LATENCIES[key] / MEASURED[name] - 1 for name, key in keys.items()}


def excess(names, point):
    """By how much busiest engines are busy for longer than the kernels were measured to take. After `errors`."""
    keys = {name: (name, tuple(pair for pair in point if pair[0] in constants_of(name))) for name in names}
    return sum(max(0, BUSIEST[key] / MEASURED[name] - LONGEST) for name, key in keys.items()) / len(names)


def objective(names, point):
    if sys.stderr.isatty():
        sys.stderr.write("\r%d kernels timed" % len(LATENCIES))
    ranges = RANGES[machine_of(names)]
    moved = sum(abs(value - ranges[key][4]) / (ranges[key][1] - ranges[key][0]) for key, value in point)
    return mean(errors(names, point)) + TOO_LONG * excess(names, point) + TOWARDS_PUBLISHED * moved


def mean(errors):
    return sum(map(abs, errors.values())) / len(errors)


def machine_of(names):
    return kernels.KERNELS[names[0]][0]


def fit(names):
    """The best point for these kernels."""
    ranges = RANGES[machine_of(names)]

    def whole(key, value):
        """To the last digit; where that is an integer, so is the constant."""
        low, high, _, digit, _ = ranges[key]
        steps = round(min(max(value, low), high) / digit)
        return steps * digit if isinstance(digit, int) else round(steps * digit, 6)

    axes = [[whole(key, low + (high - low) * i / steps) for i in range(steps + 1)]
            for key, (low, high, steps, _, _) in ranges.items()]
    points = [tuple(zip(ranges, values)) for values in itertools.product(*axes)]
    best = min(points, key=lambda point: objective(names, point))
    strides = {key: max((high - low) / steps / 2, digit) for key, (low, high, steps, digit, _) in ranges.items()}
    while True:
        around = [tuple((k, whole(k, v + step) if k == key else v) for k, v in best)
                  for key, stride in strides.items() for step in (-stride, stride)]
        better = min(around, key=lambda point: objective(names, point))
        if objective(names, better) < objective(names, best):
            best = better
        elif all(stride <= ranges[key][3] for key, stride in strides.items()):
            return best
        else:
            strides = {key: max(stride / 2, ranges[key][3]) for key, stride in strides.items()}


def fit_machine(machine):
    names, left_out = ON[machine], FITTED[machine]
    best = fit(names)
    found = errors(names, best)
    without = {}
    for name in left_out:
        without[name] = fit([other for other in names if other != name])
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    print("%s: %s" % (machine, spell(best)))
    for name in names:
        other = without.get(name)
        print("  %-24s %+5.1f %%%s" % (name, 100 * found[name], "" if other is None else
              "   left out %+5.1f %% (%s)" % (100 * errors([name], other)[name], spell(other))))
    kept = {name: found[name] for name in left_out}
    print("  mean %.2f %%, worst %.1f %%" % (100 * mean(kept), 100 * max(map(abs, kept.values()))))
    return {"constants": dict(best), "without": {name: dict(point) for name, point in without.items()}}


def spell(point):
    return ", ".join("%s %g" % pair for pair in point)


def main():
    os.nice(10)
    if sys.argv[1:] == ["--write"]:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fitted.json")
        fitted = {machine: fit_machine(machine) for machine in RANGES}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(fitted, file, indent=2)
            file.write("\n")
    elif len(sys.argv) == 2 and sys.argv[1] in RANGES:
        fit_machine(sys.argv[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
