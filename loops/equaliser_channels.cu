// Two filters of second order in a row, for 32 channels of a recording whose samples take turns.
// An equaliser in a mixing desk: a channel is one chain from the first sample to the last.
/* sextant
name = "equaliser_channels"
formula = "y = b0 x + s1, s1 = b1 x - a1 y + s2, s2 = b2 x - a2 y, twice in a row; channel c of frame t is x[32 t + c]"
types = ["double"]
sizes = { frames = "N / 64" }
arrays = [
  { name = "x", role = "in", length = "32 * frames" },
  { name = "y", role = "out", length = "32 * frames" },
]
work = { items = "32 * frames" }
reference = "serial.baseline"
tolerance = { absolute = "400 * eps", reason = "poles at a distance of 0.6 from the centre: an error of some roundings fades within tens of samples" }

[variant."serial.baseline"]
function = "equalise"
arguments = ["int(frames)", "x", "y"]

[variant."openmp.channels"]
function = "equalise"
arguments = ["int(frames)", "x", "y"]

[variant."cuda.channels"]
function = "equalise_kernel"
arguments = ["int(frames)", "x", "y"]
block = [32]
grid = [1]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN T filter(T x, T* s, T b0, T b1, T b2, T a1, T a2) {
  T y = b0 * x + s[0];
  s[0] = b1 * x - a1 * y + s[1];
  s[1] = b2 * x - a2 * y;
  return y;
}

FN void channel(int c, int frames, const T* x, T* y) {
  T low[2] = {0, 0}, peak[2] = {0, 0};
  for (long t = 0; t < frames; t++) {
    T once = filter(x[32 * t + c], low, T(0.25), T(0.5), T(0.25), T(-0.35), T(0.36));
    y[32 * t + c] = filter(once, peak, T(1.1), T(-0.6), T(0.3), T(-0.6), T(0.35));
  }
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void equalise_kernel(int frames, const T* x, T* y) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < 32) channel(c, frames, x, y);
}
#else
void equalise(int frames, const T* x, T* y) {
  #pragma omp parallel for
  for (int c = 0; c < 32; c++) channel(c, frames, x, y);
}
#endif
