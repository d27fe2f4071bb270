// The data set that trains and evaluates the advice model: measured times, and features known without
// measuring.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "predict/form.hpp"
#include "predict/option.hpp"
#include "predict/profile.hpp"
#include "record/results.hpp"
#include "record/statistics.hpp"

namespace sextant::predict {

// The properties of a kernel on a problem, and the name of its family of similar kernels.
struct KnownForm {
  Form form;
  std::string family;
};
// Returns nothing if the kernel is unknown.
using FormSource = std::function<std::optional<KnownForm>(const Case&)>;

struct DataMachine {
  std::string name;  // host name with the number of OpenMP threads: "h200/16"
  Profile profile;
};

struct DataProblem {
  // Kernel, type, N, shape, parameters and cache mode; equal for cases that compute the same.
  std::string name;
  Case what;  // the problem as a case, with an empty variant
  KnownForm known;
};

// One measured case. Times are in seconds; an interval with 0 samples is unknown.
struct DataRow {
  std::size_t machine = 0, problem = 0;  // indices into DataSet::machines and DataSet::problems
  Case what;
  std::optional<Option> option;
  std::string threads, timestamp;
  bool excluded_from_ranking = false;   // true if the variant solves a different task
  std::optional<bool> standard_tuning;  // true for the variant's default tuning
  Status status = Status::ok;
  // `whole`: end-to-end time. On a GPU: allocation, copies and call. On a CPU: only the call.
  Interval call, device, whole;
  std::optional<double> copy_in, copy_out, allocation;
};

// One parameter combination that a tuning search tried. Slow combinations have few samples.
struct SearchedPoint {
  std::size_t machine = 0, problem = 0;  // indices into DataSet::machines and DataSet::problems
  Case what;
  std::optional<Option> option;
  std::string goal;  // the time that the search minimizes: device, call or whole
  Effort effort = Effort::measured;
  Status status = Status::ok;
  double time = 0, low = 0, high = 0;  // median and interval of the time in seconds; 0: unknown
  std::int64_t samples = 0;
};

// A case from a table of `sextant export`, which contains neither single samples nor machine descriptions.
struct ExportedCase {
  std::string machine;  // host name of the machine
  DataRow row;
  Work work;
};

struct DataSet {
  std::vector<DataMachine> machines;
  std::vector<DataProblem> problems;
  std::vector<DataRow> rows;            // in an order that does not depend on the order of the results
  std::vector<SearchedPoint> searched;  // in an order that does not depend on the order of the results
  // By split: the CSV text of its folds, if the data set contains them. Other folds are computed.
  std::map<std::string, std::string> folds;
  std::vector<std::string> left_out;  // kernels without known properties, each with the reason
};

// Names a problem: "triad float 1048576 349525" or "heat3d_r1 double 1048576 80x80x80 parameters 10,1,0,0".
// "cold" is appended for cold caches.
std::string name_of_problem(const Case& what);

// Builds the data set from the newest measurement of each case and the newest search of each point. Leaves
// out cases whose inputs `run --fill` chose, unknown problems, and measurements whose work differs from that
// of the current kernel. An exported case belongs to the machine with its host name, which a session must
// describe. Missing ceilings come from the most similar machine.
DataSet data_set_of(const Results& results, const FormSource& forms,
                    const std::vector<ExportedCase>& exported = {});

// Adds the machines, problems, rows and searched points of another data set. Folds of joined sets are
// computed.
void append(DataSet other, DataSet* data);

// Names and default values of the kernel parameters that users can set. They come first in
// Problem::parameters.
struct KernelParameters {
  std::vector<std::string> names;
  std::array<std::int64_t, 4> standard = {};
};
using ParameterSource = std::function<KernelParameters(const std::string& kernel)>;

// Reads a table of `sextant export`, except for cases whose inputs `run --fill` chose. `name`: the table's
// name in error messages. `host`: host that measured all cases; if empty, the table's host column counts.
// Throws UserError for an invalid table.
std::vector<ExportedCase> read_exported(const std::string& csv, const std::string& name,
                                        const std::string& host, const ParameterSource& parameters);

// Merges the sessions, measurements and searches of several files. Sessions get new numbers.
Results joined(std::vector<Results> files);

// Text of each file of the data set, by file name: cases.csv, searches.csv, problems.csv, machines.csv,
// ceilings.csv, folds/*.csv and checksums. Equal measurements give equal texts.
std::map<std::string, std::string> files_of(const DataSet& data);

// Reads the files that files_of writes. Does not verify checksums; folds may be missing. The minimum of each
// interval is set to its lower end. Throws UserError if a table is missing or contains an invalid value.
DataSet data_set_from(const std::map<std::string, std::string>& files);

// Converts the data set to results for the tuner: searched points, and one sample per measured case. Excludes
// cases with cold caches, cases without tunables, and searches that do not minimize the device time. Tunables
// are sorted by name.
Results results_of(const DataSet& data);

}  // namespace sextant::predict
