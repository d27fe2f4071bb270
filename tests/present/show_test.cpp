// Tests of the tables of `show --by study` and others: best variants, winners, and their output.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/study/sizes.hpp"
#include "analysis/study/standing.hpp"
#include "analysis/study/study.hpp"
#include "analysis/study/tuning_loss.hpp"
#include "analysis/study/verdict.hpp"
#include "command.hpp"
#include "described.hpp"
#include "golden.hpp"
#include "plan/plan.hpp"
#include "present/fastest_variants.hpp"
#include "present/search_view.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::described;
using test::expect_golden;
using test::make_case;
using test::make_measurement;
using test::make_session;
using test::on_terminal;
using test::Outcome;
using test::run_sextant;
using test::samples_around;
using test::TemporaryFolder;

Measurement on_gpu(const std::string& kernel, const std::string& variant, std::int64_t n, double device_time,
                   Tuning tuning) {
  const bool openacc = variant.rfind("openacc", 0) == 0;
  const double launch = openacc ? 13e-6 : 4e-6, copy = openacc ? 1e-3 : 1e-5 + 1e-10 * static_cast<double>(n);
  Measurement m = make_measurement(make_case(kernel, variant, n, ElementType::float32, std::move(tuning)),
                                   launch + device_time);
  m.device_times = samples_around(device_time);
  m.transfers = {{"a", true, openacc ? "directive" : "pageable", 8 * n / 3, samples_around(copy)},
                 {"c", false, openacc ? "directive" : "pageable", 4 * n / 3, samples_around(copy / 2)}};
  if (!openacc) {
    m.transfers.push_back({"a", true, "pinned", 8 * n / 3, samples_around(copy / 3)});
    m.transfers.push_back({"c", false, "pinned", 4 * n / 3, samples_around(copy / 6)});
  }
  m.alloc_times = samples_around(2e-6);
  m.end_to_end_times = samples_around(device_time + 2 * copy + 5e-5);
  m.launches = {{"kernel", {64, 1, 1}, {128, 1, 1}, 24, 0, 0.5, device_time}};
  return m;
}

// Computes results by formulas: the CPU reaches 10 GB/s, the GPU 300 GB/s after a launch.
Results study() {
  Results results;
  Session session = make_session();
  session.id = 1;
  session.ceilings = {
      {"cpu", "triad", 1 << 20, 2e10}, {"gpu0", "triad", 1 << 20, 4e11}, {"gpu0", "fp32", 0, 1e13}};
  results.sessions = {session};
  const auto add = [&](Measurement m) { results.measurements.push_back({std::move(m), 1}); };
  for (const char* kernel : {"triad", "reduction"})
    for (const std::int64_t n : {7936, 130560, 1310720}) {
      const double bytes = 4.0 * static_cast<double>(n);
      add(make_measurement(make_case(kernel, "serial.baseline", n), bytes / 4e9));
      add(make_measurement(make_case(kernel, "serial.native", n), bytes / 5e9));
      add(make_measurement(make_case(kernel, "openmp.simd", n), 1e-6 + bytes / 1e10));
      add(on_gpu(kernel, "openacc.parallel_loop", n, 3e-6 + bytes / 2.5e11, {{"vector_length", 128}}));
      for (const int block : {64, 256, 1024})
        add(on_gpu(kernel, "cuda.elementwise", n,
                   1e-6 + bytes / 3e11 * (1 + 0.1 * std::abs(block - 256) / 256), {{"block_size", block}}));
    }
  add(make_measurement(make_case("triad", "openmp.reordered", 7936), 1e-9));
  Measurement failed;
  failed.what = make_case("triad", "cuda.tuned", 7936);
  failed.status = Status::failed;
  failed.reason = "an illegal address";
  add(failed);
  Measurement skipped;
  skipped.what = make_case("stencil3d_7pt", "cuda.tiled", 7936, ElementType::float64,
                           {{"block_x", 64}, {"block_y", 64}});
  skipped.status = Status::skipped;
  skipped.reason = "block_x * block_y is more than 1024 threads";
  add(skipped);
  return results;
}

const StudyRow& find(const std::vector<StudyRow>& rows, const std::string& kernel, const std::string& size) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const StudyRow& r) { return r.kernel == kernel && r.size == size; });
}

