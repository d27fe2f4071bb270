// Photons enter a slab, scatter at random and are reflected, let through or absorbed; each has its own random numbers.
// A physics student would write it as the first Monte Carlo exercise; some histories are much longer than others.
/* sextant
name = "photon_slab"
formula = "fate[i], scatterings[i] of photon i in a slab of two mean free paths"
sizes = { n = "max(1, N / 3)" }
arrays = [
  { name = "seed", role = "in", length = "n", type = "uint32" },
  { name = "fate", role = "out", length = "n", type = "uint8" },
  { name = "scatterings", role = "out", length = "n", type = "uint16" },
]
reference = "serial.baseline"
tolerance = { absolute = 0, outliers = 0.001, reason = "a logarithm rounded differently may move a photon to the other side of a surface" }

[variant."serial.baseline"]
function = "follow_all"
arguments = ["n", "seed", "fate", "scatterings"]

[variant."openmp.photons"]
function = "follow_all_threads"
arguments = ["n", "seed", "fate", "scatterings"]

[variant."cuda.photons"]
function = "follow_kernel"
arguments = ["int(n)", "seed", "fate", "scatterings"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #include <cmath>
  #define ON_BOTH inline
#endif

ON_BOTH unsigned next_random(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// 24 random bits as a number above 0 and at most 1
ON_BOTH float unit(unsigned& state) { return float((next_random(state) >> 8) + 1) * (1.0f / 16777216.0f); }

ON_BOTH void follow(unsigned seed, unsigned char* fate, unsigned short* scatterings) {
  const float thickness = 2.0f;
  unsigned state = seed * 2654435761u ^ 0x9e3779b9u;
  if (state == 0) state = 1;
  for (int k = 0; k < 4; ++k) next_random(state);
  float depth = 0.0f, direction = 1.0f;
  int count = 0;
  while (true) {
    depth -= direction * logf(unit(state));
    if (depth < 0.0f) {
      *fate = 0;  // back through the front
      break;
    }
    if (depth > thickness) {
      *fate = 1;  // through
      break;
    }
    if (next_random(state) % 100 < 5 || count == 1000) {
      *fate = 2;  // absorbed
      break;
    }
    direction = 2.0f * unit(state) - 1.0f;
    ++count;
  }
  *scatterings = count;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void follow_kernel(int n, const unsigned* seed, unsigned char* fate, unsigned short* scatterings) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) follow(seed[i], &fate[i], &scatterings[i]);
}
#else
void follow_all(long n, const unsigned* seed, unsigned char* fate, unsigned short* scatterings) {
  for (long i = 0; i < n; ++i) follow(seed[i], &fate[i], &scatterings[i]);
}

void follow_all_threads(long n, const unsigned* seed, unsigned char* fate, unsigned short* scatterings) {
  #pragma omp parallel for schedule(dynamic, 256)
  for (long i = 0; i < n; ++i) follow(seed[i], &fate[i], &scatterings[i]);
}
#endif
