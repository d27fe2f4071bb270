// Slabs of the lattice on several GPUs, of one process or of MPI ranks: memory, links, and steps from one
// lattice to the other as in `fused`.
#pragma once

#include "fused.cuh"
#include "slabs.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/edges.cuh"

namespace sextant::lbm_d3q15 {

using Widths = Choices<1, 2, 4>;

struct SlabShape {
  int block_x = 128, block_y = 2;
  int nodes_per_thread = 1;
  int alternate_direction = 1;  // 1: every second step goes from the last inner plane to the first
};

template <typename Shape>
std::vector<TunableMember<Shape>> slab_members() {
  return {{"block_x", &Shape::block_x, {32, 64, 128, 256}},
          {"block_y", &Shape::block_y, {1, 2, 4, 8}},
          {"nodes_per_thread", &Shape::nodes_per_thread, Widths::list()},
          {"alternate_direction", &Shape::alternate_direction, {0, 1}}};
}

// The destination of densities that leave a slab towards one side. `to` is an address in the neighbour's
// lattice. It is shifted so that the index of the slab's own node can be added to it.
template <typename T>
struct Leaving {
  T* to = nullptr;
  std::int64_t nodes = 0;  // number of nodes in that lattice
};

// Updates planes of a slab, whose own planes are 1 … nz - 2. Blocks 0 and 1 along z update the outermost
// planes first, because the neighbours wait for them. The launch begins with block number `first_block`.
template <int width, typename Index, typename T>
__global__ void __launch_bounds__(most_threads)
    slab_step(Index nx, Index ny, Index nz, Index first_block, Rates<T> rates, bool downwards,
              const LinkMap map, const T* f, T* g, Leaving<T> lower, Leaving<T> higher, peers::Edges edges) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  Node<Index> at = own_node<Index>(width);
  const Index block = at.z + first_block, last = nz - 2;
  at.z = block == 0 ? 1 : block == 1 ? last : downwards ? last + 1 - block : block;
  const bool low = at.z == 1, high = at.z == last;
  peers::begin_at_edges(edges, low, high);
  update<width>(nx, ny, nz, at, rates, map, f,
                [&](bool as_vector, const NodeBits<width>& bits, const auto& node, int k, Index i) {
                  store_nodes(as_vector, bits, node, k, g + k * nodes + i);
                  if (along(k, 2) < 0 && low && lower.to)
                    store_nodes(as_vector, bits, node, k, lower.to + k * lower.nodes + i);
                  if (along(k, 2) > 0 && high && higher.to)
                    store_nodes(as_vector, bits, node, k, higher.to + k * higher.nodes + i);
                });
  peers::end_at_edges(edges, low, high);
}

// Calls action.operator()<width, Index>() with the compile-time parameters of a slab's steps.
template <typename T, typename Action>
void with_slab_step(const Problem& problem, int of_width, Action action) {
  Widths::with(of_width, [&]<int width>() {
    if constexpr (width * sizeof(T) <= 16)
      with_node_index(slab_of(problem, 0).box,
                      [&]<typename Index>() { action.template operator()<width, Index>(); });
  });
}

template <typename T>
__global__ void link_slab(Extents size, const T* flags, LinkMap map) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool there = i < size.x * size.y * size.z;
  Links links = 0;
  if (there)
    map.links[i] = links =
        links_of(flags, size.x, size.y, size.z, i % size.x, i / size.x % size.y, i / (size.x * size.y));
  const bool walls = __any_sync(0xffffffff, links != 0);
  if (there && i % run_nodes == 0) map.walls[i / run_nodes] = walls;
}

inline dim3 grid_of(const Slab15& slab, const SlabShape& shape) {
  return dim3(blocks_for(slab.box.x, std::int64_t{shape.block_x} * shape.nodes_per_thread),
              blocks_for(slab.box.y, shape.block_y), static_cast<unsigned>(slab.planes));
}

// The lattices, flags and links (masks of solid neighbours) of the slabs on all GPUs, or on the GPU of one
// rank.
class SlabMemory {
 public:
  explicit SlabMemory(const parts::Team& team)
      : team_(team), first_(team), second_(team), flags_(team), links_(team), walls_(team) {}

  // Returns false if memory is insufficient.
  template <typename T>
  bool allocate(const Problem& problem) {
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t nodes = slab_of(problem, 0).nodes();  // number of nodes of the largest slab
    return first_.allocate(directions * nodes * size) && second_.allocate(directions * nodes * size) &&
           flags_.allocate(nodes * size) &&
           links_.allocate(nodes * static_cast<std::int64_t>(sizeof(Links)) + 64) &&
           walls_.allocate(nodes / run_nodes + 1);
  }