TEST(Study, BestOfEachModelIsTheFastestCorrectOne) {
  const Results results = described(study());
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].kernel + rows[0].size, "triad7936");
  EXPECT_EQ(rows[3].kernel + rows[3].size, "reduction7936");
  const StudyRow& row = find(rows, "triad", "7936");
  ASSERT_EQ(row.best.size(), 4u);
  EXPECT_EQ(row.best.at("serial")->measurement->what.variant, "serial.native");
  EXPECT_EQ(row.best.at("openmp")->measurement->what.variant,
            "openmp.simd");  // the reordered variant is excluded from ranking
  EXPECT_EQ(row.best.at("cuda")->measurement->what.tuning, (Tuning{{"block_size", 256}}));
  EXPECT_TRUE(find(rows, "stencil3d_7pt", "7936").best.empty());
}

// If a table is too wide, the mark "(not ranked)" moves to a separate line, and no column is hidden.
TEST(Study, KeepsTheColumnOfCeilingsBesideAVariantThatIsNotRanked) {
  const Results results = described(study());
  const std::vector<Summary> summaries = summarise(results);
  const Table table = variants_view(study_rows(summaries)).texts.at(0);
  EXPECT_NE(to_text(table, false, 0).find("openmp.reordered (not ranked)"), std::string::npos);
  const std::string text = to_text(table, false, 100);
  EXPECT_NE(text.find("of ceiling"), std::string::npos) << text;
  EXPECT_NE(text.find("columns left out: with copies"), std::string::npos) << text;
}

void store_results(const Results& results, const std::string& path) {
  ResultsFile file(path, ResultsFile::Mode::write);
  merge(results, file);
}

// Returns results of 14 tunings: the default, one that is 1.5 times as fast, one that ties with it, and
// eleven slower ones.
Results tunings() {
  Results results;
  Session session = make_session();
  session.id = 1;
  results.sessions = {session};
  const RegisteredKernel* kernel = find_kernel("stencil2d_4pt");
  const Variant* variant = find_variant(*kernel, "openmp.simd");
  Case what = make_case("stencil2d_4pt", "openmp.simd", 7936);
  what.problem.extents = kernel->kernel.extents(7936);
  const Tuning standard = default_tuning(*variant, what.problem);
  const auto add = [&](int change, double time) {
    what.tuning = standard;
    what.tuning.front().second.number += change;
    results.measurements.push_back({make_measurement(what, time), 1});
    results.measurements.back().measurement.standard_tuning = change == 0;
  };
  add(0, 3e-6);
  add(1, 2e-6);
  add(2, 2.001e-6);
  for (int i = 3; i < 14; ++i) add(i, 2.5e-6 + 1e-8 * i);
  return results;
}

TEST(Tunings, AreRankedWithTheirGainOverTheDefault) {
  const Results results = tunings();
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const std::vector<RankedTuning> ranked = ranked_tunings(rows.at(0), "openmp");
  ASSERT_EQ(ranked.size(), 14u);
  EXPECT_NEAR(ranked[0].gain.median, 1.5, 1e-9);
  EXPECT_GT(ranked[0].gain.low, 1.4);
  EXPECT_TRUE(ranked[0].tied && ranked[1].tied);
  EXPECT_FALSE(ranked[2].tied);
  EXPECT_TRUE(ranked[13].standard);
  EXPECT_TRUE(ranked_tunings(rows.at(0), "serial").empty());
  // A loss within the noise counts as none.
  const TuningMap map = std::move(tuning_maps(study_groups(rows).at(0)).at(0));
  EXPECT_EQ(map.tunings[0].worst, 1);
  EXPECT_EQ(map.tunings[1].worst, 1);
  EXPECT_NEAR(map.standard->worst, 1.5, 1e-9);
}

TEST(Tunings, AreShownTenBestFirstAndTheDefault) {
  const TemporaryFolder folder;
  store_results(tunings(), folder / "r");
  const Outcome shown = run_sextant("show " + (folder / "r") + " --by tuning");
  expect_golden(shown.out, "present/show_tunings");
  EXPECT_EQ(std::count(shown.out.begin(), shown.out.end(), '='), 12)
      << shown.out;  // in "N=", ten tunings, and the default
}

TEST(Study, LibrariesOnCpuAndGpuAreApart) {
  Summary s;
  s.model = "library";
  s.on_host = true;
  EXPECT_EQ(column_of(s), "cpu library");
  s.on_host = false;
  EXPECT_EQ(column_of(s), "gpu library");
}

