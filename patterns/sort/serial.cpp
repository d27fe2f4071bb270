#include <utility>

#include "digits.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant::sort {

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
static void by_standard_library(const Call& call) {
  sort_items<T>(call, [](auto* begin, auto* end, auto*) { std::sort(begin, end); });
}

}  // namespace sextant::sort

namespace sextant {
namespace {

namespace baseline {

Variant form() {
  Variant variant = sort::comparison_variant<false>("std::sort, -O2; pairs as one number of key and index");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(sort::by_standard_library);
  return variant;
}

}  // namespace baseline

namespace native {

Variant form() {
  Variant variant = sort::comparison_variant<false>(
      "std::sort, -O3 for this processor; pairs as one number of key and index");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(sort::by_standard_library);
  return variant;
}

}  // namespace native

namespace radix {

// Counts all digits in a single pass over the keys. This is correct because sorting by one digit does not
// change the counts of others.
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

}  // namespace radix

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(sort)() {
  return compiled_here({
      named("baseline", baseline::form()),
      named("native", native::form()),
      {.name = "radix",
       .description = "radix sort with 8-bit digits, lowest first",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(radix::launch),
       .prepare = [](const Call& call, void** state) -> const char* {
         *state = new char[static_cast<std::size_t>(sort::Route<int>::workspace(call.problem))];
         return nullptr;
       },
       .release = [](void* state) { delete[] static_cast<char*>(state); },
       .workspace = [](const Problem& problem, const int*) { return sort::Route<int>::workspace(problem); }},
  });
}

}  // namespace sextant
