// Writes down where a temperature is above a limit, one place after the other: count in pieces of 512, add up, write.
// Compaction without a library, as people ask for in forums when an append with one counter loses the order.
/* sextant
name = "keep_hot"
formula = "place = all i with t[i] > limit in order, then -1; found = how many"
sizes = { n = "max(1, (N - 1) / 2)" }
arrays = [
  { name = "t", role = "in", length = "n", type = "float", fill = { low = 0, high = 100 } },
  { name = "place", role = "out", length = "n", type = "int" },
  { name = "found", role = "out", length = 1, type = "int" },
]
reference = { variant = "serial.baseline", precision = "float" }

[variant."serial.baseline"]
function = "keep"
arguments = ["int(n)", "t", "place", "found"]

[variant."openmp.pieces"]
function = "keep_in_pieces"
arguments = ["int(n)", "t", "place", "found"]

[variant."cuda.count_then_write"]
temporaries = [ { name = "begin", length = "ceil_div(n, 512)", type = "int" } ]
steps = [
  { function = "count_hot", arguments = ["int(n)", "t", "begin"], block = [128], grid = ["ceil_div(n, 65536)"] },
  { function = "add_up", arguments = ["int(ceil_div(n, 512))", "begin", "found"], block = [1], grid = [1] },
  { function = "write_hot", arguments = ["int(n)", "t", "begin", "place"], block = [128], grid = ["ceil_div(n, 65536)"] },
  { function = "fill_rest", arguments = ["int(n)", "found", "place"], block = [256], grid = ["ceil_div(n, 256)"] },
]
*/
#define LIMIT 80.0f
#define PIECE 512
#if defined(SEXTANT_MODEL_CUDA)
// one thread for each piece
__global__ void count_hot(int n, const float* t, int* begin) {
  int piece = blockIdx.x * blockDim.x + threadIdx.x;
  if (piece >= (n + PIECE - 1) / PIECE) return;
  int count = 0;
  for (int i = piece * PIECE; i < n && i < (piece + 1) * PIECE; ++i)
    if (t[i] > LIMIT) ++count;
  begin[piece] = count;
}

__global__ void add_up(int pieces, int* begin, int* found) {
  int sum = 0;
  for (int p = 0; p < pieces; ++p) {
    int count = begin[p];
    begin[p] = sum;
    sum += count;
  }
  *found = sum;
}

__global__ void write_hot(int n, const float* t, const int* begin, int* place) {
  int piece = blockIdx.x * blockDim.x + threadIdx.x;
  if (piece >= (n + PIECE - 1) / PIECE) return;
  int at = begin[piece];
  for (int i = piece * PIECE; i < n && i < (piece + 1) * PIECE; ++i)
    if (t[i] > LIMIT) place[at++] = i;
}

__global__ void fill_rest(int n, const int* found, int* place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= *found && i < n) place[i] = -1;
}
#else
  #include <vector>
void keep(int n, const float* t, int* place, int* found) {
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (t[i] > LIMIT) place[count++] = i;
  *found = count;
  for (int i = count; i < n; ++i) place[i] = -1;
}

void keep_in_pieces(int n, const float* t, int* place, int* found) {
  const int pieces = (n + PIECE - 1) / PIECE;
  std::vector<int> begin(pieces);
  #pragma omp parallel for
  for (int p = 0; p < pieces; ++p) {
    int count = 0;
    for (int i = p * PIECE; i < n && i < (p + 1) * PIECE; ++i)
      if (t[i] > LIMIT) ++count;
    begin[p] = count;
  }
  int sum = 0;
  for (int p = 0; p < pieces; ++p) {
    int count = begin[p];
    begin[p] = sum;
    sum += count;
  }
  *found = sum;
  #pragma omp parallel for
  for (int p = 0; p < pieces; ++p) {
    int at = begin[p];
    for (int i = p * PIECE; i < n && i < (p + 1) * PIECE; ++i)
      if (t[i] > LIMIT) place[at++] = i;
  }
  #pragma omp parallel for
  for (int i = sum; i < n; ++i) place[i] = -1;
}
#endif
