// Compares every variant of every kernel with the double-precision reference, for all types and for tiny,
// odd, prime and round sizes. kernels_gpu_test is built from the same source for variants on a GPU. Without a
// GPU, offloaded variants run on the host here, and CUDA variants are skipped there.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>

#include "engine/case/check.hpp"
#include "problems.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

#ifdef SEXTANT_TEST_GPU
constexpr int offload_device = 0;
constexpr std::int64_t effort_of_choices = 1'200'000'000, effort_of_defaults = 1'200'000'000;
bool belongs_here(const Variant& variant) { return needs_gpu(variant); }
#else
constexpr int offload_device = -1;  // runs on the host
constexpr std::int64_t effort_of_choices = 50'000'000, effort_of_defaults = 300'000'000;
bool belongs_here(const Variant& variant) { return !needs_gpu(variant) || is_offloaded(variant.model); }
#endif

// The variants of a kernel that one test checks. Each GPU variant has its own test, because a fault on a GPU
// ends the process.
struct Subject {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants;
};

std::string title_of(const Subject& subject) {
  std::string name = subject.entry->kernel.name;
#ifdef SEXTANT_TEST_GPU
  name += "_" + subject.variants[0]->name;
#endif
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

void PrintTo(const Subject& subject, std::ostream* out) { *out << title_of(subject); }

std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (const RegisteredKernel& entry : registry()) {
    if (!entry.kernel.extents && !entry.kernel.shaped) continue;
    Subject subject{&entry, {}};
    for (const Variant& variant : entry.variants)
      if (belongs_here(variant)) subject.variants.push_back(&variant);
#ifdef SEXTANT_TEST_GPU
    for (const Variant* variant : subject.variants) list.push_back({&entry, {variant}});
#else
    if (!subject.variants.empty()) list.push_back(subject);
#endif
  }
  return list;
}

std::vector<int> default_tuning(const Variant& variant, const Problem& problem) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, tuning.data());
  return tuning;
}

// The default tuning and, with `every_choice`, each choice of each tunable with the others at defaults.
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

Device* device_for(MemorySpace memory_space, std::string* why_not) {
  static std::unique_ptr<Device> devices[memory_space_count];
  std::unique_ptr<Device>& device = devices[static_cast<int>(memory_space)];
  if (!device)
    device = open_device(memory_space, memory_space == MemorySpace::cuda ? 0 : offload_device, why_not);
  return device.get();
}

// A kernel parameter (by index) and its value.
struct Given {
  std::size_t parameter;
  std::int64_t value;
};

// Returns the reason why the variant cannot run on this machine; empty if it can.
std::string why_not_here(const Variant& variant) {
  std::string why_not;
  if (!device_for(variant.memory_space, &why_not)) return why_not;
#ifdef SEXTANT_TEST_GPU
  if (variant.model == Model::openacc && !device_for(MemorySpace::openacc, &why_not)) return why_not;
  if (variant.model == Model::target && !device_for(MemorySpace::target, &why_not)) return why_not;
  if (variant.model == Model::cuda && !device_for(MemorySpace::cuda, &why_not)) return why_not;
#endif
  if (variant.unavailable && variant.unavailable()) return variant.unavailable();
  return "";
}

struct Outcome {
  int checked = 0;
  std::string refusal;  // why the variant itself last rejected a problem
};

// Returns a description of the error; empty if the result is right.
std::string check_tuning(const Variant& variant, const std::vector<int>& tuning, Workset& workset,
                         DeviceCopies& device_copies, Device& device) {
  Call call{workset.problem(), tuning.data(), device_copies.arrays(), device.stream(), nullptr};
  if (variant.prepare) {
    workset.reset(0xFF, other_filling);
    device_copies.copy_in(DeviceCopies::Which::all, 0xFF);
    if (const char* reason = variant.prepare(call, &call.state)) return reason;
  }
  const CheckResult result = check(variant, call, device, workset, device_copies);
  if (variant.release) variant.release(call.state);
  return result.passed ? "" : result.reason;
}

void check_variant(const Variant& variant, Workset& workset, bool every_choice, const std::string& what,
                   Outcome* outcome) {
  const Problem& problem = workset.problem();
  std::string why_not;
  Device& device = *device_for(variant.memory_space, &why_not);
  DeviceCopies device_copies(device, workset);
  for (const std::vector<int>& tuning : tunings(variant, problem, every_choice)) {
    if (const char* why = variant.refusal(problem, tuning.data())) {
      outcome->refusal = why;
      continue;
    }
    const std::string wrong = check_tuning(variant, tuning, workset, device_copies, device);
    std::string values;
    for (const int value : tuning) values += " " + std::to_string(value);
    ASSERT_TRUE(wrong.empty()) << variant.name << " " << what << " tuning" << values << ": " << wrong;
    ++outcome->checked;
  }
}

