// RUN: trn-opt %s --split-input-file --verify-diagnostics

// Plans that no kernel can follow.

// -----

// expected-error @below {{trn.schedule has 3 inputs and results, but the kernel takes 2 arguments; it takes each as one}}
func.func private @attr_kernel_c6__too_few(memref<256x256xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>}

// -----

// expected-error @below {{argument 0 of the kernel must be 'memref<256x256xbf16>' for xt of trn.schedule, but is 'memref<256x256xf32>'}}
func.func private @attr_kernel_c6__other_type(memref<256x256xf32>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>}

// -----

// expected-error @below {{argument 0 of the kernel must be 'memref<4x256x256xbf16>' for xt of trn.schedule, but is 'memref<3x256x256xbf16>'}}
func.func private @attr_kernel_c6__other_batches(memref<3x256x256xbf16>, memref<256x512xbf16>, memref<256x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 256, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : k x n bf16 input, o : m x (h, n) bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>}

// -----

// expected-error @below {{argument 2 of the kernel is for o of trn.schedule, so trn.result must stand on both or none}}
func.func private @attr_kernel_c6__no_result(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16>) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>}

// -----

module attributes {trn.machine = #trn.machine<"trn1", {moving_free_max = 64 : i64}>} {
// expected-error @below {{trn.schedule cannot be followed: 'moving_free_max' of the machine is 64, but kernels are cut into tiles of 'partitions' rows and columns, so it must be at least 128}}
func.func private @attr_kernel_c7__machine_without_tiles(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>}
}

// -----

// expected-error @below {{trn.schedule cannot be followed: block 64 of m in the nest of o must be a multiple of the 128 partitions, or all of the 256 that it cuts}}
func.func private @attr_kernel_c7__blocks_of_another_machine(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 64)],
    homes = [xt at m, w at m, o at m]>}

// -----

// expected-error @below {{trn.schedule: there are 1 nests, but 2 stages; each has one}}
func.func private @plan_c1__no_nest(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt ()],
    homes = [x at kernel, xt at kernel]>}

// -----

// expected-error @below {{trn.schedule: nest 1 must be that of xt: nests stand in the order of their stages}}
func.func private @plan_c1__other_order(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [o (), xt ()],
    homes = [x at kernel]>}

// -----

// expected-error @below {{trn.schedule: a home of xt must name nests that exist, once and in their order}}
func.func private @plan_c1__nest_twice(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [xt at kernel for xt and xt]>}

// -----

// expected-error @below {{trn.schedule: the home of xt lies inside of 2 loops, but the nest of o has 1}}
func.func private @plan_c1__loops_of_one_nest(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128, k = 128), o (m = 128)],
    homes = [xt at k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the nest of s has a loop over the groups h, but must have one over n, whose groups follow}}
func.func private @plan_c2__loop_over_groups(memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 8 groups of n],
    matrices = [x : m x n bf16 input, o : m x n bf16 result, s : m x h f32],
    stages = [s = sum square(x) over n, o = mul(x, s)],
    nests = [s (m = 128, h = 8), o (m = 128)],
    homes = [x at m, s at m, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: columns repeat or are rotated by 96 behind a product in the nest of o, so 96 must divide the 512 of a tile}}
func.func private @plan_c2__columns_that_repeat_behind_a_product(memref<256x256xbf16>, memref<256x192xbf16>, memref<256x96xbf16>, memref<256x192xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 192, h = 96],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, c : m x h bf16 input, o : m x n bf16 result],
    stages = [o = mul([xt * w over k], c)],
    nests = [o (m = 128)],
    homes = [xt at m, w at m, c at m, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: columns repeat, are rotated or grouped by 100000 in the nest of o, but an instruction reads 65536}}
func.func private @plan_c2__many_columns_that_repeat(memref<1x200000xbf16>, memref<1x100000xbf16>, memref<1x200000xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 1, n = 200000, h = 100000],
    matrices = [x : m x n bf16 input, c : m x h bf16 input, o : m x n bf16 result],
    stages = [o = mul(x, c)],
    nests = [o (m = 1)],
    homes = [x at m, c at m, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: block 128 of n in the nest of o must be a multiple of the 96 columns that repeat, are rotated, or are a group or a head}}
func.func private @plan_c2__columns_that_repeat(memref<256x192xbf16>, memref<256x96xbf16>, memref<256x192xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 192, h = 96],
    matrices = [x : m x n bf16 input, c : m x h bf16 input, o : m x n bf16 result],
    stages = [o = mul(x, c)],
    nests = [o (m = 128, n = 128)],
    homes = [x at n, c at m, o at n]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: block 128 of n in the nest of o must be a multiple of the 96 columns that repeat, are rotated, or are a group or a head}}
