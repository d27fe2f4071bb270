#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "present/format.hpp"
#include "present/search_view.hpp"
#include "registry/build_info.hpp"
#include "report/assets.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant {
namespace report {
namespace {

// Returns a text that distinguishes machines with the same name but different hardware.
std::string hardware_of(const Session& session) {
  const Environment& e = session.environment;
  return value_of(e, "cpu") + "|" + value_of(e, "cpu.name") + "|" + value_of(e, "gpu0.name");
}

// Merges the sessions and measurements of all files, and renumbers the sessions. Machines with the same name
// but different hardware get the file name added to their names.
Results join(std::vector<ReportFile> files) {
  std::map<std::string, std::set<std::string>> hardware;  // the different hardware texts of each machine name
  for (const ReportFile& file : files)
    for (const Session& session : file.results.sessions)
      hardware[machine_of(session)].insert(hardware_of(session));
  Results all;
  std::int64_t last = 0;
  for (ReportFile& file : files) {
    std::map<std::int64_t, std::int64_t> numbers;
    for (Session& session : file.results.sessions) {
      numbers[session.id] = ++last;
      session.id = last;
      const std::string machine = machine_of(session);
      if (hardware[machine].size() > 1)
        session.environment["machine"] = machine.empty() ? file.name : machine + " (" + file.name + ")";
      all.sessions.push_back(std::move(session));
    }
    const auto number_of = [&](std::int64_t session) {
      const auto found = numbers.find(session);
      return found == numbers.end() ? 0 : found->second;
    };
    for (Search& one : file.results.searches) {
      one.session = number_of(one.session);
      all.searches.push_back(std::move(one));
    }
    for (StoredMeasurement& one : file.results.measurements) {
      one.session = number_of(one.session);
      all.measurements.push_back(std::move(one));
    }
  }
  return all;
}

// Returns the build (version and revision) and the start time of the newest session in a file.
std::pair<std::string, std::string> build_and_start(const Results& results) {
  std::pair<std::string, std::string> last;
  for (const Session& session : results.sessions)
    if (last.second.empty() || session.started > last.second)
      last = {session.version + value_of(session.environment, "git_revision"), session.started};
  return last;
}

std::string build_of(const ReportFile& file) { return build_and_start(file.results).first; }

using Files = std::vector<const ReportFile*>;

// Makes one side of a comparison (before or after) from the files of one build.
Side side_of(const Files& files, Context* context) {
  std::vector<ReportFile> copies;
  std::string name;
  for (const ReportFile* file : files) {
    copies.push_back(*file);
    name += (name.empty() ? "" : ",") + file->name;
  }
  context->compared.push_back(join(std::move(copies)));
  return {name, with_usual_inputs(summarise(context->compared.back()))};
}

// Returns the files by machine, in order of time. Omits files with sessions of several machines.
std::map<std::string, Files> files_by_machine(const std::deque<ReportFile>& files) {
  std::map<std::string, Files> machines;
  for (const ReportFile& file : files) {
    std::set<std::string> names;
    for (const Session& session : file.results.sessions)
      names.insert(machine_of(session) + "|" + hardware_of(session));
    if (names.size() == 1) machines[*names.begin()].push_back(&file);
  }
  for (auto& [name, list] : machines)
    std::stable_sort(list.begin(), list.end(), [](const ReportFile* a, const ReportFile* b) {
      return build_and_start(a->results).second < build_and_start(b->results).second;
    });
  return machines;
}

// Compares each build with the previous build on the same machine, if they have common cases. With three or
// more builds, first compares the oldest with the newest.
void add_changes(const std::deque<ReportFile>& files, Context* context) {
  for (const auto& [name, list] : files_by_machine(files)) {
    std::vector<Files> builds;
    for (const ReportFile* file : list) {
      if (builds.empty() || build_of(*builds.back().back()) != build_of(*file)) builds.emplace_back();
      builds.back().push_back(file);
    }
    const auto add = [&, machine = name.substr(0, name.find('|'))](const Files& before, const Files& after) {
      Change change{machine, side_of(before, context), side_of(after, context)};
      if (!match({change.before, change.after}).matched.empty())
        context->changes.push_back(std::move(change));
    };
    if (builds.size() > 2 && build_of(*builds.front().front()) != build_of(*builds.back().front()))
      add(builds.front(), builds.back());
    for (std::size_t i = 1; i < builds.size(); ++i) add(builds[i - 1], builds[i]);
  }
}

std::vector<Machine> machines_of(const Results& results, std::vector<StudyRow> rows) {
  std::vector<Machine> machines;
  const auto of = [&](const std::string& name) -> Machine& {
    const auto found =
        std::find_if(machines.begin(), machines.end(), [&](const Machine& m) { return m.name == name; });
    if (found != machines.end()) return *found;
    return machines.emplace_back(Machine{name, name.empty() ? "this machine" : name, {}, {}, {}});
  };
  for (const Session& session : results.sessions) of(machine_of(session)).sessions.push_back(&session);
  for (StudyRow& row : rows) of(row.machine).rows.push_back(std::move(row));
  for (Machine& machine : machines) machine.groups = study_groups(machine.rows);
  return machines;
}

std::string title_of_page(const Context& context) {
  std::string names;
  for (const Machine& machine : context.machines)
    if (!machine.name.empty()) names += (names.empty() ? " of " : ", ") + machine.name;
  return "Sextant: results" + names;
}

struct Section {
  const char* id;
  const char* title;
  std::string (*make)(const Context&);
  bool of_searches = false;  // true if the section also suits files that contain only searches
};

constexpr Section sections[] = {{"answer", "Answer", answer_section, true},
                                {"map", "Map", map_section},
                                {"models", "Models", models_section},
                                {"advice", "Advice", advice_section},
                                {"changes", "Before and after", changes_section},
                                {"machines", "Machines", machines_section},
                                {"kernels", "Kernels", kernels_section},
                                {"programs", "Programs", programs_section},
                                {"roofline", "Ceilings", roofline_section},
                                {"time", "Copies", time_section},
                                {"scaling", "Scaling", scaling_section},
                                {"threads", "Threads", threads_section},
                                {"state", "Clock and power", state_section},
                                {"tuning", "Tuning", tuning_section},
                                {"searches", "Searches", search_section, true},
                                {"amdahl", "Whole programs", amdahl_section},
                                {"study", "The study", study_section},
                                {"methods", "Methods", methods_section, true}};

// Embeds the script in the page. It is gzip-compressed to save space, and the browser unpacks it.
std::string script_html() {
  if (packed_script().empty()) return "";
  std::string html = "<script type=\"text/plain\" id=\"licences\">\n";
  html.append(licences());
  html +=
      "</script>\n<script type=\"application/gzip\" id=\"packed\">" + base64(packed_script()) + "</script>\n";
  return html + R"(<script>
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById('packed').textContent), (c) => c.charCodeAt(0));
  const text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  document.body.append(Object.assign(document.createElement('script'), { textContent: text }));
})().catch(() => document.getElementById('too-old').hidden = false);
</script>
)";
}

