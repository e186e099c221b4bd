"""All words of a version of NKI, with the arguments of functions and their defaults.

RUN: %python %s %trn_build/test/CAPI/trn-c-words %trn_src/docs/generated/TrnDialect.md
"""

import json
import pathlib
import re
import subprocess
import sys

PROGRAM, DIALECT = sys.argv[1:]
MNEMONICS = set(re.findall(r"^### `(trn\.\w+)`", pathlib.Path(DIALECT).read_text(), re.M))


def get(version):
    words = json.loads(subprocess.run([PROGRAM, version], check=True, capture_output=True).stdout)
    assert words["version"] == version
    assert all(op["op"] in MNEMONICS for op in words["operations"] if "op" in op)
    names = [(op["module"], op["name"]) for op in words["operations"]]
    assert len(names) == len(set(names)), names
    for op in words["operations"]:
        defaults = ["default" in one or one.get("variadic", False) for one in op["arguments"]
                    if not one.get("keyword", False)]
        assert defaults == sorted(defaults), op
    return words, {key: op for key, op in zip(names, words["operations"])}


beta1, beta1_ops = get("beta1")
v0_6, v0_6_ops = get("0.6")
v0_7, v0_7_ops = get("0.7")
assert sum(module == "isa" for module, _ in v0_6_ops) == 52
assert v0_6_ops.keys() - v0_7_ops.keys() == {("language", "dynamic_range")}
assert v0_7_ops.keys() - v0_6_ops.keys() == {
    ("isa", name) for name in ("scalar_load", "scalar_store", "sendrecv_compute")}
assert all(v0_6_ops.get(name, op) == op for name, op in v0_7_ops.items())

assert v0_6_ops["isa", "iota"] == {
    "module": "isa", "name": "iota", "op": "trn.iota",
    "arguments": [{"name": "dst"}, {"name": "pattern"}, {"name": "offset", "default": "0"},
                  {"name": "channel_multiplier", "default": "0"},
                  {"name": "name", "default": "None"}]}
assert beta1_ops["isa", "nc_matmul"]["arguments"][:3] == [
    {"name": "stationary"}, {"name": "moving"},
    {"name": "is_stationary_onezero", "default": "False", "keyword": True}]
assert beta1_ops["isa", "nc_matmul"]["arguments"][5] == {
    "name": "tile_position", "default": "()", "keyword": True}
assert beta1_ops["language", "arange"]["arguments"] == [{"name": "args", "variadic": True}]

for words in beta1, v0_6, v0_7:
    assert words["functions"]["nl.subtract"] == {"binary": "sub"}
    assert words["functions"]["nl.silu"] == {"activation": "silu"}
    assert words["functions"]["nl.max"] == {"reduce": "max"}
    assert words["dtypes"]["nl.bfloat16"] == "bf16"
    assert words["buffers"]["nl.shared_hbm"] == "hbm"
    assert words["engines"]["nisa.engine.vector"] == "vector"
    assert words["engines"]["nisa.engine.unknown"] is None
    assert "nisa.reduce_cmd.idle" in words["others"]
assert beta1["functions"]["np.multiply"] == {"binary": "mul"}
assert "np.multiply" not in v0_6["functions"]

wrong = subprocess.run([PROGRAM, "0.5"], capture_output=True, text=True)
assert wrong.returncode == 1 and not wrong.stdout
assert wrong.stderr == ("error: there is no version '0.5' of NKI here; "
                        "versions are beta1, 0.6 and 0.7\n")
