// Tests the list of renamed tunables against the variants of this build and the results files in data/.
#include "record/renamed_tunables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "plan/plan.hpp"
#include "refusal.hpp"
#include "sample_results.hpp"
#include "store/results_file.hpp"
#include "suite/thread_count.hpp"

namespace sextant {
namespace {

using KernelVariantName = std::tuple<std::string, std::string, std::string>;

const Variant* registered(const std::string& kernel, const std::string& variant) {
  const RegisteredKernel* entry = find_kernel(kernel);
  return entry ? find_variant(*entry, variant) : nullptr;
}

bool has_tunable(const Variant& variant, const std::string& name) {
  return std::any_of(variant.tunables.begin(), variant.tunables.end(),
                     [&](const Tunable& one) { return one.name == name; });
}

// True for tunables that were removed but still occur in the files of data/.
bool is_gone(const std::string& kernel, const std::string& variant, const std::string& name) {
  static const std::set<std::pair<std::string, std::string>> gone = {
      {"cuda.march", "prefetch_distance"},
      {"cuda.cluster", "cluster"},
      {"cuda.lines", "block_size_z"},
      {"cuda.lines", "lines_z"},
      {"cuda.lines", "blocks_per_multiprocessor"},
      {"openacc.lines", "vector_length"}};
  return (kernel.starts_with("heat3d_") || kernel == "fft1d" || kernel == "npb_sp") &&
         gone.contains({variant, name});
}

// True if an entry of the list applies to this variant.
bool covers(const RenamedTunable& row, const std::string& kernel, const std::string& variant) {
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has(row.kernels, kernel) && (row.variants.empty() || has(row.variants, variant));
}

void add(const Case& space, const Tuning& tuning, std::set<KernelVariantName>* names) {
  for (const auto& [name, value] : tuning) names->emplace(space.kernel, space.variant, name);
}

std::set<KernelVariantName> names_in(const std::filesystem::path& file) {
  std::set<KernelVariantName> names;
  const Results results = ResultsFile(file, ResultsFile::Mode::read).load();
  for (const StoredMeasurement& one : results.measurements)
    add(one.measurement.what, one.measurement.what.tuning, &names);
  for (const Search& search : results.searches) {
    add(search.space, search.standard, &names);
    for (const SearchStep& step : search.steps) add(search.space, step.tuning, &names);
  }
  return names;
}

TEST(RenamedTunables, EachNameOfTheRecordedFilesIsOneOfToday) {
  std::set<KernelVariantName> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SEXTANT_SOURCE_DIR "/data"))
    if (entry.path().extension() == ".sextant") names.merge(names_in(entry.path()));
  EXPECT_GT(names.size(), 1000u);
  for (const auto& [kernel, variant, name] : names) {
    if (name == thread_count || is_gone(kernel, variant, name)) continue;
    const Variant* known = registered(kernel, variant);
    EXPECT_TRUE(!known || has_tunable(*known, name)) << kernel << " " << variant << " " << name;
  }
}

TEST(RenamedTunables, NoVariantHasATunableOfAnOldName) {
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants)
      for (const Tunable& one : variant.tunables)
        EXPECT_EQ(current_tunable(entry.kernel.name, variant.name, one.name), one.name)
            << entry.kernel.name << " " << variant.name;
}

// No new name may be an old one, too. Otherwise, reading a new file would rename its tunables.
TEST(RenamedTunables, NewNamesAreNoOldOnes) {
  EXPECT_GT(renamed_tunables().size(), 50u);
  for (const RenamedTunable& row : renamed_tunables()) {
    EXPECT_FALSE(row.kernels.empty() || row.before.empty() || row.now.empty()) << row.before;
    for (const std::string& kernel : row.kernels) {
      EXPECT_EQ(current_tunable(kernel, row.variants.empty() ? "" : row.variants[0], row.now), row.now);
      for (const std::string& variant : row.variants)
        EXPECT_EQ(current_tunable(kernel, variant, row.before), row.now) << kernel << " " << variant;
    }
  }
}

TEST(RenamedTunables, SomeVariantOfEachRowHasTheNewName) {
  for (const ModelBuild& model : model_builds())
    if (!model.built) GTEST_SKIP() << "a build without " << name_of(model.model);
  for (const RenamedTunable& row : renamed_tunables()) {
    bool found = false;
    for (const RegisteredKernel& entry : registry())
      for (const Variant& variant : entry.variants)
        found |= covers(row, entry.kernel.name, variant.name) && has_tunable(variant, row.now);
    EXPECT_TRUE(found) << row.before << " " << row.now;
  }
}

TEST(RenamedTunables, UsersKernelsKeepTheirNames) {
  EXPECT_EQ(current_tunable("gather_random", "openmp.prefetch", "ahead"), "prefetch_distance");
  EXPECT_EQ(current_tunable("npb_ft", "cuda.passes", "ahead"), "column_lag_mib");
  EXPECT_EQ(current_tunable("gather_mine", "openmp.prefetch", "ahead"), "ahead");
}

TEST(RenamedTunables, OptionsTakeOldNames) {
  if (!registered("stencil2d_4pt", "openmp.simd")) GTEST_SKIP() << "a build without OpenMP";
  Selection selection;
  selection.kernels = {"stencil2d_4pt"};
  selection.variants = {"openmp.simd"};
  selection.sizes = {7936};
  selection.types = {ElementType::float32};
  selection.tunings = {{"rows_together", {2}}};
  const std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].tuning, (Tuning{{"rows_per_iteration", 2}}));
  selection.tunings = {{"rows_together", {2}}, {"rows_per_iteration", {4}}};
  EXPECT_EQ(plan(selection).size(), 2u);
  selection.tunings = {{"rows_together", {99}}};
  EXPECT_NE(test::refusal([&] { plan(selection); }).find("rows_together cannot be 99"), std::string::npos);
}

}  // namespace
}  // namespace sextant
