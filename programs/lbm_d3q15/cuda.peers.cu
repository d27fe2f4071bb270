// The lattice cut along z into slabs of whole planes, one a GPU, by `fused`'s step from lattice to lattice. Of a neighbour's
// nearest plane a step needs the five densities of a node that come from there. With push=1 nothing exchanges them: the
// blocks of a slab's outermost planes, which a step begins with, store those densities in the neighbour's halo, too, and
// those of the next step wait for a flag that was raised when this one had hardly begun (toolbox/cuda/edges.cuh). With
// push=0, and before the first step, a kernel stores them there, between a common begin and a common end.
#include <memory>
#include <utility>

#include "fused.cuh"
#include "slabs.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/edges.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

using Widths = Choices<1, 2, 4>;

struct Shape {
  int block_x = 128, block_y = 2;
  int width = 1;    // nodes of a thread
  int turning = 1;  // every second step from the last inner plane to the first
  int push = 1;
};

struct State {
  explicit State(const Call& call)
      : team(parts::team_of(call)),
        meetings(team),
        beside(team, periodic(call.problem, 2)),
        first(team),
        second(team),
        flags(team),
        links(team),
        walls(team) {}
  const parts::Team& team;
  peers::Meetings meetings;
  peers::Sides beside;
  peers::PartMemory first, second, flags, links, walls;
  bool turned = false;  // the densities are in `second`

  template <typename T>
  T* now(int part) const {
    return (turned ? second : first).of<T>()[part];
  }
  template <typename T>
  T* next(int part) const {
    return (turned ? first : second).of<T>()[part];
  }
  LinkMap map(int part) const { return {links.of<Links>()[part], walls.of<std::uint8_t>()[part]}; }
};

// What leaves a part towards a side: where a node's would be in the neighbour's lattice, if that went on from the own one.
template <typename T>
struct Leaving {
  T* to = nullptr;
  std::int64_t nodes = 0;  // of that lattice
};

// Planes 1 … nz - 2 are the part's. Blocks begin with the outermost, which neighbours wait for.
template <int width, typename Index, typename T>
__global__ void __launch_bounds__(most_threads)
    slab_step(Index nx, Index ny, Index nz, Rates<T> rates, bool downwards, const LinkMap map, const T* f,
              T* g, Leaving<T> lower, Leaving<T> higher, peers::Edges edges) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz;
  Node<Index> at = own_node<Index>(width);
  const Index block = at.z, last = nz - 2;
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

// The densities that leave lattice f of `nodes` nodes, its outermost planes being `plane` nodes from `low` and `high` on.
template <typename T>
__global__ void store_halos(std::int64_t plane, std::int64_t nodes, std::int64_t low, std::int64_t high,
                            const T* f, Leaving<T> lower, Leaving<T> higher, peers::Meeting meeting) {
  peers::begin_together(meeting);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                     stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = begin; i < plane; i += stride) {
#pragma unroll
    for (int k = 0; k < directions; ++k) {
      if (along(k, 2) < 0 && lower.to) lower.to[k * lower.nodes + low + i] = f[k * nodes + low + i];
      if (along(k, 2) > 0 && higher.to) higher.to[k * higher.nodes + high + i] = f[k * nodes + high + i];
    }
  }
  peers::end_together(meeting);
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

// What leaves `part` towards a side, into the lattices that `lattice(part)` gives.
template <typename T, typename Lattice>
Leaving<T> leaving(const Call& call, int part, int side, Lattice lattice) {
  const Slab15 own = slab_of(call.problem, part);
  const int other = own.neighbour[side];
  if (other < 0) return {};
  const Slab15 there = slab_of(call.problem, other);
  const std::int64_t planes = side == 0 ? there.planes : -own.planes;  // from the own plane to the halo
  return {lattice(other) + planes * own.plane(), there.nodes()};
}

bool has_neighbours(const Call& call) {
  const Slab15 slab = slab_of(call.problem, 0);
  return slab.neighbour[0] >= 0 || slab.neighbour[1] >= 0;
}

