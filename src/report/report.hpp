// Makes the report: one self-contained HTML page from one or several results files.
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

// The trained model's advice for a problem, given without this problem's measurements.
struct Advised {
  std::string column;  // advised programming model; one of study_columns
  double seconds = 0;  // predicted time
  bool sure = false;
};
struct AdviceQuestion {
  const std::vector<const Session*>& sessions;  // sessions of the machine, which contain its peak rates
  const Case& problem;                          // any case of the problem
  std::vector<std::string> columns;             // models to choose from
  bool with_transfers = false;
};
// Asks the trained model for advice. Returns nothing if it does not know the kernel or the machine.
using AskAdvice = std::function<std::optional<Advised>(const AdviceQuestion&)>;

struct ReportOptions {
  double share = 0.8;  // fraction of a program's time that a kernel takes (Amdahl's law)
  AskAdvice advise;    // if null, the page contains no advice
};

// Makes the page. Merges the files of one machine; the newest measurement of each case counts. If files
// contain the same cases from different builds, the page also compares the builds.
std::string make_report(std::vector<ReportFile> files, const ReportOptions& options);

namespace report {

// One machine with its sessions and results.
struct Machine {
  std::string name;   // name as in StudyRow::machine
  std::string label;  // name as shown on the page; "this machine" if it is unknown
  std::vector<const Session*> sessions;
  std::vector<StudyRow> rows;
  std::vector<StudyGroup> groups;  // `rows` in groups
};

// A machine that was measured with two builds of the program.
struct Change {
  std::string machine;
  Side before, after;  // named after their files
};

// The data that all sections use.
struct Context {
  Results results;
  std::vector<Summary> summaries;  // the summaries of `results` with the kernels' usual inputs
  std::size_t filled = 0;          // number of further cases, whose inputs `run --fill` chose
  std::vector<Machine> machines;
  std::vector<Change> changes;
  std::deque<Results> compared;  // owns the results that `changes` refers to
  std::string file;              // file name to show in commands, or the word FILE
  ReportOptions options;

  bool several() const { return machines.size() > 1; }
};

// Each function returns one section of the page, or "" if there is nothing to show.
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
std::string state_section(const Context& context);
std::string tuning_section(const Context& context);
std::string search_section(const Context& context);
std::string scaling_section(const Context& context);
std::string amdahl_section(const Context& context);
std::string programs_section(const Context& context);
std::string study_section(const Context& context);
std::string methods_section(const Context& context);

// Names a group, such as "triad, float, cold caches". With several machines, adds the machine's name.
std::string name_of_group(const Context& context, const StudyGroup& group);
// Returns an identifier of the group that is unique on the page, for ids and file names.
std::string id_of_group(const Context& context, const StudyGroup& group);
// Returns an <h3> element with the machine's label, or "" if there is only one machine.
std::string machine_heading(const Context& context, const Machine& machine);
// Returns a suffix for ids: "-m2" for the second of several machines.
std::string machine_suffix(const Context& context, std::size_t machine);
std::string section_open(const char* id, const char* title);
// Return true if at least one result was measured on a device. Otherwise the page does not mention GPUs.
bool has_device_columns(const StudyGroup& group);
bool has_device_columns(const Context& context);
// Return true if at least one device result includes copies between host and device.
bool has_copies(const StudyGroup& group);
bool has_copies(const Machine& machine);
// Returns the row of each group's largest size, for tables that would otherwise be too long.
std::vector<StudyRow> largest_rows(const Machine& machine);
// Makes a collapsed part of the page with a title. Returns "" without content.
std::string folded(const std::string& title, const std::string& html);
// Makes a paragraph with the sextant command that prints the same data.
std::string command_html(const Context& context, const std::string& arguments);

}  // namespace report

}  // namespace sextant
