// Tests of the exported data: every column, every digit, and write errors.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "analysis/summary/data_set.hpp"
#include "command.hpp"
#include "described.hpp"
#include "golden.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::content_of;
using test::described;
using test::make_case;
using test::make_measurement;
using test::make_session;
using test::Outcome;
using test::run_sextant;
using test::TemporaryFolder;

// A serial baseline, a CUDA variant with all data, a failed case and a wrong one.
Results sample() {
  Results results;
  Session session = make_session();
  session.id = 1;
  session.ceilings = {{"gpu0", "triad", 1 << 20, 4e9}};
  results.sessions = {session};
  Measurement serial = make_measurement(make_case("triad", "serial.baseline", 30000), 1e-3);
  Measurement cuda = make_measurement(make_case("triad", "cuda.tuned", 30000, ElementType::float32,
                                                {{"block_size", 256}, {"items_per_thread", 4}}),
                                      0.1 + 0.2);
  cuda.device_times = test::samples_around(1.0 / 3);
  cuda.transfers = {{"a", true, "pageable", 40000, {1e-5}}, {"c", false, "pageable", 40000, {2e-5}}};
  cuda.alloc_times = {3e-5};
  cuda.end_to_end_times = test::samples_around(0.5);
  cuda.launches = {{"triad", {40, 1, 1}, {256, 1, 1}, 32, 0, 0.75, 1.0 / 3}};
  cuda.clock = 1.98e9;
  Measurement failed;
  failed.what = make_case("triad", "cuda.elementwise", 30000);
  failed.status = Status::failed;
  failed.reason = "an illegal address, \"said\" the device\nand stopped";
  Measurement wrong = make_measurement(make_case("triad", "openacc.parallel_loop", 30000), 1e-3);
  wrong.status = Status::wrong;
  wrong.error = std::numeric_limits<double>::infinity();
  wrong.call_times.clear();
  for (Measurement& m : std::vector<Measurement>{serial, cuda, failed, wrong})
    results.measurements.push_back({m, 1});
  return results;
}

void store_sample(const std::string& path) {
  ResultsFile file(path, ResultsFile::Mode::write);
  merge(sample(), file);
}

// An independent CSV parser that checks the writer's output.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& cell = rows.back().back();
    if (quoted) {
      if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else if (text[i] == '"')
        quoted = false;
      else
        cell += text[i];
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == ',') {
      rows.back().emplace_back();
    } else if (text[i] == '\n') {
      if (i + 1 < text.size()) rows.push_back({""});
    } else {
      cell += text[i];
    }
  }
  return rows;
}

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& csv) {
  const auto cells = parse_csv(csv);
  std::vector<Row> rows;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].size(), cells[0].size());
    Row row;
    for (std::size_t j = 0; j < cells[i].size(); ++j) row[cells[0][j]] = cells[i][j];
    rows.push_back(row);
  }
  return rows;
}

TEST(Export, ColumnsAreThoseOfTheDocumentInItsOrder) {
  const Results results = described(sample());
  const std::string csv = to_csv(summarise(results));
  const std::string heading = csv.substr(0, csv.find('\n'));
  EXPECT_EQ(heading.rfind(
                "kernel,group,model,variant,type,n,extents,tuning.block_size,tuning.items_per_thread,device,"
                "machine,status,reason,error,tolerance,samples,call_time_median,call_time_low,call_time_high,"
                "call_time_min,device_time_median,device_time_low,device_time_high,device_time_min,h2d_time,"
                "d2h_time,h2d_bytes,d2h_bytes,alloc_time,end_to_end_time,bytes_read,bytes_written,flops,"
                "bandwidth,flop_rate,ceiling_fraction,speedup_serial,speedup_cpu,"
                "speedup_serial_with_transfers,registers,shared_memory,occupancy,cache,clock,timestamp,",
                0),
            0u)
      << heading;
}

