#include <openacc.h>

#include "cells.hpp"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// Three compute regions per block of 32 vertices (cells.hpp).
namespace blocked {

using floyd_warshall::cell;
using floyd_warshall::tile;
using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128;
};

template <typename T>
void copy(std::int64_t n, const T* w, T* d) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector present(w [0:count], d [0:count]) vector_length(128)
  for (std::int64_t at = 0; at < count; ++at) d[at] = w[at];
}

// Computes the shortest paths within the block, in one gang whose lanes synchronize after each vertex. Step p
// does not change row p and column p, because the diagonal is 0.
template <typename T>
void close(std::int64_t n, std::int64_t k, std::int64_t count, const T* d, T* among) {
  const std::int64_t all = n * n;
#pragma acc parallel loop gang num_gangs(1) vector_length(256) present(d [0:all]) deviceptr(among)
  for (int once = 0; once < 1; ++once) {
#pragma acc loop vector
    for (int at = 0; at < tile * tile; ++at) {
      const std::int64_t i = at / tile, j = at % tile;
      if (i < count && j < count) among[at] = d[(k + i) * n + k + j];
    }
#pragma acc loop seq
    for (std::int64_t p = 0; p < count; ++p)
#pragma acc loop vector
      for (int at = 0; at < tile * tile; ++at)
        if (at / tile < count && at % tile < count && at / tile != p && at % tile != p)
          floyd_warshall::relax_among(p, at / tile, at % tile, among);
  }
}

template <typename T>
void find_ways(std::int64_t n, std::int64_t k, std::int64_t count, const T* d, const T* among, T* to_block,
               T* from_block) {
  const std::int64_t all = n * n, step = floyd_warshall::padded(n), ways = step * count;
#pragma acc parallel loop gang vector present(d [0:all]) deviceptr(among, to_block, from_block) \
    vector_length(128)
  for (std::int64_t at = 0; at < 2 * ways; ++at) {
    if (at < ways) {
      from_block[at] = floyd_warshall::way_from(n, k, count, at / step, at % step, among, d);
    } else {
      const std::int64_t i = (at - ways) / count, q = (at - ways) % count;
      to_block[q * step + i] = floyd_warshall::way_to(n, k, count, i, q, among, d);
    }
  }
}

template <int length, typename T>
void relax(std::int64_t n, std::int64_t count, const T* to_block, const T* from_block, T* d) {
  const std::int64_t all = n * n, across = floyd_warshall::padded(n) / cell;
#pragma acc parallel loop gang vector present(d [0:all]) deviceptr(to_block, from_block) vector_length(length)
  for (std::int64_t at = 0; at < across * across; ++at)
    floyd_warshall::relax_cell(n, count, at / across * cell, at % across * cell, to_block, from_block, d);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, step = floyd_warshall::padded(n);
  T* d = call.array<T>(1);
  T* among = static_cast<T*>(call.state);
  T *to_block = among + tile * tile, *from_block = to_block + tile * step;
  copy(n, call.array<const T>(0), d);
  for (std::int64_t k = 0; k < n; k += tile) {
    const std::int64_t count = std::min(tile, n - k);
    close(n, k, count, d, among);
    find_ways(n, k, count, d, among, to_block, from_block);
    Lengths::with(call.tuned<Gang>().vector_length,
                  [&]<int length>() { relax<length>(n, count, to_block, from_block, d); });
  }
}

std::int64_t workspace(const Problem& p, const int*) {
  return floyd_warshall::panel_elements(p.extents.x) * static_cast<std::int64_t>(element_size(p.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, nullptr)));
  return *state ? nullptr : "no device memory for the paths to and from a block of 32 vertices";
}

}  // namespace blocked

namespace sweeps {

struct Gang {
  int vector_length = 128;
};

template <int length, typename T>
void copy(std::int64_t n, const T* w, T* d) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector present(w [0:count], d [0:count]) vector_length(length)
  for (std::int64_t at = 0; at < count; ++at) d[at] = w[at];
}

// Step k of the algorithm. Row k and column k do not change, because d[k][k] is 0.
template <int length, typename T>
void sweep(std::int64_t n, std::int64_t k, T* d) {
  const std::int64_t count = n * n;
#pragma acc parallel loop gang vector collapse(2) present(d [0:count]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const T over = d[i * n + k] + d[k * n + j];
      if (over < d[i * n + j]) d[i * n + j] = over;
    }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    copy<length>(n, call.array<const T>(0), call.array<T>(1));
    for (std::int64_t k = 0; k < n; ++k) sweep<length>(n, k, call.array<T>(1));
  });
}

}  // namespace sweeps

}  // namespace

std::vector<Variant> floyd_warshall_openacc() {
  return {
      {.name = "blocked",
       .description =
           "blocks of 32 vertices: paths among them by one gang, paths to and from them, then 4 x 4 pairs "
           "per thread",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<blocked::Gang>(
           {{"vector_length", &blocked::Gang::vector_length, blocked::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(blocked::launch),
       .prepare = blocked::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = blocked::workspace},
      {.name = "sweeps",
       .description = "the plain form: one region per intermediate vertex, one thread per pair",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<sweeps::Gang>({{"vector_length", &sweeps::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(sweeps::launch)},
  };
}

}  // namespace sextant
