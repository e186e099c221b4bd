"""Point INDEX of a sweep is the same as one run: check-sweep.py SWEEP.json CSV INDEX RUN.json"""

import csv
import json
import sys

sweep, table, index, run = sys.argv[1:]


def report(text):
    """A report without what the host did, and without what only single runs have."""
    return {key: value for key, value in text.items() if key not in ("host", "findings")}


points = json.load(open(sweep, encoding="utf-8"))["sweep"]
point, expected = points[int(index)], report(json.load(open(run, encoding="utf-8")))
assert report(point["report"]) == expected, point
if table == "-":
    sys.exit()
rows = list(csv.DictReader(open(table, encoding="utf-8")))
assert len(rows) == len(points)
row = rows[int(index)]
for key, value in point["point"].items():
    assert row.pop(key) == value
assert row.pop("error") == row.pop("over_budget") == "" and row.pop("chosen") != ""
assert int(row.pop("host_ops")) == sum(op["count"] for op in expected["host_ops"])
assert len(row) > 20
for key, value in row.items():
    assert float(value) == float(expected[key]), (key, value)
