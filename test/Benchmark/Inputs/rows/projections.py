"""QKV of Llama-3.2-1B with RoPE behind it: Q^T and K^T leave the product turned, with the elements of two
heads on the partitions, and are rotated there; V leaves it as rows.

rot(q) is a product with a signed permutation of 128 partitions; cos^T and sin^T, [128, S], serve all heads.
"""

import numpy as np

from unrolled import Kernel, bf16

K, NQK, NV = 2048, 2560, 512  # of which queries are 2048
KT = K // 128


def kernel(machine, size, rope=True):
    k = Kernel(machine, {"x": ((size, K), "bf16"), "wqk": ((K, NQK), "bf16"), "wv": ((K, NV), "bf16"),
                         "cos": ((128, size), "bf16"), "sin": ((128, size), "bf16"), "rot": ((128, 128), "bf16")},
               {"qk": ((NQK, size), "bf16"), "v": ((size, NV), "bf16")}, 2 * size * K * (NQK + NV))
    width = min(size, 512)                     # of a strip
    tiles, strips = width // 128, size // width
    cos, sin, rot = k.several(2, 128, width), k.several(2, 128, width), k.sbuf(128, 128)
    wqk, wv = k.several(NQK // 512, 128, KT * 512), k.sbuf(128, KT * NV)
    x, xt = k.several(4, 128, K), k.several(2, 128, KT * width)
    plain, straight, crossed, turned = (k.several(count, 128, width) for count in (4, 3, 3, 4))
    values = k.several(2, 128, NV)
    turned_banks, banks, rot_banks = ([k.psum(bank) for bank in of] for of in (range(2), range(2, 6), range(6, 8)))
    done, later = [0], []

    def load_weights(block):
        for half in (0, KT // 2):
            k.dma(k.hbm("wqk", half * 128 * NQK + block * 512, (128, KT // 2, 512), (NQK, 128 * NQK, 1)),
                  wqk[block](0, 128, half * 512, KT // 2 * 512).split(KT // 2, 512))

    def load_strip(strip):
        for tile in range(tiles):
            at = strip * tiles + tile
            k.dma(k.hbm("x", at * 128 * K, (128, K), (K, 1)), x[at % 4])
        for name, slots in (("cos", cos), ("sin", sin)):
            k.dma(k.hbm(name, strip * width, (128, width), (size, 1)), slots[strip % 2])

    def turn(tile, first):
        """Four pieces of a row tile into X^T of its strip, [128, KT, width]."""
        bank, into = turned_banks[first // 4 % 2], xt[tile // tiles % 2]
        for i in range(4):
            k.transpose(x[tile % 4](0, 128, 128 * (first + i), 128), bank(0, 128, 128 * i, 128))
        for i in range(4):
            k.copy(bank(0, 128, 128 * i, 128), into(0, 128, (first + i) * width + 128 * (tile % tiles), 128),
                   "scalar" if i % 2 else "vector")

    def next_bank():
        done[0] += 1
        return banks[done[0] % 4]

    def store(strip, number, source):
        k.dma(source, k.hbm("qk", number * 128 * size + strip * width, (128, width), (size, 1)))

    def rotate(strip, number, source):
        """One tile later than its product, so that the tensor engine does not wait."""
        bank, first, second = rot_banks[number % 2](0, 128, 0, width), straight[number % 3], crossed[number % 3]
        k.matmul(bank, rot, source)
        k.pair("mul", source, cos[strip % 2], first)
        k.pair("mul", bank, sin[strip % 2], second)
        k.pair("add", first, second, turned[number % 4])
        store(strip, number, turned[number % 4])

    def queries_and_keys(strip, number):
        bank = next_bank()(0, 128, 0, width)
        for j in range(KT):
            k.matmul(bank, wqk[number // 4](0, 128, j * 512 + number % 4 * 128, 128),
                     xt[strip % 2](0, 128, j * width, width), j > 0)
            if later and j == 4:
                later.pop(0)()
            if number >= 2 and j == 8 and pieces:
                turn(*pieces.pop(0))
        k.copy(bank, plain[done[0] % 4](0, 128, 0, width), "scalar")
        if rope:
            later.append(lambda source=plain[done[0] % 4]: rotate(strip, number, source))
        else:
            store(strip, number, plain[done[0] % 4])

    load_strip(0), load_weights(0)
    k.dma(k.hbm("rot", 0, (128, 128), (128, 1)), rot)
    load_weights(1)
    for tile in range(tiles):
        for first in range(0, KT, 4):
            turn(tile, first)
    for block in range(2, len(wqk)):
        if block == 2 and strips > 1:
            load_strip(1)
        load_weights(block)
    k.dma(k.hbm("wv", 0, (128, KT, NV), (NV, 128 * NV, 1)), wv.split(KT, NV))
    for strip in range(strips):
        if 0 < strip < strips - 1:
            load_strip(strip + 1)
        pieces = [((strip + 1) * tiles + tile, first) for tile in range(tiles) for first in range(0, KT, 4)
                  if strip + 1 < strips]
        for number in range(NQK // 128):
            queries_and_keys(strip, number)
        for tile in range(tiles):
            bank = next_bank()
            for j in range(KT):
                k.matmul(bank, xt[strip % 2](0, 128, j * width + 128 * tile, 128), wv(0, 128, j * NV, NV), j > 0)
            k.copy(bank, values[tile % 2], "scalar")
            k.dma(values[tile % 2], k.hbm("v", (strip * width + tile * 128) * NV, (128, NV), (NV, 1)))
        while later:
            later.pop(0)()
    return k


def rotation():
    """rot[m] = sum over k of r[k, m] q[k]: the upper half of each head's elements comes, negated, first."""
    r = np.zeros((128, 128), np.float32)
    for head in (0, 64):
        for i in range(head, head + 32):
            r[i + 32, i], r[i, i + 32] = -1, 1
    return r


def inputs(size):
    random = np.random.default_rng(size)
    angles = np.arange(size) / 10000 ** (np.tile(np.arange(32), 4)[:, None] / 32)
    return {"x": bf16(random.normal(size=(size, K))), "wqk": bf16(random.normal(size=(K, NQK)) / 45),
            "wv": bf16(random.normal(size=(K, NV)) / 45), "cos": bf16(np.cos(angles)), "sin": bf16(np.sin(angles)),
            "rot": rotation()}


def reference(x, wqk, wv, cos, sin, rot):
    qk = bf16((x @ wqk).T)
    low, high = np.split(qk.reshape(-1, 64, x.shape[0]), 2, 1)
    turned = np.concatenate([-high, low], 1).reshape(qk.shape)
    cos, sin = (np.tile(values, (NQK // 128, 1)) for values in (cos, sin))
    return np.concatenate([bf16(bf16(qk * cos) + bf16(turned * sin)), bf16(x @ wv).T])
