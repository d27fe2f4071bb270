#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/pattern.hpp"
#include "golden.hpp"
#include "plan/select.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

void nothing(const Call&) {}

Variant variant(const char* name, Model model, MemorySpace memory_space, std::vector<Tunable> tunables) {
  Variant made;
  made.name = name;
  made.model = model;
  made.memory_space = memory_space;
  made.tunables = std::move(tunables);
  made.launch = {.float32 = nothing, .float64 = nothing};
  return made;
}

struct Block {
  int block_x = 32, block_y = 2;
};

void widen_when_large(const Problem& problem, Block& block) {
  if (problem.n > 1000) block.block_x = 64;
}

// `pltest` has two types and needs n >= 10. `pltest_float` has only float, and only problem classes.
void add_kernels() {
  static const bool once = [] {
    Kernel kernel;
    kernel.name = "pltest";
    kernel.arrays = {{"a", Role::out}};
    kernel.extents = [](std::int64_t n) { return n < 10 ? Extents{0, 1, 1} : Extents{n, 1, 1}; };
    kernel.reference = {.float32 = [](const Problem&, const void* const*, double* const*) {},
                        .float64 = [](const Problem&, const void* const*, double* const*) {}};
    kernel.refuse = [](const Problem& p) {
      return p.n == 77 && p.type == ElementType::float64 ? "77 doubles are none" : nullptr;
    };
    Variant cuda = variant(
        "cuda.plain", Model::cuda, MemorySpace::cuda,
        tunables<Block>({{"block_x", &Block::block_x, {32, 64}}, {"block_y", &Block::block_y, {1, 2, 4}}}));
    cuda.adapt = by_name<widen_when_large>;
    cuda.constraint = [](const Problem&, const int* tuning) {
      return tuning[0] == 64 && tuning[1] == 4 ? "blocks have at most 128 threads" : nullptr;
    };
    Variant openmp = variant("openmp.simd", Model::openmp, MemorySpace::host, {});
    openmp.launch.float64 = nullptr;
    add_to_registry(
        {kernel,
         {variant("serial.apart", Model::serial, MemorySpace::host, {}),
          variant("serial.baseline", Model::serial, MemorySpace::host, {}), openmp,
          variant("openacc.clauses", Model::openacc, MemorySpace::host, {{"vector_length", {32, 128}, 128}}),
          cuda, variant("cuda.other", Model::cuda, MemorySpace::cuda, {{"block_x", {64, 128}, 128}})}});
    kernel.name = "pltest_float";
    kernel.extents = nullptr;
    kernel.classes = {{"S", {.n = 100, .type = {}, .extents = {100, 1, 1}}},
                      {"W", {.n = 200, .type = {}, .extents = {200, 1, 1}}}};
    kernel.reference.float64 = nullptr;
    add_to_registry({kernel, {variant("serial.baseline", Model::serial, MemorySpace::host, {})}});
    kernel.name = "plstudy";
    kernel.presentation.study = {default_study, 1};
    kernel.extents = [](std::int64_t n) { return Extents{n, 1, 1}; };
    add_to_registry({kernel,
                     {variant("serial.baseline", Model::serial, MemorySpace::host, {}),
                      variant("stdpar.transform", Model::stdpar, MemorySpace::host, {}),
                      variant("target.loop", Model::target, MemorySpace::target, {})}});
    kernel.presentation.study = {};
    kernel.sizes = {55};
    for (const char* name : {"plsuite1", "plsuite2"}) {
      kernel.name = name;
      add_to_registry(
          {kernel, {variant("serial.baseline", Model::serial, MemorySpace::host, {})}, "", "plsuite"});
    }
    kernel.sizes = {};
    kernel.name = "plfoldered";
    add_to_registry({kernel, {variant("serial.baseline", Model::serial, MemorySpace::host, {})}, "plfolder"});
    add_left_out({"plfolder", "library.plpeer", "the peer is not installed"});
    kernel.name = "plprogram";
    kernel.shaped = true;
    kernel.extents = [](std::int64_t n) { return Extents{n, 1, 1}; };
    kernel.parameters = {7, 7, 7, 7};
    kernel.parameter_list = {{"steps", 10, 1, 5000, {1, 9}}, {"force", 1, -5, 5}};
    kernel.classes = {{"talk", {.n = 6, .type = {}, .extents = {1, 2, 3}, .parameters = {5000, 1, 7, 7}}}};
    kernel.refuse = [](const Problem& p) { return p.extents.x == 13 ? "thirteen is unlucky" : nullptr; };
    add_to_registry({kernel, {variant("serial.baseline", Model::serial, MemorySpace::host, {})}});
    return true;
  }();
  (void)once;
}

class Plan : public testing::Test {
 protected:
  void SetUp() override {
    add_kernels();
    selection.kernels = {"pltest"};
    selection.sizes = {100};
    selection.types = {ElementType::float32};
  }
  std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const Case& one : plan(selection, &notes)) list.push_back(one.variant);
    return list;
  }
  std::string refusal(ExitCode code = ExitCode::usage) {
    try {
      plan(selection, &notes);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code, code);
      return error.what();
    }
    ADD_FAILURE() << "the plan was not refused";
    return {};
  }
  Selection selection;
  std::vector<std::string> notes;
};

