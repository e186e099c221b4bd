"""Random placed kernels against the byte model (model.py).

What the model allows must run and give its values; what it forbids must be refused, and
the error must stand at a statement that the model names.
"""

import copy
import io
import random
import re

import numpy as np

import generate
import plant
from model import Model, Unclear
from program import For, Kernel, Writer
from tools import Failure

LINE = re.compile(rb"case\.mlir:(\d+):\d+: error: (.*)")


class Case:
    """One kernel with its inputs, and what the tool makes of it."""

    def __init__(self, kernel, seed):
        self.kernel, self.seed = kernel, seed
        self.writer = Writer(kernel, seed)
        self.text = self.writer.text()
        self.inputs = generate.inputs(kernel, seed)

    def expected(self):
        """The model, or None where the docs leave open what happens."""
        try:
            return Model(self.kernel, generate.rounded(self.kernel, self.inputs))
        except Unclear:
            return None

    def files(self):
        files = {"case.mlir": self.text.encode()}
        for buffer, value in zip(self.kernel.arguments, self.inputs):
            if value is not None:
                stream = io.BytesIO()
                np.save(stream, value)
                files[f"{buffer.name}.npy"] = stream.getvalue()
        return files

    def arguments(self):
        args = [f"--arg=@{b.name}.npy" for b in self.kernel.arguments if b.kind == "input"]
        outs = [f"--out=@{b.name}.npy" for b in self.kernel.arguments if b.kind == "result"]
        return ["case.mlir", "--entry=k", *args, *outs, "--max-steps=1000000"]

    def check(self, tools, directory):
        """(outcome, text): legal, fault, unclear, or what is wrong."""
        model = self.expected()
        if model is None:
            return "unclear", ""
        for old in directory.iterdir():
            old.unlink()
        for name, data in self.files().items():
            (directory / name).write_bytes(data)
        done = tools.run("trn-run", *self.arguments(), cwd=directory)
        if done.trouble:
            return done.trouble, done.describe()
        results = [b for b in self.kernel.arguments if b.kind == "result"]
        if model.faults:
            return self.compare_fault(model, done, directory, results)
        if done.status and model.optional:
            return self.compare_fault(model, done, directory, results)
        if done.status:
            return "wrong", "the model allows this kernel, but\n" + done.describe()
        for buffer, value in zip(results, model.results):
            actual = np.load(directory / f"{buffer.name}.npy").astype(np.float32)
            if actual.shape != buffer.shape:
                return "wrong", f"shape {actual.shape} of {buffer.name}"
            agree = value.accepts(actual)
            if not agree.all():
                place = tuple(int(i) for i in np.argwhere(~agree)[0])
                return "wrong", (f"{buffer.name}{list(place)} is {actual[place]!r}, but should be "
                                 f"in [{value.lo[place]!r}, {value.hi[place]!r}]; "
                                 f"{np.sum(~agree)} of {agree.size} differ")
        return "legal", ""

    def compare_fault(self, model, done, directory, results):
        rules = "; ".join(f.rule for f in model.faults)
        if done.status == 0:
            return "wrong", f"ran, but the model says: {rules}"
        for buffer in results:
            if (directory / f"{buffer.name}.npy").exists():
                return "left behind", f"{buffer.name}.npy exists after a failed run"
        found = LINE.search(done.err)
        if not found:
            return "wrong", "no error at a line\n" + done.describe()
        owner = self.writer.owner_of(int(found[1]))
        if owner in [f.statement for f in model.faults + model.optional]:
            return "fault", rules
        return "misplaced", f"the model says: {rules}\n" + done.describe()


def parent_lists(kernel):
    """Every list of statements, innermost last."""
    lists = [kernel.body]
    for statement in kernel.statements():
        if isinstance(statement, For):
            lists.append(statement.body)
    return lists


def smaller(kernel):
    """Kernels that lack a statement, or have a loop run fewer times."""
    for number, body in enumerate(parent_lists(kernel)):
        sizes = [n for n in (8, 4, 2, 1) if n <= len(body)]
        for size in sizes:
            for first in range(0, len(body) - size + 1, size):
                other = copy.deepcopy(kernel)
                del parent_lists(other)[number][first:first + size]
                yield other
    for number, statement in enumerate(kernel.statements()):
        if isinstance(statement, For) and len(statement.loop.counts()) > 1:
            other = copy.deepcopy(kernel)
            loop = list(other.statements())[number].loop
            loop.upper = loop.lower + 1
            yield other


def used(kernel):
    """Without the arguments that nobody names."""
    named = set()
    for statement in kernel.statements():
        for view in getattr(statement, "operands", {}).values():
            named.add(view.base)
        named.add(getattr(statement, "buffer", None))
    return Kernel([b for b in kernel.arguments if b in named], kernel.body, kernel.machine)


def defined(kernel):
    """Whether every buffer is made before it is used, so that the text parses."""
    def walk(body, known):
        known = set(known)
        for s in body:
            names = [v.base for v in s.operands.values()] if hasattr(s, "operands") else []
            if type(s).__name__ == "Free":
                names = [s.buffer]
            if any(b not in known for b in names):
                return False
            if type(s).__name__ == "Alloc":
                known.add(s.buffer)
            if isinstance(s, For) and not walk(s.body, known):
                return False
        return True
    return walk(kernel.body, kernel.arguments)


def signature(text):
    """What a smaller kernel must still show; which element differs does not matter."""
    if text.startswith("ran, but"):
        return text
    if found := re.search(r"error: (.*)", text):
        return re.sub(r"[0-9]+", "", found[1])
    return ""


def shrink(kernel, seed, outcome, text, tools, directory, limit=400):
    """The smallest kernel that still ends in the same way."""
    progress = True
    while progress and limit > 0:
        progress = False
        for other in smaller(kernel):
            other = used(other)
            if not defined(other) or not any(b.kind == "result" for b in other.arguments):
                continue
            limit -= 1
            if limit < 0:
                break
            found, words = Case(other, seed).check(tools, directory)
            if found == outcome and signature(words) == signature(text):
                kernel, progress = other, True
                break
    return kernel


def run(number, seed, tools, directory):
    """One case: (outcome, None or a Failure)."""
    rng = random.Random(f"kernels {seed} {number}")
    kernel = generate.Generator(rng.random(), chains=True).kernel()
    planted = plant.plant(kernel, rng) if rng.random() < 0.45 else None
    case_seed = rng.randrange(2 ** 31)
    case = Case(kernel, case_seed)
    outcome, text = case.check(tools, directory)
    if outcome in ("legal", "fault", "unclear"):
        return f"{outcome}", None
    small = Case(shrink(kernel, case_seed, outcome, text, tools, directory), case_seed)
    again, words = small.check(tools, directory)
    if again != outcome:
        small, words = case, text
    command = "trn-run " + " ".join(small.arguments())
    note = f"planted: {planted}\n{words}" if planted else words
    return outcome, Failure(outcome, note, small.files(), command)
