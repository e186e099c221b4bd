#!/usr/bin/env bash
# Makes a site of the documentation: `tools/build-site.sh [BUILD [OUT]]` takes the man pages of the
# tools from BUILD (default build), which must be built, and writes OUT (default BUILD/site):
# man/man1/*.1 and html/index.html. No other test needs mkdocs, so it is installed only here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:-$root/build}")
out=$(realpath -m "${2:-$build/site}")
"$root/tools/install-deps.sh" mkdocs python3-pygments

rm -rf "$out"
mkdir -p "$out/man" "$out/pages"
cp -r "$build/man" "$out/man/man1"

# Pages keep their places, so that links between them hold; files that they link to come along.
cd "$root"
find ./*.md docs -name '*.md' | while read -r page; do
  # The file that a block of code is stands above it: its language alone is for mkdocs.
  mkdir -p "$out/pages/$(dirname "$page")"
  sed -E 's/^```([a-z]+) ([^ ]+)$/`\2`:\n\n```\1/' "$page" > "$out/pages/$page"
  for target in $(grep -oP '\]\(\K[^)#: ]+' "$page" || true); do
    file=$(realpath -m --relative-to=. "$(dirname "$page")/$target")
    [ -f "$file" ] && [ "${file##*.}" != md ] && install -D -m 644 "$file" "$out/pages/$file"
  done
done
cp "$root/tools/site/mkdocs.yml" "$out"
for page in $(cd "$out/pages" && find . -name '*.md' | sed 's|^./||'); do
  grep -qE -- "[-:] $page\$" "$out/mkdocs.yml" || echo "build-site.sh: tools/site/mkdocs.yml lacks $page" >&2
done
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
  /usr/bin/python3 -m trn_mlir.explore --static "$out/html/explore"
rm -r "$out/pages" "$out/mkdocs.yml" "$out/mkdocs.log"
echo "$out/html/index.html, $(ls "$out/man/man1" | wc -l) man pages in $out/man"
