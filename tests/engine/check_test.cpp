// Tests of the result check with planted bugs. The check must find each bug and name it.
#include "engine/case/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "faults/faults.hpp"
#include "registry/registry.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

struct Fixture {
  const RegisteredKernel& entry;
  Problem problem;
  std::unique_ptr<Device> device;
  Workset workset;
  DeviceCopies device_copies;

  static const RegisteredKernel& kernel() {
    static const bool added = [] {
      add_fault_kernels();
      return true;
    }();
    (void)added;
    return *find_kernel("fault");
  }
  // The arrays have 1000 elements, which is no multiple of 64 or 128.
  explicit Fixture(MemorySpace memory_space = MemorySpace::host, std::uint64_t seed = 1,
                   std::int64_t n = 2000)
      : entry(kernel()),
        problem{n, ElementType::float32, entry.kernel.extents(n), {}},
        device(open(memory_space)),
        workset(entry.kernel, problem, seed),
        device_copies(*device, workset) {}

  static std::unique_ptr<Device> open(MemorySpace memory_space) {
    std::string why_not;
    std::unique_ptr<Device> opened = open_device(memory_space, 0, &why_not);
    if (!opened) throw std::runtime_error(why_not);
    return opened;
  }

  CheckResult result_of(const char* name) {
    const Variant* variant = find_variant(entry, name);
    if (!variant) throw std::runtime_error(name);
    const Call call{problem, nullptr, device_copies.arrays(), device->stream(), nullptr};
    return check(*variant, call, *device, workset, device_copies);
  }
};

#define EXPECT_CAUGHT(result, text)                                          \
  do {                                                                       \
    const CheckResult caught = (result);                                     \
    EXPECT_FALSE(caught.passed);                                             \
    EXPECT_NE(caught.reason.find(text), std::string::npos) << caught.reason; \
  } while (false)

// Expects that the check finds a variant that writes outside its arrays. With AddressSanitizer, such a write
// ends the process, so the test runs in a child. The "threadsafe" style re-executes the program; a forked
// child would lack OpenMP's threads and deadlock.
#if defined(SEXTANT_ADDRESS_SANITIZER) && !defined(SEXTANT_TEST_GPU)
  #define EXPECT_STRAYS(result, text)                 \
    do {                                              \
      GTEST_FLAG_SET(death_test_style, "threadsafe"); \
      EXPECT_DEATH((result), "use-after-poison");     \
    } while (false)
#else
  #define EXPECT_STRAYS(result, text) EXPECT_CAUGHT(result, text)
#endif

#ifndef SEXTANT_TEST_GPU
constexpr MemorySpace memory_space = MemorySpace::host;
  #define NAME(name) "serial." name
  #define NEEDS_A_DEVICE
#else
constexpr MemorySpace memory_space = MemorySpace::cuda;
  #define NAME(name) "cuda." name
  #define NEEDS_A_DEVICE                                                         \
    {                                                                            \
      std::string why_not;                                                       \
      if (!open_device(MemorySpace::cuda, 0, &why_not)) GTEST_SKIP() << why_not; \
    }
#endif

TEST(Check, PassesWhatIsRight) {
  NEEDS_A_DEVICE
  const CheckResult result = Fixture(memory_space).result_of(NAME("right"));
  EXPECT_TRUE(result.passed) << result.reason;
  EXPECT_LE(result.error, result.tolerance);
  EXPECT_EQ(result.seconds.size(), 2u);
}

TEST(Check, CatchesANullKernel) {
  NEEDS_A_DEVICE
  Fixture fixture(memory_space);
  const CheckResult result = fixture.result_of(NAME("nothing"));
  EXPECT_CAUGHT(result, "c[0]");
  EXPECT_TRUE(std::isinf(result.error));
}

TEST(Check, CatchesANullKernelAfterARightOne) {  // the outputs still hold the previous variant's result
  NEEDS_A_DEVICE
  Fixture fixture(memory_space);
  ASSERT_TRUE(fixture.result_of(NAME("right")).passed);
  EXPECT_CAUGHT(fixture.result_of(NAME("nothing")), "c[0]");
}

TEST(Check, CatchesAMissingLastBlock) {
  NEEDS_A_DEVICE
  EXPECT_CAUGHT(Fixture(memory_space).result_of(NAME("misses_last_block")),
                memory_space == MemorySpace::host ? "c[960]" : "c[896]");
}

