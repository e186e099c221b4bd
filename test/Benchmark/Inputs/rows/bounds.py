"""How long a row kernel takes at least: the largest of what each resource needs at least for its work.

    traffic   each matrix once, in pieces as long as its rows
    tensor    columns of the products, and of masks where they lie on the diagonal, and transposes on
              machines whose DMA cannot transpose
    scalar, vector, gpsimd
              the instructions that only this engine can execute, each as wide as an access may be; what
              several engines can execute is shared out so that the busiest of them has least
    psum port on machines where VectorE and ScalarE exclude each other in PSUM (`port_locks`): what both
              do there is done by one of them at a time. VectorE and GpSimd exclude each other in SBUF
              there, so that GpSimd takes nothing off VectorE

Constants are those that `trn-run --print-machine` prints. Times are in ns.
"""

import functools
import json
import math

from timing import execute

TILE = 128


@functools.cache
def machine(name):
    """Key -> value of a machine."""
    printed = json.loads(execute(["trn-run", "--print-machine", "--machine=" + name]))
    return {key: field["value"] for key, field in printed.items() if isinstance(field, dict)}


def tiles(size):
    return math.ceil(size / TILE)


def columns_of(rows, columns):
    """Elements a partition of a matrix whose rows, or for few rows whose elements, are on partitions."""
    return math.ceil(rows * columns / TILE) if rows < TILE else tiles(rows) * columns


def highest(function, end):
    """Of a concave function between 0 and `end`."""
    begin = 0.0
    for _ in range(60):
        third = (end - begin) / 3
        if function(begin + third) < function(end - third):
            begin += third
        else:
            end -= third
    return function((begin + end) / 2)


class Work:
    """What a kernel has to do on one machine."""

    def __init__(self, name):
        self.constants = machine(name)
        self.transfers, self.tensor_columns, self.items = 0.0, 0, []

    # What it has to do.

    def move(self, rows, row_bytes, times=1):
        """A matrix, one contiguous piece a row."""
        c = self.constants
        piece = max(c["dma_min_ns_per_descriptor"],
                    row_bytes / c["dma_gb_per_second_per_engine"] + c["dma_ns_per_descriptor"])
        self.transfers += times * rows * piece / c["dma_engines"]

    def multiply(self, moving, times=1):
        """`times` products of that many moving columns."""
        self.tensor_columns += times * max(self.constants["tensor_min_cycles"], moving)

    def product(self, rows, inner, columns):
        """X[rows, inner] * W[inner, columns], few rows as the moving operand."""
        if rows < TILE:
            self.multiply(rows, tiles(inner) * tiles(columns))
        else:
            self.tensor_columns += tiles(rows) * tiles(inner) * columns

    def compute(self, columns, psum=False, reduces=False, **cycles):
        """An elementwise pass: cycles an element on each engine that can execute it. `reduces`: with the
        sums of ScalarE's accumulator."""
        self.items.append((columns, psum, reduces, cycles))

    # How long it takes.

    def occupied(self, engine, columns, psum, reduces, cycles):
        c = self.constants
        widest = c["psum_free_max" if psum else "sbuf_free_max"]
        fixed = c[engine + "_access_cycles"] + (c["reduce_extra_cycles"] if reduces else 0)
        instructions = math.ceil(columns / widest)
        busy = max(columns * cycles, instructions * c["min_cycles"])
        return (busy + instructions * fixed) / c[engine + "_ghz"]

    def engines(self):
        """Engine -> ns of what only it can execute, and ns of the busiest one if the rest is shared out best.

        By duality: whatever the weights of the engines are, which sum to 1, the busiest engine has at least
        the weighted sum of the cheapest choices, and the best weights reach it."""
        names = ["scalar", "vector"] + ([] if self.constants["port_locks"] else ["gpsimd"])
        costs = [{engine: self.occupied(engine, columns, psum, reduces, cycles[engine])
                  for engine in names if engine in cycles and not (psum and engine == "gpsimd")}
                 for columns, psum, reduces, cycles in self.items]
        fixed = {engine: sum(able[engine] for able in costs if list(able) == [engine]) for engine in names}

        def least(*weights):
            weight = dict(zip(names, weights))
            return sum(min(able[engine] * weight[engine] for engine in able) for able in costs)

        if len(names) == 2:
            return fixed, highest(lambda w: least(w, 1 - w), 1)
        return fixed, highest(lambda w: highest(lambda u: least(w, u, 1 - w - u), 1 - w), 1)

    def port(self):
        """What VectorE and ScalarE do in PSUM, if only one of them can be there."""
        if not self.constants["port_locks"]:
            return 0.0
        return sum(min(self.occupied(engine, columns, psum, reduces, cycles[engine]) for engine in cycles)
                   for columns, psum, reduces, cycles in self.items if psum)

    def bound(self):
        """Resource -> ns; `bound` is the largest, and `balanced` that of the
        busiest engine."""
        fixed, shared = self.engines()
        needs = {"traffic": self.transfers, "tensor": self.tensor_columns * self.constants["tensor_ns_per_column"],
                 **fixed, "balanced": shared, "psum port": self.port()}
        needs["bound"] = max(needs.values())
        return needs


def copies(constants):
    """Cycles an element of a copy or scaling by a column, within SBUF in bf16."""
    return {"vector": constants["vector_copy_narrow_cycles"], "scalar": 1, "gpsimd": 1}


FROM_PSUM = {"vector": 1, "scalar": 1}  # vector_copy_mixed_cycles is 1 on all machines


