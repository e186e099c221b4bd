"""Starts each tool once for all tests: test/lib/ServeTool.cpp."""

import pathlib
import secrets
import shutil
import subprocess

_servers = []


def start(folder, library, environment):
    """Servers for the clients in `folder` that have the name of a tool, until this process ends.
    Clients find them by the environment variable whose value is returned."""
    key = f"trn-{secrets.token_hex(8)}"
    for client in pathlib.Path(folder).glob("trn-*"):
        tool = shutil.which(client.name, path=environment["PATH"])
        if client.is_symlink() and tool:
            _servers.append(subprocess.Popen(
                [client.name], executable=tool, stdin=subprocess.PIPE,
                env={**environment, "TRN_SERVED": key, "LD_PRELOAD": str(library)}))
    return key
