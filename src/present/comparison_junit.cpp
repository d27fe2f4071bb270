// Formats a comparison for continuous integration servers, as a test report and as one log line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.hpp"
#include "present/comparison.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// Escapes text for XML 1.0, which does not allow control characters.
std::string xml(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ')
      escaped += ' ';
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

bool is_regression(const ComparedCase& c) {
  return c.verdict == Verdict::slower || c.verdict == Verdict::broken;
}

std::string times_text(const ComparedCase& c) {
  return fmt::format("{:.3g} times as long (95 % interval {:.3g} to {:.3g}): {} before, {} now",
                     c.ratio.median, c.ratio.low, c.ratio.high, format_seconds(c.base_time),
                     format_seconds(c.other_time));
}

std::string why(const ComparedCase& c) {
  return c.verdict == Verdict::slower ? times_text(c) : fmt::format("{}: {}", name_of(c.verdict), c.reason);
}

// Returns the start of a <testcase> element, up to its time. Servers group tests by class, so the class is
// "kernel.variant".
std::string test_case(const Summary& s) {
  const Case& what = s.measurement->what;
  const std::string group = what.kernel + "." + what.variant, name = name_of_case(s);
  std::string rest = name.substr(std::min(name.size(), group.size() + 1));
  if (!s.threads.count.empty()) rest += ", threads " + text_of(s.threads);
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(group), xml(rest));
}

struct Suite {
  std::string cases;
  std::size_t tests = 0, failures = 0, skipped = 0;

  void add(const Summary& what, double seconds, const std::string& kind, const std::string& message,
           const std::string& type) {
    ++tests;
    cases += test_case(what);
    if (seconds > 0) cases += fmt::format(" time=\"{:.9f}\"", seconds);
    if (kind.empty()) {
      cases += "/>\n";
      return;
    }
    ++(kind == "failure" ? failures : skipped);
    cases += fmt::format("><{}{} message=\"{}\"/></testcase>\n", kind,
                         type.empty() ? "" : " type=\"" + type + "\"", xml(message));
  }
};

Suite suite_of(const ComparisonReport& report, std::size_t other) {
  Suite suite;
  for (const ComparedCase& c : report.comparisons[other - 1].cases) {
    const double seconds = c.ratio.samples > 0 ? c.other_time : 0;
    if (is_regression(c))
      suite.add(*c.other, seconds, "failure", why(c), name_of(c.verdict));
    else if (c.verdict == Verdict::open || c.verdict == Verdict::no_result)
      suite.add(*c.other, seconds, "skipped", why(c), "");
    else
      suite.add(*c.other, seconds, "", "", "");
  }
  for (const MissingCase& missing : report.missing)
    for (const std::size_t side : missing.missing_on)
      if (side == 0 || side == other)
        suite.add(*missing.found, 0, "skipped", "not in " + report.sides[side].name, "");
  return suite;
}

}  // namespace

std::string to_junit(const ComparisonReport& report) {
  std::string suites;
  std::size_t tests = 0, failures = 0, skipped = 0;
  for (std::size_t other = 1; other < report.sides.size(); ++other) {
    const Suite suite = suite_of(report, other);
    suites += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}  "
        "</testsuite>\n",
        xml(report.sides[other].name + " against " + report.sides[0].name), suite.tests, suite.failures,
        suite.skipped, suite.cases);
    tests += suite.tests, failures += suite.failures, skipped += suite.skipped;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"sextant compare\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}"
      "</testsuites>\n",
      tests, failures, skipped, suites);
}

std::string to_lines(const ComparisonReport& report) {
  std::string text;
  for (std::size_t other = 1; other < report.sides.size(); ++other) {
    const Comparison& comparison = report.comparisons[other - 1];
    std::size_t regressions = 0;
    const ComparedCase* worst = nullptr;  // the worst case; a broken case is worse than a slower one
    const auto badness = [](const ComparedCase& c) {
      return c.verdict == Verdict::broken ? HUGE_VAL : c.ratio.median;
    };
    for (const ComparedCase& c : comparison.cases) {
      if (!is_regression(c)) continue;
      ++regressions;
      if (!worst || badness(c) > badness(*worst)) worst = &c;
    }
    text += fmt::format("{} against {}: {}; {}", report.sides[other].name, report.sides[0].name,
                        regressions ? plural(regressions, "regression") : "no regression",
                        counts_text(comparison));
    if (worst) text += fmt::format(" Worst: {}, {}", name_of_case(*worst->other), why(*worst));
    text += "\n";
  }
  return text;
}

}  // namespace sextant
