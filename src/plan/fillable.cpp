#include "plan/fillable.hpp"

#include "suite/element.hpp"

namespace sextant {
namespace {

bool is_floating_input(const Kernel& kernel, const Problem& problem, int index) {
  return kernel.arrays[static_cast<std::size_t>(index)].role != Role::out &&
         !is_whole(kernel.type_of(problem, index));
}

}  // namespace

bool is_fillable(const Kernel& kernel, const Problem& problem, int index) {
  if (!is_floating_input(kernel, problem, index)) return false;
  if (kernel.fillable) return kernel.fillable(problem, index);
  // Calls on an array that they change would soon find other numbers in it.
  return !kernel.initialise[problem.type] && kernel.arrays[static_cast<std::size_t>(index)].role == Role::in;
}

const char* why_not_filled(const Kernel& kernel, const Problem& problem) {
  bool any = false;
  for (int index = 0; index < static_cast<int>(kernel.arrays.size()); ++index) {
    if (!is_floating_input(kernel, problem, index)) continue;
    any = true;
    if (!is_fillable(kernel, problem, index))
      return kernel.arrays[static_cast<std::size_t>(index)].role == Role::inout
                 ? "inputs that calls change"
                 : "inputs that are not uniform numbers";
  }
  return any ? nullptr : "no floating-point inputs";
}

}  // namespace sextant
