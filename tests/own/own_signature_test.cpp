// Signatures read from sources, and the descriptions drafted from them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "own/compile/compile.hpp"
#include "own/description/description.hpp"
#include "own/description/signature.hpp"
#include "refusal.hpp"

namespace sextant::own {
namespace {

const std::string source = R"own(#include <cstdio>
// void not_this(float* x) {}
#define ALSO_NOT(x) void f(float* y) { }
struct Pair { float a; float get() const { return a; } };
static constexpr int table[] = {1, 2, 3};
namespace mine {
template <typename T, int width = 4>
__global__ void __launch_bounds__(256, 2) saxpy(int n, const T a, const T* __restrict__ x, T* __restrict__ y = nullptr) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = a * x[i]; }
}
}  // namespace mine
extern "C" {
void plain(std::size_t n, float a, float const* x, float y[]) {
  const char* text = "} void wrong(float* z) {";
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) y[i] = a * x[i];
}
}
void takes(Pair& p, float* out) { out[0] = p.a; }
float sum(const float* x, int n) { return x[n - 1]; }
void declared(float* x);
int main(int argc, char** argv) { return argc; }
)own";

TEST(Signature, IsReadOfFunctionsWithABody) {
  const std::vector<Signature> all = signatures_of(source);
  ASSERT_EQ(all.size(), 4u);
  const Signature& kernel = all[0];
  EXPECT_EQ(kernel.name, "saxpy");
  EXPECT_EQ(kernel.line, 8);
  EXPECT_TRUE(kernel.kernel);
  EXPECT_FALSE(kernel.two_dimensional);
  EXPECT_EQ(kernel.template_types, std::vector<std::string>{"T"});
  ASSERT_EQ(kernel.parameters.size(), 4u);
  EXPECT_EQ(kernel.parameters[0].type, "int");
  EXPECT_FALSE(kernel.parameters[1].pointer);
  EXPECT_TRUE(kernel.parameters[2].pointer);
  EXPECT_TRUE(kernel.parameters[2].is_const);
  EXPECT_EQ(kernel.parameters[3].name, "y");
  EXPECT_FALSE(kernel.parameters[3].is_const);
  const Signature& plain = all[1];
  EXPECT_EQ(plain.name, "plain");
  EXPECT_TRUE(plain.threads);
  EXPECT_EQ(plain.parameters[0].type, "size_t");
  EXPECT_TRUE(plain.parameters[2].is_const);
  EXPECT_TRUE(plain.parameters[3].pointer);
  EXPECT_EQ(all[2].name, "takes");
  EXPECT_EQ(all[3].name, "sum");
}

