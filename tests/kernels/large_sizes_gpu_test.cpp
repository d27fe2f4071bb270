// Tests sizes at which 32-bit indices or byte counts overflow. Most variants get more than 2^31 bytes in
// total; copying variants get more than 2^31 elements per array. The tests are skipped if memory is too
// small.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/case/check.hpp"
#include "registry/registry.hpp"
#include "toolbox/random.hpp"

namespace sextant {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;

struct Subject {
  const char* kernel;
  const char* variant;
};

std::string title(const testing::TestParamInfo<Subject>& info) {
  std::string name = std::string(info.param.kernel) + "_" + info.param.variant;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

std::vector<int> default_tuning(const Variant& variant, const Problem& problem) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, tuning.data());
  return tuning;
}

class Large : public testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    const RegisteredKernel* entry = find_kernel(GetParam().kernel);
    ASSERT_NE(entry, nullptr);
    kernel = &entry->kernel;
    variant = find_variant(*entry, GetParam().variant);
    if (!variant) GTEST_SKIP() << GetParam().variant << " is not in this build";
    std::string why_not;
    device = open_device(MemorySpace::cuda, 0, &why_not);
    if (!device) GTEST_SKIP() << why_not;
  }

  const Kernel* kernel = nullptr;
  const Variant* variant = nullptr;
  std::unique_ptr<Device> device;
};

// Two arrays of more than 2^31 floats each. The input is copied in distinct blocks, and the output must
// return in the same blocks. If an index overflows, a block is wrong or not written.
class ManyElements : public Large {};

TEST_P(ManyElements, EveryOneIsCopied) {
  const std::int64_t n = 2 * ((std::int64_t{1} << 31) + 123457);
  const Problem problem{n, ElementType::float32, kernel->extents(n), kernel->parameters};
  const std::int64_t elements = problem.extents.count();
  ASSERT_GT(elements, std::int64_t{1} << 31);
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(float);
  if (device->free_memory() < 2 * bytes + gibibyte)
    GTEST_SKIP() << "needs " << 2 * bytes / gibibyte << " GiB of GPU memory";

  std::vector<std::uint32_t> piece(gibibyte / 16), got(piece.size());
  for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = static_cast<std::uint32_t>(random_bits(1, i));
  const std::size_t piece_bytes = piece.size() * sizeof(std::uint32_t);
  const auto mark = [&](std::size_t offset) {  // writes the block's number into each of its pages
    for (std::size_t i = 0; i < piece.size(); i += 1024)
      piece[i] = static_cast<std::uint32_t>(offset / piece_bytes);
  };
  char* arrays[2] = {static_cast<char*>(device->map(nullptr, bytes)),
                     static_cast<char*>(device->map(nullptr, bytes))};
  std::memset(got.data(), 0xFF, piece_bytes);
  for (std::size_t offset = 0; offset < bytes; offset += piece_bytes) {
    mark(offset);
    const std::size_t part = std::min(piece_bytes, bytes - offset);
    device->copy_in(arrays[0] + offset, piece.data(), part);
    device->copy_in(arrays[1] + offset, got.data(), part);
  }
  const ArrayAt pointers[2] = {arrays[0], arrays[1]};
  const std::vector<int> tuning = default_tuning(*variant, problem);
  variant->launch.float32(
      {.problem = problem, .tuning = tuning.data(), .arrays = pointers, .stream = device->stream()});
  device->synchronise();
  std::size_t wrong_pieces = 0;
  for (std::size_t offset = 0; offset < bytes; offset += piece_bytes) {
    mark(offset);
    const std::size_t part = std::min(piece_bytes, bytes - offset);
    device->copy_out(got.data(), arrays[1] + offset, part);
    wrong_pieces += std::memcmp(got.data(), piece.data(), part) != 0;
  }
  for (char* array : arrays) device->unmap(array, bytes);
  EXPECT_EQ(wrong_pieces, 0u);
}

INSTANTIATE_TEST_SUITE_P(Cuda, ManyElements,
                         testing::Values(Subject{"copy", "cuda.elementwise"}, Subject{"copy", "cuda.vector"},
                                         Subject{"copy", "library.cuda_memcpy"},
                                         Subject{"stride64", "cuda.elementwise"},
                                         Subject{"stride64", "cuda.lanes"}, Subject{"rows", "cuda.columns"},
                                         Subject{"rows", "cuda.strips"}),
                         title);

// Slightly more than 2^31 bytes in total, checked like any other size.
class ManyBytes : public Large {};

TEST_P(ManyBytes, MatchTheReference) {
  const std::int64_t n = (std::int64_t{1} << 29) + 12345;
  const Problem problem{n, ElementType::float32, kernel->extents(n), kernel->parameters};
  if (device->free_memory() < 4 * gibibyte) GTEST_SKIP() << "needs 4 GiB of GPU memory";
  Workset workset(*kernel, problem, 7);
  DeviceCopies device_copies(*device, workset);
  const std::vector<int> tuning = default_tuning(*variant, problem);
  const CheckResult result =
      check(*variant, {problem, tuning.data(), device_copies.arrays(), device->stream(), nullptr}, *device,
            workset, device_copies);
  EXPECT_TRUE(result.passed) << result.reason;
}

INSTANTIATE_TEST_SUITE_P(Cuda, ManyBytes,
                         testing::Values(Subject{"triad", "cuda.vector"},
                                         Subject{"stencil1d_2pt", "cuda.vector"},
                                         Subject{"stencil2d_4pt", "cuda.vector"},
                                         Subject{"stencil3d_7pt", "cuda.march"}),
                         title);

}  // namespace
}  // namespace sextant
