#include "own/kernel/forms_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

#include "device/host/free_memory.hpp"
#include "toolbox/host/fill_elements.hpp"

namespace sextant {
namespace {

constexpr std::int64_t sizes[] = {1, 2, 3, 97, 4099};
// Largest N that is tried in the search for a size that the kernel supports.
constexpr std::int64_t largest_asked = std::int64_t{1} << 24;
// Largest N at which the reference runs, because larger sizes may take long. A kernel whose smallest size is
// larger is checked at that size.
constexpr std::int64_t largest_tried = std::int64_t{1} << 16;
constexpr ElementType types[] = {ElementType::float32, ElementType::float64, ElementType::int32};
// A bit pattern of NaN that arithmetic does not produce. Outputs are filled with it before the reference
// runs. An element that still has it afterwards was not written.
constexpr std::uint64_t poison = 0x7FF9'5345'5854'414Eu;

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string at(std::int64_t n) { return " at N = " + std::to_string(n); }

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw Wrong(otherwise);
}

void check_tunables(const Variant& variant) {
  for (const Tunable& tunable : variant.tunables) {
    const std::vector<int>& choices = tunable.choices;
    require(tunable.name && *tunable.name, variant.name + " has a tunable without a name");
    const std::string name = variant.name + " " + tunable.name;
    require(std::is_sorted(choices.begin(), choices.end()) &&
                std::adjacent_find(choices.begin(), choices.end()) == choices.end(),
            name + ": the tunable's values are not in ascending order");
    require(std::find(choices.begin(), choices.end(), tunable.preferred) != choices.end(),
            name + ": the preferred value " + std::to_string(tunable.preferred) +
                " is not one of the tunable's values");
  }
}

void check_filled_in(const RegisteredKernel& entry) {
  const Kernel& kernel = entry.kernel;
  require(!kernel.arrays.empty(), "the kernel has no arrays");
  for (const ArraySpec& array : kernel.arrays)
    require(array.name && *array.name, "the kernel has an array without a name");
  require(std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                      [](const ArraySpec& array) { return array.role != Role::in; }),
          "no array is an output, so nothing can be checked");
  require(kernel.extents || !kernel.classes.empty(),
          "the kernel sets neither `extents` nor `classes`, so it has no sizes");
  require(bool(kernel.work), "the kernel has no `work`, which counts its operations and bytes");
  require(bool(kernel.tolerance), "the kernel has no `tolerance` for its results");
  require(kernel.parameter_list.size() <= kernel.parameters.size(),
          "the kernel has more than four parameters");
  require(std::any_of(std::begin(types), std::end(types), [&](ElementType type) { return kernel.has(type); }),
          "the kernel has no reference in any type");
  require(!entry.variants.empty(), "the kernel has no variants");
  for (const Variant& variant : entry.variants) {
    require(variant.launch.float32 || variant.launch.float64 || variant.launch.int32,
            variant.name + " has no `launch` function in any type");
    check_tunables(variant);
  }
}

// Returns the number of elements of each array. Throws if a number is negative or the total exceeds N.
std::vector<std::int64_t> lengths_of(const Kernel& kernel, const Problem& problem) {
  std::vector<std::int64_t> lengths;
  std::int64_t all = 0;
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
    lengths.push_back(kernel.elements(problem, static_cast<int>(i)));
    require(lengths.back() >= 0,
            std::string("the length of ") + kernel.arrays[i].name + " is negative" + at(problem.n));
    all += lengths.back();
  }
  require(all <= problem.n, "the kernel's arrays hold " + std::to_string(all) + " elements together" +
                                at(problem.n) +
                                ". Choose the largest extents whose arrays have at most N elements together");
  return lengths;
}

void check_work(const Kernel& kernel, const Problem& problem, bool unchecked) {
  const Work work = kernel.work(problem), again = kernel.work(problem);
  require(work.bytes_read >= 0 && work.bytes_written >= 0 && work.flops >= 0 && work.integer_operations >= 0,
          "the kernel's `work` is negative" + at(problem.n));
  require(work.bytes_read + work.bytes_written > 0, "the kernel's `work` moves no bytes" + at(problem.n));
  require(work.items > 0, "the kernel's `work` counts no items" + at(problem.n));
  require(work.bytes_read == again.bytes_read && work.bytes_written == again.bytes_written &&
              work.flops == again.flops && work.items == again.items &&
              work.integer_operations == again.integer_operations,
          "the kernel's `work` differs between two calls" + at(problem.n));
  if (unchecked) return;
  const Tolerance tolerance = kernel.tolerance(problem);
  require(std::isfinite(tolerance.absolute) && std::isfinite(tolerance.relative) && tolerance.absolute >= 0 &&
              tolerance.relative >= 0,
          "the kernel's `tolerance` is negative or not a number" + at(problem.n));
}

// Fills each array with its own seed. Two arrays with equal contents could hide errors, because their
// difference would be 0.
void fill(const Kernel& kernel, const Problem& problem, int index, std::int64_t length, void* data) {
  const auto seed = static_cast<std::uint64_t>(index) + 1;
  if (const auto initialise = kernel.initialise[problem.type])
    initialise(problem, index, seed, data);
  else
    fill_uniform(kernel.type_of(problem, index), seed, length, data);
}

