"""Breaks one rule of a kernel on purpose. The model says afterwards which one it was."""

from program import (Alloc, Buffer, For, Free, Index, Inst, Loop, Reinterpret, Subview, View)


def _pick(rng, kernel, kind, test=lambda s: True):
    found = []

    def walk(body):
        for i, statement in enumerate(body):
            if isinstance(statement, kind) and test(statement):
                found.append((body, i, statement))
            if isinstance(statement, For):
                walk(statement.body)
    walk(kernel.body)
    return rng.choice(found) if found else None


def _chip(kind=None):
    return lambda s: s.buffer.chip and (kind is None or s.buffer.kind == kind)


def leave_out(rng, kernel):
    place = _pick(rng, kernel, Inst)
    if place and len(kernel.body) > 1:
        del place[0][place[1]]
        return True


def free_early(rng, kernel):
    place = _pick(rng, kernel, Alloc)
    if place:
        body, i, alloc = place
        body.insert(rng.randint(i + 1, len(body)), Free(alloc.buffer))
        return True


def free_in_loop(rng, kernel):
    outer = [s.buffer for s in kernel.body if isinstance(s, Alloc)]
    place = _pick(rng, kernel, For)
    if outer and place:
        buffer = rng.choice(outer)
        known = next(i for i, s in enumerate(kernel.body)
                     if isinstance(s, Alloc) and s.buffer is buffer)
        loop = rng.choice([s for s in kernel.body[known:] if isinstance(s, For)] or [None])
        if loop:
            loop.body.insert(rng.randint(0, len(loop.body)), Free(buffer))
            return True


def move_address(rng, kernel):
    place = _pick(rng, kernel, Alloc, _chip())
    if not place:
        return None
    buffer = place[2].buffer
    if buffer.kind == "psum" and rng.random() < 0.5:
        buffer.bank = rng.choice([0, 1, 7, 8, 100, (buffer.bank or 0) + 1])
    elif rng.random() < 0.5:
        other = _pick(rng, kernel, Alloc, _chip(buffer.kind))[2].buffer
        if other is not buffer:
            buffer.bank, buffer.offset = other.bank, other.offset
    else:
        buffer.offset = rng.choice([0, 1, 2, 2044, 2048, 180224 - buffer.row_bytes, 180222,
                                    (buffer.offset or 0) + 4, 2 ** 40])
    return True


def no_address(rng, kernel):
    place = _pick(rng, kernel, Alloc, _chip())
    if place:
        place[2].buffer.offset = place[2].buffer.bank = None
        return True


def slots(rng, kernel):
    place = _pick(rng, kernel, Alloc, _chip())
    if place:
        place[2].buffer.slots = rng.choice([1, 2, 3, 9, 2 ** 20])
        return True


def _subview(rng, kernel, test=lambda view: True):
    """A subview that is an operand of an instruction, its view and its number there."""
    found = []
    for statement in kernel.statements():
        for view in getattr(statement, "operands", {}).values():
            found += [(view, i) for i, step in enumerate(view.steps)
                      if isinstance(step, Subview) and test(view)]
    return rng.choice(found) if found else None


def shift_view(rng, kernel):
    place = _subview(rng, kernel)
    if place:
        view, i = place
        step = view.steps[i]
        dim = rng.randrange(len(step.offsets))
        step.offsets = list(step.offsets)
        step.offsets[dim] = step.offsets[dim] + rng.choice([1, -1, 2, 5, 16, 32, 100])
        return True


def stretch_view(rng, kernel):
    place = _subview(rng, kernel)
    if place:
        step = place[0].steps[place[1]]
        dim = rng.randrange(len(step.sizes))
        step.strides = list(step.strides)
        step.strides[dim] = rng.choice([0, 2, 3])
        return True


def scale_offset(rng, kernel):
    place = _subview(rng, kernel, lambda v: True)
    if place:
        step = place[0].steps[place[1]]
        dim = rng.randrange(len(step.offsets))
        step.offsets = list(step.offsets)
        step.offsets[dim] = step.offsets[dim] * rng.choice([0, 2, 3])
        return True


def longer_loop(rng, kernel):
    place = _pick(rng, kernel, For)
    if place:
        loop = place[2].loop
        loop.upper += loop.step * rng.choice([1, 1, 2])
        return True


def resize(rng, kernel):
    place = _subview(rng, kernel)
    if place:
        step = place[0].steps[place[1]]
        dim = rng.randrange(len(step.sizes))
        if dim not in step.drop:
            step.sizes = list(step.sizes)
            step.sizes[dim] = max(1, step.sizes[dim] + rng.choice([-1, 1]))
            return True


