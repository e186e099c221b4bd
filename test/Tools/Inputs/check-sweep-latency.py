"""Point INDEX of a sweep takes as long as a run: check-sweep-latency.py SWEEP.json INDEX RUN.json"""

import json
import sys

sweep, index, run = sys.argv[1:]
point = json.load(open(sweep, encoding="utf-8"))["sweep"][int(index)]
assert point["report"]["latency_ms"] == json.load(open(run, encoding="utf-8"))["latency_ms"], point["point"]
