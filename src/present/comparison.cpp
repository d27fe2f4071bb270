#include "present/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/study/study.hpp"
#include "base/csv.hpp"
#include "base/plural.hpp"
#include "present/ceilings.hpp"
#include "present/format.hpp"
#include "present/table.hpp"
#include "present/wrap.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t few_cases = 25;
// Largest number of missing cases that the text lists by name. JSON lists all.
constexpr std::size_t most_missing = 12;
constexpr Verdict verdicts[] = {Verdict::broken, Verdict::slower, Verdict::faster,   Verdict::repaired,
                                Verdict::open,   Verdict::equal,  Verdict::no_result};

std::map<Verdict, std::size_t> counts_of(const Comparison& comparison) {
  std::map<Verdict, std::size_t> counts;
  for (const ComparedCase& c : comparison.cases) ++counts[c.verdict];
  return counts;
}

std::string size_of(const Case& what) {
  return what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class;
}

// Returns the case's number of threads: "4", or "2 -> 4" if the sides used different settings.
std::string threads_text(const ComparedCase& c) {
  const std::string before = text_of(c.base->threads), now = text_of(c.other->threads);
  return before == now ? now : (before.empty() ? "?" : before) + " -> " + (now.empty() ? "?" : now);
}

// True if thread settings differ between cases or sides. Only then does the output show them.
bool threads_differ(const std::vector<const ComparedCase*>& cases) {
  std::set<std::string> texts;
  for (const ComparedCase* c : cases)
    for (const Summary* s : {c->base, c->other})
      if (const std::string text = text_of(s->threads); !text.empty()) texts.insert(text);
  return texts.size() > 1;
}

bool changed(Verdict verdict) { return verdict != Verdict::equal && verdict != Verdict::open; }

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::slower:
    case Verdict::broken:
      return Tone::bad;
    case Verdict::faster:
    case Verdict::repaired:
      return Tone::good;
    case Verdict::open:
      return Tone::warning;
    default:
      return Tone::quiet;
  }
}

// Returns the cases that get a row, sorted by severity and then in the order of the file.
std::vector<const ComparedCase*> shown_cases(const Comparison& comparison, bool all) {
  std::vector<const ComparedCase*> cases;
  for (const ComparedCase& c : comparison.cases)
    if (all || comparison.cases.size() <= few_cases || changed(c.verdict)) cases.push_back(&c);
  const auto rank = [](const ComparedCase* c) {
    return std::find(std::begin(verdicts), std::end(verdicts), c->verdict) - std::begin(verdicts);
  };
  std::stable_sort(cases.begin(), cases.end(), [&](const ComparedCase* a, const ComparedCase* b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return changed(a->verdict) && std::abs(std::log(std::max(a->ratio.median, 1e-9))) >
                                      std::abs(std::log(std::max(b->ratio.median, 1e-9)));
  });
  return cases;
}

// Formats the bounds of a ratio. Ratios below 10 have three decimals, because readers compare both bounds
// with 1.
std::string interval_text(const Interval& interval) {
  const auto end = [](double ratio) {
    return ratio < 10 ? fmt::format("{:.3f}", ratio) : fmt::format("{:.3g}", ratio);
  };
  return end(interval.low) + " to " + end(interval.high);
}

Table table_of(const std::vector<const ComparedCase*>& cases) {
  Table table;
  table.columns = {{"kernel"},
                   {.name = "type", .spare = 2, .missed = true},
                   {.name = "size", .title = "N", .unit = Unit::count, .spare = 1, .missed = true},
                   {.name = "variant", .breaks = true},
                   {.name = "threads", .title = threads_differ(cases) ? "" : "-", .spare = 3, .missed = true},
                   {.name = "time", .spare = 8},
                   {.name = "base_time", .title = "before", .unit = Unit::seconds, .spare = 5},
                   {.name = "other_time", .title = "now", .unit = Unit::seconds, .spare = 5},
                   {.name = "ratio", .title = "now/before", .unit = Unit::number, .spare = 4},
                   {.name = "interval", .title = "95 % interval", .unit = Unit::number, .spare = 6},
                   {"verdict"},
                   {.name = "reason", .title = "why", .breaks = true, .spare = 7}};
  for (const ComparedCase* c : cases) {
    const Case& what = c->other->measurement->what;
    const bool timed = c->ratio.samples > 0;
    std::string variant = what.variant;
    if (!what.tuning.empty()) variant += " " + tuning_text(what.tuning);
    if (what.cache == CacheMode::cold) variant += " cold";
    variant += text_of(what.fill, " ");
    table.rows.push_back({what.kernel, name_of(what.problem.type),
                          what.problem_class.empty() ? Cell(what.problem.n) : Cell(what.problem_class),
                          variant, threads_text(*c), timed ? Cell(name_of(c->time)) : Cell(),
                          timed ? Cell(c->base_time) : Cell(), timed ? Cell(c->other_time) : Cell(),
                          timed ? Cell(c->ratio.median).as(fmt::format("{:.3f}", c->ratio.median)) : Cell(),
                          timed ? Cell(interval_text(c->ratio)) : Cell(),
                          Cell(name_of(c->verdict), tone_of(c->verdict)), c->reason});
  }
  return table;
}

