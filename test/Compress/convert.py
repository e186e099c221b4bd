"""A real model goes to a folder of shards and comes back, and means the same there.

REQUIRES: trn-data
RUN: %python %s %t
"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

data = pathlib.Path(os.environ["TRN_DATA_DIR"])
folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
model, out = data / "stories15M/stories15M.bin", folder / "out"
subprocess.run(["trn-compress", model, "-o", out, "--export=dense", "--max-shard-size=20MB"], check=True)
shards = list(out.glob("model-*-of-*.safetensors"))
# The embedding alone has 37 MB, and all other tensors 24 MB.
assert len(shards) == 3, shards
tensors = {key: value for file in shards for key, value in llama.read_safetensors(file).items()}
raw = model.read_bytes()
sizes = struct.unpack("<7i", raw[:28])
shape = llama.shape_of(hidden=sizes[0], intermediate=sizes[1], layers=sizes[2], heads=sizes[3],
                       kv_heads=sizes[4], head_dim=sizes[0] // sizes[3], vocabulary=sizes[5],
                       positions=sizes[6])
llama.write_llama2c(folder / "again.bin", shape, llama.to_neighbours(tensors, shape))
again = (folder / "again.bin").read_bytes()
tables = sizes[6] * shape["head_dim"] * 4  # zeros here
assert len(again) == len(raw) and again[:-tables] == raw[:-tables]
angles = np.outer(np.arange(sizes[6]), llama.frequencies(shape))
wanted = np.concatenate([np.cos(angles).ravel(), np.sin(angles).ravel()])
np.testing.assert_allclose(np.frombuffer(raw[-tables:], "<f4"), wanted, atol=1e-4)


def nll(path):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "perplexity", path, f"--text={data / 'text/tinystories-valid-head.txt'}",
                    "--stories=6", f"--report={report}"], check=True, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())["nll"]


assert abs(nll(out) / nll(model) - 1) < 1e-6
