#!/usr/bin/env bash
# oneDNN's ReLU of NaN is 0, its exp of NaN is infinity, and clip(-1, 1) of NaN is -1. tanh and square keep NaN.
# ReLU with a slope of 0.01 keeps it, too. So the usual slope of 0 decides. The guide's page on element-wise operations
# has formulas for x > 0 and for x <= 0, and no word on NaN.
# Why it matters: a layer that divides 0 by 0 feeds a ReLU, and every number after it is finite. A check of the last
# layer passes. A comparison with another library finds the difference in a later layer.
# Instead: check the input of each ReLU, or give ReLU a slope above 0 while checking.
# Versions: libdnnl2 and libdnnl-dev 2.6.3-1 (oneDNN 2.6.3). ONEDNN_MAX_CPU_ISA chooses the code for AVX2 or SSE4.1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
[ "$(uname -m)" = x86_64 ] || missing "this code of oneDNN is for x86-64"
grep -qw avx2 /proc/cpuinfo || missing "this processor has no AVX2"
packages=(libdnnl2=2.6.3-1 libdnnl-dev=2.6.3-1 libgomp1=12.2.0-14+deb12u1 ocl-icd-libopencl1=2.3.1-1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$lib

cat > nan.c << 'END'
#include <math.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>
static void must(dnnl_status_t status) {
  if (status != dnnl_success) exit(3);
}
static dnnl_engine_t engine;
static void apply(const char* name, dnnl_alg_kind_t operation, float alpha, float beta) {
  enum { count = 64 };
  float from[count], to[count];
  for (int i = 0; i < count; ++i) from[i] = NAN;
  const dnnl_dims_t shape = {count};
  dnnl_memory_desc_t memory;
  dnnl_eltwise_desc_t description;
  dnnl_primitive_desc_t choice;
  dnnl_primitive_t primitive;
  dnnl_memory_t source, target;
  dnnl_stream_t stream;
  must(dnnl_memory_desc_init_by_tag(&memory, 1, shape, dnnl_f32, dnnl_a));
  must(dnnl_eltwise_forward_desc_init(&description, dnnl_forward_inference, operation, &memory, alpha, beta));
  must(dnnl_primitive_desc_create(&choice, &description, NULL, engine, NULL));
  must(dnnl_primitive_create(&primitive, choice));
  must(dnnl_memory_create(&source, &memory, engine, from));
  must(dnnl_memory_create(&target, &memory, engine, to));
  must(dnnl_stream_create(&stream, engine, 0));
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}};
  must(dnnl_primitive_execute(primitive, stream, 2, arguments));
  must(dnnl_stream_wait(stream));
  printf("  %-18s %g\n", name, isnan(to[0]) ? NAN : to[0]);
}
int main(void) {
  must(dnnl_engine_create(&engine, dnnl_cpu, 0));
  apply("ReLU", dnnl_eltwise_relu, 0, 0);
  apply("ReLU, slope 0.01", dnnl_eltwise_relu, 0.01f, 0);
  apply("exp", dnnl_eltwise_exp, 0, 0);
  apply("clip(-1, 1)", dnnl_eltwise_clip, -1, 1);
  apply("tanh", dnnl_eltwise_tanh, 0, 0);
  apply("square", dnnl_eltwise_square, 0, 0);
}
END
gcc -I"$folder/root/usr/include" nan.c -o nan -L"$lib" -ldnnl
{
  for set in AVX2 SSE41; do
    echo "oneDNN 2.6.3, $set, of NaN"
    ONEDNN_MAX_CPU_ISA=$set ./nan
  done
} | tee found
diff found - << 'END' || changed "other operations keep NaN"
oneDNN 2.6.3, AVX2, of NaN
  ReLU               0
  ReLU, slope 0.01   nan
  exp                inf
  clip(-1, 1)        -1
  tanh               nan
  square             nan
oneDNN 2.6.3, SSE41, of NaN
  ReLU               0
  ReLU, slope 0.01   nan
  exp                inf
  clip(-1, 1)        -1
  tanh               nan
  square             nan
END
echo "as stated: ReLU, exp and clip make a number of NaN"
