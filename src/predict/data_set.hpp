// The data set that trains and evaluates predictions: measured times, and features known without measuring.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/form.hpp"
#include "predict/option.hpp"
#include "predict/profile.hpp"
#include "record/results.hpp"
#include "record/statistics.hpp"

namespace sextant::predict {

// The properties (form) of a kernel on a problem, and the kernel's family. Kernels of a family are so similar
// that measurements of one reveal the times of another.
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
  bool excluded_from_ranking = false;   // the variant solves another task and is excluded from ranking
  std::optional<bool> standard_tuning;  // true for the variant's default tuning
  Status status = Status::ok;
  // `whole`: end-to-end time; a GPU's allocation, copies and call; on the CPU, only the call.
  Interval call, device, whole;
  std::optional<double> copy_in, copy_out, allocation;
};

// One parameter combination that a tuning search tried. It has few samples if the search soon saw that others
// are faster.
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

// A case from a table of `sextant export`, which contains neither samples nor a description of the machine.
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
  // By name of the split: the CSV text of its folds if they came with the data set. Others are computed.
  std::map<std::string, std::string> folds;
  std::vector<std::string> left_out;  // kernels that have rows but no form, each with the reason
};

// Names a problem: "triad float 1048576 349525" or "heat3d_r1 double 1048576 80x80x80 parameters 10,1,0,0".
// "cold" is appended for cold caches.
std::string name_of_problem(const Case& what);

// Keeps the newest measurement of each case and the newest search of each point, without skipped cases.
// Leaves out problems that `forms` does not know. Leaves out measurements whose work differs from the form's,
// because the kernel has changed. An exported case belongs to the machine with its host name, which a session
// must describe. Ceilings that a machine lacks come from the most similar machine.
DataSet data_set_of(const Results& results, const FormSource& forms,
                    const std::vector<ExportedCase>& exported = {});

// Names and default values of the kernel parameters that users can set. They come first in
// Problem::parameters. The defaults apply if a table has no value.
struct KernelParameters {
  std::vector<std::string> names;
  std::array<std::int64_t, 4> standard = {};
};
using ParameterSource = std::function<KernelParameters(const std::string& kernel)>;

// Reads a table of `sextant export`. `name`: how errors call the table. `host`: the host that measured all
// cases, which replaces the table's host name; may be empty. Throws UserError that says what is wrong.
std::vector<ExportedCase> read_exported(const std::string& csv, const std::string& name,
                                        const std::string& host, const ParameterSource& parameters);

// Merges the sessions, measurements and searches of several files.
Results joined(std::vector<Results> files);

// Texts of the data set's files by name: cases.csv, searches.csv, problems.csv, machines.csv, ceilings.csv,
// folds/*.csv and checksums, without the description. Equal measurements give equal texts, in whatever files
// they were stored.
std::map<std::string, std::string> files_of(const DataSet& data);

// Reads the files that files_of writes. Checksums are not verified, and folds may be missing. The minimum of
// each interval is set to its lower end. Throws UserError if a table is missing or contains an invalid value.
DataSet data_set_from(const std::map<std::string, std::string>& files);

// Converts the data set to results from which a tuner learns: searched points, and one sample per measured
// case. Excludes cases with cold caches, cases without tunables, and searches that do not minimize the device
// time. Tunables are sorted by name.
Results results_of(const DataSet& data);

enum class ColumnClass : std::uint8_t {
  name,     // name of a kernel, machine etc.; never a feature, because a new kernel or machine has a new name
  choice,   // can be chosen or requested by a user: option, type, size, tuning
  form,     // property of the kernel
  profile,  // property of the machine
  outcome,  // result of a measurement; never a feature
};

// Class of a column of cases.csv, searches.csv, problems.csv, machines.csv or ceilings.csv. Throws UserError
// for an unknown column.
ColumnClass class_of(const std::string& column);

// Throws UserError if one of the names is a column of class outcome or name. The message starts with `where`.
// Names that are not columns pass, because features can be derived from columns.
void require_features(std::span<const std::string> names, const std::string& where);

}  // namespace sextant::predict
