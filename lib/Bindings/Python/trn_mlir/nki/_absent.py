# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel's file imports and nobody finds.

Most of it serves the host: frameworks, loggers, benchmarks. First the folders above the file are
searched, as if its repository were on Python's path. What is not there is stood in for by a module
whose names are all there, and do nothing; a kernel that needs more of one is refused where it asks.
An import that the file itself guards, by `try` and `except ImportError`, fails as it would elsewhere.
"""

from __future__ import annotations

import ast
import functools
import importlib.abc
import importlib.machinery
import linecache
import os
import re
import sys
import sysconfig
import types
from collections.abc import Sequence

from ._errors import NkiError
from ._recorder import Recorder
from ._tensor import View

# Stood in for even where the import is guarded: kernels name them in annotations and decorators.
_FRAMEWORKS = ("torch", "torch_xla", "torch_neuronx", "jax", "jaxlib", "libneuronxla",
               "neuronxcc", "nki", "ml_dtypes", "neuron_dtypes", "scipy", "pytest",
               "matplotlib", "pandas", "transformers", "tqdm")
_LEVELS = 6  # of folders above a file that are searched
_HINT = "install it, or put its folder on Python's path"


class Absent(types.ModuleType):
    """A package that is not installed: every name is there, and does nothing."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name not in ("__version__",):
            raise AttributeError(name)
        return _Anything(self.__name__ + "." + name)


class _Anything:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> _Anything:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything(self._name + "." + name)

    def __call__(self, *arguments: object, **named: object) -> object:
        if any(isinstance(one, View) for one in (*arguments, *named.values())):
            raise NkiError("nki_r8", "the kernel gives a tensor to %s, which is not installed; %s" %
                           (self._name, _HINT))
        if len(arguments) == 1 and callable(arguments[0]):
            return arguments[0]  # a decorator
        return _Anything(self._name + "()")

    def __getitem__(self, key: object) -> _Anything:
        return self

    def __iter__(self) -> object:
        raise NkiError("nki_r8", "the kernel needs what %s gives, which is not installed; %s" %
                       (self._name, _HINT))

    def __or__(self, other: object) -> _Anything:
        return self

    __ror__ = __or__

    def __bool__(self) -> bool:
        if Recorder.current is not None:
            raise NkiError("nki_r8", "the kernel decides by %s, which is not installed; %s" %
                           (self._name, _HINT))
        return True

    def __mro_entries__(self, bases: tuple) -> tuple:
        return ()

    def __repr__(self) -> str:
        return "<%s, which is not installed>" % self._name


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds our modules; with `absent`, what else the files at `folders` import."""

    def __init__(self, modules: dict[str, types.ModuleType], absent: bool,
                 folders: Sequence[str] = ()) -> None:
        self.modules, self.absent, self.folders = modules, absent, folders

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        if name in self.modules:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        if not self.absent:
            return None
        if isinstance(sys.modules.get(name.rpartition(".")[0]), Absent):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        importer, line = _importer()
        is_kernel = self._is_kernel(importer)
        if is_kernel and "." not in name:
            found = importlib.machinery.PathFinder.find_spec(name, list(self.folders))
            if found is not None:
                return found
        if name.split(".")[0] in _FRAMEWORKS or \
                is_kernel and not _is_guarded(importer, line):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def _is_kernel(self, file: str) -> bool:
        """A text has no folders: it is what is no file."""
        if not self.folders:
            return not os.path.exists(file) and not file.startswith("<")
        return file.startswith(self.folders[-1] + os.sep) and "-packages" + os.sep not in file and \
            not file.startswith(sysconfig.get_path("stdlib") + os.sep)

    def create_module(self, spec: object) -> types.ModuleType:
        return self.modules.get(spec.name) or Absent(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        return None


def stand_in(problem: ImportError, folder: str) -> tuple[types.ModuleType, str] | None:
    """Puts something in the place of a name that a file does not have, as a library of another
    version may not, and says where. Not in files of a kernel at `folder`, where a name is
    mistyped."""
    found = re.match(r"cannot import name '(\w+)' from '([\w.]+)'", str(problem))
    module = sys.modules.get(found[2]) if found else None
    if module is None or not getattr(module, "__file__", None) or hasattr(module, found[1]) or \
            _is_own(folder, module):
        return None
    setattr(module, found[1], _Anything(found[2] + "." + found[1]))
    return module, found[1]


def _is_own(folder: str, module: types.ModuleType) -> bool:
    """Of the kernel's repository. Without one, the folders above it may hold anything: what
    Python's path has of it is a library."""
    above = ancestors(folder)
    if not is_below(above[-1], module):
        return False
    return os.path.exists(os.path.join(above[-1], ".git")) or not any(
        is_below(one, module) for one in map(os.path.abspath, sys.path) if one not in above)


def is_below(top: str, module: types.ModuleType) -> bool:
    """Of modules beside a kernel, but no library. A package without __init__.py has a folder
    alone."""
    file = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), "")
    return file.startswith(top + os.sep) and "-packages" + os.sep not in file


def ancestors(folder: str) -> list[str]:
    """The folder and those above it, up to that of its repository."""
    found = [folder]
    while len(found) < _LEVELS and not os.path.exists(os.path.join(found[-1], ".git")):
        above = os.path.dirname(found[-1])
        if above in (found[-1], os.path.dirname(above), os.path.expanduser("~")):
            break
        found.append(above)
    return found


def _importer() -> tuple[str, int]:
    """The file and the line that import."""
    frame = sys._getframe(1)
    while frame and (frame.f_code.co_filename == __file__ or "importlib" in
                     frame.f_code.co_filename):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


def _is_guarded(file: str, line: int) -> bool:
    return any(first <= line <= last for first, last in _guarded(file))


@functools.lru_cache(maxsize=64)
def _guarded(file: str) -> tuple[tuple[int, int], ...]:
    """The lines of a file in the body of a `try` that catches what is not found."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ()
    caught = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
    return tuple((node.body[0].lineno, node.body[-1].end_lineno) for node in ast.walk(tree)
                 if isinstance(node, ast.Try) and
                 any(handler.type is None or any(isinstance(one, ast.Name) and one.id in caught
                                                 for one in ast.walk(handler.type))
                     for handler in node.handlers))
