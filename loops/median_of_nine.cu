// Each pixel of a grey picture becomes the median of its 3 x 3 neighbourhood; the border is copied.
// Someone who removes hot pixels or salt-and-pepper noise would write it.
/* sextant
name = "median_of_nine"
formula = "out[y][x] = median of in[y-1 .. y+1][x-1 .. x+1]"
shape = ["w", "h"]
arrays = [
  { name = "in", role = "in", length = "w * h", type = "uint8" },
  { name = "out", role = "out", length = "w * h", type = "uint8" },
]
work = { items = "w * h" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "filter"
arguments = ["int(w)", "int(h)", "in", "out"]

[variant."openmp.rows"]
function = "filter_threads"
arguments = ["int(w)", "int(h)", "in", "out"]

[variant."cuda.pixels"]
function = "filter_kernel"
arguments = ["int(w)", "int(h)", "in", "out"]
block = [32, 8]
grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH int smaller(int a, int b) { return a < b ? a : b; }
ON_BOTH int larger(int a, int b) { return a < b ? b : a; }
ON_BOTH int middle(int a, int b, int c) { return larger(smaller(a, b), smaller(larger(a, b), c)); }

// The median of nine is the middle one of: the largest of the columns' minima, the middle of their medians,
// the smallest of their maxima.
ON_BOTH unsigned char median_at(int w, int h, const unsigned char* in, int x, int y) {
  const unsigned char* p = in + (long long)y * w + x;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return *p;
  int low = 0, mid[3], high = 255;
  for (int k = -1; k <= 1; ++k) {
    int a = p[k - w], b = p[k], c = p[k + w];
    low = larger(low, smaller(smaller(a, b), c));
    mid[k + 1] = middle(a, b, c);
    high = smaller(high, larger(larger(a, b), c));
  }
  return middle(low, middle(mid[0], mid[1], mid[2]), high);
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void filter_kernel(int w, int h, const unsigned char* in, unsigned char* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[(long long)y * w + x] = median_at(w, h, in, x, y);
}
#else
void filter(int w, int h, const unsigned char* in, unsigned char* out) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) out[(long long)y * w + x] = median_at(w, h, in, x, y);
}

void filter_threads(int w, int h, const unsigned char* in, unsigned char* out) {
  #pragma omp parallel for
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) out[(long long)y * w + x] = median_at(w, h, in, x, y);
}
#endif
