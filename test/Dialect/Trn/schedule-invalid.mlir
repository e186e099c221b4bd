// RUN: trn-opt %s --split-input-file --verify-diagnostics

// How a schedule is written, and what a graph may be. Rules of plans are in
// schedule-plan-invalid.mlir.

// -----

func.func private @size_is_no_number() attributes {test.schedule = #trn.schedule<
    // expected-error @below {{expected integer value}}
    dims = [m = k, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

func.func private @unknown_dim_of_a_part() attributes {test.schedule = #trn.schedule<
    // expected-error @below {{there is no dim 'q'; there are m, k, n}}
    dims = [m = 128 of q, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

func.func private @unknown_dim_of_a_matrix() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    // expected-error @below {{there is no dim 'q'; there are m, k, n}}
    matrices = [xt : k x q bf16 input],
    stages = [o = xt * w over k]>}

// -----

func.func private @unknown_type() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    // expected-error @below {{'i4' is no type; matrices are of bf16, f16, f32, i8, f8E4M3 or f8E4M3FN}}
    matrices = [xt : k x m i4 input],
    stages = [o = xt * w over k]>}

// -----

func.func private @unknown_matrix() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    // expected-error @below {{there is no matrix 'v'; there are xt, w, o}}
    stages = [o = xt * v over k]>}

// -----

func.func private @no_operator() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    // expected-error @below {{expected '*'}}
    stages = [o = xt]>}

// -----

func.func private @nest_of_an_input() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    // expected-error @below {{a nest is named by what its stage computes, but no stage computes 'w'}}
    nests = [w (m = 128)],
    homes = [xt at m, w at n, o at n]>}

// -----

func.func private @home_of_an_unused_matrix() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result, z : m x n bf16 input],
    stages = [o = xt * w over k],
    nests = [o (m = 128, n = 512)],
    // expected-error @below {{no nest uses 'z'}}
    homes = [z at m]>}

// -----

func.func private @home_for_no_nest() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128, n = 512)],
    // expected-error @below {{there is no nest 'w'}}
    homes = [xt at m for w]>}

// -----

func.func private @unknown_level() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128, n = 512)],
    // expected-error @below {{there is no level 'm.1' in the nest of o; there are kernel, m, n}}
    homes = [xt at m.1]>}

// -----

func.func private @unknown_place_of_sums() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128, n = 512)],
    // expected-error @below {{expected 'sbuf'}}
    homes = [o at m sums at m in hbm]>}

// -----

func.func private @nests_without_homes() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    // expected-error @below {{expected ','}}
    nests = [o (m = 128, n = 512)]>}

// -----

func.func private @unknown_band() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    // expected-error @below {{expected 'inf'}}
    matrices = [x : m x n f32 input, c : m x n bf16 input band none to 0 of ones, o : m x n f32 result],
    stages = [o = min(x, c)]>}

// -----

func.func private @unknown_engine() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n f32 input, y : m x n f32 input, o : m x n f32 result],
    stages = [o = min(x, y)],
    // expected-error @below {{expected 'vector'}}
    nests = [o (m = 128) on tensor],
    homes = [x at m, y at m, o at m]>}

// -----

// expected-error @below {{trn.schedule: there are two dim entries called 'm'}}
func.func private @schedule_c1__same_name() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: the name of a matrix must be a word of letters, digits, _ and $, but is 'o.1'}}
func.func private @schedule_c1__name_with_a_dot() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o.1 : m x n bf16 result],
    stages = [o.1 = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: no dim can be called 'kernel', which is the level outside of all loops}}
func.func private @schedule_c1__kernel() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512, kernel = 1],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: dim m is 0, but must be at least 1}}
func.func private @graph_c1__empty_dim() attributes {test.schedule = #trn.schedule<
    dims = [m = 0, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: dim r is -9223372036854775808, but must be at least 1}}
func.func private @graph_c1__negative_dim() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512, ra = 1 of r, r = -9223372036854775808],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: matrix xt must have two different dims}}
func.func private @graph_c1__one_dim_twice() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x k bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: matrix xt of 4611686018427387904 x 256 is larger than any memory}}
func.func private @graph_c1__too_large() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 4611686018427387904, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: there must be at least one stage}}
func.func private @graph_c1__no_stages() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = []>}

// -----

// expected-error @below {{trn.schedule: y is read before a stage computes it}}
func.func private @graph_c2__read_too_early() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, y : m x k bf16, z : k x m bf16 result],
    stages = [z = transpose y, y = transpose xt]>}

