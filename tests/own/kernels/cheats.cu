// CUDA variants that skip their work in the timed launches. Each block keeps its own state.
// No variant leaves work on another stream: a described variant is one launch of one function,
// and the call waits for the end of that launch.
/* sextant
name = "costly"
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "a", role = "in", length = "n" }, { name = "c", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { absolute = "8 * eps", reason = "roundings of numbers up to 2, each halved in the next step" }
include = ["../../helpers"]
work = { flops = "128 * n", items = "n" }

[variant."serial.baseline"]
function = "loop"
arguments = ["n", "a", "c"]

[variant."cuda.honest"]
function = "honest"
arguments = ["int(n)", "a", "c"]
block = ["256"]
grid = ["ceil_div(n, 256)"]

[variant."cuda.already_there"]
function = "already_there"
arguments = ["int(n)", "a", "c"]
block = ["256"]
grid = ["ceil_div(n, 256)"]

[variant."cuda.recognises"]
function = "recognises"
arguments = ["int(n)", "a", "c"]
block = ["256"]
grid = ["ceil_div(n, 256)"]

[variant."cuda.computes_twice"]
function = "computes_at_first<2>"
arguments = ["int(n)", "a", "c"]
block = ["256"]
grid = ["ceil_div(n, 256)"]

[variant."cuda.keeps_its_first"]
function = "computes_at_first<1>"
arguments = ["int(n)", "a", "c"]
block = ["256"]
grid = ["ceil_div(n, 256)"]

[variant."cuda.writes_rubbish"]
function = "writes_rubbish"
arguments = ["int(n)", "a", "c"]
block = ["256"]
grid = ["ceil_div(n, 256)"]
*/
#include "costly.hpp"

using namespace cheating;

#if defined(SEXTANT_MODEL_CUDA)
constexpr int most_blocks = 1 << 12;
__device__ T answers[most_blocks * 256];
__device__ T keys[most_blocks];
__device__ int sizes[most_blocks], launches[most_blocks];

__global__ void honest(int n, const T* a, T* c) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) c[i] = costly(a[i]);
}

__global__ void already_there(int n, const T* a, T* c) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && !is_written(c[i])) c[i] = costly(a[i]);
}

// Copies the stored answer, or computes and stores it first.
__device__ void answer(bool is_kept, int n, const T* a, T* c, int steps = costly_steps) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  if (!is_kept) answers[i] = costly(a[i], steps);
  c[i] = answers[i];
}

// This variant recognises its inputs and is right on fresh ones. Audits (timed calls on fresh inputs) detect
// it by time, because the work takes ten times as long as a launch.
__global__ void recognises(int n, const T* a, T* c) {
  const T key = a[blockIdx.x * 256] + 2;  // 0 means that no key is stored yet
  const bool is_known = keys[blockIdx.x] == key && sizes[blockIdx.x] == n;
  __syncthreads();
  if (threadIdx.x == 0) keys[blockIdx.x] = key, sizes[blockIdx.x] = n;
  answer(is_known, n, a, c, 4096 * costly_steps);
}

template <int honest_launches>
__global__ void computes_at_first(int n, const T* a, T* c) {
  const int before = sizes[blockIdx.x] == n ? launches[blockIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x == 0) launches[blockIdx.x] = before + 1, sizes[blockIdx.x] = n;
  answer(before >= honest_launches, n, a, c);
}

__global__ void writes_rubbish(int n, const T* a, T* c) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) c[i] = i % 2 && is_written(c[i]) ? T(7) : costly(a[i]);
}
#else
void loop(long n, const T* a, T* c) {
  for (long i = 0; i < n; ++i) c[i] = costly(a[i]);
}
#endif
