"""Files as they lie in repositories: their names, their packages, and what they import.

RUN: rm -rf %t && mkdir %t
RUN: %trn_python %s %t
"""

import logging
import os
import sys

import numpy as np
from trn_mlir import nki
from trn_mlir.nki._load import find_in_text

FOLDER = sys.argv[1]
RNG = np.random.default_rng(3)
X = RNG.standard_normal((128, 32)).astype(np.float32)
HEAD = """import nki
import nki.isa as nisa
import nki.language as nl
"""
KERNEL = """
@nki.jit
def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=FACTOR)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""


def write(path, text):
    path = os.path.join(FOLDER, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check(path, factor=2.0):
    assert (nki.load(path + ":kernel", [X]).run(X) == factor * X).all(), path


def refusal(text):
    return refused(find_in_text(HEAD + text))


def refused(kernel):
    try:
        nki.load(kernel if callable(kernel) else kernel + ":kernel", [X])
    except nki.NkiError as problem:
        return problem
    raise AssertionError("it is read")


def names():
    """A dot in the name of a file is no package."""
    check(write("a/kernel_90.92mfu.py", HEAD + "FACTOR = 2.0" + KERNEL))


def packages():
    """Relative imports in folders without __init__.py, and imports from folders above."""
    os.makedirs(os.path.join(FOLDER, "repository", ".git"), exist_ok=True)
    write("repository/common/factors.py", "FACTOR = 2.0\n")
    write("repository/kernels/parts/one.py", "FACTOR = 2.0\n")
    write("repository/kernels/two.py", "FACTOR = 2.0\n")
    for number, line in enumerate(("from .one import FACTOR", "from ..two import FACTOR",
                                   "from common.factors import FACTOR")):
        check(write("repository/kernels/parts/file%d.py" % number, HEAD + line + KERNEL))
    assert "common" not in sys.modules and "kernels" not in sys.modules


def absent():
    """A module that nobody finds is stood in for, unless the file says what to do without it."""
    check(write("b/benchmarks.py", HEAD + "import no_such_tool as tool\nfrom no_such_tool.run "
                "import bench\nlog = tool.logger('x')\nFACTOR = 2.0" + KERNEL))
    check(write("b/guarded.py", HEAD + "try:\n    import no_such_tool\n    FACTOR = 3.0\n"
                "except ImportError:\n    FACTOR = 2.0" + KERNEL))
    problem = refusal("import no_such_tool\nFACTOR = 2.0" + KERNEL.replace(
        "    return", "    no_such_tool.store(out, tile)\n    return"))
    assert problem.rule == "nki_r8" and problem.line == 13 and \
        "gives a tensor to no_such_tool.store" in problem.message, problem
    problem = refusal("import no_such_tool\nFACTOR = 2.0" + KERNEL.replace(
        "    return", "    if no_such_tool.fast:\n        pass\n    return"))
    assert "decides by no_such_tool.fast" in problem.message, problem


def silent():
    """`logging.OFF` is the vendor's, and what a file does with it stays in the file."""
    check(write("c/silent.py", "import logging\nlogging.disable(logging.OFF)\n" + HEAD +
                "FACTOR = 2.0" + KERNEL))
    assert logging.root.manager.disable == logging.NOTSET and not hasattr(logging, "OFF")


def factories():
    """A function makes a kernel around index grids, and launches it from another one."""
    path = write("d/factory.py", """import neuronxcc.nki as nki
import neuronxcc.nki.language as nl


def make(rows):
    at, of = nl.arange(rows)[:, None], nl.arange(32)[None, :]

    @nki.jit
    def part(x):
        out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
        i = nl.program_id(0)
        nl.store(out[i * rows + at, of], nl.load(x[i * rows + at, of]) * (i + 1))
        return out

    def kernel(x):
        return part[x.shape[0] // rows](x)
    return kernel


kernel = make(32)
""")
    found = nki.load(path + ":kernel", [X]).run(X)
    assert (found == X * np.repeat([1, 2, 3, 4], 32)[:, None].astype(np.float32)).all()


def drifted():
    """What a library of another version lacks is stood in for: a kernel that gives it a tensor is
    refused. The library is as it was afterwards."""
    write("e/site-packages/library/words.py", "FACTOR = 2.0\n")
    write("e/site-packages/library/more.py", "from .words import FACTOR, other\n")
    sys.path.append(os.path.join(FOLDER, "e", "site-packages"))
    check(write("e/kernel.py", HEAD + "from library.more import FACTOR, another\n" + KERNEL))
    path = write("e/given.py", HEAD + "from library.words import FACTOR, gone\n" +
                 KERNEL.replace("    return out", "    gone(out)\n    return out"))
    problem = refused(path)
    assert "gives a tensor to library.words.gone" in problem.message, problem
    import library.words
    assert not hasattr(library.words, "gone") and not hasattr(library.words, "other")


def texts():
    """A text may have dataclasses, whose types Python looks up in a module."""
    for first in ("", "from __future__ import annotations\n"):
        found = find_in_text(first + HEAD + """from dataclasses import dataclass


@dataclass
class Settings:
    factor: float = 2.0


""" + KERNEL.replace("FACTOR", "Settings().factor"))
        np.testing.assert_array_equal(nki.load(found, (X,)).run(X), X * 2)
    assert "trn_kernels_text" not in sys.modules


def beside():
    """A library may lie anywhere, also in a folder above the kernel that is no repository."""
    write("g/library_of_another/words_of_another.py", "FACTOR = 2.0\n")
    sys.path.append(os.path.join(FOLDER, "g", "library_of_another"))
    check(write("g/kernels/kernel.py", HEAD + "from words_of_another import FACTOR, other\n" +
                KERNEL))


def mistyped():
    """A name that a module beside the kernel does not have is no other version's."""
    write("f/factors.py", "FACTOR = 2.0\n")
    path = write("f/kernel.py", HEAD + "from factors import FACTOR, FACTR\n" + KERNEL)
    problem = refused(path)
    assert "cannot import name 'FACTR' from 'factors'" in problem.message, problem
    assert (problem.file, problem.line) == (path, 4), problem


def unimportable():
    """What is wrong with a file that is imported is said at its line."""
    for text, line, expected in (
            ("def f(:\n", 1, "SyntaxError: invalid syntax"),
            ("\n  FACTOR = 2\n", 2, "IndentationError: unexpected indent"),
            ("FACTOR = 1\n\nFACTOR = TWO\n", 3, "NameError: name 'TWO' is not defined"),
            ("import sys\nsys.exit('no device')\n", 2, "SystemExit: no device")):
        wrong = write("h/factors.py", text)
        kernel = write("h/kernel.py", HEAD + "from factors import FACTOR\n" + KERNEL)
        for path in (kernel, wrong):
            problem = refused(path)
            assert (problem.rule, problem.file, problem.line) == ("nki_r8", wrong, line), problem
            assert expected in problem.message, problem


names()
packages()
drifted()
texts()
beside()
mistyped()
unimportable()
absent()
silent()
factories()
