"""Cores that run what --trn-partition writes compute what one does, within rounding.

The module of one core is unrolled for all of them: each op stands there once a core, and sums,
slices and concatenations stand for collectives. trn-run runs this and the module from before;
NumPy cuts the arguments, and puts the results together.

RUN: %python %s %t
"""

import json
import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))
from signature import Tensor, read_signature

COLLECTIVE = re.compile(r"    (%\S+) = shard\.(\w+) (%\S+) on @cores grid_axes = \[0\](?: \w+ = (\d+))? : (\S+) -> (\S+)")
LLAMA = {"model_type": "llama", "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
         "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 20,
         "max_position_embeddings": 64, "tie_word_embeddings": True}
MLP = [f"model.layers.{layer}.mlp.{name}_proj" for layer in range(2) for name in ("gate", "up", "down")]
ATTENTION = [f"model.layers.{layer}.self_attn.{name}_proj" for layer in range(2) for name in "qkvo"]
UNTIED = {**LLAMA, "tie_word_embeddings": False}
FACTORS = {**LLAMA, "truncation_ranks": dict.fromkeys(MLP, 7)}
ALL_FACTORS = {**UNTIED, "truncation_ranks": {**dict.fromkeys(MLP, 8), **dict.fromkeys(ATTENTION, 6)}}
QWEN2 = {**LLAMA, "model_type": "qwen2", "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}
QWEN3 = {**LLAMA, "model_type": "qwen3", "head_dim": 6}
ODD = {**LLAMA, "hidden_size": 24, "num_attention_heads": 6, "num_key_value_heads": 3, "intermediate_size": 25}
SMALL = {**LLAMA, "num_attention_heads": 8, "num_key_value_heads": 2, "hidden_size": 32}
CASES = [("llama", LLAMA, 2, "column"), ("more cores than heads of keys", LLAMA, 4, "column"),
         ("untied", UNTIED, 2, "column"), ("biases and windows", QWEN2, 4, "column"),
         ("norms of heads", QWEN3, 2, "column"), ("odd sizes", ODD, 3, "column"),
         ("odd sizes, more cores than heads of keys", ODD, 6, "column"),
         ("eight cores", SMALL, 8, "column"),
         ("factors", FACTORS, 2, "column"), ("factors", FACTORS, 2, "gather"),
         ("factors", FACTORS, 4, "gather"), ("factors", FACTORS, 2, "reduce"),
         ("all factors", ALL_FACTORS, 4, "column"), ("all factors", ALL_FACTORS, 2, "gather"),
         ("all factors", ALL_FACTORS, 2, "reduce")]


class Function:
    def __init__(self, text):
        lines = text.splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("  func.func"))
        _, self.arguments, self.results = read_signature(lines[start])
        self.ops = []
        for line in lines[start + 1:]:
            if line == "  }":
                break
            if re.match(r"    (%[^ ]+ = |return)", line):
                self.ops.append(line)
            else:
                self.ops[-1] += "\n" + line

    def unroll(self, cores):
        """The text of a function that does what all cores do, and its arguments as (argument, core)."""
        alias, arguments, ops = {}, [], []
        for i, argument in enumerate(self.arguments):
            for core in range(cores if argument.shard else 1):
                arguments.append((i, core))
            if not argument.shard:
                alias.update({(f"%arg{i}", core): f"%arg{i}_0" for core in range(cores)})

        def rename(text, core):
            return re.sub(r"%[\w$.-]+", lambda name: alias.get((name[0], core), f"{name[0]}_{core}"), text)

        for op in self.ops[:-1]:
            collective = COLLECTIVE.fullmatch(op)
            if not collective:
                assert "shard." not in op, op
                ops += [rename(op, core) for core in range(cores)]
                continue
            result, kind, source, dim, before, after = collective.groups()
            pieces = [rename(source, core) for core in range(cores)]
            if kind == "all_gather":
                ops.append(f"    {result}_0 = tensor.concat dim({dim}) {', '.join(pieces)} : "
                           f"({', '.join([before] * cores)}) -> {after}")
                alias.update({(result, core): f"{result}_0" for core in range(cores)})
                continue
            total = pieces[0]
            for core in range(1, cores):
                ops.append(f"    {result}_sum{core} = arith.addf {total}, {pieces[core]} : {before}")
                total = f"{result}_sum{core}"
            if kind == "all_reduce":
                alias.update({(result, core): total for core in range(cores)})
                continue
            sizes = Tensor(after).shape
            for core in range(cores):
                offsets = [core * size if i == int(dim) else 0 for i, size in enumerate(sizes)]
                ops.append(f"    {result}_{core} = tensor.extract_slice {total}{offsets} {sizes} "
                           f"{[1] * len(sizes)} : {before} to {after}")
        values, types = self.ops[-1].removeprefix("    return ").split(" : ")
        returned = [rename(values, core) for core in range(cores)]
        declared = ", ".join(f"%arg{i}_{core}: {self.arguments[i].type}" for i, core in arguments)
        all_types = ", ".join([types] * cores)
        body = "\n".join(ops)
        return (f"module {{\n  func.func @main({declared}) -> ({all_types}) {{\n{body}\n"
                f"    return {', '.join(returned)} : {all_types}\n  }}\n}}\n"), arguments


