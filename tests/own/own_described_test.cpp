// Tests user kernels that a description defines: the system's compiler compiles them, and the engine finds
// bugs in them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "base/child.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/compile.hpp"
#include "own/description/asked.hpp"
#include "own/kernel/described_cuda.hpp"
#include "own/kernel/described_kernel.hpp"
#include "own/kernel/fills.hpp"
#include "own/kernel/forms_check.hpp"
#include "own_description.hpp"
#include "plan/fillable.hpp"
#include "plan/plan.hpp"
#include "refusal.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;
using test::with;

// y = 2 a x + 1 in three variants: a loop, a loop with a macro, and a loop with threads.
const std::string scaled = R"own(/* sextant
name = "scaled"
types = ["float", "double"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
scalars = { a = 0.1 }
work = { flops = "3*n" }
reference = "serial.baseline"
tolerance = { relative = "2 * eps", absolute = "eps", reason = "three roundings" }
[variant."serial.baseline"]
function = "loop"
arguments = ["n", "a", "x", "y"]
[variant."serial.unrolled"]
function = "unrolled"
arguments = ["int(n)", "a", "x", "y", "chunk"]
tune = { unroll = [1, 2, 4], chunk = [16, 64] }
constraint = [{ condition = "unroll < 4 or chunk > 16", reason = "too little to unroll" }]
[variant."openmp.threads"]
function = "threads<T>"
arguments = ["n", "a", "x", "y"]
*/
#include "helper.hpp"
void loop(long n, T a, const T* x, T* y) {
  for (long i = 0; i < n; ++i) y[i] = twice(a * x[i]) + 1;
}
#ifdef unroll
void unrolled(int n, T a, const T* x, T* y, int chunk) {
  for (int begin = 0; begin < n; begin += chunk)
    for (int i = begin; i < n && i < begin + chunk; ++i) y[i] = twice(a * x[i]) + 1;
}
#endif
template <typename U>
void threads(long n, U a, const U* x, U* y) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) y[i] = twice(a * x[i]) + 1;
}
)own";

const std::string helper = "template <typename U> U twice(U x) { return 2 * x; }\n";

class Described : public testing::Test {
 protected:
  Described() {
    fs::create_directories(folder_);
    setenv("SEXTANT_CACHE", (folder_ / "cache").c_str(), 1);
    write("helper.hpp", helper);
  }
  ~Described() override {
    fs::remove_all(folder_);
    unsetenv("SEXTANT_CACHE");
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  // Adds the kernel under a unique name, so that tests do not affect each other.
  const RegisteredKernel& add(std::string text) const {
    static int count = 0;
    const std::string name = "described_" + std::to_string(++count);
    const std::size_t at = text.find("name = \""), end = text.find('"', at + 8);
    text.replace(at + 8, end - at - 8, name);
    add_to_registry(described(read_description(write(name + ".cpp", text))));
    return *find_kernel(name);
  }

  Measurement run(const RegisteredKernel& entry, const std::string& variant, std::int64_t n,
                  ElementType type = ElementType::float32, Tuning tuning = {}) const {
    const Variant* form = find_variant(entry, variant);
    if (!form) throw std::runtime_error(variant);
    const Problem problem{n, type, entry.kernel.extents(n), {}};
    if (tuning.empty()) tuning = default_tuning(*form, problem);
    CaseRunner runner([](Stage) {});
    Settings settings;
    settings.check_only = true;
    settings.guard_bytes = 4096;
    return runner.run({entry.kernel.name, variant, "", problem, tuning, "cpu"}, settings);
  }

  void expect_right(const RegisteredKernel& entry, const std::string& variant, std::int64_t n,
                    ElementType type = ElementType::float32, const Tuning& tuning = {}) const {
    const Measurement measurement = run(entry, variant, n, type, tuning);
    EXPECT_EQ(measurement.status, Status::ok) << variant << " " << n << ": " << measurement.reason;
  }

  // Returns the reason why a modified kernel fails.
  std::string reason(const std::string& from, const std::string& to,
                     const std::string& variant = "serial.unrolled") const {
    const Measurement measurement = run(add(with(scaled, from, to)), variant, 1000);
    EXPECT_NE(measurement.status, Status::ok);
    return measurement.reason;
  }

  std::size_t images() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache"))
      count += entry.path().extension() == ".so";
    return count;
  }

  fs::path folder_ = fs::temp_directory_path() / ("own_described_" + std::to_string(::getpid()));
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Described, IsAKernelAsAnyOther) {
  const RegisteredKernel& entry = add(scaled);
  const Kernel& kernel = entry.kernel;
  EXPECT_EQ(kernel.group, "own");
  EXPECT_TRUE(kernel.has(ElementType::float64));
  EXPECT_FALSE(kernel.has(ElementType::int32));
  EXPECT_EQ(kernel.extents(1001), (Extents{500, 1, 1}));
  EXPECT_EQ(kernel.extents(1).count(), 0);
  const Problem problem{1001, ElementType::float32, kernel.extents(1001), {}};
  EXPECT_EQ(kernel.elements(problem, 1), 500);
  const Work work = kernel.work(problem);
  EXPECT_EQ(work.bytes_read, 2000);
  EXPECT_EQ(work.bytes_written, 2000);
  EXPECT_EQ(work.flops, 1500);
  EXPECT_EQ(work.items, 500);
  EXPECT_DOUBLE_EQ(kernel.tolerance(problem).relative, 0x1p-22);
  EXPECT_STREQ(kernel.tolerance_reason, "three roundings");
  EXPECT_EQ(entry.variants.size(), 3u);
  EXPECT_EQ(entry.variants[2].model, Model::openmp);
}

