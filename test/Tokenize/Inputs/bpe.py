"""Tokenizers of Hugging Face's kind, slow and plain: what trn-llm is compared with.

Byte pairs as Sennrich et al. published them (arXiv 1508.07909), on bytes as GPT-2 has them or on
characters as SentencePiece has them. Words are found by Python's own regular expressions, where a
category such as `\\p{L}` is written out as the characters of the text that are in it.
"""

import collections
import json
import random
import re
import unicodedata

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LETTERS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
PATTERNS = {
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "llama3": rf"{CONTRACTIONS}|{LETTERS}|\p{{N}}{{1,3}}|{REST}",
    "qwen2": rf"{CONTRACTIONS}|{LETTERS}|\p{{N}}|{REST}",
    "cl100k": rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?+\p{{L}}+|\p{{N}}{{1,3}}"
              r"| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{CONTRACTIONS}?"
             rf"|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{CONTRACTIONS}?|\p{{N}}{{1,3}}"
             r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"}
BLANK = "\u2581"

# Texts


SCRIPTS = [words.split(" ") for words in (
    "the quick brown fox jumps over the lazy dog While she said: \"I'll go\", they're not WE'VE it's IT'S",
    "Gr\u00f6\u00dfe Stra\u00dfe \u00c4pfel \u017fch\u00f6n \u1e9e l\u2019\u00e9t\u00e9 d\u00e9j\u00e0 \u0153uvre '\u017f",
    "Ti\u1ebfng Vi\u1ec7t \u0111\u01b0\u1ee3c vi\u1ebft e\u0301 a\u0323\u0302 A\u030angstro\u0308m \u212b",
    "\u0397 \u03b3\u03c1\u03ae\u03b3\u03bf\u03c1\u03b7 \u0391\u03c1\u03c7\u03b9\u03bc\u03ae\u03b4\u03b7\u03c2 \u0421\u044a\u0435\u0448\u044c \u0436\u0435 \u0435\u0449\u0451",
    "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd \u0627\u0644\u0633\u0651\u064e\u0644\u064e\u0627\u0645\u064f \u0661\u0662\u0663 \u06f4\u06f5\u06f6",
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u091c\u093c\u093f\u0902\u0926\u0917\u0940 \u0967\u0968\u0969 \u0915\u093c \u0958 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0e19\u0e49\u0e33",
    "\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002 \u6211\u4eec\u53bb\u516c\u56ed\u73a9\u5427\uff01 \u4e09\u3007\u4e8c \u6771\u4eac\u30bf\u30ef\u30fc \u3053\u3093\u306b\u3061\u306f \u304b\u3099 \U00020000",
    "\uc548\ub155\ud558\uc138\uc694 \uc138\uacc4 \u1112\u1161\u11ab\u1100\u116e\u11a8 \ud558\u11ab",
    "def f(x):\t \treturn if (a != b) { } \t\t\tfoo->bar(); #include <stdio.h> x = [1,2,3]; // /* \r 0x1F a_b_c "
    "camelCase ::std </html> && || ... --- === ${x} \\n @it     ",
    "0 7 12 123 1234 12345 1234567890 3.14159 1,000,000 -42 1e-5 \u00bd \u00b2 \u216b \uff11\uff12\uff13",
    "\U0001f600 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \u2764\ufe0f \U0001f44d\U0001f3fd \u2603 \ufffd",
    "\u00a0 \u3000 \x0b \x85 \u2003 \u200b \t \r\r  ",
    "<s> </s> <|endoftext|> <|im_start|> <|begin_of_text|> <unk> <0x41> \u2581 \u2581\u2581 \u0120 <|end <tool>")]


def make_lines(count, seed):
    """Lines of several scripts, code, digits and emoji, without a newline."""
    rng = random.Random(seed)
    characters = [point for point in map(chr, range(0x20, 0x110000))
                  if unicodedata.category(point) not in ("Cn", "Co", "Cs")]
    lines = []
    while len(lines) < count:
        kind = rng.random()
        if kind < 0.4:
            words = rng.choice(SCRIPTS)
            line = rng.choice([" ", " ", "", "  "]).join(rng.choice(words) for _ in range(rng.randint(1, 12)))
        elif kind < 0.8:
            line = "".join(rng.choice(rng.choice(SCRIPTS)) + rng.choice([" ", " ", "", "\t", "  ", "'s", "."])
                           for _ in range(rng.randint(1, 15)))
        elif kind < 0.9:
            line = "".join(rng.choice(characters) for _ in range(rng.randint(1, 20)))
        else:
            line = "".join(rng.choice("abcXYZ '\"0189 .,!?-_\t\r()[]{}<>/\\|=+*&^%$#@~`")
                           for _ in range(rng.randint(1, 60)))
        lines.append(line)
    return lines


def damage(line, rng):
    """The bytes of a line with some that are no UTF-8."""
    raw = bytearray(line.encode())
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(raw) + 1)
        raw[at:at + rng.randint(0, 2)] = bytes(rng.choice([0x80, 0xC3, 0xE2, 0xFF, 0xF0, 0xED, 0xA0]) for _ in range(rng.randint(1, 2)))
    return bytes(raw)

