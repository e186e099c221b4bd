# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules that a kernel imports: `nki` and its parts, `neuronxcc.nki` and its parts.

They are on the import path only while a file with kernels is read, and give way to the vendor's
where that is installed. Packages for devices and frameworks that are not installed are stood in
for by modules without content: a kernel needs their names at most.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import logging
import math
import os
import re
import sys
import types
from collections.abc import Callable, Iterator

import numpy as np

from . import _isa, _language, _local_gather, _math, _registers, _select, _sums_by_dma  # noqa: F401  (handlers)
from ._absent import Absent, Finder, ancestors, is_below, stand_in
from ._affine import Index, MGrid
from ._call import Word, operations, words
from ._errors import NkiError
from ._language import ParDim, Region
from ._recorder import Range, Recorder
from ._tensor import PARTITIONS
from ._types import bfloat16
from ._values import Tensor

BETA, CURRENT = "beta1", "0.7"
_ROOTS = ("nki", "neuronxcc.nki")
_RELATIVE = re.compile(r"^[ \t]*from[ \t]+(\.+)[\w.]*[ \t]+import\b", re.M)


class Kernel:
    """A function that `nki.jit` marks. Inside of a trace it is called as a function is."""

    def __init__(self, function: Callable, version: str) -> None:
        functools.update_wrapper(self, function)
        self.function, self.version = function, version
        self.grid: tuple[int, ...] = ()

    def __getitem__(self, grid: object) -> Kernel:
        made = Kernel(self.function, self.version)
        made.grid = tuple(int(size) for size in (grid if isinstance(grid, tuple) else (grid,)))
        return made

    def __get__(self, instance: object, owner: object = None) -> object:
        return self if instance is None else functools.partial(self.function, instance)

    def __call__(self, *arguments: object, **named: object) -> object:
        if Recorder.current is None:
            raise NkiError("nki_r13", "%s is called outside of a trace; use trn_mlir.nki.load or "
                           "trn_mlir.nki.trace" % self.__name__)
        if not self.grid or Recorder.current.cores > 1:
            return self.function(*arguments, **named)
        return self._launched(Recorder.current, arguments, named)

    def _launched(self, recorder: Recorder, arguments: tuple, named: dict) -> object:
        """`kernel[4](...)` of a function that is traced: the programs of the grid, one after the
        other."""
        kept = recorder.grid, recorder.program_ids
        shared, returned = recorder.num_shared, None
        recorder.grid = self.grid
        for ids in itertools.product(*map(builtins.range, self.grid)):
            recorder.program_ids, recorder.num_shared = ids, shared
            returned = self.function(*arguments, **named)
        recorder.grid, recorder.program_ids = kept
        return returned


def _decorator(version: str) -> Callable:
    """`@jit`, `@jit(mode=...)`, `jit(function)`."""
    def decorate(function: object = None, *_arguments: object, **_options: object) -> object:
        if isinstance(function, Kernel):
            return function
        if callable(function):
            return Kernel(function, version)
        return lambda inner: decorate(inner)
    return decorate


class NKIObject:
    """The base of a kernel's own objects: attributes by keyword. A dataclass whose attributes
    have no types is one, too, which Python's are not."""

    def __init__(self, **attributes: object) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)

    def __init_subclass__(cls, **named: object) -> None:
        super().__init_subclass__(**named)
        fields = cls.__dict__.get("__annotations__")
        if not fields and "__init__" not in cls.__dict__:
            cls.__annotations__ = {name: object for name, value in vars(cls).items()
                                   if not name.startswith("_") and not callable(value) and
                                   not isinstance(value, (property, staticmethod, classmethod))}


class _EngineName:
    def __init__(self, word: str, engine: str | None) -> None:
        self.word, self.engine, self.name = word, engine, word.split(".")[-1]

    def __repr__(self) -> str:
        return self.word


class _Allocation:
    """A buffer whose kernel says where in `memory` each block lies: `place(index, partitions,
    bytes)` is (partition, byte), in PSUM (bank, partition, byte)."""

    def __init__(self, memory: str, place: Callable) -> None:
        self.memory, self.place = memory, place
        self.name, self.word = memory, "nl." + memory


