// Segments are processed by length. One lane adds up each short segment, and it reads the offsets of its next
// segment ahead. Each warp adds up the medium segments of one list; there is one list per 512 segments. The
// longest segments are in a common list, and several warps add up each of them. The regions map no data and
// share one queue (docs/reference/openacc.md). Their arguments are in a global variable (acc declare).
#include <openacc.h>

#include "loop.hpp"
#include "packs.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace segmented {

struct AccLists {
  std::int64_t m, n, lists, adders;  // `adders`: number of lanes that add up short segments
  int most_a_lane, most_a_warp;
  const std::int32_t* o;
  const void* a;
  void *y, *sums;  // `sums` holds partial sums of the longest segments
  // listed: medium segments of each list; lengths: length of each list; longest, count: the common list of
  // the longest segments and its length
  std::int32_t *listed, *lengths, *longest, *count;
};
AccLists acc_lists;
#pragma acc declare create(acc_lists)

}  // namespace segmented
namespace {

using segmented::acc_lists;
constexpr int lanes = 32, workers = 8, length = 128, queue = 1;
constexpr int parts = 16;              // number of slices of each of the longest segments, one warp per slice
constexpr std::int64_t of_list = 512;  // segments per list
// maximum number of gangs: in general, and for short segments
constexpr std::int64_t most_gangs = 1056, most_adders = 4224;
constexpr std::int64_t least_longest = 1024;  // smallest number of elements of a longest segment

struct Bounds {
  // largest segments, in elements, that one lane or one warp adds up
  int max_elements_per_lane = 64, max_elements_per_warp = 4096;
};

void clear(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t lists = acc_lists.lists;
    std::int32_t *const lengths = acc_lists.lengths, *const count = acc_lists.count;
#pragma acc loop gang(static : 1) vector
    for (std::int64_t list = 0; list < lists; ++list) {
      lengths[list] = 0;
      if (list == 0) *count = 0;
    }
  }
}

template <typename T>
void add_short(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t m = acc_lists.m;
    const int n = static_cast<int>(acc_lists.n), most_a_lane = acc_lists.most_a_lane,
              most_a_warp = acc_lists.most_a_warp;
    const std::int32_t* const o = acc_lists.o;
    const T* const a = static_cast<const T*>(acc_lists.a);
    T* const y = static_cast<T*>(acc_lists.y);
    std::int32_t *const listed = acc_lists.listed, *const lengths = acc_lists.lengths;
    std::int32_t *const longest = acc_lists.longest, *const count = acc_lists.count;
    const std::int64_t adders = acc_lists.adders;
#pragma acc loop gang(static : 1) vector
    for (std::int64_t lane = 0; lane < adders; ++lane) {
      int next_begin = lane < m ? o[lane] : 0, next_end = lane < m ? o[lane + 1] : 0;
      for (std::int64_t j = lane; j < m; j += adders) {
        const int begin = next_begin, end = next_end;
        const std::int64_t next = j + adders < m ? j + adders : j;
        next_begin = o[next], next_end = o[next + 1];
        if (end - begin <= most_a_lane) {
          y[j] = segmented::sum_of_packs(n, begin, end, a);
        } else if (end - begin <= most_a_warp) {
          std::int32_t at;
#pragma acc atomic capture
          at = lengths[j / of_list]++;
          listed[j / of_list * of_list + at] = static_cast<std::int32_t>(j);
        } else {
          std::int32_t at;
#pragma acc atomic capture
          at = (*count)++;
          longest[at] = static_cast<std::int32_t>(j);
        }
      }
    }
  }
}

template <typename T>
void add_listed(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const std::int64_t lists = acc_lists.lists;
    const std::int32_t *const o = acc_lists.o, *const listed = acc_lists.listed,
                              *const lengths = acc_lists.lengths;
    const T* const a = static_cast<const T*>(acc_lists.a);
    T* const y = static_cast<T*>(acc_lists.y);
#pragma acc loop gang worker
    for (std::int64_t list = 0; list < lists; ++list) {
      const int all = lengths[list];
      for (int i = 0; i < all; ++i) {
        const std::int32_t j = listed[list * of_list + i];
        const std::int64_t begin = o[j], end = o[j + 1];
        T sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int lane = 0; lane < lanes; ++lane) sum += segmented::sum_of_lane<lanes>(begin, end, lane, a);
        y[j] = sum;
      }
    }
  }
}

