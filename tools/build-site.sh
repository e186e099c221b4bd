#!/usr/bin/env bash
# Makes man pages of the tools and a site of the documentation: `tools/build-site.sh [BUILD [OUT]]`
# takes the tools from BUILD (default build), which must be built, and writes OUT (default
# BUILD/site): man/man1/*.1 and html/index.html. The tests need neither, so what this needs
# beside them, help2man and mkdocs, is installed only here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "${1:-$root/build}")
out=$(realpath -m "${2:-$build/site}")
"$root/tools/install-deps.sh" help2man mkdocs

rm -rf "$out"
mkdir -p "$out/man/man1" "$out/pages" "$out/bin"
for folder in "$root"/tools/*/CMakeLists.txt; do
  tool=$(basename "$(dirname "$folder")")
  [ -x "$build/bin/$tool" ] || continue # the plugin is no program
  # help2man knows the form in which GNU's programs print help.
  cat > "$out/bin/$tool" <<EOF
#!/bin/sh
"$build/bin/$tool" "\$@" | sed -E '/^OVERVIEW:/d; s/^USAGE:/Usage:/; s/^OPTIONS:/Options:/
  s/^( +-[^ <]*( ?<[^>]*>\]?)?) +- /\1  /'
EOF
  chmod +x "$out/bin/$tool"
  overview=$("$build/bin/$tool" --help | sed -nE 's/^OVERVIEW: (trn-mlir: )?//p' | head -1)
  help2man --no-info --name="${overview:-$tool}" --output="$out/man/man1/$tool.1" \
    --version-string="$tool ($("$build/bin/$tool" --version | sed 's/ (.*//'))" "$out/bin/$tool"
done

# Pages keep their places, so that links between them hold; files that they link to come along.
cd "$root"
for page in $(find ./*.md docs -name '*.md'); do
  install -D -m 644 "$page" "$out/pages/$page"
  for target in $(grep -oP '\]\(\K[^)#: ]+' "$page" || true); do
    file=$(realpath -m --relative-to=. "$(dirname "$page")/$target")
    [ -f "$file" ] && [ "${file##*.}" != md ] && install -D -m 644 "$file" "$out/pages/$file"
  done
done
cat > "$out/mkdocs.yml" <<EOF
site_name: trn-mlir
docs_dir: pages
site_dir: html
theme:
  name: readthedocs
  highlightjs: false # it would be loaded from elsewhere
use_directory_urls: false
EOF
mkdocs build --quiet --config-file "$out/mkdocs.yml" 2> "$out/mkdocs.log" ||
  { cat "$out/mkdocs.log" >&2; exit 1; }
rm -r "$out/pages" "$out/bin" "$out/mkdocs.yml" "$out/mkdocs.log"
echo "$out/html/index.html, $(ls "$out/man/man1" | wc -l) man pages in $out/man"
