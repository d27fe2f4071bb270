// Executes cases, one after the other: in a worker process, in this process, or as a test's mock.
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
  // The case's measurement; empty if the run was stopped before it was done.
  virtual std::optional<Measurement> run(const Case& what) = 0;
  // Has a task done once before the next run() ends: as soon as its case is on its way, where another process
  // executes it.
  virtual void beside_next(const std::function<void()>& task) { task(); }
  // What the cases from here on are run with; in_process and offload_on_host stay as they were.
  virtual void use(const Settings&) {}
  // What is timed of the cases from here on.
  virtual void time(Timed) {}
  // How many cases like this one may be compiled at once; 0: none is compiled, or nobody could do it besides.
  virtual std::size_t looks_ahead(const Case&) const { return 0; }
  // Has cases that come next compiled by several processes. `meanwhile`: while others are measured, and what
  // was expected before and not begun is forgotten. Else all of them, unless the first is compiled already,
  // before this returns.
  virtual void expect(std::span<const Case> /*cases*/, bool /*meanwhile*/) {}
};

}  // namespace sextant
