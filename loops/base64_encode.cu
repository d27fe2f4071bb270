// Turns every three bytes into four printable characters, as mail attachments are sent (whole groups only, no padding).
// Someone who puts binary data into a text format would write it.
/* sextant
name = "base64_encode"
formula = "text[4g .. 4g+3] = letters of the four 6-bit parts of bytes[3g .. 3g+2]"
sizes = { groups = "max(1, N / 7)" }
arrays = [
  { name = "bytes", role = "in", length = "3 * groups", type = "uint8" },
  { name = "text", role = "out", length = "4 * groups", type = "uint8" },
]
work = { items = "groups" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "encode"
arguments = ["groups", "bytes", "text"]

[variant."openmp.groups"]
function = "encode_threads"
arguments = ["groups", "bytes", "text"]

[variant."cuda.groups"]
function = "encode_kernel"
arguments = ["int(groups)", "bytes", "text"]
block = [256]
grid = ["ceil_div(groups, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
__constant__ char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__global__ void encode_kernel(int groups, const unsigned char* bytes, unsigned char* text) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  const unsigned char* from = bytes + 3LL * g;
  unsigned char* to = text + 4LL * g;
  unsigned word = from[0] << 16 | from[1] << 8 | from[2];
  to[0] = letters[word >> 18];
  to[1] = letters[word >> 12 & 63];
  to[2] = letters[word >> 6 & 63];
  to[3] = letters[word & 63];
}
#else
static const char letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static inline void encode_group(const unsigned char* from, unsigned char* to) {
  unsigned word = from[0] << 16 | from[1] << 8 | from[2];
  to[0] = letters[word >> 18];
  to[1] = letters[word >> 12 & 63];
  to[2] = letters[word >> 6 & 63];
  to[3] = letters[word & 63];
}

void encode(long groups, const unsigned char* bytes, unsigned char* text) {
  for (long g = 0; g < groups; ++g) encode_group(bytes + 3 * g, text + 4 * g);
}

void encode_threads(long groups, const unsigned char* bytes, unsigned char* text) {
  #pragma omp parallel for
  for (long g = 0; g < groups; ++g) encode_group(bytes + 3 * g, text + 4 * g);
}
#endif