// Each warp adds up one slice of one of the longest segments.
template <typename T>
void add_parts_of_longest(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const std::int64_t all = std::int64_t{*acc_lists.count} * parts;
    const std::int32_t *const o = acc_lists.o, *const longest = acc_lists.longest;
    const T* const a = static_cast<const T*>(acc_lists.a);
    T* const sums = static_cast<T*>(acc_lists.sums);
#pragma acc loop gang worker
    for (std::int64_t i = 0; i < all; ++i) {
      const std::int32_t j = longest[i / parts];
      const std::int64_t part = i % parts, begin = o[j], size = o[j + 1] - begin;
      T sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int lane = 0; lane < lanes; ++lane)
        sum += segmented::sum_of_lane<lanes>(begin + size * part / parts, begin + size * (part + 1) / parts,
                                             lane, a);
      sums[i] = sum;
    }
  }
}

template <typename T>
void add_longest(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int all = *acc_lists.count;
    const std::int32_t* const longest = acc_lists.longest;
    const T* const sums = static_cast<const T*>(acc_lists.sums);
    T* const y = static_cast<T*>(acc_lists.y);
#pragma acc loop gang(static : 1) vector
    for (int i = 0; i < all; ++i) {
      T sum = 0;
      for (int part = 0; part < parts; ++part) sum += sums[i * parts + part];
      y[longest[i]] = sum;
    }
  }
}

std::int64_t lists_of(const Problem& problem) { return (problem.extents.x + of_list - 1) / of_list; }

std::int64_t most_longest(const Problem& problem) {
  return segmented::elements_of(problem) / least_longest + 1;
}

template <typename T>
void launch(const Call& call) {
  const auto bounds = call.tuned<Bounds>();
  const std::int64_t m = call.problem.extents.x, lists = lists_of(call.problem);
  T* const sums = static_cast<T*>(call.state);
  auto* const listed = reinterpret_cast<std::int32_t*>(sums + most_longest(call.problem) * parts);
  const int gangs = static_cast<int>(std::min<std::int64_t>(openacc::gangs_for(m, length), most_adders));
  acc_lists = {m,
               segmented::elements_of(call.problem),
               lists,
               std::int64_t{gangs} * length,
               bounds.max_elements_per_lane,
               bounds.max_elements_per_warp,
               static_cast<const std::int32_t*>(acc_deviceptr(call.address(0))),
               acc_deviceptr(call.address(1)),
               acc_deviceptr(call.address(2)),
               sums,
               listed,
               listed + lists * of_list,
               listed + lists * of_list + lists,
               listed + lists * of_list + lists + most_longest(call.problem)};
  // copied by a function call, because GCC 12 ignores `update device` for variables in a declare directive
  acc_update_device(&acc_lists, sizeof acc_lists);
  clear(openacc::gangs_for(lists, length));
  add_short<T>(gangs);
  add_listed<T>(openacc::gangs_for(lists, workers));
  add_parts_of_longest<T>(
      openacc::gangs_for(std::min(most_longest(call.problem), most_gangs) * parts, workers));
  add_longest<T>(openacc::gangs_for(std::min(most_longest(call.problem), most_gangs), length));
#pragma acc wait(queue)
}

std::int64_t workspace(const Problem& problem, const int*) {
  const std::int64_t lists = lists_of(problem);
  return (lists * of_list + lists + most_longest(problem) + 1) *
             static_cast<std::int64_t>(sizeof(std::int32_t)) +
         most_longest(problem) * parts * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, nullptr)));
  return *state ? nullptr : "no device memory for the lists";
}

}  // namespace

std::vector<Variant> segmented_openacc_lists() {
  return {
      {.name = "lists",
       .description = "one short segment per lane; longer ones through lists, with one or several warps per "
                      "segment",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<Bounds>({{"max_elements_per_lane", &Bounds::max_elements_per_lane, {16, 32, 64, 128}},
                             {"max_elements_per_warp", &Bounds::max_elements_per_warp, {1024, 4096, 16384}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
       .prepare = prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = workspace}};
}

}  // namespace sextant
