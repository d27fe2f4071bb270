// The collision of a lattice Boltzmann code with nine directions: every cell's distribution moves towards its balance.
// Half of a student's first flow program; the other half moves the numbers to the neighbour cells.
/* sextant
name = "lattice_collision"
formula = "out_k = f_k - omega (f_k - w_k rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u)), nine planes"
types = ["float"]
sizes = { n = "N / 18" }
arrays = [
  { name = "f", role = "in", length = "9 * n", fill = { low = 1, high = 2 } },
  { name = "out", role = "out", length = "9 * n" },
]
scalars = { omega = 1.2 }
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "120 * eps", reason = "densities of at most 18 from nine numbers, one division, results of at most 10" }

[variant."serial.baseline"]
function = "collide"
arguments = ["int(n)", "omega", "f", "out"]

[variant."openmp.cells"]
function = "collide_threads"
arguments = ["int(n)", "omega", "f", "out"]

[variant."cuda.cells"]
function = "collide_kernel"
arguments = ["int(n)", "omega", "f", "out"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN void collide_cell(int i, int n, T omega, const T* f, T* out) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  T rho = 0, jx = 0, jy = 0;
  for (int k = 0; k < 9; k++) {
    T now = f[k * n + i];
    rho += now;
    jx += cx[k] * now;
    jy += cy[k] * now;
  }
  T ux = jx / rho, uy = jy / rho;
  T slow = 1 - T(1.5) * (ux * ux + uy * uy);
  for (int k = 0; k < 9; k++) {
    T weight = k == 0 ? T(4) / 9 : k < 5 ? T(1) / 9 : T(1) / 36;
    T along = cx[k] * ux + cy[k] * uy;
    T balance = weight * rho * (slow + 3 * along + T(4.5) * along * along);
    out[k * n + i] = f[k * n + i] - omega * (f[k * n + i] - balance);
  }
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void collide_kernel(int n, T omega, const T* f, T* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) collide_cell(i, n, omega, f, out);
}
#else
void collide(int n, T omega, const T* f, T* out) {
  for (int i = 0; i < n; i++) collide_cell(i, n, omega, f, out);
}

void collide_threads(int n, T omega, const T* f, T* out) {
  #pragma omp parallel for
  for (int i = 0; i < n; i++) collide_cell(i, n, omega, f, out);
}
#endif
