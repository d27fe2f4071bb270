// Where does a motif of 12 bases stand in a genome, with up to four bases different, and how many times in each window of 1000?
// A biologist who looks for binding sites would write it.
/* sextant
name = "motif_hits"
formula = "hit[i] = (differences of genome[i .. i+11] and motif) <= 4; hits[w] = sum of hit in window w"
sizes = { n = "max(1, (N - 23) * 100 / 201)", windows = "ceil_div(n, 1000)" }
arrays = [
  { name = "genome", role = "in", length = "n + 11", type = "uint8", fill = { low = 0, high = 4 } },
  { name = "motif", role = "in", length = 12, type = "uint8", fill = { low = 0, high = 4 } },
  { name = "hit", role = "out", length = "n", type = "uint8" },
  { name = "hits", role = "out", length = "windows", type = "int" },
]
reference = "serial.baseline"

[variant."serial.baseline"]
function = "search"
arguments = ["n", "windows", "genome", "motif", "hit", "hits"]

[variant."openmp.positions"]
function = "search_threads"
arguments = ["n", "windows", "genome", "motif", "hit", "hits"]

[variant."cuda.positions"]
steps = [
  { function = "mark_kernel", arguments = ["int(n)", "genome", "motif", "hit"], block = [256], grid = ["ceil_div(n, 256)"] },
  { function = "sum_kernel", arguments = ["int(n)", "int(windows)", "hit", "hits"], block = [64], grid = ["ceil_div(windows, 64)"] },
]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #define ON_BOTH static inline
#endif

ON_BOTH int stands_here(const unsigned char* genome, const unsigned char* motif) {
  int different = 0;
  for (int k = 0; k < 12; ++k)
    if (genome[k] != motif[k] && ++different > 4) return 0;
  return 1;
}

ON_BOTH int window_sum(long n, const unsigned char* hit, long w) {
  long end = (w + 1) * 1000 < n ? (w + 1) * 1000 : n;
  int sum = 0;
  for (long i = w * 1000; i < end; ++i) sum += hit[i];
  return sum;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void mark_kernel(int n, const unsigned char* genome, const unsigned char* motif,
                            unsigned char* hit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) hit[i] = stands_here(genome + i, motif);
}

__global__ void sum_kernel(int n, int windows, const unsigned char* hit, int* hits) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w < windows) hits[w] = window_sum(n, hit, w);
}
#else
void search(long n, long windows, const unsigned char* genome, const unsigned char* motif, unsigned char* hit,
            int* hits) {
  for (long i = 0; i < n; ++i) hit[i] = stands_here(genome + i, motif);
  for (long w = 0; w < windows; ++w) hits[w] = window_sum(n, hit, w);
}

void search_threads(long n, long windows, const unsigned char* genome, const unsigned char* motif,
                    unsigned char* hit, int* hits) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) hit[i] = stands_here(genome + i, motif);
  #pragma omp parallel for
  for (long w = 0; w < windows; ++w) hits[w] = window_sum(n, hit, w);
}
#endif
