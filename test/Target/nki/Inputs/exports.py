"""Exports kernels, runs them on the stand-ins, and compares with what trn-run computes.

A test imports this by PYTHONPATH and ends with `finish()`.
"""

import pathlib
import re
import subprocess
import sys

import numpy as np
from pyflakes import api, reporter

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "standin"))

import tensors  # noqa: E402

TOLERANCE = {"bf16": 2e-3, "f16": 2e-3, "f32": 1e-6}
MACHINES = {"0.6": "trn2", "beta1": "trn1"}
KERNEL = re.compile(r"func\.func private @(\w+)\(([^)]*)\) attributes \{[^\n]*trn\.kernel\b")
ARGUMENT = re.compile(r"memref<([\dx]+)x(bf16|f16|f32)>( \{trn\.result\})?")
counts = {"kernels": 0, "worst": 0.0}


def run(command, text=None):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stderr}")
    return done.stdout


def generate(kind, **options):
    """What `trn-gen KIND --m=... --transposed-input` writes."""
    flags = ["--" + name.replace("_", "-") + ("" if value is True else f"={value}")
             for name, value in options.items()]
    return run(["trn-gen", kind, *flags])


def lint(text, path):
    """Compiles the file as `python3 -m py_compile` does, and looks at it."""
    compile(text, str(path), "exec")
    if api.check(text, str(path), reporter.Reporter(sys.stdout, sys.stdout)):
        sys.exit(f"{path}: pyflakes complains")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > 100 or line != line.rstrip():
            sys.exit(f"{path}:{number}: {len(line)} columns, or blanks at the end")


def make_argument(values, kind):
    """An array of the element type that a memref calls `kind`."""
    values = np.asarray(values, np.float32)
    if kind == "f16":
        return values.astype(np.float16)
    return values if kind == "f32" else tensors.bfloat16.round(values).view(tensors.BFloat16)


def random_argument(shape, kind, random):
    """Values of variance one, or less in weights, so that products keep their size."""
    scale = np.sqrt(shape[0]) if len(shape) > 1 else 1
    return make_argument(random.standard_normal(shape) / scale, kind)


def simulate(kernel, arguments, version):
    if version == "beta1":
        from neuronxcc import nki
        results = nki.simulate_kernel(kernel, *arguments)
    else:
        import nki
        results = nki.simulate(kernel)(*arguments)
    return results if isinstance(results, tuple) else (results,)


def check(name, module, version, compile_options="effort=4", flags=(), kernels=1):
    """Compiles `module`, checks the `kernels` kernels of it, or more, and returns the Python."""
    stem = pathlib.Path(sys.argv[1] + "-" + re.sub(r"\W+", "-", name))
    options = f"machine={MACHINES[version]} {compile_options}"
    compiled = run(["trn-opt", "-", f"--trn-compile={options}"], module)
    return check_compiled(name, stem, compiled, version, flags, kernels)


def check_0_7(text, flags, path):
    """What is exported for 0.7 has the text for 0.6 below another header."""
    newer = run(["trn-translate", "--mlir-to-nki", "--nki=0.7", *flags, path])
    if newer != text.replace("NKI 0.6.", "NKI 0.7.", 1).replace("--nki=0.6", "--nki=0.7", 1):
        sys.exit(f"{path}: NKI 0.7 has another text")


def check_compiled(name, stem, compiled, version, flags=(), kernels=1):
    path = stem.with_suffix(".mlir")
    path.write_text(compiled)
    text = run(["trn-translate", "--mlir-to-nki", f"--nki={version}", *flags, path])
    python = stem.with_suffix(".py")
    python.write_text(text)
    lint(text, python)
    if version == "0.6":
        check_0_7(text, flags, path)
    namespace = {}
    exec(compile(text, str(python), "exec"), namespace)

    found = KERNEL.findall(compiled)
    if len(found) < kernels:
        sys.exit(f"{name}: {len(found)} kernels, {kernels} are expected")
    random = np.random.default_rng(7)
    for symbol, signature in found:
        arguments = [([int(n) for n in sizes.split("x")], kind, bool(result))
                     for sizes, kind, result in ARGUMENT.findall(signature)]
        inputs = [random_argument(shape, kind, random)
                  for shape, kind, result in arguments if not result]
        results = [kind for _, kind, result in arguments if result]
        # Intermediates may be as coarse as the coarsest of them.
        allowed = max(TOLERANCE[kind] for _, kind, _ in arguments)
        command = ["trn-run", path, f"--entry={symbol}"]
        outputs = [stem.with_suffix(f".{number}.npy") for number in range(len(results))]
        for number, value in enumerate(inputs):
            file = stem.with_suffix(f".in{number}.npy")
            np.save(file, np.asarray(value).astype(np.float32))
            command.append(f"--arg=@{file}")
        run([*command, *(f"--out=@{file}" for file in outputs)])
        actual = simulate(namespace[symbol], inputs, version)
        for value, file in zip(actual, outputs):
            wanted = np.load(file).astype(np.float64)
            error = np.linalg.norm(value - wanted) / (np.linalg.norm(wanted) or 1)
            counts["worst"] = max(counts["worst"], error / allowed)
            if value.shape != wanted.shape or not error <= allowed:
                sys.exit(f"{name}, {symbol}: relative error {error:.2e}, "
                         f"at most {allowed:.0e} is allowed")
        counts["kernels"] += 1
    return text


def finish(least):
    print(f"{counts['kernels']} kernels agree; the largest error is "
          f"{counts['worst']:.2f} of what is allowed")
    if counts["kernels"] < least:
        sys.exit(f"at least {least} kernels are expected")
