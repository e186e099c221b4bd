"""Times of factors are those of the kernels that compute products and chains. They keep
a weight whole only if that is asked for.

RUN: %trn_python %s %t
"""

import json
import pathlib
import subprocess
import sys

import trn_mlir as trn

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
llama.write_stories(folder)
shape = llama.shape_of(hidden=256, intermediate=1024, heads=4, kv_heads=4, head_dim=32, layers=1)
llama.write_folder(folder / "model", shape, llama.tensors_of(shape))
# Break-even is 204: what 192 saves in traffic is less than another product takes.
gate, down = "model.layers.0.mlp.gate_proj", "model.layers.0.mlp.down_proj"
(folder / "ranks.json").write_text(json.dumps({gate: 192, down: 64}))
failures = []


def compress(*options, status=0):
    result = subprocess.run(["trn-compress", folder / "model", f"--ranks={folder / 'ranks.json'}", *options],
                            capture_output=True, text=True)
    if result.returncode != status:
        sys.exit(f"{options}: {result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def write(name, *options):
    compress("-o", folder / name, f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}", *options)
    manifest = json.loads((folder / name / "trn_compress.json").read_text())
    return manifest, {entry["name"]: entry for entry in manifest["matrices"]}


def expect_times(entry, dtype="bf16", rows=(1, 512), rank=192, machine="trn1"):
    out, into = entry["shape"]
    wanted = [{"rows": count, "dense": trn.compile(trn.product(count, into, out, dtype), machine=machine).time(),
               "factored": trn.compile(trn.chain(count, into, rank, out, dtype), machine=machine).time()}
              for count in rows]
    if entry["modelled_ms"] != wanted:
        failures.append(f"{entry['modelled_ms']}, but trn-run says {wanted}")
    return wanted


# Kernels of a model in f32 are in bf16, unless it is asked for.
manifest, matrices = write("plain")
assert manifest["modelled"] == {"machine": "trn1", "type": "bf16", "rows": [1, 512]}, manifest["modelled"]
times = expect_times(matrices[gate])
expect_times(matrices[down], rank=64)
assert matrices[gate]["rank"] == 192 and all(time["factored"] > time["dense"] for time in times), times
assert "modelled_ms" not in matrices["model.layers.0.mlp.up_proj"]
manifest, matrices = write("other", "--dtype=f32", "--rows=3", "--machine=trn2")
expect_times(matrices[gate], "f32", rows=[3], machine="trn2")

# What is slower everywhere is marked, and stays whole where it must not be.
told = compress("--dry-run")
first, second = ("{dense:.4f} -> {factored:.4f} ms".format(**time) for time in times)
assert f"rank 192, modelled {first} (slower), {second} (slower)" in told, told
assert "modelled on trn1 in bf16 at 1 row: " in told and "at 512 rows: " in told, told
told = compress("--dry-run", "--require-faster")
assert f"kept dense, modelled slower with rank 192: {first} at 1 row, {second} at 512 rows" in told, told
assert "rank 64" in told, told
manifest, matrices = write("faster", "--require-faster")
assert matrices[gate]["kept_dense"].startswith("modelled slower") and matrices[down]["rank"] == 64
assert len(matrices[gate]["modelled_ms"]) == 2

# Times can be left out.
manifest, matrices = write("none", "--rows=")
assert "modelled" not in manifest and "modelled_ms" not in matrices[gate]
assert "modelled" not in compress("--dry-run", "--rows=")
for rows in "0", "x", "1,,2", "1;2":
    assert f"--rows is '{rows}', but must be numbers of rows such as 1,512" in compress(
        "--dry-run", f"--rows={rows}", status=1)
assert "--require-faster needs numbers of --rows" in compress("--dry-run", "--rows=", "--require-faster", status=1)
assert "trn9" in compress("--dry-run", "--machine=trn9", status=1)
# 2^40 rows do not fit in anything, but that is no reason not to compress.
told = compress("--dry-run", "--rows=1099511627776")
assert "warning: no modelled time for 256 x 1024 at 1099511627776 rows: " in told, told
(folder / "ranks.json").write_text(json.dumps({gate: 192}))
assert "nothing was compressed: all factors are modelled slower" in compress("--dry-run", "--require-faster", status=1)
sys.exit("\n".join(failures) or 0)
