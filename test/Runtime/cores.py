"""Several cores compute what NumPy says, in one process and in several, with any number of threads.

RUN: %python %s %t %if mpi %{ mpi %}
"""

import pathlib
import subprocess
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
HAS_MPI = "mpi" in sys.argv[2:]


def run(module, inputs, results, *options, processes=0):
    """The results, as the bytes of their files."""
    (folder / "module.mlir").write_text(module)
    command = ["trn-run", folder / "module.mlir", *options]
    for index, value in enumerate(inputs):
        np.save(folder / f"in{index}.npy", value)
        command.append(f"--arg=@{folder}/in{index}.npy")
    outs = [folder / f"out{index}.npy" for index in range(results)]
    command += [f"--out=@{out}" for out in outs]
    if processes:
        command = ["mpirun", "-n", str(processes), *command, "--mpi"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [np.load(out) for out in outs]


def run_everywhere(module, inputs, results, cores, *options):
    found = run(module, inputs, results, *options)
    others = [run(module, inputs, results, "--threads=1", *options)]
    if HAS_MPI:
        others.append(run(module, inputs, results, *options, processes=cores))
    for other in others:
        assert all(np.array_equal(a, b) for a, b in zip(found, other))
    return found


# Hand-written: pieces of rows that 3 does not divide, and of columns.
KERNEL = """
shard.grid @cores(shape = 3)
func.func private @kernel(
    %x: memref<3x8xf32> {trn.shard = #trn.shard<dim = 0, pieces = 3, size = 7>},
    %y: memref<4x6xf32> {trn.shard = #trn.shard<dim = 1, pieces = 3, size = 18>},
    %sum: memref<3x8xf32> {trn.result}, %all: memref<4x18xf32> {trn.result},
    %part: memref<3x8xf32> {trn.result, trn.shard = #trn.shard<dim = 0, pieces = 3, size = 7>},
    %scattered: memref<1x8xf32> {trn.result, trn.shard = #trn.shard<dim = 0, pieces = 3, size = 3>})
    attributes {trn.kernel} {
  trn.all_reduce %x to %sum cores 3 : memref<3x8xf32> to memref<3x8xf32>
  trn.all_gather %y to %all dim 1 cores 3 : memref<4x6xf32> to memref<4x18xf32>
  trn.dma_copy %x to %part : memref<3x8xf32> to memref<3x8xf32>
  trn.reduce_scatter %x to %scattered dim 0 cores 3 : memref<3x8xf32> to memref<1x8xf32>
  return
}
"""
random = np.random.default_rng(0)
x, y = (random.standard_normal(shape).astype(np.float32) for shape in ((7, 8), (4, 18)))
padded = np.concatenate([x, np.zeros((2, 8), np.float32)]).reshape(3, 3, 8)
expected = (padded[0] + padded[1]) + padded[2]
total, gathered, copied, scattered = run_everywhere(KERNEL, [x, y], 4, 3)
assert np.array_equal(total, expected) and np.array_equal(scattered, expected)
assert np.array_equal(gathered, y) and np.array_equal(copied, x)

# An MLP whose intermediate size no number of cores here divides.
MLP = """
func.func @main(%x: tensor<5x16xf32>, %gate: tensor<25x16xf32> {trn.param = "mlp.gate_proj.weight"},
                %up: tensor<25x16xf32> {trn.param = "mlp.up_proj.weight"},
                %down: tensor<16x25xf32> {trn.param = "mlp.down_proj.weight"}) -> tensor<5x16xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<5x25xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<5x25xf32>) -> tensor<5x25xf32>
  %g = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %gate : tensor<5x16xf32>, tensor<25x16xf32>) outs(%init : tensor<5x25xf32>) -> tensor<5x25xf32>
  %u = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %up : tensor<5x16xf32>, tensor<25x16xf32>) outs(%init : tensor<5x25xf32>) -> tensor<5x25xf32>
  %h = linalg.mul ins(%g, %u : tensor<5x25xf32>, tensor<5x25xf32>) outs(%wide : tensor<5x25xf32>) -> tensor<5x25xf32>
  %narrow = tensor.empty() : tensor<5x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%narrow : tensor<5x16xf32>) -> tensor<5x16xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%h, %down : tensor<5x25xf32>, tensor<16x25xf32>) outs(%start : tensor<5x16xf32>) -> tensor<5x16xf32>
  return %y : tensor<5x16xf32>
}
"""
values = [random.standard_normal(shape).astype(np.float32) for shape in ((5, 16), (25, 16), (25, 16), (16, 25))]
x, gate, up, down = values
expected = ((x @ gate.T) * (x @ up.T)) @ down.T
for cores in 1, 2, 3, 4:
    found, = run_everywhere(MLP, values, 1, cores, f"--compile=effort=1 partition={cores}")
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max(), cores