TEST_F(Described, TellsAdviceItsOperationsTraitsAndLaunches) {
  const std::string counted = with(
      with(with(scaled, "flops = \"3*n\"", "flops = \"3*n\", integers = \"2*n\""),
           "reference =", "traits = { loads = 1, stores = 2, stride = 3, divergence = 0.5 }\nreference ="),
      "arguments = [\"n\", \"a\", \"x\", \"y\"]", "arguments = [\"n\", \"a\", \"x\", \"y\"]\nrepeat = 4");
  const Kernel& kernel = add(counted).kernel;
  const Problem problem{1000, ElementType::float32, kernel.extents(1000), {}};
  EXPECT_EQ(kernel.work(problem).integer_operations, 1000);
  const Traits traits = kernel.traits(problem);
  EXPECT_EQ(traits.loads, 1);
  EXPECT_EQ(traits.stores, 2);
  EXPECT_EQ(traits.stride_read, 3);
  EXPECT_EQ(traits.stride_write, 3);
  EXPECT_EQ(traits.divergence, 0.5);
  EXPECT_EQ(traits.launches, 4);
  EXPECT_EQ(traits.depth, Traits::not_known);
}

TEST_F(Described, MayBeFilledWhereItsFileGivesNoFill) {
  const auto refusal = [&](const std::string& text) {
    const Kernel& kernel = add(text).kernel;
    return why_not_filled(kernel, {1000, ElementType::float32, kernel.extents(1000), {}});
  };
  EXPECT_EQ(refusal(scaled), nullptr);
  EXPECT_STREQ(refusal(with(scaled, "role = \"in\",", "role = \"in\", fill = \"zero\",")),
               "inputs that are not uniform numbers");
  EXPECT_STREQ(refusal(with(scaled, "role = \"in\",", "role = \"inout\",")), "inputs that calls change");
  std::ofstream(folder_ / "constant.cu")
      << with(test::saxpy, "constraint =", "constants = { d_x = \"x\" }\nconstraint =");
  const Kernel constant = described(read_description(folder_ / "constant.cu")).kernel;
  EXPECT_FALSE(is_fillable(constant, {1000, ElementType::float32, constant.extents(1000), {}}, 0));
}

TEST_F(Described, PassesWhatIsRight) {
  const RegisteredKernel& entry = add(scaled);
  for (const std::int64_t n : {2, 3, 97, 4099}) {
    expect_right(entry, "serial.baseline", n);
    expect_right(entry, "openmp.threads", n, ElementType::float64);
    for (const int unroll : {1, 2})
      expect_right(entry, "serial.unrolled", n, ElementType::float32, {{"unroll", unroll}, {"chunk", 16}});
  }
}

// A tunable that the code mentions is compiled as a macro. Other tunables are passed at launch.
TEST_F(Described, CompilesOnlyWhereAMacroChanges) {
  const RegisteredKernel& entry = add(scaled);
  const auto images_after = [&](int unroll, int chunk) {
    expect_right(entry, "serial.unrolled", 1000, ElementType::float64,
                 {{"unroll", unroll}, {"chunk", chunk}});
    return images();
  };
  EXPECT_EQ(images_after(1, 16), 2u);  // includes the reference
  EXPECT_EQ(images_after(1, 64), 2u);  // chunk is passed at launch
  EXPECT_EQ(images_after(2, 64), 3u);  // unroll is a macro
}

// A tunable becomes a macro only if its name occurs in the code, not if only the description contains it.
TEST_F(Described, MacrosAreWordsOfTheCode) {
  const auto macros = [&](const std::string& text) {
    const Description description = read_description(write("a.cpp", text));
    return macros_of(description, description.variants[1]);
  };
  EXPECT_EQ(macros(scaled), (std::vector<bool>{true, false}));
  EXPECT_EQ(macros(with(scaled, "#ifdef unroll", "#ifdef unrolled_by")), (std::vector<bool>{false, false}));
  EXPECT_EQ(macros(with(scaled, "[1, 2, 4]", "[\"1\", \"2\"]")), (std::vector<bool>{true, false}));
}

TEST_F(Described, ConstraintsGiveTheirReasons) {
  const RegisteredKernel& entry = add(scaled);
  EXPECT_EQ(run(entry, "serial.unrolled", 1000, ElementType::float32, {{"unroll", 4}, {"chunk", 16}}).reason,
            "too little to unroll");
  const Problem huge{
      std::int64_t{1} << 40, ElementType::float32, entry.kernel.extents(std::int64_t{1} << 40), {}};
  const int tuning[] = {1, 16};
  EXPECT_STREQ(find_variant(entry, "serial.unrolled")->constraint(huge, tuning),
               "int(n) is 549755813888 here, above int");
}

TEST_F(Described, CatchesPlantedBugs) {
  const std::string body = "i < begin + chunk; ++i)";
  EXPECT_TRUE(holds(reason("int begin = 0", "int begin = 16"), "y[0]"));
  EXPECT_TRUE(holds(reason("begin < n; begin", "begin < n - 16; begin"), "y["));
  EXPECT_TRUE(holds(reason("begin += chunk)\n", "begin += chunk, const_cast<T*>(x)[0] = 3)\n"), "x"));
  EXPECT_TRUE(holds(reason("int i = begin; i < n &&", "int i = begin; i <= n &&"), "y"));
  EXPECT_TRUE(holds(reason(body, body + " if (i != 7)"), "y[7]"));
}

