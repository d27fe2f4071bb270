// Gathers points as values on named axes, whose choices are what the points have.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tuner/recorded_space.hpp"

namespace sextant::tuner {

class SpaceBuilder {
 public:
  explicit SpaceBuilder(const std::vector<std::string>& names) {
    for (const std::string& name : names) axes_.push_back({name, {}});
    positions_.resize(names.size());
  }
  std::size_t axes() const { return axes_.size(); }

  // `values`: for each axis its value as JSON. A point that was there before takes the later's place.
  void add(const std::vector<std::string>& values, RecordedPoint point);

  // The choices of each axis in ascending order of numbers, and the times of all points that have a value of
  // the objective. Throws UserError if there are no points.
  RecordedSpace finish(const std::string& name, Format format, std::string header,
                       RecordedObjective objective);

 private:
  std::vector<Axis> axes_;
  std::vector<std::map<std::string, Choice>> positions_;  // by axis: text to position
  std::map<std::vector<Choice>, std::size_t> known_;
  std::vector<Choice> choices_;
  std::vector<RecordedPoint> points_;
};

}  // namespace sextant::tuner
