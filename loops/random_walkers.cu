// Each walker goes 100 random steps on a square grid, by a generator of its own that it keeps for the next call.
// A course on random walks has it, to look at the spread of the ends.
/* sextant
name = "random_walkers"
formula = "place[i] moves 100 times north, east, south or west by generator state[i]"
sizes = { n = "max(1, N / 3)" }
arrays = [
  { name = "state", role = "inout", length = "n", type = "uint64" },
  { name = "place", role = "inout", length = "n", type = { struct = "Place", member = "int", members = 2 }, fill = "zero" },
]
work = { items = "100 * n" }
reference = "serial.baseline"

[variant."serial.baseline"]
function = "walk_all"
arguments = ["n", "state", "place"]

[variant."openmp.walkers"]
function = "walk_all_threads"
arguments = ["n", "state", "place"]

[variant."cuda.walkers"]
function = "walk_kernel"
arguments = ["int(n)", "state", "place"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
typedef unsigned long long State;
#else
  #include <cstdint>
  #define ON_BOTH static inline
typedef std::uint64_t State;
#endif

struct Place {
  int x, y;
};

ON_BOTH void walk(State* state, Place* place) {
  State s = *state;
  Place at = *place;
  for (int step = 0; step < 100; ++step) {
    s = s * 6364136223846793005ULL + 1442695040888963407ULL;
    switch (s >> 62) {
      case 0:
        ++at.y;
        break;
      case 1:
        ++at.x;
        break;
      case 2:
        --at.y;
        break;
      default:
        --at.x;
        break;
    }
  }
  *state = s;
  *place = at;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void walk_kernel(int n, State* state, Place* place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) walk(&state[i], &place[i]);
}
#else
void walk_all(long n, State* state, Place* place) {
  for (long i = 0; i < n; ++i) walk(&state[i], &place[i]);
}

void walk_all_threads(long n, State* state, Place* place) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) walk(&state[i], &place[i]);
}
#endif
