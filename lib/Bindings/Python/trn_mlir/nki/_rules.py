# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the text of a diagnostic to the label of the rule that it tells, as docs/Rules.md has it, in
words of a kernel. Tests hold that every phrase stands in the source beside its rule."""

from __future__ import annotations

import collections
import re
from typing import NamedTuple

from .._library import TrnError
from ._errors import NkiError

_TEXT = "module"  # the name of what is compiled from a text
_DIAGNOSTIC = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: (?P<kind>error|note): "
                         r"(?P<message>[^\n]*)", re.M)
_OP = re.compile(r"'(?:trn|func|memref|scf)\.(\w+)' op ")


class Phrase(NamedTuple):
    """What a rule's message says: `subject` and then `text`, of one of `ops`, or of any."""
    rule: str
    text: str
    ops: str = ""
    subject: str = ""


_SHAPES, _PARTITIONS = "must have the same shape", "partitions, but at most"
_COLUMN, _ENGINE = "must hold ", "cannot run on the "
_CONSTANT = "needs either a constant or scalars, but has "
_FOLD = "reduces with a function into sums"
_PSUM = "at most one input may be in psum"

PHRASES = (
    Phrase("tensor_tensor_c2", _SHAPES, "tensor_tensor", "lhs and dst "),
    Phrase("{op}_c1", _SHAPES),
    Phrase("stream_shuffle_c3", _PARTITIONS, "stream_shuffle"),
    Phrase("tensor_tensor_c3", _PARTITIONS, "tensor_tensor"),
    Phrase("iota_c1", _PARTITIONS, "iota"),
    Phrase("{op}_c3", _PARTITIONS, "dma_gather dma_scatter"),
    Phrase("{op}_c2", _PARTITIONS),
    Phrase("activation_c5", _COLUMN, "activation", "scales "),
    Phrase("activation_c6", _COLUMN, "activation", "biases "),
    Phrase("activation_c9", _COLUMN, "activation", "sums "),
    Phrase("tensor_scalar_c7", _COLUMN, "tensor_scalar", "scalars after 'then' "),
    Phrase("tensor_scalar_c10", _COLUMN, "tensor_scalar", "sums "),
    Phrase("{op}_c2", _COLUMN, "dma_gather dma_scatter"),
    Phrase("{op}_c1", _COLUMN, "bn_stats bn_aggr max8 find_index8"),
    Phrase("match_replace8_c4", _COLUMN, "match_replace8"),
    Phrase("{op}_c4", _COLUMN, "tensor_scalar scalar_tensor_tensor tensor_tensor_scan"),
    Phrase("memset_c1", _ENGINE, "memset"),
    Phrase("memset_c2", "fills a tile of ", "memset"),
    Phrase("storage_c1", "writes i8, which only holds what memory gives"),
    Phrase("{op}_c1", "rows of ", "dma_gather dma_scatter"),
    Phrase("{op}_c4", " is in hbm, which has no partitions", "dma_gather dma_scatter"),
    Phrase("{op}_c3", _ENGINE, "tensor_copy transpose"),
    Phrase("{op}_c5", _ENGINE, "tensor_tensor tensor_scalar"),
    Phrase("scalar_tensor_tensor_c6", _ENGINE, "scalar_tensor_tensor"),
    Phrase("tensor_tensor_c4", _PSUM, "tensor_tensor"),
    Phrase("{op}_c5", _PSUM, "scalar_tensor_tensor tensor_tensor_scan"),
    Phrase("tensor_scalar_c6", _CONSTANT, "tensor_scalar", "after 'then' "),
    Phrase("{op}_c3", _CONSTANT, "tensor_scalar scalar_tensor_tensor"),
    Phrase("tensor_scalar_c6", "has an operand of a second operation, but not which"),
    Phrase("tensor_scalar_c9", "reduces the results of two operations"),
    Phrase("activation_c7", _FOLD, "activation"),
    Phrase("tensor_scalar_c8", _FOLD, "tensor_scalar"),
    Phrase("activation_c7", "accumulates, but reduces nothing", "activation"),
    Phrase("tensor_scalar_c8", "accumulates, but reduces nothing", "tensor_scalar"),
    Phrase("activation_c3", "scale and scales exclude each other"),
    Phrase("activation_c4", "bias and biases exclude each other"),
    Phrase("activation_c8", "the scalar engine can only add up its results"),
    Phrase("activation_m1", "takes the bias from a tile, but it is a constant"),
    Phrase("tensor_tensor_c6", "computes powers on GpSimd"),
    Phrase("tensor_tensor_scan_c3", "needs either an initial value or initials"),
    Phrase("tensor_reduce_c1", "dst must have the first dimensions of src"),
    Phrase("{op}_c3", " has a free size of ", "bn_stats max8 find_index8 match_replace8"),
    Phrase("partition_reduce_c1", "dst must have one partition and the free dimensions of src"),
    Phrase("partition_reduce_c3", "GpSimd folds partitions by add or max"),
    Phrase("bn_aggr_c3", "src holds triples of a count, a mean and a sum"),
    Phrase("find_index8_c4", " takes indices, which f32 and ui32 hold exactly, ", "find_index8"),
    Phrase("match_replace8_c5", " takes indices, which f32 and ui32 hold exactly, ",
           "match_replace8"),
    Phrase("partition_gather_c2", "chooses elements of ", "partition_gather"),
    Phrase("partition_gather_c3", "data and dst must have the same element type"),
    Phrase("partition_gather_c4", "a static memref in sbuf with", "partition_gather"),
    Phrase("stream_shuffle_c1", "src and dst must have the same free dimensions", "stream_shuffle"),
    Phrase("stream_shuffle_c2", "src and dst must have the same element type", "stream_shuffle"),
    Phrase("stream_shuffle_c4", " numbers, but a quadrant has "),
    Phrase("stream_shuffle_c5", " of a quadrant from "),
    Phrase("iota_c2", "but f32 holds integers exactly only up to ", "iota"),
    Phrase("affine_select_c3", "but f32 holds integers exactly only up to ", "affine_select"),
    Phrase("iota_c3", "free dimensions; give one for each", "iota"),
    Phrase("affine_select_c4", "free dimensions; give one for each", "affine_select"),
    Phrase("affine_select_c5", "is no comparison; use"),
    Phrase("matmul_c1", "stationary and moving must have the same number of "),
    Phrase("matmul_c3", "stationary free size is "),
    Phrase("matmul_c4", "moving free size is "),
    Phrase("matmul_c5", "(free sizes of stationary and moving), but is "),
    Phrase("matmul_c6", "f32 is multiplied by f32 only"),
    Phrase("{op}_c1", ", the transposed shape of src, but is ", "transpose dma_transpose"),
    Phrase("transpose_c4", "the tensor engine transposes from sbuf to psum"),
    Phrase("transpose_c5", "the tensor engine leaves f32 or the type of src"),
    Phrase("transpose_m1", "leaves f32 in psum, but dst is "),
    Phrase("dma_transpose_c2", "src and dst must have the same element type"),
    Phrase("dma_transpose_c3", "moves elements of 2 bytes"),
    Phrase("dma_transpose_m1", "cannot transpose; use trn.transpose on the tensor engine"),
    Phrase("{op}_m1", "needs two cores that share HBM", "core_barrier send_receive"),
    Phrase("{op}_c1", "a static memref in hbm with 1 to 5", "core_barrier"),
    Phrase("send_receive_c2", "src and dst must have the same element type", "send_receive"),
    # Types of operands.
    Phrase("buffer_c1", "a contiguous static memref in sbuf or psum"),
    Phrase("tile_c1", "a static memref in sbuf or psum"),
    Phrase("tile_c1", "a static 2-D tile in sbuf or psum"),
    Phrase("transfer_c1", "a static memref in hbm or sbuf"),
    Phrase("transfer_c1", "a static 2-D memref in hbm or sbuf"),
    Phrase("indices_c1", "with 2 to 5 dimensions of i32 or ui32"),
    Phrase("tile_c2", "a static memref in sbuf with", "matmul"),
    Phrase("tile_c1", "a static memref in sbuf with"),
    Phrase("tile_c3", "a static memref in psum with"),
    # Buffers and their places.
    Phrase("alloc_c1", "bank is for buffers in psum"),
    Phrase("alloc_c2", "a placed psum buffer has both a bank and an offset"),
    Phrase("alloc_c3", "offset must be a multiple of the element size"),
    Phrase("placed_c3", "buffers that are live together take ", "", "sbuf "),
    Phrase("placed_c4", "buffers that are live together take ", "", "psum "),
    Phrase("placed_c2", "; run trn-fold-partitions"),
    Phrase("placed_c3", " usable ones"),
    Phrase("placed_c4", "banks from bank "),
    Phrase("placed_c5", "a psum tile lies inside of one bank or begins at byte 0"),
    Phrase("placed_c6", "buffers that are live together must not overlap"),
    Phrase("placed_c7", "every instruction of a placed program has an engine"),
    # What is accessed.
    Phrase("access_c1", "of them", "", "but the buffer has"),
    Phrase("access_c2", "partitions of {2}, which must start at a multiple of "),
    Phrase("access_c7", "writes partition by column"),
    Phrase("access_c3", "elements of a partition of {2}, but one instruction "),
    Phrase("access_c4", "strided dimensions of a partition, but one "),
    Phrase("access_c5", "apart in a partition, but one "),
    Phrase("access_c6", "an element more than once"),
    Phrase("view_c1", "of them; a view stays inside "),
    Phrase("view_c1", "of its buffer, which "),
    Phrase("view_c1", "of a partition of its "),
    Phrase("view_c2", "has a dynamic size or stride"),
    Phrase("view_c3", "skips partitions, which no engine can"),
    Phrase("view_c3", "from one partition to the "),
    Phrase("view_c3", "splits, merges or drops the partition dimension"),
    Phrase("view_c3", "is the partition, but on chip that must be dimension 0"),
    Phrase("view_c4", "is not a view of an argument or a buffer "),
    Phrase("view_c4", "is not a view that a kernel may take"),
    Phrase("address_c1", "linear function of the loop counters"),
    Phrase("address_c2", "computes with numbers beyond 2^62"),
    Phrase("virtual_c2", "runs a number of times that depends on other loops"),
    Phrase("virtual_c5", ", but a step is at least 1"),
    # What a run shows.
    Phrase("memory_c2", ", which was never written"),
    Phrase("memory_c3", "which is not a result"),
    Phrase("memory_c4", "regions that overlap"),
    Phrase("memory_c5", "; a kernel writes all of its results"),
    Phrase("memory_c1", "a buffer before it is allocated"),
    Phrase("memory_c1", "a buffer after it was freed"),
    Phrase("memory_c2", "host code wrote no element "),
    Phrase("indirect_c1", " rows, 0 to "),
    Phrase("indirect_c2", "from both partition "),
    Phrase("indirect_c3", ", but a partition of data has "),
    Phrase("integer_c1", ", but engines compute in f32, where integers "),
    Phrase("cores_c4", "waits for ever: "),
    Phrase("cores_c4", "; both come to the same meetings in one order"),
    Phrase("cores_c5", ", without a core_barrier of it in between"),
    Phrase("group_c1", ", where no group was started"),
    Phrase("group_c2", " beyond the group that is open there"),
    Phrase("group_c3", ", which another instruction wrote; only a matmul that "),
    Phrase("group_c4", ", but the tensor engine writes inside one bank"),
    Phrase("call_c5", "holds unwritten memory"),
)


