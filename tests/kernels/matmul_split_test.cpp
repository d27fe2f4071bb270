// Tests on the host how floats are split into narrower parts for matmul's `cuda.split_tensor`.
#include <gtest/gtest.h>

#include "../../kernels/matmul/split.hpp"
#include "matmul_split_data.hpp"

namespace sextant::test {
namespace {

using namespace matmul;

double value(const Parts& parts, int part) { return static_cast<double>(part_value(parts.at[part])); }

// Calls `function` with floats of all exponents from low to high: random ones, and ones at rounding limits.
template <typename Function>
void for_floats(int low, int high, Function&& function) {
  for (int power = low; power <= high; ++power)
    for (std::uint64_t i = 0; i < 200; ++i) {
      const auto significand =
          static_cast<std::uint32_t>(i < 8 ? 0x7fffff >> i : random_bits(1, i) & 0x7fffff);
      const float x = std::ldexp(1 + static_cast<float>(significand) * 0x1p-23f, power);
      function(i % 2 ? -x : x);
    }
}

TEST(MatmulSplit, PartsAddUpExactly) {
  for_floats(-110, 126, [](float x) {
    const Parts parts = parts_of(x);
    ASSERT_EQ(value(parts, 0) + value(parts, 1) + value(parts, 2), static_cast<double>(x)) << x;
    ASSERT_LE(std::abs(value(parts, 1)), 0x1p-8 * std::abs(static_cast<double>(x))) << x;
    ASSERT_LE(std::abs(value(parts, 2)), 0x1p-16 * std::abs(static_cast<double>(x))) << x;
  });
  EXPECT_EQ(value(parts_of(0), 0) + value(parts_of(0), 1) + value(parts_of(0), 2), 0);
}

// Tiny floats are not split, because the third part cannot hold the remainder.
TEST(MatmulSplit, TinyFloatsDoNotAddUp) {
  int lost = 0;
  for_floats(-120, -112, [&](float x) {
    const Parts parts = parts_of(x);
    lost += value(parts, 0) + value(parts, 1) + value(parts, 2) != static_cast<double>(x);
    EXPECT_TRUE(is_tiny(magnitude_bits(x))) << x;
  });
  EXPECT_GT(lost, 0);
}

double product_of_parts(float a, float b, int products) {
  constexpr PartProducts list;
  const Parts of_a = parts_of(a), of_b = parts_of(b);
  double sum = 0;
  for (int p = most_products - products; p < most_products; ++p)
    sum += value(of_a, list.at[p].a) * value(of_b, list.at[p].b);
  return sum;
}

TEST(MatmulSplit, ProductsAreOffByWhatIsSaid) {
  double worst = 0, worst_of_three = 0;
  for_floats(-3, 0, [&](float a) {
    for_floats(0, 1, [&](float b) {
      const double exact = static_cast<double>(a) * static_cast<double>(b);
      ASSERT_EQ(product_of_parts(a, b, 9), exact) << a << " * " << b;
      worst = std::max(worst, std::abs(product_of_parts(a, b, 6) - exact) / std::abs(exact));
      worst_of_three =
          std::max(worst_of_three, std::abs(product_of_parts(a, b, 3) - exact) / std::abs(exact));
    });
  });
  EXPECT_LE(worst, left_out_by_six);
  EXPECT_GT(worst, left_out_by_six / 16);  // the bound is not too large
  EXPECT_GT(worst_of_three, 64 * 0x1p-24);
}

// Multiplies matrices from their parts and sums in double. Leaves out the product of parts with index
// `dropped`.
Floats multiply(const Hard& hard, int products, int dropped) {
  constexpr PartProducts list;
  const Row n = hard.n;
  std::vector<double> sums(n * n);
  for (int p = most_products - products; p < most_products; ++p) {
    if (p == dropped) continue;
    for (Row i = 0; i < n; ++i)
      for (Row k = 0; k < n; ++k) {
        const double a = value(parts_of(hard.a[i * n + k]), list.at[p].a);
        for (Row j = 0; j < n; ++j) sums[i * n + j] += a * value(parts_of(hard.b[k * n + j]), list.at[p].b);
      }
  }
  Floats c(n * n);
  for (Row i = 0; i < c.size(); ++i) c[i] = static_cast<float>(sums[i]);
  return c;
}

TEST(MatmulSplit, HardDataPass) {
  for (const Hard& hard : {same_signs(24), wide_ranges(24, 40), cancelling(24)}) {
    const Exact exact = exact_product(hard);
    for (const int products : {6, 9})
      EXPECT_LE(worst_error(hard, exact, multiply(hard, products, -1)), most_error / 2) << hard.name;
  }
}

// If any of the six products of parts is left out, the error far exceeds the bound.
TEST(MatmulSplit, ADroppedProductIsRefused) {
  const Hard hard = same_signs(24);
  const Exact exact = exact_product(hard);
  for (int p = most_products - 6; p < most_products; ++p)
    EXPECT_GT(worst_error(hard, exact, multiply(hard, 6, p)), 4 * most_error) << p;
}

TEST(MatmulSplit, WhatCannotBeSplitIsFound) {
  const auto found = [](float a, float b, bool tiny) {
    return Found{magnitude_bits(a), magnitude_bits(b), tiny ? 1u : 0u};
  };
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(can_split(found(1, -1, false), 8192));
  EXPECT_TRUE(can_split(found(0, 0, false), 1));
  EXPECT_TRUE(can_split(found(0x1p100f, 0x1p12f, false), 8192));
  EXPECT_FALSE(can_split(found(0x1p100f, 0x1p13f, false), 8192));
  EXPECT_FALSE(can_split(found(1, 1, true), 1));
  EXPECT_FALSE(can_split(found(infinity, 0, false), 1));
  EXPECT_FALSE(can_split(found(0, -infinity, false), 1));
  EXPECT_FALSE(can_split(found(std::nanf(""), 1, false), 1));
  EXPECT_FALSE(
      can_split(found(std::numeric_limits<float>::max(), 0x1p-100f, false), 1));  // rounds to infinity
  EXPECT_FALSE(is_tiny(magnitude_bits(0.0f)));
  EXPECT_FALSE(is_tiny(magnitude_bits(-0x1p-110f)));
  EXPECT_TRUE(is_tiny(magnitude_bits(std::nextafter(0x1p-110f, 0.0f))));
  EXPECT_TRUE(is_tiny(magnitude_bits(std::numeric_limits<float>::denorm_min())));
}

}  // namespace
}  // namespace sextant::test
