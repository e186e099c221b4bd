"""Kernels that are wrong, for NKI 0.6 and later. Each is named by the rule that it breaks, and says
at the line what the refusal has to say."""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


def tile(shape, dtype=nl.float32, buffer=nl.sbuf):
    return nl.ndarray(shape, dtype=dtype, buffer=buffer)


def result(shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype=dtype, buffer=nl.shared_hbm)


@nki.jit
def placed_c3__over_capacity(x="f32[128,30000]"):
    out = result(x.shape)
    score = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)  # refused: SBUF: 240,000 of 212,992 bytes a partition at line 24: score 120,000 \(line 21\), exp_t 120,000 \(line 22\); use smaller
    exp_t = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=score, src=x)
    nisa.activation(dst=exp_t, op=nl.exp, data=score)
    nisa.tensor_tensor(dst=score, data1=score, data2=exp_t, op=nl.add)
    nisa.dma_copy(dst=out, src=score)
    return out


@nki.jit
def placed_c4__too_many_banks(x="bf16[128,512]"):
    out = result((1280, 512))
    a = tile(x.shape, x.dtype)
    nisa.dma_copy(dst=a, src=x)
    sums = [nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.psum) for _ in range(10)]  # refused: PSUM: 10 of 8 banks at line 37: 10 times sums 1
    for i in range(10):
        nisa.nc_matmul(dst=sums[i], stationary=a[:, 0:128], moving=a)
    back = tile((128, 512))
    for i in range(10):
        nisa.tensor_copy(dst=back, src=sums[i])
        nisa.dma_copy(dst=out[i * 128:(i + 1) * 128, :], src=back)
    return out


@nki.jit
def group_c4__sums_in_two_banks(x="f32[128,512]"):
    out = result((128, 1024))
    a = tile(x.shape)
    nisa.dma_copy(dst=a, src=x)
    sums = nl.ndarray((128, 1024), dtype=nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=sums[:, 256:768], stationary=a[:, 0:128], moving=a)  # refused: writes PSUM banks 0 to 1, but the tensor engine writes inside one bank
    back = tile((128, 1024))
    nisa.tensor_copy(dst=back, src=sums)
    nisa.dma_copy(dst=out, src=back)
    return out


@nki.jit
def placed_c2__a_129th_partition(x="f32[129,512]"):
    out = result(x.shape)
    t = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)  # refused: a tile of \(129, 512\) has 129 partitions, but there are 128; cut it
    nisa.dma_copy(dst=t, src=x)
    nisa.dma_copy(dst=out, src=t)
    return out


@nki.jit
def memory_c2__read_before_written(x="f32[128,512]"):
    out = result(x.shape)
    t, u = tile(x.shape), tile(x.shape)
    nisa.dma_copy(dst=t[:, 0:511], src=x[:, 0:511])
    nisa.activation(dst=u, op=nl.exp, data=t)  # refused: reads partition 0, byte 2044 of a buffer, which was never written: .*; write the whole tile before it is read
    nisa.dma_copy(dst=out, src=u)
    return out


@nki.jit
def memory_c5__result_not_written(x="f32[128,512]"):  # refused: never writes element 511 of its result, out; a kernel writes all of its results; store every element
    out = result(x.shape)
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    nisa.dma_copy(dst=out[:, 0:511], src=t[:, 0:511])
    return out


@nki.jit
def group_c2__sums_over_two_groups(x="bf16[128,512]"):
    out = result((128, 512))
    a = tile(x.shape, x.dtype)
    nisa.dma_copy(dst=a, src=x)
    sums = tile((128, 512), buffer=nl.psum)
    for j in range(2):
        nisa.nc_matmul(dst=sums[:, nl.ds(j * 256, 256)], stationary=a[:, 0:128], moving=a[:, 0:256], accumulate=False)
    nisa.nc_matmul(dst=sums, stationary=a[:, 0:128], moving=a, accumulate=True)  # refused: accumulates into PSUM bank 0 beyond the group .*; add to each group by itself
    back = tile((128, 512))
    nisa.tensor_copy(dst=back, src=sums)
    nisa.dma_copy(dst=out, src=back)
    return out