// Outputs start as poison, so a result computed from an output that was not written is wrong. A float scalar
// makes a double result too inaccurate.
TEST_F(Described, CatchesUninitialisedMemoryAndNarrowScalars) {
  const std::string sum = reason("twice(a * x[i]) + 1;\n}\n#endif", "y[i] + twice(a * x[i]) + 1;\n}\n#endif");
  EXPECT_TRUE(holds(sum, "nan, not ")) << sum;
  const RegisteredKernel& narrow = add(with(scaled, "int n, T a, const T* x", "int n, float a, const T* x"));
  EXPECT_EQ(run(narrow, "serial.unrolled", 1000, ElementType::float32).status, Status::ok);
  const Measurement wide = run(narrow, "serial.unrolled", 1000, ElementType::float64);
  EXPECT_EQ(wide.status, Status::wrong);
  EXPECT_TRUE(holds(wide.reason, "the allowed difference is")) << wide.reason;
}

TEST_F(Described, SaysWhereACallDoesNotFitItsFunction) {
  const std::string few = reason("T* y, int chunk)", "T* y, int chunk, int more)");
  EXPECT_TRUE(holds(few, "does not compile: described_")) << few;
  EXPECT_TRUE(holds(few, ".cpp:15:")) << few;  // the position of the arguments
  EXPECT_TRUE(holds(few, "too few arguments to function")) << few;
  EXPECT_TRUE(holds(few, "to repeat: g++ -std=c++20")) << few;
  const std::string wrong = reason("\"a\", \"x\", \"y\", \"chunk\"]", "\"x\", \"a\", \"y\", \"chunk\"]");
  EXPECT_TRUE(holds(wrong, "cannot convert")) << wrong;
}

TEST_F(Described, SaysWhatTheCompilerSaysFirst) {
  const std::string first = reason("#ifdef unroll\n", "#ifdef unroll\nint one = two;\nint three = four;\n");
  EXPECT_TRUE(holds(first, ".cpp:27:11: error: ‘two’ was not declared") ||
              holds(first, ".cpp:27:11: error: 'two' was not declared"))
      << first;
  EXPECT_TRUE(holds(first, "(the first of ")) << first;
  const std::size_t at = first.find("all messages: ") + 14;
  std::string log;
  ASSERT_TRUE(read_file(first.substr(at, first.find(';', at) - at), &log));
  EXPECT_TRUE(holds(log, "four")) << log;
}

TEST_F(Described, SaysThatTheReferenceWantsT) {
  const std::string text = reason("void loop(long n, T a, const T* x, T* y)",
                                  "void loop(long n, float a, const float* x, float* y)");
  EXPECT_TRUE(holds(text, "the reference does not compile")) << text;
  EXPECT_TRUE(holds(text, "write T instead of float")) << text;
}

// A reference may be written for float only. Its rounding errors count as part of the allowed error.
TEST_F(Described, AReferenceMayRunInFloat) {
  std::string text = with(scaled, "void loop(long n, T a, const T* x, T* y)",
                          "void loop(long n, float a, const float* x, float* y)");
  text = with(text, "[\"float\", \"double\"]", "[\"float\"]");
  const RegisteredKernel& entry =
      add(with(text, "reference = \"serial.baseline\"",
               "reference = { variant = \"serial.baseline\", precision = \"float\" }"));
  expect_right(entry, "serial.unrolled", 1000);
  EXPECT_EQ(entry.checked_by, "serial.baseline, run in float");
  EXPECT_EQ(run(entry, "serial.baseline", 1000).error, 0);
}

TEST_F(Described, SaysWhatTheReferenceLeftUnset) {
  const std::string text =
      reason("for (long i = 0; i < n; ++i) y[i] = twice(a * x[i]) + 1;\n}\n#ifdef",
             "for (long i = 0; i < n; ++i) if (i != 3) y[i] = twice(a * x[i]) + 1;\n}\n#ifdef");
  EXPECT_TRUE(holds(text, "the reference left y[3] unset")) << text;
}

TEST_F(Described, KeepsImagesUntilAnIncludedFileChanges) {
  const std::string file = write("a.cpp", scaled);
  const Description description = read_description(file);
  const int tuning[] = {1, 16};
  const Instance instance{description, description.variants[1], ElementType::float32, tuning};
  const Image first = compile_host(instance);
  ASSERT_FALSE(first.path.empty()) << first.problem;
  const std::string kept = first.path + ".kept";  // a hard link to that file
  fs::create_hard_link(first.path, kept);
  EXPECT_EQ(compile_host(instance).path, first.path);
  EXPECT_TRUE(fs::equivalent(first.path, kept));  // the image was not compiled again
  write("helper.hpp", helper + "// changed\n");
  EXPECT_NE(compile_host(instance).path, first.path);
}

// Headers found through -I are not part of the sources' text. The compiler reports which of them it read.
TEST_F(Described, KeepsImagesUntilAHeaderOfAnIncludeFolderChanges) {
  fs::create_directory(folder_ / "lib");
  write("lib/far.hpp", "const int far = 1;\n");
  const Description description =
      read_description(write("b.cpp", with(with(scaled, "types =", "include = [\"lib\"]\ntypes ="),
                                           "#include", "#include <far.hpp>\n#include")));
  const int tuning[] = {1, 16};
  const Instance instance{description, description.variants[1], ElementType::float32, tuning};
  const Image first = compile_host(instance);
  ASSERT_FALSE(first.path.empty()) << first.problem;
  EXPECT_TRUE(is_cached(first.path));
  write("lib/far.hpp", "const int far = 2;\n");
  EXPECT_FALSE(is_cached(first.path));
}

