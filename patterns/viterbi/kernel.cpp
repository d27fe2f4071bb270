#include "suite/kernel.hpp"

#include "loop.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using namespace viterbi;

// elements of the smallest problem: two states, with half of the elements for the sequences
constexpr std::int64_t least = 72;

std::int64_t length(const Problem& p, int index) {
  const std::int64_t states = states_of(p);
  return index == 0 ? states * states : index == 1 ? symbols * states : sequences_of(p) * length_of(p);
}

void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  auto* values = static_cast<std::int32_t*>(data);
  const std::int64_t count = length(problem, index);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = static_cast<std::int32_t>(index == 2 ? below(seed, i, symbols) : -1 - below(seed, i, 1000));
}

// Forward pass: computes the best scores of all steps. Then follows the path back and picks the smallest
// predecessor state with the best score.
void decode_one(const Problem& problem, const void* const* arrays, std::int64_t sequence, double* path) {
  const std::int64_t states = states_of(problem), steps = length_of(problem);
  const auto *a = static_cast<const std::int32_t*>(arrays[0]),
             *e = static_cast<const std::int32_t*>(arrays[1]),
             *o = static_cast<const std::int32_t*>(arrays[2]) + sequence * steps;
  std::vector<std::int64_t> scores(static_cast<std::size_t>(states * steps), INT64_MIN / 2);
  for (std::int64_t j = 0; j < states; ++j) scores[static_cast<std::size_t>(j)] = e[j * symbols + o[0]];
  for (std::int64_t t = 1; t < steps; ++t) {
    const std::int64_t* before = scores.data() + (t - 1) * states;
    std::int64_t* now = scores.data() + t * states;
    for (std::int64_t i = 0; i < states; ++i)
      for (std::int64_t j = 0; j < states; ++j) now[j] = std::max(now[j], before[i] + a[i * states + j]);
    for (std::int64_t j = 0; j < states; ++j) now[j] += e[j * symbols + o[t]];
  }
  const std::int64_t* last = scores.data() + (steps - 1) * states;
  std::int64_t state = std::max_element(last, last + states) - last;
  for (std::int64_t t = steps - 1; t > 0; --t) {
    path[t] = static_cast<double>(state);
    const std::int64_t* before = scores.data() + (t - 1) * states;
    const std::int64_t want = before[states + state] - e[state * symbols + o[t]];
    std::int64_t from = 0;
    while (before[from] + a[from * states + state] != want) ++from;
    state = from;
  }
  path[0] = static_cast<double>(state);
}

void reference(const Problem& problem, const void* const* arrays, double* const* results) {
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t b = 0; b < sequences_of(problem); ++b)
    decode_one(problem, arrays, b, results[3] + b * length_of(problem));
}

// Counts an addition and a maximum per observation and pair of states.
Work work(const Problem& p) {
  const std::int64_t states = states_of(p), count = sequences_of(p) * length_of(p);
  return {.bytes_read = 4 * (count + states * states + symbols * states),
          .bytes_written = 4 * count,
          .items = count,
          .integer_operations = 2 * states * states * count};
}

// Memory accesses per observation: each state reads all scores, a column of A and an element of E. The
// observed symbol is read once. One predecessor per state is stored, and one is read on the way back.
Traits traits(const Problem& p) {
  const auto states = static_cast<double>(states_of(p));
  Traits traits = elementwise_traits(2 * states * states + states + 2, 2 * states + 1, states, 1);
  traits.depth = static_cast<double>(length_of(p)) * levels(states_of(p));
  return traits;
}

}  // namespace

std::vector<Kernel> viterbi_kernels() {
  Kernel kernel;
  kernel.name = "viterbi";
  kernel.group = "viterbi";
  kernel.dwarf = "graphical models";
  kernel.formula = "d[t][j] = max over i of (d[t-1][i] + A[i][j]) + E[j][o[t]]; path to the best d";
  kernel.arrays = {{"A", Role::in}, {"E", Role::in}, {"observed", Role::in}, {"path", Role::out}};
  kernel.parameter_list = {{"states", 32, 2, 1024, {2, 7, 100}},
                           {"length", 256, 2, std::int64_t{1} << 15, {2, 33, 1000}}};
  kernel.extents = [](std::int64_t n) { return Extents{n < least ? 0 : n, 1, 1}; };
  kernel.length = length;
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "exact: scores are integers, and of equal scores the smallest state is chosen";
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