TEST(Export, ValuesAreTheMeasuredOnesToTheLastDigit) {
  const Results results = described(sample());
  const Row cuda = rows_of(to_csv(summarise(results)))[1];
  EXPECT_EQ(cuda.at("kernel"), "triad");
  EXPECT_EQ(cuda.at("group"), "stream");
  EXPECT_EQ(cuda.at("variant"), "cuda.tuned");
  EXPECT_EQ(cuda.at("type"), "float");
  EXPECT_EQ(cuda.at("n"), "30000");
  EXPECT_EQ(cuda.at("extents"), "10000");
  EXPECT_EQ(cuda.at("tuning.block_size"), "256");
  EXPECT_EQ(cuda.at("call_time_median"), "0.30000000000000004");
  EXPECT_EQ(std::stod(cuda.at("device_time_median")), 1.0 / 3);
  EXPECT_EQ(cuda.at("samples"), "11");
  EXPECT_EQ(cuda.at("h2d_time"), "1e-05");
  EXPECT_EQ(cuda.at("h2d_bytes"), "40000");
  EXPECT_EQ(cuda.at("bytes_read"), "80000");
  EXPECT_EQ(std::stod(cuda.at("bandwidth")), 120000 / (1.0 / 3));
  EXPECT_EQ(std::stod(cuda.at("speedup_serial")), 1e-3 / (0.1 + 0.2));
  EXPECT_EQ(std::stod(cuda.at("speedup_serial_with_transfers")), 1e-3 / 0.5);
  EXPECT_EQ(cuda.at("registers"), "32");
  EXPECT_EQ(cuda.at("shared_memory"), "0");
  EXPECT_EQ(cuda.at("clock"), "1.98e+09");
  EXPECT_EQ(cuda.at("cache"), "warm");
  EXPECT_EQ(cuda.at("machine"), "alpha");
}

TEST(Export, TellsTheFill) {
  Results results = described(sample());
  results.measurements[1].measurement.what.fill = InputFill::small_integers;
  const std::vector<Row> rows = rows_of(to_csv(summarise(results)));
  EXPECT_EQ(rows[0].at("fill"), "") << "inputs as the kernel draws them";
  EXPECT_EQ(rows[1].at("fill"), "small-integers");
}

TEST(Export, TellsTheStateAndThePauses) {
  Results results = described(sample());
  Measurement& m = results.measurements[1].measurement;
  for (int i = 0; i < 7; ++i) m.states.push_back({i, {{10, 1.98e9 - i, i > 0}, {10, 1.7e9, {}}}, {}, {}, ""});
  m.states[0].throttle_reasons = "power cap, software thermal";
  m.gap = 0.01;
  m.gap_times = {4e-5, 5e-5, 6e-5};
  m.gap_device_times = {3e-5};
  const std::vector<Row> rows = rows_of(to_csv(summarise(results)));
  EXPECT_EQ(rows[1].at("clock_low"), "1.7e+09");
  EXPECT_EQ(rows[1].at("clock_high"), "1.98e+09");
  EXPECT_EQ(std::stod(rows[1].at("throttled_share")), 6.0 / 7);
  EXPECT_EQ(rows[1].at("throttle_reasons"), "power cap, software thermal");
  EXPECT_EQ(rows[1].at("modes"), "50 % at 1700 MHz, 50 % at 1980 MHz");
  EXPECT_EQ(rows[1].at("gap"), "0.01");
  EXPECT_EQ(std::stod(rows[1].at("gap_time_median")), 5e-5);
  EXPECT_EQ(std::stod(rows[1].at("gap_device_time_median")), 3e-5);
  for (const char* column : {"clock_low", "clock_high", "throttled_share", "throttle_reasons", "modes", "gap",
                             "gap_time_median", "gap_device_time_median"})
    EXPECT_EQ(rows[0].at(column), "") << column;
}

TEST(Export, TellsTheEnergyOfACall) {
  Results results = described(sample());
  Measurement& m = results.measurements[1].measurement;
  m.energies = {0.5, 0.25, 0.75, 0.5, 0.5, 0.5};
  m.energy_times = {0.01, 0.02, 0.01, 0.01, 0.01, 0.01};
  m.energy_window = 0.625;
  m.idle_power = 75.5;
  const std::vector<Row> rows = rows_of(to_csv(summarise(results)));
  const std::pair<const char*, const char*> expected[] = {{"energy", "0.5"},          {"energy_low", "0.25"},
                                                          {"energy_high", "0.75"},    {"energy_time", "0.01"},
                                                          {"energy_window", "0.625"}, {"idle_power", "75.5"}};
  for (const auto& [column, value] : expected) {
    EXPECT_EQ(rows[1].at(column), value) << column;
    EXPECT_EQ(rows[0].at(column), "") << column;
  }
}

