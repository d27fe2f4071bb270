// Turns a picture by an angle around its centre; each new pixel is mixed from the four old ones around its place.
// Scanned pages that lie askew are straightened like this; the old picture is read along slanted lines.
/* sextant
name = "turned_picture"
formula = "out[y][x] = old picture at c + R (x - c, y - c), between four pixels; outside, the border repeats"
types = ["float"]
shape = ["w", "h"]
arrays = [ { name = "old", role = "in", length = "w * h" }, { name = "out", role = "out", length = "w * h" } ]
scalars = { cosine = 0.8, sine = 0.6 }
work = { items = "w * h" }
reference = "serial.baseline"
tolerance = { absolute = "12 * (w + h) * eps", reason = "places of up to w or h, rounded some times; a pixel is at most 2 brighter than the next" }

[variant."serial.baseline"]
function = "turn"
arguments = ["int(w)", "int(h)", "cosine", "sine", "old", "out"]

[variant."openmp.rows"]
function = "turn"
arguments = ["int(w)", "int(h)", "cosine", "sine", "old", "out"]

[variant."cuda.pixels"]
function = "turn_kernel"
arguments = ["int(w)", "int(h)", "cosine", "sine", "old", "out"]
block = [16, 16]
grid = ["ceil_div(w, 16)", "ceil_div(h, 16)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN T within(T v, T last) { return v < 0 ? 0 : v > last ? last : v; }

FN T sample(int w, int h, T cosine, T sine, int x, int y, const T* old) {
  T dx = x - T(0.5) * (w - 1), dy = y - T(0.5) * (h - 1);
  T u = within(T(0.5) * (w - 1) + cosine * dx - sine * dy, T(w - 1));
  T v = within(T(0.5) * (h - 1) + sine * dx + cosine * dy, T(h - 1));
  int x0 = (int)u, y0 = (int)v;
  int x1 = x0 + 1 < w ? x0 + 1 : x0, y1 = y0 + 1 < h ? y0 + 1 : y0;
  T fx = u - x0, fy = v - y0;
  T top = old[y0 * w + x0] + fx * (old[y0 * w + x1] - old[y0 * w + x0]);
  T bottom = old[y1 * w + x0] + fx * (old[y1 * w + x1] - old[y1 * w + x0]);
  return top + fy * (bottom - top);
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void turn_kernel(int w, int h, T cosine, T sine, const T* old, T* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = sample(w, h, cosine, sine, x, y, old);
}
#else
void turn(int w, int h, T cosine, T sine, const T* old, T* out) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) out[y * w + x] = sample(w, h, cosine, sine, x, y, old);
}
#endif
