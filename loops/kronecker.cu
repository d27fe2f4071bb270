/* sextant
name = "kronecker"
formula = "K = A (x) B, A of p x p, B of 8 x 8"
types = ["double"]
sizes = { p = "sqrt(N / 64)" }
arrays = [
  { name = "a", role = "in", length = "p * p" },
  { name = "b", role = "in", length = 64 },
  { name = "k", role = "out", length = "64 * p * p" },
]
reference = "serial.baseline"
tolerance = { relative = "eps", reason = "one product, rounded once" }

[variant."serial.baseline"]
function = "kron"
arguments = ["int(p)", "a", "b", "k"]

[variant."openmp.blocks"]
function = "kron_threads"
arguments = ["int(p)", "a", "b", "k"]

[variant."cuda.elements"]
function = "kron_elements"
arguments = ["int(p)", "a", "b", "k"]
block = ["block_size"]
grid = ["ceil_div(64 * p * p, block_size)"]
tune = { block_size = [256, 128, 512] }
*/
// The Kronecker product with a small 8 x 8 matrix, written out in full: as numpy.kron does, and as students of quantum computing do by hand.
#ifdef SEXTANT_MODEL_CUDA
__global__ void kron_elements(int p, const double* a, const double* b, double* k) {
  long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  long long width = 8LL * p;
  if (e >= width * width) return;
  int row = (int)(e / width), col = (int)(e % width);
  k[e] = a[(long long)(row / 8) * p + col / 8] * b[row % 8 * 8 + col % 8];
}
#else
void kron(int p, const double* a, const double* b, double* k) {
  const long long width = 8LL * p;
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j)
      for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c)
          k[(8LL * i + r) * width + 8 * j + c] = a[(long long)i * p + j] * b[8 * r + c];
}

void kron_threads(int p, const double* a, const double* b, double* k) {
  const long long width = 8LL * p;
  #pragma omp parallel for collapse(2)
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j)
      for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c)
          k[(8LL * i + r) * width + 8 * j + c] = a[(long long)i * p + j] * b[8 * r + c];
}
#endif
