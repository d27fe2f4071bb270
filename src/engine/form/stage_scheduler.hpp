// Decides when a worker's next stage may begin, where several workers measure at once
// (engine/concurrent/exclusive_section.hpp).
#pragma once

#include <cstddef>

#include "engine/form/stage.hpp"

namespace sextant {

class StageScheduler {
 public:
  virtual ~StageScheduler() = default;
  // True: the worker's stage may begin at once; else the worker has to wait(). `call`: seconds that a call of
  // the case takes, 0 if not known.
  virtual bool ask(std::size_t worker, Stage stage, StageClass wanted, double call = 0) = 0;
  // True: it may begin; false: not within so many seconds.
  virtual bool wait(std::size_t worker, double seconds) = 0;
  // The worker has no stage now.
  virtual void leave(std::size_t worker) = 0;
};

// A worker of a scheduler. Without a scheduler nothing runs concurrently with the worker.
struct Participant {
  StageScheduler* scheduler = nullptr;
  std::size_t worker = 0;
};

}  // namespace sextant
