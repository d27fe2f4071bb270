// Tests of reading function signatures from sources, and of drafting descriptions from them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "golden.hpp"
#include "own/compile/compile.hpp"
#include "own/description/description.hpp"
#include "own/draft/draft.hpp"
#include "own/draft/signature.hpp"
#include "own_description.hpp"
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

// Neighbouring threads or blocks share a row, so there are more of them than rows.
TEST(Signature, CountsThreadsThatShareAnIndex) {
  const auto items = [](const std::string& index, std::optional<Polynomial> Axis::*counted) {
    const Signature kernel =
        functions_of("__global__ void sums(const float* x, float* y, int rows, int w) {\n  int row = " +
                         index + ";\n  if (row >= rows) return;\n  y[row] = x[row];\n}\n",
                     "a.cu")
            .functions.at(0);
    return (kernel.axes[0].*counted).value_or(Polynomial(0)).text();
  };
  EXPECT_EQ(items("blockIdx.x * blockDim.x + threadIdx.x", &Axis::items), "rows");
  EXPECT_EQ(items("(blockIdx.x * blockDim.x + threadIdx.x) / 32", &Axis::items), "32 * rows");
  EXPECT_EQ(items("(blockIdx.x * blockDim.x + threadIdx.x) >> 5", &Axis::items), "32 * rows");
  EXPECT_EQ(items("(blockIdx.x * blockDim.x + threadIdx.x) / w", &Axis::items), "rows * w");
  EXPECT_EQ(items("(blockIdx.x * blockDim.x + threadIdx.x) / 32 + 1", &Axis::items), "32 * rows");
  EXPECT_EQ(items("4 * ((blockIdx.x * blockDim.x + threadIdx.x) / 32)", &Axis::items), "8 * rows");
  EXPECT_EQ(items("blockIdx.x / 2", &Axis::block_items), "2 * rows");
}

TEST(Signature, IsReadOfFunctionsWithABody) {
  const std::vector<Signature> all = functions_of(source, "a.cu").functions;
  ASSERT_EQ(all.size(), 4u);
  const Signature& kernel = all[0];
  EXPECT_EQ(kernel.name, "mine::saxpy");
  EXPECT_EQ(kernel.line, 8);
  EXPECT_TRUE(kernel.kernel);
  EXPECT_TRUE(kernel.axes[0].threads && kernel.axes[0].blocks && !kernel.axes[1].threads);
  EXPECT_EQ(kernel.axes[0].items->text(), "n");
  ASSERT_EQ(kernel.templates.size(), 2u);
  EXPECT_EQ(kernel.templates[0].name, "T");
  EXPECT_EQ(kernel.templates[1].preset, "4");
  EXPECT_TRUE(kernel.parameters[3].written && !kernel.parameters[3].read && kernel.parameters[2].read);
  EXPECT_EQ(kernel.parameters[3].lengths.at(0).text(), "n");
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
  EXPECT_EQ(plain.parameters[0].type, "unsigned long");
  EXPECT_TRUE(plain.parameters[2].is_const);
  EXPECT_TRUE(plain.parameters[3].pointer);
  EXPECT_EQ(all[2].name, "takes");
  EXPECT_EQ(all[3].name, "sum");
}

TEST(Signature, SurvivesWhatIsNoSource) {
  for (const char* text : {"", "{", "}}}", "((((", "\"", "/*", "#", "#\\", "void f(", "void f() {",
                           "template <", "a b(c d[]) {", "f(,,) {}"})
    (void)functions_of(text, "a.cpp");
  std::string deep;
  for (int i = 0; i < 2'000; ++i) deep += "for (int i = 0; i < n; ++i) ";
  EXPECT_THROW((void)functions_of("void f(int n, float* y) { " + deep + "y[i] = 1; }", "a.cpp"), UserError);
}

TEST(Draft, DescribesTheFunctions) {
  const Description description = description_in(draft_of(source, "My-File.cu") + source, "My-File.cu");
  EXPECT_EQ(description.name, "my_file");
  EXPECT_EQ(description.types, std::vector<ElementType>{ElementType::float32});  // the type that `plain` uses
  ASSERT_EQ(description.arrays.size(), 2u);
  EXPECT_EQ(description.arrays[0].role, Role::in);
  EXPECT_EQ(description.arrays[1].role, Role::out);
  ASSERT_EQ(description.variants.size(), 4u);
  EXPECT_EQ(description.variants[0].name, "cuda.saxpy");
  EXPECT_EQ(description.variants[0].function, "mine::saxpy<T, 4>");
  EXPECT_EQ(description.variants[0].arguments[0].cast, "int");
  EXPECT_EQ(description.variants[1].name, "openmp.plain");
  EXPECT_EQ(description.reference->variant, "serial.baseline");
  test::expect_golden(draft_of(source, "a.cu"), "own/drafts:functions");
}

TEST(Draft, GuessesPlanesAndReferences) {
  const std::string plane =
      "__global__ void blur(int w, int h, const float* in, float* out) { out[threadIdx.y * w + threadIdx.x] "
      "= in[h]; }\n";
  const std::string draft = draft_of(plane, "blur.cu");
  const Description description = description_in(draft + plane, "blur.cu");
  EXPECT_EQ(description.variants[0].block.size(), 2u);
  EXPECT_EQ(description.arrays[0].length.text(), "h + 1");
  EXPECT_EQ(description.reference->function.function, "blur_reference");
  test::expect_golden(draft, "own/drafts:plane");
  EXPECT_EQ(description.types, std::vector<ElementType>{ElementType::float32});
}

TEST(Draft, SaysWhatCannotBeDrafted) {
  const auto message = [](const std::string& text) {
    return test::refusal([&] { (void)draft_of(text, "a.cu"); });
  };
  test::expect_golden(test::lines({message("/* sextant */ void f(float* x) {}"), message("int main() {}"),
                                   message("void sum(const float* x, int n) {}"),
                                   message("namespace std { template <class E> struct vector { E& "
                                           "operator[](int) const; }; } struct Pose { float x, y; };\n"
                                           "void move(const std::vector<float>& x, std::vector<float>& y, "
                                           "Pose from, const Pose& to, Pose& at, int n) { y[0] = x[0]; }")}),
                      "own/drafts:refused");
}

// Sources of many kinds, each with a title.
const std::pair<const char*, const char*> kinds[] = {
    {"names of a description's own",
     "__global__ void scale(float* T, const float* X, float eps, int N, int step) { int i = blockIdx.x * "
     "blockDim.x + threadIdx.x; if (i < N) T[i] = eps * X[i] + step; }"},
    {"the number of threads of a block as an argument",
     "__global__ void scale(float* y, const float* x, int n, int block_size) { int i = blockIdx.x * "
     "block_size + threadIdx.x; if (i < n) y[i] = x[i]; }"},
    {"one name for a size and an array",
     "__global__ void one(float* y, const float* x, int count) { int i = threadIdx.x; if (i < count) y[i] = "
     "x[i]; }\n"
     "__global__ void two(float* y, int* count, int n) { int i = threadIdx.x; if (i < n) y[i] = count[i]; }"},
    {"a helper on the device",
     "__device__ void load(const float* in, float* tile, int n) { for (int i = threadIdx.x; i < n; i += "
     "blockDim.x) tile[i] = in[i]; }\n"
     "__global__ void doubled(const float* x, float* y, int n) { __shared__ float tile[256]; load(x, tile, "
     "256); int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2.0f * x[i]; }"},
    {"structs",
     "struct Place { float at[2]; float height; };\n"
     "__global__ void rise(Place* to, const float4* by, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) to[i].height += by[i].x; }"},
    {"template numbers",
     "template <typename T, int ITEMS = 4, bool FAST = false> __global__ void many(T* y, const T* x, size_t "
     "n) {\n"
     "  size_t i = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * ITEMS;\n"
     "  for (int k = 0; k < ITEMS; ++k) if (i + k < n) y[i + k] = x[i + k];\n}\n"
     "template <int COUNT> __global__ void some(float* y, const float* x, int n) { int i = blockIdx.x * "
     "blockDim.x + threadIdx.x; if (i < n) y[i] = COUNT * x[i]; }\nvoid start(float* y, float* x, int n) { "
     "some<8><<<n, 1>>>(y, x, n); }"},
    {"two of one name",
     "void twice(float* y, const float* x, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }\n"
     "void twice(double* y, const double* x, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }"},
    {"arrays with brackets, typedefs, bytes and flags",
     "typedef unsigned char byte;\nvoid mark(byte y[64], const unsigned x[], bool all, short low, int n) { "
     "for (int i = 0; i < n; ++i) y[i] = all || x[i] > low; }"},
    {"what is switched off",
     "#if 0\nvoid old(float* y) { y[0] = 1; }\n#endif\nvoid fresh(float* y) { y[0] = 2; }"},
    {"products of sizes, behind a macro",
     "#define AT(row, column, width) ((row) * (width) + (column))\n"
     "__global__ void multiply(const double* a, const double* b, double* c, int rows, int columns, int "
     "depth) {\n"
     "  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;\n"
     "  if (row >= rows || column >= columns) return;\n  double sum = 0;\n"
     "  for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[AT(k, column, columns)];\n"
     "  c[AT(row, column, columns)] = sum;\n}"},
    {"rows of uneven length, and indices",
     "void spmv(int rows, const int* row, const int* column, const float* value, const float* x, float* y) "
     "{\n"
     "  for (int i = 0; i < rows; ++i) {\n    float sum = 0;\n"
     "    for (int k = row[i]; k < row[i + 1]; ++k) sum += value[k] * x[column[k]];\n    y[i] = sum;\n  "
     "}\n}"},
    {"neighbours",
     "void smooth(const float* x, float* y, int n) { for (int i = 1; i < n - 1; ++i) y[i] = x[i - 1] + x[i] "
     "+ x[i + 1]; }"},
    {"steps",
     "__global__ void square(float* q, const float* x, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) q[i] = x[i] * x[i]; }\n"
     "__global__ void halve(float* y, const float* q, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) y[i] = q[i] / 2; }\n"
     "void both(float* y, const float* x, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] * x[i] / 2; }"},
    {"what has no place",
     "struct Mixed { float* x; int n; };\nvoid rows(float** y, int n) { y[0][n] = 1; }\n"
     "void mixed(Mixed* y) { y[0].n = 1; }\nvoid other(float& y) { y = 1; }\nvoid nothing(const float* y, "
     "int n) { (void)y[n]; }\nvoid right(float* y, int n) { for (int i = 0; i < n; ++i) y[i] = i; }"},
};

TEST(Draft, LoadsWhateverKindItIs) {
  std::string all;
  for (const auto& [kind, text] : kinds) {
    const std::string file =
        std::string(text).find("__global__") == std::string::npos ? "kind.cpp" : "kind.cu";
    const std::string draft = draft_of(text, file);
    EXPECT_NO_THROW((void)description_in(draft + text, file)) << kind;
    all += std::string("==== ") + kind + "\n" + draft;
  }
  test::expect_golden(all, "own/drafts:kinds");
}

// A type may be defined in an included file.
TEST(Draft, FindsTheFileThatDefinesAType) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("own_types_" + std::to_string(::getpid()));
  fs::create_directories(folder / "kernels");
  std::ofstream(folder / "common.h") << "typedef float real;\n";
  const std::string text = "void f(real* y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }\n";
  const std::string draft = draft_of(text, folder / "kernels" / "f.cpp");
  EXPECT_NE(draft.find("files = [\"../common.h\", \"f.cpp\"]"), std::string::npos) << draft;
  EXPECT_NE(draft.find("types = [\"float\"]"), std::string::npos) << draft;
  fs::remove_all(folder);
}

