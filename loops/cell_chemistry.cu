// Three substances in every cell of a flow code: A burns to B, B decays to C, rates by Arrhenius' law, heat is set free.
// The source term that takes most of the time in a combustion code; cold cells are skipped.
/* sextant
name = "cell_chemistry"
formula = "a, b, c and temperature after one small step, rates k = k0 exp(-Ta / temperature)"
sizes = { cells = "max(1, N / 4)" }
arrays = [
  { name = "a", role = "inout", length = "cells", type = "double", fill = { low = 0, high = 1 } },
  { name = "b", role = "inout", length = "cells", type = "double", fill = { low = 0, high = 1 } },
  { name = "c", role = "inout", length = "cells", type = "double", fill = { low = 0, high = 1 } },
  { name = "temperature", role = "inout", length = "cells", type = "double", fill = { low = 300, high = 2000 } },
]
reference = "serial.baseline"
tolerance = { relative = "200 * eps", absolute = "200 * eps", reason = "exp of up to -27 magnifies a rounding of its argument by 27, and its own error is a few roundings" }

[variant."serial.baseline"]
function = "burn"
arguments = ["cells", "a", "b", "c", "temperature"]

[variant."openmp.cells"]
function = "burn_threads"
arguments = ["cells", "a", "b", "c", "temperature"]

[variant."cuda.cells"]
function = "burn_kernel"
arguments = ["int(cells)", "a", "b", "c", "temperature"]
block = [256]
grid = ["ceil_div(cells, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #include <cmath>
  #define ON_BOTH static inline
#endif

ON_BOTH void burn_cell(double& a, double& b, double& c, double& temperature) {
  const double dt = 1e-3;
  if (temperature < 600.0) return;  // too cold to react
  const double burn = 2.0e3 * exp(-8000.0 / temperature) * a * dt;
  const double decay = 5.0e2 * exp(-5000.0 / temperature) * b * dt;
  a -= burn;
  b += burn - decay;
  c += decay;
  temperature += 900.0 * burn + 150.0 * decay;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void burn_kernel(int cells, double* a, double* b, double* c, double* temperature) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) burn_cell(a[i], b[i], c[i], temperature[i]);
}
#else
void burn(long cells, double* a, double* b, double* c, double* temperature) {
  for (long i = 0; i < cells; ++i) burn_cell(a[i], b[i], c[i], temperature[i]);
}

void burn_threads(long cells, double* a, double* b, double* c, double* temperature) {
  #pragma omp parallel for
  for (long i = 0; i < cells; ++i) burn_cell(a[i], b[i], c[i], temperature[i]);
}
#endif