template <typename T>
void exchange(const Call& call, State& state) {
  constexpr int block = 256, most = 64;
  state.meetings.next_round();
  const auto now = [&](int part) { return state.now<T>(part); };
  peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
    const Slab15 slab = slab_of(call.problem, part);
    store_halos<T><<<std::min<unsigned>(most, blocks_for(slab.plane(), block)), block, 0, stream>>>(
        slab.plane(), slab.nodes(), slab.plane(), slab.planes * slab.plane(), now(part),
        leaving<T>(call, part, 0, now), leaving<T>(call, part, 1, now), state.meetings.of(part));
  });
}

dim3 grid_of(const Slab15& slab, const Shape& shape) {
  return dim3(blocks_for(slab.box.x, std::int64_t{shape.block_x} * shape.width),
              blocks_for(slab.box.y, shape.block_y), static_cast<unsigned>(slab.planes));
}

// pushes: to the neighbours' halos; waits: for what they pushed in the step before.
template <int width, typename T>
void step(const Call& call, const State& state, bool downwards, bool pushes, bool waits) {
  const auto shape = call.tuned<Shape>();
  const auto next = [&](int part) { return state.next<T>(part); };
  peers::for_parts(state.team, [&](int part, cudaStream_t stream) {
    const Slab15 slab = slab_of(call.problem, part);
    const dim3 grid = grid_of(slab, shape);
    peers::Edges edges;
    Leaving<T> lower, higher;
    if (pushes || waits) {
      const Patience patience = state.meetings.patience(part);
      edges.low = state.beside.edge(part, 0, pushes, grid.x * grid.y, patience);
      edges.high = state.beside.edge(part, 1, pushes, grid.x * grid.y, patience);
    }
    if (pushes) lower = leaving<T>(call, part, 0, next), higher = leaving<T>(call, part, 1, next);
    with_node_index(slab_of(call.problem, 0).box, [&]<typename Index>() {
      slab_step<width, Index, T><<<grid, dim3(shape.block_x, shape.block_y), 0, stream>>>(
          static_cast<Index>(slab.box.x), static_cast<Index>(slab.box.y), static_cast<Index>(slab.box.z),
          rates_of<T>(call.problem), downwards, state.map(part), state.now<T>(part), next(part), lower,
          higher, edges);
    });
  });
}

bool may_push(const Call& call, const State& state) {
  const auto shape = call.tuned<Shape>();
  const dim3 grid = grid_of(slab_of(call.problem, 0), shape);
  return shape.push && peers::edges_fit(state.team, std::int64_t{peers::sides} * grid.x * grid.y);
}

template <typename T>
void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const auto shape = call.tuned<Shape>();
  const bool computes = call.what != parts::Do::exchange,
             exchanges = call.what != parts::Do::compute && has_neighbours(call),
             pushing = computes && exchanges && may_push(call, state);
  const std::int64_t steps = steps_of(call.problem);
  for (std::int64_t t = 0; t < steps; ++t) {
    if (exchanges && (t == 0 || !pushing)) exchange<T>(call, state);
    if (!computes) continue;
    const bool pushes = pushing && t + 1 < steps;
    if (pushes) state.beside.next_round();
    Widths::with(shape.width, [&]<int width>() {
      if constexpr (width * sizeof(T) <= 16)
        step<width, T>(call, state, shape.turning && t % 2 == 1, pushes, pushing && t > 0);
    });
    state.turned = !state.turned;
  }
}

template <typename T>
void load_kernels(const Call& call, const parts::Team& team) {
  peers::load_everywhere(team, store_halos<T>);
  Widths::with(call.tuned<Shape>().width, [&]<int width>() {
    if constexpr (width * sizeof(T) <= 16)
      with_node_index(slab_of(call.problem, 0).box,
                      [&]<typename Index>() { peers::load_everywhere(team, slab_step<width, Index, T>); });
  });
}

template <typename T>
const char* prepare(const Call& call, void** into) {
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  if (const char* reason = refuse_flags(call.problem, call.array<const T>(1))) return reason;
  auto state = std::make_unique<State>(call);
  const auto size = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t nodes = slab_of(call.problem, 0).nodes();  // the most of a part
  if (!state->first.allocate(directions * nodes * size) ||
      !state->second.allocate(directions * nodes * size) || !state->flags.allocate(nodes * size) ||
      !state->links.allocate(nodes * static_cast<std::int64_t>(sizeof(Links)) + 64) ||
      !state->walls.allocate(nodes / run_nodes + 1))
    return "no device memory for a part's planes";
  if (const char* reason = state->meetings.make(team)) return reason;
  if (!state->beside.make()) return "no device memory for flags";
  load_kernels<T>(call, team);
  *into = state.release();
  return nullptr;
}

