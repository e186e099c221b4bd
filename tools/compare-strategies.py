"""Runs X[M,K] * U[K,R] * V[R,N] with each strategy and prints them side by side.

Usage: compare-strategies.py BIN_DIR M K R N [DTYPE]
Fails when a strategy does not compile or run, when the values of the first do
not agree with the host's product, or those of another with the first.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

STRATEGIES = ["sequential", "recompute", "strip-cache"]
# Recomputing takes ten times as many FLOPs as the others: its values are those of so many rows.
RECOMPUTED_ROWS = 512
# As trn-run --verify has them.
TOLERANCES = {"bf16": 1e-2, "f16": 2e-3, "f32": 1e-5}


def blocks(report):
    """The block sizes of each kernel, where dims are cut."""
    return [kernel.get("blocks", "-") for kernel in report["kernels"]]


def in_units_of(scale):
    """Writes a number with four digits, small and large ones alike."""
    return lambda value: f"{value / scale:#.4g}".rstrip(".") if value else "0"


# Label, unit, key of the report, how its value is written.
ROWS = [
    ("latency", "ms", "latency_ms", in_units_of(1)),
    ("lower bound of the latency", "ms", "bound_ms", in_units_of(1)),
    ("HBM traffic", "GB", "hbm_bytes", in_units_of(1e9)),
    ("  of it spills", "GB", lambda r: r["spill_save_bytes"] + r["spill_reload_bytes"],
     in_units_of(1e9)),
    ("arithmetic intensity", "FLOP/byte", "arithmetic_intensity", in_units_of(1)),
    ("tensor engine active", "%", "tensor_engine_active_percent", in_units_of(1)),
    ("DMA active", "%", "dma_active_percent", in_units_of(1)),
    ("MFU", "%", "mfu_percent", in_units_of(1)),
    ("FLOPs of the model", "TFLOP", "flops", in_units_of(1e12)),
    ("FLOPs executed", "TFLOP", "executed_flops", in_units_of(1e12)),
    ("FLOPs of transposes", "TFLOP", "transpose_flops", in_units_of(1e12)),
    ("SBUF peak", "MiB", "sbuf_peak_bytes", in_units_of(2**20)),
    ("SBUF peak", "% of usable", "sbuf_peak_percent", in_units_of(1)),
]


def execute(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        sys.exit("compare-strategies.py: failed: " + " ".join(map(str, command)))


def check_agreement(folder, strategy, dtype):
    """Compares the values of a strategy with those of the first, which may have more rows."""
    found, wanted = (np.load(folder / f"{name}.npy") for name in (strategy, STRATEGIES[0]))
    wanted = wanted[:len(found)]
    size = np.linalg.norm(wanted)
    error = np.linalg.norm(np.subtract(found, wanted, out=found))
    if not error <= TOLERANCES[dtype] * size:
        sys.exit(f"compare-strategies.py: the values of {strategy} are wrong by {error / size:.1e}")


def generate(tools, sizes, dtype, folder):
    module = folder / "chain.mlir"
    execute([tools / "trn-gen", "xuv", f"--dtype={dtype}", "-o", module,
             *(f"--{name}={size}" for name, size in zip("mkrn", sizes))])
    return module


def run(tools, sizes, dtype, strategy, folder):
    """The report of one strategy, whose values are verified: those of the first
    by the host's product, the others by the first."""
    start = time.monotonic()
    path, values = folder / f"{strategy}.json", folder / f"{strategy}.npy"
    compute = [tools / "trn-run", f"--compile=strategy={strategy}"]
    report, out = f"--report={path}", f"--out=@{values}"
    module, rows = generate(tools, sizes, dtype, folder), int(sizes[0])
    if strategy == "recompute" and rows > RECOMPUTED_ROWS:
        execute([*compute, module, "--timing-only", report])
        rows = RECOMPUTED_ROWS
        execute([*compute, generate(tools, (rows, *sizes[1:]), dtype, folder), out])
    else:
        execute([*compute, module, report, out, *(["--verify"] if strategy == STRATEGIES[0] else [])])
    if strategy != STRATEGIES[0]:
        check_agreement(folder, strategy, dtype)
        values.unlink()
    print(f"{strategy}: compiled, timed, and {rows} rows run and verified "
          f"in {time.monotonic() - start:.0f} s", flush=True)
    return json.loads(path.read_text(encoding="utf-8"))


def table(reports):
    """The rows of the comparison, a column for each strategy."""
    rows = [("", "", list(reports))]
    for label, unit, key, write in ROWS:
        values = [key(r) if callable(key) else r[key] for r in reports.values()]
        rows.append((label, unit, [write(value) for value in values]))
    of_each = [blocks(report) for report in reports.values()]
    for i in range(max(map(len, of_each))):
        rows.append(("blocks" if i == 0 else "  second kernel", "elements",
                     [each[i] if i < len(each) else "" for each in of_each]))
    return rows


def print_table(rows):
    labels = max(len(label) for label, _, _ in rows)
    units = max(len(unit) for _, unit, _ in rows)
    widths = [max(map(len, column)) for column in zip(*(cells for _, _, cells in rows))]
    for label, unit, cells in rows:
        print(f"{label:<{labels}}  {unit:<{units}}  "
              + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths)))


def main(tools, m, k, r, n, dtype="bf16"):
    print(f"X[{m},{k}] * U[{k},{r}] * V[{r},{n}], {dtype}, on a simulated NeuronCore",
          flush=True)
    with tempfile.TemporaryDirectory() as folder:
        reports = {strategy: run(pathlib.Path(tools), (m, k, r, n), dtype, strategy,
                                 pathlib.Path(folder)) for strategy in STRATEGIES}
    print()
    print_table(table(reports))
    print("\nTimes are modelled; the values agree with the host's product.")


if __name__ == "__main__":
    if len(sys.argv) not in (6, 7):
        sys.exit(__doc__)
    main(*sys.argv[1:])
