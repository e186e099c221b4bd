"""Damages of text, bytes and JSON; from flipped bits to changes that stay well-formed."""

import json
import re
import struct

WORDS = [b"0", b"1", b"-1", b"127", b"129", b"65537", b"2147483648", b"9223372036854775807",
         b"-9223372036854775808", b"99999999999999999999", b"1.0e+308", b"0x7FC00000", b"f32",
         b"bf16", b"f16", b"f64", b"f8E4M3FN", b"i1", b"i8", b"i32", b"index", b"tensor",
         b"memref", b"vector", b"?", b"*", b"x", b"<", b">", b"(", b")", b"{", b"}", b"d0", b"d1",
         b"d2", b"true", b"false", b"unsigned ", b"private ", b"public ", b"nan", b'"parallel"',
         b'"reduction"', b'"window"', b"#trn.mem<psum>", b"#trn.mem<sbuf>", b"#trn.mem<hbm>",
         b"trn.kernel", b"trn.result", b"trn.param", b"buffers 2", b"buffers 0", b"bank 7",
         b"bank 8", b"offset 131072", b"offset 180224", b"on vector", b"on tensor", b"on gpsimd",
         b"offset: ?", b"strided<[1, 1]>", b"strided<[0, 1]>", b"accumulate(%true)", b"read_only",
         b"writable", b"linalg.matmul", b"linalg.batch_matmul", b"linalg.transpose", b"linalg.fill",
         b"tensor.empty()", b"affine_map<(d0, d1) -> (d1, d0)>", b"func.call", b"scf.if"]
NUMBERS = [b"0", b"1", b"2", b"-1", b"7", b"31", b"64", b"128", b"129", b"512", b"513", b"2048",
           b"65536", b"2147483647", b"4294967296", b"9223372036854775807"]
TOKEN = re.compile(rb"[%@#!^]?[\w.$-]+|\s+|[^\w\s]")
NUMBER = re.compile(rb"(?<![\w%.@-])\d+(?=[x\]>, :)\n])|(?<=x)\d+(?=x)")
OPS = [rb"arith\.\w+", rb"linalg\.\w+", rb"trn\.\w+", rb"memref\.\w+", rb"tensor\.\w+",
       rb"scf\.\w+", rb"math\.\w+", rb"bufferization\.\w+"]
MORE_OPS = [b"arith.mulf", b"arith.subf", b"arith.divf", b"arith.maxnumf", b"arith.truncf",
            b"arith.extf", b"math.exp", b"math.absf", b"arith.muli", b"arith.divsi",
            b"arith.remsi", b"arith.minsi", b"linalg.exp", b"linalg.add", b"linalg.copy",
            b"linalg.generic", b"memref.dealloc", b"memref.subview", b"trn.dealloc", b"trn.memset",
            b"trn.tensor_copy", b"trn.dma_copy", b"trn.dma_transpose", b"trn.transpose"]


def tokens(rng, text):
    parts = TOKEN.findall(text)
    if not parts:
        return text
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(parts))
        parts[place] = rng.choice([rng.choice(WORDS), rng.choice(parts), b"", parts[place] * 2])
    return b"".join(parts)


def number(rng, text):
    found = list(NUMBER.finditer(text))
    if not found:
        return tokens(rng, text)
    spot = rng.choice(found)
    return text[:spot.start()] + rng.choice(NUMBERS) + text[spot.end():]


def number_everywhere(rng, text):
    """One size of the whole module, so that types still agree."""
    found = NUMBER.findall(text)
    if not found:
        return tokens(rng, text)
    old, new = rng.choice(found), rng.choice(NUMBERS[:13])
    return re.sub(rb"(?<![\w%.@])" + old + rb"(?=[x\]>,])|(?<=x)" + old + rb"(?=x)", new, text)


def type_everywhere(rng, text):
    old = rng.choice([b"bf16", b"f32", b"f16"])
    return re.sub(rb"\b" + old + rb"\b|(?<=x)" + old + rb"\b",
                  rng.choice([b"bf16", b"f32", b"f16", b"f64", b"i32", b"i8", b"index"]), text)


def names(rng, text):
    """One use of a value becomes a use of another one."""
    found = list(re.finditer(rb"%[\w#]+", text))
    if len(found) < 2:
        return tokens(rng, text)
    spot, other = rng.choice(found), rng.choice(found)
    return text[:spot.start()] + other[0] + text[spot.end():]


def neighbours(rng, text):
    """Swaps two values that stand side by side."""
    found = list(re.finditer(rb"(%[\w#]+), (%[\w#]+)", text))
    if not found:
        return names(rng, text)
    spot = rng.choice(found)
    return text[:spot.start()] + spot[2] + b", " + spot[1] + text[spot.end():]


def ops(rng, text):
    found = [m for pattern in OPS for m in re.finditer(pattern, text)]
    if not found:
        return tokens(rng, text)
    spot = rng.choice(found)
    other = rng.choice([rng.choice(found)[0], rng.choice(MORE_OPS)])
    return text[:spot.start()] + other + text[spot.end():]


def attributes(rng, text):
    """Leaves one attribute out, or a whole dictionary."""
    found = list(re.finditer(rb"\{[^{}\n]*\}|, \w+ = [^,{}\n]+|\w[\w.]* = [^,{}\n]+, ", text))
    if not found:
        return tokens(rng, text)
    spot = rng.choice(found)
    return text[:spot.start()] + rng.choice([b"", b"{}", spot[0] * 2]) + text[spot.end():]


