// sextant show: prints the tables of a results file in the terminal.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "analysis/study/programs.hpp"
#include "analysis/summary/filter.hpp"
#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"
#include "base/pattern.hpp"
#include "cli/commands.hpp"
#include "cli/files/load.hpp"
#include "cli/files/output.hpp"
#include "cli/options/data.hpp"
#include "cli/options/selection.hpp"
#include "cli/options/values.hpp"
#include "present/advice_text.hpp"
#include "present/fastest_variants.hpp"
#include "present/search_view.hpp"
#include "present/terminal.hpp"
#include "present/views.hpp"
#include "present/wrap.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

struct ShowOptions {
  std::string file, by, share, data = "fresh", equal;
  SelectionOptions selection;
  bool json = false, npb = false;
};

using NamedView = std::pair<const char*, View (*)(const std::vector<StudyRow>&)>;
constexpr NamedView views[] = {{"speedup", speedup_view},     {"bandwidth", bandwidth_view},
                               {"transfers", transfers_view}, {"tuning", ranked_tuning_view},
                               {"variants", variants_view},   {"verdict", verdict_view},
                               {"problems", problems_view},   {"programs", programs_view},
                               {"counters", counters_view},   {"size", size_view},
                               {"state", state_view},         {"energy", energy_view}};

// Returns the tables of the whole study. Programs appear in separate tables, one for each kind of program.
View whole_study_view(const std::vector<StudyRow>& rows) {
  std::vector<StudyRow> kernels = rows;
  std::erase_if(kernels, is_program);
  View view = study_view(kernels);
  for (Table& table : programs_view(rows).texts) view.texts.push_back(std::move(table));
  return view;
}

std::vector<std::string> table_names() {
  std::vector<std::string> names = {"all", "amdahl", "scaling", "search", "study", "suite", "threads"};
  for (const auto& [name, make] : views) names.emplace_back(name);
  return names;
}

View make_view(const std::string& name, const std::vector<StudyRow>& rows, double share) {
  if (name == "amdahl") return amdahl_view(rows, share);
  if (name == "suite") return suite_view(rows);
  if (name == "scaling" || name == "threads") return {};  // These tables are not made from study rows.
  if (name == "study" || name == "all") return whole_study_view(rows);
  for (const auto& [known, make] : views)
    if (name == known) return make(rows);
  throw UserError("`sextant show` has no table `" + name + "`." + did_you_mean(name, table_names()) +
                  " The tables of --by are " + join(table_names()) + ".");
}

bool any_problem(const std::vector<Summary>& summaries) {
  return std::any_of(summaries.begin(), summaries.end(),
                     [](const Summary& s) { return s.current && !s.ok(); });
}

bool has_usual_inputs(const Summary& s) { return s.measurement->what.fill == InputFill::uniform; }

// Returns the reason why a table is empty, and how to fill it.
std::string remedy_of(const std::string& by, const std::vector<Summary>& summaries) {
  if (by.empty() && std::none_of(summaries.begin(), summaries.end(), has_usual_inputs))
    return ": advice leaves out the cases of `sextant run --fill`. `--by variants` shows them.\n";
  if (by == "amdahl")
    return ": it needs a serial or CPU version to compare with. `sextant run -v serial` measures the serial "
           "version.\n";
  if (by == "problems") return ": every case ended well.\n";
  if (by == "transfers")
    return ": it has the copies to and from a GPU. `sextant run` times them with each case on a GPU.\n";
  if (by == "state")
    return ": it has cases on a GPU, and cases of `sextant run --gap 10ms`, which times calls after "
           "pauses.\n";
  if (by == "energy")
    return ": `sextant run --energy` measures it. The column `warnings` of `sextant export` says why it is "
           "not known.\n";
  if (by == "counters") return ": `sextant run --counters` reads a GPU's counters.\n";
  if (any_problem(summaries)) return ". `--by problems` lists what went wrong.\n";
  if (by == "programs" || by == "suite")
    return ": it has programs only. `sextant run --suite npb -n S` measures such results.\n";
  return ".\n";
}

