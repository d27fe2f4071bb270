/* sextant
name = "block5_solve"
formula = "(I - dt J) x = b for each cell, 5 unknowns"
types = ["float", "double"]
sizes = { cells = "N / 35" }
arrays = [
  { name = "jac", role = "in", length = "25 * cells" },
  { name = "rhs", role = "in", length = "5 * cells" },
  { name = "x", role = "out", length = "5 * cells" },
]
scalars = { dt = 0.1 }
reference = "serial.baseline"
tolerance = { absolute = "64 * eps", reason = "the matrix is within 0.5 of the identity, so the solution is at most 2 and errors at most double; about 25 roundings in a row" }

[variant."serial.baseline"]
function = "solve_all"
arguments = ["int(cells)", "dt", "jac", "rhs", "x"]

[variant."openmp.cells"]
function = "solve_all"
arguments = ["int(cells)", "dt", "jac", "rhs", "x"]

[variant."cuda.cells"]
function = "solve_cells"
arguments = ["int(cells)", "dt", "jac", "rhs", "x"]
block = [128]
grid = ["ceil_div(cells, 128)"]
*/
// A point-implicit step of a flow or chemistry code: every cell solves its own 5 x 5 system by Gaussian elimination with pivoting.
#ifdef SEXTANT_MODEL_CUDA
  #define BOTH __device__
#else
  #include <cmath>
  #define BOTH
#endif

BOTH inline T magnitude(T v) { return v < 0 ? -v : v; }

BOTH inline void solve_cell(T dt, const T* jac, const T* rhs, T* x) {
  T a[5][6];
  for (int r = 0; r < 5; r++) {
    for (int c = 0; c < 5; c++) a[r][c] = (r == c ? T(1) : T(0)) - dt * jac[5 * r + c];
    a[r][5] = rhs[r];
  }
  for (int k = 0; k < 5; k++) {
    int best = k;
    for (int r = k + 1; r < 5; r++)
      if (magnitude(a[r][k]) > magnitude(a[best][k])) best = r;
    if (best != k)
      for (int c = k; c < 6; c++) {
        T keep = a[k][c];
        a[k][c] = a[best][c];
        a[best][c] = keep;
      }
    for (int r = k + 1; r < 5; r++) {
      T f = a[r][k] / a[k][k];
      for (int c = k + 1; c < 6; c++) a[r][c] -= f * a[k][c];
    }
  }
  for (int r = 4; r >= 0; r--) {
    T s = a[r][5];
    for (int c = r + 1; c < 5; c++) s -= a[r][c] * x[c];
    x[r] = s / a[r][r];
  }
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void solve_cells(int cells, T dt, const T* jac, const T* rhs, T* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) solve_cell(dt, jac + 25 * (long long)i, rhs + 5 * (long long)i, x + 5 * (long long)i);
}
#else
void solve_all(int cells, T dt, const T* jac, const T* rhs, T* x) {
  #pragma omp parallel for
  for (int i = 0; i < cells; i++)
    solve_cell(dt, jac + 25 * (long long)i, rhs + 5 * (long long)i, x + 5 * (long long)i);
}
#endif
