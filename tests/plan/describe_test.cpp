// Tests of the kernel descriptions of this build, which complete results files that lack descriptions.
#include "plan/describe.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "plan/plan.hpp"
#include "record/json_text.hpp"
#include "record/threads.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;

TEST(Describe, SaysWhatTheFormsSay) {
  for (const RegisteredKernel& entry : registry()) {
    const Kernel& kernel = entry.kernel;
    const KernelDescription description = describe(entry);
    EXPECT_EQ(description.group, kernel.group);
    EXPECT_EQ(description.formula, kernel.formula);
    EXPECT_EQ(description.dwarf, kernel.dwarf);
    ASSERT_EQ(description.parameters.size(), kernel.parameter_list.size());
    for (std::size_t i = 0; i < kernel.parameter_list.size(); ++i)
      EXPECT_EQ(description.parameters[i], kernel.parameter_list[i].name);
    ASSERT_EQ(description.arrays.size(), kernel.arrays.size());
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
      EXPECT_EQ(description.arrays[i].name, kernel.arrays[i].name);
      EXPECT_EQ(description.arrays[i].role, kernel.arrays[i].role);
    }
    ASSERT_EQ(description.problems.size(), kernel.classes.size());
    for (std::size_t i = 0; i < kernel.classes.size(); ++i)
      EXPECT_EQ(description.problems[i], kernel.classes[i].name);
    for (const Variant& variant : entry.variants) {
      const bool excluded =
          std::find(description.excluded_from_ranking.begin(), description.excluded_from_ranking.end(),
                    variant.name) != description.excluded_from_ranking.end();
      EXPECT_EQ(excluded, variant.excluded_from_ranking) << kernel.name << " " << variant.name;
      const auto library = description.thread_libraries.find(variant.name);
      EXPECT_EQ(library != description.thread_libraries.end(),
                !needs_gpu(variant) && variant.model != Model::serial);
      if (library != description.thread_libraries.end()) {
        EXPECT_EQ(library->second, variant.threads_by());
      }
    }
  }
}

// Older files do not record thread libraries. Their cases must still equal those of this version.
TEST(Describe, ThreadLibrariesAreThoseThatTheNamesOfVariantsSuggestInFilesThatDoNotSay) {
  std::size_t libraries = 0;
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants) {
      if (needs_gpu(variant)) continue;
      EXPECT_EQ(variant.threads_by(), thread_library_by_name(variant.name))
          << entry.kernel.name << " " << variant.name;
      libraries += variant.model == Model::library && variant.threads_by() != ThreadLibrary::none;
    }
  EXPECT_GT(libraries, 0u);
}

TEST(Describe, PlannedCasesHaveTheirVariantsThreadLibrary) {
  Selection selection;
  selection.kernels = {"triad"};
  selection.variants = {"openmp.simd", "serial.native"};
  selection.sizes = {300};
  for (const Case& one : plan(selection))
    EXPECT_EQ(one.thread_library, one.variant == "openmp.simd" ? ThreadLibrary::openmp : ThreadLibrary::none);
}

TEST(Describe, ComesBackFromText) {
  for (const RegisteredKernel& entry : registry()) {
    const std::string text = to_json(describe(entry));
    EXPECT_EQ(to_json(description_from_json(text)), text);
  }
  const std::string text = to_json(test::full_description());
  EXPECT_EQ(to_json(description_from_json(text)), text);
}

TEST(Describe, ArraysHaveTheirTypes) {
  EXPECT_EQ(array_types(test::full_description(), ElementType::float64), "a:double b:uint8 c:int");
  for (const RegisteredKernel& entry : registry()) {
    const Kernel& kernel = entry.kernel;
    Problem problem;
    problem.type = ElementType::float64;
    std::string types;
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i)
      types += std::string(i ? " " : "") + kernel.arrays[i].name + ":" +
               name_of(kernel.type_of(problem, static_cast<int>(i)));
    EXPECT_EQ(array_types(describe(entry), ElementType::float64), types);
  }
}

TEST(Describe, TypesOfArraysInOlderTextAreUnknown) {
  std::string text = to_json(test::full_description());
  for (const std::string type : {",\"type\":\"T\"", ",\"type\":\"uint8\"", ",\"type\":\"int\""})
    text.erase(text.find(type), type.size());
  const KernelDescription old = description_from_json(text);
  EXPECT_EQ(old.arrays.size(), 3u);
  EXPECT_EQ(array_types(old, ElementType::float32), "");
  EXPECT_EQ(to_json(old), text);
}