def run(module, values, results, at):
    command = ["trn-run", str(module)]
    for i, value in enumerate(values):
        np.save(f"{at}.in{i}.npy", value)
        command.append(f"--arg=@{at}.in{i}.npy")
    command += [f"--out=@{at}.out{i}.npy" for i in range(results)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return [np.load(f"{at}.out{i}.npy") for i in range(results)]


def partition(module, *options):
    command = ["trn-opt", str(module), "--mlir-print-local-scope"]
    if options:
        command.append("--trn-partition=" + " ".join(options))
    return Function(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def check(folder, config, cores, scheme, mode):
    at = folder / "model"
    (folder / "config.json").write_text(json.dumps(config))
    sizes = {"prefill": ["--rows=5"], "decode": ["--context=6"]}[mode]
    subprocess.run(["trn-gen", "llama", str(folder / "config.json"), f"--mode={mode}", "--dtype=f32",
                    *sizes, "-o", f"{at}.mlir"], check=True)
    one, own = partition(f"{at}.mlir"), partition(f"{at}.mlir", f"cores={cores}", f"scheme={scheme}")
    generator = np.random.default_rng(0)
    values = [generator.integers(0, 5, argument.shape, np.int32) if argument.element == "i32" else
              generator.normal(0, 0.4, argument.shape).astype(np.float32) for argument in one.arguments]
    named = {argument.param: value for argument, value in zip(one.arguments, values) if argument.param}
    expected = run(f"{at}.mlir", values, len(one.results), at)

    text, arguments = own.unroll(cores)
    pathlib.Path(f"{at}.cores.mlir").write_text(text)
    wholes = values + [named[argument.param] for argument in own.arguments[len(values):]]
    pieces = [own.arguments[i].cut(wholes[i], core, cores) for i, core in arguments]
    results = run(f"{at}.cores.mlir", pieces, cores * len(own.results), at)
    for i, (result, whole) in enumerate(zip(own.results, expected)):
        joined = result.join(results[i::len(own.results)])
        assert joined.shape == whole.shape
        error = np.abs(joined - whole).max() / np.abs(whole).max()
        assert error < 1e-5, f"result {i} differs by {error}"


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, config, cores, scheme in CASES:
    for mode in ("prefill", "decode"):
        try:
            check(folder, config, cores, scheme, mode)
        except (AssertionError, subprocess.CalledProcessError) as error:
            sys.exit(f"{name}, {mode}, {cores} cores, {scheme}: {error}")
