// What is left over in the equation of a loaded plate: thirteen points of the biharmonic operator, minus the load.
// Courses on finite differences show it after the five-point star; the two outermost rings stay zero.
/* sextant
name = "plate_bending"
formula = "rest = 20 u - 8 (four next) + 2 (four diagonal) + (four at distance two) - load"
types = ["double"]
shape = ["w", "h"]
arrays = [
  { name = "u", role = "in", length = "w * h" },
  { name = "load", role = "in", length = "w * h" },
  { name = "rest", role = "out", length = "w * h" },
]
work = { items = "w * h" }
reference = "serial.baseline"
tolerance = { absolute = "500 * eps", reason = "fourteen terms, rounded at sums of at most 65" }

[variant."serial.baseline"]
function = "residual"
arguments = ["int(w)", "int(h)", "u", "load", "rest"]

[variant."openmp.rows"]
function = "residual"
arguments = ["int(w)", "int(h)", "u", "load", "rest"]

[variant."cuda.points"]
function = "residual_kernel"
arguments = ["int(w)", "int(h)", "u", "load", "rest"]
block = [32, 8]
grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN T at_point(int w, int h, int x, int y, const T* u, const T* load) {
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return 0;
  const T* c = u + y * w + x;
  T next = c[-1] + c[1] + c[-w] + c[w];
  T diagonal = c[-w - 1] + c[-w + 1] + c[w - 1] + c[w + 1];
  T far = c[-2] + c[2] + c[-2 * w] + c[2 * w];
  return 20 * c[0] - 8 * next + 2 * diagonal + far - load[y * w + x];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void residual_kernel(int w, int h, const T* u, const T* load, T* rest) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) rest[y * w + x] = at_point(w, h, x, y, u, load);
}
#else
void residual(int w, int h, const T* u, const T* load, T* rest) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) rest[y * w + x] = at_point(w, h, x, y, u, load);
}
#endif
