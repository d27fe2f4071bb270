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
  std::string name;  // shown on the page
  Results results;
};

// The advice for a problem, given without its measurements.
struct Advised {
  std::string column;  // one of study_columns
  double seconds = 0;  // predicted
  bool sure = false;
};
struct AdviceQuestion {
  const std::vector<const Session*>& sessions;  // of the machine, for its ceilings
  const Case& problem;                          // any case of the problem
  std::vector<std::string> columns;             // the measured columns, from which advice chooses
  bool with_transfers = false;
};
// Asks for advice. Returns nothing if the kernel or machine is unknown to the model.
using AskAdvice = std::function<std::optional<Advised>(const AdviceQuestion&)>;

struct ReportOptions {
  double share = 0.8;  // fraction of a program's time, for Amdahl's law
  AskAdvice advise;    // may be null: no advice section
};

// Makes the page. Files of one machine are merged, and the newest measurement of a case counts. If files
// contain the same cases from different builds, the builds are also compared. Files without results give a
// page that says so.
std::string make_report(std::vector<ReportFile> files, const ReportOptions& options);

namespace report {

// One machine of the page.
struct Machine {
  std::string name;   // as in the rows
  std::string label;  // as shown on the page; "this machine" if the name is unknown
  std::vector<const Session*> sessions;
  std::vector<StudyRow> rows;
  std::vector<StudyGroup> groups;  // of rows
};

// A machine measured with two builds.
struct Change {
  std::string machine;
  Side before, after;  // named after their files
};

// The data of all sections.
struct Context {
  Results results;
  std::vector<Summary> summaries;  // of `results`
  std::vector<Machine> machines;
  std::vector<Change> changes;
  std::deque<Results> compared;  // results to which the sides in `changes` point
  std::string file;              // file name in the commands that the page shows, or FILE
  ReportOptions options;

  bool several() const { return machines.size() > 1; }
};

// The sections of the page, each a <section> element; "" if there is nothing to show.
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

// The group as text, such as "triad, float, cold caches", with the machine if there are several.
std::string name_of_group(const Context& context, const StudyGroup& group);
// An identifier that is unique on the page, for ids and file names.
std::string id_of_group(const Context& context, const StudyGroup& group);
// <h3> with the machine's label if there are several machines, else "".
std::string machine_heading(const Context& context, const Machine& machine);
// "-m2" for the second of several machines.
std::string machine_suffix(const Context& context, std::size_t machine);
std::string section_open(const char* id, const char* title);
// True if a result was measured on a device. Otherwise the page does not mention GPUs.
bool has_device_columns(const StudyGroup& group);
bool has_device_columns(const Context& context);
// True if a device result includes copies. Otherwise times with and without copies are equal.
bool has_copies(const StudyGroup& group);
bool has_copies(const Machine& machine);
// The row of each group's largest size, for tables that would be too long with all sizes.
std::vector<StudyRow> largest_rows(const Machine& machine);
// A collapsed part with a title; "" without content.
std::string folded(const std::string& title, const std::string& html);
// A paragraph with the command that prints the same data.
std::string command_html(const Context& context, const std::string& arguments);

}  // namespace report

}  // namespace sextant
