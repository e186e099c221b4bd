"""Random linalg modules (builder.py), compiled in random ways for random machines, against NumPy.

A value beyond what the order of sums allows, a crash, or an error about IR that nobody
wrote is a failure; a refusal that says why is not.
"""

import copy
import io
import json
import random
import re

import numpy as np

import graph
from builder import PARTITIONS, Builder
from corpus import safetensors
from graph import Node
from printer import Printer
from tools import Failure
from values import round_to

# Errors about IR that nobody wrote.
INTERNAL = re.compile(rb"see current operation|does not dominate this use|failed to legalize|"
                      rb"op result type mismatch|failed to verify|unrealized_conversion_cast")
ALLOWED = 2e-2  # of values that may be rounded more often than the source says


def draw_options(rng, results):
    """Options of trn-compile, and a machine."""
    options = {"effort": rng.choice([1, 2, 4, 8])} if rng.random() < 0.95 else {}
    if rng.random() < 0.5:
        return options, {"base": rng.choice(["trn1", "trn2"])}
    if rng.random() < 0.5:
        options["strategy"] = rng.choice(["auto", "strip-cache", "sequential", "recompute"])
    if rng.random() < 0.3:
        options["transpose"] = rng.choice(["implicit", "explicit"])
    products = sum(n.op == "product" for n in graph.reached(results))
    for name in "mkrn" if products < 3 else "":
        if rng.random() < 0.15:
            options[f"block-{name}"] = PARTITIONS * rng.randint(1, 4)
    if rng.random() < 0.1:
        options["output-layout"] = "transposed"
    if rng.random() < 0.1:
        options["allow-rounding"] = "true"
    changes = {}
    if rng.random() < 0.3:
        changes["sbuf_partition_bytes"] = 4 * rng.randint(600, 6000)
    if rng.random() < 0.06:
        changes["partitions"] = changes["stationary_free_max"] = rng.choice([64, 32])
    for name, choices in (("psum_banks", [2, 4, 16]), ("psum_bank_bytes", [2048, 4096]),
                          ("moving_free_max", [128, 256]), ("access_stride_max", [255, 1023]),
                          ("sbuf_free_max", [512, 4096]), ("vector_transpose_size", [16]),
                          ("dma_gb_per_second_per_engine", [400])):
        if rng.random() < 0.06:
            changes[name] = rng.choice(choices)
    for name, choices in (("stationary_free_max", [32, 64]), ("moving_free_max", [64]),
                          ("sbuf_free_max", [100])):  # no product fits, but small ones
        if rng.random() < 0.01:
            changes[name] = rng.choice(choices)
    return options, {"base": rng.choice(["trn1", "trn1", "trn2"]), **changes}


