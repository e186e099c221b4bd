"""Plots of few points as text, both axes logarithmic."""

import math

COLUMN, STEPS = 6, 2  # characters for each point; lines for each factor of two


def plot(points, series, label):
    """`series`: a mark and its values at the `points`, which double from one to the next. Where several marks
    would be in the same place, the first one is."""
    ends = [math.log2(value) for _, values in series for value in values]
    low, high = math.floor(min(ends)), math.ceil(max(ends))
    lines = [[" "] * (COLUMN * len(points)) for _ in range(STEPS * (high - low) + 1)]
    for mark, values in reversed(series):
        for i, value in enumerate(values):
            lines[round(STEPS * (high - math.log2(value)))][COLUMN * i + COLUMN // 2] = mark
    yield "%6s\n" % label
    for i, line in enumerate(lines):
        value = "%g" % 2 ** (high - i // STEPS) if i % STEPS == 0 else ""
        yield ("%6s |" % value + "".join(line)).rstrip() + "\n"
    yield "%6s +%s\n" % ("", "-" * (COLUMN * len(points)))
    yield "%6s  %s\n" % ("", "".join(str(point).center(COLUMN) for point in points).rstrip())
