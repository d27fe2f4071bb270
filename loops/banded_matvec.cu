/* sextant
name = "banded_matvec"
formula = "y = A x, A with 5 diagonals on either side of the main one"
types = ["double", "float"]
sizes = { n = "N / 13" }
arrays = [
  { name = "band", role = "in", length = "11 * n" },
  { name = "x", role = "in", length = "n" },
  { name = "y", role = "out", length = "n" },
]
work = { flops = "22 * n" }
reference = "serial.baseline"
tolerance = { absolute = "22 * eps", reason = "at most 11 products of at most 1, each rounded, and as many sums" }

[variant."serial.baseline"]
function = "band_product"
arguments = ["int(n)", "band", "x", "y"]

[variant."openmp.rows"]
function = "band_product"
arguments = ["int(n)", "band", "x", "y"]

[variant."cuda.rows"]
function = "band_kernel"
arguments = ["int(n)", "band", "x", "y"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
// A band matrix in the column layout of LAPACK times a vector, as spline and beam codes have it.
#define HALF 5
#define WIDTH (2 * HALF + 1)
#ifdef SEXTANT_MODEL_CUDA
__global__ void band_kernel(int n, const T* band, const T* x, T* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int first = max(0, i - HALF), last = min(n - 1, i + HALF);
    T s = 0;
    for (int j = first; j <= last; j++) s += band[(long long)j * WIDTH + HALF + i - j] * x[j];
    y[i] = s;
  }
}
#else
  #include <algorithm>
void band_product(int n, const T* band, const T* x, T* y) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int first = std::max(0, i - HALF), last = std::min(n - 1, i + HALF);
    T s = 0;
    for (int j = first; j <= last; j++) s += band[(long long)j * WIDTH + HALF + i - j] * x[j];
    y[i] = s;
  }
}
#endif