class Case:
    def __init__(self, results, options, machine, seed):
        self.results, self.options, self.machine, self.seed = results, options, machine, seed
        self.order = graph.reached(results)

    def inputs(self):
        rng = np.random.default_rng(self.seed)
        whole = rng.random() < 0.3
        result = []
        for node in self.order:
            if node.op == "input":
                scale = 1 if whole or len(node.shape) < 2 else node.shape[-2] ** -0.5 * 2
                value = rng.integers(-2, 3, node.shape) if whole \
                    else rng.standard_normal(node.shape) * scale
                result.append(value.astype(np.float32))
        return result

    def files(self):
        text = Printer(self.results, self.order).text()
        files = {"case.mlir": text.encode(), "machine.json": json.dumps(self.machine).encode()}
        header, data = {}, b""
        for i, (node, array) in enumerate(zip(self.given(), self.inputs())):
            if node.attrs.get("param"):
                raw = array_bytes(round_to(array, node.dtype), node.dtype)
                header[f"w{i}"] = {"dtype": node.dtype.upper(), "shape": list(node.shape),
                                   "data_offsets": [len(data), len(data) + len(raw)]}
                data += raw
            else:
                stream = io.BytesIO()
                np.save(stream, array)
                files[f"in{i}.npy"] = stream.getvalue()
        if header:
            files["weights.safetensors"] = safetensors(header, data)
        return files

    def given(self):
        return [n for n in self.order if n.op == "input"]

    def compile_options(self):
        return " ".join(f"{k}={v}" for k, v in self.options.items())

    def arguments(self):
        loaded = [bool(n.attrs.get("param")) for n in self.given()]
        return ["case.mlir", f"--compile={self.compile_options()}", "--machine=machine.json",
                "--entry=main", *(["--weights=weights.safetensors"] if any(loaded) else []),
                *(f"--arg=@in{i}.npy" for i, param in enumerate(loaded) if not param),
                *(f"--out=@out{i}.npy" for i in range(len(self.results)))]

    def check(self, tools, directory):
        for old in directory.iterdir():
            old.unlink()
        for name, data in self.files().items():
            (directory / name).write_bytes(data)
        done = tools.run("trn-run", *self.arguments(), cwd=directory)
        if done.trouble:
            return done.trouble, done.describe()
        left = [p.name for p in directory.glob("out*.npy")]
        if done.status:
            if left:
                return "left behind", f"{left} after a failed run\n{done.describe()}"
            if done.silent or self.internal(done.err):
                return "wrong", "an error about what nobody wrote\n" + done.describe()
            return "refused", done.describe()
        self.rounds_more = self.loose(tools, directory)
        leaves = [round_to(v, n.dtype) for v, n in
                  zip(self.inputs(), (n for n in self.order if n.op == "input"))]
        known = graph.evaluate(self.order, leaves)
        # Products in another order round other matrices, and may come closer to the truth.
        exact = graph.evaluate(self.order, leaves, rounds="allow-rounding" not in self.options)
        for i, node in enumerate(self.results):
            actual = np.load(directory / f"out{i}.npy").astype(np.float32)
            problem = self.compare(actual, known[node], node, i)
            if problem and self.compare(actual, exact[node], node, i):
                return "wrong", problem
        return self.validated(tools, directory) if tools.validate else ("agree", "")

    def validated(self, tools, directory):
        """Whether values stay the same from pass to pass."""
        done = tools.run("trn-opt", "case.mlir",
                         f"--trn-compile={self.compile_options()} machine=machine.json",
                         f"--trn-validate-each-pass={self.seed}", "-o", "compiled.mlir", cwd=directory)
        if done.trouble:
            return done.trouble, done.describe()
        return ("wrong", "a pass: " + done.describe()) if done.status else ("agree", "")

    def internal(self, words):
        """Whether an error is about IR that nobody wrote."""
        ops = re.findall(rb"error: '(\w+\.\w+)' op", words)
        text = Printer(self.results, self.order).text().encode()
        return INTERNAL.search(words) or any(op not in text for op in ops)

    def loose(self, tools, directory):
        """Whether values may be rounded more often than the source says: if told so, or if
        partial sums did not fit SBUF as f32, which the report's `partials` tells."""
        if "allow-rounding" in self.options:
            return True
        if not {"block-k", "block-m", "blocks", "keep"} & set(self.options) and len(self.machine) == 1:
            return False
        tools.run("trn-run", *[a for a in self.arguments() if a[:5] not in ("--arg", "--out", "--wei")],
                  "--timing-only", "--report=report.json", cwd=directory)
        report = directory / "report.json"
        kernels = json.loads(report.read_text())["kernels"] if report.exists() else []
        return any(k.get("partials", "f32") != "f32" for k in kernels)

    def compare(self, actual, value, node, i):
        forms = [value]
        if "output-layout" in self.options and len(node.shape) == 2:
            forms.append(value.map(np.transpose))
        for form in forms:
            if form.lo.shape != actual.shape:
                continue
            agree = form.accepts(actual)
            if self.rounds_more and not agree.all():
                middle = form.lo.astype(np.float64) / 2 + form.hi / 2
                size = np.linalg.norm(middle)
                if not np.isfinite(size) or np.linalg.norm(actual - middle) <= ALLOWED * size:
                    return None
            if agree.all():
                return None
        if form.lo.shape != actual.shape:
            return f"result {i} has shape {actual.shape}, but should have {node.shape}"
        place = tuple(int(n) for n in np.argwhere(~agree)[0])
        return (f"result {i} at {list(place)} is {actual[place]!r}, but should be in "
                f"[{form.lo[place]!r}, {form.hi[place]!r}]; {np.sum(~agree)} of {agree.size} differ")


