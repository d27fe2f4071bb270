// The kernel of cuda.resident: the lattice stays in the multiprocessors' shared memory for all steps.
//
// A block holds a box of nodes, and a thread one or two of them. Every node has a slot for each direction in
// two buffers, which alternate between steps. A node waits until its slots are filled and collides the
// densities. It stores each one in the slot of its destination node, or in its own slot if that node is
// solid. Slots of destinations within the box are in shared memory. Slots of other destinations are in
// `mail`, an exchange buffer in global memory that the L2 cache holds.
// Each density carries a tag of its step (toolbox/cuda/tagged.cuh), so neither barriers nor flags are needed.
// Two buffers suffice, because a neighbour reuses a buffer only after it has received what the node stored in
// between.
// f is read before the first step and written after the last. Waits are bounded
// (toolbox/cuda/poll_limit.cuh).
#pragma once

#include "boxes.hpp"
#include "cuda.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/tagged.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

template <typename T>
struct Resident {
  const Links* links;
  // The exchange buffer, with index [box][buffer][direction - 1][node]. Only the slots for densities from
  // other boxes are used.
  Word<T>* mail;
  T* f;
  Extents size;
  int sides[3], count[3];
  std::int64_t steps;
  Rates<T> rates;
  PollLimit poll_limit;
};

// Returns the number of the box that direction k leads to from a node: 0 to 26, where 13 is the block's own
// box. `ends` tells at which ends of its box the node lies. Bits 0, 2 and 4 stand for the low ends along x, y
// and z. Bits 1, 3 and 5 stand for the high ends.
__device__ __forceinline__ int box_along(unsigned ends, int k) {
  int box = 13;
#pragma unroll
  for (int axis = 0, weight = 1; axis < 3; ++axis, weight *= 3) {
    const int way = along(k, axis);
    if (way != 0 && ((ends >> (2 * axis + (way > 0))) & 1)) box += way * weight;
  }
  return box;
}

// The indices of the block's box and of the 26 boxes around it.
struct Surroundings {
  static constexpr int own = 13;

  int box[27];
  int last_of_previous[3];  // highest coordinate of a node in the previous box along each axis

  template <typename T>
  __device__ void find(const Resident<T>& r, int which) {
    const int at[] = {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                      static_cast<int>(blockIdx.z)};
    const int way[] = {which % 3 - 1, which / 3 % 3 - 1, which / 9 - 1};
    const std::int64_t size[] = {r.size.x, r.size.y, r.size.z};
    box[which] = 0;
    for (int axis = 2; axis >= 0; --axis) {
      const int there = (at[axis] + way[axis] + r.count[axis]) % r.count[axis];
      box[which] = box[which] * r.count[axis] + there;
      if (which == 0)  // box 0 is the previous one along all three axes
        last_of_previous[axis] =
            there + 1 < r.count[axis] ? r.sides[axis] - 1 : static_cast<int>(size[axis] - 1) % r.sides[axis];
    }
  }
};

// Position and links of one node in the block's box.
struct Site {
  unsigned links = solid_node;
  unsigned ends = 0;  // bits as in box_along
  int node = 0;       // index of the node in the block's box
  int place = 0;      // index of the node in the lattice
  // Offsets to the neighbouring nodes. They are offsets of indices in the box; beyond the box's ends, in the
  // neighbouring box.
  Neighbours<int> to{};

  // Returns true if direction k leads to a solid node.
  __device__ bool is_wall(int k) const { return (links >> opposite(k)) & 1; }
};

template <typename T>
__device__ Site find_site(const Resident<T>& r, const Surroundings& around, int node) {
  const int nx = r.sides[0], ny = r.sides[1], nz = r.sides[2];
  Site site;
  if (node >= nx * ny * nz) return site;
  const int x = node % nx, y = node / nx % ny, z = node / (nx * ny);
  const std::int64_t at_x = blockIdx.x * static_cast<std::int64_t>(nx) + x,
                     at_y = blockIdx.y * static_cast<std::int64_t>(ny) + y,
                     at_z = blockIdx.z * static_cast<std::int64_t>(nz) + z;
  if (at_x >= r.size.x || at_y >= r.size.y || at_z >= r.size.z) return site;
  const bool high_x = x == nx - 1 || at_x == r.size.x - 1, high_y = y == ny - 1 || at_y == r.size.y - 1,
             high_z = z == nz - 1 || at_z == r.size.z - 1;
  site.node = node;
  site.place = static_cast<int>((at_z * r.size.y + at_y) * r.size.x + at_x);
  site.links = r.links[site.place];
  site.ends = (x == 0) | high_x << 1 | (y == 0) << 2 | high_y << 3 | (z == 0) << 4 | high_z << 5;
  site.to = {{x > 0 ? -1 : around.last_of_previous[0], nx * (y > 0 ? -1 : around.last_of_previous[1]),
              nx * ny * (z > 0 ? -1 : around.last_of_previous[2])},
             {high_x ? -x : 1, nx * (high_y ? -y : 1), nx * ny * (high_z ? -z : 1)}};
  return site;
}

