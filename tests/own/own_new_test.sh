#!/usr/bin/env bash
# Tests `sextant new NAME` and `--load FOLDER` as a user runs them: own_new_test.sh PROGRAM WORK
set -euo pipefail
program=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fail() { echo "$1"; tail -n 40 ./*.txt; exit 1; }
refused() {  # refused WORDS COMMAND…
  local words=$1
  shift
  if "$@" >refused.txt 2>&1; then fail "not refused: $*"; fi
  tr -s ' \n' ' ' <refused.txt | grep -q -- "$words" || fail "another message than: $words"  # CMake breaks lines
}

"$program" new mine 2>new.txt
grep -q 'sextant verify --load mine' new.txt || fail "the next command is not said"
for file in CMakeLists.txt kernel.cpp serial.cpp openmp.cpp cuda.cu; do
  [ -s mine/$file ] || fail "no mine/$file"
done
[ "$(ls -A mine | wc -l)" = 5 ] || fail "more files than these: $(ls -A mine)"
if grep -q square mine/*; then fail "the example's name is left"; fi
refused 'exists already' "$program" new mine
refused 'is not a valid kernel name' "$program" new 2fast
refused 'this build already has a kernel `triad`' "$program" new triad
printf '__global__ void twice(int n, float* x) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n' >twice.cu
cp twice.cu kept.cu
mkdir twice.cu.partial  # blocks the temporary file that is written first
refused 'twice.cu.partial is a directory' "$program" new twice.cu
cmp twice.cu kept.cu || fail "a source whose description cannot be written is another now"
rmdir twice.cu.partial
printf '\xef\xbb\xbf' | cat - kept.cu >twice.cu  # adds a byte order mark
chmod 640 twice.cu
ln twice.cu same.cu
ln -s twice.cu link.cu
"$program" new link.cu 2>new.txt
[ -L link.cu ] && [ twice.cu -ef same.cu ] && [ "$(stat -c %a twice.cu)" = 640 ] || fail "a source's links or mode are others now"
[ ! -e twice.cu.partial ] || fail "a copy is left"
tail -n 1 twice.cu | cmp - kept.cu || fail "a described source has a byte order mark within"
refused 'link.cu already has a description' "$program" new link.cu

# A host function that prevents the file from loading is left out with the reason.
{
  echo '__global__ void doubled(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }'
  echo 'void on_host(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= two(); }'
} >lonely.cu
"$program" new lonely.cu 2>new.txt
grep -q '^# left out: on_host: .*compile' lonely.cu || fail "why a function is left out is not said: $(cat lonely.cu)"
grep -q '^reference = { file = "lonely_reference.cpp"' lonely.cu || fail "no reference is asked for"
mkdir empty
refused 'empty has no CMakeLists.txt' "$program" list --load empty

# A folder of the older format with one file per variant is refused, with the lines to change.
mkdir earlier
sed 's/mine/earlier/g' mine/CMakeLists.txt >earlier/CMakeLists.txt
sed 's/mine/earlier/g; s/^  return {kernel};/  kernel.study = {};\n&/' mine/kernel.cpp >earlier/kernel.cpp
for variant in serial.baseline serial.native openmp.simd library.openblas; do
  cat >earlier/$variant.cpp <<END
// sizes: large
#include "suite/variant.hpp"

namespace sextant {

Variant earlier_${variant/./_}() {
  Variant variant;
  variant.home = Home::host;
  variant.aside = true;
  return variant;
}

}  // namespace sextant
END
done
printf '// a header\ninline bool whole(const sextant::Call& call) { return !call.ranks && call.arrays[0]; }\n' >earlier/whole.hpp
refused 'earlier has the form of an earlier Sextant' "$program" verify --load earlier
for said in 'files: serial.baseline.cpp, serial.native.cpp' 'files: library.openblas.cpp' 'openmp.simd.cpp:6: Variant earlier_openmp_simd() {' \
  'openmp.simd.cpp:1: // sizes: large' 'openmp.simd.cpp:8: variant.home = Home::host;' 'openmp.simd.cpp:9: variant.aside = true;' \
  'whole.hpp:2: inline bool whole.*call.ranks' 'kernel.cpp:[0-9]*: kernel.study' 'write MemorySpace for Home' 'write call.address(i)'; do
  grep -q -- "$said" refused.txt || fail "not said: $said"
done

# Models that take long to compile are left out. CMake options that the user set stay.
export CMAKE_GENERATOR=Ninja
command -v ninja >/dev/null || unset CMAKE_GENERATOR
package=$(find "$(dirname "$program")/.." -name sextantConfig.cmake -not -path '*/generated/*' -not -path '*/tests/*' | head -n 1)
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$(dirname "$program")/../CMakeCache.txt")  # the compiler of the program
CXX=$compiler cmake -S mine -B mine/.sextant -DSEXTANT_CUDA=OFF -DSEXTANT_OPENACC=OFF -Dsextant_DIR="$(dirname "$package")" >by_hand.txt 2>&1 ||
  fail "mine does not configure by hand"
"$program" verify --load mine --json >verify.txt 2>messages.txt || fail "mine does not verify"
for variant in serial.baseline serial.native openmp.simd; do
  grep -q "\"kernel\":\"mine\",\"variant\":\"$variant\",\"passed\":[1-9][0-9]*,\"failed\":0" verify.txt || fail "$variant is not right"
done
"$program" list --load mine --json >list.txt
grep -q '"group":"own"' list.txt || fail "its group is not own"

# Unchanged files are not built again, changed files are, and an error is shown with its position.
before=$(stat -c %y mine/.sextant/mine.sextant.so)
"$program" list --load mine/ >/dev/null
[ "$before" = "$(stat -c %y mine/.sextant/mine.sextant.so)" ] || fail "built again though nothing changed"
sed -i 's/c\[i\] = b\[i\] \* b\[i\];/c[i] = b[i] * b[i] * 2;/' mine/openmp.cpp
if "$program" verify --load mine -v openmp -n 1000 >wrong.txt 2>&1; then fail "the changed variant was not built"; fi
grep -q 'wrong' wrong.txt || fail "the changed variant is not wrong"
sed -i 's/const T\* b/const T* bb/' mine/openmp.cpp
refused 'openmp.cpp:' "$program" verify --load mine
grep -q 'mine does not build' refused.txt || fail "what failed is not said"
echo "sextant new writes a folder that builds, verifies and says what is wrong"
