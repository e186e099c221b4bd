r"""A trace names products, says what it is of, and leads along the critical path.

RUN: trn-gen xuv --m=512 --k=512 --r=256 --n=1024 -o %t.mlir
RUN: trn-run %t.mlir --compile=strategy=sequential --timing-only --trace=%t.trace --report=%t.json
RUN: %python %s %t.trace %t.json
"""

import json
import pathlib
import sys

trace, report = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
events = trace["traceEvents"]
assert trace["otherData"]["function"] == "@main" and trace["otherData"]["modelled_on"] == "trn1"
assert trace["otherData"]["version"].startswith("trn-mlir ")

slices = [event for event in events if event["ph"] == "X"]
names = {event["name"] for event in slices}
assert {"dma_copy x", "dma_copy w", "matmul o", "dma_copy o"} <= names, names

# Both ends of a flow are where an event begins on its track; a flow leads ahead.
places = {(event["tid"], event["ts"]): event for event in slices}
begins, ends = ({event["id"]: event for event in events if event["ph"] == phase} for phase in "sf")
assert begins.keys() == ends.keys() and len(begins) > 4
busy = 0
for key, begin in begins.items():
    first, second = (places[end["tid"], end["ts"]] for end in (begin, ends[key]))
    assert first["ts"] + first["dur"] <= second["ts"] + 1e-6, (first, second)
    busy += first["dur"] / 1000
# The steps are those that the report adds up, but for the last one of each kernel.
told = sum(part["ms"] for part in report["critical_path"] if part["reason"] == "busy")
assert told - 0.01 < busy < told, (busy, told)