  template <typename T>
  T* now(int part) const {
    return (turned ? second_ : first_).of<T>()[part];
  }
  template <typename T>
  T* next(int part) const {
    return (turned ? first_ : second_).of<T>()[part];
  }
  LinkMap map(int part) const { return {links_.of<Links>()[part], walls_.of<std::uint8_t>()[part]}; }

  // Loads a slab from the host; its GPU must be the current device. densities(k) must return the slab's
  // planes of direction k. flags(z) must return the flags of plane z of the slab, halos included. Halos of
  // densities become NaN.
  template <typename T, typename Densities, typename Flags>
  void load(int part, const Slab15& slab, cudaStream_t stream, Densities densities, Flags flags) const {
    const auto bytes = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t plane = slab.plane();
    for (T* lattice : {now<T>(part), next<T>(part)}) {
      team_.memory->fill(team_, part, lattice, 0xFF, directions * slab.nodes() * bytes);
      // Both lattices are filled, because solid nodes are never written.
      for (int k = 0; k < directions; ++k)
        team_.memory->write(team_, part, lattice + k * slab.nodes() + plane, densities(k),
                            slab.planes * plane * bytes);
    }
    T* const own = flags_.of<T>()[part];
    for (std::int64_t z = 0; z < slab.box.z; ++z)
      team_.memory->write(team_, part, own + z * plane, flags(z), plane * bytes);
    link_slab<T><<<blocks_for(slab.nodes(), 256), 256, 0, stream>>>(slab.box, own, map(part));
    cudaStreamSynchronize(stream);
  }
  // Copies the slab's planes back to the host. densities(k) must return the destination of direction k.
  template <typename T, typename Densities>
  void store(int part, const Slab15& slab, Densities densities) const {
    for (int k = 0; k < directions; ++k)
      team_.memory->read(team_, part, densities(k), now<T>(part) + k * slab.nodes() + slab.plane(),
                         slab.planes * slab.plane() * static_cast<std::int64_t>(sizeof(T)));
  }

  bool turned = false;  // true if the densities are in the second lattice

 private:
  const parts::Team& team_;
  peers::PartMemory first_, second_, flags_, links_, walls_;
};

// Returns the address from which a density is sent towards `side`, in the slab's outermost plane. `which`
// numbers the five densities that move towards this side. arriving_plane(…) returns the position in the
// neighbour's halo.
template <typename T>
T* leaving_plane(const SlabMemory& slabs, int part, const Slab15& slab, int side, int which) {
  const std::int64_t z = side == 0 ? 1 : slab.planes;
  return slabs.now<T>(part) + crossing(side, which) * slab.nodes() + z * slab.plane();
}
template <typename T>
T* arriving_plane(const SlabMemory& slabs, int part, const Slab15& slab, int side, int which) {
  const std::int64_t z = side == 0 ? slab.planes + 1 : 0;
  return slabs.now<T>(part) + crossing(side, which) * slab.nodes() + z * slab.plane();
}

// Copies the halos of a slab that is its own neighbour in a periodic box.
template <typename T>
void copy_around(const SlabMemory& slabs, int part, const Slab15& slab, cudaStream_t stream) {
  for (int side = 0; side < side_count; ++side)
    for (int which = 0; which < crossing_densities; ++which)
      cudaMemcpyAsync(arriving_plane<T>(slabs, part, slab, side, which),
                      leaving_plane<T>(slabs, part, slab, side, which),
                      static_cast<std::size_t>(slab.plane()) * sizeof(T), cudaMemcpyDeviceToDevice, stream);
}

// Updates `planes` planes of a slab, from number `first` on. The numbers are those of slab_step's blocks,
// where 0 and 1 are the outermost planes. It does not signal the neighbours.
template <typename T>
void update_planes(const Call& call, const SlabShape& shape, const SlabMemory& slabs, int part,
                   const Slab15& slab, std::int64_t first, std::int64_t planes, bool downwards,
                   cudaStream_t stream) {
  if (call.parts.what == parts::Do::exchange || planes <= 0) return;
  dim3 grid = grid_of(slab, shape);
  grid.z = static_cast<unsigned>(planes);
  with_slab_step<T>(call.problem, shape.nodes_per_thread, [&]<int width, typename Index>() {
    slab_step<width, Index, T><<<grid, dim3(shape.block_x, shape.block_y), 0, stream>>>(
        static_cast<Index>(slab.box.x), static_cast<Index>(slab.box.y), static_cast<Index>(slab.box.z),
        static_cast<Index>(first), rates_of<T>(call.problem), downwards, slabs.map(part), slabs.now<T>(part),
        slabs.next<T>(part), Leaving<T>{}, Leaving<T>{}, peers::Edges{});
  });
}