@nki.jit
def group_c1__nothing_to_add_to(x="bf16[128,512]"):
    out = result((128, 512))
    a = tile(x.shape, x.dtype)
    nisa.dma_copy(dst=a, src=x)
    sums = tile((128, 512), buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=a[:, 0:128], moving=a, accumulate=True)  # refused: accumulates into PSUM bank 0, where no group was started
    back = tile((128, 512))
    nisa.tensor_copy(dst=back, src=sums)
    nisa.dma_copy(dst=out, src=back)
    return out


@nki.jit
def matmul_c4__moving_too_wide(x="bf16[128,1024]"):
    a = tile(x.shape, x.dtype)
    nisa.dma_copy(dst=a, src=x)
    sums = tile((128, 1024), buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=a[:, 0:128], moving=a)  # refused: moving free size is 1024, but at most 512 is allowed; split the columns
    out = result((128, 1024))
    nisa.dma_copy(dst=out, src=a)
    return out


@nki.jit
def matmul_c3__stationary_too_wide(x="bf16[128,512]"):
    a = tile(x.shape, x.dtype)
    nisa.dma_copy(dst=a, src=x)
    sums = tile((128, 512), buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=a[:, 0:256], moving=a)  # refused: stationary free size is 256, but at most 128 is allowed; split the rows
    out = result((128, 512), x.dtype)
    nisa.dma_copy(dst=out, src=a)
    return out


@nki.jit
def tile_c3__product_in_sbuf(x="bf16[128,512]"):
    a, sums = tile(x.shape, x.dtype), tile((128, 512))
    nisa.dma_copy(dst=a, src=x)
    nisa.nc_matmul(dst=sums, stationary=a[:, 0:128], moving=a)  # refused: a product is written to SBUF, but its sums are made in PSUM
    out = result((128, 512))
    nisa.dma_copy(dst=out, src=sums)
    return out


@nki.jit
def tile_c2__factor_in_psum(x="f32[128,128]"):
    a, t, sums = tile(x.shape), tile(x.shape, buffer=nl.psum), tile(x.shape, buffer=nl.psum)
    nisa.dma_copy(dst=a, src=x)
    nisa.tensor_copy(dst=t, src=a)
    nisa.nc_matmul(dst=sums, stationary=a, moving=t)  # refused: the moving tile is in PSUM, but the tensor engine reads SBUF
    return result(x.shape)


@nki.jit
def matmul_c6__types_that_differ(x="f32[128,128]", w="bf16[128,128]"):
    a, b, sums = tile(x.shape), tile(w.shape, w.dtype), tile(x.shape, buffer=nl.psum)
    nisa.dma_copy(dst=a, src=x)
    nisa.dma_copy(dst=b, src=w)
    nisa.nc_matmul(dst=sums, stationary=a, moving=b)  # refused: f32 is multiplied by f32 only, but stationary is 'f32' and moving is 'bf16'
    return result(x.shape)


@nki.jit
def matmul_c1__contraction_that_differs(x="f32[128,128]"):
    a, b, sums = tile((128, 128)), tile((64, 128)), tile((128, 128), buffer=nl.psum)
    nisa.dma_copy(dst=a, src=x)
    nisa.dma_copy(dst=b, src=x[0:64, :])
    nisa.nc_matmul(dst=sums, stationary=a, moving=b)  # refused: must have the same number of partitions, but have 128 and 64
    return result(x.shape)


@nki.jit
def transfer_c1__dma_to_psum(x="f32[128,512]"):
    sums = tile(x.shape, buffer=nl.psum)
    nisa.dma_copy(dst=sums, src=x)  # refused: a DMA writes PSUM, which it does not reach; copy through SBUF
    return result(x.shape)


@nki.jit
def transfer_c1__dma_from_psum(x="f32[128,512]"):
    out, t, sums = result(x.shape), tile(x.shape), tile(x.shape, buffer=nl.psum)
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_copy(dst=sums, src=t)
    nisa.dma_copy(dst=out, src=sums)  # refused: a DMA reads PSUM, which it does not reach; copy the tile to SBUF
    return out


