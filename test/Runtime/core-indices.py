"""Code that asks which core runs it computes what NumPy says, in one process and in several, and --verify agrees.

RUN: %python %s %t %if mpi %{ mpi %}
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
HAS_MPI = "mpi" in sys.argv[2:]
random = np.random.default_rng(0)


def execute(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(module, inputs, cores, in_processes=HAS_MPI):
    """The first result, which is the same bytes in all ways to run it."""
    (folder / "module.mlir").write_text(module)
    command = ["trn-run", folder / "module.mlir", "--compile=effort=1", f"--out=@{folder}/out.npy"]
    for index, value in enumerate(inputs):
        np.save(folder / f"in{index}.npy", value)
        command.append(f"--arg=@{folder}/in{index}.npy")
    assert "result 0: relative error" in execute([*command, "--verify"])
    found = np.load(folder / "out.npy")
    for other in [[*command, "--threads=1"]] + [["mpirun", "-n", str(cores), *command, "--mpi"]] * in_processes:
        execute(other)
        assert np.array_equal(np.load(folder / "out.npy"), found)
    return found


# A core takes rows of what all have, by its place in a grid of two axes.
ROWS = """
shard.grid @cores(shape = 2x3)
func.func @main(%x: tensor<12x64xf32>, %w: tensor<64x32xf32>)
    -> (tensor<2x32xf32> {trn.shard = #trn.shard<dim = 0, pieces = 6, size = 12>}) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : index
  %row, %column = shard.process_multi_index on @cores : index, index
  %columns = shard.grid_shape @cores axes = [1] : index
  %rows = arith.muli %row, %columns : index
  %core = arith.addi %rows, %column : index
  %begin = arith.muli %core, %two : index
  %own = tensor.extract_slice %x[%begin, 0] [2, 64] [1, 1] : tensor<12x64xf32> to tensor<2x64xf32>
  %empty = tensor.empty() : tensor<2x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x32xf32>) -> tensor<2x32xf32>
  %y = linalg.matmul ins(%own, %w : tensor<2x64xf32>, tensor<64x32xf32>) outs(%fill : tensor<2x32xf32>) -> tensor<2x32xf32>
  return %y : tensor<2x32xf32>
}
"""
x, w = (random.standard_normal(shape).astype(np.float32) for shape in ((12, 64), (64, 32)))
found = run(ROWS, [x, w], 6)
assert np.abs(found - x @ w).max() <= 1e-5 * np.abs(x @ w).max()

# Upstream's op for that, along both axes of the grid or one of them; nobody meets, and a core's number is all that a
# process adds.
SLICE = """
shard.grid @cores(shape = 2x3)
func.func @main(%x: tensor<12x64xf32>, %w: tensor<64x32xf32>)
    -> (tensor<2x32xf32> {trn.shard = #trn.shard<dim = 0, pieces = 6, size = 12>}) {
  %zero = arith.constant 0.0 : f32
  %half = shard.all_slice %x on @cores grid_axes = [0] slice_axis = 0 : tensor<12x64xf32> -> tensor<6x64xf32>
  %own = shard.all_slice %half on @cores grid_axes = [1] slice_axis = 0 : tensor<6x64xf32> -> tensor<2x64xf32>
  %empty = tensor.empty() : tensor<2x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x32xf32>) -> tensor<2x32xf32>
  %y = linalg.matmul ins(%own, %w : tensor<2x64xf32>, tensor<64x32xf32>) outs(%fill : tensor<2x32xf32>) -> tensor<2x32xf32>
  return %y : tensor<2x32xf32>
}
"""
assert np.array_equal(run(SLICE, [x, w], 6, in_processes=False), found)
TWO_AXES = SLICE.replace("%half = shard.all_slice %x on @cores grid_axes = [0] slice_axis = 0 : tensor<12x64xf32> -> tensor<6x64xf32>\n", "")
TWO_AXES = TWO_AXES.replace("%half on @cores grid_axes = [1]", "%x on @cores grid_axes = [0, 1]").replace("<6x64xf32> ->", "<12x64xf32> ->")
assert np.array_equal(run(TWO_AXES, [x, w], 6, in_processes=False), found)

# An MLP that upstream splits.
MARKED = """
shard.grid @cores(shape = 2)
func.func @main(%x: tensor<8x64xf32>, %w: tensor<64x128xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 128>},
                %v: tensor<128x64xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 128>}) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %whole = shard.sharding @cores split_axes = [[], []] : !shard.sharding
  %columns = shard.sharding @cores split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @cores split_axes = [[0], []] : !shard.sharding
  %xs = shard.shard %x to %whole annotate_for_users : tensor<8x64xf32>
  %ws = shard.shard %w to %columns annotate_for_users : tensor<64x128xf32>
  %vs = shard.shard %v to %rows annotate_for_users : tensor<128x64xf32>
  %wide = tensor.empty() : tensor<8x128xf32>
  %wides = shard.shard %wide to %columns annotate_for_users : tensor<8x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%wides : tensor<8x128xf32>) -> tensor<8x128xf32>
  %h = linalg.matmul ins(%xs, %ws : tensor<8x64xf32>, tensor<64x128xf32>) outs(%start : tensor<8x128xf32>) -> tensor<8x128xf32>
  %empty = tensor.empty() : tensor<8x64xf32>
  %emptys = shard.shard %empty to %whole annotate_for_users : tensor<8x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%emptys : tensor<8x64xf32>) -> tensor<8x64xf32>
  %y = linalg.matmul ins(%h, %vs : tensor<8x128xf32>, tensor<128x64xf32>) outs(%fill : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
"""
(folder / "marked.mlir").write_text(MARKED)
# mlir-opt knows no attribute of ours; as text it passes.
split = execute(["mlir-opt", "--allow-unregistered-dialect", folder / "marked.mlir",
                 "--pass-pipeline=builtin.module(func.func(sharding-propagation,shard-partition,canonicalize))"])
assert "process_multi_index" in split and "scf.if" in split, split
x, w, v = (random.standard_normal(shape).astype(np.float32) for shape in ((8, 64), (64, 128), (128, 64)))
found = run(split, [x, w, v], 2)
assert np.abs(found - x @ w @ v).max() <= 1e-5 * np.abs(x @ w @ v).max()