def swap_operand(rng, kernel):
    """Another tile of the same shape: of another memory, type, or with another content."""
    place = _pick(rng, kernel, Inst)
    if not place:
        return None
    inst = place[2]
    role = rng.choice(list(inst.operands))
    wanted = inst.operands[role].shape
    others = [v for s in place[0][:place[1]] for v in getattr(s, "operands", {}).values()
              if v.shape == wanted and v.base is not inst.operands[role].base]
    if others:
        inst.operands = {**inst.operands, role: rng.choice(others)}
        return True


def write_input(rng, kernel):
    place = _pick(rng, kernel, Inst, lambda s: s.op == "dma_copy")
    inputs = [b for b in kernel.arguments if b.kind == "input"]
    if place and inputs:
        body, i, _ = place
        target = rng.choice(inputs)
        whole = View(target, [])
        source = Buffer("extra", "sbuf", target.shape, target.dtype)
        if len(target.shape) < 2 or target.shape[0] > 128:
            body.insert(i, Inst("dma_copy", {"src": whole, "dst": whole}))
        else:
            source.offset = 180224 - source.row_bytes & ~3
            body[i:i] = [Alloc(source),
                         Inst("memset", {"dst": View(source, [])}, {"value": 1.0, "engine": "vector"}),
                         Inst("dma_copy", {"src": View(source, []), "dst": whole})]
        return True


def write_twice(rng, kernel):
    place = _pick(rng, kernel, Inst, lambda s: s.op == "dma_copy"
                  and not s.operands["dst"].base.chip and len(s.operands["dst"].shape) == 2)
    if place:
        inst = place[2]
        target = inst.operands["dst"].base
        shape = inst.operands["dst"].shape
        elements = 1
        for extent in target.shape:
            elements *= extent
        strides = rng.choice([(1, 1), (shape[1], 0), (0, 1), (max(1, shape[1] - 1), 1)])
        if (shape[0] - 1) * strides[0] + (shape[1] - 1) * strides[1] < elements:
            again = Inst("dma_copy", {**inst.operands, "dst": View(target, [
                Reinterpret(0, shape, strides)])})
            place[0].insert(place[1] + 1, again)
            return True


def engine(rng, kernel):
    place = _pick(rng, kernel, Inst, lambda s: "engine" in s.attrs)
    if place:
        place[2].attrs["engine"] = rng.choice([None, "gpsimd", "vector", "tensor", "scalar"])
        return True


def accumulate(rng, kernel):
    place = _pick(rng, kernel, Inst, lambda s: s.op == "matmul")
    if place:
        attrs = place[2].attrs
        condition = attrs.get("accumulate")
        if isinstance(condition, tuple):
            attrs["accumulate"] = rng.choice([
                (rng.choice(["eq", "ne", "slt", "sge"]), condition[1], condition[2]),
                (condition[0], condition[1], condition[2] + rng.choice([-1, 1])), True])
        else:
            attrs["accumulate"] = not condition
        return True


def disturb_group(rng, kernel):
    place = _pick(rng, kernel, Inst, lambda s: s.op == "matmul" and s.attrs.get("accumulate"))
    if place:
        body, i, inst = place
        dst = inst.operands["dst"]
        m, n = dst.shape
        if rng.random() < 0.5 or n < 2:
            part = dst
        else:
            part = View(dst.base, dst.steps + [Subview([Index(), Index(rng.randrange(n - 1))], [m, 1],
                                                       [1, 1])])
        where = i if rng.random() < 0.7 else i + 1
        body.insert(where, Inst("memset", {"dst": part}, {"value": 0.0, "engine": "vector"}))
        return True


def second_group(rng, kernel):
    """Another group in the same bank, in another range of bytes or over the same one."""
    place = _pick(rng, kernel, Inst, lambda s: s.op == "matmul" and s.attrs.get("accumulate")
                  and not s.operands["dst"].steps
                  and s.operands["dst"].base.offset is not None)
    if place:
        body, i, inst = place
        old = inst.operands["dst"].base
        end = old.offset + old.row_bytes
        room = 2048 - end
        n = inst.operands["dst"].shape[1]
        if room >= n * 4:
            other = Buffer("extra", "psum", old.shape, "f32", 0, old.bank, end)
            body[i:i] = [Alloc(other), Inst("matmul", {**inst.operands, "dst": View(other, [])})]
            return True


