r"""Of 1, 2, 3 and 16 layers the report, which repeats equal ones, and the trace, which steps through all, have the same
time to the picosecond.

RUN: trn-gen llama %S/Inputs/tiny-llama.json --mode=decode --context=64 -o %t.decode.mlir
RUN: trn-gen llama %S/Inputs/tiny-llama.json --mode=prefill --rows=64 -o %t.prefill.mlir
RUN: trn-gen llama %S/Inputs/tiny-llama.json --mode=decode --context=64 --layers=1 -o %t.decode.1.mlir
RUN: trn-gen llama %S/Inputs/tiny-llama.json --mode=decode --context=64 --layers=2 -o %t.decode.2.mlir
RUN: trn-gen llama %S/Inputs/tiny-llama.json --mode=prefill --rows=64 --layers=3 -o %t.prefill.3.mlir
RUN: %python %s 0 %t.decode.1.mlir
RUN: %python %s 0 %t.decode.2.mlir
RUN: %python %s 0 %t.prefill.3.mlir
RUN: %python %s 25 %t.decode.mlir
RUN: %python %s 25 %t.prefill.mlir
"""

import json
import pathlib
import subprocess
import sys

least, module = int(sys.argv[1]), sys.argv[2]
report, trace = pathlib.Path(module + ".json"), pathlib.Path(module + ".trace.json")
for machine in "trn1", "trn2":
    subprocess.run(["trn-run", module, "--compile=effort=1", "--timing-only", f"--machine={machine}",
                    f"--report={report}", f"--trace={trace}"], check=True, capture_output=True)
    told, events = json.loads(report.read_text()), json.loads(trace.read_text())
    if isinstance(events, dict):
        events = events["traceEvents"]
    end = max(event["ts"] + event["dur"] for event in events if event["ph"] == "X")
    assert round(1e6 * end) == round(1e9 * told["latency_ms"]), (machine, end, told["latency_ms"])
    repeated = told["host"]["repeated_calls"]
    assert repeated >= least and (least or not repeated), (machine, repeated)
