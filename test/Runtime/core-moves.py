"""What cores exchange, pass on, and reduce by other functions is what NumPy says, in one process and in several.

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
TYPES = {np.dtype(np.float32): "f32", np.dtype(np.int32): "i32", np.dtype(np.int8): "i8"}


def execute(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(module, inputs, cores, *options):
    """The first result, which is the same bytes in all ways to run it."""
    (folder / "module.mlir").write_text(module)
    command = ["trn-run", folder / "module.mlir", "--compile=effort=1", f"--out=@{folder}/out.npy", *options]
    for index, value in enumerate(inputs):
        np.save(folder / f"in{index}.npy", value)
        command.append(f"--arg=@{folder}/in{index}.npy")
    execute(command)
    found = np.load(folder / "out.npy")
    for other in [[*command, "--threads=1"]] + [["mpirun", "-n", str(cores), *command, "--mpi"]] * HAS_MPI:
        execute(other)
        assert np.load(folder / "out.npy").tobytes() == found.tobytes()
    return found


def move(op, pieces, result, grid=None, form="{} -> {}"):
    """What `op` makes of the `pieces` of all cores: an array of `result` on each."""
    cores, *shape = pieces.shape
    element = TYPES[pieces.dtype]
    spell = lambda sizes: f"tensor<{'x'.join(map(str, sizes))}x{element}>"
    shard = lambda sizes: f"{{trn.shard = #trn.shard<dim = 0, pieces = {cores}, size = {cores * sizes[0]}>}}"
    found = run(f"""
