// Many Fourier transforms of eight complex points each, in three rounds of butterflies, in place.
// Someone who cuts a signal into tiny pieces would write it out rather than call a library for each.
/* sextant
name = "fft8"
formula = "z[8 t .. 8 t + 8) becomes its discrete Fourier transform, for each t"
sizes = { items = "max(1, N / 16)" }
arrays = [
  { name = "z", role = "inout", length = "8 * items", type = { struct = "Point", member = "float", members = 2 } },
]
work = { flops = "5 * 8 * 3 * items", items = "items" }
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = "100 * eps", reason = "sums grow to 16 in three rounds, with five roundings on the way, on both sides" }

[variant."serial.baseline"]
function = "transform"
arguments = ["items", "z"]

[variant."openmp.items"]
function = "transform_threads"
arguments = ["items", "z"]

[variant."cuda.items"]
function = "transform_kernel"
arguments = ["int(items)", "z"]
block = [128]
grid = ["ceil_div(items, 128)"]
*/
struct Point {
  float re, im;
};

#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN void butterfly(Point& a, Point& b) {
  const Point t = a;
  a.re = t.re + b.re;
  a.im = t.im + b.im;
  b.re = t.re - b.re;
  b.im = t.im - b.im;
}

// times exp(-i pi / 4), times -i, times exp(-3 i pi / 4)
FN Point eighth(Point p) { return {0.70710678f * (p.re + p.im), 0.70710678f * (p.im - p.re)}; }
FN Point quarter(Point p) { return {p.im, -p.re}; }
FN Point three_eighths(Point p) { return quarter(eighth(p)); }

FN void fft_of(Point* z) {
  Point p[8];
  for (int k = 0; k < 8; k++) p[k] = z[k];
  for (int k = 0; k < 4; k++) butterfly(p[k], p[k + 4]);
  p[5] = eighth(p[5]);
  p[6] = quarter(p[6]);
  p[7] = three_eighths(p[7]);
  for (int h = 0; h < 8; h += 4) {
    butterfly(p[h], p[h + 2]);
    butterfly(p[h + 1], p[h + 3]);
    p[h + 3] = quarter(p[h + 3]);
    butterfly(p[h], p[h + 1]);
    butterfly(p[h + 2], p[h + 3]);
  }
  // the results lie in bit-reversed order
  for (int k = 0; k < 8; k++) z[k] = p[(k & 1) * 4 + (k & 2) + (k & 4) / 4];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void transform_kernel(int items, Point* z) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < items) fft_of(z + 8LL * t);
}
#else
void transform(long items, Point* z) {
  for (long t = 0; t < items; t++) fft_of(z + 8 * t);
}

void transform_threads(long items, Point* z) {
  #pragma omp parallel for
  for (long t = 0; t < items; t++) fft_of(z + 8 * t);
}
#endif
