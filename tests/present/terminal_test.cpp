// Tests that tables fit into any terminal width: columns are left out if necessary, and no line is too long.
#include <gtest/gtest.h>

#include "command.hpp"
#include "present/format.hpp"
#include "sample_results.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;
using test::on_terminal;
using test::TemporaryFolder;

Measurement on_gpu(const char* variant, std::int64_t n, double time) {
  const bool openacc = variant[0] == 'o';
  Measurement m = make_measurement(
      make_case("triad", variant, n, ElementType::float32, {{"block_size", 256}}), time + 1e-5);
  m.device_times = test::samples_around(time);
  m.end_to_end_times = test::samples_around(100 * time);
  m.alloc_times = test::samples_around(1e-5);
  m.transfers = {{"a", true, openacc ? "directive" : "pageable", 8 * n / 3, test::samples_around(time)},
                 {"c", false, openacc ? "directive" : "pageable", 4 * n / 3, test::samples_around(time)}};
  if (!openacc) m.transfers.push_back({"a", true, "pinned", 8 * n / 3, test::samples_around(time)});
  m.counters = {{"l2_hit_rate", 0.5}, {"dram_bytes_read", 1e6}, {"dram_bytes_written", 1e6}};
  return m;
}

// Stores results for every table: all programming models at three sizes, and failed cases.
void store(const std::string& path, const char* started) {
  ResultsFile file(path, ResultsFile::Mode::write);
  const std::int64_t id = file.begin_session(make_session("a-machine-of-a-long-name", started));
  int i = 0;
  for (const std::int64_t n : {7936, 130560, 94371840}) {
    const double time = 1e-9 * static_cast<double>(n);
    for (const char* variant : {"serial.baseline", "serial.native", "openmp.simd", "library.openblas"})
      file.add(id, make_measurement(make_case("triad", variant, n), time / ++i));
    for (const char* variant : {"openacc.parallel_loop", "cuda.vector", "cuda.bulk_of_a_long_name"})
      file.add(id, on_gpu(variant, n, time / ++i));
    Measurement library = on_gpu("library.cublas", n, time / ++i);
    library.what.device = "gpu0";
    file.add(id, library);
    Measurement tuned = on_gpu("cuda.vector", n, time);
    tuned.what.tuning = {{"block_size", 64}};
    file.add(id, tuned);
    Measurement failed = make_measurement(make_case("triad", "openmp.tiled", n), 1);
    failed.status = Status::failed;
    failed.reason = "a reason of many words, which a terminal of eighty columns has no room for in one line";
    file.add(id, failed);
  }
}

// Returns the width of the longest line in columns, without escape codes.
std::size_t longest_line(const std::string& text, std::string* line) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) {
    std::string plain;
    bool escaped = false;
    for (const char c : one) {
      if (c == '\033') escaped = true;
      if (!escaped && c != '\r') plain += c;
      if (escaped && c == 'm') escaped = false;
    }
    if (display_width(plain) <= longest) continue;
    longest = display_width(plain);
    *line = plain;
  }
  return longest;
}

void expect_to_fit(const std::string& arguments, unsigned short columns) {
  const std::string text = on_terminal(arguments, "", columns);
  std::string line;
  const std::size_t longest = longest_line(text, &line);
  EXPECT_LE(longest, columns) << arguments << "\n" << line;
  EXPECT_GT(longest, 20u) << arguments << "\n" << text;  // the output has lines
}

class Terminals : public testing::TestWithParam<unsigned short> {};

TEST_P(Terminals, HoldEveryTableOfShow) {
  const TemporaryFolder folder;
  store(folder / "r", "2024-05-01T10:00:00Z");
  expect_to_fit("show " + (folder / "r"), GetParam());
  for (const char* by : {"study", "speedup", "bandwidth", "transfers", "tuning", "variants", "verdict",
                         "problems", "counters", "size", "amdahl", "all"})
    expect_to_fit("show " + (folder / "r") + " --by " + by, GetParam());
}

TEST_P(Terminals, HoldTheTablesOfTheOtherCommands) {
  const TemporaryFolder folder;
  store(folder / "a", "2024-05-01T10:00:00Z");
  store(folder / "b", "2024-05-02T10:00:00Z");
  expect_to_fit("compare " + (folder / "a") + " " + (folder / "b"), GetParam());
  for (const char* what : {"kernels", "variants", "devices"})
    expect_to_fit("list " + std::string(what), GetParam());
  expect_to_fit("doctor", GetParam());
  expect_to_fit("run --dry-run -k triad,heat3d_r1 -n 300", GetParam());
  expect_to_fit("verify -q -k copy -v serial -n 300", GetParam());
  expect_to_fit("run -q --no-ceilings --samples 6:6 -k triad -v serial -n 300 -o " + (folder / "c"),
                GetParam());
}

INSTANTIATE_TEST_SUITE_P(Width, Terminals, testing::Values(80, 100, 120),
                         [](const auto& width) { return std::to_string(width.param); });

TEST(Terminal, ANarrowOneIsToldWhatIsMissing) {
  const TemporaryFolder folder;
  store(folder / "r", "2024-05-01T10:00:00Z");
  const std::string narrow = on_terminal("show --by speedup " + (folder / "r"), "", 80);
  EXPECT_NE(narrow.find("columns left out: serial"), std::string::npos) << narrow;
  const std::string wide = on_terminal("show --by speedup " + (folder / "r"), "", 160);
  EXPECT_EQ(wide.find("columns left out"), std::string::npos) << wide;
}

}  // namespace
}  // namespace sextant
