// Which of 40 spheres does each ray meet first, and how far away? Rays start in a plane and go roughly upwards.
// The inner loop of everyone's first ray tracer.
/* sextant
name = "ray_spheres"
formula = "hit[r] = nearest sphere on ray r or 255, far[r] = its distance or 0"
sizes = { rays = "max(1, (N - 160) / 8)" }
arrays = [
  { name = "origin", role = "in", length = "rays", type = { struct = "Triple", member = "float", members = 3 } },
  { name = "slope", role = "in", length = "rays", type = { struct = "Triple", member = "float", members = 3 } },
  { name = "sphere", role = "in", length = 40, type = "float4", fill = { low = 0, high = 1 } },
  { name = "hit", role = "out", length = "rays", type = "uint8" },
  { name = "far", role = "out", length = "rays", type = "float" },
]
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = "2000 * eps", relative = "100 * eps", outliers = 0.001, reason = "at a sphere's edge the root of a small difference has few right digits, and a ray may just miss it" }

[variant."serial.baseline"]
function = "trace"
arguments = ["int(rays)", "origin", "slope", "sphere", "hit", "far"]

[variant."openmp.rays"]
function = "trace_threads"
arguments = ["int(rays)", "origin", "slope", "sphere", "hit", "far"]

[variant."cuda.rays"]
function = "trace_kernel"
arguments = ["int(rays)", "origin", "slope", "sphere", "hit", "far"]
block = [128]
grid = ["ceil_div(rays, 128)"]
*/
struct Triple {
  float x, y, z;
};

#if defined(SEXTANT_MODEL_CUDA)
  #define ON_BOTH __device__
#else
  #include <cmath>
  #define ON_BOTH static inline
#endif

ON_BOTH void shoot(Triple o, Triple s, const float4* sphere, unsigned char* hit, float* far) {
  // direction: up, tilted by at most a half to each side; then of length one
  Triple d = {0.5f * s.x, 0.5f * s.y, 1.0f};
  const float scale = 1.0f / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  d.x *= scale;
  d.y *= scale;
  d.z *= scale;
  float nearest = 1e30f;
  int which = 255;
  for (int k = 0; k < 40; ++k) {
    const float4 ball = sphere[k];
    const float radius = 0.05f + 0.25f * ball.w;
    const float cx = 2.0f * ball.x - 1.0f - o.x, cy = 2.0f * ball.y - 1.0f - o.y,
                cz = 2.0f + 4.0f * ball.z - 0.1f * o.z;
    const float along = cx * d.x + cy * d.y + cz * d.z;
    const float aside2 = cx * cx + cy * cy + cz * cz - along * along;
    const float under = radius * radius - aside2;
    if (under < 0.0f) continue;
    const float distance = along - sqrtf(under);
    if (distance > 0.0f && distance < nearest) {
      nearest = distance;
      which = k;
    }
  }
  *hit = (unsigned char)which;
  *far = which == 255 ? 0.0f : nearest;
}

#if defined(SEXTANT_MODEL_CUDA)
__global__ void trace_kernel(int rays, const Triple* origin, const Triple* slope, const float4* sphere,
                             unsigned char* hit, float* far) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rays) shoot(origin[r], slope[r], sphere, &hit[r], &far[r]);
}
#else
void trace(int rays, const Triple* origin, const Triple* slope, const float4* sphere, unsigned char* hit,
           float* far) {
  for (int r = 0; r < rays; ++r) shoot(origin[r], slope[r], sphere, &hit[r], &far[r]);
}

void trace_threads(int rays, const Triple* origin, const Triple* slope, const float4* sphere,
                   unsigned char* hit, float* far) {
  #pragma omp parallel for schedule(dynamic, 64)
  for (int r = 0; r < rays; ++r) shoot(origin[r], slope[r], sphere, &hit[r], &far[r]);
}
#endif
