// sextant compare: judges each case as equal, faster, slower or open (undecided).
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>

#include "base/error.hpp"
#include "base/join.hpp"
#include "cli/commands.hpp"
#include "cli/compare/history.hpp"
#include "cli/compare/programs.hpp"
#include "cli/compare/sides.hpp"
#include "cli/files/output.hpp"
#include "cli/options/data.hpp"
#include "cli/options/selection.hpp"
#include "cli/options/values.hpp"
#include "present/comparison.hpp"
#include "present/terminal.hpp"

namespace sextant {
namespace {

struct CompareOptions {
  std::vector<std::string> sides;
  std::string threshold, fail_on, format = "table", time = "steadiest", output, data = "fresh";
  std::string programs, loads, budget, timeout, runs, results;
  bool all = false, json = false, csv = false, quiet = false, history = false;
  SelectionOptions selection;
};

// Returns a text that identifies a measurement. It is the same in a copied or merged file.
std::string identity(const Summary& s) {
  return (s.session ? s.session->started + s.session->command : std::string()) + s.machine +
         s.measurement->timestamp + std::to_string(s.measurement->seed);
}

void refuse_copies(const std::vector<Side>& sides, const Matching& matching,
                   std::vector<std::string>* notes) {
  for (std::size_t other = 1; other < sides.size(); ++other) {
    std::size_t equal = 0;
    for (const MatchedCase& matched : matching.matched) {
      std::unordered_set<std::string> base;
      for (const Summary* s : matched.runs[0]) base.insert(identity(*s));
      equal += std::any_of(matched.runs[other].begin(), matched.runs[other].end(), [&](const Summary* s) {
        return base.count(identity(*s)) &&
               s->measurement->call_times == matched.runs[0].back()->measurement->call_times;
      });
    }
    if (equal == matching.matched.size())
      throw UserError(
          sides[other].name + " holds the same measurements as " + sides[0].name +
          ", so one file is a copy of the other or was merged from it. Compare with another run.");
    if (equal)
      notes->push_back("Note: " + std::to_string(equal) + " measurements are identical in " + sides[0].name +
                       " and " + sides[other].name +
                       ". They tell nothing about a difference between the runs.");
  }
}

std::string machine_names(const Side& side) {
  std::set<std::string> names;
  for (const Summary& s : side.summaries) names.insert(s.machine);
  return join(names);
}

[[noreturn]] void refuse_nothing_in_common(const std::vector<Side>& sides, const Matching& matching) {
  const bool several = std::any_of(sides.begin(), sides.end(), [](const Side& side) {
    return machine_names(side).find(',') != std::string::npos;
  });
  std::string hint = several ? " One file holds several machines, so machines are matched by name:" : "";
  for (const Side& side : sides)
    if (several) hint += " " + side.name + " has " + machine_names(side) + ";";
  std::string example;
  if (!matching.missing.empty()) {
    const Case& what = matching.missing.front().found->measurement->what;
    example = " For example, " + what.kernel + " " + what.variant + " " + name_of(what.problem.type) + " " +
              std::to_string(what.problem.n) + " is not in " +
              sides[matching.missing.front().missing_on.front()].name + ".";
  }
  throw UserError(
      "the files have no case in common. Two cases match if kernel, variant, type, size, tuning, cache mode "
      "and fill are equal." +
      example + hint);
}

// Adds a note for each side that was measured on busy processors, because this may explain noise.
void add_load_notes(const std::vector<Side>& sides, std::vector<std::string>* notes) {
  for (const Side& side : sides) {
    std::set<const Session*> sessions;
    for (const Summary& s : side.summaries)
      if (s.session) sessions.insert(s.session);
    for (const Session* session : sessions) {
      const auto load = session->environment.find("load"), threads = session->environment.find("cpu.threads");
      if (load == session->environment.end() || threads == session->environment.end()) continue;
      if (std::atof(load->second.c_str()) <= std::max(1.0, std::atof(threads->second.c_str())) / 2) continue;
      notes->push_back("Note: the machine was busy at the start of " + side.name + " (load " + load->second +
                       " on " + threads->second + " processors).");
      break;
    }
  }
}

ComparedTime asked_time(const CompareOptions& options) {
  for (const ComparedTime time : {ComparedTime::call, ComparedTime::device})
    if (options.time == name_of(time)) return time;
  return ComparedTime::steadiest;
}

// Returns the relative difference from which cases count as different (5 % by default). Also prints how the
// value of --threshold was understood.
double asked_threshold(const CompareOptions& options) {
  if (options.threshold.empty()) return 0.05;
  const double threshold = parse_share(options.threshold, "--threshold", {.with_least = true, .most = 10});
  std::fprintf(stderr, "%s\n", understood_share("--threshold", threshold).c_str());
  return threshold;
}

// The findings for which the command exits with code 4.
struct FailOn {
  bool regression = false, open = false, missing = false;
};

FailOn fail_on(const std::string& text) {
  FailOn asked;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    bool* const what = one == "regression" ? &asked.regression
                       : one == "open"     ? &asked.open
                       : one == "missing"  ? &asked.missing
                                           : nullptr;
    if (!what)
      throw UserError("`" + one +
                      "` of --fail-on is not valid. Write `regression`, `open` or `missing`, or several of "
                      "them separated by commas.");
    *what = true;
    begin = end + 1;
  }
  return asked;
}

int exit_code_of(const ComparisonReport& report, const FailOn& asked) {
  bool fails = asked.missing && !report.missing.empty();
  for (const Comparison& comparison : report.comparisons)
    for (const ComparedCase& c : comparison.cases)
      fails = fails || (asked.regression && (c.verdict == Verdict::slower || c.verdict == Verdict::broken)) ||
              (asked.open && (c.verdict == Verdict::open || c.verdict == Verdict::no_result));
  return fails ? static_cast<int>(ExitCode::regression) : 0;
}

std::string format_of(const CompareOptions& options) {
  return options.json ? "json" : options.csv ? "csv" : options.format;
}

void write_report(const ComparisonReport& report, const CompareOptions& options) {
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  const bool printed = options.output.empty();
  const std::string format = format_of(options);
  write_output(format == "json"    ? to_json(report)
               : format == "csv"   ? to_csv(report)
               : format == "junit" ? to_junit(report)
               : format == "line"  ? to_lines(report)
                                   : to_text(report, options.all, format == "md", printed && terminal.colour,
                                            printed && terminal.interactive ? terminal.columns : 0),
               options.output);
  if (!printed) std::printf("%s", to_lines(report).c_str());
}

int print_history(const CompareOptions& options) {
  const std::string format = format_of(options);
  if (format != "table" && format != "json" && format != "line")
    throw UserError("--history cannot print the format `" + format + "`. Choose `table`, `json` or `line`.");
  const FailOn asked = fail_on(options.fail_on);
  if (asked.open || asked.missing)
    throw UserError(
        "with --history, the only value of --fail-on is `regression`. Leave the values `open` and `missing` "
        "out.");
  const bool regression =
      print_history(HistoryRequest{options.sides, options.selection.parse(), asked_threshold(options),
                                   asked_time(options), options.data, format, options.output, options.all});
  return regression && asked.regression ? static_cast<int>(ExitCode::regression) : 0;
}

int compare_files(const CompareOptions& options) {
  const Selection selection = options.selection.parse();
  const FailOn asked = fail_on(options.fail_on);
  ComparisonReport report;
  report.threshold = asked_threshold(options);
  report.time = asked_time(options);
  if (options.sides.size() < 2)
    throw UserError(
        "a comparison needs at least two results files, as in `sextant compare before.sextant now.sextant`. "
        "Commas join files that count as one run.");
  LoadedFiles files;
  files.data = options.data;
  report.sides = load_sides(options.sides, &files);
  const std::unordered_set<const Measurement*> chosen = selected(report.sides, selection);
  const Matching matching = match(report.sides);
  if (matching.matched.empty()) refuse_nothing_in_common(report.sides, matching);
  refuse_copies(report.sides, matching, &report.notes);
  add_load_notes(report.sides, &report.notes);
  for (std::size_t other = 1; other < report.sides.size(); ++other) {
    // The noise is estimated from all cases. Only then are the cases that the user did not select removed.
    Comparison comparison = compare(report.sides, matching, other, report.threshold, report.time);
    std::erase_if(comparison.cases,
                  [&](const ComparedCase& c) { return !chosen.count(c.other->measurement); });
    report.comparisons.push_back(std::move(comparison));
  }
  for (const MissingCase& missing : matching.missing)
    if (chosen.count(missing.found->measurement)) report.missing.push_back(missing);
  if (report.comparisons.front().cases.empty() && report.comparisons.back().cases.empty())
    throw UserError("no selected case is in all files. Without options that select cases, all files share " +
                    std::to_string(matching.matched.size()) + " cases.");
  write_report(report, options);
  return exit_code_of(report, asked);
}

int compare_in_turns(const CompareOptions& options) {
  if (options.data == "seen")
    throw UserError(
        "`--data seen` applies to results files only, and --programs and --loads measure anew. Leave --data "
        "out.");
  if (!options.sides.empty())
    throw UserError(
        (options.loads.empty() ? "--programs measures two builds" : "--loads measures two versions") +
        (" and needs no results files. Leave `" + options.sides.front()) +
        "` out. `sextant compare A B` compares files.");
  const ProgramsRequest request{options.programs,
                                options.loads,
                                options.selection.asked,
                                options.selection.parse(),
                                asked_threshold(options),
                                asked_time(options),
                                options.budget,
                                options.timeout,
                                options.runs,
                                options.results,
                                options.quiet};
  const FailOn asked = fail_on(options.fail_on);
  ProgramsResult result;
  compare_programs(request, &result);
  if (!result.report.comparisons.front().cases.empty()) write_report(result.report, options);
  if (result.interrupted) return static_cast<int>(ExitCode::interrupted);
  if (result.report.comparisons.front().cases.empty()) return static_cast<int>(ExitCode::budget);
  return exit_code_of(result.report, asked);
}

// Compares files, programs or loaded kernels, as the options ask. Refuses options that do not apply to this
// kind of comparison.
int compare_as_asked(const CompareOptions& options) {
  if (!options.programs.empty() && !options.loads.empty())
    throw UserError(
        "--programs compares two builds of Sextant, and --loads compares two versions of your kernels. Give "
        "only one of these options.");
  if (options.loads.empty() && !(options.selection.asked == own::Asked{}))
    throw UserError(
        "--as, --reference, --tolerance and --unchecked apply only to kernels that --loads OLD,NEW names. "
        "Add --loads, or leave them out.");
  if (options.history && (!options.programs.empty() || !options.loads.empty()))
    throw UserError(
        "--history reads stored results, but --programs and --loads measure new results. Give only one of "
        "these options.");
  if (!options.programs.empty() || !options.loads.empty()) return compare_in_turns(options);
  for (const auto& [name, value] :
       {std::pair("--budget", options.budget), std::pair("--timeout", options.timeout),
        std::pair("--runs", options.runs), std::pair("--results", options.results)})
    if (!value.empty())
      throw UserError(std::string(name) +
                      " applies only to new measurements, and a comparison of files makes none. Add "
                      "--programs or --loads, or leave it out.");
  return options.history ? print_history(options) : compare_files(options);
}

}  // namespace

