"""Nothing that a client sends ends the server, except what is to end it.

RUN: %python %s %S/Inputs
"""

import subprocess
import sys

sys.path.insert(0, sys.argv[1])
from client import Client  # noqa: E402

GOOD = "func.func private @f() attributes {trn.kernel}\n"
# MLIR's parser asks the attribute that it could not read for its context.
CRASH = """func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  linalg.transpose ins(%x : tensor<2x3xf32>) outs(%y : tensor<3x2xf32>) permutation = [1, x]
}
"""

# MLIR's reader ends, and starts again with the other documents.
client = Client()
client.open(GOOD, "file:///good.mlir")
assert client.diagnostics() == []
client.open(CRASH)
(problem,) = client.diagnostics()
assert problem["message"] == ("MLIR's reader ended with 'Segmentation fault'; "
                              "this text is read again when it changes"), problem
assert client.diagnostics() == [] and client.published[-1]["uri"] == "file:///good.mlir"
assert "private function" in client.ask("hover", 0, 38, "file:///good.mlir")["contents"]["value"]
assert client.ask("completion", 1, 5)["items"] == []
client.change(GOOD)
assert client.diagnostics() == []

# The end of a nested attribute is the end of a stack.
client.change('"a"() {b = ' + "[" * 200000 + "]" * 200000 + "} : () -> ()")
(problem,) = client.diagnostics()
assert problem["message"].startswith("MLIR's reader ended with"), problem
client.diagnostics()

# Columns are counted in UTF-16.
client.change('func.func @f() attributes {a = "\U0001F600é", trn.budget = {latency = 1}} {return}')
(problem,) = client.diagnostics()
assert [problem["range"][end]["character"] for end in ("start", "end")] == [52, 59], problem

# A new file without a name has no reader, but documentation.
client.open(GOOD, "untitled:Untitled-1")
assert "private function" in client.ask("hover", 0, 38, "untitled:Untitled-1")["contents"]["value"]

# Help in a text that is not complete.
client.change("")
client.diagnostics()
SCHEDULE = """func.func @f() attributes {trn.budget = {hbm_bytes = 1}, a = #trn.schedule<dims = [m = 128],
  matrices = [x : m x m bf16 input], nests = [o (m = 1)], homes = [x at m]>} { %0 = trn.alloc : t<#trn.mem<sbuf>>"""
for length in range(0, len(SCHEDULE), 5):
    text = SCHEDULE[:length]
    client.change(text)
    line, character = text.count("\n"), len(text.split("\n")[-1])
    client.ask("hover", line, character)
    assert "items" in client.ask("completion", line, character)
    client.actions()

# Messages that are none.
for data in (b"", b"{", b"[1]", b"7", b'{"method":5,"params":[]}', b'{"id":1}', b"\xff",
             b'{"method":"textDocument/didOpen","params":{"textDocument":{"uri":7}}}',
             b'{"method":"textDocument/didOpen","params":{"textDocument":{}}}',
             b'{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a.mlir"}}}',
             b'{"method":"textDocument/didSave"}',
             b'{"id":"x","method":"workspace/executeCommand","params":{"command":"trn.findings"}}'):
    client.send(data)
assert client.ask("hover", -5, 1 << 40) is None
assert client.request("textDocument/codeAction", textDocument={"uri": "file:///a.mlir"}, range=7) is None
assert client.end() == 0

# A client that goes without a word is a failure, as the protocol has it.
for text in (b"", b"Content-Length: 99999999999999999999\r\n\r\n{}", b"Content-Length: 5\r\n\r\n{}"):
    done = subprocess.run(["trn-lsp-server"], input=text, capture_output=True, timeout=60)
    assert done.returncode == 1, done
