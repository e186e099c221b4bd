"""Training brings the MLPs of a factored model nearer to the stream of the whole one.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

RANK = 6
folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of()
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)


def compress(name, *options):
    subprocess.run(["trn-compress", folder / "model", "-o", folder / name, f"--rank={RANK}", "--rows=",
                    f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}", *options],
                   check=True, capture_output=True)
    return json.loads((folder / name / "trn_compress.json").read_text())


def relative(found, wanted):
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


def errors_of(name, manifest):
    """How far each MLP is from bringing the stream of the whole model about."""
    found = llama.read_safetensors(folder / name / "model.safetensors")
    ranks = {entry["name"]: RANK for entry in manifest["matrices"] if "rank" in entry}
    for entry in manifest["matrices"]:
        if "rank" not in entry:
            continue
        stem = entry["name"].removesuffix("proj")
        u, v = found[stem + "u_proj.weight"].astype(np.float64), found[stem + "v_proj.weight"]
        np.testing.assert_allclose(np.linalg.norm(u, axis=0), np.linalg.norm(v, axis=1), rtol=1e-5)
        assert abs(entry["weight_error"] - relative(u @ v, weights[entry["name"] + ".weight"])) < 1e-5, entry
    whole, factored = llama.Model(shape, weights), llama.Model({**shape, "ranks": ranks}, found)
    dense = [whole.weights["model.embed_tokens.weight"][tokens] for tokens in sequences]
    own = list(dense)
    errors = []
    for layer in range(shape["layers"]):
        dense = [x + whole.attention(x, layer) for x in dense]
        own = [y + factored.attention(y, layer) for y in own]
        dense = [x + whole.down(whole.gated(x, layer), layer) for x in dense]
        added = [factored.down(factored.gated(y, layer), layer) for y in own]
        errors.append(relative(np.concatenate(added),
                               np.concatenate([x - y for x, y in zip(dense, own)])))
        own = [y + z for y, z in zip(own, added)]
    return errors


closed = errors_of("closed", compress("closed"))
manifest = compress("block", "--recover=block", "--steps=300")
assert manifest["options"]["recover"] == "block" and manifest["options"]["block_steps"] == 300
block = errors_of("block", manifest)
for layer, (before, after, curve) in enumerate(zip(closed, block, manifest["recovery"])):
    assert after < 0.88 * before, (layer, before, after)
    assert curve["layer"] == layer and len(curve["errors"]) == 20
    assert curve["errors"][-1] < 0.95 * curve["errors"][0], curve
# Weights that stay whole are left as they are, and so are factors that were there before.
part = errors_of("part", compress("part", "--recover=block", "--modules=gate_proj,down_proj"))
assert part[0] < 0.96 * errors_of("fitted", compress("fitted", "--modules=gate_proj,down_proj"))[0]
subprocess.run(["trn-compress", folder / "part", "-o", folder / "rest", f"--rank={RANK}", "--rows=", "--recover=block",
                f"--calib={folder / 'text'}"], check=True, capture_output=True)
part, rest = (llama.read_safetensors(folder / name / "model.safetensors") for name in ("part", "rest"))
for name, values in rest.items():
    assert ".up_" in name or (values == part[name]).all(), name
compress("again", "--recover=block", "--steps=300", "--threads=1")
for file in (folder / "block").iterdir():
    assert file.read_bytes() == (folder / "again" / file.name).read_bytes(), file
