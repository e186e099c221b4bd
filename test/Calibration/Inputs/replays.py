"""Kernels of known structure whose times are predicted blind: nothing was ever tuned on them.

Their operands are bf16, PSUM is f32, and sums across blocks are kept in bf16 in SBUF, where VectorE
adds the PSUM banks. Where left operands arrive as rows they are turned on chip, by 128 x 128 transposes on
the tensor engine that ScalarE copies back. What the descriptions leave open is chosen as follows.

- A block is one buffer that several transfers fill. It rotates twice where SBUF has room, so the
  next block is loaded during this one's products; the large sums may exist once.
- All eight PSUM banks are used in turn by whatever the loops ask for; where transposes and products mix,
  four of them are for each.
- The vendor's compiler schedules these kernels, so they are software-pipelined (Kernel.ahead): in `fused` the
  next X block, in a product whose left operand arrives as rows the next row tile is transposed amid the
  products of the one before, tile by tile. Everything else is in the order of the loops. Loads run ahead by
  themselves, as far as the buffers allow.
- Sums are zeroed by memset on VectorE, tile by tile, and every group of products is added to them.
- `plain` and `sequential` turn X, the intermediate and the result by kernels of their own, one after the other.
"""

from trn_writer import Kernel

P, BANK, BANKS = 128, 512, 8
TURNING = 4  # banks of transposes that mix with products


def operands(**shapes):
    return {name: (shape, "bf16") for name, shape in shapes.items()}


def load_into(k, block, argument, row, column):
    """A load [128, columns] for each tile of a block."""
    _, tiles, columns = block.shape
    with k.loop(tiles) as tile:
        k.dma(k.hbm(argument, row + tile * P, column, (P, columns)), k.part(block, (tile, 0), columns))
    return block


def load_block(k, argument, row, column, tiles, columns):
    return load_into(k, k.sbuf((P, tiles, columns), "bf16"), argument, row, column)


def turn(k, raw, turned, row, depth, banks=TURNING, dtype="f32"):
    """Transposes tile `depth` of the row tile `row` of `raw`. The tiles of `turned` are [128 of the contraction,
    all rows]. trn2's PSUM may take bf16."""
    bank = k.psum((P, P), 0, banks, dtype)
    k.transpose(k.part(raw, (row, depth * P), P), bank)
    k.evict(bank, k.part(turned, (depth, row * P), P))


def zero(k, sums, tiles, columns):
    with k.loop(tiles) as tile:
        k.memset(k.part(sums, (tile, 0), columns))


def add_product(k, steps, stationary, moving, total, first_bank=0, amid=lambda step: None):
    """`steps` matmuls into the next bank, whose sum VectorE adds to `total`; `amid` comes before each."""
    bank = k.psum((P, total.shape[1]), first_bank, BANKS - first_bank)
    with k.loop(steps) as step:
        amid(step)
        k.matmul(bank, stationary(step), moving(step), step)
    k.tensor_tensor("add", total, bank, total)


