#!/usr/bin/env bash
# oneDNN's product of 8-bit integers is wrong by half on a processor with AVX2 and without VNNI.
# u8 times s8 uses sums of two products in 16 bits, and these saturate at 32767. Every number here fits into the
# 32-bit result. The same call is exact on a processor with VNNI.
# Why it matters: a comparison of two machines compares two different computations. A check on the newer machine passes.
# Instead: limit one operand to 7 bits, or check the result on the oldest processor in the comparison.
# Versions: libdnnl2 2.6.3-1 (oneDNN 2.6.3). ONEDNN_MAX_CPU_ISA makes any x86-64 processor take the older path.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
[ "$(uname -m)" = x86_64 ] || missing "this path of oneDNN is for x86-64"
grep -qw avx2 /proc/cpuinfo || missing "this processor has no AVX2"
packages=(libdnnl2=2.6.3-1 libdnnl-dev=2.6.3-1 libgomp1=12.2.0-14+deb12u1 ocl-icd-libopencl1=2.3.1-1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$lib

cat > product.c << 'END'
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
enum { k = 64 };  // one row times one column
int main(void) {
  unsigned char a[k];
  signed char b[k];
  int c = 0, none = 0, right = 0;
  for (int i = 0; i < k; ++i) a[i] = 255, b[i] = 127, right += a[i] * b[i];
  if (dnnl_gemm_u8s8s32('N', 'N', 'F', 1, 1, k, 1, a, k, 0, b, 1, 0, 0, &c, 1, &none) != dnnl_success) return 1;
  const dnnl_version_t* v = dnnl_version();
  printf("oneDNN %d.%d.%d: %d, right is %d\n", v->major, v->minor, v->patch, c, right);
}
END
gcc -O1 -I"$folder/root/usr/include" product.c -o product -L"$lib" -ldnnl
for level in AVX2 AVX512_CORE_VNNI; do
  echo "at most $level: $(ONEDNN_MAX_CPU_ISA=$level ./product)"
done
found=$(ONEDNN_MAX_CPU_ISA=AVX2 ./product)
[[ $found == *": 1048544, right is 2072640" ]] || changed "the product by AVX2 is no longer cut off: $found"
echo "as stated: by AVX2 the sum is 32 times 32767, half of what is right"
