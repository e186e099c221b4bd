"""A real model keeps its perplexity, to a hundredth, when its weights are stored in 8 bits, dense or as factors.

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
model = data / "stories15M/stories15M.bin"


def perplexity(path):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "perplexity", path, f"--text={data / 'text/tinystories-valid-head.txt'}",
                    "--stories=6", f"--report={report}"], check=True, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())["perplexity"]


def compress(source, out, *options):
    subprocess.run(["trn-compress", source, "-o", folder / out, *options], check=True, capture_output=True)
    return folder / out


factors = compress(model, "factors", "--rank=128", f"--calib={data / 'text/tinystories-train-calib.txt'}",
                   "--calib-seqs=8", "--rows=")
for source in model, factors:
    whole = perplexity(source)
    for kind in "int8", "fp8":
        ratio = perplexity(compress(source, f"{source.stem}-{kind}", f"--weights={kind}")) / whole
        print(f"{source.stem}, {kind}: {ratio:.4f} of {whole:.3f}")
        assert ratio < 1.01 if kind == "int8" else ratio < 1.06, (source, kind, ratio)
