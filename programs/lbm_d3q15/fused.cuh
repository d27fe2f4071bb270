// Updates a thread's neighbouring nodes in a row, from one lattice to the other. The variant `fused` and the
// variants for several GPUs use this code.
#pragma once

#include "cuda.cuh"

namespace sextant::lbm_d3q15 {

// Gathers the densities that arrive at `width` neighbouring nodes of a row. None of the nodes may be next to
// a wall. The densities of a direction are contiguous. They form one aligned vector, or a vector shifted by
// one element, which needs one more load at an end.
template <int width, typename Index, typename T>
__device__ __forceinline__ void gather_row(Index nodes, Index i, const Neighbours<Index>& to,
                                           Index after_last, const T* f, T (&node)[width][directions]) {
#pragma unroll
  for (int k = 0; k < directions; ++k) {
    const int way = along(k, 0);
    const Index row = source(to, k) - (way == 0 ? 0 : way > 0 ? to.before[0] : to.after[0]);
    const T* const from = f + static_cast<std::int64_t>(k) * nodes + (i + row);
    const Vector<T, width> values = load<width>(from);
#pragma unroll
    for (int j = 0; j < width; ++j)
      if (const int at = j - way; at >= 0 && at < width) node[j][k] = values[at];
    if (way > 0) node[0][k] = from[to.before[0]];
    if (way < 0) node[width - 1][k] = from[width - 1 + after_last];
  }
}

// Gathers node by node the densities that arrive at neighbouring nodes of a row. Some of the nodes may be
// solid or next to a wall.
template <int width, typename Index, typename T>
__device__ __forceinline__ void gather_nodes(Index nx, Index ny, Index nz, const Node<Index>& at, Index i,
                                             const NodeBits<width>& bits, const Neighbours<Index>& to_first,
                                             const T* f, T (&node)[width][directions]) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
#pragma unroll
  for (int j = 0; j < width; ++j) {
    const Neighbours<Index> to =
        j == 0 ? to_first : neighbours_of(nx, ny, nz, static_cast<Index>(at.x + j), at.y, at.z);
#pragma unroll
    for (int k = 0; k < directions; ++k)
      if (!(bits[j] & solid_node)) node[j][k] = f[arrival(nodes, static_cast<Index>(i + j), to, bits[j], k)];
  }
}

// Stores direction k of a thread's neighbouring nodes at `to`. With `as_vector` it is one vector access.
// Otherwise nodes are stored one by one, and solid nodes keep their values.
template <int width, typename T>
__device__ __forceinline__ void store_nodes(bool as_vector, const NodeBits<width>& bits,
                                            const T (&node)[width][directions], int k, T* to) {
  if (as_vector) {
    Vector<T, width> values;
#pragma unroll
    for (int j = 0; j < width; ++j) values[j] = node[j][k];
    *reinterpret_cast<Vector<T, width>*>(to) = values;
  } else {
#pragma unroll
    for (int j = 0; j < width; ++j)
      if (!(bits[j] & solid_node)) to[j] = node[j][k];
  }
}

// Updates the nodes of a thread: gathers their densities from f and collides them. For each direction k it
// then calls store(as_vector, bits, node, k, i). `as_vector` is true if no wall is near, `bits` are the
// nodes' links (masks of solid neighbours), and i is the index of the first node.
template <int width, typename Index, typename T, typename Store>
__device__ __forceinline__ void update(Index nx, Index ny, Index nz, const Node<Index>& at, Rates<T> rates,
                                       const LinkMap& map, const T* f, Store store) {
  if (at.x >= nx || at.y >= ny) return;
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  const Index i = (at.z * ny + at.y) * nx + at.x;
  const NodeBits<width> bits = map.template at<width>(i);
  if (bits.all_solid()) return;
  const Neighbours<Index> to = neighbours_of(nx, ny, nz, at.x, at.y, at.z);
  const bool as_vector = width > 1 && !bits.any();
  T node[width][directions];
  if (as_vector)
    gather_row<width>(static_cast<Index>(nodes), i, to, at.x + width == nx ? 1 - nx : Index{1}, f, node);
  else
    gather_nodes(nx, ny, nz, at, i, bits, to, f, node);
#pragma unroll
  for (int j = 0; j < width; ++j) collide(node[j], rates);
#pragma unroll
  for (int k = 0; k < directions; ++k) store(as_vector, bits, node, k, i);
}

}  // namespace sextant::lbm_d3q15