# Words


def byte_alphabet():
    """The character of each byte, as GPT-2 has it."""
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in kept]
    return {byte: chr(byte if byte in kept else 0x100 + others.index(byte)) for byte in range(256)}


ALPHABET = byte_alphabet()
SPACES = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


def split_words(pattern, text):
    """What a pattern matches in a text, and what is between."""
    present = sorted(set(text))

    def members(name):
        return "".join(re.escape(c) for c in present if unicodedata.category(c).startswith(name)) or "\ue000"

    pattern = re.sub(r"\\p\{(\w+)\}(?![^\[]*\])", lambda m: f"[{members(m[1])}]", pattern)  # outside of [...]
    pattern = re.sub(r"\\p\{(\w+)\}", lambda m: members(m[1]), pattern)
    pattern = pattern.replace(r"\S", f"[^{SPACES}]")
    pattern = re.sub(r"\\s(?![^\[]*\])", f"[{SPACES}]", pattern).replace(r"\s", SPACES)
    words, done = [], 0
    for match in re.finditer(pattern, text):
        words += [text[done:match.start()], match[0]]
        done = match.end()
    return [word for word in [*words, text[done:]] if word]


def to_bytes(word):
    return "".join(ALPHABET[byte] for byte in word.encode())

# Byte pairs


def merge_all(parts, ranks):
    """Merges the neighbours of the least rank, the leftmost of equals, as long as there are some."""
    while True:
        found = [(ranks[pair], at) for at, pair in enumerate(zip(parts, parts[1:])) if pair in ranks]
        if not found:
            return parts
        at = min(found)[1]
        parts = parts[:at] + [parts[at] + parts[at + 1]] + parts[at + 2:]


def train(words, count):
    """The most frequent pairs of neighbours, one after the other."""
    counts = collections.Counter(words)
    parts = {word: list(word) for word in counts}
    merges = []
    while len(merges) < count:
        pairs = collections.Counter()
        for word, own in parts.items():
            for pair in zip(own, own[1:]):
                pairs[pair] += counts[word]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        ranks = {best: 0}
        parts = {word: merge_all(own, ranks) for word, own in parts.items()}
    return merges


def added(number, content, **changes):
    return {"id": number, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True, **changes}


def number_pieces(base, merges):
    pieces = {}
    for piece in [*base, *(left + right for left, right in merges)]:
        pieces.setdefault(piece, len(pieces))
    return pieces