TEST(Describe, ForeignTextIsRefused) {
  const std::string text = to_json(test::full_description());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return changed.replace(changed.find(from), from.size(), to);
  };
  for (const std::string& bad :
       {std::string("{}"), std::string("no JSON"), with("\"group\"", "\"grupp\""),
        with("\"inout\"", "\"sideways\""), with("\"place\":4", "\"place\":\"four\"")})
    EXPECT_THROW(description_from_json(bad), UserError) << bad;
}

TEST(Describe, TakesTheKernelsOfTheCasesThatThereAre) {
  const KernelDescriptions kernels =
      describe(std::vector<Case>{make_case("triad", "serial.baseline", 300), make_case("triad", "x.y", 300),
                                 make_case("rows", "serial.baseline", 300), make_case("none", "x.y", 300)});
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels.at("triad").group, "stream");
  EXPECT_EQ(kernels.at("rows").study.place, 16);
}

struct OldFile {
  Results results;

  OldFile() {
    results.sessions = {make_session()};
    results.sessions[0].id = 7;
  }
  Measurement& add(const char* kernel, const char* variant, Tuning tuning = {}) {
    Measurement m = make_measurement(make_case(kernel, variant, 30000, ElementType::float32, tuning), 1e-3);
    results.measurements.push_back({std::move(m), 7});
    return results.measurements.back().measurement;
  }
};

const Variant& tuned_variant() { return *find_variant(*find_kernel("heat3d_r1"), "openmp.simd"); }

TEST(Complete, GivesOldSessionsWhatThisBuildKnows) {
  OldFile file;
  const Variant& variant = tuned_variant();
  Measurement& standard = file.add("heat3d_r1", "openmp.simd");
  standard.what.problem.extents = {64, 32, 16};
  standard.what.problem.parameters = {1, 1};
  standard.what.tuning = default_tuning(variant, standard.what.problem);
  Measurement other = standard;
  other.what.tuning[0].second.number *= 2;
  file.results.measurements.push_back({other, 7});
  other.status = Status::wrong;
  file.results.measurements.push_back({other, 7});
  complete(&file.results);
  const KernelDescriptions& kernels = file.results.sessions[0].kernels;
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(to_json(kernels.at("heat3d_r1")), to_json(describe(*find_kernel("heat3d_r1"))));
  EXPECT_EQ(file.results.measurements[0].measurement.standard_tuning, true);
  EXPECT_EQ(file.results.measurements[1].measurement.standard_tuning, false);
  EXPECT_EQ(file.results.measurements[2].measurement.standard_tuning, std::nullopt);
}

TEST(Complete, LeavesWhatASessionSaysItself) {
  OldFile file;
  KernelDescription own;
  own.group = "its own";
  file.results.sessions[0].kernels["heat3d_r1"] = own;
  file.add("heat3d_r1", "openmp.simd", {{"tile_rows", 32}});
  file.add("heat3d_r1", "openmp.reordered").standard_tuning = false;
  complete(&file.results);
  EXPECT_EQ(to_json(file.results.sessions[0].kernels.at("heat3d_r1")), to_json(own));
  EXPECT_EQ(file.results.measurements[0].measurement.standard_tuning, std::nullopt);
  EXPECT_EQ(file.results.measurements[1].measurement.standard_tuning, false);
}

TEST(Complete, LeavesWhatAMeasurementSaysItself) {
  OldFile file;
  file.add("heat3d_r1", "openmp.simd", {{"tile_rows", 7}}).standard_tuning = true;
  complete(&file.results);
  EXPECT_EQ(file.results.sessions[0].kernels.size(), 1u);
  EXPECT_EQ(file.results.measurements[0].measurement.standard_tuning, true);
}

TEST(Complete, KnowsLittleOfWhatThisBuildLacks) {
  OldFile file;
  file.add("from_elsewhere", "cuda.reordered");
  file.add("from_elsewhere", "cuda.reordered");
  file.add("from_elsewhere", "cuda.straight");
  file.add("triad", "openmp.reordered");
  file.results.measurements.push_back({file.add("copy", "serial.baseline"), 99});  // of an unknown session
  complete(&file.results);
  const KernelDescriptions& kernels = file.results.sessions[0].kernels;
  EXPECT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels.at("from_elsewhere").group, "");
  EXPECT_EQ(kernels.at("from_elsewhere").excluded_from_ranking, std::vector<std::string>{"cuda.reordered"});
  EXPECT_EQ(kernels.at("triad").group, "stream");
  EXPECT_EQ(kernels.at("triad").excluded_from_ranking, std::vector<std::string>{"openmp.reordered"});
  EXPECT_EQ(file.results.measurements[2].measurement.standard_tuning, std::nullopt);
}

}  // namespace
}  // namespace sextant
