// Tests of the features that are computed from a kernel and its problem.
#include "predict/form.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "suite/extents.hpp"

namespace sextant::predict {
namespace {

// A kernel that computes c[i] += a[i] * b[index[i]] over n elements.
Kernel made_up() {
  Kernel kernel;
  kernel.arrays = {
      {"a", Role::in}, {"b", Role::in}, {"index", Role::in, ElementType::int32}, {"c", Role::inout}};
  kernel.extents = vector_extents<4>;
  kernel.work = [](const Problem& p) {
    const auto size = static_cast<std::int64_t>(element_size(p.type));
    return Work{.bytes_read = p.extents.x * (3 * size + 4),
                .bytes_written = p.extents.x * size,
                .flops = 2 * p.extents.x,
                .items = p.extents.x};
  };
  return kernel;
}

double value(const Form& form, const std::string& name) {
  for (const FormColumn& column : form_columns())
    if (name == column.name) return column.value(form);
  ADD_FAILURE() << "no column " << name;
  return 0;
}

const Problem hundred = {400, ElementType::float64, {100, 1, 1}, {}};

TEST(Form, IsOfTheKernelsOwnProblems) {
  Kernel kernel = made_up();
  Problem problem = {.n = 4000, .type = ElementType::float32, .extents = {1000, 1, 1}, .parameters = {}};
  EXPECT_TRUE(is_problem_of(kernel, problem));
  problem.extents = {1001, 1, 1};
  EXPECT_FALSE(is_problem_of(kernel, problem)) << "of another N";
  kernel.shaped = true;
  EXPECT_TRUE(is_problem_of(kernel, problem));
  problem.extents = {std::int64_t{1} << 21, std::int64_t{1} << 21, 1};
  EXPECT_FALSE(is_problem_of(kernel, problem)) << "more than any machine holds";
  problem.extents = {0, 1, 1};
  EXPECT_FALSE(is_problem_of(kernel, problem));
}

TEST(Form, CountsArraysByTheirRolesAndTypes) {
  const Form form = form_of(made_up(), hundred);
  EXPECT_EQ(form.arrays_in, 4);
  EXPECT_EQ(form.arrays_out, 1);
  EXPECT_EQ(form.bytes_in, 100 * (8 + 8 + 4 + 8));
  EXPECT_EQ(form.bytes_out, 800);
  EXPECT_EQ(form.working_set, 2800);  // c is read and written, but counts once
  EXPECT_DOUBLE_EQ(intensity(form), 200.0 / (2800 + 800));
}

TEST(Form, SaysNothingOfWhatTheKernelDoesNotSay) {
  const Form form = form_of(made_up(), hundred);
  for (const char* name : {"loads", "stores", "stride_read", "stride_write", "special_flops", "reduction",
                           "launches", "depth", "divergence", "reuse"})
    EXPECT_TRUE(std::isnan(value(form, name))) << name;
  EXPECT_EQ(value(form, "flops"), 200);
}

TEST(Form, TakesTheKernelsTraitsAtTheProblem) {
  Kernel kernel = made_up();
  kernel.traits = [](const Problem& p) {
    return Traits{
        .loads = 4, .stores = 1, .stride_read = static_cast<double>(p.extents.x), .special_flops = 0.5};
  };
  const Form form = form_of(kernel, hundred);
  EXPECT_EQ(value(form, "loads"), 4);
  EXPECT_EQ(value(form, "stride_read"), 100);
  EXPECT_EQ(value(form, "special_flops"), 50);
  EXPECT_DOUBLE_EQ(value(form, "reuse"), 5 * 100 / 350.0);
  EXPECT_TRUE(std::isnan(value(form, "depth")));
}

TEST(Form, OfWorkThatMovesOrComputesNothingHasAnIntensity) {
  Form form;
  EXPECT_EQ(intensity(form), 0);
  form.work.flops = 1;
  EXPECT_TRUE(std::isinf(intensity(form)));
}

TEST(Form, HasColumnsOfDifferentNamesEachExplained) {
  std::set<std::string> names;
  for (const FormColumn& column : form_columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_NE(std::string(column.meaning), "") << column.name;
  }
  EXPECT_GE(names.size(), 20u);
}

}  // namespace
}  // namespace sextant::predict
