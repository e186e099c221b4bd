"""What one execution of an instruction must keep, whatever the values are.

From docs/generated/TrnDialect.md (labels of the ops), docs/Machine.md (limits) and the
list of `trn-verify-level`. Each check gives a sentence, or None.
"""

import math

import partitions
from program import BYTES, Collapse, Expand, Permute, Reinterpret, Subview

PARTITIONS, GRANULE = 128, 32
COLUMN_GRANULE = {"trn1": 64, "trn2": 32}
SBUF_BYTES = {"trn1": 180224, "trn2": 212992}
BANKS, BANK_BYTES = 8, 2048
FREE_MAX = {"sbuf": 65536, "psum": 4096}
STRIDE_MAX, STRIDED_DIMS = 32767, 4
VECTOR_TRANSPOSE = 32
COLUMNS = ("scales", "biases", "scalars", "then_scalars", "initials")
ROWS = ("dma_gather", "dma_scatter")
DMA = ("dma_copy", "dma_transpose", *ROWS)
ELEMENTWISE = ("activation", "tensor_copy", "tensor_tensor", "tensor_scalar", "select",
               "reciprocal", "dma_copy")


def alloc(buffer, machine):
    """alloc_c1 to c3 and placed_c1 to c5."""
    if not buffer.chip:
        return None
    size, slots = buffer.row_bytes, buffer.slots or 1
    if buffer.offset is None or (buffer.kind == "psum") != (buffer.bank is not None):
        return "has no address"
    if buffer.offset % BYTES[buffer.dtype]:
        return "is misaligned"
    if buffer.shape[0] > PARTITIONS:
        return "has too many partitions"
    if buffer.kind == "sbuf":
        return "ends behind SBUF" if buffer.offset + slots * size > SBUF_BYTES[machine] else None
    if buffer.bank + slots > BANKS:
        return "ends behind the banks"
    return "straddles banks" if buffer.offset + size > BANK_BYTES else None


def view(view_, counters):
    """A view must not leave what it is a view of."""
    layouts = view_.layouts()
    chip = view_.base.chip
    for step, before in zip(view_.steps, layouts):
        if isinstance(step, Subview):
            for offset, size, stride, extent in zip(step.offsets, step.sizes, step.strides,
                                                    before.shape):
                first = offset.at(counters)
                last = first + (size - 1) * stride
                if min(first, last) < 0 or max(first, last) >= extent:
                    return "leaves its source"
        elif isinstance(step, Reinterpret):
            last = step.offset + sum((n - 1) * s for n, s in zip(step.sizes, step.strides))
            elements = 1
            for extent in view_.base.shape:
                elements *= extent
            if step.offset < 0 or last >= elements:
                return "leaves its source"
            if chip and leaves_partition(step, view_.base.shape, elements):
                return "leaves its partition"
        elif isinstance(step, Expand):
            if math.prod(step.factors) != before.shape[step.dim]:
                return "expands to another size"
        elif isinstance(step, Collapse):
            d = step.dim
            if before.strides[d] != before.strides[d + 1] * before.shape[d + 1]:
                return "collapses what is not contiguous"
        if chip and isinstance(step, (Expand, Collapse)) and step.dim == 0:
            return "loses the partition"
        if chip and isinstance(step, Permute) and step.order[0] != 0:
            return "loses the partition"
    final = layouts[-1]
    if chip and final.shape[0] > 1 and final.strides[0] != layouts[0].strides[0]:
        return "skips partitions"
    return None


def leaves_partition(step, shape, elements):
    """On chip, strides but the first one stay in the partition that a view starts in."""
    row = elements // shape[0]
    if step.sizes[0] > 1 and step.strides[0] != row:
        return True
    first, start = divmod(step.offset, row)
    last = start + sum((n - 1) * s for n, s in zip(step.sizes[1:], step.strides[1:]))
    return last >= row or first + step.sizes[0] > shape[0]


def odd(view_):
    """One partition with a stride of its own, which the docs neither allow nor forbid."""
    layouts = view_.layouts()
    return view_.base.chip and layouts[-1].strides[0] != layouts[0].strides[0]


def start(view_, counters):
    """The first partition."""
    return view_.layout.offset.at(counters) // _free(view_.base.shape)


def engine_access(view_, counters):
    """access_c2 to c5, for compute engines."""
    layout = view_.layout
    count = layout.shape[0]
    unit = GRANULE if count <= GRANULE else 2 * GRANULE if count <= 2 * GRANULE else PARTITIONS
    if start(view_, counters) % unit:
        return "starts at a partition where it cannot"
    elements, strided = 1, 0
    for extent, stride in zip(layout.shape[1:], layout.strides[1:]):
        elements *= extent
        if extent > 1 and abs(stride) > STRIDE_MAX:
            return "has neighbours too far apart"
    return "has too many elements" if elements > FREE_MAX[view_.base.kind] else None


def _spaces(inst, role):
    op = inst.op
    if op in ROWS:
        table = "src" if op == "dma_gather" else "dst"
        return ("hbm",) if role == table else ("sbuf",)
    if op in DMA:
        return ("hbm", "sbuf")
    if op in ("iota", "affine_select", "partition_reduce", "partition_gather") or role in ("stationary", "moving"):
        return ("sbuf",)
    if op == "matmul":
        return ("psum",)
    return ("sbuf", "psum")


def _column(inst, role):
    first, *rest = inst.operands[role].shape
    return first == inst.operands["dst"].shape[0] and all(size == 1 for size in rest)


def _free(shape):
    return math.prod(shape[1:])


def _is_reduced(shape, result):
    """The first dimensions of `shape`, and then ones."""
    kept = 0
    while kept < min(len(shape), len(result)) and shape[kept] == result[kept]:
        kept += 1
    return kept > 0 and all(size == 1 for size in result[kept:])


