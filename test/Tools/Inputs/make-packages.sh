#!/usr/bin/env bash
# `make-packages.sh CPACK CONFIG FOLDER`: the packages, not compressed. dpkg-shlibdeps reads all that
# objdump says of LLVM's libraries, line by line and for each path again. Two thirds of these lines are
# relocations without a symbol, of which it needs none.
set -euo pipefail
mkdir -p "$3/bin"
printf '#!/bin/sh\n%s "$@" | grep -v R_X86_64_RELATIVE\n' "$(command -v objdump)" > "$3/bin/objdump"
chmod +x "$3/bin/objdump"
PATH=$3/bin:$PATH "$1" --config "$2" -B "$3" -D CPACK_DEBIAN_COMPRESSION_TYPE=none
