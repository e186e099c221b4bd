"""Real models at a rank of half their width: perplexities that a prototype in NumPy had.

REQUIRES: trn-data
RUN: %python %s %t
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

data = pathlib.Path(os.environ["TRN_DATA_DIR"])
folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
tokenizer = f"--tokenizer={data / 'stories260K/tok512.bin'}"


def perplexity(model, text, *options):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "perplexity", model, f"--text={data / 'text' / text}", tokenizer,
                    f"--report={report}", *options], check=True, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())["perplexity"]


for model, method, head, later in (("stories260K/stories260K.bin", "plain", 115.1, 112.7),
                                   ("stories260K/stories260K.bin", "whiten", 29.30, 37.14),
                                   ("stories-xs192/model.bin", "plain", 13.76, 18.63),
                                   ("stories-xs192/model.bin", "whiten", 10.63, 13.84)):
    out = folder / (pathlib.Path(model).parent.name + method)
    subprocess.run(["trn-compress", data / model, "-o", out, "--rank=32", "--recover=none", f"--method={method}",
                    f"--calib={data / 'text/tinystories-train-calib.txt'}", tokenizer],
                   check=True, capture_output=True)
    found = (perplexity(out, "tinystories-valid-head.txt"),
             perplexity(out, "tinystories-train-eval.txt", "--stories=60"))
    for value, wanted in zip(found, (head, later)):
        assert abs(value / wanted - 1) < 0.01, (model, method, found)
