"""Random placed kernels are exported and compute what trn-run does, or are refused by a rule.

The kernels are those of test/Campaign: loops, slots, views in every form, scratch, every
instruction and type.

RUN: %trn_python %s %t.dir 28 %trn_src/test/Campaign
"""

import collections
import pathlib
import random
import re
import subprocess
import sys

import numpy as np

from Inputs.exports import make_argument, simulate

sys.path.append(sys.argv[3])
import generate  # noqa: E402
from kernels import Case  # noqa: E402

# What the kernels hold that NKI has no words for: nki_c2 to nki_c9, nki_c12 to nki_c15, nki_c17.
REFUSALS = ("has no form in NKI", "but nc_transpose keeps the type", "in an order that no indices",
            "free dimensions with gaps", "fills PSUM", "but sums begin as zeros",
            "reciprocal is not finite", "divides in a scan", "with a scalar on the left",
            "this version of NKI does not have", "chooses rows that are not all", "chooses a block by one index",
            "leaves indices in a tile of f32", "chooses no elements within a partition")
folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
outcomes = collections.Counter()


def agrees(actual, wanted):
    with np.errstate(invalid="ignore"):
        close = np.abs(wanted - actual) <= 2e-2 * np.abs(wanted) + 1e-3
    return np.all(close | (wanted == actual) | (np.isnan(wanted) & np.isnan(actual)))


def check(number):
    rng = random.Random(f"nki {number}")
    kernel = generate.Generator(rng.random()).kernel()
    case = Case(kernel, rng.randrange(2 ** 31))
    for name, data in case.files().items():
        (folder / name).write_bytes(data)
    done = subprocess.run(["trn-run", *case.arguments()], cwd=folder, capture_output=True)
    if done.returncode:
        return "not legal"
    version = "0.6" if kernel.machine == "trn2" else "beta1"
    done = subprocess.run(["trn-translate", "--mlir-to-nki", f"--nki={version}", "case.mlir"],
                          cwd=folder, capture_output=True, text=True)
    if done.returncode:
        message = re.search("error: (.*)", done.stderr)[1]
        if not any(words in message for words in REFUSALS):
            sys.exit(f"kernel {number}: {message}")
        return "refused"
    namespace = {}
    exec(compile(done.stdout, f"kernel {number}", "exec"), namespace)
    inputs = [make_argument(value, buffer.dtype) for buffer, value in zip(kernel.arguments, case.inputs)
              if value is not None]
    with np.errstate(all="ignore"):
        results = simulate(namespace["k"], inputs, version)
    written = [buffer for buffer in kernel.arguments if buffer.kind == "result"]
    for buffer, actual in zip(written, results):
        wanted = np.load(folder / f"{buffer.name}.npy").astype(np.float32)
        if not agrees(actual, wanted):
            sys.exit(f"kernel {number} differs in {buffer.name}")
    return f"agree in {version}"


for number in range(count):
    outcomes[check(number)] += 1
print(dict(outcomes))
if min(outcomes["agree in 0.6"], outcomes["agree in beta1"]) < count // 8:
    sys.exit("too few kernels agree to say anything")