func.func private @plan_c2__heads(memref<256x192xbf16>, memref<2x256x96xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 192],
    matrices = [x : m x n bf16 input, o : m x n bf16 result heads of 96],
    stages = [o = exp(x)],
    nests = [o (m = 128, n = 128)],
    homes = [x at n, o at n]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the nest of o has 9 loops, but at most 8 are allowed}}
func.func private @plan_c2__too_many_loops(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 256, m = 256, m = 256, m = 256, m = 256, m = 256, m = 256, m = 256, m = 256)],
    homes = [xt at m, w at m, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: block 256 of m in the nest of o must be a multiple of the 128 partitions, or all of the 128 that it cuts}}
func.func private @plan_c2__larger_than_what_it_cuts(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128, m = 256)],
    homes = [xt at m, w at m, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: block 0 of n in the nest of o must be a multiple of the 128 partitions, or all of the 512 that it cuts}}
func.func private @plan_c2__empty_block(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (n = 0)],
    homes = [xt at n, w at n, o at n]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: part rb of r begins at 200, but must at a multiple of 128: of the partitions, and of columns that repeat, are rotated, or are a group or a head}}
func.func private @plan_c2__part_inside_of_a_tile(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512, ra = 256 of r, rb = 128 of r from 200],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, ya : ra x m bf16, yb : rb x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [ya = u * xt over k, yb = u * xt over k, o = ya * v over ra + yb * v over rb],
    nests = [ya (), yb (), o ()],
    homes = [xt at kernel, u at kernel, ya at kernel, yb at kernel, v at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the nests of yt and o must have the same 1 outer loops: there is a home inside of these for both}}
func.func private @plan_c3__other_blocks(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r],
    nests = [yt (m = 128), o (m = 256)],
    homes = [xt at m, u at kernel, yt at m, v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a home of u serves the nest of o, which does not use it}}
func.func private @plan_c4__unused(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r],
    nests = [yt (), o ()],
    homes = [u at kernel for yt and o]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the home of w has 65 slots, but must have 1 to 64}}
func.func private @plan_c4__too_many_slots(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (n = 128)],
    homes = [xt at kernel, w at n slots 65, o at n]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the home of yt has 2 slots, but must have 1, since it serves several nests}}
func.func private @plan_c4__slots_of_several_nests(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r],
    nests = [yt (m = 128), o (m = 128)],
    homes = [xt at m, u at kernel, yt at m slots 2, v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the home of w has 2 slots, but must have 1, since it lies outside of all loops}}
func.func private @plan_c4__slots_without_a_loop(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (n = 128)],
    homes = [xt at kernel, w at kernel slots 2, o at n]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the home of u must lie outside of the loop over ra, since several parts of r are read there}}
func.func private @plan_c4__parts_that_are_cut(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512, ra = 256 of r, rb = 128 of r from 256],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, ya : ra x m bf16, yb : rb x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [ya = u * xt over k, yb = u * xt over k, o = ya * v over ra + yb * v over rb],
    nests = [ya (ra = 128), yb (ra = 128), o ()],
    homes = [u at ra]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: w has two homes where o is computed}}
func.func private @plan_c5__two_homes(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (n = 128)],
    homes = [xt at kernel, w at n, w at kernel, o at n]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: w has no home where o is computed}}
func.func private @plan_c5__no_home(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: o has no home where it is computed}}
func.func private @plan_c5__no_home_of_the_result(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel]>}

// -----

module attributes {trn.machine = #trn.machine<"trn1">} {
// expected-error @below {{trn.schedule cannot be followed: x has no home where xt is computed}}
func.func private @plan_c5__engine_without_transposes(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>}
}

// -----

// expected-error @below {{trn.schedule cannot be followed: the home of o needs sums outside of the loop over k}}
func.func private @plan_c6__no_sums(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128)],
    homes = [xt at k, w at k, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a home of w has sums, but no product or reduction computes w there}}
func.func private @plan_c6__sums_of_an_input(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128)],
    homes = [w at k sums at k in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the sums of o lie inside of 0 loops, but must lie inside of the 1 around its home}}
func.func private @plan_c6__sums_further_out(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128)],
    homes = [o at m sums at kernel in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the sums of o in PSUM must lie inside of the loop over m, which does not add to them}}
func.func private @plan_c6__other_loop_inside_of_psum(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128, m = 128)],
    homes = [o at kernel sums at kernel in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the sums of o take 9 banks of PSUM, but there are 8; use smaller blocks of m or n}}
func.func private @plan_c6__too_many_banks(memref<256x1152xbf16>, memref<256x512xbf16>, memref<1152x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 1152, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128)],
    homes = [xt at k, w at k, o at kernel sums at kernel in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the loop over n in the nest of yt would add the same again; it must lie outside of the loop over k}}
