// Builds a recorded tuning space from points. The values that occur become the choices of its axes.
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

  // Adds a point. `values`: its value on each axis, as JSON. A point with the same values is replaced.
  void add(const std::vector<std::string>& values, RecordedPoint point);

  // Makes the space. Sorts the choices of each axis by number and computes the times of all points that have
  // a value. Throws UserError if there are no points.
  RecordedSpace finish(const std::string& name, Format format, std::string header,
                       RecordedObjective objective);

 private:
  std::vector<Axis> axes_;
  std::vector<std::map<std::string, Choice>> positions_;  // by axis: text of a choice -> its position
  std::map<std::vector<Choice>, std::size_t> known_;
  std::vector<Choice> choices_;
  std::vector<RecordedPoint> points_;
};

}  // namespace sextant::tuner
