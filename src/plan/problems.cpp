#include "plan/problems.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

std::int64_t smallest_size(const Kernel& kernel, std::int64_t too_small) {
  std::int64_t low = too_small, high = too_small;
  while (kernel.extents(high).count() == 0 && high < (std::int64_t{1} << 40)) high *= 2;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (kernel.extents(middle).count() == 0 ? low : high) = middle;
  }
  return high;
}

void add_sizes(const Kernel& kernel, std::vector<std::int64_t> sizes, std::vector<SizedProblem>* problems,
               std::vector<std::string>* notes) {
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (!kernel.extents && !sizes.empty())
    notes->push_back(kernel.name +
                     " has only problem classes with names, so sizes of -n are ignored for this kernel");
  else
    for (const std::int64_t n : sizes) {
      const Problem problem{n, ElementType::float32, kernel.extents(n), kernel.standard_parameters()};
      if (problem.extents.count() > 0)
        problems->push_back({"", problem});
      else
        notes->push_back(kernel.name + ": N = " + std::to_string(n) +
                         " is too small and left out. The smallest N is " +
                         std::to_string(smallest_size(kernel, n)));
    }
}

void add_shapes(const Kernel& kernel, const std::vector<Extents>& shapes, std::vector<SizedProblem>* problems,
                std::vector<std::string>* notes) {
  if (!kernel.shaped && !shapes.empty()) {
    notes->push_back(kernel.name +
                     " has no shapes such as 100x37, so shapes of -n are ignored for this kernel");
    return;
  }
  for (const Extents& shape : shapes)
    problems->push_back(
        {shape_text(shape), {shape.count(), ElementType::float32, shape, kernel.standard_parameters()}});
}

// Sets a parameter and appends it to the problem's name.
void set_parameter(const Kernel& kernel, std::size_t index, std::int64_t value, SizedProblem* sized) {
  sized->problem.parameters[index] = value;
  if (sized->name.empty()) sized->name = std::to_string(sized->problem.n);
  sized->name += std::string(" ") + kernel.parameter_list[index].name + '=' + std::to_string(value);
}

constexpr std::int64_t tuned_size = 8192;

// Adds the problems that `sextant verify` checks: tiny, odd, prime, round and long sizes, or 2D and 3D
// shapes. Long sizes serve algorithms that need powers of two. Problems with tuned_size or tuned_shapes are
// checked with every tuning. A few are repeated with each value in Parameter::checked.
void add_small(const Kernel& kernel, std::vector<SizedProblem>* problems, std::vector<std::string>* notes) {
  static const std::vector<std::int64_t> sizes = {
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 97, 1000, 4099, 7936, 8192, 31193, 65536, 130560, 500009};
  static const std::vector<Extents> shapes = {
      {1, 1, 1},   {2, 3, 4},   {8, 4, 2},   {32, 16, 8},  {7, 5, 3},    {33, 17, 9},  {64, 13, 31},
      {131, 6, 5}, {5, 131, 6}, {6, 5, 131}, {1024, 4, 2}, {2, 1024, 4}, {4, 2, 1024}, {127, 64, 127}};
  static const std::vector<Extents> flat_shapes = {
      {1, 1, 1},    {2, 3, 1},    {3, 2, 1},    {8, 4, 1},     {7, 5, 1},      {33, 17, 1},
      {32, 16, 1},  {64, 13, 1},  {131, 6, 1},  {5, 131, 1},   {1000, 333, 1}, {1024, 4, 1},
      {4, 1024, 1}, {1, 4099, 1}, {4099, 1, 1}, {500, 500, 1}, {1021, 1019, 1}};
  static const Extents tuned_shapes[] = {{32, 16, 8}, {32, 16, 1}, {33, 17, 1}},
                       stepped_shapes[] = {{33, 17, 9}, {131, 6, 5}, {32, 16, 8}};
  const auto refuses = [&](const Extents& shape) {
    return kernel.refuse &&
           kernel.refuse({shape.count(), ElementType::float32, shape, kernel.standard_parameters()});
  };
  const bool flat = refuses({2, 4, 8}), shaped = kernel.shaped && !(flat && refuses({2, 4, 1}));
  if (shaped)
    add_shapes(kernel, flat ? flat_shapes : shapes, problems, notes);
  else
    add_sizes(kernel, sizes, problems, notes);
  const std::size_t plain = problems->size();
  for (std::size_t at = 0; at < plain; ++at) {
    SizedProblem& sized = (*problems)[at];
    const bool tuned = std::find(std::begin(tuned_shapes), std::end(tuned_shapes), sized.problem.extents) !=
                       std::end(tuned_shapes);
    sized.every_tuning = shaped ? tuned : sized.problem.n == tuned_size;
    const bool stepped = std::find(std::begin(stepped_shapes), std::end(stepped_shapes),
                                   sized.problem.extents) != std::end(stepped_shapes);
    if (!(shaped ? stepped : sized.every_tuning)) continue;
    const SizedProblem like = sized;
    for (std::size_t i = 0; i < kernel.parameter_list.size(); ++i)
      for (const std::int64_t value : kernel.parameter_list[i].checked) {
        problems->push_back(like);
        problems->back().every_tuning = false;
        set_parameter(kernel, i, value, &problems->back());
      }
  }
}

