"""Adapters of PEFT are merged as NumPy merges them, into weights and into factors.

RUN: %python %s %t
"""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
AT = "model.layers.{}.".format
FORMS = ".lora_{}.weight", ".lora_{}.default.weight"


def write_adapter(path, modules, rank=4, scale=0.3, form=FORMS[0], seed=0, turned=False, ranks={},
                  **config):
    """Random halves of updates for modules {name: (out, in)}; returns B A of each."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    rng = np.random.default_rng(seed)
    tensors, products = {}, {}
    for name, (out, inner) in modules.items():
        if turned:
            out, inner = inner, out
        own = ranks.get(name, rank)
        a, b = (scale * rng.standard_normal(size).astype("<f4") for size in ((own, inner), (out, own)))
        a, b = a.astype("<f4"), b.astype("<f4")
        tensors["base_model.model." + name + form.format("A")] = a
        tensors["base_model.model." + name + form.format("B")] = b
        products[name] = (b @ a).T if turned else b @ a
    llama.write_safetensors(path / "adapter_model.safetensors", tensors)
    text = {"peft_type": "LORA", "r": rank, "lora_alpha": 8, "bias": "none", **config}
    (path / "adapter_config.json").write_text(json.dumps(text))
    return products


def run(tool, *arguments):
    result = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result


def merge(model, *options, out=folder / "out"):
    shutil.rmtree(out, ignore_errors=True)
    run("trn-compress", model, "-o", out, "--rows=", *options)
    return {key: value for file in out.glob("*.safetensors")
            for key, value in llama.read_safetensors(file).items()}


def perplexity(model):
    report = folder / "report.json"
    run("trn-llm", "perplexity", model, f"--text={folder / 'text'}", f"--report={report}",
        f"--tokenizer={folder / 'tokenizer.bin'}")
    return json.loads(report.read_text())["nll"]


shape = llama.shape_of(tied=False)
weights = llama.tensors_of(shape)
model = folder / "model"
llama.write_folder(model, shape, weights)
MODULES = {AT(0) + "self_attn.q_proj": (24, 24), AT(0) + "mlp.gate_proj": (40, 24),
           AT(1) + "mlp.down_proj": (24, 40), AT(1) + "self_attn.k_proj": (12, 24),
           "lm_head": (300, 24)}
adapter = folder / "adapter"


def check(found, products, scales, names=weights):
    for name, weight in names.items():
        module = name.removesuffix(".weight")
        wanted = weight
        if module in products:
            scale = scales if isinstance(scales, float) else scales[module]
            wanted = weight + np.float32(scale) * products[module].astype("<f4")
            assert np.abs(wanted - weight).max() > 0.01
        np.testing.assert_allclose(found[name], wanted, rtol=1e-6, atol=1e-6, err_msg=name)


# Both forms of keys; scales; a module's own rank and alpha; weights that lie the other way.
for form in FORMS:
    products = write_adapter(adapter, MODULES, form=form)
    check(merge(model, f"--adapter={adapter}"), products, 8 / 4)
products = write_adapter(adapter, MODULES, use_rslora=True)
check(merge(model, f"--adapter={adapter}"), products, 8 / 4 ** 0.5)
own = {AT(0) + "mlp.gate_proj": 2, AT(1) + "mlp.down_proj": 3}
products = write_adapter(adapter, MODULES, ranks=own, alpha_pattern={"k_proj": 5},
                         rank_pattern={"mlp.gate_proj": 2, r"layers\.[1-9]\.mlp\.down_proj": 3})
scales = {module: (5 if "k_proj" in module else 8) / own.get(module, 4) for module in MODULES}
check(merge(model, f"--adapter={adapter}"), products, scales)
products = write_adapter(adapter, MODULES, turned=True, fan_in_fan_out=True)
check(merge(model, f"--adapter={adapter}"), products, 8 / 4)

# An adapter of zeros changes no byte; what is written in bf16 is rounded once.
write_adapter(adapter, MODULES, scale=0.0)
weights[AT(0) + "mlp.gate_proj.weight"][0] = -0.0
llama.write_folder(model, shape, weights)
for name, value in merge(model, f"--adapter={adapter}").items():
    assert value.tobytes() == weights[name].tobytes(), name
products = write_adapter(adapter, MODULES)
found = merge(model, f"--adapter={adapter}", "--dtype=bf16")
for name, weight in weights.items():
    module = name.removesuffix(".weight")
    sum_ = weight + np.float32(2) * products[module] if module in products else weight
    wanted = llama.round_bf16(sum_.astype("<f4"))
    near = np.isclose(found[name], wanted, rtol=2 ** -7)  # where NumPy adds in another order
    assert near.all() and (found[name] == wanted).mean() > 0.999, name

# Rows of heads of llama2.c lie elsewhere than those of the adapter.
turned = llama.shape_of(neighbours=True)
own_weights = llama.tensors_of(turned)
llama.write_llama2c(folder / "model.bin", turned, own_weights)
plain = merge(folder / "model.bin", "--export=dense")
products = write_adapter(adapter, {name: size for name, size in MODULES.items() if name != "lm_head"})
check(merge(folder / "model.bin", f"--adapter={adapter}"), products, 2.0, plain)

# Merged first, then compressed: as if the merged model had been compressed.
merged = folder / "merged"
merge(folder / "model.bin", f"--adapter={adapter}", out=merged)
options = "--rank=6", f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}"
both = merge(folder / "model.bin", f"--adapter={adapter}", *options)
after = merge(merged, *options, out=folder / "after")
assert both.keys() == after.keys() and any("gate_u_proj" in name for name in both)
for name, value in both.items():
    if "_u_proj" not in name and "_v_proj" not in name:
        np.testing.assert_allclose(value, after[name], rtol=1e-5, atol=1e-6, err_msg=name)
assert abs(perplexity(folder / "out") / perplexity(folder / "after") - 1) < 1e-4

# Adapters of factors, and these multiplied again.
small = folder / "after"
modules = {AT(0) + "mlp.gate_u_proj": (40, 6), AT(1) + "mlp.down_v_proj": (6, 40)}
products = write_adapter(adapter, modules)
found = merge(small, f"--adapter={adapter}")
check(found, products, 2.0, after)
config = json.loads((folder / "out/config.json").read_text())
assert config["truncation_ranks"][AT(0) + "mlp.gate_proj"] == 6
nll = perplexity(folder / "out")
manifest = json.loads((folder / "out/trn_compress.json").read_text())
assert "adapter_model.safetensors" in manifest["adapter"]["sha256"]
assert manifest["adapter"]["modules"] == sorted(modules)
dense = merge(small, f"--adapter={adapter}", "--export=dense")
np.testing.assert_allclose(dense[AT(0) + "mlp.gate_proj.weight"], found[AT(0) + "mlp.gate_u_proj.weight"]
                           @ found[AT(0) + "mlp.gate_v_proj.weight"], rtol=1e-5, atol=1e-6)
assert abs(perplexity(folder / "out") / nll - 1) < 1e-6

# What is no adapter of this model is refused with the key.
failures = []


def refuse(message, target=model):
    shutil.rmtree(folder / "never", ignore_errors=True)
    result = subprocess.run(["trn-compress", target, "-o", folder / "never", f"--adapter={adapter}"],
                            capture_output=True, text=True)
    if result.returncode != 1 or message not in result.stderr or (folder / "never").exists():
        failures.append(f"expected '{message}', but status {result.returncode} and {result.stderr}")


SMALL = {AT(0) + "mlp.gate_proj": (40, 24)}
KEY = "base_model.model." + AT(0) + "mlp.gate_proj"
for config, message in (
        ({"peft_type": "IA3"}, "'peft_type' must be \"LORA\""),
        ({"use_dora": True}, "'use_dora' is true, which is not supported: merge it with PEFT"),
        ({"bias": "all"}, "'bias' is \"all\", which is not supported"),
        ({"lora_bias": True}, "'lora_bias' is true, which is not supported"),
        ({"modules_to_save": ["lm_head"]}, "'modules_to_save' is [\"lm_head\"], which is not supported"),
        ({"layer_replication": [[0, 1]]}, "'layer_replication' is [[0,1]], which is not supported"),
        ({"init_lora_weights": "pissa"}, "'init_lora_weights' is \"pissa\", which is not supported"),
        ({"r": 0}, "'r' must be a whole number above 0"),
        ({"r": 4.5}, "'r' must be a whole number above 0"),
        ({"rank_pattern": {"a": 1.5}}, "rank_pattern: 'a' must be a whole number above 0"),
        ({"lora_alpha": None}, "'lora_alpha' must be a number above 0"),
        ({"use_rslora": 1}, "'use_rslora' is 1, which is no boolean"),
        ({"rank_pattern": 3}, "'rank_pattern' is no object"),
        ({"rank_pattern": {"(": 3}}, "rank_pattern: '(' is no expression"),
        ({"alpha_pattern": {"a": 0}}, "alpha_pattern: 'a' must be a number above 0"),
        ({"rank_pattern": {"gate_proj": 3, "mlp.gate_proj": 2}},
         "rank_pattern: 'gate_proj' and 'mlp.gate_proj' say different things of 'model.layers.0.mlp.gate_proj'"),
        ({"r": 5}, f"tensor '{KEY}.lora_A.weight' is 4x24, but must be 5x24 by the rank")):
    write_adapter(adapter, SMALL, **config)
    refuse(message)
for modules, target, message in (
        ({AT(9) + "mlp.gate_proj": (40, 24)}, model, "model.layers.9.mlp.gate_proj.lora_A.weight': the model has no such weight"),
        ({AT(0) + "mlp.gate_u_proj": (40, 6)}, model, "it is for a factor, but the model has the weight dense"),
        (SMALL, small, "it is for the dense weight, but the model has it as two factors"),
        ({"lm_head": (300, 24)}, small, "the model has no head of its own, it is the embedding"),
        ({AT(0) + "input_layernorm": (24, 1)}, model, "the model has no such weight"),
        ({AT(0) + "mlp.gate_proj": (41, 24)}, model, "lora_B.weight' is 41x4, but must be 40x4")):
    write_adapter(adapter, modules)
    refuse(message, target)
write_adapter(adapter, SMALL)
whole = llama.read_safetensors(adapter / "adapter_model.safetensors")
for more, message in (
        ({KEY + ".lora_A.other.weight": np.zeros((4, 24), "<f4")}, "are two updates of one module"),
        ({KEY + ".lora_magnitude_vector": np.zeros(40, "<f4")}, "DoRA is not supported"),
        ({"base_model.model.model.embed_tokens.lora_embedding_A": np.zeros((4, 300), "<f4")}, "updates of embeddings are not supported"),
        ({KEY + ".lora_B.bias": np.zeros(40, "<f4")}, "only weights can change, not biases"),
        ({"base_model.model.lm_head.modules_to_save.weight": np.zeros(1, "<f4")}, "only low-rank updates are merged, not whole modules"),
        ({KEY + ".weight": np.zeros(1, "<f4")}, "it must be base_model.model.<module>.lora_A.weight"),
        ({KEY.replace("gate", "up") + ".lora_A.weight": np.zeros((4, 24), "<f4")}, "has no lora_B beside it"),
        ({KEY + ".lora_B.weight": np.full((40, 4), np.nan, "<f4")}, f"tensor '{KEY}.lora_B.weight' has nan at [0, 0]")):
    llama.write_safetensors(adapter / "adapter_model.safetensors", {**whole, **more})
    if "nan" not in message:
        refuse(message)
        continue
    result = subprocess.run(["trn-compress", model, "-o", folder / "never", f"--adapter={adapter}"],
                            capture_output=True, text=True)
    assert result.returncode == 1 and message in result.stderr, result.stderr
(adapter / "adapter_model.safetensors").unlink()
refuse("adapter_model.safetensors'")
(adapter / "adapter_model.bin").write_bytes(b"")
refuse("pickles of torch are not read; save the adapter")
(adapter / "adapter_config.json").unlink()
refuse("adapter_config.json'")
sys.exit("\n".join(failures) or 0)
