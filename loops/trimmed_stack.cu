// Combines eight exposures of one field: each pixel's eight values are sorted, and the middle four averaged.
// An amateur astronomer would write it to be rid of satellites and cosmic rays.
/* sextant
name = "trimmed_stack"
formula = "out[i] = mean of the middle four of frames[0 .. 7][i]"
sizes = { pixels = "max(1, N / 9)" }
arrays = [
  { name = "frames", role = "in", length = "8 * pixels", type = "float", fill = { low = 0, high = 1 } },
  { name = "out", role = "out", length = "pixels", type = "float" },
]
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = "4 * eps", reason = "sorting is exact; then three roundings of sums up to 4, times 1/4, on both sides" }

[variant."serial.baseline"]
function = "combine"
arguments = ["pixels", "frames", "out"]

[variant."openmp.pixels"]
function = "combine_threads"
arguments = ["pixels", "frames", "out"]

[variant."cuda.pixels"]
function = "combine_kernel"
arguments = ["int(pixels)", "frames", "out"]
block = [256]
grid = ["ceil_div(pixels, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH void order(float& a, float& b) {
  if (b < a) {
    float t = a;
    a = b;
    b = t;
  }
}

// Eight rounds in which neighbours change places, even pairs and odd pairs in turn.
ON_BOTH float combined(long long pixels, const float* frames, long long i) {
  float v[8];
  for (int k = 0; k < 8; ++k) v[k] = frames[k * pixels + i];
  for (int round = 0; round < 4; ++round) {
    for (int k = 0; k < 7; k += 2) order(v[k], v[k + 1]);
    for (int k = 1; k < 7; k += 2) order(v[k], v[k + 1]);
  }
  return 0.25f * (v[2] + v[3] + v[4] + v[5]);
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void combine_kernel(int pixels, const float* frames, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels) out[i] = combined(pixels, frames, i);
}
#else
void combine(long long pixels, const float* frames, float* out) {
  for (long long i = 0; i < pixels; ++i) out[i] = combined(pixels, frames, i);
}

void combine_threads(long long pixels, const float* frames, float* out) {
  #pragma omp parallel for
  for (long long i = 0; i < pixels; ++i) out[i] = combined(pixels, frames, i);
}
#endif
