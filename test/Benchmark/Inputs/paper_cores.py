"""What docs/Paper.md says of several cores: tables from the stored times of language models."""

import csv
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
RATIOS = [0, 0.05, 0.1, 0.2]


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


def speedups(published):
    """The head and the rows of a table of end-to-end speed-ups: of factors on one core and on two, of MLPs without some
    neurons, and the paper's."""
    rows, lines = read(), []
    for model, paper in published.items():
        if (model, 402, 238, 1, 0) not in rows:
            continue
        schemes = [rows[model, 402, 238, 2, ratio]["scheme"] for ratio in RATIOS[1:]]

        def ours(cores, *cut):
            dense = milliseconds(rows[model, 402, 238, cores, 0])
            return " / ".join("%.2f" % (dense / milliseconds(rows[(model, 402, 238, cores, ratio, *cut)]))
                              for ratio in RATIOS[1:])
        lines.append([model, ours(1), ours(2), ", ".join(sorted(set(schemes))), ours(1, "neurons"), ours(2, "neurons"),
                      " / ".join(f"{speedup:.2f}" for speedup in paper)])
    return ["", "one core", "two cores", "scheme", "neurons, one core", "neurons, two cores", "paper, two cores"], lines


def requests(measured):
    """The same of requests that others measured: (prompt, new tokens, ms)."""
    rows, lines = read(), []
    for prompt, new, published in measured:
        own = milliseconds(rows["Llama-3.2-1B", prompt, new, 2, 0])
        lines.append([prompt, new, published, f"{own:.0f}", f"{100 * (own / published - 1):+.1f} %"])
    return ["tokens of the prompt", "new tokens", "measured, ms", "modelled, ms", "difference"], lines


def figure8():
    """Milliseconds on two cores: dense, and with the fastest factors at 0.05."""
    rows = read()
    return [milliseconds(rows["Llama-3.2-1B", 402, 238, 2, ratio]) for ratio in (0, 0.05)]