using Names = std::vector<std::string>;

TEST_F(Plan, TakesEveryVariantTheSerialBaselineFirst) {
  EXPECT_EQ(names(), (Names{"serial.baseline", "serial.apart", "openmp.simd", "openacc.clauses", "cuda.plain",
                            "cuda.other"}));
}

TEST_F(Plan, ASuiteHoldsItsKernelsAtTheirOwnSizes) {
  const auto kernels_of = [&](const std::vector<std::string>& suites) {
    selection = {};
    selection.suites = suites;
    std::set<std::string> found;
    for (const Case& one : plan(selection)) found.insert(one.kernel);
    return found;
  };
  EXPECT_EQ(kernels_of({"plsuite"}), (std::set<std::string>{"plsuite1", "plsuite2"}));
  EXPECT_EQ(plan(selection).front().problem.n, 55);  // a size that this kernel suggests
  const std::set<std::string> study = kernels_of({"study"});
  EXPECT_TRUE(study.contains("plstudy"));
  EXPECT_FALSE(study.contains("plsuite1"));
  const std::set<std::string> all = kernels_of({"all"});
  EXPECT_TRUE(all.contains("plstudy") && all.contains("plsuite1") && all.contains("plprogram"));
  EXPECT_TRUE(kernels_of({"plsuite", "study"}).contains("plstudy"));
  selection = {};
  EXPECT_EQ(plan(selection).size(), [&] {
    selection.suites = {"study"};
    return plan(selection).size();
  }());
}

TEST_F(Plan, ASuiteAndNamesHoldTogether) {
  selection = {};
  selection.suites = {"plsuite"};
  selection.kernels = {"pl.*2"};
  for (const Case& one : plan(selection)) EXPECT_EQ(one.kernel, "plsuite2");
  selection.kernels = {"plstudy"};
  EXPECT_TRUE(refusal().starts_with("no kernel of plsuite matches `plstudy`."));
}

TEST_F(Plan, ASuiteThatIsNotThereIsRefused) {
  selection = {};
  selection.suites = {"pattern"};
  EXPECT_EQ(refusal(),
            "there is no suite `pattern`. Did you mean `patterns`? The suites are study, kernels, programs, "
            "npb, patterns, own and all.");
  selection.suites = {"own"};
  EXPECT_EQ(refusal(),
            "the suite `own` holds the kernels that --load loads, but no kernel is loaded. Add --load FILE.");
}

TEST_F(Plan, TheStudyLeavesOutModelsThatCameAfterItUnlessAskedFor) {
  const auto of_study = [&] {
    std::set<std::string> found;
    for (const Case& one : plan(selection))
      if (one.kernel == "plstudy") found.insert(one.variant);
    return found;
  };
  selection = {};
  EXPECT_EQ(of_study(), (std::set<std::string>{"serial.baseline"}));
  selection.variants = {"stdpar", "target"};
  EXPECT_EQ(of_study(), (std::set<std::string>{"stdpar.transform", "target.loop"}));
  selection.variants = {};
  selection.kernels = {"plstudy"};
  EXPECT_EQ(of_study(), (std::set<std::string>{"serial.baseline", "stdpar.transform", "target.loop"}));
}

TEST_F(Plan, MatchesWholeNamesAndModels) {
  selection.variants = {"cuda"};
  EXPECT_EQ(names(), (Names{"cuda.plain", "cuda.other"}));
  selection.variants = {"openacc.*", "serial.ap.*"};
  EXPECT_EQ(names(), (Names{"serial.apart", "openacc.clauses"}));
  selection.kernels = {"pltest.*"};
  selection.variants = {"serial.baseline"};
  selection.sizes = {};
  selection.classes = {"W"};
  EXPECT_EQ(names(), (Names{"serial.baseline"}));
}

TEST_F(Plan, ResolvesNamesToKernelsAndVariants) {
  selection.variants = {"cuda"};
  selection.device = "gpu1";
  const Resolved resolved = resolve(selection);
  const RegisteredKernel* pltest = find_kernel("pltest");
  ASSERT_EQ(resolved.kernels.size(), 1u);
  EXPECT_EQ(resolved.kernels[0].entry, pltest);
  ASSERT_EQ(resolved.cases.size(), 2u);
  for (const ResolvedCase& one : resolved.cases) {
    EXPECT_EQ(one.entry, pltest);
    EXPECT_EQ(one.variant, find_variant(*pltest, one.what.variant));
    EXPECT_EQ(one.what.device, "gpu1");
  }
}

TEST_F(Plan, HasNoCasesOfNamesAlone) {
  selection.kernels = {"pltest.*"};
  selection.names_only = true;
  const Resolved resolved = resolve(selection);
  EXPECT_EQ(resolved.kernels.size(), 2u);
  EXPECT_TRUE(resolved.cases.empty());
  selection.variants = {"cuda.plane"};
  EXPECT_NE(refusal().find("Did you mean `cuda.plain`?"), std::string::npos);
}

