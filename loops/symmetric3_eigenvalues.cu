/* sextant
name = "symmetric3_eigenvalues"
formula = "eigenvalues of symmetric 3 x 3 matrices, smallest first, by Jacobi rotations until the matrix is diagonal"
compiler = "nvcc"
sizes = { n = "N / 9" }
arrays = [
  { name = "s", role = "in", length = "n", type = { struct = "Sym", member = "double", members = 6 } },
  { name = "e", role = "out", length = "n", type = { struct = "Eigen", member = "double", members = 3 } },
]
reference = "serial.baseline"
tolerance = { absolute = "60 * eps", reason = "eigenvalues of at most 3; about a dozen rotations, each right to a few roundings" }

[variant."serial.baseline"]
function = "eigenvalues"
arguments = ["int(n)", "s", "e"]

[variant."openmp.items"]
function = "eigenvalues"
arguments = ["int(n)", "s", "e"]

[variant."cuda.items"]
function = "eigenvalues_kernel"
arguments = ["int(n)", "s", "e"]
block = [128]
grid = ["ceil_div(n, 128)"]
*/
// Principal stresses of every element of a finite-element result. Most matrices need three or four rounds, a few need more or fewer.
#include <cmath>

struct Sym {
  double xx, yy, zz, xy, xz, yz;
};
struct Eigen {
  double low, middle, high;
};

#ifdef __CUDACC__
  #define BOTH __host__ __device__
#else
  #define BOTH
#endif

BOTH inline void rotate(double a[3][3], int p, int q) {
  if (a[p][q] == 0.0) return;
  const int k = 3 - p - q;
  const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  const double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  a[p][p] -= t * a[p][q];
  a[q][q] += t * a[p][q];
  a[p][q] = a[q][p] = 0.0;
  const double kp = a[k][p], kq = a[k][q];
  a[k][p] = a[p][k] = c * kp - s * kq;
  a[k][q] = a[q][k] = s * kp + c * kq;
}

BOTH inline void order(double& a, double& b) {
  if (a > b) {
    double keep = a;
    a = b;
    b = keep;
  }
}

BOTH inline Eigen eigen_of(const Sym& m) {
  double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  for (int round = 0; round < 20; round++) {
    if (fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]) < 1e-14) break;
    rotate(a, 0, 1);
    rotate(a, 0, 2);
    rotate(a, 1, 2);
  }
  Eigen e = {a[0][0], a[1][1], a[2][2]};
  order(e.low, e.middle);
  order(e.middle, e.high);
  order(e.low, e.middle);
  return e;
}

#ifdef __CUDACC__
__global__ void eigenvalues_kernel(int n, const Sym* s, Eigen* e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) e[i] = eigen_of(s[i]);
}
#endif

void eigenvalues(int n, const Sym* s, Eigen* e) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) e[i] = eigen_of(s[i]);
}
