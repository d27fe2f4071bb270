// Product of a sparse matrix and a vector, twelve entries in each row, kept slot after slot (ELLPACK).
// The layout that papers on sparse matrices recommend for GPUs when all rows are equally long.
/* sextant
name = "ellpack_matvec"
formula = "y[r] = sum of value[k][r] x[column[k][r]], k = 0 .. 11"
types = ["float"]
sizes = { rows = "N / 26" }
arrays = [
  { name = "column", role = "in", length = "12 * rows", type = "int", fill = { low = 0, high = "rows" } },
  { name = "value", role = "in", length = "12 * rows" },
  { name = "x", role = "in", length = "rows" },
  { name = "y", role = "out", length = "rows" },
]
work = { flops = "24 * rows", items = "rows" }
reference = "serial.baseline"
tolerance = { absolute = "80 * eps", reason = "twelve products of at most 1, rounded at sums of at most 12" }

[variant."serial.baseline"]
function = "multiply"
arguments = ["int(rows)", "column", "value", "x", "y"]

[variant."openmp.rows"]
function = "multiply_threads"
arguments = ["int(rows)", "column", "value", "x", "y"]

[variant."cuda.rows"]
function = "multiply_kernel"
arguments = ["int(rows)", "column", "value", "x", "y"]
block = ["block_size"]
grid = ["ceil_div(rows, block_size)"]
tune = { block_size = [256, 128, 512] }
*/
#ifdef SEXTANT_MODEL_CUDA
__global__ void multiply_kernel(int rows, const int* column, const T* value, const T* x, T* y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  T sum = 0;
  for (int k = 0; k < 12; k++) sum += value[k * rows + r] * x[column[k * rows + r]];
  y[r] = sum;
}
#else
void multiply(int rows, const int* column, const T* value, const T* x, T* y) {
  for (int r = 0; r < rows; r++) {
    T sum = 0;
    for (int k = 0; k < 12; k++) sum += value[k * rows + r] * x[column[k * rows + r]];
    y[r] = sum;
  }
}

void multiply_threads(int rows, const int* column, const T* value, const T* x, T* y) {
  #pragma omp parallel for
  for (int r = 0; r < rows; r++) {
    T sum = 0;
    for (int k = 0; k < 12; k++) sum += value[k * rows + r] * x[column[k * rows + r]];
    y[r] = sum;
  }
}
#endif