// The files of device functions are compiled before the source, and before them what they need. A program's
// main file is not one of them.
TEST(Draft, FindsTheFileThatDefinesADeviceFunction) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("own_functions_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string next = "__device__ void next(float* x, float h) { *x += h; }\n";
  std::ofstream(folder / "all.cu") << next << "int main() { return 0; }\n";
  std::ofstream(folder / "both.cu") << next << "#include \"step.cu\"\n";
  std::ofstream(folder / "calls.cu") << "__device__ void twice(float* x) { next(x, 1); next(x, 1); }\n";
  std::ofstream(folder / "declared.cu") << "__device__ void next(float* x, float h);\n";
  std::ofstream(folder / "next.cu") << "__device__ void next(float* x, real h) { *x += half_of(h); }\n";
  std::ofstream(folder / "part.cu") << "__device__ real half_of(real h) { return h / 2; }\n";
  std::ofstream(folder / "real.h") << "typedef float real;\n";
  const std::string text =
      "__global__ void step(float* y, real h, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i "
      "< n) next(y + i, h); }\n";
  const std::string draft = draft_of(text, folder / "step.cu");
  EXPECT_NE(draft.find("files = [\"real.h\", \"part.cu\", \"next.cu\", \"step.cu\"]"), std::string::npos)
      << draft;
  fs::remove_all(folder);
}

