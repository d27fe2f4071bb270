// Has each key perhaps been seen before? Three bits of a Bloom filter tell; the first clear bit ends the question.
// Databases and crawlers ask this before they go to the disk. The filter is large and read at random.
/* sextant
name = "bloom_queries"
formula = "seen[i] = 1 if the bits at three hashes of key[i] are all set in filter, else 0"
sizes = { keys = "N / 4", bytes = "max(1, N / 2)" }
arrays = [
  { name = "filter", role = "in", length = "bytes", type = "uint8" },
  { name = "key", role = "in", length = "keys", type = "uint32" },
  { name = "seen", role = "out", length = "keys", type = "uint8" },
]
work = { items = "keys" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "ask"
arguments = ["keys", "int(bytes)", "filter", "key", "seen"]

[variant."openmp.keys"]
function = "ask"
arguments = ["keys", "int(bytes)", "filter", "key", "seen"]

[variant."cuda.keys"]
function = "ask_kernel"
arguments = ["int(keys)", "int(bytes)", "filter", "key", "seen"]
block = [256]
grid = ["ceil_div(keys, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN unsigned mix(unsigned h) {
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

FN unsigned char contains(int bytes, const unsigned char* filter, unsigned key) {
  unsigned h = mix(key), step = mix(key + 0x9e3779b9u) | 1u;
  for (int probe = 0; probe < 3; probe++) {
    unsigned byte = (unsigned)((unsigned long long)h * (unsigned)bytes >> 32);
    if (!(filter[byte] >> (h & 7) & 1)) return 0;
    h += step;
  }
  return 1;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void ask_kernel(int keys, int bytes, const unsigned char* filter, const unsigned* key,
                           unsigned char* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < keys) seen[i] = contains(bytes, filter, key[i]);
}
#else
void ask(long keys, int bytes, const unsigned char* filter, const unsigned* key, unsigned char* seen) {
  #pragma omp parallel for
  for (long i = 0; i < keys; i++) seen[i] = contains(bytes, filter, key[i]);
}
#endif