TEST(Study, WinnerCountsTransfersWhenAsked) {
  const Results results = described(study());
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const StudyRow& row = find(rows, "triad", "1310720");
  EXPECT_EQ(winner(row, false)->column, "cuda");
  EXPECT_EQ(winner(row, true)->column, "cuda");
  EXPECT_EQ(winner(find(rows, "triad", "130560"), true)->column, "openmp");
  EXPECT_TRUE(winner(row, false)->ties.empty());
  EXPECT_FALSE(winner(find(rows, "stencil3d_7pt", "7936"), false).has_value());
}

TEST(Study, EqualWithinTheIntervalsIsATie) {
  Results results = described(study());
  for (StoredMeasurement& stored : results.measurements)
    if (stored.measurement.what.variant == "openacc.parallel_loop")
      stored.measurement.call_times = samples_around(
          4e-6 + 1e-6 + 4.0 * static_cast<double>(stored.measurement.what.problem.n) / 2.999e11);
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  EXPECT_EQ(winner(find(rows, "triad", "1310720"), false)->ties, std::vector<std::string>{"openacc"});
}

TEST(Study, VerdictNamesTheSizesOfEachWinner) {
  const Results results = described(study());
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const std::vector<const StudyRow*> triad = {&rows[0], &rows[1], &rows[2]};
  EXPECT_EQ(verdict(triad, false), "openmp up to 7936, cuda from 130560 (7.90x to 23.4x the best CPU)");
  EXPECT_EQ(verdict(triad, true), "openmp up to 130560, cuda from 1310720 (1.50x the best CPU)");
  EXPECT_EQ(verdict({&rows[1], &rows[2]}, false), "cuda at every size (7.90x to 23.4x the best CPU)");
  EXPECT_EQ(verdict({&rows[1]}, false), "cuda at 130560 (7.90x the best CPU)");
  EXPECT_EQ(verdict({&rows[6]}, false), "");
}

TEST(Study, VerdictMergesNeighbouringTies) {
  Results results;
  Session session = make_session();
  session.id = 1;
  results.sessions = {session};
  const auto add = [&](const char* variant, std::int64_t n, double time) {
    results.measurements.push_back({make_measurement(make_case("triad", variant, n), time), 1});
  };
  const double first[][3] = {
      {1e-6, 2e-6, 3e-6}, {1e-6, 1.001e-6, 3e-6}, {1.001e-6, 1e-6, 1.0005e-6}, {1e-6, 1.001e-6, 3e-6}};
  for (std::int64_t i = 0; i < 4; ++i) {
    add("serial.native", 1000 * (i + 1), first[i][0]);
    add("openmp.simd", 1000 * (i + 1), first[i][1]);
    add("library.openblas", 1000 * (i + 1), first[i][2]);
  }
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(verdict({&rows[0], &rows[1], &rows[2], &rows[3]}, false),
            "serial up to 1000, serial or openmp from 2000: equal");
  EXPECT_EQ(text_of(standings({&rows[2]}, false)[0]), "serial or openmp or cpu library");
}

// The medians differ by less than the samples scatter between runs, so the winner is undecided.
TEST(Study, TimesThatDoNotTellTheFastestAreUndecidedAndNoTie) {
  Results results;
  Session session = make_session();
  session.id = 1;
  results.sessions = {session};
  for (const auto& [variant, time] : {std::pair("serial.native", 1e-6), std::pair("openmp.simd", 1.7e-6)}) {
    Measurement m = make_measurement(make_case("triad", variant, 1000), time);
    for (std::size_t i = 0; i < m.call_times.size(); ++i) m.call_times[i] = time * (i % 2 ? 0.5 : 2);
    m.call_times.push_back(time);
    results.measurements.push_back({std::move(m), 1});
  }
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const Standing standing = standings({&rows[0]}, false)[0];
  EXPECT_TRUE(standing.tied());
  EXPECT_FALSE(standing.equal());
  EXPECT_EQ(verdict({&rows[0]}, false),
            "serial or openmp at 1000: open, medians " + ratio_text(standing.apart) + " apart");
}

