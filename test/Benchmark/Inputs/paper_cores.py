"""What docs/Paper.md says of several cores: tables from the stored times of language models."""

import csv
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
RATIOS = [0, 0.05, 0.1, 0.2]
# The most that a modelled request may be off; of the shortest one, more is work of the host.
TOLERANCE = {402: 0.12, 303: 0.12, 126: 0.2}


def read():
    """By (model, prompt, new, cores, ratio), and behind these "neurons" where they were removed: a row of
    `model-times --csv`."""
    rows = {}
    for name in "cores.csv", "requests.csv":
        with open(HERE / name, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = row["model"], int(row["prompt"]), int(row["new"]), int(row["cores"]), float(row["ratio"])
                rows[key + ("neurons",) if row["neurons"] else key] = row
    return rows


def milliseconds(row):
    return float(row["e2e_ms"])


def read_baselines():
    """By (model, cores): how many times as long the dense model takes with MLPs in the vendor's loops. Both are rows of
    `model-times --ratio=0 --dense-baseline=ours,nki-xw --csv`."""
    times = {}
    with open(HERE / "baselines.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            times[row["model"], int(row["cores"]), row["dense_baseline"]] = milliseconds(row)
    return {key[:2]: times[*key[:2], "nki-xw"] / time for key, time in times.items() if not key[2]}


def speedups(published):
    """The head and the rows of a table of end-to-end speed-ups: of factors on one core and on two, over either
    baseline, of MLPs without some neurons, the paper's, and what it has beyond factors over the vendor's loops."""
    rows, lines, baselines = read(), [], read_baselines()
    for model, paper in published.items():
        if (model, 402, 238, 1, 0) not in rows:
            continue
        schemes = [rows[model, 402, 238, 2, ratio]["scheme"] for ratio in RATIOS[1:]]

        def ours(cores, *cut, times=1):
            dense = times * milliseconds(rows[model, 402, 238, cores, 0])
            return [dense / milliseconds(rows[(model, 402, 238, cores, ratio, *cut)]) for ratio in RATIOS[1:]]

        over_vendors = {cores: ours(cores, times=baselines[model, cores]) for cores in (1, 2)}
        rest = [theirs / own for theirs, own in zip(paper, over_vendors[2])]
        lines.append([model, spell(ours(1)), spell(ours(2)), ", ".join(sorted(set(schemes))), spell(over_vendors[1]),
                      spell(over_vendors[2]), spell(ours(1, "neurons")), spell(ours(2, "neurons")), spell(paper),
                      spell(rest)])
    return ["", "one core", "two cores", "scheme", "over NKI XW, one core", "over NKI XW, two cores",
            "neurons, one core", "neurons, two cores", "paper, two cores", "unexplained, two cores"], lines


def spell(speedups):
    return " / ".join(f"{speedup:.2f}" for speedup in speedups)


def baseline_range():
    """The least and the most that the vendor's loops cost, by cores: factors."""
    found = read_baselines()
    return {cores: [pick(times for (_, own), times in found.items() if own == cores) for pick in (min, max)]
            for cores in (1, 2)}


def requests(measured):
    """The same of requests that others measured: (prompt, new tokens, ms)."""
    rows, lines = read(), []
    for prompt, new, published in measured:
        own = milliseconds(rows["Llama-3.2-1B", prompt, new, 2, 0])
        lines.append([prompt, new, published, f"{own:.0f}", f"{100 * (own / published - 1):+.1f} %"])
    return ["tokens of the prompt", "new tokens", "measured, ms", "modelled, ms", "difference"], lines


def find_misses(measured):
    rows = read()
    for prompt, new, published in measured:
        off = milliseconds(rows["Llama-3.2-1B", prompt, new, 2, 0]) / published - 1
        if abs(off) > TOLERANCE[prompt]:
            yield f"the request of {prompt} tokens is {off:+.1%} off, but {TOLERANCE[prompt]:.0%} are allowed"


def figure8():
    """Milliseconds on two cores: dense, and with the fastest factors at 0.05."""
    rows = read()
    return [milliseconds(rows["Llama-3.2-1B", 402, 238, 2, ratio]) for ratio in (0, 0.05)]
