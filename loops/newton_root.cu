// The real root of x^3 + p x = q for many p and q, by Newton's method until a step is tiny; easy ones end early.
// Equations of state and orbits need such roots in every cell or for every body.
/* sextant
name = "newton_root"
formula = "x[i] solves x^3 + p x = q; rounds[i] Newton steps are counted"
sizes = { n = "max(1, N / 4)" }
arrays = [
  { name = "p", role = "in", length = "n", type = "double", fill = { low = 0.5, high = 5 } },
  { name = "q", role = "in", length = "n", type = "double", fill = { low = -1000, high = 1000 } },
  { name = "x", role = "out", length = "n", type = "double" },
  { name = "rounds", role = "out", length = "n", type = "int" },
]
reference = "serial.baseline"
tolerance = { relative = "64 * eps", absolute = "64 * eps", outliers = 0.001, reason = "the last step is below 1e-9 and the next would be below a rounding; a step just at the limit may count one round more" }

[variant."serial.baseline"]
function = "roots"
arguments = ["n", "p", "q", "x", "rounds"]

[variant."openmp.guided"]
function = "roots_threads"
arguments = ["n", "p", "q", "x", "rounds"]

[variant."cuda.equations"]
function = "roots_kernel"
arguments = ["int(n)", "p", "q", "x", "rounds"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #include <cmath>
  #define ON_BOTH static inline
#endif

ON_BOTH double root_of(double p, double q, int* rounds) {
  double x = q / p;  // right for small q, far too large for large q
  int count = 0;
  while (count < 100) {
    const double step = (x * x * x + p * x - q) / (3.0 * x * x + p);
    x -= step;
    ++count;
    if (fabs(step) < 1e-9) break;
  }
  *rounds = count;
  return x;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void roots_kernel(int n, const double* p, const double* q, double* x, int* rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = root_of(p[i], q[i], &rounds[i]);
}
#else
void roots(long n, const double* p, const double* q, double* x, int* rounds) {
  for (long i = 0; i < n; ++i) x[i] = root_of(p[i], q[i], &rounds[i]);
}

void roots_threads(long n, const double* p, const double* q, double* x, int* rounds) {
  #pragma omp parallel for schedule(guided)
  for (long i = 0; i < n; ++i) x[i] = root_of(p[i], q[i], &rounds[i]);
}
#endif
