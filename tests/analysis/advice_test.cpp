// Tests of the advice that is derived from a machine's results. The expected numbers are computed directly
// from the samples.
#include "analysis/study/advice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "analysis/study/findings.hpp"
#include "described.hpp"
#include "golden.hpp"
#include "present/advice_text.hpp"
#include "report_results.hpp"

namespace sextant {
namespace {

struct Study {
  Results results;
  std::vector<Summary> summaries;
  std::vector<StudyRow> rows;

  explicit Study(Results made) : results(test::described(std::move(made))) {
    summaries = summarise(results);
    rows = study_rows(summaries);
  }
  std::string text(const std::string& topic) const {
    for (const AdviceText& one : advice_text(rows))
      if (one.topic == topic) return one.text;
    return "";
  }
};

double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Returns best CPU time / best GPU time by kernel and N, computed from the samples only.
std::map<std::string, std::map<std::int64_t, double>> gains(const Results& results, bool with_copies) {
  std::map<std::string, std::map<std::int64_t, std::pair<double, double>>> best;
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& m = stored.measurement;
    const bool host = m.what.device == "cpu";
    auto& [cpu, gpu] = best[m.what.kernel].try_emplace(m.what.problem.n, INFINITY, INFINITY).first->second;
    const double time = middle(host || !with_copies ? m.call_times : m.end_to_end_times);
    (host ? cpu : gpu) = std::min(host ? cpu : gpu, time);
  }
  std::map<std::string, std::map<std::int64_t, double>> result;
  for (const auto& [kernel, sizes] : best)
    for (const auto& [n, times] : sizes) result[kernel][n] = times.first / times.second;
  return result;
}

TEST(Advice, NamesTheEnergyWhereItIsKnown) {
  Results results = test::study_results({.sizes = {7936, 130560}});
  EXPECT_EQ(Study(results).text("Energy"), "");
  // Each GPU case gets energies, by its number in the file.
  int number = 0;
  std::map<std::int64_t, const Measurement*> fastest;
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    // Energies of a CPU and of a GPU are not compared.
    if (m.what.kernel == "triad" && m.what.variant == "serial.baseline")
      m.energies = {1e-6}, m.energy_times = {1e-4};
    if (m.what.kernel != "triad" || m.what.device == "cpu") continue;
    m.energies = {0.01 + 1e-4 * ++number};
    m.energy_times = {1e-4};
    const Measurement*& best = fastest[m.what.problem.n];
    if (!best || middle(m.call_times) < middle(best->call_times)) best = &m;
  }
  ASSERT_GT(number, 2);
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (&m == fastest.at(7936)) m.energies = {0.002};
    if (&m == fastest.at(130560)) m.energies = {0.5};
  }
  const std::string text = Study(results).text("Energy");
  EXPECT_EQ(
      text.find("The fastest case also uses the least energy in 1 of 2 problems. In triad float 130560, "),
      0u)
      << text;
  EXPECT_NE(text.find(", the fastest (" + fastest.at(130560)->what.variant), std::string::npos) << text;
  EXPECT_NE(text.find(") 500 mJ. `--by energy` lists all."), std::string::npos) << text;
  for (StoredMeasurement& stored : results.measurements)
    if (stored.measurement.what.problem.n == 130560) stored.measurement.energies.clear();
  EXPECT_NE(Study(results).text("Energy").find("in 1 of 1 problem. In triad float 7936, "),
            std::string::npos);
  EXPECT_NE(Study(results).text("Energy").find(" uses 2.00 mJ a call."), std::string::npos);
}

TEST(Advice, SaysWhereTheGpuBeginsAndByHowMuch) {
  const Study study(test::study_results({.sizes = {600, 7936, 130560, 9437184}}));
  std::vector<double> beyond, largest;
  std::map<std::int64_t, int> from;
  for (const auto& [kernel, sizes] : gains(study.results, false)) {
    auto first = sizes.end();
    while (first != sizes.begin() && std::prev(first)->second > 1) --first;
    ASSERT_NE(first, sizes.end());
    ++from[first->first];
    for (auto size = first; size != sizes.end(); ++size) beyond.push_back(size->second);
    largest.push_back(sizes.rbegin()->second);
  }
  const Frontiers f = frontiers(study.rows, false);
  ASSERT_EQ(f.all.size(), 7u);
  EXPECT_NEAR(f.gain.low, *std::min_element(beyond.begin(), beyond.end()), 1e-9);
  EXPECT_NEAR(f.gain.high, *std::max_element(beyond.begin(), beyond.end()), 1e-9);
  EXPECT_GE(from[f.typical_from], 4);
  double logs = 0;
  for (const double gain : largest) logs += std::log(gain);
  EXPECT_NEAR(f.gain_at_largest.mean, std::exp(logs / 7), 1e-9);
  test::expect_golden(study.text("Which model"), "analysis/advice:GPU");
}

