// Tests of reading the training data from its own files and from exported tables. Reading must restore the
// original data, and inconsistent files must be rejected.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/csv.hpp"
#include "golden.hpp"
#include "predict/data_set.hpp"
#include "predict/evaluate.hpp"
#include "predict/folds.hpp"
#include "record/threads.hpp"
#include "refusal.hpp"

namespace sextant::predict {
namespace {

Form form_at(std::int64_t n) {
  Form form;
  form.n = n;
  form.extents = {n, 1, 1};
  form.work = {.bytes_read = 8 * n, .bytes_written = 4 * n, .flops = n, .items = n};
  form.traits.loads = 2, form.traits.special_flops = 0.1;
  form.arrays_in = 2, form.arrays_out = 1, form.bytes_in = 8 * n, form.bytes_out = 4 * n;
  form.working_set = 12 * n;
  return form;
}

std::optional<KnownForm> forms(const Case& what) {
  return KnownForm{form_at(what.problem.n), what.kernel.substr(0, what.kernel.find('_'))};
}

Session session_on(std::int64_t id, const std::string& machine, const std::string& processor,
                   const std::string& threads) {
  Session session;
  session.id = id;
  session.started = "2026-11-2" + std::to_string(id);
  session.environment = {{"machine", machine},        {"cpu", processor},     {"cpu.cores", "4"},
                         {"openmp.threads", threads}, {"gpu0.name", "A GPU"}, {"gpu0.multiprocessors", "7"}};
  session.ceilings = {{"cpu", "read", 1 << 20, 1e10}, {"gpu0", "copy", 1 << 20, 3e11}};
  return session;
}

Results made_up() {
  Results results;
  results.sessions = {session_on(1, "a", "One", "4"), session_on(2, "b", "Other, with a comma", "4"),
                      session_on(3, "a", "One", "2")};
  for (const std::int64_t session : {1, 2, 3})
    for (const char* kernel : {"one_x", "one_y", "two"})
      for (const std::int64_t n : {300, 900, 5000, 40000})
        for (const char* variant : {"serial.baseline", "openmp.simd", "openacc.loop", "cuda.vector"}) {
          Measurement m;
          const bool gpu = std::string(variant).find('c') != std::string::npos && variant[0] != 's';
          m.what = {kernel, variant, "", {n, ElementType::float32, {n, 1, 1}, {}}, {}, gpu ? "gpu0" : "cpu"};
          m.what.thread_library = thread_library_by_name(variant);
          if (gpu) m.what.tuning = {{"block", 64}, {"rows", 2}};
          m.status = Status::ok;
          m.call_times = {1e-9 * static_cast<double>(n), 2e-9 * static_cast<double>(n)};
          if (gpu) m.end_to_end_times = {1e-7, 3e-7}, m.device_times = {1e-9};
          m.work = form_at(n).work;
          m.timestamp = "2026-11-22T10:00:00Z";
          results.measurements.push_back({m, session});
        }
  Search search;
  search.session = 1;
  search.space = results.measurements[3].measurement.what;
  search.space.tuning.clear();
  search.goal = "device";
  for (const int block : {32, 64, 128}) {
    SearchStep step;
    step.tuning = {{"block", block}, {"rows", 2}};
    step.effort = block == 32 ? Effort::stopped_early : Effort::measured;
    step.status = block == 128 ? Status::failed : Status::ok;
    step.time = 1e-6 * block, step.low = step.high = step.time;
    step.samples = 3;
    search.steps.push_back(step);
  }
  search.steps.push_back(search.steps.front());
  search.steps.back().known = true;
  results.searches = {search};
  return results;
}

std::map<std::string, std::string> made_files() { return files_of(data_set_of(made_up(), forms)); }

std::string refused(const std::map<std::string, std::string>& files) {
  return test::refusal([&] {
    const DataSet data = data_set_from(files);
    for (const Split split : all_splits) evaluate(data, split, Target::call, baselines({}));
  });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  return text.replace(place, from.size(), to);
}

TEST(DataReading, GivesTheDataSetThatWasWritten) {
  const auto files = made_files();
  const DataSet read = data_set_from(files);
  EXPECT_EQ(files_of(read), files);
  EXPECT_EQ(read.searched.size(), 3u);  // results that a search started from are not counted again
  EXPECT_EQ(read.problems.front().known.form.traits.special_flops, 0.1);
  EXPECT_EQ(read.problems.front().known.form.traits.depth, Traits::not_known);
}

TEST(DataReading, JudgesAsTheResultsThemselves) {
  const DataSet made = data_set_of(made_up(), forms), read = data_set_from(made_files());
  for (const Split split : all_splits)
    for (const Target target : all_targets) {
      const auto one = evaluate(made, split, target, baselines({})),
                 other = evaluate(read, split, target, baselines({}));
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].fraction, other[i].fraction) << name_of(split) << " " << one[i].selector;
        EXPECT_EQ(one[i].contests, other[i].contests);
        EXPECT_GT(one[i].contests, 0u) << name_of(split);
      }
    }
}

