// Many damped pendulums from different starts, sixteen steps of the fourth-order method of Runge and Kutta each.
// A physics course draws the map of where each start ends; four sines in every step.
/* sextant
name = "pendulum_runs"
formula = "angle' = speed, speed' = -sin(angle) - 0.2 speed, sixteen Runge-Kutta steps of 0.05"
types = ["double"]
sizes = { n = "N / 4" }
arrays = [
  { name = "angle", role = "in", length = "n" },
  { name = "speed", role = "in", length = "n" },
  { name = "last", role = "out", length = "2 * n" },
]
scalars = { dt = 0.05, drag = 0.2 }
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "80 * eps", reason = "sixteen steps with some ten roundings of numbers below 2" }

[variant."serial.baseline"]
function = "swing_all"
arguments = ["n", "dt", "drag", "angle", "speed", "last"]

[variant."openmp.pendulums"]
function = "swing_all"
arguments = ["n", "dt", "drag", "angle", "speed", "last"]

[variant."cuda.pendulums"]
function = "swing_kernel"
arguments = ["int(n)", "dt", "drag", "angle", "speed", "last"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <math.h>
  #define FN static inline
#endif

FN T pull(T drag, T angle, T speed) { return -sin(angle) - drag * speed; }

FN void swing(T dt, T drag, T angle, T speed, T* last) {
  for (int step = 0; step < 16; step++) {
    T v1 = speed, a1 = pull(drag, angle, v1);
    T v2 = speed + dt / 2 * a1, a2 = pull(drag, angle + dt / 2 * v1, v2);
    T v3 = speed + dt / 2 * a2, a3 = pull(drag, angle + dt / 2 * v2, v3);
    T v4 = speed + dt * a3, a4 = pull(drag, angle + dt * v3, v4);
    angle += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    speed += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  last[0] = angle;
  last[1] = speed;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void swing_kernel(int n, T dt, T drag, const T* angle, const T* speed, T* last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) swing(dt, drag, angle[i], speed[i], last + 2 * i);
}
#else
void swing_all(long n, T dt, T drag, const T* angle, const T* speed, T* last) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) swing(dt, drag, angle[i], speed[i], last + 2 * i);
}
#endif
