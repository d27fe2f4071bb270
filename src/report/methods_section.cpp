// Report section on methods: how the results were measured, with which compilers and settings, and what is
// missing.
#include <algorithm>
#include <map>
#include <set>

#include "base/plural.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// Makes a cell with the relative noise of an interval. Large values are shown as a factor.
Cell noise_cell(const Interval& time) { return Cell(noise(time)).as(uncertainty_text(time)); }

Table compilers(const Context& context) {
  Table table;
  table.title = "Compilers and flags";
  table.columns = {{"machine"}, {"model"}, {"compiler"}, {"flags"}};
  std::set<std::vector<std::string>> seen;
  for (const Session& session : context.results.sessions)
    for (const auto& [key, value] : session.environment) {
      std::string model, compiler = value;
      if (key.starts_with("compiler."))
        model = key.substr(9);
      else if (key.starts_with("left_out."))
        model = key.substr(9), compiler = "left out: " + value;
      else
        continue;
      const std::vector<std::string> line = {value_of(session.environment, "machine"), model, compiler,
                                             value_of(session.environment, "flags." + model)};
      if (seen.insert(line).second) table.rows.push_back({line[0], line[1], line[2], line[3]});
    }
  return table;
}

Table environment(const Context& context) {
  Table table;
  table.title = "Everything known of the machines and builds";
  table.columns = {{"machine"}, {"key"}, {"value"}};
  std::set<std::vector<std::string>> seen;
  for (const Session& session : context.results.sessions)
    for (const auto& [key, value] : session.environment) {
      if (key == "machine") continue;
      const std::string machine = value_of(session.environment, "machine");
      if (seen.insert({machine, key, value}).second) table.rows.push_back({machine, key, value});
    }
  return table;
}

Table samples(const Context& context) {
  Table table;
  table.title = "Samples and noise of the correct measurements, by model";
  table.columns = {{"machine"},
                   {"model"},
                   {"cases", "cases", Unit::count},
                   {"few", "fewest samples", Unit::count},
                   {"many", "most", Unit::count},
                   {"noise", "median noise", Unit::percent},
                   {"worst", "largest noise", Unit::percent},
                   {"short", "without an interval", Unit::count}};
  struct Group {
    std::size_t cases = 0, few = SIZE_MAX, many = 0, without = 0;
    std::vector<double> noises;
    Interval noisiest;
  };
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const Summary& s : context.summaries) {
    if (!s.ok()) continue;
    Group& group = groups[{s.machine, column_of(s)}];
    ++group.cases;
    group.few = std::min(group.few, s.call_time.samples);
    group.many = std::max(group.many, s.call_time.samples);
    const double share = noise(s.call_time);
    if (share < 1e9) {
      group.noises.push_back(share);
      if (!group.noisiest.samples || share > noise(group.noisiest)) group.noisiest = s.call_time;
    } else {
      ++group.without;
    }
  }
  for (const auto& [key, group] : groups) {
    const bool known = !group.noises.empty();
    const auto whole = [](std::size_t number) { return Cell(static_cast<std::int64_t>(number)); };
    table.rows.push_back({key.first, key.second, whole(group.cases), whole(group.few), whole(group.many),
                          known ? Cell(median_interval(group.noises).median) : Cell(),
                          known ? noise_cell(group.noisiest) : Cell(), whole(group.without)});
  }
  table.note =
      "Noise: half the 95 % interval of the median call time over that median; fewer than six samples have "
      "no such interval.";
  return table;
}

// Lists the noisiest cases, with links to their kernels.
std::string noisiest(const Context& context) {
  std::vector<std::pair<double, const Summary*>> cases;
  for (const Summary& s : context.summaries)
    if (const double share = s.ok() && s.current ? noise(s.call_time) : 0; share > 0.05 && share < 1e9)
      cases.emplace_back(share, &s);
  if (cases.empty()) return "<p>No case is noisier than 5 %.</p>\n";
  std::stable_sort(cases.begin(), cases.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  // Maps machine, kernel and type to the id of the kernel's heading on the page.
  std::map<std::string, std::string> links;
  const auto key = [](const std::string& machine, const std::string& kernel, ElementType type,
                      CacheMode cache) {
    return machine + "|" + kernel + "|" + name_of(type) + (cache == CacheMode::cold ? "|cold" : "");
  };
  for (const Machine& machine : context.machines)
    for (const StudyGroup& group : machine.groups)
      links[key(machine.name, group.front()->kernel, group.front()->type, group.front()->cache)] =
          id_of_group(context, group);
  std::string html = "<p>" + std::to_string(cases.size()) + (cases.size() == 1 ? " case is" : " cases are") +
                     " noisier than 5 %, counting how far repeated runs differ" +
                     (cases.size() > 12 ? ", the worst 12" : "") + ":</p>\n<ol class=\"noisy\">\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(cases.size(), 12); ++i) {
    const Summary& s = *cases[i].second;
    const Case& what = s.measurement->what;
    const auto link = links.find(key(s.machine, what.kernel, what.problem.type, what.cache));
    const std::string name =
        what.kernel + " " + name_of(what.problem.type) + " " + what.variant + " at " +
        (what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class);
    html +=
        "<li>" +
        (link == links.end() ? escape(name) : "<a href=\"#" + link->second + "\">" + escape(name) + "</a>") +
        ": " + escape(noise_text(s.call_time)) + ", " + std::to_string(s.call_time.samples) +
        " samples</li>\n";
  }
  return html + "</ol>\n";
}

