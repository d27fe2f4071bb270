// Heat in a rod by Heun's method: a first guess of the next temperatures, then the mean of the slopes before and after.
// A predictor and a corrector, as in a course on numerical methods; the ends of the rod keep their temperature.
/* sextant
name = "heun_rod"
formula = "guess = u + r lap u; next = u + r / 2 (lap u + lap guess)"
types = ["double", "float"]
sizes = { n = "max(1, N / 3)" }
arrays = [
  { name = "u", role = "in", length = "n", fill = { low = 0, high = 1 } },
  { name = "guess", role = "out", length = "n" },
  { name = "next", role = "out", length = "n" },
]
scalars = { r = 0.25 }
work = { flops = "4 * n + 8 * n", items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "24 * eps", reason = "about ten roundings of numbers up to 4, times a quarter" }

[variant."serial.baseline"]
function = "heun"
arguments = ["n", "r", "u", "guess", "next"]

[variant."openmp.two_loops"]
function = "heun_threads"
arguments = ["n", "r", "u", "guess", "next"]

[variant."cuda.two_kernels"]
steps = [
  { function = "predict<T>", arguments = ["int(n)", "r", "u", "guess"], block = [256], grid = ["ceil_div(n, 256)"] },
  { function = "correct<T>", arguments = ["int(n)", "r", "u", "guess", "next"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
#ifdef SEXTANT_MODEL_CUDA
template <typename U>
__global__ void predict(int n, U r, const U* u, U* guess) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1)
    guess[i] = u[i];
  else
    guess[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

template <typename U>
__global__ void correct(int n, U r, const U* u, const U* guess, U* next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1)
    next[i] = u[i];
  else
    next[i] = u[i] + r / 2 * (u[i - 1] - 2 * u[i] + u[i + 1] + guess[i - 1] - 2 * guess[i] + guess[i + 1]);
}
#else
void heun(long n, T r, const T* u, T* guess, T* next) {
  guess[0] = next[0] = u[0];
  guess[n - 1] = next[n - 1] = u[n - 1];
  for (long i = 1; i < n - 1; i++) guess[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
  for (long i = 1; i < n - 1; i++)
    next[i] = u[i] + r / 2 * (u[i - 1] - 2 * u[i] + u[i + 1] + guess[i - 1] - 2 * guess[i] + guess[i + 1]);
}

void heun_threads(long n, T r, const T* u, T* guess, T* next) {
  guess[0] = next[0] = u[0];
  guess[n - 1] = next[n - 1] = u[n - 1];
  #pragma omp parallel for
  for (long i = 1; i < n - 1; i++) guess[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
  #pragma omp parallel for
  for (long i = 1; i < n - 1; i++)
    next[i] = u[i] + r / 2 * (u[i - 1] - 2 * u[i] + u[i + 1] + guess[i - 1] - 2 * guess[i] + guess[i + 1]);
}
#endif
