"""What all cores compute, and read from HBM, of an MLP with factors is what the formulas of each scheme say.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
M, K, N, R = 16, 512, 1024, 128
module, report = folder / "mlp.mlir", folder / "report.json"
subprocess.run(["trn-gen", "mlp", f"--m={M}", f"--hidden={K}", f"--intermediate={N}", f"--rank={R}", "-o", module],
               check=True)
for scheme in "column", "gather", "reduce":
    for cores in 2, 4:
        subprocess.run(["trn-run", module, f"--compile=effort=1 partition={cores} scheme={scheme}", "--timing-only",
                        f"--report={report}"], check=True, stdout=subprocess.DEVNULL)
        found = json.loads(report.read_text())
        # Every core has all of the factors on the side of K, or its share of them.
        weights = 3 * R * (cores * K + N if scheme == "column" else K + N)
        assert cores * found["flops"] == 2 * M * weights, (scheme, cores, found["flops"])
        # Beside bf16 weights: X, and what others computed: all of Y of gate and up, a core's share of Y of down.
        others = {"column": 0, "gather": 2 * R + R // cores}
        if scheme in others:
            read = cores * found["hbm_read_bytes"]
            assert read == 2 * weights + cores * 2 * M * (K + others[scheme]), (scheme, cores, read)
