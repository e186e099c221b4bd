"""What no model can be made of is refused with its file, the key or tensor, and the sizes.

RUN: %python %s %t
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
pieces, scores = llama.pieces_of(300)
llama.write_tokenizer(folder / "tokenizer.bin", pieces, scores)
(folder / "text").write_text("abc")
SHAPE = llama.shape_of(layers=1, neighbours=True)
WEIGHTS = llama.tensors_of(SHAPE)
llama.write_llama2c(folder / "good.bin", SHAPE, WEIGHTS)
GOOD = (folder / "good.bin").read_bytes()
failures = []


def expect(message, command, *arguments):
    result = subprocess.run(["trn-llm", command, *arguments], capture_output=True, text=True)
    if result.returncode != 1 or message not in result.stderr or result.stdout:
        failures.append(f"{command} {arguments}: expected '{message}', but status "
                        f"{result.returncode} and {result.stderr}{result.stdout}")


def score(message, model, *options, text="text", tokenizer="tokenizer.bin"):
    expect(message, "perplexity", str(folder / model), f"--text={folder / text}",
           f"--tokenizer={folder / tokenizer}", *options)


# Files of llama2.c.
def patched(position, *words):
    return GOOD[:position * 4] + struct.pack(f"<{len(words)}i", *words) + GOOD[(position + len(words)) * 4:]


for name, content, message in (
        ("short", GOOD[:20], "'{}': it has 20 bytes, fewer than the 28 of a header of llama2.c"),
        ("truncated", GOOD[:-4], f"truncated: its header asks for {len(GOOD)} bytes, but it has {len(GOOD) - 4}"),
        ("trailing", GOOD + b"1234", f"trailing bytes: its header asks for {len(GOOD)} bytes, but it has {len(GOOD) + 4}"),
        ("version", patched(0, 0x616B3432, 2), "it is a versioned export of llama2.c, of version 2; export it with --version=0"),
        ("negative", patched(1, -5), "the intermediate size is -5, but must be between 1 and 1048576"),
        ("layers", patched(2, 5000), "there are 5000 layers, but at most 4096 are allowed"),
        ("uneven", patched(3, 5), "5 heads cannot share 24 columns"),
        ("kv", patched(4, 4), "6 heads cannot share 4 kv heads evenly"),
        ("odd", patched(3, 8, 8), "the head dim is 3, but rotary positions need an even one"),
        ("zip", b"PK\3\4" + GOOD[4:], "pickles of torch are not read; save the model with save_pretrained"),
        ("pickle", b"\x80\2\x8a" + GOOD[3:], "pickles of torch are not read"),
        ("gguf", b"GGUF" + GOOD[4:], "GGUF is not read"),
        ("huge", patched(0, 6 << 17, 1 << 20), "truncated: its header asks for"),
):
    path = folder / f"{name}.bin"
    path.write_bytes(content)
    score(message.format(path), path.name)
for name in "torch.pt", "consolidated.00.pth", "last.ckpt", "pytorch_model.bin":
    (folder / name).write_bytes(b"")
    score(f"{name}': pickles of torch are not read", name)
score("model.safetensors': a model is config.json and safetensors beside each other; name the folder of both", "model.safetensors")
score("name the folder of both", "config.json")
score("GGUF is not read", "model.gguf")
(folder / "converted").mkdir(exist_ok=True)
(folder / "converted/model-q4.gguf").write_bytes(b"GGUF")
score("model-q4.gguf': GGUF is not read; name the folder of the model that it was made of", "converted")
score("No such file or directory", "nowhere.bin")
for name, index, value, shown in (
        ("model.layers.0.mlp.up_proj.weight", (3, 7), np.nan, "nan at [3, 7]"),
        ("model.layers.0.self_attn.q_proj.weight", (23, 0), np.inf, "inf at [23, 0]"),
        ("model.layers.0.input_layernorm.weight", (5,), -np.inf, "-inf at [5]"),
        ("model.norm.weight", (23,), np.nan, "nan at [23]"),
        ("model.embed_tokens.weight", (1, 2), np.nan, "nan at [1, 2]"),  # of the text
        ("model.embed_tokens.weight", (298, 23), np.nan, "nan at [298, 23]")):  # of the head
    bad = {key: weight.copy() for key, weight in WEIGHTS.items()}
    bad[name][index] = value
    bad[name][-1] = value  # the first one is named
    llama.write_llama2c(folder / "nan.bin", SHAPE, bad)
    score(f"nan.bin': tensor '{name}' has {shown}, which is not finite", "nan.bin")
large = {**WEIGHTS, "model.layers.0.mlp.up_proj.weight": np.full((40, 24), 3e38, "<f4")}
llama.write_llama2c(folder / "large.bin", SHAPE, large)
score("layer 0 makes a value of token 0 of sequence 0 that is not finite", "large.bin")
large = {**WEIGHTS, "model.norm.weight": np.full(24, 3e38, "<f4")}
llama.write_llama2c(folder / "large.bin", SHAPE, large)
score("a logit of token 0 of sequence 0 is not finite", "large.bin")
large = {key: weight.copy() for key, weight in WEIGHTS.items()}
large["model.layers.0.self_attn.o_proj.weight"][:] = 0
large["model.embed_tokens.weight"][:, 0] = np.arange(300) == 77  # the only one that it is too much for
large["model.layers.0.mlp.up_proj.weight"][:, 0] = 3e38
llama.write_llama2c(folder / "large.bin", SHAPE, large)
np.save(folder / "ids.npy", np.array([[1, 2, 3], [4, 5, 77]], np.int32))
score("layer 0 makes a value of token 2 of sequence 1 that is not finite", "large.bin", text="ids.npy")
np.save(folder / "one.npy", np.ones((3, 1), np.int32))
score("no token is predicted: all sequences have only their first one", "good.bin", text="one.npy")


# Folders.
def folder_with(name, weights=None, shards=1, **config):
    path = folder / name
    llama.write_folder(path, SHAPE, weights or WEIGHTS, shards=shards)
    text = {**llama.config_of(SHAPE), **config}
    text = {key: value for key, value in text.items() if value != "absent"}
    (path / "config.json").write_text(json.dumps(text))
    return name


for name, config, message in (
        ("type", {"model_type": "gpt2"}, "model_type 'gpt2' is not supported; llama, mistral, qwen2 and qwen3 are"),
        ("missing", {"hidden_size": "absent"}, "config.json': 'hidden_size' is missing"),
        ("head", {"model_type": "qwen3", "head_dim": "absent"}, "config.json': 'head_dim' is missing"),
        ("word", {"vocab_size": "many"}, "'vocab_size' is \"many\", which is no whole number"),
        ("fraction", {"num_hidden_layers": 1.5}, "'num_hidden_layers' is 1.5, which is no whole number"),
        ("boolean", {"tie_word_embeddings": 1}, "'tie_word_embeddings' is 1, which is no boolean"),
        ("experts", {"num_experts": 8}, "'num_experts': models with experts are not supported"),
        ("quantised", {"quantization_config": {}}, "quantization_config: 'quant_method' is not supported"),
        ("mixtral", {"model_type": "mixtral", "num_local_experts": 8}, "'num_local_experts': models with experts are not supported"),
        ("packed", {"compression_config": {"format": "int8"}}, "'compression_config': quantised weights are read where"),
        ("partial", {"partial_rotary_factor": 0.5}, "'partial_rotary_factor': all of a head must be rotary positions"),
        ("newer", {"trn_compress": {"format": 2}}, "'trn_compress': this version reads format 1, but 'format' is 2"),
        ("window", {"model_type": "mistral", "sliding_window": 0}, "'sliding_window' is 0, but must be at least 1, or null"),
        ("kinds", {"model_type": "mistral", "layer_types": ["full_attention"] * 2}, "'layer_types' must have an entry for each of 1 layers"),
        ("chunks", {"model_type": "mistral", "layer_types": ["chunked_attention"]}, "layer_types: \"chunked_attention\" of layer 0 is not supported"),
        ("typeless", {"model_type": "absent"}, "'model_type' is missing"),
        ("parameters", {"rope_parameters": {"rope_type": "yarn"}}, "rope_parameters of type \"yarn\" is not supported"),
        ("words", {"rope_parameters": "linear"}, "'rope_parameters' is \"linear\", which is no object"),
        ("turned", {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}}, "'partial_rotary_factor': all of a head must be rotary positions"),
        ("kindless", {"rope_scaling": {"factor": 2.0}}, "rope_scaling: 'rope_type' is missing"),
        ("factorless", {"rope_scaling": {"type": "linear"}}, "rope_scaling: 'factor' is missing"),
        ("shrunk", {"rope_scaling": {"type": "linear", "factor": 0}}, "rope_scaling: 'factor' is 0.00, but must be above 0"),
        ("dynamic", {"rope_scaling": {"type": "dynamic", "factor": 2, "original_max_position_embeddings": 32}}, "rope_scaling of type \"dynamic\" is not supported"),
        ("gelu", {"hidden_act": "gelu"}, "hidden_act \"gelu\" is not supported, only silu is"),
        ("actless", {"hidden_act": None}, "hidden_act null is not supported, only silu is"),
        ("bias", {"mlp_bias": True}, "'mlp_bias': biases are supported for qwen2 alone"),
        ("yarn", {"rope_scaling": {"rope_type": "yarn"}}, "rope_scaling of type \"yarn\" is not supported; default, linear, llama3, and dynamic without original_max_position_embeddings are. If the model was trained without it, as Qwen 2 and 3 were, remove it"),
        ("scaling", {"rope_scaling": {"rope_type": "llama3", "factor": 2, "low_freq_factor": 4, "high_freq_factor": 4, "original_max_position_embeddings": 64}}, "rope_scaling must have positive numbers, and high_freq_factor above low_freq_factor"),
        ("epsilon", {"rms_norm_eps": 2}, "the epsilon of the norms is 2"),
        ("noheads", {"num_attention_heads": 0}, "the number of heads is 0, but must be between 1 and 1048576"),
        ("ranks", {"truncation_ranks": 3}, "'truncation_ranks' is no object"),
        ("module", {"truncation_ranks": {"model.layers.9.mlp.up_proj": 3}}, "truncation_ranks: the model has no module 'model.layers.9.mlp.up_proj'"),
        ("rank", {"truncation_ranks": {"model.layers.0.mlp.up_proj": 0}}, "truncation_ranks: the rank of 'model.layers.0.mlp.up_proj' is 0, but must be between 1 and 40"),
        ("factors", {"truncation_ranks": {"model.layers.0.mlp.up_proj": 8}}, "the model needs tensor 'model.layers.0.mlp.up_v_proj.weight', which no file has"),
        ("neurons", {"intermediate_sizes": [41]}, "intermediate_sizes: that of layer 0 is 41, but must be between 1 and intermediate_size, which is 40"),
        ("layers", {"intermediate_sizes": [3, 4]}, "'intermediate_sizes' must have a number for each of 1 layers"),
        ("thin", {"intermediate_sizes": [39]}, "tensor 'model.layers.0.mlp.gate_proj.weight' is 40x24, but must be 39x24 by config.json"),
        ("untied", {"tie_word_embeddings": False}, "the model needs tensor 'lm_head.weight', which no file has; if its head is the embedding, config.json must have \"tie_word_embeddings\": true"),
        ("sizes", {"intermediate_size": 41}, "tensor 'model.layers.0.mlp.gate_proj.weight' is 40x24, but must be 41x24 by config.json"),
):
    score(message, folder_with(name, **config))
(folder / folder_with("list") / "config.json").write_text("[]")
score("config.json': it is no JSON object", "list")
(folder / folder_with("broken") / "config.json").write_text("{")
score("config.json'", "broken")
(folder / folder_with("empty") / "model.safetensors").unlink()
score("model.safetensors'", "empty")
(folder / "empty/pytorch_model.bin").write_bytes(b"")
score("empty/pytorch_model.bin': pickles of torch are not read", "empty")
(folder / "empty/pytorch_model.bin").unlink()
(folder / "empty/consolidated.safetensors").write_bytes(b"")
score("empty': 'consolidated.safetensors' is there, but the weights that are read are model.safetensors, with the names of Hugging Face", "empty")
(folder / folder_with("pointer") / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 3\n")
score("model.safetensors': it is a pointer of Git LFS, not the file itself; fetch that with 'git lfs pull'", "pointer")
for name, present in ("base", "embed_tokens.weight"), ("inner", "language_model.model.embed_tokens.weight"):
    prefix = present.removesuffix("embed_tokens.weight")
    others = {prefix + key.removeprefix("model."): weight for key, weight in WEIGHTS.items()}
    score(f"the model needs tensor 'model.embed_tokens.weight', which no file has, but there is '{present}'; save the model by the class",
          folder_with(name, others))
(folder / folder_with("gone", shards=2) / "model-00002-of-00002.safetensors").unlink()
score("lies in 'model-00002-of-00002.safetensors', which is not there", "gone")
shutil.copy(folder / folder_with("extra", shards=2) / "model-00001-of-00002.safetensors", folder / "extra/model-00003-of-00003.safetensors")
score("'model-00003-of-00003.safetensors' lies beside it, but weight_map has no tensor of it", "extra")
(folder / "extra/model-00003-of-00003.safetensors").rename(folder / "extra/model.safetensors")
score("'model.safetensors' lies beside it, but weight_map has no tensor of it", "extra")
(folder / folder_with("unindexed", shards=2) / "model.safetensors.index.json").unlink()
score("'model-00001-of-00002.safetensors' is one of several files, but model.safetensors.index.json is not there", "unindexed")
for name, tensor, message in (
        ("bias", "model.layers.0.mlp.up_proj.bias", "is none of this model by config.json"),
        ("layer", "model.layers.1.mlp.up_proj.weight", "is none of this model by config.json"),
        ("moe", "model.layers.0.block_sparse_moe.experts.0.w1.weight", "is of experts, which are not supported")):
    more = {**WEIGHTS, tensor: np.zeros(3, "<f4")}
    score(f"model.safetensors': tensor '{tensor}' {message}", folder_with(f"more-{name}", more))
both = folder / folder_with("both", shards=2)
llama.write_safetensors(both / "model-00002-of-00002.safetensors", WEIGHTS)
score("model-00002-of-00002.safetensors': tensor 'model.embed_tokens.weight' is also in 'model-00001-of-00002.safetensors'", "both")
raw = (folder / folder_with("cut") / "model.safetensors").read_bytes()
(folder / "cut/model.safetensors").write_bytes(raw[:-4])
score("cut/model.safetensors': tensor 'model.norm.weight' ends at byte", "cut")
(folder / "cut/model.safetensors").write_bytes(raw[:100])
score("cut/model.safetensors': not a safetensors file, or truncated: header of", "cut")
index = folder / folder_with("outside", shards=2) / "model.safetensors.index.json"
index.write_text('{"weight_map": {"a": "../good.bin"}}')
score("weight_map: 'a' lies in \"../good.bin\", which names no file beside it", "outside")
index.write_text('{"weight_map": []}')
score("it has no object 'weight_map'", "outside")
(folder / "outside/model-00002-of-00002.safetensors").unlink()
index.write_text('{"weight_map": {"model.norm.weight": "model-00001-of-00002.safetensors"}}')
score("the model needs tensor 'model.embed_tokens.weight', which no file has", "outside")

# Tokenizers and texts.
llama.write_tokenizer(folder / "other.tok", pieces[:280], scores[:280])
score("has 280 pieces, but the vocabulary of the model has 300", "good.bin", tokenizer="other.tok")
for name, content, message in (
        ("small.tok", struct.pack("<i", 1), "it has 0 pieces, but the first 259 stand for marks and bytes"),
        ("cut.tok", (folder / "tokenizer.bin").read_bytes()[:-1], "truncated: piece 299 ends after the"),
        ("length.tok", struct.pack("<ifi", 1, 0, -1), "truncated: piece 0 ends after the"),
        ("nan.tok", struct.pack("<ifi", 1, float("nan"), 0), "the score of piece 0 is not finite")):
    (folder / name).write_bytes(content)
    score(message, "good.bin", tokenizer=name)
for name, kind in (("tokenizer.model", "a model of SentencePiece"), ("tokenizer.gguf", "GGUF"),
                   ("o200k.tiktoken", "a file of tiktoken")):
    score(f"{name}': {kind} is not read; take the tokenizer.json of the model (transformers writes one: "
          "AutoTokenizer.from_pretrained(MODEL).save_pretrained(FOLDER)), or give tokens as npy", "good.bin", tokenizer=name)
alone = folder / "alone"
alone.mkdir(exist_ok=True)
(alone / "model.bin").write_bytes(GOOD)
expect("there is no tokenizer beside", "perplexity", str(alone / "model.bin"), f"--text={folder / 'text'}")
for name in ("tok1.bin", "tok2.bin"):
    (alone / name).write_bytes(b"")
expect("there are several tokenizers beside", "perplexity", str(alone / "model.bin"), f"--text={folder / 'text'}")
(folder / "blank").write_text(f" \n{llama.STOP}\n")
score("has no stories, only white space", "good.bin", text="blank")
score("No such file or directory", "good.bin", text="nowhere")
score("--max-tokens must be at least 2", "good.bin", "--max-tokens=1")

# Choices.
for number, (line, message) in enumerate((
        ("", "has no items"),
        ("{", "line 1: "),
        ("[]", "line 1: this is no item"),
        ('{"context": "a", "choices": ["b"], "answer": 1}', "line 1: this is no item"),
        ('{"context": "a", "choices": [""], "answer": 0}', "line 1: this is no item"),
        ('{"context_ids": [], "choices_ids": [[1]], "answer": 0}', "line 1: this is no item"),
        ('{"context_ids": [1], "choices_ids": [[1.5]], "answer": 0}', "line 1: this is no item"),
        ('{"context_ids": [1], "choices_ids": [[300]], "answer": 0}', "token 300 of sequence 0 is outside of the vocabulary of 300"),
        ('{"context": "a", "choices": ["b"], "answer": "0"}', "line 1: this is no item"),
        (json.dumps({"context_ids": [1] * 60, "choices_ids": [[5] * 5], "answer": 0}), "sequence 0 has 65 tokens, but must have 1 to 64"))):
    items = folder / f"{number}.jsonl"
    items.write_text(line + "\n")
    expect(message, "choose", str(folder / "good.bin"), str(items))

# Generation.
def generate(message, *options, model="good.bin", tokenizer="tokenizer.bin"):
    expect(message, "generate", str(folder / model), f"--tokenizer={folder / tokenizer}", *options)


for option, message in (
        ("--temperature=-1", "the temperature is -1.00, but must be a number of at least 0"),
        ("--temperature=nan", "the temperature is nan, but must be a number of at least 0"),
        ("--top-p=0", "top-p is 0.00, but must be above 0 and at most 1"),
        ("--top-p=1.1", "top-p is 1.10, but must be above 0 and at most 1"),
        ("--top-k=-3", "top-k is -3, but must be at least 1, or 0 for all"),
        ("-n=0", "0 tokens are requested, but at least 1 is needed"),
        ("-n=-5", "-5 tokens are requested, but at least 1 is needed"),
        ("--seed=x", "'x' value invalid"),
        ("--prompt=" + "a b " * 40, "the prompt has 162 tokens, but the model takes 64 at most; shorten it")):
    generate(message, *(["--temperature=1"] if "top" in option else []), option)
for option in "--top-p=0.5", "--top-k=3":
    generate("with a temperature of 0 none is drawn; add --temperature=1", option)
for name, ids, message in (
        ("outside", [1, 300], "token 300 of the prompt is outside of the vocabulary of 300"),
        ("negative", [-1], "token -1 of the prompt is outside of the vocabulary of 300"),
        ("none", np.zeros(0, int), "the prompt has no token"),
        ("long", [1] * 65, "the prompt has 65 tokens, but the model takes 64 at most; shorten it"),
        ("float", np.ones(2, "<f4"), "'{}': it is 2 of f32, but must be a vector of integers"),
        ("rows", [[1, 2], [3, 4]], "'{}': it is 2x2 of i64, but must be a vector of integers")):
    path = folder / f"{name}.npy"
    np.save(path, np.array(ids))
    generate(message.format(path), f"--ids={path}")
generate("--prompt and --ids are two prompts; give one", "--prompt=a", f"--ids={folder / 'one.npy'}")
generate("has 280 pieces, but the vocabulary of the model has 300", tokenizer="other.tok")
expect("would overwrite the input", "generate", str(folder / "good.bin"), f"--ids={folder / 'rows.npy'}", f"--report={folder / 'rows.npy'}")
for name in ("tok1.bin", "tok2.bin"):
    (alone / name).unlink()
(alone / "items.jsonl").write_text('{"context": "a", "choices": ["b"], "answer": 0}')
expect("line 1: texts need a tokenizer; there is none beside the model", "choose", str(alone / "model.bin"), str(alone / "items.jsonl"))
expect("there is no tokenizer beside", "generate", str(alone / "model.bin"))
result = subprocess.run(["trn-llm"], capture_output=True, text=True)
if result.returncode != 1 or "name what to do: generate, perplexity, choose, time, parameters, encode or decode" not in result.stderr:
    failures.append(f"without a command: {result.stderr}")
sys.exit("\n".join(failures) or 0)
