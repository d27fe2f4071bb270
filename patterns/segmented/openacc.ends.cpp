// Segmented sums: each warp adds up equal slices of the elements, independent of the segments.
//
// A warp processes its slice in iterations of 64 bytes per lane, which are copied to gang-private memory
// ahead of use. `prepare` computes one bit per element that marks segment ends, because the offsets are the
// same in every run. Each lane first adds up its own elements, from one segment end to the next. Then it adds
// to its first sum the partial sums of earlier lanes. Finished sums are gathered in gang-private memory and
// written in order. Partial sums of segments that span slices go to memory, and a separate region adds them
// up.
//
// The regions map no data and share one queue (docs/reference/openacc.md). Their arguments are in a global
// variable (acc declare). The pragma turns off optimizations of GCC 12 that hoist values out of loops,
// because these values would occupy registers in all lanes.
#pragma GCC optimize("no-tree-loop-im", "no-tree-pre", "no-move-loop-invariants", "no-gcse", "no-ivopts")
#include <openacc.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"

namespace sextant {
namespace segmented {

// Kernel arguments and device arrays.
// - `words`, one per lane and iteration: one bit per element that ends a segment. Bits from count_at on hold
//   the number of segment ends in earlier lanes of the same iteration.
// - `lanes`, one per iteration: the mask of lanes that have segment ends.
// - `first`, one per iteration: the segment of its first element. Bit 31 is set if that segment has elements
//   in an earlier slice.
// - `heads`, `tails`, one per slice: the slice's partial sum of a segment that began in an earlier slice, and
//   of a segment that continues in a later slice.
// - `split`, `begin`, `end`: segment split[s] has elements in slices begin[s] to end[s].
struct AccEnds {
  std::int64_t n, stretches, step, splits;  // step: number of slices processed at once
  int turns, gangs;                         // turns: number of iterations per slice
  const void* a;
  void *y, *heads, *tails;
  const std::uint32_t *words, *lanes, *first;
  const std::int32_t *split, *begin, *end;
};
AccEnds acc_ends;
#pragma acc declare create(acc_ends)

}  // namespace segmented
namespace {

using openacc::pack_width;
using segmented::acc_ends, segmented::elements_of;
constexpr int turn_lanes = 32, walkers = 4, ends_queue = 1, adding_lanes = 128;
constexpr int count_at = 16;  // lowest bit of the count in an element of `words`
constexpr std::uint32_t began_before = 1u << 31;

// 924 gangs fit on an H200 at once: seven on each of 132 multiprocessors. The default is twice as many.
struct Walks {
  int num_gangs = 1848, iterations_per_warp = 16;
};

template <typename T>
struct Turn {
  static constexpr int each = 64 / static_cast<int>(sizeof(T)), size = turn_lanes * each,
                       width = pack_width<T>;
  // Layout of a warp's gang-private memory: two buffers of elements (one is filled while the other is read),
  // the lanes' partial sums after their last segment end (`tails`), two alternating slots for the carry
  // between iterations, and the finished sums (`room`). A pack of padding follows each lane's elements to
  // avoid bank conflicts.
  static constexpr int pitch = each + width, stage = turn_lanes * pitch, tails = 2 * stage,
                       carry = tails + turn_lanes, room = carry + width, of_warp = room + size;
};

template <typename T>
struct Stretch {
  std::int64_t number;
  T* memory;  // the warp's gang-private memory
};

// The state of one lane while its warp processes a slice. One extra iteration at the end writes the last
// sums.
template <typename T>
struct LaneOfStretch {
  using Of = Turn<T>;
  // lanes_of_one: number of lanes that together copy one lane's elements
  static constexpr int steps = 3, lanes_of_one = Of::each / Of::width;

  const T* from;      // the lane's first pack in iteration 0
  std::int64_t left;  // number of elements from there to the end of a
  const std::uint32_t *words, *lanes, *first;
  T *y, *head, *tail, *memory;
  int lane, turns;
  std::uint32_t word, lanes_with_ends;

