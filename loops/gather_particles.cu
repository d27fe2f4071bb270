// Brings particle records into the order that a sort of their cell numbers gave.
// Every particle code has it, between sorting the keys and walking through the cells.
/* sextant
name = "gather_particles"
formula = "sorted[i] = particle[order[i]], records of eight floats"
sizes = { n = "max(1, N / 17)" }
arrays = [
  { name = "order", role = "in", length = "n", type = "int", fill = "permutation" },
  { name = "particle", role = "in", length = "n", type = { struct = "Particle", member = "float", members = 8 } },
  { name = "sorted", role = "out", length = "n", type = { struct = "Particle", member = "float", members = 8 } },
]
work = { items = "n" }
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "records are only moved" }

[variant."serial.baseline"]
function = "gather"
arguments = ["n", "order", "particle", "sorted"]

[variant."openmp.particles"]
function = "gather_threads"
arguments = ["n", "order", "particle", "sorted"]

[variant."cuda.particles"]
function = "gather_kernel"
arguments = ["int(n)", "order", "particle", "sorted"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

#if defined(SEXTANT_MODEL_CUDA)
__global__ void gather_kernel(int n, const int* order, const Particle* particle, Particle* sorted) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sorted[i] = particle[order[i]];
}
#else
void gather(long n, const int* order, const Particle* particle, Particle* sorted) {
  for (long i = 0; i < n; ++i) sorted[i] = particle[order[i]];
}

void gather_threads(long n, const int* order, const Particle* particle, Particle* sorted) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) sorted[i] = particle[order[i]];
}
#endif
