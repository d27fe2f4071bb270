#!/usr/bin/env bash
# Tests by hand whether a kernel takes as long in a user folder as in the source tree. Copies kernels/triad to FOLDER under
# another name, builds it there and measures both in ROUNDS alternating rounds. Prints the ratio of their times, paired by
# round: device times on a GPU, otherwise call times. Exits with 1 if the median differs by 1 % or more.
#   folder_difference.sh SEXTANT FOLDER [ROUNDS [VARIANT [N]]]
#   e.g. tests/own/folder_difference.sh build/dev/bin/sextant /tmp/folder_triad 9 cuda.elementwise 64Mi
# ROUNDS 0 only builds. If FOLDER already holds the library, nothing is built, so it may be built on another machine. If that
# machine has no GPU, set CUDAARCHS=90-real there.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
sextant=$(realpath "$1") folder=$2 rounds=${3:-9} variant=${4:-cuda.elementwise} n=${5:-64Mi}
source=$(dirname "$(realpath "$0")")/../../kernels/triad
library=$folder/.sextant/folder_triad.sextant.so

if [ ! -f "$library" ]; then
  mkdir -p "$folder"
  cp "$source"/*.* "$folder"
  rm -f "$folder"/{openacc,target}.*  # these need another compiler and take long
  sed -i 's/triad_\(kernels\|serial\|openmp\|stdpar\|cuda\)/folder_triad_\1/' "$folder"/*.c*
  cat >"$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(folder_triad LANGUAGES CXX)
find_package(sextant REQUIRED)
sextant_add_kernels(folder_triad .)
END
  # The functions are named after their folder.
  [ "$(basename "$(realpath "$folder")")" = folder_triad ] || { echo "the folder is to be called folder_triad" >&2; exit 2; }
  "$sextant" list --load "$folder" --as folder_triad >/dev/null
fi
[ "$rounds" -gt 0 ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for round in $(seq "$rounds"); do
  "$sextant" run -q --load "$library" --as folder_triad -k 'triad|folder_triad' -v "$variant" -n "$n" --type float \
    --no-ceilings --no-transfers --visits 1 -o "$work/$round.sextant" >"$work/out.txt" 2>&1 || { cat "$work/out.txt" >&2; exit 1; }
  "$sextant" export "$work/$round.sextant" --format csv | awk -F, '
    NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    { time = $column["device_time_median"]; if (time == "") time = $column["call_time_median"]
      times[$column["kernel"]] = time }
    END { print times["folder_triad"] / times["triad"] }' >>"$work/ratios.txt"
done
sort -g "$work/ratios.txt" | awk -v what="$variant float $n" '
  { ratio[NR] = $1 }
  END { median = (ratio[int((NR + 1) / 2)] + ratio[int(NR / 2) + 1]) / 2
        printf "%s: folder over tree %.4f, %.4f to %.4f in %d rounds\n", what, median, ratio[1], ratio[NR], NR
        exit !(median > 0.99 && median < 1.01) }'
