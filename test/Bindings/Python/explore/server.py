"""The server of trn-explore answers its own page alone, and survives what is typed there.

RUN: %trn_python %s
RUN: not %trn_python -m trn_mlir.explore --static %t no-such 2>&1 | FileCheck %s --check-prefix=EXAMPLE
EXAMPLE: trn_mlir.explore: error: there is no example no-such; examples are chain,
RUN: not %trn_python -m trn_mlir.explore --port=70000 2>&1 | FileCheck %s --check-prefix=PORT
PORT: trn_mlir.explore: error: cannot listen on 127.0.0.1, port 70000: {{.*}}; --port=0 takes one that is free
"""

import http.client
import json
import threading
import time

from trn_mlir.explore import _examples, _runner, _server, _show

_runner._SECONDS = {False: 1, True: 20}
server = _server.Explorer(0)
threading.Thread(target=server.serve_forever, daemon=True).start()
ours = {"X-Trn-Secret": server.secret}
number = 0


def ask(method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request(method, path, body, {name.replace("_", "-"): value
                                            for name, value in headers.items()})
    response = connection.getresponse()
    return response.status, response.read().decode()


def request(source, language="mlir", full=False, **others):
    global number
    number += 1
    return json.dumps({"source": source, "language": language, "machine": "trn1", "options": "",
                       "inputs": "", "function": "", "client": "test", "number": number,
                       "full": full, **others})


def show(*arguments, **others):
    status, text = ask("POST", "/show", request(*arguments, **others), **ours)
    assert status == 200, (status, text)
    return json.loads(text)


def refused(*arguments, **others):
    """The only message of what cannot be shown."""
    answer = show(*arguments, **others)
    assert not answer["levels"], answer
    [message] = [one for one in answer["messages"] if one["kind"] == "error"]
    return message


# Pages from elsewhere, under their own names or under one that leads here.
assert server.server_address[0] == "127.0.0.1"
assert ask("GET", "/")[0] == 200 and "<title>trn-explore" in ask("GET", "/")[1]
assert ask("GET", "/", Host=f"localhost:{server.port}")[0] == 200
for headers in ({"Host": "example.com"}, {"Host": f"example.com:{server.port}"}, {"Host": "127.0.0.1"},
                {"Origin": "http://example.com"}, {"Origin": "null"}):
    assert ask("GET", "/", **headers)[0] == 403, headers
    assert ask("POST", "/show", request("module {}"), **ours, **headers)[0] == 403, headers

# Others on this machine do not know the secret.
assert ask("POST", "/show", request("module {}"))[0] == 403
assert ask("POST", "/show", request("module {}"), X_Trn_Secret="x")[0] == 403
for path in ("/../_server.py", "/_server.py", "/%2e%2e/nki/__init__.py", "/timelines/x.html",
             "/examples/../_show.py"):
    assert ask("GET", path)[0] == 404, path

# What is no request of the page.
for body in ("", "[]", "{}", "{", "[" * 100000, request(7), request("", language="c"),
             request("", machine=1), request("", full="x")):
    assert ask("POST", "/show", body, **ours)[0] == 400, body[:80]
assert ask("POST", "/show", request("x" * (1 << 20)), **ours)[0] == 413

# What cannot be compiled.
assert refused("func.func @main( {")["line"] == 1
assert "found nothing that it can compile" in refused("")["text"]
assert "no machine 'trn9' here" in refused("", machine="trn9")["text"]
assert "there is no option 'speed'" in refused("", options="speed=11")["text"]
for option in ("machine=/etc/passwd", "block-m=128 plan-cache = /tmp"):
    assert "is no option here" in refused("", options=option)["text"]

# Python that does harm does it to its own process.
for source, expected in (("import os\nos.kill(os.getpid(), 11)", "ended by SIGSEGV"),
                         ("while True: pass", "took more than"),  # of CPU time or, on a busy machine, of any
                         ("x = bytearray(1 << 40)", "MemoryError"),
                         ("raise SystemExit(3)", "SystemExit: 3"),
                         ("import tempfile\ntempfile.TemporaryFile()", "No usable temporary directory"),
                         ("x = 1", "neither a function with @nki.jit nor a variable `module`"),
                         ("x =", "SyntaxError: invalid syntax")):
    message = refused(source, "python")
    assert expected in message["text"], (expected, message)
assert refused("x = 1\ny = x / 0", "python")["line"] == 2

# A newer request of the page ends an older one, whatever it asks for; that of another page waits.
slow = {"full": True, "language": "python"}
answers = {}


def in_thread(name, **others):
    body = request("import time\ntime.sleep(%g)" % (60 if name.startswith("old") else 0.2),
                   **{**slow, **others})
    thread = threading.Thread(target=lambda: answers.update(
        {name: json.loads(ask("POST", "/show", body, **ours)[1])}))
    thread.start()
    time.sleep(0.1)
    return thread


begun = time.monotonic()
threads = [in_thread("older"), in_thread("old"), in_thread("new"), in_thread("other", client="else")]
for thread in threads:
    thread.join()
assert all(answers[name].get("superseded") for name in ("older", "old")), answers
assert time.monotonic() - begun < 50, answers
for name in ("new", "other"):
    assert "neither a function" in answers[name]["messages"][0]["text"], answers

thread = in_thread("old")
assert not refused("x = 1", "python").get("superseded")
thread.join()
assert answers["old"]["superseded"] and time.monotonic() - begun < 50, answers

# Of several functions one is timed.
swap = "func.func @%s(%%a: tensor<2xf32>) -> tensor<2xf32> { return %%a : tensor<2xf32> }"
product = """func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x16xf32>
  %o = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>)
                     outs(%zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %o : tensor<4x16xf32>
}
"""
for name, is_timed in (("main", True), ("swap", False), ("other", False)):
    answer = show(swap % "swap" + product, function=name)
    assert answer["functions"] == ["swap", "main"] and answer["function"] == ("main" if is_timed else "swap"), answer
    assert (answer["latency_ms"] > 0) == is_timed, answer["latency_ms"]

# And it still answers.
chain = json.loads(ask("GET", "/examples/chain.json")[1])["source"]
answer = show(chain)
assert not answer["messages"] and "trn.matmul" in answer["levels"]["placed"]["text"]
for level, shown in answer["levels"].items():
    lines = shown["text"].splitlines()
    assert len(lines) == len(shown["lines"]), level
    products = [line for text, line in zip(lines, shown["lines"]) if "trn.matmul" in text]
    assert all("linalg.matmul" in chain.splitlines()[line - 1] for line in products), products
server.shutdown()
server.server_close()

# Each example of the page compiles; this process writes no file from here on.
for name in _examples.NAMES:
    example = _examples.example(name)._asdict()
    answer = _show.show({}, {**example, "function": "", "full": False})
    assert answer["passed"] and "trn." in answer["levels"]["placed"]["text"], (name, answer["messages"])
