"""What was interrupted goes on to the same bytes, and never with other work.

RUN: %python %s %t
"""

import json
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
llama.write_stories(folder)
shape = llama.shape_of(layers=3)
llama.write_folder(folder / "model", shape, llama.tensors_of(shape))


def compress(out, *options, status=0, message=""):
    result = subprocess.run(
        ["trn-compress", folder / "model", "-o", out, "--rank=6", "--rows=", f"--calib={folder / 'text'}",
         f"--tokenizer={folder / 'tokenizer.bin'}", *options], capture_output=True, text=True)
    assert result.returncode == status and message in result.stderr, result


def contents(path):
    return {file.name: file.read_bytes() for file in path.iterdir()}


for recovery in "none", "closed", "block":
    whole, part = folder / f"whole-{recovery}", folder / f"part-{recovery}"
    option = f"--recover={recovery}"
    compress(whole, option)
    # As if it had ended in the second layer: one that cannot be written ends it.
    (part / ".partial/layer-00001.json").mkdir(parents=True)
    compress(part, option, "--resume", status=1, message="layer-00001.json")
    shutil.rmtree(part / ".partial/layer-00001.json")
    (part / ".partial/layer-00001.safetensors").unlink(missing_ok=True)
    kept = part / ".partial/layer-00000.safetensors"
    assert kept.exists() and not (part / "model.safetensors").exists()
    before = kept.stat().st_mtime_ns
    compress(part, option, status=1, message="go on with --resume, or begin again with --force")
    compress(part, option, "--resume", "--ignore=up", status=1, message="was begun with other work, its ranks differ")
    compress(part, option, "--resume", "--calib-seqs=5", status=1, message="its calibration differ")
    assert kept.stat().st_mtime_ns == before
    compress(part, option, "--resume", "--threads=1")
    assert contents(part) == contents(whole), recovery

# A folder that is complete is only overwritten when that is asked for.
compress(folder / "whole-none", "--recover=none", status=1, message="remove it with --force")
compress(folder / "whole-none", "--force")
assert contents(folder / "whole-none") == contents(folder / "whole-closed")

# A text to report on is measured before and after.
text = (folder / "text").read_text().split(llama.STOP)
(folder / "calibration").write_text(llama.STOP.join(text[:15]))
(folder / "other").write_text(llama.STOP.join(text[15:]))
compress(folder / "measured", f"--calib={folder / 'calibration'}", f"--evaluate={folder / 'other'}",
         "--evaluate-stories=4")
found, = json.loads((folder / "measured/trn_compress.json").read_text())["evaluation"]
assert found["stories"] == 4


def perplexity(model, text):
    return subprocess.run(
        ["trn-llm", "perplexity", folder / model, f"--text={folder / text}", "--stories=4",
         f"--tokenizer={folder / 'tokenizer.bin'}", f"--report={folder / 'report.json'}"],
        check=True, capture_output=True, text=True).stderr


for key, model in ("perplexity_dense", "model"), ("perplexity", "measured"):
    assert "fitted to this text" not in perplexity(model, "other")
    assert json.loads((folder / "report.json").read_text())["perplexity"] == found[key], key
assert "warning: the factors of the model were fitted to this text" in perplexity("measured", "calibration")
