// Tests of CUDA variants that a description defines: NVRTC compiles them, the driver launches them, and the
// engine checks them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "device/open.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"
#include "own/compile/nvcc.hpp"
#include "own/description/asked.hpp"
#include "own/kernel/described_kernel.hpp"
#include "own_description.hpp"
#include "plan/plan.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;
using test::saxpy;
using test::with;

class OwnLaunch : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    setenv("SEXTANT_CACHE", (folder_ / "cache").c_str(), 1);
    std::string why_not;
    if (!open_device(MemorySpace::cuda, 0, &why_not)) GTEST_SKIP() << why_not;
  }
  void TearDown() override {
    fs::remove_all(folder_);
    unsetenv("SEXTANT_CACHE");
  }

  // Adds the kernel under a unique name, so that tests do not affect each other.
  const RegisteredKernel& add(std::string text) const {
    static int count = 0;
    const std::string name = "launched_" + std::to_string(++count);
    const std::size_t at = text.find("name = \""), end = text.find('"', at + 8);
    text.replace(at + 8, end - at - 8, name);
    std::ofstream(folder_ / (name + ".cu")) << text;
    add_to_registry(described(read_description(folder_ / (name + ".cu"))));
    return *find_kernel(name);
  }
  const RegisteredKernel& example(const std::string& name) const {
    std::ifstream file(std::string(SEXTANT_SOURCE_DIR) + "/examples/own/" + name);
    return add({std::istreambuf_iterator<char>(file), {}});
  }

  Measurement run(const RegisteredKernel& entry, const std::string& variant, std::int64_t n, ElementType type,
                  Tuning tuning = {}) const {
    const Problem problem{n, type, entry.kernel.extents(n), {}};
    if (tuning.empty()) tuning = default_tuning(*find_variant(entry, variant), problem);
    CaseRunner runner([](Stage) {});
    Settings settings;
    settings.check_only = true;
    return runner.run({entry.kernel.name, variant, "", problem, tuning, "gpu0"}, settings);
  }
  void expect_right(const RegisteredKernel& entry, const std::string& variant, std::int64_t n,
                    ElementType type, const Tuning& tuning = {}) const {
    const Measurement measurement = run(entry, variant, n, type, tuning);
    EXPECT_EQ(measurement.status, Status::ok) << variant << " " << n << ": " << measurement.reason;
  }
  std::string reason(const std::string& from, const std::string& to) const {
    const Measurement measurement = run(add(with(saxpy, from, to)), "cuda.mine", 10000, ElementType::float32);
    EXPECT_NE(measurement.status, Status::ok);
    return measurement.reason;
  }

  fs::path folder_ = fs::temp_directory_path() / ("own_launch_" + std::to_string(::getpid()));
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(OwnLaunch, PassesWhatIsRight) {
  const RegisteredKernel& entry = add(saxpy);
  for (const std::int64_t n : {2, 97, 4099, 1 << 20})
    for (const ElementType type : {ElementType::float32, ElementType::float64})
      expect_right(entry, "cuda.mine", n, type);
  for (const int items : {1, 8})
    expect_right(entry, "cuda.mine", 4099, ElementType::float32,
                 {{"block_size", 512}, {"items", items}, {"flag.math", 1}});
}

TEST_F(OwnLaunch, RunsTheExamples) {
  expect_right(example("saxpy.cu"), "cuda.items", 1 << 20, ElementType::float64);
  const RegisteredKernel& convolution = example("convolution.cu");
  for (const std::int64_t n : {1000, 4099, 1 << 20})
    expect_right(convolution, "cuda.tiles", n, ElementType::float32);
  const Variant* tiles = find_variant(convolution, "cuda.tiles");
  for (const Tunable& tunable : tiles->tunables)
    for (const int choice : tunable.choices) {
      const Problem problem{50000, ElementType::float32, convolution.kernel.extents(50000), {}};
      Tuning tuning = default_tuning(*tiles, problem);
      std::vector<int> values;
      for (auto& [name, value] : tuning) {
        if (name == tunable.name) value = choice;
        values.push_back(value);
      }
      if (!tiles->constraint(problem, values.data()))
        expect_right(convolution, "cuda.tiles", 50000, ElementType::float32, tuning);
    }
}

