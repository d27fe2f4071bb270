// CUDA variants of descriptions are compiled at run time: what is asked of it needs no GPU.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "own/compile/cache.hpp"
#include "own/compile/compile_device.hpp"
#include "own/compile/cubin.hpp"
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
  EXPECT_TRUE(holds(image.kernel, "saxpy")) << image.kernel;
  std::string cubin;
  ASSERT_TRUE(read_file(image.path, &cubin));
  EXPECT_EQ(parameter_sizes(cubin, image.kernel), (std::vector<int>{4, 4, 8, 8}));
  const DeviceImage wide = compiled(description, ElementType::float64);
  ASSERT_TRUE(read_file(wide.path, &cubin));
  EXPECT_EQ(parameter_sizes(cubin, wide.kernel), (std::vector<int>{4, 8, 8, 8}));
  EXPECT_EQ(parameter_sizes(cubin, "other"), std::vector<int>{});
  for (std::size_t size = 0; size < cubin.size(); size += 97)
    (void)parameter_sizes(cubin.substr(0, size), wide.kernel);
}

TEST_F(NvrtcTest, KeepsItsImages) {
  const Description description = described(saxpy);
  const DeviceImage first = compiled(description);
  const auto made = fs::last_write_time(first.path);
  const DeviceImage again = compiled(description);
  EXPECT_EQ(again.path, first.path);
  EXPECT_EQ(again.kernel, first.kernel);
  EXPECT_EQ(fs::last_write_time(first.path), made);
  EXPECT_NE(compiled(description, ElementType::float32, 4).path, first.path);  // items is a macro
  EXPECT_EQ(images(), 2u);
}

// Some at once; a bad one costs itself alone.
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
  EXPECT_EQ(images[3].path, images[4].path);  // block_size is a launch value
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
  EXPECT_TRUE(holds(
      narrow,
      "saxpy<T> takes 4 parameters of 4 4 8 8 bytes, arguments give 8 4 8 8: n has 8 bytes, the function wants 4"))
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

// The preferred tuning of each example, and for each tunable its other values.
TEST_F(NvrtcTest, ExamplesCompile) {
  for (const char* name : {"examples/own/saxpy.cu", "examples/own/convolution.cu", "tests/own/gemm.json"}) {
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
