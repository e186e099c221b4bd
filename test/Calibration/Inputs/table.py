"""Times the calibration kernels and compares them with what was measured on hardware.

    table.py              prints the tables of docs/CostModel.md
    table.py --check F    fails unless F holds these tables, between lines such as `<!-- summary begin -->`
                          and `<!-- summary end -->`, and the errors are within the limits below; with
                          TRN_UPDATE_DOCS=1 in the environment it writes them there
"""

import functools
import json
import math
import os
import sys

import instructions
import kernels
from measured import (ACTIVITY, CURVE, FITTED, KERNEL_OVERHEAD_NS, MEASURED, PEAK_GB_PER_S, PIPELINED, POINTS, SINGLE,
                      STREAMS, TRANSFERS, spell_bytes)
from plot import plot
from timing import busiest, execute, reports
from trn_writer import module, spell

HERE = os.path.dirname(os.path.abspath(__file__))
# Per cent: the mean and the worst error of the kernels that the constants were fitted on, and the worst of the
# published curve from a row of so many bytes on.
LIMITS = {"trn1": (3.0, 7.0), "trn2": (6.0, 15.0)}
CURVE_LIMIT, CURVE_FROM = 15.0, 64
# Per cent: of single instructions; and of the busy time of a busiest engine over the measured latency.
INSTRUCTION_LIMIT, BUSY_LIMIT = 10.0, 2.0
# The range that --range prints covers this part of kernels that were left out, if another one is as likely to be off.
COVERAGE = 0.8
# Kernels of each machine, to one of which each of its fitted constants matters.
SENSITIVE = {"trn1": ["autocomp_5", "adamw"], "trn2": ["tutorial_tiled", "vector_add_128x1", "stream_1k"]}


def read_fit():
    with open(os.path.join(HERE, "fitted.json"), encoding="utf-8") as file:
        return json.load(file)


