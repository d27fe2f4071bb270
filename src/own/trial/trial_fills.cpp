// Corrects fills of a draft by trial runs.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>

#include "own/trial/trial_steps.hpp"

namespace sextant::own {
namespace {

// Makes element i of an array `first` + i. If `each` is not 1, the elements are random ones that rise by
// `each` on average.
void fill_rising(std::size_t array, std::int64_t first, Description* description, int each = 1) {
  const std::vector<std::string> names = description->size_names();
  DescribedArray& one = description->arrays[array];
  one.fill = {};
  one.fill.kind = Fill::Kind::sorted;
  one.fill.low = Expression(std::to_string(first), names, "a fill");
  const std::string span =
      each == 1 ? one.length.text() : std::to_string(each) + " * (" + one.length.text() + ")";
  one.fill.high = Expression(std::to_string(first) + " + " + span, names, "a fill");
}

class FillSearch {
 public:
  explicit FillSearch(TrialState* state) : state_(*state), points_(state->points()) {}
  void correct();

 private:
  // The description with zeros in arrays whose fills are not yet known to be right. Those that look like
  // offsets rise by one for each element, if the reference stays in its arrays then.
  Description base() const;
  // True if the run stays in the arrays. Arrays of unknown length may be too short, if `lax`, and so may
  // those that are too short with zeros.
  bool is_fine(const Description& description, const TrialPoint& point, bool lax);
  bool is_fine(const Description& description, bool lax);
  bool try_fill(std::size_t array, const std::string& fill, const std::string& why);
  bool is_limited(std::size_t array);
  bool is_scaled(std::size_t array);
  bool choose(std::size_t array);
  bool choose_range(std::size_t array);
  bool choose_offsets(std::size_t array);
  std::optional<std::int64_t> highest(std::size_t array, const TrialPoint& point, bool lax);
  std::optional<std::string> bound(std::size_t array, bool lax);
  std::optional<std::string> columns(std::size_t array);
  std::optional<std::size_t> rows_of(std::size_t array);
  bool looks_like_offsets(std::size_t array) const;
  std::string range(std::size_t array, const std::string& most) const;