def _says(phrase: Phrase, text: str, op: str) -> bool:
    if phrase.ops and op not in phrase.ops.split():
        return False
    wanted = re.escape(phrase.text).replace(r"\{2\}", r"\w+")
    between = ".*?" if phrase.subject.startswith("but") else ""
    return re.search(re.escape(phrase.subject) + between + wanted, text) is not None


def rule_of(text: str) -> str:
    """The label of the rule that a diagnostic tells; "" for what is no rule of a kernel."""
    op = _OP.search(text)
    name = op[1] if op else ""
    return next((phrase.rule.format(op=name) for phrase in PHRASES
                 if _says(phrase, text, name) and (name or "{op}" not in phrase.rule)), "")


#===----------------------------------------------------------------------===//
# Buffers by their names.
#===----------------------------------------------------------------------===//


class _Allocation(NamedTuple):
    name: str
    place: tuple[str, int]
    used: int  # the line where it is used first


_ALLOC = re.compile(r'(?:trn\.alloc|memref\.alloc\(\))[^:]* : .* loc\((?:"(?P<name>[^"]*)"\()?'
                    r'"(?P<file>[^"]*)":(?P<line>\d+):0\)+$')
_PLACE = re.compile(r'loc\("([^"]*)":(\d+):0\)$')
_LINE = re.compile(r'loc\("[^"]*":(\d+):0\)$')


