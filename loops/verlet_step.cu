/* sextant
name = "verlet_step"
formula = "one velocity Verlet step of n bodies, each tied to its own place by a stiffening spring"
types = ["double"]
sizes = { n = "max(1, N / 9)" }
arrays = [
  { name = "x", role = "inout", length = "3 * n" },
  { name = "v", role = "inout", length = "3 * n" },
  { name = "home", role = "in", length = "3 * n" },
]
scalars = { dt = 0.01 }
work = { flops = "3 * n * 18" }
reference = "serial.baseline"
tolerance = { absolute = "64 * eps", reason = "positions and speeds stay below 2; the spring force is below 20, and enters times dt" }

[variant."serial.baseline"]
function = "step"
arguments = ["3 * n", "dt", "home", "x", "v"]

[variant."openmp.loop"]
function = "step_threads"
arguments = ["3 * n", "dt", "home", "x", "v"]

[variant."cuda.coordinates"]
function = "step_kernel"
arguments = ["3 * n", "dt", "home", "x", "v"]
block = [256]
grid = ["ceil_div(3 * n, 256)"]
*/
// Half a kick, a drift, the new force, half a kick. What one learns after Euler's method in a computational physics course.
#ifdef SEXTANT_MODEL_CUDA
__global__ void step_kernel(long long count, double dt, const double* home, double* x, double* v) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i >= count) return;
  double d = x[i] - home[i];
  double a = -d - 0.5 * d * d * d;
  double half = v[i] + 0.5 * dt * a;
  x[i] = x[i] + dt * half;
  d = x[i] - home[i];
  a = -d - 0.5 * d * d * d;
  v[i] = half + 0.5 * dt * a;
}
#else
void step(long long count, T dt, const T* home, T* x, T* v) {
  for (long long i = 0; i < count; i++) {
    T d = x[i] - home[i];
    T a = -d - T(0.5) * d * d * d;
    T half = v[i] + T(0.5) * dt * a;
    x[i] = x[i] + dt * half;
    d = x[i] - home[i];
    a = -d - T(0.5) * d * d * d;
    v[i] = half + T(0.5) * dt * a;
  }
}

void step_threads(long long count, T dt, const T* home, T* x, T* v) {
  #pragma omp parallel for
  for (long long i = 0; i < count; i++) {
    T d = x[i] - home[i];
    T a = -d - T(0.5) * d * d * d;
    T half = v[i] + T(0.5) * dt * a;
    x[i] = x[i] + dt * half;
    d = x[i] - home[i];
    a = -d - T(0.5) * d * d * d;
    v[i] = half + T(0.5) * dt * a;
  }
}
#endif
