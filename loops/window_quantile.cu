/* sextant
name = "window_quantile"
formula = "out[i] = fourth smallest of x[i .. i + 15)"
sizes = { n = "max(1, (N - 14) / 2)" }
arrays = [
  { name = "x", role = "in", length = "n + 14", type = "int16" },
  { name = "out", role = "out", length = "n", type = "int16" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "lower_quartile"
arguments = ["n", "x", "out"]

[variant."openmp.windows"]
function = "lower_quartile_threads"
arguments = ["n", "x", "out"]

[variant."cuda.windows"]
function = "lower_quartile_kernel"
arguments = ["int(n)", "x", "out"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
// Running lower quartile of a sensor's 16-bit samples, windows of 15, sorted by insertion.
// A lab assistant uses it as a base line below noisy peaks.
#ifdef SEXTANT_MODEL_CUDA
__device__
#else
static inline
#endif
    short
    fourth_smallest(const short* x) {
  short sorted[15];
  for (int k = 0; k < 15; k++) {
    short value = x[k];
    int place = k;
    while (place > 0 && sorted[place - 1] > value) {
      sorted[place] = sorted[place - 1];
      place--;
    }
    sorted[place] = value;
  }
  return sorted[3];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void lower_quartile_kernel(int n, const short* x, short* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fourth_smallest(x + i);
}
#else
void lower_quartile(long n, const short* x, short* out) {
  for (long i = 0; i < n; i++) out[i] = fourth_smallest(x + i);
}

void lower_quartile_threads(long n, const short* x, short* out) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) out[i] = fourth_smallest(x + i);
}
#endif
