// The admitted points of a tuning space, numbered from 0. Strategies search it, whether its points are
// measured live or were recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant::tuner {

// One tunable with its choices. `texts`: each choice as JSON (16, 0.5, true, "row"), so that every format
// keeps its spelling. `values`: the choices as the engine takes them; empty for other programs' spaces.
struct Axis {
  std::string name;
  std::vector<std::string> texts;
  std::vector<TunedValue> values = {};
  static Axis of(std::string name, const std::vector<TunedValue>& choices);
};

// Text of a choice on an axis: 16, "row".
std::string axis_text(const TunedValue& value);

using Choice = std::uint16_t;  // index into Axis::texts

class Space {
 public:
  // `points`: for each point its choice on each axis, point by point. Throws UserError for
  // - an axis without choices, with more than 65535 choices or with one of them twice;
  // - two axes with the same name;
  // - a point outside its axes, or the same point twice.
  Space(std::vector<Axis> axes, std::vector<Choice> points);

  const std::vector<Axis>& axes() const { return axes_; }
  std::size_t size() const { return size_; }
  std::span<const Choice> choices(std::size_t point) const {
    return {points_.data() + point * axes_.size(), axes_.size()};
  }
  std::optional<std::size_t> find(std::span<const Choice> choices) const;

  // Writes one number in [0, 1] per axis. The scale is logarithmic if all choices are positive and the
  // largest is at least four times the smallest; otherwise it is linear. Choices that are not numbers count
  // by position. Axes with one choice are 0.
  void features(std::size_t point, float* to) const;

  // The points that differ on exactly one axis.
  std::vector<std::size_t> neighbours(std::size_t point) const;

 private:
  std::uint64_t hash(std::span<const Choice> choices) const;
  std::optional<std::size_t> look_up(std::uint64_t hash, std::span<const Choice> choices) const;

  std::vector<Axis> axes_;
  std::vector<Choice> points_;
  std::size_t size_ = 0;
  std::vector<std::vector<float>> places_;         // feature, by axis and choice
  std::vector<std::vector<std::uint64_t>> parts_;  // part of the hash, by axis and choice
  std::vector<std::uint32_t> slots_;               // open addressing: point + 1, 0: empty
};

}  // namespace sextant::tuner
