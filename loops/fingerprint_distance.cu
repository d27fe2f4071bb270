// Number of differing bits between each stored 256-bit fingerprint and one query.
// A chemist or an image librarian would write it to rank entries by similarity.
/* sextant
name = "fingerprint_distance"
formula = "distance[i] = bits set in (stored[i] xor query), 256 bits each"
sizes = { n = "max(1, (N - 4) / 5)" }
arrays = [
  { name = "stored", role = "in", length = "n", type = { struct = "Fingerprint", member = "uint64", members = 4 } },
  { name = "query", role = "in", length = 1, type = { struct = "Fingerprint", member = "uint64", members = 4 } },
  { name = "distance", role = "out", length = "n", type = "uint16" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "distances"
arguments = ["n", "stored", "query", "distance"]

[variant."openmp.entries"]
function = "distances_threads"
arguments = ["n", "stored", "query", "distance"]

[variant."cuda.entries"]
function = "distances_kernel"
arguments = ["int(n)", "stored", "query", "distance"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
struct Fingerprint {
  unsigned long long bits[4];
};

#if defined(SEXTANT_MODEL_CUDA)
__global__ void distances_kernel(int n, const Fingerprint* stored, const Fingerprint* query,
                                 unsigned short* distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int differing = 0;
  for (int k = 0; k < 4; ++k) differing += __popcll(stored[i].bits[k] ^ query->bits[k]);
  distance[i] = differing;
}
#else
void distances(long n, const Fingerprint* stored, const Fingerprint* query, unsigned short* distance) {
  for (long i = 0; i < n; ++i) {
    int differing = 0;
    for (int k = 0; k < 4; ++k) differing += __builtin_popcountll(stored[i].bits[k] ^ query->bits[k]);
    distance[i] = differing;
  }
}

void distances_threads(long n, const Fingerprint* stored, const Fingerprint* query,
                       unsigned short* distance) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    int differing = 0;
    for (int k = 0; k < 4; ++k) differing += __builtin_popcountll(stored[i].bits[k] ^ query->bits[k]);
    distance[i] = differing;
  }
}
#endif
