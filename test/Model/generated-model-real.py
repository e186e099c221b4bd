"""A model that others trained, as trn-gen llama writes it: its logits, and what it is surprised by.

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
model, tokenizer = data / "stories260K/stories260K.bin", data / "stories260K/tok512.bin"
folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
RESULTS = 11


def run(source, weights, entry, inputs):
    for i, value in enumerate(inputs):
        np.save(folder / f"in{i}.npy", value)
    subprocess.run(["trn-run", source, f"--weights={weights}", f"--entry={entry}",
                    *[f"--arg=@{folder}/in{i}.npy" for i in range(len(inputs))],
                    *[f"--out=@{folder}/out{i}.npy" for i in range(RESULTS)]],
                   check=True, stdout=subprocess.DEVNULL)
    return [np.load(folder / f"out{i}.npy") for i in range(RESULTS)]


def close(found, wanted, what):
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert error < 1e-5, (what, error)


story = "One day, a clever fox found a shiny key under the old oak tree."
(folder / "story").write_text(story)
subprocess.run(["trn-llm", "perplexity", model, f"--text={folder / 'story'}", f"--tokenizer={tokenizer}",
                f"--report={folder / 'r.json'}"], check=True, stdout=subprocess.DEVNULL)
nll = json.loads((folder / "r.json").read_text())["nll"]
tokens = np.array(llama.encode(story, *llama.read_tokenizer(tokenizer)), "<i4")
rows = len(tokens) - 1

# Its rows lie otherwise in the file of llama2.c and in a folder.
dense = folder / "dense"
subprocess.run(["trn-compress", model, "-o", dense, "--export=dense"], check=True, capture_output=True)
wanted = llama.Model(module.read_shape(dense),
                     llama.read_safetensors(dense / "model.safetensors")).logits(tokens)
source, compiled = folder / "model.mlir", folder / "compiled.mlir"
subprocess.run(["trn-gen", "llama", model, "--dtype=f32", f"--rows={rows}", "--context=64", "--all-logits",
                "-o", source], check=True)
subprocess.run(["trn-opt", source, "--trn-compile=effort=1", "-o", compiled], check=True,
               stderr=subprocess.DEVNULL)
logits, *caches = run(compiled, model, "prefill", [tokens[:rows]])
close(logits, wanted[:rows], "prefill")
again = run(compiled, dense, "prefill", [tokens[:rows]])
assert all((a == b).all() for a, b in zip(again, [logits, *caches]))

padded = [np.pad(cache, ((0, 0), (0, 64 - rows), (0, 0))) for cache in caches]
last, *_ = run(compiled, model, "decode", [tokens[rows:], np.array([rows], "<i4"), *padded])
close(last, wanted[rows:], "decode")
assert abs(llama.losses_of(np.concatenate([logits, last]), tokens).sum() / nll - 1) < 1e-5
