// The last phase of a bitonic sort of pieces of 64 numbers: compare at distances 32, 16, 8, 4, 2 and 1.
// Every course on sorting networks shows it as one small kernel that is launched again and again.
/* sextant
name = "bitonic_merge64"
formula = "for d = 32, 16 .. 1: the smaller of x[i] and x[i + d] to the front, in each piece of 64"
types = ["float"]
sizes = { pieces = "N / 64" }
arrays = [ { name = "x", role = "inout", length = "64 * pieces" } ]
work = { items = "64 * pieces" }
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "numbers are only moved" }

[variant."serial.baseline"]
function = "merge_pieces"
arguments = ["32 * pieces", "x"]

[variant."openmp.pairs"]
function = "merge_pieces"
arguments = ["32 * pieces", "x"]

[variant."cuda.pairs"]
function = "compare_pairs"
arguments = ["int(32 * pieces)", "int(32 // pow2(step))", "x"]
block = [256]
grid = ["ceil_div(32 * pieces, 256)"]
repeat = 6
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
#endif

FN void in_order(T* x, long pair, int d) {
  long i = pair / d * 2 * d + pair % d;
  T a = x[i], b = x[i + d];
  if (a > b) {
    x[i] = b;
    x[i + d] = a;
  }
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void compare_pairs(int pairs, int d, T* x) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair < pairs) in_order(x, pair, d);
}
#else
void merge_pieces(long pairs, T* x) {
  for (int d = 32; d >= 1; d /= 2) {
  #pragma omp parallel for
    for (long pair = 0; pair < pairs; pair++) in_order(x, pair, d);
  }
}
#endif