def _allocations(mlir: str) -> list[_Allocation]:
    """The buffers of a kernel, in the order in which they begin to live."""
    found, lines = [], mlir.splitlines()
    for number, text in enumerate(lines):
        if not (alloc := _ALLOC.search(text)):
            continue
        uses = (_LINE.search(after) for after in lines[number + 1:number + 40])
        used = next((int(use[1]) for use in uses if use), int(alloc["line"]))
        found.append(_Allocation(alloc["name"] or "", (alloc["file"], int(alloc["line"])), used))
    return found


OVERFLOW = re.compile(r"(sbuf|psum) buffers that are live together take (\d+) ([a-z ]+), but \w+ "
                       r"has (\d+)(; they fit by size[^;]*)?")
_TAKES = re.compile(r"(?:^|; )(?P<name>[^;]+?) takes? (?P<size>\d+) (?:bytes a partition|banks)"
                    r"(?: \((?P<count>\d+) buffers of \d+\))?")


def _overflow(found: re.Match, told: list[re.Match], mlir: str) -> str:
    """"SBUF: 198,024 of 196,608 bytes a partition at line 61: score 16,384 (line 57), ..."."""
    memory, size, unit, capacity, scattered = found.groups()
    allocations = _allocations(mlir)
    shown: collections.Counter = collections.Counter()
    at = -1, int(told[0]["line"])
    for one in told:
        takes = [*_TAKES.finditer(one["message"])][-1:]
        if not takes:
            continue
        takes, place = takes[0], (one["file"], int(one["line"]))
        name = takes["name"] if takes["name"] != "this one" else "a tile"
        count = takes["count"]
        shown["%s %s%s (line %d)" % (name, format(int(takes["size"]), ","),
                                     " for %s at once" % count if count else "", place[1])] += 1
        at = max([at, *((number, other.used) for number, other in enumerate(allocations)
                        if other.place == place)])
    tiles = ", ".join(one if count == 1 else "%d times %s" % (count, one)
                      for one, count in shown.items())
    return "%s: %s of %s %s at line %d: %s%s; use smaller tiles, or fewer at once: nothing is " \
        "spilled" % (memory.upper(), format(int(size), ","), format(int(capacity), ","), unit,
                     at[1], tiles, scattered or "")