// Statistics of one model's time ratios (other side over base): the sum of their logarithms, the smallest and
// the largest ratio.
struct Ratios {
  double sum_of_logs = 0, least = 0, most = 0;
  std::size_t count = 0;
  double mean() const { return std::exp(sum_of_logs / static_cast<double>(count)); }
};

std::map<std::string, Ratios> ratios_of(const Comparison& comparison) {
  std::map<std::string, Ratios> models;
  for (const ComparedCase& c : comparison.cases) {
    const double ratio = c.ratio.median;
    if (c.ratio.samples <= 0 || ratio <= 0) continue;
    Ratios& of_model = models[model_of(c.other->measurement->what.variant)];
    of_model.least = of_model.count ? std::min(of_model.least, ratio) : ratio;
    of_model.most = std::max(of_model.most, ratio);
    of_model.sum_of_logs += std::log(ratio);
    ++of_model.count;
  }
  return models;
}

std::string means_text(const Comparison& comparison) {
  std::string text;
  for (const auto& [model, ratios] : ratios_of(comparison))
    text += fmt::format("{}{} {:.3f} ({:.3g} to {:.3g})", text.empty() ? "" : ", ", model, ratios.mean(),
                        ratios.least, ratios.most);
  return text.empty() ? "" : "Times now over before, geometric mean and range: " + text + ".\n";
}

std::string limits_text(const Comparison& comparison, double threshold) {
  if (comparison.in_turns)
    return "Measured in A-B-B-A pairs: each case is judged by its own pairs, without noise from other cases.";
  if (comparison.limits.empty()) return "";
  const auto percent = [](double log_ratio) {
    const double more = std::expm1(log_ratio);
    constexpr double most = 1000;  // beyond it, the number says no more
    return more < 1      ? format_percent(more)
           : more < most ? "a factor of " + format_significant(more + 1)
                         : "a factor of more than " + format_significant(most);
  };
  std::string text =
      "A case is called faster or slower if that is 99.5 % certain. The noise between runs is taken from ";
  text += comparison.source == NoiseSource::visits ? "visits and repeated runs."
          : comparison.source == NoiseSource::comparison
              ? "typical differences between the cases of these files."
              : "typical values only: give each side several runs (a1,a2,a3 b1,b2,b3).";
  bool large = false;
  for (const Limits& one : comparison.limits) {
    const double least = std::max(one.least, std::log1p(threshold)),
                 most = std::max(one.greatest, std::log1p(threshold));
    large = large || most > 2 * std::log1p(threshold);
    text += fmt::format(
        "\n  {} times ({}): differences are certain beyond {}", name_of(one.time), plural(one.cases, "case"),
        percent(least) == percent(most) ? percent(least)
                                        : fmt::format("{} to {}, by case", percent(least), percent(most)));
  }
  return text + (large
                     ? "\nSmaller differences need more visits (`sextant run --visits 8`), several runs per "
                       "side, or `sextant compare --programs` (user kernels: `--loads`)."
                     : "");
}

// Returns the last line of a comparison: the numbers of cases without a verdict, by reason.
std::string not_judged_text(const ComparisonReport& report, std::size_t other) {
  std::map<Verdict, std::size_t> counts = counts_of(report.comparisons[other - 1]);
  std::size_t missing = 0;
  for (const MissingCase& one : report.missing)
    for (const std::size_t side : one.missing_on) missing += side == 0 || side == other;
  const std::size_t all = report.comparisons[other - 1].cases.size() + missing,
                    left = counts[Verdict::open] + counts[Verdict::no_result] + missing;
  if (left == 0) return fmt::format("All {} were judged.", plural(all, "case"));
  return fmt::format("Not judged: {} of {} ({} open, {} without a result, {} missing on a side).", left,
                     plural(all, "case"), counts[Verdict::open], counts[Verdict::no_result], missing);
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '[' || c == ']') cell += '\\';
    if (c == '<')
      cell += "&lt;";
    else if (c == '&')
      cell += "&amp;";
    else
      cell += c == '\n' || c == '\r' ? ' ' : c;
  }
  return cell;
}