TEST(Export, ParametersHaveTheirNamesInColumnsAtTheEnd) {
  Results results = sample();
  const auto add = [&](const char* kernel, std::array<std::int64_t, 4> parameters) {
    Measurement m = make_measurement(make_case(kernel, "serial.baseline", 30000), 1e-3);
    m.what.problem.parameters = parameters;
    results.measurements.push_back({m, 1});
  };
  add("heat3d_r2", {240, 2});
  add("lbm_d3q15", {5000, 800, -1, 0});
  add("from_elsewhere", {7});
  results = described(std::move(results));
  const std::string csv = to_csv(summarise(results)), heading = csv.substr(0, csv.find('\n'));
  const std::string end =
      ",notes,parameter.force_micro,parameter.per_point,parameter.radius,parameter.scene,"
      "parameter.steps,parameter.tau_milli";
  EXPECT_TRUE(heading.ends_with(end)) << heading;
  const std::vector<Row> rows = rows_of(csv);
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].at("parameter.steps"), "");
  EXPECT_EQ(rows[4].at("parameter.steps"), "240");
  EXPECT_EQ(rows[4].at("parameter.tau_milli"), "");
  EXPECT_EQ(rows[5].at("parameter.steps"), "5000");
  EXPECT_EQ(rows[5].at("parameter.tau_milli"), "800");
  EXPECT_EQ(rows[5].at("parameter.force_micro"), "-1");
  EXPECT_EQ(rows[5].at("parameter.scene"), "0");
  EXPECT_EQ(rows[6].at("parameter.steps"), "");
}

TEST(Export, WhatIsNotKnownIsEmptyAndNeverZero) {
  const Results results = described(sample());
  const std::vector<Row> rows = rows_of(to_csv(summarise(results)));
  const Row& failed = rows[2];
  EXPECT_EQ(failed.at("status"), "failed");
  EXPECT_EQ(failed.at("reason"), "an illegal address, \"said\" the device\nand stopped");
  for (const auto& [name, value] : failed)
    if (name.find("time") != std::string::npos || name.find("bytes") != std::string::npos ||
        name.find("speedup") != std::string::npos || name == "error" || name == "tolerance" ||
        name == "flops" || name == "integer_operations" || name == "samples" || name == "registers" ||
        name == "clock") {
      EXPECT_TRUE(value.empty() || name == "timestamp") << name << " is " << value;
    }
  EXPECT_EQ(rows[3].at("error"), "inf");
  EXPECT_EQ(rows[3].at("speedup_serial"), "");
  EXPECT_EQ(rows[0].at("device_time_median"), "");
  EXPECT_EQ(rows[0].at("tuning.block_size"), "");
}

TEST(Export, NdjsonHoldsTheSame) {
  const Results results = described(sample());
  const std::vector<Row> rows = rows_of(to_csv(summarise(results)));
  std::istringstream lines(to_ndjson(summarise(results)));
  std::string line;
  std::size_t i = 0;
  for (; std::getline(lines, line); ++i) {
    const nlohmann::json object = nlohmann::json::parse(line);
    ASSERT_EQ(object.size(), rows[i].size());
    for (const auto& [name, text] : rows[i]) {
      const nlohmann::json& value = object.at(name);
      if (text.empty())
        EXPECT_TRUE(value.is_null()) << name;
      else if (value.is_string())
        EXPECT_EQ(value.get<std::string>(), text);
      else
        EXPECT_EQ(value.get<double>(), std::stod(text)) << name;
    }
  }
  EXPECT_EQ(i, 4u);
}

TEST(ExportCommand, WritesToStandardOutputAndToAFile) {
  const TemporaryFolder folder;
  store_sample(folder / "r");
  const Outcome csv = run_sextant("export " + (folder / "r"));
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_EQ(csv.err, "");
  EXPECT_EQ(rows_of(csv.out).size(), 4u);
  const Outcome file = run_sextant("export " + (folder / "r") + " --format ndjson -o " + (folder / "data"));
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(file.out, "");
  EXPECT_EQ(content_of(folder / "data"), run_sextant("export --format ndjson " + (folder / "r")).out);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 2);
}

