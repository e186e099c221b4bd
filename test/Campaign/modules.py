"""Random linalg modules, compiled in random ways for random machines, against NumPy.

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
from graph import MLIR_BINARY, MLIR_UNARY, Node
from tools import Failure
from values import round_to

PARTITIONS = 128
# Errors about IR that nobody wrote.
INTERNAL = re.compile(rb"see current operation|does not dominate this use|failed to legalize|"
                      rb"op result type mismatch|failed to verify|unrealized_conversion_cast")
ALLOWED = 2e-2  # of values that may be rounded more often than the source says


class Builder:
    def __init__(self, rng):
        self.rng = rng
        self.nodes = []  # 2-D ones
        self.inputs = []

    def size(self):
        r = self.rng
        which = r.random()
        if which < 0.35:
            return r.randint(1, 17)
        if which < 0.6:
            return min(PARTITIONS * r.randint(1, 4) + r.randint(-2, 2), 400)
        return r.randint(1, 300)

    def add(self, op, args, shape, dtype, **attrs):
        node = Node(op, args, tuple(shape), dtype, attrs)
        (self.inputs if op == "input" else self.nodes).append(node)
        return node

    def input(self, shape, dtype):
        for node in self.inputs:
            if node.shape == tuple(shape) and node.dtype == dtype and self.rng.random() < 0.3:
                return node
        return self.add("input", [], shape, dtype)

    def some(self, test=lambda n: True):
        """A node made before, the later the likelier, or an input."""
        found = [n for n in self.nodes + self.inputs if len(n.shape) == 2 and test(n)]
        later = [n for n in self.nodes[-2:] if n in found]
        if later and self.rng.random() < 0.6:
            return self.rng.choice(later)
        return self.rng.choice(found) if found else None

    def graph(self):
        r = self.rng
        self.dtype = r.choice(["bf16", "bf16", "f32", "f16"])
        if r.random() < 0.3:
            return [self.chain()]
        self.input((self.size(), self.size()), self.dtype)
        for _ in range(r.choice([1, 2, 2, 3, 4, 6])):
            self.product()
            for _ in range(r.choice([0, 0, 1, 1, 2])):
                r.choice([self.cast, self.transpose, self.transpose, self.unary, self.binary,
                          self.binary, self.slice, self.named])()
        if r.random() < 0.08:
            self.batches()
        used = {a for n in self.nodes for a in n.args}
        results = [n for n in self.nodes if n not in used][-3:] or self.nodes[-1:]
        if r.random() < 0.15:
            results.append(r.choice(self.nodes))
        if r.random() < 0.06:
            results.append(results[0])
        if r.random() < 0.04:
            results.append(self.inputs[0])
        return results

    def chain(self):
        """Two products, or one: what the strategies are for."""
        m, k, r, n = (self.size() if self.rng.random() < 0.8 else self.rng.randint(1, 700)
                      for _ in range(4))
        transposed = self.rng.random() < 0.35
        x = self.add("input", [], (k, m) if transposed else (m, k), self.dtype)
        for rows, columns in ((k, r), (r, n))[:1 + (self.rng.random() < 0.8)]:
            w = self.add("input", [], (rows, columns), self.dtype)
            y = self.add("matmul", [x, w], (m, columns), "f32", ta=transposed, tb=False)
            x, transposed = self.narrow(y), False
        if self.rng.random() < 0.35:
            x = self.add("transpose", [x], x.shape[::-1], x.dtype)
        return x

    def narrow(self, x):
        return x if x.dtype == self.dtype else self.add("cast", [x], x.shape, self.dtype)

    def product(self):
        r = self.rng
        x = self.some()
        if x.dtype != self.dtype and (r.random() < 0.9 or self.dtype == "f16"):
            x = self.narrow(x)
        if r.random() < 0.12:
            n = self.size()
            w = self.input((x.shape[1], n), x.dtype)
            self.add("call", [x, w], (x.shape[0], n), r.choice([x.dtype, "f32"]))
            return
        ta, tb = r.random() < 0.25, r.random() < 0.2
        m, k = x.shape[::-1] if ta else x.shape
        other = self.some(lambda n: n.dtype == x.dtype and n.shape[1 if tb else 0] == k
                          and n.op != "input")
        if other and r.random() < 0.15:
            w, n = other, other.shape[0 if tb else 1]
        else:
            n = self.size()
            w = self.input((n, k) if tb else (k, n), x.dtype)
        args, attrs = [x, w], {"ta": ta, "tb": tb, "generic": r.random() < 0.3,
                               "swapped": r.random() < 0.2}
        if r.random() < 0.1:
            args.append(self.input((m, n), "f32"))
        if r.random() < 0.04:
            attrs["before"] = r.choice(["neg", "abs"])
        self.add("matmul", args, (m, n), "f32", **attrs)

    def dest(self, shape, dtype):
        """A tensor whose content nobody reads."""
        if self.rng.random() < 0.15:
            return self.some(lambda n: n.shape == tuple(shape) and n.dtype == dtype)
        return None

    def elementwise(self, op, args, shape, dtype, **attrs):
        dest = self.dest(shape, dtype)
        if dest:
            self.add(op, args + [dest], shape, dtype, dest=dest, **attrs)
        else:
            self.add(op, args, shape, dtype, **attrs)

    def cast(self):
        x = self.some()
        self.elementwise("cast", [x], x.shape, self.rng.choice([self.dtype, "f32"]))

    def transpose(self):
        x = self.some()
        self.elementwise("transpose", [x], x.shape[::-1], x.dtype)

    def unary(self):
        x = self.some()
        self.elementwise("unary", [x], x.shape, x.dtype,
                         function=self.rng.choice(list(MLIR_UNARY)))

    def binary(self):
        x = self.some()
        function = self.rng.choice(list(MLIR_BINARY))
        if self.rng.random() < 0.4:
            row = self.add("input", [], (x.shape[1],), x.dtype)
            self.elementwise("binary", [x, row], x.shape, x.dtype, function=function, row=True)
            return
        y = self.some(lambda n: n.shape == x.shape and n.dtype == x.dtype) \
            or self.input(x.shape, x.dtype)
        self.elementwise("binary", [x, y], x.shape, x.dtype, function=function)

    def named(self):
        x = self.some()
        y = self.some(lambda n: n.shape == x.shape and n.dtype == x.dtype) \
            or self.input(x.shape, x.dtype)
        self.elementwise("binary", [x, y], x.shape, x.dtype, named=True,
                         function=self.rng.choice(graph.NAMED))

    def slice(self):
        x = self.some()
        h, w = (self.rng.randint(1, extent) for extent in x.shape)
        offset = [self.rng.randint(0, e - s) for e, s in zip(x.shape, (h, w))]
        self.add("slice", [x], (h, w), x.dtype, offset=offset)

    def batches(self):
        b, m, k, n = self.rng.randint(1, 3), *(self.rng.randint(1, 40) for _ in range(3))
        x = self.add("input", [], (b, m, k), self.dtype)
        w = self.add("input", [], (b, k, n), self.dtype)
        self.add("batch", [x, w], (b, m, n), "f32")


def draw_options(rng):
    """Options of trn-compile, and a machine."""
    options = {}
    if rng.random() < 0.7:
        options["strategy"] = rng.choice(["auto", "strip-cache", "sequential", "recompute"])
    if rng.random() < 0.4:
        options["transpose"] = rng.choice(["implicit", "explicit"])
    for name in "mkrn":
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
                          ("stationary_free_max", [32, 64]), ("moving_free_max", [64, 128, 256]),
                          ("access_stride_max", [255, 1023]),
                          ("sbuf_free_max", [100, 512, 4096]), ("vector_transpose_size", [16]),
                          ("dma_gb_per_second_per_engine", [400])):
        if rng.random() < 0.06:
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
                scale = 1 if whole or len(node.shape) == 1 else node.shape[-2] ** -0.5 * 2
                value = rng.integers(-2, 3, node.shape) if whole \
                    else rng.standard_normal(node.shape) * scale
                result.append(value.astype(np.float32))
        return result

    def files(self):
        arrays = self.inputs()
        text = graph.Printer(self.results, self.order).text()
        files = {"case.mlir": text.encode(), "machine.json": json.dumps(self.machine).encode()}
        for i, array in enumerate(arrays):
            stream = io.BytesIO()
            np.save(stream, array)
            files[f"in{i}.npy"] = stream.getvalue()
        return files

    def arguments(self):
        count = sum(n.op == "input" for n in self.order)
        options = " ".join(f"{k}={v}" for k, v in self.options.items())
        return ["case.mlir", f"--compile={options}", "--machine=machine.json",
                "--entry=main", *(f"--arg=@in{i}.npy" for i in range(count)),
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
        return "agree", ""

    def internal(self, words):
        """Whether an error is about IR that nobody wrote."""
        ops = re.findall(rb"error: '(\w+\.\w+)' op", words)
        text = graph.Printer(self.results, self.order).text().encode()
        return INTERNAL.search(words) or any(op not in text for op in ops)

    def loose(self, tools, directory):
        """Whether values may be rounded more often than the source says: if told so, or if
        partial sums did not fit SBUF as f32, which the report's `partials` tells."""
        if "allow-rounding" in self.options:
            return True
        if not {"block-k", "block-m", "blocks", "keep"} & set(self.options) and len(self.machine) == 1:
            return False
        tools.run("trn-run", *[a for a in self.arguments() if a[:5] not in ("--arg", "--out")],
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


def shrink(case, outcome, words, tools, directory, limit=150):
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
    options, machine = draw_options(rng)
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
