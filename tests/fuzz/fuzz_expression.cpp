// Fuzzes arithmetic expressions of descriptions. Any text must be evaluated, or rejected by a UserError.
#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "own/description/expression.hpp"

namespace sextant::fuzz {

std::vector<std::string> seeds() {
  return {"ceil_div(n, block_size * items)",
          "N / 2",
          "block_size * items <= 4096 and items not in [3, 5]",
          "n > 3 ? 2 ** items : -n % 7",
          "4 * 1e-6 * log2(n)",
          "1 if n > 3 else math.ceil(n / 4)",
          "min(n, 3, max(items, 2)) // 2 == 1 || !n",
          "32 <= block_size < 1024"};
}

std::vector<std::string> words() {
  return {"n",
          "N",
          "items",
          "(",
          ")",
          "[",
          "]",
          ",",
          "?",
          ":",
          " and ",
          " or ",
          " not ",
          " in ",
          " if ",
          " else ",
          "**",
          "//",
          "%",
          "*",
          "/",
          "-",
          "==",
          "<=",
          "<",
          "!",
          "&&",
          "||",
          "0",
          "1e308",
          "9223372036854775807",
          "0.5",
          "ceil_div(",
          "min(",
          "log2(",
          "pow2(",
          "sqrt(",
          "true"};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> names = {"N", "n", "block_size", "items"};
  for (const own::Dialect dialect : {own::Dialect::own, own::Dialect::python}) try {
      const own::Expression expression(text, names, "grid", {"input", 1, 1}, dialect);
      for (const std::int64_t n :
           {std::int64_t{0}, std::int64_t{97}, std::int64_t{1} << 62, -std::int64_t{1} << 63}) {
        const std::int64_t whole[] = {n, n / 2, 64, 4};
        const double real[] = {static_cast<double>(n), static_cast<double>(n) / 2, 64, 4};
        try {
          (void)expression.at(whole);
        } catch (const UserError&) {
        }
        try {
          (void)expression.real_at(real);
        } catch (const UserError&) {
        }
      }
    } catch (const UserError&) {
    }
  return 0;
}