TEST(Check, CatchesAWriteBeforeTheStart) {
  NEEDS_A_DEVICE
  EXPECT_STRAYS(Fixture(memory_space).result_of(NAME("writes_before")), "wrote before the start of array c");
}

TEST(Check, CatchesAWritePastTheEnd) {
  NEEDS_A_DEVICE
  EXPECT_STRAYS(Fixture(memory_space).result_of(NAME("writes_past")), "wrote past the end of array c");
}

// The guard zones of inputs and outputs hold different values, so a copy from one to the other is noticed.
TEST(Check, CatchesAnElementCopiedPastTheEnd) {
  NEEDS_A_DEVICE
  EXPECT_STRAYS(Fixture(memory_space).result_of(NAME("copies_past")), "wrote past the end of array c");
}

TEST(Check, CatchesWhatIsReadBesideAnInput) {
  NEEDS_A_DEVICE
  EXPECT_STRAYS(Fixture(memory_space).result_of(NAME("adds_past")), "c[999] is ");
  EXPECT_STRAYS(Fixture(memory_space).result_of(NAME("adds_before")), "c[0] is ");
}

TEST(Check, CatchesAChangedInputAndPutsItBack) {
  NEEDS_A_DEVICE
  Fixture fixture(memory_space);
  EXPECT_CAUGHT(fixture.result_of(NAME("changes_input")), "changed its input array a");
  EXPECT_TRUE(fixture.result_of(NAME("right")).passed);
}

// The GPU compares large inputs with the originals. The smaller size is also launched on other inputs first.
TEST(Check, CatchesAChangedInputOfMegabytesAndPutsItBack) {
  NEEDS_A_DEVICE
  for (const std::int64_t n : {2'000'000, 20'000'000}) {
    Fixture fixture(memory_space, 1, n);
    for (int time = 0; time < 2; ++time) {
      for (int again = 0; again < 2; ++again)
        EXPECT_TRUE(fixture.result_of(NAME("right")).passed) << "n = " << n;
      EXPECT_CAUGHT(fixture.result_of(NAME("changes_input")), "changed its input array a");
      EXPECT_CAUGHT(fixture.result_of(NAME("nothing")), "c[0]");
    }
  }
}

TEST(Check, CatchesLostUpdates) {
  NEEDS_A_DEVICE
  EXPECT_CAUGHT(Fixture(memory_space).result_of(NAME("races")), "c[0]");
}

#ifndef SEXTANT_TEST_GPU

TEST(Check, CatchesAMissingFirstElement) {
  EXPECT_CAUGHT(Fixture().result_of("serial.misses_first"), "c[0] is ");
}

TEST(Check, CatchesAMissingLastElement) {
  EXPECT_CAUGHT(Fixture().result_of("serial.misses_last"), "c[999] is ");
}

// An out-of-bounds read changes no result, so only AddressSanitizer finds it.
TEST(Check, ReadingPastTheEndIsLeftToTheSanitizer) {
  #ifdef SEXTANT_ADDRESS_SANITIZER
  EXPECT_STRAYS(Fixture().result_of("serial.reads_past"), "");
  #else
  EXPECT_TRUE(Fixture().result_of("serial.reads_past").passed);
  #endif
}

TEST(Check, CatchesNaN) {
  Fixture fixture;
  const CheckResult result = fixture.result_of("serial.makes_nan");
  EXPECT_CAUGHT(result, "c[500]");
  EXPECT_TRUE(std::isinf(result.error));
}

TEST(Check, CatchesASmallErrorAndSaysHowLarge) {
  const CheckResult result = Fixture().result_of("serial.slightly_off");
  EXPECT_CAUGHT(result, "c[500]");
  EXPECT_NEAR(result.error, 1e-4, 1e-5);
}

// If a launch reports an error, its case fails even if the result is right.
TEST(Check, BelievesAVariantThatSaysItFailed) {
  Fixture fixture;
  const Variant& variant = *find_variant(fixture.entry, "serial.gives_up");
  Call call{fixture.problem, nullptr, fixture.device_copies.arrays(), nullptr, nullptr};
  ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
  const CheckResult result = check(variant, call, *fixture.device, fixture.workset, fixture.device_copies);
  variant.release(call.state);
  EXPECT_CAUGHT(result, "nobody answered");
  EXPECT_TRUE(result.failed);
  EXPECT_FALSE(Fixture().result_of("serial.nothing").failed);
}