TEST(DataReading, RefusesWhatCannotBe) {
  std::string said;
  for (const char* name : {"cases.csv", "problems.csv", "machines.csv", "ceilings.csv", "searches.csv"}) {
    auto files = made_files();
    files.erase(name);
    said += refused(files) + "\n";
  }
  auto files = made_files();
  files["cases.csv"] = replaced(files["cases.csv"], "one_x float 300 300", "no such problem");
  said += refused(files) + "\n";
  files = made_files();
  files["cases.csv"] = replaced(files["cases.csv"], "block=64", "block=x");
  said += refused(files) + "\n";
  files = made_files();
  files["machines.csv"] = replaced(files["machines.csv"], "openmp_threads", "threads");
  said += refused(files) + "\n";
  files = made_files();
  files["problems.csv"] = replaced(files["problems.csv"], "3600", "many");
  said += refused(files);
  test::expect_golden(said, "predict/data_sets:tables");
}

TEST(Folds, OfAFileAreTaken) {
  auto files = made_files();
  std::string& csv = files["folds/kernel-out.csv"];
  csv = "family,fold\none,left\ntwo,right\n";
  const DataSet data = data_set_from(files);
  EXPECT_EQ(Folds(data, Split::family_out).names(), (std::vector<std::string>{"left", "right"}));
  csv = "family,fold\none,left\n";
  std::string said = refused(files) + "\n";
  csv = "family,fold\none,left\ntwo,right\ntwo,left\n";
  said += refused(files);
  test::expect_golden(said, "predict/data_sets:folds");
}

// Training rows that must not be seen in a test (leaks) are planted in the files.
TEST(Leaks, OfFilesAreFound) {
  auto files = made_files();
  files["folds/size-out.csv"] =
      replaced(files["folds/size-out.csv"], "one_x float 900 900,1e2,", "one_x float 900 900,1e3,");
  EXPECT_NO_THROW(evaluate(data_set_from(files), Split::size_out, Target::call,
                           baselines({})));  // training has no similar size
  files = made_files();
  std::string& machines = files["folds/machine-out.csv"];
  machines = replaced(machines, "a/2,\"One; A GPU, 7 multiprocessors\",a/2", "a/2,,apart");
  test::expect_golden(refused(files), "predict/data_sets:leaks");
  files = made_files();
  std::string& both = files["folds/kernel-machine-out.csv"];
  both = "family,machine,fold\none,a/2,x\none,a/4,x\none,b/4,x\ntwo,a/2,x\ntwo,a/4,x\ntwo,b/4,y\n";
  EXPECT_NO_THROW(evaluate(data_set_from(files), Split::family_machine_out, Target::call, baselines({})));
}

TEST(DataSet, PartsOfAMachineAreMachinesThatAreHeldOutTogether) {
  const DataSet data = data_set_of(made_up(), forms);
  EXPECT_EQ(data.rows.size(), made_up().measurements.size());  // both partitions measured serial code
  EXPECT_EQ(data.machines.size(), 3u);
  EXPECT_EQ(Folds(data, Split::machine_out).names(), (std::vector<std::string>{"a/2", "b/4"}));
  EXPECT_EQ(partition_of(data.machines[0].profile), "2 of 4 cores");
  EXPECT_EQ(partition_of(data.machines[1].profile), "");
  EXPECT_NE(files_of(data).at("machines.csv").find(",2 of 4 cores,One,"), std::string::npos);
}

