#!/usr/bin/env bash
# g++ 12 does not vectorise arithmetic on _Float16, not even with AVX-512, unless the processor has AVX512-FP16.
# Scalar instructions convert each element to float, multiply, round back, convert, add and round back. Without -march
# these are six function calls. Packed conversions of eight elements have existed since AVX2.
# With AVX512-FP16 the same line is one fused, packed instruction, which rounds once. So its results differ as well.
# Why it matters: half precision on the CPU is slow because of the compiler, not the hardware. Machines differ in results.
# Instead: keep the data as 16 bits, convert with _mm256_cvtph_ps, compute in float, convert back.
# Versions: g++ 12.2.0 (checked below). The program is compiled and not run.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
[ "$(uname -m)" = x86_64 ] || missing "these are x86-64's instructions"
[ "$(g++ -dumpfullversion 2> /dev/null || true)" = 12.2.0 ] || missing "the compiler is not g++ 12.2.0"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > line.cpp << 'END'
void axpy(int n, _Float16 s, const _Float16* __restrict x, _Float16* __restrict y) {
  for (int i = 0; i < n; ++i) y[i] = s * x[i] + y[i];
}
END
cat > by-hand.cpp << 'END'
#include <immintrin.h>
void axpy(int n, float s, const unsigned short* __restrict x, unsigned short* __restrict y) {  // n: a multiple of 8
  for (int i = 0; i < n; i += 8) {
    const __m256 a = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)(x + i)));
    const __m256 b = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)(y + i)));
    _mm_storeu_si128((__m128i*)(y + i), _mm256_cvtps_ph(_mm256_fmadd_ps(_mm256_set1_ps(s), a, b), 0));
  }
}
END
yes_no() { if [ "$1" -gt 0 ]; then echo yes; else echo no; fi; }
look() {  # file, -march: what its assembler has
  g++ -O3 -ffast-math -march="$2" -S "$1" -o text.s
  local calls packed scalar fused
  calls=$(grep -cE 'call.*(extendhfsf2|truncsfhf2)' text.s || true)
  packed=$(grep -cE 'vcvt(ph2ps|ps2ph).*%[yz]mm|ph[[:space:]].*%[yz]mm' text.s || true)
  scalar=$(grep -cE 'vcvt(ph2ps|ps2ph)[^yz]*$' text.s || true)
  fused=$(grep -cE 'vfm?add[0-9]+ph' text.s || true)
  echo "$1 for $2: $calls calls, $scalar scalar conversions, packed: $(yes_no "$packed"), half fused: $(yes_no "$fused")"
}
{
  for level in x86-64 x86-64-v3 x86-64-v4 sapphirerapids; do look line.cpp $level; done
  look by-hand.cpp x86-64-v3
} | tee found
diff found - << 'END' || changed "g++ 12.2.0 makes other code"
line.cpp for x86-64: 6 calls, 0 scalar conversions, packed: no, half fused: no
line.cpp for x86-64-v3: 0 calls, 6 scalar conversions, packed: no, half fused: no
line.cpp for x86-64-v4: 0 calls, 6 scalar conversions, packed: no, half fused: no
line.cpp for sapphirerapids: 0 calls, 0 scalar conversions, packed: yes, half fused: yes
by-hand.cpp for x86-64-v3: 0 calls, 0 scalar conversions, packed: yes, half fused: no
END
echo "as stated: one element at a time, but for AVX512-FP16"
