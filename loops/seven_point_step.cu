/* sextant
name = "seven_point_step"
formula = "out = c0 u + cw u_west + ce u_east + cs u_south + cn u_north + cb u_below + ca u_above"
types = ["double"]
shape = ["nx", "ny", "nz"]
arrays = [
  { name = "u", role = "in", length = "nx * ny * nz" },
  { name = "c0", role = "in", length = "nx * ny * nz", fill = { low = 0, high = 0.5 } },
  { name = "cw", role = "in", length = "nx * ny * nz", fill = { low = 0, high = 0.15 } },
  { name = "ce", role = "in", length = "nx * ny * nz", fill = { low = 0, high = 0.15 } },
  { name = "cs", role = "in", length = "nx * ny * nz", fill = { low = 0, high = 0.15 } },
  { name = "cn", role = "in", length = "nx * ny * nz", fill = { low = 0, high = 0.15 } },
  { name = "cb", role = "in", length = "nx * ny * nz", fill = { low = 0, high = 0.15 } },
  { name = "ca", role = "in", length = "nx * ny * nz", fill = { low = 0, high = 0.15 } },
  { name = "out", role = "out", length = "nx * ny * nz" },
]
work = { flops = "13 * nx * ny * nz" }
reference = "serial.baseline"
tolerance = { absolute = "14 * eps", reason = "seven products, summed; the coefficients of a cell add up to at most 1.4" }

[variant."serial.baseline"]
function = "seven_point"
arguments = ["int(nx)", "int(ny)", "int(nz)", "u", "c0", "cw", "ce", "cs", "cn", "cb", "ca", "out"]

[variant."openmp.planes"]
function = "seven_point"
arguments = ["int(nx)", "int(ny)", "int(nz)", "u", "c0", "cw", "ce", "cs", "cn", "cb", "ca", "out"]

[variant."cuda.cells"]
function = "seven_point_cells"
arguments = ["int(nx)", "int(ny)", "int(nz)", "u", "c0", "cw", "ce", "cs", "cn", "cb", "ca", "out"]
block = [32, 4, 2]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 4)", "ceil_div(nz, 2)"]
*/
// Heat in a body of several materials: every cell has seven coefficients of its own. The outermost cells keep their value.
#ifdef SEXTANT_MODEL_CUDA
__global__ void seven_point_cells(int nx, int ny, int nz, const double* u, const double* c0, const double* cw,
                                  const double* ce, const double* cs, const double* cn, const double* cb,
                                  const double* ca, double* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  long long plane = (long long)nx * ny, i = z * plane + (long long)y * nx + x;
  if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
    out[i] = u[i];
  else
    out[i] = c0[i] * u[i] + cw[i] * u[i - 1] + ce[i] * u[i + 1] + cs[i] * u[i - nx] + cn[i] * u[i + nx] +
             cb[i] * u[i - plane] + ca[i] * u[i + plane];
}
#else
void seven_point(int nx, int ny, int nz, const double* u, const double* c0, const double* cw,
                 const double* ce, const double* cs, const double* cn, const double* cb, const double* ca,
                 double* out) {
  const long long plane = (long long)nx * ny;
  #pragma omp parallel for collapse(2)
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        long long i = z * plane + (long long)y * nx + x;
        if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
          out[i] = u[i];
        else
          out[i] = c0[i] * u[i] + cw[i] * u[i - 1] + ce[i] * u[i + 1] + cs[i] * u[i - nx] +
                   cn[i] * u[i + nx] + cb[i] * u[i - plane] + ca[i] * u[i + plane];
      }
}
#endif
