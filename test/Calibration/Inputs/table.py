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
from measured import ACTIVITY, MEASURED, STREAMS, TRN1, TUTORIAL
from timing import each, report

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- calibration begin -->\n", "<!-- calibration end -->"
SILU = ["nki_silu", "nki_silu_scalar"]
# Per cent: the mean and the worst error of the kernels that the constants were fitted on.
LIMITS = {"trn1": (4.0, 10.0), "trn2": (5.0, 12.0)}
NAMES = {"nki_silu": "nki_silu, as described", "nki_silu_scalar": "nki_silu, reciprocal on ScalarE"}
# A kernel of each machine that every fitted constant of it matters to.
SENSITIVE = {"trn1": "autocomp_5", "trn2": "tutorial_tiled"}


def read_fit():
    with open(os.path.join(HERE, "fitted.json"), encoding="utf-8") as file:
        return json.load(file)


class Results:
    def __init__(self, fit):
        self.fit = fit
        names = [*TRN1, *SILU, *TUTORIAL, *STREAMS]
        jobs = [(name, {}) for name in names]
        jobs += [(name, values) for machine in fit.values() for name, values in machine["without"].items()]
        jobs += [(SENSITIVE[machine], fit[machine]["constants"]) for machine in fit]
        reports = each(lambda job: report(kernels.text(*job)), jobs)
        self.reports = dict(zip(names, reports))
        left_out = [name for machine in fit.values() for name in machine["without"]]
        rest = reports[len(names):]
        self.left_out = {name: self.error(name, r) for name, r in zip(left_out, rest)}
        self.left_out.update({name: self.error(name, self.reports[name]) for name in SILU})  # in no fit
        self.refitted = dict(zip(fit, rest[len(left_out):]))

    @staticmethod
    def error(name, result):
        return 100 * (result["latency_ms"] / MEASURED[name] - 1)

    def errors(self, names):
        return [self.error(name, self.reports[name]) for name in names]

    def row(self, name):
        result = self.reports[name]
        engines = []
        for engine, measured in ACTIVITY.get(name, {}).items():
            key = "dma_active_percent" if engine == "dma" else engine + "_engine_active_percent"
            engines.append("%s %.1f / %.1f" % (engine, measured, result[key]))
        left_out = "%+.1f %%" % self.left_out[name] if name in self.left_out else "-"
        return "| %s | %.3f | %.3f | %+.1f %% | %s | %s |\n" % (
            NAMES.get(name, name), MEASURED[name], result["latency_ms"], self.error(name, result), left_out,
            ", ".join(engines) or "-")

    def summary(self, label, names):
        def spell(errors):
            return "%.1f %% | %.1f %%" % (mean(errors), worst(errors))
        left_out = [self.left_out[name] for name in names if name in self.left_out]
        return "| %s | %d | %s | %s |\n" % (
            label, len(names), spell(self.errors(names)), spell(left_out) if len(left_out) == len(names) else "- | -")

    def tables(self):
        lines = ["| kernel | measured ms | modelled ms | error | left out "
                 "| engines active %, measured / modelled |\n",
                 "|---|---|---|---|---|---|\n"]
        lines += map(self.row, [*TRN1, *SILU, *TUTORIAL])
        lines += ["\n| kernels | number | mean error | worst | mean when left out | worst |\n",
                  "|---|---|---|---|---|---|\n",
                  self.summary("trn1, fitted on", TRN1),
                  self.summary("trn1, and silu as described", [*TRN1, "nki_silu"]),
                  self.summary("trn1, and silu with its reciprocal on ScalarE", [*TRN1, "nki_silu_scalar"]),
                  self.summary("trn2, fitted on", TUTORIAL)]
        lines += ["\n| rows on trn2 | measured GB/s | modelled GB/s | error |\n", "|---|---|---|---|\n"]
        for name in STREAMS:
            modelled = self.reports[name]["dma_gb_per_s"]
            measured = modelled * self.reports[name]["latency_ms"] / MEASURED[name]
            lines.append("| %s KiB | %.0f | %.0f | %+.1f %% |\n" % (
                name[len("stream_"):-1], measured, modelled, 100 * (modelled / measured - 1)))
        return "".join(lines)

    def faults(self):
        for machine, names in (("trn1", TRN1), ("trn2", TUTORIAL)):
            errors = self.errors(names)
            for what, value, limit in zip(("mean", "worst"), (mean(errors), worst(errors)), LIMITS[machine]):
                if value > limit:
                    yield "the %s error on %s is %.1f %%, but at most %.1f %% are allowed" % (
                        what, machine, value, limit)
            if self.refitted[machine]["latency_ms"] != self.reports[SENSITIVE[machine]]["latency_ms"]:
                yield "the constants of %s are not those of fitted.json: run fit.py --write and update them" % machine


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
