// The coarser grids on CUDA, where launches cost more than memory: a restriction with a thread a point, a way up in cubes
// of 8^3 points, and all grids of at most 16^3 points in one block.
#pragma once

#include "sweeps.cuh"

namespace sextant::npb_mg {

// The sum over the 27 points around one of weights by distance; at(dz, dy, dx) is a point.
template <typename At>
__device__ __forceinline__ double around(double centre, double face, double edge, double corner,
                                         const At& at) {
  double faces = 0, edges = 0, corners = 0;
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) {
        const int distance = dx * dx + dy * dy + dz * dz;
        if (distance == 1 && face != 0) faces += at(dz, dy, dx);
        if (distance == 2) edges += at(dz, dy, dx);
        if (distance == 3 && corner != 0) corners += at(dz, dy, dx);
      }
  return centre * at(0, 0, 0) + face * faces + edge * edges + corner * corners;
}

template <typename At>
__device__ __forceinline__ double restricted_at(const At& at) {
  return around(0.5, 0.25, 0.125, 0.0625, at);
}
template <typename At>
__device__ __forceinline__ double a_at(const At& at) {
  return around(a_centre, 0, a_edge, a_corner, at);
}
template <typename At>
__device__ __forceinline__ double smoothed_at(const Smoother& s, const At& at) {
  double faces = 0, edges = 0;
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) {
        const int distance = dx * dx + dy * dy + dz * dz;
        if (distance == 1) faces += at(dz, dy, dx);
        if (distance == 2) edges += at(dz, dy, dx);
      }
  return s.centre * at(0, 0, 0) + s.face * faces + s.edge * edges;
}

// coarse, of side 2^(bits - 1), from fine, of side 2^bits.
__global__ static void __launch_bounds__(256)
    restrict_level(Grid grid, const double* __restrict__ fine, double* __restrict__ coarse) {
  const int bits = grid.bits - 1, i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 1 << 3 * bits) return;
  const int x = 2 * (i & ((1 << bits) - 1)) + 1, y = 2 * (i >> bits & ((1 << bits) - 1)) + 1,
            z = 2 * (i >> 2 * bits) + 1;
  coarse[i] = restricted_at(
      [&](int dz, int dy, int dx) { return fine[grid.row(z + dz, y + dy) + grid.wrapped(x + dx)]; });
}

// The way up on a grid of at least 8^3 points from zero, a cube of 8^3 a block: u = Q z, r = v - A u, to = u + S r.
__global__ static void __launch_bounds__(256)
    up_by_cubes(Grid grid, Smoother smoother, const double* __restrict__ z, const double* __restrict__ v,
                double* __restrict__ to) {
  constexpr int side = 8, side_u = side + 4, side_r = side + 2, side_z = side_u / 2 + 1;
  __shared__ double coarse[side_z * side_z * side_z], u[side_u * side_u * side_u],
      r[side_r * side_r * side_r];
  const Grid coarse_grid{grid.bits - 1};
  const int x0 = static_cast<int>(blockIdx.x) * side, y0 = static_cast<int>(blockIdx.y) * side,
            z0 = static_cast<int>(blockIdx.z) * side;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (int i = thread; i < side_z * side_z * side_z; i += threads) {
    const int a = i % side_z, b = i / side_z % side_z, c = i / (side_z * side_z);
    coarse[i] = z[coarse_grid.row(z0 / 2 - 2 + c, y0 / 2 - 2 + b) + coarse_grid.wrapped(x0 / 2 - 2 + a)];
  }
  __syncthreads();
  for (int i = thread; i < side_u * side_u * side_u; i += threads) {
    const int a = i % side_u, b = i / side_u % side_u, c = i / (side_u * side_u);
    // Of fine point 2m (2m + 1), counted from the cube's first, the coarse ones beside are m and m + 1 (m + 1 alone).
    const int a0 = (a + 1) / 2, a1 = a / 2 + 1, b0 = (b + 1) / 2, b1 = b / 2 + 1, c0 = (c + 1) / 2,
              c1 = c / 2 + 1;
    const auto at = [&](int k, int j, int l) { return coarse[(k * side_z + j) * side_z + l]; };
    u[i] = 0.125 * (((at(c0, b0, a0) + at(c0, b0, a1)) + (at(c0, b1, a0) + at(c0, b1, a1))) +
                    ((at(c1, b0, a0) + at(c1, b0, a1)) + (at(c1, b1, a0) + at(c1, b1, a1))));
  }
  __syncthreads();
  for (int i = thread; i < side_r * side_r * side_r; i += threads) {
    const int a = i % side_r, b = i / side_r % side_r, c = i / (side_r * side_r);
    const double* const here = u + ((c + 1) * side_u + b + 1) * side_u + a + 1;
    r[i] = v[grid.row(z0 - 1 + c, y0 - 1 + b) + grid.wrapped(x0 - 1 + a)] -
           a_at([&](int dz, int dy, int dx) { return here[(dz * side_u + dy) * side_u + dx]; });
  }
  __syncthreads();
  for (int i = thread; i < side * side * side; i += threads) {
    const int a = i % side, b = i / side % side, c = i / (side * side);
    const double* const here = r + ((c + 1) * side_r + b + 1) * side_r + a + 1;
    to[grid.row(z0 + c, y0 + b) + x0 + a] =
        u[((c + 2) * side_u + b + 2) * side_u + a + 2] +
        smoothed_at(smoother, [&](int dz, int dy, int dx) { return here[(dz * side_r + dy) * side_r + dx]; });
  }
}

