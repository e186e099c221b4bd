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


def compress(model, name, *options):
    out = folder / (pathlib.Path(model).parent.name + name)
    subprocess.run(["trn-compress", data / model, "-o", out, "--rank=32", "--rows=", *options,
                    f"--calib={data / 'text/tinystories-train-calib.txt'}", tokenizer],
                   check=True, capture_output=True)
    return (perplexity(out, "tinystories-valid-head.txt"),
            perplexity(out, "tinystories-train-eval.txt", "--stories=60"))


for model, method, head, later in (("stories260K/stories260K.bin", "plain", 115.1, 112.7),
                                   ("stories260K/stories260K.bin", "whiten", 29.30, 37.14),
                                   ("stories-xs192/model.bin", "whiten", 10.63, 13.84)):
    found = compress(model, method, "--recover=none", f"--method={method}")
    for value, wanted in zip(found, (head, later)):
        assert abs(value / wanted - 1) < 0.01, (model, method, found)

# Recovery brings them nearer to the 3.31 and 4.13 of the whole model, and does not learn eight
# stories by heart, of which --recover=none makes 32.77 and 40.89.
for recovery, stories, head, later in (("closed", 128, 12.7, 19.0), ("closed", 8, 17.5, 27.5),
                                       ("block", 128, 7.5, 11.3), ("block", 8, 10.7, 16.9)):
    found = compress("stories260K/stories260K.bin", f"{recovery}-{stories}", f"--recover={recovery}",
                     f"--calib-seqs={stories}")
    assert found[0] < head and found[1] < later, (recovery, stories, found)
