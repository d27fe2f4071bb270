// Traversal of the lattice in chunks of rows, for the OpenMP variants. The densities of a chunk are gathered
// into a small buffer, one direction after another, collided there and scattered. Direct updates would read
// and write 30 memory streams at once. If the lattice's sides are powers of two, these streams compete for a
// few cache sets.
#pragma once

#include <cstdlib>
#include <cstring>

#include "flags.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant::lbm_d3q15 {

// Nodes per chunk. Their 15 densities fill a third of an L1 cache.
inline constexpr std::int64_t chunk_length = 128;

template <typename T>
struct Chunk {
  alignas(line_bytes) T f[directions][chunk_length] = {};
};

// A chunk: `count` nodes of a row from (x, y, z) on; `first` is the index of the first one in the lattice.
struct Part {
  std::int64_t x, y, z, first, count;
};

// Returns the number of chunks of the lattice. part_of(size, index) returns one of them; x varies fastest.
inline std::int64_t chunk_count(const Extents& size) {
  return (size.x + chunk_length - 1) / chunk_length * size.y * size.z;
}
inline Part part_of(const Extents& size, std::int64_t index) {
  const std::int64_t chunks = (size.x + chunk_length - 1) / chunk_length, row = index / chunks;
  const std::int64_t x = index % chunks * chunk_length, left = size.x - x;
  return {x, row % size.y, row / size.y, row * size.x + x, left < chunk_length ? left : chunk_length};
}

// Calls work(part) for all chunks of the planes [first, last), distributed among the threads of the enclosing
// parallel region.
template <typename Work>
void share_planes(const Extents& size, std::int64_t first, std::int64_t last, Work work) {
  const std::int64_t chunks = (size.x + chunk_length - 1) / chunk_length;
#pragma omp for collapse(3) schedule(static)
  for (std::int64_t z = first; z < last; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        const std::int64_t x = chunk * chunk_length, left = size.x - x;
        work(Part{x, y, z, (z * size.y + y) * size.x + x, left < chunk_length ? left : chunk_length});
      }
}

// As share_planes, for the whole lattice.
template <typename Work>
void share_chunks(const Extents& size, Work work) {
  share_planes(size, 0, size.z, work);
}

// Returns the bitwise or of the links (masks of solid neighbours) of all nodes in a chunk. It is zero if no
// node is solid or next to a wall.
inline unsigned any_link(const Links* links, const Part& part) {
  unsigned any = 0;
#pragma omp simd reduction(| : any)
  for (std::int64_t i = 0; i < part.count; ++i) any |= links[part.first + i];
  return any;
}

// Visits the nodes whose densities along direction k arrive at a chunk's nodes. visit(index, at, count)
// means: nodes index, index + 1, … send to the chunk's nodes at, at + 1, …. There is one call, or two if the
// source nodes wrap around the end of a row.
template <typename Visit>
void visit_sources(const Extents& size, const Part& part, int k, Visit visit) {
  const std::int64_t y = (part.y - along(k, 1) + size.y) % size.y,
                     z = (part.z - along(k, 2) + size.z) % size.z;
  const std::int64_t row = (z * size.y + y) * size.x, step = along(k, 0), end = part.x + part.count;
  const std::int64_t low = step > 0 && part.x == 0, high = step < 0 && end == size.x;
  if (low) visit(row + size.x - 1, 0, 1);
  if (part.count > low + high) visit(row + part.x + low - step, low, part.count - low - high);
  if (high) visit(row, part.count - 1, 1);
}

// Prefetches the densities after a run. The next chunk most likely needs them. The hardware prefetcher fails
// with 15 such streams.
template <typename T>
void prefetch_after(const T* run, std::int64_t count) {
  for (std::int64_t i = count; i < 2 * count; i += line_bytes / static_cast<std::int64_t>(sizeof(T)))
    __builtin_prefetch(run + i, 0, 2);
}

template <typename T>
void copy_run(T* to, const T* from, std::int64_t count) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
}

// Gathers the densities that arrive at the chunk's nodes. Values at solid nodes are meaningless.
template <typename T>
void gather_arrivals(const Extents& size, const Part& part, const Links* links, bool walls, const T* f,
                     Chunk<T>& chunk) {
  const std::int64_t nodes = size.count();
  for (int k = 0; k < directions; ++k)
    visit_sources(size, part, k, [&](std::int64_t index, std::int64_t at, std::int64_t count) {
      prefetch_after(f + k * nodes + index, count);
      copy_run(chunk.f[k] + at, f + k * nodes + index, count);
    });
  if (!walls) return;
  for (std::int64_t i = 0; i < part.count; ++i) {
    const Links bits = links[part.first + i];
    if (bits == 0) continue;
    for (int k = 0; k < directions; ++k)
      if ((bits >> k) & 1) chunk.f[k][i] = f[opposite(k) * nodes + part.first + i];
  }
}

