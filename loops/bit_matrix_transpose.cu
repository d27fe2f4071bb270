// Transposes square matrices of 32 x 32 bits, each kept in 32 words.
// Bit-sliced ciphers and logic simulators turn their data like this before and after the real work.
/* sextant
name = "bit_matrix_transpose"
formula = "bit c of to[32 m + r] = bit r of from[32 m + c]"
sizes = { n = "N / 64" }
arrays = [
  { name = "from", role = "in", length = "32 * n", type = "uint32" },
  { name = "to", role = "out", length = "32 * n", type = "uint32" },
]
work = { items = "32 * n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "transpose_all"
arguments = ["int(n)", "from", "to"]

[variant."openmp.matrices"]
function = "transpose_threads"
arguments = ["int(n)", "from", "to"]

[variant."cuda.matrices"]
function = "transpose_kernel"
arguments = ["int(n)", "from", "to"]
block = [64]
grid = ["ceil_div(n, 64)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <cstddef>
  #define FN static inline
#endif

// changes the places of quarters of 16 x 16 bits, then of 8 x 8 bits within them, and so on
FN void transpose(const unsigned* from, unsigned* to) {
  unsigned a[32];
  for (int r = 0; r < 32; r++) a[r] = from[r];
  unsigned mask = 0x0000ffffu;
  for (int half = 16; half > 0; half >>= 1) {
    for (int r = 0; r < 32; r = ((r | half) + 1) & ~half) {
      unsigned differ = (a[r] >> half ^ a[r | half]) & mask;
      a[r] ^= differ << half;
      a[r | half] ^= differ;
    }
    mask ^= mask << (half >> 1);
  }
  for (int r = 0; r < 32; r++) to[r] = a[r];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void transpose_kernel(int n, const unsigned* from, unsigned* to) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m < n) transpose(from + (size_t)m * 32, to + (size_t)m * 32);
}
#else
void transpose_all(int n, const unsigned* from, unsigned* to) {
  for (int m = 0; m < n; m++) transpose(from + (size_t)m * 32, to + (size_t)m * 32);
}

void transpose_threads(int n, const unsigned* from, unsigned* to) {
  #pragma omp parallel for
  for (int m = 0; m < n; m++) transpose(from + (size_t)m * 32, to + (size_t)m * 32);
}
#endif