func.func private @plan_c6__added_twice(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r],
    nests = [yt (k = 128, n = 128), o ()],
    homes = [yt at kernel sums at kernel in sbuf f32]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the nest of o cannot have a loop over ra, since it sums over rb, too}}
func.func private @plan_c6__loop_over_one_part(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512, ra = 256 of r, rb = 128 of r from 256],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, ya : ra x m bf16, yb : rb x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [ya = u * xt over k, yb = u * xt over k, o = ya * v over ra + yb * v over rb],
    nests = [ya (), yb (), o (ra = 128)],
    homes = [o at kernel sums at kernel in sbuf f32]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: xt is filled ahead by 5, but can by at most 4 in a loop}}
func.func private @plan_c7__too_far(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (m = 128), yt (m = 128), o (m = 128)],
    homes = [x at m, xt at m slots 6 ahead 5, u at kernel, yt at m, v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: xt is filled ahead by 1, so its home must have 1 to 2 slots, but has 3}}
func.func private @plan_c7__three_slots(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128), o (m = 128)],
    homes = [x at m, xt at m slots 3 ahead 1, w at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: v is filled ahead by 2, but can by at most 1 outside of all loops}}
func.func private @plan_c7__too_far_outside_of_loops(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (), yt (), o ()],
    homes = [x at kernel, xt at kernel, u at kernel, yt at kernel, v at kernel ahead 2, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: l is filled ahead by 1, but p, which that needs, is not computed before}}
func.func private @plan_c7__sums_of_scalar(memref<256x512xf32>, memref<256x512xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n f32 input, p : m x n f32, l : m x one f32, o : m x n f32 result],
    stages = [p = exp(x), l = sum p over n, o = div(p, l)],
    nests = [p (), l (), o ()],
    homes = [x at kernel, p at kernel ahead 1, l at kernel ahead 1, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: v is filled in -2 pieces, but must be in 1 or more}}
func.func private @plan_c7__negative_pieces(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (), yt (), o ()],
    homes = [x at kernel, xt at kernel, u at kernel, yt at kernel, v at kernel ahead 1 in -2, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: yt is filled ahead by 1, but xt, which that needs, is not computed before}}
func.func private @plan_c7__not_before(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (m = 128), yt (m = 128), o (m = 128)],
    homes = [x at m, xt at m slots 2 ahead 1, u at kernel, yt at m slots 2 ahead 1, v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: yt is filled ahead by 1, but yt, which that needs, is not computed before}}
func.func private @plan_c7__computed_in_the_same_loop(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r + xt * w over k],
    nests = [yt (m = 128), o (m = 128)],
    homes = [xt at m, u at kernel, yt at m for yt, yt at m slots 2 ahead 1 for o, v at kernel, w at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: yt is filled ahead by 1, but xt, which that needs, is not computed before}}
func.func private @plan_c7__not_before_outside_of_loops(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (), yt (), o ()],
    homes = [x at kernel, xt at kernel ahead 1, u at kernel, yt at kernel ahead 1, v at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: xt is filled ahead, but nothing reads it there}}
func.func private @plan_c7__nobody_reads(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128), o (m = 128)],
    homes = [x at m, xt at m slots 2 ahead 1 for xt, xt at m for o, w at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: xt is filled ahead, so its nest must share no loops inside of the 1 around its home with the next one}}
func.func private @plan_c7__inner_loops_are_shared(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, z : m x n bf16 input, xt : k x m bf16, o : m x n bf16 result, p : k x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k, p = x * z over m],
    nests = [xt (m = 128, m = 128), o (m = 128, m = 128), p (m = 128, m = 128)],
    homes = [x at m.1, xt at m ahead 1, w at kernel, z at m, o at m.1, p at kernel sums at kernel in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: y is filled ahead, together with s in loops that they share, so nothing else must read s}}
func.func private @plan_c7__filled_together_for_others(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512, one = 1],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, s : m x one f32, y : m x k bf16, yt : k x m bf16],
    stages = [s = sum square(x) over k, y = mul(x, s), yt = transpose y, o = mul([yt * w over k], s)],
    nests = [s (m = 256, m = 128), y (m = 256, m = 128), yt (m = 256), o (m = 256)],
    homes = [x at m.1, s at m, y at m slots 2 ahead 2, yt at m slots 2 ahead 1, w at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: xt is filled ahead by 1, so the home of x, which that reads, must be filled further ahead, serve that nest only or lie further out}}
func.func private @plan_c7__raw_for_others(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, z : m x n bf16 input, xt : k x m bf16, o : m x n bf16 result, p : k x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k, p = x * z over m],
    nests = [xt (m = 128), o (m = 128), p (m = 128)],
    homes = [x at m, xt at m slots 2 ahead 1, w at kernel, z at m, o at m, p at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: w is packed, but only an input and its transpose can be}}
