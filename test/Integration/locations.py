"""Every trn op leads back to the op or the argument of the source that it serves.

RUN: %python %s %t
"""

import itertools
import pathlib
import re
import subprocess
import sys

LOC = r'loc\("([^"]*)":(\d+):(\d+)\)'
VIEW = re.compile(r"(%\w+) = memref\.(?:subview|expand_shape|collapse_shape|transpose|cast|reinterpret_cast) (%\w+)")
USE = re.compile(r"%\w+")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    done.check_returncode()
    return done.stdout


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
        self.sums = {}        # a buffer of sums or transposes -> where they are rounded
        self.rounded = set()  # places of evictions
        # X, U, V, O; of two kernels for a chain, X, U, Y and Y, V, O.
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
            self.sums.pop(result[1], None)

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
        self.sums[into] = self.source.roundings[self.source.products.index(place)]
        return [self.products[weight - 1] for weight in weights]

    def transpose(self, uses, _):
        # Of X, which was loaded, or of Y.
        index = self.origins.get(uses[0])
        self.sums[uses[1]] = self.source.roundings[0] if index is None else self.places[index]
        return [self.sums[uses[1]]]

    def evict(self, uses, place):
        result = next((self.sums[name] for name in uses if name in self.sums), None)
        self.rounded.add(place)
        if result is None:
            return None
        self.sums[uses[-1]] = result
        return [result]

    activation = tensor_copy = tensor_tensor = evict


def check(path, options, schedule=""):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    starts = [number for number, line in enumerate(lines) if "func.func" in line] + [len(lines)]
    sources = [Source(lines[begin:end], begin + 1, path) for begin, end in itertools.pairwise(starts)]
    printing = "--mlir-print-debuginfo", "--mlir-print-local-scope"
    given = path
    if schedule:
        given = f"{path}.outlined"
        outlined = run("trn-opt", path, "--trn-outline-kernels", *printing)
        with open(given, "w", encoding="utf-8") as file:
            file.write(outlined.replace("trn.kernel", f"trn.kernel, trn.schedule = {schedule}"))
    compiled = run("trn-opt", given, f"--trn-compile=effort=1 {options}", *printing)
    kernels, ops = [], 0
    for line in compiled.splitlines():
        if match := re.search(r"func\.func private @(\w+?)_kernel(_2)?\(", line):
            source = next(source for source in sources if source.name == match[1])
            is_cut = f"@{source.name}_kernel_2(" in compiled
            kernels.append(Kernel(source, (2 if match[2] else 1) if is_cut else 0))
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
        if not set(source.roundings) <= rounded:
            sys.exit(f"{options}: nothing rounds at {set(source.roundings) - rounded}")
    print(f"{ops} ops of {len(kernels)} kernels: {options}")


def generate(path, kind, *flags):
    run("trn-gen", kind, *flags, "-o", path)
    return path


BASE = sys.argv[1]
SMALL = ("--m=512", "--k=1024", "--r=256", "--n=2048")
ODD = ("--m=700", "--k=300", "--r=130", "--n=900")
def join(path, functions):
    """Several functions, by name, in a module. A text that is generated has its maps before it."""
    maps, bodies = "", ""
    for name, (kind, *flags) in functions.items():
        above, body = run("trn-gen", kind, *flags).replace("@main", f"@{name}").split("module {\n")
        # Maps have other numbers in each text.
        for alias, value in re.findall(r"(#\w+) = (.*)", above):
            body = re.sub(alias + r"\b", f"{alias}_{name}", body)
            maps += f"{alias}_{name} = {value}\n"
        bodies += body.rsplit("}\n", 1)[0]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{maps}module {{\n{bodies}}}\n")
    return path


for layout in (), ("--transposed-input",):
    chains = {"small": ("xuv", *SMALL, *layout), "odd": ("xuv", *ODD, *layout)}
    products = {f"{name}_product": ("xw", *(flag for flag in flags if "--r=" not in flag))
                for name, (_, *flags) in chains.items()}
    modules = [join(f"{BASE}.{name}.mlir", functions)
               for name, functions in (("chains", chains), ("products", products))]
    for strategy, transpose, output in itertools.product(
            ("strip-cache", "sequential", "recompute"), ("implicit", "explicit"),
            ("standard", "transposed")):
        options = f"strategy={strategy} transpose={transpose} output-layout={output}"
        for module in modules[:2 if strategy == "strip-cache" and transpose == "implicit" else 1]:
            check(module, options)

# The contraction is cut.
demo = generate(f"{BASE}.demo.mlir", "xuv", "--m=4096", "--k=7168", "--r=4096", "--n=18432")
check(demo, "block-m=1024")
wide = generate(f"{BASE}.wide.mlir", "xw", "--m=1024", "--k=131072", "--n=1024")
check(wide, "")

# Half of Y goes through HBM.
parts = generate(f"{BASE}.parts.mlir", "xuv", "--m=512", "--k=256", "--r=512", "--n=512", "--transposed-input")
check(parts, "", """#trn.schedule<
    dims = [k = 256, m = 512, r = 512, n = 512, ra = 256 of r, rb = 256 of r from 256],
    matrices = [x : k x m bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result,
                ya : ra x m bf16, yb : rb x m bf16],
    stages = [ya = u * x over k, yb = u * x over k, o = ya * v over ra + yb * v over rb],
    nests = [ya (m = 256), yb (m = 256, rb = 128), o (m = 256, n = 512, m = 128)],
    homes = [x at m, u at kernel, ya at m, yb at rb for yb, yb at m.1 for o, v at n, o at m.1]>""")