TEST_F(OwnLaunch, RunsStepsWithTemporaryArrays) {
  std::ifstream file(std::string(SEXTANT_SOURCE_DIR) + "/examples/own/above_mean.cu");
  const std::string text{std::istreambuf_iterator<char>(file), {}},
      variant = "[variant.\"cuda.three_kernels\"]\n";
  for (const bool by_nvcc : {false, true}) {
    if (by_nvcc && nvcc_version().empty()) continue;
    const RegisteredKernel& entry =
        add(by_nvcc ? with(text, variant, variant + "compiler = \"nvcc\"\n") : text);
    for (const std::int64_t n : {3, 100, 4099, 1 << 20})
      for (const ElementType type : {ElementType::float32, ElementType::float64})
        for (const int blocks : {132, 528})
          expect_right(entry, "cuda.three_kernels", n, type, {{"block_size", 256}, {"blocks", blocks}});
  }
}

// A function on the host that launches kernels and returns a number.
TEST_F(OwnLaunch, CallsAFunctionThatLaunchesKernels) {
  if (nvcc_version().empty()) GTEST_SKIP() << "there is no nvcc";
  const RegisteredKernel& entry = add(test::mean);
  for (const std::int64_t n : {5, 97, 4099, 1 << 20})
    expect_right(entry, "cuda.mean", n, ElementType::float32);
  const RegisteredKernel& wrong = add(with(test::mean, "y[i] = x[i] * by.factor", "y[i] = x[i]"));
  EXPECT_EQ(run(wrong, "cuda.mean", 97, ElementType::float32).status, Status::wrong);
  const RegisteredKernel& refused = add(with(test::mean, "256, 0, stream>>>", "2048, 0, stream>>>"));
  const std::string reason = run(refused, "cuda.mean", 97, ElementType::float32).reason;
  EXPECT_TRUE(holds(reason, "invalid")) << reason;
}

// Each repetition makes one more launch and gets its number as an argument: x + 0 + 1 + 2 + ...
TEST_F(OwnLaunch, GivesStepsTheirNumbers) {
  const RegisteredKernel& entry = add(R"own(/* sextant
name = "numbered"
types = ["int"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
[variant."serial.baseline"]
function = "right"
arguments = ["n", "x", "y"]
[variant."cuda.steps"]
steps = [ { function = "copy", arguments = ["int(n)", "x", "y"], block = [128], grid = ["ceil_div(n, 128)"] },
          { function = "add", arguments = ["int(n)", "int(step)", "y"], block = [128], grid = ["ceil_div(n, 128)"], repeat = 10 } ]
*/
#if defined(SEXTANT_MODEL_CUDA)
__global__ void copy(int n, const int* x, int* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = x[i]; }
__global__ void add(int n, int step, int* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] += step; }
#else
void right(long n, const int* x, int* y) { for (long i = 0; i < n; ++i) y[i] = x[i] + 45; }
#endif
)own");
  expect_right(entry, "cuda.steps", 5000, ElementType::int32);
}

// The file has host code and constant memory, so nvcc compiles it. The constant's name is found in the image.
TEST_F(OwnLaunch, RunsWhatNvccCompiled) {
  if (nvcc_version().empty()) GTEST_SKIP() << "there is no nvcc";
  std::ifstream file(std::string(SEXTANT_SOURCE_DIR) + "/examples/own/convolution.cu");
  const std::string text{std::istreambuf_iterator<char>(file), {}}, variant = "[variant.\"cuda.tiles\"]\n";
  const RegisteredKernel& entry =
      add(with(text, variant, variant + "compiler = \"nvcc\"\n") + "#include <vector>\n");
  for (const ElementType type : {ElementType::float32, ElementType::float64})
    if (entry.kernel.has(type)) expect_right(entry, "cuda.tiles", 50000, type);
}

// Besides kernels, these files contain host code, launches and main.
TEST_F(OwnLaunch, RunsFilesOfOthersAsTheyAre) {
  if (nvcc_version().empty()) GTEST_SKIP() << "there is no nvcc";
  for (const char* name : {"histogram", "softmax", "jacobi"}) {
    std::ifstream file(std::string(SEXTANT_SOURCE_DIR) + "/tests/own/kernels/" + name + ".cu");
    const RegisteredKernel& entry = add({std::istreambuf_iterator<char>(file), {}});
    for (const Variant& variant : entry.variants)
      for (const std::int64_t n : {1000, 50000})
        if (variant.model == Model::cuda)
          expect_right(entry, variant.name, n,
                       entry.kernel.has(ElementType::int32)     ? ElementType::int32
                       : entry.kernel.has(ElementType::float32) ? ElementType::float32
                                                                : ElementType::float64);
  }
}