def _with_buffer(message: str, notes: list[re.Match], mlir: str) -> str:
    """What was never written, by its name."""
    for note in notes:
        if note["message"] != "this buffer":
            continue
        place = note["file"], int(note["line"])
        places = [(one.name, one.place) for one in _allocations(mlir)]
        names = sorted({name for name, where in places if where == place and name})
        return "%s: %s of line %d" % (message, " or ".join(names) or "a tile", place[1])
    return message


def _with_overlap(message: str, notes: list[re.Match]) -> str:
    """Where the other of two buffers that overlap is from, and until when it is needed."""
    lines = {note["message"]: note["line"] for note in notes}
    other = lines.get("the other buffer")
    if other is None:
        return message
    last = lines.get("the last use of the other buffer", other)
    return "%s (line %s, last used at line %s)" % (message, other, last)


def _with_arguments(message: str, mlir: str) -> str:
    """With the names of tensors that are told by number."""
    kernel = re.search(r"^func\.func private .*", mlir, re.M)
    names = re.findall(r"%(\w+): memref<", kernel[0]) if kernel else []

    def name(found: re.Match) -> str:
        number = int(found[1])
        return names[number] if number < len(names) else found[0]
    return re.sub(r"\bargument (\d+)", name, message)


# What to do, where a message does not say it.
_ADVICE = {
    "memory_c2": "write the whole tile before it is read (nisa.memset), or read the part that was "
                 "written",
    "memory_c5": "store every element: a mask or a loop leaves some out",
    "group_c1": "the first product into a tile overwrites: declare the tile, or zero it, before "
                "the loop that adds up",
    "placed_c6": "give them other addresses, or more tiles than are needed at once",
    "group_c2": "add to each group by itself",
}


class Told(NamedTuple):
    rule: str
    file: str
    line: int
    message: str


def explain(problem: TrnError, mlir: str = "") -> Told:
    """What an error says; `mlir` is the kernel as the reader wrote it, which has its names."""
    if isinstance(problem, NkiError):
        return Told(problem.rule, problem.file, problem.line, problem.message)
    text = str(problem)
    told = list(_DIAGNOSTIC.finditer(text))
    error = next((one for one in told if one["kind"] == "error"), None)
    if error is None:
        return Told(rule_of(text), "", 0, text.splitlines()[0] if text else "")
    rule, message = rule_of(error["message"]), error["message"]
    file, line = error["file"], int(error["line"])
    if file == _TEXT:  # what does not parse, such as a function that an op does not have
        rule, (file, line) = rule or "nki_r2", _place_of(mlir, line)
    overflow = OVERFLOW.search(message)
    if overflow:
        message = _overflow(overflow, told, mlir)
    else:
        notes = [one for one in told if one["kind"] == "note"]
        message = _with_arguments(_with_buffer(message, notes, mlir), mlir)
        message = _with_overlap(message, notes)
        message += "".join(": %s:%s" % (note["file"], note["line"]) for note in notes
                           if "other core" in note["message"] and rule.startswith("cores_"))
        if rule in _ADVICE:
            message += "; " + _ADVICE[rule]
        message += "".join("; " + note["message"] for note in notes
                           if "behind a core_barrier" in note["message"])
    return Told(rule, file, line, _OP.sub("", message))


def _place_of(mlir: str, line: int) -> tuple[str, int]:
    """Where in Python the line of the kernel's text is from."""
    found = _PLACE.search("".join(mlir.splitlines()[line - 1:line]))
    return (found[1], int(found[2])) if found else (_TEXT, line)


def taught(problem: TrnError, mlir: str) -> TrnError:
    """The same as an error of the kernel's, if it is one."""
    told = explain(problem, mlir)
    if isinstance(problem, NkiError) or not told.rule:
        return problem
    return NkiError(told.rule, told.message, (told.file, told.line))
