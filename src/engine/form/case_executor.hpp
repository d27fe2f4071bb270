// Interface of classes that execute cases one after the other: in a worker process, in this process, or as a
// mock in tests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/form/callbacks.hpp"
#include "engine/form/settings.hpp"
#include "record/measurement.hpp"

namespace sextant {

class CaseExecutor {
 public:
  virtual ~CaseExecutor() = default;
  // Returns the case's measurement, or nothing if the run was stopped first.
  virtual std::optional<Measurement> run(const Case& what) = 0;
  // Runs `task` once before the next run() returns. If the case runs in a worker process, `task` runs as soon
  // as the case has been sent there.
  virtual void during_next(const std::function<void()>& task) { task(); }
  // Sets the settings for all further cases, except in_process and offload_on_host, which cannot change.
  virtual void use(const Settings&) {}
  // Sets which times of all further cases are measured.
  virtual void time(Timed) {}
  // Returns how many cases like this one may be compiled at once. It is 0 if the case needs no compiling, or
  // if compiling would disturb measurements of other workers.
  virtual std::size_t looks_ahead(const Case&) const { return 0; }
  // Requests that several processes compile the code of upcoming cases. This drops earlier requests that have
  // not started. With `meanwhile`, returns at once, so that other cases are measured during the compilation.
  // Otherwise waits for all; if the first case is compiled already, does nothing.
  virtual void expect(std::span<const Case> /*cases*/, bool /*meanwhile*/) {}
};

}  // namespace sextant
