// Tracks which stage the running case is in and since when. This attributes crashes and time to stages.
#pragma once

#include <functional>
#include <utility>

#include "engine/form/stage.hpp"

namespace sextant {

class StageWatch {
 public:
  using Spent = std::function<void(const Case&, Stage stage, double seconds)>;
  explicit StageWatch(Spent spent) : spent_(std::move(spent)) {}

  Stage stage() const { return stage_; }
  // Records that the case enters `stage` at `time` (seconds).
  void enter(const Case& what, Stage stage, double time) {
    leave(what, time);
    stage_ = stage;
    since_ = time;
  }
  // Records that the case ends at `time`. stage() still returns its last stage.
  void leave(const Case& what, double time) {
    if (spent_ && since_ >= 0) spent_(what, stage_, time - since_);
    since_ = -1;
  }

 private:
  Spent spent_;
  Stage stage_ = Stage::starting;
  double since_ = -1;  // time at which the stage began; negative: no case runs
};

}  // namespace sextant
