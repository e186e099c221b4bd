"""Damaged inputs: no tool crashes, hangs, fails without a word, or leaves an output of a
run that failed.
"""

import json
import random
import re

import generate
import graph
import modules
import mutate
import plant
from corpus import Corpus
from printer import Printer
from program import Writer
from shrink import without_lines
from tools import Failure

PASSES = ["--trn-analyze", "--trn-assign-engines", "--trn-fold-partitions",
          "--trn-lower-kernels", "--trn-multi-buffer", "--trn-outline-kernels",
          "--trn-place-buffers", "--trn-plan-kernels=effort=4", "--trn-print-program",
          "--trn-verify-level=level=tensor", "--trn-verify-level=level=virtual",
          "--trn-verify-level=level=placed", "--trn-set-machine=machine=trn2"]
OPTIONS = ["strategy=sequential", "strategy=recompute", "strategy=strip-cache block-m=128",
           "transpose=explicit", "output-layout=transposed", "allow-rounding",
           "block-m=128 block-n=128", "machine=trn2"]
STEPS = "--max-steps=100000"
# Outputs that a run which could not do its work must not leave.
OUTPUTS = ["--out=@o.npy", "--report=r.json", "--trace=t.json", "--html=p.html"]
_corpus = {}


def corpus(tools):
    if tools not in _corpus:
        _corpus[tools] = Corpus(tools)
    return _corpus[tools]


def outputs(rng):
    return rng.sample(OUTPUTS, rng.choice([0, 1, 1, 2]))


def compile_option(rng):
    return rng.choice(["--compile", "--compile", f"--compile={rng.choice(OPTIONS)}"])


def of_source(rng, c):
    text = mutate.module(rng, rng.choice(c.source))
    run = ["trn-run", "in.mlir", compile_option(rng), STEPS]
    commands = [run + outputs(rng), run + ["--verify"], run + ["--timing-only"] + outputs(rng),
                ["trn-opt", "in.mlir", "--trn-compile", "-o", "o.mlir"],
                ["trn-opt", "in.mlir", f"--trn-compile={rng.choice(OPTIONS)}", "-o", "o.mlir"],
                ["trn-run", "in.mlir", STEPS, f"--sweep=rows=7,200", "--csv=s.csv"],
                ["trn-run", "in.mlir", STEPS]]
    return {"in.mlir": text}, rng.choice(commands)


def of_stage(rng, c):
    text = mutate.module(rng, rng.choice(c.stages))
    passes = rng.sample(PASSES, rng.choice([1, 1, 2]))
    return {"in.mlir": text}, rng.choice([
        ["trn-opt", "in.mlir", *passes, "-o", "o.mlir"],
        ["trn-opt", "in.mlir", "--trn-compile", "-o", "o.mlir"],
        ["trn-run", "in.mlir", STEPS, *outputs(rng)],
        ["trn-run", "in.mlir", "--compile", STEPS, *outputs(rng)]])


def of_placed(rng, c):
    text = mutate.module(rng, rng.choice(c.placed))
    return {"in.mlir": text}, rng.choice([
        ["trn-run", "in.mlir", STEPS, *outputs(rng)],
        ["trn-run", "in.mlir", STEPS, *outputs(rng)],
        ["trn-run", "in.mlir", STEPS, "--timing-only", *outputs(rng)],
        ["trn-opt", "in.mlir", rng.choice(PASSES), "-o", "o.mlir"],
        ["trn-opt", "in.mlir", "--trn-print-program", "-o", "o.mlir"]])


def of_kernel(rng, c):
    """Well-formed but wrong in several ways at once: what the verifiers do not stop."""
    kernel = generate.Generator(rng.random()).kernel()
    for _ in range(rng.randint(1, 4)):
        plant.plant(kernel, rng)
    text = Writer(kernel, rng.randrange(5)).text().encode()
    if rng.random() < 0.3:
        text = rng.choice([mutate.number, mutate.neighbours, mutate.names])(rng, text)
    return {"in.mlir": text}, rng.choice([
        ["trn-run", "in.mlir", "--entry=k", STEPS, *outputs(rng)],
        ["trn-run", "in.mlir", "--entry=k", STEPS, "--timing-only", *outputs(rng)],
        ["trn-opt", "in.mlir", rng.choice(PASSES), "-o", "o.mlir"],
        ["trn-opt", "in.mlir", "--trn-compile", "-o", "o.mlir"]])


