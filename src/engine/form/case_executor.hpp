// Interface that executes cases one after the other: in a worker process, in this process, or in a test's
// mock.
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
  // Runs `task` once before the next run() returns. With a worker process, it runs as soon as the case has
  // been sent there.
  virtual void beside_next(const std::function<void()>& task) { task(); }
  // Sets the settings of all further cases, except in_process and offload_on_host, which cannot change.
  virtual void use(const Settings&) {}
  // Sets what is timed of all further cases.
  virtual void time(Timed) {}
  // Number of cases like this one that may be compiled at once. It is 0 if the case needs no compiling, or if
  // other processes must not compile it.
  virtual std::size_t looks_ahead(const Case&) const { return 0; }
  // Has upcoming cases compiled by several processes, and drops earlier requests that have not started. With
  // `meanwhile`, returns at once, so that other cases are measured during the compilation. Otherwise returns
  // when all are compiled, and does nothing if the first one is compiled already.
  virtual void expect(std::span<const Case> /*cases*/, bool /*meanwhile*/) {}
};

}  // namespace sextant
