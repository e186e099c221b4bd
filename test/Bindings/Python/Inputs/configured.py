"""Prints how a wheel configures a new build."""

import pathlib
import sys

import trn_wheel


def configured(*arguments):
    print(*arguments[4:])
    raise SystemExit


trn_wheel._cmake = configured
for settings in {}, {"cmake-args": "-G Ninja"}:
    try:
        next(trn_wheel._installed({"build-dir": "no-such-folder", **settings}, pathlib.Path()))
    except SystemExit:
        sys.stdout.flush()