TEST(DataSet, APartOfAGpuIsHeldOutWithTheWholeOne) {
  Results results = made_up();
  Environment& part = results.sessions[1].environment;
  part["machine"] = "a/3sm", part["cpu"] = "One";
  part["gpu0.multiprocessors"] = "3", part["gpu0.whole_multiprocessors"] = "7";
  const auto files = files_of(data_set_of(results, forms));
  const DataSet data = data_set_from(files);
  EXPECT_EQ(files_of(data), files);
  EXPECT_EQ(data.machines[1].name, "a/3sm/4");
  EXPECT_EQ(partition_of(data.machines[1].profile), "3 of 7 multiprocessors");
  EXPECT_EQ(Folds(data, Split::machine_out).names(), std::vector<std::string>{"a/2"});
}

TEST(DataSet, LendsCeilingsToTheSameHardware) {
  Results results = made_up();
  results.sessions.push_back(session_on(4, "c", "One", "4"));
  results.sessions.back().ceilings.clear();
  EXPECT_EQ(data_set_of(results, forms).machines.back().profile.all_cores.bandwidth(1 << 20, 0), 1e10);
  results.sessions.back().environment["cpu"] = "Another";
  EXPECT_TRUE(data_set_of(results, forms).machines.back().profile.all_cores.empty());
}

TEST(DataSet, LendsCeilingsOfTheSameHardwareBeforeThoseOfTheSameHost) {
  Results results = made_up();
  results.sessions = {session_on(1, "a", "One", "4"), session_on(2, "b", "One", "4"),
                      session_on(3, "c", "One", "4")};
  results.sessions[0].environment["gpu0.name"] = "Another GPU";
  results.sessions[0].ceilings = {
      {"cpu", "read", 1 << 20, 7e10}, {"cpu", "fp64", 0, 5e9}, {"gpu0", "copy", 1 << 20, 9e11}};
  results.sessions[2].ceilings.clear();
  results.measurements.clear();
  const Profile lent = data_set_of(results, forms).machines.back().profile;
  EXPECT_EQ(lent.all_cores.bandwidth(1 << 20, 0), 1e10);
  EXPECT_EQ(lent.all_cores.flop_rate(ElementType::float64, false), 5e9);  // b did not measure this ceiling
  EXPECT_EQ(lent.on_gpu.bandwidth(1 << 20, 0.5), 3e11);
}

const char* const exported_table =
    "kernel,variant,type,n,extents,tuning.rows,tuning.block,device,machine,status,samples,call_time_median,"
    "call_time_low,call_time_high,call_time_min,device_time_median,device_time_low,device_time_high,"
    "device_time_min,h2d_time,d2h_time,alloc_time,end_to_end_time,bytes_read,bytes_written,flops,items,cache,"
    "timestamp,class,threads,binding,parameter.width\n";

