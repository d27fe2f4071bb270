// Tests of arithmetic expressions in descriptions: values, overflow, and error messages with positions.
#include <gtest/gtest.h>

#include "golden.hpp"
#include "own/description/expression.hpp"
#include "refusal.hpp"

namespace sextant::own {
namespace {

const std::vector<std::string> names = {"N", "n", "block_size", "items"};
const std::vector<std::int64_t> values = {100, 50, 64, 4};

std::int64_t whole(const std::string& text) { return Expression(text, names, "grid").at(values); }

double real(const std::string& text, Dialect dialect = Dialect::own) {
  const std::vector<double> reals(values.begin(), values.end());
  return Expression(text, names, "tolerance", {}, dialect).real_at(reals);
}

std::string refused(const std::string& text, Dialect dialect = Dialect::own) {
  return test::refusal([&] { (void)Expression(text, names, "grid", {"saxpy.cu", 9, 10}, dialect); });
}

std::string failed(const std::string& text) {
  return test::refusal([&] { (void)Expression(text, names, "grid", {"saxpy.cu", 9, 10}).at(values); });
}

TEST(Expression, CountsInWholeNumbers) {
  EXPECT_EQ(whole("1 + 2 * 3"), 7);
  EXPECT_EQ(whole("(1 + 2) * 3"), 9);
  EXPECT_EQ(whole("7 - 2 - 1"), 4);
  EXPECT_EQ(whole("-7 / 2"), -3);
  EXPECT_EQ(whole("-7 // 2"), -4);
  EXPECT_EQ(whole("-7 % 2"), -1);
  EXPECT_EQ(whole("-2 ** 2"), -4);
  EXPECT_EQ(whole("2 ** 3 ** 2"), 512);
  EXPECT_EQ(whole("N / 2 + n"), 100);
  EXPECT_EQ(whole("ceil_div(n, block_size)"), 1);
  EXPECT_EQ(whole("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(whole("ceil_div(128, 64)"), 2);
  EXPECT_EQ(whole("min(3, n, 7) + max(1, 2, items)"), 7);
  EXPECT_EQ(whole("pow2(10) + log2(1023) + sqrt(99) + cbrt(27)"), 1024 + 9 + 9 + 3);
  EXPECT_EQ(whole("abs(-5)"), 5);
}

TEST(Expression, ComparesAndChooses) {
  EXPECT_EQ(whole("block_size * items <= 4096"), 1);
  EXPECT_EQ(whole("block_size == 32 or items == 4"), 1);
  EXPECT_EQ(whole("not (block_size == 64 && items == 4)"), 0);
  EXPECT_EQ(whole("!0 + 1"), 2);
  EXPECT_EQ(whole("n > 10 ? n > 20 ? 1 : 2 : 3"), 1);
  EXPECT_EQ(whole("32 <= block_size < 65"), 1);
  EXPECT_EQ(whole("32 <= block_size < 64"), 0);
  EXPECT_EQ(whole("32 <= block_size * items <= 256"), 1);
  EXPECT_EQ(whole("32 <= block_size * items < 256"), 0);
  EXPECT_EQ(whole("1 < items < n < N"), 1);
  EXPECT_EQ(whole("1 < 2 < (3 < 4 < 5) + 2"), 1);
  EXPECT_EQ(whole("items * 2 in [1, 2, 8]"), 1);
  EXPECT_EQ(whole("items in [1, 2, 4]"), 1);
  EXPECT_EQ(whole("items not in (1, 2)"), 1);
  EXPECT_EQ(whole("true and False"), 0);
}

// Operands that cannot change the result are not evaluated.
TEST(Expression, StopsWhereTheAnswerIsKnown) {
  EXPECT_EQ(whole("0 and 1 / 0"), 0);
  EXPECT_EQ(whole("1 or 1 / 0"), 1);
  EXPECT_EQ(whole("1 ? 2 : 1 / 0"), 2);
}

TEST(Expression, CountsInDoublePrecision) {
  EXPECT_DOUBLE_EQ(real("1 / 4"), 0.25);
  EXPECT_DOUBLE_EQ(real("4 * 1e-6 * log2(block_size)"), 24e-6);
  EXPECT_DOUBLE_EQ(real("sqrt(2) ** 2"), 2);
  EXPECT_DOUBLE_EQ(real("n > 49.5 ? .5 : 1"), 0.5);
}

TEST(Expression, CountsAsPythonDoes) {
  EXPECT_DOUBLE_EQ(real("-7 % 3", Dialect::python), 2);
  EXPECT_DOUBLE_EQ(real("-7 // 2", Dialect::python), -4);
  EXPECT_DOUBLE_EQ(real("n / 4", Dialect::python), 12.5);
  EXPECT_DOUBLE_EQ(real("items % ((n * 2) / 50) == 0", Dialect::python), 1);
  EXPECT_DOUBLE_EQ(real("math.ceil(n / 4) + int(-1.5) + floor(2.9)", Dialect::python), 13 - 1 + 2);
  EXPECT_DOUBLE_EQ(real("1 if n > 3 and not items == 4 else 2", Dialect::python), 2);
}

TEST(Expression, KnowsTheNamesItUses) {
  const Expression expression("n > 3 ? block_size : 1", names, "grid");
  EXPECT_TRUE(expression.uses(1));
  EXPECT_TRUE(expression.uses(2));
  EXPECT_FALSE(expression.uses(3));
}

TEST(Expression, SaysWhichNameIsUnknown) {
  EXPECT_EQ(refused("n + blocksize"),
            "saxpy.cu:9:14: grid uses the unknown name \"blocksize\". Known names are N n block_size items. "
            "Did you mean "
            "`block_size`?");
}

TEST(Expression, SaysWhereItIsNone) {
  EXPECT_EQ(refused("n +"), "saxpy.cu:9:13: grid (n +): the expression ends too early");
  EXPECT_EQ(refused("n + (2"), "saxpy.cu:9:16: grid (n + (2): \")\" is missing at the end");
  EXPECT_EQ(refused("n = 2"), "saxpy.cu:9:12: grid (n = 2): a single = is not allowed. Write == to compare.");
  EXPECT_EQ(refused(""), "saxpy.cu:9:10: grid (): the expression ends too early");
  std::string said;
  for (const char* text :
       {"n == \"a\"", "n n", "2n", "99999999999999999999", "ceil_div(n)", "min()", "1 < (2 < n + 1 < 3) < 3",
        "1 < (n in [2, 3]) < 3", "n not 3", "ceil(n / 2)", "cieldiv(n, 2)"})
    said += refused(text) + "\n";
  for (const auto& [what, times] : {std::pair('1', 5000), std::pair('(', 3000), std::pair('-', 3000)}) {
    const std::string text(static_cast<std::size_t>(times), what);
    said += test::replaced(refused(text), text, std::to_string(times) + " times " + what) + "\n";
  }
  said += refused("1 if n", Dialect::python) + "\n";
  test::expect_golden(said, "own/expressions:refused");
}

TEST(Expression, SaysWhatCannotBeCounted) {
  EXPECT_EQ(failed("n / (items - 4)"), "saxpy.cu:9:12: grid (n / (items - 4)): 50 is divided by zero");
  EXPECT_EQ(failed("n * 9223372036854775807"),
            "saxpy.cu:9:12: grid (n * 9223372036854775807): the value exceeds 64 bits");
  EXPECT_EQ(failed("(-9223372036854775807 - 1) % -1"), "accepted");
  std::string said;
  for (const char* text :
       {"9223372036854775807 + 1", "-9223372036854775807 - 2", "10 ** 19", "-(-9223372036854775807 - 1)",
        "(-9223372036854775807 - 1) / -1", "(-9223372036854775807 - 1) // -1",
        "abs(-9223372036854775807 - 1)", "n % 0", "n * 0.5", "log2(0)", "sqrt(-1)", "pow2(63)", "2 ** -1"})
    said += failed(text) + "\n";
  for (const char* text : {"1 / 0", "1e300 * 1e300", "log2(0 - 1)"})
    said += test::refusal([&] { (void)real(text); }) + "\n";
  test::expect_golden(said, "own/expressions:failed");
}

}  // namespace
}  // namespace sextant::own
