"""Every option of trn-run, trn-gen and trn-compress has a name in Python, or docs/Python.md says what
is instead. Runs, sweeps and compressions give arrays and dictionaries.

RUN: %trn_python %s %trn_src/docs/Python.md %t
"""

import inspect
import json
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np
import trn_mlir as trn

page, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(exist_ok=True)
FUNCTIONS = {"trn-run": (trn.run, trn.sweep, trn.compare, trn.machine), "trn-gen": (trn.generate,),
             "trn-compress": (trn.compress,)}
# What is given by its place, and named otherwise by the tools or not at all.
QUICK = {"effort": 1}
PLACES = {"source", "reports", "name", "what", "model", "output"}


def options_of(tool):
    said = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  --?([\w-]+)", said.split(f"{tool} options:")[1], re.M))


exceptions = set(re.findall(r"^\| `([\w-]+) --?([\w-]+)` \|", page.read_text("utf-8"), re.M))
for tool, functions in FUNCTIONS.items():
    named = {name.replace("_", "-") for one in functions for name in inspect.signature(one).parameters}
    options, instead = options_of(tool), {option for of, option in exceptions if of == tool}
    assert not options - named - instead, f"{tool}: no name in Python: {options - named - instead}"
    assert not named - PLACES - options, f"no options of {tool}: {named - PLACES - options}"
    assert not instead - options and not instead & named, f"{tool}: exceptions that are none: {instead}"
    assert all(one.__doc__ for one in functions)


def refuses(expected, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except trn.TrnError as problem:
        assert expected in str(problem), str(problem)
        return
    raise AssertionError(f"{expected} is not refused")


# Values, by arrays, files and words, against NumPy.
rng = np.random.default_rng(0)
x, u, v = (rng.standard_normal(shape, np.float32) for shape in ((64, 128), (128, 32), (32, 256)))
np.save(folder / "u.npy", u)
text = trn.generate("xuv", m=64, k=128, r=32, n=256, dtype="f32")
done = trn.run(text, x, folder / "u.npy", v, out=1, compile={"strategy": "recompute", "effort": 1}, machine="trn2",
               html=folder / "page.html", range=True)
assert np.abs(done.results[0] - x @ u @ v).max() < 1e-3
assert "latency_range_ms" in done.report and done.report["modelled_on"] == "trn2"
assert "latency_ms" in done.text and (folder / "page.html").stat().st_size > 10000
path = folder / "chain.mlir"
path.write_text(text)
zeros = trn.run(path, "random:1", "zeros", "random:2", out=1, compile=QUICK).results[0]
assert zeros.shape == (64, 256) and not zeros.any()
bits = (x.view(np.uint32) >> 16).astype(np.uint16)
narrow = (bits.astype(np.uint32) << 16).view(np.float32)
k = trn.compile(text, effort=1)
found = trn.run(k, bits, u.astype(np.float64), v, out=1, compile=False).results[0]
assert (found == k.run(narrow, u, v)).all(), "a compiled module, and bits of bf16"

# Points that cannot be compiled have an error instead of a report.
points = trn.sweep([path], "block-m=64,32;machine.sbuf_partition_bytes=180224", csv=folder / "points.csv",
                   max_points=2, compile=QUICK)
assert points[0]["report"]["latency_ms"] > 0 and "report" not in points[1] and "error" in points[1], points[1]
assert len((folder / "points.csv").read_text().splitlines()) == 3
one = points[0]["report"]
assert trn.compare(one, one, html=folder / "compared.html")["latency_ms"] == [one["latency_ms"]] * 2
assert trn.compare(one, {"other": 1})["other"] == [None, 1]

# What is refused.
refuses("a module is text, bytes, a pathlib.Path or a compiled one, not int", trn.run, 1)
refuses("cannot bind argument 0 of @main", trn.run, text, np.ones((2, 2)), "zeros", "zeros", compile=QUICK)
refuses("there is no option 'speed'", trn.run, text, compile={"speed": 1})
refuses("one at most can be a text", trn.sweep, [text, text], {"m": [1]})
refuses("2 points are more than the 1", trn.sweep, text, {"m": [1, 2]}, max_points=1)
refuses("at least two reports", trn.compare, one)
refuses("unknown machine 'trn9'", trn.machine, "trn9")
refuses("size --k is missing", trn.generate, "xuv", m=1)

# A model with factors.
sys.path.append(str(pathlib.Path(__file__).parents[2] / "Model" / "Inputs"))
import llama  # noqa: E402

folder /= "model"
llama.write_stories(folder)
shape = llama.shape_of(neighbours=True, tied=False)
llama.write_llama2c(folder / "model.bin", shape, llama.tensors_of(shape))
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    dry = trn.compress(folder / "model.bin", rank=6, dry_run=True, rows="")
    assert not dry.report and set(dry.ranks.values()) == {6} and "removed" in dry.text, dry
    made = trn.compress(folder / "model.bin", folder / "factored", rank=6, calib=folder / "text", rows="",
                        tokenizer=folder / "tokenizer.bin", force=True)
assert any("multiple of 128" in str(one.message) for one in warned), [str(one.message) for one in warned]
assert made.report == json.loads((folder / "factored" / "trn_compress.json").read_text())
refuses("--rank must be at least 1", trn.compress, folder / "model.bin", rank=0, dry_run=True)