TEST_F(Described, RepeatsWithArraysSwapped) {
  const std::string text = R"own(/* sextant
name = "steps"
types = ["double"]
shape = ["w", "h"]
arrays = [ { name = "u", role = "inout", length = "w*h" }, { name = "v", role = "inout", length = "w*h", fill = "zero" } ]
reference = { file = "ref.cpp", function = "five_steps", arguments = ["w", "h", "u", "v"] }
tolerance = { absolute = 1e-12, reason = "sums of four" }
[variant."serial.step"]
function = "step"
arguments = ["w", "h", "u", "v"]
repeat = 5
swap = ["u", "v"]
*/
void step(long w, long h, const T* u, T* v) {
  for (long y = 0; y < h; ++y)
    for (long x = 0; x < w; ++x) v[y * w + x] = (u[y * w + (x + 1) % w] + u[((y + 1) % h) * w + x]) / 2;
}
)own";
  write("ref.cpp",
        "#include <utility>\nvoid five_steps(long w, long h, T* u, T* v) {\n  for (int s = 0; s < 5; ++s) {\n"
        "    for (long y = 0; y < h; ++y) for (long x = 0; x < w; ++x)\n"
        "      v[y * w + x] = (u[y * w + (x + 1) % w] + u[((y + 1) % h) * w + x]) / 2;\n    std::swap(u, "
        "v);\n  }\n}\n");
  const RegisteredKernel& entry = add(text);
  EXPECT_TRUE(entry.kernel.shaped);
  expect_right(entry, "serial.step", 2000, ElementType::float64);
  const Measurement wrong =
      run(add(with(text, "repeat = 5", "repeat = 4")), "serial.step", 2000, ElementType::float64);
  EXPECT_EQ(wrong.status, Status::wrong);
}

TEST_F(Described, PreparesOnceBeforeItRuns) {
  std::string text = with(scaled, "arguments = [\"int(n)\"", "prepare = \"tables\"\narguments = [\"int(n)\"");
  text = with(text, "#ifdef unroll\n", "#ifdef unroll\nstatic int made = 0;\nvoid tables() { ++made; }\n");
  const RegisteredKernel& entry =
      add(with(text, "(a * x[i]) + 1;\n}\n#endif", "(a * x[i]) + made;\n}\n#endif"));
  expect_right(entry, "serial.unrolled", 1000);
  expect_right(entry, "serial.unrolled", 900);
}

TEST_F(Described, WholeNumbersAreComparedAsTheyAre) {
  std::string text = with(scaled, "[\"float\", \"double\"]", "[\"int\"]");
  text = with(text, "a = 0.1", "a = 3");
  const RegisteredKernel& entry = add(
      with(text, "tolerance = { relative = \"2 * eps\", absolute = \"eps\", reason = \"three roundings\" }\n",
           ""));
  expect_right(entry, "serial.unrolled", 1000, ElementType::int32);
  EXPECT_STREQ(entry.kernel.tolerance_reason, "whole numbers are exact");
}

TEST_F(Described, SaysWhatIsNotThere) {
  const auto message = [&](const std::string& text) { return test::refusal([&] { (void)add(text); }); };
  EXPECT_TRUE(
      holds(message(with(scaled, "function = \"loop\"", "files = [\"gone.cpp\"]\nfunction = \"loop\"")),
            ":10:10: serial.baseline names the file gone.cpp, but there is no " +
                (folder_ / "gone.cpp").string() + ". Write the file"))
      << message(with(scaled, "function = \"loop\"", "files = [\"gone.cpp\"]\nfunction = \"loop\""));
  write("scale.cu", "");
  Description t1 = description_t1(test::t1, "scale.json");
  t1.folder = folder_;
  EXPECT_TRUE(holds(test::refusal([&] { (void)described(t1); }), "scale.json names no reference"));
  const std::string none = message(with(scaled, "reference = \"serial.baseline\"\n", ""));
  EXPECT_TRUE(holds(none, "names no reference, so its results cannot be checked. Add reference = \"serial"))
      << none;
}

// Without a reference, any result passes and every measurement says so. Checks that need no reference still
// run.
TEST_F(Described, SaysThatNothingWasChecked) {
  const auto unchecked = [&](const std::string& text) {
    Description description = read_description(write("u.cpp", text));
    description.reference.reset();
    static int count = 0;
    Asked asked;
    asked.name = "free_" + std::to_string(++count);
    asked.unchecked = true;
    complete(asked, &description);
    add_to_registry(described(description));
    const RegisteredKernel& entry = *find_kernel(asked.name + "_unchecked");
    EXPECT_EQ(problem_of_forms(entry), "");
    return run(entry, "serial.unrolled", 1000);
  };
  const Measurement any = unchecked(with(scaled, "+ 1;\n}\n#endif", "- 1;\n}\n#endif"));
  EXPECT_EQ(any.status, Status::ok) << any.reason;
  ASSERT_EQ(any.warnings.size(), 1u);
  EXPECT_TRUE(any.warnings[0].starts_with("not checked: ")) << any.warnings[0];
  EXPECT_TRUE(std::isnan(any.error) && std::isnan(any.tolerance));
  const std::string body = "i < begin + chunk; ++i) y[i]";
  EXPECT_EQ(unchecked(with(scaled, body, "i < begin + chunk; ++i) if (i != 7) y[i]")).status, Status::ok);
  const Measurement past = unchecked(with(scaled, "int i = begin; i < n &&", "int i = begin; i <= n &&"));
  EXPECT_TRUE(holds(past.reason, "wrote past the end of array y")) << past.reason;
}