def _modulo(memory: str) -> Callable:
    """`mod_alloc`: block k of a dimension lies in tile k modulo their number."""
    def mod_alloc(base_addr: int = 0, base_bank: int = 0, base_partition: int = 0,
                  num_bank_tiles: tuple = (), num_par_tiles: tuple = (),
                  num_free_tiles: tuple = ()) -> _Allocation:
        def place(index: tuple, partitions: int, size: int) -> tuple:
            tile = []
            for counts in (num_bank_tiles, num_par_tiles, num_free_tiles):
                number = 0
                for at, count in zip(index, counts or (1,) * len(index)):
                    number = number * count + at % count
                tile.append(number)
            at = base_partition + tile[1] * partitions, base_addr + tile[2] * size
            return at if memory == "sbuf" else (base_bank + tile[0], *at)
        return _Allocation(memory, place)
    return mod_alloc


def _table_module(version: str, prefix: str, module: str) -> types.ModuleType:
    table = words(version)
    made = types.ModuleType("%s.%s" % (_ROOTS[version == BETA], module))
    resolve = functools.partial(_resolve, version)
    for entry in operations(version):
        if entry["module"] == module:
            setattr(made, entry["name"], Word(entry, version, resolve))
    for word in table["functions"]:
        if word.startswith(prefix) and not hasattr(made, word[len(prefix):]):
            setattr(made, word[len(prefix):], _Named(word))
    for word, engine in table["engines"].items():
        if word.startswith(prefix):
            _place(made, word[len(prefix):], _EngineName(word, engine))
    for word in table["others"]:
        name = word[len(prefix):]
        if word.startswith(prefix) and not _has(made, name):
            _place(made, name, _value(name))
    return made


class _Named:
    """A word that is only named, such as a function of an activation."""

    def __init__(self, word: str) -> None:
        self.word, self.name = word, word.split(".")[-1]
        self.__name__ = self.name

    def __repr__(self) -> str:
        return self.word


_SIZES = {"pmax": PARTITIONS, "psum_fmax": 512, "psum_bank_fmax": 512, "psum_bank_fmax_bytes": 2048,
          "psum_num_banks": 8, "gemm_stationary_fmax": 128, "gemm_moving_fmax": 512,
          "bn_stats_fmax": 512, "psum_min_align": 4, "sbuf_min_align": 1,
          "sbuf_size_bytes": 24 * 2 ** 20, "total_available_sbuf_size": 192 * 1024,
          "sbuf_fmax_bytes": 192 * 1024, "sbuf_fmax": 48 * 1024}


def _value(name: str) -> object:
    last = name.split(".")[-1]
    if name.startswith("tile_size."):
        return _SIZES[last]
    if name == "mgrid":
        return MGrid()
    if name == "par_dim":
        return ParDim
    if name == "spmd_dim":  # of a grid, over cores and in each of them
        return lambda *counts: math.prod(counts)
    if name in ("fp32.min", "bfp16.min"):
        return float(np.finfo(np.float32).min) if name == "fp32.min" else -3.3895313892515355e38
    return _Member(last)


