// Tests of the training data: which cases become rows, independence of the order of measuring, folds for
// cross-validation, and planted leaks.
#include "predict/data_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "predict/csv.hpp"
#include "predict/first_uses.hpp"
#include "predict/folds.hpp"
#include "predict/sha256.hpp"

namespace sextant::predict {
namespace {

Form form_at(std::int64_t n) {
  Form form;
  form.n = n;
  form.work = {.bytes_read = 8 * n, .bytes_written = 4 * n, .flops = n, .items = n};
  return form;
}

Session session_on(std::int64_t id, const std::string& machine, const std::string& gpu) {
  Session session;
  session.id = id;
  session.started = "2026-11-2" + std::to_string(id);
  session.environment = {{"machine", machine}, {"cpu", "A Processor"}, {"openmp.threads", "4"}};
  if (!gpu.empty()) session.environment["gpu0.name"] = gpu;
  session.ceilings = {{"cpu", "read", 1 << 20, 1e10}};
  return session;
}

StoredMeasurement measured(std::int64_t session, const std::string& kernel, const std::string& variant,
                           std::int64_t n, double seconds) {
  Measurement m;
  const bool gpu = variant.starts_with("cuda");
  m.what = {kernel, variant, "", {n, ElementType::float32, {n, 1, 1}, {}}, {}, gpu ? "gpu0" : "cpu"};
  m.status = Status::ok;
  m.call_times.assign(8, seconds);
  if (gpu) m.end_to_end_times.assign(8, 10 * seconds);
  m.work = form_at(n).work;
  m.timestamp = "2026-11-2" + std::to_string(session) + "T10:00:00Z";
  return {m, session};
}

std::optional<KnownForm> forms(const Case& what) {
  if (what.kernel == "unknown") return std::nullopt;
  return KnownForm{form_at(what.problem.n), what.kernel.substr(0, what.kernel.find('_'))};
}

// Three kernels of two families, measured on three hosts. Two of the hosts have the same hardware.
Results made_up() {
  Results results;
  results.sessions = {session_on(1, "a", "A GPU"), session_on(2, "b", "A GPU"), session_on(3, "c", "")};
  for (const std::int64_t session : {1, 2, 3})
    for (const char* kernel : {"one_x", "one_y", "two"})
      for (const std::int64_t n : {300, 600, 900, 1100, 5000, 40000})
        for (const char* variant : {"serial.baseline", "openmp.simd", "cuda.vector"})
          if (session < 3 || variant != std::string("cuda.vector"))
            results.measurements.push_back(
                measured(session, kernel, variant, n, 1e-9 * static_cast<double>(n)));
  return results;
}

std::size_t rows_of(const std::string& csv) {
  return static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) - 1;
}

TEST(DataSet, TakesAMachinesProfileFromTheSessionThatMeasuredMostOfIt) {
  Results results = made_up();
  results.sessions.push_back(session_on(4, "a", "A GPU"));
  results.sessions.back().ceilings = {{"gpu0", "copy", 1 << 20, 1e12}};
  results.sessions[0].ceilings.push_back({"cpu", "copy", 1 << 20, 1e10});
  EXPECT_FALSE(data_set_of(results, forms).machines[0].profile.all_cores.empty());
  results.sessions.push_back(session_on(5, "a", "A GPU"));  // a newer session with as many ceilings
  results.sessions.back().ceilings = {{"cpu", "read", 1 << 20, 7e10}, {"gpu0", "copy", 1 << 20, 1e12}};
  EXPECT_EQ(data_set_of(results, forms).machines[0].profile.all_cores.bandwidth(1 << 20, 0), 7e10);
}

// Load from other programs lowers a rate or lengthens a launch, so the best session counts.
TEST(DataSet, TakesOfEachCeilingTheBestOfAMachinesSessions) {
  Results results = made_up();
  results.sessions.push_back(session_on(4, "a", "A GPU"));
  results.sessions[0].ceilings = {
      {"cpu", "read", 1 << 20, 1e10}, {"cpu", "fp32", 0, 4e12}, {"cpu", "launch_openmp", 0, 5e-6}};
  results.sessions.back().ceilings = {
      {"cpu", "read", 1 << 20, 2e10}, {"cpu", "fp32", 0, 8e11}, {"cpu", "launch_openmp", 0, 4e-6}};
  for (int turn = 0; turn < 2; ++turn) {
    const Profile profile = data_set_of(results, forms).machines[0].profile;
    EXPECT_EQ(profile.all_cores.bandwidth(1 << 20, 0), 2e10);
    EXPECT_EQ(profile.all_cores.flop_rate(ElementType::float32, false), 4e12);
    EXPECT_EQ(profile.all_cores.launch_cost("openmp"), 4e-6);
    std::swap(results.sessions[0].ceilings, results.sessions.back().ceilings);
  }
}

// In each session, the first case of a library includes the time to load the library. The data set uses the
// median over the sessions.
TEST(DataSet, KnowsWhatAProcesssFirstUseOfALibraryCosts) {
  Results results = made_up();
  const auto use = [&](std::int64_t session, const char* time, double prepared, double first) {
    StoredMeasurement stored = measured(session, "two", "library.cublas_batched", 300, 1e-5);
    stored.measurement.what.device = "gpu1";
    stored.measurement.timestamp = time;
    stored.measurement.first_call = first;
    if (prepared > 0) stored.measurement.prepare_times = {prepared, 1e-6};
    results.measurements.push_back(stored);
  };
  use(1, "2026-11-21T10:00:05Z", 0, 2e-5);
  use(1, "2026-11-21T10:00:01Z", 2e-3, 1e-3);
  for (const std::int64_t session : {4, 5}) results.sessions.push_back(session_on(session, "a", "A GPU"));
  use(4, "2026-11-24T10:00:00Z", 4e-3, 1e-5);
  use(5, "2026-11-25T10:00:00Z", 8e-3, 1e-5);
  const DataSet data = data_set_of(results, forms);
  EXPECT_NEAR(first_use(data.machines[0].profile, "library.cublas").value(), 4e-3, 1e-9);
  EXPECT_NEAR(first_use(data.machines[1].profile, "library.cublas").value(), 4e-3,
              1e-9);  // this machine has the same hardware
  EXPECT_FALSE(first_use(data.machines[2].profile, "library.cublas"));
  EXPECT_FALSE(first_use(data.machines[0].profile, "library.cufft"));
  EXPECT_FALSE(first_use(data.machines[0].profile, "cuda.vector"));
  const Profile again = data_set_from(files_of(data)).machines[0].profile;
  EXPECT_NEAR(first_use(again, "library.cublas").value(), 4e-3, 1e-9);
}

TEST(DataSet, HasARowACase) {
  const DataSet data = data_set_of(made_up(), forms);
  EXPECT_EQ(data.machines.size(), 3u);
  EXPECT_EQ(data.machines[0].name, "a/4");
  EXPECT_EQ(data.problems.size(), 18u);
  EXPECT_EQ(data.problems.front().name, "one_x float 1100 1100");
  EXPECT_EQ(data.rows.size(), 2 * 54u + 36u);
  EXPECT_TRUE(data.left_out.empty());
  for (const DataRow& row : data.rows) {
    const double factor = row.option == Option::cuda ? 10 : 1;  // CUDA times include copies
    EXPECT_DOUBLE_EQ(row.whole.median, factor * row.call.median);
    EXPECT_EQ(data.problems[row.problem].what.problem.n, row.what.problem.n);
  }
}

TEST(DataSet, LeavesOutWhatNobodyKnowsAndWhatWasAnotherKernel) {
  Results results = made_up();
  results.measurements.push_back(measured(1, "unknown", "serial.baseline", 300, 1));
  results.measurements.push_back(measured(1, "two", "serial.native", 300, 1));
  results.measurements.back().measurement.work.flops += 1;
  results.measurements.push_back(measured(1, "two", "serial.skipped", 300, 1));
  results.measurements.back().measurement.status = Status::skipped;
  const DataSet data = data_set_of(results, forms);
  EXPECT_EQ(data.rows.size(), 144u);
  ASSERT_EQ(data.left_out.size(), 2u);
  EXPECT_EQ(data.left_out[0], "two: this build counts a different amount of work than the measurement did");
  EXPECT_EQ(data.left_out[1], "unknown: this build has no such kernel or problem");
}

TEST(DataSet, LeavesOutOtherInputsThanUsual) {
  Results results = made_up();
  const std::string before = files_of(data_set_of(results, forms)).at("cases.csv");
  StoredMeasurement zeros = results.measurements.front();
  zeros.measurement.what.fill = InputFill::zeros;
  zeros.measurement.timestamp = "2026-12-31T10:00:00Z";
  results.measurements.push_back(zeros);
  EXPECT_EQ(files_of(data_set_of(results, forms)).at("cases.csv"), before);
}

TEST(DataSet, LeavesOutSearchesForTheLeastEnergy) {
  Results results = made_up();
  Search search;
  search.session = 1;
  search.space = results.measurements.front().measurement.what;
  search.goal = "device";
  SearchStep step;
  step.tuning = {{"block", 64}};
  step.status = Status::ok;
  step.time = step.low = step.high = 1e-3;
  search.steps = {step};
  results.searches = {search};
  EXPECT_EQ(data_set_of(results, forms).searched.size(), 1u);
  results.searches[0].goal = "energy";
  EXPECT_TRUE(data_set_of(results, forms).searched.empty());
}

TEST(DataSet, KeepsFailuresWithoutTimes) {
  Results results = made_up();
  results.measurements.push_back(measured(1, "two", "serial.native", 300, 1));
  results.measurements.back().measurement.status = Status::wrong;
  const std::string cases = files_of(data_set_of(results, forms)).at("cases.csv");
  EXPECT_EQ(rows_of(cases), 145u);
  EXPECT_NE(cases.find("serial,serial.native,,,0,cpu,,wrong,0,,,,"), std::string::npos) << cases;
}

// If other GPUs disturbed the call time of a case, only its device time is used.
TEST(DataSet, KeepsOfACaseThatOthersDisturbedWhatTheyDidNotMove) {
  Results results = made_up();
  results.measurements.push_back(measured(1, "two", "cuda.other", 300, 1));
  results.measurements.back().measurement.device_times.assign(8, 0.5);
  Isolation& isolation = results.measurements.back().measurement.isolation.emplace(Isolation::undisturbed);
  const auto row = [&] {
    const DataSet data = data_set_from(files_of(data_set_of(results, forms)));
    return *std::find_if(data.rows.begin(), data.rows.end(),
                         [](const DataRow& one) { return one.what.variant == "cuda.other"; });
  };
  EXPECT_EQ(row().call.median, 1);
  isolation = Isolation::calls_disturbed;
  EXPECT_EQ(row().call.samples, 0u);
  EXPECT_EQ(row().whole.samples, 0u);
  EXPECT_EQ(row().device.median, 0.5);
}

TEST(DataSet, IsTheSameTextInWhateverOrderItWasMeasured) {
  Results results = made_up();
  results.measurements.push_back(measured(3, "two", "serial.native", 300, 1));
  results.measurements.back().measurement.what.problem_class =
      "S";  // the name of the class whose size is 300
  Results parts[2];
  for (std::size_t i = 0; i < results.sessions.size(); ++i)
    parts[i % 2].sessions.push_back(results.sessions[i]);
  for (auto one = results.measurements.rbegin(); one != results.measurements.rend(); ++one)
    parts[(one->session + 1) % 2].measurements.push_back(*one);
  const auto files = files_of(data_set_of(results, forms));
  EXPECT_EQ(files_of(data_set_of(joined({parts[1], parts[0]}), forms)), files);
  EXPECT_EQ(files_of(data_set_of(joined({parts[0], parts[1]}), forms)), files);
  EXPECT_EQ(files.size(), 5 + 5 + 1u);
}

TEST(DataSet, ChecksumsAreThoseOfTheFiles) {
  const auto files = files_of(data_set_of(made_up(), forms));
  const std::string& checksums = files.at("checksums");
  for (const auto& [name, text] : files)
    EXPECT_EQ(checksums.find(sha256(text) + "  " + name + "\n") == std::string::npos, name == "checksums")
        << name;
}

std::vector<std::string> heading_of(const std::string& csv) {
  std::vector<std::string> names = {""};
  for (const char c : csv.substr(0, csv.find('\n')))
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  return names;
}

TEST(DataSet, KeepsTheRowsOfJoinedSetsApart) {
  DataSet both = data_set_of(made_up(), forms);
  const DataSet one = both;
  append(one, &both);
  ASSERT_EQ(both.rows.size(), 2 * one.rows.size());
  const DataRow &first = one.rows.front(), &second = both.rows[one.rows.size()];
  EXPECT_EQ(second.machine, first.machine + one.machines.size());
  EXPECT_EQ(both.problems[second.problem].name, one.problems[first.problem].name);
  EXPECT_EQ(second.problem, first.problem + one.problems.size());
  DataSet with_folds = one, none;
  with_folds.folds["size-out"] = "x";
  append(with_folds, &none);
  EXPECT_EQ(none.folds.size(), 1u);
  append(one, &none);
  EXPECT_TRUE(none.folds.empty());  // they lack the second set's groups
}

TEST(DataSet, JoinsWithoutTwoColumnsOfAName) {
  const auto files = files_of(data_set_of(made_up(), forms));
  std::map<std::string, int> seen;
  for (const char* table : {"cases.csv", "problems.csv", "machines.csv"})
    for (const std::string& name : heading_of(files.at(table))) ++seen[name];
  for (const auto& [name, times] : seen)
    EXPECT_EQ(times, name == "problem" || name == "machine" ? 2 : 1) << name;
}

TEST(Folds, TestEveryRowOnceAndLeakNothing) {
  const DataSet data = data_set_of(made_up(), forms);
  for (const Split split : all_splits) {
    const Folds folds(data, split);
    std::vector<int> tested(data.rows.size());
    EXPECT_GE(folds.names().size(), 2u) << name_of(split);
    for (const std::string& fold : folds.names()) {
      const std::vector<Part> parts = folds.parts(fold);
      for (std::size_t i = 0; i < parts.size(); ++i) tested[i] += parts[i] == Part::test;
      EXPECT_NE(std::count(parts.begin(), parts.end(), Part::train), 0) << name_of(split) << " " << fold;
      EXPECT_EQ(leaks(data, split, parts), std::vector<std::string>()) << name_of(split) << " " << fold;
    }
    EXPECT_EQ(tested, std::vector<int>(data.rows.size(), 1)) << name_of(split);
    EXPECT_EQ(split_of(name_of(split)), split);
  }
  EXPECT_THROW(split_of("row-out"), UserError);
}

TEST(Folds, OfSizesLeaveAGapBesideTheDecade) {
  const DataSet data = data_set_of(made_up(), forms);
  const std::vector<Part> parts = Folds(data, Split::size_out).parts("1e3");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t n = data.rows[i].what.problem.n;
    const Part expected = n == 1100 || n == 5000 ? Part::test
                          : n == 600 || n == 900 ? Part::neither
                                                 : Part::train;
    EXPECT_EQ(parts[i], expected) << n;
  }
}

