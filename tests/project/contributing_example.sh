#!/usr/bin/env bash
# Takes the example kernel from CONTRIBUTING.md, adds it to a copy of the source tree, builds it and runs the
# commands of the document.
# Usage: contributing_example.sh SOURCE WORK [cmake options]
set -euo pipefail
source=$1 work=$2
shift 2
rm -rf "$work/tree"
mkdir -p "$work/tree/kernels" "$work/tree/data"
cd "$source"
cp -r CMakeLists.txt CMakePresets.json CONTRIBUTING.md cmake python src tests web "$work/tree/"
cp -r kernels/triad "$work/tree/kernels/"
cp -r data/model "$work/tree/data/"
cd "$work/tree"
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1  # reuses objects that the build of the tests has compiled

# A line that consists of `path` in back quotes names the fenced block that follows it.
awk '
  /^`kernels\/[a-z0-9_\/.]+`$/ { path = substr($0, 2, length($0) - 2); next }
  /^```cpp/ && path != "" { split(path, parts, "/"); system("mkdir -p " parts[1] "/" parts[2]); writing = 1; next }
  /^```/ && writing { writing = 0; close(path); path = ""; next }
  writing { print > path }
' "$source/CONTRIBUTING.md"
for file in kernel.cpp serial.cpp openmp.cpp openacc.cpp cuda.cu library.cpp; do
  [ -s "kernels/square/$file" ] || { echo "CONTRIBUTING.md gives no kernels/square/$file"; exit 1; }
done
command -v clang-format >/dev/null && cp "$source/.clang-format" . && clang-format --dry-run -Werror kernels/square/*

commands=$(awk '/^\*\*5\./ { step = 1 } step && /^```sh/ { inside = 1; next } inside && /^```/ { exit } inside' "$source/CONTRIBUTING.md")
[ "$(wc -l <<<"$commands")" -ge 6 ] || { echo "step 5 has lost its commands"; exit 1; }
commands=${commands/cmake --preset dev/cmake --preset dev $*}
echo "$commands" > commands.sh
bash -euo pipefail -x commands.sh > output.txt 2> messages.txt || { tail -n 40 output.txt messages.txt; exit 1; }
rows=$(build/dev/bin/sextant export square.sextant --format csv)
grep -q '100% tests passed' output.txt || { echo "no test of square ran"; cat output.txt; exit 1; }
for variant in serial.baseline serial.native openmp.chunks openmp.simd library.openblas; do
  grep -q "^square,stream,.*$variant.*,ok," <<<"$rows" || {
    echo "square $variant has no measurement that is ok"; echo "$rows"; exit 1; }
done
echo "the example of CONTRIBUTING.md builds, verifies and measures"
