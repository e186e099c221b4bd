"""The parameters of each part follow from config.json, also those of experts.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def count(model):
    subprocess.run(["trn-llm", "parameters", model, f"--report={folder / 'report.json'}"], check=True,
                   stdout=subprocess.DEVNULL)
    return json.loads((folder / "report.json").read_text())


# As many as there are in the tensors, of a folder, of its config.json, and of a file of llama2.c.
shape = llama.shape_of(hidden=96, intermediate=192, heads=6, kv_heads=3, head_dim=16)
tensors = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, tensors)
found = count(folder / "model")
assert found == count(folder / "model/config.json")
assert found["all"] == sum(value.size for value in tensors.values())
assert found["mlp"] == sum(value.size for name, value in tensors.items() if ".mlp." in name)
shape = llama.shape_of(neighbours=True)
tensors = llama.tensors_of(shape)
llama.write_llama2c(folder / "model.bin", shape, tensors)
assert count(folder / "model.bin")["all"] == sum(value.size for value in tensors.values())

# Two layers of three experts 8 -> 24 -> 8, and a router 8 -> 3; queries are as wide as the model, keys half of it.
config = {"model_type": "mixtral", "hidden_size": 8, "intermediate_size": 24, "num_hidden_layers": 2,
          "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 10, "max_position_embeddings": 16,
          "num_local_experts": 3}
path = folder / "config.json"
path.write_text(json.dumps(config))
mixtral = {"embedding": 10 * 8, "attention": 2 * (2 * 8 * 8 + 2 * 8 * 4), "experts": 2 * 3 * 3 * 8 * 24,
           "router": 2 * 3 * 8, "norms": (2 * 2 + 1) * 8, "head": 10 * 8}
assert count(path) == {**mixtral, "all": sum(mixtral.values())}
del config["num_local_experts"], config["intermediate_size"]
config.update(model_type="qwen3_moe", head_dim=2, num_experts=3, moe_intermediate_size=24, tie_word_embeddings=True)
path.write_text(json.dumps(config))
qwen = {**mixtral, "norms": mixtral["norms"] + 2 * 2 * 2}
del qwen["head"]
assert count(path) == {**qwen, "all": sum(qwen.values())}


def refuse(message, **changes):
    path.write_text(json.dumps({**config, **changes}))
    result = subprocess.run(["trn-llm", "parameters", path], capture_output=True, text=True)
    assert result.returncode == 1 and message in result.stderr, result.stderr


refuse("'num_experts' is 0, but must be a number from 1 to 2^20", num_experts=0)
refuse("'moe_intermediate_size' is \"x\", but must be", moe_intermediate_size="x")
refuse("models of which only some layers have experts are not supported", mlp_only_layers=[0])
refuse("models of which only some layers have experts are not supported", decoder_sparse_step=2)
refuse("'num_experts': models with experts are not supported", model_type="llama")
refuse("'hidden_size' is missing", hidden_size=None)
# 2^12 layers of 2^20 experts with 3 x 2^40 parameters each.
refuse("the model has 2^63 parameters or more", num_hidden_layers=2 ** 12, hidden_size=2 ** 20,
       moe_intermediate_size=2 ** 20, num_experts=2 ** 20)
