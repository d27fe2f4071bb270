// Payoff of an option on the mean price, one simulated price path of 50 days per number.
// A finance course has it: the mean of the payoffs, taken later, is the option's value.
/* sextant
name = "asian_option"
formula = "payoff[i] = max(mean of 50 prices of path i - 100, 0)"
sizes = { paths = "max(1, N / 2)" }
arrays = [
  { name = "seed", role = "in", length = "paths", type = "uint32" },
  { name = "payoff", role = "out", length = "paths", type = "double" },
]
work = { items = "paths" }
reference = "serial.baseline"
tolerance = { absolute = "50000 * eps", reason = "prices below 200 after 50 days of about five roundings each" }

[variant."serial.baseline"]
function = "simulate"
arguments = ["paths", "seed", "payoff"]

[variant."openmp.paths"]
function = "simulate_threads"
arguments = ["paths", "seed", "payoff"]

[variant."cuda.paths"]
function = "simulate_kernel"
arguments = ["int(paths)", "seed", "payoff"]
block = [128]
grid = ["ceil_div(paths, 128)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #include <cmath>
  #define ON_BOTH static inline
#endif

// A number above 0 and below 1; the state goes on.
ON_BOTH double draw(unsigned long long& state) {
  state += 0x9e3779b97f4a7c15ULL;
  unsigned long long z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return ((z >> 12) + 0.5) * (1.0 / 4503599627370496.0);
}

ON_BOTH double one_path(unsigned seed) {
  const double rate = 0.03 / 250, spread = 0.2 / 15.811388300841896;  // a day; the root of 250 days
  unsigned long long state = seed;
  double price = 100, sum = 0;
  for (int day = 0; day < 50; day += 2) {
    double radius = sqrt(-2 * log(draw(state))), angle = 6.283185307179586 * draw(state);
    price *= exp(rate - 0.5 * spread * spread + spread * radius * cos(angle));
    sum += price;
    price *= exp(rate - 0.5 * spread * spread + spread * radius * sin(angle));
    sum += price;
  }
  double gain = sum / 50 - 100;
  return gain > 0 ? gain : 0;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void simulate_kernel(int paths, const unsigned* seed, double* payoff) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < paths) payoff[i] = one_path(seed[i]);
}
#else
void simulate(long paths, const unsigned* seed, double* payoff) {
  for (long i = 0; i < paths; ++i) payoff[i] = one_path(seed[i]);
}

void simulate_threads(long paths, const unsigned* seed, double* payoff) {
  #pragma omp parallel for
  for (long i = 0; i < paths; ++i) payoff[i] = one_path(seed[i]);
}
#endif
