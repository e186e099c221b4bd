"""What cannot be compressed is refused with a reason, and nothing is written.

RUN: %python %s %t
"""

import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
pieces, scores = llama.pieces_of(300)
llama.write_tokenizer(folder / "tokenizer.bin", pieces, scores)
shape = llama.shape_of(neighbours=True)
llama.write_llama2c(folder / "model.bin", shape, llama.tensors_of(shape))
(folder / "text").write_text("abc")
(folder / "there").mkdir()
failures = []


def expect(message, *options, status=1):
    out = folder / "out"
    result = subprocess.run(
        ["trn-compress", folder / "model.bin", "-o", out, f"--calib={folder / 'text'}", *options],
        capture_output=True, text=True)
    if result.returncode != status or message not in result.stderr + result.stdout or out.exists():
        failures.append(f"{options}: expected '{message}', but status {result.returncode} and "
                        f"{result.stdout}{result.stderr}")


expect("give one of --rank, --ratio and --keep-ratio, not 0")
expect("give one of --rank, --ratio and --keep-ratio, not 2", "--rank=4", "--ratio=0.5")
expect("--rank must be at least 1", "--rank=0")
for ratio in "0", "1", "-0.5", "nan":
    expect("--ratio and --keep-ratio must lie between 0 and 1", f"--ratio={ratio}")
expect("--ratio and --keep-ratio must lie between 0 and 1", "--keep-ratio=1.5")
expect("--block is 33, but must be a multiple of 32", "--ratio=0.5", "--block=33")
expect("nothing was compressed: the largest useful rank is 14; give a larger --ratio, a smaller "
       "--rank or a smaller --block", "--rank=15")
expect("is there already; name another folder or remove it", "--rank=4", "-o", str(folder / "there"))
expect("--method=plain is for --recover=none", "--rank=4", "--method=plain")
expect("--shrink must lie between 0 and 1000", "--rank=4", "--shrink=-1")
expect("--max-tokens must be at least 1", "--rank=4", "--max-tokens=0")
expect("--max-shard-size must be above 0", "--rank=4", "--max-shard-size=0")
expect("No such file or directory", "--rank=4", f"--calib={folder / 'nowhere'}")
expect("ranks that are no multiple of 128 leave partitions idle", "--rank=4", "--dry-run", status=0)
expect("model.layers.1.mlp.down_proj         40 x 24     rank 4", "--rank=4", "--dry-run", status=0)
result = subprocess.run(["trn-compress", folder / "model.bin", "--rank=4"], capture_output=True, text=True)
if result.returncode != 1 or "give the folder to make with -o" not in result.stderr:
    failures.append(result.stderr)
sys.exit("\n".join(failures) or 0)