  TrialState& state_;
  const std::vector<TrialPoint> points_;
  std::vector<std::size_t> kept_;  // arrays whose fills were found right
  std::set<std::size_t> short_;    // arrays that are too short with zeros, too
  bool too_long_ = false;          // true if the last run was too long
  bool rising_ = false;            // true if arrays that look like offsets rise in base()
};

Description FillSearch::base() const {
  Description description = with_zeros(state_, kept_);
  for (const std::size_t one : state_.whole_inputs())
    if (rising_ && looks_like_offsets(one) && std::find(kept_.begin(), kept_.end(), one) == kept_.end())
      fill_rising(one, 0, &description);
  return description;
}

bool FillSearch::is_fine(const Description& description, const TrialPoint& point, bool lax) {
  const WatchedRun run = state_.run(description, point);
  too_long_ = run.ending == WatchedRun::Ending::too_long;
  if (!run.returned() && !(lax && run.ending == WatchedRun::Ending::too_far)) return false;
  for (std::size_t i = 0; i < run.arrays.size(); ++i) {
    const bool free = short_.contains(i) || (lax && state_.is_unknown(i));
    if (run.arrays[i].accessed() && run.arrays[i].least < 0) return false;
    if (!free && !run.arrays[i].in_bounds()) return false;
  }
  return true;
}

bool FillSearch::is_fine(const Description& description, bool lax) {
  return std::all_of(points_.begin(), points_.end(),
                     [&](const TrialPoint& point) { return is_fine(description, point, lax); });
}

// Returns the highest number that all elements may have at a point. Nothing if there is no limit, or if no
// number is allowed.
std::optional<std::int64_t> FillSearch::highest(std::size_t array, const TrialPoint& point, bool lax) {
  Description description = base();
  const auto allows = [&](std::int64_t value) {
    fill_with(value, array, &description);
    return is_fine(description, point, lax);
  };
  const std::int64_t most = state_.most_value(array);
  std::int64_t low = 0, high = 1;
  if (!allows(0)) return {};
  while (high <= most && allows(high)) low = high, high *= 2;
  if (high > most || too_long_) return {};
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (allows(middle) ? low : high) = middle;
  }
  return low;
}

// Returns an expression for the number of allowed values.
std::optional<std::string> FillSearch::bound(std::size_t array, bool lax) {
  std::vector<Observation> observed;
  for (const TrialPoint& point : points_) {
    const std::optional<std::int64_t> most = highest(array, point, lax);
    if (!most || !state_.has_time()) return {};
    observed.push_back(state_.observed(point, *most + 1));
  }
  const std::optional<Polynomial> fit = exact_fit(state_.fit(), observed);
  return fit ? fit->text() : lower_fit(state_.fit(), observed);
}

// Returns the number of columns of a square table of unknown length, of which the array numbers rows and
// columns. Its indices are element * columns + element, if all elements are equal.
std::optional<std::string> FillSearch::columns(std::size_t array) {
  std::vector<std::vector<Observation>> growth(state_.description().arrays.size());
  Description two = base(), three = base();
  fill_with(2, array, &two), fill_with(3, array, &three);
  for (const TrialPoint& point : points_) {
    const WatchedRun before = state_.run(two, point), after = state_.run(three, point);
    if (!before.returned() || !after.returned()) return {};
    for (std::size_t i = 0; i < growth.size(); ++i) {
      const std::int64_t each = after.arrays[i].needed() - before.arrays[i].needed();
      if (each > 1 && before.arrays[i].needed() == 2 * each + 1)
        growth[i].push_back(state_.observed(point, each - 1));
    }
  }
  for (std::size_t i = 0; i < growth.size(); ++i)
    if (state_.is_unknown(i) && growth[i].size() == points_.size())
      if (const std::optional<Polynomial> fit = exact_fit(state_.fit(), growth[i]); fit && !fit->constant())
        return fit->text();
  return {};
}

bool FillSearch::try_fill(std::size_t array, const std::string& fill, const std::string& why) {
  const DraftChanges before = state_.changes();
  const std::string name = state_.description().arrays[array].name;
  if (!state_.change([&](DraftChanges* changes) { changes->fills[name] = {fill, why}; })) return false;
  kept_.push_back(array);
  if (is_fine(base(), true)) return true;
  kept_.pop_back();
  state_.change([&](DraftChanges* changes) { *changes = before; });
  return false;
}

// Returns a fill with numbers below `most`. Structs keep their members, and the bound is for whole ones.
std::string FillSearch::range(std::size_t array, const std::string& most) const {
  const bool members = state_.description().arrays[array].fill.kind == Fill::Kind::members;
  return members ? most : "{ low = 0, high = \"" + most + "\" }";
}

bool FillSearch::choose_range(std::size_t array) {
  std::optional<std::string> most = bound(array, true);
  if (!most) most = columns(array);
  if (!most) most = bound(array, false);
  return most && try_fill(array, range(array, *most), "range found by trial");
}

// Returns the array that the elements divide into rows: its highest index moves with them. Code may read
// nothing in rows of one element.
std::optional<std::size_t> FillSearch::rows_of(std::size_t array) {
  constexpr std::int64_t shift = 64;
  const TrialPoint& point = points_[points_.size() / 2];
  for (const int each : {1, 16}) {
    Description rising = base();
    fill_rising(array, 0, &rising, each);
    Description shifted = rising;
    fill_rising(array, shift, &shifted, each);
    const WatchedRun before = state_.run(rising, point), after = state_.run(shifted, point);
    for (std::size_t i = 0; i < state_.description().arrays.size(); ++i)
      if (i != array && before.arrays[i].accessed() &&
          after.arrays[i].needed() == before.arrays[i].needed() + shift)
        return i;
  }
  return {};
}

bool FillSearch::choose_offsets(std::size_t array) {
  const std::optional<std::size_t> rows = rows_of(array);
  if (!rows) return false;
  const DraftChanges before = state_.changes();
  const DescribedArray& divided = state_.description().arrays[*rows];
  std::string length = divided.length.text();
  if (state_.is_unknown(*rows) && !state_.changes().lengths.contains(divided.name)) {
    length = length.find(' ') == std::string::npos ? "8 * " + length : "8 * (" + length + ")";
    const std::string name = divided.name;
    state_.change([&](DraftChanges* changes) { changes->lengths[name] = {length, "length is a guess"}; });
  }
  if (try_fill(array, "{ offsets = \"" + length + "\" }", "row offsets found by trial")) return true;
  state_.change([&](DraftChanges* changes) { *changes = before; });
  return false;
}

bool FillSearch::looks_like_offsets(std::size_t array) const {
  const DescribedArray& one = state_.description().arrays[array];
  std::string name = one.name;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static constexpr const char* words[] = {"ptr", "off", "start", "begin", "first"};
  const bool named = std::any_of(std::begin(words), std::end(words),
                                 [&](const char* word) { return name.find(word) != std::string::npos; });
  return named || one.length.text().ends_with(" + 1");
}

// Returns true if the code limits the index that it computes from any number, as by `& 4095`: arrays of
// unknown length need about the same length at all sizes. Sets that length.
bool FillSearch::is_limited(std::size_t array) {
  std::vector<std::size_t> kept = kept_;
  kept.push_back(array);
  const Description description = with_zeros(state_, kept);
  std::vector<std::int64_t> least, most;
  for (const TrialPoint& point : points_) {
    const WatchedRun run = state_.run(description, point);
    if (!run.returned()) return false;
    least.resize(run.arrays.size(), INT64_MAX), most.resize(run.arrays.size(), 0);
    for (std::size_t i = 0; i < run.arrays.size(); ++i)
      least[i] = std::min(least[i], run.arrays[i].needed()),
      most[i] = std::max(most[i], run.arrays[i].needed());
  }
  bool any = false;
  for (std::size_t i = 0; i < state_.description().arrays.size(); ++i) {
    const auto limit = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(most[i])));
    if (!state_.is_unknown(i) || i == array || 4 * least[i] < 3 * limit || limit < 64) continue;
    const std::string name = state_.description().arrays[i].name;
    any = state_.change([&](DraftChanges* changes) {
      changes->lengths[name] = {std::to_string(limit), "length found by trial"};
    });
  }
  if (any) kept_ = kept;
  return any && is_fine(base(), true);
}