TEST(Check, CatchesWhatWorksOnlyOnce) { EXPECT_CAUGHT(Fixture().result_of("serial.works_once"), "c[0]"); }

TEST(Check, CatchesAnAnswerThatIsKept) {
  EXPECT_CAUGHT(Fixture().result_of("serial.keeps_its_answer"), "c[0] is ");
}

// The guard zones hold values that change every sum that reads them, for every element type.
template <typename T>
void expect_spoiling_guards(ElementType type) {
  for (const Role role : {Role::in, Role::inout}) {
    Kernel kernel = Fixture::kernel().kernel;
    kernel.arrays[0].role = role;
    const auto nothing = [](const Problem&, const void* const*, double* const*) {};
    kernel.reference = {nothing, nothing, nothing};
    const Problem problem{14, type, {7, 1, 1}, {}};
    Workset workset(kernel, problem, 1);
    T* const a = static_cast<T*>(workset.arrays()[0].data);
    T* const c = static_cast<T*>(workset.arrays()[1].data);
    for (const int at : {-3, -1, 7, 8, 20}) {
      EXPECT_NE(std::memcmp(a + at, c + at, sizeof(T)), 0) << at;
      if constexpr (sizeof(T) == 4 && static_cast<T>(0.5) == 0)
        EXPECT_GT(a[at], 1 << 30);
      else
        EXPECT_TRUE(std::isnan(a[at]));
      T before;
      std::memcpy(&before, a + at, sizeof before);
      a[at] += T(1);
      EXPECT_NE(std::memcmp(a + at, &before, sizeof before), 0) << at;
    }
  }
}

TEST(Check, GuardsSpoilSums) {
  expect_spoiling_guards<float>(ElementType::float32);
  expect_spoiling_guards<double>(ElementType::float64);
  expect_spoiling_guards<std::int32_t>(ElementType::int32);
}

// An array with its own element type is filled, guarded and compared in that type.
TEST(Check, GoesByEachArraysOwnType) {
  Kernel kernel = Fixture::kernel().kernel;
  kernel.arrays = {
      {"p", Role::in, ElementType::int32}, {"c", Role::out}, {"k", Role::out, ElementType::int32}};
  kernel.reference.float64 = [](const Problem& p, const void* const* arrays, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[1][i] = 0.5, results[2][i] = static_cast<const std::int32_t*>(arrays[0])[i];
  };
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  const Problem problem{15, ElementType::float64, {5, 1, 1}, {}};
  Workset workset(kernel, problem, 1);
  EXPECT_EQ(workset.arrays()[0].bytes, 20u);
  EXPECT_EQ(workset.arrays()[1].bytes, 40u);
  EXPECT_EQ(workset.arrays()[2].bytes, 20u);
  const auto* p = static_cast<const std::int32_t*>(workset.arrays()[0].data);
  auto* c = static_cast<double*>(workset.arrays()[1].data);
  auto* k = static_cast<std::int32_t*>(workset.arrays()[2].data);
  EXPECT_GT(p[5], 1 << 30);  // the guard value for integers
  for (int i = 0; i < 5; ++i) c[i] = 0.5, k[i] = p[i];
  Deviation error;
  EXPECT_EQ(workset.compare(&error), "");
  k[4] += 1;
  EXPECT_TRUE(workset.compare(&error).starts_with("k[4] is "));
  k[4] -= 1, k[5] = 0;
  EXPECT_EQ(workset.compare(&error), "wrote past the end of array k");
}

TEST(Check, PutsBackInputsThatSamplesChanged) {
  Fixture fixture;
  ASSERT_TRUE(fixture.result_of("serial.right").passed);
  static_cast<float*>(fixture.workset.arrays()[0].data)[3] = 77;  // overwrites an input
  fixture.workset.distrust_inputs();
  EXPECT_TRUE(fixture.result_of("serial.right").passed);
}

TEST(Check, SeedsMakeDifferentData) {
  Fixture one(memory_space, 1), other(memory_space, 2), again(memory_space, 1);
  const auto first = [](Fixture& fixture) {
    return static_cast<float*>(fixture.workset.arrays()[0].data)[0];
  };
  EXPECT_NE(first(one), first(other));
  EXPECT_EQ(first(one), first(again));
}

