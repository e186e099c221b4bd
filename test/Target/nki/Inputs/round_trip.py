"""Exports kernels, reads what was exported, compiles it, and exports it again.

The second text and the third are equal, values are those of the kernel that was exported, and with
addresses it takes the same time.
"""

import collections
import json
import random
import re
import statistics
import sys

import numpy as np

import exports
from exports import KERNEL, ARGUMENT, TOLERANCE, random_argument, run

from trn_mlir.nki._load import trace
from trn_mlir.nki._modules import read_text

# The recorder does not take the place of what is called `nki`.
sys.path.remove(str(exports.HERE / "standin"))
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


def exported(path, version, flags):
    return run(["trn-translate", "--mlir-to-nki", f"--nki={version}", *flags, path])


def compiled(text, path):
    run(["trn-opt", "-", "--trn-compile", "--mlir-print-debuginfo", "-o", path], text)
    return path


def latency(path, symbol, stem):
    report = stem.with_suffix(".json")
    run(["trn-run", path, f"--entry={symbol}", "--timing-only", f"--report={report}"])
    return json.loads(report.read_text())["latency_ms"]


def values(path, symbol, inputs, num_results, stem):
    command, outputs = ["trn-run", path, f"--entry={symbol}"], []
    for number, value in enumerate(inputs):
        file = stem.with_suffix(f".in{number}.npy")
        np.save(file, np.asarray(value).astype(np.float32))
        command.append(f"--arg=@{file}")
    for number in range(num_results):
        outputs.append(stem.with_suffix(f".{number}.npy"))
        command.append(f"--out=@{outputs[-1]}")
    run(command)
    return [np.load(file).astype(np.float64) for file in outputs]


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
    first = stem.with_suffix(".mlir")
    first.write_text(text)
    python = exported(first, version, flags)
    found = KERNEL.findall(text)
    types, signatures = {}, {}
    for symbol, signature in found:
        arguments = [([int(n) for n in sizes.split("x")], kind, bool(result))
                     for sizes, kind, result in ARGUMENT.findall(signature)]
        signatures[symbol] = arguments
        types[symbol] = [f"{kind}[{', '.join(map(str, sizes))}]"
                         for sizes, kind, result in arguments if not result]
    machine = exports.MACHINES[version]
    second = imported(python, stem, types, version, machine)
    if version == "0.6":
        newer = imported(HEADER.sub("0.7", python), stem, types, "0.7", machine)
        if newer != second:
            sys.exit(f"{name}: NKI 0.7 is read otherwise")
    generator = np.random.default_rng(7)
    for symbol, arguments in signatures.items():
        what = f"{name}, {symbol}"
        kernel = symbol if symbol.endswith("_kernel") else symbol + "_kernel"
        again = compiled(second[kernel], stem.with_suffix(f".{symbol}.2.mlir"))
        python2 = exported(again, version, flags)
        third = imported(python2, stem, {kernel: types[symbol]}, version, machine)[kernel]
        last = compiled(third, stem.with_suffix(f".{symbol}.3.mlir"))
        if exported(last, version, flags) != python2:
            stem.with_suffix(".2.py").write_text(python2)
            stem.with_suffix(".3.py").write_text(exported(last, version, flags))
            sys.exit(f"{what}: the third text differs from the second: {stem}.[23].py")
        inputs = [random_argument(shape, kind, generator)
                  for shape, kind, result in arguments if not result]
        results = sum(result for *_, result in arguments)
        check_values(what, [kind for _, kind, _ in arguments],
                     values(again, kernel, inputs, results, stem),
                     values(first, symbol, inputs, results, stem))
        check_time(what, first, again, symbol, kernel, stem, version, flags, types[symbol])
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


def check_time(what, first, again, symbol, kernel, stem, version, flags, inputs):
    wanted = latency(first, symbol, stem)
    free = latency(again, kernel, stem)
    drifts.append((abs(free - wanted) / wanted * 100, what))
    if version == "beta1" or UNNAMED.search(first.read_text()):
        return
    done = exports.subprocess.run(
        ["trn-translate", "--mlir-to-nki", f"--nki={version}", *flags, "--addresses", first],
        capture_output=True, text=True)
    if done.returncode:
        if "needs a tile for an intermediate value" not in done.stderr:
            sys.exit(f"{what}: {done.stderr}")
        return
    module = imported(done.stdout, stem, {symbol: inputs}, version, exports.MACHINES[version])
    placed = compiled(module[kernel], stem.with_suffix(f".{symbol}.placed.mlir"))
    actual = latency(placed, kernel, stem)
    if NARROWED.search(first.read_text()):
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