  SEXTANT_INLINE void begin(const Stretch<T>& stretch, int warp_lane) {
    const volatile segmented::AccEnds* const ends = &acc_ends;
    lane = warp_lane, memory = stretch.memory, turns = ends->turns;
    const std::int64_t turn = stretch.number * turns, at = turn * Of::size + lane * Of::width;
    from = static_cast<const T*>(ends->a) + at;
    left = ends->n - at;
    words = ends->words + turn * turn_lanes + lane;
    lanes = ends->lanes + turn;
    first = ends->first + turn;
    y = static_cast<T*>(ends->y);
    head = static_cast<T*>(ends->heads) + stretch.number;
    tail = static_cast<T*>(ends->tails) + stretch.number;
    if (lane == 0) memory[Of::carry] = 0;
    ask(0);
  }

  template <int step>
  SEXTANT_INLINE void take(int turn) {
    if constexpr (step == 0)
      arrive(turn);
    else if constexpr (step == 1)
      add_own(turn);
    else
      add_before(turn);
  }

  // Starts the asynchronous copy of the elements of iteration `turn`. Neighbouring lanes copy neighbouring
  // packs. Elements beyond the end of a are set to 0.
  SEXTANT_INLINE void ask(int turn) {
    T* const to =
        memory + (turn & 1) * Of::stage + lane / lanes_of_one * Of::pitch + lane % lanes_of_one * Of::width;
    const T* const packs = from + std::int64_t{turn} * Of::size;
    const std::int64_t there = left - std::int64_t{turn} * Of::size;
    constexpr int apart = turn_lanes * Of::width, apart_there = turn_lanes / lanes_of_one * Of::pitch;
#pragma GCC unroll 4
    for (int i = 0; i < lanes_of_one; ++i) {
      if (i * apart + Of::width <= there) {
        openacc::copy_ahead<Of::width>(to + i * apart_there, packs + i * apart);
      } else {
        for (int k = 0; k < Of::width; ++k)
          to[i * apart_there + k] = i * apart + k < there ? packs[i * apart + k] : T(0);
      }
    }
    openacc::close_copies();
  }

  // First step of an iteration: starts the copy for the next iteration, writes the sums of the previous one,
  // and waits for the current copy.
  SEXTANT_INLINE void arrive(int turn) {
    if (turn < turns) word = words[turn * turn_lanes], lanes_with_ends = lanes[turn];
    if (turn + 1 < turns) ask(turn + 1);
    if (turn > 0) write(turn - 1);
    if (turn == turns && lane == 0) *tail = memory[Of::carry + (turn & 1)];
    if (turn + 1 < turns)
      openacc::await_copies<1>();
    else
      openacc::await_copies<0>();
  }

  SEXTANT_INLINE void write(int turn) const {
    const std::uint32_t begin = first[turn], segment = begin & ~began_before,
                        count = (first[turn + 1] & ~began_before) - segment;
    T* const to = y + segment;
    for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < count; i += turn_lanes)
      *(i == 0 && begin & began_before ? head : to + i) = memory[Of::room + i];
  }

  // Second step: adds up the lane's elements from one segment end to the next. The first sum does not yet
  // include elements of earlier lanes.
  SEXTANT_INLINE void add_own(int turn) {
    if (turn == turns) return;
    const T* const own = memory + (turn & 1) * Of::stage + lane * Of::pitch;
    T x[Of::each], sum = 0;
#pragma GCC unroll 8
    for (int k = 0; k < Of::each; k += Of::width) openacc::load_of_gang(own + k, x + k);
    T* to = memory + Of::room + (word >> count_at);
#pragma GCC unroll 16
    for (int k = 0; k < Of::each; ++k) {
      sum += x[k];
      if (word & 1u << k) {
        *to++ = sum;
        sum = 0;
      }
    }
    memory[Of::tails + lane] = sum;
  }

