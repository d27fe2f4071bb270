// Reads a value between the points of a table with uneven steps: binary search, then a straight line between two points.
// Reactor and atmosphere codes look up cross sections and absorption like this.
/* sextant
name = "uneven_table"
formula = "out[i] = table at energy[i], linear between its points, constant outside"
sizes = { points = "min(2000, max(2, N / 4))", n = "max(1, (N - 2 * points) / 2)" }
arrays = [
  { name = "grid", role = "in", length = "points", type = "double", fill = { low = 0, high = 1, sorted = true } },
  { name = "value", role = "in", length = "points", type = "double" },
  { name = "energy", role = "in", length = "n", type = "double", fill = { low = 0, high = 1 } },
  { name = "out", role = "out", length = "n", type = "double" },
]
reference = "serial.baseline"
tolerance = { absolute = "16 * eps", reason = "a fraction between 0 and 1 of three roundings, times a difference up to 2, added to a number up to 1" }

[variant."serial.baseline"]
function = "look_up"
arguments = ["n", "int(points)", "grid", "value", "energy", "out"]

[variant."openmp.energies"]
function = "look_up_threads"
arguments = ["n", "int(points)", "grid", "value", "energy", "out"]

[variant."cuda.energies"]
function = "look_up_kernel"
arguments = ["int(n)", "int(points)", "grid", "value", "energy", "out"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH double at(int points, const double* grid, const double* value, double energy) {
  if (energy <= grid[0]) return value[0];
  if (energy >= grid[points - 1]) return value[points - 1];
  int low = 0, high = points - 1;  // grid[low] <= energy < grid[high]
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (grid[middle] <= energy)
      low = middle;
    else
      high = middle;
  }
  double fraction = (energy - grid[low]) / (grid[high] - grid[low]);
  return value[low] + fraction * (value[high] - value[low]);
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void look_up_kernel(int n, int points, const double* grid, const double* value,
                               const double* energy, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = at(points, grid, value, energy[i]);
}
#else
void look_up(long n, int points, const double* grid, const double* value, const double* energy, double* out) {
  for (long i = 0; i < n; ++i) out[i] = at(points, grid, value, energy[i]);
}

void look_up_threads(long n, int points, const double* grid, const double* value, const double* energy,
                     double* out) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) out[i] = at(points, grid, value, energy[i]);
}
#endif