std::string page(const Context& context) {
  const std::string title = escape(title_of_page(context));
  std::string body, links;
  const bool searches_alone = context.summaries.empty() && !context.results.searches.empty();
  for (const Section& section : sections) {
    if (searches_alone && !section.of_searches) continue;
    const std::string html = section.make(context);
    if (html.empty()) continue;
    body += html;
    links += std::string("<li><a href=\"#") + section.id + "\">" + section.title + "</a></li>\n";
  }
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"sextant " +
      escape(build_info().version) +
      "\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data: blob:; font-src data:\">\n"
      "<title>" +
      title + "</title>\n<style>\n";
  html.append(style()).append("</style>\n</head>\n<body>\n");
  html +=
      "<a class=\"skip\" href=\"#main\">To the results</a>\n<header>\n<p class=\"brand\">Sextant</p>\n"
      "<nav aria-label=\"Sections\"><ul>\n" +
      links +
      "</ul></nav>\n<button type=\"button\" id=\"theme\" hidden>Theme</button>\n</header>\n"
      "<main id=\"main\">\n<h1>" +
      title + "</h1>\n";
  if (packed_script().empty())
    html +=
        "<p class=\"warning\">This build of Sextant has no figures: web/dist/report.js was missing. Every "
        "number is in the tables.</p>\n";
  html +=
      "<noscript><p class=\"note\">Figures need JavaScript. Every number is in the tables.</p></noscript>\n";
  html +=
      "<p class=\"note\" id=\"too-old\" hidden>This browser cannot unpack the figures' script (it has no "
      "DecompressionStream). Every number is in the tables.</p>\n";
  return html + body + "</main>\n" + script_html() + "</body>\n</html>\n";
}

}  // namespace

