/* sextant
name = "sobel_edges"
formula = "strength and direction (0 to 3) of edges in a grey image"
shape = ["w", "h"]
arrays = [
  { name = "image", role = "in", length = "w * h", type = "uint8" },
  { name = "strength", role = "out", length = "w * h", type = "int16" },
  { name = "direction", role = "out", length = "w * h", type = "uint8" },
]
scalars = { threshold = 200 }
work = { items = "w * h" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "sobel"
arguments = ["int(w)", "int(h)", "int(threshold)", "image", "strength", "direction"]

[variant."openmp.rows"]
function = "sobel"
arguments = ["int(w)", "int(h)", "int(threshold)", "image", "strength", "direction"]

[variant."cuda.pixels"]
function = "sobel_pixels"
arguments = ["int(w)", "int(h)", "int(threshold)", "image", "strength", "direction"]
block = [16, 16]
grid = ["ceil_div(w, 16)", "ceil_div(h, 16)"]
*/
// The gradient step of an edge detector in an image course: weak pixels become 0, strong ones keep |gx| + |gy| and one of four directions.
#ifdef SEXTANT_MODEL_CUDA
  #define BOTH __device__
#else
  #define BOTH
#endif
BOTH inline void edge(int w, int h, int threshold, const unsigned char* image, short* strength,
                      unsigned char* direction, int x, int y) {
  const long long at = (long long)y * w + x;
  strength[at] = 0;
  direction[at] = 0;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return;
  const unsigned char *up = image + at - w, *here = image + at, *down = image + at + w;
  const int gx = up[1] + 2 * here[1] + down[1] - up[-1] - 2 * here[-1] - down[-1];
  const int gy = down[-1] + 2 * down[0] + down[1] - up[-1] - 2 * up[0] - up[1];
  const int ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
  if (ax + ay < threshold) return;
  strength[at] = (short)(ax + ay);
  if (5 * ay < 2 * ax)  // below 22 degrees
    direction[at] = 0;
  else if (5 * ax < 2 * ay)
    direction[at] = 2;
  else
    direction[at] = (gx < 0) == (gy < 0) ? 1 : 3;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void sobel_pixels(int w, int h, int threshold, const unsigned char* image, short* strength,
                             unsigned char* direction) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) edge(w, h, threshold, image, strength, direction, x, y);
}
#else
void sobel(int w, int h, int threshold, const unsigned char* image, short* strength,
           unsigned char* direction) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) edge(w, h, threshold, image, strength, direction, x, y);
}
#endif