std::string to_markdown(const std::vector<const ComparedCase*>& cases) {
  std::string text =
      "| kernel | type | N | variant | time | before | now | now/before | 95 % interval | verdict | why |\n"
      "|---|---|--:|---|---|--:|--:|--:|--:|---|---|\n";
  const bool threads = threads_differ(cases);
  for (const ComparedCase* c : cases) {
    const Case& what = c->other->measurement->what;
    const bool timed = c->ratio.samples > 0;
    std::string variant = what.variant + (what.tuning.empty() ? "" : " " + tuning_text(what.tuning));
    if (what.cache == CacheMode::cold) variant += " cold";
    variant += text_of(what.fill, " ");
    if (threads && !threads_text(*c).empty()) variant += ", threads " + threads_text(*c);
    const auto cell = [&](const std::string& content) { text += "| " + markdown_cell(content) + " "; };
    cell(what.kernel);
    cell(name_of(what.problem.type));
    cell(size_of(what));
    cell(variant);
    cell(timed ? name_of(c->time) : "-");
    cell(timed ? format_seconds(c->base_time) : "-");
    cell(timed ? format_seconds(c->other_time) : "-");
    cell(timed ? fmt::format("{:.3f}", c->ratio.median) : "-");
    cell(timed ? interval_text(c->ratio) : "-");
    const bool bad = c->verdict == Verdict::slower || c->verdict == Verdict::broken;
    text += fmt::format("| {}{}{} ", bad ? "**" : "", name_of(c->verdict), bad ? "**" : "");
    cell(c->reason);
    text += "|\n";
  }
  return text;
}

std::string differences_text(const ComparisonReport& report, std::size_t other, bool markdown) {
  std::string text;
  for (const Difference& d : setting_differences(report.sides[0], report.sides[other])) {
    const auto value = [&](const std::string& given) {
      return given.empty() ? std::string("none") : markdown ? markdown_cell(given) : given;
    };
    text += fmt::format("{}{}: {} -> {}\n", markdown ? "- " : "  ", d.key, value(d.base), value(d.other));
  }
  return text.empty() ? ""
                      : "Machine, build or settings differ:\n" + std::string(markdown ? "\n" : "") + text;
}

std::string ceilings_text(const ComparisonReport& report, std::size_t other, bool all, bool markdown,
                          bool colour, int room) {
  const Table table =
      ceilings_table(compare_ceilings(report.sides[0], report.sides[other]), report.threshold, all);
  if (table.title.empty()) return "";
  if (table.rows.empty()) return wrap(table.title, room) + "\n\n";
  return markdown ? "```\n" + to_text(table, false) + "```\n\n" : to_text(table, colour, room) + "\n";
}

// True if different thread settings may explain missing cases: a case that one side lacks was also measured
// with another thread setting.
bool missing_for_threads(const ComparisonReport& report) {
  std::map<std::string, std::string> threads;
  for (const MissingCase& missing : report.missing) {
    const std::string text = text_of(missing.found->threads);
    const auto [known, fresh] = threads.try_emplace(name_of_case(*missing.found), text);
    if (known->second != text) return true;
  }
  for (const Comparison& comparison : report.comparisons)
    for (const ComparedCase& c : comparison.cases) {
      const auto known = threads.find(name_of_case(*c.other));
      if (known != threads.end() && known->second != text_of(c.other->threads)) return true;
    }
  return false;
}

std::string missing_text(const ComparisonReport& report, bool all) {
  const bool with_threads = missing_for_threads(report);
  std::string text;
  for (std::size_t i = 0; i < report.sides.size(); ++i) {
    std::vector<std::string> names;
    for (const MissingCase& missing : report.missing)
      if (std::find(missing.missing_on.begin(), missing.missing_on.end(), i) != missing.missing_on.end())
        names.push_back(name_of_case(*missing.found) + (with_threads && !missing.found->threads.count.empty()
                                                            ? ", threads " + text_of(missing.found->threads)
                                                            : ""));
    if (names.empty()) continue;
    text += fmt::format("Not in {} ({}):\n", report.sides[i].name, names.size());
    const std::size_t listed = all ? names.size() : std::min(names.size(), most_missing);
    for (std::size_t j = 0; j < listed; ++j) text += "  " + names[j] + "\n";
    if (listed < names.size())
      text += fmt::format("  and {} more: --all lists them\n", names.size() - listed);
  }
  return text;
}

