"""Times the calibration kernels and compares them with what was measured on hardware.

    table.py              prints the tables of docs/CostModel.md
    table.py --check F    fails unless F holds these tables, between the lines `<!-- calibration begin -->`
                          and `<!-- calibration end -->`, and the errors are within the limits below; with
                          TRN_UPDATE_DOCS=1 in the environment it writes them there
"""

import json
import os
import sys

import kernels
from measured import ACTIVITY, CURVE, FITTED, MEASURED, PEAK_GB_PER_S, POINTS, STREAMS, TRANSFERS, spell_bytes
from plot import plot
from timing import each, report

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- calibration begin -->\n", "<!-- calibration end -->"
# Per cent: the mean and the worst error of the kernels that the constants were fitted on, and the worst of the
# published curve from a row of so many bytes on.
LIMITS = {"trn1": (4.0, 10.0), "trn2": (6.0, 15.0)}
CURVE_LIMIT, CURVE_FROM = 15.0, 64
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
        reports = each(lambda job: report(kernels.text(*job)), [*((name, {}) for name in names), *left_out, *refitted])
        self.reports = dict(zip(names, reports))
        reports = reports[len(names):]
        self.left_out = {name: self.error(name, r) for (name, _), r in zip(left_out, reports)}
        self.refitted = {name: r for (name, _), r in zip(refitted, reports[len(left_out):])}

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

    def alone(self, size):
        """GB/s of one transfer, from its first byte to its completion."""
        result = self.reports["alone_" + spell_bytes(size)]
        before = sum(part["ms"] for part in result["critical_path"]
                     if part["reason"] in ("kernel_overhead", "dma_latency"))
        return kernels.P * size / (result["latency_ms"] - before) / 1e6

    def curve_error(self, size):
        return 100 * (self.alone(size) / (CURVE[size] / 100 * PEAK_GB_PER_S) - 1)

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
        return "".join([*self.kernel_tables(), *self.transfer_tables()])

    # Checks.

    def faults(self):
        for machine, names in FITTED.items():
            errors = self.errors(names)
            for what, value, limit in zip(("mean", "worst"), (mean(errors), worst(errors)), LIMITS[machine]):
                if value > limit:
                    yield "the %s error on %s is %.1f %%, but at most %.1f %% are allowed" % (
                        what, machine, value, limit)
            if any(self.refitted[n]["latency_ms"] != self.reports[n]["latency_ms"] for n in SENSITIVE[machine]):
                yield "the constants of %s are not those of fitted.json: run fit.py --write and update them" % machine
        for size in CURVE:
            if CURVE_LIMIT and size >= CURVE_FROM and abs(self.curve_error(size)) > CURVE_LIMIT:
                yield "a transfer with rows of %d bytes is %+.1f %% off the curve, but at most %.1f %% are allowed" % (
                    size, self.curve_error(size), CURVE_LIMIT)


def mean(errors):
    return sum(map(abs, errors)) / len(errors)


def worst(errors):
    return max(map(abs, errors))


def main():
    if sys.argv[1:] and (sys.argv[1] != "--check" or len(sys.argv) != 3):
        sys.exit(__doc__)
    results = Results(read_fit())
    tables = results.tables()
    if not sys.argv[1:]:
        print(tables, end="")
        return
    faults = list(results.faults())
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    begin, end = page.find(BEGIN) + len(BEGIN), page.find(END)
    if page[begin:end] != tables:
        if os.environ.get("TRN_UPDATE_DOCS"):
            with open(sys.argv[2], "w", encoding="utf-8") as file:
                file.write(page[:begin] + tables + page[end:])
        else:
            faults.append("the tables of the page are not these; TRN_UPDATE_DOCS=1 writes them\n" + tables)
    if faults:
        sys.exit("\n".join(faults))
    print("%d kernels agree" % len(results.reports))


if __name__ == "__main__":
    main()
