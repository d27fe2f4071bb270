// c = a b for n x n matrices. A block computes a tile of c, and a thread computes `rows` elements.
extern "C" __global__ void gemm(int n, const float* a, const float* b, float* c) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = blockIdx.x * tile + threadIdx.x;
  float sums[rows] = {};
  for (int k = 0; k < n; k += tile) {
    for (int r = 0; r < rows; ++r) {
      const int y = threadIdx.y + r * (tile / rows);
      a_tile[y][threadIdx.x] = a[(blockIdx.y * tile + y) * n + k + threadIdx.x];
      b_tile[y][threadIdx.x] = b[(k + y) * n + x];
    }
    __syncthreads();
    for (int r = 0; r < rows; ++r)
      for (int i = 0; i < tile; ++i)
        sums[r] += a_tile[threadIdx.y + r * (tile / rows)][i] * b_tile[i][threadIdx.x];
    __syncthreads();
  }
  for (int r = 0; r < rows; ++r) c[(blockIdx.y * tile + threadIdx.y + r * (tile / rows)) * n + x] = sums[r];
}
