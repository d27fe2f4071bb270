// Tests of TOML files that describe a kernel's features for `advise`, without code.
#include "predict/form_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "refusal.hpp"

namespace sextant::predict {
namespace {

constexpr const char* axpy = R"(name = "axpy"
type = "double"
bytes_read = 16
bytes_written = 8
flops = 2
copy_in = 16
copy_out = 8
working_set = 16   # y is read and written
loads = 2
stores = 1
stride_read = 1
launches = 1
)";

TEST(FormFile, GivesAmountsOfAllItems) {
  const WrittenForm written = read_form(axpy, "axpy.toml");
  EXPECT_EQ(written.name, "axpy");
  EXPECT_EQ(written.type, ElementType::float64);
  const Form form = form_of(written, 1000, ElementType::float64);
  EXPECT_EQ(form.work.bytes_read, 16000);
  EXPECT_EQ(form.work.bytes_written, 8000);
  EXPECT_EQ(form.work.flops, 2000);
  EXPECT_EQ(form.work.items, 1000);
  EXPECT_EQ(form.bytes_in, 16000);
  EXPECT_EQ(form.bytes_out, 8000);
  EXPECT_EQ(form.working_set, 16000);
  EXPECT_EQ(form.n, 2000);
  EXPECT_EQ(form.extents.x, 1000);
  EXPECT_EQ(form.traits.loads, 2);
  EXPECT_EQ(form.traits.divergence, Traits::not_known);
}

TEST(FormFile, CopiesWhatIsReadAndWrittenUnlessItSaysOtherwise) {
  const WrittenForm written = read_form("bytes_read = 4\nbytes_written = 0\nextents = [8, 4]\n", "sum.toml");
  EXPECT_EQ(written.name, "sum");
  EXPECT_FALSE(written.type);
  const Form form = form_of(written, 32, ElementType::float32);
  EXPECT_EQ(form.bytes_in, 128);
  EXPECT_EQ(form.bytes_out, 0);
  EXPECT_EQ(form.arrays_in, 1);
  EXPECT_EQ(form.arrays_out, 0);
  EXPECT_EQ(form.extents, (Extents{8, 4, 1}));
}

testing::AssertionResult refused(const std::string& toml, const std::vector<std::string>& parts) {
  const std::string message = sextant::test::refusal([&] { read_form(toml, "f.toml"); });
  for (const std::string& part : parts)
    if (message.find(part) == std::string::npos)
      return testing::AssertionFailure() << message << " without " << part;
  return testing::AssertionSuccess();
}

TEST(FormFile, RefusesWhatItCannotMeanWithItsPlace) {
  const auto with = [](const char* line) { return std::string(axpy) + line + "\n"; };
  EXPECT_TRUE(refused(with("divergance = 0.5"), {"f.toml:13", "divergance", "`divergence`"}));
  EXPECT_TRUE(refused(with("depth = -2"), {"at least 0"}));
  EXPECT_TRUE(refused(with("depth = \"deep\""), {"depth"}));
  EXPECT_TRUE(refused(with("extents = [4, 0]"), {"from 1 to"}));
  EXPECT_TRUE(refused("bytes_written = 4\n", {"bytes_read = 8"}));
  EXPECT_TRUE(refused("bytes_read = 0\nbytes_written = 0\n", {"without data"}));
  EXPECT_TRUE(refused("type = \"half\"\nbytes_read = 1\nbytes_written = 1\n", {"not \"half\""}));
}

}  // namespace
}  // namespace sextant::predict