// Sources, each with a text that the drafted description must contain and one that it must not contain.
const struct {
  const char *source, *has, *has_not;
} said_by_files[] = {
    // Shared memory of a fixed size suits the block size of the launch in the file. Without a launch, the
    // draft tries the size of the shared array first.
    {"#define TILE 16\n__global__ void tile(const float* x, float* y, int w, int h) { __shared__ float "
     "t[TILE][TILE];\n"
     "int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
     "if (i < w && j < h) y[j * w + i] = t[threadIdx.y][threadIdx.x] = x[j * w + i]; }\n"
     "int main() { float *x = 0, *y = 0; int n = 64; dim3 block(TILE, TILE); tile<<<dim3(4, 4), block>>>(x, "
     "y, n, n); }",
     "block = [\"16\", \"16\"]\n", "tune"},
    {"#define TILE 16\n__global__ void tile(const float* x, float* y, int w, int h) { __shared__ float "
     "t[TILE][TILE];\n"
     "int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
     "if (i < w && j < h) y[j * w + i] = t[threadIdx.y][threadIdx.x] = x[j * w + i]; }",
     "block = [\"16\", \"16\"]\n", "tune"},
    {"__global__ void copy(const float* x, float* y, int n) { __shared__ float t[64 + 1], all[96], few[8];\n"
     "const int at = threadIdx.x, i = blockIdx.x * blockDim.x + at; all[at] = 0; t[at] = x[0];\n"
     "if (at < 8) few[at] = x[at]; if (i < n) y[i] = t[at]; }",
     "block = [\"64\"]\n", "tune"},
    {"__device__ float sum(float x) { __shared__ float t[64]; t[threadIdx.x] = x; return t[0]; }\n"
     "__global__ void sums(const float* x, float* y, int n) { for (int row = blockIdx.x; row < n; row += "
     "gridDim.x)\n"
     "y[row] = sum(x[row]); }\nvoid run(float* x, float* y, int n) { const int threads = 64; sums<<<n, "
     "threads>>>(x, y, n); }",
     "grid = [\"n\"]", "tune"},
    {"__global__ void scale(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) "
     "y[i] *= 2; }\n"
     "int main() { float* y = 0; int n = 999; scale<<<(n + 191) / 192, 192>>>(y, n); }",
     "tune = { block_size = [192, 128, 64, 256, 512, 1024] }", "1 is a guess"},
    {"__global__ void scale(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) "
     "y[i] *= 2; }\n"
     "int main() { float* y = 0; int n = 999, block_size = 256; scale<<<n, block_size>>>(y, n); }",
     "tune = { launch_block_size = [256, 128, 64, 512, 1024] }", " block_size"},
    // Each block computes rows. A condition on threadIdx alone does not determine the grid.
    {"__global__ void rows(const float* x, float* y, int n, int w) { for (int row = blockIdx.x; row < n; row "
     "+= gridDim.x)\n"
     "for (int k = threadIdx.x; k < w; k += blockDim.x) y[row * w + k] = x[row * w + k]; }",
     "grid = [\"n\"]", "ceil_div"},
    // No thread checks whether its index is valid.
    {"__global__ void add(int* a, int b, int repeat) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
     "for (int k = 0; k < repeat; ++k) a[i] += k % b; }",
     "sizes = { threads = \"N // 1024 * 1024\", b = 16, repeat = 1 }", "length is a guess"},
    {"__global__ void add(int* a, int b) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] += b; }",
     "void add_reference(T* a, int b, long threads)\n", "one element per thread?"},
    // Values of `label` select a column, so they must be below the width.
    {"__global__ void pick(const float* x, const int* label, float* y, int n, int w) { int row = blockIdx.x "
     "* blockDim.x + threadIdx.x;\n"
     "if (row >= n) return; const int at = label[row]; float s = 0; for (int k = 0; k < w; ++k) s += x[row * "
     "w + k];\n"
     "y[row] = x[row * w + at] / s; }",
     "fill = { low = 0, high = \"w\" }", "high = \"n"},
    // The reference of several steps takes the arguments of all steps.
    {"__global__ void square(float* q, const float* x, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) q[i] = x[i] * x[i]; }\n__global__ void halve(float* y, const float* q, int n) "
     "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = q[i] / 2; }",
     "void halve_reference(T* q, const T* x, int n, T* y)\n", "const T* q"},
    // Kernels that alternately change one array are steps of one variant.
    {"__global__ void odd(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[2 * "
     "i + 1] += y[2 * i]; }\n"
     "__global__ void even(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[2 "
     "* i] += y[2 * i + 1]; }\n"
     "int main() { float* y = 0; for (int k = 0; k < 9; ++k) { odd<<<4, 64>>>(y, 256); even<<<4, 64>>>(y, "
     "256); } }",
     "[variant.\"cuda.steps\"]", "cuda.odd"},
    // A template argument that appears nowhere is guessed. One that a launch names is not.
    {"template <int COUNT> __global__ void some(float* y, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) y[i] = COUNT; }",
     "function = \"some<1>\"  # 1 is a guess\n", "some<COUNT>"},
    {"constexpr int M = 4;\ntemplate <int COUNT> __global__ void some(float* y, int n) { int i = blockIdx.x "
     "* blockDim.x + threadIdx.x;\n"
     "if (i < n) y[i] = COUNT; }\nint main() { some<M><<<1, 64>>>(nullptr, 0); }",
     "function = \"some<M>\"\n", "a guess\n"},
    // Pointers may be moved within the kernel.
    {"__global__ void rows(const float* x, float* y, int n, int w) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x;\n"
     "if (i >= n) return; x += i * w; y += i; float s = 0; for (int k = 0; k < w; ++k) s += x[k]; *y = s; }",
     "name = \"x\", role = \"in\", length = \"n * w\" },\n", "guess\n  { name = \"y\""},
    {"__global__ void rows(const float* x, float* y, int n, int w) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x;\n"
     "if (i >= n) return; float s = 0; for (int k = 0; k < w; ++k) { s += x[i]; x += n; } y[i] = s; }",
     "name = \"x\", role = \"in\", length = \"n * w\" },\n", "length is a guess"},
    {"void sums(const float* x, float* y, int n, int w) { for (int i = 0; i < n; ++i) { const float* row; "
     "row = x + i * w;\n"
     "float s = 0; for (int k = 0; k < w; ++k) s += *row++; y[i] = s; } }",
     "name = \"x\", role = \"in\", length = \"n * w\" },\n", "length is a guess"},
    {"void walk(const float* x, float* y, int n, int w) { for (int i = 0; i < n; ++i) { y[i] = *x; if (y[i] "
     "> 0) x += w; } }",
     "# length is a guess", "length = \"1\""},
    // A flag may store whether an index is valid.
    {"__global__ void scale(float* y, const float* x, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x;\n"
     "bool valid = true; if (i >= n) valid = false; float v = 0; if (valid) v = x[i]; __syncthreads(); if "
     "(valid) y[i] = v; }",
     "name = \"y\", role = \"out\", length = \"n\" },\n", "threads = \"N"},
    {"__global__ void scale(float* y, const float* x, int w, int h) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x, j = blockIdx.y;\n"
     "const bool inside = i < w && j < h; if (!inside) return; y[j * w + i] = x[j * w + i]; }",
     "grid = [\"ceil_div(w, block_x)\", \"h\"]", "guess\n  { name = \"x\""},
    {"__global__ void scale(float* y, const float* x, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x;\n"
     "bool valid = false; if (i < n) { valid = true; } valid = valid && x[i] > 0; if (valid) y[i] = x[i]; }",
     "name = \"y\", role = \"inout\", length = \"n\"", "threads = \"N"},
    {"__global__ void scale(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; bool valid = i "
     "< n; i += n;\n"
     "if (valid) y[i] = 1; }",
     "# length is a guess", "role = \"out\""},
    // Template arguments may determine lengths and launches.
    {"template <int D> __global__ void norm(const float* x, float* y, int n) { int i = blockIdx.x * "
     "blockDim.x + threadIdx.x;\n"
     "if (i >= n) return; float s = 0; for (int d = 0; d < D; ++d) s += x[i * D + d]; y[i] = s; }\n"
     "#define WIDTH 8\nint main() { norm<WIDTH><<<1, 64>>>(nullptr, nullptr, 0); }",
     "name = \"x\", role = \"in\", length = \"8 * n\" },\n", "is a guess"},
    {"template <typename T, int BLOCK> __global__ void copy(const T* x, T* y, int n) { __shared__ T "
     "t[BLOCK];\n"
     "int i = blockIdx.x * BLOCK + threadIdx.x; if (i < n) { t[threadIdx.x] = x[i]; y[i] = t[threadIdx.x]; } "
     "}\n"
     "int main() { const int SIZE = 128; copy<float, 128><<<1, SIZE>>>(nullptr, nullptr, 0); }",
     "block = [\"128\"]\n", "tune"},
    {"template <int BLOCK> __global__ void copy(const float* x, float* y, int n) { int i = blockIdx.x * "
     "BLOCK + threadIdx.x;\n"
     "if (i < n) y[i] = x[i]; }",
     "function = \"copy<256>\"  # 256 is a guess\n", "tune"},
    // An argument that holds the block size has the value of the launch.
    {"#define SIZE 128\n__global__ void copy(const float* x, float* y, int n, int size) { __shared__ float "
     "t[SIZE];\n"
     "int i = blockIdx.x * size + threadIdx.x; if (i >= n) return; t[threadIdx.x] = x[i]; y[i] = "
     "t[threadIdx.x]; }\n"
     "int main() { copy<<<4, SIZE>>>(nullptr, nullptr, 9, SIZE); }",
     "arguments = [\"x\", \"y\", \"int(n)\", \"int(128)\"]\n", "block_size"},
    // The number of items per thread is not the block size.
    {"template <int ITEMS> __global__ void copy(const float* x, float* y, int n) { int i = (blockIdx.x * "
     "blockDim.x + threadIdx.x) * ITEMS;\n"
     "if (i < n) y[i] = x[i]; }",
     "function = \"copy<1>\"  # 1 is a guess\n", "block = [\"1\"]"},
    // A constant index does not determine the array's length.
    {"void pick(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[0] + x[i ^ 3]; }",
     "name = \"x\", role = \"in\", length = \"n\" },  # length", "length = \"1\""},
    // An atomic function changes only the element to which its argument points.
    {"__global__ void sum(const float* x, float* total, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) atomicAdd(total, x[i]); }",
     "name = \"total\", role = \"inout\", length = \"1\" },  # it is also read", "length is a guess"},
    {"template <int SIZE> __global__ void sum(const float* x, float* total, int n) { __shared__ float "
     "s[SIZE];\n"
     "s[threadIdx.x] = x[n - 1]; if (threadIdx.x == 0) atomicAdd(total, s[0]); }",
     "name = \"total\", role = \"inout\", length = \"1\" },  # it is also read", "length is a guess"},
    {"__global__ void two(float* total, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) "
     "atomicMax(&total[i], 1.0f), atomicAdd(total + i, 1.0f); }",
     "name = \"total\", role = \"inout\", length = \"n\" },  # it is also read", "length is a guess"},
    // Values that serve as indices stay below the number of bins that the code states.
    {"__global__ void count(const unsigned char* x, unsigned* bins, int n) { __shared__ unsigned own[64];\n"
     "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&bins[x[i]], 1u);\n"
     "for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&bins[b], own[b]); }",
     "name = \"bins\", role = \"inout\", length = \"64\", type", "max(64"},
    // The members of structs may be indices.
    {"__global__ void bonds(const int2* pairs, const float* x, float* y, int n) { int i = blockIdx.x * "
     "blockDim.x + threadIdx.x; if (i < n) { int2 at = pairs[i]; y[i] = x[at.x] * x[at.y]; } }",
     "type = \"int2\", fill = { low = 0, high = \"n\" } },\n", "low = 0, high = 256"},
    {"struct Edge { int from, to; };\nvoid edges(const Edge* pairs, const float* x, float* y, int n) { for "
     "(int i = 0; "
     "i < n; ++i) y[i] = x[pairs[i].from] - x[pairs[i].to]; }",
     "members = 2 }, fill = { low = 0, high = \"n\" } },\n", "low = 0, high = 256"},
    // A host function may return the value that a kernel stores.
    {"__global__ void sum(const float* x, float* total, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < n) atomicAdd(total, x[i]); }\n"
     "float first(const float* x) { return x[0]; }\n"
     "float sum_cpu(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }",
     "function = \"sum_cpu\"\narguments = [\"x\", \"int(n)\"]\nresult = \"total\"\n", "is also read"},
    {"double norm(const double* v) { return v[0] + v[1]; }\n"
     "double most(const double* v, int n) { double m = 0; for (int i = 0; i < n; ++i) m = norm(v); return m; "
     "}",
     "[variant.\"serial.baseline\"]\nfunction = \"most\"\narguments = [\"v\", \"int(n)\"]\nresult = "
     "\"result\"\n",
     "function = \"norm\""},
    // A struct with members of several types is treated as bytes.
    {"struct Atom { float at[3]; short kind; };\n__global__ void shift(const Atom* a, float* y, int n) {\n"
     "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a[i].at[0] + a[i].kind; }",
     "members = 16 }, fill = { members = [\"float[3]\", \"short\", \"pad[2]\"] } },\n", "left out"},
    // The parser drops this call, which may write to y.
    {"__global__ void store(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x;\n"
     "if (i < n) Missing<float>(4).put(&y[i], x[i]); }",
     "name = \"y\", role = \"inout\"", "left out"},
    // A function that nothing declares may write the arrays that it gets, even where a macro hides operators.
    {"#define LARGER(a, b) ((a) < (b) ? (b) : (a))\n__global__ void step(float* y, const float* x, float* z, "
     "float h, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
     "if (i < n) { z[i] = LARGER(h, 1); advance(h, &y[i], x); } }",
     "name = \"y\", role = \"inout\"", "name = \"z\", role = \"inout\""},
    {"__global__ void count(int* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) "
     "atomicAdd_system(&y[i], 1); }",
     "name = \"y\", role = \"inout\", length = \"n\" },  # it", "guess\n  { name"},
    // A function that changes files is not run on random data.
    {"void save(const char* name, const float* y, int n) { FILE* file = fopen(name, \"w\"); fwrite(y, 4, n, "
     "file); }\n"
     "void saved(const char* name, float* y, int n) { y[0] = 1; save(name, y, n); }\n"
     "void clean(float* y, int n) { std::remove(y, y + n, 0); y[0] = 1; }",
     "# left out: save (line 1): it calls fopen, which may change files or start programs\n# left out: saved "
     "(line "
     "2): it calls save,",
     "clean (line"},
    // The file's launch gives the grid. Its names are those of the launching function.
    {"template <int W> __global__ void rows(const float* x, float* y, int w) { __shared__ float s[W]; float "
     "b = "
     "0; for (int i = threadIdx.x; i < w; i += W) b += x[blockIdx.x * w + i]; s[threadIdx.x] = b; "
     "__syncthreads(); if (threadIdx.x == 0) y[blockIdx.x] = s[0]; }\n"
     "void run(const float* x, float* y, int count, int w) { rows<64><<<count, 64>>>(x, y, w); }\n"
     "void host(const float* x, float* y, int count, int w) { for (int r = 0; r < count; ++r) { float b = 0; "
     "for (int i = 0; i < w; ++i) b += x[r * w + i]; y[r] = b; } }",
     "block = [\"64\"]\ngrid = [\"count\"]\n", "ceil_div"},
    {"__global__ void tile(const float* x, float* y, int w) { for (int k = threadIdx.x; k < w; k += "
     "blockDim.x) y[(blockIdx.y * w + blockIdx.x) * w + k] = x[k]; }\n"
     "void run(const float* x, float* y, int w) { dim3 grid(w, 2 * w); tile<<<grid, 128>>>(x, y, w); }",
     "grid = [\"w\", \"2 * w\"]", "one element per thread"},
    {"__global__ void sum(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
     "if "
     "(i < n) y[i] += x[i]; }\n"
     "void run(const float* x, float* y, int n) { int blocks = (n + 127) / 128; if (blocks > 99) blocks = "
     "99; "
     "sum<<<blocks, 128>>>(x, y, n); }",
     "grid = [\"ceil_div(n, block_size)\"]\n", "blocks"},
    // A loop without a start value continues with the variable's value.
    {"__global__ void scale(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; "
     "for (; i < n; i += blockDim.x * gridDim.x) y[i] = 2 * x[i]; }",
     "name = \"y\", role = \"out\", length = \"n\" },\n",
     "length"
     " is a guess"},
    // Steps try the block size of the file's launches first.
    {"__global__ void square(float* q, const float* x, int n) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; "
     "if (i < n) q[i] = x[i] * x[i]; }\n__global__ void halve(float* y, const float* q, int n) { int i = "
     "blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = q[i] / 2; }\n"
     "void run(float* y, float* q, const float* x, int n) { const int threads = 256; square<<<n / threads, "
     "threads>>>(q, x, n); halve<<<n / threads, threads>>>(y, q, n); }",
     "tune = { block_size = [256, 128, 64, 512, 1024] }", "block_size = [128"},
    // A device function that computes an index limits it.
    {"__device__ int place(int x, int y, int w) { return y * w + x; }\n"
     "__global__ void copy(const float* a, float* b, int w, int h) { int x = blockIdx.x * blockDim.x + "
     "threadIdx.x, y = blockIdx.y; if (x < w && y < h) b[place(x, y, w)] = a[place(x, y, w)]; }",
     "name = \"a\", role = \"in\", length = \"h * w\" },\n", "a guess\n  {"},
    {"__device__ int wrap(int i, int n) { if (i < 0) return i + n; return i >= n ? i - n : i; }\n"
     "__device__ unsigned mix(unsigned x) { x ^= x >> 16; return x * 2654435761u; }\n"
     "__global__ void count(const unsigned* key, unsigned* bins, unsigned n) { unsigned i = blockIdx.x * "
     "blockDim.x + threadIdx.x; if (i < n) { unsigned h = mix(key[i]); atomicAdd(&bins[h % 1024], 1u); } }",
     "name = \"bins\", role = \"inout\", length = \"1024\"", ", fill = { low"},
    {"__global__ void count(const unsigned long long* key, unsigned* bins, unsigned n) { unsigned i = "
     "blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { unsigned long long h = key[i] * 7919u; "
     "atomicAdd(&bins[h >> 54], 1u); } }",
     "name = \"bins\", role = \"inout\", length = \"1024\"", ", fill = { low"},
    // All bytes are valid indices into an array whose length nothing states.
    {"__global__ void count(const unsigned char* x, unsigned* bins, int n) { int i = blockIdx.x * blockDim.x "
     "+ "
     "threadIdx.x; if (i < n) atomicAdd(&bins[x[i]], 1u); }",
     "name = \"bins\", role = \"inout\", length = \"256\", type", "fill = { low"},
    // Only results in 16 bits are rounded to 16 bits.
    {"#include <cuda_fp16.h>\n__global__ void scale(const __half* x, __half* y, int n) { int i = blockIdx.x "
     "* "
     "blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }",
     "absolute = \"0.001 + 8 * eps\"", "sums"},
    // If a header is missing, the parser drops the expression, but the assignment still counts as a write.
    {"__global__ void half_it(float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; auto t = "
     "unknown(y[i]); t = 2; if (i < n) y[i] = other(t); }",
     "name = \"y\", role = \"inout\"", "left out"},
};