TEST_F(Plan, TakesADefaultSizeWhereNothingIsAskedForAndTheKernelHasSizes) {
  selection.kernels = {"pltest.*"};
  selection.variants = {"serial.baseline"};
  selection.sizes = {};
  selection.default_size = 300;
  std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].problem.n, 300);
  EXPECT_EQ(cases[1].problem_class, "S");
  selection.sizes = {100};
  cases = plan(selection);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].problem.n, 100);
}

TEST_F(Plan, OrdersByKernelTypeAndSize) {
  selection.types.clear();
  selection.sizes = {300, 100, 300};
  selection.variants = {"serial"};
  std::vector<std::string> order;
  for (const Case& one : plan(selection))
    order.push_back(std::string(name_of(one.problem.type)) + " " + std::to_string(one.problem.n) + " " +
                    one.variant);
  EXPECT_EQ(order, (Names{"float 100 serial.baseline", "float 100 serial.apart", "float 300 serial.baseline",
                          "float 300 serial.apart", "double 100 serial.baseline", "double 100 serial.apart",
                          "double 300 serial.baseline", "double 300 serial.apart"}));
}

TEST_F(Plan, LeavesOutTypesAVariantHasNot) {
  selection.types = {ElementType::float64};
  const Names all = names();
  EXPECT_EQ(std::count(all.begin(), all.end(), "openmp.simd"), 0);
  EXPECT_EQ(all.size(), 5u);
}

TEST_F(Plan, UsesTheDefaultTuningAsAdaptedToTheProblem) {
  selection.variants = {"cuda.plain"};
  selection.sizes = {100, 2000};
  const std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].tuning, (Tuning{{"block_x", 32}, {"block_y", 2}}));
  EXPECT_EQ(cases[1].tuning, (Tuning{{"block_x", 64}, {"block_y", 2}}));
}

TEST_F(Plan, VariesTheTunablesAskedFor) {
  selection.variants = {"cuda.plain", "serial.baseline"};
  selection.tunings = {{"block_y", {4, 1}}};
  const std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 3u);  // the variant without this tunable is planned once
  EXPECT_EQ(cases[1].tuning, (Tuning{{"block_x", 32}, {"block_y", 1}}));
  EXPECT_EQ(cases[2].tuning, (Tuning{{"block_x", 32}, {"block_y", 4}}));
  selection.tunings = {};
  selection.all_tunings = true;
  EXPECT_EQ(plan(selection).size(), 1u + 6u);
}

TEST_F(Plan, VariesTheThreadsOfOpenMPVariantsWhereAskedFor) {
  selection.variants = {"openmp", "serial.baseline"};
  selection.tunings = {{"threads", {4, 1}}};
  const std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_TRUE(cases[0].tuning.empty());
  EXPECT_EQ(cases[1].tuning, (Tuning{{"threads", 1}}));
  EXPECT_EQ(cases[2].tuning, (Tuning{{"threads", 4}}));
  selection.tunings = {};
  selection.all_tunings = true;
  EXPECT_EQ(plan(selection).size(), 2u);
  selection.tunings = {{"threads", {0}}};
  const std::string few = refusal();
  selection.tunings = {{"threads", {2}}};
  selection.variants = {"serial"};
  test::expect_golden(test::lines({few, refusal()}), "plan/refusals:threads");
}

TEST_F(Plan, NotesVariantsWithoutTheValueAskedFor) {
  selection.variants = {"cuda"};
  selection.tunings = {{"block_x", {32}}};
  EXPECT_EQ(names(), (Names{"cuda.plain"}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "pltest cuda.other is left out, because it has none of the values of --tunings");
}

TEST_F(Plan, PutsVariantsOnTheirDevices) {
  std::set<std::string> where;
  for (const Case& one : plan(selection)) where.insert(one.variant + "@" + one.device);
  EXPECT_EQ(where, (std::set<std::string>{"serial.apart@cpu", "serial.baseline@cpu", "openmp.simd@cpu",
                                          "openacc.clauses@gpu0", "cuda.plain@gpu0", "cuda.other@gpu0"}));
  selection.device = "gpu3";
  EXPECT_EQ(names(), (Names{"openacc.clauses", "cuda.plain", "cuda.other"}));
  EXPECT_EQ(plan(selection)[0].device, "gpu3");
  selection.device = "cpu";
  EXPECT_EQ(names(), (Names{"serial.baseline", "serial.apart", "openmp.simd"}));
}

TEST_F(Plan, NotesSizesThatAreTooSmallAndSaysTheSmallest) {
  selection.sizes = {3, 100};
  selection.variants = {"serial.baseline"};
  EXPECT_EQ(names().size(), 1u);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "pltest: N = 3 is too small and left out. The smallest N is 10");
  notes.clear();
  selection.sizes = {3};
  EXPECT_EQ(refusal(),
            "the options select no case: pltest: N = 3 is too small and left out. The smallest N is 10. "
            "Choose other sizes or variants.");
}