// Adds the default problems of a kernel, for a selection that requests no problem.
void add_defaults(const Kernel& kernel, const Selection& selection, std::vector<SizedProblem>* problems,
                  std::vector<std::string>* notes) {
  if (selection.small_problems && (kernel.shaped || kernel.extents))
    return add_small(kernel, problems, notes);
  if (selection.default_size > 0 && kernel.extents)
    return add_sizes(kernel, {selection.default_size}, problems, notes);
  if (!kernel.sizes.empty()) return add_sizes(kernel, kernel.sizes, problems, notes);
  if (!kernel.classes.empty())
    problems->push_back({kernel.classes.front().name, kernel.classes.front().problem});
  else
    add_sizes(kernel, {std::begin(study_sizes), std::end(study_sizes)}, problems, notes);
}

// Returns each problem with each combination of the requested parameter values.
std::vector<SizedProblem> with_parameters(const Kernel& kernel, const Selection& selection,
                                          std::vector<SizedProblem> problems) {
  for (std::size_t i = 0; i < kernel.parameter_list.size(); ++i) {
    const auto asked = selection.parameters.find(kernel.parameter_list[i].name);
    if (asked == selection.parameters.end()) continue;
    std::vector<SizedProblem> longer;
    for (const SizedProblem& sized : problems)
      for (const std::int64_t value : asked->second) {
        longer.push_back(sized);
        if (sized.problem.parameters[i] == value) continue;
        set_parameter(kernel, i, value, &longer.back());
      }
    problems = std::move(longer);
  }
  return problems;
}

// The number of elements in the largest array and in all arrays.
struct ArrayElements {
  std::int64_t largest = 0, all = 0;
};

ArrayElements elements_at(const Kernel& kernel, std::int64_t n) {
  const Problem problem{n, ElementType::float32, kernel.extents(n), kernel.standard_parameters()};
  ArrayElements result;
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
    const std::int64_t elements = kernel.elements(problem, static_cast<int>(i));
    result.largest = std::max(result.largest, elements);
    result.all += elements;
  }
  return result;
}

// Returns the N for which the largest array has `elements` elements, or the closest smaller number.
std::int64_t size_of_array(const Kernel& kernel, std::int64_t elements) {
  const auto arrays = static_cast<std::int64_t>(kernel.arrays.size());
  std::int64_t low = 0, high = (elements + 1) * (arrays + 1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (elements_at(kernel, middle).largest <= elements ? low : high) = middle;
  }
  const std::int64_t all = elements_at(kernel, low).all;  // largest N that the arrays really use
  return all > 0 && kernel.extents(all) == kernel.extents(low) ? all : low;
}

