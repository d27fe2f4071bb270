// Fuzzes kernel descriptions in TOML and in T1 JSON. Damaged text must be read, or rejected with UserError.
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "own/description/description.hpp"
#include "own/description/sizes.hpp"
#include "own_description.hpp"

namespace sextant::fuzz {

std::vector<std::string> seeds() { return {test::saxpy, test::t1}; }

std::vector<std::string> words() {
  return {"/* sextant\n",
          "*/",
          "\"",
          "[",
          "]",
          "{",
          "}",
          "=",
          ".",
          "\n",
          "name",
          "sizes = ",
          "shape = [\"w\", \"h\"]\n",
          "tune",
          "flag.",
          "swap = [\"x\", \"y\"]\n",
          "repeat = 3\n",
          "fill = \"zero\"",
          "type = \"int\"",
          "reference = { file = \"a.cpp\" }",
          "N",
          "0",
          "-1",
          "1e999",
          "9223372036854775807",
          "[[[[[[",
          "ceil_div(",
          "\xff",
          "true",
          "1979-05-27",
          "\"\"\"",
          "range(0, 999999999)"};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const bool json = !text.empty() && text[0] == '{';
    const own::Description description =
        json ? own::description_t1(text, "input") : own::description_in(text, "input");
    if (description.variants.empty() || description.arrays.empty() || description.types.empty()) std::abort();
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{97}, std::int64_t{1} << 40}) {
      const own::Fitted fitted = own::fitted(description, n);
      if (fitted.n == 0) continue;
      const std::vector<std::int64_t> values =
          own::size_values(description, {n, ElementType::float32, fitted.extents, {}});
      std::int64_t all = 0;
      for (const own::DescribedArray& array : description.arrays) all += array.length.at(values);
      if (all < 1 || all > n) std::abort();
    }
  } catch (const UserError&) {
  }
  return 0;
}
