/* sextant
name = "matvec_rows"
formula = "y = A x, A square, row after row"
types = ["double"]
sizes = { n = "sqrt(N)" }
arrays = [
  { name = "a", role = "in", length = "n * n" },
  { name = "x", role = "in", length = "n" },
  { name = "y", role = "out", length = "n" },
]
work = { flops = "2 * n * n" }
reference = "serial.baseline"
tolerance = { absolute = "n * eps", reason = "each result is a sum of n products of at most 1" }

[variant."serial.baseline"]
function = "matvec"
arguments = ["int(n)", "a", "x", "y"]

[variant."openmp.rows"]
function = "matvec"
arguments = ["int(n)", "a", "x", "y"]

[variant."cuda.thread_per_row"]
function = "matvec_kernel"
arguments = ["int(n)", "a", "x", "y"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
// Dense matrix times vector, stored by rows as in C. The first exercise of a numerical course: one thread takes one row.
#ifdef SEXTANT_MODEL_CUDA
__global__ void matvec_kernel(int n, const double* a, const double* x, double* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  double sum = 0.0;
  for (int col = 0; col < n; col++) sum += a[(size_t)row * n + col] * x[col];
  y[row] = sum;
}
#else
  #include <cstddef>
void matvec(int n, const double* a, const double* x, double* y) {
  #pragma omp parallel for
  for (int row = 0; row < n; row++) {
    double sum = 0.0;
    for (int col = 0; col < n; col++) sum += a[(size_t)row * n + col] * x[col];
    y[row] = sum;
  }
}
#endif
