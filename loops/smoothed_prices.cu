/* sextant
name = "smoothed_prices"
formula = "smooth[s][d] = alpha * price[s][d] + (1 - alpha) * smooth[s][d - 1], 250 days of each series"
types = ["float", "double"]
sizes = { series = "max(1, N / 500)" }
arrays = [
  { name = "price", role = "in", length = "250 * series", fill = { low = 20, high = 120 } },
  { name = "smooth", role = "out", length = "250 * series" },
]
scalars = { alpha = 0.125 }
work = { flops = "3 * 250 * series" }
reference = "serial.baseline"
tolerance = { relative = "32 * eps", reason = "positive terms; each day's three roundings fade by 7/8 a day, so about 24 of them remain" }

[variant."serial.baseline"]
function = "smooth_all"
arguments = ["series", "alpha", "price", "smooth"]

[variant."openmp.series"]
function = "smooth_all_threads"
arguments = ["series", "alpha", "price", "smooth"]

[variant."cuda.series"]
function = "smooth_kernel<T>"
arguments = ["int(series)", "alpha", "price", "smooth"]
block = [64]
grid = ["ceil_div(series, 64)"]
*/
// Exponential moving average of a trading year, one share after the other. Each day needs the day before, so only the shares
// are independent. People who follow prices write it in the first week.
#define DAYS 250
#if defined(SEXTANT_MODEL_CUDA)
template <typename U>
__global__ void smooth_kernel(int series, U alpha, const U* price, U* smooth) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= series) return;
  const U* p = price + (long long)s * DAYS;
  U* out = smooth + (long long)s * DAYS;
  U mean = p[0];
  out[0] = mean;
  for (int d = 1; d < DAYS; ++d) {
    mean = alpha * p[d] + (1 - alpha) * mean;
    out[d] = mean;
  }
}
#else
void smooth_all(long series, T alpha, const T* price, T* smooth) {
  for (long s = 0; s < series; ++s) {
    const T* p = price + s * DAYS;
    T* out = smooth + s * DAYS;
    out[0] = p[0];
    for (int d = 1; d < DAYS; ++d) out[d] = alpha * p[d] + (1 - alpha) * out[d - 1];
  }
}

void smooth_all_threads(long series, T alpha, const T* price, T* smooth) {
  #pragma omp parallel for
  for (long s = 0; s < series; ++s) {
    const T* p = price + s * DAYS;
    T* out = smooth + s * DAYS;
    out[0] = p[0];
    for (int d = 1; d < DAYS; ++d) out[d] = alpha * p[d] + (1 - alpha) * out[d - 1];
  }
}
#endif
