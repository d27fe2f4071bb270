/* sextant
name = "outer_product_update"
formula = "A = A + alpha x y^T"
types = ["float"]
shape = ["n", "m"]
arrays = [
  { name = "x", role = "in", length = "m" },
  { name = "y", role = "in", length = "n" },
  { name = "A", role = "inout", length = "m * n" },
]
scalars = { alpha = 0.01 }
work = { flops = "3 * m * n" }
reference = "serial.baseline"
tolerance = { absolute = "4 * eps", reason = "two products below 0.01 and a sum of at most 1.01, each rounded once" }

[variant."serial.baseline"]
function = "rank_one"
arguments = ["m", "n", "alpha", "x", "y", "A"]

[variant."openmp.collapse"]
function = "rank_one_threads"
arguments = ["m", "n", "alpha", "x", "y", "A"]

[variant."cuda.elements"]
function = "rank_one_kernel"
arguments = ["m", "n", "alpha", "x", "y", "A"]
block = ["bx", "by"]
grid = ["ceil_div(n, bx)", "ceil_div(m, by)"]
tune = { bx = [32, 16, 64], by = [8, 16, 4] }
constraint = "bx * by <= 1024"
*/
// The weight update of a single-layer network: a column of errors times a row of inputs, added to all weights (BLAS calls it ger).
#ifdef SEXTANT_MODEL_CUDA
__global__ void rank_one_kernel(long long m, long long n, T alpha, const T* x, const T* y, T* A) {
  long long col = blockIdx.x * blockDim.x + threadIdx.x;
  long long row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) A[row * n + col] += alpha * x[row] * y[col];
}
#else
void rank_one(long long m, long long n, T alpha, const T* x, const T* y, T* A) {
  for (long long row = 0; row < m; row++)
    for (long long col = 0; col < n; col++) A[row * n + col] += alpha * x[row] * y[col];
}

void rank_one_threads(long long m, long long n, T alpha, const T* x, const T* y, T* A) {
  #pragma omp parallel for collapse(2)
  for (long long row = 0; row < m; row++)
    for (long long col = 0; col < n; col++) A[row * n + col] += alpha * x[row] * y[col];
}
#endif
