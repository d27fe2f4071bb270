/* sextant
name = "bilateral_filter"
formula = "mean of 7 x 7 pixels, weighted by distance and by difference of brightness"
types = ["float"]
shape = ["w", "h"]
arrays = [
  { name = "in", role = "in", length = "w * h", fill = { low = 0, high = 1 } },
  { name = "out", role = "out", length = "w * h" },
]
scalars = { per_space = 0.125, per_range = 12.5 }
reference = "serial.baseline"
tolerance = { absolute = "100 * eps", reason = "49 weights and 49 products are summed, each weight an exp that is right to a few roundings; the mean is at most 1" }

[variant."serial.baseline"]
function = "bilateral"
arguments = ["int(w)", "int(h)", "per_space", "per_range", "in", "out"]

[variant."openmp.rows"]
function = "bilateral"
arguments = ["int(w)", "int(h)", "per_space", "per_range", "in", "out"]

[variant."cuda.pixels"]
function = "bilateral_pixels"
arguments = ["int(w)", "int(h)", "per_space", "per_range", "in", "out"]
block = ["bx", "by"]
grid = ["ceil_div(w, bx)", "ceil_div(h, by)"]
tune = { bx = [16, 32], by = [16, 8] }
*/
// Removes noise and keeps edges; a photo tool's or a camera lab's first GPU kernel. An exp for each of 49 neighbours of each pixel.
#ifdef SEXTANT_MODEL_CUDA
__global__ void bilateral_pixels(int w, int h, float per_space, float per_range, const float* in,
                                 float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float centre = in[(size_t)y * w + x], sum = 0.0f, weights = 0.0f;
  for (int dy = -3; dy <= 3; dy++)
    for (int dx = -3; dx <= 3; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx < 0 || yy < 0 || xx >= w || yy >= h) continue;
      float value = in[(size_t)yy * w + xx], d = value - centre;
      float weight = expf(-(dx * dx + dy * dy) * per_space - d * d * per_range);
      sum += weight * value;
      weights += weight;
    }
  out[(size_t)y * w + x] = sum / weights;
}
#else
  #include <cmath>
  #include <cstddef>
void bilateral(int w, int h, T per_space, T per_range, const T* in, T* out) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      T centre = in[(size_t)y * w + x], sum = 0, weights = 0;
      for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
          int xx = x + dx, yy = y + dy;
          if (xx < 0 || yy < 0 || xx >= w || yy >= h) continue;
          T value = in[(size_t)yy * w + xx], d = value - centre;
          T weight = std::exp(-(dx * dx + dy * dy) * per_space - d * d * per_range);
          sum += weight * value;
          weights += weight;
        }
      out[(size_t)y * w + x] = sum / weights;
    }
}
#endif
