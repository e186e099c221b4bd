"""Perplexities and choices of real models that others published, or NumPy computed once.

REQUIRES: trn-data
RUN: %python %s %t
"""

import json
import math
import os
import pathlib
import subprocess
import sys

data = pathlib.Path(os.environ["TRN_DATA_DIR"])
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
report = folder / "report.json"
SMALL_TOKENIZER = f"--tokenizer={data / 'stories260K/tok512.bin'}"


def measure(command, model, *arguments):
    subprocess.run(["trn-llm", command, data / model, *arguments, f"--report={report}"],
                   check=True, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())


# The published sum over 34 predictions is 54.404121.
(folder / "fox").write_text("One day, a clever fox found a shiny key under the old oak tree.")
fox = measure("perplexity", "stories260K/stories260K.bin", f"--text={folder / 'fox'}")
assert fox["tokens"] == 34 and abs(fox["nll"] - 54.40413) < 1e-4, fox

HEAD, LATER = "text/tinystories-valid-head.txt", "text/tinystories-train-eval.txt"
for model, text, options, tokens, wanted in (
        ("stories260K/stories260K.bin", HEAD, [], 5490, 3.3085),
        ("stories260K/stories260K.bin", LATER, ["--stories=60"], 15300, 4.1274),
        ("stories-xs192/model.bin", HEAD, [SMALL_TOKENIZER], 5490, 6.2157),
        ("stories15M/stories15M.bin", HEAD, [], 4027, 2.3526)):
    found = measure("perplexity", model, f"--text={data / text}", *options)
    assert found["tokens"] == tokens, (model, found)
    # The figures have five digits.
    assert abs(math.log(found["perplexity"] / wanted)) < 1e-4 * math.log(wanted), (model, found)