shard.grid @cores(shape = {grid or cores})
func.func @main(%x: {spell(shape)} {shard(shape)}) -> ({spell(result)} {shard(result)}) {{
  %0 = shard.{op.format(x="%x on @cores")} : {form.format(spell(shape), spell(result))}
  return %0 : {spell(result)}
}}""", [pieces.reshape(-1, *shape[1:])], cores)
    return found.reshape(cores, *result)


def values(*shape, dtype=np.float32):
    return random.integers(-100, 100, shape).astype(dtype)


ROOTED = "({}) -> {}"
for cores in 2, 3, 4:
    x = values(cores, 12, 24, 2)
    # Pieces of one dimension for those of another: sequences for heads, tokens for experts, and back.
    for split, concat in (0, 0), (1, 0), (0, 1), (2, 1), (1, 2):
        if x.shape[1 + split] % cores:
            continue
        pieces = np.stack(np.split(x, cores, axis=1 + split))  # to, from
        expected = np.stack([np.concatenate(list(of), axis=concat) for of in pieces])
        op = f"all_to_all {{x}} grid_axes = [0] split_axis = {split} concat_axis = {concat}"
        assert np.array_equal(move(op, x, expected.shape[1:]), expected), (cores, split, concat)
    # Passed on in a ring, or along a pipeline, whose first core gets zeros.
    ring = "shift {x} grid_axes = [0] shift_axis = 0 offset = 1"
    assert np.array_equal(move(ring + " rotate", x, x.shape[1:]), np.roll(x, 1, axis=0))
    along = np.concatenate([0 * x[:1], x[:-1]])
    assert np.array_equal(move(ring, x, x.shape[1:]), along)
    back = ring.replace("= 1", "= -1")
    assert np.array_equal(move(back, x, x.shape[1:]), np.concatenate([x[1:], 0 * x[:1]]))

# Integers, such as numbers of experts, are only moved.
ids = values(2, 8, 4, dtype=np.int32) * 1000003
assert np.array_equal(move("shift {x} grid_axes = [0] shift_axis = 0 offset = 1 rotate", ids, (8, 4)), ids[::-1])
assert np.array_equal(move("all_to_all {x} grid_axes = [0] split_axis = 0 concat_axis = 0", ids, (8, 4)),
                      np.concatenate([ids[:, None, :4], ids[:, None, 4:]], axis=1).swapaxes(0, 1).reshape(2, 8, 4))

weights = values(2, 4, 6, dtype=np.int8)
assert np.array_equal(move("shift {x} grid_axes = [0] shift_axis = 0 offset = -1", weights, (4, 6))[0], weights[1])
assert np.array_equal(move("all_gather {x} grid_axes = [0] gather_axis = 1", weights, (4, 12))[1],
                      np.concatenate(list(weights), axis=1))

# Along the axes of a grid.
x = values(6, 4, 8)
grid = x.reshape(2, 3, 4, 8)
for axis in 0, 1:
    op = f"shift {{x}} grid_axes = [{axis}] shift_axis = {axis} offset = 1 rotate"
    assert np.array_equal(move(op, x, (4, 8), grid="2x3"), np.roll(grid, 1, axis=axis).reshape(6, 4, 8))
found = move("broadcast {x} grid_axes = [1] root = [2]", x, (4, 8), grid="2x3", form=ROOTED)
assert np.array_equal(found, grid[:, [2, 2, 2]].reshape(6, 4, 8))
found = move("broadcast {x} grid_axes = [0, 1] root = [1, 0]", x, (4, 8), grid="2x3", form=ROOTED)
assert np.array_equal(found, x[[3] * 6])

# Groups along one axis, and all cores in another order than theirs.
for axis, name in (0, "sum"), (1, "max"):
    op = f"all_reduce {{x}} grid_axes = [{axis}] reduction = {name}"
    folded = (grid.sum if name == "sum" else grid.max)(axis=axis, keepdims=True)
    assert np.array_equal(move(op, x, (4, 8), grid="2x3"), np.broadcast_to(folded, grid.shape).reshape(6, 4, 8))
along = move("all_gather {x} grid_axes = [0] gather_axis = 1", x, (4, 16), grid="2x3")
assert np.array_equal(along, np.concatenate([np.concatenate(list(grid), axis=-1)] * 2))
other = move("all_gather {x} grid_axes = [1, 0] gather_axis = 0", x, (24, 8), grid="2x3")
assert np.array_equal(other, np.stack([grid.swapaxes(0, 1).reshape(24, 8)] * 6))
pieces = move("reduce_scatter {x} grid_axes = [0] scatter_axis = 1", x, (4, 4), grid="2x3")
assert np.array_equal(pieces, np.stack(np.split(grid.sum(axis=0), 2, axis=-1)).reshape(6, 4, 4))
exchanged = move("all_to_all {x} grid_axes = [0] split_axis = 0 concat_axis = 1", x, (2, 16), grid="2x3")
assert np.array_equal(exchanged.reshape(2, 3, 2, 16),
                      np.stack([np.concatenate(list(half), axis=-1) for half in np.split(grid, 2, axis=2)]))
found = move("scatter {x} grid_axes = [0] scatter_axis = 0 root = [1]", x, (2, 8), grid="2x3", form=ROOTED)
assert np.array_equal(found, np.stack(np.split(grid[1], 2, axis=1)).reshape(6, 2, 8))

# Of a root, or for it.
x = values(3, 6, 8)
found = move("scatter {x} grid_axes = [0] scatter_axis = 0 root = [2]", x, (2, 8), form=ROOTED)
assert np.array_equal(found, x[2].reshape(3, 2, 8))
found = move("gather {x} grid_axes = [0] gather_axis = 1 root = [1]", x, (6, 24), form=ROOTED)
assert np.array_equal(found[1], np.concatenate(list(x), axis=1))
found = move("reduce {x} grid_axes = [0] reduction = product root = [0]", x, (6, 8), form=ROOTED)
assert np.array_equal(found[0], x.prod(axis=0))

# Other reductions; a NaN stays one.
x[0, 0, 0], x[1, 0, 1], x[2, 0, 2] = np.nan, np.nan, np.nan
for name, function in ("max", np.maximum), ("min", np.minimum), ("product", np.multiply):
    op = f"all_reduce {{x}} grid_axes = [0] reduction = {name}"
    expected = function.reduce(x, axis=0)
    assert np.array_equal(move(op, x, (6, 8)), np.stack([expected] * 3), equal_nan=True), name
op = "reduce_scatter {x} grid_axes = [0] reduction = max scatter_axis = 0"
assert np.array_equal(move(op, x, (2, 8)), np.maximum.reduce(x, axis=0).reshape(3, 2, 8), equal_nan=True)

# A softmax over a dimension whose pieces cores have.
SOFTMAX = """
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
shard.grid @cores(shape = 2)
func.func @main(%x: tensor<16x32xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 64>})
    -> (tensor<16x32xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 64>}) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<16xf32>
  %wide = tensor.empty() : tensor<16x32xf32>
  %start = linalg.fill ins(%least : f32) outs(%rows : tensor<16xf32>) -> tensor<16xf32>
  %own = linalg.reduce { arith.maximumf } ins(%x : tensor<16x32xf32>) outs(%start : tensor<16xf32>) dimensions = [1]
  %max = shard.all_reduce %own on @cores grid_axes = [0] reduction = max : tensor<16xf32> -> tensor<16xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<16x32xf32>, tensor<16xf32>) outs(%wide : tensor<16x32xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %less = arith.subf %a, %m : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<16x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<16xf32>) -> tensor<16xf32>
  %part = linalg.reduce { arith.addf } ins(%exp : tensor<16x32xf32>) outs(%zeros : tensor<16xf32>) dimensions = [1]
  %sum = shard.all_reduce %part on @cores grid_axes = [0] : tensor<16xf32> -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<16x32xf32>, tensor<16xf32>) outs(%wide : tensor<16x32xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %share = arith.divf %a, %s : f32
    linalg.yield %share : f32
  } -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