TEST(Study, BestTuningGoesByTheDevicesTime) {
  Results results = described(study());
  for (StoredMeasurement& stored : results.measurements) {  // slow calls, but the same device times
    Measurement& m = stored.measurement;
    if (m.what.variant == "cuda.elementwise" && m.what.tuning[0].second == 256)
      m.call_times = samples_around(1);
  }
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const BestTuning best = *best_tuning(find(rows, "triad", "1310720"), "cuda");
  EXPECT_EQ(best.summary->measurement->what.tuning, (Tuning{{"block_size", 256}}));
  EXPECT_EQ(best.tried, 3u);
  EXPECT_NEAR(best.slowest_over_best, (1e-6 + 4 * 1310720 / 3e11 * 1.3) / (1e-6 + 4 * 1310720 / 3e11), 1e-9);
  EXPECT_FALSE(best_tuning(find(rows, "triad", "1310720"), "serial").has_value());
}

TEST(Study, BlocksComeFromTheLaunchElseFromTheTuning) {
  Measurement m = make_measurement(make_case("triad", "cuda.x", 30000), 1);
  Summary s;
  s.measurement = &m;
  EXPECT_EQ(block_of(s), "");
  m.what.tuning = {{"block_y", 8}, {"items", 3}, {"block_x", 16}};
  EXPECT_EQ(block_of(s), "16x8");
  m.what.tuning = {{"block_size", 512}};
  EXPECT_EQ(block_of(s), "512");
  m.launches = {{"short", {}, {64, 1, 1}, 0, 0, 0, 0.5}, {"k", {}, {32, 4, 1}, 0, 0, 0, 1}};
  EXPECT_EQ(block_of(s), "32x4");
}

TEST(Sizes, VariantsAreCurvesAtTheirBestTunings) {
  const Results results = described(study());
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  std::vector<StudyGroup> groups = study_groups(rows);
  ASSERT_EQ(groups.front().front()->kernel, "triad");
  const SizeCurves curves = size_curves(groups.front());
  EXPECT_EQ(curves.variants,
            (std::vector<std::string>{"serial.baseline", "serial.native", "openmp.simd",
                                      "openacc.parallel_loop", "cuda.elementwise", "openmp.reordered"}));
  ASSERT_EQ(curves.lines.size(), 3u);
  const SizeLine& last = curves.lines.back();
  EXPECT_EQ(last.row->n, 1310720);
  const SizePoint& cuda = last.points[4];
  EXPECT_EQ(cuda.summary->measurement->what.tuning, (Tuning{{"block_size", 256}}));
  const double seconds = 1e-6 + 4 * 1310720 / 3e11;
  EXPECT_NEAR(*cuda.item_rate, 1310720 / 3 / seconds, 1e-3 / seconds);
  EXPECT_NEAR(*cuda.flop_rate, 2.0 * (1310720 / 3) / seconds, 1e-3 / seconds);
  EXPECT_EQ(last.ahead, 4u);
  EXPECT_EQ(last.points[5].summary, nullptr);
}

// At N = 7936, the GPU takes 1.1 µs. A variant that solves another problem takes 1 ns but is excluded. Failed
// cases give no point.
TEST(Sizes, TheFastestOfAllAnswersTheKernelsOwnQuestion) {
  const Results results = described(study());
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const SizeCurves curves = size_curves(study_groups(rows).front());
  ASSERT_TRUE(curves.lines.front().points[5].summary);
  EXPECT_EQ(curves.variants[*curves.lines.front().ahead], "cuda.elementwise");
}

void store_study(const std::string& path) { store_results(study(), path); }

