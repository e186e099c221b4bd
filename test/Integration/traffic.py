"""The traffic and the work of the demo chain are those of the formulas.

X[4096,7168] U[7168,4096] V[4096,18432] in bf16 on trn1, timing only.

RUN: %python %s %t
"""

import json
import subprocess
import sys

M, K, R, N, SIZE = 4096, 7168, 4096, 18432, 2
PARTITIONS, NAIVE_BLOCK = 128, 512
STAGE1, STAGE2 = 2 * M * K * R, 2 * M * R * N
TRANSPOSE = 2 * PARTITIONS  # FLOPs an element


def report(options, *flags):
    path = sys.argv[1] + ".json"
    source = subprocess.run(
        ["trn-gen", "xuv", f"--m={M}", f"--k={K}", f"--r={R}", f"--n={N}", *flags],
        check=True, capture_output=True).stdout
    subprocess.run(["trn-run", "-", "--timing-only", f"--compile=effort=10 {options}",
                    f"--report={path}"], input=source, check=True, capture_output=True)
    with open(path, encoding="utf-8") as file:
        loaded = json.load(file)
    # Kernels of a launch overlap: together they explain its time.
    for parts in ([loaded], loaded["kernels"]):
        explained = sum(row["ms"] for part in parts for row in part["critical_path"])
        if abs(explained - loaded["latency_ms"]) > 1e-9:
            sys.exit(f"{options}: the path explains {explained} of {loaded['latency_ms']} ms")
    return loaded


def expect(what, actual, expected, tolerance=0.0):
    print(f"{what}: {actual:,} for {expected:,}")
    if abs(actual - expected) > tolerance * expected:
        sys.exit(f"{what} is {actual:,}, but {expected:,} within {tolerance:.0%} is expected")


for block in (128, 256, 512, 1024):
    strips = M // block
    result = report(f"strategy=strip-cache transpose=implicit block-m={block}")
    expect(f"block-m {block}: hbm_bytes", result["hbm_bytes"],
           SIZE * (M * K + M * N + strips * (K * R + R * N)), 0.02)
    # What is written is the result: no byte of Y.
    expect(f"block-m {block}: hbm_write_bytes", result["hbm_write_bytes"], SIZE * M * N)
    expect(f"block-m {block}: spills", result["spill_save_bytes"], 0)
    expect(f"block-m {block}: executed_flops", result["executed_flops"], STAGE1 + STAGE2)
    expect(f"block-m {block}: transpose_flops", result["transpose_flops"], TRANSPOSE * M * K)
    expect(f"block-m {block}: peak of SBUF fits", int(result["sbuf_peak_percent"] <= 100), 1)

given = report("strategy=strip-cache", "--transposed-input")
expect("X given transposed: transpose_flops", given["transpose_flops"], 0)
explicit = report("strategy=strip-cache transpose=explicit")
expect("explicit: transpose_flops", explicit["transpose_flops"], TRANSPOSE * (M * K + M * R))

sequential = report("strategy=sequential")
first, second = sequential["kernels"]
expect("sequential: Y written", first["hbm_write_bytes"], SIZE * M * R)
expect("sequential: Y read", int(second["hbm_read_bytes"] >= SIZE * (M * R + R * N)), 1)
expect("sequential: executed_flops", sequential["executed_flops"], STAGE1 + STAGE2)

naive = report("strategy=recompute")
expect("recompute: executed_flops", naive["executed_flops"],
       STAGE1 * (N // NAIVE_BLOCK) + STAGE2)
expect("recompute: flops", naive["flops"], STAGE1 + STAGE2)