// Sources of host functions, with texts that the draft must and must not contain.
const struct {
  const char *source, *has, *has_not;
} said_by_functions[] = {
    // Functions of which one reads what another writes are steps.
    {"void square(const float* x, float* t, int n) { for (int i = 0; i < n; ++i) t[i] = x[i] * x[i]; }\n"
     "void halve(const float* t, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = t[i] / 2; }",
     "[variant.\"serial.native\"]\nsteps = [\n  { function = \"square\", arguments = [\"x\", \"t\", "
     "\"int(n)\"] },\n  "
     "{ function = \"halve\", arguments = [\"t\", \"y\", \"int(n)\"] },\n]\n",
     "left out"},
    {"void square(const float* x, float* t, int n) { for (int i = 0; i < n; ++i) t[i] = x[i] * x[i]; }\n"
     "void halve(const float* t, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = t[i] / 2; }",
     "only to this variant.\n[variant.\"openmp.steps\"]\n", "name = \"t\", role = \"inout\""},
    // A function that calls the steps is a variant of its own, and their order is that of its calls.
    {"void halve(const float* t, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = t[i] / 2; }\n"
     "void square(const float* x, float* t, int n) { for (int i = 0; i < n; ++i) t[i] = x[i] * x[i]; }\n"
     "void both(const float* x, float* t, float* y, int n) { square(x, t, n); halve(t, y, n); }",
     "[variant.\"serial.both\"]\nfunction = \"both\"\n",
     "  { function = \"halve\", arguments = [\"t\", \"y\", \"int(n)\"] },\n  {"},
    {"void square(const float* x, float* t, int n) { for (int i = 0; i < n; ++i) t[i] = x[i] * x[i]; }\n"
     "void halve(const float* t, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = t[i] / 2; }\n"
     "void fused(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] * x[i] / 2; }",
     "temporaries = [{ name = \"t\", length = \"n\" }]\nsteps = [", "{ name = \"t\", role"},
    // Functions that the file gives different arrays, or that only set start values, are no steps.
    {"void scale(float* x, const float* s, int n) { for (int i = 0; i < n; ++i) x[i] *= s[i]; }\n"
     "void add(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] += x[i]; }\n"
     "int main() { float *a = 0, *b = 0, *c = 0; scale(a, b, 9); add(c, b, 9); }",
     "# left out: add", "steps = ["},
    {"void start(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = i; }\n"
     "void add(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] += x[i]; }",
     "# left out: add", "steps = ["},
    // A loop that swaps two arrays repeats the function or kernel that it calls.
    {"void step(const float* a, float* b, int n) { for (int i = 1; i < n; ++i) b[i] = a[i - 1]; }\n"
     "void run(float* a, float* b, int n, int times) { for (int k = 0; k < times; ++k) { step(a, b, n); "
     "float* c = a; "
     "a = b; b = c; } }",
     "arguments = [\"a\", \"b\", \"int(n)\"]\nrepeat = \"times\"\nswap = [\"a\", \"b\"]\n", "has one result"},
    {"#include <utility>\n__global__ void step(const float* a, float* b, int n) { int i = blockIdx.x * "
     "blockDim.x + threadIdx.x; "
     "if (i < n) "
     "b[i] = a[i]; }\n"
     "void run(float* x, float* y, int n, int times) { for (int k = 0; k < 20; ++k) { step<<<n, 64>>>(x, y, "
     "n); "
     "std::swap(x, y); } }",
     "repeat = 20\nswap = [\"a\", \"b\"]\n", "role = \"in\","},
    {"void step(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) b[i] = a[i]; }\n"
     "void twice(const float* b, float* c, int n) { for (int i = 0; i < n; ++i) c[i] = 2 * b[i]; }\n"
     "void swap(float*&, float*&);\n"
     "int main() { float *a = 0, *b = 0, *c = 0; for (int k = 0; k < 7; ++k) { step(a, b, 9); twice(b, c, "
     "9); swap(a, c); "
     "} }",
     "]\nrepeat = 7\nswap = [\"a\", \"c\"]\n", "# the file calls"},
    {"bool step(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) b[i] = a[i]; return true; }\n"
     "int main() { float *a = 0, *b = 0; while (step(a, b, 9)) { float* c = a; a = b; b = c; } }",
     "# the file calls step in a loop that swaps a and b: give `repeat` (how often?) and swap = [\"a\", "
     "\"b\"]",
     "repeat ="},
    // Equal indices race where elements are written.
    {"void put(const int* at, const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[at[i]] = "
     "x[i]; }",
     "fill = \"permutation\" },  # each at most once", "low = 0"},
    {"void put(const int* at, const float* x, float* y, int n, int m) { for (int i = 0; i < n; ++i) y[at[i]] "
     "= x[i];\n"
     "for (int i = 0; i < m; ++i) y[i] += 1; }",
     "fill = { distinct = \"m\" } },  # each at most once", "permutation"},
    {"void put(const int* at, const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[at[i] + i % "
     "2] = x[i]; }",
     "must no two threads write the same element of y?", "each at most"},
    {"void mark(const int* at, int* y, int n) { for (int i = 0; i < n; ++i) y[at[i]] = 1; }",
     "fill = { low = 0, high = \"n\" } },\n", "permutation"},
    {"void pick(const int* perm, const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = "
     "x[perm[i]]; }",
     "fill = \"permutation\" },\n", "low = 0"},
    {"void walls(const int* next, const float* x, float* y, int n) { for (int i = 0; i < n; ++i) if (next[i] "
     ">= 0) y[i] = "
     "x[next[i]]; }",
     "fill = { low = -1, high = \"n\" } },\n", "low = 0"},
    // A binary search needs a sorted array.
    {"int find(const float* a, int len, float x) { int lo = 0, hi = len; while (lo < hi) { int mid = (lo + "
     "hi) / 2; if "
     "(a[mid] < x) lo = mid + 1; else hi = mid; } return lo; }\n"
     "void all(const float* a, int m, const float* x, int* y, int n) { for (int i = 0; i < n; ++i) y[i] = "
     "find(a, m, "
     "x[i]); }",
     "length = \"m\", type = \"float\", fill = { low = -1, high = 1, sorted = true } },\n", "outliers"},
    {"#include <algorithm>\nvoid all(const int* a, int m, const int* x, int* y, int n) { for (int i = 0; i < "
     "n; ++i) y[i] = "
     "std::upper_bound(a, a + m, x[i]) - a; }",
     "length = \"m\", fill = { low = 0, high = \"m\", sorted = true } },\n", "must an array be sorted"},
    {"void merge(const int* a, const int* b, int* y, int n) { for (int i = 0; i < n; ++i) y[i] = a[i] < "
     "b[i]; }",
     "# must an array be sorted?", "sorted = true } },"},
    // Comparisons of computed numbers decide labels. Comparisons of inputs do not round.
    {"void nearest(const float* x, const float* c, int* y, int n) { for (int i = 0; i < n; ++i) { float best "
     "= 9; int at = "
     "0; for (int k = 0; k < 4; ++k) { float d = (x[i] - c[k]) * (x[i] - c[k]); if (d < best) { best = d; at "
     "= k; } } y[i] "
     "= at; } }",
     "tolerance = { outliers = 0.001, reason = \"a rounding may turn a decision on computed numbers\" }\n",
     "eps"},
    {"float part(const float* c, float x) { float d = x - c[0]; return d * d; }\n"
     "bool inside(float d, float limit) { return d < limit; }\n"
     "void hits(const float* c, const float* x, int* y, int n) { for (int i = 0; i < n; ++i) y[i] = "
     "inside(part(c, x[i]), "
     "0.25f) ? 1 : 0; }",
     "outliers = 0.001", "eps"},
    {"void above(const float* x, float limit, int* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] > "
     "limit; }",
     "reference = ", "outliers"},
    {"void grey(const float* x, unsigned char* y, int n) { for (int i = 0; i < n; ++i) y[i] = (unsigned "
     "char)(0.3f * x[i]); "
     "}",
     "# y gets computed numbers that are rounded: does tolerance need outliers = 0.001?\n",
     "outliers = 0.001,"},
    {"#include <cmath>\nvoid shade(const float* x, unsigned char* y, int n) { for (int i = 0; i < n; ++i) "
     "y[i] = (unsigned "
     "char)(255.0f * std::exp(x[i])); }",
     "tolerance = { outliers = 0.001,", "does tolerance need"},
    // A helper uses the arrays that it gets.
    {"float norm(const float* a, int d) { float s = 0; for (int k = 0; k < d; ++k) s += a[k] * a[k]; return "
     "s; }\n"
     "void norms(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = norm(x + i * 8, 8); }",
     "name = \"x\", role = \"in\", length = \"8 * n\" },\n", "guess\n  {"},
    {"template <typename V> void copy(V* to, const V* from, int count) { for (int i = 0; i < count; ++i) "
     "to[i] = from[i]; }\n"
     "void two(const float* x, const int* k, float* y, int* j, int n) { copy(y, x, n); copy(j, k, n); }\n"
     "void again(const float* x, const int* k, float* y, int* j, int n) { two(x, k, y, j, n); }",
     "# left out: two", "guess\n  {"},
    // Work that grows with the square of the arrays limits sizes, and sums have roundings of each term.
    {"void all(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) { float s = 0; for (int k = 0; "
     "k < n; ++k) s "
     "+= x[k] - x[i]; y[i] = s; } }",
     "sizes = { n = \"min(N / 2, 4096)\" }", "absolute = \"8 * eps\""},
    {"void all(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) { float s = 0; for (int k = 0; "
     "k < n; ++k) s "
     "+= x[k] - x[i]; y[i] = s; } }",
     "tolerance = { absolute = \"(n + 8) * eps\", relative = \"(n + 8) * eps\", reason = \"a guess: sums of "
     "n numbers\" }",
     "outliers"},
    {"void pairs(const int* x, const int* z, int* y, int n, int m) { for (int i = 0; i < n; ++i) { int s = "
     "0; for (int k = "
     "0; k < m; ++k) s += x[i] < z[k]; y[i] = s; } }",
     "m = \"min(n, 512)\"", "tolerance"},
    {"void product(const float* a, const float* b, float* c, int n) { for (int i = 0; i < n; ++i) for (int j "
     "= 0; j < n; "
     "++j) { float s = 0; for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j]; c[i * n + j] = s; } "
     "}",
     "sizes = { n = \"sqrt(N / 3)\" }", "limited"},
    {"void value(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = expf(x[i]); }",
     "absolute = \"64 * eps\"", "8 * eps"},
    {"void share(const float* x, const float* z, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i] "
     "/ z[i]; }",
     "name = \"z\", role = \"in\", length = \"n\", fill = { low = 1, high = 2 } },  # a divisor",
     "numbers gave"},
    // A returned number is a result, or a line says that it is none.
    {"int copy(const float* x, float* y, int n) { int k = 0; for (int i = 0; i < n; ++i) { y[i] = x[i]; k += "
     "x[i] > 0; } "
     "return k; }",
     "result = \"returned\"\n", "that nothing checks"},
    {"int copy(const float* x, float* y, int n) { int k = 0; for (int i = 0; i < n; ++i) { y[i] = x[i]; k += "
     "x[i] > 0; } "
     "return k; }\n"
     "void plain(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }",
     "# copy (line 1) returns a number that nothing checks: result = \"ARRAY\" stores it in an array\n",
     "result = \"ret"},
    // The function that calls a helper is described, not the helper.
    {"inline void solve(const double* f, double* u) { u[1] = f[1] / 2; u[0] = f[0] - u[1]; }\n"
     "void nodes(int n, const double* force, double* disp) { for (int i = 0; i < n; ++i) solve(force + 2 * "
     "i, "
     "disp + 2 * i); }",
     "{ name = \"disp\", role = \"out\", length = \"2 * n\" },\n", "function = \"solve\""},
    {"__host__ __device__ void cell(const int* a, int* b, int w, int i) { b[i] = a[i] + a[w]; }\n"
     "__global__ void all(const int* a, int* b, int w) { int i = blockIdx.x * blockDim.x + threadIdx.x; if "
     "(i < "
     "w) cell(a, b, w, i); }\n"
     "void all_cpu(const int* a, int* b, int w) { for (int i = 0; i < w; ++i) cell(a, b, w, i); }",
     "# left out: cell (line 1): all (line 2) calls it. To describe it, move it to a file of its own\n",
     "function = \"cell\""},
    // A function on the host is repeated as the kernel is, if the launcher swaps arrays.
    {"#include <utility>\n__global__ void step(const float* a, float* b, int n) { int i = blockIdx.x * "
     "blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }\n"
     "void run(float* a, float* b, int n) { for (int k = 0; k < 20; ++k) { step<<<n, 64>>>(a, b, n); "
     "std::swap(a, b); } }\n"
     "void step_cpu(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) b[i] = a[i]; }",
     "function = \"step_cpu\"\narguments = [\"a\", \"b\", \"int(n)\"]\nrepeat = 20\nswap = [\"a\", "
     "\"b\"]\n",
     "_reference.cpp"},
    // The file's launch says how much shared memory the kernel needs. What is constant may be a block size.
    {"__global__ void look(const float* x, int n, const float* t, int knots, float* y) { extern __shared__ "
     "float "
     "s[]; for (int k = threadIdx.x; k < knots; k += blockDim.x) s[k] = t[k]; __syncthreads(); int i = "
     "blockIdx.x * "
     "blockDim.x + threadIdx.x; if (i < n) y[i] = s[0] * x[i]; }\n"
     "void run(const float* a, int n, const float* t, int many, float* y) { look<<<(n + 127) / 128, 128, "
     "many * "
     "sizeof(float)>>>(a, n, t, many, y); }",
     "shared = \"4 * knots\"  # bytes\n", "a guess\ntune"},
    {"__global__ void look(const float* x, int n, const float* t, int knots, float* y) { extern __shared__ "
     "float "
     "s[]; for (int k = threadIdx.x; k < knots; k += blockDim.x) s[k] = t[k]; __syncthreads(); int i = "
     "blockIdx.x * "
     "blockDim.x + threadIdx.x; if (i < n) y[i] = s[0] * x[i]; }\n"
     "void run(const float* a, int n, const float* t, int many, float* y) { look<<<(n + 127) / 128, 128, "
     "(many + 128) "
     "* sizeof(float)>>>(a, n, t, many, y); }",
     "shared = \"4 * knots + 512 + 8 * (block_size)\"  # bytes; a guess\n", "openmp"},
    // Letters that the code names in both cases
    {"void bases(const char* s, int* y, int n) { for (int i = 0; i < n; ++i) { char c = s[i]; y[i] = c == "
     "'A' || c "
     "== 'a' ? 1 : c == 'G' || c == 'g' ? 2 : c == 'T' || c == 't' ? 3 : 0; } }",
     "fill = { low = 65, high = 85 }", "117"},
    // Versions of a function may name their parameters differently.
    {"__global__ void twice(const float* src, float* dst, int count) { int i = blockIdx.x * blockDim.x + "
     "threadIdx.x; if (i < count) dst[i] = 2 * src[i]; }\n"
     "void expected(const float* a, float* b, size_t n) { for (size_t i = 0; i < n; ++i) b[i] = 2 * a[i]; }",
     "arguments = [\"src\", \"dst\", \"uint64_t(count)\"]", "_reference.cpp"},
    {"void blur(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n"
     "void blur_omp(const float* in, float* out, int n) {\n#pragma omp parallel for\nfor (int i = 0; i < n; "
     "++i) out[i] = in[i]; }",
     "# compared by the order of the parameters: in, out of blur_omp (line 2) are taken as x, y of blur "
     "(line "
     "1)\n",
     "left out"},
    {"void blur(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n"
     "void invert(const float* in, float* out, int n) { for (int i = 0; i < n; ++i) out[i] = -in[i]; }",
     "# left out: invert (line 2): it writes out, but blur writes y. ", "compared by"},
    // A function that returns a number next to one that writes an array.
    {"double mean(int n, const double* x) { double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s / "
     "n; "
     "}\n"
     "void twice(int n, const double* x, double* y) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }",
     "# left out: mean (line 1): it writes none of its array parameters. It returns a number, but twice "
     "(line "
     "2) writes an array",
     "result = "},
    // Offsets of rows in local variables.
    {"void trim(int rows, const int* first, const double* q, int* len) { for (int r = 0; r < rows; r++) { "
     "int "
     "end = first[r + 1]; while (end > first[r] && q[end - 1] < 0.5) --end; len[r] = end; } }",
     "fill = { offsets = \"8 * rows\" } },\n  { name = \"q\", role = \"in\", length = \"8 * rows\"", "high"},
    {"void sums(int rows, const int* first, const double* q, double* y) { for (int r = 0; r < rows; r++) { "
     "const int at = first[r], count = first[r + 1] - at; double s = 0; for (int k = 0; k < count; ++k) s += "
     "q[at + k]; y[r] = s; } }",
     "fill = { offsets = \"8 * rows\" } },\n  { name = \"q\", role = \"in\", length = \"8 * rows\"", "high"},
    // Loops that count down have as much work and as long sums as others.
    {"void f(int n, int m, const double* w, const double* c, double* y) { for (int i = 0; i < n; ++i) { "
     "double "
     "z = w[i]; for (int k = m - 1; k >= 0; --k) z = 0.5 * z + c[k]; y[i] = z; } }",
     "m = \"min(n, 512)\" }", "\"8 * eps"},
    {"void f(int n, const double* x, double* y) { for (int i = n; i-- > 0;) y[i] = x[i]; }",
     "name = \"y\", role = \"out\", length = \"n\" },\n", "guess\n  { name = \"y\""},
    {"void f(int n, const double* x, double* y) { for (int i = n; i > 0; --i) y[i - 1] = x[i - 1]; }",
     "name = \"y\", role = \"out\", length = \"n\" },\n", "guess\n  { name = \"y\""},
    // Quotients of sizes.
    {"void resize(const float* src, int sw, int sh, float* dst, int dw, int dh) { for (int y = 0; y < dh; "
     "++y) "
     "for (int x = 0; x < dw; ++x) dst[y * dw + x] = src[(y * sh / dh) * sw + x * sw / dw]; }",
     "name = \"src\", role = \"in\", length = \"sh * sw\" },\n", "sw = 1"},
    {"void thumbs(const float* src, int sw, float* dst, int dw) { for (int x = 0; x < dw; ++x) { int at = "
     "256 * "
     "x * sw / dw; dst[x] = src[at >> 8]; } }",
     "name = \"src\", role = \"in\", length = \"sw\" },\n", "sw = 1"},
    // Remainders of numbers with a sign.
    {"void count(const int* key, int* bins, int n) { for (int i = 0; i < n; ++i) bins[key[i] % 64] += 1; }",
     "fill = { low = 0, high = 1000000 } },  # remainders", "high = \"64"},
    // Linked lists end.
    {"void lengths(int n, const int* head, const int* next, int* y) { for (int i = 0; i < n; ++i) { int m = "
     "0; "
     "for (int j = head[i]; j >= 0; j = next[j]) ++m; y[i] = m; } }",
     "name = \"next\", role = \"in\", length = \"n\", fill = { links = \"n\" } }", "high = 256"},
    {"void lengths(int n, const int* head, const int* next, int* y) { for (int i = 0; i < n; ++i) { int m = "
     "0, j "
     "= head[i]; while (j != -1) { ++m; j = next[j]; } y[i] = m; } }",
     "name = \"next\", role = \"in\", length = \"n\", fill = { links = \"n\" } }", "high = 256"},
    {"void roots(int n, const int* parent, int* y) { for (int i = 0; i < n; ++i) { int r = i; while "
     "(parent[r] "
     "!= r) r = parent[r]; y[i] = r; } }",
     "fill = \"zero\" },", "links"},
    // Elements that are set before they are read are results only.
    {"void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) { y[i] = x[i]; if (y[i] > 1) "
     "y[i] = "
     "1; } }",
     "name = \"y\", role = \"out\", length = \"n\" },\n", "inout"},
    {"void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) { int k = i; y[k] = x[i]; k = n "
     "- 1; "
     "y[i] += y[k]; } }",
     "name = \"y\", role = \"inout\", length = \"n\" }", "role = \"out"},
    {"void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) { y[3 * i] = x[i]; y[3 * i + 1] "
     "= "
     "0; y[3 * i + 2] = 1; } }",
     "name = \"y\", role = \"out\", length = \"3 * n\" },\n", "inout"},
    {"void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) { y[3 * i] = x[i]; y[3 * i + 2] "
     "= "
     "1; } }",
     "name = \"y\", role = \"inout\", length = \"3 * n\" }", "role = \"out"},
    // Structs of a template, and structs of several types.
    {"template <typename R> struct S { R a, b; };\n"
     "void f(int n, const S<float>* s, float* y) { for (int i = 0; i < n; ++i) y[i] = s[i].a * s[i].b; }",
     "member = \"float\", members = 2 } },\n", "unsigned char"},
    {"struct Edge { int to; bool open; float weight; };\n"
     "void f(int n, const Edge* e, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = x[e[i].to] "
     "* "
     "e[i].weight; }",
     "fill = { members = [\"int\", \"bool\", \"pad[3]\", \"float\"], high = \"n\" } },", "zero"},
    // Tolerances: results in double without arithmetic in float, products, members of local structs.
    {"void f(int n, const int* day, const float* hour, double* t) { for (int i = 0; i < n; ++i) t[i] = 24.0 "
     "* "
     "day[i] + hour[i]; }",
     "absolute = \"8 * 2.3e-16\"", "* eps"},
    {"void f(int n, const float* x, double* t) { for (int i = 0; i < n; ++i) t[i] = 2.0f * x[i]; }",
     "absolute = \"8 * eps\"", "e-16"},
    {"void f(int n, const double* x, double* y) { double p = 1; for (int i = 0; i < n; ++i) { p *= x[i]; "
     "y[i] = "
     "p; } }",
     "reason = \"a guess: n operations in a row\"", "sums"},
    {"void f(int n, int m, const double* x, double* y) { for (int i = 0; i < n; ++i) { double z = x[i]; for "
     "(int "
     "k = 0; k < m; ++k) z = 1 / (2 + z); y[i] = z; } }",
     "outliers = 0.001, reason = \"a guess: m operations in a row, small divisors amplify roundings\"",
     "sums"},
    {"struct P { float x, y; };\n"
     "void f(int n, const P* a, float* u) { for (int i = 0; i < n; ++i) { P k = a[i]; k.x += 8.f; u[i] = k.y "
     "* "
     "k.x; } }",
     "absolute = \"8 * eps\"", "sums"},
    // References to elements, in loops and as parameters.
    {"struct P { float x, y; };\nvoid move(P& p, float dt) { p.x += dt * p.y; }\n"
     "void all(P* p, const P* by, int n, float dt) { for (int i = 0; i < n; ++i) { const P& b = by[i]; "
     "move(p[i], "
     "b.x); } }",
     "name = \"by\", role = \"in\", length = \"n\"", "name = \"p\", role = \"in\""},
    {"void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) { float& r = y[i]; r = x[i]; } }",
     "name = \"y\", role = \"out\", length = \"n\" },\n", "inout"},
    // A function that computes an index may say that there is none.
    {"int cell(int x, int y, int w, int h) { if (x < 0 || y < 0 || x >= w || y >= h) return -1; return y * w "
     "+ x; "
     "}\n"
     "void hits(const float* px, const float* py, int n, int* hit, int w, int h) { for (int i = 0; i < n; "
     "++i) { "
     "int c = cell(px[i] * w, py[i] * h, w, h); if (c >= 0) hit[c]++; } }",
     "name = \"hit\", role = \"inout\", length = \"h * w\"", "length is"},
    // Rows with a pitch, clamped indices.
    {"int limited(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }\n"
     "void copy(const int* a, int* b, int w, int h, int pitch) { for (int y = 0; y < h; ++y) for (int x = 0; "
     "x < "
     "w; ++x) b[y * pitch + x] = a[limited(y + 1, 0, h - 1) * pitch + limited(x - 1, 0, w - 1)]; }",
     "name = \"a\", role = \"in\", length = \"h * pitch + w - pitch\" }", "length is"},
    // A variable that an iteration hands on to the next one.
    {"void walk(const unsigned* bits, int n, const int* child, int* leaf) { for (int i = 0; i < n; ++i) { "
     "int node "
     "= 0; for (int k = 0; k < 9 && node >= 0; ++k) node = child[2 * node + (bits[i] >> 31)]; leaf[i] = "
     "node; } "
     "}",
     "name = \"child\", role = \"in\", length = \"2 * n\", type = \"int\", fill = { links = \"n\" }",
     "length = \"2\""},
    // `continue` leaves only an iteration.
    {"void f(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) { float s = 0; for (int k = 0; k "
     "< 4; "
     "++k) { if (x[4 * i + k] < 0) continue; s += x[4 * i + k]; } y[i] = s; } }",
     "name = \"y\", role = \"out\"", "inout"},
    // Functions that set many elements.
    {"#include <cstring>\nvoid count(const unsigned* x, unsigned* bins, int n) { memset(bins, 0, 64 * "
     "sizeof(unsigned)); for (int i = 0; i < n; ++i) bins[x[i] % 64]++; }",
     "name = \"bins\", role = \"out\", length = \"64\"", "inout"},
    {"#include <algorithm>\nvoid sums(const float* x, float* y, int n, int m) { std::fill(y, y + n, 0.0f); "
     "for "
     "(int k = 0; k < m; ++k) for (int i = 0; i < n; ++i) y[i] += x[k * n + i]; }",
     "name = \"y\", role = \"out\", length = \"n\"", "inout"},
    // An output with a capacity, and bounds that an `if` sets.
    {"int peaks(const float* x, int n, int* at, int most) { int found = 0; for (int i = 1; i + 1 < n; i++) "
     "if "
     "(x[i] > x[i - 1]) { if (found >= most) return found; at[found++] = i; } return found; }",
     "name = \"at\", role = \"inout\", length = \"most\", ", "most = 1"},
    {"int peaks(const float* x, int n, int* at, int most) { int found = 0; for (int i = 1; i + 1 < n; i++) "
     "if "
     "(x[i] > x[i - 1] && found < most) { at[found++] = i; at[found] = 0; } return found; }",
     "length = \"most\", type = \"int\" },  # length covers only the simple indices", "most = 1"},
    {"#include <algorithm>\nstruct Star { float x, y, sum; };\n"
     "void flux(const float* image, int nx, int ny, Star* stars, int n) { for (int s = 0; s < n; s++) { "
     "Star& "
     "st = stars[s]; int x1 = (int)st.x, y1 = (int)st.y; if (x1 >= nx || y1 >= ny) { x1 = std::min(x1, nx - "
     "1); y1 = std::min(y1, ny - 1); } for (int y = 0; y <= y1; y++) for (int x = 0; x <= x1; x++) st.sum += "
     "image[y * nx + x]; } }",
     "name = \"image\", role = \"in\", length = \"nx * ny\", type = \"float\" },\n", "nx = 1"},
    // Blocks of several elements.
    {"void tops(const int* x, int n, int block, int* y) { const int blocks = (n + block - 1) / block; for "
     "(int "
     "b = 0; b < blocks; b++) { const int last = b * block + block < n ? b * block + block : n; int top = 0; "
     "for (int i = b * block; i < last; i++) top = x[i] > top ? x[i] : top; y[b] = top; } }",
     "sizes = { n = \"N / 2\", block = 16 }", "name = \"x\", role = \"in\", length = \"block * n\""},
    // Slots of several elements, of which a number is used that the code counts.
    {"int put(unsigned v, unsigned char* to) { int n = 0; while (v >= 128) { to[n++] = v; v >>= 7; } to[n++] "
     "= "
     "v; return n; }\n"
     "void pack(const unsigned* x, int n, unsigned char* y, int* used) { for (int i = 0; i < n; i++) used[i] "
     "= "
     "put(x[i], y + i * 5); }",
     "name = \"y\", role = \"inout\", length = \"5 * n\", ", "name = \"x\", role = \"inout\""},
    {"void pack(const int* x, int n, int block, int* y) { const int blocks = (n + block - 1) / block; for "
     "(int "
     "b = 0; b < blocks; b++) { int* to = y + 3 * b * block; int used = 0; for (int i = b * block; i < n; "
     "i++) "
     "if (x[i] > 4) to[used++] = i; } }",
     "name = \"y\", role = \"inout\", length = \"3 * block + 3 * n - 3\"", "block = \"n\""},
    // Elements of which only some values matter.
    {"void f(const float* a, const int* open, float* y, int n) { for (int i = 0; i < n; i++) y[i] = open[i] "
     "? "
     "a[i] : -1.0f; }",
     "name = \"open\", role = \"in\", length = \"n\", type = \"int\", fill = { low = 0, high = 2 } }",
     "if these are indices"},
    {"void f(const float* a, const unsigned char* bad, float* y, int n) { for (int i = 0; i < n; i++) { "
     "const "
     "unsigned char b = bad[i]; if (!b && n > 1) y[i] = a[i]; else y[i] = 0; } }",
     "type = \"unsigned char\", fill = { low = 0, high = 2 } }", "high = 256"},
    {"void f(const float* a, const int* open, float* y, int n) { for (int i = 0; i < n; i++) y[i] = open[i] "
     "? "
     "a[i] + open[i] : -1.0f; }",
     "if these are indices", "high = 2 }"},
    {"void f(const int* kind, float* y, int n) { for (int i = 0; i < n; i++) y[i] = kind[i] == 3 || kind[i] "
     "== "
     "-1 ? 1 : 0; }",
     "fill = { low = -1, high = 5 } },  # the code compares with these numbers", "the code asks"},
    {"void f(const float* z, float* y, int n) { for (int i = 0; i < n; i++) y[i] = z[i] == -9999.0f ? 0 : "
     "z[i]; "
     "}",
     "# the code asks for -9999.0f, which the fill does not have\n", "fill = {"},
    {"void f(const int* z, int* y, int n) { for (int i = 0; i < n; i++) y[i] = z[i] != -7 ? z[i] : 0; }",
     "the code asks for -7, which the fill does not have\n", "high = 2 }"},
    {"bool ends(char c) { return c == ',' || c == '\\n'; }\n"
     "void f(const char* text, int n, int* y) { for (int i = 0; i < n; i++) y[i] = ends(text[i]); }",
     "fill = { low = 10, high = 45 } },  # characters that the code names", "if these are indices"},
    {"void f(const unsigned long* b, int* y, int n) { for (int i = 0; i < n; i++) y[i] = "
     "__builtin_popcountll(b[i]); }",
     "high = 9007199254740992 } },  # 53 bits", "if these are indices"},
    // A template for whole numbers rounds nothing.
    {"template <typename V> int width(V v) { int n = 1; while (v >= 128) { n++; v >>= 7; } return n; }\n"
     "void f(const unsigned* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = width(x[i]); }\n"
     "double unused(double x) { return x; }",
     "reference = \"serial.baseline\"\n\n", "outliers"},
    // Limits for elements.
    {"void f(int n, const unsigned char* q, int limit, int* y) { for (int i = 0; i < n; ++i) y[i] = q[i] < "
     "limit; }",
     "limit = 128 }", "limit = 1 "},
};

