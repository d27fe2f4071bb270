// Lennard-Jones forces on every atom from a list of 16 neighbours each, in a cutoff radius.
// The middle of any student's molecular dynamics program.
/* sextant
name = "neighbour_forces"
formula = "force[i] = sum of pair forces on i from its 16 listed neighbours nearer than the cutoff"
sizes = { n = "max(1, N / 22)" }
arrays = [
  { name = "position", role = "in", length = "n", type = { struct = "Vec3", member = "float", members = 3 }, fill = { low = 0, high = 6 } },
  { name = "neighbour", role = "in", length = "16 * n", type = "int", fill = { low = 0, high = "n" } },
  { name = "force", role = "out", length = "n", type = { struct = "Vec3", member = "float", members = 3 } },
]
work = { items = "16 * n" }
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = "40000 * eps", reason = "the soft core holds a pair force below 800; 16 of them are added, each with about three roundings" }

[variant."serial.baseline"]
function = "forces"
arguments = ["n", "position", "neighbour", "force"]

[variant."openmp.atoms"]
function = "forces_threads"
arguments = ["n", "position", "neighbour", "force"]

[variant."cuda.atoms"]
function = "forces_kernel"
arguments = ["int(n)", "position", "neighbour", "force"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
struct Vec3 {
  float x, y, z;
};

#if defined(SEXTANT_MODEL_CUDA)
__device__
#else
static inline
#endif
    Vec3
    force_on(long long i, const Vec3* position, const int* neighbour) {
  const float cutoff2 = 6.25f;
  const Vec3 p = position[i];
  Vec3 f = {0.0f, 0.0f, 0.0f};
  for (int k = 0; k < 16; ++k) {
    const int j = neighbour[16 * i + k];
    if (j == i) continue;
    const Vec3 q = position[j];
    const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 > cutoff2) continue;
    if (r2 < 0.64f) r2 = 0.64f;  // random starts may lie on each other
    const float s2 = 1.0f / r2, s6 = s2 * s2 * s2;
    const float strength = 24.0f * s6 * (2.0f * s6 - 1.0f) * s2;
    f.x += strength * dx;
    f.y += strength * dy;
    f.z += strength * dz;
  }
  return f;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void forces_kernel(int n, const Vec3* position, const int* neighbour, Vec3* force) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) force[i] = force_on(i, position, neighbour);
}
#else
void forces(long n, const Vec3* position, const int* neighbour, Vec3* force) {
  for (long i = 0; i < n; ++i) force[i] = force_on(i, position, neighbour);
}

void forces_threads(long n, const Vec3* position, const int* neighbour, Vec3* force) {
  #pragma omp parallel for
  for (long i = 0; i < n; ++i) force[i] = force_on(i, position, neighbour);
}
#endif
