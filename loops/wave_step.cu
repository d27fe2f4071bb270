/* sextant
name = "wave_step"
formula = "eight steps of old = 2 u - old + c (sum of neighbours - 4 u), then old and u change places"
types = ["float"]
shape = ["nx", "ny"]
arrays = [
  { name = "c", role = "in", length = "nx * ny", fill = { low = 0.05, high = 0.25 } },
  { name = "old", role = "inout", length = "nx * ny" },
  { name = "u", role = "inout", length = "nx * ny" },
]
work = { flops = "8 * 8 * (nx - 2) * (ny - 2)", items = "8 * (nx - 2) * (ny - 2)" }
reference = "serial.baseline"
tolerance = { absolute = "500 * eps", reason = "each of eight steps rounds numbers of about 8 up to four times, and an error of one step grows with the number of steps after it" }

[variant."serial.baseline"]
function = "wave"
arguments = ["int(nx)", "int(ny)", "c", "old", "u"]
repeat = 8
swap = ["old", "u"]

[variant."openmp.rows"]
function = "wave"
arguments = ["int(nx)", "int(ny)", "c", "old", "u"]
repeat = 8
swap = ["old", "u"]

[variant."cuda.points"]
function = "wave_points"
arguments = ["int(nx)", "int(ny)", "c", "old", "u"]
block = ["block_x", "block_y"]
grid = ["ceil_div(nx, block_x)", "ceil_div(ny, block_y)"]
tune = { block_x = [32, 64, 128], block_y = [8, 4, 2] }
repeat = 8
swap = ["old", "u"]
*/
// Sound or a water surface with a speed that varies in space, second order in time; a small seismic code. The edge stays at rest.
#ifdef SEXTANT_MODEL_CUDA
__global__ void wave_points(int nx, int ny, const float* c, float* old, const float* u) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  size_t i = (size_t)y * nx + x;
  float around = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4.0f * u[i];
  old[i] = 2.0f * u[i] - old[i] + c[i] * around;
}
#else
  #include <cstddef>
void wave(int nx, int ny, const T* c, T* old, const T* u) {
  #pragma omp parallel for
  for (int y = 1; y < ny - 1; y++)
    for (int x = 1; x < nx - 1; x++) {
      size_t i = (size_t)y * nx + x;
      T around = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4 * u[i];
      old[i] = 2 * u[i] - old[i] + c[i] * around;
    }
}
#endif
