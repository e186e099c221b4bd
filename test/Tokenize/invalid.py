"""A tokenizer.json that cannot be used is refused with the name of its part and what to do.

RUN: %python %s %t
"""

import copy
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Tokenize/Inputs"))
import bpe  # noqa: E402

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
BYTES = bpe.OfBytes(bpe.PATTERNS["llama3"], ["one two two"], begin="<|begin_of_text|>").to_json()
CHARACTERS = bpe.OfCharacters(["one two two"]).to_json()
failures = []


def call(command, *arguments, text=""):
    return subprocess.run(["trn-llm", command, folder, *arguments], input=text, capture_output=True, text=True)


def expect(message, result):
    if result.returncode != 1 or message not in result.stderr:
        failures.append(f"{message}: {result}")


def refuse(message, change, base=BYTES):
    changed = copy.deepcopy(base)
    changed = change(changed) or changed
    (folder / "tokenizer.json").write_text(changed if isinstance(changed, str) else json.dumps(changed))
    expect(message, call("encode", text="a"))


def refuse_value(message, *keys, value, base=BYTES):
    def change(changed):
        for key in keys[:-1]:
            changed = changed[key]
        changed[keys[-1]] = value
    refuse(message, change, base)


MODEL, SPLIT, MARKS = "model", ("pre_tokenizer", "pretokenizers", 0), ("post_processor", "single")
refuse("Invalid JSON value", lambda file: "nothing")
refuse("tokenizer.json is no object", lambda file: "[]")
for part, kind, known in (("normalizer", "NFKC", "only NFC, Prepend, Replace and Sequence"),
                          ("pre_tokenizer", "BertPreTokenizer", "only Split, Digits, Metaspace, ByteLevel and Sequence"),
                          ("model", "Unigram", "only BPE"),
                          ("post_processor", "BertProcessing", "only ByteLevel, TemplateProcessing and Sequence"),
                          ("decoder", "WordPiece", "only ByteLevel, ByteFallback, Fuse, Metaspace, Replace, Strip and Sequence")):
    refuse_value(f"the {part} '{kind}' is not read, {known}; give tokens as npy", part, value={"type": kind})
refuse_value("'model' of tokenizer.json is missing, but must be an object", MODEL, value=None)
refuse_value("normalizer is no object", "normalizer", value=3)
refuse_value("'normalizers' of normalizer is missing, but must be an array", "normalizer", value={"type": "Sequence"})
refuse_value("there is no decoder", "decoder", value=None)
# Patterns.
refuse_value("the pattern '(?<=a)b' has a group '(?<=', which is not among what patterns of tokenizers may have",
             *SPLIT, "pattern", value={"Regex": "(?<=a)b"})
refuse_value("a pattern has 2001 bytes, but at most 2000 are read", *SPLIT, "pattern", value={"Regex": "a" * 2001})
refuse_value("'String' of pattern of pre_tokenizer is \"\", but must be 1 to 2000 bytes", *SPLIT, "pattern", value={"String": ""})
refuse_value("'behavior' of pre_tokenizer is \"Contiguous\", but must be Isolated, Removed, or MergedWithNext",
             *SPLIT, "behavior", value="Contiguous")
refuse_value("only ByteLevel as the last one", "pre_tokenizer", "pretokenizers", value=BYTES["pre_tokenizer"]["pretokenizers"][::-1])
refuse_value("'prepend_scheme' of pre_tokenizer is \"last\", but must be always, first or never", "pre_tokenizer",
             value={"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"})
refuse_value("'replacement' of pre_tokenizer is \"ab\", but must be one character", "pre_tokenizer",
             value={"type": "Metaspace", "replacement": "ab"})
# Pieces.
refuse_value("'dropout' of model is 0.5, but must be null: tokens would be drawn", MODEL, "dropout", value=0.5)
refuse_value("'end_of_word_suffix' of model is \"</w>\", but must be null", MODEL, "end_of_word_suffix", value="</w>")
refuse_value("'vocab' of model is [], but must be an object of pieces and their numbers", MODEL, "vocab", value=[])
refuse_value("the number of piece 'a' is 2097152, but must be one from 0 to 2097151", MODEL, "vocab", "a", value=1 << 21)
refuse_value("'a' and 'b' both have the number", MODEL, "vocab", "a", value=BYTES[MODEL]["vocab"]["b"])
refuse_value("merge 0, of 'a' and 'nothing', must be of two pieces of 'vocab' that are one there", MODEL, "merges", value=["a nothing"])
refuse_value("'unk_token' of model is \"?!\", but must be a piece of 'vocab'", MODEL, "unk_token", value="?!")
refuse_value("'ignore_merges' of model is 1, but must be true or false", MODEL, "ignore_merges", value=1)
# Added tokens and marks.
refuse_value("added_tokens is no array", "added_tokens", value={})
refuse_value("'single_word' of one of added_tokens is true, but must be false", "added_tokens", 0, "single_word", value=True)
refuse_value("'content' of one of added_tokens is \"\", but must be at least a character", "added_tokens", 0, "content", value="")
refuse_value("'id' of one of added_tokens is -1, but must be a number from 0 to 2097151", "added_tokens", 0, "id", value=-1)
refuse_value("'a' has the number 600 in added_tokens, but", "added_tokens", 0, value=bpe.added(600, "a"))
refuse_value("must be marks with one text, 'Sequence', among them", *MARKS, value=[])
refuse_value("'SpecialToken' of one of 'single' of post_processor is missing", *MARKS, value=[{}])
refuse_value("'<x>' of special_tokens of post_processor is missing", *MARKS, value=[{"SpecialToken": {"id": "<x>"}}])
refuse_value("the post_processor adds token 90000, but there are only", "post_processor", "special_tokens",
             "<|begin_of_text|>", "ids", value=[90000])
# Decoders.
STRIP = ("decoder", "decoders", 3)
refuse_value("'content' of decoder is \"x\", but must be a blank", *STRIP, "content", value="x", base=CHARACTERS)
refuse_value("'start' of decoder is 2, but must be 0 or 1", *STRIP, "start", value=2, base=CHARACTERS)
refuse_value("'stop' of decoder is 1, but must be 0", *STRIP, "stop", value=1, base=CHARACTERS)
refuse_value("only Strip after Fuse", "decoder", "decoders", value=CHARACTERS["decoder"]["decoders"][::-1], base=CHARACTERS)

# Texts and tokens.
(folder / "tokenizer.json").write_text(json.dumps(BYTES))
expect("there is no token 90000, only 264 from 0 on", call("decode", text="90000"))
expect("there is no token -1", call("decode", text="3 -1"))
expect("'3.5' is no number of a token", call("decode", text="3.5"))
expect("--lines makes rows of different lengths, which -o cannot write", call("encode", "--lines", "-o", folder / "x.npy"))
expect("would overwrite the input", call("encode", folder / "x.npy", "-o", folder / "x.npy"))
expect("No such file or directory", call("encode", folder / "nowhere"))
(folder / "tokenizer.json").write_text(json.dumps({**BYTES, "pre_tokenizer": {
    **BYTES["pre_tokenizer"]["pretokenizers"][0], "pattern": {"Regex": "a*a*a*a*a*b"}}}))
expect("a pattern of the tokenizer takes too long: more than 1,000 steps for a character of the text",
       call("encode", text="a" * 1000))
sys.exit("\n".join(failures) or 0)