@nki.jit
def tensor_tensor_c4__both_in_psum(x="f32[128,512]"):
    out, t = result(x.shape), tile(x.shape)
    a, b = tile(x.shape, buffer=nl.psum), tile(x.shape, buffer=nl.psum)
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_copy(dst=a, src=t)
    nisa.tensor_copy(dst=b, src=t)
    nisa.tensor_tensor(dst=t, data1=a, data2=b, op=nl.add)  # refused: at most one input may be in psum, but both are; copy one of them to sbuf first
    nisa.dma_copy(dst=out, src=t)
    return out


@nki.jit
def tensor_copy_c3__gpsimd_reads_psum(x="f32[128,512]"):
    out, t, a = result(x.shape), tile(x.shape), tile(x.shape, buffer=nl.psum)
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_copy(dst=a, src=t)
    nisa.tensor_copy(dst=t, src=a, engine=nisa.gpsimd_engine)  # refused: cannot run on the gpsimd engine with these operands, but on vector
    nisa.dma_copy(dst=out, src=t)
    return out


@nki.jit
def nki_r1__out_of_bounds_in_the_last_iteration(x="f32[250,64]"):
    out = result(x.shape)
    t = tile((64, 64))
    for i in nl.affine_range(4):
        nisa.dma_copy(dst=t, src=x[i * 64:(i + 1) * 64, :])  # refused: index 255 of dimension 0, which has 250: .*give a mask
        nisa.dma_copy(dst=out[i * 64:(i + 1) * 64, :], src=t)
    return out


@nki.jit
def nki_r3__shapes_that_differ(x="f32[128,512]"):
    t, u = tile(x.shape), tile((128, 256))
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_tensor(dst=u, data1=t, data2=t, op=nl.add)  # refused: \(128, 512\) cannot be broadcast to \(128, 256\)
    return result(x.shape)