TEST_F(Plan, TakesNamedProblemsAndTheFirstByDefault) {
  selection.kernels = {"pltest_float"};
  selection.types = {};
  selection.sizes = {};
  std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].problem_class, "S");
  selection.classes = {"W"};
  cases = plan(selection);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].problem.extents.x, 200);
  selection.classes = {"X"};
  EXPECT_EQ(refusal(), "no selected kernel has a problem class `X`. They have S, W.");
  selection.kernels = {"pltest"};
  EXPECT_EQ(refusal(),
            "no selected kernel has a problem class `X`. Their sizes are numbers or ranges, such as 7936, "
            "64Ki, 2^20, 1Ki:64Mi:x4 or 32:2048:+32.");
}

class PlanProgram : public Plan {
 protected:
  void SetUp() override {
    Plan::SetUp();
    selection.kernels = {"plprogram"};
    selection.sizes = {};
  }
  Names labels() {
    Names list;
    for (const Case& one : plan(selection, &notes)) list.push_back(one.problem_class);
    return list;
  }
};

TEST_F(PlanProgram, RunsItsFirstClassByDefault) {
  EXPECT_EQ(labels(), (Names{"talk"}));
  selection.small_problems = true;
  for (const Case& one : plan(selection)) EXPECT_LT(one.problem.extents.count(), (1 << 20) + 1);
}

// The kernel's author lists further parameter values for `verify`, which checks them at three shapes.
TEST_F(PlanProgram, ChecksFurtherValuesOfParameters) {
  selection.small_problems = true;
  std::set<std::pair<std::string, std::int64_t>> seen;
  for (const Case& one : plan(selection)) seen.insert({one.problem_class, one.problem.parameters[0]});
  for (const char* shape : {"33x17x9", "131x6x5", "32x16x8"})
    for (const std::int64_t steps : {1, 9})
      EXPECT_TRUE(seen.contains({shape + std::string(" steps=") + std::to_string(steps), steps})) << shape;
  EXPECT_TRUE(seen.contains({"131x6x5", 10}));
}

TEST(PlanOfChecks, TakesSmallAndRoundSizesAndEveryTuningAtOne) {
  Selection selection;
  selection.kernels = {"stencil2d_4pt"};
  selection.small_problems = true;
  std::map<std::int64_t, std::map<std::string, std::size_t>> tunings;
  for (const Case& one : plan(selection))
    if (one.problem.type == ElementType::float32) ++tunings[one.problem.n][one.variant];
  for (const std::int64_t n : {4, 5, 6, 7, 8, 9, 10, 11, 12, 8192, 65536})
    EXPECT_TRUE(tunings.contains(n)) << n;
  for (const Variant& variant : find_kernel("stencil2d_4pt")->variants) {
    std::size_t choices = 1, all = 1;
    for (const Tunable& tunable : variant.tunables)
      choices += tunable.choices.size() - 1, all *= tunable.choices.size();
    if (!tunings[8192].contains(variant.name)) continue;
    EXPECT_EQ(tunings[8192][variant.name], all <= 64 ? all : choices) << variant.name;
    EXPECT_EQ(tunings[65536][variant.name], 1u) << variant.name;
  }
}

// Long lines need more passes of the transform than short ones, along each axis.
TEST(PlanOfChecks, TakesLongLinesAlongEachAxis) {
  Selection selection;
  selection.kernels = {"npb_ft_field"};
  selection.small_problems = true;
  std::set<std::string> seen;
  for (const Case& one : plan(selection)) seen.insert(one.problem_class);
  for (const char* shape : {"1024x4x2", "2x1024x4", "4x2x1024"}) EXPECT_TRUE(seen.contains(shape)) << shape;
}

TEST_F(PlanProgram, TakesShapesAndSizesSideBySide) {
  selection.sizes = {40};
  selection.shapes = {{100, 37, 53}, {64, 32, 1}};
  const std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].problem_class, "");
  EXPECT_EQ(cases[0].problem.parameters, (std::array<std::int64_t, 4>{10, 1, 7, 7}));
  EXPECT_EQ(cases[1].problem_class, "100x37x53");
  EXPECT_EQ(cases[1].problem.extents, (Extents{100, 37, 53}));
  EXPECT_EQ(cases[1].problem.n, 100 * 37 * 53);
  EXPECT_EQ(cases[2].problem_class, "64x32");
}

TEST_F(PlanProgram, NamesParametersThatAreNotTheUsualOnes) {
  selection.sizes = {40};
  selection.classes = {"talk"};
  selection.parameters = {{"steps", {10, 3}}, {"force", {-2}}};
  EXPECT_EQ(labels(),
            (Names{"40 force=-2", "40 steps=3 force=-2", "talk steps=10 force=-2", "talk steps=3 force=-2"}));
  const Case last = plan(selection).back();
  EXPECT_EQ(last.problem.parameters, (std::array<std::int64_t, 4>{3, -2, 7, 7}));
  EXPECT_EQ(last.problem.extents, (Extents{1, 2, 3}));
}