// -----

// expected-error @below {{trn.schedule: w is an input, but a stage computes it}}
func.func private @graph_c2__computed_input() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : n x k bf16 input, w : k x n bf16 input],
    stages = [w = transpose x]>}

// -----

// expected-error @below {{trn.schedule: two stages compute o}}
func.func private @graph_c2__computed_twice() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k, o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: no stage computes p, which is no input}}
func.func private @graph_c2__never_computed() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result, p : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: no stage reads x, which is no result}}
func.func private @graph_c2__never_read() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result, x : m x k bf16],
    stages = [o = xt * w over k, x = transpose xt]>}

// -----

// expected-error @below {{trn.schedule: o is no product of x and w over k: both must have k first, x the rows of o second, and w its columns}}
func.func private @graph_c3__contraction_second() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = x * w over k]>}

// -----

// expected-error @below {{trn.schedule: o is no product of xt and w over m: both must have m first}}
func.func private @graph_c3__other_dim() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over m]>}

// -----

// expected-error @below {{trn.schedule: z is the transpose of xt, so it must have its dims in the other order}}
func.func private @graph_c4__same_dims() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, z : k x m bf16 result],
    stages = [z = transpose xt]>}

// -----

// expected-error @below {{trn.schedule: x is f32, but xt, which it is the transpose of, is bf16}}
func.func private @graph_c4__other_type() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, x : m x k f32 result],
    stages = [x = transpose xt]>}

// -----

// expected-error @below {{trn.schedule: xt is the transpose of y, so it can be no sum and no reduction}}
func.func private @graph_c4__sum() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, y : m x k bf16, wt : n x k bf16 input, w : n x m bf16 input, xt : k x m bf16 result],
    stages = [y = relu(x), xt = add(transpose y, [wt * w over n])]>}

// -----

// expected-error @below {{trn.schedule: xt is computed of the transpose of x, so x must be computed, too}}
func.func private @graph_c4__input() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256],
    matrices = [x : m x k bf16 input, xt : k x m bf16 result],
    stages = [xt = relu(transpose x)]>}

// -----

// expected-error @below {{trn.schedule: y is a factor of yt, so its elements cannot be read for yt, too}}
func.func private @graph_c9__elements_of_a_transpose() attributes {test.schedule = #trn.schedule<
    dims = [m = 1, k = 1],
    matrices = [x : m x k bf16 input, y : m x k bf16, yt : k x m bf16 result],
    stages = [y = relu(x), yt = mul(transpose y, y)]>}

// -----

// expected-error @below {{trn.schedule: dim ka, 200 from 100, does not lie inside of k, which has 256}}
func.func private @graph_c5__part_is_too_large() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512, ka = 200 of k from 100],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: dim kb must be a part of a dim that is whole}}
func.func private @graph_c5__part_of_a_part() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512, ka = 128 of k, kb = 64 of ka],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: the operands of o must have one type, but xt is bf16 and w is f32}}
func.func private @graph_c6__other_types() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n f32 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: rows and columns of o and what it sums over must not be parts of one dim}}
func.func private @graph_c7__square_of_parts() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, ma = 128 of m, k = 256],
    matrices = [xt : k x m bf16 input, o : ma x m bf16 result],
    stages = [o = xt * xt over k]>}

// -----

// expected-error @below {{trn.schedule: rows and columns of z must not be parts of one dim}}
func.func private @graph_c7__transpose_of_parts() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, ma = 128 of m],
    matrices = [x : ma x m bf16 input, z : m x ma bf16 result],
    stages = [z = transpose x]>}

// -----

// expected-error @below {{trn.schedule: exp in o is of constants; write its value instead}}
func.func private @graph_c8__constants() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = mul([xt * w over k], exp(2.0))]>}

// -----

// expected-error @below {{trn.schedule: a constant of o is not finite}}
func.func private @graph_c8__infinite() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = max([xt * w over k], -1.0e60)]>}

// -----

// expected-error @below {{trn.schedule: c is read element by element for o, so it must have its rows and columns, or dims of size 1 in their places}}
func.func private @graph_c9__other_layout() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, c : n x m bf16 input, o : m x n bf16 result],
    stages = [o = add([xt * w over k], c)]>}

// -----

