// One differential test for all kernels: every variant, every type it has, at tiny, odd, prime and round
// sizes, against the double-precision reference with poisoned outputs and guard zones. Its GPU half is the
// same source, built as kernels_gpu_test; without a GPU the offloaded variants are checked on the host here,
// and the CUDA ones skip there.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>

#include "engine/check.hpp"
#include "problems.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

#ifdef SEXTANT_TEST_GPU
constexpr int offload_device = 0;
bool belongs_here(const Variant& variant) { return needs_gpu(variant); }
#else
constexpr int offload_device = -1;  // the host fallback
bool belongs_here(const Variant& variant) { return !needs_gpu(variant) || is_offloaded(variant.model); }
#endif

struct Subject {
  const RegisteredKernel* entry;
  const Variant* variant;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.entry->kernel.name << " " << subject.variant->name;
}

std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants)
      if (belongs_here(variant) && (entry.kernel.extents || entry.kernel.shaped))
        list.push_back({&entry, &variant});
  return list;
}

std::vector<int> default_tuning(const Variant& variant, const Problem& problem) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, tuning.data());
  return tuning;
}

// The default tuning, then for each tunable every choice with the others at their default.
std::vector<std::vector<int>> tunings(const Variant& variant, const Problem& problem, bool every_choice) {
  std::vector<std::vector<int>> list = {default_tuning(variant, problem)};
  if (!every_choice) return list;
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (const int value : variant.tunables[i].choices) {
      std::vector<int> tuning = default_tuning(variant, problem);
      if (tuning[i] == value) continue;
      tuning[i] = value;
      list.push_back(tuning);
    }
  return list;
}

Device* device_for(Home home, std::string* why_not) {
  static std::unique_ptr<Device> devices[home_count];
  std::unique_ptr<Device>& device = devices[static_cast<int>(home)];
  if (!device) device = open_device(home, home == Home::cuda ? 0 : offload_device, why_not);
  return device.get();
}

// A parameter of the kernel with the value to be taken.
struct Given {
  std::size_t parameter;
  std::int64_t value;
};

void check_all(const Subject& subject, const std::vector<std::int64_t>& sizes, bool every_choice,
               const std::vector<Given>& given = {}) {
  const Variant& variant = *subject.variant;
  const Kernel& kernel = subject.entry->kernel;
  std::string why_not;
  Device* device = device_for(variant.home, &why_not);
  if (!device) GTEST_SKIP() << why_not;
#ifdef SEXTANT_TEST_GPU
  if (variant.model == Model::openacc && !device_for(Home::openacc, &why_not)) GTEST_SKIP() << why_not;
  if (variant.model == Model::target && !device_for(Home::target, &why_not)) GTEST_SKIP() << why_not;
  if (variant.model == Model::cuda && !device_for(Home::cuda, &why_not)) GTEST_SKIP() << why_not;
#endif
  if (variant.unavailable && variant.unavailable()) GTEST_SKIP() << variant.unavailable();
  int checked = 0;
  std::string refusal;  // the last one of the variant's own
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
    if (!kernel.has(type) || !variant.launch[type]) continue;
    for (const std::int64_t n : sizes) {
      Problem problem = problem_of(kernel, n, type);
      for (const Given& one : given) problem.parameters[one.parameter] = one.value;
      if (problem.extents.count() == 0 || (kernel.refuse && kernel.refuse(problem))) continue;
      if (takes_long(kernel, problem)) continue;
      std::string parameters;
      for (const Given& one : given)
        parameters +=
            std::string(" ") + kernel.parameter_list[one.parameter].name + "=" + std::to_string(one.value);
      Workset workset(kernel, problem, 20260101 + static_cast<std::uint64_t>(n));
      Mapped mapped(*device, workset);
      for (const std::vector<int>& tuning : tunings(variant, problem, every_choice)) {
        if (const char* why = variant.constraint ? variant.constraint(problem, tuning.data()) : nullptr) {
          refusal = why;
          continue;
        }
        Call call{problem, tuning.data(), mapped.arrays(), device->stream(), nullptr};
        if (variant.prepare) {
          workset.reset(0xFF, Inputs::other);
          mapped.copy_in(Mapped::Which::all);
          const char* reason = variant.prepare(call, &call.state);
          ASSERT_EQ(reason, nullptr) << kernel.name << " " << variant.name << ": " << reason;
        }
        const CheckResult result = check(variant, call, *device, workset, mapped);
        if (variant.release) variant.release(call.state);
        std::string values;
        for (const int value : tuning) values += " " + std::to_string(value);
        ASSERT_TRUE(result.passed) << kernel.name << " " << variant.name << " " << name_of(type) << " N=" << n
                                   << parameters << " tuning" << values << ": " << result.reason;
        ++checked;
      }
    }
  }
  // A form for another kernel of its folder says so of every problem of this one.
  if (checked == 0 && !refusal.empty()) GTEST_SKIP() << refusal;
  EXPECT_TRUE(checked > 0 || !given.empty()) << "nothing was checked";
}

class Variants : public testing::TestWithParam<Subject> {};

TEST_P(Variants, MatchTheReferenceAtTinySizes) {
  std::int64_t smallest = 1;
  while (smallest < 2000 && GetParam().entry->kernel.extents(smallest).count() == 0) ++smallest;
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 1; n <= 40 || n < smallest + 40; ++n) sizes.push_back(n);
  check_all(GetParam(), sizes, false);
}

TEST_P(Variants, MatchTheReferenceAtOddAndPrimeSizes) {
  check_all(GetParam(), {97, 769, 1000, 4099, 7936, 12289, 31193, 65536, 99991, 130560}, false);
}

TEST_P(Variants, MatchTheReferenceAtEveryTuning) { check_all(GetParam(), {3, 5003, 40961}, true); }

// The patterns' parameters shape their data: variants go other ways.
class Patterns : public testing::TestWithParam<Subject> {};

TEST_P(Patterns, MatchTheReferenceAtParametersToBeChecked) {
  const std::vector<Parameter>& list = GetParam().entry->kernel.parameter_list;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const std::int64_t value : list[i].checked) {
      check_all(GetParam(), {97, 5003, 40961}, true, {{i, value}});
      if (testing::Test::IsSkipped()) return;
      check_all(GetParam(), {600011}, false, {{i, value}});
    }
}

std::vector<Subject> patterns_with_parameters() {
  std::vector<Subject> list = subjects();
  std::erase_if(list, [](const Subject& subject) {
    return subject.entry->suite != "patterns" || subject.entry->kernel.parameter_list.empty();
  });
  return list;
}

std::string title(const testing::TestParamInfo<Subject>& info) {
  std::string name = info.param.entry->kernel.name + "_" + info.param.variant->name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Variants, testing::ValuesIn(subjects()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Variants);
INSTANTIATE_TEST_SUITE_P(All, Patterns, testing::ValuesIn(patterns_with_parameters()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Patterns);

}  // namespace
}  // namespace sextant
