// Spreads the grey values of a dull picture: count them, sum the counts up, and replace each value by its rank.
// Every course on pictures has it; three small loops in a row.
/* sextant
name = "equalise_picture"
formula = "picture[i] = 255 * (pixels not brighter than picture[i]) / n"
sizes = { n = "max(1, N / 2)" }
arrays = [
  { name = "picture", role = "in", length = "n", type = "uint8", fill = { low = 60, high = 140 } },
  { name = "equal", role = "out", length = "n", type = "uint8" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "equalise"
arguments = ["n", "picture", "equal"]

[variant."openmp.pixels"]
function = "equalise_threads"
arguments = ["n", "picture", "equal"]

[variant."cuda.pixels"]
temporaries = [ { name = "count", length = 256, type = "int" }, { name = "grey", length = 256, type = "uint8" } ]
steps = [
  { function = "clear_kernel", arguments = ["count"], block = [256], grid = [1] },
  { function = "count_kernel", arguments = ["int(n)", "picture", "count"], block = [256], grid = ["ceil_div(n, 256)"] },
  { function = "rank_kernel", arguments = ["int(n)", "count", "grey"], block = [1], grid = [1] },
  { function = "replace_kernel", arguments = ["int(n)", "picture", "grey", "equal"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
#if defined(SEXTANT_MODEL_CUDA)
__global__ void clear_kernel(int* count) { count[threadIdx.x] = 0; }

__global__ void count_kernel(int n, const unsigned char* picture, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[picture[i]], 1);
}

__global__ void rank_kernel(int n, const int* count, unsigned char* grey) {
  long long sum = 0;
  for (int g = 0; g < 256; ++g) {
    sum += count[g];
    grey[g] = 255 * sum / n;
  }
}

__global__ void replace_kernel(int n, const unsigned char* picture, const unsigned char* grey,
                               unsigned char* equal) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) equal[i] = grey[picture[i]];
}
#else
void equalise(long n, const unsigned char* picture, unsigned char* equal) {
  int count[256] = {};
  unsigned char grey[256];
  for (long i = 0; i < n; ++i) ++count[picture[i]];
  long sum = 0;
  for (int g = 0; g < 256; ++g) {
    sum += count[g];
    grey[g] = 255 * sum / n;
  }
  for (long i = 0; i < n; ++i) equal[i] = grey[picture[i]];
}

void equalise_threads(long n, const unsigned char* picture, unsigned char* equal) {
  int count[256] = {};
  unsigned char grey[256];
  #pragma omp parallel for reduction(+ : count)
  for (long i = 0; i < n; ++i) ++count[picture[i]];
  long sum = 0;
  for (int g = 0; g < 256; ++g) {
    sum += count[g];
    grey[g] = 255 * sum / n;
  }
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) equal[i] = grey[picture[i]];
}
#endif
