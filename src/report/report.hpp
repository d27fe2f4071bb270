// The report: one self-contained HTML page of one or several results files.
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
  std::string name;  // as the page calls it
  Results results;
};

// What advice would say of a problem that was not measured.
struct Advised {
  std::string column;  // of study_columns
  double seconds = 0;  // expected
  bool sure = false;
};
struct AdviceQuestion {
  const std::vector<const Session*>& sessions;  // of the machine, whose ceilings it goes by
  const Case& problem;                          // a case of it
  std::vector<std::string> columns;             // what was measured, and may be chosen
  bool with_transfers = false;
};
// Nothing: advice knows nothing of this kernel or machine.
using AskAdvice = std::function<std::optional<Advised>(const AdviceQuestion&)>;

struct ReportOptions {
  double share = 0.8;  // of a program, for Amdahl's law
  AskAdvice advise;    // may be null: no map of advice
};

// The whole page. Files of one machine are one data set, of which the newest measurement of a case counts;
// where they hold the same cases of different builds, these are compared, too. Files without results make a
// page that says so.
std::string make_report(std::vector<ReportFile> files, const ReportOptions& options);

namespace report {

// One machine of the page.
struct Machine {
  std::string name;   // as in the rows
  std::string label;  // what the page calls it: the name, or "this machine" where none is known
  std::vector<const Session*> sessions;
  std::vector<StudyRow> rows;
  std::vector<StudyGroup> groups;  // of rows
};

// A machine measured before and after something changed.
struct Change {
  std::string machine;
  Side before, after;  // named by their files
};

// What all sections are made of.
struct Context {
  Results results;
  std::vector<Summary> summaries;  // of results
  std::vector<Machine> machines;
  std::vector<Change> changes;
  std::deque<Results> compared;  // what the changes' sides are of
  std::string file;              // what commands call the results: its name, or FILE
  ReportOptions options;

  bool several() const { return machines.size() > 1; }
};

// The sections of the page, each from <section> to </section>; "": there is nothing to say.
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

// What several sections say of a group: "triad, float, cold caches", and where from with several machines.
std::string name_of_group(const Context& context, const StudyGroup& group);
// Unique on the page: for ids and file names.
std::string id_of_group(const Context& context, const StudyGroup& group);
// <h3> with the machine's label where there are several, else nothing.
std::string machine_heading(const Context& context, const Machine& machine);
// "-m2" for the second of several machines.
std::string machine_suffix(const Context& context, std::size_t machine);
std::string section_open(const char* id, const char* title);
// Whether anything ran away from the CPU with its copies: else times with copies are those without.
// Whether a variant of a GPU was measured: else the page says nothing of GPUs.
bool has_device_columns(const StudyGroup& group);
bool has_device_columns(const Context& context);
bool has_copies(const StudyGroup& group);
bool has_copies(const Machine& machine);
// Of each group the row of its largest size: what tables hold that would else be long.
std::vector<StudyRow> largest_rows(const Machine& machine);
// A part that is opened by hand; "" for nothing in it.
std::string folded(const std::string& title, const std::string& html);
// The command that prints the same: <p class="command">.
std::string command_html(const Context& context, const std::string& arguments);

}  // namespace report

}  // namespace sextant
