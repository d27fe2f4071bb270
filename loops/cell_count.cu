// Puts particles into the cells of a 8 x 8 x 8 grid: each particle's cell number, and how many lie in each cell.
// First half of a cell list, as in smoothed-particle and discrete-element codes.
/* sextant
name = "cell_count"
formula = "cell[i] = cell of (x, y, z)[i]; count[c] = particles in cell c"
sizes = { n = "max(1, (N - 512) / 4)" }
arrays = [
  { name = "x", role = "in", length = "n", type = "float", fill = { low = 0, high = 1 } },
  { name = "y", role = "in", length = "n", type = "float", fill = { low = 0, high = 1 } },
  { name = "z", role = "in", length = "n", type = "float", fill = { low = 0, high = 1 } },
  { name = "cell", role = "out", length = "n", type = "int" },
  { name = "count", role = "out", length = 512, type = "int" },
]
reference = { variant = "serial.baseline", precision = "float" }

[variant."serial.baseline"]
function = "bin"
arguments = ["int(n)", "x", "y", "z", "cell", "count"]

[variant."openmp.atomic"]
function = "bin_threads"
arguments = ["int(n)", "x", "y", "z", "cell", "count"]

[variant."cuda.atomic"]
steps = [
  { function = "clear", arguments = ["count"], block = [256], grid = [2] },
  { function = "bin_kernel", arguments = ["int(n)", "x", "y", "z", "cell", "count"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
#define SIDE 8
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN int along(float v) {
  int c = (int)(v * SIDE);
  return c < 0 ? 0 : c >= SIDE ? SIDE - 1 : c;
}

FN int cell_of(float x, float y, float z) { return (along(z) * SIDE + along(y)) * SIDE + along(x); }

#ifdef SEXTANT_MODEL_CUDA
__global__ void clear(int* count) { count[blockIdx.x * blockDim.x + threadIdx.x] = 0; }

__global__ void bin_kernel(int n, const float* x, const float* y, const float* z, int* cell, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int c = cell_of(x[i], y[i], z[i]);
  cell[i] = c;
  atomicAdd(&count[c], 1);
}
#else
void bin(int n, const float* x, const float* y, const float* z, int* cell, int* count) {
  for (int c = 0; c < SIDE * SIDE * SIDE; c++) count[c] = 0;
  for (int i = 0; i < n; i++) {
    cell[i] = cell_of(x[i], y[i], z[i]);
    count[cell[i]]++;
  }
}

void bin_threads(int n, const float* x, const float* y, const float* z, int* cell, int* count) {
  for (int c = 0; c < SIDE * SIDE * SIDE; c++) count[c] = 0;
  #pragma omp parallel for
  for (int i = 0; i < n; i++) {
    int c = cell_of(x[i], y[i], z[i]);
    cell[i] = c;
  #pragma omp atomic
    count[c]++;
  }
}
#endif
