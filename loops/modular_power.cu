// The base to the power of exponent, modulo a modulus, by squaring: toy encryption with 31-bit keys.
// A homework in number theory; each multiplication needs the remainder of a 64-bit product.
/* sextant
name = "modular_power"
formula = "result[i] = base[i] ** exponent[i] mod modulus[i]"
sizes = { n = "N / 4" }
arrays = [
  { name = "base", role = "in", length = "n", type = "uint32" },
  { name = "exponent", role = "in", length = "n", type = "uint32", fill = { low = 0, high = 65536 } },
  { name = "modulus", role = "in", length = "n", type = "uint32", fill = { low = 3, high = 2147483647 } },
  { name = "result", role = "out", length = "n", type = "uint32" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "powers"
arguments = ["n", "base", "exponent", "modulus", "result"]

[variant."openmp.items"]
function = "powers"
arguments = ["n", "base", "exponent", "modulus", "result"]

[variant."cuda.items"]
function = "powers_kernel"
arguments = ["int(n)", "base", "exponent", "modulus", "result"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
#ifdef SEXTANT_MODEL_CUDA
__device__
#else
static inline
#endif
    unsigned
    power(unsigned base, unsigned exponent, unsigned modulus) {
  unsigned long long square = base % modulus, product = 1;
  while (exponent > 0) {
    if (exponent & 1) product = product * square % modulus;
    square = square * square % modulus;
    exponent >>= 1;
  }
  return (unsigned)product;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void powers_kernel(int n, const unsigned* base, const unsigned* exponent, const unsigned* modulus,
                              unsigned* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = power(base[i], exponent[i], modulus[i]);
}
#else
void powers(long n, const unsigned* base, const unsigned* exponent, const unsigned* modulus,
            unsigned* result) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) result[i] = power(base[i], exponent[i], modulus[i]);
}
#endif
