/* sextant
name = "row_mean_colour"
formula = "mean[y] = mean red, green, blue of image row y"
shape = ["w", "h"]
arrays = [
  { name = "image", role = "in", length = "w * h", type = { struct = "Pixel", member = "uint8", members = 3 } },
  { name = "mean", role = "out", length = "h", type = { struct = "Colour", member = "float", members = 3 } },
]
reference = "serial.baseline"
tolerance = { relative = "3 * eps", reason = "the sum is exact; its conversion, the width's and the division are rounded" }

[variant."serial.baseline"]
function = "row_means"
arguments = ["int(w)", "int(h)", "image", "mean"]

[variant."openmp.rows"]
function = "row_means"
arguments = ["int(w)", "int(h)", "image", "mean"]

[variant."cuda.rows"]
function = "row_means_kernel"
arguments = ["int(w)", "int(h)", "image", "mean"]
block = [64]
grid = ["ceil_div(h, 64)"]
*/
// The mean colour of each line of a photo, to find banding of a sensor. Pixels are three bytes; one thread adds up one line.
struct Pixel {
  unsigned char r, g, b;
};
struct Colour {
  float r, g, b;
};

#ifdef SEXTANT_MODEL_CUDA
  #define BOTH __device__
#else
  #define BOTH
#endif
BOTH inline Colour mean_of(int w, const Pixel* row) {
  unsigned r = 0, g = 0, b = 0;
  for (int x = 0; x < w; x++) {
    r += row[x].r;
    g += row[x].g;
    b += row[x].b;
  }
  Colour mean = {float(r) / float(w), float(g) / float(w), float(b) / float(w)};
  return mean;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void row_means_kernel(int w, int h, const Pixel* image, Colour* mean) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < h) mean[y] = mean_of(w, image + (long long)y * w);
}
#else
void row_means(int w, int h, const Pixel* image, Colour* mean) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++) mean[y] = mean_of(w, image + (long long)y * w);
}
#endif