class OfBytes:
    """As GPT-2, Llama 3 and Qwen 2 are."""

    def __init__(self, pattern, texts, count=100, nfc=False, ignore_merges=False, begin=None):
        self.pattern, self.nfc, self.ignore_merges, self.begin = pattern, nfc, ignore_merges, begin
        words = [to_bytes(word) for text in texts for word in split_words(pattern, self.normalize(text))]
        merges = train(words, count)
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.pieces = number_pieces([ALPHABET[byte] for byte in range(256)], merges)
        if ignore_merges:  # words that no merge makes
            for word in "fox", "\u0120fox", "\u0120quick":
                self.pieces.setdefault(word, len(self.pieces))
        self.specials = {content: len(self.pieces) + i for i, content in enumerate(
            ["<|endoftext|>", "<|im_start|>", "<|begin_of_text|>"])}

    def normalize(self, text):
        return unicodedata.normalize("NFC", text) if self.nfc else text

    def encode(self, text):
        tokens = [self.specials[self.begin]] if self.begin else []
        for part in re.split("(" + "|".join(map(re.escape, self.specials)) + ")", text):
            if part in self.specials:
                tokens.append(self.specials[part])
                continue
            for word in map(to_bytes, split_words(self.pattern, self.normalize(part))):
                whole = self.ignore_merges and word in self.pieces
                tokens += [self.pieces[piece] for piece in ([word] if whole else merge_all(list(word), self.ranks))]
        return tokens

    def decode(self, tokens):
        names = {number: piece for piece, number in self.pieces.items()}
        values = {character: byte for byte, character in ALPHABET.items()}
        return bytes(values[c] for token in tokens for c in names.get(token, ""))

    def to_json(self):
        level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
        split = {"type": "Split", "pattern": {"Regex": self.pattern}, "behavior": "Isolated", "invert": False}
        template = self.begin and {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": self.begin, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {self.begin: {"id": self.begin, "ids": [self.specials[self.begin]]}}}
        return {
            "version": "1.0",
            "added_tokens": [added(number, content) for content, number in self.specials.items()],
            "normalizer": {"type": "NFC"} if self.nfc else None,
            "pre_tokenizer": {**level, "use_regex": True} if self.pattern == PATTERNS["gpt2"]
                             else {"type": "Sequence", "pretokenizers": [split, level]},
            "post_processor": template, "decoder": level,
            "model": {"type": "BPE", "vocab": self.pieces, "ignore_merges": self.ignore_merges,
                      "merges": [" ".join(pair) for pair in self.ranks]}}


class OfCharacters:
    """As Llama 2 and Mistral are: blanks are pieces, and what has no piece is bytes."""

    def __init__(self, texts, count=100, metaspace=False):
        self.metaspace = metaspace
        changed = [BLANK + text.replace(" ", BLANK) for text in texts]
        words = [word for text in changed for word in re.findall(f"{BLANK}?[^{BLANK}]+", text)]
        common = [c for c, n in collections.Counter("".join(words)).items() if n > 20]
        merges = [pair for pair in train(words, count) if set("".join(pair)) <= set(common)]
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.pieces = number_pieces(["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)),
                                     *common], merges)

    def encode(self, text):
        tokens, first = [1], True
        for part in re.split("(<unk>|</?s>)", text):
            if part in ("<unk>", "<s>", "</s>"):
                tokens.append(self.pieces[part])
            elif part:
                changed = part.replace(" ", BLANK)
                if not self.metaspace or (first and not changed.startswith(BLANK)):
                    changed = BLANK + changed
                for piece in merge_all(list(changed), self.ranks):
                    tokens += [self.pieces[piece]] if piece in self.pieces else [
                        self.pieces[f"<0x{byte:02X}>"] for byte in piece.encode()]
            first = first and not part
        return tokens

    def decode(self, tokens):
        names = {number: piece for piece, number in self.pieces.items()}
        text = b"".join(bytes([token - 3]) if 3 <= token < 259 else names[token].replace(BLANK, " ").encode()
                        for token in tokens if token > 2)
        return text.removeprefix(b" ")

    def to_json(self):
        meta = {"type": "Metaspace", "replacement": BLANK, "prepend_scheme": "first", "split": False}
        normalizer = {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": BLANK},
            {"type": "Replace", "pattern": {"String": " "}, "content": BLANK}]}
        return {
            "added_tokens": [added(number, content) for number, content in enumerate(["<unk>", "<s>", "</s>"])],
            "normalizer": None if self.metaspace else normalizer,
            "pre_tokenizer": meta if self.metaspace else None,
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "special_tokens": {"<s>": {"id": "<s>", "ids": [1]}}},
            "decoder": {"type": "Sequence", "decoders": [
                {"type": "Replace", "pattern": {"String": BLANK}, "content": " "},
                {"type": "ByteFallback"}, {"type": "Fuse"},
                {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
            "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True,
                      "vocab": self.pieces, "merges": list(map(list, self.ranks))}}


def write(tokenizer, path):
    path.write_text(json.dumps(tokenizer.to_json()))