// Own planes, and of the flags those around: what is solid is part of the problem. Halos become NaN.
template <typename T>
void scatter(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const parts::Team& team = state.team;
  const Extents& size = call.problem.extents;
  const auto bytes = static_cast<std::int64_t>(sizeof(T));
  state.turned = false;
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    const Slab15 slab = slab_of(call.problem, part);
    const std::int64_t plane = slab.plane(), from = share_of(size.z, team.parts, part).first;
    for (T* lattice : {state.now<T>(part), state.next<T>(part)})
      team.memory->fill(team, part, lattice, 0xFF, directions * slab.nodes() * bytes);
    for (int k = 0; k < directions; ++k)
      for (T* lattice : {state.now<T>(part), state.next<T>(part)})  // both, as solid nodes are never written
        team.memory->write(team, part, lattice + k * slab.nodes() + plane,
                           call.array<const T>(0) + k * size.count() + from * plane,
                           slab.planes * plane * bytes);
    T* const flags = state.flags.of<T>()[part];
    for (std::int64_t z = 0; z < slab.box.z; ++z)
      team.memory->write(team, part, flags + z * plane,
                         call.array<const T>(1) + (from + z - 1 + size.z) % size.z * plane, plane * bytes);
    link_slab<T><<<blocks_for(slab.nodes(), 256), 256, 0, stream>>>(slab.box, flags, state.map(part));
    cudaStreamSynchronize(stream);
  });
}

template <typename T>
void gather(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Extents& size = call.problem.extents;
  for (int part = 0; part < state.team.parts; ++part) {
    const Slab15 slab = slab_of(call.problem, part);
    const std::int64_t plane = slab.plane(), from = share_of(size.z, state.team.parts, part).first;
    for (int k = 0; k < directions; ++k)
      state.team.memory->read(state.team, part, call.array<T>(0) + k * size.count() + from * plane,
                              state.now<T>(part) + k * slab.nodes() + plane,
                              slab.planes * plane * static_cast<std::int64_t>(sizeof(T)));
  }
}

template <auto of_float, auto of_double>
void either(const Call& call) {
  call.problem.type == ElementType::float32 ? of_float(call) : of_double(call);
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (problem.extents.z < problem.parts)
    return "a part would have no plane: take fewer parts, or a box of more planes";
  if (const char* reason = refuse_width(problem, shape.width)) return reason;
  return refuse_lattice_block(problem.extents, shape.block_x, shape.block_y, 1);
}

// As `fused` by itself: whole rows, two nodes a thread.
void fit(const Problem& problem, Shape& shape) {
  shape.width = problem.extents.x % 2 == 0 ? 2 : 1;
  const int most = 256 / shape.width;
  shape.block_x = threads_along_row(problem.extents.x / shape.width, most);
  shape.block_y = most / shape.block_x;
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  const std::int64_t nodes = slab_of(problem, 0).nodes();
  return nodes * ((2 * directions + 1) * static_cast<std::int64_t>(element_size(problem.type)) +
                  static_cast<std::int64_t>(sizeof(Links))) +
         nodes / run_nodes + 4096;
}

}  // namespace

Variant lbm_d3q15_cuda_peers() {
  Variant variant;
  variant.home = Home::ranks;
  variant.description =
      "GPUs with a slab of planes each, stepped as fused does; blocks of its outermost planes store in the neighbours' "
      "halos, too";
  variant.tunables = tunables<Shape>({{"block_x", &Shape::block_x, {32, 64, 128, 256}},
                                      {"block_y", &Shape::block_y, {1, 2, 4, 8}},
                                      {"width", &Shape::width, Widths::list()},
                                      {"turning", &Shape::turning, {0, 1}},
                                      {"push", &Shape::push, {0, 1}}});
  variant.adapt = by_name<fit>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare_either<prepare<float>, prepare<double>>;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.scatter = either<scatter<float>, scatter<double>>;
  variant.gather = either<gather<float>, gather<double>>;
  variant.separable = true;
  return variant;
}

}  // namespace sextant