void check_reference(const Kernel& kernel, const Problem& problem, const std::vector<std::int64_t>& lengths) {
  const std::size_t count = lengths.size();
  // Each element has 64 bits, which suffices for every type.
  std::vector<std::vector<std::uint64_t>> inputs(count);
  std::vector<std::vector<double>> outputs(count);
  std::vector<const void*> arrays(count);
  std::vector<double*> results(count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    inputs[i].assign(static_cast<std::size_t>(lengths[i]), poison);
    if (kernel.arrays[i].role != Role::out)
      fill(kernel, problem, static_cast<int>(i), lengths[i], inputs[i].data());
    arrays[i] = inputs[i].data();
    if (kernel.arrays[i].role == Role::in) continue;
    outputs[i].assign(static_cast<std::size_t>(lengths[i]), std::bit_cast<double>(poison));
    results[i] = outputs[i].data();
  }
  kernel.reference[problem.type](problem, arrays.data(), results.data());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < outputs[i].size(); ++j)
      require(std::bit_cast<std::uint64_t>(outputs[i][j]) != poison,
              std::string("the kernel's reference leaves ") + kernel.arrays[i].name + "[" +
                  std::to_string(j) + "] unset" + at(problem.n));
}

std::string text_of(const char* reason) { return reason ? reason : ""; }

void check_variant(const Variant& variant, const Problem& problem) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, tuning.data());
  for (std::size_t i = 0; i < tuning.size(); ++i) {
    const std::vector<int>& choices = variant.tunables[i].choices;
    require(std::find(choices.begin(), choices.end(), tuning[i]) != choices.end(),
            variant.name + ": its function `adapt` sets " + variant.tunables[i].name + " to " +
                std::to_string(tuning[i]) + ", which is not one of the tunable's values," + at(problem.n));
  }
  if (!variant.constraint) return;
  const std::vector<int> before = tuning;
  const std::string first = text_of(variant.constraint(problem, tuning.data()));
  require(first == text_of(variant.constraint(problem, tuning.data())) && tuning == before,
          variant.name + ": its function `constraint` gives two answers for the same tuning" + at(problem.n));
}

// Throws if the free memory is too small for a run of the reference. The run needs the inputs, a copy of them
// and the results.
void require_memory(const Problem& problem, const std::vector<std::int64_t>& lengths) {
  std::size_t bytes = 0;
  for (const std::int64_t length : lengths)
    bytes += static_cast<std::size_t>(length) * (2 * sizeof(std::uint64_t) + sizeof(double));
  const std::optional<std::size_t> free = free_host_memory();
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  require(!free || bytes <= *free,
          "the kernel's reference was not tried, because its smallest size, N = " +
              std::to_string(problem.n) + ", needs " + std::to_string(bytes / mebibyte) +
              " MiB of memory, but only " + std::to_string(free.value_or(0) / mebibyte) +
              " MiB are free. Allow smaller sizes, or use a machine with more memory");
}

void check_problem(const RegisteredKernel& entry, Problem problem, bool smallest) {
  const Kernel& kernel = entry.kernel;
  for (const ElementType type : types) {
    if (!kernel.has(type)) continue;
    problem.type = type;
    if (kernel.refuse && kernel.refuse(problem)) continue;
    const std::vector<std::int64_t> lengths = lengths_of(kernel, problem);
    check_work(kernel, problem, entry.unchecked);
    if (problem.n > largest_tried && smallest) require_memory(problem, lengths);
    if (problem.n <= largest_tried || smallest) check_reference(kernel, problem, lengths);
    for (const Variant& variant : entry.variants)
      if (variant.launch[type]) check_variant(variant, problem);
  }
}

Problem problem_at(const Kernel& kernel, std::int64_t n) {
  const Problem problem{n, ElementType::float32, kernel.extents(n), kernel.standard_parameters()};
  require(problem.extents.count() >= 0, "the kernel's `extents` are negative" + at(n));
  require(problem.extents == kernel.extents(n), "the kernel's `extents` differ between two calls" + at(n));
  return problem;
}

// Returns the smallest N above `too_small`, up to `enough`, that the kernel supports.
std::int64_t smallest_size(const Kernel& kernel, std::int64_t too_small, std::int64_t enough) {
  while (enough - too_small > 1) {
    const std::int64_t middle = too_small + (enough - too_small) / 2;
    (kernel.extents(middle).count() > 0 ? enough : too_small) = middle;
  }
  return enough;
}

void check_sizes(const RegisteredKernel& entry) {
  std::int64_t last = 0, checked = 0, n = 0;
  const auto check = [&] {
    const Problem problem = problem_at(entry.kernel, n);
    require(problem.extents.count() >= last,
            "the kernel's `extents` shrink as N grows to " + std::to_string(n));
    last = problem.extents.count();
    if (last > 0) check_problem(entry, problem, checked++ == 0);
  };
  for (const std::int64_t size : sizes) n = size, check();
  while (checked == 0 && n < largest_asked) {
    n *= 2;
    if (entry.kernel.extents(n).count() > 0) n = smallest_size(entry.kernel, n / 2, n);
    check();
  }
  if (checked == 0 && !entry.kernel.sizes.empty()) n = entry.kernel.sizes.front(), check();
  require(checked > 0, "the kernel's `extents` are zero up to N = " + std::to_string(n));
}

}  // namespace

std::string problem_of_forms(const RegisteredKernel& entry) {
  try {
    check_filled_in(entry);
    if (entry.kernel.extents) check_sizes(entry);
  } catch (const std::exception& error) {
    return entry.kernel.name + ": " + error.what();
  }
  return {};
}

}  // namespace sextant