const char* name_of(NoiseSource source) {
  switch (source) {
    case NoiseSource::typical:
      return "typical";
    case NoiseSource::comparison:
      return "comparison";
    case NoiseSource::visits:
      return "visits";
  }
  return "?";
}

Json json_of(const Summary& s) {
  const Case& what = s.measurement->what;
  Json json = {{"kernel", what.kernel}, {"variant", what.variant}, {"type", name_of(what.problem.type)}};
  json["n"] = what.problem.n ? Json(what.problem.n) : Json();
  json["class"] = what.problem_class.empty() ? Json() : Json(what.problem_class);
  Json tuning = Json::object();
  for (const auto& [name, value] : what.tuning)
    tuning[name] = value.text ? Json(value.text) : Json(value.number);
  json["tuning"] = tuning;
  json["device"] = what.device;
  json["cache"] = what.cache == CacheMode::cold ? "cold" : "warm";
  json["fill"] = what.fill == InputFill::uniform ? Json() : Json(name_of(what.fill));
  json["threads"] = s.threads.count.empty() ? Json() : Json(text_of(s.threads));
  return json;
}

Json json_of(const ComparedCase& c) {
  Json json = json_of(*c.other);
  const bool timed = c.ratio.samples > 0;
  const auto number = [&](double value) { return timed ? Json(value) : Json(); };
  json["verdict"] = name_of(c.verdict);
  json["reason"] = c.reason.empty() ? Json() : Json(c.reason);
  json["time"] = timed ? Json(name_of(c.time)) : Json();
  json["base_time"] = number(c.base_time);
  json["other_time"] = number(c.other_time);
  json["base_runs"] = c.base_runs;
  json["other_runs"] = c.other_runs;
  json["ratio"] = number(c.ratio.median);
  json["ratio_low"] = number(c.ratio.low);
  json["ratio_high"] = number(c.ratio.high);
  json["ratio_of_minima"] = number(c.ratio.minimum);
  return json;
}

// Returns the text of a CSV cell; empty for null.
std::string csv_cell(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

Json json_of(const Comparison& comparison, const ComparisonReport& report, std::size_t other) {
  Json json = {{"base", report.sides[0].name}, {"other", report.sides[other].name}};
  json["noise"] = {{"source", comparison.in_turns ? "turns" : name_of(comparison.source)}};
  for (const Limits& one : comparison.limits)
    json["noise"][name_of(one.time)] = {{"cases", one.cases},
                                        {"least_limit", std::expm1(one.least)},
                                        {"greatest_limit", std::expm1(one.greatest)}};
  Json differences = Json::array();
  for (const Difference& d : setting_differences(report.sides[0], report.sides[other]))
    differences.push_back({{"key", d.key},
                           {"base", d.base.empty() ? Json() : Json(d.base)},
                           {"other", d.other.empty() ? Json() : Json(d.other)}});
  json["differences"] = differences;
  json["ceilings"] = Json::array();
  for (const ComparedCeiling& one : compare_ceilings(report.sides[0], report.sides[other]))
    json["ceilings"].push_back({{"device", one.base.device},
                                {"name", one.base.name},
                                {"footprint", one.base.footprint ? Json(one.base.footprint) : Json()},
                                {"unit", unit_of(one.base)},
                                {"base", one.base.value},
                                {"other", one.other},
                                {"ratio", one.ratio.samples ? Json(one.ratio.median) : Json()},
                                {"ratio_low", one.ratio.samples ? Json(one.ratio.low) : Json()},
                                {"ratio_high", one.ratio.samples ? Json(one.ratio.high) : Json()},
                                {"differs", differs(one, report.threshold)}});
  const std::map<Verdict, std::size_t> counts = counts_of(comparison);
  for (const Verdict verdict : verdicts) {
    const auto found = counts.find(verdict);
    json["counts"][name_of(verdict)] = found == counts.end() ? 0 : found->second;
  }
  json["geometric_means"] = Json::object();
  for (const auto& [model, ratios] : ratios_of(comparison)) json["geometric_means"][model] = ratios.mean();
  json["cases"] = Json::array();
  for (const ComparedCase& c : comparison.cases) json["cases"].push_back(json_of(c));
  return json;
}

}  // namespace

