#include <utility>

#include "digits.hpp"

namespace sextant {
namespace {

// All digits are counted in one reading: what a pass does changes no other pass's counts.
template <typename T>
void launch(const Call& call) {
  constexpr int digits = sort::digits_of<T>;
  const std::int64_t n = call.problem.extents.x;
  const sort::Route<T> route(call, call.state);
  std::int64_t places[digits][sort::radix] = {};
  for (std::int64_t i = 0; i < n; ++i)
    for (int digit = 0; digit < digits; ++digit) ++places[digit][sort::digit_of(route.in.keys[i], digit)];
  for (auto& of_digit : places) {
    std::int64_t before = 0;
    for (std::int64_t& place : of_digit) before += std::exchange(place, before);
  }
  for (int digit = 0; digit < digits; ++digit)
    sort::distribute(route.source(digit, digits), route.target(digit, digits), 0, n, digit, places[digit]);
}

}  // namespace

Variant sort_serial_radix() {
  Variant variant;
  variant.description = "digits of 8 bits from the lowest on";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.workspace = [](const Problem& problem, const int*) { return sort::Route<int>::workspace(problem); };
  variant.prepare = [](const Call& call, void** state) -> const char* {
    *state = new char[static_cast<std::size_t>(sort::Route<int>::workspace(call.problem))];
    return nullptr;
  };
  variant.release = [](void* state) { delete[] static_cast<char*>(state); };
  return variant;
}

}  // namespace sextant
