#!/usr/bin/env bash
# `install-packages.sh FOLDER CONSOLE`: installs the packages of FOLDER into a bare root of this
# distribution, and runs there what the tutorial shows, by CONSOLE, which is console.py.
set -euo pipefail
folder=$1 console=$2
rm -rf "$folder/_CPack_Packages"
(cd "$folder" && dpkg-scanpackages --multiversion . > Packages 2> scan.log)
cat > "$folder/check" <<'EOF'
set -e
for tool in compress gen llm lsp-server opt run translate; do
  trn-$tool --version
  test -s /usr/share/man/man1/trn-$tool.1
done
python3 -c 'import trn_mlir; print("python", trn_mlir.__version__)'
python3 /console.py /usr/share/doc/trn-mlir /tmp/tutorial docs/Tutorial.md
echo the tutorial is true
EOF
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
# The suite keeps its plans in a folder that the root lacks.
unset TRN_PLAN_CACHE
# The root is thrown away, so nothing in it need reach the disk.
mmdebstrap --quiet --variant=essential --format=null --dpkgopt=force-unsafe-io \
  --include=trn-mlir,python3-trn-mlir \
  --setup-hook="mkdir -p \"\$1/etc/apt/sources.list.d\"; echo 'deb [trusted=yes] copy://$folder ./' > \"\$1/etc/apt/sources.list.d/trn-mlir.list\"" \
  --customize-hook="cp '$folder/check' '$console' \"\$1\"" \
  --customize-hook='chroot "$1" sh /check' "$codename" 2> "$folder/root.log" ||
  { tail -20 "$folder/root.log" >&2; exit 1; }
# What runs in the root has one stream with what makes it.
cat "$folder/root.log"