TEST_F(Described, FillsAsItSays) {
  DescribedArray array;
  array.name = "x";
  array.length = Expression("1000", {"N", "n"}, "the length", {});
  std::vector<float> data(1000);
  const auto fill = [&](Fill::Kind kind, const std::string& low = "0", const std::string& high = "0") {
    array.fill = {
        kind, Expression(low, {"N", "n"}, "low", {}), Expression(high, {"N", "n"}, "high", {}), "x.bin", {},
        false};
    fill_array(array, folder_, ElementType::float32, {4000, 2000}, 7, data.data());
  };
  fill(Fill::Kind::index);
  EXPECT_EQ(data[999], 999);
  fill(Fill::Kind::between, "3", "3");
  EXPECT_TRUE(std::all_of(data.begin(), data.end(), [](float one) { return one == 3; }));
  fill(Fill::Kind::between, "2", "n / 2");
  EXPECT_GE(*std::min_element(data.begin(), data.end()), 2);
  EXPECT_GT(*std::max_element(data.begin(), data.end()), 900);
  EXPECT_LE(*std::max_element(data.begin(), data.end()), 1000);
  fill(Fill::Kind::zero);
  EXPECT_EQ(data[5], 0);
  fill(Fill::Kind::sorted, "-1", "1");
  EXPECT_TRUE(std::is_sorted(data.begin(), data.end()));
  EXPECT_LT(data.front(), -0.99);
  EXPECT_GT(data.back(), 0.99);
  const auto places = [&] { return std::set<float>(data.begin(), data.end()); };
  fill(Fill::Kind::permutation);
  EXPECT_EQ(places().size(), 1000u);
  EXPECT_EQ(*places().rbegin(), 999);
  EXPECT_FALSE(std::is_sorted(data.begin(), data.end()));
  fill(Fill::Kind::distinct, "0", "n");
  EXPECT_EQ(places().size(), 1000u);
  EXPECT_GT(*places().rbegin(), 1500);
  fill(Fill::Kind::offsets, "0", "4 * n");
  EXPECT_TRUE(std::is_sorted(data.begin(), data.end()));
  EXPECT_EQ(data.front(), 0);
  EXPECT_EQ(data.back(), 8000);
  fill(Fill::Kind::links, "0", "900");
  for (std::size_t i = 0; i < data.size(); ++i)
    EXPECT_TRUE(data[i] == -1 || (data[i] > static_cast<float>(i) && data[i] < 900)) << i;
  EXPECT_GT(places().size(), 300u);
  fill(Fill::Kind::offsets, "0", "4 * n");
  std::set<float> lengths;
  for (std::size_t i = 0; i + 1 < data.size(); ++i) lengths.insert(data[i + 1] - data[i]);
  EXPECT_TRUE(lengths.contains(0));
  EXPECT_GT(lengths.size(), 10u);

  for (const auto& one :
       {std::tuple(Fill::Kind::between, "n", "0", "x: `low` is above `high`"),
        std::tuple(Fill::Kind::distinct, "0", "n / 4", "x: there are not 1000 distinct indices below 500"),
        std::tuple(Fill::Kind::file, "0", "0", "which cannot be read")})
    EXPECT_TRUE(holds(test::refusal([&] { fill(std::get<0>(one), std::get<1>(one), std::get<2>(one)); }),
                      std::get<3>(one)));
  write("x.bin", std::string(12, '\0'));
  const std::string refused = test::refusal([&] { fill(Fill::Kind::file); });
  EXPECT_TRUE(holds(refused, "x takes 4000 bytes, but ") && holds(refused, " has only 12")) << refused;
  write("x.bin", std::string(4000, '\0'));
  data[0] = 1;
  fill(Fill::Kind::file);
  EXPECT_EQ(data[0], 0);
}

// The members of structs get numbers of their types. 256 is no byte, so bytes below it take all values.
TEST_F(Described, FillsStructsAndBytes) {
  struct Cell {
    int to;
    bool open;
    float weight[2];
  };
  const std::string text =
      "{ struct = \"Cell\", member = \"unsigned char\", members = 16 }, fill = { members = [\"int\", "
      "\"bool\", "
      "\"pad[3]\", \"float[2]\"], high = \"n\", positive = true }";
  DescribedArray array =
      description_in(with(scaled, "length = \"n\" },", "length = \"n\", type = " + text + " },"), "a.cpp")
          .arrays[0];
  std::vector<Cell> cells(1000);
  fill_array(array, folder_, ElementType::uint8, {3000, 1000}, 7, cells.data());
  std::set<int> to;
  std::size_t open = 0;
  for (const Cell& one : cells) {
    EXPECT_TRUE(one.to >= 0 && one.to < 1000 && one.weight[0] >= 1 && one.weight[1] < 2);
    open += one.open ? 1 : 0;
    to.insert(one.to);
  }
  EXPECT_GT(to.size(), 500u);
  EXPECT_TRUE(open > 400 && open < 600) << open;
  array.type->members = 12;
  EXPECT_TRUE(holds(test::refusal([&] {
                      fill_array(array, folder_, ElementType::uint8, {3000, 1000}, 7, cells.data());
                    }),
                    "the members have 16 bytes, but the struct has 12"));
  array.fill = {Fill::Kind::between, Expression("0", {"N"}, "low", {}), Expression("256", {"N"}, "high", {})};
  std::vector<std::uint8_t> bytes(12000);
  fill_array(array, folder_, ElementType::uint8, {3000, 1000}, 7, bytes.data());
  EXPECT_EQ(std::set<int>(bytes.begin(), bytes.end()).size(), 256u);
  array.fill = {};
  array.type = array_type_named("bool");
  fill_array(array, folder_, ElementType::uint8, {12000, 12000}, 7, bytes.data());
  EXPECT_EQ(std::set<int>(bytes.begin(), bytes.end()), (std::set<int>{0, 1}))
      << "another bool has no meaning";
}

// Each whole number is equally frequent, the lowest one, too: -1 often stands for a missing neighbour.
TEST_F(Described, FillsWholeNumbersFromTheLowestOn) {
  DescribedArray array;
  array.name = "x";
  array.length = Expression("4000", {"N"}, "the length", {});
  for (const Fill::Kind kind : {Fill::Kind::between, Fill::Kind::sorted}) {
    array.fill = {kind, Expression("-1", {"N"}, "low", {}), Expression("3", {"N"}, "high", {})};
    std::vector<int> data(4000);
    fill_array(array, folder_, ElementType::int32, {4000}, 7, data.data());
    for (int value = -1; value < 3; ++value)
      EXPECT_NEAR(static_cast<double>(std::count(data.begin(), data.end(), value)), 1000, 150);
  }
}

