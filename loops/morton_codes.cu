// Interleaves ten bits each of x, y and z, so that near particles get near numbers.
// The first step of everyone's bounding volume hierarchy and of octrees.
/* sextant
name = "morton_codes"
formula = "code[i] = bits of int(1024 x), int(1024 y), int(1024 z) in turn"
sizes = { n = "N / 4" }
arrays = [
  { name = "x", role = "in", length = "n", type = "float", fill = { low = 0, high = 1 } },
  { name = "y", role = "in", length = "n", type = "float", fill = { low = 0, high = 1 } },
  { name = "z", role = "in", length = "n", type = "float", fill = { low = 0, high = 1 } },
  { name = "code", role = "out", length = "n", type = "uint32" },
]
work = { items = "n" }
reference = { variant = "serial.baseline", precision = "float" }

[variant."serial.baseline"]
function = "encode"
arguments = ["n", "x", "y", "z", "code"]

[variant."openmp.points"]
function = "encode"
arguments = ["n", "x", "y", "z", "code"]

[variant."cuda.points"]
function = "encode_kernel"
arguments = ["int(n)", "x", "y", "z", "code"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN unsigned cell(float v) {
  int c = (int)(v * 1024.0f);
  return c < 0 ? 0u : c > 1023 ? 1023u : (unsigned)c;
}

// moves the ten low bits three places apart
FN unsigned spread(unsigned v) {
  v = (v | (v << 16)) & 0x030000ffu;
  v = (v | (v << 8)) & 0x0300f00fu;
  v = (v | (v << 4)) & 0x030c30c3u;
  return (v | (v << 2)) & 0x09249249u;
}

FN unsigned morton(float x, float y, float z) {
  return spread(cell(x)) << 2 | spread(cell(y)) << 1 | spread(cell(z));
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void encode_kernel(int n, const float* x, const float* y, const float* z, unsigned* code) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) code[i] = morton(x[i], y[i], z[i]);
}
#else
void encode(long n, const float* x, const float* y, const float* z, unsigned* code) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) code[i] = morton(x[i], y[i], z[i]);
}
#endif
