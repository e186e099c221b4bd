"""What cores have and exchange of the models of the paper: as many collectives a layer as the
scheme says, and as many elements of weights as its formulas.

RUN: %python %s %trn_src %t
"""

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))
from signature import FUNCTION, read_signature

LAYERS, RANK = 2, 1280
MLP = ("gate", "up", "down")
# all_reduce, all_gather and reduce_scatter in a layer, that of attention among them.
COLLECTIVES = {"dense": (2, 0, 0), "column": (2, 0, 0), "gather": (2, 2, 1), "reduce": (4, 0, 0)}


def count_elements(shape):
    product = 1
    for size in shape:
        product *= size
    return product


def expect_mlp(scheme, hidden, inner, cores):
    """The elements of an MLP's weights on all cores together."""
    if scheme == "dense":
        return 3 * hidden * inner
    return 3 * RANK * (cores * hidden + inner if scheme == "column" else hidden + inner)


def check(config, scheme, cores, mode, at):
    if scheme != "dense":
        config = {**config, "truncation_ranks": {f"model.layers.{layer}.mlp.{name}_proj": RANK
                                                 for layer in range(LAYERS) for name in MLP}}
    path = at / "config.json"
    path.write_text(json.dumps(config))
    module = subprocess.run(["trn-gen", "llama", str(path), f"--mode={mode}", f"--layers={LAYERS}",
                             "--rows=128" if mode == "prefill" else "--context=128"],
                            check=True, capture_output=True).stdout
    option = f"--trn-partition=cores={cores} scheme={'column' if scheme == 'dense' else scheme}"
    text = subprocess.run(["trn-opt", option, "--mlir-print-local-scope"], input=module, check=True,
                          capture_output=True).stdout.decode()
    _, arguments, results = read_signature(FUNCTION.search(text)[0])
    found = tuple(text.count(f"shard.{name} ") for name in ("all_reduce", "all_gather", "reduce_scatter"))
    assert found == tuple(LAYERS * count for count in COLLECTIVES[scheme]), f"collectives {found}"

    weights = {argument.param: argument for argument in arguments if argument.param}
    hidden, inner, vocabulary = (config[key] for key in ("hidden_size", "intermediate_size", "vocab_size"))
    heads, kv_heads, size = (config[key] for key in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        total = {part: cores * sum(count_elements(weight.shape) for name, weight in weights.items()
                                   if name.startswith(prefix + part) and "norm" not in name)
                 for part in ("mlp.", "self_attn.")}
        assert total["mlp."] == expect_mlp(scheme, hidden, inner, cores), total
        # Heads of keys are there as often as cores share one.
        keys = max(kv_heads, cores)
        assert total["self_attn."] == hidden * size * 2 * (heads + keys), total
    # The table of words is whole, and its product behind all arguments.
    tied = config["tie_word_embeddings"]
    table = next(a for a in arguments if a.param == "model.embed_tokens.weight")
    head = arguments[-1] if tied else weights["lm_head.weight"]
    assert table.shape == [vocabulary, hidden] and not table.shard
    assert head.param == ("model.embed_tokens.weight" if tied else "lm_head.weight")
    assert head.shard == (0, cores, vocabulary) and head.shape == [vocabulary // cores, hidden]
    assert results[0].shard == (1, cores, vocabulary)
    pieces = min(kv_heads, cores)
    assert all(result.shard == (0, pieces, kv_heads) for result in results[1:])


root, at = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
at.mkdir(parents=True, exist_ok=True)
configs = json.loads((root / "test/Benchmark/Inputs/configs.json").read_text())
for name, config in configs.items():
    if "num_local_experts" in config:
        continue
    for cores, mode in ((2, "prefill"), (4, "decode"), (2 * config["num_key_value_heads"], "decode")):
        if config["num_attention_heads"] % cores:
            continue
        # Factors take time; those of two models show it.
        for scheme in COLLECTIVES if name in ("Llama-3.2-1B", "Qwen3-8B") else ("dense",):
            try:
                check(config, scheme, cores, mode, at)
            except AssertionError as error:
                sys.exit(f"{name}, {scheme}, {cores} cores: {error}")
