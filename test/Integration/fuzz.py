"""Random products and chains agree with NumPy.

Each case draws sizes, types, layouts, a strategy and forced blocks from its
own number, so that any case can be run again alone:

    python3 test/Integration/fuzz.py --count 400          all of it
    python3 test/Integration/fuzz.py --only 17 --verbose  one case

trn-gen and trn-run are found on PATH. The suite runs a few of the cases:

RUN: %python %s --count 24 --directory %t
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np

# What is too large for a machine that was made small on purpose.
REFUSAL = re.compile(r"too large for SBUF|no blocks fit SBUF|buffers that are live together")
TOLERANCE = {"bf16": 1e-2, "f16": 2e-3, "f32": 1e-5}
PARTITIONS = 128


@dataclasses.dataclass
class Case:
    number: int
    kind: str
    sizes: dict
    dtype: str
    flags: list
    options: dict
    machine: str
    sbuf: int  # bytes of a partition; 0: the machine's own
    fast_dma: bool  # small chains are then limited by the tensor engine too

    def generate(self):
        sizes = [f"--{name}={size}" for name, size in self.sizes.items()]
        return ["trn-gen", self.kind, *sizes, f"--dtype={self.dtype}", *self.flags]

    def run(self, source, inputs, output):
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        machine = self.machine
        changes = {"sbuf_partition_bytes": self.sbuf} if self.sbuf else {}
        if self.fast_dma:
            changes |= {"dma_gb_per_second_per_engine": 400, "dma_ns_per_descriptor": 1}
        if changes:
            machine = source.with_suffix(".machine.json")
            machine.write_text(json.dumps({"base": self.machine, **changes}))
        return ["trn-run", str(source), f"--compile={options}", f"--machine={machine}",
                *(f"--arg=@{path}" for path in inputs), f"--out=@{output}"]


def draw_size(rng):
    """Small sizes, sizes around whole tiles, and anything up to 700."""
    which = rng.integers(4)
    if which == 0:
        return int(rng.integers(1, 17))
    if which == 1:
        near = PARTITIONS * rng.integers(1, 6) + rng.integers(-2, 3)
        return int(min(near, 700))
    return int(rng.integers(1, 701))


def draw_block(rng, size):
    """0 leaves the choice to the compiler; otherwise a multiple of a tile."""
    if rng.random() < 0.6:
        return 0
    return int(PARTITIONS * rng.integers(1, max(2, -(-size // PARTITIONS) + 1)))


def make_strips(rng, sizes, options):
    """Two to four strips, the last one perhaps shorter: X may come in early."""
    block = PARTITIONS * int(rng.integers(1, 3))
    shorter = int(rng.integers(block)) if rng.random() < 0.5 else 0
    sizes["m"] = block * int(rng.integers(2, 5)) - shorter
    sizes["n"] = int(rng.integers(256, 1500))
    options |= {"strategy": "strip-cache", "transpose": "implicit", "block-m": block}
    options.pop("block-k", None)


def draw(number, seed):
    rng = np.random.default_rng([seed, number])
    kind = "xuv" if rng.random() < 0.8 else "xw"
    sizes = {"m": draw_size(rng), "k": draw_size(rng), "n": draw_size(rng)}
    if kind == "xuv":
        sizes["r"] = draw_size(rng)
    flags = [flag for flag in ("--transposed-input", "--transposed-output")
             if rng.random() < 0.35]
    options = {"strategy": str(rng.choice(["auto", "strip-cache", "sequential", "recompute"])),
               "transpose": str(rng.choice(["implicit", "explicit"]))}
    if rng.random() < 0.3:
        options["output-layout"] = "transposed"
    for name in sizes:
        if block := draw_block(rng, sizes[name]):
            options[f"block-{name}"] = block
    dtype = str(rng.choice(["bf16", "f16", "f32"]))
    machine = str(rng.choice(["trn1", "trn1", "trn2"]))
    # With little SBUF small matrices spill, are read again and are split up.
    sbuf = 1024 * int(rng.integers(3, 24)) if rng.random() < 0.4 else 0
    fast_dma = bool(rng.random() < 0.4)
    if kind == "xuv" and rng.random() < 0.3:
        make_strips(rng, sizes, options)
    return Case(number, kind, sizes, dtype, flags, options, machine, sbuf, fast_dma)


def round_to(values, dtype):
    if dtype == "f16":
        return values.astype(np.float16).astype(np.float32)
    if dtype == "f32":
        return values
    bits = values.view(np.uint32)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return bits.view(np.float32)


def make_inputs(case, seed):
    rng = np.random.default_rng([seed, case.number, 1])
    m, k, n = (case.sizes[name] for name in "mkn")
    shapes = [(m, k), (k, case.sizes["r"]), (case.sizes["r"], n)] if case.kind == "xuv" \
        else [(m, k), (k, n)]
    scales = [1] + [shape[0] ** -0.5 for shape in shapes[1:]]
    return [(rng.standard_normal(shape) * scale).astype(np.float32)
            for shape, scale in zip(shapes, scales)]


def check(case, seed, directory):
    """None, "refused", or what went wrong."""
    values = make_inputs(case, seed)
    expected = np.eye(case.sizes["m"])
    for value in values:
        expected = expected @ round_to(value, case.dtype).astype(np.float64)
    if "--transposed-input" in case.flags:
        values[0] = np.asfortranarray(values[0].T) if case.number % 2 else values[0].T.copy()
    transposed = "--transposed-output" in case.flags
    if "output-layout" in case.options:
        # W^T X^T with both given as they are is a plain product of W^T.
        plain = case.kind == "xw" and {"--transposed-input"} < set(case.flags)
        transposed = not plain
    if transposed:
        expected = expected.T

    stem = directory / f"case{case.number}"
    source, output = stem.with_suffix(".mlir"), stem.with_suffix(".o.npy")
    inputs = []
    for name, value in zip("xuv", values):
        inputs.append(stem.with_suffix(f".{name}.npy"))
        np.save(inputs[-1], value)
    commands = [case.generate() + ["-o", str(source)], case.run(source, inputs, output)]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if done.returncode == 1 and case.sbuf and REFUSAL.search(done.stderr):
            return "refused"
        if done.returncode:
            lines = " && ".join(shlex.join(c) for c in commands)
            return f"exit {done.returncode}\n{lines}\n{done.stderr[-3000:]}"
    actual = np.load(output)
    if actual.shape != expected.shape:
        return f"shape {actual.shape}, expected {expected.shape}"
    error = np.linalg.norm(actual - expected) / np.linalg.norm(expected)
    if not error <= TOLERANCE[case.dtype]:
        return (f"relative error {error:.2e}, at most {TOLERANCE[case.dtype]:.0e} is allowed\n"
                + " && ".join(shlex.join(c) for c in commands))
    for path in [source, output, *inputs]:
        path.unlink()
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int, help="run this case alone")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--directory", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    directory = args.directory or pathlib.Path(tempfile.mkdtemp(prefix="trn-fuzz-"))
    directory.mkdir(parents=True, exist_ok=True)
    numbers = [args.only] if args.only is not None \
        else range(args.first, args.first + args.count)

    failures = refused = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        cases = [draw(number, args.seed) for number in numbers]
        results = pool.map(lambda case: check(case, args.seed, directory), cases)
        for case, problem in zip(cases, results):
            if args.verbose or problem not in (None, "refused"):
                print(case, problem or "", flush=True)
            if problem == "refused":
                refused += 1
            elif problem:
                failures += 1
                print("FAILED:", problem, flush=True)
    print(f"{len(cases) - failures - refused} of {len(cases)} random cases agree with NumPy, "
          f"{refused} were refused because they do not fit a small SBUF")
    # Were refusals the rule, nothing would be tested.
    sys.exit(failures != 0 or refused > len(cases) // 4)


if __name__ == "__main__":
    main()
