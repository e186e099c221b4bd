"""Graphs that are like those of torch.fx, for tests without PyTorch."""


class Node:
    def __init__(self, op, name, target, args=(), kwargs=None, meta=None):
        self.op, self.name, self.target, self.args = op, name, target, tuple(args)
        self.kwargs, self.meta = kwargs or {}, meta or {}


class Graph:
    """Nodes one after the other; `call` adds one and returns it."""

    def __init__(self, **weights):
        self.nodes = []
        self.__dict__.update(weights)

    @property
    def graph(self):
        return self

    def add(self, op, target, args=(), kwargs=None, **more):
        self.nodes.append(Node(op, f"n{len(self.nodes)}", target, args, kwargs, more))
        return self.nodes[-1]

    def input(self, name):
        self.nodes.append(Node("placeholder", name, name))
        return self.nodes[-1]

    def weight(self, path):
        return self.add("get_attr", path)

    def call(self, target, *args, **kwargs):
        return self.add("call_method" if isinstance(target, str) and not target.startswith("aten.")
                        else "call_function", target, args, kwargs)

    def output(self, *values):
        self.add("output", "output", [values[0] if len(values) == 1 else values])
        return self
