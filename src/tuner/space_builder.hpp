// Builds a recorded tuning space from points. The values that occur become the choices of the axes.
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

  // Adds a point with these values on the axes (JSON texts). Replaces a previous point with the same values.
  void add(const std::vector<std::string>& values, RecordedPoint point);

  // Makes the space. Sorts the choices of each axis by number and calls set_times. Throws UserError if there
  // are no points.
  RecordedSpace finish(const std::string& name, Format format, std::string header,
                       RecordedObjective objective);

 private:
  std::vector<Axis> axes_;
  std::vector<std::map<std::string, Choice>> positions_;  // by axis: text of a choice -> its index
  std::map<std::vector<Choice>, std::size_t> known_;
  std::vector<Choice> choices_;
  std::vector<RecordedPoint> points_;
};

}  // namespace sextant::tuner
