"""Exports kernels, reads what was exported, compiles it, and exports it again.

The second text and the third are equal, values are those of the kernel that was exported, and with
addresses it takes the same time.
"""

import collections
import random
import re
import statistics
import sys

import numpy as np
from trn_mlir.nki._load import trace
from trn_mlir.nki._modules import read_text

from Inputs import exports
from Inputs.exports import KERNEL, TOLERANCE, export, load, random_argument, values

# The recorder does not take the place of what is called `nki`.
sys.path.remove(str(exports.HERE / "standin"))
sys.path.append(str(exports.HERE.parents[2] / "Campaign"))
HEADER = re.compile("(?<=NKI )0.6|(?<=--nki=)0.6")
# Whose engine the text does not name (docs/NKI.md).
UNNAMED = re.compile(r"trn\.tensor_scalar .* on gpsimd")
# A transpose in PSUM has the type of what it transposes after beta 1, but f32 in our kernels, where
# an engine reads it at half the rate.
NARROWED = re.compile(r"trn\.transpose %\w+ into %\w+ : memref<[\dx]+xb?f16\b.* to memref<[\dx]+xf32\b")
counts = collections.Counter()
drifts, narrowed = [], []


def imported(text, path, types, version, machine):
    """The modules that the recorder makes of each kernel of a text, as MLIR with the names of its
    arguments."""
    module = read_text(text, str(path))
    traced = {}
    for symbol, inputs in types.items():
        name = symbol if symbol.endswith("_kernel") else symbol + "_kernel"
        traced[name] = trace(getattr(module, symbol), inputs, machine=machine,
                             version=version).mlir
    return traced


def latency(loaded, symbol):
    return loaded[f"run_{symbol}"].time()


def check_values(name, kinds, actual, wanted):
    allowed = max(TOLERANCE[kind] for kind in kinds)
    for one, other in zip(actual, wanted):
        finite = np.isfinite(other)
        error = np.linalg.norm(one[finite] - other[finite]) / (np.linalg.norm(other[finite]) or 1)
        counts["worst"] = max(counts["worst"], error / allowed)
        if one.shape != other.shape or not error <= allowed or \
                not np.array_equal(np.isnan(one), np.isnan(other)):
            sys.exit(f"{name}: relative error {error:.2e}, at most {allowed:.0e} is allowed")


def check(name, stem, text, version, flags=(), kernels=1):
    """One module, in the place of `exports.check_compiled`. Returns what was exported."""
    path = stem.with_suffix(".mlir")
    python = export(text, path, version, flags)
    signatures = {symbol: exports.signature_of(signature) for symbol, signature in KERNEL.findall(text)}
    types = {symbol: [f"{kind}[{', '.join(map(str, sizes))}]"
                      for sizes, kind, result in arguments if not result]
             for symbol, arguments in signatures.items()}
    machine = exports.MACHINES[version]
    second = imported(python, stem, types, version, machine)
    if version == "0.6":
        newer = imported(HEADER.sub("0.7", python), stem, types, "0.7", machine)
        if newer != second:
            sys.exit(f"{name}: NKI 0.7 is read otherwise")
    first = load(text, signatures)
    generator = np.random.default_rng(7)
    for symbol, arguments in signatures.items():
        what = f"{name}, {symbol}"
        kernel = symbol if symbol.endswith("_kernel") else symbol + "_kernel"
        python2 = export(second[kernel], path, version, flags)
        third = imported(python2, stem, {kernel: types[symbol]}, version, machine)[kernel]
        python3 = export(third, path, version, flags)
        if python3 != python2:
            stem.with_suffix(".2.py").write_text(python2)
            stem.with_suffix(".3.py").write_text(python3)
            sys.exit(f"{what}: the third text differs from the second: {stem}.[23].py")
        again = load(second[kernel], {kernel: arguments})
        inputs = [random_argument(shape, kind, generator)
                  for shape, kind, result in arguments if not result]
        check_values(what, [kind for _, kind, _ in arguments],
                     values(again, kernel, inputs), values(first, symbol, inputs))
        path.write_text(text)
        check_time(what, path, latency(first, symbol), latency(again, kernel), symbol, kernel, arguments, version,
                   flags, types[symbol])
        counts["kernels"] += 1
    return python


def check_random(folder, seed, number):
    """A random module as in random-kernels.py. Says what became of it."""
    import generate
    from kernels import Case
    rng = random.Random(f"round trip {seed} {number}")
    kernel = generate.Generator(rng.random()).kernel()
    case = Case(kernel, rng.randrange(2 ** 31))
    for name, data in case.files().items():
        (folder / name).write_bytes(data)
    if exports.subprocess.run(["trn-run", *case.arguments()], cwd=folder,
                              capture_output=True).returncode:
        return "not legal"
    version = "0.6" if kernel.machine == "trn2" else "beta1"
    file = folder / "case.mlir"
    done = exports.subprocess.run(["trn-translate", "--mlir-to-nki", f"--nki={version}", file],
                                  capture_output=True)
    if done.returncode:
        return "refused"
    check(f"module {number} of seed {seed}", folder / "round", file.read_text(), version)
    return f"agree in {version}"


def check_time(what, path, wanted, free, symbol, kernel, arguments, version, flags, inputs):
    drifts.append((abs(free - wanted) / wanted * 100, what))
    text = path.read_text()
    if version == "beta1" or UNNAMED.search(text):
        return
    done = exports.subprocess.run(
        ["trn-translate", "--mlir-to-nki", f"--nki={version}", *flags, "--addresses", path],
        capture_output=True, text=True)
    if done.returncode:
        if "needs a tile for an intermediate value" not in done.stderr:
            sys.exit(f"{what}: {done.stderr}")
        return
    module = imported(done.stdout, path.with_suffix(""), {symbol: inputs}, version, exports.MACHINES[version])
    actual = latency(load(module[kernel], {kernel: arguments}), kernel)
    if NARROWED.search(text):
        narrowed.append((actual - wanted) / wanted * 100)
        if actual > wanted:
            sys.exit(f"{what}: {actual} ms with narrower transposes, at most {wanted} are expected")
        return
    counts["placed"] += 1
    if actual != wanted:
        sys.exit(f"{what}: {actual} ms with addresses, but {wanted} ms are expected")


def report():
    drift = [one for one, _ in drifts]
    worst, where = max(drifts)
    print(f"{counts['kernels']} kernels come back; the largest error is {counts['worst']:.2f} of "
          f"what is allowed; {counts['placed']} with addresses take the same time, {len(narrowed)} "
          f"with narrower transposes at most {-min(narrowed, default=0):.2f} % less; without, times "
          f"differ by {statistics.mean(drift):.2f} % in the mean and {worst:.2f} % at most "
          f"({where})")
