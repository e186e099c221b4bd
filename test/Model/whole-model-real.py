"""A compressed model that others trained, compiled and run: its logits, and what it is surprised by.

REQUIRES: trn-data
RUN: %python %s %t
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402
import module  # noqa: E402

data = pathlib.Path(os.environ["TRN_DATA_DIR"])
folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
small = folder / "small"
subprocess.run(["trn-compress", data / "stories260K/stories260K.bin", "-o", small, "--rank=32", "--rows=",
                "--recover=none", f"--calib={data / 'text/tinystories-train-calib.txt'}",
                "--calib-seqs=16"], check=True, capture_output=True)
story = (data / "text/tinystories-valid-head.txt").read_text().split(llama.STOP)[0].strip()
(folder / "story").write_text(story[:400])
subprocess.run(["trn-llm", "perplexity", small, f"--text={folder / 'story'}",
                f"--tokenizer={data / 'stories260K/tok512.bin'}", f"--report={folder / 'r.json'}"],
               check=True, stdout=subprocess.DEVNULL)
nll = json.loads((folder / "r.json").read_text())["nll"]

tokens = llama.encode(story[:400], *llama.read_tokenizer(data / "stories260K/tok512.bin"))
np.save(folder / "tokens.npy", np.array(tokens, "<i4"))
shape = module.read_shape(small)
assert len(shape["ranks"]) == 15, shape
wanted = llama.Model(shape, llama.read_safetensors(small / "model.safetensors")).logits(tokens)


def run(dtype):
    source = folder / f"{dtype}.mlir"
    source.write_text(module.write(shape, len(tokens), dtype))
    subprocess.run(["trn-run", source, "--compile=effort=1", f"--weights={small}",
                    f"--arg=@{folder / 'tokens.npy'}", f"--out=@{folder / 'logits.npy'}"],
                   check=True, capture_output=True)
    return np.load(folder / "logits.npy").astype(np.float64)


logits = run("f32")
error = np.abs(logits - wanted).max() / np.abs(wanted).max()
assert error < 1e-5, error
assert abs(llama.losses_of(logits, tokens).sum() / nll - 1) < 1e-5
# Weights and what flows have 8 bits now; few tokens have not seen all of that.
excess = llama.losses_of(run("bf16"), tokens).mean() - nll / (len(tokens) - 1)
assert abs(excess) < 0.02, excess
