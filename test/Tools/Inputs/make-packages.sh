#!/usr/bin/env bash
# `make-packages.sh CPACK CONFIG FOLDER`: the packages, not compressed. dpkg-shlibdeps reads all that
# objdump says of LLVM's libraries, line by line and for each path again. Here it reads only of those
# symbols that our files name, as no other makes them need a package.
set -euo pipefail
mkdir -p "$3/bin"
build=$(dirname "$2")
nm -D --format=just-symbols "$build"/bin/trn-* "$build"/lib/*.so | sed 's/@.*//' | sort -u > "$3/names"
cat > "$3/bin/objdump" <<EOF
#!/bin/sh
for file; do :; done
case \$file in
  /*) $(command -v objdump) "\$@" | LC_ALL=C awk 'NR == FNR { names[\$1]; next } !/^0[0-9a-f]* / || \$NF in names' "$3/names" - ;;
  *) exec $(command -v objdump) "\$@" ;;
esac
EOF
chmod +x "$3/bin/objdump"
PATH=$3/bin:$PATH "$1" --config "$2" -B "$3" -D CPACK_DEBIAN_COMPRESSION_TYPE=none
