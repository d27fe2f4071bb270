// Two normally distributed numbers from each counter: scramble it, then the method of Box and Muller.
// Noise for simulations without a state to keep; a logarithm, a root, a sine and a cosine for each pair.
/* sextant
name = "normal_pairs"
formula = "z = sqrt(-2 log u) cos 2 pi v, sqrt(-2 log u) sin 2 pi v, with u and v from two hashes of the counter"
types = ["float"]
sizes = { n = "N / 3" }
arrays = [
  { name = "counter", role = "in", length = "n", type = "uint32" },
  { name = "z", role = "out", length = "2 * n" },
]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "40 * eps", reason = "a radius of at most 6, an angle of at most 6.3 that is rounded twice" }

[variant."serial.baseline"]
function = "draw"
arguments = ["n", "counter", "z"]

[variant."openmp.pairs"]
function = "draw"
arguments = ["n", "counter", "z"]

[variant."cuda.pairs"]
function = "draw_kernel"
arguments = ["int(n)", "counter", "z"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <math.h>
  #define FN static inline
#endif

FN unsigned scramble(unsigned h) {
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  return h ^ h >> 16;
}

FN void pair(unsigned counter, T* z) {
  unsigned first = scramble(counter), second = scramble(counter ^ 0x5bd1e995u);
  T u = (T(first >> 9) + T(0.5)) / T(8388608);  // 24 bits are exact, and u is never 0 or 1
  T angle = T(6.283185307179586) * (T(second >> 9) / T(8388608));
  T radius = sqrt(T(-2) * log(u));
  z[0] = radius * cos(angle);
  z[1] = radius * sin(angle);
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void draw_kernel(int n, const unsigned* counter, T* z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pair(counter[i], z + 2 * i);
}
#else
void draw(long n, const unsigned* counter, T* z) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) pair(counter[i], z + 2 * i);
}
#endif
