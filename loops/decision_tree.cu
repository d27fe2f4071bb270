// Sends each sample down one decision tree of up to 12 levels (fewer for few samples): at every node one of four features is compared.
// Inference of a random forest looks like this; some leaves are near the root, some are deep.
/* sextant
name = "decision_tree"
formula = "label[i] = label of the leaf that sample i reaches"
sizes = { nodes = "pow2(log2(max(8, min(4096, N / 8)))) - 1", n = "max(1, (N - 3 * nodes) / 5)" }
arrays = [
  { name = "feature", role = "in", length = "4 * n", type = "float", fill = { low = 0, high = 1 } },
  { name = "asks", role = "in", length = "nodes", type = "uint8", fill = { low = 0, high = 5 } },
  { name = "threshold", role = "in", length = "nodes", type = "float", fill = { low = 0, high = 1 } },
  { name = "leaf", role = "in", length = "nodes", type = "uint8", fill = { low = 0, high = 10 } },
  { name = "label", role = "out", length = "n", type = "uint8" },
]
reference = { variant = "serial.baseline", precision = "float" }

[variant."serial.baseline"]
function = "classify"
arguments = ["n", "int(nodes)", "feature", "asks", "threshold", "leaf", "label"]

[variant."openmp.samples"]
function = "classify_threads"
arguments = ["n", "int(nodes)", "feature", "asks", "threshold", "leaf", "label"]

[variant."cuda.samples"]
function = "classify_kernel"
arguments = ["int(n)", "int(nodes)", "feature", "asks", "threshold", "leaf", "label"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
__device__
#else
static inline
#endif
    unsigned char
    walk(int nodes, const float* sample, const unsigned char* asks, const float* threshold,
         const unsigned char* leaf) {
  int node = 0;
  // children of node k are 2k + 1 and 2k + 2; below the first four levels
  // a node that asks for feature 4 is a leaf, and so is the lowest level
  while (node < nodes / 2 && (node < 15 || asks[node] < 4)) {
    if (sample[asks[node] % 4] < threshold[node])
      node = 2 * node + 1;
    else
      node = 2 * node + 2;
  }
  return leaf[node];
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void classify_kernel(int n, int nodes, const float* feature, const unsigned char* asks,
                                const float* threshold, const unsigned char* leaf, unsigned char* label) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) label[i] = walk(nodes, feature + 4LL * i, asks, threshold, leaf);
}
#else
void classify(long n, int nodes, const float* feature, const unsigned char* asks, const float* threshold,
              const unsigned char* leaf, unsigned char* label) {
  for (long i = 0; i < n; ++i) label[i] = walk(nodes, feature + 4 * i, asks, threshold, leaf);
}

void classify_threads(long n, int nodes, const float* feature, const unsigned char* asks,
                      const float* threshold, const unsigned char* leaf, unsigned char* label) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) label[i] = walk(nodes, feature + 4 * i, asks, threshold, leaf);
}
#endif