TEST_F(Plan, AsksKernelsForProblemsOfTheirType) {
  selection.kernels = {"pltest"};
  selection.sizes = {77};
  selection.types = {ElementType::float32};
  EXPECT_FALSE(plan(selection).empty());
  selection.types = {ElementType::float64};
  EXPECT_EQ(refusal(),
            "the options select no case: pltest: N = 77 is left out: 77 doubles are none. Choose other sizes "
            "or variants.");
}

TEST_F(Plan, LeavesOutWhatAKernelRefusesAndPlansTheRest) {
  selection.sizes = {77, 100};
  selection.types = {ElementType::float64};
  const std::vector<Case> cases = plan(selection, &notes);
  EXPECT_FALSE(cases.empty());
  for (const Case& one : cases) EXPECT_EQ(one.problem.n, 100);
  EXPECT_EQ(std::count(notes.begin(), notes.end(), "pltest: N = 77 is left out: 77 doubles are none"), 1);
}

TEST_F(PlanProgram, RefusesParametersAndShapesThatCannotBe) {
  selection.parameters = {{"step", {1}}};
  EXPECT_EQ(
      refusal(),
      "none of the selected kernels has a parameter `step`. Did you mean `steps`? They have steps, force.");
  selection.parameters = {{"steps", {0}}};
  EXPECT_EQ(refusal(), "steps of plprogram cannot be 0. The value must be from 1 to 5000.");
  selection.parameters = {};
  selection.shapes = {{13, 1, 1}};
  EXPECT_EQ(refusal(),
            "the options select no case: plprogram: 13x1x1 is left out: thirteen is unlucky. Choose other "
            "sizes or variants.");
  notes.clear();
  selection.kernels = {"pltest"};
  EXPECT_EQ(refusal(),
            "the options select no case: pltest has no shapes such as 100x37, so shapes of -n are ignored "
            "for this kernel. Choose other sizes or variants.");
}

TEST_F(Plan, RefusesAnUnknownKernelWithTheNearest) {
  selection.kernels = {"p(l"};
  EXPECT_TRUE(refusal().starts_with("`p(l` of --kernels "));  // the regex library's own message follows
  selection.kernels = {"pltset"};
  test::expect_golden(refusal(), "plan/refusals:kernels");
}

TEST_F(Plan, RefusesAnUnknownVariantWithTheNearest) {
  selection.variants = {"cuda.plane"};
  EXPECT_EQ(refusal(),
            "no variant of pltest matches `cuda.plane`. Did you mean `cuda.plain`? `sextant list variants` "
            "lists them.");
}

TEST_F(Plan, SaysThatAModelIsLeftOutOfTheBuild) {
  for (const ModelBuild& build : model_builds()) {
    if (build.built) continue;
    selection.kernels = {"pltest_float"};  // this build has none of its variants
    selection.classes = {"S"};
    selection.sizes = {};
    selection.variants = {name_of(build.model)};
    test::expect_golden(test::replaced(test::replaced(refusal(ExitCode::missing), build.reason, "REASON"),
                                       name_of(build.model), "MODEL"),
                        "plan/refusals:model left out");
    return;
  }
  GTEST_SKIP() << "this build has every model";
}

TEST_F(Plan, SaysThatAVariantOfTheKernelIsLeftOutByItsNameOrItsModel) {
  selection.kernels = {"plfoldered"};
  for (const char* pattern : {"library.plpeer", "library"}) {
    selection.variants = {pattern};
    EXPECT_EQ(refusal(ExitCode::missing),
              "the variant library.plpeer is left out of this build: the peer is not installed. `sextant "
              "doctor` shows what each model needs.");
  }
  selection.kernels = {"pltest"};  // this variant belongs to another kernel
  selection.variants = {"library.plpeer"};
  EXPECT_EQ(refusal(), "no variant of pltest matches `library.plpeer`. `sextant list variants` lists them.");
}

TEST(PlanOfTheBuild, ASuitesClassesAreThoseOfItsProgramsAlone) {
  if (!find_kernel("npb_sp")) GTEST_SKIP() << "this build has no npb_sp";
  const auto kernels_of = [](const Selection& selection) {
    std::set<std::string> names;
    for (const Case& one : plan(selection)) names.insert(one.kernel);
    return names;
  };
  Selection selection;
  selection.suites = {"npb"};
  selection.classes = {"S"};
  EXPECT_TRUE(kernels_of(selection).contains("npb_sp"));
  EXPECT_FALSE(kernels_of(selection).contains("npb_sp_field"));
  EXPECT_FALSE(kernels_of(selection).contains("npb_cg_vector"));
  selection.kernels = {"npb_sp_field"};
  EXPECT_EQ(kernels_of(selection), (std::set<std::string>{"npb_sp_field"}));
}

TEST(PlanOfTheBuild, NotesWhatIsLeftOutBesideWhatIsThere) {
  for (const ModelBuild& build : model_builds()) {
    if (build.built) continue;
    Selection selection;
    selection.kernels = {registry().front().kernel.name};
    selection.variants = {"serial", name_of(build.model)};
    std::vector<std::string> notes;
    const std::vector<Case> cases = plan(selection, &notes);
    EXPECT_FALSE(cases.empty());
    ASSERT_FALSE(notes.empty());
    EXPECT_EQ(notes.front(), std::string("the model ") + name_of(build.model) +
                                 " is left out of this build: " + build.reason);
    return;
  }
  GTEST_SKIP() << "this build has every model";
}