func.func private @two_transposes() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256],
    matrices = [x : m x k bf16 input, z : m x k bf16 input, xt : k x m bf16 result],
    // expected-error @below {{a stage transposes one matrix, but z is the second one; transpose it in a stage of its own}}
    stages = [xt = add(transpose x, transpose z)]>}

// -----

func.func private @unknown_function() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    // expected-error @below {{'cosine' is neither a function nor a type}}
    stages = [o = cosine([xt * w over k])]>}

// -----

func.func private @too_many_arguments() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    // expected-error @below {{'exp' takes 1 values, but has 2}}
    stages = [o = exp([xt * w over k], 1.0)]>}

// -----

// expected-error @below {{trn.schedule: w is a factor of o, so its elements cannot be read for o, too; give the kernel the matrix twice}}
func.func private @graph_c9__elements_of_a_factor() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 1, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = add([xt * w over k], w)]>}

// -----

// expected-error @below {{trn.schedule: o is computed from columns alone; at least one matrix must have the 512 columns that it has}}
func.func private @graph_c9__columns_alone() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [b : m x one bf16 input, o : m x n bf16 result],
    stages = [o = exp(b)]>}

// -----

// expected-error @below {{trn.schedule: the expression of o has more than 256 values}}
func.func private @graph_c8__too_long() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [c : m x n bf16 input, o : m x n bf16 result],
    stages = [o = exp(exp(add(add(add(add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c)))), add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))))), add(add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c)))), add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c)))))), add(add(add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c)))), add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))))), add(add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c)))), add(add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c))), add(add(add(c, c), add(c, c)), add(add(c, c), add(c, c)))))))))]>}

// -----

// expected-error @below {{trn.schedule: h is a batch dim, so it cannot be rows or columns of w}}
func.func private @graph_c10__columns() attributes {test.schedule = #trn.schedule<
    dims = [h = 4, m = 256, k = 256],
    matrices = [xt : (h, k) x m bf16 input, w : k x h bf16 input, o : (h, m) x k bf16 result],
    stages = [o = exp(xt)]>}

// -----

// expected-error @below {{trn.schedule: h is twice a batch dim of xt}}
func.func private @graph_c10__twice() attributes {test.schedule = #trn.schedule<
    dims = [h = 4, m = 256, k = 256, n = 512],
    matrices = [xt : (h, k) x (h, m) bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: o is computed for each index of the batch dim h, so it must have it, too}}
func.func private @graph_c10__summed() attributes {test.schedule = #trn.schedule<
    dims = [h = 4, m = 256, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: dim ha is a batch dim or a part of one, so it must be whole}}
func.func private @graph_c10__part() attributes {test.schedule = #trn.schedule<
    dims = [h = 4, m = 256, k = 256, n = 512, ha = 2 of h],
    matrices = [xt : (ha, k) x m bf16 input, w : (ha, k) x n bf16 input, o : (ha, m) x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: w, 256 x 512 from (0, 513), does not lie inside of the 256 x 1024 that it is a part of}}
func.func private @graph_c11__batches() attributes {test.schedule = #trn.schedule<
    dims = [h = 4, m = 256, k = 256, n = 512],
    matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input in 256 x 1024 from (0, 513), o : (h, m) x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: o lies in a larger matrix, so it must be an input}}
func.func private @graph_c11__result() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result in 256 x 1024 from (0, 0)],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: w, 256 x 512 from (0, 513), does not lie inside of the 256 x 1024 that it is a part of}}
func.func private @graph_c11__outside() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input in 256 x 1024 from (0, 513), o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: w, 256 x 512 from (-1, 0), does not lie inside of the 512 x 512 that it is a part of}}
func.func private @graph_c11__before() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input in 512 x 512 from (-1, 0), o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: w lies in 4611686018427387904 x 1024, which is larger than any memory}}
func.func private @graph_c1__window() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input in 4611686018427387904 x 1024 from (0, 0), o : m x n bf16 result],
    stages = [o = xt * w over k]>}

// -----

// expected-error @below {{trn.schedule: o is reduced over n, so it must have one column, or groups of n, but has 512}}
func.func private @graph_c12__columns() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 512],
    matrices = [x : m x n f32 input, o : m x k f32 result],
    stages = [o = max x over n]>}

// -----

// expected-error @below {{trn.schedule: o is a sum, so it must be f32, but is bf16}}
func.func private @graph_c12__type() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n bf16 input, o : m x one bf16 result],
    stages = [o = sum x over n]>}