// Returns the problem of N elements, or a smaller one if its check would take seconds. A thousand elements
// already fill several blocks or tiles. Default tunings are not checked at all if the problem takes long.
Problem problem_to_check(const Kernel& kernel, std::int64_t n, ElementType type,
                         const std::vector<Given>& given, bool every_choice) {
  for (;; n = n / 2 | 1) {
    Problem problem = problem_of(kernel, n, type);
    keep_iterations_few(kernel, &problem);
    for (const Given& one : given) problem.parameters[one.parameter] = one.value;
    if (n < 2000 || problem.extents.count() == 0 || (kernel.refuse && kernel.refuse(problem))) return problem;
    const std::int64_t most = every_choice ? effort_of_choices : effort_of_defaults;
    if (effort(kernel, problem) <= most || (!every_choice && takes_long(kernel, problem))) return problem;
  }
}

void check_all(const Subject& subject, const std::vector<std::int64_t>& sizes, bool every_choice,
               const std::vector<Given>& given = {}) {
  const Kernel& kernel = subject.entry->kernel;
  std::map<const Variant*, Outcome> outcomes;
  std::string why_not;
  for (const Variant* variant : subject.variants)
    if (const std::string why = why_not_here(*variant); why.empty())
      outcomes[variant];
    else
      why_not = why;
  if (outcomes.empty()) GTEST_SKIP() << why_not;
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
    for (const std::int64_t n : sizes) {
      if (!kernel.has(type)) continue;
      const Problem problem = problem_to_check(kernel, n, type, given, every_choice);
      if (problem.extents.count() == 0 || (kernel.refuse && kernel.refuse(problem))) continue;
      if (takes_long(kernel, problem)) continue;
      std::string what = std::string(name_of(type)) + " N=" + std::to_string(problem.n);
      for (const Given& one : given)
        what +=
            " " + std::string(kernel.parameter_list[one.parameter].name) + "=" + std::to_string(one.value);
      Workset workset(kernel, problem, 20260101 + static_cast<std::uint64_t>(n));
      for (auto& [variant, outcome] : outcomes)
        if (variant->launch[type]) check_variant(*variant, workset, every_choice, what, &outcome);
    }
  // A source folder may have several kernels. A variant of another kernel rejects every problem of this one.
  for (const auto& [variant, outcome] : outcomes)
    if (outcome.refusal.empty())
      EXPECT_TRUE(outcome.checked > 0 || !given.empty()) << variant->name << ": nothing was checked";
    else if (outcome.checked == 0 && outcomes.size() == 1)
      GTEST_SKIP() << outcome.refusal;
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

// Variants with a fixed number of gangs or blocks, each of which processes several tiles in turn. The size
// exceeds that number.
TEST(InTurns, MatchesTheReference) {
  bool found = false;
  for (const auto& [kernel, form] : {std::pair{"histogram_uniform", "openacc.gang_table"},
                                     {"histogram_skewed", "openacc.gang_table"},
                                     {"histogram_uniform", "openacc.shared_table"},
                                     {"histogram_skewed", "openacc.shared_table"},
                                     {"horner", "openacc.unrolled"},
                                     {"spmv_uniform", "cuda.slabs"},
                                     {"spmv_powerlaw", "cuda.slabs"},
                                     {"spmv_powerlaw", "cuda.warps"}}) {
    const RegisteredKernel* entry = find_kernel(kernel);
    if (!entry) continue;
    for (const Variant& variant : entry->variants) {
      if (variant.name != form) continue;
      const bool in_every_tuning =
          variant.name == "cuda.warps";  // by default, blocks process several tiles only at larger sizes
      check_all({entry, {&variant}}, {3000017}, in_every_tuning);
      found = true;
    }
  }
  if (!found) GTEST_SKIP() << "no such form in this build";
}

// A pattern's parameters change its data, so that variants take other code paths.
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

std::string title(const testing::TestParamInfo<Subject>& info) { return title_of(info.param); }

INSTANTIATE_TEST_SUITE_P(All, Variants, testing::ValuesIn(subjects()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Variants);
INSTANTIATE_TEST_SUITE_P(All, Patterns, testing::ValuesIn(patterns_with_parameters()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Patterns);

}  // namespace
}  // namespace sextant