def of_graph(rng, c):
    results = modules.Builder(rng).graph()
    text = Printer(results, graph.reached(results), rng.random() < 0.2).text().encode()
    if rng.random() < 0.6:
        text = rng.choice(mutate.GENTLE)(rng, text)
    options, machine = modules.draw_options(rng, results)
    option = " ".join(f"{k}={v}" for k, v in options.items())
    files = {"in.mlir": text, "m.json": json.dumps(machine).encode()}
    run = ["trn-run", "in.mlir", "--entry=main", "--machine=m.json", STEPS]
    return files, rng.choice([
        run + [f"--compile={option}", "--verify", *outputs(rng)],
        run + [f"--compile={option}", "--timing-only", *outputs(rng)],
        run + [f"--sweep={option.replace(' ', ';') or 'transpose=implicit,explicit'}"],
        run + ["--sweep=rows=7,130", "--csv=s.csv"],
        ["trn-opt", "in.mlir", f"--trn-compile={option} machine=m.json", "-o", "o.mlir"],
        ["trn-opt", "in.mlir", *rng.sample(PASSES, 2), "-o", "o.mlir"]])


def of_bytecode(rng, c):
    data = mutate.raw(rng, rng.choice(c.bytecode))
    return {"in.mlirbc": data}, rng.choice([
        ["trn-run", "in.mlirbc", STEPS, *outputs(rng)],
        ["trn-run", "in.mlirbc", "--compile", STEPS, *outputs(rng)],
        ["trn-opt", "in.mlirbc", "--trn-compile", "-o", "o.mlir"]])


def of_npy(rng, c):
    files = {"in.mlir": c.source[3], "x.npy": mutate.npy(rng, c.array)}
    return files, ["trn-run", "in.mlir", "--compile", STEPS, "--arg=@x.npy", "--arg=zeros",
                   "--arg=random:1", *outputs(rng)]


def of_weights(rng, c):
    files = {"in.mlir": c.source[4], "w.safetensors": mutate.safetensors(rng, c.weights)}
    return files, ["trn-run", "in.mlir", "--compile", STEPS, "--weights=w.safetensors",
                   "--report=r.json"]


def of_machine(rng, c):
    files = {"in.mlir": rng.choice(c.source), "m.json": mutate.json_text(rng, c.machine)}
    return files, rng.choice([
        ["trn-run", "in.mlir", "--compile", STEPS, "--machine=m.json", *outputs(rng)],
        ["trn-run", "in.mlir", "--compile", STEPS, "--timing-only", "--range",
         "--machine=m.json"],
        ["trn-opt", "in.mlir", "--trn-compile=machine=m.json", "-o", "o.mlir"]])


def of_report(rng, c):
    files = {"a.json": c.report, "b.json": mutate.json_text(rng, c.report)}
    return files, ["trn-run", "--compare", *rng.sample(["a.json", "b.json", "b.json"], 2),
                   *rng.choice([[], ["--html=p.html"]])]


FLAGS = {"trn-run": ["--arg=", "--arg=@", "--arg=@in.mlir", "--arg=@/dev/null", "--arg=zeros",
                     "--arg=random:", "--arg=random:-1", "--arg=random:18446744073709551616",
                     "--arg=random:1", "--compare", "--compile", "--compile=", "--csv=s.csv",
                     "--entry=main", "--entry=", "--entry=main_kernel", "--html=p.html",
                     "--machine=trn1", "--machine=trn2", "--machine=", "--machine=.",
                     "--machine=in.mlir", "--max-steps=0", "--max-steps=-1", "--max-steps=5",
                     "--out=@o.npy", "--out=@", "--out=o.npy", "--out=@no/such/o.npy",
                     "--range", "--report=r.json", "--report=", "--report=no/such/r.json", "--sweep=",
                     "--sweep=rows=", "--sweep=rows=0", "--sweep=rows=-5,7", "--sweep=rows=7,7",
                     "--sweep=block-m=128,x", "--sweep=machine.psum_banks=0,1,8",
                     "--sweep=machine.=1", "--sweep=machine.partitions=64", "--sweep=;;",
                     "--sweep=rows=7;rows=8", "--sweep=strategy=sequential", "--threads=0",
                     "--threads=1", "--threads=3", "--threads=-1", "--timing-only",
                     "--trace=t.json", "--trace=r.json", "--verify", "--weights=in.mlir",
                     "--weights=", "--report=o.npy", "in.mlir", "-", "no.mlir"],
         "trn-opt": [*PASSES, "--trn-compile", "--trn-compile=", "--verify-diagnostics",
                     "--split-input-file", "--emit-bytecode", "--mlir-print-op-generic",
                     "--mlir-print-debuginfo", "--canonicalize", "--cse", "--no-such", "in.mlir",
                     "--pass-pipeline=builtin.module(trn-compile)", "--pass-pipeline=",
                     "--trn-set-machine", "--trn-set-machine=machine=", "--trn-verify-level=level=x",
                     "--trn-multi-buffer=", "--inline", "--one-shot-bufferize", "--convert-linalg-to-loops"],
         "trn-gen": ["xw", "xuv", "xyz", "--m=0", "--m=-1", "--m=1", "--m=99999999999999999999",
                     "--k=3", "--n=7", "--r=2", "--r=0", "--dtype=f32", "--dtype=f64", "--dtype=",
                     "--transposed-input", "--transposed-output", "-o", "o.mlir", "-m", "5",
                     "--k=9223372036854775807", "--n=4294967296"]}
