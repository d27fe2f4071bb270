// Tests that offloaded variants are loaded from the shared libraries of their folders at first use.
#include "registry/offloaded.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

bool is_open(const char* library) { return dlopen(library, RTLD_NOW | RTLD_NOLOAD) != nullptr; }

// These tests run first, before anything else opens the libraries in this process.
class OffloadedVariants : public testing::Test {
 protected:
  static void SetUpTestSuite() { open_offloaded_when_used(); }
};

TEST_F(OffloadedVariants, AreNamedAloneUntilOneIsAskedFor) {
  const RegisteredKernel* kernel = find_kernel("triad");
  ASSERT_NE(kernel, nullptr);
  const Variant* named = nullptr;
  for (const Variant& variant : kernel->variants)
    if (variant.model == Model::openacc) named = &variant;
  ASSERT_NE(named, nullptr);
  EXPECT_FALSE(named->launch.float64);
  EXPECT_FALSE(is_open("libsextant_openacc_triad.so"));

  EXPECT_TRUE(opens_a_library(*kernel, named->name));
  EXPECT_FALSE(opens_a_library(*kernel, "serial.baseline"));
  const Variant* found = find_variant(*kernel, named->name);
  EXPECT_EQ(found, named);
  EXPECT_FALSE(opens_a_library(*kernel, named->name));
  EXPECT_TRUE(found->launch.float64);
  EXPECT_EQ(found->model, Model::openacc);
  EXPECT_NE(std::string(found->description), "");
  EXPECT_TRUE(is_open("libsextant_openacc_triad.so"));
  EXPECT_FALSE(is_open("libsextant_openacc_stencil3d_7pt.so"));
  EXPECT_EQ(find_variant(*kernel, named->name), found);
}

TEST_F(OffloadedVariants, AreAllThere) {
  for (const RegisteredKernel& kernel : registry())
    for (const Variant& variant : kernel.variants) {
      const Variant* found = find_variant(kernel, variant.name);
      ASSERT_EQ(found, &variant);
      EXPECT_TRUE(found->launch.float32 || found->launch.float64 || found->launch.int32)
          << kernel.kernel.name << " " << variant.name;
    }
}

// Returns how many processes of a command opened the library, according to the dynamic linker's log files.
int processes_that_opened(const std::string& library, const std::filesystem::path& notes) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(notes)) {
    std::ifstream in(file.path());
    const std::string said{std::istreambuf_iterator<char>(in), {}};
    count += said.find("calling init: ") != std::string::npos &&
             said.find("/" + library + "\n") != std::string::npos;
  }
  return count;
}

TEST(OffloadedInWorkers, AreOpenedForTheFolderThatIsMeasuredAlone) {
  const std::filesystem::path notes =
      std::filesystem::path(testing::TempDir()) / ("offloaded_notes." + std::to_string(::getpid()));
  std::filesystem::create_directory(notes);
  const std::string command = "LD_DEBUG=files LD_DEBUG_OUTPUT=" + (notes / "of").string() +
                              " " SEXTANT_PROGRAM " verify -q -k triad -v openacc -n 100 >/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(processes_that_opened("libsextant_openacc_triad.so", notes),
            2);  // the planning process and its worker
  EXPECT_EQ(processes_that_opened("libsextant_openacc_dot.so", notes), 1);
  std::filesystem::remove_all(notes);
}

TEST_F(OffloadedVariants, OfNoLibraryAreRefusedWithTheRemedy) {
  try {
    offloaded_variants("nosuch", {"openacc.cpp", Model::openacc, nullptr, {}});
    FAIL() << "there is no such library";
  } catch (const UserError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("openacc.cpp of nosuch: cannot load libsextant_openacc_nosuch.so"), std::string::npos)
        << said;
    EXPECT_NE(said.find("Build or install Sextant again"), std::string::npos) << said;
  }
  try {
    offloaded_variants("triad", {"openacc.nosuch.cpp", Model::openacc, nullptr, {}});
    FAIL() << "the library has no such file";
  } catch (const UserError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("openacc.nosuch.cpp of triad: the library has no"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace sextant