// -----

// expected-error @below {{trn.schedule: o is reduced over a, which must be no part of its rows}}
func.func private @graph_c12__rows() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, one = 1, a = 128 of m],
    matrices = [x : m x one f32 input, o : m x one f32 result],
    stages = [o = max x over a]>}

// -----

// expected-error @below {{trn.schedule: s has a band, so it must be an input or a constant, of zeros or of infinities}}
func.func private @graph_c13__intermediate() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n f32 input, s : m x n f32 band none to 0 of inf, o : m x one f32 result],
    stages = [s = exp(x), o = max s over n]>}

// -----

// expected-error @below {{trn.schedule: the band of c begins at diagonal 1, after its end at 0}}
func.func private @graph_c13__empty() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n f32 input, c : m x n bf16 input band 1 to 0 of inf, o : m x n f32 result],
    stages = [o = min(x, c)]>}

// -----

// expected-error @below {{trn.schedule: the band of c repeats every -8 rows, but must every 1 or more}}
func.func private @graph_c13__period() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n f32 input, c : m x n bf16 input band none to 0 of inf every -8, o : m x n f32 result],
    stages = [o = min(x, c)]>}

// -----

// expected-error @below {{trn.schedule: w is i8, which is neither multiplied nor transposed; widen it by a stage of its own}}
func.func private @graph_c14__multiplied() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128],
    matrices = [x : k x m bf16 input, w : k x n i8 input, o : m x n bf16 result],
    stages = [o = x * w over k]>}

// -----

// expected-error @below {{trn.schedule: w is f8E4M3FN, which is neither multiplied nor transposed; widen it by a stage of its own}}
func.func private @graph_c14__transposed() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [w : m x n f8E4M3FN input, o : n x m bf16 result],
    stages = [o = transpose w]>}

// -----

// expected-error @below {{trn.schedule: o is i8, which only inputs are; compute a float of 16 or 32 bits}}
func.func private @graph_c14__result() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input, o : m x n i8 result],
    stages = [o = exp(x)]>}

// -----

// expected-error @below {{trn.schedule: x is read element by element for o, so it must have its rows and the dim that it reduces, or dims of size 1 in their places}}
func.func private @graph_c9__reduced() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128, one = 1],
    matrices = [x : m x k f32 input, o : m x one f32 result],
    stages = [o = max x over n]>}

// -----

func.func private @reduction_of_nothing() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n f32 input, o : m x one f32 result],
    // expected-error @below {{there is no matrix 'y'; there are x, o}}
    stages = [o = max y over n]>}

// -----

// expected-error @below {{trn.schedule: c is read element by element for o, so it must have its rows and columns, or dims of size 1 in their places}}
func.func private @graph_c9__no_fraction() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 96],
    matrices = [x : m x n bf16 input, c : m x h bf16 input, o : m x n bf16 result],
    stages = [o = mul(x, c)]>}

// -----

// What is computed does not repeat.

// expected-error @below {{trn.schedule: c is read element by element for o, so it must have its rows and columns, or dims of size 1 in their places}}
func.func private @graph_c9__computed_fraction() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 64],
    matrices = [x : m x n bf16 input, b : m x h bf16 input, o : m x n bf16 result, c : m x h bf16],
    stages = [c = exp(b), o = mul(x, c)]>}

// -----

// expected-error @below {{trn.schedule: a is a mask, but columns for o repeat or are rotated; compute these in a stage of their own}}
func.func private @graph_c9__fraction_beside_mask() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 64],
    matrices = [x : m x n f32 input, c : m x h f32 input, a : m x n f32 input band none to 0 of inf, o : m x n f32 result],
    stages = [o = add(mul(x, c), a)]>}

// -----

// expected-error @below {{trn.schedule: c is rotated for o, so it must have its columns}}
func.func private @graph_c16__fraction() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 64],
    matrices = [x : m x n bf16 input, c : m x h bf16 input, o : m x n bf16 result],
    stages = [o = mul(x, rotate(c, 32))]>}

// -----

// expected-error @below {{trn.schedule: x is rotated by 96 columns, so it must have a multiple of twice as many, but has 512}}
func.func private @graph_c16__no_pairs() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input, o : m x n bf16 result],
    stages = [o = exp(rotate(x, 96))]>}

// -----

