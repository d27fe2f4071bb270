// Tests of compiling described CUDA variants with NVRTC and nvcc, which needs no GPU.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "own/compile/cache.hpp"
#include "own/compile/compile_device.hpp"
#include "own/compile/cubin.hpp"
#include "own/compile/nvcc.hpp"
#include "own_description.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;
using test::saxpy;
using test::with;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class NvrtcTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    setenv("SEXTANT_CACHE", (folder_ / "cache").c_str(), 1);
    if (const std::string missing = why_no_nvrtc(); !missing.empty()) GTEST_SKIP() << missing;
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("SEXTANT_CACHE");
  }
  Description described(const std::string& text) const {
    std::ofstream(folder_ / "saxpy.cu") << text;
    return read_description(folder_ / "saxpy.cu");
  }
  DeviceImage compiled(const Description& description, ElementType type = ElementType::float32,
                       int items = 2) const {
    const int tuning[] = {128, items, 0};
    const Instance instance{description, description.variants[1], type, tuning};
    return compile_device({&instance, 1}, "sm_80", 1).front();
  }
  std::string problem(const std::string& from, const std::string& to) const {
    const DeviceImage image = compiled(described(with(saxpy, from, to)));
    EXPECT_TRUE(image.path.empty());
    return image.problem;
  }
  std::size_t images() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "cache"))
      count += entry.path().extension() == ".cubin";
    return count;
  }

  fs::path folder_ = fs::temp_directory_path() / ("own_nvrtc_" + std::to_string(::getpid()));
};

TEST_F(NvrtcTest, CompilesAnInstance) {
  const Description description = described(saxpy);
  const DeviceImage image = compiled(description);
  ASSERT_FALSE(image.path.empty()) << image.problem;
  EXPECT_TRUE(holds(image.kernels.at(0), "saxpy")) << image.kernels.at(0);
  std::string cubin;
  ASSERT_TRUE(read_file(image.path, &cubin));
  EXPECT_EQ(parameter_sizes(cubin, image.kernels.at(0)), (std::vector<int>{4, 4, 8, 8}));
  const DeviceImage wide = compiled(description, ElementType::float64);
  ASSERT_TRUE(read_file(wide.path, &cubin));
  EXPECT_EQ(parameter_sizes(cubin, wide.kernels.at(0)), (std::vector<int>{4, 8, 8, 8}));
  EXPECT_EQ(parameter_sizes(cubin, "other"), std::vector<int>{});
  for (std::size_t size = 0; size < cubin.size(); size += 97)
    (void)parameter_sizes(cubin.substr(0, size), wide.kernels.at(0));
}

TEST_F(NvrtcTest, KeepsItsImages) {
  const Description description = described(saxpy);
  const DeviceImage first = compiled(description);
  const std::string kept = first.path + ".kept";  // a hard link to that file
  fs::create_hard_link(first.path, kept);
  const DeviceImage again = compiled(description);
  EXPECT_EQ(again.path, first.path);
  EXPECT_EQ(again.kernels.at(0), first.kernels.at(0));
  EXPECT_TRUE(fs::equivalent(first.path, kept));  // the image was not compiled again
  fs::remove(kept);
  EXPECT_NE(compiled(description, ElementType::float32, 4).path, first.path);  // items is a macro
  EXPECT_EQ(images(), 2u);
}