// Returns one line per machine and version, with the start of its first session and the number of sessions.
std::string heading(const Results& results) {
  struct Line {
    std::string where, started;
    std::size_t sessions = 0;
  };
  std::vector<Line> lines;
  for (const Session& session : results.sessions) {
    std::string where;
    for (const char* key : {"machine", "cpu", "cpu.name", "gpu0.name"})
      if (const auto found = session.environment.find(key); found != session.environment.end())
        where += ", " + found->second;
    if (!session.version.empty()) where += ", sextant " + session.version;
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.where == where; });
    Line& line = same == lines.end() ? lines.emplace_back(Line{where, session.started}) : *same;
    line.started = std::min(line.started, session.started);
    ++line.sessions;
  }
  std::string text;
  for (const Line& line : lines)
    text += line.started + line.where +
            (line.sessions > 1 ? ", " + std::to_string(line.sessions) + " sessions" : "") + "\n";
  return text;
}

// The text that lists further tables.
constexpr const char* hint =
    "\nMore tables: `sextant show FILE --by TABLE`, where TABLE is verdict (which model wins at which N),\n"
    "study, variants, programs, suite, transfers, tuning, search, problems, size, threads, scaling,\n"
    "counters, state, energy, amdahl or all. `sextant report FILE` makes a page with figures.\n";

constexpr const char* legend =
    "\nSpeed-ups are ratios of median call times, ± half of their 95 % interval: over the -O2 loop\n"
    "(serial.baseline) and over the best correct CPU version. Rates: each input and each output element\n"
    "once, or the kernel's FLOP, divided by the time; the ceiling was measured on the same device.\n";
constexpr const char* legend_of_copies =
    "With copies: the time of a pass that allocates, copies in, runs and copies out. It includes a\n"
    "preparation for new inputs, but no other one (--by variants shows both). Rates go by the GPU's own\n"
    "time if known.\n";

std::string as_text(const View& view, bool colour) {
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  std::string text;
  for (const Table& table : view.texts)
    text +=
        (text.empty() ? "" : "\n") + to_text(table, colour, terminal.interactive ? terminal.columns : 120);
  return text;
}

std::size_t advice_columns() {
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  return static_cast<std::size_t>(terminal.interactive ? std::min(terminal.columns, 100) : 100);
}

// Groups the rows by machine.
std::vector<std::vector<StudyRow>> by_machine(const std::vector<StudyRow>& rows) {
  std::vector<std::vector<StudyRow>> machines;
  for (const StudyRow& row : rows) {
    if (machines.empty() || machines.back().back().machine != row.machine) machines.emplace_back();
    machines.back().push_back(row);
  }
  return machines;
}

// Returns the sentences of advice as rows, ordered by machine, number of threads and topic.
Table advice_rows(const std::vector<StudyRow>& rows) {
  Table table;
  table.columns = {{"machine"}, {"threads"}, {"topic"}, {"text"}};
  for (const std::vector<StudyRow>& machine : by_machine(with_usual_inputs(rows)))
    for (const auto& [threads, own] : by_threads(machine))
      for (const AdviceText& one : advice_text(own))
        table.rows.push_back({machine.front().machine, threads.empty() ? Cell() : Cell(threads), one.topic,
                              one.lines.empty() ? one.text : one.text + "\n" + join(one.lines, "\n")});
  return table;
}

// Returns the advice, all tables, or the table that `by` names. The machines follow one after the other.
std::string all_text(const std::vector<StudyRow>& all_rows, const std::string& by, double share,
                     bool colour) {
  const std::vector<std::vector<StudyRow>> machines = by_machine(all_rows);
  std::string text;
  for (const std::vector<StudyRow>& rows : machines) {
    std::string part;
    if (by.empty()) {
      const std::vector<StudyRow> usual = with_usual_inputs(rows);
      if (usual.empty()) continue;
      for (const auto& [threads, own] : by_threads(usual))
        part += (part.empty() ? "" : "\n") + (threads.empty() ? "" : "== " + threads + "\n\n") +
                advice_page(advice_text(own), advice_columns());
    } else if (by != "all") {
      part = as_text(make_view(by, rows, share), colour);
    } else {
      for (const auto& make : {whole_study_view, transfers_view, tuning_view, problems_view, verdict_view})
        if (const std::string table = as_text(make(rows), colour); !table.empty())
          part += (part.empty() ? "" : "\n") + table;
    }
    if (part.empty()) continue;
    if (!text.empty()) text += "\n";
    if (machines.size() > 1) text += "==== " + rows.front().machine + "\n\n";
    text += part;
  }
  return text;
}

