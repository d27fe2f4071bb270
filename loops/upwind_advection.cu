/* sextant
name = "upwind_advection"
formula = "q = q - dt (u dq/dx + v dq/dy), differences against the wind, periodic"
types = ["float"]
shape = ["w", "h"]
arrays = [
  { name = "u", role = "in", length = "w * h" },
  { name = "v", role = "in", length = "w * h" },
  { name = "q", role = "in", length = "w * h", fill = { low = 0, high = 1 } },
  { name = "next", role = "out", length = "w * h" },
]
scalars = { courant = 0.4 }
reference = "serial.baseline"
tolerance = { absolute = "8 * eps", reason = "two differences and two products of at most 1, a sum of at most 2" }

[variant."serial.baseline"]
function = "advect"
arguments = ["w", "h", "courant", "u", "v", "q", "next"]

[variant."openmp.rows"]
function = "advect"
arguments = ["w", "h", "courant", "u", "v", "q", "next"]

[variant."cuda.cells"]
function = "advect_cells"
arguments = ["w", "h", "courant", "u", "v", "q", "next"]
block = [64, 4]
grid = ["ceil_div(w, 64)", "ceil_div(h, 4)"]
*/
// Smoke or a pollutant carried by a wind that has another direction in each cell: a branch by the sign of each component.
#ifdef SEXTANT_MODEL_CUDA
  #define BOTH __device__
#else
  #define BOTH
#endif
BOTH inline T advect_cell(long long w, long long h, T courant, const T* u, const T* v, const T* q,
                          long long x, long long y) {
  const long long i = y * w + x;
  T dx, dy;
  if (u[i] > 0)
    dx = q[i] - q[y * w + (x == 0 ? w - 1 : x - 1)];
  else
    dx = q[y * w + (x == w - 1 ? 0 : x + 1)] - q[i];
  if (v[i] > 0)
    dy = q[i] - q[(y == 0 ? h - 1 : y - 1) * w + x];
  else
    dy = q[(y == h - 1 ? 0 : y + 1) * w + x] - q[i];
  return q[i] - courant * (u[i] * dx + v[i] * dy);
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void advect_cells(long long w, long long h, T courant, const T* u, const T* v, const T* q,
                             T* next) {
  long long x = blockIdx.x * blockDim.x + threadIdx.x;
  long long y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) next[y * w + x] = advect_cell(w, h, courant, u, v, q, x, y);
}
#else
void advect(long long w, long long h, T courant, const T* u, const T* v, const T* q, T* next) {
  #pragma omp parallel for
  for (long long y = 0; y < h; y++)
    for (long long x = 0; x < w; x++) next[y * w + x] = advect_cell(w, h, courant, u, v, q, x, y);
}
#endif
