// The price of American puts by a binomial tree of 24 steps (Cox, Ross and Rubinstein), one tree for each option.
// After the formula of Black and Scholes this is the next page of the textbook.
/* sextant
name = "american_put"
formula = "value[k] = max(strike - spot u^(2 k - step), discounted mean of the two values a step later), from the end to the root"
types = ["float"]
sizes = { n = "N / 4" }
arrays = [
  { name = "spot", role = "in", length = "n", fill = { low = 80, high = 120 } },
  { name = "strike", role = "in", length = "n", fill = { low = 80, high = 120 } },
  { name = "years", role = "in", length = "n", fill = { low = 1, high = 3 } },
  { name = "price", role = "out", length = "n" },
]
scalars = { rate = 0.03, volatility = 0.25 }
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = "12000 * eps", reason = "prices of up to some hundreds, 24 products for a leaf and 24 means on the way back" }

[variant."serial.baseline"]
function = "price_all"
arguments = ["n", "rate", "volatility", "spot", "strike", "years", "price"]

[variant."openmp.options"]
function = "price_all"
arguments = ["n", "rate", "volatility", "spot", "strike", "years", "price"]

[variant."cuda.options"]
function = "price_kernel"
arguments = ["int(n)", "rate", "volatility", "spot", "strike", "years", "price"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #include <math.h>
  #define FN static inline
#endif

FN T tree_price(T rate, T volatility, T spot, T strike, T years) {
  const int steps = 24;
  T dt = years / steps;
  T up = exp(volatility * sqrt(dt)), growth = exp(rate * dt);
  T p = (growth - 1 / up) / (up - 1 / up);
  T p_up = p / growth, p_down = (1 - p) / growth;
  T value[steps + 1], lowest = spot;
  for (int k = 0; k < steps; k++) lowest /= up;
  T share = lowest;
  for (int k = 0; k <= steps; k++) {
    value[k] = strike > share ? strike - share : 0;
    share *= up * up;
  }
  for (int step = steps - 1; step >= 0; step--) {
    lowest *= up;
    share = lowest;
    for (int k = 0; k <= step; k++) {
      T keep = p_up * value[k + 1] + p_down * value[k], now = strike - share;
      value[k] = keep > now ? keep : now;
      share *= up * up;
    }
  }
  return value[0];
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void price_kernel(int n, T rate, T volatility, const T* spot, const T* strike, const T* years,
                             T* price) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) price[i] = tree_price(rate, volatility, spot[i], strike[i], years[i]);
}
#else
void price_all(long n, T rate, T volatility, const T* spot, const T* strike, const T* years, T* price) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) price[i] = tree_price(rate, volatility, spot[i], strike[i], years[i]);
}
#endif
