// The lengths of the 48 columns of a tall table that is stored row after row.
// Scaling before a regression needs them; with one thread for each column only 48 threads have work.
/* sextant
name = "column_norms"
formula = "norm[c] = sqrt(sum of a[r][c]^2 over all rows), 48 columns"
types = ["double"]
sizes = { rows = "(N - 48) / 48" }
arrays = [ { name = "a", role = "in", length = "48 * rows" }, { name = "norm", role = "out", length = 48 } ]
work = { flops = "96 * rows", items = 48 }
reference = "serial.baseline"
tolerance = { relative = "(rows + 8) * eps", reason = "a sum of as many squares as rows, one after the other" }

[variant."serial.baseline"]
function = "norms"
arguments = ["int(rows)", "a", "norm"]

[variant."openmp.columns"]
function = "norms"
arguments = ["int(rows)", "a", "norm"]

[variant."cuda.columns"]
function = "norms_kernel"
arguments = ["int(rows)", "a", "norm"]
block = [32]
grid = [2]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <math.h>
  #define FN static inline
#endif

FN T norm_of(int rows, const T* column) {
  T sum = 0;
  for (long long r = 0; r < rows; r++) sum += column[48 * r] * column[48 * r];
  return sqrt(sum);
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void norms_kernel(int rows, const T* a, T* norm) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < 48) norm[c] = norm_of(rows, a + c);
}
#else
void norms(int rows, const T* a, T* norm) {
  #pragma omp parallel for
  for (int c = 0; c < 48; c++) norm[c] = norm_of(rows, a + c);
}
#endif
