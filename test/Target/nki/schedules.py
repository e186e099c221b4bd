"""Every schedule that lowering is tested with is exported, and computes what trn-run does.

That is one kernel for each thing that plans have: strips, blocks, buffers that rotate and are filled ahead,
sums in PSUM and in SBUF, matrices that go through HBM, packed rows, parts of dims.

RUN: %trn_python %s %t %trn_src
"""

import pathlib
import sys

from Inputs.exports import MACHINES, check_compiled, compiled, finish

# What only the DMA of trn2 can.
TRN2 = {"lower-kernels-dma-transpose", "lower-kernels-other-machine"}

for path in sorted(pathlib.Path(sys.argv[2]).glob("test/Transforms/Lower/lower-kernels-*.mlir")):
    if path.stem.endswith(("-invalid", "-left-alone")):
        continue
    for version in ("0.6",) if path.stem in TRN2 else MACHINES:
        name = f"{path.stem}-{version}"
        check_compiled(name, pathlib.Path(f"{sys.argv[1]}-{name}"), compiled(path, version), version)
finish(60)
