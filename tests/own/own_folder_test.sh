#!/usr/bin/env bash
# The example of CONTRIBUTING.md as a folder outside the tree, built against an installed copy that was moved, loaded
# and verified: own_folder_test.sh BUILD SOURCE WORK
set -euo pipefail
build=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
program=$work/moved/bin/sextant

# A line that is only `kernels/…` in back quotes names the fenced block that follows it.
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
for variant in serial.baseline openmp.simd 'left out: switched off'; do
  grep -q "$variant" variants.txt || fail "$variant is not listed"
done
"$program" verify --load out/square.sextant.so --json >verify.txt 2>messages.txt || fail "square is not right"
grep -q '"openmp.simd"' verify.txt || fail "openmp.simd was not verified"

# The flags by role are the project's own.
cmake -S square -B out -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
role() { grep "\"command\".* -c [^ ]*$1\"" out/compile_commands.json; }
role serial.baseline.cpp | grep -q -- '-O2' || fail "the baseline is not compiled with -O2"
role openmp.simd.cpp | grep -q -- '-O3.*-march=.*-fopenmp' || fail "the OpenMP variant lacks its flags"

# A mistake in a file's name is said, not passed over.
cp square/openmp.simd.cpp square/threads.simd.cpp
cmake -S square -B out >wrong.txt 2>&1 && fail "a file that no model claims is ignored"
grep -q '<model>.<name>.cpp' wrong.txt || fail "the mistake is not named"
echo "a folder outside the tree builds against a moved prefix, loads and verifies"
