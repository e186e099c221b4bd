"""The numbers of trn-llm time follow from each other, and from what trn-run says of the modules that trn-gen
writes: each part of a model is given its share of the time of its kernels.

RUN: %python %s %t
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
(folder / "config.json").write_text(json.dumps({
    "model_type": "llama", "hidden_size": 384, "intermediate_size": 1024, "num_hidden_layers": 2,
    "num_attention_heads": 6, "num_key_value_heads": 2, "vocab_size": 512, "max_position_embeddings": 64,
    "tie_word_embeddings": True}))
PROMPT, NEW, RATIO = 20, 20, 0.1
PARTS = ["mlp", "projections", "attention", "lm_head", "norms_rope", "overhead"]
# Few plans, so that it does not take long.
EFFORT = 20
cache = f"--plan-cache={folder / 'cache'}"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout


def near(value, expected, why, tolerance=1e-9):
    assert abs(value / expected - 1) < tolerance, f"{why}: {value}, but expected {expected}"


def check_sums(variant):
    """What follows from the times of three steps."""
    first, last = (variant[f"{step}_token"]["latency_ms"] for step in ("first", "last"))
    near(variant["ttft_ms"], variant["prefill"]["latency_ms"], "time to the first token")
    near(variant["ms_per_token_first"], first, "the first token")
    near(variant["ms_per_token_last"], last, "the last token")
    near(variant["ms_per_token"], (first + last) / 2, "the mean")
    near(variant["e2e_ms"], variant["ttft_ms"] + NEW * variant["ms_per_token"], "end to end")
    near(variant["tokens_per_s"], 1e3 * (PROMPT + NEW) / variant["e2e_ms"], "tokens a second")
    near(variant["new_tokens_per_s"], 1e3 * NEW / variant["e2e_ms"], "new tokens a second")
    for step in "prefill", "first_token", "last_token":
        split = variant[step]["split_ms"]
        assert sorted(split) == sorted(PARTS), split
        near(sum(split.values()), variant[step]["latency_ms"], f"the split of {step}")
        # Kernels of products have norms and embeddings in them.
        assert min(time for part, time in split.items() if part != "norms_rope") > 0, split


# An independent split of the compiled module.
def part_of(weight):
    if ".mlp." in weight:
        return "mlp"
    if "_proj." in weight:
        return "projections"
    return "lm_head" if weight == "model.embed_tokens.weight" else None


def weights_of_kernels(text):
    """By kernel: {part: elements of matrices}, of which layers have the same."""
    entry = re.search(r"func.func @(?:prefill|decode)\(.*?\n  }", text, re.S)[0]
    size = {f"%arg{i}": (part_of(name), eval(shape.replace("x", "*"))) for i, shape, name in re.findall(
        r'%arg(\d+): tensor<(\d+x\d+)xbf16> {trn.param = "([^"]+)"}', entry)}
    kernels = {}
    for line in entry.splitlines():
        if found := re.search(r"(%\w+) = (?:linalg.transpose ins\(|bufferization.to_buffer )(%\w+)", line):
            if found[2] in size:
                size[found[1]] = size[found[2]]
        elif found := re.search(r"call @(\w+)\(([^)]*)\)", line):
            sums = {}
            for part, elements in (size[name] for name in found[2].split(", ") if name in size):
                sums[part] = sums.get(part, 0) + elements
            assert kernels.setdefault(found[1], sums) == sums, f"calls of {found[1]} differ"
    return kernels


def check_split(step, mode, *sizes):
    run("trn-gen", "llama", "config.json", f"--mode={mode}", *sizes, "-o", "model.mlir")
    run("trn-run", "model.mlir", f"--compile=effort={EFFORT}", "--timing-only", cache, "--report=run.json")
    report = json.loads((folder / "run.json").read_text())
    near(step["latency_ms"], report["latency_ms"], f"trn-run of {mode}")
    assert step["launches"] == report["launches"]
    near(step["bound_ms"], report["bound_ms"], f"the bound of {mode}")
    assert step["host_ops"] == sum(row["count"] for row in report["host_ops"])
    compiled = run("trn-opt", "model.mlir", f"--trn-compile=effort={EFFORT} plan-cache={folder / 'cache'}")
    weights = weights_of_kernels(compiled)
    parts = dict.fromkeys(PARTS, 0)
    for kernel in report["kernels"]:
        starting = kernel["launches"] * 0.015
        parts["overhead"] += starting
        sums = weights[kernel["name"]]
        for part, elements in sums.items():
            parts[part] += (kernel["latency_ms"] - starting) * elements / sum(sums.values())
    for part in "mlp", "projections", "lm_head", "overhead":
        near(step["split_ms"][part], parts[part], f"{part} of {mode}", 1e-6)


run("trn-llm", "time", "config.json", f"--prompt-tokens={PROMPT}", f"--new-tokens={NEW}", cache,
    f"--effort={EFFORT}", f"--ratio=0,{RATIO}", "--report=report.json")
report = json.loads((folder / "report.json").read_text())
assert (report["modelled_on"], report["type"], report["prompt_tokens"], report["new_tokens"]) == ("trn1", "bf16", PROMPT, NEW)
dense, factored = report["variants"]
for variant in dense, factored:
    check_sums(variant)
    for key, of in ("speedup", "e2e_ms"), ("speedup_prefill", "ttft_ms"), ("speedup_token", "ms_per_token"):
        near(variant[key], dense[of] / variant[of], key)
assert [dense["ratio"], factored["ratio"]] == [0, RATIO]
assert [dense["rank"], factored["rank"]] == [None, 256]
# 256 of 279 columns, of two times three weights.
assert dense["parameters"] - factored["parameters"] == 6 * (384 * 1024 - 256 * (384 + 1024))
assert factored["prefill"]["bound_ms"] < dense["prefill"]["bound_ms"]
assert [dense[step]["rows"] for step in ("prefill", "first_token", "last_token")] == [PROMPT, 32, 64]
check_split(dense["prefill"], "prefill", f"--rows={PROMPT}")
check_split(dense["last_token"], "decode", "--context=64")
