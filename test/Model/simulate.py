"""Models of all kinds on the simulated core: what they write, how well they know a text, how long it takes.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path += [str(folder / "Inputs") for folder in pathlib.Path(__file__).parents[:2]]
import llama  # noqa: E402
import terminal  # noqa: E402

folder = pathlib.Path(sys.argv[1])
report = folder / "report.json"
stories = llama.write_stories(folder)
# Few plans, so that it does not take long.
CORE = ["--simulate", "--effort=1"]


def run(command, model, *options):
    """What is printed, and the report."""
    done = subprocess.run(["trn-llm", command, model, f"--report={report}", *options], check=True,
                          capture_output=True, text=True, errors="surrogateescape")
    assert not done.stderr, done.stderr
    return done.stdout, json.loads(report.read_text())


def model_of(name, **changes):
    shape = llama.shape_of(layers=1, **changes)
    return llama.write_model(folder, name, shape, llama.tensors_of(shape))


MODELS = {
    "llama2c": dict(neighbours=True, tied=False),
    "factors": dict(ranks={"model.layers.0.mlp.gate_proj": 8, "model.layers.0.self_attn.o_proj": 5}),
    "mistral-window": dict(windows=[5], keys={"sliding_window": 5}),
    "qwen2": dict(bias=True),
    "qwen3": dict(head_norms=True, head_dim=6),
}
prompt = folder / "prompt.npy"
np.save(prompt, np.array([1, 263, 299, 17, 42, 260], np.int64))
for name, changes in MODELS.items():
    model = model_of(name, **changes)
    options = [f"--ids={prompt}", "-n", "10"]
    on_host, host = run("generate", model, *options)
    on_core, core = run("generate", model, *options, *CORE, "--dtype=f32")
    assert on_core == on_host and core["tokens"] == host["tokens"], (name, core, host)
    assert core["ended_by"] == host["ended_by"] and core["dtype"] == "f32", (name, core, host)
    assert set(core["host"]) == {"compile_s", "jit_s", "interpret_s"}, core["host"]
    assert list(core["modelled"]) == ["decode", "prefill"], core["modelled"]
    for part in core["modelled"].values():
        assert part["modelled_on"] == "trn1" and part["latency_ms"] > part["bound_ms"] > 0, part
        assert part["kernels"] and not part["host"], part

# A text, in the types that weights may have; a cache that is full ends it.
model = model_of("llama2c", neighbours=True)
_, host = run("perplexity", model, f"--text={folder / 'text'}", "--stories=5")
for dtype, tolerance in ("f32", 1e-5), ("bf16", 5e-3), ("f16", 5e-4):
    out, core = run("perplexity", model, f"--text={folder / 'text'}", "--stories=5", f"--dtype={dtype}", *CORE)
    assert abs(core["nll"] / host["nll"] - 1) < tolerance, (dtype, core["nll"], host["nll"])
    assert core["tokens"] == host["tokens"] == sum(len(story) - 1 for story in stories[:5]), core
    assert "decode" not in core["modelled"] and "perplexity" in out, (core, out)
options = ["--prompt=abc", "--dtype=f32", f"--plan-cache={folder / 'plans'}", *CORE]
text, core = run("generate", model, *options, "-n", "12", "--machine=trn2")
assert text == run("generate", model, "--prompt=abc", "-n", "12")[0], text
assert core["modelled"]["decode"]["modelled_on"] == "trn2" and list((folder / "plans").iterdir()), core
# One token needs no function for those after it, and no prompt one for many.
assert list(run("generate", model, *options, "-n", "1")[1]["modelled"]) == ["prefill"]
# The same seed draws the same.
drawn = [run("generate", model, *CORE, "--dtype=f32", "--temperature=1", "--seed=7", "-n", "5",
             f"--threads={threads}")[0] for threads in (1, 2)]
assert drawn[0] == drawn[1] == run("generate", model, "--temperature=1", "--seed=7", "-n", "5")[0], drawn
# Small scores need no maxima.
bare, core = run("generate", model, *options, "-n", "12", "--drop-maxima")
assert bare == run("generate", model, "--prompt=abc", "-n", "12")[0], bare
counts = [of["modelled"]["prefill"]["instruction_counts"]
          for of in (core, run("generate", model, *options, "-n", "12")[1])]
assert counts[0] != counts[1], counts

# On a terminal, what the core would take.
shown = terminal.run(["trn-llm", "generate", model, "--prompt=abc", "-n", "2", *CORE])[0].splitlines()
assert shown[-2].endswith(" tokens per second"), shown
assert shown[-1].startswith("modelled on trn1: 0.") and " ms for the first 5 tokens, 0." in shown[-1] and shown[-1].endswith(" ms for each one after"), shown


def refuse(message, command, *options, model=model, out=""):
    done = subprocess.run(["trn-llm", command, model, *options], capture_output=True, text=True)
    assert done.returncode == 1 and message in done.stderr and done.stdout == out, (options, done)


for option in "machine=trn2", "dtype=f32", "effort=1", "plan-cache=plans", "drop-maxima":
    refuse(f"--{option.split('=')[0]} is of the simulated core, but the model runs on the host; add --simulate",
           "generate", f"--{option}")
refuse("add --simulate", "perplexity", f"--text={folder / 'text'}", "--machine=trn2")
refuse("'trn9'", "generate", "--simulate", "--machine=trn9")
refuse("effort is 0, but at least 1 plan must be simulated", "generate", "--simulate", "--effort=0")
refuse("the prompt has 162 tokens, but the model takes 64 at most; shorten it", "generate", "--simulate",
       "--prompt=" + "a b " * 40)
(folder / "machine.json").write_text('{"base": "trn1", "sbuf_partition_bytes": 64}')
refuse("would overwrite the input", "generate", "--simulate", f"--machine={folder / 'machine.json'}",
       f"--report={folder / 'machine.json'}")
refuse("but 'sbuf_partition_bytes' is 64", "generate", "--simulate", f"--machine={folder / 'machine.json'}")
refuse(f"no plans can be kept in '{prompt}'", "generate", *CORE, f"--plan-cache={prompt}")
np.save(folder / "outside.npy", np.array([[1, 300]]))
refuse("token 300 of sequence 0 is outside of the vocabulary of 300", "perplexity", "--simulate",
       f"--text={folder / 'outside.npy'}")
np.save(folder / "one.npy", np.ones((3, 1), np.int32))
refuse("no token is predicted: all sequences have only their first one", "perplexity", *CORE,
       f"--text={folder / 'one.npy'}")
shape = llama.shape_of(layers=1, neighbours=True)
large = {**llama.tensors_of(shape), "model.norm.weight": np.full(24, 3e38, "<f4")}
llama.write_llama2c(folder / "large.bin", shape, large)
refuse("a logit after token 5 is not finite", "generate", *CORE, f"--ids={prompt}", model=folder / "large.bin",
       out="1 263 299 17 42 260\n")
refuse("a logit after token 0 is not finite", "perplexity", *CORE, f"--text={folder / 'text'}",
       model=folder / "large.bin")