func.func private @plan_c8__product(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel packed, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is packed, so x must be an input with a packed home for its transpose alone, and xt be packed, too}}
func.func private @plan_c8__one_of_two(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel packed, xt at kernel, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is packed, so it comes where xt is computed, and not ahead of that}}
func.func private @plan_c8__ahead(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel ahead 1 packed, xt at kernel packed, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is packed, so its home and the nest of xt must have no loops around them}}
func.func private @plan_c8__in_a_loop(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128), o ()],
    homes = [x at m packed, xt at kernel packed, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is packed, so k of x must be a multiple of the 128 partitions, but is 200}}
func.func private @plan_c8__part_of_a_tile(memref<256x200xbf16>, memref<200x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 200, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel packed, xt at kernel packed, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is packed, so xt must not be a result}}
func.func private @plan_c8__result(memref<256x256xbf16>, memref<256x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256],
    matrices = [x : m x k bf16 input, xt : k x m bf16 result],
    stages = [xt = transpose x],
    nests = [xt ()],
    homes = [x at kernel packed, xt at kernel packed]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is packed, so x must have no batch dims outside of its columns and be no part of a larger matrix}}
func.func private @plan_c8__batches_of_columns(memref<256x4x256xbf16>, memref<256x512xbf16>, memref<4x256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 256, k = 256, n = 512],
    matrices = [x : m x (h, k) bf16 input, xt : (h, k) x m bf16, w : k x n bf16 input, o : (h, m) x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel packed, xt at kernel packed, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is packed, so x must have no batch dims outside of its columns and be no part of a larger matrix}}
func.func private @plan_c8__window(memref<256x512xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input in 256 x 512 from (0, 256), xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel packed, xt at kernel packed, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: xt is packed, so the nest of o must not transpose it again, and have the same home}}
func.func private @plan_c8__other_home(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel packed, xt at kernel packed for xt, xt at kernel for o, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the nest of o reads yt inside of 2 loops, in which its sums are not complete}}
func.func private @plan_c9__open_sums(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}, memref<384x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result, q : r x m bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r, q = u * xt over k],
    nests = [yt (m = 128, k = 128), o (m = 128, k = 128), q (m = 128, k = 128)],
    homes = [xt at k, u at k, yt at m sums at m in sbuf f32, v at kernel, o at k, q at m sums at m in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the nest of o reads yt inside of the loop over k, in which it is not complete}}
func.func private @plan_c9__sums_in_hbm(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}, memref<384x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result, q : r x m bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r, q = u * xt over k],
    nests = [yt (m = 128, k = 128), o (m = 128, k = 128), q (m = 128, k = 128)],
    homes = [xt at k, u at k, yt at k for yt, yt at k for o, v at kernel, o at k, q at m sums at m in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the nest of o reads yt inside of the loop over r, in which it is not complete}}
func.func private @plan_c9__read_in_parts(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}, memref<384x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512, ra = 256 of r],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result, q : r x m bf16 result],
    stages = [yt = u * xt over k, o = yt * v over ra, q = u * xt over k],
    nests = [yt (r = 128), o (r = 128), q (r = 128)],
    homes = [xt at kernel, u at r, yt at kernel, v at kernel, o at kernel, q at r]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: yt comes back from HBM where o is computed, but is stored after that; give it one home for all nests}}
func.func private @plan_c9__stored_too_late(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result, p : m x n bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r, p = yt * v over r],
    nests = [yt (), o (), p ()],
    homes = [xt at kernel, u at kernel, yt at kernel for yt and p, yt at kernel for o, v at kernel, o at kernel, p at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: yt goes through HBM, so both of its homes must lie inside of the 1 loops that the nests of yt and o share}}
func.func private @plan_c9__stored_behind_the_loop(memref<256x256xbf16>, memref<256x384xbf16>, memref<384x512xbf16>, memref<256x512xbf16> {trn.result}, memref<384x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 384, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result, q : r x m bf16 result],
    stages = [yt = u * xt over k, o = yt * v over r, q = u * xt over k],
    nests = [yt (m = 128), o (m = 128), q (m = 128)],
    homes = [xt at m, u at kernel, yt at m for yt, yt at kernel for o, v at kernel, o at m, q at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: c is read when the sums of o are complete, so its home must lie where they do or outside of that}}
func.func private @plan_c10__inside_of_the_sums(memref<256x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, c : m x n bf16 input, o : m x n bf16 result],
    stages = [o = add([xt * w over k], c)],
    nests = [o (m = 128, k = 128)],
    homes = [xt at k, w at k, c at k, o at m sums at m in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: b comes from HBM to all rows of o, so it needs a home for that nest alone}}
