"""The same for beta 1, where calls return tiles: see wrong.py."""

import neuronxcc.nki as nki
import neuronxcc.nki.compiler as ncc
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def placed_c3__over_capacity(x="f32[128,30000]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    score = nl.load(x)  # refused: SBUF: 360,000 of 212,992 bytes a partition at line 14: score 120,000 \(line 12\), exp_t 120,000 \(line 13\), a tile 120,000 \(line 14\)
    exp_t = nl.exp(score)
    nl.store(out, exp_t + score)
    return out


@nki.jit
def placed_c4__too_many_banks(x="bf16[128,512]"):
    out = nl.ndarray((nl.par_dim(128), 10, 512), dtype=nl.float32, buffer=nl.shared_hbm)
    a = nl.load(x)
    sums = nl.zeros((10, nl.par_dim(128), 512), dtype=nl.float32, buffer=nl.psum)  # refused: PSUM: 10 of 8 banks at line 24: 10 times sums 1
    for i in nl.affine_range(10):
        sums[i] += nisa.nc_matmul(a[:, 0:128], a)
    for i in nl.affine_range(10):
        nl.store(out[:, i, :], nl.copy(sums[i]))
    return out


@nki.jit
def placed_c2__a_129th_partition(x="f32[129,512]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.load(x)  # refused: a tile of \(129, 512\) has 129 partitions, but there are 128; cut it
    nl.store(out, t)
    return out


@nki.jit
def memory_c2__read_before_written(x="f32[128,512]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.ndarray((nl.par_dim(128), 512), dtype=nl.float32, buffer=nl.sbuf)
    t[:, 0:256] = nl.load(x[:, 0:256])
    nl.store(out, t)  # refused: which was never written: t of line 41
    return out


@nki.jit
def matmul_c4__moving_too_wide(x="bf16[128,1024]"):
    a = nl.load(x)
    nisa.nc_matmul(a[:, 0:128], a)  # refused: moving free size is 1024, but at most 512
    return x


@nki.jit
def matmul_c3__stationary_too_wide(x="bf16[128,512]"):
    a = nl.load(x)
    nisa.nc_matmul(a, a)  # refused: stationary free size is 512, but at most 128
    return x


@nki.jit
def matmul_c6__types_that_differ(x="f32[128,128]", w="bf16[128,128]"):
    a, b = nl.load(x), nl.load(w)
    nisa.nc_matmul(a, b)  # refused: f32 is multiplied by f32 only
    return x


@nki.jit
def nki_r3__column_of_another_height(x="f32[128,512]"):
    t, column = nl.load(x), nl.load(x[0:64, 0:1])
    nisa.tensor_scalar(t, nl.add, column)  # refused: one value for each of 128 partitions is needed, but it is \(64, 1\)
    return x


@nki.jit
def nki_r2__function_unknown(x="f32[128,512]"):
    nisa.activation(nl.bitwise_and, nl.load(x))  # refused: op of nisa.activation is nl.bitwise_and, which is not computed here
    return x


@nki.jit
def nki_r1__out_of_bounds_in_the_last_iteration(x="f32[250,64]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(4):
        t = nl.load(x[i * 64:(i + 1) * 64, :])  # refused: index 255 of dimension 0, which has 250
        nl.store(out[i * 64:(i + 1) * 64, :], t)
    return out


@nki.jit
def nki_r1__mask_missing(x="f32[250,64]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    p, f = nl.arange(128)[:, None], nl.arange(64)[None, :]
    for i in nl.affine_range(2):
        t = nl.load(x[i * 128 + p, f], mask=i * 128 + p < 250)
        nl.store(out[i * 128 + p, f], t)  # refused: index 255 of dimension 0, which has 250: .*give a mask
    return out


@nki.jit
def nki_r1__block_out_of_bounds(x="f32[128,64]"):
    sums = nl.zeros((2, nl.par_dim(128), 64), dtype=nl.float32, buffer=nl.psum)
    return sums[2]  # refused: index 2 of a block dimension, which has 2


@nki.jit
def nki_r3__shapes_that_differ(x="f32[128,512]"):
    t = nl.load(x)
    nl.add(t, t[:, 0:300])  # refused: shapes \(128, 512\) and \(128, 300\) do not go together
    return x


@nki.jit
def nki_r3__number_for_a_tile(x="f32[128,512]"):
    nl.exp(5.0)  # refused: `x` of nl.exp must be a tensor, but is 5.0
    return x


@nki.jit
def nki_r4__reduced_over_the_partition(x="f32[128,512]"):
    t = nl.load(x)
    nl.sum(t, axis=0)  # refused: 0 is the partition, which is not reduced
    return x


@nki.jit
def nki_r5__mask_by_equality(x="f32[128,512]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    p, f = nl.arange(128)[:, None], nl.arange(512)[None, :]
    t = nl.load(x)
    nl.store(out[p, f], t[p, f], mask=p == f)  # refused: a mask by == or != is not a box
    return out


@nki.jit
def nki_r5__mask_of_a_triangle(x="f32[128,512]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    p, f = nl.arange(128)[:, None], nl.arange(512)[None, :]
    t = nl.load(x)
    nl.store(out[p, f], t[p, f], mask=p < f)  # refused: a mask that is not a box of the tile
    return out


@nki.jit
def nki_r12__keyword_unknown(x="f32[128,512]"):
    t = nl.load(x, engine=3)  # refused: nl.load of NKI beta1 does not take `engine`
    return t


@nki.jit
def nki_r12__argument_missing(x="f32[128,512]"):
    nl.store(x)  # refused: nl.store needs `value`
    return x


@nki.jit
def nki_r8__python_raises(x="f32[128,512]"):
    return nl.load(x) @ 3  # refused: TypeError: unsupported operand


@nki.jit
def nki_r14__tile_returned(x="f32[128,512]"):  # refused: a kernel returns a tile on chip
    return nl.load(x)


@nki.jit
def nki_r16__indices_of_floats(x="f32[128,512]"):
    i_p, i_f = nl.arange(64)[:, None], nl.arange(512)[None, :]
    column = nl.load(x[i_p, 0])
    return nl.load(x[column[i_p, 0], i_f])  # refused: rows are chosen by int32 or uint32, but the indices are float32


@nki.jit
def nki_r16__chosen_columns(x="f32[128,512]", i="i32[64,1]"):
    i_p, i_f = nl.arange(64)[:, None], nl.arange(512)[None, :]
    column = nl.load(i)
    return nl.load(x[i_p, column])  # refused: a tile chooses along the first dimension of a tensor in HBM


@nki.jit
def nki_r2__masked_rows(x="f32[128,512]", i="i32[64,1]"):
    i_p, i_f = nl.arange(64)[:, None], nl.arange(512)[None, :]
    return nl.load(x[nl.load(i), i_f], mask=i_p < 32)  # refused: nl.load of rows that a tile chooses takes no mask


@nki.jit
def placed_c6__bytes_of_two_tiles(x="f32[4,128,64]", y="f32[4,128,64]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    a = nl.ndarray((4, nl.par_dim(128), 64), dtype=x.dtype, buffer=ncc.sbuf.mod_alloc(base_addr=0, num_free_tiles=(2,)))
    b = nl.ndarray((4, nl.par_dim(128), 64), dtype=x.dtype, buffer=ncc.sbuf.mod_alloc(base_addr=0, num_free_tiles=(2,)))  # refused: overlap, but b takes bytes .0, 256. of a partition, and a takes bytes .0, 256. of a partition \(line 189, last used at line 194\); give
    for i in nl.affine_range(4):
        a[i] = nl.load(x[i])
        b[i] = nl.load(y[i])
        nl.store(out[i], nl.add(a[i], b[i]))
    return out


@nki.jit
def placed_c6__bytes_in_part(x="f32[128,64]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    a = nl.ndarray((nl.par_dim(128), 64), dtype=x.dtype, buffer=ncc.sbuf.mod_alloc(base_addr=0))
    b = nl.ndarray((nl.par_dim(128), 32), dtype=x.dtype, buffer=ncc.sbuf.mod_alloc(base_addr=252))  # refused: b takes bytes .252, 380. of a partition, and a takes bytes .0, 256.
    a[...] = nl.load(x)
    b[...] = nl.add(a[:, 0:32], 1.0)
    a[:, 32:64] = b
    nl.store(out, a)
    return out


@nki.jit
def placed_c6__too_few_blocks(x="f32[4,128,64]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    a = nl.ndarray((4, nl.par_dim(128), 64), dtype=x.dtype, buffer=ncc.sbuf.mod_alloc(base_addr=0, num_free_tiles=(2,)))  # refused: a takes bytes .0, 256. of a partition, and a takes bytes .0, 256.
    for i in nl.affine_range(4):
        a[i] = nl.load(x[i])
    for i in nl.affine_range(4):
        nl.store(out[i], a[i])
    return out


@nki.jit
def placed_c6__one_bank(x="bf16[128,128]"):
    out = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.shared_hbm)
    a = nl.load(x)
    sums = nl.zeros((2, nl.par_dim(128), 128), dtype=nl.float32, buffer=ncc.psum.mod_alloc(base_bank=3))  # refused: sums takes bytes .0, 512. of bank 3, and sums takes
    for i in nl.affine_range(2):
        sums[i] += nisa.nc_matmul(a, a)
    nl.store(out, nl.add(nl.copy(sums[0]), nl.copy(sums[1])))
    return out


@nki.jit
def nki_r15__allocated_at_another_partition(x="f32[64,32]"):
    a = nl.ndarray((nl.par_dim(64), 32), dtype=x.dtype, buffer=ncc.sbuf.mod_alloc(base_addr=0, base_partition=64))  # refused: a tile at .64, 0., but tiles begin at partition 0
    a[...] = nl.load(x)
    return a


@nki.jit
def nki_r15__place_without_a_bank(x="f32[64,32]"):
    a = nl.ndarray((nl.par_dim(64), 32), dtype=x.dtype, buffer=ncc.psum.alloc(lambda i, p, f: (0, 0)))  # refused: a tile in PSUM is placed at .bank, partition, byte., but at .0, 0.
    a[...] = nl.load(x)
    return a


@nki.jit
def nki_r4__many_rows_of_one_partition(x="f32[128,512]"):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.load(x)
    p, f = nl.arange(128)[:, None], nl.arange(512)[None, :]
    nl.store(out, t[p * 0, f])  # refused: 128 rows of the tile are one partition, by an index that stays; copy it to as many by nl.broadcast_to
    return out