TEST(ShowCommand, PrintsTheStudysTables) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  const Outcome outcome = run_sextant("show --by all " + (folder / "r"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  expect_golden(outcome.out, "present/show");
}

TEST(ShowCommand, AnswersFirstOnAtMostTwoScreens) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  const Outcome outcome = run_sextant("show " + (folder / "r"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_golden(outcome.out, "present/show_advice");
  EXPECT_LE(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 48);
  const std::string study = run_sextant("show " SEXTANT_SOURCE_DIR "/data/h200/study.sextant").out;
  EXPECT_GT(std::count(study.begin(), study.end(), '\n'), 24) << study;
  EXPECT_LE(std::count(study.begin(), study.end(), '\n'), 48) << study;
}

// A table may lack data: no copies, no baseline for speed-ups, no results, or no measured kernel.
TEST(ShowCommand, SaysWhatATableLacks) {
  const TemporaryFolder folder;
  Results results;
  results.sessions = {make_session()};
  results.sessions[0].id = 1;
  store_results(results, folder / "none");
  results.measurements.push_back({make_measurement(make_case("triad", "openmp.simd", 7936), 5e-4), 1});
  store_results(results, folder / "openmp");
  results.measurements.push_back({make_measurement(make_case("triad", "serial.baseline", 7936), 1e-3), 1});
  store_results(results, folder / "two");
  store_study(folder / "study");
  std::string all;
  for (const std::string arguments :
       {"two --by transfers", "two --by counters", "two --by suite", "two --by amdahl", "two",
        "openmp --by amdahl", "none", "study --by speedup -k stencil.*", "study -k stencil.*",
        "study --by all -k stencil.*"}) {
    const Outcome shown = run_sextant("show " + (folder / arguments));
    EXPECT_EQ(shown.code, 0) << shown.err;
    all += "== " + arguments + "\n" + shown.out;
  }
  expect_golden(test::replaced(all, folder / "", ""), "present/show_lacking");
  EXPECT_EQ(run_sextant("show --by speedup --json " + (folder / "none")).out, "[]\n");
}

TEST(ShowCommand, PrintsOneTableAlone) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  std::string all;
  for (const char* table : {"speedup", "bandwidth", "transfers", "variants", "verdict", "problems"})
    all += "== " + std::string(table) + "\n" +
           run_sextant("show -k triad,stencil.* " + (folder / "r") + " --by " + table).out;
  expect_golden(all, "present/show_by");
}

TEST(ShowCommand, ClaimsNoShareOfCeilingsThatRanSlow) {
  Results results = study();
  for (Session& session : results.sessions)
    for (Ceiling& ceiling : session.ceilings) ceiling.value /= 1.8;
  const TemporaryFolder folder;
  store_results(results, folder / "r");
  const Outcome shown = run_sextant("show " + (folder / "r"));
  expect_golden(shown.out.substr(shown.out.find("\nWhy\n")), "present/show_slow_ceilings");
}

// The list contains a time that is too short for the device. A long reason is wrapped, not truncated.
TEST(ShowCommand, NamesWhatIsNotToBeBelievedOrWasNotMeasured) {
  Results results = study();
  results.measurements.push_back(
      {make_measurement(make_case("triad", "openmp.streaming", 1310720), 1e-9), 1});
  for (const char* variant :
       {"cuda.elementwise", "cuda.vector", "openacc.data_clauses", "openacc.deviceptr"}) {
    Measurement skipped = make_measurement(make_case("stride_of_sixty_four", variant, 7936), 1);
    skipped.status = Status::skipped;
    skipped.reason = "no usable NVIDIA GPU: no NVIDIA driver is loaded";
    results.measurements.push_back({skipped, 1});
  }
  const TemporaryFolder folder;
  store_results(results, folder / "r");
  const Outcome shown = run_sextant("show " + (folder / "r") + " --by problems");
  EXPECT_EQ(shown.code, 0) << shown.err;
  expect_golden(shown.out, "present/show_problems");
}

// The table shows a preparation time of at least a tenth of a call. JSON always contains it.
TEST(ShowCommand, SaysWhatVariantsPrepare) {
  const TemporaryFolder folder;
  Results results;
  results.sessions = {make_session()};
  results.sessions[0].id = 1;
  const auto add = [&](const char* variant, double prepare) {
    Measurement m = make_measurement(make_case("triad", variant, 7936), 1e-3);
    m.prepare_times = {0.25, prepare, prepare};
    m.first_call = 0.05;
    results.measurements.push_back({std::move(m), 1});
  };
  add("library.a", 2e-3);
  add("library.b", 1e-5);
  results.measurements.push_back({make_measurement(make_case("triad", "serial.baseline", 7936), 1e-3), 1});
  store_results(results, folder / "r");
  const std::string text = run_sextant("show --by variants " + (folder / "r")).out;
  expect_golden(text, "present/show_first_use");
  const nlohmann::json rows =
      nlohmann::json::parse(run_sextant("show --json --by variants " + (folder / "r")).out);
  for (const nlohmann::json& row : rows) {
    if (row.at("variant") != "library.b") continue;
    EXPECT_NEAR(row.at("prepare_time"), 1e-5, 1e-12);
    EXPECT_NEAR(row.at("first_use"), 0.3, 1e-12);
  }
}

TEST(ShowCommand, PrintsCurvesOverNWithTheFastest) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  const Outcome outcome = run_sextant("show -k triad -v cuda,serial --by size " + (folder / "r"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_golden(outcome.out, "present/show_by_size");
  const nlohmann::json rows =
      nlohmann::json::parse(run_sextant("show --json -k triad --by size " + (folder / "r")).out);
  int ahead = 0;
  for (const nlohmann::json& row : rows) ahead += row.at("ahead").get<bool>() ? 1 : 0;
  EXPECT_EQ(ahead, 3);
}

TEST(ShowCommand, FitsInAHundredColumnsWithoutColour) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  std::istringstream text(run_sextant("show " + (folder / "r")).out +
                          run_sextant("show --by all " + (folder / "r")).out);
  for (std::string line; std::getline(text, line);) {
    const auto width = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    EXPECT_LE(width, 100) << line;
    EXPECT_EQ(line.find('\033'), std::string::npos);
  }
}

TEST(ShowCommand, GivesEveryTableAsJson) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  const nlohmann::json all = nlohmann::json::parse(run_sextant("show --json " + (folder / "r")).out);
  for (const char* table :
       {"speedup", "bandwidth", "transfers", "tuning", "variants", "verdict", "problems"}) {
    const Outcome one = run_sextant("show --json --by " + std::string(table) + " " + (folder / "r"));
    EXPECT_EQ(nlohmann::json::parse(one.out), all.at(table)) << table;
    EXPECT_FALSE(all.at(table).empty()) << table;
  }
  const auto speedup = [&](const char* baseline, bool with_transfers) {
    for (const nlohmann::json& row : all.at("speedup"))
      if (row.at("kernel") == "triad" && row.at("size") == 1310720 && row.at("column") == "cuda" &&
          row.at("baseline") == baseline && row.at("with_transfers") == with_transfers)
        return row;
    return nlohmann::json();
  };
  const double serial = 4 * 1310720 / 4e9, cuda = 5e-6 + 4 * 1310720 / 3e11;
  EXPECT_NEAR(speedup("serial", false).at("speedup"), serial / cuda, 1e-6);
  EXPECT_LT(speedup("serial", false).at("speedup_low"), serial / cuda);
  EXPECT_EQ(speedup("serial", false).at("tuning"), "block_size=256");
  EXPECT_LT(speedup("cpu", true).at("speedup"), speedup("cpu", false).at("speedup"));
}