TEST(Draft, TakesWhatTheFileSaysOfItsFunctions) {
  for (const auto& one : said_by_functions) {
    const char* file =
        std::string(one.source).find("__global__") == std::string::npos ? "said.cpp" : "said.cu";
    const std::string draft = draft_of(one.source, file);
    EXPECT_NO_THROW((void)description_in(draft + one.source, file)) << draft;
    EXPECT_NE(draft.find(one.has), std::string::npos) << one.has << "\n" << draft;
    EXPECT_EQ(draft.find(one.has_not), std::string::npos) << one.has_not << "\n" << draft;
  }
}

TEST(Draft, TakesWhatTheFileSaysOfItsKernels) {
  for (const auto& one : said_by_files) {
    const std::string draft = draft_of(one.source, "said.cu");
    EXPECT_NO_THROW((void)description_in(draft + one.source, "said.cu")) << draft;
    EXPECT_NE(draft.find(one.has), std::string::npos) << one.has << "\n" << draft;
    EXPECT_EQ(draft.find(one.has_not), std::string::npos) << one.has_not << "\n" << draft;
  }
}

// A launcher in a loop that swaps arrays: a kernel with both fields, one thread, and a number of the round.
const std::string waves =
    "#include <utility>\n__global__ void wave(float* next, const float* p, int n) { int i = blockIdx.x * "
    "blockDim.x + threadIdx.x; if (i < n) next[i] = 2 * p[i] - next[i]; }\n"
    "__global__ void damp(float* p, const float* taper, int n) { int i = blockIdx.x * blockDim.x + "
    "threadIdx.x; if (i < n) p[i] *= taper[i]; }\n"
    "__global__ void source(float* p, const float* signal, int it) { if (threadIdx.x == 0 && blockIdx.x == "
    "0) "
    "p[7] += signal[it]; }\n";
