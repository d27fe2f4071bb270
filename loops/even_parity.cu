// Sets the top bit of each 7-bit character so that every byte has an even number of ones.
// Someone who feeds an old serial device or a tape archive would write it.
/* sextant
name = "even_parity"
formula = "text[i] = low seven bits of text[i], and their parity in bit 7"
sizes = { n = "N" }
arrays = [ { name = "text", role = "inout", length = "n", type = "uint8" } ]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "add_parity"
arguments = ["n", "text"]

[variant."openmp.bytes"]
function = "add_parity_threads"
arguments = ["n", "text"]

[variant."cuda.bytes"]
function = "add_parity_kernel"
arguments = ["n", "text"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
__global__ void add_parity_kernel(long long n, unsigned char* text) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned c = text[i] & 0x7f;
  unsigned folded = c ^ (c >> 4);
  folded ^= folded >> 2;
  folded ^= folded >> 1;
  text[i] = c | (folded & 1) << 7;
}
#else
void add_parity(long long n, unsigned char* text) {
  for (long long i = 0; i < n; ++i) {
    unsigned c = text[i] & 0x7f;
    unsigned folded = c ^ (c >> 4);
    folded ^= folded >> 2;
    folded ^= folded >> 1;
    text[i] = c | (folded & 1) << 7;
  }
}

void add_parity_threads(long long n, unsigned char* text) {
  #pragma omp parallel for
  for (long long i = 0; i < n; ++i) {
    unsigned c = text[i] & 0x7f;
    unsigned folded = c ^ (c >> 4);
    folded ^= folded >> 2;
    folded ^= folded >> 1;
    text[i] = c | (folded & 1) << 7;
  }
}
#endif