def partition(rng, kernel):
    """A start where that many partitions cannot start."""
    place = _subview(rng, kernel, lambda v: v.base.chip)
    if place:
        step = place[0].steps[place[1]]
        extent = place[0].base.shape[0]
        size = max(1, step.sizes[0] // 2)
        step.sizes, step.offsets = list(step.sizes), list(step.offsets)
        step.offsets[0] = Index(rng.choice([1, 5, 31, 32, 33, 64, 96, extent - size]))
        for view in [place[0]]:
            step.sizes[0] = min(step.sizes[0], max(1, extent - step.offsets[0].constant))
        return True


def far_apart(rng, kernel):
    """Neighbours, or elements, beyond what one access takes."""
    wide = rng.random() < 0.5
    if wide:
        buffer = Buffer("extra", "sbuf", (rng.randint(1, 4), rng.choice([65536, 65537, 80000])),
                        "bf16", 0, None, 0)
        views = View(buffer, [])
    else:
        stride = rng.choice([32766, 32767, 32768, 40000])
        buffer = Buffer("extra", "sbuf", (2, 2, stride), "bf16", 0, None, 0)
        views = View(buffer, [Subview([Index()] * 3, [2, 2, 1], [1, 1, 1], (2,))])
    kernel.body[0:0] = [Alloc(buffer),
                        Inst("memset", {"dst": views}, {"value": 1.0, "engine": "vector"}),
                        Free(buffer)]
    return True


LOOPS = [("i8", True, 0, 200, 100), ("i8", True, 120, 255, 64), ("i8", False, -128, 127, 100),
         ("i8", True, 0, 100, 50), ("i32", True, 2 ** 31 - 1, 2 ** 32 - 1, 2 ** 30),
         ("i32", False, -2 ** 31, 2 ** 31 - 1, 2 ** 31 - 1), ("i64", True, 5, 2 ** 64 - 1, 2 ** 62),
         ("index", False, -2 ** 63, 2 ** 63 - 1, 2 ** 62), ("index", False, 0, 2 ** 62, 2 ** 61),
         ("i64", False, -2 ** 63, 2 ** 63 - 1, 2 ** 62), ("i8", True, 200, 100, 3)]


def wide_loop(rng, kernel):
    """A statement once more for each trip of a loop near the ends of its type: such a loop
    runs as often as it says, or is refused."""
    place = _pick(rng, kernel, Inst, lambda s: s.op != "matmul")
    if place:
        body, i, inst = place
        type_, unsigned, *bounds = rng.choice(LOOPS)
        body[i] = For(Loop("wide", *bounds, type_, unsigned, False), [inst])
        return True


def narrow_loop(rng, kernel):
    """Counters of another type."""
    place = _pick(rng, kernel, For, lambda s: s.loop.lower >= 0 and 0 <= s.loop.upper <= 100)
    if place:
        place[2].loop.type = rng.choice(["i8", "i32", "i64"])
        place[2].loop.unsigned = rng.random() < 0.5
        return True


def dealloc_argument(rng, kernel):
    kernel.body.insert(rng.randint(0, len(kernel.body)), Free(rng.choice(kernel.arguments)))
    return True


def partial_result(rng, kernel):
    """A result that is larger than what is stored."""
    place = _pick(rng, kernel, Inst, lambda s: s.operands["dst"].base.kind == "result"
                  and not s.operands["dst"].steps)
    if place:
        inst = place[2]
        old = inst.operands["dst"].base
        if sum(v.base is old for s in kernel.statements()
               for v in getattr(s, "operands", {}).values()) > 1:
            return None
        shape = tuple(old.shape)
        old.shape = shape[:-1] + (shape[-1] + rng.choice([1, 3]),)
        zero = [Index()] * len(shape)
        inst.operands["dst"] = View(old, [Subview(zero, list(shape), [1] * len(shape))])
        return True


def half_written(rng, kernel):
    """A copy that leaves the last column out: a tile, scratch or a result keeps a gap."""
    place = _pick(rng, kernel, Inst, lambda s: s.op in ("dma_copy", "tensor_copy")
                  and len(s.operands["dst"].shape) == 2 and s.operands["dst"].shape[1] > 1)
    if place:
        inst = place[2]
        p, f = inst.operands["dst"].shape
        inst.operands = {
            role: View(view.base, view.steps + [Subview([Index(), Index()], [p, f - 1], [1, 1])])
            for role, view in inst.operands.items()}
        return True


ALL = [leave_out, leave_out, free_early, free_in_loop, move_address, move_address, no_address,
       slots, shift_view, shift_view, stretch_view, scale_offset, longer_loop, resize,
       swap_operand, swap_operand, write_input, write_twice, engine, accumulate, accumulate,
       disturb_group, second_group, partition, far_apart, wide_loop, narrow_loop, dealloc_argument,
       partial_result, half_written]


def plant(kernel, rng):
    """Tries until one of them finds something to break; gives its name."""
    for _ in range(20):
        damage = rng.choice(ALL)
        if damage(rng, kernel):
            return damage.__name__
    return None
