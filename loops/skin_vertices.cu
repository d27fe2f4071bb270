// Moves the vertices of a figure with its skeleton: each follows four of 64 bones, with weights.
// Any program with animated figures does this for every frame ("skinning").
/* sextant
name = "skin_vertices"
formula = "moved = sum of w_k (M_k v + t_k) over the vertex's four bones k"
sizes = { n = "(N - 768) / 14" }
arrays = [
  { name = "bone", role = "in", length = 64, type = { struct = "Bone", member = "float", members = 12 } },
  { name = "rest", role = "in", length = "n", type = { struct = "Vertex", member = "float", members = 3 } },
  { name = "which", role = "in", length = "n", type = "uchar4", fill = { low = 0, high = 64 } },
  { name = "weight", role = "in", length = "n", type = "float4" },
  { name = "moved", role = "out", length = "n", type = { struct = "Vertex", member = "float", members = 3 } },
]
work = { items = "n" }
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { absolute = "150 * eps", reason = "four shares of at most 4 from four terms each, rounded in the reference, too" }

[variant."serial.baseline"]
function = "skin"
arguments = ["n", "bone", "rest", "which", "weight", "moved"]

[variant."openmp.vertices"]
function = "skin_threads"
arguments = ["n", "bone", "rest", "which", "weight", "moved"]

[variant."cuda.vertices"]
function = "skin_kernel"
arguments = ["int(n)", "bone", "rest", "which", "weight", "moved"]
block = [256]
grid = ["ceil_div(n, 256)"]
*/
#ifdef SEXTANT_MODEL_CUDA
  #define FN __device__
#else
  #define FN static inline
struct uchar4 {
  unsigned char x, y, z, w;
};
struct float4 {
  float x, y, z, w;
};
#endif
struct Bone {
  float m[3][4];
};
struct Vertex {
  float x, y, z;
};

FN void follow(const Bone& b, float weight, const Vertex& v, Vertex& sum) {
  sum.x += weight * (b.m[0][0] * v.x + b.m[0][1] * v.y + b.m[0][2] * v.z + b.m[0][3]);
  sum.y += weight * (b.m[1][0] * v.x + b.m[1][1] * v.y + b.m[1][2] * v.z + b.m[1][3]);
  sum.z += weight * (b.m[2][0] * v.x + b.m[2][1] * v.y + b.m[2][2] * v.z + b.m[2][3]);
}

FN Vertex skinned(const Bone* bone, const Vertex& v, uchar4 which, float4 weight) {
  Vertex sum = {0, 0, 0};
  follow(bone[which.x], weight.x, v, sum);
  follow(bone[which.y], weight.y, v, sum);
  follow(bone[which.z], weight.z, v, sum);
  follow(bone[which.w], weight.w, v, sum);
  return sum;
}

#ifdef SEXTANT_MODEL_CUDA
__global__ void skin_kernel(int n, const Bone* bone, const Vertex* rest, const uchar4* which,
                            const float4* weight, Vertex* moved) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) moved[i] = skinned(bone, rest[i], which[i], weight[i]);
}
#else
void skin(long n, const Bone* bone, const Vertex* rest, const uchar4* which, const float4* weight,
          Vertex* moved) {
  for (long i = 0; i < n; i++) moved[i] = skinned(bone, rest[i], which[i], weight[i]);
}

void skin_threads(long n, const Bone* bone, const Vertex* rest, const uchar4* which, const float4* weight,
                  Vertex* moved) {
  #pragma omp parallel for
  for (long i = 0; i < n; i++) moved[i] = skinned(bone, rest[i], which[i], weight[i]);
}
#endif
