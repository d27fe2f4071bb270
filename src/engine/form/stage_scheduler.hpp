// Interface of the scheduler that decides when a worker's next stage may begin, if several workers measure at
// once (engine/concurrent/exclusive_section.hpp).
#pragma once

#include <cstddef>

#include "engine/form/stage.hpp"

namespace sextant {

class StageScheduler {
 public:
  virtual ~StageScheduler() = default;
  // Requests that the worker's next stage may begin. Returns true if it may begin at once. Otherwise the
  // worker must call wait(). `call` is the expected seconds of one call of the case, 0 if unknown.
  virtual bool ask(std::size_t worker, Stage stage, StageClass wanted, double call = 0) = 0;
  // Waits at most `seconds`. Returns true if the stage may begin.
  virtual bool wait(std::size_t worker, double seconds) = 0;
  // Tells the scheduler that the worker executes no stage now.
  virtual void leave(std::size_t worker) = 0;
};

// A worker and its scheduler. Without a scheduler, nothing runs concurrently with the worker.
struct Participant {
  StageScheduler* scheduler = nullptr;
  std::size_t worker = 0;
};

}  // namespace sextant
