"""Damaged modules are refused or run, and never crash a tool.

Mutates words and lines of a linalg module and of the program that it becomes:

    python3 test/Integration/mutate.py DIRECTORY --count 1000

An exit other than 0 and 1, or a failure without an error message, is a fault;
its input stays in DIRECTORY.

RUN: %python %s %t --count 60
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys

WORDS = [b"0", b"1", b"-1", b"4294967296", b"99999999999999999999", b"f32", b"bf16", b"i1",
         b"index", b"tensor", b"memref", b"?", b"x", b"<", b">", b"%x", b"%y", b"%o", b"d0",
         b"d1", b"d2", b"linalg.matmul", b'"parallel"', b'"reduction"', b"private ", b"nan",
         b"#trn.mem<psum>", b"#trn.mem<sbuf>", b"trn.kernel", b"buffers 2", b"offset 131072"]


def mutate(rng, text):
    if rng.random() < 0.6:
        parts = re.findall(rb"\w+|\W", text)
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(parts))
            parts[place] = rng.choice([rng.choice(WORDS), rng.choice(parts), b"",
                                       parts[place] * 2])
        return b"".join(parts)
    lines = text.split(b"\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 1:
        del lines[place]
    else:
        lines.insert(other, lines[place])
    return b"\n".join(lines)


def output(command, text=None):
    return subprocess.run(command, input=text, check=True, capture_output=True).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.directory.mkdir(parents=True, exist_ok=True)

    source = output(["trn-gen", "xuv", "--m=30", "--k=20", "--r=10", "--n=140",
                     "--transposed-input"])
    placed = output(["trn-opt", "--trn-compile"], source)
    budget = source.replace(b"> {\n", b"> attributes {trn.budget = {flops = 1}} {\n", 1)
    targets = [(source, ["trn-run", "-", "--compile", "--verify"]),
               (source, ["trn-opt", "-", "--trn-compile"]),
               (placed, ["trn-run", "-"]),
               (placed, ["trn-opt", "-", "--trn-analyze"]),
               (budget, ["trn-run", "-", "--sweep=rows=7,200"])]
    faults = 0
    for number in range(args.count):
        rng = random.Random(f"{args.seed} {number}")
        text, command = targets[number % len(targets)]
        damaged = mutate(rng, text)
        done = subprocess.run(command, input=damaged, capture_output=True)
        refused = done.returncode == 1 and b"error" in done.stderr
        if done.returncode == 0 or refused:
            continue
        faults += 1
        path = args.directory / f"{number}.mlir"
        path.write_bytes(damaged)
        print(f"{' '.join(command)} < {path}: exit {done.returncode}\n"
              f"{done.stderr[-2000:].decode(errors='replace')}")
    print(f"{args.count - faults} of {args.count} damaged modules are handled")
    sys.exit(faults != 0)


main()
