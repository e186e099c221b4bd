"""Large chains and MLPs take little more than the bound, as docs/Planning.md says.

The limits leave room for other constants of the machine.

RUN: %python %s %t
"""

import json
import subprocess
import sys

DEMO = (4096, 7168, 4096, 18432)


def over_bound(sizes, options, *flags):
    return generated_over_bound(
        ["xuv", *(f"--{name}={size}" for name, size in zip("mkrn", sizes)), *flags], options)


def generated_over_bound(arguments, options=""):
    path = sys.argv[1] + ".json"
    source = subprocess.run(
        ["trn-gen", *arguments],
        check=True, capture_output=True).stdout
    subprocess.run(["trn-run", "-", "--timing-only", f"--compile={options}",
                    f"--report={path}"], input=source, check=True, capture_output=True)
    with open(path, encoding="utf-8") as file:
        return json.load(file)["over_bound_percent"]


def expect(what, percent, limit):
    print(f"{what}: {percent:.2f} % over the bound, at most {limit} %")
    if percent > limit:
        sys.exit(f"{what} takes {percent:.2f} % more than the bound, at most {limit} % are allowed")


expect("demo", over_bound(DEMO, ""), 2.5)
expect("demo, O^T", over_bound(DEMO, "output-layout=transposed"), 2.5)
expect("demo, X^T given", over_bound(DEMO, "", "--transposed-input"), 1.2)
expect("demo, block-m 2048", over_bound(DEMO, "block-m=2048"), 4)
for rows, limit in (1024, 4.5), (32768, 1.8):
    expect(f"M = {rows}", over_bound((rows, 8192, 4096, 16384), ""), limit)
expect("MLP of factors", generated_over_bound(
    ["mlp", "--m=2048", "--hidden=2048", "--intermediate=8192", "--ratio=0.2"]), 4)
