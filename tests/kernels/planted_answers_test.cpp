// Tests that every kernel's check rejects planted wrong answers: copied inputs, zeros, a lost first element
// or last block, one step too few, or another problem's answer. Wrong answers that happen to be right are
// left out.
#include <gtest/gtest.h>

#include <cstring>

#include "planted.hpp"
#include "problems.hpp"

namespace sextant {
namespace {

class PlantedAnswer : public Planted {
 public:
  using Planted::Planted;

  void all() {
    EXPECT_EQ(complaint(right_), "") << "the right answer, " << name();
    const Values zeros = with(right_, [](std::size_t, std::size_t, double) { return 0.0; });
    refuse(zeros, "zeros");
    for (const auto& array : inputs_.arrays) copy_of(array);
    refuse(with(right_, [](std::size_t, std::size_t i, double value) { return i == 0 ? 0 : value; }),
           "the first element lost");
    refuse(with(right_,
                [&](std::size_t array, std::size_t i, double value) {
                  return i >= right_[array].size() - block(right_[array].size()) ? 0 : value;
                }),
           "the last block lost");
    const Inputs others(kernel_, problem_, seed + 1);
    for (std::size_t i = 0; i < inputs_.arrays.size(); ++i)
      if (kernel_.arrays[i].role != Role::out && others.arrays[i] != inputs_.arrays[i]) {
        const std::size_t count = inputs_.arrays[i].size() / element_size(type_of(i));
        without(i, count - block(count), count, "the last block of an input lost");
        without(i, count / 2, count / 2 + 1, "one element of an input lost");
      }
    refuse(others.reference(kernel_, problem_), "the answer for other inputs");
    for (std::size_t i = 0; i < kernel_.parameter_list.size(); ++i)
      if (problem_.parameters[i] > kernel_.parameter_list[i].least &&
          (std::string(kernel_.parameter_list[i].name) == "steps" ||
           std::string(kernel_.parameter_list[i].name) == "iterations"))
        step_fewer(i);
  }

  // Plants the answer for a parameter that is one less.
  void step_fewer(std::size_t parameter) {
    Problem fewer = problem_;
    --fewer.parameters[parameter];
    Values answer = inputs_.reference(kernel_, fewer);
    for (std::size_t i = 0; i < answer.size(); ++i) answer[i].resize(right_[i].size());
    refuse(answer, "a step fewer");
  }

  // lbm_d3q15: plants fluid at rest, but keeps the solid nodes.
  void fluid_at_rest() {
    const auto nodes = static_cast<std::size_t>(problem_.extents.count());
    refuse(with(right_,
                [&](std::size_t, std::size_t i, double value) {
                  const std::size_t k = i / nodes;
                  const bool solid = element(inputs_.arrays[1], problem_.type, i % nodes) != 0;
                  return solid ? value : k == 0 ? 2.0 / 9 : k < 7 ? 1.0 / 9 : 1.0 / 72;
                }),
           "fluid at rest");
  }

  // Plants the answer of another problem, repeated to fill the arrays.
  void another(const Values& answer) {
    refuse(with(right_,
                [&](std::size_t array, std::size_t i, double) {
                  return answer[array].empty() ? 0 : answer[array][i % answer[array].size()];
                }),
           "another problem's answer");
  }

 private:
  static std::size_t block(std::size_t count) { return std::clamp<std::size_t>(count / 4, 1, 1024); }

  template <typename Change>
  static Values with(Values values, const Change& change) {
    for (std::size_t array = 0; array < values.size(); ++array)
      for (std::size_t i = 0; i < values[array].size(); ++i)
        values[array][i] = change(array, i, values[array][i]);
    return values;
  }

  void copy_of(const std::vector<char>& array) {
    const std::size_t count = array.size() / element_size(type_of(0));
    if (&array != &inputs_.arrays.front() || kernel_.arrays.front().role == Role::out || count == 0) return;
    refuse(with(right_,
                [&](std::size_t, std::size_t i, double) { return element(array, type_of(0), i % count); }),
           "an input copied");
  }

