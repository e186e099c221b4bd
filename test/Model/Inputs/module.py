"""A language model as a module: the logits of all rows, its weights arguments by their names.

    python3 module.py FOLDER|FILE.bin ROWS f32|bf16 > model.mlir
"""

import json
import pathlib
import struct
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent))
import llama  # noqa: E402


def read_shape(path):
    """Of a file of llama2.c, or of a folder with config.json."""
    path = pathlib.Path(path)
    if path.is_file():
        hidden, inter, layers, heads, kv, vocabulary, positions = struct.unpack(
            "<7i", path.open("rb").read(28))
        return llama.shape_of(hidden=hidden, intermediate=inter, layers=layers, heads=heads,
                              kv_heads=kv, head_dim=hidden // heads, vocabulary=abs(vocabulary),
                              positions=positions, tied=vocabulary > 0, neighbours=True)
    config = json.loads((path / "config.json").read_text())
    heads = config["num_attention_heads"]
    return llama.shape_of(
        hidden=config["hidden_size"], intermediate=config["intermediate_size"],
        layers=config["num_hidden_layers"], heads=heads,
        kv_heads=config.get("num_key_value_heads", heads),
        head_dim=config.get("head_dim", config["hidden_size"] // heads),
        vocabulary=config["vocab_size"], positions=config["max_position_embeddings"],
        tied=config.get("tie_word_embeddings", False), epsilon=config["rms_norm_eps"],
        base=config.get("rope_theta", 10000.0), bias=config["model_type"] == "qwen2",
        head_norms=config["model_type"] == "qwen3", scaling=config.get("rope_scaling"),
        ranks=config.get("truncation_ranks", {}))


def affine(loops, indices):
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(indices)})>"


class Value:
    def __init__(self, name, shape, element="f32"):
        self.name, self.shape, self.element = name, list(shape), element

    @property
    def type(self):
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


