// Fuzzes the messages between the parent and its workers. A message must be read and written unchanged, or
// rejected with UserError.
#include <cstdlib>

#include "base/error.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/settings_json.hpp"
#include "fuzz/target.hpp"
#include "record/json.hpp"
#include "record/json_text.hpp"
#include "sample_results.hpp"

namespace sextant::fuzz {

std::vector<std::string> seeds() {
  const Measurement full = test::full_measurement();
  return {text_of(Json{{"case", json_of(full.what)}, {"settings", json_of(Settings())}}),
          text_of(Json{{"measurement", json_of(full)}}), text_of(Json{{"stage", "checking"}}),
          text_of(Json{{"ready", 1}}),
          text_of(Json{{"ceilings", Json::array({json_of(Ceiling{"gpu0", "copy", 1 << 20, 1e12})})}})};
}

std::vector<std::string> words() {
  return {"null", "\"nan\"", "\"inf\"", "1e999", "-1", "9223372036854775808", "[]", "{}", "[[", "\"\"",
          "true", "\\u0000", "\\ud800", ":",     ","};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  try {
    const Json line = parse_json(std::string(reinterpret_cast<const char*>(data), size));
    if (!line.is_object()) return 0;
    if (line.contains("case")) {
      const Case what = case_from(line["case"]);
      if (to_json(case_from(parse_json(to_json(what)))) != to_json(what)) std::abort();
    }
    if (line.contains("settings")) settings_from(line["settings"]);
    if (line.contains("measurement")) {
      const Measurement measurement = measurement_from(line["measurement"]);
      if (to_json(measurement_from(parse_json(to_json(measurement)))) != to_json(measurement)) std::abort();
    }
    if (line.contains("ceilings"))
      for (const Json& ceiling : line["ceilings"]) ceiling_from(ceiling);
  } catch (const UserError&) {
  }
  return 0;
}
