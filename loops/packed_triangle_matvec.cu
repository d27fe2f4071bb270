/* sextant
name = "packed_triangle_matvec"
formula = "y = L x, L lower triangular and packed by rows"
types = ["double"]
sizes = { n = "sqrt(2 * N)" }
arrays = [
  { name = "l", role = "in", length = "n * (n + 1) / 2" },
  { name = "x", role = "in", length = "n" },
  { name = "y", role = "out", length = "n" },
]
reference = "serial.baseline"
tolerance = { absolute = "n * eps", reason = "the last row adds n products of at most 1" }

[variant."serial.baseline"]
function = "triangle"
arguments = ["n", "l", "x", "y"]

[variant."openmp.dynamic"]
function = "triangle_dynamic"
arguments = ["n", "l", "x", "y"]

[variant."cuda.rows"]
function = "triangle_rows"
arguments = ["n", "l", "x", "y"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
// A Cholesky factor times a vector of random numbers, to draw correlated samples. Row i has i + 1 numbers, so rows cost more and more.
#ifdef SEXTANT_MODEL_CUDA
__global__ void triangle_rows(long n, const double* l, const double* x, double* y) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double* row = l + i * (i + 1) / 2;
  double s = 0;
  for (long j = 0; j <= i; j++) s += row[j] * x[j];
  y[i] = s;
}
#else
void triangle(long n, const double* l, const double* x, double* y) {
  for (long i = 0; i < n; i++) {
    const double* row = l + i * (i + 1) / 2;
    double s = 0;
    for (long j = 0; j <= i; j++) s += row[j] * x[j];
    y[i] = s;
  }
}

void triangle_dynamic(long n, const double* l, const double* x, double* y) {
  #pragma omp parallel for schedule(dynamic, 16)
  for (long i = 0; i < n; i++) {
    const double* row = l + i * (i + 1) / 2;
    double s = 0;
    for (long j = 0; j <= i; j++) s += row[j] * x[j];
    y[i] = s;
  }
}
#endif
