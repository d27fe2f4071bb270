// Tests of `Function`, which stores a plain function, a lambda, or a function with a context.
#include "suite/function.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "base/intern.hpp"
#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

using Sum = Function<int(int, int)>;

int plus(int a, int b) { return a + b; }
int times_and(const void* context, int a, int b) { return a * b + *static_cast<const int*>(context); }

template <typename T>
void fill(const Call& call) {
  *call.array<T>(0) = T(7);
}

static_assert(sizeof(Sum) == 16);
static_assert(std::is_trivially_copyable_v<Sum>);
// A lambda with captures does not compile, because nothing would store the captures.
static_assert(!std::is_constructible_v<Sum, decltype([kept = 1](int a, int b) { return a + b + kept; })>);
static_assert(!std::is_constructible_v<Sum, decltype([](std::string) { return 0; })>);

TEST(Function, IsNullUntilItHasAFunction) {
  Sum sum;
  EXPECT_FALSE(sum);
  EXPECT_TRUE(sum == nullptr);
  sum = plus;
  EXPECT_TRUE(sum);
  EXPECT_TRUE(sum != nullptr);
  sum = nullptr;
  EXPECT_FALSE(sum);
}

TEST(Function, CallsAFunctionOrALambda) {
  Sum sum = plus;
  EXPECT_EQ(sum(2, 3), 5);
  sum = [](int a, int b) { return a - b; };
  EXPECT_EQ(sum(2, 3), -1);
}

TEST(Function, GivesTheContextFirst) {
  int offset = 100;
  const Sum sum(times_and, &offset);
  const Sum copy = sum;
  EXPECT_EQ(sum(2, 3), 106);
  offset = 200;
  EXPECT_EQ(copy(2, 3), 206);
}

TEST(Function, WithoutTheContextItWantsIsNull) { EXPECT_FALSE(Sum(times_and, nullptr)); }

TEST(Function, TakesArgumentsByReferenceAndMovesValues) {
  const Function<void(int&)> raise = [](int& value) { ++value; };
  int value = 1;
  raise(value);
  EXPECT_EQ(value, 2);
  const Function<std::string(std::string)> same = [](std::string text) { return text; };
  std::string text(100, 'x');
  const char* place = text.data();
  EXPECT_EQ(same(std::move(text)).data(), place);
}

TEST(Function, IsTheInstanceOfATypeInAForm) {
  Variant variant;
  variant.launch = SEXTANT_FLOAT_DOUBLE(fill);
  float value = 0;
  ArrayAt arrays[] = {&value};
  Call call;
  call.arrays = arrays;
  variant.launch[ElementType::float32](call);
  EXPECT_EQ(value, 7);
  EXPECT_FALSE(variant.launch[ElementType::int32]);
}

TEST(Intern, KeepsOneCopyOfEachText) {
  std::string name = "block_size";
  const char* kept = intern(name);
  name[0] = 'x';
  EXPECT_STREQ(kept, "block_size");
  EXPECT_EQ(kept, intern("block_size"));
  EXPECT_NE(kept, intern("block_size2"));
}

}  // namespace
}  // namespace sextant
