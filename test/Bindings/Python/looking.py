"""A module shows its plan, its levels, its remarks, its report and its page.

RUN: trn-gen xuv --m=256 --k=256 --r=128 --n=512 -o %t.mlir
RUN: trn-run %t.mlir --compile=strategy=recompute --timing-only --range --report=%t.json
RUN: trn-opt %t.mlir --trn-compile=strategy=recompute | trn-translate --mlir-to-nki --nki=beta1 -o %t.nki.py
RUN: %trn_python %s %t.mlir %t.json %t.nki.py
"""

import base64
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
import zlib

import trn_mlir as trn

source, report, kernels = map(pathlib.Path, sys.argv[1:])
k = trn.compile(source, strategy="recompute")


def without_host(report):
    return {key: value for key, value in report.items() if key != "host"}


assert trn.chain(256, 256, 128, 512) == source.read_text(), "what trn-gen writes"
assert without_host(k.report) == without_host(json.loads(report.read_text())), "as trn-run has it"
assert k.time() == k.report["latency_ms"] > 0
k.report.clear()
assert k.report["kernels"], "a report belongs to whoever asked for it"

said = subprocess.run(["trn-run", "--version"], capture_output=True, text=True).stdout
assert said.startswith(f"trn-mlir {trn.__version__} ")

with tempfile.TemporaryDirectory() as folder:
    assert k.html(pathlib.Path(folder) / "page.html") is None
    assert (pathlib.Path(folder) / "page.html").read_text(encoding="utf-8").startswith("<!")

assert k.nki() == kernels.read_text(), "as trn-translate has it"
assert "import nki" in trn.compile(trn.product(64, 64, 64), machine="trn2").nki()

assert "trn.schedule" in k.mlir_at("tensor") and "linalg.matmul" in k.mlir_at("tensor")
assert "trn.alloc :" in k.mlir_at("virtual") or "trn.alloc {" in k.mlir_at("virtual")
assert "trn.alloc offset" in k.mlir and k.mlir == k.mlir_at("placed")
again = trn.compile(k.mlir)  # a program is a source, too
assert again.time() == k.time()

assert any("[Passed] Planned" in remark for remark in k.remarks), k.remarks
assert any("[Analysis] Plan" in remark and "nests = " in remark for remark in k.remarks)
assert repr(k) == "<trn_mlir module with @main>"
assert repr(k["main"]) == \
    "<trn_mlir function @main(256x256xbf16, 256x128xbf16, 128x512xbf16) -> (256x512xbf16)>"


class Frame(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        self.frame = (tag, dict(attributes))


# In a notebook: the page, in a frame of its own.
page, parser = k.html(), Frame()
parser.feed(k._repr_html_())
assert parser.frame[0] == "iframe" and parser.frame[1]["srcdoc"].startswith(page[:1000])
assert page.startswith("<!doctype html>") or page.startswith("<!DOCTYPE html>")
assert "@main on trn1" in page

# With the text that was read, under the name that locations have for it.
data = json.loads(page.split('id="data">')[1].split("</script>")[0])
assert zlib.decompress(base64.b64decode(data["module"]["zlib"])).decode() == source.read_text()
places = [op["location"] for op in data["reports"][0]["timeline"]["ops"]]
assert any(place.startswith(data["module"]["name"] + ":") for place in places), places

# Each line says where it comes from.
text = source.read_text().splitlines()
for level, word, origin in (("tensor", "linalg.matmul", "linalg.matmul"), ("virtual", "trn.matmul", "linalg.matmul"),
                            ("placed", "trn.matmul", "linalg.matmul"), ("nki", "nisa.nc_matmul", "linalg.matmul")):
    lines = (k.nki() if level == "nki" else k.mlir_at(level)).splitlines()
    places = k.places_at(level)
    assert len(lines) == len(places), level
    origins = [text[int(place.split(":")[-2]) - 1] for line, place in zip(lines, places) if word in line]
    assert origins and all(origin in one for one in origins), (level, origins)