TEST(ShowCommand, ColoursOnATerminalUnlessToldNotTo) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  const std::string command = "show -k triad --by speedup " + (folder / "r");
  EXPECT_NE(on_terminal(command, "").find("\033["), std::string::npos);
  const std::string plain = on_terminal(command, "NO_COLOR=1");
  EXPECT_EQ(plain.find("\033["), std::string::npos);
  EXPECT_NE(plain.find("over best CPU"), std::string::npos);
}

TEST(ShowCommand, PrintsHardwareCountersOfThoseThatHaveThem) {
  Results results = study();
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.kernel != "triad" || m.what.variant != "cuda.elementwise" || m.what.problem.n != 130560)
      continue;
    m.work = {1000, 500, 0, 0};
    m.counters = {{"l2_hit_rate", 0.375}, {"dram_bytes_read", 1250}, {"instructions", 12345}};
  }
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", ResultsFile::Mode::write);
    merge(results, file);
  }
  const std::string text = run_sextant("show " + (folder / "r") + " --by counters").out;
  expect_golden(text, "present/show_counters");
  const auto rows =
      nlohmann::json::parse(run_sextant("show " + (folder / "r") + " --by counters --json").out);
  ASSERT_EQ(rows.size(), 3u);  // one row per tuning
  EXPECT_EQ(rows[0].at("l2_hit_rate"), 0.375);
  EXPECT_EQ(rows[0].at("dram_read_ratio"), 1.25);
  EXPECT_TRUE(rows[0].at("l1_hit_rate").is_null());
}