// A kernel with structs, bytes, indices, 16-bit floats and 64-bit counts.
const std::string mixed = R"own(/* sextant
name = "mixed"
sizes = { n = "N / 9" }
arrays = [ { name = "p", role = "in", length = "n", type = "float4" },
           { name = "w", role = "in", length = "n", type = "uint8" },
           { name = "at", role = "in", length = "n", type = "int", fill = "permutation" },
           { name = "h", role = "in", length = "n", type = "half" },
           { name = "y", role = "out", length = "n", type = "double" },
           { name = "id", role = "out", length = "n", type = "uint64" } ]
reference = "serial.baseline"
tolerance = { absolute = "1e-12", reason = "a float and a product of bytes" }
[variant."serial.baseline"]
function = "mix"
arguments = ["n", "p", "w", "at", "h", "y", "id"]
[variant."serial.other"]
function = "other"
arguments = ["n", "p", "w", "at", "h", "y", "id"]
*/
void mix(long n, const float4* p, const std::uint8_t* w, const int* at, const __half* h, double* y, std::uint64_t* id) {
  for (long i = 0; i < n; ++i) {
    y[i] = p[at[i]].z + w[i] * float(h[i]);
    id[i] = 0x9E3779B97F4A7C15u * (w[i] + 1u) + i;
  }
}
void other(long n, const float4* p, const std::uint8_t* w, const int* at, const __half* h, double* y, std::uint64_t* id) {
  mix(n, p, w, at, h, y, id);
  BUG
}
)own";

TEST_F(Described, ArraysHaveTypesOfTheirOwn) {
  const RegisteredKernel& entry = add(with(mixed, "BUG", ""));
  const Problem problem{9000, ElementType::float32, entry.kernel.extents(9000), {}};
  EXPECT_EQ(entry.kernel.elements(problem, 0), 4000);
  EXPECT_EQ(entry.kernel.bytes(problem, 1), 1000);
  EXPECT_EQ(entry.kernel.work(problem).bytes_read, 1000 * (16 + 1 + 4 + 2));
  for (const char* variant : {"serial.baseline", "serial.other"})
    for (const std::int64_t n : {9, 100, 9001}) expect_right(entry, variant, n);
  EXPECT_EQ(entry.checked_by, "serial.baseline, run in double precision");
}

// A function may return its only result.
TEST_F(Described, AFunctionMayReturnItsResult) {
  const std::string text = R"own(/* sextant
name = "largest"
types = ["float", "double"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "most", role = "out", length = "1" } ]
reference = "serial.baseline"
tolerance = { absolute = "0", reason = "no rounding" }
[variant."serial.baseline"]
function = "largest"
arguments = ["n", "x"]
result = "most"
[variant."serial.other"]
steps = [ { function = "largest", arguments = ["n - 1", "x"], result = "most" },
          { function = "larger", arguments = ["n", "x", "most"], result = "most" } ]
*/
T largest(long n, const T* x) {
  T most = -1;
  for (long i = 0; i < n; ++i) most = x[i] > most ? x[i] : most;
  return most;
}
T larger(long n, const T* x, const T* most) { return x[n - 1] > *most ? x[n - 1] : *most; }
)own";
  const RegisteredKernel& entry = add(text);
  for (const char* variant : {"serial.baseline", "serial.other"})
    for (const std::int64_t n : {2, 100, 9001}) expect_right(entry, variant, n);
  const auto refused = [&](const std::string& from, const std::string& to) {
    return test::refusal([&] { (void)description_in(with(text, from, to), "a.cpp"); });
  };
  EXPECT_TRUE(holds(refused("result = \"most\"\n[", "result = \"x\"\n["), "names x, which is an input"));
  EXPECT_TRUE(holds(refused("result = \"most\"\n[", "result = \"y\"\n["), "names no array: \"y\""));
  EXPECT_TRUE(holds(refused("serial.other\"]\nsteps", "serial.other\"]\nresult = \"most\"\nsteps"),
                    "`result` belongs into each entry of `steps`"));
  EXPECT_TRUE(
      holds(refused("[variant.\"serial.other\"]",
                    "[variant.\"cuda.one\"]\nfunction = \"f\"\narguments = []\nblock = [\"1\"]\ngrid = "
                    "[\"1\"]\nresult = \"most\"\n[variant.\"serial.other\"]"),
            "a kernel returns no value"));
}

// The type of a struct's members is the same in the reference.
TEST_F(Described, StructsHaveNoPrecisionOfTheirOwn) {
  const char* text = R"own(/* sextant
name = "turned"
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n", type = "complex<float>" },
           { name = "y", role = "out", length = "n", type = "complex<float>" } ]
reference = "serial.baseline"
tolerance = { absolute = "0", reason = "a copy" }
[variant."serial.baseline"]
function = "turn"
arguments = ["n", "x", "y"]
*/
#include <complex>
void turn(long n, const std::complex<float>* x, std::complex<float>* y) {
  for (long i = 0; i < n; ++i) y[i] = std::conj(x[i]);
}
)own";
  EXPECT_EQ(add(text).checked_by, "serial.baseline");
}

// Decides which of two numbers is larger. One in four results is 1, and rounding changes a few results.
const std::string decisions = R"own(/* sextant
name = "decisions"
sizes = { n = "N / 3" }
arrays = [ { name = "x", role = "in", length = "n", type = "float" }, { name = "limit", role = "in", length = "n", type = "float" },
           { name = "hit", role = "out", length = "n", type = "uint8" } ]