  // Third step: completes the lane's first sum. It adds the tails of earlier lanes, back to the nearest lane
  // with a segment end, or else the carry of the previous iteration too. The last lane stores the carry for
  // the next iteration.
  SEXTANT_INLINE void add_before(int turn) {
    if (turn == turns) return;
    const std::uint32_t below = lanes_with_ends & ((1u << lane) - 1);
    const bool has = lanes_with_ends >> lane & 1;
    if (!has && lane < turn_lanes - 1) return;
    T sum = below ? T(0) : memory[Of::carry + (turn & 1)];
#pragma GCC unroll 4
    for (int other = below ? 31 - __builtin_clz(below) : 0; other < lane; ++other)
      sum += memory[Of::tails + other];
    if (has) memory[Of::room + (word >> count_at)] += sum;
    if (lane == turn_lanes - 1)
      memory[Of::carry + (~turn & 1)] = (has ? T(0) : sum) + memory[Of::tails + lane];
  }
};

template <typename T>
void add_stretches(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(walkers) vector_length(turn_lanes) async(ends_queue)
  {
#pragma acc loop gang
    for (int gang = 0; gang < acc_ends.gangs; ++gang) {
      using Of = Turn<T>;
      SEXTANT_GANG_ARRAY(T, memory_of_gang, Of::of_warp * walkers);
#pragma acc loop worker
      for (int walker = 0; walker < walkers; ++walker) {
        const volatile segmented::AccEnds* const ends = &acc_ends;
        for (std::int64_t s = std::int64_t{gang} * walkers + walker; s < ends->stretches; s += ends->step) {
#pragma acc loop vector
          for (int lane = 0; lane < turn_lanes; ++lane) {
            SEXTANT_GANG_POINTER(T, memory, memory_of_gang);
            openacc::go_together<LaneOfStretch<T>, LaneOfStretch<T>::steps>(
                lane, Stretch<T>{s, memory + walker * Of::of_warp}, acc_ends.turns + 1);
          }
        }
      }
    }
  }
}

template <typename T>
void add_splits(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(adding_lanes) async(ends_queue)
  {
    const std::int64_t all = acc_ends.splits;
    const std::int32_t *const split = acc_ends.split, *const begin = acc_ends.begin,
                              *const end = acc_ends.end;
    const T *const heads = static_cast<const T*>(acc_ends.heads), *const tails =
                                                                      static_cast<const T*>(acc_ends.tails);
    T* const y = static_cast<T*>(acc_ends.y);
#pragma acc loop gang(static : 1) vector
    for (std::int64_t i = 0; i < all; ++i) {
      const int last = end[i];
      T sum = 0;
#pragma GCC unroll 4
      for (int s = begin[i]; s < last; ++s) sum += tails[s];
      y[split[i]] = sum + heads[last];
    }
  }
}

// The division of a problem's elements into slices, and the layout of the device memory that `prepare` fills.
struct PlanOfEnds {
  // `size` is the number of elements per iteration
  std::int64_t size, turns, all_turns, stretches, splits = 0;
  std::int64_t heads, tails, words, lanes, first, split, begin, end,
      bytes;  // offsets of the arrays, in bytes
  void* memory = nullptr;