// Lists all kinds of warnings, with the number of cases for each. Omits noise, because the noisiest cases
// have their own list.
std::string warnings(const Context& context) {
  std::map<std::string, std::pair<std::size_t, std::string>> kinds;
  for (const Summary& s : context.summaries)
    for (const std::string& text : s.measurement->warnings) {
      if (text.starts_with("noisy:")) continue;
      std::string key;
      std::copy_if(text.begin(), text.end(), std::back_inserter(key),
                   [](char c) { return (c < '0' || c > '9') && c != '.'; });
      auto& [count, first] = kinds[key];
      if (!count++) first = text;
    }
  std::string html;
  for (const auto& [key, kind] : kinds)
    html += "<li>" + escape(kind.second) +
            (kind.first > 1
                 ? " <span class=\"quiet\">(and " + std::to_string(kind.first - 1) + " more like it)</span>"
                 : "") +
            "</li>\n";
  return html.empty() ? "" : "<h3>Warnings</h3>\n<ul class=\"warnings\">\n" + html + "</ul>\n";
}

std::string provenance(const Context& context) {
  std::map<const Session*, std::size_t> cases;
  for (const Summary& s : context.summaries) ++cases[s.session];
  Table table;
  table.title = "Where the results come from";
  table.columns = {{"machine"}, {"started"}, {"version"}, {"revision"}, {"cases", "cases", Unit::count},
                   {"command"}};
  for (const Session& session : context.results.sessions)
    table.rows.push_back({value_of(session.environment, "machine"), session.started, session.version,
                          value_of(session.environment, "git_revision").substr(0, 12),
                          static_cast<std::int64_t>(cases[&session]), session.command});
  return html_table({table, "sessions"});
}

// Returns a sentence with the number of cases for each status.
std::string sentence(const Context& context) {
  std::size_t right = 0, wrong = 0, failed = 0, skipped = 0, without_device = 0;
  for (const Summary& s : context.summaries) switch (s.measurement->status) {
      case Status::ok:
        ++right;
        break;
      case Status::wrong:
      case Status::impossible:
        ++wrong;
        break;
      case Status::skipped:
        ++(lacks_device(s) ? without_device : skipped);
        break;
      default:
        ++failed;
    }
  return plural(context.summaries.size(), "case") + " in " +
         plural(context.results.sessions.size(), "session") + ": " + std::to_string(right) + " right, " +
         std::to_string(wrong) + " wrong, " + std::to_string(failed) + " failed or out of time, " +
         std::to_string(skipped) + " skipped" +
         (without_device
              ? ", " + std::to_string(without_device) + " skipped because the machine lacks their GPU."
              : ".") +
         (context.filled ? " The page leaves out " + plural(context.filled, "case") +
                               " with other inputs (sextant run --fill)."
                         : "");
}

// Removes GPU variants that were skipped because the machine has no GPU. The function `sentence` counts them.
std::vector<StudyRow> without_missing_devices(std::vector<StudyRow> rows) {
  for (StudyRow& row : rows) std::erase_if(row.all, [](const Summary* s) { return lacks_device(*s); });
  return rows;
}

std::string problems(const Context& context) {
  std::string html;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    std::size_t part = 0;
    for (Table table : problems_view(without_missing_devices(machine.rows)).texts) {
      if (context.several()) table.title += ", on " + machine.label;
      html += html_table({table, (part++ ? "missing-figures" : "not-measured") +
                                     (context.several() ? "-m" + std::to_string(i + 1) : std::string())});
    }
  }
  return html.empty() ? "<p>Every case was measured, and every result was right.</p>\n" : html;
}

}  // namespace

std::string methods_section(const Context& context) {
  std::string html = section_open("methods", "Methods") + element("p", sentence(context));
  html +=
      "<ul>\n<li>No variant is timed before its result was checked: on fresh random inputs, element by "
      "element against a reference in double precision, outputs poisoned, arrays between guard zones. Wrong "
      "results are compared with nothing.</li>\n"
      "<li>The time of a call is the host's clock from the call until the result is ready; speed-ups use it.";
  if (has_device_columns(context))
    html += " Device time is what the GPU spent; rates use it where it is known.";
  html +=
      "</li>\n"
      "<li>The headline is the median; its interval of 95 % comes from order statistics and assumes no "
      "distribution. Ratios join both sides' intervals. If the interval of a ratio contains 1, the "
      "comparison is undecided.</li>\n"
      "<li>Over the -O2 loop: over serial.baseline, the plain loop compiled with -O2. Over the best CPU "
      "version: over the fastest correct one of serial, OpenMP and the CPU libraries. Variants that change "
      "the order of access that their kernel is about (reordered, lanes, strips) are excluded from "
      "ranking.</li>\n"
      "<li>Bytes: each input element is counted once, and each output element once.</li>\n</ul>\n";
  html += "<h3>Not measured, and why</h3>\n";
  html += context.summaries.empty() ? "<p>There are no cases.</p>\n" : problems(context);
  html +=
      "<h3>Noise</h3>\n" + noisiest(context) + html_table({samples(context), "samples"}) + warnings(context);
  html += provenance(context) + html_table({compilers(context), "compilers"});
  const std::string all = html_table({environment(context), "environment"});
  if (!all.empty()) html += "<details><summary>Machine and build in full</summary>\n" + all + "</details>\n";
  return html + "</section>\n";
}

}  // namespace sextant::report
