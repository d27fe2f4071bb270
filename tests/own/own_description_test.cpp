// Descriptions: what is read of them, and every message with its line and column.
#include "own_description.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "own/description/description.hpp"
#include "own/description/sizes.hpp"
#include "refusal.hpp"

namespace sextant::own {
namespace {

using test::refusal;
using test::saxpy;
using test::with;

Description described(const std::string& source) { return description_in(source, "saxpy.cu"); }

// The message about saxpy with one part replaced.
std::string refused(const std::string& from, const std::string& to) {
  return refusal([&] { (void)described(with(saxpy, from, to)); });
}

void expect_refused(const std::string& from, const std::string& to, const std::string& expected) {
  const std::string got = refused(from, to);
  EXPECT_NE(got.find(expected), std::string::npos) << to << ": " << got;
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

// The first choice listed is the preferred one, whatever the order.
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
  EXPECT_EQ(description.arrays[0].fill.high, 3);
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
  EXPECT_NE(refusal([] { (void)description_in("/* sextant\n[=]\n*/", "a.cu"); }).find("a.cu: is no TOML"),
            std::string::npos);
  EXPECT_NE(refusal([] { (void)description_in("int a;", "a.cu"); }).find("a.cu does not describe itself"),
            std::string::npos);
  EXPECT_EQ(refusal([] { (void)description_in("\n/* sextant\nname = \"a\"", "a.cu"); }),
            "a.cu:2: the comment that begins here has no end");
  EXPECT_TRUE(
      refusal([] { (void)description_in("\n/* sextant\nname = \n*/", "a.cu"); }).starts_with("a.cu:3:"));
  EXPECT_TRUE(refusal([] {
                (void)description_in("/* sextant\n\u00a7 = 1\n*/", "a.cu");
              }).starts_with("a.cu:2:1:"));  // a letter that toml++ 3.3 takes for impossible there
  EXPECT_FALSE(has_description("/* sextants */ /* a sextant */"));
  EXPECT_TRUE(has_description("// x\n/* sextant name */"));
  EXPECT_EQ(refusal([] { (void)read_description("no_such.cu"); }), "there is no file no_such.cu");
}

TEST(Description, SaysWhichKeyIsNone) {
  EXPECT_EQ(refused("role = \"in\", length", "role = \"in\", legnth"),
            "saxpy.cu:7:39: \"legnth\" is no key of an array. Did you mean `length`?");
  expect_refused("formula", "formulae",
                 "saxpy.cu:4:1: \"formulae\" is no key of a description. Did you mean `formula`?");
  expect_refused("flops", "bytes", "\"bytes\" is no key of work. Its keys are flops, items");
  expect_refused("constraint =", "constraints =",
                 "\"constraints\" is no key of a variant. Did you mean `constraint` or `constants`?");
  expect_refused("reason", "because", "\"because\" is no key of tolerance");
}

TEST(Description, SaysWhatIsMissing) {
  expect_refused("name = \"saxpy\"", "", "a description has no name: name = \"saxpy\"");
  expect_refused("role = \"in\",", "", "an array has no role");
  expect_refused(", length = \"n\" }, {", "}, {", "an array has no length");
  expect_refused("tolerance = { relative = 1e-6, reason = \"one multiply-add\" }", "",
                 "a description has no tolerance: how far may a result be from the reference, and why?");
  expect_refused(", reason = \"one multiply-add\"", "", "tolerance has no reason");
  expect_refused("relative = 1e-6, ", "", "neither absolute nor relative");
  expect_refused("function = \"saxpy_loop\"", "", "a variant has no function");
  expect_refused("arguments = [\"n\", \"a\", \"x\", \"y\"]", "", "a variant has no arguments");
  expect_refused("block = [\"block_size\"]", "", "a variant has no block");
  expect_refused("grid = [\"ceil_div(n, block_size * items)\"]", "", "a variant has no grid");
  expect_refused("types = [\"float\", \"double\"]", "", "which type do the arrays have?");
  EXPECT_NE(refusal([] {
              (void)described(saxpy.substr(0, saxpy.find("[variant")) + "*/");
            }).find("a description has no variant"),
            std::string::npos);
}

// The command line may name one, or have it timed unchecked.
TEST(Description, MayNameNoReference) {
  const std::string none = with(saxpy, "reference = \"serial.plain\"", "");
  EXPECT_FALSE(described(none).reference);
  const Description no_tolerance =
      described(with(none, "tolerance = { relative = 1e-6, reason = \"one multiply-add\" }", ""));
  EXPECT_FALSE(no_tolerance.tolerance);
}

TEST(Description, SaysWhatIsOfTheWrongKind) {
  expect_refused("name = \"saxpy\"", "name = 3", "saxpy.cu:3:8: name is a text in quotes");
  expect_refused("\"saxpy\"", "\"Saxpy\"", "\"Saxpy\" is no name of a kernel");
  expect_refused("scalars = { a = 2.5 }", "scalars = { a = \"2\" }", "a is a number");
  expect_refused("role = \"in\"", "role = \"input\"",
                 "the role of x cannot be \"input\", but in, out, inout. Did you mean `inout`?");
  expect_refused("\"double\"]", "\"half\"]", "each of types cannot be \"half\"");
  expect_refused("\"double\"]", "\"float\"]", "types has float twice");
  expect_refused("[\"float\", \"double\"]", "[]", "types is empty");
  expect_refused("{ n = \"N / 2\" }", "3", "sizes is a table");
  expect_refused("{ n = \"N / 2\" }", "{ n = true }", "n is an expression in quotes or a number");
  expect_refused("work = { flops = \"2*n\", items = \"n\" }", "work = 3", "work is a table");
  expect_refused("length = \"n\" }, {", "length = \"n\", type = \"float\" }, {", "types says already");
  expect_refused("role = \"inout\"", "role = \"in\"", "there is no result to check");
  expect_refused("{ name = \"x\"", "{ name = \"N\"", "\"N\" has a meaning of its own");
  expect_refused("{ name = \"x\"", "{ name = \"n\"", "\"n\" names two things");
  expect_refused("{ name = \"x\"", "{ name = \"2x\"", "is no name of an array");
  expect_refused("arguments = [\"n\"", "arguments = [\"int(x)\"", "x is an array: it has no cast");
}

TEST(Description, SaysWhatIsWrongWithAFill) {
  const auto fill = [](const std::string& text) { return "role = \"in\", fill = " + text + ","; };
  expect_refused("role = \"in\",", fill("\"unifrom\""), "not \"unifrom\". Did you mean `uniform`?");
  expect_refused("role = \"in\",", fill("{ low = 3, high = 1 }"), "low is above high");
  expect_refused("role = \"in\",", fill("{ low = 3 }"), "has no high");
  expect_refused("role = \"in\",", "role = \"out\", fill = \"zero\",", "it is not filled but poisoned");
}

TEST(Description, SaysWhatIsWrongWithAnExpression) {
  expect_refused(
      "grid = [\"ceil_div(n, block_size", "grid = [\"ceil_div(n, blocksize",
      "saxpy.cu:21:22: grid uses \"blocksize\"; known here: N n block_size items flag.math. Did you mean `block_size`?");
  expect_refused("\"N / 2\"", "\"M / 2\"", "saxpy.cu:6:16: n uses \"M\"; known here: N.");
  expect_refused("\"N / 2\"", "\"N / 0\"", "saxpy.cu:6:18: n (N / 0): 65536 is divided by zero");
  expect_refused("\"2*n\"", "\"n ** 9\"", "flops (n ** 9): its value is beyond 64 bits");
  expect_refused("block = [\"block_size\"]", "block = [\"block_size / (items - 1)\"]", "is divided by zero");
  expect_refused("block = [\"block_size\"]", "block = [1, 1, 1, 1]", "block has one to three parts");
  expect_refused("relative = 1e-6", "relative = \"4 * epsilon\"", "uses \"epsilon\"; known here: N n eps.");
  expect_refused("length = \"n\" }, {", "length = \"n - N\" }, {", "the length of x is ");
  expect_refused("[\"int(n)\"", "[\"int(m)\"",
                 "saxpy.cu:19:19: arguments uses \"m\"; known here: N n block_size items flag.math x y a.");
}

TEST(Description, SaysWhatIsWrongWithAVariant) {
  expect_refused("\"cuda.mine\"", "\"cdua.mine\"",
                 "begins with no model of a file: serial, openmp or cuda. Did you mean `cuda`?");
  expect_refused("\"cuda.mine\"", "\"openacc.mine\"", "put openacc.mine into a folder");
  expect_refused("\"cuda.mine\"", "\"target.mine\"", "put target.mine into a folder");
  expect_refused("\"cuda.mine\"", "\"stdpar.mine\"", "put stdpar.mine into a folder");
  expect_refused("\"cuda.mine\"", "cuda.mine",
                 "\"cuda\" is no name of a variant: [variant.\"cuda.plain\"], in quotes");
  expect_refused("reference = \"serial.plain\"", "reference = \"serial.pain\"",
                 "is no variant here. Did you mean `serial.plain`?");
  expect_refused("reference = \"serial.plain\"", "reference = \"cuda.mine\"",
                 "the reference is computed on the host");
  expect_refused("\"saxpy_loop\"", "\"saxpy_loop\"\nblock = [1]",
                 "block is for CUDA alone, serial.plain is not");
  expect_refused("items = [1, 2, 4, 8]", "items = []", "items has no choices");
  expect_refused("items = [1, 2, 4, 8]", "items = [1, 1]", "items has a choice twice");
  expect_refused("items = [1, 2, 4, 8]", "items = [1, 3000000000]", "beyond 32 bits");
  expect_refused("items = [1, 2, 4, 8]", "n = [1, 2]", "\"n\" names two things");
  expect_refused("constraint =", "swap = [\"x\", \"y\"]\nconstraint =", "swap is between repeated launches");
  expect_refused("constraint =", "repeat = 2\nswap = [\"x\", \"y\"]\nconstraint =", "its role is inout");
  expect_refused("constraint =", "constants = { d_x = \"z\" }\nconstraint =", "\"z\" is no array");
  expect_refused("constraint =", "prepare = \"init\"\nconstraint =", "prepare is a function of the host");
  expect_refused("constraint =", "compiler = \"ncvc\"\nconstraint =", "not \"ncvc\"");
  expect_refused("[variant.\"cuda.mine\"]", "compiler = \"nvcc\"\n[variant.\"cuda.mine\"]",
                 "compiler is for CUDA alone, serial.plain is not");
  expect_refused("constraint =", "compiler = \"nvcc\"\nconstants = { \"a::d\" = \"x\" }\nconstraint =",
                 "a::d stands in a namespace");
  expect_refused("constraint = \"block_size * items <= 4096\"",
                 "constraint = [{ condition = \"items < 8\" }]", "a constraint has no reason");
}

TEST(Description, ArraysOfOneTypeMayDeclareItThemselves) {
  std::string text = with(saxpy, "types = [\"float\", \"double\"]\n", "");
  text = with(text, "length = \"n\" }, {", "length = \"n\", type = \"int\" }, {");
  text = with(text, "length = \"n\" } ]", "length = \"n\", type = \"int\" } ]");
  text = with(text, "tolerance = { relative = 1e-6, reason = \"one multiply-add\" }\n",
              "");  // whole numbers: exact
  EXPECT_EQ(described(text).types, std::vector<ElementType>{ElementType::int32});
  EXPECT_NE(refusal([&] {
              (void)described(with(text, "type = \"int\" } ]", "type = \"float\" } ]"));
            }).find("y is of float, the arrays before it of int"),
            std::string::npos);
}

TEST(Description, ReferenceMayBeAFunctionOfAFile) {
  const std::string reference =
      R"(reference = { file = "ref.cpp", function = "right", arguments = ["n", "a", "x", "y"] })";
  const Description description = described(with(saxpy, "reference = \"serial.plain\"", reference));
  EXPECT_EQ(description.reference->function.function, "right");
  EXPECT_EQ(description.reference->function.compilation.files, std::vector<std::string>{"ref.cpp"});
  EXPECT_EQ(description.reference->function.arguments.size(), 4u);
}

// As it is written, where all is float.
TEST(Description, ReferenceMayRunInFloat) {
  const std::string named = "reference = { variant = \"serial.plain\", precision = \"float\" }";
  const std::string both = with(saxpy, "reference = \"serial.plain\"", named);
  const std::string alone = with(both, "[\"float\", \"double\"]", "[\"float\"]");
  EXPECT_TRUE(described(alone).reference->in_float);
  EXPECT_EQ(described(alone).reference->variant, "serial.plain");
  EXPECT_FALSE(described(with(alone, ", precision = \"float\"", "")).reference->in_float);
  const auto said = [](const std::string& text) { return refusal([&] { (void)described(text); }); };
  EXPECT_NE(said(both).find("a reference in float is for files whose one type is float"), std::string::npos);
  EXPECT_NE(said(with(alone, "n = \"float\"", "n = \"half\""))
                .find("precision is double (the default) or float, not \"half\""),
            std::string::npos);
  EXPECT_NE(said(with(alone, "variant = \"serial.plain\"", "variant = \"serial.plan\""))
                .find("Did you mean `serial.plain`?"),
            std::string::npos);
}

TEST(T1, BecomesADescription) {
  const Description description = description_t1(test::t1, "scale.json");
  EXPECT_EQ(description.name, "scale");
  EXPECT_EQ(description.default_sizes, std::vector<std::int64_t>{4096 + 16 + 4096});
  EXPECT_EQ(fitted(description, 1 << 20).n, 4096 + 16 + 4096);
  EXPECT_EQ(fitted(description, 100).n, 0);
  ASSERT_EQ(description.arrays.size(), 3u);
  EXPECT_EQ(description.arrays[0].fill.high, 1);
  EXPECT_EQ(description.arrays[1].fill.low, 0.5);
  EXPECT_EQ(description.arrays[1].fill.high, 0.5);
  EXPECT_EQ(description.arrays[2].role, Role::out);
  const DescribedVariant& variant = description.variants[0];
  EXPECT_EQ(variant.arguments.size(), 3u);  // the constant is none
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

TEST(T1, SaysByNameWhatHasNoPlace) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& expected) {
    const std::string got = refusal([&] { (void)description_t1(with(test::t1, from, to), "scale.json"); });
    EXPECT_NE(got.find(expected), std::string::npos) << to << ": " << got;
    EXPECT_TRUE(got.starts_with("scale.json: ")) << got;
  };
  expect("\"CUDA\", \"KernelName\"", "\"OpenCL\", \"KernelName\"", "its Language is OpenCL");
  expect("\"Random\"", "\"Script\"", "the argument source is filled by Script, which has no place here");
  expect("\"Random\"", "\"BinaryHDF\"", "filled by BinaryHDF");
  expect("\"Type\": \"float2\"", "\"Type\": \"half2\"", "the array factors is of half");
  expect("\"Type\": \"float2\"", "\"Type\": \"double\"", "its arrays are of several types");
  expect("\"Vector\", \"AccessType\": \"ReadOnly\"", "\"Local\", \"AccessType\": \"ReadOnly\"",
         "MemoryType Local");
  expect("\"SharedMemory\": 128", "\"ReferenceKernel\": {}", "ReferenceKernel has no place here");
  expect("\"KernelFile\": \"scale.cu\",", "", "has no KernelFile");
  expect("\"Size\": 8", "\"Size\": 0", "has no Size");
  expect("\"Default\": 64", "\"Default\": 65", "the Default of block_size_x is none of its Values");
  expect("list(range(1, 9, 2))", "range(1, 9, 0)", "no range");
  expect("block_size_x // tile", "blocks // tile",
         "the condition uses \"blocks\"; known here: N block_size_x tile padding");
  expect("WriteOnly", "ReadOnly", "no result to check");
  expect("{\n  \"General\"", "\"General\"", "is no JSON");
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
  EXPECT_NE(refusal([&] { (void)read_description(toml); }).find("serial.plain has no files"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::own