class Writer:
    """Writes @main. Products read `dtype` and sum in f32; all else is f32."""

    def __init__(self, shape, rows, dtype):
        self.shape, self.rows, self.dtype = shape, rows, dtype
        self.arguments, self.lines, self.count = {}, [], 0
        self.zero = self.emit("arith.constant 0.0 : f32")
        self.one = self.emit("arith.constant 1.0 : f32")

    def emit(self, text):
        self.count += 1
        self.lines.append(f"  %{self.count} = {text}")
        return f"%{self.count}"

    def weight(self, name, *shape):
        if name not in self.arguments:
            self.arguments[name] = Value(f"%w{len(self.arguments)}", shape, self.dtype)
        return self.arguments[name]

    def constant(self, values):
        value = Value("", values.shape)
        text = values.astype("<f4").tobytes().hex().upper()
        value.name = self.emit(f'arith.constant dense<"0x{text}"> : {value.type}')
        return value

    def empty(self, shape, element="f32"):
        value = Value("", shape, element)
        value.name = self.emit(f"tensor.empty() : {value.type}")
        return value

    def generic(self, loops, sums, inputs, shape, indices, body, element="f32", init=None):
        """`inputs` are pairs of a value and its indices; `body` lines of what %a, %b, ... are,
        and what is yielded; %old is the element so far."""
        out = init or self.empty(shape, element)
        maps = [affine(loops, at) for _, at in inputs] + [affine(loops, indices)]
        kinds = ['"reduction"' if loop in sums else '"parallel"' for loop in loops]
        arguments = [f"%{chr(97 + i)}: {value.element}" for i, (value, _) in enumerate(inputs)]
        names, types = (", ".join(part) for part in zip(*[(v.name, v.type) for v, _ in inputs]))
        name = self.emit(f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = "
                         f"[{', '.join(kinds)}]}} ins({names} : {types}) outs({out.name} : {out.type}) {{")
        self.lines.append(f"  ^bb0({', '.join(arguments)}, %old: {out.element}):")
        *steps, result = body
        self.lines += [f"    {step}" for step in steps]
        self.lines += [f"    linalg.yield {result} : {out.element}", f"  }} -> {out.type}"]
        return Value(name, out.shape, out.element)

    def filled(self, shape, value=None):
        empty = self.empty(shape)
        return Value(self.emit(f"linalg.fill ins({value or self.zero} : f32) outs({empty.name} : "
                               f"{empty.type}) -> {empty.type}"), shape)

    def elementwise(self, body, *values, element="f32"):
        """Values of fewer dimensions have the first ones of the first value."""
        shape = values[0].shape
        loops = [f"d{i}" for i in range(len(shape))]
        return self.generic(loops, (), [(v, loops[:len(v.shape)]) for v in values], shape, loops,
                            body, element)

    def round(self, value):
        if value.element == self.dtype:
            return value
        return self.elementwise([f"%r = arith.truncf %a : f32 to {self.dtype}", "%r"], value,
                                element=self.dtype)

    def reshape(self, value, shape):
        """Splits dimensions, or merges them."""
        narrow, wide = sorted((value.shape, list(shape)), key=len)
        groups, at = [], 0
        for size in narrow:
            group, product = [at], wide[at]
            at += 1
            while product < size:
                product *= wide[at]
                group.append(at)
                at += 1
            groups.append(group)
        result = Value("", shape, value.element)
        kind = "collapse" if narrow == list(shape) else "expand"
        output = "" if kind == "collapse" else f" output_shape {list(shape)}"
        result.name = self.emit(f"tensor.{kind}_shape {value.name} {groups}{output} : "
                                f"{value.type} into {result.type}")
        return result

    def widened(self, name, lines):
        """What to call an element of a weight in f32."""
        if self.dtype == "f32":
            return name
        lines.append(f"%f{name[1:]} = arith.extf {name} : {self.dtype} to f32")
        return f"%f{name[1:]}"

    # What layers are made of.

    def product(self, x, weight):
        """x W^T of W [out, in]."""
        x = self.round(x)
        out = self.filled([x.shape[0], weight.shape[0]])
        maps = [affine("mnk", at) for at in ("mk", "nk", "mn")]
        return Value(self.emit(f"linalg.matmul indexing_maps = [{', '.join(maps)}] ins({x.name}, "
                               f"{weight.name} : {x.type}, {weight.type}) outs({out.name} : "
                               f"{out.type}) -> {out.type}"), out.shape)

    def linear(self, x, module, out):
        inner, rank = x.shape[1], self.shape["ranks"].get(module)
        if rank:
            stem = module.removesuffix("proj")
            x = self.product(x, self.weight(stem + "v_proj.weight", rank, inner))
            y = self.product(x, self.weight(stem + "u_proj.weight", out, rank))
        else:
            y = self.product(x, self.weight(module + ".weight", out, inner))
        if self.shape["bias"] and module[-6:] in ("q_proj", "k_proj", "v_proj"):
            body = []
            bias = self.widened("%b", body)
            y = self.generic("mn", "", [(y, "mn"), (self.weight(module + ".bias", out), "n")],
                             y.shape, "mn", [*body, f"%r = arith.addf %a, {bias} : f32", "%r"])
        return y

    def norm(self, x, module):
        *outer, size = loops = [f"d{i}" for i in range(len(x.shape))]
        squares = self.generic(loops, size, [(x, loops)], None, outer,
                               ["%p = arith.mulf %a, %a : f32", "%r = arith.addf %old, %p : f32", "%r"],
                               init=self.filled(x.shape[:-1]))
        count = self.emit(f"arith.constant {float(x.shape[-1])!r} : f32")
        epsilon = self.emit(f"arith.constant {self.shape['epsilon']:.9e} : f32")
        body = [f"%mean = arith.divf %b, {count} : f32", f"%sum = arith.addf %mean, {epsilon} : f32",
                "%root = math.sqrt %sum : f32", "%scaled = arith.divf %a, %root : f32"]
        gain = self.widened("%c", body)
        return self.generic(loops, "", [(x, loops), (squares, outer),
                                        (self.weight(module + ".weight", x.shape[-1]), [size])],
                            x.shape, loops, [*body, f"%r = arith.mulf %scaled, {gain} : f32", "%r"])

    def rotate(self, x):
        """x [rows, heads, head dim], of which pairs of elements are turned."""
        rows, heads, dim = x.shape
        half = dim // 2
        split = [half, 2] if self.shape["neighbours"] else [2, half]
        pairs = self.reshape(x, [rows, heads, *split])
        sizes = [half, 1] if self.shape["neighbours"] else [1, half]

        def part(number):
            at = [0, number] if self.shape["neighbours"] else [number, 0]
            place = f"[0, 0, {at[0]}, {at[1]}] [{rows}, {heads}, {sizes[0]}, {sizes[1]}] [1, 1, 1, 1]"
            result = Value("", [rows, heads, half])
            return place, result

        halves = []
        for number in 0, 1:
            place, result = part(number)
            result.name = self.emit(f"tensor.extract_slice {pairs.name}{place} : {pairs.type} to "
                                    f"{result.type}")
            halves.append(result)
        inputs = [(half, "mhp") for half in halves] + [(table, "mp") for table in self.tables]
        first = self.generic("mhp", "", inputs, halves[0].shape, "mhp", [
            "%x = arith.mulf %a, %c : f32", "%y = arith.mulf %b, %d : f32",
            "%r = arith.subf %x, %y : f32", "%r"])
        second = self.generic("mhp", "", inputs, halves[0].shape, "mhp", [
            "%x = arith.mulf %a, %d : f32", "%y = arith.mulf %b, %c : f32",
            "%r = arith.addf %x, %y : f32", "%r"])
        turned = self.empty(pairs.shape)
        for number, value in enumerate((first, second)):
            turned = Value(self.emit(f"tensor.insert_slice {value.name} into {turned.name}"
                                     f"{part(number)[0]} : {value.type} into {turned.type}"),
                           turned.shape)
        return self.reshape(turned, x.shape)

    def attention(self, x, at, layer):
        s, rows = self.shape, self.rows
        heads, kv, dim = s["heads"], s["kv_heads"], s["head_dim"]
        group = heads // kv
        y = self.norm(x, at + "input_layernorm")
        query, key, value = (self.reshape(self.linear(y, f"{at}self_attn.{name}_proj", count * dim),
                                          [rows, count, dim])
                             for name, count in (("q", heads), ("k", kv), ("v", kv)))
        if s["head_norms"]:
            query = self.norm(query, at + "self_attn.q_norm")
            key = self.norm(key, at + "self_attn.k_norm")
        query = self.reshape(self.round(self.rotate(query)), [rows, kv, group, dim])
        key, value = self.round(self.rotate(key)), self.round(value)
        widen = [] if self.dtype == "f32" else [f"%x = arith.extf %a : {self.dtype} to f32",
                                                f"%y = arith.extf %b : {self.dtype} to f32"]
        sum_up = [*widen, "%p = arith.mulf {}, {} : f32".format(*(("%x", "%y") if widen else ("%a", "%b"))),
                  "%r = arith.addf %old, %p : f32", "%r"]
        scores = self.generic("hgmnd", "d", [(query, "mhgd"), (key, "nhd")], None, "hgmn", sum_up,
                              init=self.filled([kv, group, rows, rows]))
        scale = self.emit(f"arith.constant {dim**-0.5:.9e} : f32")
        never = self.emit("arith.constant 0xFF800000 : f32")
        visible = ["%m = linalg.index 2 : index", "%n = linalg.index 3 : index",
                   "%earlier = arith.cmpi ule, %n, %m : index"]
        condition = "%earlier"
        if s["windows"] and s["windows"][layer]:
            width = self.emit(f"arith.constant {s['windows'][layer]} : index")
            visible += [f"%end = arith.addi %n, {width} : index",
                        "%near = arith.cmpi ugt, %end, %m : index",
                        "%both = arith.andi %earlier, %near : i1"]
            condition = "%both"
        masked = self.elementwise([*visible, f"%s = arith.mulf %a, {scale} : f32",
                                   f"%r = arith.select {condition}, %s, {never} : f32", "%r"], scores)
        most = self.generic("hgmn", "n", [(masked, "hgmn")], None, "hgm",
                            ["%r = arith.maximumf %a, %old : f32", "%r"],
                            init=self.filled([kv, group, rows], never))
        powers = self.elementwise(["%s = arith.subf %a, %b : f32", "%r = math.exp %s : f32", "%r"],
                                  masked, most)
        total = self.generic("hgmn", "n", [(powers, "hgmn")], None, "hgm",
                             ["%r = arith.addf %a, %old : f32", "%r"],
                             init=self.filled([kv, group, rows]))
        shares = self.round(self.elementwise(["%r = arith.divf %a, %b : f32", "%r"], powers, total))
        mixed = self.generic("mhgdn", "n", [(shares, "hgmn"), (value, "nhd")], None, "mhgd", sum_up,
                             init=self.filled([rows, kv, group, dim]))
        return self.linear(self.reshape(mixed, [rows, heads * dim]), at + "self_attn.o_proj",
                           s["hidden"])

    def mlp(self, x, at):
        y = self.round(self.norm(x, at + "post_attention_layernorm"))
        gate, up = (self.linear(y, f"{at}mlp.{name}_proj", self.shape["intermediate"])
                    for name in ("gate", "up"))
        gated = self.elementwise(
            ["%m = arith.negf %a : f32", "%p = math.exp %m : f32",
             f"%d = arith.addf %p, {self.one} : f32", "%s = arith.divf %a, %d : f32",
             "%r = arith.mulf %s, %b : f32", "%r"], gate, up)
        return self.linear(gated, at + "mlp.down_proj", self.shape["hidden"])

    def add(self, x, y):
        return self.elementwise(["%r = arith.addf %a, %b : f32", "%r"], x, y)

    def model(self):
        s = self.shape
        angle = np.outer(np.arange(self.rows), llama.frequencies(s))
        self.tables = self.constant(np.cos(angle)), self.constant(np.sin(angle))
        words = self.weight("model.embed_tokens.weight", s["vocabulary"], s["hidden"])
        body = ["%i = arith.index_cast %a : i32 to index", "%d = linalg.index 1 : index",
                f"%e = tensor.extract {words.name}[%i, %d] : {words.type}"]
        element = self.widened("%e", body)
        x = self.generic("md", "", [(Value("%tokens", [self.rows], "i32"), "m")],
                         [self.rows, s["hidden"]], "md", [*body, element])
        for layer in range(s["layers"]):
            at = f"model.layers.{layer}."
            x = self.add(x, self.attention(x, at, layer))
            x = self.add(x, self.mlp(x, at))
        head = words if s["tied"] else self.weight("lm_head.weight", s["vocabulary"], s["hidden"])
        return self.product(self.norm(x, "model.norm"), head)


def write(shape, rows, dtype):
    writer = Writer(shape, rows, dtype)
    logits = writer.model()
    arguments = [f"%tokens: tensor<{rows}xi32>"]
    arguments += [f'{value.name}: {value.type} {{trn.param = "{name}"}}'
                  for name, value in writer.arguments.items()]
    return "\n".join([f"func.func @main({', '.join(arguments)}) -> {logits.type} {{", *writer.lines,
                      f"  return {logits.name} : {logits.type}", "}", ""])


if __name__ == "__main__":
    sys.stdout.write(write(read_shape(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
