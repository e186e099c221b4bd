"""Every trn op leads back to the op or the argument of the source that it serves.

RUN: %python %s %t
"""

import itertools
import re
import subprocess
import sys

LOC = r'loc\("([^"]*)":(\d+):(\d+)\)'
VIEW = re.compile(r"(%\w+) = memref\.(?:subview|expand_shape|collapse_shape|transpose|cast) (%\w+)")
USE = re.compile(r"%\w+")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Source:
    """One function as it was written: places are (line, column)."""

    def __init__(self, lines, first, file):
        def places(pattern, text=None, line=None):
            chosen = [(line, text)] if text else enumerate(lines, first)
            return [(number, match.start() + 1) for number, text in chosen
                    for match in re.finditer(pattern, text)]

        self.file = file
        header = next((number, text) for number, text in enumerate(lines, first) if "func.func" in text)
        self.name = re.search(r"@(\w+)", header[1])[1]
        self.arguments = places(r"%\w+: tensor", header[1], header[0])
        self.products = places(r"linalg\.matmul")
        self.roundings = places(r"linalg\.generic")


class Kernel:
    """The placed text of a kernel, read from top to bottom."""

    def __init__(self, source, half):
        self.source, self.half = source, half
        self.roots = {}       # a view's name -> the buffer's
        self.origins = {}     # a buffer on chip -> arguments loaded into it
        self.sums = {}        # a PSUM buffer -> the place of what wrote it last
        self.rounded = set()  # places of evictions
        # X, U, V, O; a half of a sequential chain takes X, U, Y or Y, V, O.
        y = source.roundings[0]
        inputs = {0: source.arguments, 1: source.arguments[:2],
                  2: [y, source.arguments[-1]]}[half]
        self.places = inputs + [y if half == 1 else source.roundings[-1]]
        self.products = {0: source.products, 1: source.products[:1], 2: source.products[1:]}[half]

    def read(self, line):
        if view := VIEW.search(line):
            self.roots[view[1]] = self.root(view[2])
        if not (op := re.search(r"\btrn\.(\w+) ", line)) or "func.func" in line:
            return
        match = re.search(LOC + "$", line)
        if not match or match[1] != self.source.file:
            sys.exit(f"no location in the source: {line}")
        place = int(match[2]), int(match[3])
        uses = [self.root(name) for name in USE.findall(line[op.start():])]
        expected = getattr(self, op[1], lambda *_: None)(uses, place)
        known = self.source.arguments + self.source.products + self.source.roundings
        if place not in (expected or known):
            sys.exit(f"{place} instead of {expected or known}: {line}")
        if result := re.match(r"\s*(%\w+) = trn", line):
            self.roots.pop(result[1], None)  # names come back in other loops
            self.origins.pop(result[1], None)

    def root(self, name):
        return self.roots.get(name, name)

    def argument(self, name):
        match = re.fullmatch(r"%arg(\d)", name)
        return int(match[1]) if match and int(match[1]) < len(self.places) else None

    def dma_copy(self, uses, _):
        source, target = uses[:2]
        index = self.argument(source)
        if index is None:
            index = self.argument(target)
            return None if index is None else [self.places[index]]
        self.origins[target] = index
        return [self.places[index]]

    def matmul(self, uses, place):
        stationary, moving, into = uses[:3]
        # The weight says which product this is: U of the first, V of the second.
        weights = {self.origins.get(stationary), self.origins.get(moving)} - {0, None}
        self.sums[into] = place
        return [self.products[weight - 1] for weight in weights]

    def transpose(self, uses, place):
        self.sums[uses[1]] = place
        return self.products

    def evict(self, uses, place):
        made_by = next((self.sums[name] for name in uses if name in self.sums), None)
        self.rounded.add(place)
        if made_by is None:
            return None
        index = self.source.products.index(made_by)
        return [made_by, self.source.roundings[index]]

    activation = tensor_copy = tensor_tensor = evict


def check(path, options, sums_in_type=False):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    starts = [number for number, line in enumerate(lines) if "func.func" in line] + [len(lines)]
    sources = [Source(lines[begin:end], begin + 1, path) for begin, end in itertools.pairwise(starts)]
    compiled = run("trn-opt", path, f"--trn-compile={options}", "--mlir-print-debuginfo",
                   "--mlir-print-local-scope")
    kernels, ops = [], 0
    for line in compiled.splitlines():
        if match := re.search(r"func\.func private @(\w+)_kernel(?:_\d)?\(", line):
            source = next(source for source in sources if source.name == match[1])
            half = re.search(r"half = (\d)", line)
            kernels.append(Kernel(source, int(half[1]) if half else 0))
            # Loops reuse no name of an argument.
            for index, place in enumerate(kernels[-1].places):
                if f'%arg{index}: memref' not in line or \
                        f'"{path}":{place[0]}:{place[1]})' not in line:
                    sys.exit(f"argument {index} is not from {place}: {line}")
        elif kernels:
            kernels[-1].read(line)
            ops += " trn." in line
    for source in sources:
        mine = [kernel for kernel in kernels if kernel.source is source]
        rounded = set().union(*(kernel.rounded for kernel in mine))
        # Partial sums that are kept in the type of the result round as they add.
        if not sums_in_type and not set(source.roundings) <= rounded:
            sys.exit(f"{options}: nothing rounds at {set(source.roundings) - rounded}")
    print(f"{ops} ops of {len(kernels)} kernels: {options}")


def generate(path, kind, *flags):
    run("trn-gen", kind, *flags, "-o", path)
    return path


BASE = sys.argv[1]
SMALL = ("--m=512", "--k=1024", "--r=256", "--n=2048")
ODD = ("--m=700", "--k=300", "--r=130", "--n=900")
for layout, sizes in itertools.product(((), ("--transposed-input",)), (SMALL, ODD)):
    chain = generate(f"{BASE}.chain.mlir", "xuv", *sizes, *layout)
    single = generate(f"{BASE}.single.mlir", "xw", *(s for s in sizes if "--r" not in s), *layout)
    for strategy, transpose, output in itertools.product(
            ("strip-cache", "sequential", "recompute"), ("implicit", "explicit"),
            ("standard", "transposed")):
        options = f"strategy={strategy} transpose={transpose} output-layout={output}"
        check(chain, options)
        if strategy == "strip-cache" and transpose == "implicit":
            check(single, options)

# The contraction is cut, then Y spills as well.
demo = generate(f"{BASE}.demo.mlir", "xuv", "--m=4096", "--k=7168", "--r=4096", "--n=18432")
check(demo, "strategy=strip-cache block-m=1024", sums_in_type=True)
check(demo, "strategy=strip-cache block-m=4096", sums_in_type=True)
wide = generate(f"{BASE}.wide.mlir", "xw", "--m=1024", "--k=131072", "--n=1024")
check(wide, "")

# Several functions in a module.
with open(f"{BASE}.both.mlir", "w", encoding="utf-8") as both:
    for name, kind, *sizes in (("front", "xuv", *SMALL), ("back", "xw", "--m=300", "--k=200", "--n=700")):
        text = run("trn-gen", kind, *sizes).replace("@main", f"@{name}")
        maps, body = text.split("module {\n")
        both.write((maps if name == "front" else "") + body.rsplit("}\n", 1)[0])
check(f"{BASE}.both.mlir", "")
