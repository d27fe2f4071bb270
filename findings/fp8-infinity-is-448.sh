#!/usr/bin/env bash
# CUDA's 8-bit floats convert infinity to 448, and 10^30 as well; only NaN is kept.
# The types' constructors saturate to the largest finite number. e4m3 has no infinity, but e5m2 has one, and its
# constructor gives 57344 all the same. A half or bfloat16 made from the same number is infinite.
# Why it matters: a kernel that overflows passes every check for finite numbers if its result is an 8-bit float.
# Its precision also seems good if the reference is converted in the same way.
# Instead: convert with __NV_NOSAT while checking (overflow is then NaN in e4m3, infinity in e5m2), or check before.
# Versions: cuda_fp8.h of CUDA 13.0 (checked below), on the host. No GPU is used.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
nvcc=${CUDACXX:-nvcc}
command -v "$nvcc" > /dev/null || missing "there is no nvcc (CUDACXX names one)"
[[ $("$nvcc" --version) == *"release 13.0,"* ]] || missing "nvcc is not of CUDA 13.0"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > convert.cu << 'END'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>
int main() {
  for (const float x : {1e30f, INFINITY, NAN}) {
    const __nv_fp8_e4m3 narrow(x);
    const __nv_fp8_e5m2 wide(x);
    __nv_fp8_e4m3 narrow_unbounded;
    __nv_fp8_e5m2 wide_unbounded;
    narrow_unbounded.__x = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3);
    wide_unbounded.__x = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2);
    std::printf("%g: e4m3 %g, e5m2 %g, half %g, bfloat16 %g; not saturated: e4m3 %g, e5m2 %g\n", x, float(narrow), float(wide),
                float(__half(x)), float(__nv_bfloat16(x)), float(narrow_unbounded), float(wide_unbounded));
  }
}
END
"$nvcc" -std=c++17 -arch=sm_90 convert.cu -o convert
echo "CUDA 13.0"
./convert | tee found
diff found - << 'END' || changed "conversions to 8-bit floats give other numbers"
1e+30: e4m3 448, e5m2 57344, half inf, bfloat16 1.00026e+30; not saturated: e4m3 nan, e5m2 inf
inf: e4m3 448, e5m2 57344, half inf, bfloat16 inf; not saturated: e4m3 nan, e5m2 inf
nan: e4m3 nan, e5m2 nan, half nan, bfloat16 nan; not saturated: e4m3 nan, e5m2 nan
END
echo "as stated: overflow is finite in 8 bits, unless it is asked not to be"
