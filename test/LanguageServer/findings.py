"""What a saved kernel costs, and the edits of what helps.

RUN: %python %s %S/Inputs
"""

import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
from client import URI, Client, apply  # noqa: E402


def output(*command, text=None):
    return subprocess.run(command, check=True, capture_output=True, text=True, input=text).stdout


def latency(found):
    return float(re.match(r"latency_ms (\S+), modelled on trn1; at ", found[0]["message"])[1])


client = Client()
module = output("trn-gen", "xuv", "--m=1024", "--k=1024", "--r=512", "--n=2048")
module = output("trn-opt", "--trn-outline-kernels", "--trn-plan-kernels=effort=1", "-", text=module)
slow, count = re.subn(
    r"nests = .*\]>",
    "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = 512, n = 512)], "
    "homes = [x at k slots 2, xt at m slots 2 ahead 1, u at r slots 2, yt at m, v at n, o at n slots 2]>",
    module)
assert count == 1, module
client.open(slow)
assert client.diagnostics() == []

# A finding, and the plan that helps.
client.save()
found = client.diagnostics()
(slots,) = [one for one in found if one.get("code") == "few_slots"]
assert "try: in trn.schedule, v at n slots 2: " in slots["message"], slots
assert "trn.schedule" in slow.splitlines()[11] and slots["severity"] == 3, slots
promised = float(re.search(r": (\S+) ms$", slots["message"])[1])
better = apply(slow, client.actions()["change the plan in trn.schedule"])
assert better == slow.replace("v at n,", "v at n slots 2,"), better

# It takes as long as promised. What was found in the old text is gone.
client.change(better)
assert client.diagnostics() == []
client.save()
found = client.diagnostics()
assert latency(found) == promised, found

# A budget is added, and a tighter one is raised.
(title,) = [title for title in client.actions() if title.startswith("hold it: trn.budget with latency_ms = ")]
budget = title.split(" = ")[1]
assert promised <= float(budget) < 1.001 * promised, title
held = apply(better, client.actions()[title])
assert f"attributes {{trn.budget = {{latency_ms = {budget}}}}} {{" in held, held
client.change(held)
assert client.diagnostics() == []
client.save()
assert not [one for one in client.diagnostics() if one["severity"] == 1]
client.change(held.replace(budget, "0.01"))
client.diagnostics()
client.save()
(error,) = [one for one in client.diagnostics() if one["severity"] == 1]
assert "latency_ms of @main is " in error["message"] and error["message"].endswith("allows at most 0.01"), error
notes = [note["message"] for note in error["relatedInformation"]]
assert any(note.startswith("kernel overhead: ") for note in notes), notes
line = held.splitlines()[error["range"]["start"]["line"]]
assert line[error["range"]["start"]["character"]:].startswith(budget), error
assert apply(held.replace(budget, "0.01"),
             client.actions()[f"set the limit of latency_ms to {budget}"]) == held

# The plan is left to the compiler; without a save, a command compiles.
leave = client.actions().get("leave the plan to the compiler")
if leave:
    assert "nests = " not in apply(held.replace(budget, "0.01"), leave)
client.change(module)
client.diagnostics()
client.request("workspace/executeCommand", command="trn.findings", arguments=[URI])
assert latency(client.diagnostics()) != promised

# Not every file is for the compiler: that is no error.
client.change("func.func @f(%x: i32) -> i32 { return %x : i32 }")
client.diagnostics()
client.save()
assert all(one["severity"] > 1 for one in client.diagnostics()), client.published[-1]
assert client.end() == 0

# Options of the compiler; wrong ones are told where they take effect.
client = Client("--compile=effort=0 colour=red")
client.open(module)
client.diagnostics()
client.save()
(problem,) = client.diagnostics()
assert "colour" in problem["message"] and problem["severity"] == 2, problem
assert client.end() == 0