// Several compilations run at once, and a failing one affects only itself.
TEST_F(NvrtcTest, CompilesManyAtOnce) {
  const Description description = described(with(saxpy, "items = [1, 2, 4, 8]", "items = [1, 2, 4, 8, 0]"));
  std::ofstream(folder_ / "saxpy.cu")
      << with(saxpy, "__global__ void", "static_assert(items > 0);\n__global__ void");
  std::vector<std::array<int, 3>> tunings = {{64, 1, 0}, {64, 2, 0}, {64, 0, 0}, {64, 4, 1}, {128, 4, 1}};
  std::string text;
  ASSERT_TRUE(read_file(folder_ / "saxpy.cu", &text));
  text = with(with(text, "template <typename U>\nstatic_assert(items > 0);",
                   "static_assert(items > 0, \"none\");\ntemplate <typename U>"),
              "items = [1, 2", "items = [1, 2");
  std::ofstream(folder_ / "saxpy.cu") << text;
  std::vector<Instance> instances;
  for (const auto& tuning : tunings)
    instances.push_back({description, description.variants[1], ElementType::float32, tuning.data()});
  const std::vector<DeviceImage> images = compile_device(instances, "sm_80", 3);
  ASSERT_EQ(images.size(), 5u);
  for (const std::size_t right : {0, 1, 3, 4})
    EXPECT_FALSE(images[right].path.empty()) << images[right].problem;
  EXPECT_TRUE(holds(images[2].problem, "does not compile: ")) << images[2].problem;
  EXPECT_TRUE(holds(images[2].problem, "none")) << images[2].problem;
  EXPECT_EQ(images[3].path, images[4].path);  // block_size is passed at launch
}

TEST_F(NvrtcTest, SaysWhatTheCompilerSaysFirst) {
  const std::string first = problem("a * x[i] + y[i];\n  }\n}\n#else", "a * z + y[i];\n  }\n}\n#else");
  EXPECT_TRUE(holds(first, "does not compile: saxpy.cu(30): error: identifier \"z\" is undefined")) << first;
  EXPECT_TRUE(holds(first, "to repeat: nvcc -cubin -arch=sm_80")) << first;
  const std::string name = problem("function = \"saxpy<T>\"", "function = \"sxpy<T>\"");
  EXPECT_TRUE(holds(name, "sxpy")) << name;
}

TEST_F(NvrtcTest, HoldsParametersAgainstArguments) {
  const std::string narrow = problem("[\"int(n)\", \"a\"", "[\"n\", \"a\"");
  EXPECT_TRUE(holds(narrow, "saxpy.cu:19:")) << narrow;
  EXPECT_TRUE(holds(narrow,
                    "saxpy<T> takes 4 parameters of 4 4 8 8 bytes, arguments give 8 4 8 8: n has 8 bytes, "
                    "the function wants 4"))
      << narrow;
  const std::string few = problem("\"x\", \"y\"]\nblock", "\"y\"]\nblock");
  EXPECT_TRUE(holds(few, "takes 4 parameters of 4 4 8 8 bytes, arguments give 4 4 8")) << few;
}

TEST_F(NvrtcTest, NamesConstantsInTheImage) {
  std::string text = with(saxpy, "constraint =", "constants = { table = \"x\" }\nconstraint =");
  text = with(text, "template <typename U>", "__constant__ T table[16];\ntemplate <typename U>");
  const DeviceImage image = compiled(
      described(with(text, "a * x[i] + y[i];\n  }\n}\n#else", "a * x[i] + table[i % 16];\n  }\n}\n#else")));
  ASSERT_FALSE(image.path.empty()) << image.problem;
  EXPECT_EQ(image.symbols, std::vector<std::string>{"table"});
}

// A header found through -I is part of the image's key. A tunable whose name occurs in it is a macro.
TEST_F(NvrtcTest, HeadersOfIncludeFoldersBelongToTheImage) {
  fs::create_directories(folder_ / "lib");
  const auto header = [&](const std::string& factor) {
    std::ofstream(folder_ / "lib/far.hpp")
        << "template <typename U> __device__ U far(U x) { return " << factor << " * x + items; }\n";
  };
  header("2");
  std::string text = with(saxpy, "types =", "include = [\"lib\"]\ntypes =");
  text = with(text, "#if defined(SEXTANT_MODEL_CUDA)", "#if defined(SEXTANT_MODEL_CUDA)\n#include <far.hpp>");
  text = with(text, "for (int k = 0; k < items; ++k)", "for (int k = 0; k < 8; ++k)");
  text = with(text, "(blockIdx.x * items + k)", "(blockIdx.x * 8 + k)");
  const Description description =
      described(with(text, "y[i] = a * x[i] + y[i];\n  }\n}\n#else", "y[i] = far(x[i]);\n  }\n}\n#else"));
  EXPECT_TRUE(macros_of(description, description.variants[1])[1]);
  const DeviceImage first = compiled(description);
  ASSERT_FALSE(first.path.empty()) << first.problem;
  EXPECT_EQ(compiled(description).path, first.path);
  header("3");
  const DeviceImage changed = compiled(description);
  EXPECT_FALSE(changed.path.empty()) << changed.problem;
  EXPECT_NE(changed.path, first.path);
}

