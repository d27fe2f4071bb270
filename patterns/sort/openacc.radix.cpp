// Radix sort with four compute regions per 4-bit digit. In the first, each lane counts the digits in a run,
// which is a range of consecutive keys. The next two scan the counts to get each run's output position for
// each digit. In the last, each lane moves the keys of its run to these positions.
#include <openacc.h>

#include "digits.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;
constexpr int bits = 4, radix = 1 << bits;
constexpr std::int64_t parts = 2048;  // number of chunks into which the counts are divided for the scan

// There is at most one run of keys per lane. The choices for num_gangs are multiples of 132, the number of
// multiprocessors of an H200.
struct Gangs {
  int num_gangs = 1056, vector_length = 128;
};

std::int64_t runs_of(const Problem& problem, const Gangs& gangs) {
  return std::min(std::int64_t{gangs.num_gangs} * gangs.vector_length, (problem.extents.x + 7) / 8);
}

template <typename T>
SEXTANT_SORT_INLINE int digit_of(T key, int shift) {
  return static_cast<int>(sort::ordered(key) >> shift & (radix - 1));
}

// Computes counts[digit][run], the number of keys with this digit in the run.
template <int length, typename T>
void count_runs(std::int64_t n, std::int64_t runs, int shift, const T* keys, std::int32_t* counts) {
  const std::int64_t size = (n + runs - 1) / runs;
#pragma acc parallel loop deviceptr(keys, counts) vector_length(length)
  for (std::int64_t run = 0; run < runs; ++run) {
    std::int32_t mine[radix];
    for (int d = 0; d < radix; ++d) mine[d] = 0;
    const std::int64_t end = (run + 1) * size < n ? (run + 1) * size : n;
    for (std::int64_t i = run * size; i < end; ++i) ++mine[digit_of(keys[i], shift)];
    for (int d = 0; d < radix; ++d) counts[d * runs + run] = mine[d];
  }
}

// Replaces the counts by their exclusive prefix sums.
template <int length>
void add_up(std::int64_t size, std::int32_t* counts, std::int32_t* sums) {
  const std::int64_t share = (size + parts - 1) / parts;
#pragma acc parallel loop deviceptr(counts, sums) vector_length(length)
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t end = (part + 1) * share < size ? (part + 1) * share : size;
    std::int32_t sum = 0;
    for (std::int64_t i = part * share; i < end; ++i) sum += counts[i];
    sums[part] = sum;
  }
#pragma acc parallel loop deviceptr(counts, sums) vector_length(length)
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t end = (part + 1) * share < size ? (part + 1) * share : size;
    std::int32_t before = 0;
    for (std::int64_t other = 0; other < part; ++other) before += sums[other];
    for (std::int64_t i = part * share; i < end; ++i) {
      const std::int32_t count = counts[i];
      counts[i] = before;
      before += count;
    }
  }
}

template <int length, bool pairs, typename T>
void move_runs(std::int64_t n, std::int64_t runs, int shift, const sort::Arrays<T>& from,
               const sort::Arrays<T>& to, const std::int32_t* places) {
  const std::int64_t size = (n + runs - 1) / runs;
  const T* keys = from.keys;
  T* sorted = to.keys;
  const std::int32_t* values = from.values;
  std::int32_t* sorted_values = to.values;
#pragma acc parallel loop deviceptr(keys, sorted, values, sorted_values, places) vector_length(length)
  for (std::int64_t run = 0; run < runs; ++run) {
    std::int32_t mine[radix];
    for (int d = 0; d < radix; ++d) mine[d] = places[d * runs + run];
    const std::int64_t end = (run + 1) * size < n ? (run + 1) * size : n;
    for (std::int64_t i = run * size; i < end; ++i) {
      const std::int32_t place = mine[digit_of(keys[i], shift)]++;
      sorted[place] = keys[i];
      if constexpr (pairs) sorted_values[place] = values[i];
    }
  }
}

template <int length, bool pairs, typename T>
void run_passes(const Call& call) {
  constexpr int passes = 8 * static_cast<int>(sizeof(T)) / bits;
  ArrayAt device[4];
  for (int i = 0; i < (pairs ? 4 : 2); ++i) device[i] = acc_deviceptr(call.address(i));
  Call mapped = call;
  mapped.arrays = device;
  const std::int64_t n = call.problem.extents.x, runs = runs_of(call.problem, call.tuned<Gangs>());
  const sort::Route<T> route(mapped, call.state);
  auto* counts = reinterpret_cast<std::int32_t*>(static_cast<char*>(call.state) +
                                                 sort::Route<T>::workspace(call.problem));
  std::int32_t* sums = counts + radix * runs;
  for (int pass = 0; pass < passes; ++pass) {
    const sort::Arrays<T> from = route.source(pass, passes);
    count_runs<length>(n, runs, bits * pass, from.keys, counts);
    add_up<length>(radix * runs, counts, sums);
    move_runs<length, pairs>(n, runs, bits * pass, from, route.target(pass, passes), counts);
  }
}

template <typename T>
void launch(const Call& call) {
  Lengths::with(call.tuned<Gangs>().vector_length, [&]<int length>() {
    if constexpr (std::is_same_v<T, std::int32_t>)
      if (sort::has_values(call.problem)) {
        run_passes<length, true, T>(call);
        return;
      }
    run_passes<length, false, T>(call);
  });
}

std::int64_t workspace(const Problem& problem, const Gangs& gangs) {
  return sort::Route<int>::workspace(problem) +
         (radix * runs_of(problem, gangs) + parts) * std::int64_t{sizeof(std::int32_t)};
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Gangs>())));
  return *state ? nullptr : "no device memory for the keys between passes";
}

// Chooses fewer gangs for many keys, so that runs are longer. Then a lane writes more keys of a digit next to
// each other. Chosen from timings with 2^25 keys on an H100.
void adapt(const Problem& problem, Gangs& gangs) {
  if (problem.extents.x >= std::int64_t{1} << 24 && !sort::has_values(problem)) gangs.num_gangs = 132;
}

}  // namespace

std::vector<Variant> sort_openacc_radix() {
  return {{.name = "radix",
           .description =
               "radix sort with 4-bit digits: count digits per run of keys, scan the counts, move the "
               "keys",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {132, 264, 528, 1056, 2112}},
                                        {"vector_length", &Gangs::vector_length, Lengths::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { acc_free(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
