"""What an error is about is underlined, and replaced by what may be meant.

RUN: %python %s %S/Inputs
"""

import sys

sys.path.insert(0, sys.argv[1])
from client import Client, apply  # noqa: E402

CASES = [
    ('module attributes {trn.machine = #trn.machine<"trn9">} {}', "trn9", ["trn1"]),
    ('module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_byte = 3}>} {}',
     "sbuf_partition_byte", ["sbuf_partition_bytes"]),
    ("func.func @f() attributes {trn.budgets = {}} {return}", "trn.budgets", ["trn.budget"]),
    ("func.func private @f(memref<8xf32> {trn.results}) attributes {trn.kernel}", "trn.results", ["trn.result"]),
    ("%a = trn.alloc : memref<8x8xf32, #trn.mem<sbu>>", "sbu", ["sbuf"]),
    ("%a = trn.aloc : memref<8x8xf32>", "trn.aloc", ["trn.alloc"]),
    # Nothing is known better.
    ("func.func private @f() attributes {trn.budget = {latency_ms = 0.1}}", "trn.budget", []),
    ("func.func @f() attributes {trn.flops = 1 : i64} {return}", "trn.flops", []),
    ("func.func @f() {\n  call @g() : () -> ()\n  return\n}", "call", []),
]

client = Client()
client.open("")
client.diagnostics()
for text, place, meant in CASES:
    client.change(text)
    problem = client.diagnostics()[0]
    begin, end = problem["range"]["start"], problem["range"]["end"]
    line = text.splitlines()[begin["line"]]
    assert line[begin["character"]:end["character"]] == place and begin["line"] == end["line"], (text, problem)
    actions = client.actions()
    assert list(actions) == [f"change to '{word}'" for word in meant], (text, actions)
    for word in meant:
        assert apply(text, actions[f"change to '{word}'"]) == text.replace(place, word), (text, actions)
assert client.end() == 0