TEST(Signature, SurvivesWhatIsNoSource) {
  for (const char* text : {"", "{", "}}}", "((((", "\"", "/*", "#", "#\\", "void f(", "void f() {",
                           "template <", "a b(c d[]) {", "f(,,) {}"})
    (void)signatures_of(text);
  std::string deep;
  for (int i = 0; i < 2'000; ++i) deep += "for (int i = 0; i < n; ++i) ";
  EXPECT_EQ(signatures_of("void f(int n, float* y) { " + deep + "y[i] = 1; }").at(0).loop.at, 0u);
}

TEST(Draft, DescribesTheFunctions) {
  const Description description = description_in(draft_of(source, "My-File.cu") + source, "My-File.cu");
  EXPECT_EQ(description.name, "my_file");
  EXPECT_EQ(description.types.size(), 2u);
  ASSERT_EQ(description.arrays.size(), 2u);
  EXPECT_EQ(description.arrays[0].role, Role::in);
  EXPECT_EQ(description.arrays[1].role, Role::inout);
  ASSERT_EQ(description.variants.size(), 4u);
  EXPECT_EQ(description.variants[0].name, "cuda.saxpy");
  EXPECT_EQ(description.variants[0].function, "saxpy<T>");
  EXPECT_EQ(description.variants[0].arguments[0].cast, "int");
  EXPECT_EQ(description.variants[1].name, "openmp.plain");
  EXPECT_EQ(description.reference->variant, "serial.baseline");
  const std::string draft = draft_of(source, "a.cu");
  EXPECT_NE(draft.find("tolerance = { absolute = \"8 * eps\", relative = \"8 * eps\", "), std::string::npos);
  EXPECT_NE(draft.find("# left out, as its parameters have no place here: takes (line 20)"),
            std::string::npos)
      << draft;
  EXPECT_NE(draft.find("left out, as its parameters have no place here: sum (line 21)"), std::string::npos)
      << draft;
}

TEST(Draft, GuessesPlanesAndReferences) {
  const std::string plane =
      "__global__ void blur(int w, int h, const float* in, float* out) { out[threadIdx.y * w + threadIdx.x] = in[h]; }\n";
  const std::string draft = draft_of(plane, "blur.cu");
  const Description description = description_in(draft + plane, "blur.cu");
  EXPECT_EQ(description.variants[0].block.size(), 2u);
  EXPECT_EQ(description.arrays[0].length.text(), "w * h");
  EXPECT_EQ(description.reference->function.function, "blur_reference");
  EXPECT_NE(draft.find("\n#   void blur_reference(int w, int h, const T* in, T* out)\nreference = {"),
            std::string::npos)
      << draft;
  EXPECT_EQ(description.types, std::vector<ElementType>{ElementType::float32});
}

TEST(Draft, SaysWhatCannotBeDrafted) {
  const auto message = [](const std::string& text) {
    return test::refusal([&] { (void)draft_of(text, "a.cu"); });
  };
  EXPECT_EQ(message("/* sextant */ void f(float* x) {}"), "a.cu describes itself already");
  EXPECT_NE(message("int main() {}").find("a.cu has no function to describe"), std::string::npos);
  EXPECT_NE(message("float sum(const float* x, int n) { return 0; }").find("has no function to describe"),
            std::string::npos);
}

// What threads gain is told from what their compiler's options do, also where the loop with threads is the only one.
TEST(Draft, HoldsThreadsAgainstTheSameOptionsOnOneCore) {
  const std::string plain =
      "void f(long n, const float* x, float* y) { for (long i = 0; i < n; ++i) y[i] = x[i]; }\n";
  const std::string threads =
      "void g(long n, const float* x, float* y) {\n#pragma omp parallel for\nfor (long i = 0; i < n; ++i) y[i] = x[i]; }\n";
  const auto functions = [](const std::string& text) {
    std::string all;
    for (const DescribedVariant& one : description_in(draft_of(text, "a.cpp") + text, "a.cpp").variants)
      all += one.name + " " + one.function + ", ";
    return all;
  };
  EXPECT_EQ(functions(plain), "serial.baseline f, serial.native f, openmp.f f, ");
  EXPECT_EQ(functions(plain + threads), "serial.baseline f, openmp.g g, serial.native f, ");
  EXPECT_EQ(functions(threads), "openmp.g g, serial.baseline g, serial.native g, ");
  EXPECT_NE(draft_of(threads, "a.cpp").find("variant = \"serial.baseline\""), std::string::npos);
  EXPECT_EQ(functions(threads + "int omp_get_max_threads();\n"), "openmp.g g, ");
}

std::string with_loop(const std::string& body) {
  return "#include <cmath>\nvoid f(long n, long w, const float* x, float* y, float* z) {\n  " + body +
         "\n}\n";
}

TEST(Draft, HasThreadsWhereIterationsAreIndependent) {
  const std::string in_row = "for (long i = 0; i < n; ++i) ";
  for (
      const std::string& body :
      {in_row + "y[i] = 2 * x[i];", in_row + "{ y[i] += x[n - 1 - i]; z[i]++; }",
       "const float s = 2;\n  " + in_row + "{ float t = s, u = 0; t *= std::sqrt(x[i]); u += t; y[i] = u; }",
       in_row + "if (x[i] > 0) y[i] = fmaxf(x[i], float(i)); else y[i] = static_cast<float>(i);",
       in_row + "for (int k = 0; k < w; ++k) y[i * w + k] = y[i * w + k] + x[k * n + i];",
       in_row +
           "for (int k = 1; k < w - 1; k++) { float s = 0; for (int j = 0; j < n; ++j) s += x[i * n + j] * x[j * w + k]; "
           "y[k + w * i] = s; }",
       in_row +
           "{ float row[4] = {}; for (int j = 0; j < 4; ++j) row[j] += x[4 * i + j]; for (int j = 0; j < 4; ++j) "
           "y[4 * i + j] = row[j]; }",
       in_row + "for (long j = 0; j < n; ++j) for (long k = 0; k < w; ++k) y[(i * n + j) * w + k] = x[k];"}) {
    const std::string loop = with_loop(body), all = draft_of(loop, "a.cpp") + with_directive(loop);
    const std::vector<DescribedVariant> variants = description_in(all, "a.cpp").variants;
    ASSERT_EQ(variants.size(), 3u) << all;
    EXPECT_EQ(variants[2].name + " " + variants[2].function, "openmp.f f");
    const std::string fence = "\n#ifdef SEXTANT_MODEL_OPENMP\n#pragma omp parallel for\n#endif\n";
    EXPECT_NE(all.find(fence + "  for ("), std::string::npos) << all;
  }
  const std::string line = "void f(long n, float* y) { for (long i = 0; i < n; ++i) y[i] = 1; }\n";
  EXPECT_NE(
      with_directive(line).find("{ \n#ifdef SEXTANT_MODEL_OPENMP\n#pragma omp parallel for\n#endif\nfor ("),
      std::string::npos)
      << with_directive(line);
}

// What cannot be shown to be right is drafted behind #, with what is to be checked.
TEST(Draft, SaysWhatKeepsALoopFromThreads) {
  const std::string in_row = "for (long i = 1; i < n; ++i) ";
  const std::pair<std::string, std::string> all[] = {
      {in_row + "y[i] += y[i - 1];", "`y` is written"},
      {in_row + "y[0] += x[i];", "`y` is written"},
      {in_row + "{ y[i] = x[i]; z[i] = y[n - i]; }", "`y` is written"},
      {in_row + "y[i % 4 * w] = x[i];", "`y` is written"},
      {in_row + "y[long(x[i])] += 1;", "`y` is written"},
      {in_row + "for (int k = 0; k < n; ++k) y[i * w + k] = x[k];", "`y` is written"},
      {in_row + "for (int k = -1; k < w; ++k) y[i * w + k] = x[k];", "`y` is written"},
      {in_row + "for (int k = 0; k <= w; ++k) y[i * w + k] = x[k];", "`y` is written"},
      {in_row + "for (int k = 0; k < w; ++k) { y[i * w + k] = x[k]; k = k + w; y[i * w + k] = 0; }",
       "`y` is written"},
      {in_row + "{ for (int k = 0; k < w; ++k) y[i * w + k] = 0; int k{99}; y[i * w + k] = 1; }",
       "`y` is written"},
      {in_row + "for (int k = 0; k < w; ++k) { y[i * w + k] = 0; y[i * n + k] = 0; }", "`y` is written"},
      {"float s = 0; " + in_row + "s += x[i];\n y[0] = s;", "`s` goes from one"},
      {"float s = 0; " + in_row + "{ y[i] = s; ++s; }", "`s` goes from one"},
      {in_row + "{ y[i] = x[i]; n -= 1; }", "`n` goes from one"},
      {in_row + "{ y[i] = x[i]; i++; }", "`i` goes from one"},
      {"float s = 0; " + in_row + "{ { float s = 1; y[i] = s; } s = x[i]; }", "`s` has two meanings"},
      {in_row + "{ float* q = y + i; q[1] = x[i]; }", "`y` stands in it without"},
      {"float* q = z; " + in_row + "{ y[i] = q[i - 1]; z[i] = 1; }", "`q` may be another name"},
      {in_row + "{ float& r = y[i - 1]; r = x[i]; }", "no variable or element"},
      {in_row + "*(&y[i] + 1) = x[i];", "pointers stand in it"},
      {in_row + "y[i] = next(x[i]);", "it calls `next`"},
      {in_row + "y[i] = next<4>(i);", "it calls a template"},
      {in_row + "{ y[i] = x[i]; if (y[i] > 1) break; }", "`break` stands in it"},
      {in_row + "{ static float s = 0; y[i] = s; }", "`static` stands in it"},
      {"for (long i = n; i > 0; --i) y[i] = x[i];", "does not count up"},
      {"for (float i = 0; i < n; ++i) y[long(i)] = x[0];", "does not count up"},
      {"for (long i = 0; i < n; i *= 2) y[i] = x[i];", "does not count up"},
      {"long i = 0; for (i = 0; i < n; ++i) y[i] = x[i];", "does not count up"},
      {in_row + "y[i] = x[i];\n  " + in_row + "z[i] = x[i];", "it is not one loop"},
      {"while (n-- > 0) y[n] = x[n];", "it is not one loop"},
      {"y[0] = x[0];", "it is not one loop"}};
  for (const auto& [body, why] : all) {
    const std::string loop = with_loop(body), draft = draft_of(loop, "a.cpp");
    EXPECT_EQ(description_in(draft + loop, "a.cpp").variants.size(), 2u) << draft << loop;
    EXPECT_NE(draft.find("# [variant.\"openmp.f\"]"), std::string::npos) << draft << loop;
    EXPECT_NE(draft.find(why), std::string::npos) << draft << loop;
    EXPECT_EQ(with_directive(loop), loop);
  }
}

// A draft of a file of loops is right as it is.
TEST(Draft, OfLoopsCompiles) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("own_signature_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  setenv("SEXTANT_CACHE", (folder / "cache").c_str(), 1);
  const std::string loops =
      "template <typename V> void scale(int n, V a, const V* x, V* y) { for (int i = 0; i < n; ++i) y[i] = a * x[i]; }\n"
      "template <typename V> void twice(unsigned n, V a, const V* x, V* y) { for (unsigned i = 0; i < n; ++i) y[i] = a * x[i]; }\n";
  std::ofstream(folder / "loops.cpp") << draft_of(loops, "loops.cpp") << with_directive(loops);
  const Description description = read_description(folder / "loops.cpp");
  ASSERT_EQ(description.variants.size(), 4u);
  for (const DescribedVariant& variant : description.variants) {
    const Image image = compile_host({description, variant, ElementType::float64, nullptr});
    EXPECT_FALSE(image.path.empty()) << image.problem;
  }
  fs::remove_all(folder);
  unsetenv("SEXTANT_CACHE");
}

}  // namespace
}  // namespace sextant::own