inline constexpr int alone_threads = 512;

// Bytes of r and u of all grids up to that of side 2^bits.
constexpr std::size_t alone_bytes(int bits) {
  return 2 * static_cast<std::size_t>(coarser_points(std::int64_t{2} << bits)) * sizeof(double);
}

// All of a cycle on grids of at most 2^bits points a side, in one block: u of the largest from its r.
__global__ static void __launch_bounds__(alone_threads)
    solve_alone(int bits, Smoother smoother, const double* __restrict__ r_in, double* __restrict__ u_out) {
  extern __shared__ double shared[];
  const int count = static_cast<int>(level_offset(std::int64_t{2} << bits));
  double *const r = shared, *const u = shared + count;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const auto field = [](double* all, int b) { return all + ((1 << 3 * b) - 8) / 7; };
  const auto for_points = [&](int b, const auto& body) {
    const Grid grid{b};
    for (int i = thread; i < 1 << 3 * b; i += threads)
      body(grid, i, i & ((1 << b) - 1), i >> b & ((1 << b) - 1), i >> 2 * b);
    __syncthreads();
  };
  // The value at a distance from (x, y, z).
  const auto beside = [](const double* all, Grid grid, int x, int y, int z) {
    return [=](int dz, int dy, int dx) { return all[grid.row(z + dz, y + dy) + grid.wrapped(x + dx)]; };
  };
  for_points(bits, [&](Grid, int i, int, int, int) { field(r, bits)[i] = r_in[i]; });
  for (int b = bits - 1; b >= 1; --b)
    for_points(b, [&](Grid, int i, int x, int y, int z) {
      field(r, b)[i] = restricted_at(beside(field(r, b + 1), Grid{b + 1}, 2 * x + 1, 2 * y + 1, 2 * z + 1));
    });
  for_points(1, [&](Grid grid, int i, int x, int y, int z) {
    field(u, 1)[i] = smoothed_at(smoother, beside(field(r, 1), grid, x, y, z));
  });
  for (int b = 2; b <= bits; ++b) {
    double *const own_u = field(u, b), *const own_r = field(r, b);
    for_points(b, [&](Grid, int i, int x, int y, int z) {
      const Grid coarse{b - 1};
      const double* const from = field(u, b - 1);
      double sum = 0;
#pragma unroll
      for (int corner = 0; corner < 8; ++corner)
        sum += from[coarse.row((z - (corner >> 2)) >> 1, (y - (corner >> 1 & 1)) >> 1) +
                    coarse.wrapped((x - (corner & 1)) >> 1)];
      own_u[i] = 0.125 * sum;
    });
    for_points(
        b, [&](Grid grid, int i, int x, int y, int z) { own_r[i] -= a_at(beside(own_u, grid, x, y, z)); });
    for_points(b, [&](Grid grid, int i, int x, int y, int z) {
      own_u[i] += smoothed_at(smoother, beside(own_r, grid, x, y, z));
    });
  }
  for (int i = thread; i < 1 << 3 * bits; i += threads) u_out[i] = field(u, bits)[i];
}

}  // namespace sextant::npb_mg