TEST_F(Plan, RefusesTunablesAndValuesThatAreNone) {
  selection.variants = {"cuda"};
  selection.tunings = {{"blok_x", {32}}};
  std::string all = refusal() + "\n";
  selection.tunings = {{"block_x", {33}}};
  all += refusal() + "\n";
  selection.variants = {"serial"};
  all += refusal() + "\n";
  test::expect_golden(all, "plan/refusals:tunables");
}

TEST_F(Plan, OffersTheThreadsOfOpenMPVariantsAsATunable) {
  selection.variants = {"openmp", "cuda"};
  selection.tunings = {{"treads", {2}}};
  EXPECT_EQ(refusal(),
            "none of the selected variants has a tunable `treads`. Did you mean `threads`? Their tunables "
            "are threads, block_x, block_y. `sextant list variants` lists them.");
}

TEST_F(Plan, RefusesTuningsThatNoVariantTakes) {
  selection.variants = {"cuda.plain"};
  selection.tunings = {{"block_x", {64}}, {"block_y", {4}}};
  EXPECT_EQ(
      refusal(),
      "no variant accepts the values of --tunings: pltest cuda.plain rejects block_x=64 block_y=4 (blocks "
      "have at most 128 threads). Choose other values, or all valid ones with `-t all`.");
  selection.tunings["block_y"] = {2, 4};
  EXPECT_EQ(names().size(), 2u);  // the second one is planned, and skipped when it runs
  selection.tunings = {};
  selection.all_tunings = true;
  EXPECT_EQ(names().size(), 6u);
}

TEST_F(Plan, HasACaseOfEachSpaceThatIsSearched) {
  selection.variants = {"cuda"};
  selection.sizes = {100, 2000};
  selection.tunings = {{"block_x", {64}}, {"block_y", {4}}};
  selection.searched = true;
  const std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[0].tuning, (Tuning{{"block_x", 32}, {"block_y", 2}}));
  EXPECT_EQ(cases[1].tuning, (Tuning{{"block_x", 128}}));
  EXPECT_EQ(cases[2].tuning, (Tuning{{"block_x", 64}, {"block_y", 2}}));
}

TEST_F(Plan, RefusesTypesAndDevicesThatAreNone) {
  selection.types = {ElementType::int32};
  std::string all = refusal() + "\n";
  selection.types = {};
  std::string last;
  for (const char* device : {"gpu", "gpux", "GPU0", "cuda", "gpu0000"}) {
    selection.device = device;
    last = refusal();
  }
  all += last + "\n";
  selection.device = "cpu";
  selection.variants = {"cuda"};
  all += refusal() + "\n";
  test::expect_golden(all, "plan/refusals:types and devices");
}

// A device such as gpu0:2 places two partitions on one GPU. `verify` may use it, but timing may not.
TEST_F(Plan, RefusesToTimePartsThatShareAGpu) {
  Variant parts = variant("cuda.parts", Model::cuda, MemorySpace::partitioned, {});
  Kernel kernel = find_kernel("pltest")->kernel;
  kernel.name = "plparts";
  add_to_registry({kernel, {parts}});
  selection.kernels = {"plparts"};
  selection.device = "gpu0:2";
  EXPECT_EQ(names(), (Names{"cuda.parts"}));
  selection.timed = true;
  EXPECT_EQ(refusal(),
            "gpu0:2 is 2 partitions on one GPU. Only `sextant verify` runs them, because their times do not "
            "apply to several GPUs. Write gpu0-1 for two GPUs, or gpu0:1 for a device group of one GPU.");
  selection.device = "gpu0:1";
  EXPECT_EQ(names(), (Names{"cuda.parts"}));
}

TEST_F(Plan, GivesEveryCaseItsOwnKey) {
  selection.types = {};
  selection.sizes = {100, 101, 102};
  selection.all_tunings = true;
  std::set<std::string> keys;
  const std::vector<Case> cases = plan(selection);
  for (const Case& one : cases) keys.insert(key_of(one));
  EXPECT_EQ(keys.size(), cases.size());
  Case one = plan(selection).front();
  EXPECT_EQ(key_of(one), "pltest|serial.baseline|float|100|100x1x1|0 0 0 0||cpu|warm");
  one.cache = CacheMode::cold;
  one.tuning = {{"a", 1}, {"b", 2}};
  one.problem_class = "S";
  EXPECT_EQ(key_of(one), "pltest|serial.baseline|float|S|100x1x1|0 0 0 0|a=1 b=2|cpu|cold");
}

// The cases of a selection with --fill zeros, and its notes.
struct Filled {
  std::vector<std::string> cases, notes;
};

Filled filled(const std::vector<std::string>& kernels, const std::vector<std::int64_t>& sizes) {
  Selection selection;
  selection.kernels = kernels;
  selection.variants = {"serial.baseline"};
  selection.sizes = sizes;
  selection.types = {ElementType::float32};
  selection.fill = InputFill::zeros;
  Filled found;
  for (const Case& one : plan(selection, &found.notes)) {
    EXPECT_EQ(one.fill, InputFill::zeros);
    found.cases.push_back(one.kernel + " " + std::to_string(one.problem.n));
  }
  return found;
}

