#!/usr/bin/env bash
# Builds the example of CONTRIBUTING.md as a folder outside the source tree against a moved installation, then
# loads and verifies it.
# Usage: own_folder_test.sh BUILD SOURCE WORK
set -euo pipefail
build=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
program=$work/moved/bin/sextant

# A line that consists of `kernels/…` in back quotes names the fenced block that follows it.
cd "$work"
awk '
  /^`kernels\/[a-z0-9_\/.]+`$/ { path = substr($0, 10, length($0) - 10); next }
  /^```cpp/ && path != "" { split(path, parts, "/"); system("mkdir -p " parts[1]); writing = 1; next }
  /^```/ && writing { writing = 0; close(path); path = ""; next }
  writing { print > path }
' "$source/CONTRIBUTING.md"
cat > square/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(square LANGUAGES CXX)
find_package(sextant REQUIRED)
sextant_add_kernels(square .)
END
fail() { echo "$1"; tail -n 30 "$work"/*.txt; exit 1; }

config=$(find "$work/moved" -name sextantConfig.cmake)
cmake -S square -B out -Dsextant_DIR="$(dirname "$config")" -DSEXTANT_CUDA=OFF -DSEXTANT_WHY_OFF="a test" \
      -DSEXTANT_OPENACC="${SEXTANT_TEST_OPENACC:-OFF}" >configure.txt 2>&1 || fail "the folder does not configure"
grep -q 'square: left out square cuda.elementwise: switched off by SEXTANT_CUDA=OFF (a test)' configure.txt ||
  fail "what is left out is not said"
cmake --build out >build.txt 2>&1 || fail "the folder does not build"
[ -f out/square.sextant.so ] || fail "no library"
symbols=$(nm -D --defined-only out/square.sextant.so)
[ "$(grep -c sextant <<<"$symbols")" = 1 ] || { echo "$symbols"; fail "the library shows more than its one symbol"; }

"$program" list variants --load out/square.sextant.so >variants.txt 2>&1 || fail "the library does not load"
for variant in serial.baseline serial.native openmp.simd 'variant, switched off by'; do
  grep -q "$variant" variants.txt || fail "$variant is not listed"
done
"$program" list variants --load out/square.sextant.so --json >files.txt 2>&1 || fail "the variants are not listed as JSON"
for row in 'serial.native.*"file":"square/serial.cpp"' 'openmp.simd.*"file":"square/openmp.cpp"' 'cuda.elementwise.*"file":"square/cuda.cu"'; do
  grep -q "$row" files.txt || fail "no row $row"
done
"$program" verify --load out/square.sextant.so --json >verify.txt 2>messages.txt || fail "square is not right"
grep -q '"openmp.simd"' verify.txt || fail "openmp.simd was not verified"

# Each file gets the compiler flags that the project itself uses for it.
cmake -S square -B out -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
role() { grep "\"command\".* -c [^ ]*/$1\"" out/compile_commands.json; }
role serial.cpp | grep -e '-DSEXTANT_BASELINE' | grep -q -- '-O2' || fail "the baseline is not compiled with -O2"
role serial.cpp | grep -ve '-DSEXTANT_BASELINE' | grep -q -- '-O3.*-march=' || fail "serial.native is not compiled for this processor"
role openmp.cpp | grep -q -- '-O3.*-march=.*-fopenmp' || fail "the OpenMP variants lack their flags"

# A wrong file name is an error instead of being ignored.
wrong() {  # wrong FILE WORDS
  cp square/openmp.cpp "square/$1"
  cmake -S square -B out >wrong.txt 2>&1 && fail "$1 is ignored"
  grep -q -- "$2" wrong.txt || fail "what is wrong with $1 is not said"
  rm "square/$1"
}
wrong threads.cpp '<model>.cpp'
wrong serial.more.cpp 'one serial.cpp'
echo "a folder outside the tree builds against a moved prefix, loads and verifies"