// Returns the kernel names in the compiled example above_mean.cu, in the order of the launches.
std::vector<std::string> kernels_of_example(const fs::path& folder, const std::string& compiler) {
  std::ifstream file(std::string(SEXTANT_SOURCE_DIR) + "/examples/own/above_mean.cu");
  const std::string text{std::istreambuf_iterator<char>(file), {}},
      variant = "[variant.\"cuda.three_kernels\"]\n";
  std::ofstream(folder / "above_mean.cu")
      << with(text, variant, variant + "compiler = \"" + compiler + "\"\n");
  const Description description = read_description(folder / "above_mean.cu");
  const int tuning[] = {256, 264};
  const Instance instance{description, description.variants[1], ElementType::float32, tuning};
  const DeviceImage image = compile_device({&instance, 1}, "sm_80", 1).front();
  EXPECT_EQ(image.problem, "");
  return image.kernels;
}

const std::vector<std::string> kernels_of_steps = {"_Z10sum_blocksIfEviPKT_PS0_", "_Z6finishIfEviiPKT_PS0_",
                                                   "_Z4markIfEviPKT_S2_Ph"};

TEST_F(NvrtcTest, CompilesAllSteps) { EXPECT_EQ(kernels_of_example(folder_, "nvrtc"), kernels_of_steps); }

class NvccTest : public NvrtcTest {
 protected:
  void SetUp() override {
    NvrtcTest::SetUp();
    if (nvcc_version().empty()) GTEST_SKIP() << "there is no nvcc";
  }
  void TearDown() override {
    unsetenv("CUDACXX");
    NvrtcTest::TearDown();
  }
  static std::string with_host_code() {
    std::string text =
        with(saxpy, "constraint =", "compiler = \"nvcc\"\nconstants = { table = \"x\" }\nconstraint =");
    text = with(text, "#if defined(SEXTANT_MODEL_CUDA)",
                "#if defined(SEXTANT_MODEL_CUDA)\n#include <vector>\n__constant__ T table[16];");
    text = with(text, "a * x[i] + y[i];\n  }\n}\n#else", "a * x[i] + table[i % 16];\n  }\n}\n#else");
    return with(text, "#else\nvoid",
                "int main() {\n  std::vector<double> v(3);\n  saxpy<double><<<1, 1>>>(1, 2.0, v.data(), "
                "v.data());\n}\n#else\nvoid");
  }
  // Returns the error message if the compiler is this shell script.
  std::string problem_by(const std::string& script) const {
    std::ofstream(folder_ / "compiler") << "#!/bin/sh\n" << script << "\n";
    fs::permissions(folder_ / "compiler", fs::perms::owner_all);
    setenv("CUDACXX", (folder_ / "compiler").c_str(), 1);
    return compiled(described(with_host_code())).problem;
  }
};

TEST_F(NvccTest, CompilesAFileWithHostCode) {
  const Description description = described(with_host_code());
  const DeviceImage image = compiled(description);
  ASSERT_FALSE(image.path.empty()) << image.problem;
  EXPECT_EQ(image.kernels.at(0), "_Z5saxpyIfEviT_PKS0_PS0_");
  EXPECT_EQ(image.symbols, std::vector<std::string>{"table"});
  std::string cubin;
  ASSERT_TRUE(read_file(image.path, &cubin));
  EXPECT_EQ(parameter_sizes(cubin, image.kernels.at(0)), (std::vector<int>{4, 4, 8, 8}));
  EXPECT_TRUE(is_cached(image.path));
  const DeviceImage by_nvrtc = compiled(described(with(with_host_code(), "\"nvcc\"", "\"nvrtc\"")));
  EXPECT_TRUE(holds(by_nvrtc.problem, "does not compile: ")) << by_nvrtc.problem;  // NVRTC has no <vector>
}

