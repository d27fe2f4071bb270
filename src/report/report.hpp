// The report: one self-contained HTML page of one or several results files.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"
#include "record/results.hpp"

namespace sextant {

struct ReportFile {
  std::string name;  // as the page calls it
  Results results;
};

struct ReportOptions {
  double share = 0.8;  // of a program, for Amdahl's law
};

// The whole page. Machines of the same name in several files are told apart by the files' names. Files
// without results make a page that says so.
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

// What all sections are made of.
struct Context {
  Results results;
  std::vector<Summary> summaries;  // of results
  std::vector<Machine> machines;
  ReportOptions options;

  bool several() const { return machines.size() > 1; }
};

// The sections of the page, each from <section> to </section>.
std::string verdict_section(const Context& context);
std::string wins_section(const Context& context);
std::string kernels_section(const Context& context);
std::string time_section(const Context& context);
std::string roofline_section(const Context& context);
std::string tuning_section(const Context& context);
std::string amdahl_section(const Context& context);
std::string programs_section(const Context& context);  // "" where no measurement has phases
std::string methods_section(const Context& context);

// What several sections say of a group: "triad, float, cold caches", and where from with several machines.
std::string name_of_group(const Context& context, const StudyGroup& group);
// Unique on the page: for ids and file names.
std::string id_of_group(const Context& context, const StudyGroup& group);
// <h3> with the machine's label where there are several, else nothing.
std::string machine_heading(const Context& context, const Machine& machine);
std::string section_open(const char* id, const char* title);

}  // namespace report

}  // namespace sextant
