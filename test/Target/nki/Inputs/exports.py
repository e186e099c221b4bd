"""Exports kernels, runs them on the stand-ins, and compares with what the interpreter computes.

All of it is calls of the library, as starting a tool takes longer than its work. A test imports this
by PYTHONPATH and ends with `finish()`.
"""

import pathlib
import re
import subprocess
import sys

import numpy as np
import trn_mlir as trn
from pyflakes import api, reporter

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "standin"))

import tensors  # noqa: E402

TOLERANCE = {"bf16": 2e-3, "f16": 2e-3, "f32": 1e-6}
MACHINES = {"0.6": "trn2", "beta1": "trn1"}
KERNEL = re.compile(r"func\.func private @(\w+)\(([^)]*)\) attributes \{[^\n]*trn\.kernel\b")
ARGUMENT = re.compile(r"memref<([\dx]+)x(bf16|f16|f32)>( \{trn\.result\})?")
HASH = re.compile(r"^# module .*", re.M)
# Between modules of a file, and between texts of them.
SPLIT = "// -----\n"
counts = {"kernels": 0, "worst": 0.0}
# Modules for trn2, and what they are in NKI 0.6, by the flags.
in_0_6 = {}


def run(command, text=None):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stderr}")
    return done.stdout


def generate(kind, **options):
    """What `trn-gen KIND --m=... --transposed-input` writes."""
    in_process = {"xw": trn.product, "xuv": trn.chain}.get(kind)
    if in_process and options.keys() <= {"m", "k", "r", "n", "dtype"}:
        return in_process(**options)
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


def signature_of(text):
    """The sizes, the type and whether it is a result of each argument of a kernel."""
    return [([int(n) for n in sizes.split("x")], kind, bool(result))
            for sizes, kind, result in ARGUMENT.findall(text)]


def entry(symbol, arguments):
    """A function `run_SYMBOL` that calls a kernel."""
    sizes = ["x".join(map(str, [*shape, kind])) for shape, kind, _ in arguments]
    given = [i for i, (*_, is_result) in enumerate(arguments) if not is_result]
    results = [i for i, (*_, is_result) in enumerate(arguments) if is_result]
    types = ", ".join(f"tensor<{sizes[i]}>" for i in results)
    return "\n".join([
        f"func.func @run_{symbol}({', '.join(f'%x{i}: tensor<{sizes[i]}>' for i in given)}) -> ({types}) {{",
        *(f"  %b{i} = bufferization.to_buffer %x{i} read_only : tensor<{sizes[i]}> to memref<{sizes[i]}>"
          for i in given),
        *(f"  %b{i} = memref.alloc() : memref<{sizes[i]}>" for i in results),
        f"  call @{symbol}({', '.join(f'%b{i}' for i in range(len(sizes)))}) : "
        f"({', '.join(f'memref<{size}>' for size in sizes)}) -> ()",
        *(f"  %o{i} = bufferization.to_tensor %b{i} restrict : memref<{sizes[i]}> to tensor<{sizes[i]}>"
          for i in results),
        f"  return {', '.join(f'%o{i}' for i in results)} : {types}", "}", ""])


def load(text, signatures):
    """The module, whose kernels can be called. `signatures` are those of its kernels by their names."""
    entries = "".join(entry(*one) for one in signatures.items())
    return trn.compile(re.sub(r"^module\b.*\{\n", lambda m: m[0] + entries, text, count=1, flags=re.M))


def values(loaded, symbol, inputs):
    results = loaded[f"run_{symbol}"].run(*(np.asarray(value).astype(np.float32) for value in inputs))
    return [np.asarray(one, np.float64) for one in (results if isinstance(results, tuple) else (results,))]


def compiled(module, version, options=""):
    """The program of a module, with options of `trn-compile`."""
    named = dict(option.split("=", 1) for option in options.split())
    return trn.compile(module, machine=MACHINES[version],
                       **{name.replace("-", "_"): value for name, value in named.items()}).mlir


def export(module, path, version, flags=()):
    """The module in NKI. Flags are those of trn-translate."""
    if not flags:
        return trn.compile(module).nki()
    # Arguments have their names from locations.
    run(["trn-opt", "-", "--trn-compile", "--mlir-print-debuginfo", "-o", path], module)
    return run(["trn-translate", "--mlir-to-nki", f"--nki={version}", *flags, path])


def check(name, module, version, compile_options="effort=4", flags=(), kernels=1):
    """Compiles `module`, checks the `kernels` kernels of it, or more, and returns the Python."""
    stem = pathlib.Path(sys.argv[1] + "-" + re.sub(r"\W+", "-", name))
    return check_compiled(name, stem, compiled(module, version, compile_options), version, flags, kernels)


def check_0_7(flags, modules, texts):
    """What is exported for 0.7 has the texts for 0.6 below other headers."""
    newer = run(["trn-translate", "--mlir-to-nki", "--nki=0.7", "--split-input-file",
                 f"--output-split-marker={SPLIT}", *flags, "-"], SPLIT.join(modules)).split(SPLIT)
    for module, text, other in zip(modules, texts, newer, strict=True):
        expected = text.replace("NKI 0.6.", "NKI 0.7.", 1).replace("--nki=0.6", "--nki=0.7", 1)
        # The hash of the module depends on how often the pipeline has run.
        if HASH.sub("", other.strip()) != HASH.sub("", expected.strip()):
            sys.exit(f"NKI 0.7 has another text than\n{text}\nwhich is\n{module}")


def check_compiled(name, stem, compiled, version, flags=(), kernels=1):
    text = export(compiled, stem.with_suffix(".mlir"), version, flags)
    python = stem.with_suffix(".py")
    python.write_text(text)
    lint(text, python)
    if version == "0.6":
        modules, texts = in_0_6.setdefault(tuple(flags), ([], []))
        modules.append(compiled)
        texts.append(text)
    namespace = {}
    exec(compile(text, str(python), "exec"), namespace)

    signatures = {symbol: signature_of(signature) for symbol, signature in KERNEL.findall(compiled)}
    if len(signatures) < kernels:
        sys.exit(f"{name}: {len(signatures)} kernels, {kernels} are expected")
    loaded = load(compiled, signatures)
    random = np.random.default_rng(7)
    for symbol, arguments in signatures.items():
        inputs = [random_argument(shape, kind, random)
                  for shape, kind, result in arguments if not result]
        # Intermediates may be as coarse as the coarsest of them.
        allowed = max(TOLERANCE[kind] for _, kind, _ in arguments)
        actual = simulate(namespace[symbol], inputs, version)
        for value, wanted in zip(actual, values(loaded, symbol, inputs), strict=True):
            error = np.linalg.norm(value - wanted) / (np.linalg.norm(wanted) or 1)
            counts["worst"] = max(counts["worst"], error / allowed)
            if value.shape != wanted.shape or not error <= allowed:
                sys.exit(f"{name}, {symbol}: relative error {error:.2e}, "
                         f"at most {allowed:.0e} is allowed")
        counts["kernels"] += 1
    return text


def finish(least):
    for flags, (modules, texts) in in_0_6.items():
        check_0_7(flags, modules, texts)
    print(f"{counts['kernels']} kernels agree; the largest error is "
          f"{counts['worst']:.2f} of what is allowed")
    if counts["kernels"] < least:
        sys.exit(f"at least {least} kernels are expected")