TEST(Advice, SaysWhatCopiesChange) {
  const Study study(test::study_results());
  std::size_t paying = 0;
  for (const auto& [kernel, sizes] : gains(study.results, true)) paying += sizes.rbegin()->second > 1;
  EXPECT_EQ(paying, 2u);  // only the two matrix products
  test::expect_golden(study.text("With copies"), "analysis/advice:copies");
}

TEST(Advice, PutsOpenaccBesideCuda) {
  Results results = test::study_results({.kernels = {"copy", "triad"}});
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.variant == "openacc.parallel_loop")
      m.call_times =
          test::samples_around(m.what.problem.n < 1000000 ? 1e-3 : middle(m.device_times) / 1.1 + 4e-6);
  }
  const Study study(results);
  const std::vector<OpenaccOverCuda> ratios = openacc_over_cuda(study.rows);
  ASSERT_EQ(ratios.size(), 1u);
  EXPECT_EQ(ratios[0].close_from, 1310720);
  test::expect_golden(study.text("OpenACC"), "analysis/advice:OpenACC");
}

TEST(Advice, NamesThreeOfManyGroupsOfOpenacc) {
  test::StudyOptions options;
  options.kernels.insert(options.kernels.end(), {"scale", "add", "reduction"});
  Results results = test::described(test::study_results(options));
  std::size_t groups = 0;
  for (Session& session : results.sessions)
    for (auto& [name, kernel] : session.kernels) kernel.group = "g" + std::to_string(groups++);
  ASSERT_GT(groups, 8u);
  std::string text;
  const std::vector<Summary> summaries = summarise(results);
  for (const AdviceText& one : advice_text(study_rows(summaries)))
    if (one.topic == "OpenACC") text = one.text;
  test::expect_golden(text, "analysis/advice:many groups");
}

TEST(Advice, CountsWhatIsSure) {
  Results results = test::study_results();
  results.measurements[3].measurement.status = Status::wrong;
  results.measurements[4].measurement.call_times = {1, 1, 1, 2, 2, 2, 3, 3, 3};
  const Study study(results);
  const Certainty c = certainty(study.rows);
  EXPECT_EQ(c.cases, results.measurements.size());
  EXPECT_EQ(c.wrong, 1u);
  EXPECT_EQ(c.noisy, 1u);
  EXPECT_EQ(c.noisiest->measurement->what.variant, results.measurements[4].measurement.what.variant);
  test::expect_golden(study.text("How sure"), "analysis/advice:sure");
}

TEST(Advice, GoesOnWithoutAGpuARivalOrAnything) {
  test::StudyOptions options;
  options.gpu = false;
  std::string all = Study(test::study_results(options)).text("Which model") + "\n";
  Results one = test::study_results(options);
  std::erase_if(one.measurements,
                [](const StoredMeasurement& s) { return s.measurement.what.variant != "serial.native"; });
  all += Study(one).text("Which model") + "\n" + advice_text({}).front().text + "\n";
  for (StoredMeasurement& stored : one.measurements)
    for (double& time : stored.measurement.call_times) time = 0;
  all += Study(one).text("Which model");
  test::expect_golden(all, "analysis/advice:less and less");
}

// The gain from shared memory (1.67x) is refuted if kernels without reuse gain nearly as much (1.64x).
TEST(Findings, ExcludeTheRivalEffect) {
  const auto at = [](double shared, double streams) {
    Results results = test::study_results({.sizes = {9437184}});
    for (StoredMeasurement& stored : results.measurements) {
      Measurement& m = stored.measurement;
      const bool sharing = m.what.kernel == "stencil3d_7pt" || m.what.kernel == "matmul_naive";
      if (m.what.variant == "cuda.elementwise") m.call_times = test::samples_around(1e-3);
      if (m.what.variant == "openacc.parallel_loop")
        m.call_times = test::samples_around(1e-3 * (sharing ? shared : streams));
    }
    return study_findings(Study(results).rows).at(1);
  };
  EXPECT_EQ(at(1.67, 1.64).answer, StudyFinding::Answer::refuted) << at(1.67, 1.64).evidence;
  test::expect_golden(at(1.67, 1.64).evidence, "analysis/advice:rival effect");
  EXPECT_EQ(at(1.67, 1.1).answer, StudyFinding::Answer::confirmed);
}

TEST(Findings, SizesThatDisagreeAreOneRow) {
  Results results = test::study_results();
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.variant == "cuda.elementwise") m.call_times = test::samples_around(1e-3);
    if (m.what.variant == "openacc.parallel_loop")
      m.call_times = test::samples_around(m.what.problem.n < 1000000 ? 3e-3 : 1.1e-3);
  }
  const StudyFinding finding = study_findings(Study(results).rows).at(0);
  EXPECT_EQ(finding.answer, StudyFinding::Answer::depends) << finding.evidence;
  test::expect_golden(finding.evidence, "analysis/advice:sizes that disagree");
}

}  // namespace
}  // namespace sextant
