// Gives each key a partition by a scrambling hash, and counts how many keys each of 256 partitions gets.
// It is the first pass of a hash join or of a parallel group-by, as a database student would write it.
/* sextant
name = "hash_partition"
formula = "part[i] = top byte of hash(key[i]); count[p] = how often p occurs"
sizes = { n = "max(1, (N - 256) / 2)" }
arrays = [
  { name = "key", role = "in", length = "n", type = "uint32" },
  { name = "part", role = "out", length = "n", type = "uint8" },
  { name = "count", role = "out", length = 256, type = "int" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "partition"
arguments = ["n", "key", "part", "count"]

[variant."openmp.keys"]
function = "partition_threads"
arguments = ["n", "key", "part", "count"]

[variant."cuda.keys"]
steps = [
  { function = "hash_kernel", arguments = ["int(n)", "key", "part"], block = [256], grid = ["ceil_div(n, 256)"] },
  { function = "clear_kernel", arguments = ["count"], block = [256], grid = [1] },
  { function = "count_kernel", arguments = ["int(n)", "part", "count"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH unsigned scramble(unsigned h) {
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ (h >> 15);
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void hash_kernel(int n, const unsigned* key, unsigned char* part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) part[i] = scramble(key[i]) >> 24;
}

__global__ void clear_kernel(int* count) { count[threadIdx.x] = 0; }

__global__ void count_kernel(int n, const unsigned char* part, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[part[i]], 1);
}
#else
void partition(long n, const unsigned* key, unsigned char* part, int* count) {
  for (long i = 0; i < n; ++i) part[i] = scramble(key[i]) >> 24;
  for (int p = 0; p < 256; ++p) count[p] = 0;
  for (long i = 0; i < n; ++i) ++count[part[i]];
}

void partition_threads(long n, const unsigned* key, unsigned char* part, int* count) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) part[i] = scramble(key[i]) >> 24;
  for (int p = 0; p < 256; ++p) count[p] = 0;
  #pragma omp parallel for reduction(+ : count[:256])
  for (long i = 0; i < n; ++i) ++count[part[i]];
}
#endif
