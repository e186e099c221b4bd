"""Cores that run what --trn-partition writes compute what one does, within rounding.

The function of one core is unrolled for all of them: each op stands there once a core, and sums,
slices and concatenations stand for collectives. NumPy cuts the arguments; upstream's own lowering
runs this and the function from before, and prints by how much their results differ.

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
LOWERING = ["--convert-elementwise-to-linalg", "--one-shot-bufferize=bufferize-function-boundaries",
            "--convert-linalg-to-loops", "--convert-scf-to-cf", "--expand-strided-metadata", "--lower-affine",
            "--convert-math-to-llvm", "--convert-arith-to-llvm", "--finalize-memref-to-llvm",
            "--convert-func-to-llvm", "--convert-cf-to-llvm", "--reconcile-unrealized-casts"]
LLAMA = {"model_type": "llama", "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 1,
         "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 20,
         "max_position_embeddings": 64, "tie_word_embeddings": True}
MLP = [f"model.layers.0.mlp.{name}_proj" for name in ("gate", "up", "down")]
ATTENTION = [f"model.layers.0.self_attn.{name}_proj" for name in "qkvo"]
UNTIED = {**LLAMA, "tie_word_embeddings": False}
FACTORS = {**LLAMA, "truncation_ranks": dict.fromkeys(MLP, 7)}
ALL_FACTORS = {**UNTIED, "truncation_ranks": {**dict.fromkeys(MLP, 8), **dict.fromkeys(ATTENTION, 6)}}
QWEN2 = {**LLAMA, "model_type": "qwen2", "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 0}
QWEN3 = {**LLAMA, "model_type": "qwen3", "head_dim": 6}
BOTH = {**LLAMA, "num_hidden_layers": 2, "intermediate_sizes": [10, 24], "trn_compress": {"format": 1},
        "truncation_ranks": {f"model.layers.1.mlp.{name}_proj": 5 for name in ("gate", "up", "down")}}
ODD = {**LLAMA, "hidden_size": 24, "num_attention_heads": 6, "num_key_value_heads": 3, "intermediate_size": 25}
CASES = [("llama", LLAMA, 2, "column", "prefill"),
         ("more cores than heads of keys", LLAMA, 4, "column", "decode"),
         ("a head of its own", UNTIED, 2, "column", "decode"),
         ("biases and windows", QWEN2, 4, "column", "prefill"),
         ("norms of heads", QWEN3, 2, "column", "decode"),
         ("sizes that are padded", ODD, 3, "column", "decode"),
         ("sizes that are padded, more cores than heads of keys", ODD, 6, "column", "prefill"),
         ("sequences", LLAMA, 2, "column", "batch"), ("sequences", ODD, 6, "column", "batch"),
         ("factors", FACTORS, 2, "column", "prefill"), ("factors", FACTORS, 4, "gather", "prefill"),
         ("MLPs of several widths, one of factors", BOTH, 2, "column", "decode"),
         ("factors", FACTORS, 2, "reduce", "decode"), ("all factors", ALL_FACTORS, 4, "column", "decode"),
         ("all factors", ALL_FACTORS, 2, "gather", "prefill")]


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

    def unroll(self, name, cores, reduces=True):
        """The text of a function that does what all cores do, and its arguments as (argument, core).
        Without `reduces` each core keeps what it has where there is a sum."""
        alias, arguments, ops = {}, [], []
        for i, argument in enumerate(self.arguments):
            for core in range(cores if argument.shard else 1):
                arguments.append((i, core))
            if not argument.shard:
                alias.update({(f"%arg{i}", core): f"%v_arg{i}_0" for core in range(cores)})

        def rename(text, core):
            return re.sub(r"%([\w$.-]+)", lambda name: alias.get((name[0], core), f"%v_{name[1]}_{core}"), text)

        for op in self.ops[:-1]:
            collective = COLLECTIVE.fullmatch(op)
            if not collective:
                assert "shard." not in op, op
                ops += [rename(op, core) for core in range(cores)]
                continue
            whole, kind, source, dim, before, after = collective.groups()
            result = f"%v_{whole[1:]}"
            pieces = [rename(source, core) for core in range(cores)]
            if kind == "all_gather":
                ops.append(f"    {result}_0 = tensor.concat dim({dim}) {', '.join(pieces)} : "
                           f"({', '.join([before] * cores)}) -> {after}")
                alias.update({(whole, core): f"{result}_0" for core in range(cores)})
                continue
            total = pieces[0]
            for core in range(1, cores):
                ops.append(f"    {result}_sum{core} = arith.addf {total}, {pieces[core]} : {before}")
                total = f"{result}_sum{core}"
            if kind == "all_reduce":
                alias.update({(whole, core): total if reduces else pieces[core] for core in range(cores)})
                continue
            sizes = Tensor(after).shape
            for core in range(cores):
                offsets = [core * size if i == int(dim) else 0 for i, size in enumerate(sizes)]
                ops.append(f"    {result}_{core} = tensor.extract_slice {total}{offsets} {sizes} "
                           f"{[1] * len(sizes)} : {before} to {after}")
        values, types = self.ops[-1].removeprefix("    return ").split(" : ")
        returned = [rename(values, core) for core in range(cores)]
        declared = ", ".join(f"%v_arg{i}_{core}: {self.arguments[i].type}" for i, core in arguments)
        all_types = ", ".join([types] * cores)
        body = "\n".join(ops)
        return (f"func.func @{name}({declared}) -> ({all_types}) {{\n{body}\n"
                f"    return {', '.join(returned)} : {all_types}\n}}\n"), arguments


def run(command, text=""):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def read_module(module, *options):
    return Function(run(["trn-opt", "--mlir-print-local-scope", *options], module))


def join(result, cores, number, of):
    """Ops that put a result together of what all cores return: after `of` others on each core."""
    values = [f"%own#{core * of + number}" for core in range(cores)]
    if not result.shard:
        return values, [], result.type
    dim, pieces, size = result.shard
    values = values[::cores // pieces]
    shape = list(result.shape)
    shape[dim] *= pieces
    wide = f"tensor<{'x'.join(map(str, shape))}xf32>"
    shape[dim] = size
    whole = f"tensor<{'x'.join(map(str, shape))}xf32>"
    return [f"%joined{number}"], [
        f"%wide{number} = tensor.concat dim({dim}) {', '.join(values)} : "
        f"({', '.join([result.type] * pieces)}) -> {wide}",
        f"%joined{number} = tensor.extract_slice %wide{number}{[0] * len(shape)} {shape} "
        f"{[1] * len(shape)} : {wide} to {whole}"], whole


def call(name, function, values, arguments):
    """Constants, and a call with them of @name, an unrolled function."""
    lines, types = [], []
    for at, (i, _) in enumerate(arguments):
        types.append(function.arguments[i].type)
        numbers = re.sub(r"\s", "", np.array2string(
            values[at], separator=",", threshold=sys.maxsize,
            formatter={"float_kind": lambda number: f"{number:.9e}"}))
        lines.append(f"%{name}_in{at} = arith.constant dense<{numbers}> : {types[-1]}")
    return lines, f"({', '.join(f'%{name}_in{at}' for at in range(len(types)))}) : ({', '.join(types)})"


def compare(one, own, values, cores, reduces=True):
    """How far the results of several cores are from those of one, relative to the largest."""
    named = {argument.param: value for argument, value in zip(one.arguments, values) if argument.param}
    wholes = values + [named[argument.param] for argument in own.arguments[len(values):]]
    text, arguments = one.unroll("one", 1)
    all_text, pieces = own.unroll("own", cores, reduces)
    lines, passed = call("one", one, values, arguments)
    count = len(one.results)
    lines.append(f"%one:{count} = call @one{passed} -> ({', '.join(r.type for r in one.results)})")
    more, passed = call("own", own, [own.arguments[i].cut(wholes[i], core, cores) for i, core in pieces], pieces)
    types = ", ".join([result.type for result in own.results] * cores)
    lines += [*more, f"%own:{cores * count} = call @own{passed} -> ({types})"]
    printed = []
    for number, (result, whole) in enumerate(zip(own.results, one.results)):
        joined, ops, found = join(result, cores, number, count)
        assert found == whole.type, f"result {number} is {found}, not {whole.type}"
        lines += ops
        printed.append((f"%one#{number}", whole.type))
        for at, value in enumerate(joined):
            # Of two results that lie in one place none may be overwritten.
            lines += [f"%empty{number}_{at} = tensor.empty() : {found}",
                      f"%error{number}_{at} = linalg.sub ins({value}, %one#{number} : {found}, {found}) "
                      f"outs(%empty{number}_{at} : {found}) -> {found}"]
            printed.append((f"%error{number}_{at}", found))
    for at, (value, shape) in enumerate(printed):
        lines += [f"%print{at} = tensor.cast {value} : {shape} to tensor<*xf32>",
                  f"call @printMemrefF32(%print{at}) : (tensor<*xf32>) -> ()"]
    body = "\n".join(lines)
    module = (f"{text}{all_text}func.func private @printMemrefF32(tensor<*xf32>)\n"
              f"func.func @entry() {{\n{body}\nreturn\n}}\n")
    libraries = run(["llvm-config", "--libdir"]).strip() + "/lib"
    out = run(["mlir-runner", "-O0", "-e", "entry", "--entry-point-result=void",
               f"--shared-libs={libraries}mlir_runner_utils.so",
               f"--shared-libs={libraries}mlir_c_runner_utils.so"], run(["mlir-opt", *LOWERING], module))
    largest, error = 0.0, 0.0
    for (value, _), block in zip(printed, out.split("data =")[1:], strict=True):
        numbers = re.findall(r"-?\d[\d.e+-]*|-?nan|-?inf", block.split("Unranked")[0])
        size = max(abs(float(number)) for number in numbers)
        assert np.isfinite(size), f"{value} has {size}"
        if value.startswith("%one"):
            largest = size
        else:
            error = max(error, size / largest)
    return error


def check(folder, config, cores, scheme, mode):
    path = folder / "config.json"
    path.write_text(json.dumps(config))
    sizes = {"prefill": ["prefill", "--rows=5"], "decode": ["decode", "--context=6"],
             "batch": ["decode", "--context=6", "--batch=3"]}[mode]
    module = run(["trn-gen", "llama", str(path), "--dtype=f32", "--mode=" + sizes[0], *sizes[1:]])
    one = read_module(module)
    own = read_module(module, f"--trn-partition=cores={cores} scheme={scheme}")
    generator = np.random.default_rng(0)
    values = [generator.integers(1, 5, argument.shape, np.int32) if argument.element == "i32" else
              generator.normal(0, 0.4, argument.shape).astype(np.float32) for argument in one.arguments]
    error = compare(one, own, values, cores)
    assert error < 1e-5, f"results differ by {error}"
    return lambda: compare(one, own, values, cores, reduces=False)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, config, cores, scheme, mode in CASES:
    try:
        compare_without = check(folder, config, cores, scheme, mode)
        if name == "llama":
            assert compare_without() > 1e-2, "nobody notices that sums are missing"
    except AssertionError as error:
        sys.exit(f"{name}, {mode}, {cores} cores, {scheme}: {error}")