  // Plants the answer for an input whose elements from `begin` to `end` are zero.
  void without(std::size_t array, std::size_t begin, std::size_t end, const char* what) {
    Inputs fewer = inputs_;
    const std::size_t size = element_size(type_of(array));
    std::memset(fewer.arrays[array].data() + begin * size, 0, (end - begin) * size);
    refuse(fewer.reference(kernel_, problem_), what);
  }
};

std::vector<Problem> problems(const Kernel& kernel, ElementType type) {
  std::vector<Problem> list;
  if (kernel.extents || kernel.shaped)
    for (const std::int64_t n : {30, 1000, 8192, 130560}) {
      list.push_back(problem_of(kernel, n, type));
      keep_iterations_few(kernel, &list.back());
    }
  if (kernel.group == "reduction") list.push_back(problem_of(kernel, std::int64_t{1} << 20, type));
  for (std::size_t i = 0; i < kernel.parameter_list.size(); ++i)
    for (const std::int64_t value : kernel.parameter_list[i].checked) {
      list.push_back(problem_of(kernel, 4000, type));
      list.back().parameters[i] = value;
    }
  std::erase_if(list, [&](const Problem& problem) {
    return problem.extents.count() == 0 || (kernel.refuse && kernel.refuse(problem)) ||
           takes_long(kernel, problem);
  });
  for (const NamedProblem& named : kernel.classes) {
    std::int64_t elements = 0;  // leaves out large classes, so that the test stays short
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i)
      elements += kernel.elements(named.problem, static_cast<int>(i));
    if (elements > (address_sanitizer ? 1 << 16 : 1 << 20)) continue;
    list.push_back(named.problem);
    list.back().type = type;
    // Few steps also keep the test short.
    if (!kernel.parameter_list.empty() && list.back().parameters[0] > 10) list.back().parameters[0] = 10;
  }
  return list;
}

class PlantedAnswers : public testing::TestWithParam<const RegisteredKernel*> {};

TEST_P(PlantedAnswers, AreRefused) {
  const Kernel& kernel = GetParam()->kernel;
  int refused = 0;
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
    if (!kernel.has(type)) continue;
    Values previous;
    for (const Problem& problem : problems(kernel, type)) {
      PlantedAnswer planted(kernel, problem);
      planted.all();
      if (!previous.empty()) planted.another(previous);
      previous = planted.right();
      refused += planted.refused();
    }
  }
  EXPECT_GT(refused, 3);
}

// The allowed error grows with the number of steps, so one lost step of a thousand is not detected.
TEST(PlantedSteps, OneOfAThousandIsMissed) {
  const Kernel& kernel = find_kernel("heat3d_r1")->kernel;
  Problem problem{std::int64_t{1} << 18, ElementType::float32, {64, 64, 64}, kernel.standard_parameters()};
  problem.parameters[0] = 1000;
  PlantedAnswer planted(kernel, problem);
  planted.step_fewer(0);
  EXPECT_EQ(planted.refused(), 1);
}

// If each neighbour has its own coefficient, a result with one coefficient per distance is wrong.
TEST(PlantedCoefficients, ThoseOfADistanceAreRefusedForThoseOfEachPoint) {
  for (const char* name : {"heat3d_r1", "heat3d_r2", "heat3d_r3", "heat3d_r4"})
    for (const ElementType type : {ElementType::float32, ElementType::float64})
      for (const std::int64_t steps : {1, 100}) {
        const Kernel& kernel = find_kernel(name)->kernel;
        Problem problem{27000, type, {30, 30, 30}, kernel.standard_parameters()};
        ASSERT_STREQ(kernel.parameter_list.at(2).name, "per_point");
        problem.parameters[0] = steps;
        problem.parameters[2] = 1;
        PlantedAnswer planted(kernel, problem);
        planted.step_fewer(2);
        EXPECT_EQ(planted.refused(), 1);
      }
}

// Run by hand (--gtest_also_run_disabled_tests): 5000 steps in double take a minute on one processor.
TEST(PlantedSteps, DISABLED_FluidAtRestIsRefusedAtTalk) {
  const Kernel& kernel = find_kernel("lbm_d3q15")->kernel;
  Problem problem = kernel.classes.front().problem;
  problem.type = ElementType::float32;
  PlantedAnswer planted(kernel, problem);
  planted.fluid_at_rest();
  EXPECT_EQ(planted.refused(), 1);
}

INSTANTIATE_TEST_SUITE_P(All, PlantedAnswers, testing::ValuesIn(all_kernels()), title_of);

}  // namespace
}  // namespace sextant
