"""Python that makes a module: `module` is a text of MLIR, or what trn.compile returns."""

import trn_mlir as trn

rank = 256
module = trn.chain(m=512, k=1024, r=rank, n=2048)
