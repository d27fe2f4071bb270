// Where was each 8 x 8 block in the picture before? The smallest sum of absolute differences within three pixels wins.
// The motion search of a simple video coder, every place tried.
/* sextant
name = "block_motion"
formula = "move[b] = 7 (dy + 3) + dx + 3 with the smallest sum of |now - before|, the first of equal ones; cost[b] that sum"
sizes = { b = "max(1, sqrt(N / 130))", side = "8 * b" }
arrays = [
  { name = "before", role = "in", length = "side * side", type = "uint8" },
  { name = "now", role = "in", length = "side * side", type = "uint8" },
  { name = "move", role = "out", length = "b * b", type = "uint8" },
  { name = "cost", role = "out", length = "b * b", type = "int" },
]
work = { items = "b * b" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "search"
arguments = ["int(b)", "before", "now", "move", "cost"]

[variant."openmp.block_rows"]
function = "search_threads"
arguments = ["int(b)", "before", "now", "move", "cost"]

[variant."cuda.blocks"]
function = "search_kernel"
arguments = ["int(b)", "before", "now", "move", "cost"]
block = [64]
grid = ["ceil_div(b * b, 64)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif
typedef unsigned char Byte;

FN void best_place(int b, int block, const Byte* before, const Byte* now, Byte* move, int* cost) {
  int side = 8 * b, x0 = block % b * 8, y0 = block / b * 8;
  int best = 1 << 30, place = 24;
  for (int dy = -3; dy <= 3; dy++) {
    for (int dx = -3; dx <= 3; dx++) {
      int x = x0 + dx, y = y0 + dy;
      if (x < 0 || y < 0 || x + 8 > side || y + 8 > side) continue;
      int sum = 0;
      for (int j = 0; j < 8; j++) {
        for (int i = 0; i < 8; i++) {
          int d = now[(y0 + j) * side + x0 + i] - before[(y + j) * side + x + i];
          sum += d < 0 ? -d : d;
        }
      }
      if (sum < best) {
        best = sum;
        place = 7 * (dy + 3) + dx + 3;
      }
    }
  }
  move[block] = (Byte)place;
  cost[block] = best;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void search_kernel(int b, const Byte* before, const Byte* now, Byte* move, int* cost) {
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block < b * b) best_place(b, block, before, now, move, cost);
}
#else
void search(int b, const Byte* before, const Byte* now, Byte* move, int* cost) {
  for (int block = 0; block < b * b; block++) best_place(b, block, before, now, move, cost);
}

void search_threads(int b, const Byte* before, const Byte* now, Byte* move, int* cost) {
  #pragma omp parallel for
  for (int y = 0; y < b; y++)
    for (int x = 0; x < b; x++) best_place(b, y * b + x, before, now, move, cost);
}
#endif