// Returns the searches that match the selection. Empty if the file has no searches. Throws UserError if it
// has searches but none matches.
std::vector<Search> searches_of(const Results& results, const Selection& selection) {
  const auto named = [](const std::vector<std::string>& patterns, const char* option, const std::string& one,
                        const std::string& other) {
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
             const Pattern expression(pattern, option);
             return expression.matches(one) || expression.matches(other);
           });
  };
  const std::vector<Search> all = last_searches(results);
  std::vector<Search> chosen;
  for (const Search& search : all) {
    const Case& space = search.space;
    if (!named(selection.kernels, "--kernels", space.kernel, space.kernel) ||
        !named(selection.variants, "--variants", space.variant, model_of(space.variant)) ||
        !is_size_asked(selection, space) ||
        !(selection.types.empty() || std::find(selection.types.begin(), selection.types.end(),
                                               space.problem.type) != selection.types.end()))
      continue;
    chosen.push_back(search);
  }
  if (chosen.empty() && !all.empty())
    throw UserError(
        "no search in the file matches the options that select cases. The file holds the search of " +
        space_text(all.front().space) +
        (all.size() > 1 ? " and " + std::to_string(all.size() - 1) + " more" : std::string()) +
        ". `--by search` without such options shows all searches.");
  return chosen;
}

// Returns a sentence that summarizes the searches, or an empty text for a file without searches.
std::string searches_page(const Results& results, const Selection& selection) {
  if (!are_of_searches(results)) return "";
  const std::vector<Search> searches = searches_of(results, selection);
  const std::string fastest = fastest_variants(searches);
  return advice_page({{"Which tuning", searches_sentence(searches) +
                                           " `--by search` lists each search and its winner. `sextant run -t "
                                           "tuned=FILE` uses the winners."}},
                     advice_columns()) +
         (fastest.empty() ? "" : "\n" + wrap(fastest, static_cast<int>(advice_columns())));
}

// Returns the text for a file without cases.
std::string text_without_cases(const ShowOptions& options, const Results& results,
                               const std::string& searched) {
  if (searched.empty())
    return heading(results) + "Nothing has been measured yet. `sextant run -o " + options.file +
           "` continues.\n";
  if (options.by.empty()) return heading(results) + "\n" + searched;
  return "The file has no rows for this table. It holds only searches: `sextant show " + options.file +
         " --by search`.\n";
}

void show_searches(const ShowOptions& options, const Selection& selection) {
  const View view = search_view(searches_of(load_results(options.file), selection));
  const bool colour = inspect_terminal(STDOUT_FILENO).colour;
  const std::string text = options.json ? to_json_rows(view.rows) + "\n" : as_text(view, colour);
  write_output(text.empty()
                   ? options.file + " holds no search. `sextant tune -o " + options.file + "` makes one.\n"
                   : text,
               "");
}

void show(const ShowOptions& options) {
  const Selection selection = options.selection.parse();
  if (options.by == "search") return show_searches(options, selection);
  if (!options.share.empty() && options.by != "amdahl")
    throw UserError("--share applies only to `--by amdahl`. Add `--by amdahl`, or leave --share out.");
  const double share =
      options.share.empty() ? 0.8 : parse_share(options.share, "--share", {.ask_below_one = true});
  if (!options.share.empty()) std::fprintf(stderr, "%s\n", understood_share("--share", share).c_str());
  if (options.npb && (options.json || !options.by.empty()))
    throw UserError("--npb prints the layout of the NAS benchmarks' own reports. Leave --json and --by out.");
  // An unknown table name is reported before the file is read.
  if (!options.by.empty()) make_view(options.by, {}, share);
  apply_equal(options.equal);
  const Results results = load_results(options.file, options.data);
  const std::vector<Summary> all = summarise(results);
  const std::vector<Summary> summaries = all.empty() ? all : filter(all, selection);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const bool colour = inspect_terminal(STDOUT_FILENO).colour;
  std::string text;
  if (options.npb) {
    text = npb_reports(rows);
    if (text.empty())
      throw UserError(options.file +
                      " holds no result of a NAS benchmark. `sextant run -k 'npb_.*' -n S -o " +
                      options.file + "` measures such results.");
  } else if (options.by == "scaling" && !summaries.empty()) {
    const View view = scaling_view(summaries);
    text = options.json ? to_json_rows(view.rows) + "\n" : as_text(view, colour);
    if (text.empty())
      text =
          "The file has no case on several ranks or GPUs. `sextant run -v openmp.mpi -d 1xcpu,2xcpu` "
          "measures some.\n";
  } else if (options.by == "threads" && !summaries.empty()) {
    const View view = threads_view(summaries);
    text = options.json ? to_json_rows(view.rows) + "\n" : as_text(view, colour);
    if (text.empty())
      text =
          "The file has no case on several numbers of threads. `sextant run -v serial,openmp -t "
          "threads=1,2,4` measures such results.\n";
  } else if (options.json && options.by == "study") {
    text = "{\"speedup\": " + to_json_rows(make_view("study", rows, share).rows) +
           ",\n\"programs\": " + to_json_rows(programs_view(rows).rows) + "}\n";
  } else if (options.json && !options.by.empty() && options.by != "all") {
    text = to_json_rows(make_view(options.by, rows, share).rows) + "\n";
  } else if (options.json) {
    for (const auto& [name, make] : views)
      text +=
          (text.empty() ? "{" : ",\n") + ("\"" + std::string(name) + "\": ") + to_json_rows(make(rows).rows);
    text += ",\n\"amdahl\": " + to_json_rows(amdahl_view(rows, share).rows) +
            ",\n\"advice\": " + to_json_rows(advice_rows(rows)) + "}\n";
  } else if (const std::string searched = searches_page(results, selection); summaries.empty()) {
    text = text_without_cases(options, results, searched);
  } else {
    text = all_text(rows, options.by, share, colour);
    if (options.by.empty() && !searched.empty()) text = searched + "\n" + text;
    if (text.empty()) text = "The file has no rows for this table" + remedy_of(options.by, summaries);
    const Terminal terminal = inspect_terminal(STDOUT_FILENO);
    const int room = terminal.interactive ? terminal.columns : 0;
    const bool none =
        std::none_of(summaries.begin(), summaries.end(), [](const Summary& s) { return s.ok(); });
    if (options.by.empty() && none) text += "  `--by problems` says why.\n";
    if (options.by.empty()) text = wrap(heading(results), room) + "\n" + text + wrap(hint, room);
    const bool gpu = std::any_of(summaries.begin(), summaries.end(),
                                 [](const Summary& s) { return s.ok() && !s.on_host; });
    if (options.by == "all")
      text = wrap(heading(results), room) + "\n" + text + wrap(legend, room) +
             (gpu ? wrap(legend_of_copies, room) : "");
  }
  write_output(text, "");
}

}  // namespace

