"""The errors of outputs are those that NumPy finds for the inputs that the whole model makes of stories which nothing was
fitted to, for every method and recovery alike.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of()
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)
FACTORS, NEURONS = ["--rank=6", "--modules=mlp,attention"], ["--method=neurons", "--neurons=17,29"]


def compress(*options):
    """The manifest, and what NumPy runs."""
    subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", "--force", "--rows=", *options,
                    f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}"],
                   check=True, capture_output=True)
    ranks = json.loads((folder / "out/config.json").read_text()).get("truncation_ranks", {})
    found = llama.read_safetensors(folder / "out/model.safetensors")
    return json.loads((folder / "out/trn_compress.json").read_text()), llama.Model({**shape, "ranks": ranks}, found)


def check(stories, where, *options):
    manifest, own = compress(*options)
    assert manifest["errors_of"] == where, manifest["errors_of"]
    lost, squares = {}, {}

    def compare(module, x, y):
        if module.endswith("down_proj") and options[0] == NEURONS[0]:
            h = np.concatenate([seen.pop()])
            gate, up = (own.linear(h, module.replace("down", name)) for name in ("gate", "up"))
            x = gate / (1 + np.exp(-gate)) * up
        if module.endswith("gate_proj"):
            seen.append(x)
        if module.endswith("down_proj") or options[0] != NEURONS[0]:
            difference = y - own.linear(x, module)
            lost[module] = lost.get(module, 0) + (difference**2).sum()
            squares[module] = squares.get(module, 0) + (y**2).sum()

    seen = []
    whole = llama.Model(shape, weights, compare)
    for tokens in stories:
        whole.logits(tokens)
    for entry in manifest["matrices"]:
        module = entry["name"]
        if module not in lost or "kept_dense" in entry:
            assert "output_error" not in entry, entry
            continue
        wanted = (lost[module] / squares[module]) ** 0.5
        assert abs(entry["output_error"] - wanted) < 1e-4, (options, module, entry["output_error"], wanted)


for method in "plain", "asvd", "whiten":
    check(sequences[12:], "held-out stories", *FACTORS, "--recover=none", f"--method={method}", "--calib-seqs=12")
for cut in FACTORS, NEURONS:
    for recovery in "closed", "block":
        check(sequences[12:], "held-out stories", *cut, f"--recover={recovery}", "--calib-seqs=12")
    for recovery in "lora", "distill":
        check(sequences[15:], "held-out stories", *cut, f"--recover={recovery}", "--calib-seqs=12", "--train-seqs=15",
              "--steps=5")
check(sequences[12:], "held-out stories", *NEURONS, "--recover=none", "--calib-seqs=12")
check(sequences[2:18], "held-out stories", *FACTORS, "--calib-seqs=2")
check(sequences, "calibration", *FACTORS)
