#include "run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/plural.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

constexpr double seconds_between_lines = 10;
constexpr int bar_columns = 24;

// Returns how much of the run is done, from 0 to 1. It is a fraction of the estimated time, or of the number
// of cases while no estimate is known.
double share_done(const Progress& progress) {
  if (progress.total == 0 || progress.done == progress.total) return 1;
  if (progress.remaining >= 0 && progress.elapsed + progress.remaining > 0)
    return progress.elapsed / (progress.elapsed + progress.remaining);
  return static_cast<double>(progress.done) / static_cast<double>(progress.total);
}

std::string time_left(const Progress& progress) {
  return progress.remaining < 0 ? "" : format_duration(progress.remaining) + " left";
}

// Returns the first `columns` code points of a UTF-8 text.
std::string shortened(const std::string& text, std::size_t columns) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80 && ++width > columns) return text.substr(0, i);
  return text;
}

}  // namespace

std::string describe(const Case& what) {
  std::string text =
      what.kernel + " " + what.variant + " " + name_of(what.problem.type) + " " +
      (what.problem_class.empty() ? "N=" + std::to_string(what.problem.n) : what.problem_class);
  for (const auto& [name, value] : what.tuning) text += " " + name + "=" + value_text(value);
  return text;
}

std::string progress_bar(const Progress& progress, int columns, bool colour) {
  const auto filled = static_cast<std::size_t>(share_done(progress) * bar_columns);
  const std::string done(filled, '#'), open(bar_columns - filled, '.');
  std::string rest = fmt::format(" {}/{}", progress.done, progress.total);
  if (const std::string left = time_left(progress); !left.empty()) rest += "  " + left;
  if (progress.running) rest += "  " + describe(*progress.running);
  // One column stays free, because some terminals wrap a full line.
  const int room = std::max(0, columns - bar_columns - 3);
  rest = shortened(rest, static_cast<std::size_t>(room));
  while (rest.ends_with(' ')) rest.pop_back();
  return (colour ? "[\033[32m" + done + "\033[0m\033[2m" + open + "\033[0m]" : "[" + done + open + "]") +
         rest;
}

std::string progress_line(const Progress& progress) {
  std::string text = fmt::format("{} of {} done", progress.done, plural(progress.total, "case"));
  if (const std::string left = time_left(progress); !left.empty()) text += ", " + left;
  if (progress.running) text += "; now " + describe(*progress.running);
  return text;
}

void ProgressReporter::update(const Progress& progress) {
  if (quiet_) return;
  if (terminal_.interactive) {
    const std::string bar = progress_bar(progress, terminal_.columns, terminal_.colour);
    std::fprintf(stderr, "\r\033[K%s", bar.c_str());
    std::fflush(stderr);
    shown_ = true;
    return;
  }
  if (progress.elapsed - last_line_ < seconds_between_lines) return;
  last_line_ = progress.elapsed;
  std::fprintf(stderr, "%s\n", progress_line(progress).c_str());
}

void ProgressReporter::message(const std::string& text) {
  if (quiet_) return;
  clear();
  std::fprintf(stderr, "%s\n", text.c_str());
}

void ProgressReporter::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace sextant
