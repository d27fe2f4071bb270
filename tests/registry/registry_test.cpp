// Compares the registry with the source folders: every variant on disk is registered, or left out with a
// reason, and vice versa.
#include "registry/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "plan/plan.hpp"
#include "problems.hpp"

namespace sextant {
namespace {

namespace fs = std::filesystem;

// Returns folder -> variant -> file for the sources in kernels/, programs/, npb/ and patterns/.
std::map<std::string, std::map<std::string, std::string>> folders_on_disk() {
  std::map<std::string, std::map<std::string, std::string>> folders;
  const std::regex variant_file(
      "(serial|openmp|stdpar|openacc|target|cuda|library)(\\.[a-z0-9_]+)?\\.(cpp|cu)");
  const std::regex name("(\\.name = |named\\(\\s*)\"([a-z0-9_]+)\"");
  for (const char* root : {"kernels", "programs", "npb", "patterns"}) {
    const fs::path path = fs::path(SEXTANT_SOURCE_DIR) / root;
    if (!fs::exists(path)) continue;
    for (const fs::directory_entry& folder : fs::directory_iterator(path)) {
      if (!fs::exists(folder.path() / "kernel.cpp")) continue;
      std::map<std::string, std::string>& variants = folders[folder.path().filename()];
      for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
        std::smatch match;
        const std::string file_name = file.path().filename();
        if (!std::regex_match(file_name, match, variant_file)) continue;
        const std::string model = match[1];
        std::ifstream in(file.path());
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        for (std::sregex_iterator one(text.begin(), text.end(), name), end; one != end; ++one)
          EXPECT_TRUE(variants.emplace(model + "." + (*one)[2].str(), file_name).second)
              << folder.path() << " has two variants " << model << "." << (*one)[2];
      }
    }
  }
  return folders;
}

TEST(Registry, HasEveryVariantOfTheFoldersAndNoOther) {
  std::map<std::string, std::map<std::string, std::string>> known;
  for (const RegisteredKernel& entry : registry()) {
    known[entry.folder];
    for (const Variant& variant : entry.variants)
      known[entry.folder][variant.name] = entry.files.at(variant.name);
  }
  for (const LeftOut& left : left_out()) {
    EXPECT_FALSE(left.reason.empty()) << left.folder << " " << left.variant;
    EXPECT_FALSE(known[left.folder].contains(left.variant))
        << left.variant << " is both registered and left out";
    known[left.folder][left.variant] = left.file;
  }
  EXPECT_EQ(known, folders_on_disk());
}

TEST(Registry, HasUniqueNames) {
  std::set<std::string> kernels;
  for (const RegisteredKernel& entry : registry()) {
    EXPECT_TRUE(kernels.insert(entry.kernel.name).second) << entry.kernel.name;
    std::set<std::string> variants;
    for (const Variant& variant : entry.variants)
      EXPECT_TRUE(variants.insert(variant.name).second) << entry.kernel.name << " " << variant.name;
  }
}

// Without a selection, these kernels run.
TEST(Registry, HasTheStudysKernelsWithABaseline) {
  std::map<int, std::string> by_place;
  for (const SelectedKernel& one : resolve({}).kernels) {
    const std::string& name = one.entry->kernel.name;
    EXPECT_NE(find_variant(*one.entry, "serial.baseline"), nullptr) << name;
    EXPECT_NE(find_variant(*one.entry, "serial.native"), nullptr) << name;
    EXPECT_TRUE(by_place.emplace(one.entry->kernel.presentation.study.place, name).second) << name;
  }
  std::vector<std::string> names;
  for (const auto& [place, name] : by_place) {
    names.push_back(name);
    EXPECT_EQ(place, static_cast<int>(names.size())) << name;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"copy", "scale", "add", "triad", "reduction", "stencil1d_2pt",
                                      "stencil2d_4pt", "stencil3d_7pt", "matvec", "matmul", "matmul_naive",
                                      "stride2", "stride4", "stride16", "stride64", "rows"}));
}

