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

// Form of a kernel on a problem, and the kernel's family. Kernels of a family are so similar that
// measurements of one reveal the times of another.
struct KnownForm {
  Form form;
  std::string family;
};
using FormSource = std::function<std::optional<KnownForm>(const Case&)>;  // nothing if the kernel is unknown

struct DataMachine {
  std::string name;  // host name with the number of OpenMP threads: "h200/16"
  Profile profile;
};

struct DataProblem {
  std::string name;  // kernel, type, N, shape, parameters and cache; equal for cases that compute the same
  Case what;         // without a variant
  KnownForm known;
};

// One measured case. Times are in seconds; an interval with 0 samples is unknown.
struct DataRow {
  std::size_t machine = 0, problem = 0;  // indices into the data set
  Case what;
  std::optional<Option> option;
  std::string threads, timestamp;
  bool aside = false;                   // excluded from ranking, because it solves another task
  std::optional<bool> standard_tuning;  // true for the variant's default tuning
  Status status = Status::ok;
  Interval call, device, whole;  // whole: on the CPU the call; on a GPU allocation, copies and call
  std::optional<double> copy_in, copy_out, allocation;
};

// A point that a tuning search tried. It has few samples if the search soon saw that other points are faster.
struct SearchedPoint {
  std::size_t machine = 0, problem = 0;  // indices into the data set
  Case what;
  std::optional<Option> option;
  std::string goal;  // time that the search minimizes: device, call or whole
  Effort effort = Effort::measured;
  Status status = Status::ok;
  double time = 0, low = 0, high = 0;  // seconds; 0: unknown
  std::int64_t samples = 0;
};

// A case from a table of `sextant export`, which contains neither samples nor a description of the machine.
struct ExportedCase {
  std::string machine;  // host name
  DataRow row;
  Work work;
};

struct DataSet {
  std::vector<DataMachine> machines;
  std::vector<DataProblem> problems;
  std::vector<DataRow> rows;            // in an order that does not depend on the order of the results
  std::vector<SearchedPoint> searched;  // in an order that does not depend on the order of the results
  // CSV text of the folds that came with the data set, by split; missing splits are computed.
  std::map<std::string, std::string> folds;
  std::vector<std::string> left_out;  // kernels with rows but without forms, and the reason; each once
};

// "triad float 1048576 349525" or "heat3d_r1 double 1048576 80x80x80 parameters 10,1,0,0". Cold caches add
// "cold".
std::string name_of_problem(const Case& what);

// Keeps the newest measurement of each case and the newest search of each point, without skipped cases.
// Leaves out problems that `forms` does not know. Leaves out measurements whose work differs from the form's,
// because the kernel has changed. An exported case belongs to the machine with its host name, which a session
// must describe. Ceilings that a machine lacks come from the most similar machine.
DataSet data_set_of(const Results& results, const FormSource& forms,
                    const std::vector<ExportedCase>& exported = {});

// Names and default values of a kernel's user parameters, which are the first of Problem::parameters. The
// defaults apply if a table has no value.
struct KernelParameters {
  std::vector<std::string> names;
  std::array<std::int64_t, 4> standard = {};
};
using ParameterSource = std::function<KernelParameters(const std::string& kernel)>;

// Reads a table of `sextant export`. `name`: the table's name in errors. `host`: host that measured all
// cases, instead of the table's host name; may be empty. Throws UserError that says what is wrong.
std::vector<ExportedCase> read_exported(const std::string& csv, const std::string& name,
                                        const std::string& host, const ParameterSource& parameters);

// Merges the sessions, measurements and searches of several files.
Results joined(std::vector<Results> files);

// Texts of the data set's files by name: cases.csv, searches.csv, problems.csv, machines.csv, ceilings.csv,
// folds/*.csv and checksums, without its description. Equal measurements give equal texts, whatever files
// they came from.
std::map<std::string, std::string> files_of(const DataSet& data);

// Reads such files. Checksums are not verified, and folds may be missing. The minimum of an interval is set
// to its lower end. Throws UserError if a table is missing or contains an invalid value.
DataSet data_set_from(const std::map<std::string, std::string>& files);

// The data set as results, from which a tuner learns: searched points, and one sample per measured case.
// Leaves out cold cases, cases without tunables, and searches that minimize another time than the device's.
// Tunables are sorted by name.
Results results_of(const DataSet& data);

enum class ColumnClass : std::uint8_t {
  name,     // name of a kernel, machine etc.; never a feature, because new ones have new names
  choice,   // can be chosen or requested: option, type, size, tuning
  form,     // property of the kernel
  profile,  // property of the machine
  outcome,  // result of a measurement; never a feature
};

// Class of a column of cases.csv, searches.csv, problems.csv, machines.csv or ceilings.csv. Throws UserError
// for an unknown column.
ColumnClass class_of(const std::string& column);

// Throws UserError, starting with `where`, for the first name that is an outcome or name column. Names that
// are not columns pass, because features can be derived from columns.
void require_features(std::span<const std::string> names, const std::string& where);

}  // namespace sextant::predict
