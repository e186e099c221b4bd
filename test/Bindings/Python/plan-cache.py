"""Plans are kept in a folder and taken from there; a search that is ended early keeps none.

RUN: rm -rf %t && mkdir %t && %trn_python %s %t
"""

import os
import pathlib
import signal
import sys
import threading
import warnings

import trn_mlir as trn

folder = pathlib.Path(sys.argv[1]) / "my plans"
source = trn.chain(m=256, k=512, r=128, n=1024)
searched = trn.compile(source, effort=50)
assert not folder.exists()
for kept in folder, str(folder):
    module = trn.compile(source, effort=50, plan_cache=kept)
    assert module.mlir == searched.mlir and module.remarks == searched.remarks

# What stands there is what is taken.
path, = folder.iterdir()
text = path.read_text()
path.write_text(text.replace("plans = 50", "plans = 7"))
assert any("plans=7" in remark for remark in trn.compile(source, effort=50, plan_cache=folder).remarks)
path.write_text("damaged")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    trn.compile(source, effort=50, plan_cache=folder)
assert path.name in str(said[0].message) and "is ignored" in str(said[0].message), said
assert path.read_text() == text

try:
    trn.compile(source, plan_cache=path)
    sys.exit("a file is no folder")
except trn.TrnError as error:
    assert "give a folder that can be written" in str(error), error

# The shell of a test may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    trn.compile(trn.chain(4096, 7168, 4096, 18432), plan_cache=folder.parent / "early")
    sys.exit("it was not interrupted")
except KeyboardInterrupt:
    assert not list((folder.parent / "early").iterdir())
