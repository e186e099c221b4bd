"""Kernels of known structure whose times are predicted blind: nothing was ever tuned on them.

Their operands are bf16, PSUM is f32, and sums across blocks are kept in bf16 in SBUF, where VectorE
adds the PSUM banks. Left operands arrive as rows and are turned on chip, by 128 x 128 transposes on
the tensor engine that ScalarE copies back. What the descriptions leave open is chosen as follows.

- A block is one buffer that several transfers fill. It rotates twice where SBUF has room, so the
  next block is loaded during this one's products; the large sums may exist once.
- All eight PSUM banks are used in turn by whatever the loops ask for: transposes, then products.
- The order of loops is the order of the program. Nothing is moved from one block to another, but the
  engines run ahead of each other as far as the buffers allow.
- Sums are zeroed by memset on VectorE, tile by tile, and every group of products is added to them.
"""

from gemm import load_every_tile
from trn_writer import Kernel

P, BANK, BANKS = 128, 512, 8


def operands(**shapes):
    return {name: (shape, "bf16") for name, shape in shapes.items()}


def load_block(k, argument, row, column, tiles, columns, slots=2):
    """`tiles` loads [128, columns]."""
    block = k.sbuf((P, tiles, columns), "bf16", buffers=slots)
    with k.loop(tiles) as tile:
        k.dma(k.hbm(argument, row + tile * P, column, (P, columns)), k.part(block, (tile, 0), columns))
    return block


def turn(k, raw, turned, row_tiles, depth_tiles, first=0, narrow=False):
    """Transposes the rows [row_tiles][128, depth_tiles * 128] into tiles `first` ... of `turned`,
    each [128 of the contraction, row_tiles * 128]. `narrow`: PSUM takes bf16, as trn2 can."""
    with k.loop(row_tiles) as row, k.loop(depth_tiles) as depth:
        bank = k.psum((P, P), 0, BANKS, "bf16" if narrow else "f32")
        k.transpose(k.part(raw, (row, depth * P), P), bank)
        k.evict(bank, k.part(turned, (first + depth, row * P), P))


def zero(k, sums, tiles, columns):
    with k.loop(tiles) as tile:
        k.memset(k.part(sums, (tile, 0), columns))


def add_product(k, steps, stationary, moving, total):
    """`steps` matmuls into the next bank, whose sum VectorE adds to `total`."""
    bank = k.psum((P, total.shape[1]), 0, BANKS)
    with k.loop(steps) as step:
        k.matmul(bank, stationary(step), moving(step), step)
    k.tensor_tensor("add", total, bank, total)