std::string name_of_case(const Summary& s) {
  const Case& what = s.measurement->what;
  std::string name =
      what.kernel + " " + what.variant + " " + name_of(what.problem.type) + " " + size_of(what);
  if (!what.tuning.empty()) name += " " + tuning_text(what.tuning);
  if (what.cache == CacheMode::cold) name += " cold";
  name += text_of(what.fill, " ");
  return name;
}

std::string counts_text(const Comparison& comparison) {
  const std::map<Verdict, std::size_t> counts = counts_of(comparison);
  std::string text;
  for (const Verdict verdict : verdicts)
    if (const auto found = counts.find(verdict); found != counts.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found->second, name_of(verdict));
  return fmt::format("{}: {}.", plural(comparison.cases.size(), "case"), text);
}

std::string to_text(const ComparisonReport& report, bool all, bool markdown, bool colour, int room) {
  std::string text;
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    const Comparison& comparison = report.comparisons[i];
    const std::string title = report.sides[i + 1].name + " against " + report.sides[0].name;
    text += (i ? "\n" : "") + (markdown ? "### " + markdown_cell(title) : wrap(title, room)) + "\n\n";
    text += wrap(counts_text(comparison) + "\n" + means_text(comparison), room) + "\n";
    if (const std::string differences = differences_text(report, i + 1, markdown); !differences.empty())
      text += wrap(differences, room) + "\n";
    const std::vector<const ComparedCase*> cases = shown_cases(comparison, all);
    if (!cases.empty())
      text += (markdown ? to_markdown(cases) : to_text(table_of(cases), colour, room)) + "\n";
    text += ceilings_text(report, i + 1, all, markdown, colour, room);
    if (const std::string limits = limits_text(comparison, report.threshold); !limits.empty())
      text += wrap(limits, room) + "\n";
    if (cases.size() < comparison.cases.size() && !all)
      text += wrap(fmt::format("The {} equal or open cases are not shown: --all shows them.\n",
                               comparison.cases.size() - cases.size()),
                   room);
  }
  if (!report.missing.empty()) {
    const std::string missing = missing_text(report, all);
    text += "\n" + (markdown ? "```\n" + missing + "```\n" : wrap(missing, room));
  }
  if (!report.notes.empty()) text += "\n";
  for (const std::string& note : report.notes) text += wrap(note, room) + "\n";
  for (std::size_t other = 1; other < report.sides.size(); ++other)
    text += "\n" +
            wrap((report.sides.size() > 2 ? report.sides[other].name + ": " : std::string()) +
                     not_judged_text(report, other),
                 room) +
            "\n";
  return text;
}

std::string to_csv(const ComparisonReport& report) {
  // The columns have the same names as the JSON keys. A tuning is a single text.
  std::string text, heading;
  for (std::size_t i = 0; i < report.comparisons.size(); ++i)
    for (const ComparedCase& c : report.comparisons[i].cases) {
      Json row = {{"base", report.sides[0].name}, {"other", report.sides[i + 1].name}};
      const Json one = json_of(c);
      for (const auto& [key, value] : one.items())
        row[key] = key == "tuning" ? Json(tuning_text(c.other->measurement->what.tuning)) : value;
      std::string names, line;
      for (const auto& [key, value] : row.items()) {
        names += (names.empty() ? "" : ",") + key;
        line += (line.empty() ? "" : ",") + csv_cell(value);
      }
      if (heading.empty()) heading = names + "\n";
      text += line + "\n";
    }
  return heading + text;
}

std::string to_json(const ComparisonReport& report) {
  Json json = {{"threshold", report.threshold}, {"time", name_of(report.time)}};
  json["comparisons"] = Json::array();
  for (std::size_t i = 0; i < report.comparisons.size(); ++i)
    json["comparisons"].push_back(json_of(report.comparisons[i], report, i + 1));
  json["missing"] = Json::array();
  for (const MissingCase& missing : report.missing) {
    Json one = json_of(*missing.found);
    one["missing_on"] = Json::array();
    for (const std::size_t side : missing.missing_on) one["missing_on"].push_back(report.sides[side].name);
    json["missing"].push_back(one);
  }
  json["notes"] = report.notes;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sextant