TEST(Registry, HasCompleteKernels) {
  for (const RegisteredKernel& entry : registry()) {
    const Kernel& kernel = entry.kernel;
    EXPECT_TRUE(std::regex_match(kernel.name, std::regex("[a-z][a-z0-9_]*"))) << kernel.name;
    EXPECT_FALSE(kernel.group.empty()) << kernel.name;
    EXPECT_FALSE(kernel.formula.empty()) << kernel.name;
    EXPECT_EQ(kernel.formula.find('\n'), std::string::npos) << kernel.name;
    EXPECT_GT(std::string(kernel.tolerance_reason).size(), 20u) << kernel.name << ": why this tolerance?";
    // Programs (kernels with problem classes) may have double only. Some patterns and NPB IS have integers
    // only.
    const bool whole_numbers =
        (entry.suite == "patterns" || kernel.name == "npb_is") && kernel.has(ElementType::int32);
    EXPECT_TRUE(kernel.has(ElementType::float64) || whole_numbers) << kernel.name;
    EXPECT_TRUE(kernel.has(ElementType::float32) || whole_numbers || !kernel.classes.empty()) << kernel.name;
    EXPECT_TRUE(kernel.extents || !kernel.classes.empty()) << kernel.name << " has no problems";
    ASSERT_NE(kernel.work, nullptr) << kernel.name;
    ASSERT_NE(kernel.tolerance, nullptr) << kernel.name;
    EXPECT_TRUE(std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                            [](const ArraySpec& array) { return array.role != Role::in; }))
        << kernel.name << " has no output";
  }
}

// Returns the number of elements below which a kernel may have no problem. Histograms need 256 bins, and
// automata need tables of 256 symbols in 16 states.
std::int64_t least_size(const Kernel& kernel) {
  if (kernel.group == "histogram") return 257;
  return kernel.group == "dfa" ? 1042 : 100;
}

// N is the working set: all arrays together have at most N elements, and nearly N. Programs and kernels that
// accept any shape define N differently.
TEST(Registry, SizesKernelsByTheirWorkingSet) {
  for (const RegisteredKernel& entry : registry()) {
    const Kernel& kernel = entry.kernel;
    if (!kernel.extents || !kernel.classes.empty() || kernel.shaped) continue;
    for (const std::int64_t n : {1, 2, 3, 4, 5, 100, 7936, 99991, 1310720, 9437184, 1 << 30}) {
      const Problem problem{n, ElementType::float32, kernel.extents(n), kernel.standard_parameters()};
      if (problem.extents.count() == 0) {
        EXPECT_LT(n, least_size(kernel)) << kernel.name << " has no problem at this size";
        continue;
      }
      std::int64_t elements = 0;
      for (int i = 0; i < static_cast<int>(kernel.arrays.size()); ++i)
        elements += kernel.elements(problem, i);
      // N does not include the single result of a reduction.
      EXPECT_LE(elements, n + (kernel.group == "reduction" ? 1 : 0)) << kernel.name << " N=" << n;
      EXPECT_TRUE(n < 1310720 || static_cast<double>(elements) > 0.9 * static_cast<double>(n))
          << kernel.name << " N=" << n;
      const Work work = kernel.work(problem);
      EXPECT_GE(work.bytes_read, 0) << kernel.name << " N=" << n;
      EXPECT_GT(work.bytes_written, 0) << kernel.name << " N=" << n;
      EXPECT_GE(work.flops, 0) << kernel.name << " N=" << n;
    }
  }
}

