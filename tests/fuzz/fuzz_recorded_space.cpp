// Fuzzes tuning spaces recorded by other programs. Damaged text must be read, searched and written again, or
// rejected with UserError.
#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "tuner/replay.hpp"

namespace sextant::fuzz {

std::vector<std::string> seeds() {
  return {
      R"({"schema_version": "1.0.0", "metadata": {"timeunit": "miliseconds"}, "results": [
  {"timestamp": "", "configuration": {"x": 1, "y": "a"}, "times": {"runtimes": [1.5]}, "invalidity": "correct",
   "correctness": 1, "measurements": [{"name": "time", "value": 1.5, "unit": ""}], "objectives": ["time"]},
  {"timestamp": "", "configuration": {"x": 2, "y": "a"}, "times": {}, "invalidity": "compile", "correctness": 0,
   "measurements": [], "objectives": ["time"]}]})",
      R"({"device_name": "", "tune_params_keys": ["x", "u"], "objective": "time", "cache": {
  "1,True": {"x": 1, "u": true, "time": 0.5}, "2,True": {"x": 2, "u": true, "time": "Failed"},
  "2,False": {"x": 2, "u": false, "__error__": "InvalidConfig"},)",
      R"({"Metadata": {"TimeUnit": "Seconds"}, "Results": [{"Status": "Ok", "TotalDuration": 2.5, "Configuration": [
  {"Name": "x", "Value": 1}]}, {"Status": "Failed", "Configuration": [{"Name": "x", "Value": "a b"}]}]})",
      "2 3\nblock 2 32 64\nmode 2 row col\n0 0 2.5\n1 0 -1\n1 1 0.125\n"};
}

std::vector<std::string> words() {
  return {"\"cache\"",
          "\"tune_params_keys\"",
          "\"results\"",
          "\"configuration\"",
          "\"time\"",
          "GB/s",
          "NaN",
          "Infinity",
          "1e20",
          "1e999",
          "null",
          "[[[[",
          "\"\"",
          "{}",
          "[]",
          "-1",
          "65535",
          "65536",
          "99999999999999",
          "\xff",
          "\\u0",
          "correct"};
}

}  // namespace sextant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant::tuner;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const RecordedSpace recorded = read_recorded(text, "input");
    if (recorded.points.size() != recorded.space.size()) std::abort();
    const Trajectory tried = replay(recorded, "model", nullptr, 1, 20);
    if (tried.points.size() != std::min<std::size_t>(20, recorded.space.size())) std::abort();
    for (const std::string& again : {write_t4(recorded), write_kernel_tuner(recorded)})
      if (read_recorded(again, "again").usable() != recorded.usable()) std::abort();
  } catch (const sextant::UserError&) {
  }
  return 0;
}