def fused(m, depth=8192, rank=4096, n=16384, rows=1024, depth_tiles=4, block=1024):
    """X * U * V, strip by strip of `rows` rows: the transpose of the intermediate stays in SBUF."""
    k = Kernel("fused", operands(x=(m, depth), u=(depth, rank), v=(rank, n)), operands(out=(m, n)))
    row_tiles, block_tiles = rows // P, block // P
    with k.loop(m // rows) as strip:
        # 64 KiB of a partition; twice would not leave room for the blocks.
        between = k.sbuf((P, rank // P, rows), "bf16", buffers=1)
        zero(k, between, rank // P, rows)
        with k.loop(depth // (depth_tiles * P)) as d:
            raw = load_block(k, k.x, strip * rows, d * (depth_tiles * P), row_tiles, depth_tiles * P)
            turned = k.sbuf((P, depth_tiles, rows), "bf16")
            turn(k, raw, turned, row_tiles, depth_tiles)
            with k.loop(rank // block) as r:
                right = load_block(k, k.u, d * (depth_tiles * P), r * block, depth_tiles, block)
                with k.loop(row_tiles) as row, k.loop(block_tiles) as tile:
                    add_product(k, depth_tiles,
                                lambda step: k.part(right, (step, tile * P), P),
                                lambda step: k.part(turned, (step, row * P), P),
                                k.part(between, (r * block_tiles + tile, row * P), P))
        with k.loop(n // block) as c:
            out = k.sbuf((P, row_tiles, block), "bf16")
            zero(k, out, row_tiles, block)
            with k.loop(rank // block) as r:
                right = load_block(k, k.v, r * block, c * block, block_tiles, block)
                with k.loop(row_tiles) as row, k.loop(block // BANK) as half:
                    add_product(k, block_tiles,
                                lambda step: k.part(between, (r * block_tiles + step, row * P), P),
                                lambda step: k.part(right, (step, half * BANK), BANK),
                                k.part(out, (row, half * BANK), BANK))
            with k.loop(row_tiles) as row:
                k.dma(k.part(out, (row, 0), block), k.hbm(k.out, strip * rows + row * P, c * block, (P, block)))
    return [k]


def product(m, depth, n, name="plain", left="rows", narrow=False, block=1024):
    """One product as the tutorial's fully blocked kernel does it: for each block of columns and of
    the contraction, all row blocks, each of which loads its left block again. `left` is `rows` if
    it arrives as [m, depth], or `turned`."""
    shape = (m, depth) if left == "rows" else (depth, m)
    k = Kernel(name, operands(lhs=shape, rhs=(depth, n)), operands(out=(m, n)))
    tiles = block // P
    with k.loop(n // block) as c:
        # 2 KiB for each row tile: 64 KiB of a partition for 4096 rows, which is too much to have twice.
        sums = k.sbuf((P, m // P, block), "bf16", buffers=2 if m <= 2048 else 1)
        zero(k, sums, m // P, block)
        with k.loop(depth // block) as d:
            right = load_block(k, k.rhs, d * block, c * block, tiles, block)
            with k.loop(m // block) as r:
                if left == "rows":
                    raw = load_block(k, k.lhs, r * block, d * block, tiles, block)
                    stationary = k.sbuf((P, tiles, block), "bf16")
                    turn(k, raw, stationary, tiles, tiles, narrow=narrow)
                else:
                    stationary = load_block(k, k.lhs, d * block, r * block, tiles, block)
                with k.loop(block // BANK) as half, k.loop(tiles) as row:
                    add_product(k, tiles,
                                lambda step: k.part(stationary, (step, row * P), P),
                                lambda step: k.part(right, (step, half * BANK), BANK),
                                k.part(sums, (r * tiles + row, half * BANK), BANK))
        with k.loop(m // P) as row:
            k.dma(k.part(sums, (row, 0), block), k.hbm(k.out, row * P, c * block, (P, block)))
    return k


def plain(m, depth=8192, n=16384, block=1024):
    return [product(m, depth, n, block=block)]


def sequential(m, depth=8192, rank=4096, n=16384, block=1024):
    """Two plain products, two kernels; the intermediate is in HBM."""
    return [product(m, depth, rank, "first", block=block), product(m, rank, n, "second", block=block)]


def recompute(m=2048, depth=2048, rank=2048, n=8192):
    """X * U * V by blocks of 512 x 512: each block of the result computes the intermediate again.

    The X and U blocks of all contraction blocks stay in SBUF until both halves of the intermediate
    block, 8 tiles in a bank each, are summed up; so they are loaded once for it.
    """
    k = Kernel("recompute", operands(x=(m, depth), u=(depth, rank), v=(rank, n)), operands(out=(m, n)),
               flops=2 * m * rank * (depth + n))
    block, tiles = 512, 4
    depth_tiles = depth // P
    with k.loop(m // block) as row_block, k.loop(n // block) as c:
        out = k.sbuf((P, tiles, block), "bf16")
        zero(k, out, tiles, block)
        with k.loop(rank // block) as r:
            turned = k.sbuf((P, depth_tiles, block), "bf16")
            left = k.sbuf((P, depth_tiles, block), "bf16")
            with k.loop(depth // block) as d:
                raw = load_block(k, k.x, row_block * block, d * block, tiles, block)
                with k.loop(tiles) as tile:
                    k.dma(k.hbm(k.u, d * block + tile * P, r * block, (P, block)),
                          k.part(left, (d * tiles + tile, 0), block))
                turn(k, raw, turned, tiles, tiles, first=d * tiles)
            between = k.sbuf((P, tiles, block), "bf16")
            with k.loop(2) as half:
                # Rank tiles 2 * half and 2 * half + 1, each for four row tiles.
                banks = [k.psum((P, P), i, 1) for i in range(BANKS)]
                with k.loop(depth_tiles) as step:
                    for i, bank in enumerate(banks):
                        k.matmul(bank, k.part(left, (step, half * (2 * P) + i // 4 * P), P),
                                 k.part(turned, (step, i % 4 * P), P), step)
                for i, bank in enumerate(banks):
                    k.evict(bank, k.part(between, (half * 2 + i // 4, i % 4 * P), P))
            right = load_block(k, k.v, r * block, c * block, tiles, block)
            with k.loop(tiles) as row:
                add_product(k, tiles,
                            lambda step: k.part(between, (step, row * P), P),
                            lambda step: k.part(right, (step, 0), BANK),
                            k.part(out, (row, 0), BANK))
        with k.loop(tiles) as row:
            k.dma(k.part(out, (row, 0), block), k.hbm(k.out, row_block * block + row * P, c * block, (P, block)))
    return [k]


def tiled(m, depth, n):
    """The tutorial's first kernel in bf16."""
    k = Kernel("tiled", operands(lhsT=(depth, m), rhs=(depth, n)), operands(out=(m, n)))
    return [load_every_tile(k, m, depth, n, "bf16")]