func.func private @plan_c10__one_row_for_two_nests(memref<256x256xbf16>, memref<256x512xbf16>, memref<1x512xbf16>, memref<256x512xbf16> {trn.result}, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512, one = 1],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, b : one x n bf16 input, o : m x n bf16 result, q : m x n bf16 result],
    stages = [o = add([xt * w over k], b), q = mul([xt * w over k], b)],
    nests = [o (), q ()],
    homes = [xt at kernel, w at kernel, b at kernel, o at kernel, q at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so it must fill the 128 partitions, but is 100}}
func.func private @plan_c11__tile(memref<4x100xbf16>, memref<100x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 100, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (m = 4, n = 512)],
    homes = [x at kernel, xt at kernel, w at n, o at n],
    interleaved = [k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so x, which has it in the order of HBM, must be there with all columns where xt is computed}}
func.func private @plan_c11__part_of_a_row(memref<4x2048xbf16>, memref<2048x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 4, k = 512), o (m = 4, n = 512, k = 512)],
    homes = [x at k, xt at kernel, w at k slots 4, o at n sums at n in psum],
    interleaved = [k]>}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so x, which has it in the order of HBM, must be there with all columns where xt is computed}}
func.func private @plan_c11__no_row(memref<4x2048xbf16>, memref<2048x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (m = 4, n = 512, k = 512)],
    homes = [xt at kernel, w at k slots 4, o at n sums at n in psum],
    interleaved = [k]>}
}

// -----

// Half of z is complete where its transpose needs all of it.
// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so z, which has it in the order of HBM, must be there with all columns where zt is computed}}
func.func private @plan_c11__shared_loop(memref<4x2048xbf16>, memref<2048x512xbf16>, memref<4x2048xbf16> {trn.result}, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, u : m x k bf16 result, o : m x n bf16 result, y : m x k bf16, z : m x k bf16, zt : k x m bf16],
    stages = [y = exp(x), z = mul(y, x), zt = transpose z, u = add(y, x), o = zt * w over k],
    nests = [y (m = 4, k = 1024), z (m = 4, k = 1024), zt (m = 4, k = 1024), u (m = 4, k = 1024), o (m = 4, n = 512)],
    homes = [x at kernel, y at k, z at m, zt at m, u at k, w at n, o at n],
    interleaved = [k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is interleaved, so xt, whose columns become rows of o, must not have them in the order of HBM}}
func.func private @plan_c11__rows_of_a_product(memref<2048x256xbf16>, memref<2048x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 2048, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel],
    interleaved = [m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is interleaved, so xt, which must have it in the order of HBM, must not be the transpose of x}}
func.func private @plan_c11__transpose(memref<256x128xbf16>, memref<128x256xbf16>, memref<128x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 128],
    matrices = [x : m x n bf16 input, y : n x m bf16 input, o : n x m bf16 result, xt : n x m bf16],
    stages = [xt = transpose x, o = add(xt, y)],
    nests = [xt (), o ()],
    homes = [x at kernel, xt at kernel, y at kernel, o at kernel],
    interleaved = [m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, and m is stacked, so x, which lies in HBM, must have k in its rows}}
func.func private @plan_c11__stacked(memref<4x4x256xbf16>, memref<4x256x64xbf16>, memref<4x4x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 64],
    matrices = [x : (h, m) x k bf16 input, xt : (h, k) x m bf16, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel, xt at kernel, w at kernel, o at kernel],
    interleaved = [k], jam = 4 stacking m>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, and xt is packed, so x must have no home there}}
func.func private @plan_c11__home_of_x(memref<4x2048xbf16>, memref<2048x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (m = 4, n = 512, k = 512)],
    homes = [x at kernel packed, xt at kernel packed, w at k slots 4, o at n sums at n in psum],
    interleaved = [k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: n is interleaved, so a matrix must have it in its rows}}
func.func private @plan_c11__columns(memref<4x2048xbf16>, memref<2048x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (m = 4, n = 512, k = 512)],
    homes = [x at kernel packed, xt at kernel packed, w at k slots 4, o at n sums at n in psum],
    interleaved = [n]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so w must have all of its columns, and no others, where o is computed}}
func.func private @plan_c11__cut(memref<4x2048xbf16>, memref<2048x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (m = 4, n = 256, k = 512)],
    homes = [xt at kernel packed, w at k slots 4, o at n sums at n in psum],
    interleaved = [k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so xt must have all of its columns, and no others, where o is computed}}