  PlanOfEnds(const Problem& problem, const Walks& shape)
      : size(turn_lanes * 64 / static_cast<std::int64_t>(element_size(problem.type))),
        turns(shape.iterations_per_warp) {
    const std::int64_t of_stretch = size * turns,
                       number = static_cast<std::int64_t>(element_size(problem.type));
    stretches = (elements_of(problem) + of_stretch - 1) / of_stretch;
    all_turns = stretches * turns;
    heads = 0;
    tails = heads + stretches * number;
    words = tails + stretches * number;
    lanes = words + all_turns * turn_lanes * 4;
    first = lanes + all_turns * 4;
    split = first + (all_turns + 1) * 4;
    begin = split + stretches * 4;
    end = begin + stretches * 4;
    bytes = end + stretches * 4;
  }
  template <typename T>
  T* at(std::int64_t place) const {
    return reinterpret_cast<T*>(static_cast<char*>(memory) + place);
  }
  void put(std::int64_t place, const std::vector<std::uint32_t>& from) const {
    if (!from.empty())
      acc_memcpy_to_device(at<void>(place), const_cast<std::uint32_t*>(from.data()), from.size() * 4);
  }
};

// Computes the arrays that mark the segment ends, from all offsets `o`, and copies them to the device.
void mark_ends(const std::vector<std::int32_t>& o, PlanOfEnds& plan) {
  const auto all = static_cast<std::size_t>(plan.all_turns);
  const std::int64_t each = plan.size / turn_lanes, of_stretch = plan.size * plan.turns;
  std::vector<std::uint32_t> words(all * turn_lanes), lanes(all),
      first(all + 1, static_cast<std::uint32_t>(o.size() - 1)), split, begin, end;
  std::int64_t turn = 0;  // next iteration whose first segment is not known yet
  for (std::size_t j = 0; j + 1 < o.size(); ++j) {
    const std::int64_t last = o[j + 1] - 1, of_turn = last / plan.size;
    for (; turn * plan.size <= last; ++turn)
      first[static_cast<std::size_t>(turn)] =
          static_cast<std::uint32_t>(j) | (o[j] < turn / plan.turns * of_stretch ? began_before : 0);
    std::uint32_t& word = words[static_cast<std::size_t>(last / each)];
    if (!word)
      word = (static_cast<std::uint32_t>(j) - (first[static_cast<std::size_t>(of_turn)] & ~began_before))
             << count_at;
    word |= 1u << last % each;
    lanes[static_cast<std::size_t>(of_turn)] |= 1u << last / each % turn_lanes;
    if (o[j] / of_stretch == last / of_stretch) continue;
    split.push_back(static_cast<std::uint32_t>(j));
    begin.push_back(static_cast<std::uint32_t>(o[j] / of_stretch));
    end.push_back(static_cast<std::uint32_t>(last / of_stretch));
  }
  plan.splits = static_cast<std::int64_t>(split.size());
  plan.put(plan.words, words), plan.put(plan.lanes, lanes), plan.put(plan.first, first);
  plan.put(plan.split, split), plan.put(plan.begin, begin), plan.put(plan.end, end);
}

template <typename T>
void launch(const Call& call) {
  const auto& plan = *static_cast<const PlanOfEnds*>(call.state);
  if (plan.stretches == 0) return;
  const int gangs = static_cast<int>(
      std::min<std::int64_t>((plan.stretches + walkers - 1) / walkers, call.tuned<Walks>().num_gangs));
  acc_ends = {elements_of(call.problem),          plan.stretches,
              std::int64_t{gangs} * walkers,      plan.splits,
              static_cast<int>(plan.turns),       gangs,
              acc_deviceptr(call.address(1)),     acc_deviceptr(call.address(2)),
              plan.at<void>(plan.heads),          plan.at<void>(plan.tails),
              plan.at<std::uint32_t>(plan.words), plan.at<std::uint32_t>(plan.lanes),
              plan.at<std::uint32_t>(plan.first), plan.at<std::int32_t>(plan.split),
              plan.at<std::int32_t>(plan.begin),  plan.at<std::int32_t>(plan.end)};
  // copied by a function call, because GCC 12 ignores `update device` for variables in a declare directive
  acc_update_device(&acc_ends, sizeof acc_ends);
  add_stretches<T>(gangs);
  if (plan.splits > 0) add_splits<T>(openacc::gangs_for(plan.splits, adding_lanes));
#pragma acc wait(ends_queue)
}

const char* refuse(const Problem& problem, const Walks&) {
  return problem.parameters[0] != segmented::of_ruler ? "the problem has empty segments" : nullptr;
}

std::int64_t workspace(const Problem& problem, const Walks& shape) {
  return PlanOfEnds(problem, shape).bytes;
}

void release(void* state) {
  auto* plan = static_cast<PlanOfEnds*>(state);
  if (plan->memory) acc_free(plan->memory);
  delete plan;
}

const char* prepare(const Call& call, void** state) {
  auto plan = std::make_unique<PlanOfEnds>(call.problem, call.tuned<Walks>());
  plan->memory = acc_malloc(static_cast<std::size_t>(plan->bytes));
  if (!plan->memory) return "no device memory for the marks of segment ends";
  std::vector<std::int32_t> o(static_cast<std::size_t>(call.problem.extents.x) + 1);
  acc_memcpy_from_device(o.data(), acc_deviceptr(call.address(0)), o.size() * sizeof(std::int32_t));
  mark_ends(o, *plan);
  *state = plan.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> segmented_openacc_ends() {
  return {{.name = "ends",
           .description =
               "one slice of elements per warp, 64 bytes per lane at a time; segment ends marked by "
               "bits beforehand",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Walks>({{"num_gangs", &Walks::num_gangs, {660, 792, 924, 1848}},
                                        {"iterations_per_warp", &Walks::iterations_per_warp, {4, 8, 16}}}),
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
           .constraint = by_name<refuse>,
           .prepare = prepare,
           .prepare_depends_on = DependsOn::structure,
           .release = release,
           .workspace = by_name<workspace>,
           .for_large_arrays = true}};
}

}  // namespace sextant