// Returns all requested sizes as N (elements of all arrays). A note reports each size that was given in
// another unit.
std::vector<std::int64_t> sizes_of(const Kernel& kernel, const Selection& selection, ElementType type,
                                   std::vector<std::string>* notes) {
  std::vector<std::int64_t> sizes = selection.sizes;
  if (!kernel.extents) {  // add_sizes reports that they are left out
    sizes.insert(sizes.end(), selection.array_sizes.begin(), selection.array_sizes.end());
    sizes.insert(sizes.end(), selection.byte_sizes.begin(), selection.byte_sizes.end());
    return sizes;
  }
  for (const std::int64_t elements : selection.array_sizes) {
    const std::int64_t n = size_of_array(kernel, elements);
    sizes.push_back(n);
    notes->push_back(kernel.name + ": " + std::to_string(elements) + "/array is N = " + std::to_string(n) +
                     ", the largest array has " + std::to_string(elements_at(kernel, n).largest) +
                     " elements");
  }
  for (const std::int64_t bytes : selection.byte_sizes) {
    const std::int64_t n = bytes / static_cast<std::int64_t>(element_size(type));
    sizes.push_back(std::max<std::int64_t>(n, 1));
    notes->push_back(kernel.name + ": " + std::to_string(bytes) + " bytes of " + name_of(type) +
                     " are N = " + std::to_string(sizes.back()));
  }
  return sizes;
}

std::vector<SizedProblem> problems_of_type(const Kernel& kernel, const Selection& selection, ElementType type,
                                           std::vector<std::string>* notes) {
  std::vector<SizedProblem> problems;
  if (!selection.asks_for_problems()) add_defaults(kernel, selection, &problems, notes);
  add_sizes(kernel, sizes_of(kernel, selection, type, notes), &problems, notes);
  add_shapes(kernel, selection.shapes, &problems, notes);
  for (const NamedProblem& named : kernel.classes)
    if (std::find(selection.classes.begin(), selection.classes.end(), named.name) != selection.classes.end())
      problems.push_back({named.name, named.problem});
  problems = with_parameters(kernel, selection, std::move(problems));
  for (SizedProblem& sized : problems) sized.problem.type = type;
  std::erase_if(problems, [&](const SizedProblem& sized) {
    const char* reason = kernel.refuse ? kernel.refuse(sized.problem) : nullptr;
    // `verify` offers all its problems to every kernel, so a refusal is no surprise
    if (reason && !selection.small_problems)
      notes->push_back(kernel.name + ": " +
                       (sized.name.empty() ? "N = " + std::to_string(sized.problem.n) : sized.name) +
                       " is left out: " + reason);
    return reason != nullptr;
  });
  return problems;
}

void check_types(const Selection& selection, const std::vector<SelectedKernel>& chosen) {
  for (const ElementType type : selection.types)
    if (std::none_of(chosen.begin(), chosen.end(),
                     [&](const SelectedKernel& one) { return one.kernel().has(type); }))
      throw UserError(std::string("none of the selected kernels has the element type ") + name_of(type) +
                      ". `sextant list kernels` shows the types of each kernel.");
}

void check_classes(const Selection& selection, const std::vector<SelectedKernel>& chosen) {
  for (const std::string& wanted : selection.classes) {
    std::vector<std::string> names;
    for (const SelectedKernel& one : chosen)
      for (const NamedProblem& named : one.kernel().classes)
        if (std::find(names.begin(), names.end(), named.name) == names.end()) names.push_back(named.name);
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    throw UserError(
        "no selected kernel has a problem class `" + wanted + "`." +
        (names.empty()
             ? " Their sizes are numbers or ranges, such as 7936, 64Ki, 2^20, 1Ki:64Mi:x4 or 32:2048:+32."
             : did_you_mean(wanted, names) + " They have " + join(names) + "."));
  }
}

