"""Graphs of graph.py as MLIR."""

import numpy as np

import expressions

F32 = "f32"


def dense(node):
    """The elements of a constant."""
    value = node.attrs["value"]
    if value.size == 1:
        return expressions.literal(float(value.reshape(-1)[0]))
    if node.dtype == "bf16":
        raw = (value.view(np.uint32) >> 16).astype(np.uint16)
    else:
        raw = value.astype(np.float16) if node.dtype == "f16" else value
    return f'"0x{np.ascontiguousarray(raw).tobytes().hex().upper()}"'


def tensor(shape, dtype):
    return f"tensor<{''.join(f'{s}x' for s in shape)}{dtype}>"


def affine_map(loops, results):
    names = ", ".join(f"d{i}" for i in range(loops))
    return f"affine_map<({names}) -> ({', '.join('0' if r is None else f'd{r}' for r in results)})>"


class Printer:
    def __init__(self, results, order, public_callee=False):
        self.number = 0
        self.lines = []
        self.layers = {}
        arguments = [n for n in order if n.op == "input"]
        for i, node in enumerate(order):
            node.name = f"%n{i}"
        for node in order:
            if node.op != "input":
                getattr(self, node.op)(node)
        listed = ", ".join(
            f"{n.name}: {n.type}" + (f' {{trn.param = "w{i}"}}' if n.attrs.get("param") else "")
            for i, n in enumerate(arguments))
        types = ", ".join(n.type for n in results)
        names = ", ".join(n.name for n in results)
        private = "" if public_callee else "private "
        head = [f"func.func @main({listed}) -> ({types}) {{"]
        self.lines = [line for layer in self.layers.values() for line in layer(private)] + head \
            + [f"  %zero{t} = arith.constant 0.0 : {t}" for t in ("f32", "bf16", "f16")] \
            + self.lines + [f"  return {names} : {types}", "}"]

    def text(self):
        return "\n".join(self.lines) + "\n"

    def fresh(self):
        self.number += 1
        return f"%v{self.number}"

    def put(self, line):
        self.lines.append("  " + line)

    def emptied(self, shape, dtype):
        name = self.fresh()
        self.put(f"{name} = tensor.empty() : {tensor(shape, dtype)}")
        return name

    def empty(self, node):
        dest = node.attrs.get("dest")
        if dest and dest in node.args and dest.type == node.type:
            return dest.name
        return self.emptied(node.shape, node.dtype)

    def filled(self, node, empty=None, zero=None):
        empty, name = empty or self.empty(node), self.fresh()
        zero = zero or f"%zero{node.dtype}"
        self.put(f"{name} = linalg.fill ins({zero} : {node.dtype}) outs({empty} : "
                 f"{node.type}) -> {node.type}")
        return name

    def constant(self, node):
        self.put(f"{node.name} = arith.constant dense<{dense(node)}> : {node.type}")

    # Products.

    def product(self, node):
        x, w = (n.name for n in node.args[:2])
        types = [n.type for n in node.args[:2]]
        scalars = [n.dtype for n in node.args[:2]]
        attrs, batch = node.attrs, len(node.shape) - 2
        m, n, k = batch, batch + 1, batch + 2
        axes = [[k, m] if attrs["ta"] else [m, k], [n, k] if attrs["tb"] else [k, n]]
        axes = [list(range(len(a.shape) - 2)) + own for a, own in zip(node.args, axes)]
        axes.append(list(range(batch)) + [m, n])
        if attrs.get("widened") and "f32" not in scalars and node.dtype == F32:
            wide = [tensor(a.shape, F32) for a in node.args[:2]]
            x, w = (self.line(f"arith.extf {a} : {t} to {u}")
                    for a, t, u in zip((x, w), types, wide))
            types, scalars = wide, [F32, F32]
        out = node.args[2].name if len(node.args) > 2 else self.zeros(node)
        maps = ", ".join(affine_map(batch + 3, a) for a in axes)
        operands = f"ins({x}, {w} : {', '.join(types)}) outs({out} : {node.type})"
        form = attrs["form"]
        both = all(len(a.shape) == len(node.shape) for a in node.args[:2])
        if attrs.get("before") or (form == "named" and (batch > 1 or not both)):
            form = "generic"
        if form == "named":
            given = f" indexing_maps = [{maps}]" if attrs["ta"] or attrs["tb"] else ""
            name = "linalg.batch_matmul" if batch else "linalg.matmul"
            self.put(f"{node.name} = {name}{given} {operands} -> {node.type}")
        elif form == "contract":
            self.put(f"{node.name} = linalg.contract indexing_maps = [{maps}] {operands} -> {node.type}")
        else:
            self.generic_product(node, maps, batch, operands, scalars)

    def zeros(self, node):
        which = node.attrs.get("zeros", 0)
        if which == 1:
            return self.line(f"arith.constant dense<0.0> : {node.type}")
        return self.filled(node)

    def line(self, text):
        name = self.fresh()
        self.put(f"{name} = {text}")
        return name

    def generic_product(self, node, maps, batch, operands, scalars):
        kinds = ", ".join(['"parallel"'] * (batch + 2) + ['"reduction"'])
        self.put(f"{node.name} = linalg.generic {{indexing_maps = [{maps}], "
                 f"iterator_types = [{kinds}]}} {operands} {{")
        self.put(f"^bb0(%a: {scalars[0]}, %b: {scalars[1]}, %o: {node.dtype}):")
        names = []
        for name, dtype in zip("ab", scalars):
            names.append(f"%{name}")
            if dtype != node.dtype:
                self.put(f"  %e{name} = arith.extf %{name} : {dtype} to {node.dtype}")
                names[-1] = f"%e{name}"
        if before := node.attrs.get("before"):
            op = {"neg": "arith.negf", "abs": "math.absf"}[before]
            self.put(f"  %f = {op} {names[0]} : {node.dtype}")
            names[0] = "%f"
        if node.attrs.get("swapped"):
            names.reverse()
        self.put(f"  %p = arith.mulf {names[0]}, {names[1]} : {node.dtype}")
        self.put(f"  %s = arith.addf %o, %p : {node.dtype}")
        self.put(f"  linalg.yield %s : {node.dtype}")
        self.put(f"}} -> {node.type}")

    def loop(self, node):
        x, w = node.args
        wide = tensor(node.shape, F32)
        low, step, high = (self.line(f"arith.constant {n} : index") for n in (0, 1, node.attrs["count"]))
        z, f, y = self.fresh(), self.fresh(), self.fresh()
        self.put(f"{node.name} = scf.for %i = {low} to {high} step {step} iter_args({z} = {x.name}) "
                 f"-> ({node.type}) {{")
        self.put(f"  {f}e = tensor.empty() : {wide}")
        self.put(f"  {f} = linalg.fill ins(%zerof32 : f32) outs({f}e : {wide}) -> {wide}")
        self.put(f"  {y} = linalg.matmul ins({z}, {w.name} : {x.type}, {w.type}) outs({f} : {wide}) -> {wide}")
        if node.dtype != F32:
            self.put(f"  {y}n = arith.truncf {y} : {wide} to {node.type}")
            y += "n"
        self.put(f"  scf.yield {y} : {node.type}")
        self.put("}")

    # What is computed element by element.

    def generic(self, name, out, shape, dtype, operands, axes, body):
        """`operands` are (name, type, dtype)."""
        rank = len(shape)
        maps = ", ".join(affine_map(rank, a) for a in [*axes, range(rank)])
        kinds = ", ".join(['"parallel"'] * rank)
        given = f"ins({', '.join(n for n, _, _ in operands)} : {', '.join(t for _, t, _ in operands)})"
        self.put(f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
                 f"{given} outs({out} : {tensor(shape, dtype)}) {{")
        arguments = "".join(f"%b{i}: {d}, " for i, (_, _, d) in enumerate(operands))
        self.put(f"^bb0({arguments}%o: {dtype}):")
        for line in body:
            self.put("  " + line)
        self.put(f"}} -> {tensor(shape, dtype)}")

    def map(self, node):
        tree, axes = node.attrs["tree"], node.attrs["axes"]
        args = node.args[:len(axes)]
        full = all(list(a) == list(range(len(node.shape))) for a in axes)
        form = node.attrs.get("form", "generic")
        if form == "mapped" and full and tree.op != "operand":
            body, result = expressions.lines(tree, [f"%b{i}" for i in range(len(args))], lambda d: d, "%t")
            blocks = ", ".join(f"%b{i}: {a.dtype}" for i, a in enumerate(args))
            self.put(f"{node.name} = linalg.map ins({', '.join(a.name for a in args)} : "
                     f"{', '.join(a.type for a in args)}) outs({self.empty(node)} : {node.type}) "
                     f"({blocks}, %o: {node.dtype}) {{")
            for line in body:
                self.put("  " + line)
            self.put(f"  linalg.yield {result} : {node.dtype} }}")
        elif form == "generic" or form == "mapped" or tree.op == "operand":
            body, result = expressions.lines(tree, [f"%b{i}" for i in range(len(args))], lambda d: d, "%t")
            self.generic(node.name, self.empty(node), node.shape, node.dtype,
                         [(a.name, a.type, a.dtype) for a in args], axes,
                         [*body, f"linalg.yield {result} : {node.dtype}"])
        elif form == "steps":
            self.steps(node, tree, args, axes)
        else:
            self.tensors(node, tree, args, axes, form == "named")

    cast = map

    def steps(self, node, tree, args, axes):
        """A generic for each op."""
        rank, known = range(len(node.shape)), {}
        for t in tree.postorder():
            if t.op == "operand":
                arg = args[int(t.number)]
                known[t] = (arg.name, arg.type, arg.dtype), axes[int(t.number)]
            elif t.op != "constant":
                name = node.name if t is tree else self.fresh()
                operands, maps, body, names = [], [], [], []
                for i, a in enumerate(t.args):
                    if a.op == "constant":
                        body += expressions.statement(a, [], lambda d: d, f"%c{i}")
                        names.append(f"%c{i}")
                        continue
                    names.append(f"%b{len(operands)}")
                    operands.append(known[a][0])
                    maps.append(known[a][1])
                body += expressions.statement(t, names, lambda d: d, "%r")
                self.generic(name, self.emptied(node.shape, t.dtype), node.shape, t.dtype, operands,
                             maps, [*body, f"linalg.yield %r : {t.dtype}"])
                known[t] = (name, tensor(node.shape, t.dtype), t.dtype), rank

    def tensors(self, node, tree, args, axes, named):
        """Ops on tensors, of arith or of linalg."""
        type = lambda dtype: tensor(node.shape, dtype)
        known = {}
        for t in tree.postorder():
            if t.op == "operand":
                known[t] = self.whole(args[int(t.number)], axes[int(t.number)], node.shape)
                continue
            name = known[t] = node.name if t is tree else self.fresh()
            names = [known[a] for a in t.args]
            if named and t.op in expressions.NAMED:
                out = self.emptied(node.shape, t.dtype)
                self.put(f"{name} = linalg.{expressions.NAMED[t.op]} ins({', '.join(names)} : "
                         f"{', '.join(type(a.dtype) for a in t.args)}) outs({out} : {type(t.dtype)}) "
                         f"-> {type(t.dtype)}")
            else:
                for line in expressions.statement(t, names, type, name):
                    self.put(line)

    def whole(self, arg, axes, shape):
        """`arg`, broadcast to `shape`."""
        own = [a for a in axes if a is not None]
        if own == list(range(len(shape))):
            return arg.name
        name, sizes = arg.name, [shape[a] for a in own]
        if len(own) < len(axes):
            groups, pending = [], []
            for i, axis in enumerate(axes):
                pending.append(i)
                if axis is not None:
                    groups.append(pending)
                    pending = []
            if groups:
                groups[-1] += pending
            name = self.line(f"tensor.collapse_shape {name} {groups} : {arg.type} into "
                             f"{tensor(sizes, arg.dtype)}")
        lacking = [i for i in range(len(shape)) if i not in own]
        out = self.emptied(shape, arg.dtype)
        return self.line(f"linalg.broadcast ins({name} : {tensor(sizes, arg.dtype)}) outs({out} : "
                         f"{tensor(shape, arg.dtype)}) dimensions = {lacking}")

    def broadcast(self, node):
        name = self.whole(node.args[0], node.attrs["axes"], node.shape)
        self.lines[-1] = self.lines[-1].replace(f"{name} =", f"{node.name} =", 1)

    # What stays on the host, or only moves.

    def transpose(self, node):
        x = node.args[0]
        out = self.empty(node)
        self.put(f"{node.name} = linalg.transpose ins({x.name} : {x.type}) outs({out} : "
                 f"{node.type}) permutation = {node.attrs.get('permutation', [1, 0])}")

    def slice(self, node):
        x, (r, c) = node.args[0], node.attrs["offset"]
        h, w = node.shape
        self.put(f"{node.name} = tensor.extract_slice {x.name}[{r}, {c}] [{h}, {w}] [1, 1] : "
                 f"{x.type} to {node.type}")

    def reshape(self, node):
        """The first two dimensions become one, or those at `at`; or the other way round."""
        x, rank = node.args[0], max(len(node.shape), len(node.args[0].shape))
        at = node.attrs.get("at", 0)
        groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i] for i in range(at + 2, rank)]
        if len(node.shape) < rank:
            self.put(f"{node.name} = tensor.collapse_shape {x.name} {groups} : {x.type} into {node.type}")
        else:
            self.put(f"{node.name} = tensor.expand_shape {x.name} {groups} output_shape "
                     f"{list(node.shape)} : {x.type} into {node.type}")

    def pad(self, node):
        x, (low, high) = node.args[0], (node.attrs["low"], node.attrs["high"])
        self.put(f"{node.name} = tensor.pad {x.name} low{low} high{high} {{")
        self.put("^bb0(%i: index, %j: index):")
        self.put(f"  tensor.yield %zero{x.dtype} : {x.dtype}")
        self.put(f"}} : {x.type} to {node.type}")

    def gather(self, node):
        x, rows = node.args[0], node.attrs["rows"]
        type = tensor((len(rows), 1), "index")
        indices = self.line(f"arith.constant dense<{[[row] for row in rows]}> : {type}")
        self.put(f"{node.name} = tensor.gather {x.name}[{indices}] gather_dims([0]) : "
                 f"({x.type}, {type}) -> {node.type}")

    def concat(self, node):
        self.put(f"{node.name} = tensor.concat dim({node.attrs['axis']}) "
                 f"{', '.join(a.name for a in node.args)} : ({', '.join(a.type for a in node.args)}) "
                 f"-> {node.type}")

    def insert(self, node):
        part, whole = node.args
        self.put(f"{node.name} = tensor.insert_slice {part.name} into {whole.name}"
                 f"{node.attrs['offset']} {list(part.shape)} [1, 1] : {part.type} into {whole.type}")

    def branch(self, node):
        one, other = (self.line(f"arith.constant {n} : index") for n in (3, 4))
        pair = (one, other) if node.attrs["taken"] else (other, one)
        condition = self.line(f"arith.cmpi ult, {pair[0]}, {pair[1]} : index")
        self.put(f"{node.name} = scf.if {condition} -> ({node.type}) {{")
        self.put(f"  scf.yield {node.args[0].name} : {node.type}")
        self.put("} else {")
        self.put(f"  scf.yield {node.args[1].name} : {node.type}")
        self.put("}")

    def reduced(self, name, type, shape, op, first):
        """Of each row of f32."""
        start = self.line(f"arith.constant {first} : f32")
        row = tensor(shape[:-1], F32)
        out = self.emptied(shape[:-1], F32)
        init = self.line(f"linalg.fill ins({start} : f32) outs({out} : {row}) -> {row}")
        return self.line(f"linalg.reduce ins({name} : {type}) outs({init} : {row}) "
                         f"dimensions = [{len(shape) - 1}] "
                         f"(%a: f32, %b: f32) {{ %r = arith.{op} %a, %b : f32 linalg.yield %r : f32 }}")

    def rows(self, node, name, x, row, body):
        loops = list(range(len(node.shape)))
        self.generic(name, self.empty(node), node.shape, F32,
                     [(x, node.type, F32), (row, tensor(node.shape[:-1], F32), F32)],
                     [loops, loops[:-1]], body)

    def softmax(self, node):
        x = node.args[0]
        highest = self.reduced(x.name, x.type, x.shape, "maximumf", "0xFF800000")
        powers = self.fresh()
        self.rows(node, powers, x.name, highest,
                  ["%d = arith.subf %b0, %b1 : f32", "%r = math.exp %d : f32", "linalg.yield %r : f32"])
        below = self.reduced(powers, x.type, x.shape, "addf", "0.0")
        self.rows(node, node.name, powers, below,
                  ["%r = arith.divf %b0, %b1 : f32", "linalg.yield %r : f32"])

    def rms(self, node):
        x = node.args[0]
        squares = self.fresh()
        out = self.empty(node)
        self.put(f"{squares} = linalg.mul ins({x.name}, {x.name} : {x.type}, {x.type}) "
                 f"outs({out} : {x.type}) -> {x.type}")
        row = self.reduced(squares, x.type, x.shape, "addf", "0.0")
        self.rows(node, node.name, x.name, row,
                  [f"%n = arith.constant {float(x.shape[-1])} : f32", "%tiny = arith.constant 1.0e-5 : f32",
                   "%m = arith.divf %b1, %n : f32", "%s = arith.addf %m, %tiny : f32",
                   "%q = math.rsqrt %s : f32", "%r = arith.mulf %b0, %q : f32", "linalg.yield %r : f32"])

    def call(self, node):
        x, w = node.args
        key = (x.type, w.type, node.type)
        callee = f"@layer{list(self.layers).index(key) if key in self.layers else len(self.layers)}"
        wide = tensor(node.shape, F32)

        def layer(private):
            yield f"func.func {private}{callee}(%x: {x.type}, %w: {w.type}) -> {node.type} {{"
            yield "  %zero = arith.constant 0.0 : f32"
            yield f"  %e = tensor.empty() : {wide}"
            yield f"  %f = linalg.fill ins(%zero : f32) outs(%e : {wide}) -> {wide}"
            yield (f"  %y = linalg.matmul ins(%x, %w : {x.type}, {w.type}) outs(%f : {wide}) "
                   f"-> {wide}")
            if node.dtype == F32:
                yield f"  return %y : {wide}"
            else:
                yield f"  %t = arith.truncf %y : {wide} to {node.type}"
                yield f"  return %t : {node.type}"
            yield "}"

        self.layers.setdefault(key, layer)
        self.put(f"{node.name} = call {callee}({x.name}, {w.name}) : ({x.type}, {w.type}) -> {node.type}")
