/* sextant
name = "jacobi"
formula = "v = mean of u's four neighbours"
types = ["double"]
sizes = { nx = "sqrt(N / 2)", ny = "nx" }  # of N, the elements of all arrays
arrays = [
  { name = "u", role = "in", length = "nx * ny" },
  { name = "v", role = "inout", length = "nx * ny" },  # its rim stays
]
work = { flops = "4 * nx * ny" }
reference = "serial.baseline"
tolerance = { absolute = "4 * eps", reason = "four roundings of numbers of at most 4, in any order" }
compiler = "nvcc"

[variant."cuda.jacobi_step"]
function = "jacobi_step"
arguments = ["u", "v", "int(nx)", "int(ny)"]
block = ["block_x", "block_y"]
grid = ["ceil_div(nx, block_x)", "ceil_div(ny, block_y)"]
tune = { block_x = [32, 64, 128], block_y = [4, 1, 2, 8] }

[variant."cuda.jacobi_tiled"]
function = "jacobi_tiled"
arguments = ["u", "v", "int(nx)", "int(ny)"]
block = ["TILE_X", "TILE_Y"]
grid = ["ceil_div(nx, TILE_X)", "ceil_div(ny, TILE_Y)"]
tune = { TILE_X = [32, 16, 64, 128], TILE_Y = [8, 4, 16] }
constraint = "TILE_X * TILE_Y <= 1024"

[variant."serial.baseline"]
function = "jacobi_host"
arguments = ["u", "v", "int(nx)", "int(ny)"]
*/
// Jacobi's iteration for the Laplace equation on a square plate. Public domain.
#include <stdio.h>
#include <stdlib.h>

#ifndef TILE_X
  #define TILE_X 32
  #define TILE_Y 8
#endif

// One point per thread, read directly from global memory.
__global__ void jacobi_step(const double* u, double* v, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    v[y * nx + x] =
        0.25 * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] + u[(y + 1) * nx + x]);
}

// One point per thread, with a tile and its halo in shared memory.
__global__ void jacobi_tiled(const double* u, double* v, int nx, int ny) {
  __shared__ double tile[TILE_Y + 2][TILE_X + 2];
  int left = blockIdx.x * TILE_X - 1, top = blockIdx.y * TILE_Y - 1;
  for (int j = threadIdx.y; j < TILE_Y + 2; j += TILE_Y)
    for (int i = threadIdx.x; i < TILE_X + 2; i += TILE_X) {
      int x = left + i, y = top + j;
      if (x >= 0 && y >= 0 && x < nx && y < ny) tile[j][i] = u[y * nx + x];
    }
  __syncthreads();
  int i = threadIdx.x + 1, j = threadIdx.y + 1, x = left + i, y = top + j;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    v[y * nx + x] = 0.25 * (tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i]);
}

void jacobi_host(const double* u, double* v, int nx, int ny) {
  for (int y = 1; y < ny - 1; ++y)
    for (int x = 1; x < nx - 1; ++x)
      v[y * nx + x] =
          0.25 * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] + u[(y + 1) * nx + x]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024, steps = 1000;
  size_t bytes = sizeof(double) * n * n;
  double *h = (double*)calloc(n * n, sizeof(double)), *u, *v;
  for (int x = 0; x < n; ++x) h[x] = 100;
  cudaMalloc(&u, bytes);
  cudaMalloc(&v, bytes);
  cudaMemcpy(u, h, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(v, h, bytes, cudaMemcpyHostToDevice);
  for (int s = 0; s < steps; ++s) {
    jacobi_tiled<<<dim3((n + TILE_X - 1) / TILE_X, (n + TILE_Y - 1) / TILE_Y), dim3(TILE_X, TILE_Y)>>>(u, v,
                                                                                                       n, n);
    double* t = u;
    u = v;
    v = t;
  }
  cudaMemcpy(h, u, bytes, cudaMemcpyDeviceToHost);
  printf("%f\n", h[(n / 2) * n + n / 2]);
  return 0;
}