void check_parameters(const Selection& selection, const std::vector<SelectedKernel>& chosen) {
  for (const auto& [key, values] : selection.parameters) {
    std::vector<std::string> names;
    bool known = false;
    for (const SelectedKernel& one : chosen)
      for (const Parameter& parameter : one.kernel().parameter_list) {
        if (std::find(names.begin(), names.end(), parameter.name) == names.end())
          names.emplace_back(parameter.name);
        if (parameter.name != key) continue;
        known = true;
        for (const std::int64_t value : values)
          if (value < parameter.least || value > parameter.most)
            throw UserError(key + " of " + one.kernel().name + " cannot be " + std::to_string(value) +
                            ". The value must be from " + std::to_string(parameter.least) + " to " +
                            std::to_string(parameter.most) + ".");
      }
    if (!known)
      throw UserError("none of the selected kernels has a parameter `" + key + "`." +
                      did_you_mean(key, names) +
                      (names.empty() ? " They have no parameters. Leave --parameters out."
                                     : " They have " + join(names) + "."));
  }
}

// Returns true if N is the size of each partition, as in collective operations. The arrays then grow with the
// number of partitions.
bool is_of_each_part(const Kernel& kernel, Problem problem) {
  if (!kernel.length) return false;
  problem.extents.x *= 2;  // even, so that it divides into two partitions
  problem.parts = 2;
  const std::int64_t of_two = kernel.length(problem, 0);
  problem.parts = 1;
  return of_two == 2 * kernel.length(problem, 0);
}

// Returns the problem with its slowest axis multiplied by `factor`, or nothing if the kernel does not support
// this.
std::optional<SizedProblem> times_as_much(const Kernel& kernel, const SizedProblem& sized, int factor) {
  if (factor == 1) return sized;
  SizedProblem larger = sized;
  Problem& problem = larger.problem;
  std::int64_t& slowest = problem.extents.z > 1   ? problem.extents.z
                          : problem.extents.y > 1 ? problem.extents.y
                                                  : problem.extents.x;
  constexpr std::int64_t most = std::int64_t{1} << 50;
  if (problem.n > most / factor || problem.extents.count() > most / factor) return {};
  slowest *= factor;
  problem.n *= factor;
  if (larger.name.empty()) larger.name = std::to_string(sized.problem.n);
  larger.name += each_part;
  return kernel.refuse && kernel.refuse(problem) ? std::nullopt : std::optional(larger);
}

// Adds the problem for each requested device. With weak scaling its size is proportional to the number of
// partitions.
void add_at_places(const SelectedKernel& chosen, const SizedProblem& plain, bool weak_scaling,
                   std::vector<SizedProblem>* problems, std::vector<std::string>* notes) {
  const Kernel& kernel = chosen.kernel();
  const bool grows = weak_scaling && !is_of_each_part(kernel, plain.problem);
  if (weak_scaling && !grows)
    notes->push_back(
        kernel.name +
        ": the size of this kernel always applies to each part, so `--scale weak` has no effect");
  for (std::size_t place = 0; place < chosen.places.size(); ++place) {
    const int parts = chosen.places[place].parts;
    std::optional<SizedProblem> sized = times_as_much(kernel, plain, grows ? parts : 1);
    if (!sized) {
      notes->push_back(kernel.name + " has no problem " + std::to_string(parts) + " times as large as " +
                       (plain.name.empty() ? std::to_string(plain.problem.n) : plain.name) + ", left out");
      continue;
    }
    sized->problem.parts = parts;
    sized->place = place;
    problems->push_back(std::move(*sized));
  }
}

}  // namespace

void check_problems(const Selection& selection, const std::vector<SelectedKernel>& chosen) {
  check_types(selection, chosen);
  check_classes(selection, chosen);
  check_parameters(selection, chosen);
}

std::vector<SizedProblem> problems_of(const SelectedKernel& chosen, const Selection& selection,
                                      std::vector<std::string>* notes) {
  std::vector<SizedProblem> problems;
  if (chosen.variants.empty()) return problems;
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
    const bool wanted = selection.types.empty() || std::find(selection.types.begin(), selection.types.end(),
                                                             type) != selection.types.end();
    if (!wanted || !chosen.kernel().has(type)) continue;
    for (const SizedProblem& plain : problems_of_type(chosen.kernel(), selection, type, notes))
      add_at_places(chosen, plain, selection.weak_scaling, &problems, notes);
  }
  return problems;
}

}  // namespace sextant