TEST(Folds, OfMachinesGoByHardware) {
  const DataSet data = data_set_of(made_up(), forms);
  const Folds folds(data, Split::machine_out);
  EXPECT_EQ(folds.names(), (std::vector<std::string>{"a/4", "c/4"}));  // b has the same hardware as a
}

// Adds each test row to the training rows, one at a time. Each such leak must be found.
TEST(Leaks, ThatArePlantedAreFound) {
  const DataSet data = data_set_of(made_up(), forms);
  for (const Split split : all_splits) {
    const Folds folds(data, split);
    const std::vector<Part> honest = folds.parts(folds.names().front());
    for (std::size_t i = 0; i < honest.size(); ++i) {
      if (honest[i] != Part::test) continue;
      std::vector<Part> planted = honest;
      planted[i] = Part::train;
      EXPECT_FALSE(leaks(data, split, planted).empty()) << name_of(split) << " row " << i;
    }
  }
}

TEST(Leaks, OfSizesThatAreTooNearAreFound) {
  const DataSet data = data_set_of(made_up(), forms);
  std::vector<Part> parts = Folds(data, Split::size_out).parts("1e3");
  std::replace(parts.begin(), parts.end(), Part::neither, Part::train);
  const std::vector<std::string> found = leaks(data, Split::size_out, parts);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), "size 600 of one_x in float is in training, 1100 is tested");
}

TEST(Sha256, IsThatOfTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Csv, QuotesWhatHasToBe) {
  EXPECT_EQ(csv_line(std::vector<std::string>{"a", "", "b,c", "d\"e"}), "a,,\"b,c\",\"d\"\"e\"\n");
  EXPECT_EQ(csv_number(0.1), "0.1");
  EXPECT_EQ(csv_number(std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace sextant::predict