// Distributes the whole lattice from the host to the GPUs. gather_slabs collects it.
template <typename T>
void scatter_slabs(const Call& call, const parts::Team& team, SlabMemory& slabs) {
  const Extents& size = call.problem.extents;
  slabs.turned = false;
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    const Slab15 slab = slab_of(call.problem, part);
    const std::int64_t from = share_of(size.z, team.parts, part).first, plane = slab.plane();
    slabs.load<T>(
        part, slab, stream, [&](int k) { return call.array<const T>(0) + k * size.count() + from * plane; },
        [&](std::int64_t z) { return call.array<const T>(1) + (from + z - 1 + size.z) % size.z * plane; });
  });
}
template <typename T>
void gather_slabs(const Call& call, const parts::Team& team, const SlabMemory& slabs) {
  const Extents& size = call.problem.extents;
  for (int part = 0; part < team.parts; ++part) {
    const Slab15 slab = slab_of(call.problem, part);
    const std::int64_t from = share_of(size.z, team.parts, part).first;
    slabs.store<T>(part, slab,
                   [&](int k) { return call.array<T>(0) + k * size.count() + from * slab.plane(); });
  }
}

// Functions that implement scatter and gather for a variant whose state has members `team` and `slabs`.
template <typename State, typename T>
void scatter_of(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  scatter_slabs<T>(call, state.team, state.slabs);
}
template <typename State, typename T>
void gather_of(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  gather_slabs<T>(call, state.team, state.slabs);
}

template <auto of_float, auto of_double>
void either(const Call& call) {
  call.problem.type == ElementType::float32 ? of_float(call) : of_double(call);
}

inline const char* refuse_slab(const Problem& problem, const SlabShape& shape) {
  if (problem.extents.z < problem.parts)
    return "a partition would have no plane: choose fewer partitions, or a box with more planes";
  if (const char* reason = refuse_width(problem, shape.nodes_per_thread)) return reason;
  return refuse_lattice_block(problem.extents, shape.block_x, shape.block_y, 1);
}

// Sets the defaults of `fused` on one GPU: blocks as wide as the rows, two nodes per thread.
inline void fit_slab(const Problem& problem, SlabShape& shape) {
  shape.nodes_per_thread = problem.extents.x % 2 == 0 ? 2 : 1;
  const int most = 256 / shape.nodes_per_thread;
  shape.block_x = threads_along_row(problem.extents.x / shape.nodes_per_thread, most);
  shape.block_y = most / shape.block_x;
}

inline std::int64_t slab_workspace(const Problem& problem) {
  const std::int64_t nodes = slab_of(problem, 0).nodes();
  return nodes * ((2 * directions + 1) * static_cast<std::int64_t>(element_size(problem.type)) +
                  static_cast<std::int64_t>(sizeof(Links))) +
         nodes / run_nodes + 4096;
}

namespace of_slabs {  // functions for by_name

template <typename Shape>
const char* refuse(const Problem& problem, const Shape& shape) {
  return refuse_slab(problem, shape);
}
template <typename Shape>
void fit(const Problem& problem, Shape& shape) {
  fit_slab(problem, shape);
}
template <typename Shape>
std::int64_t workspace(const Problem& problem, const Shape&) {
  return slab_workspace(problem);
}

}  // namespace of_slabs

// Returns a variant with the members that all slab variants share. Shape must derive from SlabShape and add
// one tunable, `own`.
template <typename State, typename Shape>
Variant slab_variant(const TunableMember<Shape>& own) {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  std::vector<TunableMember<Shape>> members = slab_members<Shape>();
  members.push_back(own);
  variant.tunables = tunables<Shape>(members);
  variant.adapt = by_name<of_slabs::fit<Shape>>;
  variant.constraint = by_name<of_slabs::refuse<Shape>>;
  variant.workspace = by_name<of_slabs::workspace<Shape>>;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.parts.separable = true;
  return variant;
}

// As slab_variant, for variants in which one process uses several GPUs.
template <typename State, typename Shape>
Variant team_variant(const TunableMember<Shape>& own) {
  Variant variant = slab_variant<State>(own);
  variant.parts.scatter = either<scatter_of<State, float>, scatter_of<State, double>>;
  variant.parts.gather = either<gather_of<State, float>, gather_of<State, double>>;
  return variant;
}

}  // namespace sextant::lbm_d3q15
