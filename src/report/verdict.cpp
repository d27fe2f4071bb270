// Verdict: where and with what, what to be wary of, and what came of it in a few sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "analysis/study/findings.hpp"
#include "present/advice_text.hpp"
#include "present/format.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

std::string bytes_of(const Environment& environment, const std::string& key) {
  const std::string text = value_of(environment, key);
  return text.empty() ? "" : format_bytes(std::strtod(text.c_str(), nullptr));
}

void add(std::string* html, const std::string& term, const std::string& text) {
  if (!text.empty()) *html += "<dt>" + escape(term) + "</dt><dd>" + escape(text) + "</dd>\n";
}

std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string with(const std::string& text, const char* unit) { return text.empty() ? "" : text + unit; }

std::string card(const Machine& machine) {
  std::string html = "<dl class=\"card\">\n";
  add(&html, "Machine", machine.label);
  if (machine.sessions.empty()) return html + "</dl>\n";
  const Environment& e = machine.sessions.back()->environment;
  const std::string processor = value_of(e, "cpu").empty() ? value_of(e, "cpu.name") : value_of(e, "cpu");
  add(&html, "Processor",
      joined({processor, with(value_of(e, "cpu.cores"), " cores"),
              with(value_of(e, "cpu.threads"), " threads"),
              with(bytes_of(e, "cpu.last_level_cache"), " last-level cache")}));
  add(&html, "Processors used",
      joined({with(value_of(e, "openmp.threads"), " OpenMP threads"),
              with(value_of(e, "cpu.limit"), " processors by quota")}));
  add(&html, "Memory", bytes_of(e, "memory"));
  for (int i = 0; i < 16; ++i) {
    const std::string gpu = "gpu" + std::to_string(i);
    add(&html, i ? "GPU " + std::to_string(i) : "GPU",
        joined({value_of(e, gpu + ".name"), bytes_of(e, gpu + ".memory"),
                with(value_of(e, gpu + ".multiprocessors"), " multiprocessors"),
                value_of(e, gpu + ".driver").empty() ? "" : "driver " + value_of(e, gpu + ".driver")}));
  }
  add(&html, "No GPU", value_of(e, "gpus.missing"));
  add(&html, "System",
      joined({value_of(e, "os"), value_of(e, "os.kernel"),
              value_of(e, "virtual") == "yes" ? "virtual machine" : ""}));
  return html + "</dl>\n";
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
                          value_of(session.environment, "git_revision"),
                          static_cast<std::int64_t>(cases[&session]), session.command});
  return html_table({table, "sessions"});
}

// Each kind of warning once: the part before the numbers differs little, so equal remedies are one kind.
std::string warnings(const Context& context) {
  struct Kind {
    std::size_t cases = 0;
    std::string first;
  };
  std::map<std::string, Kind> kinds;
  for (const Summary& s : context.summaries)
    for (const std::string& text : s.measurement->warnings) {
      std::string key;
      std::copy_if(text.begin(), text.end(), std::back_inserter(key),
                   [](char c) { return (c < '0' || c > '9') && c != '.'; });
      Kind& kind = kinds[key];
      if (!kind.cases++) kind.first = text;
    }
  std::size_t wrong = 0, failed = 0;
  for (const Summary& s : context.summaries) {
    if (s.measurement->status == Status::wrong) ++wrong;
    if (s.measurement->status == Status::failed || s.measurement->status == Status::timed_out) ++failed;
  }
  std::string html;
  if (wrong)
    html += "<li><strong>" + std::to_string(wrong) +
            (wrong == 1 ? " case gave a wrong result" : " cases gave wrong results") +
            "</strong>; none of them is compared. <a href=\"#methods\">Which</a></li>\n";
  if (failed)
    html += "<li><strong>" + std::to_string(failed) + (failed == 1 ? " case" : " cases") +
            " failed or ran out of time.</strong> <a href=\"#methods\">Which</a></li>\n";
  for (const auto& [key, kind] : kinds)
    html +=
        "<li>" + escape(kind.first) +
        (kind.cases > 1 ? fmt::format(" <span class=\"quiet\">(and {} more like it)</span>", kind.cases - 1)
                        : "") +
        "</li>\n";
  return html.empty() ? "" : "<h3>Warnings</h3>\n<ul class=\"warnings\">\n" + html + "</ul>\n";
}

const char* text_of(StudyFinding::Answer answer) {
  switch (answer) {
    case StudyFinding::Answer::confirmed:
      return "confirmed";
    case StudyFinding::Answer::refuted:
      return "refuted";
    case StudyFinding::Answer::depends:
      return "depends on N";
    case StudyFinding::Answer::unknown:
      return "not measured";
  }
  return "?";
}

std::string claims(const Context& context) {
  Table table;
  table.title = "What the source study found (RTX 3080 against an i5-2400), held against these results";
  table.columns = {{"claim", "finding"}, {"answer", "here"}, {"evidence", "measured"}};
  if (context.several()) table.columns.insert(table.columns.begin(), {"machine"});
  for (const Machine& machine : context.machines)
    for (const StudyFinding& f : study_findings(machine.rows)) {
      const Tone tone = f.answer == StudyFinding::Answer::confirmed ? Tone::good
                        : f.answer == StudyFinding::Answer::refuted ? Tone::bad
                                                                    : Tone::quiet;
      std::vector<Cell> row = {f.claim, Cell(text_of(f.answer), tone), f.evidence};
      if (context.several()) row.insert(row.begin(), machine.label);
      table.rows.push_back(row);
    }
  return html_table({table, "study-findings"});
}

}  // namespace

std::string verdict_section(const Context& context) {
  std::string html = section_open("verdict", "Verdict");
  if (context.summaries.empty())
    html +=
        "<p class=\"warning\">Nothing has been measured yet: there is no result in these files. "
        "<code>sextant run -o FILE</code> measures.</p>\n";
  for (const Machine& machine : context.machines) {
    html += machine_heading(context, machine);
    if (!machine.rows.empty()) {
      for (const auto& [threads, rows] : by_threads(machine.rows)) {
        if (!threads.empty()) html += element("h3", threads);
        html += "<ul class=\"findings\">\n";
        for (const AdviceText& one : advice_text(rows))
          html += "<li><b>" + escape(one.topic) + ".</b> " + escape(one.text) + "</li>\n";
        html += "</ul>\n";
      }
      if (const std::string missing = missing_baseline(machine.rows); !missing.empty())
        html += "<p class=\"warning\">" + escape(missing) + "</p>\n";
    }
    html += card(machine);
  }
  html += warnings(context);
  if (!context.results.sessions.empty()) html += provenance(context);
  if (!context.summaries.empty()) html += claims(context);
  return html + "</section>\n";
}

}  // namespace sextant::report