@functools.total_ordering
class _Member:
    """A member of one of NKI's enumerations."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __lt__(self, other: _Member) -> bool:
        return self.name < other.name  # of nc_version: gen2 is older than gen3

    def __call__(self, *arguments: object) -> object:
        return arguments[0] if arguments else None


def _has(module: object, path: str) -> bool:
    for name in path.split("."):
        if not hasattr(module, name):
            return False
        module = getattr(module, name)
    return True


def _place(module: object, path: str, value: object) -> None:
    *groups, name = path.split(".")
    for group in groups:
        if not hasattr(module, group):
            setattr(module, group, types.SimpleNamespace())
        module = getattr(module, group)
    setattr(module, name, value)


@functools.cache
def _resolve(version: str, default: str) -> object:
    """A default of the table, which is text."""
    if default.startswith(("nisa.", "nl.")):
        group, path = default.split(".", 1)
        value = namespace(version).isa if group == "nisa" else namespace(version).language
        for name in path.split("."):
            value = getattr(value, name)
        return value
    if default.startswith("np."):
        return getattr(np, default[3:])
    return eval(default, {"__builtins__": {}}, {"bool": bool, "Ellipsis": ...})  # a literal


@functools.cache
def namespace(version: str) -> types.ModuleType:
    """`nki` of a version, with its parts."""
    root = types.ModuleType(_ROOTS[version == BETA])
    root.language = _table_module(version, "nl.", "language")
    root.isa = _table_module(version, "nisa.", "isa")
    dtypes = words(version)["dtypes"]
    for word, element in dtypes.items():
        if word.startswith("nl."):
            name = word[3:]
            setattr(root.language, name, bfloat16 if name == "bfloat16" else
                    _dtype(version, getattr(np, name)) if hasattr(np, name) else _Named(word))
    root.language.tfloat32 = _dtype(version, np.float32)
    for word, memory in words(version)["buffers"].items():
        setattr(root.language, word[3:], Region(word, memory))
    root.language.par_dim, root.language.mgrid = ParDim, MGrid()
    root.jit = root.trace = root.baremetal = root.benchmark = root.profile = _decorator(version)
    root.simulate = root.simulate_kernel = _no_simulator
    root.language.NKIObject, root.language.NkiTensor = NKIObject, Tensor
    root.dtype = root.language
    root.typing = types.ModuleType(root.__name__ + ".typing")
    root.typing.tensor = _Subscriptable()
    root.typing.mutable = root.typing.tensor
    root.typing.mutable_tensor = root.tensor = _Subscriptable()
    root.compiler = types.ModuleType(root.__name__ + ".compiler")
    for memory in ("sbuf", "psum"):
        space = types.SimpleNamespace(memory=memory, name=memory, word="nl." + memory)
        space.alloc = functools.partial(_Allocation, memory)
        space.mod_alloc = _modulo(memory)
        space.auto_alloc = lambda space=space: space
        setattr(root.compiler, memory, space)
    for name in ("skip_middle_end_transformations", "enable_stack_allocator", "force_auto_alloc"):
        setattr(root.compiler, name, _plain_decorator)
    root.compiler.no_reorder = root.language.no_reorder = contextlib.nullcontext
    root.compiler.allocation_scope = contextlib.nullcontext
    root.compiler.multi_buffer = lambda factor=2: None
    return root


def _dtype(version: str, dtype: type) -> object:
    """Beta 1 has NumPy's scalar types; later versions have one object for a type, whose text is
    its name."""
    return dtype if version == BETA else np.dtype(dtype)


def _plain_decorator(function: Callable | None = None, **_options: object) -> Callable:
    return function if function is not None else lambda inner: inner


def _no_simulator(*_arguments: object, **_named: object) -> object:
    raise NkiError("nki_r13", "the vendor's simulator is not here; use trn_mlir.nki.load(...).run")


class _Subscriptable:
    def __getitem__(self, key: object) -> _Subscriptable:
        return self


def _ours() -> dict[str, types.ModuleType]:
    found: dict[str, types.ModuleType] = {"neuronxcc": types.ModuleType("neuronxcc")}
    for version, name in ((BETA, "neuronxcc.nki"), (CURRENT, "nki")):
        root = namespace(version)
        found[name] = root
        for part in ("isa", "language", "typing", "compiler"):
            found[name + "." + part] = getattr(root, part)
    found["neuronxcc"].nki = found["neuronxcc.nki"]
    return found


@contextlib.contextmanager
def importable(replace_vendor: bool = False, folder: str = "") -> Iterator[None]:
    """Lets `import nki` find our modules, and afterwards forgets them. `folder` is that of the
    file which imports."""
    roots = ("nki", "neuronxcc")
    modules = _ours()
    if not replace_vendor:
        for root in roots:
            spec = importlib.util.find_spec(root)
            if spec is not None and spec.origin is not None:  # no mere folder of that name
                modules = {name: module for name, module in modules.items()
                           if name.split(".")[0] != root}
    before = set(sys.modules)
    first, last = Finder(modules, False), Finder({}, True, ancestors(folder) if folder else ())
    kept = {name: sys.modules.pop(name) for name in list(sys.modules)
            if name.split(".")[0] in roots and name in modules}
    sys.meta_path.insert(0, first)
    sys.meta_path.append(last)
    disabled = logging.root.manager.disable
    logging.OFF = logging.CRITICAL + 10  # kernels of beta 1 take that from the vendor's package
    try:
        yield
    finally:
        del logging.OFF
        logging.disable(disabled)
        sys.meta_path.remove(first)
        sys.meta_path.remove(last)
        for name in set(sys.modules) - before:
            if name in modules or isinstance(sys.modules[name], Absent):
                del sys.modules[name]
        sys.modules.update(kept)


def read_file(path: str, replace_vendor: bool = False) -> types.ModuleType:
    """Runs a Python file with kernels as a module, one of a package where it lies in one. Its
    `range` makes loops while it is traced, as do those of the modules beside it, and in the folders
    above it, that it imports."""
    path = os.path.abspath(path)
    name, folder = _module_name(path)
    top = ancestors(folder)[-1]
    before = dict(sys.modules)
    sys.path.insert(0, folder)
    try:
        with importable(replace_vendor, folder):
            module = _imported(name, path, folder)
    finally:
        sys.path.remove(folder)
        beside = [one for key, one in list(sys.modules.items()) if before.get(key) is not one and
                  is_below(top, one)]
        for key in [key for key, one in sys.modules.items() if one in beside]:
            del sys.modules[key]
        sys.modules.update({key: one for key, one in before.items() if key not in sys.modules})
    for one in beside:
        one.__dict__.setdefault("range", TracedRange)
        one.__dict__.setdefault("isinstance", traced_isinstance)
    return module


def _imported(name: str, path: str, folder: str) -> types.ModuleType:
    """What libraries lack is there while the file is imported."""
    added = []
    try:
        while True:
            try:
                return _import_once(name, path)
            except ImportError as problem:
                added.append(stand_in(problem, folder))
                if added[-1] is None:
                    raise
    finally:
        for module, lacking in filter(None, added):
            delattr(module, lacking)


def _import_once(name: str, path: str) -> types.ModuleType:
    stem = os.path.splitext(os.path.basename(path))[0]
    if "." not in stem:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(stem.replace(".", "_"), path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _module_name(path: str) -> tuple[str, str]:
    """The name of a file's module, and the folder that it is imported from: above its packages, and
    above what its relative imports ask for."""
    folder, name = os.path.split(path)
    name = os.path.splitext(name)[0]
    with open(path, encoding="utf-8") as text:
        levels = max((len(dots) for dots in _RELATIVE.findall(text.read())), default=0)
    while os.path.exists(os.path.join(folder, "__init__.py")) or name.count(".") < levels:
        above, package = os.path.split(folder)
        if not package.isidentifier():
            break
        folder, name = above, package + "." + name
    return name, folder


def read_text(text: str, name: str) -> types.ModuleType:
    """The same for a text. `name` stands for the file in messages."""
    module = types.ModuleType("trn_kernels_text")
    module.__dict__.update(range=TracedRange, isinstance=traced_isinstance)
    with importable():
        sys.modules[module.__name__] = module  # where dataclasses look for types
        try:
            exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
        except SyntaxError as problem:
            raise NkiError("nki_r8", "SyntaxError: %s" % problem.msg,
                           (name, problem.lineno or 0)) from None
        finally:
            del sys.modules[module.__name__]
    return module


def traced_isinstance(value: object, kinds: object) -> bool:
    """`isinstance` of a traced file, where an index of a loop is the number that it is in NKI."""
    if builtins.isinstance(value, Index):
        return int in (kinds if builtins.isinstance(kinds, tuple) else (kinds,))
    return builtins.isinstance(value, kinds)


class TracedRange:
    """`range` of a traced file: a loop of the program inside of a trace, Python's outside."""

    def __new__(cls, *limits: object) -> object:
        return Range(*limits) if Recorder.current is not None else builtins.range(*limits)