def softmax(name, rows, columns, element_bytes=2):
    """Rows of bf16: maxima on VectorE, exp with its sums on ScalarE, scaling on any engine."""
    work = Work(name)
    work.move(2 * rows, columns * element_bytes)
    n = columns_of(rows, columns)
    work.compute(n, vector=0.5 if element_bytes == 2 else 1)
    work.compute(n, reduces=True, scalar=1)
    work.compute(n, **copies(work.constants))
    return work


def add_norm(work, rows, inner):
    """Squares with their sums, scaling by a column; the gain is free where the result is turned."""
    n = columns_of(rows, inner)
    work.compute(n, reduces=True, scalar=1, vector=1)
    work.compute(n, **copies(work.constants))


def add_product(work, rows, inner, columns, evicted=(FROM_PSUM,)):
    """Weights in whole rows; `evicted`: cycles of what takes the result of each out of PSUM."""
    work.move(inner * len(evicted), 2 * columns // len(evicted))
    work.product(rows, inner, columns)
    for cycles in evicted:
        work.compute(columns_of(rows, columns) // len(evicted), psum=True, **cycles)


def add_turned(work, rows, columns):
    """X, transposed by the DMA or on the tensor engine, and then out of PSUM."""
    if not work.constants["dma_transpose"] and rows >= TILE:
        work.tensor_columns += columns_of(rows, columns)
        work.compute(columns_of(rows, columns), psum=True, **FROM_PSUM)


def norm_product(name, rows, inner, columns, norm=True):
    """O[rows, columns] = rmsnorm(X[rows, inner]) * W."""
    work = Work(name)
    work.move(rows, 2 * inner)
    work.move(rows, 2 * columns)
    add_turned(work, rows, inner)
    add_product(work, rows, inner, columns)
    if norm:
        work.move(1, 2 * inner)
        add_norm(work, rows, inner)
    return work


def add_rope(work, rows, columns):
    """x * cos + rot(x) * sin of turned results: rot is a product, sums are of VectorE or GpSimd."""
    c, n = work.constants, columns_of(rows, columns)
    work.multiply(columns_of(columns, rows) if rows >= TILE else tiles(columns))
    for _ in range(2):
        work.compute(n, vector=c["vector_pair_bf16_cycles"], gpsimd=1)
    work.compute(n, psum=True, vector=1)


def projections(name, rows, inner, turned, straight, rope=True):
    """Products of X with weights of `turned` columns, with RoPE behind it, and of `straight` ones."""
    work = Work(name)
    work.move(rows, 2 * inner)
    work.move(turned, 2 * rows)
    work.move(rows, 2 * straight)
    add_turned(work, rows, inner)
    for columns in (turned, straight):
        add_product(work, rows, inner, columns)
    if rope:
        work.move(2 * TILE, 2 * rows)  # cos and sin
        add_rope(work, rows, turned)
    return work


def attention(name, rows, d, groups, heads, exact=False):
    """Causal, of `groups` key heads with `heads` query heads each: scores with keys on partitions, exp on
    ScalarE, values with a column of ones for the denominators, and a division on the way out. `exact`:
    scores once more with queries on partitions, whose maxima VectorE takes; they enter the scores as one
    more row of the contraction, for which there is none left at d = 128."""
    work = Work(name)
    count = tiles(rows)
    blocks, diagonal = groups * heads * count * (count + 1) // 2, groups * heads * count
    work.move(2 * rows, 2 * groups * heads * d)  # Q, O
    work.move(2 * rows, 2 * groups * d)          # K, V
    work.multiply(TILE, blocks * (2 if exact else 1) + diagonal * (2 if exact else 1))
    work.multiply(d + 1, blocks)
    if exact and d >= TILE:
        work.multiply(TILE, blocks)
    work.compute(blocks * TILE, psum=True, scalar=1)
    if exact:
        work.compute(blocks * TILE, psum=True, vector=1)
    work.compute(diagonal * d, psum=True, **FROM_PSUM)
    return work


def decode(name, context, d, groups, heads):
    """One row of each head against a cache: traffic is all that counts."""
    work = Work(name)
    work.move(groups * d, 2 * context)
    work.move(context, 2 * groups * d)
    work.move(2, 2 * groups * heads * d)
    work.multiply(context, tiles(groups * d))
    work.multiply(groups * d, tiles(context))
    n = math.ceil(groups * heads * context / TILE)
    work.compute(n, psum=True, vector=1)
    work.compute(n, psum=True, scalar=1)
    return work


def layer(name, model, rows, context, exact=False):
    """The kernels of a decoder layer, each with its own traffic: name -> Work. `rows` is 1 for a token."""
    hidden, inter = model["hidden_size"], model["intermediate_size"]
    q, groups = model["num_attention_heads"], model["num_key_value_heads"]
    d = model["head_dim"]
    qkv = norm_product(name, rows, hidden, (q + 2 * groups) * d)
    add_rope(qkv, rows, (q + groups) * d)
    if rows == 1:
        core = decode(name, context, d, groups, q // groups)
    else:
        core = attention(name, rows, d, groups, q // groups, exact)
    out = Work(name)
    out.move(rows, 2 * q * d)
    out.move(2 * rows, 2 * hidden)
    add_turned(out, rows, q * d)
    add_product(out, rows, q * d, hidden)
    mlp = Work(name)
    mlp.move(2 * rows + 1, 2 * hidden)
    add_norm(mlp, rows, hidden)
    add_turned(mlp, rows, hidden)
    add_product(mlp, rows, hidden, 2 * inter, evicted=({"scalar": 1}, {"vector": 1}))  # silu, times up
    add_product(mlp, rows, inter, hidden)
    return {"norm, QKV, RoPE": qkv, "attention": core, "O, residual": out, "norm, MLP, residual": mlp}
