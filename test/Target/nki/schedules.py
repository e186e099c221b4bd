"""Every schedule that lowering is tested with is exported, and computes what trn-run does.

That is one kernel for each thing that plans have: strips, blocks, buffers that rotate and are filled ahead,
sums in PSUM and in SBUF, matrices that go through HBM, packed rows, parts of dims.

RUN: env PYTHONPATH=%S/Inputs %python %s %t %trn_src
"""

import pathlib
import sys

from exports import MACHINES, check_compiled, finish, run

# What only the DMA of trn2 can.
TRN2 = {"lower-kernels-dma-transpose", "lower-kernels-other-machine"}

for path in sorted(pathlib.Path(sys.argv[2]).glob("test/Transforms/Lower/lower-kernels-*.mlir")):
    if path.stem.endswith(("-invalid", "-left-alone")):
        continue
    for version in ("0.6",) if path.stem in TRN2 else MACHINES:
        compiled = run(["trn-opt", path, f"--trn-set-machine=machine={MACHINES[version]}",
                        "--trn-compile"])
        name = f"{path.stem}-{version}"
        check_compiled(name, pathlib.Path(f"{sys.argv[1]}-{name}"), compiled, version)
finish(60)
