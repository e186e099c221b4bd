"""Kernels that people write, of words that exports may not have, give on the stand-ins what
NumPy computes.

RUN: env PYTHONPATH=%S/Inputs/standin %python %s
"""

import sys

import numpy as np

problems = []
random = np.random.default_rng(5)


def array(*shape):
    return random.standard_normal(shape).astype(np.float32)


def compare(name, actual, wanted):
    error = np.max(np.abs(actual - wanted)) if np.shape(actual) == np.shape(wanted) else np.inf
    if not error <= 1e-4:
        problems.append(f"{name}: {np.shape(actual)}, error {error}")


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def check_beta1():
    from neuronxcc import nki
    import neuronxcc.nki.isa as nisa
    import neuronxcc.nki.language as nl

    @nki.jit
    def add_ragged(x, y):
        """Rows in tiles of 128, of which the last is masked, on a grid over columns."""
        o = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
        rows, columns = x.shape
        first = nl.program_id(0) * 256
        i_p, i_f = nl.mgrid[0:128, 0:256]
        for i in nl.affine_range((rows + 127) // 128):
            mask = (i * 128 + i_p < rows) & (first + i_f < columns)
            a = nl.load(x[i * 128 + i_p, first + i_f], mask=mask)
            b = nl.load(y[i * 128 + i_p, first + i_f], mask=mask)
            nl.store(o[i * 128 + i_p, first + i_f], value=nl.add(a, b) * 2.0 - b, mask=mask)
        return o

    x, y = array(200, 500), array(200, 500)
    compare("add", nki.simulate_kernel(add_ragged[2], x, y), 2 * x + y)

    @nki.jit
    def rms_norm(x, g):
        o = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
        i_p, i_f = nl.arange(128)[:, None], nl.arange(x.shape[1])[None, :]
        weights = nl.load(g.reshape((1, g.shape[0]))[nl.arange(1)[:, None], i_f])
        for i in nl.affine_range(2):
            tile = nl.load(x[i * 128 + i_p, i_f], mask=i * 128 + i_p < x.shape[0])
            mean = nl.sum(nl.square(tile), axis=[1]) / x.shape[1]
            tile = nl.multiply(tile, nl.rsqrt(mean))
            tile[...] = nl.multiply(tile, weights.broadcast_to((128, x.shape[1])),
                                    mask=i * 128 + i_p < x.shape[0])
            nl.store(o[i * 128 + i_p, i_f], value=tile, mask=i * 128 + i_p < x.shape[0])
        return o

    x, g = array(150, 300), array(300)
    compare("norm", nki.simulate_kernel(rms_norm, x, g),
            x / np.sqrt(np.mean(x * x, axis=1, keepdims=True)) * g)

    @nki.jit
    def matmul(xt, w, o):
        """Blocks of X and W in SBUF; the result is an argument."""
        k, m = xt.shape
        lhs = nl.ndarray((k // 128, nl.par_dim(128), m), dtype=xt.dtype, buffer=nl.sbuf)
        rhs = nl.zeros((k // 128, nl.par_dim(128), w.shape[1]), dtype=w.dtype, buffer=nl.sbuf)
        grid = nl.mgrid[0:128, 0:m]
        for j in nl.affine_range(k // 128):
            lhs[j, grid.p, grid.x] = nl.load(xt[j * 128 + grid.p, grid.x])
            rhs[j] = nl.load(w[nl.ds(j * 128, 128), :])
        total = nl.zeros((m, w.shape[1]), nl.float32, buffer=nl.psum)
        for j in nl.affine_range(k // 128):
            total += nl.matmul(lhs[j], rhs[j], transpose_x=True)
        nl.store(o, value=nl.copy(total, dtype=o.dtype))

    xt, w, o = array(256, 64), array(256, 96), np.zeros((64, 96), np.float32)
    nki.simulate_kernel(matmul, xt, w, o)
    compare("matmul", o, xt.T @ w)

    @nki.jit
    def attention(q, k, v):
        """Causal, of one head: d x s, d x s and s x d."""
        d, s = q.shape
        o = nl.ndarray((s, d), dtype=q.dtype, buffer=nl.shared_hbm)
        i_p, i_f = nl.arange(s)[:, None], nl.arange(s)[None, :]
        scores = nisa.nc_matmul(nl.load(q), nl.load(k))
        scores = nisa.tensor_scalar(scores, np.multiply, 0.125, op1=np.add, operand1=1.0)
        scores = nisa.affine_select(pred=i_p >= i_f, on_true_tile=scores, on_false_value=-1e30)
        largest = nisa.tensor_reduce(np.max, scores, axis=(1,), negate=True)
        total = nl.ndarray((nl.par_dim(s), 1), dtype=nl.float32)
        powers = nisa.activation(np.exp, scores, bias=largest, reduce_op=np.add, reduce_res=total,
                                 reduce_cmd=nisa.reduce_cmd.reset_reduce)
        eye = nl.load(nl.shared_constant(np.eye(s, dtype=np.float32)))
        turned = nl.copy(nisa.nc_matmul(powers, eye, is_transpose=True))
        result = nl.matmul(turned, nl.load(v), transpose_x=True)
        nl.store(o, value=nl.divide(result, total))
        return o

    q, k, v = array(64, 96), array(64, 96), array(96, 64)
    compare("attention", nki.simulate_kernel(attention, q, k, v),
            softmax(np.where(np.tri(96) > 0, q.T @ k * 0.125 + 1, -1e30)) @ v)

    @nki.jit
    def others(x, y):
        o = nl.ndarray((7, *x.shape), dtype=nl.float32, buffer=nl.shared_hbm)
        a, b = nl.load(x), nl.load(y)
        column = nl.mean(a, axis=1, keepdims=True)
        nl.store(o[0], value=nisa.tensor_tensor_scan(a, b, 0.5, op0=nl.multiply, op1=nl.add))
        nl.store(o[1], value=nisa.scalar_tensor_tensor(
            data=a, op0=np.subtract, operand0=column, op1=np.multiply, operand1=b, reverse0=True))
        nl.store(o[2], value=nl.where(a > b, a, -b))
        nl.store(o[3], value=nl.softmax(a, axis=-1))
        sums = nl.ones((x.shape[0], 1), dtype=nl.float32)
        tile = nisa.tensor_scalar_reduce(data=a, op0=nl.add, operand0=column, reduce_op=np.max,
                                         reduce_res=sums)
        nl.store(o[4], value=nl.minimum(tile, sums))
        statistics = nisa.bn_aggr(nisa.bn_stats(a))
        nl.store(o[5], value=a * statistics[:, 1:2] + statistics[:, 0:1])
        nl.store(o[6], value=nl.transpose(nl.load_transpose2d(x)))
        return o

    x, y = array(64, 50), array(64, 50)
    mean = x.mean(axis=1, keepdims=True)
    state, states = np.full(64, 0.5, np.float32), []
    for i in range(50):
        state = x[:, i] * state + y[:, i]
        states.append(state)
    wanted = [np.stack(states, axis=1), (mean - x) * y, np.where(x > y, x, -y), softmax(x),
              np.minimum(x + mean, (x + mean).max(axis=1, keepdims=True)),
              x * x.var(axis=1, keepdims=True) + mean, x]
    for number, (one, other) in enumerate(zip(nki.simulate_kernel(others, x, y), wanted)):
        compare(f"others {number}", one, other)


def check_0_6():
    import nki
    import nki.isa as nisa
    import nki.language as nl

    def tile(*shape):
        return nl.ndarray(shape, dtype=nl.float32, buffer=nl.sbuf)

    @nki.jit
    def kernel(x, y):
        o = nl.ndarray((7, 64, 48), dtype=nl.float32, buffer=nl.shared_hbm)
        a, b, c, column, sums = tile(64, 48), tile(64, 48), tile(64, 48), tile(64, 1), tile(64, 1)
        nisa.dma_copy(dst=a, src=x)
        nisa.dma_copy(dst=b, src=y)
        nisa.tensor_reduce(dst=column, op=nl.maximum, data=a, axis=1, negate=True)
        nisa.tensor_scalar(c, a, nl.add, column, op1=nl.multiply, operand1=2.0)
        nisa.dma_copy(dst=o[0], src=c)
        nisa.scalar_tensor_tensor(c, a, nl.subtract, column, nl.subtract, b, reverse1=True)
        nisa.dma_copy(dst=o[1], src=c)
        # Half by half into one register.
        nisa.activation(c[:, 0:24], nl.exp, a[:, 0:24], column, reduce_op=nl.add,
                        reduce_cmd=nisa.reduce_cmd.reset_reduce)
        nisa.activation(c[:, 24:48], nl.exp, a[:, 24:48], column, reduce_op=nl.add,
                        reduce_res=sums, reduce_cmd=nisa.reduce_cmd.reduce)
        nisa.tensor_scalar(c, c, nl.multiply, sums)
        nisa.dma_copy(dst=o[2], src=c)
        nisa.tensor_scalar_reduce(c, a, nl.multiply, 3.0, nl.min, sums, reduce_res_negate=True)
        nisa.tensor_scalar(c, c, nl.add, sums)
        nisa.dma_copy(dst=o[3], src=c)
        nisa.tensor_tensor_scan(c, a, b, sums, nl.subtract, nl.maximum, reverse0=True)
        nisa.dma_copy(dst=o[4], src=c)
        nisa.affine_select(c, [[-1, 48]], 1, a, -3.0, cmp_op=nl.greater_equal, offset=2)
        nisa.dma_copy(dst=o[5], src=c)
        nisa.tensor_tensor(c, a, b, nl.greater)
        nisa.dma_copy(dst=o[6], src=c)
        return o

    @nki.jit
    def product(xt, w):
        """Sums begin by themselves; columns are repeated by a view."""
        o = nl.ndarray((64, 2, 48), dtype=nl.float32, buffer=nl.shared_hbm)
        total = nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.psum)
        for k in range(2):
            nisa.nc_matmul(total, nl.load(xt[nl.ds(k * 128, 128), :]),
                           nl.load(w.slice(0, k * 128, k * 128 + 128)))
        columns, result = nl.ones((64, 2), dtype=nl.float32), tile(64, 2, 48)
        nisa.memset(columns.select(1, 1), 2.0)
        nisa.tensor_tensor(result, total.reshape_dim(1, (2, 48)),
                           columns.expand_dim(2).broadcast(2, 48), nl.multiply)
        turned = nl.ndarray((96, 64), dtype=nl.float32, buffer=nl.psum)
        nisa.nc_matmul(turned, result.flatten_dims(1, 2), nl.shared_identity_matrix(64, nl.float32),
                       is_transpose=True)
        again, back = tile(96, 64), nl.ndarray((64, 96), dtype=nl.float32, buffer=nl.psum)
        nisa.tensor_copy(again, turned)
        nisa.nc_transpose(back, again)
        nisa.tensor_copy(result.reshape((64, 96)), back)
        nl.store(o, result)
        return o

    xt, w = array(256, 64), array(256, 96)
    compare("0.6, product", nki.simulate(product)(xt, w),
            (xt.T @ w).reshape(64, 2, 48) * np.array([1, 2]).reshape(2, 1))

    x, y = array(64, 48), array(64, 48)
    column, sums = -x.max(axis=1, keepdims=True), -(3 * x).min(axis=1, keepdims=True)
    state, states = sums[:, 0], []
    for i in range(48):
        state = np.maximum(state - x[:, i], y[:, i])
        states.append(state)
    powers = np.exp(x + column)
    wanted = [(x + column) * 2, y - (x - column), powers * powers.sum(axis=1, keepdims=True),
              3 * x + sums, np.stack(states, axis=1),
              np.where(np.arange(64)[:, None] - np.arange(48) + 2 >= 0, x, -3), x > y]
    for number, (one, other) in enumerate(zip(nki.simulate(kernel)(x, y), wanted)):
        compare(f"0.6, {number}", one, other)


check_beta1()
check_0_6()
sys.exit("\n".join(problems) or 0)