// Collides the densities in whole vectors, including buffer elements beyond the chunk's nodes.
template <typename T>
void collide_chunk(const Rates<T>& rates, std::int64_t count, Chunk<T>& chunk) {
  using Vector __attribute__((vector_size(line_bytes), may_alias)) = T;
  constexpr std::int64_t length = line_bytes / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t i = 0; i < count; i += length) {
    Vector node[directions];
#pragma GCC unroll 15
    for (int k = 0; k < directions; ++k) node[k] = *reinterpret_cast<const Vector*>(chunk.f[k] + i);
    collide(node, rates);
#pragma GCC unroll 15
    for (int k = 0; k < directions; ++k) *reinterpret_cast<Vector*>(chunk.f[k] + i) = node[k];
  }
}

// Restores the old values of the chunk's solid nodes.
template <typename T>
void keep_solid_nodes(std::int64_t nodes, const Part& part, const Links* links, const T* f, Chunk<T>& chunk) {
  for (std::int64_t i = 0; i < part.count; ++i)
    if (links[part.first + i] & solid_node)
      for (int k = 0; k < directions; ++k) chunk.f[k][i] = f[k * nodes + part.first + i];
}

// Stores whole cache lines with streaming stores, which bypass the caches. Incomplete lines at the ends use
// normal stores.
template <typename T>
void stream_run(T* to, const T* from, std::int64_t count) {
  constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = line_start(to, 0);
  if (i > count) i = count;
  copy_run(to, from, i);
  for (; i + per_line <= count; i += per_line) stream_line(to + i, from + i);
  copy_run(to + i, from + i, count - i);
}

// Updates a chunk from lattice f to lattice g. With `streaming`, stores bypass the caches.
template <typename T>
void update_part(const Extents& size, const Part& part, const Links* links, const Rates<T>& rates,
                 bool streaming, const T* now, T* next, Chunk<T>& chunk) {
  const bool walls = any_link(links, part) != 0;
  gather_arrivals(size, part, links, walls, now, chunk);
  collide_chunk(rates, part.count, chunk);
  if (walls) keep_solid_nodes(size.count(), part, links, now, chunk);
  for (int k = 0; k < directions; ++k) {
    T* const to = next + k * size.count() + part.first;
    if (streaming)
      stream_run(to, chunk.f[k], part.count);
    else
      copy_run(to, chunk.f[k], part.count);
  }
  if (streaming) stream_fence();
}

// ---- the state that `prepare` allocates

template <typename T>
struct HostState {
  T* other = nullptr;  // a second lattice, or null
  Links* links = nullptr;
};

inline std::size_t whole_lines(std::int64_t bytes) {
  return static_cast<std::size_t>((bytes + line_bytes - 1) / line_bytes * line_bytes);
}

template <typename T>
void release_host(void* state) {
  auto* const host = static_cast<HostState<T>*>(state);
  std::free(host->other);
  std::free(host->links);
  delete host;
}

template <typename T, bool second_lattice>
const char* prepare_host(const Call& call, void** state) {
  const Extents& size = call.problem.extents;
  const T* flags = call.array<const T>(1);
  if (const char* reason = refuse_flags(call.problem, flags)) return reason;
  auto* const host = new HostState<T>;
  const auto allocate = [](std::int64_t bytes) { return std::aligned_alloc(line_bytes, whole_lines(bytes)); };
  host->links = static_cast<Links*>(allocate(size.count() * static_cast<std::int64_t>(sizeof(Links))));
  if (second_lattice)
    host->other = static_cast<T*>(allocate(directions * size.count() * static_cast<std::int64_t>(sizeof(T))));
  if (!host->links || (second_lattice && !host->other)) {
    release_host<T>(host);
    return "host memory ran out";
  }
  make_links(size, flags, host->links);
  // The threads that will use the nodes are the first to touch their memory.
  if (second_lattice)
#pragma omp parallel
    share_chunks(size, [&](const Part& part) {
      for (int k = 0; k < directions; ++k)
        std::memset(host->other + k * size.count() + part.first, 0,
                    static_cast<std::size_t>(part.count) * sizeof(T));
    });
  *state = host;
  return nullptr;
}

template <bool second_lattice>
void complete_host_variant(Variant& variant) {
  variant.workspace = [](const Problem& problem, const int*) {
    const auto size = static_cast<std::int64_t>(element_size(problem.type));
    return problem.extents.count() *
           ((second_lattice ? directions * size : 0) + static_cast<std::int64_t>(sizeof(Links)));
  };
  variant.prepare = prepare_either<prepare_host<float, second_lattice>, prepare_host<double, second_lattice>>;
  variant.prepare_depends_on = DependsOn::structure;
  variant.release = release_host<float>;  // the element type does not matter here
}

}  // namespace sextant::lbm_d3q15
