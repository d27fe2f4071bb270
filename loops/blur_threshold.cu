// Seven-point mean along x, then along y, then black or white: what is left of a noisy scan after it.
// A page reader's first stage. Whole numbers, so every version must give the same picture.
/* sextant
name = "blur_threshold"
formula = "ink[p] = 255 if the sum of the 7 x 7 grey values around p is below 49 * 118, else 0; borders repeat"
sizes = { w = "max(1, sqrt(N / 4))", h = "max(1, sqrt(N / 4))" }
arrays = [
  { name = "grey", role = "in", length = "w * h", type = "uint8" },
  { name = "across", role = "out", length = "w * h", type = "uint16" },
  { name = "ink", role = "out", length = "w * h", type = "uint8" },
]
work = { items = "w * h" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "clean"
arguments = ["int(w)", "int(h)", "grey", "across", "ink"]

[variant."openmp.rows"]
function = "clean_threads"
arguments = ["int(w)", "int(h)", "grey", "across", "ink"]

[variant."cuda.three_kernels"]
temporaries = [ { name = "both", length = "w * h", type = "uint16" } ]
steps = [
  { function = "blur_x", arguments = ["int(w)", "int(h)", "grey", "across"], block = [32, 8], grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"] },
  { function = "blur_y", arguments = ["int(w)", "int(h)", "across", "both"], block = [32, 8], grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"] },
  { function = "threshold", arguments = ["int(w * h)", "both", "ink"], block = [256], grid = ["ceil_div(w * h, 256)"] },
]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN int inside(int at, int size) { return at < 0 ? 0 : at >= size ? size - 1 : at; }

FN unsigned short sum_x(int w, const unsigned char* row, int x) {
  int sum = 0;
  for (int d = -3; d <= 3; d++) sum += row[inside(x + d, w)];
  return sum;
}

FN unsigned short sum_y(int w, int h, const unsigned short* across, int x, int y) {
  int sum = 0;
  for (int d = -3; d <= 3; d++) sum += across[inside(y + d, h) * w + x];
  return sum;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void blur_x(int w, int h, const unsigned char* grey, unsigned short* across) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) across[y * w + x] = sum_x(w, grey + y * w, x);
}

__global__ void blur_y(int w, int h, const unsigned short* across, unsigned short* both) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) both[y * w + x] = sum_y(w, h, across, x, y);
}

__global__ void threshold(int count, const unsigned short* both, unsigned char* ink) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) ink[i] = both[i] < 49 * 118 ? 255 : 0;
}
#else
void clean(int w, int h, const unsigned char* grey, unsigned short* across, unsigned char* ink) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) across[y * w + x] = sum_x(w, grey + y * w, x);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) ink[y * w + x] = sum_y(w, h, across, x, y) < 49 * 118 ? 255 : 0;
}

void clean_threads(int w, int h, const unsigned char* grey, unsigned short* across, unsigned char* ink) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) across[y * w + x] = sum_x(w, grey + y * w, x);
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) ink[y * w + x] = sum_y(w, h, across, x, y) < 49 * 118 ? 255 : 0;
}
#endif