const std::string many_waves =
    waves +
    "void run(float* u, float* v, const float* taper, const float* signal, int n, int nt) {\n  for (int it = "
    "0; it < nt; ++it) {\n    wave<<<n / 128, 128>>>(u, v, n);\n    source<<<1, 1>>>(u, signal, it);\n    "
    "damp<<<n / 128, 128>>>(u, taper, n);\n    damp<<<n / 128, 128>>>(v, taper, n);\n    std::swap(u, v);\n  "
    "}\n}\n";

// Two kernels with the same names of parameters, and a function on the host that does both.
const std::string blurs =
    "__global__ void blur_x(const float* in, float* out, int n) { int i = blockIdx.x * blockDim.x + "
    "threadIdx.x; if (i < n) out[i] = in[i] / 2; }\n"
    "__global__ void blur_y(const float* in, float* out, int n) { int i = blockIdx.x * blockDim.x + "
    "threadIdx.x; if (i < n) out[i] = in[i] + 1; }\n"
    "void blur_cpu(const float* from, float* mid, float* to, int m) { for (int i = 0; i < m; ++i) to[i] = "
    "(mid[i] = from[i] / 2) + 1; }\n";
const std::string blur_launcher =
    "void blur(const float* a, float* t, float* b, int n, cudaStream_t s) { blur_x<<<n / 64, 64, 0, s>>>(a, "
    "t, "
    "n); blur_y<<<n / 64, 64, 0, s>>>(t, b, n); }\n";