TEST(ShowCommand, PrintsTheStateWhileSampledAndTimesAfterPauses) {
  Results results = study();
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.kernel != "triad" || m.what.problem.n != 130560) continue;
    if (m.what.variant == "serial.baseline")
      m.gap = 0.01, m.gap_times = {4e-4, 5e-4, 6e-4}, m.first_call = 1e-3;
    if (m.what.variant != "cuda.elementwise") continue;
    SampledState state{0, {}, 612.0, 51.0, "power cap"};
    for (int i = 0; i < 20; ++i) state.groups.push_back({5, i < 12 ? 1.98e9 : 1.71e9, i >= 12});
    m.states = {state};
    m.clock = clock_of(state);
    m.power = state.power;
    m.temperature = state.temperature;
  }
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", ResultsFile::Mode::write);
    merge(results, file);
  }
  const std::string command = "show " + (folder / "r") + " --by state";
  expect_golden(run_sextant(command).out, "present/show_state");
  const auto rows = nlohmann::json::parse(run_sextant(command + " --json").out);
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows)
    if (row.at("variant") == "cuda.elementwise" && !row.at("throttled_share").is_null()) {
      EXPECT_EQ(row.at("clock_low"), 1.71e9);
      EXPECT_EQ(row.at("throttled_share"), 0.4);
      EXPECT_EQ(row.at("modes"), "60 % at 1980 MHz, 40 % at 1710 MHz");
      EXPECT_TRUE(row.at("gap").is_null());
    }
}

TEST(ShowCommand, PrintsTheEnergyOfACallLeastFirst) {
  Results results = study();
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.kernel != "triad" || m.what.problem.n != 130560) continue;
    const bool on_gpu = m.what.variant == "cuda.elementwise";
    if (!on_gpu && m.what.variant != "serial.baseline") continue;
    const double watts = on_gpu ? 500 : 125, seconds = on_gpu ? 2e-5 : 1.25e-4;
    const int windows = on_gpu ? 6 : 2;
    for (int i = 0; i < windows; ++i) {
      m.energies.push_back(watts * seconds * (1 + 0.01 * i));
      m.energy_times.push_back(seconds);
    }
    m.energy_window = 0.5;
    if (on_gpu) m.idle_power = 112;
  }
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", ResultsFile::Mode::write);
    merge(results, file);
  }
  const std::string command = "show " + (folder / "r") + " --by energy";
  expect_golden(run_sextant(command).out, "present/show_energy");
  const auto rows = nlohmann::json::parse(run_sextant(command + " --json").out);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].at("variant"), "cuda.elementwise");
  EXPECT_DOUBLE_EQ(rows[0].at("energy").get<double>(), 0.01025);
  EXPECT_DOUBLE_EQ(rows[0].at("energy_delay").get<double>(), 0.01025 * 2e-5);
  EXPECT_DOUBLE_EQ(rows[0].at("above_idle").get<double>(), 0.01025 - 112 * 2e-5);
  EXPECT_TRUE(rows[3].at("idle_power").is_null());
  EXPECT_TRUE(rows[3].at("energy_noise").is_null()) << "two windows have no interval";
}

TEST(ShowCommand, SaysHowToMeasureTheEnergy) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  EXPECT_NE(
      run_sextant("show " + (folder / "r") + " --by energy").out.find("`sextant run --energy` measures it"),
      std::string::npos);
}

TEST(ShowCommand, KeepsMachinesApart) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  Results other = study();
  other.sessions[0].environment["machine"] = "beta";
  std::erase_if(other.measurements,
                [](const StoredMeasurement& s) { return s.measurement.what.device != "cpu"; });
  {
    ResultsFile file(folder / "r", ResultsFile::Mode::write);
    merge(other, file);
  }
  const std::string text = run_sextant("show --by verdict -k triad " + (folder / "r")).out;
  EXPECT_EQ(text,
            "==== alpha\n\nWho wins\nkernel  type                fastest by N\n"
            "triad   float  without      openmp up to 7936, cuda from 130560\n"
            "               with copies  openmp up to 130560, cuda from 1310720\n"
            "  Without copies call times decide, or device times between two GPU models with\n"
            "  equally many launches. With copies end-to-end times decide.\n\n"
            "==== beta\n\nWho wins\nkernel  type   fastest by N\n"
            "triad   float  openmp at every size\n  Call times decide.\n");
  // A machine without a GPU has no copies.
  const std::string all = run_sextant("show --by all -k triad " + (folder / "r")).out;
  expect_golden(all.substr(all.find("==== beta")), "present/show_without_gpu");
}

