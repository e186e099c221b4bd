"""--speedup makes MLPs as fast as asked, as trn-llm models them, and says what that is estimated to cost.

RUN: %python %s %t
"""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402
from curvature import bends_of, middles_of  # noqa: E402

SHRINK = 0.1
folder = pathlib.Path(sys.argv[1])
os.environ["TRN_PLAN_CACHE"] = str(folder / "plans")
sequences = llama.write_stories(folder)
shape = llama.shape_of(layers=1, hidden=64, intermediate=512)
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)


def compress(*options, method="neurons"):
    return subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", f"--method={method}", "--rows=4",
                           f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}", *options],
                          capture_output=True, text=True)


def time_mlp(model):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "time", model, "--prompt-tokens=4", "--new-tokens=1", f"--report={report}"], check=True,
                   capture_output=True)
    return json.loads(report.read_text())["variants"][0]["prefill"]["split_ms"]["mlp"]


result = compress("--speedup=100", "--block=256")
assert result.returncode == 1 and "--speedup=100.00 cannot be had: with the fastest sizes MLPs are modelled" \
    in result.stderr, result
most = float(result.stderr.split(" times as fast")[0].split()[-1])
asked = (1 + most) / 2
result = compress(f"--speedup={asked}", "--block=256")
assert result.returncode == 0, result.stderr
manifest = json.loads((folder / "out/trn_compress.json").read_text())
speedup = manifest["speedup"]
assert speedup["asked"] == asked <= speedup["modelled"] <= most + 0.01, (most, speedup)
before, after = speedup["mlp_ms"]
assert abs(before / after / speedup["modelled"] - 1) < 1e-6 and abs(after / time_mlp(folder / "out") - 1) < 1e-6, speedup
assert f"{before:.4f} -> {after:.4f} ms, {before / after:.3f} times as fast" in result.stdout, result.stdout
partial = compress("--block=32", "--ignore=up_proj", "--speedup=1.1", "--force", method="whiten")
assert partial.returncode == 1 and "--speedup is of whole MLPs, but of that of layer 0 only some weights are asked " \
    "for; choose MLPs by --layers" in partial.stderr, partial

# What the fit of the neurons that stay leaves, to second order.
whole = llama.Model(shape, weights)
z = np.concatenate([whole.gated(x, 0) for x in middles_of(whole, sequences)])
down = whole.weights["model.layers.0.mlp.down_proj.weight"].T
bend = bends_of(whole, sequences)["down"]
kept = [number for run in manifest["neurons"][0]["kept"].split(",")
        for number in range(int(run.split("-")[0]), int(run.split("-")[-1]) + 1)]
gram = z.T @ z / len(z)
pull = SHRINK * np.trace(gram) / len(gram)
wanted = (gram @ down)[kept] + pull * down[kept]
fitted = np.linalg.solve(gram[np.ix_(kept, kept)] + pull * np.eye(len(kept)), wanted)
errors = np.concatenate([(z @ down - z[:, kept] @ fitted) / len(z)**0.5, pull**0.5 * (fitted - down[kept])]) @ bend
loss = (errors**2).sum() / 2
assert abs(speedup["estimated_loss"] / loss - 1) < 1e-3, (speedup, loss)

# Of two MLPs neither could be whole: in the model, both would then take longer than asked for. Of the last one only a
# token is needed, so fewer neurons save less time there.
shape = llama.shape_of(layers=2, hidden=64, intermediate=512)
llama.write_folder(folder / "model", shape, llama.tensors_of(shape))
result = compress("--speedup=1.04", "--block=256", "--force")
assert result.returncode == 0, result.stderr
config = json.loads((folder / "out/config.json").read_text())
sizes = config.pop("intermediate_sizes", [config["intermediate_size"]] * 2)
before = json.loads((folder / "out/trn_compress.json").read_text())["speedup"]["mlp_ms"][0]


def is_fast(*sizes):
    same = {"intermediate_size": max(sizes)}
    (folder / "config.json").write_text(json.dumps(
        {**config, **same, **({"intermediate_sizes": sizes} if len(set(sizes)) > 1 else {})}))
    return before / time_mlp(folder / "config.json") >= 1.04


assert is_fast(*sizes), sizes
assert not any(is_fast(*larger) for larger in ((512, sizes[1]), (sizes[0], 512)) if larger != tuple(sizes)), sizes