KEYS = ["machine", "strategy", "transpose", "block-m", "block-k", "block-r", "block-n",
        "output-layout", "allow-rounding"]
SETTINGS = ["", "0", "1", "128", "-128", "256", "100", "auto", "strip-cache", "sequential",
            "recompute", "implicit", "explicit", "standard", "transposed", "true", "trn2",
            "99999999999999999999", "in.mlir", "9223372036854775807", "9223372036854775680"]


def of_flags(rng, c):
    tool = rng.choice(["trn-run", "trn-run", "trn-run", "trn-opt", "trn-gen"])
    flags = rng.choices(FLAGS[tool], k=rng.randint(1, 5))
    option = " ".join(f"{rng.choice(KEYS)}={rng.choice(SETTINGS)}" for _ in range(rng.randint(1, 3)))
    start = {"trn-run": ["trn-run", "in.mlir", STEPS], "trn-opt": ["trn-opt", "in.mlir"],
             "trn-gen": ["trn-gen"]}[tool]
    if tool == "trn-run":
        flags += rng.choice([[], ["--compile"], [f"--compile={option}"],
                             [f"--sweep={option.replace(' ', ';')}"]])
        if any(f.startswith("--max-steps") for f in flags):
            start.remove(STEPS)
    elif tool == "trn-opt":
        if rng.random() < 0.5:  # not with passes of their own
            flags = [f for f in flags if not f.startswith("--trn")]
        flags += rng.choice([[], [f"--trn-compile={option}"]]) + ["-o", "o.mlir"]
    return {"in.mlir": rng.choice(c.source + c.placed)}, start + flags


KINDS = [of_source, of_source, of_stage, of_stage, of_stage, of_placed, of_placed,
         of_kernel, of_kernel, of_graph, of_graph,
         of_bytecode, of_npy, of_weights, of_machine, of_report, of_flags, of_flags]


def check(files, command, tools, directory):
    """None, or (kind, text)."""
    for old in directory.iterdir():
        old.unlink()
    for name, data in files.items():
        (directory / name).write_bytes(data)
    done = tools.run(*command, text=b"", cwd=directory)
    if done.trouble not in (None, "upstream"):
        return done.trouble, signature(done), done.describe()
    if done.silent:
        return "wrong", "silent", "it fails without an error\n" + done.describe()
    for name, data in files.items():
        if (directory / name).read_bytes() != data:
            return "wrong", "input", f"{name} is overwritten\n{done.describe()}"
    left = sorted({p.name for p in directory.iterdir()} - set(files))
    # The report of a run that was done, but broke its budget or --verify, is wanted, and so
    # is the table of a sweep in which every row is an error.
    judged = rb"but its budget allows|relative error|no point could be timed"
    if done.status and left and not re.search(judged, done.err):
        return "left behind", "left", f"{', '.join(left)} after a failed run\n{done.describe()}"
    return done.trouble and (done.trouble, "upstream", done.describe())


def signature(done):
    """What tells one crash from another while an input is made smaller."""
    found = re.search(rb"Assertion `[^']*'|ERROR: AddressSanitizer: [\w-]+|runtime error: [^\n]*|"
                      rb"LLVM ERROR: [^\n]*", done.err)
    return found[0] if found else str(done.status)


def shrink(files, command, problem, tools, directory):
    """Fewer lines of the module, and fewer flags."""
    def still(files, command):
        now = check(files, command, tools, directory)
        return now is not None and now[:2] == problem[:2]

    if problem[0] == "hang":
        return files, command  # each try would take as long
    for i in reversed(range(2, len(command))):
        if len(command) > 2 and still(files, command[:i] + command[i + 1:]):
            command = command[:i] + command[i + 1:]
    name = "in.mlir"
    if name not in files or name not in command:
        return files, command

    def smaller(text):
        return still({**files, name: text}, command)

    return {**files, name: without_lines(files[name], smaller)}, command


def run(number, seed, tools, directory):
    rng = random.Random(f"mutants {seed} {number}")
    files, command = rng.choice(KINDS)(rng, corpus(tools))
    problem = check(files, command, tools, directory)
    if problem is None:
        return "handled", None
    if problem[0] == "upstream":
        return "upstream", None
    small, short = shrink(files, command, problem, tools, directory)
    again = check(small, short, tools, directory) or problem
    quoted = " ".join(f"'{word}'" if re.search(r"[\s;()]", word) else word for word in short)
    return problem[0], Failure(problem[0], f"{again[2]}", small, quoted)