TEST(PlanFill, LeavesOutKernelsWithInputsOfTheirOwn) {
  const Filled some = filled({"triad", "dot", "increment", "alias"}, {3000, 6000});
  EXPECT_EQ(some.cases, (Names{"triad 3000", "triad 6000"}));
  EXPECT_EQ(some.notes,
            Names{"--fill zeros leaves out dot (inputs that are not uniform numbers), increment (inputs "
                  "that calls change), alias (no floating-point inputs)"});
  const Filled matmul = filled({"matmul"}, {3000, 1000000});
  EXPECT_EQ(matmul.cases, Names{"matmul 1000000"});
  EXPECT_EQ(matmul.notes,
            Names{"--fill zeros leaves out matmul float 3000 (inputs that are not uniform numbers)"});
}

TEST(PlanFill, NamesKernelsIfItAcceptsNone) {
  try {
    filled({"dot"}, {3000});
    ADD_FAILURE() << "accepted";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code, ExitCode::usage);
    EXPECT_STREQ(
        error.what(),
        "--fill zeros cannot fill the inputs of dot (inputs that are not uniform numbers). Choose kernels "
        "with uniform inputs, such as triad, or leave --fill out.");
  }
}

// Sizes per array and in bytes, for equal arrays (triad), unequal arrays (matvec), and boxes.
TEST(PlanSizes, AreMeantPerArrayAndInBytes) {
  const auto cases = [](const char* kernel, const char* sizes) {
    Selection selection;
    selection.kernels = {kernel};
    selection.variants = {"serial.baseline"};
    parse_sizes(sizes, &selection);
    std::vector<std::string> notes;
    const std::vector<Case> found = plan(selection, &notes);
    EXPECT_FALSE(notes.empty());
    return found;
  };
  const std::vector<Case> triad = cases("triad", "1000/array");
  ASSERT_EQ(triad.size(), 2u);  // float and double
  EXPECT_EQ(triad[0].problem.n, 3000);
  EXPECT_EQ(triad[0].problem.extents, (Extents{1000, 1, 1}));
  const std::vector<Case> bytes = cases("triad", "24kB");
  EXPECT_EQ(bytes[0].problem.n, 6000);
  EXPECT_EQ(bytes[1].problem.n, 3000);  // double
  const std::vector<Case> matvec = cases("matvec", "10000/array");
  EXPECT_EQ(matvec[0].problem.extents.x, 100);
  EXPECT_EQ(matvec[0].problem.n, 100 * 100 + 2 * 100);
  EXPECT_EQ(cases("heat3d_r2", "64000/array")[0].problem.extents, (Extents{40, 40, 40}));
}

// The default size of every kernel fits into 16 GiB of memory.
TEST(PlanSizes, OfEveryKernelHaveDefaultsThatFit) {
  for (const RegisteredKernel& entry : registry()) {
    if (entry.kernel.name.starts_with("pl")) continue;
    Selection selection;
    selection.kernels = {entry.kernel.name};
    for (const Case& one : plan(selection)) {
      double elements = 0;
      for (std::size_t i = 0; i < entry.kernel.arrays.size(); ++i)
        elements += static_cast<double>(entry.kernel.elements(one.problem, static_cast<int>(i)));
      ASSERT_LT(elements * 8, 16e9) << entry.kernel.name << " " << one.problem.n;
    }
  }
}

TEST(PlanSizes, ShapesAreWrittenWhole) {
  EXPECT_EQ(shape_text({1, 1, 1}), "1x1x1");
  EXPECT_EQ(shape_text({7, 1, 1}), "7x1x1");
  EXPECT_EQ(shape_text({7, 5, 1}), "7x5");
  EXPECT_EQ(shape_text({7, 1, 3}), "7x1x3");
}

TEST_F(Plan, PlansAHundredThousandCases) {
  selection.types = {};
  selection.sizes = {};
  selection.all_tunings = true;
  for (std::int64_t n = 1000; n < 1000 + 4546; ++n) selection.sizes.push_back(n);
  EXPECT_EQ(plan(selection).size(), 4546u * 25);  // 13 variants and tunings in float, 12 in double
}

std::vector<std::int64_t> sizes(const std::string& text) {
  Selection selection;
  parse_sizes(text, &selection);
  return selection.sizes;
}
using Sizes = std::vector<std::int64_t>;

