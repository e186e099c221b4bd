#!/usr/bin/env bash
# Makes a site of the documentation: `tools/build-site.sh [BUILD [OUT [EXAMPLE...]]]` takes the man
# pages of the tools from BUILD (default build), which must be built, and writes OUT (default
# BUILD/site): man/man1/*.1 and html/index.html, with these examples of trn_mlir.explore, or all. No
# other test needs mkdocs, so it is installed only here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:-$root/build}")
out=$(realpath -m "${2:-$build/site}")
"$root/tools/install-deps.sh" mkdocs python3-pygments

rm -rf "$out"
mkdir -p "$out/man" "$out/pages"
cp -r "$build/man" "$out/man/man1"

/usr/bin/python3 "$root/tools/site/pages.py" "$root" "$out/pages"
cp "$root/tools/site/mkdocs.yml" "$out"
{ pygmentize -S default -f html -a .codehilite
  echo '@media (prefers-color-scheme: dark) {'
  pygmentize -S github-dark -f html -a .codehilite
  echo '}'
} > "$out/pages/highlight.css"
cp "$root/tools/site/site.css" "$out/pages"
mkdocs build --quiet --config-file "$out/mkdocs.yml" 2> "$out/mkdocs.log" ||
  { cat "$out/mkdocs.log" >&2; exit 1; }
cp "$root/tools/site/search.js" "$out/html/search"
/usr/bin/python3 "$root/tools/site/finish.py" "$out/html"
PYTHONPATH="$root/lib/Bindings/Python" TRN_MLIR_LIBRARY="$build/lib/libTrnC.so" PYTHONDONTWRITEBYTECODE=1 \
  /usr/bin/python3 -m trn_mlir.explore --static "$out/html/explore" "${@:3}"
rm -r "$out/pages" "$out/mkdocs.yml" "$out/mkdocs.log"
echo "$out/html/index.html, $(ls "$out/man/man1" | wc -l) man pages in $out/man"
