// A tuning space: the allowed combinations of tunable values (points), numbered from 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant::tuner {

// One tunable with its choices. `texts`: each choice as JSON (16, 0.5, true, "row"), in the spelling of its
// file. `values`: the choices for the engine; empty for spaces of other programs.
struct Axis {
  std::string name;
  std::vector<std::string> texts;
  std::vector<TunedValue> values = {};
  static Axis of(std::string name, const std::vector<TunedValue>& choices);
};

// The text of a choice as in Axis::texts, for example 16 or "row".
std::string axis_text(const TunedValue& value);

using Choice = std::uint16_t;  // index into Axis::texts

class Space {
 public:
  // `points`: the choices of all points, one point after the other, with one choice per axis. Throws
  // UserError for
  // - an axis that has no choice, more than 65535 choices or the same choice twice;
  // - two axes with the same name;
  // - a point outside its axes, or the same point twice.
  Space(std::vector<Axis> axes, std::vector<Choice> points);

  const std::vector<Axis>& axes() const { return axes_; }
  std::size_t size() const { return size_; }
  std::span<const Choice> choices(std::size_t point) const {
    return {points_.data() + point * axes_.size(), axes_.size()};
  }
  std::optional<std::size_t> find(std::span<const Choice> choices) const;

  // Writes the point's coordinates, one number in [0, 1] per axis. An axis is logarithmic if all choices are
  // positive and the largest is at least four times the smallest; otherwise it is linear. Choices that are
  // not numbers count by index.
  void features(std::size_t point, float* to) const;

  // The points that differ from this point on exactly one axis.
  std::vector<std::size_t> neighbours(std::size_t point) const;

 private:
  std::uint64_t hash(std::span<const Choice> choices) const;
  std::optional<std::size_t> look_up(std::uint64_t hash, std::span<const Choice> choices) const;

  std::vector<Axis> axes_;
  std::vector<Choice> points_;
  std::size_t size_ = 0;
  std::vector<std::vector<float>> places_;         // by axis and choice: its coordinate
  std::vector<std::vector<std::uint64_t>> parts_;  // by axis and choice: hash value, combined by XOR
  std::vector<std::uint32_t> slots_;  // hash table with open addressing: number of the point + 1; 0: empty
};

}  // namespace sextant::tuner