// The command line names the reference of a T1 file.
TEST_F(OwnLaunch, RunsAT1File) {
  const std::string folder = std::string(SEXTANT_SOURCE_DIR) + "/tests/own/kernels/";
  Description description = read_description(folder + "gemm.json");
  complete({"gemm_of_t1", folder + "gemm_ref.cpp:gemm", "relative=1e-4", false}, &description);
  add_to_registry(described(description));
  const RegisteredKernel& entry = *find_kernel("gemm_of_t1");
  for (const int tile : {8, 16, 32})
    for (const int rows : {1, 4})
      expect_right(entry, "cuda.t1", 3 * 16384, ElementType::float32, {{"tile", tile}, {"rows", rows}});
}

TEST_F(OwnLaunch, SwapsArraysBetweenLaunches) {
  const std::string steps = R"own(/* sextant
name = "steps"
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "u", role = "inout", length = "n" }, { name = "v", role = "inout", length = "n", fill = "zero" } ]
reference = "serial.step"
tolerance = { absolute = "8 * eps", reason = "three roundings of numbers of at most 1" }
[variant."serial.step"]
function = "step"
arguments = ["n", "u", "v"]
repeat = 3
swap = ["u", "v"]
[variant."cuda.step"]
function = "step"
arguments = ["n", "u", "v"]
block = [128]
grid = ["ceil_div(n, 128)"]
repeat = 3
swap = ["u", "v"]
*/
#ifdef SEXTANT_MODEL_CUDA
__global__ void step(long long n, const T* u, T* v) {
  const long long i = blockIdx.x * 128ll + threadIdx.x;
  if (i < n) v[i] = (u[i] + u[(i + 1) % n]) / 2;
}
#else
void step(long long n, const T* u, T* v) {
  for (long long i = 0; i < n; ++i) v[i] = (u[i] + u[(i + 1) % n]) / 2;
}
#endif
)own";
  expect_right(add(steps), "cuda.step", 10000, ElementType::float32);
  const RegisteredKernel& other = add(
      with(steps, "grid = [\"ceil_div(n, 128)\"]\nrepeat = 3", "grid = [\"ceil_div(n, 128)\"]\nrepeat = 2"));
  EXPECT_EQ(run(other, "cuda.step", 10000, ElementType::float32).status, Status::wrong);
}

TEST_F(OwnLaunch, SaysWhatWentWrong) {
  EXPECT_TRUE(holds(reason("if (i < n) y[i]", "if (i < n - 64) y[i]"), "y["));
  EXPECT_TRUE(holds(reason("[\"int(n)\", \"a\"", "[\"n\", \"a\""), "n has 8 bytes, the function wants 4"));
  EXPECT_TRUE(holds(reason("block = [\"block_size\"]", "block = [\"block_size\"]\nshared = 1000000"),
                    "shared memory"));
  EXPECT_TRUE(
      holds(reason("const int i = (blockIdx", "const int i = nothing + (blockIdx"), "does not compile: "));
}

// The kernel allows fewer threads than the block has, so nothing is launched.
TEST_F(OwnLaunch, SkipsBlocksThatTheKernelDoesNotAllow) {
  const RegisteredKernel& entry =
      add(with(saxpy, "__global__ void saxpy", "__global__ void __launch_bounds__(128) saxpy"));
  const auto at = [&](int block_size) {
    return run(entry, "cuda.mine", 10000, ElementType::float32,
               {{"block_size", block_size}, {"items", 1}, {"flag.math", 0}});
  };
  EXPECT_EQ(at(128).status, Status::ok) << at(128).reason;
  EXPECT_EQ(at(256).status, Status::skipped);
  EXPECT_EQ(at(256).reason,
            "cannot be prepared: saxpy<T> allows at most 128 threads per block on this GPU, because of its "
            "registers or launch bounds, but its block has 256 with block_size = 256");
}

// The driver rejects the launch, and the message contains the driver's text. With its shared array, the block
// needs more shared memory than a block has without a request.
TEST_F(OwnLaunch, SaysWhatTheDriverRefuses) {
  std::string text = with(saxpy, "block = [\"block_size\"]", "block = [\"block_size\"]\nshared = 49152");
  text = with(text, "  for (int k = 0; k < items; ++k) {",
              "  __shared__ U part[64];\n  part[threadIdx.x % 64] = a;\n  __syncthreads();\n"
              "  a = part[0];\n  for (int k = 0; k < items; ++k) {");
  const Measurement measurement = run(add(text), "cuda.mine", 10000, ElementType::float32);
  EXPECT_EQ(measurement.status, Status::failed);
  EXPECT_TRUE(holds(measurement.reason, "launching: ")) << measurement.reason;
}

}  // namespace
}  // namespace sextant::own
