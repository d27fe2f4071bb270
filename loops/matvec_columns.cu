/* sextant
name = "matvec_columns"
formula = "y = A x, A of m x 48, column after column"
types = ["float"]
sizes = { m = "(N - 48) / 49" }
arrays = [
  { name = "A", role = "in", length = "48 * m" },
  { name = "x", role = "in", length = 48 },
  { name = "y", role = "out", length = "m" },
]
work = { flops = "2 * 48 * m" }
reference = "serial.baseline"
tolerance = { absolute = "48 * eps", reason = "48 products of at most 1, summed" }

[variant."serial.baseline"]
function = "gemv_columns"
arguments = ["m", "A", "x", "y"]

[variant."openmp.rows"]
function = "gemv_rows"
arguments = ["m", "A", "x", "y"]

[variant."cuda.rows"]
function = "gemv_kernel"
arguments = ["m", "A", "x", "y"]
block = ["block_size"]
grid = ["ceil_div(m, block_size)"]
tune = { block_size = [256, 128, 512] }
*/
// A tall matrix with 48 columns stored as Fortran does, times a short vector: a linear model evaluated for many samples.
#define COLS 48
#ifdef SEXTANT_MODEL_CUDA
__global__ void gemv_kernel(long long m, const T* A, const T* x, T* y) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < m) {
    T s = 0;
    for (int j = 0; j < COLS; ++j) s += A[j * m + i] * x[j];
    y[i] = s;
  }
}
#else
// by columns, so that memory is read in order
void gemv_columns(long long m, const T* A, const T* x, T* y) {
  for (long long i = 0; i < m; ++i) y[i] = 0;
  for (int j = 0; j < COLS; ++j)
    for (long long i = 0; i < m; ++i) y[i] += A[j * m + i] * x[j];
}

// rows outside, so that no two threads write the same y
void gemv_rows(long long m, const T* A, const T* x, T* y) {
  #pragma omp parallel for
  for (long long i = 0; i < m; ++i) {
    T s = 0;
    for (int j = 0; j < COLS; ++j) s += A[j * m + i] * x[j];
    y[i] = s;
  }
}
#endif
