// The admitted points of one tuning space, numbered from 0: what a strategy searches, whether the points are
// measured live or were recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant::tuner {

// One tunable with its choices. `texts` has each choice as JSON (16, 0.5, true, "row"), so that no format
// loses how it was written. `values`: the same as the engine takes them; empty where they are not of this
// program.
struct Axis {
  std::string name;
  std::vector<std::string> texts;
  std::vector<TunedValue> values = {};
  static Axis of(std::string name, const std::vector<TunedValue>& choices);
};

// 16, "row": a choice as an axis has it.
std::string axis_text(const TunedValue& value);

using Choice = std::uint16_t;  // a position in Axis::texts

class Space {
 public:
  // `points`: for each point its choice on each axis, point after point. Throws UserError: an axis without
  // choices or with more than 65535 or with one of them twice, two axes of a name, a point outside its axes,
  // the same point twice.
  Space(std::vector<Axis> axes, std::vector<Choice> points);

  const std::vector<Axis>& axes() const { return axes_; }
  std::size_t size() const { return size_; }
  std::span<const Choice> choices(std::size_t point) const {
    return {points_.data() + point * axes_.size(), axes_.size()};
  }
  std::optional<std::size_t> find(std::span<const Choice> choices) const;

  // Each axis on [0, 1]: by logarithm where all choices are positive and the largest is at least four times
  // the smallest, else linearly; what is no number by its position. Axes with one choice are 0.
  void features(std::size_t point, float* to) const;

  // The points that differ on one axis alone.
  std::vector<std::size_t> neighbours(std::size_t point) const;

 private:
  std::uint64_t hash(std::span<const Choice> choices) const;
  std::optional<std::size_t> look_up(std::uint64_t hash, std::span<const Choice> choices) const;

  std::vector<Axis> axes_;
  std::vector<Choice> points_;
  std::size_t size_ = 0;
  std::vector<std::vector<float>> places_;         // by axis and choice: its feature
  std::vector<std::vector<std::uint64_t>> parts_;  // by axis and choice: its part of the hash
  std::vector<std::uint32_t> slots_;               // open addressing: point + 1, 0: empty
};

}  // namespace sextant::tuner
