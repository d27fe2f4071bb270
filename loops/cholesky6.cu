// Cholesky factors of many symmetric 6 x 6 matrices, lower triangles packed into 21 numbers.
// Covariances of position and speed in a tracking filter, one matrix for each object.
/* sextant
name = "cholesky6"
formula = "L L^T = A + 8 I, L lower triangular, 6 x 6"
types = ["double"]
sizes = { n = "N / 42" }
arrays = [ { name = "a", role = "in", length = "21 * n" }, { name = "l", role = "out", length = "21 * n" } ]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "60 * eps", reason = "entries of at most 3, from up to six products; pivots stay well above 1" }

[variant."serial.baseline"]
function = "factor_all"
arguments = ["int(n)", "a", "l"]

[variant."openmp.matrices"]
function = "factor_all"
arguments = ["int(n)", "a", "l"]

[variant."cuda.matrices"]
function = "factor_kernel"
arguments = ["int(n)", "a", "l"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <math.h>
  #define FN static inline
#endif

FN void factor(const T* a, T* out) {
  T l[21];
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c <= r; c++) {
      T sum = a[r * (r + 1) / 2 + c];
      if (r == c) sum += 8;
      for (int k = 0; k < c; k++) sum -= l[r * (r + 1) / 2 + k] * l[c * (c + 1) / 2 + k];
      l[r * (r + 1) / 2 + c] = r == c ? sqrt(sum) : sum / l[c * (c + 3) / 2];
    }
  }
  for (int k = 0; k < 21; k++) out[k] = l[k];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void factor_kernel(int n, const T* a, T* l) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) factor(a + 21 * i, l + 21 * i);
}
#else
void factor_all(int n, const T* a, T* l) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) factor(a + 21 * i, l + 21 * i);
}
#endif
