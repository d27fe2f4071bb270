#!/usr/bin/env bash
# Tests that the folders of examples/own are right in both types at odd sizes and shapes, and that a planted
# bug makes them wrong.
# Usage: own_examples_test.sh PROGRAM SOURCE WORK
set -euo pipefail
program=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fail() { echo "$1"; tail -n 40 ./*.txt; exit 1; }

export CMAKE_GENERATOR=Ninja
command -v ninja >/dev/null || unset CMAKE_GENERATOR
package=$(find "$(dirname "$program")/.." -name sextantConfig.cmake -not -path '*/generated/*' -not -path '*/tests/*' | head -n 1)
for folder in matrix_product row_sums; do  # without CUDA, which compiles slowly; the commands in docs/how-to/own-kernel.md compile it
  mkdir $folder
  cp "$source"/examples/own/$folder/*.* $folder
  cmake -S $folder -B $folder/.sextant -DSEXTANT_CUDA=OFF -Dsextant_DIR="$(dirname "$package")" >configure.txt 2>&1 ||
    fail "$folder does not configure"
done

right() {  # right FOLDER SIZES VARIANT…
  local folder=$1 sizes=$2 type variant
  shift 2
  for type in float double; do
    "$program" verify --load "$folder" -n "$sizes" --type $type --json >verify.txt 2>messages.txt || fail "$folder is not right in $type"
    for variant in "$@"; do
      grep -q "\"variant\":\"$variant\",\"passed\":[1-9][0-9]*,\"failed\":0" verify.txt || fail "$folder $variant was not checked in $type"
    done
  done
}
wrong() {  # wrong FOLDER FILE VARIANT FROM TO ELEMENT
  grep -qF -- "$4" "$1/$2" || fail "$1/$2 has lost: $4"
  cp "$1/$2" kept.txt
  sed -i "s/$4/$5/" "$1/$2"
  if "$program" verify --load "$1" -v "$3" -n 4099 >planted.txt 2>messages.txt; then fail "$1/$2 with $5 passes"; fi
  grep -q "$6" planted.txt || fail "$1/$2 with $5: no element is named"
  mv kept.txt "$1/$2"
}
right matrix_product 3,97,4099,100x37x53,1x5x2 serial.baseline openmp.rows
wrong matrix_product openmp.cpp openmp.rows 'k < end;' 'k < end - 1;' 'c\['
wrong matrix_product serial.cpp serial.baseline 'k < z;' 'k < z - 1;' 'c\['

openacc="openacc.rows openacc.walk"
listed=$("$program" list variants --load row_sums)
"$program" verify --load row_sums -n 3 --type float --json >verify.txt 2>messages.txt || fail "row_sums is not right"
if grep -q 'openacc.rows.*left out' <<<"$listed" || grep -q '"openacc.rows".*not in this build' verify.txt; then openacc=; fi
right row_sums 3,97,4099,100x37,1x5 serial.baseline $openacc
if [ -n "$openacc" ]; then
  wrong row_sums openacc.cpp openacc.rows 'x < w;' 'x < w - 1;' 's\['
  wrong row_sums openacc.cpp openacc.walk 'y < h;' 'y < h - 1;' 's\['
else
  echo "there is no OpenACC compiler, or none was there for the program: its variants are left out"
fi
echo "the example folders are right, and planted bugs are wrong"
