// Interface that decides when a worker's next stage may begin, if several workers measure at once
// (engine/concurrent/exclusive_section.hpp).
#pragma once

#include <cstddef>

#include "engine/form/stage.hpp"

namespace sextant {

class StageScheduler {
 public:
  virtual ~StageScheduler() = default;
  // Returns true if the worker's stage may begin at once. Otherwise the worker must call wait(). `call`:
  // expected seconds of one call of the case, 0 if unknown.
  virtual bool ask(std::size_t worker, Stage stage, StageClass wanted, double call = 0) = 0;
  // Waits at most `seconds`. Returns true if the stage may begin.
  virtual bool wait(std::size_t worker, double seconds) = 0;
  // Tells the scheduler that the worker is in no stage.
  virtual void leave(std::size_t worker) = 0;
};

// A worker and the scheduler that it asks. Without a scheduler, nothing runs concurrently with the worker.
struct Participant {
  StageScheduler* scheduler = nullptr;
  std::size_t worker = 0;
};

}  // namespace sextant