// expected-error @below {{trn.schedule: x is rotated by 9223372036854775807 columns, so it must have a multiple of twice as many, but has 512}}
func.func private @graph_c16__huge() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input, o : m x n bf16 result],
    stages = [o = exp(rotate(x, 9223372036854775807))]>}

// -----

func.func private @rotated_by_nothing() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input, o : m x n bf16 result],
    // expected-error @below {{a matrix is rotated by 1 or more columns, but by 0 here}}
    stages = [o = exp(rotate(x, 0))]>}

// -----

// expected-error @below {{trn.schedule: x has heads, so it must be a result without batch dims}}
func.func private @graph_c17__input() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input heads of 64, o : m x n bf16 result],
    stages = [o = exp(x)]>}

// -----

// expected-error @below {{trn.schedule: o has heads, so it must be a result without batch dims}}
func.func private @graph_c17__batches() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, b = 2],
    matrices = [x : (b, m) x n bf16 input, o : (b, m) x n bf16 result heads of 64],
    stages = [o = exp(x)]>}

// -----

// expected-error @below {{trn.schedule: o has heads of 96 columns, so it must have a multiple of them, at least two heads, but has 512 columns}}
func.func private @graph_c17__part_of_a_head() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input, o : m x n bf16 result heads of 96],
    stages = [o = exp(x)]>}

// -----

// expected-error @below {{trn.schedule: o has heads of 512 columns, so it must have a multiple of them, at least two heads, but has 512 columns}}
func.func private @graph_c17__one_head() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input, o : m x n bf16 result heads of 512],
    stages = [o = exp(x)]>}

// -----

// expected-error @below {{trn.schedule: y has heads, so no stage must read it}}
func.func private @graph_c17__read() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    matrices = [x : m x n bf16 input, y : m x n bf16 result heads of 64, o : m x n bf16 result],
    stages = [y = exp(x), o = silu(y)]>}

// -----

// expected-error @below {{trn.schedule: dim h must be groups of a dim that is whole}}
func.func private @graph_c18__of_a_part() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, na = 256 of n, h = 4 groups of na],
    matrices = [x : m x n bf16 input, y : m x h f32, o : m x na bf16 result],
    stages = [y = sum x over na, o = mul(x, y)]>}

// -----

// expected-error @below {{trn.schedule: dim h is 5 groups of n, so 5 must divide the 512 that it has, and be neither 1 nor 512}}
func.func private @graph_c18__does_not_divide() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 5 groups of n],
    matrices = [x : m x n bf16 input, y : m x h f32, o : m x n bf16 result],
    stages = [y = sum x over n, o = mul(x, y)]>}

// -----

// expected-error @below {{trn.schedule: y has groups, so they must be its columns, and it must be an input or an intermediate}}
func.func private @graph_c18__result() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 8 groups of n],
    matrices = [x : m x n bf16 input, y : m x h f32 result, o : m x n bf16 result],
    stages = [y = sum x over n, o = mul(x, y)]>}

// -----

// expected-error @below {{trn.schedule: y has a column for each group, so no product must read it, as that of z does}}
func.func private @graph_c18__product() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, p = 128, h = 8 groups of n],
    matrices = [x : m x n bf16 input, u : m x p f32 input, v : p x n bf16 input, y : m x h f32, z : p x h f32, o : p x n bf16 result],
    stages = [y = sum x over n, z = u * y over m, o = mul(v, z)]>}

// -----

// expected-error @below {{trn.schedule: yt has groups, so they must be its columns, and it must be an input or an intermediate}}
func.func private @graph_c18__transposed() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 8 groups of n],
    matrices = [x : m x n bf16 input, y : m x h f32, yt : h x m f32, o : m x n bf16 result],
    stages = [y = sum x over n, yt = transpose y, o = mul(x, y)]>}

// -----

// expected-error @below {{trn.schedule: o is computed by groups, so it must have no products and be no transpose; compute these in a stage of their own}}
func.func private @graph_c18__beside_a_product() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128, h = 8 groups of n],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, u : m x n bf16 input, y : m x h f32, o : m x n bf16 result],
    stages = [y = sum u over n, o = mul([x * w over k], y)]>}

// -----

// expected-error @below {{trn.schedule: columns of x repeat or are rotated by 128 where o is computed, so 128 must divide the 64 of a group}}
func.func private @graph_c18__rotated() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 8 groups of n],
    matrices = [x : m x n bf16 input, y : m x h f32, o : m x n bf16 result],
    stages = [y = sum x over n, o = mul(rotate(x, 64), y)]>}