reference = { variant = "serial.baseline", precision = "float" }
tolerance = { outliers = 0.001, reason = "numbers that are nearly equal" }
[variant."serial.baseline"]
function = "decide"
arguments = ["n", "x", "limit", "hit"]
[variant."serial.other"]
function = "other"
arguments = ["n", "x", "limit", "hit"]
*/
#include <cstring>
void decide(long n, const float* x, const float* limit, unsigned char* hit) {
  for (long i = 0; i < n; ++i) hit[i] = x[i] > 0 && limit[i] > 0;
}
void other(long n, const float* x, const float* limit, unsigned char* hit) {
  decide(n, x, limit, hit);
  BUG
}
)own";

TEST_F(Described, AStatedShareOfResultsMayBeOutliers) {
  const auto judged = [&](const std::string& bug) {
    return run(add(with(decisions, "BUG", bug)), "serial.other", 300'000);
  };
  const Measurement few = judged("for (int i = 0; i < 20; ++i) hit[7 * i] ^= 1;");
  EXPECT_EQ(few.status, Status::ok) << few.reason;
  ASSERT_EQ(few.warnings.size(), 1u);
  EXPECT_TRUE(few.warnings[0].starts_with("20 of the results exceed")) << few.warnings[0];
  EXPECT_TRUE(judged("").warnings.empty());
  // At most a thousandth of the 25000 results that are 1 may be wrong, not a thousandth of all results.
  const Measurement many = judged("for (int i = 0; i < 60; ++i) hit[7 * i] ^= 1;");
  EXPECT_EQ(many.status, Status::wrong);
  EXPECT_TRUE(holds(many.reason, "60 of 100000 elements are off, 2")) << many.reason;
  EXPECT_EQ(judged("std::memset(hit, 0, n);").status, Status::wrong);
  EXPECT_EQ(judged("std::memset(hit, hit[0], n);").status, Status::wrong);
}

// A kernel of several steps: sums of blocks, the sum of these, and a number that each repetition doubles.
const std::string stepped = R"own(/* sextant
name = "stepped"
types = ["float", "double"]
sizes = { n = "N - 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "sum", role = "out", length = 1 }, { name = "steps", role = "out", length = 1, type = "int64" } ]
reference = { file = "stepped_reference.cpp", function = "right", arguments = ["n", "x", "sum", "steps"] }
tolerance = { absolute = "n * eps", reason = "a sum" }
[variant."serial.steps"]
temporaries = [ { name = "part", length = "ceil_div(n, chunk)" }, { name = "seen", length = 8, type = "int64" } ]
steps = [ { function = "sum_blocks", arguments = ["n", "chunk", "x", "part"] },
          { function = "sum_parts", arguments = ["ceil_div(n, chunk)", "part", "sum"] },
          { function = "note", arguments = ["seen", "3 * step"], repeat = 8 },
          { function = "add_noted", arguments = ["seen", "steps"] } ]
tune = { chunk = [100, 7] }
*/
void sum_blocks(long n, long chunk, const T* x, T* part) {
  for (long begin = 0, block = 0; begin < n; begin += chunk, ++block) {
    part[block] = 0;
    for (long i = begin; i < n && i < begin + chunk; ++i) part[block] += x[i];
  }
}
void sum_parts(long parts, const T* part, T* sum) {
  *sum = 0;
  for (long i = 0; i < parts; ++i) *sum += part[i];
}
void note(std::int64_t* seen, long value) { seen[value / 3] = value; }
void add_noted(const std::int64_t* seen, std::int64_t* steps) {
  *steps = 0;
  for (int i = 0; i < 8; ++i) *steps += seen[i];
}
)own";

TEST_F(Described, RunsStepsWithTemporaryArrays) {
  write("stepped_reference.cpp",
        "#include <cstdint>\nvoid right(long n, const T* x, T* sum, std::int64_t* steps) {\n"
        "  *sum = 0;\n  for (long i = 0; i < n; ++i) *sum += x[i];\n  *steps = 84;\n}\n");
  const RegisteredKernel& entry = add(stepped);
  for (const std::int64_t n : {3, 100, 102, 103, 5002})
    for (const int chunk : {7, 100})
      expect_right(entry, "serial.steps", n, ElementType::float32, {{"chunk", chunk}});
  const Variant* variant = find_variant(entry, "serial.steps");
  const Problem problem{1002, ElementType::float64, entry.kernel.extents(1002), {}};
  const int tuning[] = {100};
  EXPECT_EQ(variant->workspace(problem, tuning), 10 * 8 + 8 * 8);
  const RegisteredKernel& late = add(with(stepped, "repeat = 8", "repeat = 7"));
  const Measurement wrong = run(late, "serial.steps", 1002);
  EXPECT_TRUE(holds(wrong.reason, "steps[0] is 63, not 84")) << wrong.reason;
}

// Each step is timed as a phase with the name of its function.
TEST_F(Described, StepsArePhases) {
  write("stepped_reference.cpp",
        "#include <cstdint>\nvoid right(long n, const T* x, T* sum, std::int64_t* steps) {\n"
        "  *sum = 0;\n  for (long i = 0; i < n; ++i) *sum += x[i];\n  *steps = 84;\n}\n");
  const RegisteredKernel& entry = add(stepped);
  CaseRunner runner([](Stage) {});
  Settings settings;
  settings.max_samples = settings.min_samples = 3;
  const Problem problem{5002, ElementType::float32, entry.kernel.extents(5002), {}};
  const Measurement measurement =
      runner.run({entry.kernel.name, "serial.steps", "", problem, {{"chunk", 100}}, "cpu"}, settings);
  ASSERT_EQ(measurement.status, Status::ok) << measurement.reason;
  std::vector<std::string> names;
  for (const Phase& one : measurement.phases) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"sum_blocks", "sum_parts", "note", "add_noted"}));
}

