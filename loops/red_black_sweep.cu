/* sextant
name = "red_black_sweep"
formula = "four sweeps of u += omega/4 (sum of neighbours - 4 u - f), red points and then black ones"
types = ["double"]
shape = ["w", "h"]
arrays = [
  { name = "f", role = "in", length = "w * h", fill = { low = 0, high = 0.01 } },
  { name = "u", role = "inout", length = "w * h" },
]
scalars = { omega = 1.5 }
work = { flops = "4 * 7 * (w - 2) * (h - 2)" }
reference = "serial.baseline"
tolerance = { absolute = "200 * eps", reason = "eight half sweeps with seven roundings of numbers of at most 4 each; over-relaxation grows an error up to twice a sweep" }

[variant."serial.baseline"]
function = "sweep"
arguments = ["int(w)", "int(h)", "omega", "f", "u"]
repeat = 4

[variant."openmp.rows"]
function = "sweep_threads"
arguments = ["int(w)", "int(h)", "omega", "f", "u"]
repeat = 4

[variant."cuda.two_colours"]
steps = [
  { function = "colour", arguments = ["int(w)", "int(h)", "omega", "int(0)", "f", "u"], block = [32, 8], grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"] },
  { function = "colour", arguments = ["int(w)", "int(h)", "omega", "int(1)", "f", "u"], block = [32, 8], grid = ["ceil_div(w, 32)", "ceil_div(h, 8)"] },
]
repeat = 4
*/
// Successive over-relaxation for Poisson's equation, coloured as a chessboard so that half of the points can be done at once.
#ifdef SEXTANT_MODEL_CUDA
__global__ void colour(int w, int h, double omega, int which, const double* f, double* u) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1 || (x + y) % 2 != which) return;
  long long i = (long long)y * w + x;
  u[i] += omega * 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0 * u[i] - f[i]);
}
#else
void sweep(int w, int h, double omega, const double* f, double* u) {
  for (int colour = 0; colour < 2; colour++)
    for (int y = 1; y < h - 1; y++)
      for (int x = 1 + (y + 1 + colour) % 2; x < w - 1; x += 2) {
        long long i = (long long)y * w + x;
        u[i] += omega * 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0 * u[i] - f[i]);
      }
}

void sweep_threads(int w, int h, double omega, const double* f, double* u) {
  for (int colour = 0; colour < 2; colour++) {
  #pragma omp parallel for
    for (int y = 1; y < h - 1; y++)
      for (int x = 1 + (y + 1 + colour) % 2; x < w - 1; x += 2) {
        long long i = (long long)y * w + x;
        u[i] += omega * 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0 * u[i] - f[i]);
      }
  }
}
#endif
