"""IR of every stage of the compiler can be compiled again, to the same program.

RUN: %python %s %t
"""

import pathlib
import re
import subprocess
import sys

# What trn-gen makes, the options, and the bytes of a partition of SBUF.
CASES = [
    ("xw --m=300 --k=40 --n=150", "", 0),
    ("xw --m=300 --k=40 --n=150 --transposed-input --transposed-output", "", 0),
    # X is read again for each block column.
    ("xw --m=300 --k=1500 --n=700", "block-m=128", 5120),
    # Three strips.
    ("xuv --m=384 --k=130 --r=130 --n=520", "strategy=strip-cache block-m=128", 0),
    ("xuv --m=300 --k=130 --r=130 --n=520 --transposed-output",
     "strategy=strip-cache transpose=explicit block-m=128", 0),
    ("xuv --m=300 --k=600 --r=130 --n=520", "strategy=strip-cache block-m=128 block-k=256", 0),
    # The next strip of X is brought ahead.
    ("xuv --m=512 --k=2048 --r=512 --n=3072", "strategy=strip-cache block-m=256", 0),
    # Strips of 384 rows fit, not those of 512.
    ("xuv --m=1024 --k=256 --r=1024 --n=512", "strategy=strip-cache", 8192),
    ("xuv --m=1024 --k=256 --r=1024 --n=512", "keep=u=kernel blocks=m=256", 0),
    ("xuv --m=300 --k=130 --r=130 --n=520", "strategy=sequential", 0),
    ("xuv --m=300 --k=130 --r=130 --n=520", "strategy=sequential transpose=explicit", 0),
    ("xuv --m=300 --k=130 --r=130 --n=520", "strategy=recompute block-m=128 block-n=256", 0),
    ("xuv --m=300 --k=130 --r=130 --n=520", "strategy=nki-xw", 0),
]


def run(command, text=""):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return done


# Few plans, so that it does not take long.
EFFORT = "effort=4"


def programs(text, options):
    return run(["trn-opt", "-", "--split-input-file", f"--trn-compile={EFFORT} {options}",
                "--trn-print-program", "-o", "/dev/null"], text).stdout


directory = pathlib.Path(sys.argv[1])
directory.mkdir(parents=True, exist_ok=True)
for source, options, sbuf in CASES:
    text = run(["trn-gen", *source.split()]).stdout
    if sbuf:
        machine = directory / "machine.json"
        machine.write_text(f'{{"base": "trn1", "sbuf_partition_bytes": {sbuf}}}')
        text = run(["trn-opt", f"--trn-set-machine=machine={machine}"], text).stdout
    dump = run(["trn-opt", f"--trn-compile={EFFORT} {options}", "--mlir-print-ir-after-all",
                "--mlir-print-ir-module-scope", "--mlir-disable-threading"], text).stderr
    stages = re.split(r"^// -----// IR Dump After.*$", dump, flags=re.M)[1:]
    if len(stages) < 8:
        sys.exit(f"the compiler has {len(stages)} passes")
    # One trn-opt for all of them: starting it takes longer than its work.
    found = programs("\n// -----\n".join(stages), options)
    if found != programs(text, options) * len(stages):
        sys.exit(f"{source} {options}: compiled again, a stage is another program")
