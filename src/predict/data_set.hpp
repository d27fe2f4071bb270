// The data set that predictions are trained and judged on: what was measured, beside what can be known
// without measuring.
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

// What is said of a kernel on a problem by whoever knows the kernel.
struct KnownForm {
  Form form;
  std::string family;
};
using FormSource = std::function<std::optional<KnownForm>(const Case&)>;  // nothing: it is not known

struct DataMachine {
  std::string name;  // of the host, with its OpenMP threads: "h200/16"
  Profile profile;
};

struct DataProblem {
  std::string name;  // kernel, type, N, shape, parameters, cache: equal for cases that compute the same
  Case what;         // without a variant
  KnownForm known;
};

// One measured case. Times in seconds; an interval of 0 samples: not known.
struct DataRow {
  std::size_t machine = 0, problem = 0;  // places in the data set
  Case what;
  std::optional<Option> option;
  std::string threads, timestamp;
  bool aside = false;                   // answers another question: no kernel's best
  std::optional<bool> standard_tuning;  // the variant's default
  Status status = Status::ok;
  Interval call, device, whole;  // whole: the call on the CPU; allocation, copies and call on a GPU
  std::optional<double> copy_in, copy_out, allocation;
};

// A point that a search for the best tuning tried: a time of few samples, where it saw soon that others are
// faster.
struct SearchedPoint {
  std::size_t machine = 0, problem = 0;  // places in the data set
  Case what;
  std::optional<Option> option;
  std::string goal;  // whose time it is: device, call or whole
  Effort effort = Effort::measured;
  Status status = Status::ok;
  double time = 0, low = 0, high = 0;  // seconds; 0: it has none
  std::int64_t samples = 0;
};

// A case of a table that `sextant export` wrote of a results file, which has no samples and says nothing of
// its machine.
struct ExportedCase {
  std::string machine;  // the host's name
  DataRow row;
  Work work;
};

struct DataSet {
  std::vector<DataMachine> machines;
  std::vector<DataProblem> problems;
  std::vector<DataRow> rows;            // in an order that does not depend on that of the results
  std::vector<SearchedPoint> searched;  // likewise
  std::map<std::string, std::string>
      folds;                          // of splits by name, the files that came with it; else they are made
  std::vector<std::string> left_out;  // kernels of which there are rows and no forms, and why; each once
};

// "triad float 1048576 349525", "heat3d_r1 double 1048576 80x80x80 parameters 10,1,0,0", with "cold" where
// caches were.
std::string name_of_problem(const Case& what);

// Of each case the newest measurement, and of each point the newest search's; skipped ones are none. Left out
// is what `forms` does not know, and what was measured when the kernel was another: with other work than the
// form's. Exported cases count for the machine of their host's name of which a session says what it is. A
// machine without ceilings has those of one with the same hardware.
DataSet data_set_of(const Results& results, const FormSource& forms,
                    const std::vector<ExportedCase>& exported = {});

// Of a kernel the names of those Problem::parameters that users choose, which are the first, and what they
// are where a table does not say.
struct KernelParameters {
  std::vector<std::string> names;
  std::array<std::int64_t, 4> standard = {};
};
using ParameterSource = std::function<KernelParameters(const std::string& kernel)>;

// Reads such a table, called `name`; `host`: where all of it was measured, if the table's name for it is not
// to count. Throws UserError saying what is wrong with it.
std::vector<ExportedCase> read_exported(const std::string& csv, const std::string& name,
                                        const std::string& host, const ParameterSource& parameters);

// The sessions and measurements of several files as one.
Results joined(std::vector<Results> files);

// The files of the data set by their names, without its card: cases.csv, searches.csv, problems.csv,
// machines.csv, ceilings.csv, folds/*.csv and checksums. The same texts for the same measurements, whatever
// files they came in.
std::map<std::string, std::string> files_of(const DataSet& data);

// What such files say; checksums are not looked at, and folds may be missing. Of times the intervals' least
// is their lower end. Throws UserError for a table that is missing or says what cannot be.
DataSet data_set_from(const std::map<std::string, std::string>& files);

// Its measured times as a file of results has them, one sample a case, and its searched points: what a tuner
// learns from. Cold cases and those of which nothing came are left out; tunables are by name.
Results results_of(const DataSet& data);

enum class ColumnClass : std::uint8_t {
  name,     // of kernels, machines and the like: never a feature, as others will have other names
  choice,   // what can be chosen or asked for: option, type, size, tuning
  form,     // of the kernel
  profile,  // of the machine
  outcome,  // what came of measuring: never a feature
};

// The class of a column of cases.csv, searches.csv, problems.csv, machines.csv or ceilings.csv. Throws
// UserError for one that there is not.
ColumnClass class_of(const std::string& column);

// Throws UserError, beginning with `where`, that names the first of these features which is a column of
// outcomes or of names, and why it is none. What is no column passes: features are made of columns, too.
void require_features(std::span<const std::string> names, const std::string& where);

}  // namespace sextant::predict
