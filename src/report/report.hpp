// Makes the report: one HTML page, without external files, from one or several results files.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "analysis/study/groups.hpp"
#include "record/results.hpp"

namespace sextant {

struct ReportFile {
  std::string name;  // file name as shown on the page
  Results results;
};

// The advice of the trained model for a problem, given without this problem's measurements.
struct Advised {
  std::string column;  // the advised model; one of study_columns
  double seconds = 0;  // the predicted time
  bool sure = false;
};
struct AdviceQuestion {
  const std::vector<const Session*>& sessions;  // sessions of the machine, from which its ceilings are taken
  const Case& problem;                          // any case of the problem, whatever its variant
  std::vector<std::string> columns;             // the measured columns; the advice must be one of them
  bool with_transfers = false;
};
// Function that asks the trained model for advice. It returns nothing if the model does not know the kernel
// or the machine.
using AskAdvice = std::function<std::optional<Advised>(const AdviceQuestion&)>;

struct ReportOptions {
  double share = 0.8;  // fraction of a program's time that a kernel takes, for the section on Amdahl's law
  AskAdvice advise;    // if null, the page has no section on advice
};

// Makes the page. Files of one machine are merged, and the newest measurement of each case counts. If files
// contain the same cases from different builds, the builds are also compared. For files without results, the
// page says that there are none.
std::string make_report(std::vector<ReportFile> files, const ReportOptions& options);

namespace report {

// The sessions and rows of one machine.
struct Machine {
  std::string name;   // name as in StudyRow::machine
  std::string label;  // name as shown on the page; "this machine" if it is unknown
  std::vector<const Session*> sessions;
  std::vector<StudyRow> rows;
  std::vector<StudyGroup> groups;  // the groups that consist of `rows`
};

// A machine that was measured with two builds of the program.
struct Change {
  std::string machine;
  Side before, after;  // each side's name is that of its file
};

// The data that all sections use.
struct Context {
  Results results;
  std::vector<Summary> summaries;  // the summaries of `results`
  std::vector<Machine> machines;
  std::vector<Change> changes;
  std::deque<Results> compared;  // results to which the sides in `changes` point
  std::string file;              // file name to show in commands, or FILE
  ReportOptions options;

  bool several() const { return machines.size() > 1; }
};

// The sections of the page. Each is a <section> element, or "" if there is nothing to show.
std::string answer_section(const Context& context);
std::string map_section(const Context& context);
std::string models_section(const Context& context);
std::string advice_section(const Context& context);
std::string changes_section(const Context& context);
std::string machines_section(const Context& context);
std::string kernels_section(const Context& context);
std::string time_section(const Context& context);
std::string roofline_section(const Context& context);
std::string threads_section(const Context& context);
std::string tuning_section(const Context& context);
std::string search_section(const Context& context);
std::string scaling_section(const Context& context);
std::string amdahl_section(const Context& context);
std::string programs_section(const Context& context);
std::string study_section(const Context& context);
std::string methods_section(const Context& context);

// Names a group, such as "triad, float, cold caches". If there are several machines, the machine's name is
// added.
std::string name_of_group(const Context& context, const StudyGroup& group);
// An identifier of the group that is unique on the page, for ids and file names.
std::string id_of_group(const Context& context, const StudyGroup& group);
// An <h3> element with the machine's label; "" if there is only one machine.
std::string machine_heading(const Context& context, const Machine& machine);
// A suffix for ids: "-m2" for the second of several machines.
std::string machine_suffix(const Context& context, std::size_t machine);
std::string section_open(const char* id, const char* title);
// True if at least one result was measured on a device. Otherwise, the page does not mention GPUs.
bool has_device_columns(const StudyGroup& group);
bool has_device_columns(const Context& context);
// True if at least one device result includes copies. Otherwise, times with and without copies are equal.
bool has_copies(const StudyGroup& group);
bool has_copies(const Machine& machine);
// The row of each group's largest size, for tables that would be too long with all sizes.
std::vector<StudyRow> largest_rows(const Machine& machine);
// A part of the page with a title that is collapsed at first; "" without content.
std::string folded(const std::string& title, const std::string& html);
// A paragraph with the sextant command that prints the same data.
std::string command_html(const Context& context, const std::string& arguments);

}  // namespace report

}  // namespace sextant
