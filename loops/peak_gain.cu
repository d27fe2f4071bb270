// Makes a recording as loud as 16 bits allow: find the loudest sample, then scale all samples by the same factor.
// Sound editors call it normalising; people who learn CUDA meet the two passes here.
/* sextant
name = "peak_gain"
formula = "peak = largest |x[i]|; loud[i] = round(32767 x[i] / peak)"
sizes = { n = "max(1, (N - 1) / 2)" }
arrays = [
  { name = "x", role = "in", length = "n", type = "float", fill = { low = -0.3, high = 0.25 } },
  { name = "peak", role = "out", length = 1, type = "float" },
  { name = "loud", role = "out", length = "n", type = "int16" },
]
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = 0, outliers = 0.001, reason = "the peak is exact; a sample near a half may be rounded to either side" }

[variant."serial.baseline"]
function = "amplify"
arguments = ["n", "x", "peak", "loud"]

[variant."openmp.two_loops"]
function = "amplify_threads"
arguments = ["n", "x", "peak", "loud"]

[variant."cuda.three_kernels"]
steps = [
  { function = "silence", arguments = ["peak"], block = [1], grid = [1] },
  { function = "find_peak", arguments = ["int(n)", "x", "peak"], block = [256], grid = ["ceil_div(n, 256)"] },
  { function = "scale", arguments = ["int(n)", "x", "peak", "loud"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
#if defined(SEXTANT_MODEL_CUDA)
__global__ void silence(float* peak) { *peak = 0.0f; }

__global__ void find_peak(int n, const float* x, float* peak) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // numbers that are not negative have the order of their bits
  if (i < n) atomicMax((int*)peak, __float_as_int(fabsf(x[i])));
}

__global__ void scale(int n, const float* x, const float* peak, short* loud) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float gain = *peak > 0.0f ? 32767.0f / *peak : 0.0f;
  loud[i] = (short)rintf(gain * x[i]);
}
#else
  #include <cmath>
void amplify(long n, const float* x, float* peak, short* loud) {
  float highest = 0.0f;
  for (long i = 0; i < n; ++i)
    if (std::fabs(x[i]) > highest) highest = std::fabs(x[i]);
  *peak = highest;
  const float gain = highest > 0.0f ? 32767.0f / highest : 0.0f;
  for (long i = 0; i < n; ++i) loud[i] = (short)std::rint(gain * x[i]);
}

void amplify_threads(long n, const float* x, float* peak, short* loud) {
  float highest = 0.0f;
  #pragma omp parallel for reduction(max : highest)
  for (long i = 0; i < n; ++i)
    if (std::fabs(x[i]) > highest) highest = std::fabs(x[i]);
  *peak = highest;
  const float gain = highest > 0.0f ? 32767.0f / highest : 0.0f;
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) loud[i] = (short)std::rint(gain * x[i]);
}
#endif