def array_bytes(array, dtype):
    if dtype == "bf16":
        return (array.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    return array.astype(np.float16 if dtype == "f16" else np.float32).tobytes()


def smaller(case):
    """Fewer results, ops, options and constants of the machine."""
    if len(case.results) > 1:
        for i in range(len(case.results)):
            yield Case(case.results[:i] + case.results[i + 1:], case.options, case.machine, case.seed)
    for i, node in enumerate(case.order):
        for j, argument in enumerate(node.args):
            # The op is left out; its operand, or an input of its type, takes its place.
            if argument.shape == node.shape and argument.dtype == node.dtype:
                yield replaced(case, node, lambda n, j=j: n.args[j])
        if node.op != "input":
            yield replaced(case, node, lambda n: Node("input", [], n.shape, n.dtype))
        for tree in node.attrs["tree"].postorder()[:-1] if "tree" in node.attrs else []:
            if tree.dtype == node.dtype and tree.op != "constant":
                other = copy.deepcopy(case)
                place = other.order[i]
                whole = place.attrs["tree"].postorder()
                place.attrs["tree"] = whole[node.attrs["tree"].postorder().index(tree)]
                yield Case(other.results, case.options, case.machine, case.seed)
        if len(node.args) > 1 and node.attrs.get("dest"):
            other = copy.deepcopy(case)
            del other.order[i].attrs["dest"], other.order[i].args[-1]
            yield Case(other.results, case.options, case.machine, case.seed)
    for name in case.options:
        yield Case(case.results, {k: v for k, v in case.options.items() if k != name},
                   case.machine, case.seed)
    for name in case.machine:
        if name != "base":
            yield Case(case.results, case.options,
                       {k: v for k, v in case.machine.items() if k != name}, case.seed)


def replaced(case, node, by):
    other = copy.deepcopy(case)
    place = other.order[case.order.index(node)]
    new = by(place)
    for user in other.order:
        user.args = [new if a is place else a for a in user.args]
        if user.attrs.get("dest") is place:
            user.attrs["dest"] = new
    return Case([new if n is place else n for n in other.results], case.options, case.machine,
                case.seed)


def shrink(case, outcome, words, tools, directory, limit=250):
    def same(found):
        return found[0] == outcome and found[1].startswith("an error") == words.startswith("an error")

    progress = outcome != "hang"
    while progress and limit > 0:
        progress = False
        for other in smaller(case):
            limit -= 1
            if limit < 0:
                break
            if any(n.op != "input" for n in other.order) and same(other.check(tools, directory)):
                case, progress = other, True
                break
    return case


def run(number, seed, tools, directory):
    rng = random.Random(f"modules {seed} {number}")
    results = Builder(rng).graph()
    options, machine = draw_options(rng, results)
    case = Case(results, options, machine, rng.randrange(2 ** 31))
    outcome, text = case.check(tools, directory)
    return conclude(case, outcome, text, tools, directory)


def conclude(case, outcome, text, tools, directory):
    """What is reported of a case, made smaller if it failed."""
    if outcome in ("agree", "refused"):
        return outcome, None
    small = shrink(case, outcome, text, tools, directory)
    again, words = small.check(tools, directory)
    if again != outcome:
        small, words = case, text
    command = "trn-run " + " ".join(f"'{a}'" if " " in a or a.endswith("=") else a
                                    for a in small.arguments())
    return outcome, Failure(outcome, words, small.files(), command)