class Results:
    def __init__(self, fit):
        self.fit = fit
        names = [name for kernels_ in FITTED.values() for name in kernels_]
        names += [*POINTS, *(kind + spell_bytes(size) for size in CURVE for kind in ("alone_", "stream_"))]
        left_out = [(name, values) for machine in fit.values() for name, values in machine["without"].items()]
        refitted = [(name, fit[machine]["constants"]) for machine in fit for name in SENSITIVE[machine]]
        timed = reports([kernels.text(*job) for job in [*((name, {}) for name in names), *left_out, *refitted]])
        self.reports = dict(zip(names, timed))
        timed = timed[len(names):]
        self.left_out = {name: self.error(name, r) for (name, _), r in zip(left_out, timed)}
        self.refitted = {name: r for (name, _), r in zip(refitted, timed[len(left_out):])}
        written = [(name, {}, False) for name in PIPELINED]
        # What is static, generated, and the other way round.
        self.static = [name for name in FITTED["trn2"] if kernels.STATIC.items() <= kernels.KERNELS[name][1].items()]
        turned = [(name, {"dma_static_descriptors": name not in self.static}) for name in FITTED["trn2"]]
        alone = [("alone_" + spell_bytes(size), kernels.STATIC) for size in CURVE]
        timed = reports([kernels.text(*job) for job in [*written, *turned, *alone]])
        self.as_written = dict(zip(PIPELINED, timed))
        self.turned = dict(zip(FITTED["trn2"], timed[len(written):]))
        self.alone_static = dict(zip(CURVE, timed[len(written) + len(turned):]))
        probes = [(name, columns) for name in instructions.INSTRUCTIONS for columns in
                  instructions.INSTRUCTIONS[name][1]]
        timed = reports([module(spell("trn2"), instructions.probe(*probe)) for probe in probes])
        self.probes = {probe: instructions.modelled(probe[0], result) for probe, result in zip(probes, timed)}

    @staticmethod
    def error(name, result):
        return 100 * (result["latency_ms"] / MEASURED[name] - 1)

    def errors(self, names):
        return [self.error(name, self.reports[name]) for name in names]

    # Tables.

    def row(self, name):
        result = self.reports[name]
        engines = []
        for engine, measured in ACTIVITY.get(name, {}).items():
            key = "dma_active_percent" if engine == "dma" else engine + "_engine_active_percent"
            engines.append("%s %.1f / %.1f" % (engine, measured, result[key]))
        return "| %s | %.3f | %.3f | %+.1f %% | %+.1f %% | %s |\n" % (
            name, MEASURED[name], result["latency_ms"], self.error(name, result), self.left_out[name],
            ", ".join(engines) or "-")

    def summary(self, machine):
        names = FITTED[machine]
        return "| %s | %d | %s | %s |\n" % (machine, len(names), *(
            "%.1f %% | %.1f %%" % (mean(errors), worst(errors))
            for errors in (self.errors(names), [self.left_out[name] for name in names])))

    def kernel_tables(self):
        yield "| kernel | measured ms | modelled ms | error | left out | engines active %, measured / modelled |\n"
        yield "|---|---|---|---|---|---|\n"
        for names in FITTED.values():
            yield from map(self.row, names)
        yield "\n| kernels | number | mean error | worst | mean when left out | worst |\n"
        yield "|---|---|---|---|---|---|\n"
        yield from map(self.summary, FITTED)

    # Ranges.

    def engine(self, name):
        return busiest(self.reports[name])[0]

    def group(self, name):
        """The kernels whose left-out errors tell how far to trust this one: those of its engine, or, if there are few,
        all of its machine."""
        machine = next(m for m, names in FITTED.items() if name in names)
        same = [other for other in FITTED[machine] if self.engine(other) == self.engine(name)]
        return same if len(same) > 5 else FITTED[machine]

    def width(self, names):
        """The half-width that COVERAGE of kernels like these, and one more, lie in."""
        errors = sorted(abs(self.left_out[name]) for name in names)
        return errors[min(len(errors), math.ceil(COVERAGE * (len(errors) + 1))) - 1]

    def width_of(self, machine, engine):
        """What the machine has."""
        some = [name for name in FITTED[machine] if self.engine(name) == engine]
        return self.width(self.group(some[0]) if some else FITTED[machine])

    def width_without(self, name):
        return self.width([other for other in self.group(name) if other != name])

    def held_out(self, names):
        """The median half-width of kernels, each chosen without itself, and how many of them lie in it."""
        widths = sorted(self.width_without(name) for name in names)
        inside = sum(abs(self.left_out[name]) <= self.width_without(name) for name in names)
        return widths[len(widths) // 2], inside

    def summary_rows(self):
        """What a kernel can expect that no constant was fitted to."""
        errors = [[self.left_out[name] for name in names] for names in FITTED.values()]
        held_out = [(*self.held_out(names), len(names)) for names in FITTED.values()]
        yield "| | %s |\n" % " | ".join(FITTED)
        yield "|---%s|\n" % ("|---" * len(FITTED))
        yield "| kernels | %s |\n" % " | ".join("%d" % len(e) for e in errors)
        yield "| mean error | %s |\n" % " | ".join("%.1f %%" % mean(e) for e in errors)
        yield "| worst error | %s |\n" % " | ".join("%.1f %%" % worst(e) for e in errors)
        yield "| range, median | %s |\n" % " | ".join("±%.1f %%" % width for width, _, _ in held_out)
        yield "| lie in their range | %s |\n" % " | ".join("%d of %d" % row[1:] for row in held_out)

    def range_rows(self):
        yield "\n| machine, busiest engine | kernels | mean error when left out | half-width without the kernel, median "
        yield "| left out and in range | half-width of all |\n|---|---|---|---|---|---|\n"
        for machine, names in FITTED.items():
            engines = sorted({self.engine(name) for name in names})
            for engine in [*engines, None]:
                some = [name for name in names if engine in (None, self.engine(name))]
                width, inside = self.held_out(some)
                yield "| %s, %s | %d | %.1f %% | %.1f %% | %d of %d | %.1f %% |\n" % (
                    machine, engine or "all", len(some), mean([self.left_out[name] for name in some]),
                    width, inside, len(some), self.width_of(machine, engine))

    def order_rows(self):
        yield "\n| kernel | measured ms | as written | pipelined |\n|---|---|---|---|\n"
        for name in PIPELINED:
            yield "| %s | %.3f | %.3f (%+.1f %%) | %.3f (%+.1f %%) |\n" % (
                name, MEASURED[name], *(value for result in (self.as_written[name], self.reports[name])
                                        for value in (result["latency_ms"], self.error(name, result))))

    # Instructions.

    def instruction_rows(self):
        yield "\n| instruction, trn2 | elements | measured ns | modelled ns | error at worst |\n|---|---|---|---|---|\n"
        for name, (_, sizes, *_) in instructions.INSTRUCTIONS.items():
            errors = {n: 100 * (self.probes[name, n] / instructions.measured(name, n) - 1) for n in sizes}
            size = max(sizes, key=lambda n: abs(errors[n]))
            yield "| %s | %d to %d | %.0f | %.0f | %+.1f %% at %d |\n" % (
                name, sizes[0], sizes[-1], instructions.measured(name, size), self.probes[name, size],
                errors[size], size)

    # Both modes of transfers.

    def mode_rows(self):
        yield "\n| trn2 | | measured | generated descriptors | static descriptors |\n|---|---|---|---|---|\n"
        for kind, (trigger, fixed, slope, notice) in SINGLE.items():
            for size in (512, 2048, 8192):
                ns = trigger + fixed + slope * 8 * size / 23 + notice
                values = [self.single(result) for result in (
                    self.reports["alone_" + spell_bytes(size)], self.alone_static[size])]
                yield "| one %s of 128 rows of %d bytes, trigger to reader | ns | %.0f | %s |\n" % (
                    kind, size, ns, " | ".join("%.0f (%+.1f %%)" % (v, 100 * (v / ns - 1)) for v in values))
        curves = [self.curve_error(size) for size in CURVE], [self.curve_error(size, True) for size in CURVE]
        yield "| published curve of one transfer, rows of 32 bytes to 32 KiB | mean error | | %s |\n" % " | ".join(
            "%.1f %%" % mean(errors) for errors in curves)
        for name in self.static + [n for n in FITTED["trn2"] if n.startswith(("gemm", "tutorial_tiled", "vector"))]:
            pair = [self.reports[name], self.turned[name]]
            generated, static = reversed(pair) if name in self.static else pair
            yield "| %s | ms | %.3f | %s |\n" % (name, MEASURED[name], " | ".join(
                "%.3f (%+.1f %%)" % (r["latency_ms"], self.error(name, r)) for r in (generated, static)))

    def single(self, result):
        """Trigger to reader, in ns: without the fixed time of the kernel, and with a semaphore."""
        overhead = sum(part["ms"] for part in result["critical_path"] if part["reason"] == "kernel_overhead")
        return 1e6 * (result["latency_ms"] - overhead) + self.fit["trn2"]["constants"]["semaphore_ns"]

    def overhead_row(self):
        modelled = self.fit["trn2"]["constants"]["kernel_overhead_ns"]
        yield "\nThe fixed time of a kernel on trn2 is %.0f ns: isolated probes have %d ns (%+.1f %%), and with it " % (
            modelled, KERNEL_OVERHEAD_NS, 100 * (modelled / KERNEL_OVERHEAD_NS - 1))
        yield "vector_add_128x1 and _128x2 are off by %+.1f and %+.1f %%.\n" % tuple(
            self.errors(["vector_add_128x1", "vector_add_128x2"]))

    def alone(self, size, static=False):
        """GB/s of one transfer, from its first byte to its completion."""
        result = self.alone_static[size] if static else self.reports["alone_" + spell_bytes(size)]
        before = sum(part["ms"] for part in result["critical_path"]
                     if part["reason"] in ("kernel_overhead", "dma_latency"))
        return kernels.P * size / (result["latency_ms"] - before) / 1e6

    def curve_error(self, size, static=False):
        return 100 * (self.alone(size, static) / (CURVE[size] / 100 * PEAK_GB_PER_S) - 1)

    def transfer_tables(self):
        yield "\n| bytes of a row, trn2 | published % | GB/s | modelled GB/s, alone | error | in a stream |\n"
        yield "|---|---|---|---|---|---|\n"
        for size, percent in CURVE.items():
            yield "| %d | %.1f | %.1f | %.1f | %+.1f %% | %.1f |\n" % (
                size, percent, percent / 100 * PEAK_GB_PER_S, self.alone(size), self.curve_error(size),
                self.reports["stream_" + spell_bytes(size)]["dma_gb_per_s"])
        yield "\nGB/s by the bytes of a row: `o` published, `+` modelled alone, `s` modelled in a stream\n\n```text\n"
        yield from plot([spell_bytes(size) for size in CURVE], [
            ("o", [percent / 100 * PEAK_GB_PER_S for percent in CURVE.values()]),
            ("+", [self.alone(size) for size in CURVE]),
            ("s", [self.reports["stream_" + spell_bytes(size)]["dma_gb_per_s"] for size in CURVE])], "GB/s")
        yield "```\n"
        yield "\n| transfers in a stream, trn2 | measured | modelled | error |\n|---|---|---|---|\n"
        for name in STREAMS:
            modelled = self.reports[name]["dma_gb_per_s"]
            measured = modelled * self.reports[name]["latency_ms"] / MEASURED[name]
            yield "| rows of %s KiB | %.0f GB/s | %.0f GB/s | %+.1f %% |\n" % (
                name[len("stream_"):-1], measured, modelled, 100 * (modelled / measured - 1))
        for name, spelled in POINTS.items():
            yield "| %s in bf16, time of an engine | %.0f ns | %.0f ns | %+.1f %% |\n" % (
                spelled, *(1e6 * ms / TRANSFERS for ms in (MEASURED[name], self.reports[name]["latency_ms"])),
                self.error(name, self.reports[name]))

    def tables(self):
        """By the name of its place on the page."""
        return {"summary": "".join(self.summary_rows()),
                "calibration": "".join([*self.kernel_tables(), *self.range_rows(), *self.order_rows(),
                                        *self.instruction_rows(), *self.mode_rows(), *self.overhead_row(),
                                        *self.transfer_tables()])}

    # Checks.

    def range_faults(self, machine):
        printed = json.loads(execute(["trn-run", "--print-machine", "--machine=" + machine]))
        for engine in ("tensor", "vector", "scalar", "dma"):
            own, width = printed["range_%s_percent" % engine]["value"], round(self.width_of(machine, engine), 1)
            if own != width:
                yield "range_%s_percent of %s is %g, but left-out errors have %g" % (engine, machine, own, width)

    def faults(self):
        for machine, names in FITTED.items():
            errors = self.errors(names)
            for what, value, limit in zip(("mean", "worst"), (mean(errors), worst(errors)), LIMITS[machine]):
                if value > limit:
                    yield "the %s error on %s is %.1f %%, but at most %.1f %% are allowed" % (
                        what, machine, value, limit)
            yield from self.range_faults(machine)
            if any(self.refitted[n]["latency_ms"] != self.reports[n]["latency_ms"] for n in SENSITIVE[machine]):
                yield "the constants of %s are not those of fitted.json: run fit.py --write and update them" % machine
        for (name, columns), ns in self.probes.items():
            error = 100 * (ns / instructions.measured(name, columns) - 1)
            if abs(error) > INSTRUCTION_LIMIT:
                yield "%s of %d elements is %+.1f %% off, but at most %.1f %% are allowed" % (
                    name, columns, error, INSTRUCTION_LIMIT)
        for name in (name for names in FITTED.values() for name in names):
            longer = 100 * (busiest(self.reports[name])[1] / MEASURED[name] - 1)
            if longer > BUSY_LIMIT:
                yield "the busiest engine of %s is busy for %.1f %% longer than it was measured to take" % (name, longer)
        for size in CURVE:
            if CURVE_LIMIT and size >= CURVE_FROM and abs(self.curve_error(size)) > CURVE_LIMIT:
                yield "a transfer with rows of %d bytes is %+.1f %% off the curve, but at most %.1f %% are allowed" % (
                    size, self.curve_error(size), CURVE_LIMIT)


def mean(errors):
    return sum(map(abs, errors)) / len(errors)


def worst(errors):
    return max(map(abs, errors))


def replaced(page, named):
    """The page with a table at its place."""
    name, table = named
    before, begin, rest = page.partition("<!-- %s begin -->\n" % name)
    _, end, after = rest.partition("<!-- %s end -->" % name)
    if not end:
        sys.exit("the page has no place for the table '%s'" % name)
    return before + begin + table + end + after


def main():
    if sys.argv[1:] and (sys.argv[1] != "--check" or len(sys.argv) != 3):
        sys.exit(__doc__)
    results = Results(read_fit())
    tables = results.tables()
    if not sys.argv[1:]:
        print("\n".join(tables.values()), end="")
        return
    faults = list(results.faults())
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    updated = functools.reduce(replaced, tables.items(), page)
    if updated != page:
        if os.environ.get("TRN_UPDATE_DOCS"):
            with open(sys.argv[2], "w", encoding="utf-8") as file:
                file.write(updated)
        else:
            faults.append("the tables of the page are not these; TRN_UPDATE_DOCS=1 writes them\n" +
                          "\n".join(tables.values()))
    if faults:
        sys.exit("\n".join(faults))
    print("%d kernels agree" % len(results.reports))


if __name__ == "__main__":
    main()
