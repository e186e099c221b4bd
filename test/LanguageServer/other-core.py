"""The two kernels of a logical core agree, or what is wrong shows while one types.

RUN: %python %s %S/Inputs
"""

import sys

sys.path.insert(0, sys.argv[1])
from client import Client  # noqa: E402

MODULE = """module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @f(%x: memref<8xf32> {trn.result}) attributes {trn.kernel, trn.other_core = @g} {
    trn.core_barrier %x : memref<8xf32>
    return
  }
  func.func private @g(%x: memref<8xf32> {trn.result}) attributes {trn.kernel} {
    trn.core_barrier %x : memref<8xf32>
    return
  }
}
"""


def errors(text):
    """Lines and messages, and those of their notes."""
    client.change(text)
    assert client.diagnostics() == []  # of MLIR's reader
    return [(place["range"]["start"]["line"], said["message"])
            for one in client.diagnostics()
            for said, place in [(one, one), *((note, note["location"]) for note in one.get("relatedInformation", []))]]


client = Client()
client.open(MODULE)
assert client.diagnostics() == []

# There is no such kernel.
wrong = errors(MODULE.replace("trn.other_core = @g", "trn.other_core = @h"))
assert wrong == [(1, "'func.func' op names @h as what the other core runs, which must be another kernel that names "
                     "none")], wrong

# It takes other arguments.
wrong = errors(MODULE.replace("@g(%x: memref<8xf32> {trn.result})", "@g(%x: memref<8xf32>)"))
assert wrong == [(1, "'func.func' op takes other arguments than @g; the cores of a logical one are given the same"),
                 (5, "what the other core runs")], wrong

# One waits for the other, which has ended.
barrier = "    trn.core_barrier %x : memref<8xf32>\n"
wrong = errors((barrier + barrier).join(MODULE.rsplit(barrier, 1)))
assert len(wrong) == 2 and wrong[0] == (7, "'trn.core_barrier' op waits for ever: the other core has ended without a "
                                           "core_barrier of argument 0"), wrong

# What is wrong with either kernel alone is said once.
wrong = errors(MODULE.replace(barrier, barrier + "    memref.dealloc %x : memref<8xf32>\n"))
assert [line for line, _ in wrong] == [3, 8] and "frees an argument" in wrong[0][1], wrong
assert client.end() == 0
