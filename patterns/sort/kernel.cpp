#include "suite/kernel.hpp"

#include "loop.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

using sort::has_values;

// Returns a random key. In integer keys, each bit is set with probability 2^-(skew + 1).
template <typename T>
T key(const Problem& p, std::uint64_t seed, std::int64_t i) {
  if constexpr (std::is_floating_point_v<T>) return random_element<T>(seed, static_cast<std::uint64_t>(i));
  std::uint64_t bits = ~std::uint64_t{0};
  for (std::int64_t k = 0; k <= p.parameters[0]; ++k)
    bits &= random_bits(seed, static_cast<std::uint64_t>(5 * i + k));
  return static_cast<T>(static_cast<std::int32_t>(bits >> 32));
}

// Values are the original indices, so that the check detects whether equal keys keep their order.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  T* a = static_cast<T*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i)
    a[i] = index == 0 ? key<T>(problem, seed, i) : static_cast<T>(i);
}

// Sorts runs of 65536 items in parallel, then merges pairs of runs until one is left.
template <typename Item>
void sort_in_runs(std::vector<Item>& items) {
  constexpr std::int64_t run = std::int64_t{1} << 16;
  const auto n = static_cast<std::int64_t>(items.size());
  std::vector<Item> other(items.size());
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t first = 0; first < n; first += run)
    std::sort(items.begin() + first, items.begin() + std::min(n, first + run));
  for (std::int64_t width = run; width < n; width *= 2, items.swap(other))
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t first = 0; first < n; first += 2 * width) {
      const auto begin = items.begin() + first, middle = items.begin() + std::min(n, first + width);
      std::merge(begin, middle, middle, items.begin() + std::min(n, first + 2 * width),
                 other.begin() + first);
    }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* keys = static_cast<const T*>(arrays[0]);
  const std::int64_t n = problem.extents.x;
  if (!has_values(problem)) {
    std::vector<T> items(keys, keys + n);
    sort_in_runs(items);
    std::copy(items.begin(), items.end(), results[1]);
    return;
  }
  if constexpr (std::is_same_v<T, std::int32_t>) {
    const auto* values = static_cast<const std::int32_t*>(arrays[1]);
    std::vector<std::uint64_t> items(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) items[static_cast<std::size_t>(i)] = sort::placed(keys[i], i);
    sort_in_runs(items);
    for (std::int64_t i = 0; i < n; ++i) {
      results[2][i] = sort::key_of(items[static_cast<std::size_t>(i)]);
      results[3][i] = values[sort::place_of(items[static_cast<std::size_t>(i)])];
    }
  }
}

Work work(const Problem& p) {
  const auto size = static_cast<std::int64_t>(element_size(p.type)) + (has_values(p) ? 4 : 0);
  return {.bytes_read = size * p.extents.x, .bytes_written = size * p.extents.x, .items = p.extents.x};
}

// The traits of a radix sort with one pass per byte of a key. Each pass includes a prefix sum over all keys.
Traits traits(const Problem& p) {
  const auto passes = static_cast<double>(element_size(p.type));
  const double arrays = has_values(p) ? 2 : 1;
  Traits traits = elementwise_traits(passes * arrays, passes * arrays);
  traits.stride_write = Traits::not_known;  // not known, because it depends on the data
  traits.launches = passes;
  traits.depth = passes * levels(p.extents.x);
  return traits;
}

const char* refuse(const Problem& p) {
  if (p.extents.x > INT32_MAX) return "more keys than an int32 can count";
  return p.parameters[0] != 0 && p.type != ElementType::int32
             ? "keys of float and double have no skew: use -p skew=0"
             : nullptr;
}

Kernel with(bool values) {
  Kernel kernel;
  kernel.group = "sort";
  kernel.dwarf = "MapReduce";
  kernel.parameters = {0, values ? 1 : 0};
  kernel.parameter_list = {{"skew", 0, 0, 4, {4}}};
  kernel.refuse = refuse;
  kernel.work = work;
  kernel.traits = traits;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "keys and values are only moved, so results must be equal bit for bit";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace

std::vector<Kernel> sort_kernels() {
  Kernel keys = with(false), pairs = with(true);
  keys.name = "sort_keys";
  keys.formula = "sorted = the keys in ascending order";
  keys.arrays = {{"keys", Role::in}, {"sorted", Role::out}};
  keys.extents = [](std::int64_t n) { return Extents{n / 2, 1, 1}; };
  keys.initialise = SEXTANT_FLOAT_DOUBLE_INT(initialise);
  keys.reference = SEXTANT_FLOAT_DOUBLE_INT(reference);
  pairs.name = "sort_pairs";
  pairs.formula = "keys in ascending order, each with its value, stable";
  pairs.arrays = {
      {"keys", Role::in}, {"values", Role::in}, {"sorted_keys", Role::out}, {"sorted_values", Role::out}};
  pairs.extents = [](std::int64_t n) { return Extents{n / 4, 1, 1}; };
  pairs.initialise.int32 = initialise<std::int32_t>;
  pairs.reference.int32 = reference<std::int32_t>;
  return {keys, pairs};
}

}  // namespace sextant
