"""What functions of a module take and return, and how cores share it."""

import re

import numpy as np

TYPE = re.compile(r"tensor<((?:\d+x)*)(\w+)>")
SHARD = re.compile(r"#trn\.shard<dim = (\d+), pieces = (\d+), size = (\d+)>")
FUNCTION = re.compile(r"  func\.func @(\w+)\((.*)\) -> (.*) \{$", re.M)


def split_list(text):
    """At commas that stand outside of brackets."""
    parts, depth = [""], 0
    for at, char in enumerate(text):
        depth += char in "([{<"
        depth -= char in ")]}" or (char == ">" and text[at - 1] != "-")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


class Tensor:
    """An argument or a result of a function, as it is declared."""

    def __init__(self, text):
        self.type = TYPE.search(text).group(0)
        sizes, self.element = TYPE.search(text).groups()
        self.shape = [int(size) for size in sizes.split("x")[:-1]]
        param = re.search(r'trn\.param = "([^"]*)"', text)
        self.param = param and param.group(1)
        shard = SHARD.search(text)
        self.shard = shard and tuple(int(number) for number in shard.groups())

    def cut(self, whole, core, cores):
        """The piece of a core, padded with zeros."""
        if not self.shard:
            return whole
        dim, pieces, size = self.shard
        assert whole.shape[dim] == size
        extent = -(-size // pieces)
        padding = [(0, extent * pieces - size if i == dim else 0) for i in range(whole.ndim)]
        return np.split(np.pad(whole, padding), pieces, axis=dim)[core * pieces // cores]


def read_signature(line):
    """The name, the arguments and the results of a function, by the line that begins it."""
    name, arguments, results = FUNCTION.match(line).groups()
    return (name, [Tensor(part) for part in split_list(arguments)],
            [Tensor(part) for part in split_list(results.removeprefix("(").removesuffix(")"))])