// Two kernels that change one array, under different names.
const std::string gains =
    "__global__ void offset(float* image, const float* dark, int n) { int i = blockIdx.x * blockDim.x + "
    "threadIdx.x; if (i < n) image[i] -= dark[i]; }\n"
    "__global__ void gain(float* data, const float* flat, int n) { int i = blockIdx.x * blockDim.x + "
    "threadIdx.x; if (i < n) data[i] /= flat[i]; }\n";

// Sources with launches, with texts that the draft must and must not contain.
const struct {
  std::string source, has, has_not;
} said_by_launches[] = {
    {many_waves,
     "steps = [\n  { function = \"wave\", arguments = [\"u\", \"v\", \"int(n)\"], block = [\"block_size\"], "
     "grid = "
     "[\"ceil_div(n, block_size)\"] },\n"
     "  { function = \"source\", arguments = [\"u\", \"signal\", \"int(step)\"], block = [\"1\"], grid = "
     "[\"1\"] "
     "},\n"
     "  { function = \"damp\", arguments = [\"u\", \"taper\", \"int(n)\"], block = [\"block_size\"], grid = "
     "[\"ceil_div(n, block_size)\"] },\n"
     "  { function = \"damp\", arguments = [\"v\", \"taper\", \"int(n)\"], block = [\"block_size\"], grid = "
     "[\"ceil_div(n, block_size)\"] },\n]\nrepeat = \"nt\"\nswap = [\"u\", \"v\"]\n",
     "order of the file"},
    {many_waves, "in the order of the launches by run. ", "const T* v"},
    {many_waves, "name = \"signal\", role = \"in\", length = \"nt\" }", "nt = \"n\""},
    {many_waves, "void run_reference(T* u, T* v, int n, const T* signal, const T* taper, long nt)", "int it"},
    // A swap before the end of the loop's body, and numbers that differ from launch to launch.
    {waves +
         "void run(float* u, float* v, const float* t, int n) { for (int k = 0; k < 9; ++k) { wave<<<n / 64, "
         "64>>>(u, v, n); float* w = u; u = v; v = w; damp<<<n / 64, 64>>>(u, t, 2 * n + 1); } }\n",
     "arguments = [\"p\", \"taper\", \"int(2 * n + 1)\"]", "order of the file"},
    {waves +
         "void run(float* u, float* v, const float* t, int n) { for (int k = 0; k < 9; ++k) { wave<<<n / 64, "
         "64>>>(u, v, n); float* w = u; u = v; v = w; damp<<<n / 64, 64>>>(u, t, 2 * n + 1); } }\n",
     "name = \"taper\", role = \"in\", length = \"2 * n + 1\"", "repeat = \"n\""},
    // Launches in place that a loop repeats, and a loop that only measures time.
    {gains + "void run(float* d_x, float* d_y, float* d_z, int n) { for (int k = 0; k < 7; ++k) { offset<<<n "
             "/ 64, "
             "64>>>(d_x, d_y, n); gain<<<n / 64, 64>>>(d_x, d_z, n); } }\n",
     "]\nrepeat = 7\n", "swap ="},
    {blurs + "void run(float* a, float* t, float* b, int n) { for (int k = 0; k < 7; ++k) { blur_x<<<n / 64, "
             "64>>>(a, t, n); blur_y<<<n / 64, 64>>>(t, b, n); } }\n",
     "steps = [\n", "repeat ="},
    // Template arguments and numbers that differ from launch to launch.
    {"template <int W> __global__ void add(const float* x, float* y, int n) { int i = blockIdx.x * "
     "blockDim.x "
     "+ threadIdx.x; if (i < n) y[i] = x[i] + W; }\n"
     "void run(float* a, float* b, float* c, int n) { add<3><<<n / 64, 64>>>(a, b, n); add<5><<<n / 64, "
     "64>>>(b, c, n); }\n",
     "{ function = \"add<5>\", arguments = [\"b\", \"c\", ", "left out: add"},
    {gains + "void run(float* a, float* b, float* c, int n) { int w = n; for (int k = 0; k < 7; ++k) { "
             "offset<<<n "
             "/ 64, 64>>>(a, b, w); gain<<<n / 64, 64>>>(a, c, w); w /= 2; } }\n",
     "# the file computes w before it launches gain: write it as an expression of sizes, and of `step` if it "
     "changes\n",
     "\"int(n)\""},
    // The host function that does the whole is the reference, and the arrays have its names.
    {blurs + blur_launcher,
     "  { function = \"blur_x\", arguments = [\"from\", \"mid\", \"int(m)\"], block = [\"block_size\"], grid "
     "= "
     "[\"ceil_div(m, block_size)\"] },\n  { function = \"blur_y\", arguments = [\"mid\", \"to\", ",
     "_reference.cpp"},
    {blurs + blur_launcher, "# left out: blur (line 4): the steps stand for its launches\n",
     "[variant.\"cuda.blur"},
    {gains +
         "void both(float* image, const float* dark, const float* flat, int n) { for (int i = 0; i < n; ++i) "
         "image[i] = (image[i] - dark[i]) / flat[i]; }\n"
         "int main() { float *d_image = 0, *d_dark = 0, *d_flat = 0; offset<<<9, 9>>>(d_image, d_dark, 81); "
         "gain<<<9, 9>>>(d_image, d_flat, 81); }\n",
     "  { function = \"gain\", arguments = [\"image\", \"flat\", ", "left out"},
    // Launches with parts of arrays are no steps, and no versions of each other.
    {blurs +
         "void run(float* a, float* t, float* b, int n) { blur_x<<<n / 64, 64>>>(a, t, n); blur_y<<<n / 64, "
         "64>>>(t + 8, t, n); blur_y<<<n / 64, 64>>>(t, b, n); }\n",
     "# left out: blur_y (line 2): the file launches it with results of blur_x (line 1), but not all",
     "[variant.\"cuda.blur_y"},
    // Versions of a kernel that main launches one after the other.
    {blurs +
         "int main() { float *a = 0, *b = 0, *c = 0; blur_x<<<9, 9>>>(a, b, 81); blur_y<<<9, 9>>>(a, c, 81); "
         "}\n",
     "[variant.\"cuda.blur_y", "steps = ["},
    {"__global__ void one(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] "
     "*= 2; "
     "}\n"
     "__global__ void two(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] "
     "+= "
     "x[i]; }\n"
     "int main() { float* y = 0; one<<<9, 9>>>(y, 81); one<<<9, 9>>>(y, 81); two<<<9, 9>>>(y, 81); }\n",
     "[variant.\"cuda.two", "steps = ["},
};

TEST(Draft, TakesStepsFromLaunches) {
  for (const auto& one : said_by_launches) {
    const std::string draft = draft_of(one.source, "said.cu");
    EXPECT_NO_THROW((void)description_in(draft + one.source, "said.cu")) << draft;
    EXPECT_NE(draft.find(one.has), std::string::npos) << one.has << "\n" << draft;
    EXPECT_EQ(draft.find(one.has_not), std::string::npos) << one.has_not << "\n" << draft;
  }
}

TEST(Draft, MayHavePositiveInputs) {
  const std::string text =
      "struct Pair { float a, b; };\nvoid logs(const float* x, const int* k, const Pair* p, float* y, int n) "
      "{\n"
      "  for (int i = 0; i < n; ++i) y[i] = logf(x[i]) + k[i] + p[i].a;\n}\n";
  DraftAsked asked;
  EXPECT_EQ(draft_of(text, "logs.cpp", functions_of(text, "logs.cpp"), asked).find("low = 1"),
            std::string::npos);
  asked.real = RealFill::positive;
  const std::string draft = draft_of(text, "logs.cpp", functions_of(text, "logs.cpp"), asked);
  EXPECT_NO_THROW((void)description_in(draft + text, "logs.cpp")) << draft;
  for (const char* line :
       {"length = \"n\", type = \"float\", fill = { low = 1, high = 2 } },  # negative numbers gave",
        "members = 2 }, fill = { low = 1, high = 2 } },  # negative", "type = \"int\" },  # fill",
        "name = \"y\", role = \"out\", length = \"n\", type = \"float\" },\n"})
    EXPECT_NE(draft.find(line), std::string::npos) << line << "\n" << draft;
}

// If the draft lacks one step, the remaining steps must not become variants of each other.
TEST(Draft, LeavesOutOtherResultsWhereStepsHaveNoRoom) {
  const std::string text =
      "__global__ void first(float* y, const float* x, int n) { int i = blockIdx.x * blockDim.x + "
      "threadIdx.x; if (i < n) y[i] = x[i]; }\n"
      "__global__ void second(float* z, const float* y, int n) { int i = blockIdx.x * blockDim.x + "
      "threadIdx.x; if (i < n) z[i] = y[i]; }\n";
  std::string wide = text;
  for (int i = 0; i < 6; ++i)
    wide += "__global__ void more" + std::to_string(i) + "(float* u" + std::to_string(i) + ", float* v" +
            std::to_string(i) + ", float* w" + std::to_string(i) + ", const float* z, int n) { u" +
            std::to_string(i) + "[n - 1] = v" + std::to_string(i) + "[n - 1] = w" + std::to_string(i) +
            "[n - 1] = z[n - 1]; }\n";
  const std::string draft = draft_of(wide, "wide.cu");
  EXPECT_NE(draft.find("[variant.\"cuda.first\"]"), std::string::npos) << draft;
  EXPECT_EQ(draft.find("[variant.\"cuda.second\"]"), std::string::npos) << draft;
}

