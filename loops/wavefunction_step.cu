// One explicit step of the Schroedinger equation on a ring: psi' = psi - i dt (-1/2 d2/dx2 + V) psi.
// A physics student's own complex type of two floats, because the library's did not go into the kernel.
/* sextant
name = "wavefunction_step"
formula = "next = psi - i dt H psi on a ring of n points"
sizes = { n = "max(3, N / 5)" }
arrays = [
  { name = "psi", role = "in", length = "n", type = { struct = "Amplitude", member = "float", members = 2 } },
  { name = "potential", role = "in", length = "n", type = "float", fill = { low = 0, high = 4 } },
  { name = "next", role = "out", length = "n", type = { struct = "Amplitude", member = "float", members = 2 } },
]
work = { flops = "16 * n", items = "n" }
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = "16 * eps", reason = "H psi is below 6 and is multiplied by 0.1; both sides round" }

[variant."serial.baseline"]
function = "advance"
arguments = ["n", "psi", "potential", "next"]

[variant."openmp.points"]
function = "advance_threads"
arguments = ["n", "psi", "potential", "next"]

[variant."cuda.points"]
function = "advance_kernel"
arguments = ["int(n)", "psi", "potential", "next"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
struct Amplitude {
  float re, im;
};

#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH Amplitude operator+(Amplitude a, Amplitude b) { return {a.re + b.re, a.im + b.im}; }
ON_BOTH Amplitude operator-(Amplitude a, Amplitude b) { return {a.re - b.re, a.im - b.im}; }
ON_BOTH Amplitude operator*(float f, Amplitude a) { return {f * a.re, f * a.im}; }

ON_BOTH Amplitude advanced(Amplitude left, Amplitude here, Amplitude right, float v) {
  const Amplitude h = v * here - 0.5f * (left - 2.0f * here + right);
  return {here.re + 0.1f * h.im, here.im - 0.1f * h.re};
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void advance_kernel(int n, const Amplitude* psi, const float* potential, Amplitude* next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
  next[i] = advanced(psi[left], psi[i], psi[right], potential[i]);
}
#else
void advance(long n, const Amplitude* psi, const float* potential, Amplitude* next) {
  for (long i = 0; i < n; ++i) {
    long left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
    next[i] = advanced(psi[left], psi[i], psi[right], potential[i]);
  }
}

void advance_threads(long n, const Amplitude* psi, const float* potential, Amplitude* next) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    long left = i == 0 ? n - 1 : i - 1, right = i == n - 1 ? 0 : i + 1;
    next[i] = advanced(psi[left], psi[i], psi[right], potential[i]);
  }
}
#endif
