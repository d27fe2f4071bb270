// What the running case does, and how long it has done so: what a crash is put down to, and where time goes.
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
  // The case is about to do something else at `time`, seconds.
  void enter(const Case& what, Stage stage, double time) {
    leave(what, time);
    stage_ = stage;
    since_ = time;
  }
  // The case ends at `time`; its last stage stays known.
  void leave(const Case& what, double time) {
    if (spent_ && since_ >= 0) spent_(what, stage_, time - since_);
    since_ = -1;
  }

 private:
  Spent spent_;
  Stage stage_ = Stage::starting;
  double since_ = -1;  // negative: no case runs
};

}  // namespace sextant
