// Tests of kernel descriptions: what is read from them, and every error message with line and column.
#include "own_description.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "golden.hpp"
#include "own/description/description.hpp"
#include "own/description/sizes.hpp"
#include "refusal.hpp"

namespace sextant::own {
namespace {

using test::refusal;
using test::saxpy;
using test::with;

Description described(const std::string& source) { return description_in(source, "saxpy.cu"); }

// Returns the error message for the saxpy description with one part replaced.
std::string refused(const std::string& from, const std::string& to) {
  return refusal([&] { (void)described(with(saxpy, from, to)); });
}

TEST(Description, IsReadFromTheFirstCommentOfASource) {
  const Description description = described(saxpy);
  EXPECT_EQ(description.name, "saxpy");
  EXPECT_EQ(description.group, "own");
  EXPECT_EQ(description.formula, "y[i] = a*x[i] + y[i]");
  EXPECT_EQ(description.types, (std::vector<ElementType>{ElementType::float32, ElementType::float64}));
  ASSERT_EQ(description.arrays.size(), 2u);
  EXPECT_EQ(description.arrays[0].name, "x");
  EXPECT_EQ(description.arrays[1].role, Role::inout);
  EXPECT_EQ(description.scalars[0].value, 2.5);
  EXPECT_EQ(description.reference->variant, "serial.plain");
  EXPECT_EQ(description.tolerance->reason, "one multiply-add");
  EXPECT_DOUBLE_EQ(description.tolerance->relative.real_at({}), 1e-6);
  ASSERT_EQ(description.variants.size(), 2u);
  EXPECT_EQ(description.variants[0].model, Model::serial);
  EXPECT_EQ(description.variants[0].function, "saxpy_loop");
}

TEST(Description, HasArgumentsTunablesAndTheLaunch) {
  const Description description = described(saxpy);
  const DescribedVariant& cuda = description.variants[1];
  EXPECT_EQ(cuda.model, Model::cuda);
  ASSERT_EQ(cuda.arguments.size(), 4u);
  EXPECT_EQ(cuda.arguments[0].kind, DescribedArgument::Kind::expression);
  EXPECT_EQ(cuda.arguments[0].cast, "int");
  EXPECT_EQ(cuda.arguments[1].kind, DescribedArgument::Kind::scalar);
  EXPECT_EQ(cuda.arguments[3].index, 1);
  ASSERT_EQ(cuda.tunables.size(), 3u);
  EXPECT_EQ(cuda.tunables[0].choices, (std::vector<int>{64, 128, 256, 512, 1024}));
  EXPECT_EQ(cuda.tunables[2].name, "flag.math");
  EXPECT_TRUE(cuda.tunables[2].flag);
  EXPECT_EQ(cuda.tunables[2].texts, (std::vector<std::string>{"", "-use_fast_math"}));
  EXPECT_EQ(description.names_for(cuda),
            (std::vector<std::string>{"N", "n", "block_size", "items", "flag.math"}));
  const std::vector<std::int64_t> values = {1000, 500, 128, 2, 0};
  EXPECT_EQ(cuda.grid[0].at(values), 2);
  EXPECT_EQ(cuda.arguments[0].value.at(values), 500);
  EXPECT_EQ(cuda.constraints[0].condition.at(values), 1);
  EXPECT_EQ(cuda.constraints[0].reason, "not block_size * items <= 4096");
}

// The first choice in the list is preferred. The choices are then sorted.
TEST(Description, TunablesAreSortedAndKeepTheirPreference) {
  const Description description = described(with(saxpy, "[64, 128, 256, 512, 1024]", "[256, 64, 128]"));
  EXPECT_EQ(description.variants[1].tunables[0].choices, (std::vector<int>{64, 128, 256}));
  EXPECT_EQ(description.variants[1].tunables[0].preferred, 256);
}

TEST(Description, HasConstraintsWithReasonsFillsAndTimeSteps) {
  std::string text =
      with(saxpy, "constraint = \"block_size * items <= 4096\"",
           "constraint = [{ condition = \"items < 8\", reason = \"eight spill\" }, \"block_size > 64\"]\n"
           "repeat = 10\nswap = [\"x\", \"y\"]\nconstants = { d_x = \"x\" }");
  text = with(text, "role = \"in\", length = \"n\"",
              "role = \"inout\", length = \"n\", fill = { low = 0, high = 3 }");
  text = with(text, "[64, 128, 256", "[128, 64, 256");
  const Description description = described(text);
  const DescribedVariant& cuda = description.variants[1];
  ASSERT_EQ(cuda.constraints.size(), 2u);
  EXPECT_EQ(cuda.constraints[0].reason, "eight spill");
  EXPECT_EQ(cuda.swapped, (std::vector<int>{0, 1}));
  EXPECT_EQ(cuda.constants[0].symbol, "d_x");
  EXPECT_EQ(cuda.repeat.at({}), 10);
  EXPECT_EQ(description.arrays[0].fill.kind, Fill::Kind::between);
  EXPECT_EQ(description.arrays[0].fill.high.at({}), 3);
}

TEST(Description, HasStepsAndTemporaryArrays) {
  using Values = std::vector<std::int64_t>;
  std::string text = with(
      saxpy, "function = \"saxpy_loop\"\narguments = [\"n\", \"a\", \"x\", \"y\"]",
      "temporaries = [ { name = \"t\", length = \"2 * n\", type = \"int64\" } ]\nrepeat = 3\n"
      "steps = [ { function = \"first<T>\", arguments = [\"x\", \"t\", \"step\"] },\n"
      "          { function = \"second\", arguments = [\"t\", \"y\", \"int(2 * step)\"], repeat = \"n\" } ]");
  const Description description = described(text);
  const DescribedVariant& plain = description.variants[0];
  ASSERT_EQ(plain.steps().size(), 2u);
  EXPECT_EQ(plain.function, "first<T>");
  EXPECT_EQ(plain.arguments[1].index, 2);  // x and y come first
  EXPECT_EQ(plain.later[0].arguments[2].value.at(Values{20, 10, 7}), 14);
  EXPECT_EQ(plain.later[0].repeat.at(Values{20, 10}), 10);
  EXPECT_EQ(plain.rounds.at(Values{20, 10}), 3);
  EXPECT_EQ(plain.temporaries[0].elements({20, 10}), 20);
  std::string said;
  for (const auto& [from, to] :
       {std::pair("steps = [", "block = [1]\nsteps = ["), std::pair("\"t\", length", "\"x\", length"),
        std::pair("{ function = \"second\",", "{"), std::pair("repeat = \"n\" }", "swap = [\"x\", \"y\"] }"),
        std::pair("\"2 * n\"", "\"2 * m\"")})
    said += std::string(from) + " -> " + to + "\n    " +
            refusal([&, was = from, is = to] { (void)described(with(text, was, is)); }) + "\n";
  test::expect_golden(said, "own/descriptions:steps");
}

TEST(Description, MayStandAlone) {
  const std::size_t begin = saxpy.find("name ="), end = saxpy.find("*/");
  const Description description = description_of(saxpy.substr(begin, end - begin), "saxpy.toml");
  EXPECT_EQ(description.variants.size(), 2u);
}

TEST(Description, SizesShrinkUntilTheArraysFit) {
  const Description exact = described(saxpy);
  EXPECT_EQ(fitted(exact, 97).extents, (Extents{48, 1, 1}));
  EXPECT_EQ(fitted(exact, 1).n, 0);  // n would be 0
  const Description greedy = described(with(saxpy, "\"N / 2\"", "\"N + 1\""));
  EXPECT_EQ(fitted(greedy, 97).extents, (Extents{48, 1, 1}));
  EXPECT_EQ(fitted(greedy, 3).n, 0);
  const Problem problem{97, ElementType::float32, fitted(greedy, 97).extents, {}};
  EXPECT_EQ(size_values(greedy, problem), (std::vector<std::int64_t>{47, 48}));
}

TEST(Description, ShapesHaveEqualSidesUnlessTheyAreGiven) {
  std::string text =
      with(saxpy, "sizes = { n = \"N / 2\" }", "shape = [\"w\", \"h\"]\nsizes = { n = \"w * h\" }");
  const Description description = described(text);
  EXPECT_EQ(fitted(description, 1000).extents, (Extents{22, 22, 1}));
  EXPECT_EQ(fitted(description, std::int64_t{1} << 40).extents.x, 741455);
  const Problem given{100, ElementType::float32, {10, 5, 1}, {}};
  EXPECT_EQ(size_values(description, given), (std::vector<std::int64_t>{100, 10, 5, 50}));
}

TEST(Description, SaysWhatIsWrongWithASource) {
  std::string said;
  for (const char* source : {"/* sextant\n[=]\n*/", "int a;", "\n/* sextant\nname = \"a\""})
    said += refusal([&] { (void)description_in(source, "a.cu"); }) + "\n";
  said += refusal([] { (void)read_description("no_such.cu"); });
  test::expect_golden(said, "own/descriptions:sources");
  EXPECT_TRUE(
      refusal([] { (void)description_in("\n/* sextant\nname = \n*/", "a.cu"); }).starts_with("a.cu:3:"));
  EXPECT_TRUE(refusal([] {
                (void)description_in("/* sextant\n\u00a7 = 1\n*/", "a.cu");
              }).starts_with("a.cu:2:1:"));  // a byte that toml++ 3.3 reports as impossible there
  EXPECT_FALSE(has_description("/* sextants */ /* a sextant */"));
  EXPECT_TRUE(has_description("// x\n/* sextant name */"));
}

// Changes of the saxpy description that make it invalid.
constexpr std::pair<const char*, const char*> changes_of_saxpy[] = {
    // keys
    {"formula", "formulae"},
    {"flops", "bytes"},
    {"constraint =", "constraints ="},
    {"reason", "because"},
    // missing entries
    {"name = \"saxpy\"", ""},
    {"role = \"in\",", ""},
    {", length = \"n\" }, {", "}, {"},
    {"tolerance = { relative = 1e-6, reason = \"one multiply-add\" }", ""},
    {", reason = \"one multiply-add\"", ""},
    {"relative = 1e-6, ", ""},
    {"function = \"saxpy_loop\"", ""},
    {"arguments = [\"n\", \"a\", \"x\", \"y\"]", ""},
    {"block = [\"block_size\"]", ""},
    {"grid = [\"ceil_div(n, block_size * items)\"]", ""},
    {"types = [\"float\", \"double\"]", ""},
    // values of the wrong kind
    {"name = \"saxpy\"", "name = 3"},
    {"\"saxpy\"", "\"Saxpy\""},
    {"scalars = { a = 2.5 }", "scalars = { a = \"2\" }"},
    {"role = \"in\"", "role = \"input\""},
    {"\"double\"]", "\"half\"]"},
    {"\"double\"]", "\"float\"]"},
    {"[\"float\", \"double\"]", "[]"},
    {"{ n = \"N / 2\" }", "3"},
    {"{ n = \"N / 2\" }", "{ n = true }"},
    {"work = { flops = \"2*n\", items = \"n\" }", "work = 3"},
    {"length = \"n\" }, {", "length = \"n\", type = \"quad\" }, {"},
    {"role = \"inout\"", "role = \"in\""},
    {"{ name = \"x\"", "{ name = \"N\""},
    {"{ name = \"x\"", "{ name = \"n\""},
    {"{ name = \"x\"", "{ name = \"2x\""},
    {"arguments = [\"n\"", "arguments = [\"int(x)\""},
    {"\"x\", \"y\"]\nblock", "\"*x\", \"y\"]\nblock"},
    {"arguments = [\"n\"", "arguments = [\"*n\""},
    // fills
    {"role = \"in\",", "role = \"in\", fill = \"unifrom\","},
    {"role = \"in\",", "role = \"in\", fill = { low = 3, high = 1 },"},
    {"role = \"in\",", "role = \"in\", fill = { low = 3 },"},
    {"role = \"in\",", "role = \"out\", fill = \"zero\","},
    {"role = \"in\",", "role = \"in\", fill = { members = [\"float[0]\"] },"},
    {"role = \"in\",", "role = \"in\", fill = { members = [\"float4\"] },"},
    {"role = \"in\",", "role = \"in\", fill = { links = \"n\", low = 0 },"},
    // expressions
    {"grid = [\"ceil_div(n, block_size", "grid = [\"ceil_div(n, blocksize"},
    {"\"N / 2\"", "\"M / 2\""},
    {"\"N / 2\"", "\"N / 0\""},
    {"\"2*n\"", "\"n ** 9\""},
    {"block = [\"block_size\"]", "block = [\"block_size / (items - 1)\"]"},
    {"block = [\"block_size\"]", "block = [1, 1, 1, 1]"},
    {"relative = 1e-6", "relative = \"4 * epsilon\""},
    {"length = \"n\" }, {", "length = \"n - N\" }, {"},
    {"[\"int(n)\"", "[\"int(m)\""},
    // variants
    {"\"cuda.mine\"", "\"cdua.mine\""},
    {"\"cuda.mine\"", "\"openacc.mine\""},
    {"\"cuda.mine\"", "\"target.mine\""},
    {"\"cuda.mine\"", "\"stdpar.mine\""},
    {"\"cuda.mine\"", "cuda.mine"},
    {"reference = \"serial.plain\"", "reference = \"serial.pain\""},
    {"reference = \"serial.plain\"", "reference = \"cuda.mine\""},
    {"\"saxpy_loop\"", "\"saxpy_loop\"\nblock = [1]"},
    {"items = [1, 2, 4, 8]", "items = []"},
    {"items = [1, 2, 4, 8]", "items = [1, 1]"},
    {"items = [1, 2, 4, 8]", "items = [1, 3000000000]"},
    {"items = [1, 2, 4, 8]", "n = [1, 2]"},
    {"constraint =", "swap = [\"x\", \"y\"]\nconstraint ="},
    {"constraint =", "repeat = 2\nswap = [\"x\", \"y\"]\nconstraint ="},
    {"constraint =", "constants = { d_x = \"z\" }\nconstraint ="},
    {"constraint =", "prepare = \"init\"\nconstraint ="},
    {"constraint =", "compiler = \"ncvc\"\nconstraint ="},
    {"[variant.\"cuda.mine\"]", "compiler = \"nvcc\"\n[variant.\"cuda.mine\"]"},
    {"constraint =", "compiler = \"nvcc\"\nconstants = { \"a::d\" = \"x\" }\nconstraint ="},
    {"constraint = \"block_size * items <= 4096\"", "constraint = [{ condition = \"items < 8\" }]"}};

// Formats a change and its error message.
std::string entry(const std::string& from, const std::string& to, const std::string& message) {
  return from + " -> " + (to.empty() ? "nothing" : to) + "\n    " + message + "\n";
}

TEST(Description, SaysWhatIsWrongAndWhere) {
  std::string said;
  for (const auto& [from, to] : changes_of_saxpy) said += entry(from, to, refused(from, to));
  const std::string none = saxpy.substr(0, saxpy.find("[variant")) + "*/";
  said += entry("all variants", "", refusal([&] { (void)described(none); }));
  test::expect_golden(said, "own/descriptions:saxpy");
}

// A description may lack a reference. The command line can name one or request timing without a check.
TEST(Description, MayNameNoReference) {
  const std::string none = with(saxpy, "reference = \"serial.plain\"", "");
  EXPECT_FALSE(described(none).reference);
  const Description no_tolerance =
      described(with(none, "tolerance = { relative = 1e-6, reason = \"one multiply-add\" }", ""));
  EXPECT_FALSE(no_tolerance.tolerance);
}

TEST(Description, ArraysMayHaveTypesOfTheirOwn) {
  std::string text = with(saxpy, "types = [\"float\", \"double\"]\n", "");
  text = with(text, "length = \"n\" }, {", "length = \"n\", type = \"uchar4\" }, {");
  text = with(text, "tolerance = { relative = 1e-6, reason = \"one multiply-add\" }\n", "");
  const auto with_result = [&](const std::string& type) {
    return with(text, "length = \"n\" } ]", "length = \"n\", type = \"" + type + "\" } ]");
  };
  const Description whole = described(with_result("int64_t"));  // integers are exact and need no tolerance
  EXPECT_EQ(whole.types, std::vector<ElementType>{ElementType::int32});
  EXPECT_EQ(whole.arrays[0].type->element, ElementType::uint8);
  EXPECT_EQ(whole.arrays[0].elements({20, 5}), 20);
  EXPECT_EQ(whole.arrays[1].type->cpp, "std::int64_t");
  const Description single = described(
      with(with_result("float"), "work =", "tolerance = { absolute = 1, reason = \"a test\" }\nwork ="));
  EXPECT_EQ(single.types, std::vector<ElementType>{ElementType::float32});
  EXPECT_FALSE(single.arrays[1].type);  // the array's type is T
  test::expect_golden(refusal([&] { (void)described(with_result("float")); }) + "\n" +
                          refusal([&] { (void)described(text); }),
                      "own/descriptions:types");
}

TEST(Description, ReferenceMayBeAFunctionOfAFile) {
  const std::string reference =
      R"(reference = { file = "ref.cpp", function = "right", arguments = ["n", "a", "x", "y"] })";
  const Description description = described(with(saxpy, "reference = \"serial.plain\"", reference));
  EXPECT_EQ(description.reference->function.function, "right");
  EXPECT_EQ(description.reference->function.compilation.files, std::vector<std::string>{"ref.cpp"});
  EXPECT_EQ(description.reference->function.arguments.size(), 4u);
}

// If all arrays are float, a float reference is used as it is.
TEST(Description, ReferenceMayRunInFloat) {
  const std::string named = "reference = { variant = \"serial.plain\", precision = \"float\" }";
  const std::string both = with(saxpy, "reference = \"serial.plain\"", named);
  const std::string alone = with(both, "[\"float\", \"double\"]", "[\"float\"]");
  EXPECT_TRUE(described(alone).reference->in_float);
  EXPECT_EQ(described(alone).reference->variant, "serial.plain");
  EXPECT_FALSE(described(with(alone, ", precision = \"float\"", "")).reference->in_float);
  const auto said = [](const std::string& text) { return refusal([&] { (void)described(text); }); };
  test::expect_golden(
      test::lines({said(both), said(with(alone, "n = \"float\"", "n = \"half\"")),
                   said(with(alone, "variant = \"serial.plain\"", "variant = \"serial.plan\""))}),
      "own/descriptions:references");
}

TEST(T1, BecomesADescription) {
  const Description description = description_t1(test::t1, "scale.json");
  EXPECT_EQ(description.name, "scale");
  EXPECT_EQ(description.default_sizes, std::vector<std::int64_t>{4096 + 16 + 4096});
  EXPECT_EQ(fitted(description, 1 << 20).n, 4096 + 16 + 4096);
  EXPECT_EQ(fitted(description, 100).n, 0);
  ASSERT_EQ(description.arrays.size(), 3u);
  EXPECT_EQ(description.arrays[0].fill.high.real_at({}), 1);
  EXPECT_EQ(description.arrays[1].fill.low.real_at({}), 0.5);
  EXPECT_EQ(description.arrays[1].fill.high.real_at({}), 0.5);
  EXPECT_EQ(description.arrays[2].role, Role::out);
  const DescribedVariant& variant = description.variants[0];
  EXPECT_EQ(variant.arguments.size(), 3u);  // the constant is not an argument
  EXPECT_EQ(variant.arguments[0].cast, "int");
  EXPECT_EQ(variant.constants[0].symbol, "factors");
  EXPECT_EQ(variant.tunables[0].preferred, 64);
  EXPECT_EQ(variant.tunables[1].choices, (std::vector<int>{1, 3, 5, 7}));
  EXPECT_EQ(variant.tunables[2].choices, (std::vector<int>{0, 1}));
  const std::vector<std::int64_t> values = {4096, 64, 3, 0};
  EXPECT_EQ(variant.grid[0].at(values), 22);
  EXPECT_EQ(variant.constraints[0].condition.at(values), 0);
  EXPECT_EQ(variant.constraints[0].condition.at(std::vector<std::int64_t>{4096, 128, 5, 0}), 1);
  EXPECT_EQ(variant.shared.at(values), 128);
  EXPECT_FALSE(description.reference);
}

TEST(T1, CountsItsGridInThreadsForOpenCl) {
  const Description description =
      description_t1(with(test::t1, "\"GlobalSizeType\": \"CUDA\"", "\"GlobalSizeType\": \"OpenCL\""), "a");
  EXPECT_EQ(description.variants[0].grid[0].at(std::vector<std::int64_t>{4096, 64, 1, 0}), 1);
}

std::vector<int> choices_of(const std::string& values) {
  const std::string text = with(test::t1, "\"list(range(1, 9, 2))\"", values);
  return description_t1(text, "scale.json").variants[0].tunables[1].choices;
}

TEST(T1, ReadsPythonsLists) {
  EXPECT_EQ(choices_of("\"[16*i for i in range(1, 4)]\""), (std::vector<int>{16, 32, 48}));
  EXPECT_EQ(choices_of("\"[2**i for i in range(6)]\""), (std::vector<int>{1, 2, 4, 8, 16, 32}));
  EXPECT_EQ(choices_of("\"[1, 2] + list(range(32, 64+1, 32))\""), (std::vector<int>{1, 2, 32, 64}));
  EXPECT_EQ(choices_of("\"[1] + [2 * i for i in range(1, 3)]\""), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(choices_of("\"[i for i in [1, 2, 3, 4] if i % 2 == 0]\""), (std::vector<int>{2, 4}));
  EXPECT_EQ(choices_of("\"range(3, 0, -1)\""), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(choices_of("\"1, 2, 4\""), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(choices_of("\" [ (1), 2**3, ] \""), (std::vector<int>{1, 8}));
  EXPECT_EQ(choices_of("[1, 2]"), (std::vector<int>{1, 2}));
  const std::string words = with(test::t1, "[True, False]", "['a, b', '1']");
  EXPECT_EQ(description_t1(words, "scale.json").variants[0].tunables[2].texts,
            (std::vector<std::string>{"a, b", "1"}));
}

// Expressions as in files of Kernel Tuner, for example inputs/t1-usual-forms.json.
TEST(T1, ReadsExpressionsOfProblemSize) {
  std::string text =
      with(test::t1, "\"Size\": 4096,\n       \"FillType\": \"Random\"",
           "\"Size\": \"ProblemSize[0] * ProblemSize [1]+max(tile)-min( tile )\", \"FillType\": \"Random\"");
  text = with(text, "\"SharedMemory\": 128,", "\"ProblemSize\": [64, 32],");
  text = with(text, "math.ceil(4096 / (block_size_x * tile))", "ceil(ProblemSize[0] / block_size_x)");
  text = with(text, "block_size_x // tile >= 16 and not (tile == 3 or padding)",
              "16 <= block_size_x * tile <= ProblemSize[1] * 4");
  const Description description = description_t1(text, "scale.json");
  EXPECT_EQ(description.default_sizes, std::vector<std::int64_t>{64 * 32 + 6 + 16 + 4096});
  const DescribedVariant& variant = description.variants[0];
  const std::vector<std::int64_t> few = {6166, 32, 3, 0}, many = {6166, 128, 3, 0};
  EXPECT_EQ(variant.grid[0].at(few), 2);
  EXPECT_EQ(variant.constraints[0].condition.at(few), 1);
  EXPECT_EQ(variant.constraints[0].condition.at(many), 0);
  EXPECT_EQ(variant.constraints[0].reason, "not 16 <= block_size_x * tile <= ProblemSize[1] * 4");
}

TEST(T1, DividesItsProblemSizeAsKernelTunerDoes) {
  std::string text = with(test::t1, "\"SharedMemory\": 128,",
                          "\"ProblemSize\": [100, 10], \"GridDivX\": [\"block_size_x\", \"tile\"],");
  const DescribedVariant variant = description_t1(text, "scale.json").variants[0];
  ASSERT_EQ(variant.grid.size(), 2u);
  EXPECT_EQ(variant.grid[0].at(std::vector<std::int64_t>{8208, 32, 3, 0}), 2);
  EXPECT_EQ(variant.grid[1].at(std::vector<std::int64_t>{8208, 32, 3, 0}), 10);
}

TEST(T1, SaysByNameWhatHasNoPlace) {
  const std::pair<const char*, const char*> changes[] = {
      {"\"CUDA\", \"KernelName\"", "\"OpenCL\", \"KernelName\""},
      {"\"Random\"", "\"Script\""},
      {"\"Random\"", "\"BinaryHDF\""},
      {"\"Type\": \"float2\"", "\"Type\": \"half2\""},
      {"\"Type\": \"float2\"", "\"Type\": \"double\""},
      {"\"Vector\", \"AccessType\": \"ReadOnly\"", "\"Local\", \"AccessType\": \"ReadOnly\""},
      {"\"SharedMemory\": 128", "\"ReferenceKernel\": {}"},
      {"\"KernelFile\": \"scale.cu\",", ""},
      {"\"Size\": 8", "\"Size\": 0"},
      {"\"Default\": 64", "\"Default\": 65"},
      {"list(range(1, 9, 2))", "range(1, 9, 0)"},
      {"list(range(1, 9, 2))", "range(1000000)"},
      {"list(range(1, 9, 2))", "[a * b for a in [1] for b in [2]]"},
      {"list(range(1, 9, 2))", "[j for i in [1]]"},
      {"list(range(1, 9, 2))", "[1, 2"},
      {"\"Size\": 8", "\"Size\": \"ProblemSize[0]\""},
      {"\"Size\": 8", "\"Size\": \"tile\""},
      {"block_size_x // tile", "blocks // tile"},
      {"WriteOnly", "ReadOnly"}};
  std::string said;
  for (const auto& one : changes)
    said +=
        entry(one.first, one.second,
              refusal([&] { (void)description_t1(with(test::t1, one.first, one.second), "scale.json"); }));
  test::expect_golden(said, "own/descriptions:t1");
  EXPECT_TRUE(refusal([] {
                (void)description_t1("\"General\"]", "scale.json");
              }).starts_with("scale.json is not JSON: "));
}

class Files : public testing::Test {
 protected:
  Files() { std::filesystem::create_directory(folder_); }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("own_description_" + std::to_string(::getpid()));
};

TEST_F(Files, ADescriptionSpeaksOfItsOwnSource) {
  const Description description = read_description(write("saxpy.cu", saxpy));
  EXPECT_EQ(description.variants[0].compilation.files, std::vector<std::string>{"saxpy.cu"});
  EXPECT_FALSE(description.folder.empty());
}

TEST_F(Files, ADescriptionMayStandBesideItsSource) {
  const std::size_t begin = saxpy.find("name ="), end = saxpy.find("*/");
  const std::string toml = write("own.toml", saxpy.substr(begin, end - begin));
  const Description description = read_description(write("own.cu", saxpy.substr(end + 2)));
  EXPECT_EQ(description.variants[1].compilation.files, std::vector<std::string>{"own.cu"});
  test::expect_golden(test::replaced(refusal([&] { (void)read_description(toml); }), toml, "own.toml"),
                      "own/descriptions:files");
}

}  // namespace
}  // namespace sextant::own
