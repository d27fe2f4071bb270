// One step of diffusion that stops at edges (Perona and Malik): flow to the four neighbours, less where brightness jumps.
// Popular in medical imaging, for smooth organs with sharp borders.
/* sextant
name = "edge_keeping_diffusion"
formula = "out = u + 1/5 sum of d exp(-(d / 0.3)^2), d = neighbour - u, four neighbours; borders repeat"
types = ["float"]
shape = ["w", "h"]
arrays = [ { name = "u", role = "in", length = "w * h" }, { name = "out", role = "out", length = "w * h" } ]
work = { items = "w * h" }
reference = "serial.baseline"
tolerance = { absolute = "16 * eps", reason = "exp of at most 45, right to some 45 roundings of itself, but then below 1e-19; else few roundings" }

[variant."serial.baseline"]
function = "diffuse"
arguments = ["int(w)", "int(h)", "u", "out"]

[variant."openmp.rows"]
function = "diffuse_threads"
arguments = ["int(w)", "int(h)", "u", "out"]

[variant."cuda.pixels"]
function = "diffuse_kernel"
arguments = ["int(w)", "int(h)", "u", "out"]
block = [32, 8]
grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <math.h>
  #define FN static inline
#endif

FN T flow(T d) { return d * exp(-d * d / T(0.09)); }

FN T pixel(int x, int y, int w, int h, const T* u) {
  const T* row = u + y * w;
  T here = row[x];
  T sum = flow(row[x > 0 ? x - 1 : x] - here) + flow(row[x + 1 < w ? x + 1 : x] - here);
  sum += flow((y > 0 ? row[x - w] : here) - here) + flow((y + 1 < h ? row[x + w] : here) - here);
  return here + T(0.2) * sum;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void diffuse_kernel(int w, int h, const T* u, T* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = pixel(x, y, w, h, u);
}
#else
void diffuse(int w, int h, const T* u, T* out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) out[y * w + x] = pixel(x, y, w, h, u);
}

void diffuse_threads(int w, int h, const T* u, T* out) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) out[y * w + x] = pixel(x, y, w, h, u);
}
#endif
