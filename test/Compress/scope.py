"""Which weights get factors, and of which rank, is what the options say.

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
shape = llama.shape_of(hidden=96, intermediate=192, heads=6, kv_heads=3, head_dim=16)
llama.write_folder(folder / "model", shape, llama.tensors_of(shape))


def ranks_of(*options):
    """Of `--dry-run`: the rank of each weight that is asked for, or why it stays whole."""
    lines = subprocess.run(["trn-compress", folder / "model", "--dry-run", "--block=32", "--rows=", *options],
                           check=True, capture_output=True, text=True).stdout.splitlines()
    ranks = {}
    for line in lines:
        if line.startswith("model.layers."):
            words = line.split()
            ranks[words[0].removeprefix("model.layers.")] = (
                int(words[5]) if words[4] == "rank" else " ".join(words[4:]))
    return ranks


MLP = [f"{layer}.mlp.{name}_proj" for layer in range(2) for name in ("gate", "up", "down")]
assert ranks_of("--rank=40") == dict.fromkeys(MLP, 40)
assert set(ranks_of("--rank=8", "--modules=attention")) == {
    f"{layer}.self_attn.{name}_proj" for layer in range(2) for name in "qkvo"}
assert set(ranks_of("--rank=8", "--modules=gate_proj,layers.1.self_attn.q_proj")) == {
    "0.mlp.gate_proj", "1.mlp.gate_proj", "1.self_attn.q_proj"}
assert set(ranks_of("--rank=8", "--layers=1")) == set(MLP[3:])
assert set(ranks_of("--rank=8", r"--ignore=\.0\..*up_", "--ignore=down")) == {
    "0.mlp.gate_proj", "1.mlp.gate_proj", "1.mlp.up_proj"}

# (1 - ratio) K N / ((K + N) 32) is 1.5 at a ratio of a quarter: half goes down.
assert ranks_of("--ratio=0.25") == dict.fromkeys(MLP, 32)
assert ranks_of("--keep-ratio=0.75") == dict.fromkeys(MLP, 32)
# With less to spare it goes up, here above the largest useful rank; 1.9 goes down only if 0.9 may be lost.
assert ranks_of("--ratio=0.25", "--alpha=0.4", "--modules=mlp,o_proj")["0.mlp.up_proj"] \
    == "kept dense, break-even: the largest useful rank is 63"
assert ranks_of("--ratio=0.05", "--alpha=0.91") == dict.fromkeys(MLP, 32)
assert ranks_of("--ratio=0.5", "--alpha=0") == dict.fromkeys(MLP, 32)
assert ranks_of("--ratio=0.24", "--modules=mlp,o_proj")["0.mlp.up_proj"] \
    == "kept dense, break-even: the largest useful rank is 63"
assert ranks_of("--ratio=0.24", "--modules=mlp,o_proj")["0.self_attn.o_proj"] == 32

# A share of the model is a larger one of the weights.
mlp = 2 * 3 * 96 * 192
parameters = sum(value.size for value in llama.tensors_of(shape).values())
share = 0.26 * mlp / parameters
assert ranks_of(f"--model-ratio={share}") == dict.fromkeys(MLP, 32)

# Ranks by name, as config.json has them.
wanted = {"model.layers.0.mlp.up_proj": 7, "model.layers.1.self_attn.k_proj": 9}
for text in wanted, {"truncation_ranks": wanted}:
    (folder / "ranks.json").write_text(json.dumps(text))
    assert ranks_of(f"--ranks={folder / 'ranks.json'}") == {
        "0.mlp.up_proj": 7, "1.self_attn.k_proj": 9}
