"""What a partition yields as a whole: statistics, searches, shuffles and sums over partitions.

Written from docs/generated/TrnDialect.md. Values that are not certain yield any value.
"""

import numpy as np

import values
from values import Values

# Values that an instruction leaves for each partition; 0: as many as it reads.
RESULTS = {"bn_stats": 6, "bn_aggr": 2, "max8": 8, "find_index8": 8, "match_replace8": 0}
LEAST = {"max8": 8, "find_index8": 8}
MOST = {"bn_stats": 512, "max8": 16384, "find_index8": 16384, "match_replace8": 16384}
QUADRANT, UNMODIFIED = 32, 255
NOWHERE = np.float32(2 ** 32 - 1)  # the index of what is not found
ALL = (*RESULTS, "stream_shuffle", "partition_reduce", "partition_gather")


def free(shape):
    return int(np.prod(shape[1:]))


def rule(inst):
    """The verifiers; None if all is well."""
    v = inst.operands
    shapes = {role: x.shape for role, x in v.items()}
    data, dst = shapes.get("data", shapes.get("src")), shapes["dst"]
    if inst.op == "partition_reduce":
        return None if dst == (1, *data[1:]) and inst.attrs["function"] in ("add", "max") \
            else "is not what is left"
    if inst.op == "stream_shuffle":
        if data[1:] != dst[1:] or v["src"].dtype != v["dst"].dtype:
            return "moves to another shape or type"
        return None if all(one is None or one < data[0] for one in sources(inst)) \
            else "takes a partition that is not there"
    if inst.op == "partition_gather":
        if shapes["indices"] != dst or data[0] != dst[0]:
            return "chooses for another shape"
        return None if v["data"].dtype == v["dst"].dtype and v["indices"].dtype == "ui32" \
            else "chooses in other types"
    count = RESULTS[inst.op]
    if dst[0] != data[0] or count and free(dst) != count or not count and dst != data:
        return "has results of another size"
    if not LEAST.get(inst.op, 1) <= free(data) <= MOST.get(inst.op, 1 << 40):
        return "has too few or too many elements"
    if "values" in shapes and (shapes["values"][0], free(shapes["values"])) != (data[0], 8):
        return "looks for other than eight"
    if inst.op == "find_index8" and v["dst"].dtype not in ("f32", "ui32"):
        return "leaves indices in a narrow type"
    return "has no triples" if inst.op == "bn_aggr" and free(data) % 3 else None


def sources(inst):
    """By partition of the result, the one that it is of; None: it stays."""
    return [None if (one := inst.attrs["mask"][i % QUADRANT]) == UNMODIFIED
            else i // QUADRANT * QUADRANT + one for i in range(inst.operands["dst"].shape[0])]


def compute(inst, operands, shape):
    if inst.op == "partition_reduce":
        src = operands["src"]
        columns = src.map(lambda v: v.reshape(v.shape[0], -1).T)
        return values.fold(inst.attrs["function"], columns).map(lambda v: v.reshape(shape))
    rows = {role: one.map(lambda v: v.reshape(v.shape[0], -1)) for role, one in operands.items()}
    if inst.op == "partition_gather":
        places = rows["indices"].lo.astype(np.int64)
        return rows["data"].map(lambda v: np.take_along_axis(v, places, 1).reshape(shape))
    if not all(one.certain for one in rows.values()):
        anything = np.full(shape, values.ANY)
        return Values(-anything, anything)
    rows = [rows[role].lo for role in ("data", "values") if role in rows] or [rows["src"].lo]
    function = {"bn_stats": _stats, "bn_aggr": _aggregate, "max8": _largest,
                "find_index8": _find, "match_replace8": _replace}[inst.op]
    found = [function(*row, **({"replacement": inst.attrs["replacement"]}
                               if inst.op == "match_replace8" else {})) for row in zip(*rows)]
    return Values(np.array(found, np.float32).reshape(shape))


def _stats(row):
    found = []
    for first in (0, 1):
        own = row[first::2].astype(np.float64)
        mean = np.cumsum(own)[-1] / len(own) if len(own) else 0.0
        squares = np.cumsum((own - mean) ** 2)[-1] if len(own) else 0.0
        found += [len(own), mean, squares]
    return found


def _aggregate(row):
    counts, means, squares = row.reshape(-1, 3).astype(np.float64).T
    total = np.cumsum(counts)[-1]
    mean = np.cumsum(counts * means)[-1] / total
    return [mean, np.cumsum(squares + counts * (means - mean) ** 2)[-1] / total]


def _largest(row):
    """Not a number is larger than any number."""
    order = sorted(row, key=lambda one: (np.isnan(one), 0 if np.isnan(one) else one), reverse=True)
    return order[:8]


def _find(row, wanted):
    found = []
    for number, one in enumerate(wanted):
        places = np.flatnonzero(row == one)
        before = int(np.sum(wanted[:number] == one))
        found.append(places[before] if before < len(places) else NOWHERE)
    return found


def _replace(row, wanted, replacement):
    row = row.copy()
    for one in wanted[::-1]:
        places = np.flatnonzero(row == one)
        if len(places):
            row[places[0]] = np.float32(replacement)
    return row
