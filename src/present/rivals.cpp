#include "present/rivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "base/join.hpp"
#include "present/format.hpp"
#include "record/threads_ran.hpp"

namespace sextant {
namespace {

// Returns the fastest variant of one device by call time, with or without libraries; null: none.
const Summary* fastest(const StudyRow& row, bool on_host, bool libraries) {
  const Summary* best = nullptr;
  for (const auto& [column, s] : row.best)
    if (s->on_host == on_host && (s->model == "library") == libraries)
      if (!best || s->call_time.median < best->call_time.median) best = s;
  return best;
}

enum class Lead : std::uint8_t { ahead, behind, undecided };

Lead lead_of(const Interval& ratio) {
  return ratio.low > 1 ? Lead::ahead : ratio.high < 1 ? Lead::behind : Lead::undecided;
}

// The times of a library at one size, as ratios over the times of the variant without a library.
struct Duel {
  std::string variants, size;
  Interval by_call, by_device;  // without samples: not measured

  std::string standing() const {
    const Lead call = lead_of(by_call), device = by_device.samples ? lead_of(by_device) : call;
    if (call == device) return call == Lead::ahead ? "ahead" : call == Lead::behind ? "behind" : "undecided";
    if (device == Lead::ahead || call == Lead::ahead)
      return std::string("ahead by ") + (device == Lead::ahead ? "device" : "call") + " time only";
    return std::string("behind by ") + (device == Lead::behind ? "device" : "call") + " time only";
  }
};

std::optional<Duel> duel_of(const StudyRow& row, bool on_host) {
  const Summary *const own = fastest(row, on_host, false), *const library = fastest(row, on_host, true);
  if (!own || !library) return std::nullopt;
  return Duel{own->measurement->what.variant + " against " + library->measurement->what.variant, row.size,
              ratio_of_medians(library->call_time, own->call_time),
              ratio_of_medians(library->device_time, own->device_time)};
}

// Returns a text such as "1.05x by device time" or "1.05x to 1.10x by device time".
std::string ratios_text(const std::vector<Duel>& duels, Interval Duel::*ratio, const char* kind) {
  std::vector<double> medians;
  for (const Duel& duel : duels)
    if ((duel.*ratio).samples) medians.push_back((duel.*ratio).median);
  if (medians.empty()) return "";
  const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
  const std::string from = format_ratio(*low), to = format_ratio(*high);
  return (from == to ? from : from + " to " + to) + " by " + kind + " time";
}

// Returns a text such as "ahead at 4096, 7936 (1.05x by device time, 1.02x by call time)".
std::string standing_text(const std::vector<Duel>& duels) {
  const std::string device = ratios_text(duels, &Duel::by_device, "device");
  return fmt::format("{} at {} ({}{}{})", duels.front().standing(),
                     join(duels, ", ", [](const Duel& duel) { return duel.size; }), device,
                     device.empty() ? "" : ", ", ratios_text(duels, &Duel::by_call, "call"));
}

}  // namespace

std::vector<std::string> library_sentences(const StudyGroup& group) {
  std::vector<std::string> sentences;
  for (const bool on_host : {true, false}) {
    // One entry for each run of adjacent sizes that have the same variants and the same ranking.
    std::vector<std::vector<Duel>> runs;
    for (const StudyRow* row : group)
      if (const std::optional<Duel> duel = duel_of(*row, on_host)) {
        const bool goes_on = !runs.empty() && runs.back().front().variants == duel->variants &&
                             runs.back().front().standing() == duel->standing();
        if (!goes_on) runs.emplace_back();
        runs.back().push_back(*duel);
      }
    std::string last;
    for (const std::vector<Duel>& run : runs) {
      if (run.front().variants == last) {
        sentences.back() += "; " + standing_text(run);
        continue;
      }
      last = run.front().variants;
      sentences.push_back(last + ": " + standing_text(run));
    }
  }
  return sentences;
}

bool ran_on_one_core(const Summary& s) {
  if (!s.on_host || std::atoi(s.threads.count.c_str()) < 2) return false;
  const auto& counters = s.measurement->counters;
  return std::any_of(counters.begin(), counters.end(),
                     [](const auto& one) { return one.first == threads_ran && one.second == 1; });
}

std::vector<std::string> one_core_sentences(const StudyGroup& group) {
  // maps a variant and the number of allowed threads to the sizes
  std::map<std::string, std::vector<std::string>> sizes;
  for (const StudyRow* row : group)
    for (const Summary* s : row->all) {
      if (!s->ok() || !ran_on_one_core(*s)) continue;
      std::vector<std::string>& known =
          sizes[s->measurement->what.variant + " ran on one core of " + s->threads.count];
      if (known.empty() || known.back() != row->size) known.push_back(row->size);
    }
  std::vector<std::string> sentences;
  for (const auto& [variant, where] : sizes) sentences.push_back(variant + " at " + join(where, ", "));
  return sentences;
}

}  // namespace sextant
