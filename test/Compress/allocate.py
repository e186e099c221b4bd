"""Weights share parameters by what they lose: no more than uniform ranks have, and fitted as always.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
llama.write_stories(folder)
shape = llama.shape_of(hidden=128, intermediate=256)
weights = llama.tensors_of(shape)
# One weight that needs little rank.
weights["model.layers.0.mlp.up_proj.weight"][:, 8:] *= 1e-3
llama.write_folder(folder / "model", shape, weights)


def call(*options):
    return subprocess.run(["trn-compress", folder / "model", "--block=32", "--rows=",
                           f"--tokenizer={folder / 'tokenizer.bin'}", f"--calib={folder / 'text'}", *options],
                          capture_output=True, text=True)


def compress(name, *options):
    result = call("-o", folder / name, *options)
    assert result.returncode == 0, result.stderr
    return json.loads((folder / name / "trn_compress.json").read_text())


uniform = compress("uniform", "--rank=64")
shared = compress("shared", "--rank=64", "--allocate=relative")
assert shared["options"]["allocate"] == "relative", shared["options"]
assert shared["model"]["params_after"] <= uniform["model"]["params_after"]
ranks = {entry["name"]: entry.get("rank") for entry in shared["matrices"]}
mlp = {name: rank for name, rank in ranks.items() if ".mlp." in name}
assert mlp.pop("model.layers.0.mlp.up_proj") == 32, ranks
# Others get the 11 blocks that are left; three are more than the useful rank of 85.
assert sum(rank // 32 if rank else 3 for rank in mlp.values()) == 11, ranks
assert any(entry.get("kept_dense") == "its share of what is left is all that it has"
           for entry in shared["matrices"]), ranks
again = compress("again", "--rank=64", "--allocate=relative", "--threads=1")
assert [entry.get("rank") for entry in again["matrices"]] == [entry.get("rank") for entry in shared["matrices"]]

(folder / "ranks.json").write_text('{"model.layers.0.mlp.up_proj": 32}')
result = call("-o", folder / "none", f"--ranks={folder / 'ranks.json'}", "--allocate=relative")
assert result.returncode == 1 and "--allocate and --ranks both say which rank a weight gets" in result.stderr, result
result = call("--dry-run", "--rank=64", "--allocate=relative")
assert result.returncode == 0 and "sizes are shown as they are before --allocate" in result.stderr, result
