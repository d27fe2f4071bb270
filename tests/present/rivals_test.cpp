// Tests of the sentences about preparations, libraries and threads that `show` prints below a table.
#include "present/rivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "present/preparation.hpp"
#include "present/views.hpp"
#include "record/threads_ran.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

using Sentences = std::vector<std::string>;

// The results of one session with one kernel, and the table rows made from them.
struct Made {
  Results results;
  std::vector<Summary> summaries;
  std::vector<StudyRow> rows;

  Made() {
    results.sessions = {test::make_session()};
    results.sessions[0].id = 1;
    results.sessions[0].environment["openmp.threads"] = "16";
    results.sessions[0].kernels["triad"].preparations = {{"cuda.tiles", DependsOn::structure},
                                                         {"cuda.hashes", DependsOn::values}};
  }
  Measurement& add(const char* variant, std::int64_t n, double call, double device = 0) {
    Measurement m = test::make_measurement(test::make_case("triad", variant, n), call);
    if (device > 0) m.device_times = test::samples_around(device);
    if (m.what.device != "cpu") m.end_to_end_times = test::samples_around(2 * call);
    results.measurements.push_back({std::move(m), 1});
    return results.measurements.back().measurement;
  }
  StudyGroup group() {
    summaries = summarise(results);
    rows = study_rows(summaries);
    return study_groups(rows).at(0);
  }
};

TEST(Rivals, APreparationPaysFromALaunchOn) {
  Made made;
  const auto add = [&](const char* variant, double call, double prepare) {
    Measurement& m = made.add(variant, 9437184, call);
    m.prepare_times = {0.25, prepare, prepare};
  };
  made.add("serial.baseline", 9437184, 1e-2);
  add("cuda.tiles", 100e-6, 599.99e-3);
  add("cuda.hashes", 200e-6, 1e-3);
  made.add("cuda.plain", 9437184, 150e-6);
  EXPECT_EQ(preparation_sentences(made.group()),
            Sentences{"cuda.tiles prepares 600 ms for new structure; at 9437184 this pays from 12000 "
                      "launches against cuda.plain"});
  const View view = variants_view(made.rows);
  std::string all;
  for (const Table& table : view.texts) all += to_text(table, false, 200);
  EXPECT_NE(all.find("pays from"), std::string::npos) << all;
  EXPECT_NE(all.find("12000"), std::string::npos) << all;
  EXPECT_NE(all.find("never"), std::string::npos) << all;
  // The sentence follows the table of speed-ups.
  std::string study;
  for (const Table& table : speedup_view(made.rows).texts) study += to_text(table, false, 200);
  EXPECT_NE(study.find("pays from 12000 launches"), std::string::npos) << study;
}

TEST(Rivals, ALibraryIsComparedByBothKindsOfTime) {
  Made made;
  for (const std::int64_t n : {1000, 2000}) {
    made.add("cuda.plain", n, 1e-3, 1e-4);
    made.add("library.cublas", n, 2e-3, 2e-4).what.device = "gpu0";
  }
  made.add("cuda.plain", 3000, 2e-3, 1e-4);
  made.add("library.cublas", 3000, 1e-3, 2e-4).what.device = "gpu0";
  for (StoredMeasurement& one : made.results.measurements) one.measurement.end_to_end_times = {};
  EXPECT_EQ(
      library_sentences(made.group()),
      Sentences{"cuda.plain against library.cublas: ahead at 1000, 2000 (2.00x by device time, 2.00x by "
                "call time); ahead by device time only at 3000 (2.00x by device time, 0.50x by call "
                "time)"});
}

TEST(Rivals, OneThatRanOnOneCoreIsCalledSo) {
  Made made;
  made.add("openmp.simd", 1000, 1e-4).counters = {{threads_ran, 16}};
  Measurement& library = made.add("library.openblas", 1000, 2e-4);
  library.counters = {{processors_busy, 1.0}, {threads_ran, 1}};
  library.what.thread_library = ThreadLibrary::openblas;
  made.results.measurements.front().measurement.what.thread_library = ThreadLibrary::openmp;
  const StudyGroup group = made.group();
  EXPECT_EQ(one_core_sentences(group), Sentences{"library.openblas ran on one core of 16 at 1000"});
  std::string all;
  for (const Table& table : variants_view(made.rows).texts) all += to_text(table, false, 200);
  EXPECT_NE(all.find("library.openblas (one core)"), std::string::npos) << all;
  EXPECT_EQ(all.find("openmp.simd (one core)"), std::string::npos) << all;
  EXPECT_TRUE(counters_view(made.rows).rows.rows.empty());  // thread counts are no hardware counters
}

}  // namespace
}  // namespace sextant
