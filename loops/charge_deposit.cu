// Spreads the charge of each particle over the four corners of its grid cell; the grid is a torus.
// The step of a plasma code (particle in cell) about which people ask: many particles add to the same corner.
/* sextant
name = "charge_deposit"
formula = "rho[corner] += charge[i] (1 - |x - corner|) (1 - |y - corner|) for the four corners around particle i"
types = ["double"]
sizes = { side = "max(1, sqrt(N / 13))", n = "(N - side * side) / 3" }
arrays = [
  { name = "x", role = "in", length = "n", fill = { low = 0, high = "side" } },
  { name = "y", role = "in", length = "n", fill = { low = 0, high = "side" } },
  { name = "charge", role = "in", length = "n" },
  { name = "rho", role = "out", length = "side * side" },
]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "2000 * eps", reason = "some sixteen shares of at most 1 in each corner, in any order; crowded corners have several times as many" }

[variant."serial.baseline"]
function = "deposit"
arguments = ["int(n)", "int(side)", "x", "y", "charge", "rho"]

[variant."openmp.atomic"]
function = "deposit_atomic"
arguments = ["int(n)", "int(side)", "x", "y", "charge", "rho"]

[variant."cuda.atomic"]
steps = [
  { function = "clear", arguments = ["int(side * side)", "rho"], block = [256], grid = ["ceil_div(side * side, 256)"] },
  { function = "deposit_kernel", arguments = ["int(n)", "int(side)", "x", "y", "charge", "rho"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
FN void add(T* to, T share) { atomicAdd(to, share); }
#else
  #define FN static inline
  #ifdef SEXTANT_MODEL_OPENMP
FN void add(T* to, T share) {
    #pragma omp atomic
  *to += share;
}
  #else
FN void add(T* to, T share) { *to += share; }
  #endif
#endif

FN void spread(int side, T x, T y, T charge, T* rho) {
  int cx = (int)x % side, cy = (int)y % side;
  T fx = x - (int)x, fy = y - (int)y;
  int right = (cx + 1) % side, below = (cy + 1) % side * side, row = cy * side;
  add(&rho[row + cx], charge * (1 - fx) * (1 - fy));
  add(&rho[row + right], charge * fx * (1 - fy));
  add(&rho[below + cx], charge * (1 - fx) * fy);
  add(&rho[below + right], charge * fx * fy);
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void clear(int cells, T* rho) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cells) rho[c] = 0;
}

__global__ void deposit_kernel(int n, int side, const T* x, const T* y, const T* charge, T* rho) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) spread(side, x[i], y[i], charge[i], rho);
}
#else
void deposit(int n, int side, const T* x, const T* y, const T* charge, T* rho) {
  for (int c = 0; c < side * side; c++) rho[c] = 0;
  for (int i = 0; i < n; i++) spread(side, x[i], y[i], charge[i], rho);
}

void deposit_atomic(int n, int side, const T* x, const T* y, const T* charge, T* rho) {
  for (int c = 0; c < side * side; c++) rho[c] = 0;
  #pragma omp parallel for
  for (int i = 0; i < n; i++) spread(side, x[i], y[i], charge[i], rho);
}
#endif
