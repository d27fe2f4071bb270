#include "engine/case/trivial_answers.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/join.hpp"

namespace sextant {
namespace {

// Calls use(array i as elements of its type).
template <typename Use>
void with_elements(Workset& workset, int i, const Use& use) {
  void* const data = workset.arrays()[static_cast<std::size_t>(i)].data;
  switch (workset.kernel().type_of(workset.problem(), i)) {
    case ElementType::float32:
      return use(static_cast<float*>(data));
    case ElementType::float64:
      return use(static_cast<double*>(data));
    case ElementType::int32:
      return use(static_cast<std::int32_t*>(data));
    default:
      throw std::logic_error("results of this type are not compared");
  }
}

// The nearest number of the type.
template <typename T>
T as_element(double value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value);
  using Limits = std::numeric_limits<T>;
  return value != value ? T(0)
                        : static_cast<T>(std::clamp(value, static_cast<double>(Limits::min()),
                                                    static_cast<double>(Limits::max())));
}

// Element `at` of output array `array`.
using Answer = std::function<double(int array, std::int64_t at)>;

// Whether the comparison lets the answer pass, and it is another one than the reference's.
bool passes(Workset& workset, const Answer& answer) {
  const Kernel& kernel = workset.kernel();
  bool differs = false;
  workset.poison_outputs(0xFF);
  for (int i = 0; i < static_cast<int>(kernel.arrays.size()); ++i) {
    if (kernel.arrays[static_cast<std::size_t>(i)].role == Role::in) continue;
    const std::vector<double>& right = workset.reference(i);
    with_elements(workset, i, [&]<typename T>(T* elements) {
      for (std::size_t at = 0; at < right.size(); ++at) {
        elements[at] = as_element<T>(answer(i, static_cast<std::int64_t>(at)));
        differs = differs || elements[at] != as_element<T>(right[at]);
      }
    });
  }
  Deviation worst;
  return differs && workset.compare(&worst, false).empty();
}

// The elements of an input, again and again; empty if it has none.
std::vector<double> elements_of(Workset& workset, int array) {
  std::vector<double> values(static_cast<std::size_t>(workset.kernel().elements(workset.problem(), array)));
  with_elements(workset, array, [&](const auto* elements) {
    for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<double>(elements[at]);
  });
  return values;
}

}  // namespace

std::string passing_trivial_answers(Workset& workset) {
  const Kernel& kernel = workset.kernel();
  workset.reset(0xFF, workset.filling());  // inputs as they were before the launch
  workset.compute_reference();
  std::vector<std::pair<std::string, std::vector<double>>> inputs;
  for (std::size_t i = 0; i < kernel.arrays.size(); ++i)
    if (kernel.arrays[i].role != Role::out && kernel.elements(workset.problem(), static_cast<int>(i)) > 0)
      inputs.emplace_back(kernel.arrays[i].name, elements_of(workset, static_cast<int>(i)));
  std::vector<std::string> passing;
  if (passes(workset, [](int, std::int64_t) { return 0; })) passing.emplace_back("zeros");
  for (const auto& [name, values] : inputs)
    if (passes(workset,
               [&](int, std::int64_t at) { return values[static_cast<std::size_t>(at) % values.size()]; }))
      passing.push_back("a copy of " + name);
  if (passes(workset, [&](int array, std::int64_t) { return workset.reference(array).front(); }))
    passing.emplace_back("the first element everywhere");
  return join(passing);
}

}  // namespace sextant