TEST(Registry, HasVariantsThatCanBeRunAndTuned) {
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants) {
      const std::string where = entry.kernel.name + " " + variant.name;
      EXPECT_FALSE(variant.description.empty()) << where;
      EXPECT_TRUE(variant.name.starts_with(std::string(name_of(variant.model)) + ".")) << where;
      bool any = false;
      for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
        any |= variant.launch[type] != nullptr;
        EXPECT_TRUE(!variant.launch[type] || entry.kernel.has(type))
            << where << " has a type its kernel has not";
      }
      EXPECT_TRUE(any) << where << " can launch nothing";
      EXPECT_EQ(variant.prepare == nullptr, variant.release == nullptr) << where;
      std::set<std::string> names;
      for (const Tunable& tunable : variant.tunables) {
        EXPECT_TRUE(names.insert(tunable.name).second) << where << " " << tunable.name;
        EXPECT_TRUE(std::is_sorted(tunable.choices.begin(), tunable.choices.end()))
            << where << " " << tunable.name;
        EXPECT_EQ(std::adjacent_find(tunable.choices.begin(), tunable.choices.end()), tunable.choices.end())
            << where << " " << tunable.name;
        EXPECT_TRUE(std::count(tunable.choices.begin(), tunable.choices.end(), tunable.preferred))
            << where << " " << tunable.name << " prefers " << tunable.preferred;
      }
    }
}

// The tuning that `adapt` chooses must be selectable and must satisfy the variant's constraint, unless the
// constraint allows no tuning for the problem.
TEST(Registry, AdaptsToChoicesThatTheConstraintAllows) {
  for (const RegisteredKernel& entry : registry()) {
    if (!entry.kernel.extents) continue;
    for (const Variant& variant : entry.variants)
      for (const std::int64_t n : {100, 7936, 1310720, 9437184, 1 << 28})
        for (const ElementType type : {ElementType::float32, ElementType::float64}) {
          const Problem problem = problem_of(entry.kernel, n, type);
          if (problem.extents.count() == 0 || !variant.launch[type]) continue;
          const std::string where = entry.kernel.name + " " + variant.name + " N=" + std::to_string(n);
          std::vector<int> values;
          const Tuning tuning = default_tuning(variant, problem);
          for (std::size_t i = 0; i < tuning.size(); ++i) {
            const std::vector<int>& choices = variant.tunables[i].choices;
            values.push_back(tuning[i].second);
            EXPECT_TRUE(std::count(choices.begin(), choices.end(), tuning[i].second))
                << where << " " << tuning[i].first << "=" << tuning[i].second;
          }
          const char* reason = variant.refusal(problem, values.data());
          EXPECT_TRUE(!reason || !allows_any(variant, problem)) << where << ": " << reason;
        }
  }
}

// `stride` and `rows` measure an order of access. Variants that use another order are excluded from ranking.
TEST(Registry, FormsOfAnotherOrderAreExcludedFromRanking) {
  const std::set<std::string> others = {"openmp.reordered", "cuda.reordered", "cuda.lanes",
                                        "cuda.strips",      "openacc.lanes",  "openacc.packed",
                                        "openacc.reordered"};
  for (const char* name : {"stride2", "stride64", "rows"}) {
    const RegisteredKernel* kernel = find_kernel(name);
    ASSERT_NE(kernel, nullptr);
    for (const Variant& variant : kernel->variants) {
      const bool other =
          others.contains(variant.name) || (kernel->kernel.name == "rows" && variant.name == "openacc.dealt");
      EXPECT_EQ(variant.excluded_from_ranking, other) << name << " " << variant.name;
    }
  }
}

TEST(Registry, LeavesOutTheVariantsOfALibraryThatIsMissing) {
  const KernelFolder folder{
      "nosuch",
      [] {
        Kernel kernel;
        kernel.name = "nosuch";
        return std::vector<Kernel>{kernel};
      },
      {{"serial.cpp", Model::serial, [] { return std::vector<Variant>{{.name = "baseline"}}; }, {}},
       {"target.cpp", Model::target, nullptr, {"blocks", "rows"}}}};
  const std::vector<RegisteredKernel> kernels = registered(folder);
  ASSERT_EQ(kernels.size(), 1u);
  ASSERT_EQ(kernels[0].variants.size(), 1u);
  EXPECT_EQ(kernels[0].variants[0].name, "serial.baseline");
  std::vector<std::string> names;
  for (const LeftOut& one : left_out()) {
    if (one.folder != "nosuch") continue;
    names.push_back(one.variant);
    EXPECT_NE(one.reason.find("libsextant_target_nosuch.so"), std::string::npos) << one.reason;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"target.blocks", "target.rows"}));
}

}  // namespace
}  // namespace sextant