// Returns true if the code scales numbers of 8 or 16 bits to indices, as by `x * (size - 1) / 255`: the
// highest number gives an array of unknown length the length that it needs. Sets that length.
bool FillSearch::is_scaled(std::size_t array) {
  const std::int64_t most = state_.most_value(array);
  if (most > UINT16_MAX) return false;
  Description description = base();
  fill_with(most, array, &description);
  std::vector<std::vector<Observation>> needs(description.arrays.size());
  for (const TrialPoint& point : points_) {
    const WatchedRun run = state_.run(description, point);
    if (!run.returned()) return false;
    for (std::size_t i = 0; i < needs.size(); ++i)
      needs[i].push_back(state_.observed(point, run.arrays[i].needed()));
  }
  bool any = false;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const std::optional<Polynomial> length = exact_fit(state_.fit(), needs[i]);
    if (!state_.is_unknown(i) || i == array || !length || length->constant()) continue;
    const std::string name = state_.description().arrays[i].name;
    any = state_.change([&](DraftChanges* changes) {
      changes->lengths[name] = {length->text(), "length found by trial"};
    });
  }
  if (any && state_.description().arrays[array].fill.kind != Fill::Kind::uniform)
    return try_fill(array, range(array, std::to_string(most + 1)), "all numbers of the type");
  if (any) kept_.push_back(array);
  return any && is_fine(base(), true);
}

bool FillSearch::choose(std::size_t array) {
  const bool too_long = too_long_;
  if (is_limited(array) || is_scaled(array)) return true;
  const bool offsets_first = looks_like_offsets(array);
  if (state_.description().arrays[array].fill.kind == Fill::Kind::members) return choose_range(array);
  if (offsets_first && choose_offsets(array)) return true;
  if (choose_range(array)) return true;
  if (too_long) return false;
  if (!offsets_first && choose_offsets(array)) return true;
  const std::string length = state_.description().arrays[array].length.text();
  for (const std::string& fill :
       {std::string("\"permutation\""), "{ low = 0, high = \"" + length + "\", sorted = true }",
        std::string("\"index\"")})
    if (try_fill(array, fill, "found by trial")) return true;
  return try_fill(array, "\"zero\"", "with other numbers the reference left its arrays");
}

void FillSearch::correct() {
  const Description zeros = with_zeros(state_);
  for (const TrialPoint& point : points_) {
    const WatchedRun run = state_.run(zeros, point);
    if (!run.returned()) return;
    for (std::size_t i = 0; i < run.arrays.size(); ++i)
      if (!run.arrays[i].in_bounds()) short_.insert(i);
  }
  rising_ = true;
  rising_ = is_fine(base(), true);
  for (const std::size_t array : state_.whole_inputs()) {
    if (!state_.has_time()) return;
    const bool fine = is_fine(base(), false);
    kept_.push_back(array);
    if (is_fine(base(), false)) continue;
    kept_.pop_back();
    if (fine) choose(array);
  }
}

}  // namespace

void correct_fills(TrialState* state) { FillSearch(state).correct(); }

}  // namespace sextant::own