// -----

// expected-error @below {{trn.schedule: z has a column for each 128 where o is computed by groups of 64}}
func.func private @graph_c18__two_sizes() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, h = 8 groups of n, g = 4 groups of n],
    matrices = [x : m x n bf16 input, y : m x h f32, z : m x g f32, o : m x n bf16 result],
    stages = [y = sum x over n, z = sum x over n, o = mul(mul(x, y), z)]>}

// -----

func.func private @heads_without_columns() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512],
    // expected-error @below {{trn.schedule: heads must have columns}}
    matrices = [x : m x n bf16 input, o : m x n bf16 result heads of 0],
    stages = [o = exp(x)]>}

// -----

// expected-error @below {{trn.schedule: e is a constant, so it must have no batch dims}}
func.func private @graph_c15__batches() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128, b = 2, one = 1],
    matrices = [x : k x m bf16 input, e : (b, k) x n bf16 constant 1.0, o : (b, m) x n bf16 result],
    stages = [o = x * e over k]>}

// -----

// expected-error @below {{trn.schedule: e is a constant, so its value must be finite}}
func.func private @graph_c15__infinite() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128, b = 2, one = 1],
    matrices = [x : k x m bf16 input, e : k x n bf16 constant 1.0e300, o : m x n bf16 result],
    stages = [o = x * e over k]>}

// -----

// expected-error @below {{trn.schedule: e is a constant, but a stage computes it}}
func.func private @graph_c15__computed() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128, b = 2, one = 1],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, e : m x n bf16 constant 1.0],
    stages = [e = x * w over k]>}

// -----

// expected-error @below {{trn.schedule: e is a constant number, so only products may read it; write its value into the expression of o}}
func.func private @graph_c15__read() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128, b = 2, one = 1],
    matrices = [x : m x n bf16 input, e : m x n bf16 constant 1.0, o : m x n bf16 result],
    stages = [o = add(x, e)]>}

// -----

// expected-error @below {{trn.schedule: the band of c, a constant, must be of zeros, which do not repeat; give the kernel the mask}}
func.func private @graph_c15__infinities() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of inf,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])]>}

// -----

// expected-error @below {{trn.schedule: the band of c, a constant, must be of zeros, which do not repeat; give the kernel the mask}}
func.func private @graph_c15__repeated() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero every 128,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])]>}

// -----

// expected-error @below {{trn.schedule: c is a mask that is a constant, but what it hides is stored or added up; give the kernel the mask}}
func.func private @graph_c15__stored() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16 result, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])]>}

// -----

// expected-error @below {{trn.schedule: c is a mask that is a constant, but it leaves nothing of a row; give the kernel the mask}}
func.func private @graph_c15__empty() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to -1 of zero,
                ct : n x m bf16 constant band 1 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              o = div([pt * v over n], [pt * ones over n])]>}

// -----

// expected-error @below {{trn.schedule: c is a mask that is a constant, but another mask has other dims or another band; give the kernel the mask}}
func.func private @graph_c15__another() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, n2 = 512, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero,
                k2 : k x n2 bf16 input, a2 : m x one bf16 result, c2 : m x n2 bf16 constant band none to 9 of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              a2 = max add([qt * k2 over k], c2) over n2, o = div([pt * v over n], [pt * ones over n])]>}

// -----

// expected-error @below {{trn.schedule: c is a mask that is a constant, but what it hides is read element by element; give the kernel the mask}}
func.func private @graph_c15__elements() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, rt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
              rt = copy(pt), o = div([rt * v over n], [rt * ones over n])]>}

// -----

// expected-error @below {{trn.schedule: c is a mask that is a constant, but it is not added to the first sum of a stage; give the kernel the mask}}
func.func private @graph_c15__negated() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                ct : n x m bf16 constant band 0 to none of zero],
    stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
              pt = exp(add(mul([kt * qt over k + minus * at over one], -0.125), ct)),
              o = div([pt * v over n], [pt * ones over n])]>}

// -----

// expected-error @below {{trn.schedule: o is no product of x and w over k: both must have k first, x the rows of o second, and w its columns}}
func.func private @graph_c3__column() attributes {test.schedule = #trn.schedule<
    dims = [m = 256, n = 512, k = 128, b = 2, one = 1],
    matrices = [x : k x m bf16 input, w : k x one bf16 input, o : m x n bf16 result],
    stages = [o = x * w over k]>}
