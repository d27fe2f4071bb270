#include "own/draft/array_writes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace sextant::own {

void ArrayWrites::write(std::size_t parameter, const Polynomial& low, const Polynomial& high, unsigned end) {
  constexpr std::int64_t most_parts = 16;
  const std::optional<std::int64_t> first = low.constant();
  if (!first || *first < 0 || *first >= most_parts) return;
  if (*first == 0) write_all(parameter, high + Polynomial(1), end);
  const Polynomial span = high - low;
  std::set<std::int64_t>& begins = part_begins_[{parameter, span.text()}];
  begins.insert(*first);
  const auto parts = static_cast<std::int64_t>(begins.size());
  if (parts > 1 && *begins.rbegin() == parts - 1 && (span + Polynomial(parts)).divided(parts))
    write_all(parameter, span + Polynomial(parts), end);
}

void ArrayWrites::write_all(std::size_t parameter, const Polynomial& length, unsigned end) {
  std::vector<Polynomial>& whole = function_->parameters[parameter].whole;
  if (std::find(whole.begin(), whole.end(), length) == whole.end()) whole.push_back(length);
  written_until_.try_emplace(parameter, end);
}

void ArrayWrites::read(std::size_t parameter, unsigned end) {
  const auto written = written_until_.find(parameter);
  const bool later =
      !function_->kernel && written != written_until_.end() && written->second > 0 && end != written->second;
  if (later)
    read_later_.insert(parameter);
  else
    function_->parameters[parameter].read = true;
}

void ArrayWrites::finish() {
  for (std::size_t i = 0; i < function_->parameters.size(); ++i) {
    Parameter& one = function_->parameters[i];
    const auto is_written = [&](const Polynomial& length) {
      return std::any_of(one.whole.begin(), one.whole.end(), [&](const Polynomial& whole) {
        const std::optional<std::int64_t> more = (whole - length).constant();
        return more && *more >= 0;
      });
    };
    if (read_later_.contains(i) && !std::all_of(one.lengths.begin(), one.lengths.end(), is_written))
      one.read = true;
  }
}

}  // namespace sextant::own