TEST(Sizes, ReadsEveryForm) {
  EXPECT_EQ(sizes("7936,130560"), (Sizes{7936, 130560}));
  EXPECT_EQ(sizes("64Ki"), (Sizes{65536}));
  EXPECT_EQ(sizes("1.5Mi"), (Sizes{1572864}));
  EXPECT_EQ(sizes("2^20"), (Sizes{1 << 20}));
  EXPECT_EQ(sizes("2^50,1125899906842624"), (Sizes{std::int64_t{1} << 50, std::int64_t{1} << 50}));
  EXPECT_EQ(sizes("1e6,3k,2G"), (Sizes{1000000, 3000, 2000000000}));
  EXPECT_EQ(sizes("1Ki:64Ki:x4"), (Sizes{1024, 4096, 16384, 65536}));
  EXPECT_EQ(sizes("1:10:x1.5"), (Sizes{1, 2, 3, 5, 8}));
  EXPECT_EQ(sizes("32:128:+32"), (Sizes{32, 64, 96, 128}));
  EXPECT_EQ(sizes("32:127:+32"), (Sizes{32, 64, 96}));
  EXPECT_EQ(sizes("5:5:x2"), (Sizes{5}));
  EXPECT_EQ(sizes("1 2, 3 ,4"), (Sizes{1, 2, 3, 4}));
  Selection selection;
  parse_sizes("S,W,64,A", &selection);
  EXPECT_EQ(selection.classes, (Names{"S", "W", "A"}));
  EXPECT_EQ(selection.sizes, (Sizes{64}));
  parse_sizes("100x37x53,64x32", &selection);
  EXPECT_EQ(selection.shapes, (std::vector<Extents>{{100, 37, 53}, {64, 32, 1}}));
}

TEST(Sizes, RefusesWhatIsNone) {
  std::string all, remedy;
  for (const char* text : {"",
                           ",",
                           "1,,2",
                           "0",
                           "-5",
                           "12x",
                           "1.5",
                           "2^",
                           "^3",
                           "2^99",
                           "1e30",
                           "8x0x8",
                           "1x2x3x4",
                           "999999999x999999999",
                           "8x",
                           "64Kib",
                           "0x10",
                           "1:2",
                           "1:2:3",
                           "1:2:x1",
                           "1:2:x0.5",
                           "1:2:xinf",
                           "1:2:x2y",
                           "1:2:+0",
                           "9:1:x2",
                           "1:2:x2:3",
                           "1, ,2",
                           "nan:",
                           "1:2^50:+1",
                           "64 Ki",
                           "1125899906842625"})
    try {
      sizes(text);
      ADD_FAILURE() << "`" << text << "` was accepted";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code, ExitCode::usage);
      const std::string message = error.what();
      if (remedy.empty()) remedy = message.substr(message.find(" A size is a number of elements"));
      EXPECT_TRUE(message.ends_with(remedy)) << message;
      all += test::replaced(message, remedy, "") + "\n";
    }
  test::expect_golden(all + remedy, "plan/refusals:sizes");
}

TEST(Nearest, CountsEditsAndSwapsWithoutCase) {
  EXPECT_EQ(edit_distance("triad", "triad"), 0);
  EXPECT_EQ(edit_distance("Triad", "tirad"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, SuggestsOnlyWhatIsNear) {
  const std::vector<std::string> names = {"copy", "scale", "stencil1d_2pt", "stencil2d_4pt", "triad"};
  EXPECT_EQ(nearest("coyp", names), (Names{"copy"}));
  EXPECT_EQ(nearest("stencil", names), (Names{"stencil1d_2pt", "stencil2d_4pt"}));
  EXPECT_EQ(nearest("fourier", names), Names{});
  EXPECT_EQ(nearest("xy", names), Names{});
  EXPECT_EQ(did_you_mean("sten", {"a_stencil", "stencil_a", "stencil_b", "stencil_c"}),
            " Did you mean `stencil_a`, `stencil_b` or `stencil_c`?");
}

TEST(Pattern, WhatMayTakeForEverIsRefused) {
  for (const char* pattern : {"(a*)*b", "((.*)*)*", "(a|ab)+", "(x+y?)*", "(.*.*)+z", "a{1000}", "(a)\\1"})
    EXPECT_THROW(Pattern(pattern, "--kernels"), UserError) << pattern;
  EXPECT_THROW(Pattern(std::string(201, 'a'), "--kernels"), UserError);
  for (const char* pattern : {"heat3d_r.", ".*", "stencil.*|rows", "(copy|add)", "cuda\\.(vector|shared)",
                              "[a-c]+", "(stride(2|4))?", "stride\\d+", "a{2,3}", "[(*]+", "(?:ab)+"})
    EXPECT_NO_THROW(Pattern(pattern, "--kernels")) << pattern;
}

TEST(Suites, ThatABuildLeavesOutAreSaidWhereAllAreAskedFor) {
  std::deque<RegisteredKernel> built(2);
  built[0].suite = "kernels";
  built[1].suite = "npb";
  EXPECT_EQ(suites_left_out(built), (std::vector<std::string>{"programs", "patterns"}));
  Selection selection;
  EXPECT_EQ(note_on_suites(selection, built), "");
  selection.suites = {"kernels"};
  EXPECT_EQ(note_on_suites(selection, built), "");
  selection.suites = {"all"};
  EXPECT_EQ(note_on_suites(selection, built),
            "this build leaves out the suites programs, patterns. Build it with all of them: cmake "
            "-DSEXTANT_SUITES='kernels;programs;npb;patterns'.");
}

}  // namespace
}  // namespace sextant
