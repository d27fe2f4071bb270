// Many small worlds of Conway's Game of Life: a 64-bit word is a torus of 8 x 8 cells, and lives for 80 generations.
// Someone who searches for patterns by trying millions of starts would keep each world in one word.
/* sextant
name = "life_boards"
formula = "board after 80 generations; a cell lives with three neighbours, or with two if it lived before"
sizes = { n = "N / 2" }
arrays = [
  { name = "start", role = "in", length = "n", type = "uint64", fill = "uniform" },
  { name = "end", role = "out", length = "n", type = "uint64" },
]
work = { items = "n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "live"
arguments = ["n", "start", "end"]

[variant."openmp.boards"]
function = "live_threads"
arguments = ["n", "start", "end"]

[variant."cuda.boards"]
function = "live_kernel"
arguments = ["int(n)", "start", "end"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
typedef unsigned long long Board;
#else
  #include <cstdint>
  #define FN static inline
typedef std::uint64_t Board;
#endif

FN Board west(Board b) { return (b << 1 & 0xfefefefefefefefeull) | (b >> 7 & 0x0101010101010101ull); }
FN Board east(Board b) { return (b >> 1 & 0x7f7f7f7f7f7f7f7full) | (b << 7 & 0x8080808080808080ull); }

FN Board generation(Board b) {
  Board w = west(b), e = east(b);
  Board pair1 = w ^ e, pair2 = w & e;                              // the two neighbours in the row
  Board row1 = pair1 ^ b, row2 = pair2 | (pair1 & b);              // three cells of a row
  Board a1 = row1 << 8 | row1 >> 56, a2 = row2 << 8 | row2 >> 56;  // the row on one side
  Board c1 = row1 >> 8 | row1 << 56, c2 = row2 >> 8 | row2 << 56;  // the row on the other
  Board odd = a1 ^ c1 ^ pair1;
  Board carry = (a1 & c1) | (pair1 & (a1 ^ c1));
  Board one_two = (a2 ^ c2 ^ pair2 ^ carry) & ~((a2 & c2) | (pair2 & carry));
  return one_two & (odd | b);
}

FN Board age(Board b) {
  b ^= b * 0x9e3779b97f4a7c15ull;  // the starts are spread over all 64 cells
  for (int g = 0; g < 80; g++) b = generation(b);
  return b;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void live_kernel(int n, const Board* start, Board* end) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) end[i] = age(start[i]);
}
#else
void live(long n, const Board* start, Board* end) {
  for (long i = 0; i < n; i++) end[i] = age(start[i]);
}

void live_threads(long n, const Board* start, Board* end) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) end[i] = age(start[i]);
}
#endif