// Bit that marks an index into the exchange buffer; without it, the index is one into shared memory.
constexpr unsigned in_mail = 1u << 31;

// The data of one thread. A thread block has up to 512 threads with `per_thread` nodes each. Its buffers have
// `capacity` slots per direction.
template <int per_thread, typename T>
struct Crew {
  static constexpr int capacity = box_threads * per_thread, buffer_slots = (directions - 1) * capacity;
  static constexpr std::int64_t box_slots = 2 * buffer_slots;
  // Position of the slot in buffer 0 to which the node's density along a direction is sent. With one node per
  // thread, registers suffice for addresses; otherwise this is an index.
  static constexpr bool by_address = per_thread == 1;
  using Outlet = std::conditional_t<by_address, Word<T>*, unsigned>;

  // Slots of all boxes in global memory (`mail`), and of this box in shared memory (`slots`).
  Word<T>*mail, *slots;
  unsigned far[per_thread];  // bit k: direction k comes from another box
  // `solid`: the node is solid. `idle`: all nodes of the warp are solid.
  bool solid[per_thread], idle[per_thread];
  int place[per_thread];
  T rest[per_thread];
  Outlet outlets[per_thread][directions];
  int peeks;  // number of polls before the thread gives up and writes NaN

  __device__ static int node(int j) { return static_cast<int>(threadIdx.x + j * blockDim.x); }

  __device__ Outlet outlet(const Surroundings& around, const Site& site, int k) const {
    const bool wall = site.is_wall(k);
    const int box = wall ? around.box[Surroundings::own] : around.box[box_along(site.ends, k)];
    const bool here = box == around.box[Surroundings::own];
    const std::int64_t slot =
        (here ? 0 : box * box_slots) + (wall ? (opposite(k) - 1) * capacity + site.node
                                             : (k - 1) * capacity + site.node + source(site.to, opposite(k)));
    if constexpr (by_address)
      return (here ? slots : mail) + slot;
    else
      return static_cast<unsigned>(slot) | (here ? 0 : in_mail);
  }

  __device__ __forceinline__ Word<T>* address(Outlet outlet) const {
    if constexpr (by_address) {
      return outlet;
    } else {
      asm volatile("" : "+r"(outlet));  // prevents the compiler from keeping the address in registers
      return (outlet & in_mail ? mail : slots) + (outlet & ~in_mail);
    }
  }

  __device__ void take_place(const Surroundings& around, const Site& site, int j) {
    solid[j] = site.links & solid_node;
    idle[j] = __all_sync(0xffffffff, solid[j]);
    place[j] = site.place;
    rest[j] = 0;
    far[j] = 0;
#pragma unroll
    for (int k = 1; k < directions; ++k) {
      outlets[j][k] = outlet(around, site, k);
      if (!site.is_wall(opposite(k)) &&
          around.box[box_along(site.ends, opposite(k))] != around.box[Surroundings::own])
        far[j] |= 1u << k;
    }
  }

  // Waits for all densities with this tag that arrive at node j in `buffer`. All slots are read before the
  // first one is examined.
  __device__ __forceinline__ void receive(const Word<T>* box_mail, int j, int buffer, unsigned tag,
                                          const PollLimit& poll_limit, T* node) {
    const Word<T>*from_far = box_mail + Crew::node(j), *from_near = slots + Crew::node(j);
    // Prevents the compiler from keeping all 14 addresses in registers.
    asm volatile("" : "+l"(from_far), "+l"(from_near));
    const auto slot = [&](int k) {
      return ((far[j] >> k) & 1 ? from_far : from_near) + (buffer * buffer_slots + (k - 1) * capacity);
    };
    Word<T> words[directions];
    bool complete = true;
#pragma unroll
    for (int k = 1; k < directions; ++k) words[k] = peek(slot(k));
#pragma unroll
    for (int k = 1; k < directions; ++k) complete &= has_come<T>(words[k], tag);
    // All lanes of the warp evaluate the same condition. Otherwise they would diverge from here on.
    for (int left = peeks; __any_sync(0xffffffff, !complete && !solid[j]); --left) {
      if (left == 0) {
        peeks = 0;  // later waits give up at once
        poll_limit.give_up();
        node[0] = static_cast<T>(NAN);
        break;
      }
      complete = true;
#pragma unroll
      for (int k = 1; k < directions; ++k) peek(slot(k), !has_come<T>(words[k], tag), words[k]);
#pragma unroll
      for (int k = 1; k < directions; ++k) complete &= has_come<T>(words[k], tag);
    }
#pragma unroll
    for (int k = 1; k < directions; ++k) node[k] = without_tag(words[k]);
  }