@nki.jit
def nki_r3__number_for_a_tile(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.activation(dst=t, op=nl.exp, data=5.0)  # refused: `data` of nisa.activation must be a tensor, but is 5.0
    return result(x.shape)


@nki.jit
def nki_r3__column_of_another_height(x="f32[128,512]"):
    t, column = tile(x.shape), tile((64, 1))
    nisa.dma_copy(dst=t, src=x)
    nisa.dma_copy(dst=column, src=x[0:64, 0:1])
    nisa.tensor_scalar(dst=t, data=t, op0=nl.add, operand0=column)  # refused: one value for each of 128 partitions is needed, but it is \(64, 1\)
    return result(x.shape)


@nki.jit
def nki_r4__reduced_over_the_partition(x="f32[128,512]"):
    t, u = tile(x.shape), tile((1, 512))
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_reduce(dst=u, op=nl.add, data=t, axis=0)  # refused: a reduction over 0 of a tile of 2 dimensions; 0 is the partition, which is not reduced
    return result(x.shape)


@nki.jit
def nki_r4__partitions_skipped(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    out = result((64, 512))
    nisa.dma_copy(dst=out, src=t[0:128:2, :])  # refused: partitions are taken one after the other
    return out


@nki.jit
def nki_r4__partition_repeated(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    out = result(x.shape)
    row = t.ap(pattern=[[0, 128], [1, 512]])  # refused: `ap` steps over partitions by 0 elements, but a partition of the tile has 512, which is the step
    nisa.dma_copy(dst=out, src=row)
    return out


@nki.jit
def nki_r6__eight_bits(x="float8_e5m2[128,512]"):  # refused: elements of float8_e5m2, but a kernel is computed in float32, bfloat16
    return result(x.shape)


@nki.jit
def nki_r6__floats_for_integers(x="f32[128,512]"):
    t = tile(x.shape, nl.int16)
    nisa.dma_copy(dst=t, src=x)  # refused: dma_copy writes a tile of int16 what may not be an integer of it
    return result(x.shape)


@nki.jit
def nki_r7__transposed_by_no_identity(x="f32[128,128]"):
    a, t = tile(x.shape), tile(x.shape, buffer=nl.psum)
    nisa.dma_copy(dst=a, src=x)
    nisa.nc_matmul(dst=t, stationary=a, moving=a, is_transpose=True)  # refused: the moving tile is not known to be an identity matrix
    return result(x.shape)


@nki.jit
def nki_r2__function_unknown(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.activation(dst=t, op=np.arccosh, data=t)  # refused: op of nisa.activation is np.arccosh, which is not computed here
    return result(x.shape)


@nki.jit
def nki_r2__microscaled_product(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.nc_matmul_mx(t, t, t, t, t)  # refused: nisa.nc_matmul_mx of NKI 0.7 is not read here
    return result(x.shape)


@nki.jit
def nki_r12__keyword_unknown(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x, queue=3)  # refused: nisa.dma_copy of NKI 0.7 does not take `queue`; it takes `dst`, `src`
    return result(x.shape)


@nki.jit
def nki_r12__argument_missing(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.activation(dst=t, op=nl.exp)  # refused: nisa.activation needs `data`
    return result(x.shape)


@nki.jit
def nki_r8__python_raises(x="f32[128,512]"):
    t = tile(x.shape)
    return t.no_such_method()  # refused: AttributeError: 'Tensor' object has no attribute 'no_such_method'


@nki.jit
def nki_r8__decides_by_comparison(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    if t[0:1, 0:1] > 1e9:  # refused: decides by what a tile holds
        nisa.memset(dst=t, value=0.0)
    return result(x.shape)


@nki.jit
def nki_r8__decides_by_equality(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    if t[0:1, 0:1] == 0.0:  # refused: decides by what a tile holds
        nisa.memset(dst=t, value=0.0)
    return result(x.shape)


@nki.jit
def nki_r8__decides_by_range(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    if 0.0 < t < 1.0:  # refused: decides by what a tile holds
        nisa.memset(dst=t, value=0.0)
    return result(x.shape)


@nki.jit
def nki_r8__decides_by_tile(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    if not t:  # refused: decides by what a tile holds
        nisa.memset(dst=t, value=0.0)
    return result(x.shape)


@nki.jit
def nki_r8__decides_by_member(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    if x[0, 0:1]:  # refused: decides by what a tile holds
        nisa.memset(dst=t, value=0.0)
    return result(x.shape)


@nki.jit
def nki_r8__decides_by_maximum(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    t = max(t, 0.0)  # refused: decides by what a tile holds
    return result(x.shape)


@nki.jit
def nki_r14__tile_returned(x="f32[128,512]"):  # refused: a kernel returns a tile on chip; store it in a tensor of shared_hbm
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    return t


@nki.jit
def nki_r14__nothing_returned(x="f32[128,512]"):  # refused: the kernel returns nothing and writes none of its arguments
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)


@nki.jit
def nki_r15__address_at_another_partition(x="f32[128,512]"):
    t = nl.ndarray((64, 512), dtype=nl.float32, buffer=nl.sbuf, address=(64, 0))  # refused: a tile at .64, 0., but tiles begin at partition 0
    nisa.dma_copy(dst=t, src=x[0:64, :])
    return result(x.shape)


@nki.jit
def nki_r15__address_of_one_number(x="f32[128,512]"):
    t = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.sbuf, address=512)  # refused: an address is .partition, byte., but is 512
    nisa.dma_copy(dst=t, src=x)
    return result(x.shape)


def gathered(x, column, skip=False):
    t = tile(column.shape[:1] + x.shape[1:])
    rows = x.ap(pattern=[[x.shape[1], t.shape[0]], [1, x.shape[1]]], vector_offset=column,
                indirect_dim=0)
    nisa.dma_copy(dst=t, src=rows)
    out = result(t.shape)
    nisa.dma_copy(dst=out, src=t)
    return out


def counted(count, step, dtype=nl.int32, start=0):
    column = tile((count, 1), dtype)
    nisa.iota(dst=column, pattern=[[0, 1]], offset=start, channel_multiplier=step)
    return column


@nki.jit
def indirect_c1__row_that_is_not_there(x="f32[100,64]"):
    column = counted(32, 4)
    t = tile((32, 64))
    nisa.dma_copy(dst=t, src=x.vector_select(0, column))  # refused: has index 100 for partition 25, but there are 100 rows, 0 to 99
    out = result(t.shape)
    nisa.dma_copy(dst=out, src=t)
    return out


@nki.jit
def indirect_c1__offset_that_leaves_less(x="f32[100,64]"):
    column = counted(100, 1)
    t = tile((100, 2, 64))
    nisa.dma_copy(dst=t, src=x.ap([[64, 100], [64, 2], [1, 64]], vector_offset=column))  # refused: has index 99 for partition 99, but there are 99 rows, 0 to 98
    out = result(t.shape)
    nisa.dma_copy(dst=out, src=t)
    return out


@nki.jit
def indirect_c2__row_written_twice(x="f32[32,64]"):
    out = result((100, 64))
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    nisa.dma_copy(dst=out.vector_select(0, counted(32, 0, start=7)), src=t)  # refused: writes an element of rows 7 and 7 from both partition 0 and 1
    return out


@nki.jit
def memory_c2__skipped_row_read(x="f32[16,64]"):
    t = tile((32, 64))
    nisa.dma_copy(dst=t, src=x.vector_select(0, counted(32, 1)), oob_mode=nisa.oob_mode.skip)
    out = result(t.shape)
    nisa.dma_copy(dst=out, src=t)  # refused: reads partition 16, byte 0 of a buffer, which was never written
    return out


@nki.jit
def memory_c5__rows_left_out(x="f32[32,64]"):  # refused: never writes element 2048 of its result
    out = result((100, 64))
    t = tile(x.shape)
    nisa.dma_copy(dst=t, src=x)
    nisa.dma_copy(dst=out.vector_select(0, counted(32, 1)), src=t)
    return out


@nki.jit
def nki_r16__indices_of_floats(x="f32[100,64]"):
    return x.vector_select(0, tile((32, 1)))  # refused: rows are chosen by int32 or uint32, but the indices are float32


@nki.jit
def nki_r16__two_columns(x="f32[100,64]"):
    return x.vector_select(0, tile((32, 2), nl.int32))  # refused: with one index for each partition, but it is .32, 2. in SBUF; give one column


@nki.jit
def nki_r16__indices_in_hbm(x="f32[100,64]", i="i32[32,1]"):
    return x.vector_select(0, i)  # refused: but it is .32, 1. in HBM


@nki.jit
def nki_r16__rows_of_a_tile(x="f32[100,64]"):
    t = tile(x.shape)
    return t.vector_select(0, counted(32, 1))  # refused: rows are chosen of a tensor in HBM, but it is in SBUF


@nki.jit
def nki_r16__more_rows_than_indices(x="f32[100,64]"):
    return x.ap([[64, 33], [1, 64]], vector_offset=counted(32, 1))  # refused: `ap` takes 33 rows, but vector_offset has 32 partitions


@nki.jit
def nki_r2__rows_of_a_later_dimension(x="f32[100,64]"):
    return x.ap([[64, 32], [1, 64]], vector_offset=counted(32, 1), indirect_dim=1)  # refused: takes indirect_dim=0, but it is 1


@nki.jit
def nki_r16__two_numbers_for_a_block(x="f32[100,64]"):
    return x.ap([[64, 32], [1, 64]], scalar_offset=counted(2, 1))  # refused: a scalar_offset is one number, but it is .2, 1.


@nki.jit
def indirect_c1__block_that_leaves_the_tensor(x="f32[100,64]"):
    t = tile((32, 64))
    column = counted(1, 0, start=69)
    nisa.dma_copy(dst=t, src=x.ap([[64, 32], [1, 64]], scalar_offset=column))  # refused: has index 69 for partition 0, but there are 69 rows, 0 to 68
    out = result(t.shape)
    nisa.dma_copy(dst=out, src=t)
    return out


@nki.jit
def indirect_c1__column_of_another_row(x="f32[100,64]"):
    t = tile((1, 1))
    column = counted(1, 0, start=64)
    nisa.dma_copy(dst=t, src=x.ap([[64, 1], [1, 1]], offset=64, scalar_offset=column, indirect_dim=1))  # refused: has index 64 for partition 0, but there are 64 rows
    out = result((1, 1))
    nisa.dma_copy(dst=out, src=t)
    return out


@nki.jit
def nki_r2__rows_of_a_slice(x="f32[100,64]"):
    return x[:, 0:32].ap([[64, 32], [1, 32]], vector_offset=counted(32, 1))  # refused: counts rows of a tensor, but this is a slice with gaps


@nki.jit
def nki_r2__rows_that_are_computed_with(x="f32[100,64]"):
    t = tile((32, 64))
    nisa.tensor_copy(dst=t, src=x.vector_select(0, counted(32, 1)))  # refused: `src` of nisa.tensor_copy is rows that a tile chooses, which are only transferred


@nki.jit
def nki_r1__rows_beyond_the_tensor(x="f32[100,64]"):
    return x.ap([[64, 32], [1, 64]], offset=6400, vector_offset=counted(32, 1))  # refused: `ap` reaches element 6463, but the tensor has 6400


@nki.jit
def integer_c1__sum_beyond_f32(x="f32[32,64]"):
    column = counted(32, 100000)
    nisa.tensor_scalar(dst=column, data=column, op0=nl.multiply, operand0=1000)  # refused: leaves what is no such integer in a buffer of i32
    return gathered(x, column)


@nki.jit
def integer_c1__fractions(x="f32[32,64]"):
    column = counted(32, 1)
    nisa.tensor_scalar(dst=column, data=column, op0=nl.multiply, operand0=0.5)  # refused: leaves what is no such integer in a buffer of i32
    return gathered(x, column)


@nki.jit
def memset_c2__fraction(x="f32[32,64]"):
    column = tile((32, 1), nl.int32)
    nisa.memset(dst=column, value=0.5)  # refused: fills a tile of .i32. with 5.0+e-01
    return gathered(x, column)


@nki.jit
def nki_r2__loop_as_long_as_data_says(x="f32[128,512]", count="i32[1]"):
    most = nisa.register_alloc()
    nisa.register_load(most, count)
    for _ in nl.dynamic_range(most):  # refused: the kernel loops or decides by a register that holds data, .*; give the kernel a number
        return x


@nki.jit
def nki_r2__register_without_a_number(x="f32[128,512]"):
    return range(nisa.register_alloc())  # refused: a register is read before it is loaded; load it, or


@nki.jit
def nki_r3__register_of_several_numbers(x="i32[1,2]"):
    nisa.register_load(nisa.register_alloc(), x)  # refused: a register holds one number, but it is loaded from .1, 2.


@nki.jit
def nki_r6__scalar_of_another_type(x="f32[1,1]"):
    nisa.scalar_load(x)  # refused: nisa.scalar_load of float32; a scalar is int32


@nki.jit
def nki_r3__tile_for_a_register(x="i32[1,1]"):
    nisa.register_move(tile((1, 1), nl.int32), 2)  # refused: `dst` of nisa.register_move must be a register


@nki.jit
def nki_r2__random_numbers(x="f32[128,512]"):
    return nisa.rng(dst=tile(x.shape, nl.uint32))  # refused: not read here: random numbers leave no values to compare; give the kernel a tensor


@nki.jit
def nki_r2__elements_that_are_counted(x="f32[128,512]"):
    nisa.nonzero_with_count(dst=tile((128, 513), nl.int32), src=tile(x.shape))  # refused: not read here: how many elements are found is data


@nki.jit
def nki_r3__indices_of_floats(x="f32[128,512]"):
    nisa.local_gather(dst=tile((128, 16)), src_buffer=tile(x.shape), index=tile((128, 1)))  # refused: local_gather by indices of float32, which are uint16


@nki.jit
def nki_r3__more_indices_than_there_are(x="f32[128,512]"):
    nisa.local_gather(dst=tile((128, 17)), src_buffer=tile(x.shape), index=tile((128, 1), nl.uint16), num_valid_indices=17)  # refused: local_gather of 17 indices, 1 elements each; a core of GpSimd has 16 indices


@nki.jit
def nki_r2__bits_of_two_tiles(x="f32[128,512]"):
    t = tile(x.shape, nl.int32)
    nisa.tensor_tensor(dst=t, data1=t, data2=t, op=nl.bitwise_and)  # refused: op of nisa.tensor_tensor is nl.bitwise_and, which is not computed here: bits are those of a tile of integers and a number
    return t


@nki.jit
def nki_r2__bits_of_large_numbers(x="i32[128,512]"):
    return nl.bitwise_or(tile(x.shape, nl.int32), 1 << 24)  # refused: nl.bitwise_or of 16777216: here it is of a tile and an integer of at most 24 bits


@nki.jit
def nki_r2__zeros_before_a_sign(x="i32[128,512]"):
    t = tile(x.shape, nl.int32)
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_scalar(dst=t, data=t, op0=nl.right_shift, operand0=3)  # refused: nisa.tensor_scalar of what may be negative
    return t


@nki.jit
def nki_r2__bits_and_numbers(x="i32[128,512]"):
    t = tile(x.shape, nl.int32)
    nisa.tensor_scalar(dst=t, data=t, op0=nl.bitwise_and, operand0=3, op1=nl.add, operand1=1)  # refused: operators of bits go by themselves
    return t


@nki.jit
def nki_r3__bits_of_floats(x="f32[128,512]"):
    return nl.left_shift(tile(x.shape), 2)  # refused: nl.left_shift of f32, which has no bits of an integer


@nki.jit
def nki_r2__operator_of_a_later_core(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.tensor_reduce(dst=t, data=t, op=nl.abs_max, axis=1)  # refused: nl.abs_max, which is not computed here: an operator of a later core than trn2's; take nl.abs
    return t


@nki.jit
def nki_r2__instruction_of_a_later_core(x="f32[128,512]"):
    nisa.exponential(tile(x.shape), tile(x.shape))  # refused: not read here: an instruction of a later core than trn2's; use nisa.activation


@nki.jit
def nki_r2__sum_of_products_by_dma(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_compute(dst=t, srcs=[x, x], scales=[0.5, 0.5], reduce_op=nl.add)  # refused: dma_compute adds tensors by nl.add, each times 1.0
    return t


@nki.jit
def nki_r2__sum_by_dma_without_tensors(x="f32[128,512]"):
    nisa.dma_compute(dst=tile(x.shape), srcs=[], reduce_op=nl.add)  # refused: dma_compute of 0 tensors and 0 scales; it takes 1 to 16 tensors, and a scale for each


@nki.jit
def nki_r2__rows_added_to_twice(x="f32[128,512]"):
    t = tile(x.shape)
    nisa.dma_compute(dst=t, srcs=[x, t], reduce_op=nl.add, unique_indices=False)  # refused: unique_indices=False, but rows that are added to are chosen once each


@nki.jit
def nki_r3__sum_by_dma_of_other_sizes(x="f32[128,512]"):
    t = tile((128, 256))
    nisa.dma_compute(dst=t, srcs=[x, x], reduce_op=nl.add)  # refused: dma_compute of \(128, 512\) into \(128, 256\); all tensors have as many elements


@nki.jit
def nki_r2__rows_added_elsewhere(x="f32[128,512]", i="i32[128,1]"):
    column, t, u = tile(i.shape, nl.int32), tile(x.shape), tile(x.shape)
    nisa.dma_compute(dst=t, srcs=[u, x.vector_select(0, column)], reduce_op=nl.add)  # refused: dma_compute of rows that a tile chooses writes what it adds to


@nki.jit
def nki_r2__rows_added_to_rows(x="f32[128,512]", i="i32[128,1]"):
    column = tile(i.shape, nl.int32)
    rows = x.vector_select(0, column)
    nisa.dma_compute(dst=rows, srcs=[rows, rows], reduce_op=nl.add)  # refused: adds them and one tile of SBUF, but is given 2 and 0


@nki.jit
def transfer_c1__sum_by_dma_of_psum(x="f32[128,512]"):
    t, sums = tile(x.shape), tile(x.shape, buffer=nl.psum)
    nisa.dma_compute(dst=t, srcs=[t, sums], reduce_op=nl.add)  # refused: dma_compute takes tensors in HBM and SBUF, but is given one in PSUM


@nki.jit
def nki_r6__bits_of_another_type(x="f32[128,512]"):
    return x.view(nl.bfloat16)  # refused: the bits of float32 are read as .*; convert them by nisa.tensor_copy


@nki.jit
def partition_gather_c2__partitions_that_differ(x="f32[128,512]", i="ui32[64,8]"):
    data, places = tile(x.shape), tile(i.shape, nl.uint32)
    nisa.dma_copy(dst=data, src=x)
    nisa.dma_copy(dst=places, src=i)
    found = tile(i.shape)
    nisa.nc_n_gather(dst=found, data=data, indices=places)  # refused: chooses elements of 128 partitions for 64; give it as many of both
    out = result(i.shape)
    nisa.dma_copy(dst=out, src=found)
    return out
