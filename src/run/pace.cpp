#include "run/pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "engine/case/sampling.hpp"
#include "plan/guess.hpp"
#include "record/keys.hpp"
#include "record/visits.hpp"
#include "run/held.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

// Weight of the correction factor of all cases, in estimated seconds. This factor is mixed with that of a
// kernel and model, because a few cases say little: time stamps are whole seconds.
constexpr double weight_of_all = 2;
constexpr std::size_t most_files = 16;
// maximum bytes of all files together, so that reading them stays fast
constexpr std::uintmax_t most_bytes = 256 << 20;

std::string form_of(const Case& what) { return what.kernel + "|" + model_of(what.variant); }

// Returns the time in seconds since 1970, or nothing if the text is not a time stamp.
std::optional<double> seconds_of(const std::string& timestamp) {
  std::tm utc = {};
  if (!strptime(timestamp.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc)) return std::nullopt;
  return static_cast<double>(timegm(&utc));
}

bool same_machine(const Environment& a, const Environment& b) {
  for (const char* key : {"machine", "cpu", "cpu.usable", "gpu0.name", "build_type"})
    if (value_of(a, key) != value_of(b, key)) return false;
  return true;
}

// Returns false if the session measured on several GPUs or cores concurrently. Its cases overlap, so the time
// between two results is not the duration of either.
bool one_at_a_time(const Session& session) {
  return std::none_of(session.environment.begin(), session.environment.end(), [](const auto& entry) {
    return entry.first.starts_with("sentinel.") || entry.first == "cores.lanes";
  });
}

constexpr const char* start_key = "run.seconds.start";
constexpr const char* cases_key = "run.seconds.cases";
constexpr const char* visits_key = "run.seconds.visits";
constexpr const char* load_key = "run.seconds.load";

double number(const Environment& environment, const char* key) {
  return std::atof(value_of(environment, key).c_str());
}

// Returns the slowdown during a session. The load at its end includes the session's own process.
double slowdown_during(const Session& session) {
  const Environment& environment = session.environment;
  double load = number(environment, "load");
  if (environment.contains(load_key)) load = (load + std::max(0.0, number(environment, load_key) - 1)) / 2;
  return slowdown_of(load, number(environment, "cpu.usable"));
}

// Returns the median, or the smaller of the two middle values. Returns 0 if there are no values.
double lower_median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Environment recorded(const RunSeconds& seconds) {
  Environment entries = {{start_key, fmt::format("{:.1f}", seconds.start)},
                         {cases_key, fmt::format("{:.1f}", seconds.cases)},
                         {visits_key, fmt::format("{:.1f}", seconds.visits)}};
  if (double load = 0; getloadavg(&load, 1) == 1) entries[load_key] = fmt::format("{:.2f}", load);
  return entries;
}

// Adds 1 to the load, because the case itself needs a processor, too.
double slowdown_of(double load, double processors) {
  return std::max(1.0, (load + 1) / std::max(1.0, processors));
}

double slowdown_of(const Environment& environment) {
  return slowdown_of(number(environment, "load"), number(environment, "cpu.usable"));
}

double most_seconds_of_visits(double first) {
  constexpr double share = 0.4, least = 2;
  return std::max(least, share * first);
}

void Pace::learn(const Session& session, const std::vector<const Measurement*>& measured) {
  Settings settings = settings_of(session);
  if (number(session.environment, most_visits_key) > 1) settings.stay_seconds = stay_before_visits;
  const double slowdown = slowdown_during(session), of_cases = number(session.environment, cases_key),
               of_visits = number(session.environment, visits_key);
  Learnt& learnt = sessions_.emplace_back();
  if (of_cases > 0 && of_visits > most_seconds_of_visits(of_cases))
    learnt.visits = of_visits / most_seconds_of_visits(of_cases);
  const Measurement* last = nullptr;
  std::optional<double> first_began;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const Measurement& one = *measured[i];
    const std::optional<double> began = seconds_of(one.timestamp);
    const bool last_one = i + 1 == measured.size();
    if (i == 0 && began) {
      first_began = *began;
      if (const auto start = seconds_of(session.started);
          start && *began >= *start && !session.ceilings.empty())
        learnt.start = (*began - *start) / slowdown;
    }
    if (one.status == Status::skipped || (last_one && of_cases <= 0)) continue;
    const std::optional<double> ended = last_one && first_began ? std::optional(*first_began + of_cases)
                                        : last_one              ? std::nullopt
                                                                : seconds_of(measured[i + 1]->timestamp);
    if (!began || !ended || *ended < *began || *ended - *began > settings.timeout + 1) continue;
    const double guessed =
        guess_seconds(one.what, sampled_by(settings), !last || !same_reference(last->what, one.what));
    last = &one;
    for (Spent* spent : {&learnt.all, &learnt.forms[form_of(one.what)]}) {
      spent->seconds += (*ended - *began) / slowdown;
      spent->guessed += std::min(guessed, settings.timeout);
    }
    ++learnt.cases;
  }
}

