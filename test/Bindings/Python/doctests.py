"""What the docstrings, docs/Python.md, docs/NKI.md and README.md show is so.

RUN: %trn_python %s %trn_src/docs/Python.md %trn_src/docs/NKI.md %trn_src/README.md | FileCheck %s
512 * 128 = 65536
CHECK: 65536.0 in modelled 0.{{[0-9]+}} ms
"""

import doctest
import importlib
import pathlib
import re
import sys

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

tests = [test for name in ("trn_mlir", "trn_mlir._module", "trn_mlir._runs", "trn_mlir._make")
         for test in doctest.DocTestFinder().find(importlib.import_module(name)) if test.examples]
# The blocks of a page follow each other.
*pages, readme = ("\n".join(re.findall(r"^```python\n(.*?)^```", pathlib.Path(path).read_text("utf-8"),
                                     re.M | re.S)) for path in sys.argv[1:])
tests += [doctest.DocTestParser().get_doctest(page, {}, path, path, 0)
          for page, path in zip(pages, sys.argv[1:])]
exec(readme, {})

runner = doctest.DocTestRunner(optionflags=FLAGS)
for test in tests:
    runner.run(test)
results = runner.summarize()
sys.exit(results.failed or results.attempted < 20)
