# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C API (include/trn-c) by ctypes: loading, types, prototypes, texts."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import pathlib
import signal
import threading
import warnings
from collections.abc import Iterator
from ctypes import POINTER, c_bool, c_int, c_int64, c_size_t, c_void_p

_NAME = "libTrnC.so"


class TrnError(Exception):
    """What the compiler, the interpreter or the simulator refuses; the text is its diagnostics."""
    __module__ = "trn_mlir"


class StringRef(ctypes.Structure):
    """A MlirStringRef, which may hold zeros and need not end with one."""
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __bytes__(self) -> bytes:
        return ctypes.string_at(self.data, self.length) if self.length else b""

    def __str__(self) -> str:
        return bytes(self).decode("utf-8", "replace")


class ModuleRef(ctypes.Structure):
    _fields_ = [("ptr", c_void_p)]


class LogicalResult(ctypes.Structure):
    _fields_ = [("value", ctypes.c_int8)]


class Array(ctypes.Structure):
    _fields_ = [("type", c_int), ("rank", ctypes.c_ssize_t), ("shape", POINTER(c_int64)),
                ("data", c_void_p)]


class Signature(ctypes.Structure):
    _fields_ = [("numInputs", ctypes.c_ssize_t), ("inputs", POINTER(Array)),
                ("mayWrite", POINTER(c_bool)), ("numResults", ctypes.c_ssize_t),
                ("results", POINTER(Array))]


_TextCallback = ctypes.CFUNCTYPE(None, StringRef, c_void_p)
_Poll = ctypes.CFUNCTYPE(c_bool, c_void_p)


def find_library() -> str:
    """The library that the user names, of a wheel, of the install tree, or of the build tree."""
    named = os.environ.get("TRN_MLIR_LIBRARY")
    if named:
        return named
    here = pathlib.Path(__file__).resolve().parent
    places = [here, *(parent / folder for parent in here.parents[1:4] for folder in (".", "build/lib"))]
    for place in places:
        # Packages without headers have no file without the version.
        for found in sorted(place.glob(_NAME + "*")):
            return str(found)
    return ctypes.util.find_library("TrnC") or _NAME  # where the loader looks


def _load() -> ctypes.CDLL:
    path = find_library()
    try:
        library = ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(f"trn_mlir cannot load {path}: {problem}; build trn-mlir (target TrnC), "
                          "or let TRN_MLIR_LIBRARY be the path of libTrnC.so") from None
    text = [_TextCallback, c_void_p]
    prototypes = {
        "trnGetVersion": (StringRef, []),
        "trnModuleCompile": (ModuleRef, [StringRef, StringRef, StringRef, *text]),
        "trnModuleDestroy": (None, [ModuleRef]),
        "trnSetInterrupt": (None, [_Poll, c_void_p]),
        "trnModuleGetNumFunctions": (ctypes.c_ssize_t, [ModuleRef]),
        "trnModuleGetFunctionName": (StringRef, [ModuleRef, ctypes.c_ssize_t]),
        "trnModuleGetSignature": (LogicalResult, [ModuleRef, StringRef, POINTER(Signature), *text]),
        "trnModuleGetNumRemarks": (ctypes.c_ssize_t, [ModuleRef]),
        "trnModuleGetRemark": (StringRef, [ModuleRef, ctypes.c_ssize_t]),
        "trnModulePrint": (LogicalResult, [ModuleRef, c_int, *text, *text]),
        "trnModulePrintPlaces": (LogicalResult, [ModuleRef, c_int, *text, *text]),
        "trnModulePrintNKIPlaces": (LogicalResult, [ModuleRef, *text, *text]),
        "trnModulePrintNKI": (LogicalResult, [ModuleRef, *text, *text]),
        "trnNKIGetWords": (LogicalResult, [StringRef, *text, *text]),
        "trnModuleRun": (LogicalResult, [ModuleRef, StringRef, ctypes.c_ssize_t, POINTER(Array),
                                         ctypes.c_ssize_t, POINTER(Array), *text]),
        "trnModuleTime": (LogicalResult, [ModuleRef, StringRef, ctypes.POINTER(ctypes.c_double),
                                          *text]),
        "trnModuleReport": (LogicalResult, [ModuleRef, StringRef, *text, *text]),
        "trnModulePage": (LogicalResult, [ModuleRef, StringRef, *text, *text]),
        "trnGenerateChain": (LogicalResult, [c_int64, c_int64, c_int64, c_int64, c_int, *text,
                                             *text]),
    }
    for name, (result, arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


def ref(text: str | bytes) -> StringRef:
    try:
        data = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as problem:
        raise TrnError(f"character {problem.start} of a text is {text[problem.start]!a}, half of a "
                       "surrogate pair and no character; read the file that it is from as UTF-8, "
                       "or give bytes") from None
    made = StringRef(ctypes.cast(data, c_void_p), len(data))
    made.owner = data
    return made


class Text:
    """Takes what a call tells: its `arguments` are a callback and the callback's data."""

    def __init__(self) -> None:
        self._texts = texts = []
        self.arguments = (_TextCallback(lambda text, _data: texts.append(str(text))), None)

    def __str__(self) -> str:
        return "".join(self._texts)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Lets Ctrl-C end what the C API computes. Signals are for the main thread."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    signals: list[tuple] = []
    # An exception of the handler would not pass through C.
    is_stopped = _Poll(lambda _data: bool(signals))
    signal.signal(signal.SIGINT, lambda *arguments: signals.append(arguments))
    library.trnSetInterrupt(is_stopped, None)
    try:
        yield
    finally:
        library.trnSetInterrupt(_Poll(), None)
        signal.signal(signal.SIGINT, handler)
        for arguments in signals:
            handler(*arguments)


def call(function: str, *arguments: object) -> object:
    """Calls a function of the C API whose last arguments take diagnostics. Raises them if it
    fails; if it succeeds, they are warnings."""
    diagnostics = Text()
    with _interruptible():
        result = getattr(library, function)(*arguments, *diagnostics.arguments)
    said = str(diagnostics).rstrip()
    if not (result.ptr if isinstance(result, ModuleRef) else result.value):
        raise TrnError(said or f"{function} failed without a diagnostic")
    if said:
        warnings.warn(said, stacklevel=4)
    return result


def print_text(function: str, *arguments: object) -> str:
    """What a function prints that takes a callback for a text before those for diagnostics."""
    text = Text()
    call(function, *arguments, *text.arguments)
    return str(text)