void Pace::learn(const Session& session, const std::vector<const Search*>& searches) {
  Learnt& learnt = sessions_.emplace_back();
  learnt.measured = Measured::by_search;
  const double slowdown = slowdown_during(session);
  for (const Search* search : searches)
    for (const SearchStep& step : search->steps) {
      if (step.known || !(step.cost > 0)) continue;
      const double guessed = guess_seconds(search->space, sampled_by({}), &step == search->steps.data());
      for (Spent* spent : {&learnt.all, &learnt.forms[form_of(search->space)]}) {
        spent->seconds += step.cost / slowdown;
        spent->guessed += guessed;
      }
      ++learnt.cases;
    }
}

void Pace::learn(const Results& results, const Environment& here) {
  for (const Session& session : results.sessions) {
    if (!same_machine(session.environment, here) || !one_at_a_time(session)) continue;
    std::vector<const Search*> searches;
    for (const Search& search : results.searches)
      if (search.session == session.id) searches.push_back(&search);
    if (!searches.empty()) {
      learn(session, searches);
      continue;
    }
    std::vector<const Measurement*> measured;
    for (const StoredMeasurement& stored : results.measurements)
      if (stored.session == session.id) measured.push_back(&stored.measurement);
    std::stable_sort(measured.begin(), measured.end(),
                     [](const Measurement* a, const Measurement* b) { return a->timestamp < b->timestamp; });
    learn(session, measured);
  }
}

// Returns the sessions whose ratio of actual to estimated time is at most twice the median. A larger ratio
// means that other programs probably used the machine.
std::vector<const Pace::Learnt*> Pace::usual(Measured measured) const {
  constexpr double too_long = 2;
  const auto ratio = [](const Learnt& one) { return one.all.seconds / one.all.guessed; };
  const auto counts = [&](const Learnt& one) { return one.measured == measured && one.all.guessed > 0; };
  std::vector<double> ratios;
  for (const Learnt& one : sessions_)
    if (counts(one)) ratios.push_back(ratio(one));
  const double middle = lower_median(ratios);
  std::vector<const Learnt*> usual;
  for (const Learnt& one : sessions_)
    if (counts(one) && ratio(one) <= too_long * middle) usual.push_back(&one);
  return usual;
}

std::size_t Pace::cases(Measured measured) const {
  std::size_t cases = 0;
  for (const Learnt* one : usual(measured)) cases += one->cases;
  return cases;
}

double Pace::start() const {
  std::vector<double> starts;
  for (const Learnt& one : sessions_)
    if (one.start) starts.push_back(*one.start);
  return lower_median(starts);
}

double Pace::visits() const {
  std::vector<double> ratios;
  for (const Learnt& one : sessions_)
    if (one.visits) ratios.push_back(*one.visits);
  return lower_median(ratios);
}

double Pace::factor(const Case& what, Measured measured) const {
  Spent all, form;
  const auto add = [](const Spent& one, Spent* sum) {
    sum->seconds += one.seconds;
    sum->guessed += one.guessed;
  };
  for (const Learnt* one : usual(measured)) {
    add(one->all, &all);
    if (const auto found = one->forms.find(form_of(what)); found != one->forms.end())
      add(found->second, &form);
  }
  if (!(all.guessed > 0)) return 1;
  const double of_all = all.seconds / all.guessed;
  return (form.seconds + weight_of_all * of_all) / (form.guessed + weight_of_all);
}

Pace pace_of_files(const std::string& path, const Environment& here) {
  namespace fs = std::filesystem;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code error;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".sextant" || entry.path().filename() == fs::path(path).filename())
      files.emplace_back(entry.last_write_time(error), entry.path());
  std::sort(files.rbegin(), files.rend());
  Pace pace;
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < std::min(files.size(), most_files); ++i) {
    const std::string file = files[i].second.string();
    bytes += fs::file_size(files[i].second, error);
    if (bytes > most_bytes) break;
    if (!is_results_file(file)) continue;
    try {
      pace.learn(ResultsFile(file, ResultsFile::Mode::read).load(), here);
    } catch (const UserError&) {  // ignores files that are damaged or of a newer version
    }
  }
  return pace;
}

}  // namespace sextant
