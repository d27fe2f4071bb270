// Light in a metal box: the magnetic fields from the electric one and back, three leaps, on Yee's staggered grid.
// The start of every program for antennas and waveguides; two kernels take turns.
/* sextant
name = "yee_fields"
formula = "hx -= c d(ez)/dy, hy += c d(ez)/dx, then ez += c (d(hy)/dx - d(hx)/dy), three times; ez = 0 stays at the walls"
types = ["float"]
shape = ["w", "h"]
arrays = [
  { name = "ez", role = "inout", length = "w * h" },
  { name = "hx", role = "inout", length = "w * h" },
  { name = "hy", role = "inout", length = "w * h" },
]
scalars = { c = 0.5 }
work = { items = "w * h" }
reference = "serial.baseline"
tolerance = { absolute = "100 * eps", reason = "three leaps, fields below 20, each leap adds four numbers" }

[variant."serial.baseline"]
function = "leaps"
arguments = ["int(w)", "int(h)", "c", "ez", "hx", "hy"]

[variant."openmp.rows"]
function = "leaps"
arguments = ["int(w)", "int(h)", "c", "ez", "hx", "hy"]

[variant."cuda.two_kernels"]
steps = [
  { function = "magnetic", arguments = ["int(w)", "int(h)", "c", "ez", "hx", "hy"], block = [32, 4], grid = ["ceil_div(w, 32)", "ceil_div(h, 4)"] },
  { function = "electric", arguments = ["int(w)", "int(h)", "c", "ez", "hx", "hy"], block = [32, 4], grid = ["ceil_div(w, 32)", "ceil_div(h, 4)"] },
]
repeat = 3
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN void magnetic_at(int x, int y, int w, int h, T c, const T* ez, T* hx, T* hy) {
  int p = y * w + x;
  if (y + 1 < h) hx[p] -= c * (ez[p + w] - ez[p]);
  if (x + 1 < w) hy[p] += c * (ez[p + 1] - ez[p]);
}

FN void electric_at(int x, int y, int w, int h, T c, T* ez, const T* hx, const T* hy) {
  int p = y * w + x;
  if (x > 0 && y > 0 && x + 1 < w && y + 1 < h) ez[p] += c * (hy[p] - hy[p - 1] - hx[p] + hx[p - w]);
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void magnetic(int w, int h, T c, const T* ez, T* hx, T* hy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) magnetic_at(x, y, w, h, c, ez, hx, hy);
}

__global__ void electric(int w, int h, T c, T* ez, const T* hx, const T* hy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) electric_at(x, y, w, h, c, ez, hx, hy);
}
#else
void leaps(int w, int h, T c, T* ez, T* hx, T* hy) {
  for (int leap = 0; leap < 3; leap++) {
  #pragma omp parallel for
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) magnetic_at(x, y, w, h, c, ez, hx, hy);
  #pragma omp parallel for
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) electric_at(x, y, w, h, c, ez, hx, hy);
  }
}
#endif
