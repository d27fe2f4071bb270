// Fuzzes results files. A damaged file must be loaded and summarised, or rejected with UserError.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analysis/study/study.hpp"
#include "analysis/summary/data_set.hpp"
#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "sample_results.hpp"
#include "store/results_file.hpp"

namespace sextant::fuzz {
namespace {

std::string path_of_input() {
  static const std::string path =
      (std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string()) +
      "/sextant-fuzz-" + std::to_string(::getpid()) + ".sextant";
  return path;
}

std::string file_of(int cases) {
  const test::TemporaryFolder folder;
  {
    ResultsFile file(folder / "seed", ResultsFile::Mode::write);
    const std::int64_t session = file.begin_session(test::make_session());
    for (int i = 0; i < cases; ++i) {
      Measurement measurement = test::full_measurement();
      measurement.what.problem_class.clear();
      measurement.what.problem.n = 1000 + i;
      file.add(session, measurement);
    }
  }
  std::ifstream file(folder / "seed", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

std::vector<std::string> seeds() { return {file_of(1), file_of(3)}; }

std::vector<std::string> words() {
  return {std::string("SQLite format 3\0", 16),
          "SXTN",
          std::string(8, '\0'),
          std::string(8, '\xff'),
          "CREATE TABLE",
          "measurement"};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  const std::string path = fuzz::path_of_input();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const Results results = ResultsFile(path, ResultsFile::Mode::read).load();
    const std::vector<Summary> summaries = summarise(results);
    study_rows(summaries);
  } catch (const UserError&) {
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(path + "-journal", ignored);
  return 0;
}