  // Stores the densities that leave node j. If a density is too large for a slot, the node's rest density
  // becomes NaN, and so do all later values of the node. An unstable flow thus ends as non-finite values.
  __device__ __forceinline__ void deliver(int j, int buffer, unsigned tag, const T* node) {
    unsigned all = 0;
#pragma unroll
    for (int k = 1; k < directions; ++k) {
      const Word<T> word = as_word(node[k]);
      all |= upper(word);
      post(address(outlets[j][k]) + buffer * buffer_slots, with_tag(word, tag));
    }
    rest[j] = all & tag_bit ? static_cast<T>(NAN) : node[0];
  }

  // Computes one step of the thread's nodes. Calls finish(j, node) with the densities of each node after its
  // collision.
  template <typename Finish>
  __device__ __forceinline__ void advance(const Word<T>* box_mail, const Resident<T>& r, int buffer,
                                          unsigned round, Finish finish) {
#pragma unroll
    for (int j = 0; j < per_thread; ++j) {
      if (idle[j]) continue;
      T node[directions];
      node[0] = rest[j];
      receive(box_mail, j, buffer, tag_of(round), r.poll_limit, node);
      collide(node, r.rates);
      if (!solid[j]) finish(j, node);
    }
  }
};

// Stores the densities that arrive in the first step in their slots. They are read from the neighbours in f.
template <int per_thread, typename T>
__device__ __forceinline__ void post_lattice(const Resident<T>& r, std::int64_t nodes,
                                             Crew<per_thread, T>& crew) {
#pragma unroll
  for (int j = 0; j < per_thread; ++j) {
    if (crew.solid[j]) continue;
    T node[directions];
#pragma unroll
    for (int k = 0; k < directions; ++k) node[k] = r.f[k * nodes + crew.place[j]];
    crew.deliver(j, 0, tag_of(0), node);
  }
}

// Computes all steps. Each step stores to the other buffer, except the last one, which writes f.
template <int per_thread, typename T>
__device__ __forceinline__ void run_steps(const Resident<T>& r, std::int64_t nodes, const Word<T>* box_mail,
                                          Crew<per_thread, T>& crew) {
  const auto step = [&](int buffer, std::int64_t number) {
    const auto round = static_cast<unsigned>(number);
    crew.advance(box_mail, r, buffer, round,
                 [&](int j, const T* node) { crew.deliver(j, 1 - buffer, tag_of(round + 1), node); });
  };
  std::int64_t number = 0;
  for (; number + 2 < r.steps; number += 2) step(0, number), step(1, number + 1);
  if (number + 1 < r.steps) step(0, number++);
  crew.advance(box_mail, r, static_cast<int>(number & 1), static_cast<unsigned>(number),
               [&](int j, const T* node) {
#pragma unroll
                 for (int k = 0; k < directions; ++k) r.f[k * nodes + crew.place[j]] = node[k];
               });
}

template <int per_thread, typename T>
__global__ void __launch_bounds__(box_threads) run(Resident<T> r) {
  using Threads = Crew<per_thread, T>;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ Surroundings around;
  Threads crew;
  crew.mail = r.mail;
  crew.peeks = r.poll_limit.peeks;
  crew.slots = reinterpret_cast<Word<T>*>(memory);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < Threads::box_slots; i += static_cast<int>(blockDim.x)) crew.slots[i] = 0;
  if (thread < 27) around.find(r, thread);
  __syncthreads();
  const Word<T>* const box_mail = r.mail + around.box[Surroundings::own] * Threads::box_slots;
  const std::int64_t nodes = r.size.x * r.size.y * r.size.z;
#pragma unroll
  for (int j = 0; j < per_thread; ++j) crew.take_place(around, find_site(r, around, Threads::node(j)), j);
  post_lattice(r, nodes, crew);
  run_steps(r, nodes, box_mail, crew);
}

}  // namespace
}  // namespace sextant