TEST(ShowCommand, RefusesWhatIsNotThere) {
  const TemporaryFolder folder;
  store_study(folder / "r");
  std::ofstream(folder / "text") << "no results";
  std::string said;
  for (const std::string& arguments :
       {(folder / "r") + " --by speedups", (folder / "r") + " -k triaf", (folder / "r") + " -n 5",
        folder / "none", std::string(), folder / "text"}) {
    const Outcome outcome = run_sextant("show " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    said += outcome.err;
  }
  expect_golden(test::replaced(said, folder / "", ""), "present/show_refusals");
}

Search search_of_triad() {
  Search search;
  search.space = make_case("triad", "openmp.simd", 300);
  search.strategy = "model";
  search.points = 12;
  search.steps.resize(4);
  for (SearchStep& step : search.steps) step.time = 1e-3;
  search.gain = Interval{.low = 1.9, .median = 2, .high = 2.1, .samples = 11};
  search.ended = "the budget is spent";
  return search;
}

// For a file written by `tune`, `show` starts with the found tunings, even if the file also has cases.
TEST(ShowCommand, AnswersWithTheTuningWhereTheFileIsOfSearches) {
  const TemporaryFolder folder;
  const auto store = [&](const std::vector<Measurement>& measurements) {
    ResultsFile file(folder / "r", ResultsFile::Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    file.add(session, search_of_triad());
    for (const Measurement& one : measurements) file.add(session, one);
  };
  const auto show = [&](const std::string& arguments = "") {
    return run_sextant("show " + (folder / "r") + arguments);
  };
  store({});
  const std::string alone = show().out;
  EXPECT_EQ(show(" -k triad").out, alone);
  EXPECT_EQ(show(" -k add").code, 2);
  std::string all = "== a search alone\n" + alone + "== its tunings\n" + show(" --by tuning").out;
  store({make_measurement(make_case("triad", "openmp.simd", 300), 1)});
  all += "== and a measurement\n" + show().out;
  store({make_measurement(make_case("triad", "serial.baseline", 300), 1)});
  all += "== and one that `run` added\n" + show().out;
  expect_golden(test::replaced(all, folder / "", ""), "present/show_searches");
}

TEST(SearchView, GivesGainsTheDigitsThatTellSomething) {
  EXPECT_EQ(ratio_with_interval({.low = 0.9991, .median = 1.0004, .high = 343.807, .samples = 9}),
            "1.000x (0.999 to 344)");
}

// The first search found its best tuning at the second of six points, the other one at the third. So one of
// two had its best after a third of the points.
TEST(SearchView, SaysHowManyHadTheirBestAfterAThirdOfThePoints) {
  const auto searched = [](const std::vector<double>& times) {
    Search search;
    search.space = test::make_case("k", "cuda.test", 300);
    search.points = 6;
    search.gain = Interval{1, 1, 1, 1, 11};
    for (const double time : times) {
      SearchStep step;
      step.tuning = {{"block", static_cast<int>(search.steps.size())}};
      step.time = time, step.low = 0.999 * time, step.high = 1.001 * time;
      search.steps.push_back(step);
    }
    return search;
  };
  std::string notes;
  for (const Table& table : search_view({searched({2, 1, 3}), searched({2, 3, 1, 1.9})}).texts)
    notes += table.note;
  expect_golden(notes, "present/search_notes");
}

// For one type, three variants were searched, one without success. For the other type, two variants take
// equally long.
TEST(FastestVariants, NamesTheFastestOfEachProblemAndWhatIsNext) {
  const auto searched = [](const std::string& variant, ElementType type, double time, double spread) {
    Search search;
    search.space = test::make_case("k", variant, 300);
    search.space.problem.type = type;
    SearchStep step;
    step.tuning = {{"block", 64}};
    step.time = time, step.low = (1 - spread) * time, step.high = (1 + spread) * time;
    if (time > 0) search.steps.push_back(step);
    return search;
  };
  std::vector<Search> searches = {searched("cuda.slow", ElementType::float32, 3e-3, 0.01),
                                  searched("cuda.none", ElementType::float32, 0, 0),
                                  searched("cuda.quick", ElementType::float32, 2e-3, 0.01),
                                  searched("cuda.slow", ElementType::float64, 1.01e-3, 0.01),
                                  searched("cuda.quick", ElementType::float64, 1e-3, 0.01),
                                  searched("cuda.alone", ElementType::float64, 5e-3, 0.01)};
  std::string text = fastest_variants(searches);
  EXPECT_EQ(fastest_variants({searches[0], searches[1], searches[5]}), "");
  searches[2].finalists = {{{{"block", 64}}, 1e-3, {}, false}};  // the final comparison found a faster time
  expect_golden(text + fastest_variants(searches), "present/fastest_variants");
}

}  // namespace
}  // namespace sextant