def add_intermediate(k, strip, between, depth_tiles, block):
    """Adds (X * U)^T of a strip of rows to `between`. The next X block is turned amid the last products of a block:
    a tile before every second group."""
    (_, rank_tiles, rows), depth, steps = between.shape, k.x.shape[1], depth_tiles * P
    row_tiles, block_tiles, ranks = rows // P, block // P, rank_tiles * P // block
    raw, turned, rights = ([k.sbuf(shape, "bf16", buffers=1) for _ in range(2)] for shape in (
        (P, row_tiles, steps), (P, depth_tiles, rows), (P, depth_tiles, block)))

    def prepare(d, slot, *tile):
        if tile:
            turn(k, raw[slot], turned[slot], *tile)
        else:
            load_into(k, raw[slot], k.x, strip * rows, d * steps)

    def multiply(d, slot, prepare_next):
        prepare_next()
        groups = block_tiles // depth_tiles
        for r in range(ranks):
            right = load_into(k, rights[r % 2], k.u, d * steps, r * block)
            with k.loop(row_tiles) as row, k.loop(depth_tiles) as tile:
                if r == ranks - 1:
                    prepare_next(row, tile)
                with k.loop(groups) as group:
                    at = tile * groups + group
                    add_product(k, depth_tiles,
                                lambda step: k.part(right, (step, at * P), P),
                                lambda step: k.part(turned[slot], (step, row * P), P),
                                k.part(between, (at + r * block_tiles, row * P), P), TURNING)

    def first_block(prepare_first):
        prepare_first()
        with k.loop(row_tiles) as row, k.loop(depth_tiles) as tile:
            prepare_first(row, tile)

    k.ahead(depth // steps, [prepare], multiply, first_block, slots=2)


def store_result(k, strip, between, block):
    """Stores between^T * V."""
    (_, rank_tiles, rows), n, tiles = between.shape, k.v.shape[1], block // P
    row_tiles = rows // P
    with k.loop(n // block) as c:
        out = k.sbuf((P, row_tiles, block), "bf16")
        zero(k, out, row_tiles, block)
        with k.loop(rank_tiles // tiles) as r:
            right = load_block(k, k.v, r * block, c * block, tiles, block)
            with k.loop(row_tiles) as row, k.loop(block // BANK) as half:
                add_product(k, tiles,
                            lambda step: k.part(between, (r * tiles + step, row * P), P),
                            lambda step: k.part(right, (step, half * BANK), BANK),
                            k.part(out, (row, half * BANK), BANK))
        with k.loop(row_tiles) as row:
            k.dma(k.part(out, (row, 0), block), k.hbm(k.out, strip * rows + row * P, c * block, (P, block)))


def fused(m, depth=8192, rank=4096, n=16384, rows=1024, depth_tiles=4, block=1024):
    """X * U * V, strip by strip of `rows` rows: the transpose of the intermediate stays in SBUF."""
    k = Kernel("fused", operands(x=(m, depth), u=(depth, rank), v=(rank, n)), operands(out=(m, n)))
    with k.loop(m // rows) as strip:
        # 64 KiB of a partition; twice would not leave room for the blocks.
        between = k.sbuf((P, rank // P, rows), "bf16", buffers=1)
        zero(k, between, rank // P, rows)
        add_intermediate(k, strip, between, depth_tiles, block)
        store_result(k, strip, between, block)
    return [k]


def product(m, depth, n, name="product", left="turned", block=1024):
    """One product as the tutorial's fully blocked kernel does it: for each block of columns and of
    the contraction, all row blocks, each of which loads its left block again. `left` is `turned` if it
    arrives as [depth, m], or `rows` and then turned on trn2."""
    shape = (m, depth) if left == "rows" else (depth, m)
    k = Kernel(name, operands(lhs=shape, rhs=(depth, n)), operands(out=(m, n)))
    tiles = block // P

    def multiply(stationary, row, half, total, **pipeline):
        add_product(k, tiles,
                    lambda step: k.part(stationary, (step, row * P), P),
                    lambda step: k.part(right, (step, half * BANK), BANK), total(row, half), **pipeline)

    def multiply_rows(raw, total):
        """A row tile is turned amid the products of the one before, a tile before each matmul."""
        turned = k.sbuf((P, tiles, block), "bf16")

        def first_row(prepare):
            with k.loop(tiles) as step:
                prepare(step)

        k.ahead(tiles, [lambda row, _, step: turn(k, raw, turned, row, step, dtype="bf16")],
                lambda row, _, prepare: multiply(turned, row, 0, total, first_bank=TURNING, amid=prepare), first_row)
        with k.loop(block // BANK - 1) as half, k.loop(tiles) as row:
            multiply(turned, row, half + 1, total, first_bank=TURNING)

    with k.loop(n // block) as c:
        # 2 KiB for each row tile: 64 KiB of a partition for 4096 rows, which is too much to have twice.
        sums = k.sbuf((P, m // P, block), "bf16", buffers=2 if m <= 2048 else 1)
        zero(k, sums, m // P, block)
        with k.loop(depth // block) as d:
            right = load_block(k, k.rhs, d * block, c * block, tiles, block)
            with k.loop(m // block) as r:
                def total(row, half):
                    return k.part(sums, (r * tiles + row, half * BANK), BANK)

                if left == "rows":
                    multiply_rows(load_block(k, k.lhs, r * block, d * block, tiles, block), total)
                else:
                    stationary = load_block(k, k.lhs, d * block, r * block, tiles, block)
                    with k.loop(block // BANK) as half, k.loop(tiles) as row:
                        multiply(stationary, row, half, total)
        with k.loop(m // P) as row:
            k.dma(k.part(sums, (row, 0), block), k.hbm(k.out, row * P, c * block, (P, block)))
    return k


def transpose(m, n, name, block=1024):
    """A pass that turns a matrix, by blocks. The tensor engine has nothing else to do."""
    k = Kernel(name, operands(rows=(m, n)), operands(out=(n, m)))
    tiles = block // P
    with k.loop(m // block) as r, k.loop(n // block) as c:
        raw = load_block(k, k.rows, r * block, c * block, tiles, block)
        turned = k.sbuf((P, tiles, block), "bf16")
        with k.loop(tiles) as row, k.loop(tiles) as step:
            turn(k, raw, turned, row, step, BANKS)
        with k.loop(tiles) as tile:
            k.dma(k.part(turned, (tile, 0), block), k.hbm(k.out, c * block + tile * P, r * block, (P, block)))
    return k


def plain(m, depth=8192, n=16384, block=1024):
    """The transpose of X * W."""
    return [transpose(m, depth, "turn_x", block), product(m, depth, n, block=block),
            transpose(m, n, "turn_result", block)]


def sequential(m, depth=8192, rank=4096, n=16384, block=1024):
    """The transpose of X * U * V, by two plain products; the intermediate is in HBM."""
    return [transpose(m, depth, "turn_x", block), product(m, depth, rank, "first", block=block),
            transpose(m, rank, "turn_y", block), product(m, rank, n, "second", block=block),
            transpose(m, n, "turn_result", block)]