def lines(rng, text):
    parts = text.split(b"\n")
    for _ in range(rng.choice([1, 1, 2])):
        place, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        kind = rng.randrange(4)
        if kind == 0:
            parts[place], parts[other] = parts[other], parts[place]
        elif kind == 1 and len(parts) > 1:
            del parts[place]
        elif kind == 2:
            parts.insert(other, parts[place])
        else:
            parts.insert(other, parts.pop(place))
    return b"\n".join(parts)


def fresh_line(rng, text):
    """An op once more, under another name, right behind itself."""
    parts = text.split(b"\n")
    place = rng.randrange(len(parts))
    copy = re.sub(rb"^(\s*)%\w+ =", rb"\1%again =", parts[place])
    parts.insert(place + 1, copy)
    text = b"\n".join(parts)
    return names(rng, text) if rng.random() < 0.5 else text


def return_more(rng, text):
    """Returns a value twice, or another one."""
    found = list(re.finditer(rb"return (%\w+) : ([^\n]+)", text))
    if not found:
        return names(rng, text)
    spot = rng.choice(found)
    result = b"return " + spot[1] + b", " + spot[1] + b" : " + spot[2] + b", " + spot[2]
    text = text[:spot.start()] + result + text[spot.end():]
    return text.replace(b"-> " + spot[2] + b" {", b"-> (" + spot[2] + b", " + spot[2] + b") {")


def raw(rng, data):
    """Bits, bytes and the length."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        place, kind = rng.randrange(len(data) + 1), rng.randrange(6)
        if kind == 0 and place < len(data):
            data[place] ^= 1 << rng.randrange(8)
        elif kind == 1 and place < len(data):
            data[place] = rng.choice([0, 1, 0x7F, 0x80, 0xFF])
        elif kind == 2:
            data[place:place] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 9)))
        elif kind == 3:
            del data[place:place + rng.randint(1, 9)]
        elif kind == 4 and rng.random() < 0.5:
            del data[place:]
        else:
            data[place:place] = data[place:place + rng.randint(1, 64)]
    return bytes(data)


MODULE = [tokens, tokens, number, number, number_everywhere, number_everywhere, type_everywhere,
          names, names, neighbours, ops, ops, attributes, lines, lines, fresh_line, return_more]

# Those that often leave a module well-formed.
GENTLE = [number_everywhere, number_everywhere, type_everywhere, neighbours, ops, attributes,
          return_more, fresh_line, number]


def module(rng, text):
    if rng.random() < 0.05:
        return raw(rng, text)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice(MODULE if rng.random() < 0.5 else GENTLE)(rng, text)
    return text


EDGES = [0, 1, -1, 2, 128, 2 ** 31, 2 ** 63 - 1, -2 ** 63, 2 ** 64, 10 ** 30, 0.5, -0.0, 1e-300,
         1e308, float("nan"), float("inf"), True, None, "", "trn1", "x" * 5000, [], {}, [[]],
         {"value": 1}, {"value": 1e400, "unit": "ns"}, [1, [2]]]


def value(rng, tree):
    """One place of a JSON tree becomes something else."""
    if isinstance(tree, dict) and tree and rng.random() < 0.85:
        key = rng.choice(list(tree))
        kind, tree = rng.randrange(6), dict(tree)
        if kind == 0:
            del tree[key]
        elif kind == 1:
            tree[rng.choice(["", "base", key + "x", "\u0000", "\ud83d\ude00"])] = tree[key]
        else:
            tree[key] = value(rng, tree[key])
        return tree
    if isinstance(tree, list) and tree and rng.random() < 0.85:
        place, tree = rng.randrange(len(tree)), list(tree)
        tree[place] = value(rng, tree[place])
        return tree * 2 if rng.random() < 0.1 else tree
    return rng.choice(EDGES)


def json_text(rng, text):
    if rng.random() < 0.3:
        return raw(rng, text) if rng.random() < 0.5 else tokens(rng, text)
    if rng.random() < 0.04:
        depth = rng.choice([100, 1000, 100000])
        return rng.choice([b"[", b'{"a":', b'{"base": [']) * depth
    tree = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        tree = value(rng, tree)
    text = json.dumps(tree).encode()
    if rng.random() < 0.1:  # a key twice
        text = re.sub(rb"\{(.*?),", rb"{\1,\1,", text, count=1)
    return text


def npy(rng, data):
    """The header says something else than the data."""
    if rng.random() < 0.3:
        return raw(rng, data)
    if rng.random() < 0.2:
        return data + bytes(rng.randint(1, 100)) if rng.random() < 0.5 else data[:-4]
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = data[10:end]
    if rng.random() < 0.5:
        header = re.sub(rb"\d+(?=[,)])", lambda m: rng.choice([m[0], *NUMBERS]), header)
    else:
        header = header.replace(b"<f4", rng.choice([b"<f2", b">f4", b"<f8", b"<i4", b"|O", b"V2"]))
        header = header.replace(b"False", rng.choice([b"False", b"True", b"None", b"F" * 70000]))
        if rng.random() < 0.3:
            header = tokens(rng, header)
    size = len(header) if rng.random() < 0.9 else rng.choice([0, 1, 65535])
    return data[:8] + struct.pack("<H", min(size, 65535)) + header + data[end:]


def safetensors(rng, data):
    if rng.random() < 0.2:
        return raw(rng, data)
    end = 8 + struct.unpack("<Q", data[:8])[0]
    header = json_text(rng, data[8:end])
    size = len(header) if rng.random() < 0.9 else rng.choice([0, 1, 2 ** 40, 2 ** 64 - 1])
    return struct.pack("<Q", size) + header + data[end:]