TEST(Exported, IsACaseOfItsHost) {
  const std::string table =
      std::string(exported_table) +
      "two,cuda.vector,float,300,300,2,64,gpu0,vm,ok,9,5e-6,4e-6,6e-6,4e-6,,,,,,,,7e-5,2400,1200,300,300,"
      "warm,2026-11-23T10:00:00Z,,,,\n"
      "two,openmp.simd,float,300,300,,,cpu,vm,ok,9,5e-6,4e-6,6e-6,4e-6,,,,,,,,,2400,1200,300,300,warm,2026-"
      "11-21T10:00:00Z,,4,,\n"
      "two,openmp.simd,float,300,300,,,cpu,vm,ok,9,8e-6,4e-6,9e-6,4e-6,,,,,,,,,2400,1200,300,300,warm,2026-"
      "11-23T10:00:00Z,,2,,3\n"
      "two,openmp.simd,float,300,300,,,cpu,vm,ok,9,8e-6,4e-6,9e-6,4e-6,,,,,,,,,2401,1200,300,300,warm,2026-"
      "11-23T10:00:00Z,,4,,\n"
      "two,openmp.other,float,300,300,,,cpu,vm,skipped,,,,,,,,,,,,,,,,,,warm,2026-11-23T10:00:00Z,,4,,\n";
  const auto parameters = [](const std::string&) { return KernelParameters{{"width"}, {}}; };
  const DataSet before = data_set_of(made_up(), forms);
  const DataSet data = data_set_of(made_up(), forms, read_exported(table, "some.csv", "a", parameters));
  EXPECT_EQ(data.rows.size(), before.rows.size() + 1);  // one new row: another width
  ASSERT_EQ(data.left_out.size(), 1u);
  const auto row = [&](const char* variant, const char* machine, std::size_t which) {
    std::vector<const DataRow*> found;
    for (const DataRow& one : data.rows)
      if (one.what.kernel == "two" && one.what.variant == variant && one.what.problem.n == 300 &&
          data.machines[one.machine].name == machine)
        found.push_back(&one);
    return which < found.size() ? found[which] : nullptr;
  };
  ASSERT_TRUE(row("cuda.vector", "a/4", 0));
  EXPECT_EQ(row("cuda.vector", "a/4", 0)->call.median,
            5e-6);  // a newer time, measured on the machine with the most threads
  EXPECT_EQ(row("cuda.vector", "a/4", 0)->whole.median, 7e-5);
  EXPECT_FALSE(row("cuda.vector", "a/4", 1));
  EXPECT_NE(row("openmp.simd", "a/4", 0)->call.median, 5e-6);  // the new time is older than the existing row
  ASSERT_TRUE(row("openmp.simd", "a/2", 1));
  EXPECT_EQ(row("openmp.simd", "a/2", 1)->what.problem.parameters[0], 3);
  const DataSet nowhere = data_set_of(made_up(), forms, read_exported(table, "some.csv", "", parameters));
  EXPECT_EQ(nowhere.rows.size(), before.rows.size());
  EXPECT_EQ(nowhere.left_out.front(), "vm/2: no results file describes this machine");
}

TEST(Exported, LeavesOutOtherInputsThanUsual) {
  const auto rows = [](const std::string& fill) {
    std::string heading = exported_table;
    heading.insert(heading.size() - 1, ",fill");
    const std::string row =
        "two,openmp.simd,float,300,300,,,cpu,vm,ok,9,5e-6,4e-6,6e-6,4e-6,,,,,,,,,2400,1200,300,300,warm,2026-"
        "11-21T10:00:00Z,,4,,," +
        fill + "\n";
    const auto none = [](const std::string&) { return KernelParameters(); };
    return read_exported(heading + row, "some.csv", "a", none).size();
  };
  EXPECT_EQ(rows(""), 1u);
  EXPECT_EQ(rows("zeros"), 0u);
}

TEST(Exported, RefusesWhatIsNoTable) {
  const auto parameters = [](const std::string&) { return KernelParameters(); };
  EXPECT_THROW(read_exported("kernel,variant\na,b\n", "x.csv", "", parameters), UserError);
  EXPECT_THROW(read_exported(std::string(exported_table) + "two\n", "x.csv", "", parameters), UserError);
  EXPECT_THROW(read_exported("", "x.csv", "", parameters), UserError);
}

TEST(CsvTable, ReadsWhatCsvFieldWrites) {
  const std::string odd = "a \"quoted\", long\nfield";
  const CsvTable table = CsvTable::read("name,value\r\n" + csv_field(odd) + ",\nb,2.5\n", "t");
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.text(0, "name"), odd);
  EXPECT_FALSE(table.number(0, "value"));
  EXPECT_EQ(table.number(1, "value"), 2.5);
  EXPECT_THROW((void)table.count(1, "value"), UserError);
  EXPECT_THROW((void)table.text(0, "other"), UserError);
  EXPECT_THROW(CsvTable::read("a,b\n1\n", "t"), UserError);
  EXPECT_THROW(CsvTable::read("a,b\n1,\"2\n", "t"), UserError);
}

}  // namespace
}  // namespace sextant::predict