"""
x = 20 * random.standard_normal((16, 64)).astype(np.float32)
power = np.exp(x - x.max(axis=1, keepdims=True))
assert np.abs(run(SOFTMAX, [x], 2, "--verify") - power / power.sum(axis=1, keepdims=True)).max() <= 1e-5

# Each core multiplies its columns of X with the rows of W that come by; X stays where it is (a ring of products).
STEP = """
  %own{0} = tensor.extract_slice %x[0, %at{0}] [4, 16] [1, 1] : tensor<4x48xf32> to tensor<4x16xf32>
  %y{1} = linalg.matmul ins(%own{0}, %w{0} : tensor<4x16xf32>, tensor<16x32xf32>) outs(%y{0} : tensor<4x32xf32>) -> tensor<4x32xf32>
  %w{1} = shard.shift %w{0} on @cores grid_axes = [0] shift_axis = 0 offset = -1 rotate : tensor<16x32xf32> -> tensor<16x32xf32>
  %next{0} = arith.addi %core{0}, %one : index
  %core{1} = arith.remui %next{0}, %three : index
  %at{1} = arith.muli %core{1}, %size : index"""
RING = """
shard.grid @cores(shape = 3)
func.func @main(%x: tensor<4x48xf32> {trn.shard = #trn.shard<dim = 0, pieces = 3, size = 12>},
                %w0: tensor<16x32xf32> {trn.shard = #trn.shard<dim = 0, pieces = 3, size = 48>})
    -> (tensor<4x32xf32> {trn.shard = #trn.shard<dim = 0, pieces = 3, size = 12>}) {
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %size = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x32xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x32xf32>) -> tensor<4x32xf32>
  %core0 = shard.process_linear_index on @cores : index
  %at0 = arith.muli %core0, %size : index""" + "".join(STEP.format(i, i + 1) for i in range(3)) + """
  return %y3 : tensor<4x32xf32>
}
"""
x, w = (random.standard_normal(shape).astype(np.float32) for shape in ((12, 48), (48, 32)))
assert np.abs(run(RING, [x, w], 3, "--verify") - x @ w).max() <= 1e-5 * np.abs(x @ w).max()