// The 64-bit integer is wrong in its last bit, which a double could not represent.
TEST_F(Described, WholeNumbersAreExact) {
  const RegisteredKernel& entry = add(with(mixed, "BUG", "if (n > 5) id[5] += 1;"));
  const Measurement measurement = run(entry, "serial.other", 9000);
  EXPECT_EQ(measurement.status, Status::wrong);
  EXPECT_TRUE(holds(measurement.reason, "id[5] is ")) << measurement.reason;
  EXPECT_EQ(measurement.error, 1);
  const RegisteredKernel& changes = add(with(mixed, "BUG", "const_cast<std::uint8_t*>(w)[0] ^= 1;"));
  EXPECT_TRUE(holds(run(changes, "serial.other", 9000).reason, "changed its input array w"));
}

// Constant memory is filled before the check creates its inputs, so it must not depend on the seed.
TEST_F(Described, WhatGoesIntoConstantMemoryIsTheSameForEverySeed) {
  std::ofstream(folder_ / "constant.cu")
      << with(test::saxpy, "constraint =", "constants = { d_x = \"x\" }\nconstraint =");
  const RegisteredKernel kernel = described(read_description(folder_ / "constant.cu"));
  const Problem problem{100, ElementType::float32, kernel.kernel.extents(100), {}};
  const auto filled = [&](int index, std::uint64_t seed) {
    std::vector<float> data(50);
    kernel.kernel.initialise.float32(problem, index, seed, data.data());
    return data;
  };
  EXPECT_EQ(filled(0, 1), filled(0, 2));
  EXPECT_NE(filled(1, 1), filled(1, 2));
}

// A tunable that is an argument is not in the code: other values need no compilation.
TEST_F(Described, SaysWhichTunablesAreInTheCode) {
  const std::string name = add(scaled).kernel.name;
  EXPECT_TRUE(is_in_code(name, "serial.unrolled", "unroll"));
  EXPECT_FALSE(is_in_code(name, "serial.unrolled", "chunk"));
  EXPECT_TRUE(is_in_code("nothing", "serial.unrolled", "chunk"));
  const std::string with_flag =
      add(with(scaled, "chunk = [16, 64] }", "chunk = [16, 64], flag.speed = [\"-O2\", \"-O3\"] }"))
          .kernel.name;
  EXPECT_TRUE(is_in_code(with_flag, "serial.unrolled", "flag.speed"));
}

// The message names the tunables that the block depends on.
TEST(LaunchLimits, SayWhichTunableMakesABlockTooLarge) {
  const auto said = [](const std::string& block, int most_threads) {
    const Description description =
        description_in(with(test::saxpy, "block = [\"block_size\"]", "block = [" + block + "]"), "saxpy.cu");
    const DescribedVariant& variant = description.variants.back();
    const std::int64_t block_size = 512, items = 2;
    return why_block_too_large({&description, &variant}, variant, {10000, 5000, block_size, items, 0, 0},
                               most_threads);
  };
  const std::string first = "saxpy<T> allows at most ",
                    second =
                        " threads per block on this GPU, because of its registers or launch bounds, but its "
                        "block has ";
  EXPECT_EQ(said("\"block_size\"", 512), "");
  EXPECT_EQ(said("\"block_size\"", 511), first + "511" + second + "512 with block_size = 512");
  EXPECT_EQ(said("\"block_size\", \"items\"", 640),
            first + "640" + second + "1024 with block_size = 512 and items = 2");
  EXPECT_EQ(said("\"256\", \"3\"", 640), first + "640" + second + "768");
}

TEST(Child, EndsWithItsCodeItsSignalOrTheTime) {
  const Ended right = run_to_end({"sh", "-c", "echo one; echo two >&2; exit 3"}, 10);
  EXPECT_EQ(right.code, 3);
  EXPECT_EQ(right.log, "one\ntwo\n");
  EXPECT_EQ(run_to_end({"sh", "-c", "kill -9 $$"}, 10).signal, 9);
  EXPECT_FALSE(run_to_end({"no-such-program-here"}, 10).started);
  const Ended slow = run_to_end({"sh", "-c", "sleep 100 & sleep 100"}, 0.2);  // its child processes end, too
  EXPECT_TRUE(slow.timed_out);
  EXPECT_FALSE(slow.well());
  EXPECT_EQ(shell_text({"g++", "-DA=b c", "it's"}), "g++ '-DA=b c' 'it'\\''s'");
}

// The process that releases the lock removes its file. Others may still wait for that file while new ones
// create it again.
TEST_F(Described, AnImageIsMadeByOneAtATime) {
  std::atomic<int> holders = 0;
  std::atomic<bool> alone = true;
  const auto make = [&] {
    for (int i = 0; i < 200; ++i) {
      const ImageLock lock(folder_ / "image.so");
      if (++holders != 1) alone = false;
      std::this_thread::yield();
      --holders;
    }
  };
  std::vector<std::thread> makers;
  for (int i = 0; i < 4; ++i) makers.emplace_back(make);
  for (std::thread& one : makers) one.join();
  EXPECT_TRUE(alone);
  EXPECT_FALSE(fs::exists(folder_ / "image.so.lock"));
}

TEST(Cache, ReadsARuleOfDependencies) {
  EXPECT_EQ(dependencies("a.so: shim.cpp one.hpp \\\n two\\ three.hpp\n"),
            (std::vector<std::string>{"one.hpp", "two three.hpp"}));
  EXPECT_EQ(dependencies(""), std::vector<std::string>{});
}

}  // namespace
}  // namespace sextant::own
