#include "cli/export/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/files/load.hpp"
#include "cli/files/output.hpp"
#include "cli/tune/replay.hpp"
#include "record/keys.hpp"
#include "tuner/winners.hpp"

namespace sextant {
namespace {

// Returns the hardware on which a case was measured, such as "NVIDIA H200", as recorded in its session. If
// the session does not say, returns the name of the device in the file.
std::string hardware(const Results& results, const tuner::Winner& winner) {
  for (const Session& session : results.sessions)
    if (session.id == winner.session) {
      const std::string name = value_of(session.environment, winner.what.device + ".name");
      const std::string processor = value_of(session.environment, "cpu");
      if (!name.empty()) return name;
      if (winner.what.device == "cpu" && !processor.empty()) return processor;
    }
  return winner.what.device;
}

std::string problem_text(const Case& what) {
  return what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class;
}

// Converts a name such as "A100 80GB" to a part of a macro's name: "A100_80GB".
std::string macro_part(const std::string& text) {
  std::string part;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain)
      part += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    else if (!part.empty() && part.back() != '_')
      part += '_';
  }
  while (!part.empty() && part.back() == '_') part.pop_back();
  return part;
}

// Replaces the characters that would end a comment or a line by blanks.
std::string comment_text(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == '\\'; }, ' ');
  return text;
}

// Returns the text of a macro's value: a number, the original text, or a compiler option as a string literal.
std::string macro_value(const std::string& name, const TunedValue& value) {
  if (!value.text) return std::to_string(value.number);
  const std::string text = comment_text(value.text);
  return name.starts_with("flag.") ? '"' + text + '"' : text;
}

const char* unit_of(const tuner::Winner& winner) {
  return winner.measured == "time" ? "s" : winner.measured == "energy" ? "J" : "J s";
}

std::string header_of(const Results& results, const std::vector<tuner::Winner>& winners) {
  std::string text =
      "// The best tunings found by Sextant: "
      "SEXTANT_<device>_<kernel>_<variant>_<type>_<size>_<tunable>.\n#pragma once\n";
  for (const tuner::Winner& winner : winners) {
    const Case& what = winner.what;
    const std::string device = hardware(results, winner);
    text += fmt::format("\n// {}, {} {} {} {}: {:.4g} {}\n", comment_text(device), comment_text(what.kernel),
                        comment_text(what.variant), name_of(what.problem.type),
                        comment_text(problem_text(what)), winner.time, unit_of(winner));
    const std::string begin = fmt::format(
        "#define SEXTANT_{}_{}_{}_{}_{}_", macro_part(device), macro_part(what.kernel),
        macro_part(what.variant), macro_part(name_of(what.problem.type)), macro_part(problem_text(what)));
    for (const auto& [name, value] : what.tuning)
      text += begin + macro_part(name) + " " + macro_value(name, value) + "\n";
  }
  return text;
}

std::string tunings_of(const Results& results, const std::vector<tuner::Winner>& winners) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const tuner::Winner& winner : winners) {
    const Case& what = winner.what;
    Json tuning = Json::object();
    for (const auto& [name, value] : what.tuning)
      tuning[name] = value.text ? Json(value.text) : Json(value.number);
    Json one = {{"hardware", hardware(results, winner)},
                {"device", what.device},
                {"kernel", what.kernel},
                {"variant", what.variant},
                {"type", name_of(what.problem.type)},
                {"n", what.problem.n},
                {"class", what.problem_class},
                {"extents", {what.problem.extents.x, what.problem.extents.y, what.problem.extents.z}},
                {"tuning", tuning},
                {winner.measured, winner.time}};
    if (winner.gain)
      one["gain"] = {{"median", winner.gain->median}, {"low", winner.gain->low}, {"high", winner.gain->high}};
    list.push_back(one);
  }
  return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string space_in(const tuner::RecordedSpace& space, const std::string& format) {
  if (format == "t4") return tuner::write_t4(space);
  return format == "compact" ? tuner::write_compact(space) : tuner::write_kernel_tuner(space);
}

std::string file_name(const std::string& space, const std::string& format) {
  std::string name;
  for (const char c : space)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ? c : '_';
  return name.substr(0, 150) + (format == "compact" ? ".txt" : "." + format + ".json");
}

void export_spaces(const std::string& file, const std::string& format, const std::string& output) {
  namespace fs = std::filesystem;
  const std::vector<tuner::RecordedSpace> spaces = recorded_in(file);
  std::error_code error;
  const bool folder = output.ends_with('/') || fs::is_directory(output, error);
  if (!folder && spaces.size() > 1)
    throw UserError(
        fmt::format("{} holds {} sets of tunings (one per variant and size), and each needs its own output "
                    "file. Name a folder with a slash at the end, such as -o spaces/",
                    file, spaces.size()));
  if (!folder) return write_output(space_in(spaces.front(), format), output);
  fs::create_directories(output, error);
  if (error)
    throw UserError("the folder " + output + " cannot be created: " + error.message() +
                    ". Name another folder with -o.");
  for (const tuner::RecordedSpace& space : spaces)
    write_output(space_in(space, format), (fs::path(output) / file_name(space.name, format)).string());
}

}  // namespace

const std::vector<std::string>& tuning_formats() {
  static const std::vector<std::string> formats = {"header", "tunings", "t4", "kernel-tuner", "compact"};
  return formats;
}

void export_tuning(const std::string& file, const std::string& format, const std::string& output) {
  if (format != "header" && format != "tunings") return export_spaces(file, format, output);
  const Results results = load_results(file);
  const std::vector<tuner::Winner> winners = tuner::winners_of(results);
  if (winners.empty())
    throw UserError(file + " holds no tuning results. `sextant tune -o " + file +
                    "` searches for the best tunings.");
  write_output(format == "header" ? header_of(results, winners) : tunings_of(results, winners), output);
}

}  // namespace sextant
