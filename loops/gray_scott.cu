// One step of the Gray-Scott reaction and diffusion on a torus: two substances, spots and stripes.
// Popular with people who make pictures, and in courses on stencils.
/* sextant
name = "gray_scott"
formula = "u' = u + Du lap u - u v v + F (1 - u), v' = v + Dv lap v + u v v - (F + k) v"
types = ["float"]
shape = ["w", "h"]
arrays = [
  { name = "u", role = "in", length = "w * h", fill = { low = 0, high = 1 } },
  { name = "v", role = "in", length = "w * h", fill = { low = 0, high = 1 } },
  { name = "u2", role = "out", length = "w * h" },
  { name = "v2", role = "out", length = "w * h" },
]
reference = "serial.baseline"
tolerance = { absolute = "32 * eps", reason = "about ten roundings of numbers up to 4, most of them multiplied by 0.16" }

[variant."serial.baseline"]
function = "react"
arguments = ["int(w)", "int(h)", "u", "v", "u2", "v2"]

[variant."openmp.rows"]
function = "react_threads"
arguments = ["int(w)", "int(h)", "u", "v", "u2", "v2"]

[variant."cuda.points"]
function = "react_kernel"
arguments = ["int(w)", "int(h)", "u", "v", "u2", "v2"]
block = [32, 8]
grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"]
*/
#ifdef SEXTANT_MODEL_CUDA
__global__ void react_kernel(int w, int h, const float* u, const float* v, float* u2, float* v2) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int row = y * w, up = (y + h - 1) % h * w, down = (y + 1) % h * w;
  int left = (x + w - 1) % w, right = (x + 1) % w;
  float uc = u[row + x], vc = v[row + x];
  float lu = u[row + left] + u[row + right] + u[up + x] + u[down + x] - 4 * uc;
  float lv = v[row + left] + v[row + right] + v[up + x] + v[down + x] - 4 * vc;
  float uvv = uc * vc * vc;
  u2[row + x] = uc + 0.16f * lu - uvv + 0.035f * (1 - uc);
  v2[row + x] = vc + 0.08f * lv + uvv - (0.035f + 0.06f) * vc;
}
#else
void react(int w, int h, const T* u, const T* v, T* u2, T* v2) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int row = y * w, up = (y + h - 1) % h * w, down = (y + 1) % h * w;
      int left = (x + w - 1) % w, right = (x + 1) % w;
      T uc = u[row + x], vc = v[row + x];
      T lu = u[row + left] + u[row + right] + u[up + x] + u[down + x] - 4 * uc;
      T lv = v[row + left] + v[row + right] + v[up + x] + v[down + x] - 4 * vc;
      T uvv = uc * vc * vc;
      u2[row + x] = uc + T(0.16) * lu - uvv + T(0.035) * (1 - uc);
      v2[row + x] = vc + T(0.08) * lv + uvv - T(0.095) * vc;
    }
}

void react_threads(int w, int h, const T* u, const T* v, T* u2, T* v2) {
  #pragma omp parallel for
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int row = y * w, up = (y + h - 1) % h * w, down = (y + 1) % h * w;
      int left = (x + w - 1) % w, right = (x + 1) % w;
      T uc = u[row + x], vc = v[row + x];
      T lu = u[row + left] + u[row + right] + u[up + x] + u[down + x] - 4 * uc;
      T lv = v[row + left] + v[row + right] + v[up + x] + v[down + x] - 4 * vc;
      T uvv = uc * vc * vc;
      u2[row + x] = uc + T(0.16) * lu - uvv + T(0.035) * (1 - uc);
      v2[row + x] = vc + T(0.08) * lv + uvv - T(0.095) * vc;
    }
}
#endif