def op(inst, machine):
    """The verifier of the op and the rules of one machine."""
    v, a = inst.operands, inst.attrs
    dst = v["dst"]
    shapes = {role: x.shape for role, x in v.items()}
    for role, x in v.items():
        if x.base.space not in _spaces(inst, role):
            return f"{role} is in {x.base.space}"
        flat = inst.op in ("transpose", "dma_transpose")
        if len(x.shape) < 1 + x.base.chip or flat and len(x.shape) != 2:
            return f"{role} has the wrong rank"
        if inst.op not in DMA and x.shape[0] > PARTITIONS:
            return "too many partitions"
        floats = inst.op in ("matmul", "transpose", "dma_transpose")
        if floats and x.dtype in ("i32", "ui32"):
            return "has integers"
    if inst.op in ROWS:
        return _rows(inst)
    if inst.op in partitions.ALL:
        return partitions.rule(inst)
    if inst.op == "memset" and dst.dtype in ("i32", "ui32") and (
            a["value"] != int(a["value"]) or dst.dtype == "ui32" and a["value"] < 0):
        return "fills integers with what is none"
    full = {shape for role, shape in shapes.items() if role not in COLUMNS + ("sums",)}
    if inst.op not in ("transpose", "dma_transpose", "tensor_reduce", "matmul") and len(full) != 1:
        return "sizes differ"
    if inst.op in ("transpose", "dma_transpose") and shapes["dst"] != shapes["src"][::-1]:
        return "is not the transposed shape"
    for role in COLUMNS + ("sums",):
        if role in v and not _column(inst, role):
            return f"{role} is no column"
    if inst.op == "tensor_reduce" and not _is_reduced(shapes["src"], shapes["dst"]):
        return "dst is not what is left"
    if inst.op == "matmul":
        m, n = _free(shapes["stationary"]), _free(shapes["moving"])
        types = [v[role].dtype for role in ("stationary", "moving")]
        if shapes["stationary"][0] != shapes["moving"][0] or m > 128 or n > 512 \
                or (shapes["dst"][0], _free(shapes["dst"])) != (m, n):
            return "sizes do not fit"
        if (types[0] == "f32") != (types[1] == "f32") or dst.dtype != "f32":
            return "types do not fit"
    pair = {"tensor_tensor": ("lhs", "rhs"), "scalar_tensor_tensor": ("src", "rhs"),
            "tensor_tensor_scan": ("data0", "data1")}.get(inst.op, ())
    if pair and all(v[role].base.kind == "psum" for role in pair):
        return "both inputs are in PSUM"
    if inst.op == "dma_transpose":
        if v["src"].dtype != dst.dtype or BYTES[dst.dtype] != 2:
            return "types do not fit"
        if machine == "trn1":
            return "the machine cannot"
    if inst.op == "activation" and "bias" in a and machine == "trn1":
        return "the machine takes no constant bias"
    return _engine(inst, machine)


def _table_and_tile(inst):
    ends = [inst.operands[role].shape for role in ("src", "dst")]
    return ends if inst.op == "dma_gather" else ends[::-1]


def is_block(inst):
    """Whether one index chooses what all partitions of the tile are."""
    table, tile = _table_and_tile(inst)
    return len(table) == len(tile) + 1


def _rows(inst):
    """dma_gather_c1 to c3, indices_c1, and those of the scatter."""
    indices = inst.operands["indices"]
    table, tile = _table_and_tile(inst)
    if indices.dtype not in ("i32", "ui32"):
        return "chooses by floats"
    if len(table) < 2 or table[1:] != (tile if is_block(inst) else tile[1:]):
        return "rows differ"
    if indices.shape[0] != (1 if is_block(inst) else tile[0]) or _free(indices.shape) != 1:
        return "is no column of indices"
    return "too many partitions" if tile[0] > PARTITIONS else None


def _engine(inst, machine):
    v, engine = inst.operands, inst.attrs.get("engine")
    if inst.op in ("tensor_copy", "tensor_tensor", "tensor_scalar", "memset",
                   "scalar_tensor_tensor"):
        if engine is None:
            return "has no engine"
        if engine == "gpsimd" and (inst.op == "scalar_tensor_tensor" or "sums" in v):
            return "only VectorE can"
        if engine == "gpsimd":
            reached = [x for role, x in v.items()]
            return "GpSimd does not reach PSUM" if any(x.base.kind == "psum" for x in reached) \
                else None
        return None if engine == "vector" else "the engine cannot"
    if inst.op == "transpose":
        src, dst = v["src"], v["dst"]
        if engine is None:
            return "has no engine"
        if engine == "vector":
            return "larger than 32 x 32" if max(src.shape) > VECTOR_TRANSPOSE else None
        if engine != "tensor":
            return "the engine cannot"
        if src.base.kind != "sbuf" or dst.base.kind != "psum":
            return "the tensor engine reads SBUF and writes PSUM"
        if dst.dtype not in ("f32", src.dtype):
            return "leaves f32 or the type of src"
        if machine == "trn1" and BYTES[dst.dtype] == 2:
            return "the machine leaves f32"
    return None


def instruction(inst, counters, machine):
    """All of them, for one execution."""
    for x in inst.operands.values():
        if problem := view(x, counters):
            return problem
    if problem := op(inst, machine):
        return problem
    if inst.op in DMA:
        return None
    for x in inst.operands.values():
        if problem := engine_access(x, counters):
            return problem
    if inst.op == "matmul" or inst.attrs.get("engine") == "tensor":
        if start(inst.operands["dst"], counters) % COLUMN_GRANULE[machine]:
            return "is no part of the columns of the tensor engine"  # access_c7
    return None