void add_compare(Command app, int* exit_code) {
  Command command = app.add_subcommand("compare", "Say what became faster or slower between runs");
  const auto options = std::make_shared<CompareOptions>();
  command
      .add_option(
          "files", options->sides,
          "Compare the first results file with each further file; commas join repeated runs (`a1,a2 b1,b2`)")
      .type_name("FILE");
  command
      .add_option("--threshold", options->threshold,
                  "Treat times that differ by at most PERCENT as equal (default 5%)")
      .type_name("PERCENT");
  command.add_flag("--history", options->history,
                   "Show the times of each case in all runs, and the run where they changed");
  command
      .add_option(
          "--fail-on", options->fail_on,
          "Exit with code 4 if a case became slower (`regression`), is undecided (`open`) or is `missing`")
      .type_name("regression|open|missing");
  command
      .add_option("--time", options->time,
                  "Compare call times (`call`), device times (`device`), or both (`steadiest`: device times "
                  "where kernels dominate) (default steadiest)")
      .type_name("steadiest|call|device")
      .one_of({"steadiest", "call", "device"});
  command
      .add_option(
          "--format", options->format,
          "Print the comparison as a table, Markdown, JSON, CSV, JUnit XML or one line (default table)")
      .type_name("table|md|json|csv|junit|line")
      .one_of({"table", "md", "json", "csv", "junit", "line"});
  command.add_flag("--json", options->json, "Print the comparison as JSON, as `--format json` does");
  command
      .add_flag("--csv", options->csv,
                "Print the comparison as CSV, one row per case, as `--format csv` does")
      .excludes("--json");
  command.add_flag(
      "--all", options->all,
      "Show all compared cases, missing cases and device limits (otherwise only those that differ)");
  command
      .add_option("-o,--output", options->output,
                  "Write the comparison to FILE, and print a one-line summary for a log")
      .type_name("FILE");
  const char* turns = "Measuring two builds or versions";
  command
      .add_option("--programs", options->programs,
                  "Measure with two builds of `sextant` (programs OLD and NEW) alternately until each "
                  "comparison is decided")
      .type_name("OLD,NEW")
      .group(turns);
  command
      .add_option("--loads", options->loads,
                  "Measure two versions of your kernel (files OLD and NEW) alternately until each comparison "
                  "is decided")
      .type_name("OLD,NEW")
      .group(turns);
  command.add_option("--budget", options->budget, "Stop measuring after TIME, such as `10m`")
      .type_name("TIME")
      .group(turns);
  command
      .add_option("--timeout", options->timeout,
                  "Kill a measurement that takes longer than TIME (default 60s)")
      .type_name("TIME")
      .group(turns);
  command
      .add_option("--runs", options->runs,
                  "Measure each case at most N times with OLD and N times with NEW (OLD and NEW of "
                  "`--programs` or `--loads`) (default 128)")
      .type_name("N")
      .group(turns);
  command
      .add_option("--results", options->results,
                  "Store the measurements of OLD and NEW (of `--programs` or `--loads`) in these two results "
                  "files (default turns-base.sextant,turns-other.sextant)")
      .type_name("FILE,FILE")
      .group(turns);
  command.add_flag("-q,--quiet", options->quiet, "Print no progress and no notes").group(turns);
  add_data(command, &options->data);
  options->selection.add_all(command, true);
  options->selection.add_asked(command);
  command.footer(
      "Each ratio is the time of the later file over the time of the first file, so a ratio above 1 means "
      "slower. The files may come from different machines, builds and settings; the output lists such "
      "differences.\n"
      "Examples:\n"
      "  sextant compare before.sextant now.sextant\n"
      "  sextant compare a1.sextant,a2.sextant,a3.sextant b1.sextant,b2.sextant,b3.sextant   compares three "
      "runs with three runs, which finds smaller differences\n"
      "  sextant compare before.sextant now.sextant --fail-on regression --format md -k triad\n"
      "  sextant compare before.sextant now.sextant --fail-on regression --format junit -o compare.xml\n"
      "  sextant compare --history runs/*.sextant   shows in which run a case became slower\n"
      "  sextant compare --programs old/sextant,build/cpu/bin/sextant -k triad -n 64Ki --budget 5m\n"
      "  sextant compare --loads old/mine.cu,new/mine.cu -n 1Mi:16Mi:x4");
  command.callback([options, exit_code] { *exit_code = compare_as_asked(*options); });
}

}  // namespace sextant