func.func private @plan_c11__part_of_the_columns(memref<2048x512xbf16>, memref<2048x512xbf16>, memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 512, k = 2048, n = 512, p = 128 of m from 128],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : p x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], interleaved = [k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so w must be no part of a larger matrix}}
func.func private @plan_c11__window(memref<4x2048xbf16>, memref<2048x1024xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input in 2048 x 1024 from (0, 0), o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (m = 4, n = 512, k = 512)],
    homes = [xt at kernel packed, w at k slots 4, o at n sums at n in psum],
    interleaved = [k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is interleaved, so it must have no parts and be none}}
func.func private @plan_c11__parts(memref<4x2048xbf16>, memref<2048x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 2048, n = 512, ka = 1024 of k, kb = 1024 of k from 1024],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over ka + xt * w over kb],
    nests = [xt (), o (m = 4, n = 512)],
    homes = [xt at kernel packed, w at n, o at n],
    interleaved = [k]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: h is interleaved, so it must be no batch dim}}
func.func private @plan_c11__batches(memref<128x256x4xbf16>, memref<128x256x512xbf16>, memref<128x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 128, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel],
    interleaved = [h]>}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
// expected-error @below {{trn.schedule cannot be followed: m is interleaved, so x needs a home where xt is computed}}
func.func private @plan_c11__by_dma(memref<256x2048xbf16>, memref<2048x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 2048, n = 512],
    matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [xt at kernel, w at kernel, o at kernel],
    interleaved = [m]>}
}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is interleaved, so o must have all of its columns, and no others, where o is computed}}
func.func private @plan_c11__stored_heads(memref<256x128xbf16>, memref<2x256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 128],
    matrices = [x : m x n bf16 input, o : m x n bf16 result heads of 64],
    stages = [o = exp(x)],
    nests = [o ()],
    homes = [x at kernel, o at kernel],
    interleaved = [m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is interleaved, so mask must be no mask}}
func.func private @plan_c11__mask(memref<256x256xbf16>, memref<256x256xbf16>, memref<256x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 256],
    matrices = [x : m x n bf16 input, mask : m x n bf16 input band none to 0 of zero, o : m x n bf16 result],
    stages = [o = add(x, mask)],
    nests = [o ()],
    homes = [x at kernel, mask at kernel, o at kernel],
    interleaved = [m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is interleaved, so x must have all of its columns, and no others, where o is computed}}
func.func private @plan_c11__heads(memref<256x4x64xbf16>, memref<4x256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 256, n = 64],
    matrices = [x : m x (h, n) bf16 input, o : (h, m) x n bf16 result],
    stages = [o = exp(x)],
    nests = [o ()],
    homes = [x at kernel, o at kernel],
    interleaved = [m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is whole, so it must be an input with batch dims outside of its columns alone}}
func.func private @plan_c14__no_batches(memref<256x64xbf16>, memref<4x256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 256, n = 64],
    matrices = [x : m x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = exp(x)],
    nests = [o ()],
    homes = [x at kernel whole, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is whole, so it must be an input with batch dims outside of its columns alone, and no part of a larger matrix}}
func.func private @plan_c14__window(memref<256x4x512xbf16>, memref<4x256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 256, n = 64],
    matrices = [x : m x (h, n) bf16 input in 256 x 512 from (0, 256), o : (h, m) x n bf16 result],
    stages = [o = exp(x)],
    nests = [o ()],
    homes = [x at kernel whole, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: v is whole, so no constant must lie behind its columns}}
func.func private @plan_c14__beside(memref<2x256x128xbf16>, memref<256x2x64xbf16>, memref<2x128x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 2, m = 128, n = 256, e = 64, one = 1],
    matrices = [pt : (h, n) x m bf16 input, v : n x (h, e) bf16 input, o : (h, m) x e bf16 result,
                ones : n x one bf16 constant 1.0],
    stages = [o = div([pt * v over n], [pt * ones over n])],
    nests = [o ()],
    homes = [pt at kernel, v at kernel whole, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: x is whole, so its home must be at the kernel, and neither packed nor filled ahead}}
func.func private @plan_c14__level(memref<256x4x64xbf16>, memref<4x256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 256, n = 64],
    matrices = [x : m x (h, n) bf16 input, o : (h, m) x n bf16 result],
    stages = [o = exp(x)],
    nests = [o (m = 128)],
    homes = [x at m whole, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: jam is 3, but must divide 4 indices of h, the innermost batch dim}}
func.func private @plan_c12(memref<4x256x4xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 3>}

// -----

