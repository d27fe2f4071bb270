// Tests of CUDA variants whose function is on the host and launches kernels: how a description states them,
// how they are compiled, and how they are drafted.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "own/compile/compile.hpp"
#include "own/compile/nvcc.hpp"
#include "own/description/description.hpp"
#include "own/draft/draft.hpp"
#include "own_description.hpp"
#include "refusal.hpp"

namespace sextant::own {
namespace {

using test::mean;
using test::with;

TEST(Launcher, IsStatedByADescription) {
  const DescribedVariant variant = description_in(mean, "mean.cu").variants.at(1);
  EXPECT_TRUE(variant.launcher);
  EXPECT_TRUE(variant.compilation.nvcc);
  EXPECT_TRUE(variant.block.empty());
  EXPECT_TRUE(variant.arguments.at(0).element);
  EXPECT_EQ(variant.arguments.at(4).kind, DescribedArgument::Kind::stream);
  EXPECT_EQ(variant.result, 2);
  const std::string table =
      with(mean, "\"x\", \"int(n)\", \"scaled\"", "\"host(x)\", \"int(n)\", \"scaled\"");
  const DescribedArgument argument = description_in(table, "mean.cu").variants.at(1).arguments.at(1);
  EXPECT_TRUE(argument.on_host && argument.kind == DescribedArgument::Kind::array && argument.index == 1);
}

TEST(Launcher, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& from, const std::string& to) {
    return test::refusal([&] { (void)description_in(with(mean, from, to), "mean.cu"); });
  };
  EXPECT_EQ(refused("launcher = true", "launcher = true\nblock = [\"64\"]"),
            "mean.cu:19:9: the function launches its kernels itself (launcher = true), so leave `block` out");
  EXPECT_EQ(refused("cuda.mean", "openmp.mean"),
            "mean.cu:18:12: `launcher` applies to CUDA only, and openmp.mean is not a CUDA variant");
  EXPECT_EQ(refused("[\"*by\", \"x\", \"int(n)\", \"scaled\"", "[\"*out\", \"x\", \"int(n)\", \"scaled\""),
            "mean.cu:21:15: *out is a copy in the host's memory, so out must be an input of the description");
}

TEST(Launcher, IsCompiledByNvccIntoALibrary) {
  if (nvcc_version().empty()) GTEST_SKIP() << "there is no nvcc";
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("own_launcher_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  setenv("SEXTANT_CACHE", (folder / "cache").c_str(), 1);
  const auto compiled = [&](const std::string& text) {
    std::ofstream(folder / "mean.cu") << text;
    const Description description = read_description(folder / "mean.cu");
    Instance instance{description, description.variants.at(1), ElementType::float32, nullptr};
    instance.arch = "sm_80";
    return compile_host(instance);
  };
  const Image image = compiled(mean);
  EXPECT_EQ(image.problem, "");
  void* library = dlopen(image.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "sextant_step"), nullptr);
  EXPECT_NE(dlsym(library, "sextant_problem"), nullptr);
  const std::string problem = compiled(with(mean, "\"scaled\", \"stream\"", "\"scaled\"")).problem;
  EXPECT_NE(problem.find("mean.cu(21): error: too few arguments"), std::string::npos) << problem;
  fs::remove_all(folder);
  unsetenv("SEXTANT_CACHE");
}

// Kernels with an array that the launcher gives them.
const std::string scaled =
    "__global__ void scale(const float* x, float* t, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
    "if (i < n) t[i] = 2 * x[i]; }\n"
    "__global__ void add(const float* t, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
    "if (i < n) y[i] = t[i] + 1; }\n";
const std::string scaled_host =
    "void run_cpu(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + 1; }\n";

const std::string priced =
    "struct Deal { float spot; int steps; };\n"
    "__global__ void simulate(Deal deal, int n, float* pay) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
    "if (i < n) pay[i] = deal.spot * i / deal.steps; }\n"
    "__global__ void average(const float* pay, int n, float* price) { float s = 0; for (int i = 0; i < n; "
    "++i) s += pay[i]; if (threadIdx.x == 0) *price = s / n; }\n"
    "void price_gpu(Deal deal, int n, float* d_pay, float* d_price) { simulate<<<(n + 255) / 256, "
    "256>>>(deal, n, d_pay); average<<<1, 32>>>(d_pay, n, d_price); }\n"
    "float price_cpu(Deal deal, int n, float* pay) { float s = 0; for (int i = 0; i < n; ++i) s += pay[i] = "
    "deal.spot * i / deal.steps; return s / n; }\n";

const std::string aligned =
    "__global__ void align(int n, const int* at, const char* s, int* scratch, int* score) { int p = "
    "blockIdx.x "
    "* blockDim.x + threadIdx.x; if (p < n) { int* row = scratch + at[p]; row[0] = s[at[p]]; score[p] = "
    "row[0]; } }\n"
    "void align_gpu(int n, const int* d_at, const char* d_s, int* d_scratch, int* d_score) { align<<<(n + "
    "63) "
    "/ 64, 64>>>(n, d_at, d_s, d_scratch, d_score); }\n"
    "void align_cpu(int n, const int* at, const char* s, int* prev, int* cur, int* score) { for (int p = 0; "
    "p "
    "< n; ++p) { prev[0] = s[at[p]]; cur[0] = prev[0]; score[p] = cur[0]; } }\n";

const struct {
  const char* what;
  std::string source, has, has_not;
} drafted[] = {
    {"a struct by value, and an array for the number that the host function returns", priced,
     "[variant.\"cuda.price_gpu\"]\nlauncher = true\nfunction = \"price_gpu\"\narguments = [\"*deal\", "
     "\"int(n)\", \"pay\", \"price\"]\n",
     "block ="},
    {"the returned number", priced, "arguments = [\"*deal\", \"int(n)\", \"pay\"]\nresult = \"price\"\n",
     "that nothing checks"},
    {"kernels that the launcher stands for", priced,
     "# left out: simulate (line 2): price_gpu (line 4) launches it\n", "unsupported type"},
    {"temporary arrays of the launcher", aligned,
     "# This function launches kernels itself, on arrays in GPU memory.\n[variant.\"cuda.align_gpu\"]\n"
     "temporaries = [{ name = \"scratch\", length = \"N + 65536\", type = \"int\" }]  # a guess: no index "
     "bounds the lengths\n"
     "launcher = true\n",
     "name = \"scratch\", role"},
    {"temporary arrays of the host function", aligned,
     "[variant.\"serial.baseline\"]\ntemporaries = [{ name = \"prev\", length = \"1\", type = \"int\" }, { "
     "name = \"cur\", length = \"1\", type = \"int\" }]\n"
     "function = \"align_cpu\"\n",
     "name = \"prev\", role"},
    {"kernels in a row, which are steps",
     scaled + scaled_host +
         "void run_gpu(const float* x, float* t, float* y, int n) { scale<<<n / 64, 64>>>(x, t, n); "
         "add<<<n / 64, 64>>>(t, y, n); }\n",
     "steps = [\n", "launcher = true"},
    {"cudaMemset, which no step does",
     scaled + scaled_host +
         "void run_gpu(const float* x, float* t, float* y, int n) { cudaMemset(t, 0, 4 * n); scale<<<n / 64, "
         "64>>>(x, t, n); add<<<n / 64, 64>>>(t, y, n); }\n",
     "temporaries = [{ name = \"t\", length = \"n\" }]\nlauncher = true\n", "steps ="},
    {"a function that calls itself",
     scaled + scaled_host +
         "void run_gpu(const float* x, float* y, int n, float* t) { scale<<<n / 64, 64>>>(x, t, n); if (n > "
         "64) "
         "run_gpu(t, t, n / 64, t + n); add<<<n / 64, 64>>>(t, y, n); }\n",
     "launcher = true\n", "steps ="},
    {"numbers that the launcher computes",
     scaled + scaled_host +
         "void run_gpu(const float* x, float* y, int n, float* t) { int w = n; scale<<<n / 64, 64>>>(x, t, "
         "w); "
         "while (w > 1) { add<<<n / 64, 64>>>(t, y, w); w /= 2; } }\n",
     "launcher = true\n", "steps ="},
    {"temporary arrays of the launcher's own, and a stream",
     scaled + scaled_host +
         "void run_gpu(const float* d_x, float* d_y, int n, cudaStream_t s) { float* t; cudaMalloc(&t, 4 * "
         "n); "
         "scale<<<n / 64, 64, 0, s>>>(d_x, t, n); cudaMemsetAsync(d_y, 0, 4 * n, s); add<<<n / 64, 64, 0, "
         "s>>>(t, d_y, n); cudaFree(t); }\n",
     "arguments = [\"x\", \"y\", \"int(n)\", \"stream\"]\n", "temporaries"},
    {"parameters of other names in the same order",
     scaled + scaled_host +
         "void run_gpu(const float* from, float* to, int count) { float* t; cudaMalloc(&t, 4 * count); "
         "cudaMemset(t, 0, 4); scale<<<1, 64>>>(from, t, count); add<<<1, 64>>>(t, to, count); }\n",
     "function = \"run_gpu\"\narguments = [\"x\", \"y\", \"int(n)\"]\n", "count"},
    {"a function that copies from the host's memory",
     scaled + scaled_host +
         "void run_gpu(const float* x, float* y, int n) { float *t, *d; cudaMalloc(&t, 4 * n); "
         "cudaMalloc(&d, "
         "4 "
         "* n); cudaMemcpy(t, x, 4 * n, cudaMemcpyHostToDevice); scale<<<n / 64, 64>>>(t, d, n); "
         "add<<<n / 64, 64>>>(d, t, n); cudaMemcpy(y, t, 4 * n, cudaMemcpyDeviceToHost); }\n",
     "steps = [\n", "launcher = true"},
    {"an input that the host function does not take",
     scaled + scaled_host +
         "void run_gpu(const float* x, const int* order, float* y, int n) { float* t; cudaMalloc(&t, 4 * n); "
         "cudaMemset(t, 0, 4); scale<<<n / 64, 64>>>(x + order[0], t, n); add<<<n / 64, 64>>>(t, y, n); }\n",
     "# run_cpu does not take order: give values with which run_gpu computes the same\n", "steps ="},
    {"an order that only the launcher takes",
     "__global__ void move(const float* x, const int* order, float* y, int n) { int k = blockIdx.x * "
     "blockDim.x + threadIdx.x; if (k < n) y[order[k]] = x[order[k]]; }\n"
     "void move_gpu(const float* x, const int* order, float* y, int n) { cudaMemset(y, 0, 4 * n); move<<<(n "
     "+ "
     "63) / 64, 64>>>(x, order, y, n); }\n"
     "void move_cpu(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n",
     "{ name = \"order\", role = \"in\", length = \"n\", type = \"int\", fill = \"permutation\" }", "range"},
    {"a launcher that writes another array than the host function",
     "__global__ void step(int n, const float* from, float* to) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) to[i] = from[i] / 2; }\n"
     "void heat(int n, float* d_a, float* d_b) { cudaMemset(d_b, 0, 4); step<<<n / 64, 64>>>(n, d_a, d_b); "
     "}\n"
     "void heat_ref(int n, int steps, float* a) { for (int k = 0; k < steps; ++k) for (int i = 0; i < n; "
     "++i) "
     "a[i] /= 2; }\n",
     "function = \"step\"", "launcher = true"},
    {"a table that the launcher copies from the host to constant memory",
     "#define MOST 48\n__constant__ float c_taps[MOST];\n"
     "__global__ void fir(const float* x, float* y, int n, int taps) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) y[i] = x[i] * c_taps[taps - 1]; }\n"
     "int fir_gpu(const float* d_x, float* d_y, int n, const float* h_taps, int taps) { cudaMemcpyToSymbol("
     "c_taps, h_taps, taps * sizeof(float)); fir<<<(n + 63) / 64, 64>>>(d_x, d_y, n, taps); return 0; }\n"
     "void fir_cpu(const float* x, float* y, int n, const float* h_taps, int taps) { for (int i = 0; i < n; "
     "++i) y[i] = x[i] * h_taps[taps - 1]; }\n",
     "arguments = [\"x\", \"y\", \"int(n)\", \"host(h_taps)\", \"int(taps)\"]\n", "block ="},
    {"a length that only the kernel shows",
     "__global__ void look(const unsigned char* x, const float* table, float* y, int n) { __shared__ float "
     "s[64]; for (int i = threadIdx.x; i < 64; i += blockDim.x) s[i] = table[i]; __syncthreads(); int i = "
     "blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = s[x[i] * 8 + 1]; }\n"
     "void look_gpu(const unsigned char* x, const float* table, float* y, int n) { cudaMemset(y, 0, 4 * n); "
     "look<<<(n + 63) / 64, 64>>>(x, table, y, n); }\n"
     "static int place(int v) { return v * 8 + 1; }\n"
     "void look_cpu(const unsigned char* x, const float* table, float* y, int n) { for (int i = 0; i < n; "
     "++i) y[i] = table[place(x[i])]; }\n",
     "name = \"table\", role = \"in\", length = \"64\"", "length is a guess"},
};

TEST(Launcher, LimitsWhatConstantMemoryHolds) {
  const auto sizes = [](const std::string& most) {
    for (const auto& one : drafted) {
      const std::size_t at = one.source.find("MOST 48");
      if (at == std::string::npos) continue;
      const std::string draft = draft_of(with(one.source, "MOST 48", "MOST " + most), "said.cu");
      return draft.substr(draft.find("sizes ="),
                          draft.find('\n', draft.find("sizes =")) - draft.find("sizes ="));
    }
    return std::string();
  };
  EXPECT_NE(sizes("48").find("taps = \"min(n, 48)\""), std::string::npos) << sizes("48");
  EXPECT_NE(sizes("48").find("; taps limited, as an array of the code has room for 48"), std::string::npos);
  EXPECT_EQ(sizes("n").find("min("), std::string::npos) << sizes("n");
}

TEST(Launcher, IsDrafted) {
  for (const auto& one : drafted) {
    const std::string draft = draft_of(one.source, "said.cu");
    EXPECT_NO_THROW((void)description_in(draft + one.source, "said.cu")) << one.what << "\n" << draft;
    EXPECT_NE(draft.find(one.has), std::string::npos) << one.what << ": " << one.has << "\n" << draft;
    EXPECT_EQ(draft.find(one.has_not), std::string::npos) << one.what << ": " << one.has_not << "\n" << draft;
  }
}

}  // namespace
}  // namespace sextant::own