void add_show(Command app, int*) {
  Command command = app.add_subcommand("show", "Show which model is fastest, and other tables");
  const auto options = std::make_shared<ShowOptions>();
  command.add_option("file", options->file, "Read this results file").type_name("FILE").required();
  command
      .add_option("--by", options->by,
                  "Print the table TABLE, such as `verdict` (fastest models), `variants` (all "
                  "implementations) or `all` (default a recommendation in sentences)")
      .type_name("TABLE")
      .suggest(table_names());
  command
      .add_option("--share", options->share,
                  "For `--by amdahl` (speed-up of a whole program), assume that the kernel takes PERCENT of "
                  "the time (default 80%)")
      .type_name("PERCENT");
  add_data(command, &options->data);
  add_equal(command, &options->equal);
  options->selection.add_all(command, true);
  command.add_flag("--json", options->json, "Print the tables as JSON");
  command.add_flag("--npb", options->npb,
                   "Print results of the NAS Parallel Benchmarks in the layout of their own reports");
  command.footer(
      "The option `--by` takes these tables: `verdict` (fastest model at each N), `study` (speed-ups and "
      "rates of each model), `speedup`, `bandwidth`, `transfers` (copies to and from the GPU), `tuning` "
      "(best tunings), `variants` (all variants, fastest first), `problems` (cases without a result), "
      "`programs` (one table per program), `suite` (all programs in one table), `counters` (of the GPU's "
      "hardware), `size` (rate of each variant at each N), `threads` (speed-up over one thread), `scaling` "
      "(several ranks or GPUs), `search` (searches of `sextant tune`), `state` (clock and power of the GPU), "
      "`energy` (of a call, least first), `amdahl` (speed-up of a whole "
      "program) and `all` (most tables).\n"
      "Examples:\n"
      "  sextant show r.sextant                           which model to use where, how certain and why\n"
      "  sextant show r.sextant --by all                  speed-ups, rates, transfers, tunings and winners\n"
      "  sextant show r.sextant -k triad --type float\n"
      "  sextant show r.sextant --by variants -k matmul -n 9437184\n"
      "  sextant show r.sextant --by amdahl --share 80    speed-up of a whole program\n"
      "  sextant show r.sextant --by study -k npb_ep      runs, speed-up, Mop/s, verification of NPB EP\n"
      "  sextant show r.sextant --npb -n A                NPB results in NPB's own layout\n"
      "  sextant show r.sextant --by speedup --json");
  command.callback([options] { show(*options); });
}

}  // namespace sextant