// With a tolerance relative to the reference, large results may have larger errors.
TEST(Check, RelativeToleranceGrowsWithTheResult) {
  Kernel kernel = Fixture::kernel().kernel;
  kernel.reference.float32 = [](const Problem& p, const void* const*, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i) results[1][i] = i == 0 ? 1.0 : 1000.0;
  };
  kernel.tolerance = [](const Problem&) { return Tolerance{.absolute = 0, .relative = 1e-3}; };
  const Problem problem{20, ElementType::float32, {10, 1, 1}, {}};
  Workset workset(kernel, problem, 1);
  float* c = static_cast<float*>(workset.arrays()[1].data);
  for (int i = 0; i < 10; ++i) c[i] = i == 0 ? 1.0f : 1000.5f;
  Deviation error;
  EXPECT_EQ(workset.compare(&error), "");
  EXPECT_DOUBLE_EQ(error.error, 0.5);
  EXPECT_DOUBLE_EQ(error.allowed, 1);
  c[0] = 1.0009f;  // its error is smaller than that of c[1], but exceeds its tolerance
  EXPECT_EQ(workset.compare(&error), "");
  EXPECT_NEAR(error.error, 9e-4, 1e-6);
  EXPECT_DOUBLE_EQ(error.allowed, 1e-3);
  c[0] = 1.5f;
  EXPECT_NE(workset.compare(&error).find("c[0] is 1.5, not 1"), std::string::npos);
  c[0] = 1.002f;
  EXPECT_NE(workset.compare(&error).find("c[0] is 1.002, not 1;"), std::string::npos);
}

// The comparison works in blocks of 4096 elements. The wrong element may be in a later block.
template <typename T>
void find_the_wrong_one(ElementType type, std::int64_t count, std::int64_t at) {
  Kernel kernel = Fixture::kernel().kernel;
  const auto reference = [](const Problem& p, const void* const*, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i) results[1][i] = 5;
  };
  kernel.reference = {reference, reference, reference};
  const Problem problem{2 * count, type, {count, 1, 1}, {}};
  Workset workset(kernel, problem, 1);
  T* c = static_cast<T*>(workset.arrays()[1].data);
  for (std::int64_t i = 0; i < count; ++i) c[i] = 5;
  Deviation error;
  EXPECT_EQ(workset.compare(&error), "");
  c[at] = 7;
  const std::string wrong = "c[" + std::to_string(at) + "] is 7, not 5";
  EXPECT_EQ(workset.compare(&error).substr(0, wrong.size()), wrong);
  EXPECT_EQ(error.error, 2);
}

TEST(Check, FindsTheOneWrongElement) {
  for (const std::int64_t at : {0, 4095, 4096, 9999, 12287, 12288, 12344}) {
    find_the_wrong_one<float>(ElementType::float32, 12345, at);
    find_the_wrong_one<double>(ElementType::float64, 12345, at);
    find_the_wrong_one<std::int32_t>(ElementType::int32, 12345, at);
  }
}

TEST(Check, NoticesEveryGuardByte) {
  Fixture fixture;
  ASSERT_TRUE(fixture.result_of("serial.right").passed);
  HostArray& array = fixture.workset.arrays()[0];
  const char* end = static_cast<char*>(array.data) + array.bytes;
  const std::size_t after = array.total - static_cast<std::size_t>(end - array.base);
  const std::size_t before = static_cast<std::size_t>(static_cast<char*>(array.data) - array.base);
  Deviation error;
  const auto flip_is_noticed = [&](std::size_t offset, const char* text) {
    array.base[offset] = static_cast<char>(array.base[offset] ^ 1);
    EXPECT_NE(fixture.workset.compare(&error).find(text), std::string::npos) << offset;
    array.base[offset] = static_cast<char>(array.base[offset] ^ 1);
  };
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, before / 2, before - 1})
    flip_is_noticed(offset, "before the start of array a");
  for (const std::size_t offset : {std::size_t{0}, after / 2, after - 1})
    flip_is_noticed(array.total - after + offset, "past the end of array a");
  EXPECT_EQ(fixture.workset.compare(&error), "");
}

#endif

}  // namespace
}  // namespace sextant