// expected-error @below {{trn.schedule cannot be followed: jam is 12, more than 4 indices of the innermost batch dim, so it must be these times a divisor of the 2 of g}}
func.func private @plan_c12__outer(memref<2x4x256x4xbf16>, memref<2x4x256x512xbf16>, memref<2x4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [g = 2, h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (g, h, k) x m bf16 input, w : (g, h, k) x n bf16 input, o : (g, h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 12 staggered 2>}

// -----

// expected-error @below {{trn.schedule cannot be followed: jam is 8, more than 4 indices of the innermost batch dim, so they must be staggered and not stacked}}
func.func private @plan_c12__outer_in_step(memref<2x4x256x4xbf16>, memref<2x4x256x512xbf16>, memref<2x4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [g = 2, h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (g, h, k) x m bf16 input, w : (g, h, k) x n bf16 input, o : (g, h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 8>}

// -----

// expected-error @below {{trn.schedule cannot be followed: staggered is 1, but must be 2 to 8: each batch starts when such a part of the one before is done}}
func.func private @plan_c12__staggered_by_one(memref<4x256x4xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 staggered 1>}

// -----

// expected-error @below {{trn.schedule cannot be followed: staggered is 9, but must be 2 to 8: each batch starts when such a part of the one before is done}}
func.func private @plan_c12__staggered_too_many(memref<4x256x4xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 staggered 9>}

// -----

// expected-error @below {{trn.schedule cannot be followed: stacks are staggered, but jam is 4, which makes only one}}
func.func private @plan_c12__staggered_stack(memref<4x256x4xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 staggered 2 stacking m>}

// -----

// expected-error @below {{trn.schedule cannot be followed: batches are staggered, but jam is 1, which makes only one}}
func.func private @plan_c12__staggered_one_batch(memref<4x256x4xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 1 staggered 2>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is stacked, so jam must be 2, 3 or a multiple of 4, but is 6}}
func.func private @plan_c12__stack_of_many(memref<6x256x4xbf16>, memref<6x256x512xbf16>, memref<6x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 6, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 6 stacking m>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is stacked, so it must have 32 indices at most, but has 48}}
func.func private @plan_c12__stacked_rows(memref<4x256x48xbf16>, memref<4x256x512xbf16>, memref<4x48x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 48, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 stacking m>}

// -----

// expected-error @below {{trn.schedule cannot be followed: h is stacked, so it must be no batch dim}}
func.func private @plan_c12__stacked_batch(memref<4x256x4xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 stacking h>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is stacked, so no stage must sum over it or reduce to it, as o does}}
func.func private @plan_c12__stacked_sum(memref<4x16x4xbf16>, memref<4x16x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 16, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 stacking k>}

// -----

// expected-error @below {{trn.schedule cannot be followed: k is stacked, so it must have no parts and be none}}
func.func private @plan_c12__stacked_parts(memref<4x16x4xbf16>, memref<4x16x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 16, n = 512, ka = 16 of k],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over ka],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 stacking k>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is stacked, but columns repeat, are rotated or grouped for o}}
func.func private @plan_c12__columns_that_repeat(memref<4x16x128xbf16>, memref<4x16x128xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 16, n = 128, b = 4],
    matrices = [x : (b, m) x n bf16 input, o : (b, m) x n bf16 result],
    stages = [o = add(x, rotate(x, 32))],
    nests = [o ()],
    homes = [x at kernel, o at kernel],
    jam = 4 stacking m>}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is stacked, so x must not be packed}}
func.func private @plan_c12__stacked_packed(memref<4x4x256xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 256, n = 512],
    matrices = [x : (h, m) x k bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result, xt : (h, k) x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel packed, xt at kernel packed, w at kernel, o at kernel], jam = 4 stacking m>}

// -----

// expected-error @below {{trn.schedule cannot be followed: jam is 2, but there is no batch dim to have several indices of at once}}
func.func private @plan_c12__no_batches(memref<256x4xbf16>, memref<256x512xbf16>, memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 2>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the sums of o, which is reduced, must be in sbuf f32}}
func.func private @plan_c6__reduced_in_psum(memref<256x512xf32>, memref<256xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n f32 input, o : m x one f32 result],
    stages = [o = max x over n],
    nests = [o (m = 128, n = 256)],
    homes = [x at n, o at m sums at m in psum]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the sums of o, which is reduced, must be in sbuf f32}}
func.func private @plan_c6__reduced_in_another_type(memref<256x512xf32>, memref<256xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n f32 input, o : m x one f32 result],
    stages = [o = max x over n],
    nests = [o (m = 128, n = 256)],
    homes = [x at n, o at m sums at m in sbuf bf16]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: the home of o needs sums outside of the loop over n}}
func.func private @plan_c6__reduced_block_by_block(memref<256x512xf32>, memref<256xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n f32 input, o : m x one f32 result],
    stages = [o = max x over n],
    nests = [o (m = 128, n = 256)],
    homes = [x at n, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: minus is a constant, so its home must be at kernel, with one slot}}