TEST_F(NvccTest, CompilesAllSteps) { EXPECT_EQ(kernels_of_example(folder_, "nvcc"), kernels_of_steps); }

TEST_F(NvccTest, NamesFunctionsOfC) {
  std::string text = with(with_host_code(), "template <typename U>\n__global__", "extern \"C\" __global__");
  text = with(text, "int n, U a, const U* x, U* y", "int n, T a, const T* x, T* y");
  text = with(with(text, "saxpy<double><<<1, 1>>>", "saxpy<<<1, 1>>>"), "v.data(), v.data()",
              "nullptr, nullptr");
  const DeviceImage image = compiled(described(with(text, "\"saxpy<T>\"", "\"saxpy\"")));
  EXPECT_EQ(image.kernels.at(0), "saxpy") << image.problem;
}

TEST_F(NvccTest, SaysWhatTheCompilerSaysFirst) {
  const std::string wrong =
      compiled(described(with(with_host_code(), "a * x[i] + table", "a * z + table"))).problem;
  EXPECT_TRUE(holds(wrong, "does not compile: ") && holds(wrong, "identifier \"z\" is undefined")) << wrong;
  EXPECT_TRUE(holds(wrong, "to repeat: nvcc -cubin -arch=sm_80")) << wrong;
  const std::string name =
      compiled(described(with(with_host_code(), "function = \"saxpy<T>\"", "function = \"sxpy<T>\"")))
          .problem;
  EXPECT_TRUE(holds(name, "sxpy")) << name;
  const std::string narrow = compiled(described(with(with_host_code(), "[\"int(n)\"", "[\"n\""))).problem;
  EXPECT_TRUE(holds(narrow, "n has 8 bytes, the function wants 4")) << narrow;
}

TEST_F(NvccTest, AFaultyCompilerCostsItsImage) {
  EXPECT_TRUE(holds(problem_by("kill -9 $$"), "nvcc was killed by signal 9"));
  EXPECT_TRUE(holds(problem_by("echo error: out of order; exit 1"), "out of order"));
  setenv("CUDACXX", (folder_ / "gone").c_str(), 1);
  const std::string gone = compiled(described(with_host_code())).problem;
  EXPECT_TRUE(holds(gone, "there is no ") && holds(gone, "set CUDACXX to one")) << gone;
}

// The error message suggests a command that repeats the compilation. nvcc accepts this command.
TEST_F(NvccTest, TheCommandToRepeatIsOneOfNvcc) {
  const std::string text = problem("a * x[i] + y[i];\n  }\n}\n#else", "a * z + y[i];\n  }\n}\n#else");
  const std::size_t at = text.find("to repeat: nvcc ");
  ASSERT_NE(at, std::string::npos) << text;
  const Ended again = run_to_end({"sh", "-c", nvcc() + text.substr(at + 15) + " -o /dev/null"}, 60);
  EXPECT_TRUE(holds(again.log, "identifier \"z\" is undefined")) << text << again.log;
}

// Compiles each example with its preferred tuning and with every other value of each tunable.
TEST_F(NvrtcTest, ExamplesCompile) {
  for (const char* name :
       {"examples/own/saxpy.cu", "examples/own/convolution.cu", "tests/own/kernels/gemm.json"}) {
    const Description description = read_description(std::string(SEXTANT_SOURCE_DIR) + "/" + name);
    for (const DescribedVariant& variant : description.variants) {
      if (variant.model != Model::cuda) continue;
      std::vector<int> preferred;
      for (const DescribedTunable& one : variant.tunables) preferred.push_back(one.preferred);
      std::vector<std::vector<int>> tunings = {preferred};
      for (std::size_t i = 0; i < preferred.size(); ++i) {
        tunings.push_back(preferred);
        tunings.back()[i] = variant.tunables[i].choices.back();
      }
      std::vector<Instance> instances;
      for (const std::vector<int>& one : tunings)
        instances.push_back({description, variant, ElementType::float32, one.data()});
      for (const DeviceImage& image : compile_device(instances, "sm_80", 2))
        EXPECT_FALSE(image.path.empty()) << name << ": " << image.problem;
    }
  }
}

}  // namespace
}  // namespace sextant::own
