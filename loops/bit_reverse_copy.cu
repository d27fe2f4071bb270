// Copies complex samples into bit-reversed order, the first pass of a home-made Fourier transform.
// Anyone who writes an FFT by hand has this loop.
/* sextant
name = "bit_reverse_copy"
formula = "out[reverse(i)] = in[i], n a power of two"
sizes = { bits = "log2(max(N / 4, 1))", n = "pow2(bits)" }
arrays = [
  { name = "in", role = "in", length = "n", type = { struct = "Sample", member = "float", members = 2 } },
  { name = "out", role = "out", length = "n", type = { struct = "Sample", member = "float", members = 2 } },
]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "samples are only moved" }

[variant."serial.baseline"]
function = "reorder"
arguments = ["n", "int(bits)", "in", "out"]

[variant."openmp.samples"]
function = "reorder_threads"
arguments = ["n", "int(bits)", "in", "out"]

[variant."cuda.samples"]
function = "reorder_kernel"
arguments = ["int(n)", "int(bits)", "in", "out"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
struct Sample {
  float re, im;
};

#if defined(SEXTANT_MODEL_CUDA)
__device__
#else
static inline
#endif
    unsigned
    reversed(unsigned i, int bits) {
  unsigned r = 0;
  for (int b = 0; b < bits; ++b) {
    r = r << 1 | (i & 1);
    i >>= 1;
  }
  return r;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void reorder_kernel(int n, int bits, const Sample* in, Sample* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[reversed(i, bits)] = in[i];
}
#else
void reorder(long n, int bits, const Sample* in, Sample* out) {
  for (long i = 0; i < n; ++i) out[reversed(i, bits)] = in[i];
}

void reorder_threads(long n, int bits, const Sample* in, Sample* out) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) out[reversed(i, bits)] = in[i];
}
#endif