func.func private @plan_c13__slots(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x64xbf16>, memref<256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])],
    nests = [a (m = 128), at (m = 128), pt (m = 128), o (m = 128)],
    homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at m, ct at kernel, pt at m,
             v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: ones lies behind what pt is multiplied with in the nest of o, so it has no home there}}
func.func private @plan_c13__beside(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x64xbf16>, memref<256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])],
    nests = [a (m = 128), at (m = 128), pt (m = 128), o (m = 128)],
    homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at kernel, ct at kernel, pt at m,
             v at kernel, ones at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a constant lies behind the columns e in the nest of o, so no loop may cut them}}
func.func private @plan_c13__cut(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x256xbf16>, memref<256x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 256, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])],
    nests = [a (m = 128), at (m = 128), pt (m = 128), o (m = 128, e = 128)],
    homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at kernel, ct at kernel, pt at m,
             v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a constant lies behind the 512 columns e in the nest of o, but all of a tile are 512}}
func.func private @plan_c13__wide(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x512xbf16>, memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 512, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])],
    nests = [a (m = 128), at (m = 128), pt (m = 128), o (m = 128)],
    homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at kernel, ct at kernel, pt at m,
             v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: c is added to sums of pt tile by tile, so the home of pt must have no sums outside of that}}
func.func private @plan_c13__sums(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x64xbf16>, memref<256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])],
    nests = [a (m = 128), at (m = 128), pt (m = 128), o (m = 128)],
    homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at kernel, ct at kernel, pt at m sums at m in psum,
             v at kernel, o at m]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: c is a mask that is made on chip, so all nests with m and n must share a loop over m outside of all others, and what they compute of n alone be read inside of it}}
func.func private @plan_c13__shared(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x64xbf16>, memref<256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])],
    nests = [a (m = 128), at (m = 128), pt (m = 128), o ()],
    homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at kernel, ct at kernel, pt at kernel,
             v at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: c hides columns of o of some blocks of n, so the sums of o must be in psum}}
func.func private @plan_c13__blocks(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x64xbf16>, memref<64x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : e x m bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x e bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([v * pt over n], [ones * pt over n])],
    nests = [a (m = 128), at (m = 128), pt (m = 128), o (m = 128, n = 128)],
    homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at kernel, ct at kernel, pt at m,
             v at kernel, ones at kernel, o at m sums at m in sbuf f32]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a tile of o has 16 banks of PSUM, but must have 1 to 8}}
func.func private @plan_c15__too_many(memref<128x4xbf16>, memref<128x1024xbf16>, memref<4x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 128, n = 1024],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o () banks 16],
    homes = [xt at kernel, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a tile of o has 0 banks of PSUM, but must have 1 to 8}}
func.func private @plan_c15__none(memref<128x4xbf16>, memref<128x1024xbf16>, memref<4x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 128, n = 1024],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o () banks 0],
    homes = [xt at kernel, w at kernel, o at kernel]>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a tile of o has 2 banks of PSUM, so its sums must be in the tile, without a place of their own}}
func.func private @plan_c15__sums_outside(memref<128x4xbf16>, memref<128x1024xbf16>, memref<4x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 128, n = 1024],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o () banks 2],
    homes = [xt at kernel, w at kernel, o at kernel sums at kernel in psum]>}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
// expected-error @below {{trn.schedule cannot be followed: a tile of xt has 2 banks of PSUM, but the DMA transposes it, which needs none}}
func.func private @plan_c15__by_dma(memref<1024x128xbf16>, memref<128x512xbf16>, memref<1024x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 1024, k = 128, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt () banks 2, o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>}
}

// -----

// expected-error @below {{trn.schedule cannot be followed: m is stacked, so a tile of o must have 1 bank of PSUM, but has 2}}
func.func private @plan_c15__stacked(memref<4x128x4xbf16>, memref<4x128x1024xbf16>, memref<4x4x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 4, m = 4, k = 128, n = 1024],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o () banks 2],
    homes = [xt at kernel, w at kernel, o at kernel], jam = 4 stacking m>}

// -----

// expected-error @below {{trn.schedule cannot be followed: a tile of o has 2 banks of PSUM, but must have 1 to 1}}
func.func private @plan_c15__beside(memref<2x256x128xbf16>, memref<2x256x64xbf16>, memref<2x128x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [h = 2, m = 128, n = 256, e = 64, one = 1],
    matrices = [pt : (h, n) x m bf16 input, v : (h, n) x e bf16 input, o : (h, m) x e bf16 result,
                ones : n x one bf16 constant 1.0],
    stages = [o = div([pt * v over n], [pt * ones over n])],
    nests = [o () banks 2],
    homes = [pt at kernel, v at kernel, o at kernel]>}