std::string name_of_group(const Context& context, const StudyGroup& group) {
  const StudyRow& row = *group.front();
  std::string name = row.kernel + ", " + name_of(row.type) + conditions_of(row);
  if (context.several()) name += ", on " + (row.machine.empty() ? "this machine" : row.machine);
  return name;
}

std::string id_of_group(const Context& context, const StudyGroup& group) {
  const StudyRow& row = *group.front();
  std::size_t number = 0;  // makes ids of different machines unique
  for (const Machine& machine : context.machines) {
    if (machine.name == row.machine) break;
    ++number;
  }
  std::string id = slug(row.kernel) + "-" + name_of(row.type);
  if (row.cache == CacheMode::cold) id += "-cold";
  if (!row.threads.empty()) id += "-threads-" + slug(row.threads);
  return context.several() ? id + "-m" + std::to_string(number + 1) : id;
}

std::string machine_heading(const Context& context, const Machine& machine) {
  return context.several() ? element("h3", machine.label) : "";
}

std::vector<StudyRow> largest_rows(const Machine& machine) {
  std::vector<StudyRow> rows;
  for (const StudyGroup& group : machine.groups) {
    const auto last =
        std::find_if(group.rbegin(), group.rend(), [](const StudyRow* row) { return !row->best.empty(); });
    if (last != group.rend()) rows.push_back(**last);
  }
  return rows;
}

bool has_device_columns(const StudyGroup& group) {
  return std::any_of(group.begin(), group.end(), [](const StudyRow* row) {
    return std::any_of(row->best.begin(), row->best.end(),
                       [](const auto& one) { return !one.second->on_host; });
  });
}

bool has_device_columns(const Context& context) {
  for (const Machine& machine : context.machines)
    for (const StudyGroup& group : machine.groups)
      if (has_device_columns(group)) return true;
  return false;
}

bool has_copies(const StudyGroup& group) {
  return std::any_of(group.begin(), group.end(), [](const StudyRow* row) {
    return std::any_of(row->best_with_transfers.begin(), row->best_with_transfers.end(),
                       [](const auto& one) { return !one.second->on_host; });
  });
}

bool has_copies(const Machine& machine) {
  return std::any_of(machine.groups.begin(), machine.groups.end(),
                     [](const StudyGroup& group) { return has_copies(group); });
}

std::string machine_suffix(const Context& context, std::size_t machine) {
  return context.several() ? "-m" + std::to_string(machine + 1) : "";
}

std::string folded(const std::string& title, const std::string& html) {
  return html.empty() ? "" : "<details><summary>" + escape(title) + "</summary>\n" + html + "</details>\n";
}

std::string command_html(const Context& context, const std::string& arguments) {
  return "<p class=\"command\"><code>sextant show " + escape(context.file + " " + arguments) +
         "</code></p>\n";
}

std::string section_open(const char* id, const char* title) {
  const std::string name(id);
  return "<section id=\"" + name + "\" aria-labelledby=\"" + name + "-title\">\n<h2 id=\"" + name +
         "-title\">" + title + "</h2>\n";
}

}  // namespace report

std::string make_report(std::vector<ReportFile> files, const ReportOptions& options) {
  report::Context context;
  context.options = options;
  context.file = files.size() == 1 ? files.front().name : "FILE";
  const std::deque<ReportFile> kept(files.size() > 1 ? files.begin() : files.end(), files.end());
  report::add_changes(kept, &context);
  context.results = report::join(std::move(files));
  context.results.searches = last_searches(context.results);
  context.summaries = summarise(context.results);
  const std::size_t all = context.summaries.size();
  context.summaries = with_usual_inputs(std::move(context.summaries));
  context.filled = all - context.summaries.size();
  context.machines = report::machines_of(context.results, study_rows(context.summaries));
  return report::page(context);
}

}  // namespace sextant