TEST(ExportCommand, Selects) {
  const TemporaryFolder folder;
  store_sample(folder / "r");
  const auto count = [&](const std::string& options) {
    const Outcome outcome = run_sextant("export " + (folder / "r") + " " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return rows_of(outcome.out).size();
  };
  EXPECT_EQ(count("-v cuda"), 2u);
  EXPECT_EQ(count("-v cuda.tuned,serial"), 2u);
  EXPECT_EQ(count("-k 'tri.*' --type float -n 30000"), 4u);
  EXPECT_EQ(count("-d cpu"), 1u);
  EXPECT_EQ(count("-t block_size=256"), 1u);
  // The serial baseline is not selected, but speed-ups still use it.
  EXPECT_NE(rows_of(run_sextant("export " + (folder / "r") + " -v cuda.tuned").out)[0].at("speedup_serial"),
            "");
}

TEST(ExportCommand, SelectsByParameters) {
  const TemporaryFolder folder;
  Results results = sample();
  results.measurements.clear();
  for (const std::int64_t steps : {24, 48, 240}) {
    Measurement m = make_measurement(make_case("heat3d_r2", "serial.baseline", 30000), 1e-3);
    m.what.problem.parameters = {steps, 2};
    results.measurements.push_back({m, 1});
  }
  {
    ResultsFile file(folder / "r", ResultsFile::Mode::write);
    merge(results, file);
  }
  const Outcome some = run_sextant("export " + (folder / "r") + " -p steps=48,240");
  EXPECT_EQ(some.code, 0) << some.err;
  ASSERT_EQ(rows_of(some.out).size(), 2u);
  EXPECT_EQ(rows_of(some.out)[0].at("parameter.steps"), "48");
  EXPECT_EQ(rows_of(some.out)[1].at("parameter.steps"), "240");
  const Outcome other = run_sextant("export " + (folder / "r") + " -p steps=7");
  EXPECT_EQ(other.code, 2);
  test::expect_golden(other.err, "analysis/export_refusals:parameters");
  EXPECT_EQ(run_sextant("export " + (folder / "r") + " -p stepz=24").code, 2);
}

TEST(ExportCommand, RefusesWhatIsNotInTheFile) {
  const TemporaryFolder folder;
  store_sample(folder / "r");
  const std::string file = folder / "r";
  std::string said;
  for (const std::string& options :
       {file + " -k triat", file + " -v cuda.tunned", file + " -n 40000", file + " -n 4MB",
        file + " --type double", file + " -d gpu1", file + " -t block_size=7", file + " --format xml",
        folder / "none", std::string()}) {
    const Outcome outcome = run_sextant("export " + options);
    EXPECT_EQ(outcome.code, 2) << options;
    EXPECT_EQ(outcome.out, "");
    said += outcome.err;
  }
  test::expect_golden(test::replaced(said, folder / "", ""), "analysis/export_refusals:selection");
  EXPECT_EQ(run_sextant("export " + file + " -k '('").code, 2);
}

TEST(ExportCommand, NeverOverwritesResultsAndSaysWhyItCannotWrite) {
  const TemporaryFolder folder;
  store_sample(folder / "r");
  const std::string before = content_of(folder / "r");
  std::string said;
  for (const std::string& output :
       {folder / "r", folder / "no/where", folder / ".", std::string("/dev/full")}) {
    const Outcome outcome = run_sextant("export " + (folder / "r") + " -o " + output);
    EXPECT_EQ(outcome.code, 2);
    said += outcome.err;
  }
  test::expect_golden(test::replaced(said, folder / "", ""), "analysis/export_refusals:output");
  EXPECT_TRUE(content_of(folder / "r") == before);
  EXPECT_EQ(run_sextant("export " + (folder / "r") + " -o /dev/stdout").code, 0);
  for (const std::string& command : {"export " + (folder / "r"), std::string("list")}) {
    const int status = std::system((SEXTANT_PROGRAM " " + command + " >/dev/full 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << command;
  }
}

}  // namespace
}  // namespace sextant