TEST(Polynomial, AddsAndMultiplies) {
  const Polynomial n = Polynomial::of("n"), m = Polynomial::of("m"), one(1);
  EXPECT_EQ(((n - one) * m + (m - one) + one).text(), "m * n");
  EXPECT_EQ((n * n - Polynomial(2) * n * m + Polynomial(3)).text(), "n * n - 2 * m * n + 3");
  EXPECT_EQ((n - n).text(), "0");
  EXPECT_EQ((Polynomial(4) * n).divided(2)->text(), "2 * n");
  EXPECT_FALSE((Polynomial(3) * n).divided(2).has_value());
  EXPECT_FALSE(n.divided(0).has_value());
  EXPECT_EQ((n + one - n).constant(), 1);
  EXPECT_FALSE((n - m).grows());
  EXPECT_FALSE(Polynomial(0).grows());
  EXPECT_EQ((n * m * n).degree(), 3u);
  EXPECT_EQ((n * m * n + m).with("n", 3).text(), "10 * m");
  const auto [quotient, rest] = (n * m + Polynomial(3) * m - n).divided_with_rest(m);
  EXPECT_EQ(quotient.text() + ", " + rest.text(), "n + 3, -n");
  EXPECT_TRUE((n * m - m + n).is_length() && (n - one).is_length());
  EXPECT_FALSE((n - m).is_length() || (n * n - Polynomial(2) * n).is_length() || Polynomial(-1).is_length());
}

// Threads are compared with one core with the same compiler options, even if the file has only a loop with
// threads. This separates the gains of threads and options.
TEST(Draft, HoldsThreadsAgainstTheSameOptionsOnOneCore) {
  const std::string plain =
      "void f(long n, const float* x, float* y) { for (long i = 0; i < n; ++i) y[i] = x[i]; }\n";
  const std::string threads =
      "void g(long n, const float* x, float* y) {\n#pragma omp parallel for\nfor (long i = 0; i < n; ++i) "
      "y[i] = x[i]; }\n";
  const auto functions = [](const std::string& text) {
    std::string all;
    for (const DescribedVariant& one : description_in(draft_of(text, "a.cpp") + text, "a.cpp").variants)
      all += one.name + " " + one.function + ", ";
    return all;
  };
  EXPECT_EQ(functions(plain), "serial.baseline f, serial.native f, openmp.f f, ");
  EXPECT_EQ(functions(plain + threads), "serial.baseline f, openmp.g g, serial.native f, ");
  EXPECT_EQ(functions(threads), "openmp.g g, serial.baseline g, serial.native g, ");
  EXPECT_EQ(description_in(draft_of(threads, "a.cpp") + threads, "a.cpp").reference->variant,
            "serial.baseline");
  EXPECT_EQ(functions(threads + "int omp_get_max_threads();\n"), "openmp.g g, ");
}

std::string with_directive(const std::string& text, const std::string& file) {
  return own::with_directive(text, file, functions_of(text, file));
}

std::string with_loop(const std::string& body) {
  return "#include <cmath>\nvoid f(long n, long w, const float* x, float* y, float* z) {\n  " + body +
         "\n}\n";
}

TEST(Draft, HasThreadsWhereIterationsAreIndependent) {
  const std::string in_row = "for (long i = 0; i < n; ++i) ";
  const std::string fence = "\n#ifdef SEXTANT_MODEL_OPENMP\n#pragma omp parallel for\n#endif\n";
  for (const std::string& body :
       {in_row + "y[i] = 2 * x[i];", in_row + "{ y[i] += x[n - 1 - i]; z[i]++; }",
        "const float s = 2;\n  " + in_row + "{ float t = s, u = 0; t *= std::sqrt(x[i]); u += t; y[i] = u; }",
        in_row + "if (x[i] > 0) y[i] = fmaxf(x[i], float(i)); else y[i] = static_cast<float>(i);",
        in_row + "for (int k = 0; k < w; ++k) y[i * w + k] = y[i * w + k] + x[k * n + i];",
        in_row + "for (int k = 1; k < w - 1; k++) { float s = 0; for (int j = 0; j < n; ++j) s += x[i * n + "
                 "j] * x[j * w + k]; y[k + w * i] = s; }",
        in_row + "{ float row[4] = {}; for (int j = 0; j < 4; ++j) row[j] += x[4 * i + j]; for (int j = 0; j "
                 "< 4; ++j) y[4 * i + j] = row[j]; }",
        in_row +
            "for (long j = 0; j < n; ++j) for (long k = 0; k < w; ++k) y[(i * n + j) * w + k] = x[k];"}) {
    const std::string loop = with_loop(body), all = draft_of(loop, "a.cpp") + with_directive(loop, "a.cpp");
    const std::vector<DescribedVariant> variants = description_in(all, "a.cpp").variants;
    ASSERT_EQ(variants.size(), 3u) << all;
    EXPECT_EQ(variants[2].name + " " + variants[2].function, "openmp.f f");
    EXPECT_EQ(with_directive(loop, "a.cpp"), test::with(loop, "\n  for (", fence + "  for ("));
  }
  const std::string line = "void f(long n, float* y) { for (long i = 0; i < n; ++i) y[i] = 1; }\n";
  EXPECT_EQ(with_directive(line, "a.cpp"), test::with(line, "for (", fence + "for ("));
}

// If a loop cannot be proven parallel, the draft disables its directive with # and notes what to check.
TEST(Draft, SaysWhatKeepsALoopFromThreads) {
  const std::string in_row = "for (long i = 1; i < n; ++i) ";
  const std::string bodies[] = {
      in_row + "y[i] += y[i - 1];",
      in_row + "y[0] += x[i];",
      in_row + "{ y[i] = x[i]; z[i] = y[n - i]; }",
      in_row + "y[i % 4 * w] = x[i];",
      in_row + "y[long(x[i])] += 1;",
      in_row + "for (int k = 0; k < n; ++k) y[i * w + k] = x[k];",
      in_row + "for (int k = -1; k < w; ++k) y[i * w + k] = x[k];",
      in_row + "for (int k = 0; k <= w; ++k) y[i * w + k] = x[k];",
      in_row + "for (int k = 0; k < w; ++k) { y[i * w + k] = x[k]; k = k + w; y[i * w + k] = 0; }",
      in_row + "{ for (int k = 0; k < w; ++k) y[i * w + k] = 0; int k{99}; y[i * w + k] = 1; }",
      in_row + "for (int k = 0; k < w; ++k) { y[i * w + k] = 0; y[i * n + k] = 0; }",
      "float s = 0; " + in_row + "s += x[i];\n y[0] = s;",
      "float s = 0; " + in_row + "{ y[i] = s; ++s; }",
      in_row + "{ y[i] = x[i]; n -= 1; }",
      in_row + "{ y[i] = x[i]; i++; }",
      "float s = 0; " + in_row + "{ { float s = 1; y[i] = s; } s = x[i]; }",
      in_row + "{ float* q = y + i; q[1] = x[i]; }",
      "float* q = z; " + in_row + "{ y[i] = q[i - 1]; z[i] = 1; }",
      in_row + "{ float& r = y[i - 1]; r = x[i]; }",
      in_row + "*(&y[i] + 1) = x[i];",
      in_row + "y[i] = next(x[i]);",
      in_row + "y[i] = next<4>(i);",
      in_row + "{ y[i] = x[i]; if (y[i] > 1) break; }",
      in_row + "{ static float s = 0; y[i] = s; }",
      "for (long i = n; i > 0; --i) y[i] = x[i];",
      "for (float i = 0; i < n; ++i) y[long(i)] = x[0];",
      "for (long i = 0; i < n; i *= 2) y[i] = x[i];",
      "long i = 0; for (i = 0; i < n; ++i) y[i] = x[i];",
      in_row + "y[i] = x[i];\n  " + in_row + "z[i] = x[i];",
      "while (n-- > 0) y[n] = x[n];",
      "y[0] = x[0];"};
  std::string said;
  for (const std::string& body : bodies) {
    const std::string loop = with_loop(body), draft = draft_of(loop, "a.cpp");
    EXPECT_EQ(description_in(draft + loop, "a.cpp").variants.size(), 2u) << draft << loop;
    EXPECT_EQ(with_directive(loop, "a.cpp"), loop);
    std::istringstream line(
        draft.substr(draft.find("Check first that no iteration needs the result of another: ")));
    std::string why;
    std::getline(line, why);
    said += body + "\n    " + why + "\n";
  }
  test::expect_golden(said, "own/drafts:loops");
}

// If a reference does not name the struct of an array, it gets the struct's members.
TEST(Draft, GivesAReferenceTheMembersOfStructs) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("own_structs_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  setenv("SEXTANT_CACHE", (folder / "cache").c_str(), 1);
  const std::string kernel =
      "struct Place { float at[2]; float height; };\n__global__ void rise(Place* T, const float4* by, const "
      "float* Places, int n) {\n"
      "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) T[i].height += by[i].x * Places[i]; }\n";
  const std::string draft = draft_of(kernel, "rise.cu");
  const std::size_t at = draft.find("void rise_reference(");
  ASSERT_NE(at, std::string::npos) << draft;
  const std::string signature = draft.substr(at, draft.find('\n', at) - at);
  EXPECT_EQ(signature, "void rise_reference(float* t, const float4* by, const T* Places, int n)");
  std::ofstream(folder / "rise.cu") << draft << kernel;
  std::ofstream(folder / "rise_reference.cpp")
      << signature << " { for (int i = 0; i < n; ++i) t[3 * i + 2] += by[i].x * float(Places[i]); }\n";
  const Description description = read_description(folder / "rise.cu");
  ASSERT_TRUE(description.reference);
  const Image image =
      compile_host({description, description.reference->function, ElementType::float64, nullptr, true});
  EXPECT_FALSE(image.path.empty()) << image.problem;
  fs::remove_all(folder);
  unsetenv("SEXTANT_CACHE");
}

// The draft for a file of loops compiles unchanged.
TEST(Draft, OfLoopsCompiles) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("own_signature_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  setenv("SEXTANT_CACHE", (folder / "cache").c_str(), 1);
  const std::string loops =
      "template <typename V> void scale(int n, V a, const V* x, V* y) { for (int i = 0; i < n; ++i) y[i] = a "
      "* x[i]; }\n"
      "template <typename V> void twice(unsigned n, V a, const V* x, V* y) { for (unsigned i = 0; i < n; "
      "++i) y[i] = a * x[i]; }\n";
  std::ofstream(folder / "loops.cpp") << draft_of(loops, "loops.cpp") << with_directive(loops, "a.cpp");
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
