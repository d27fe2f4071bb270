// Wraps the executor of a search for tunings. It marks times as `impossible` that are shorter than the
// device's peak rates allow.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/form/case_executor.hpp"
#include "run/too_fast.hpp"

namespace sextant {

class JudgedExecutor : public CaseExecutor {
 public:
  JudgedExecutor(std::unique_ptr<CaseExecutor> executor, std::vector<Ceiling> ceilings)
      : executor_(std::move(executor)), too_fast_(std::move(ceilings)) {}

  std::optional<Measurement> run(const Case& what) override {
    std::optional<Measurement> measurement = executor_->run(what);
    if (measurement) measurement = too_fast_.judged(*measurement);
    return measurement;
  }
  void during_next(const std::function<void()>& task) override { executor_->during_next(task); }
  void use(const Settings& settings) override { executor_->use(settings); }
  void time(Timed what) override { executor_->time(what); }
  std::size_t looks_ahead(const Case& what) const override { return executor_->looks_ahead(what); }
  void expect(std::span<const Case> cases, bool meanwhile) override { executor_->expect(cases, meanwhile); }

 private:
  std::unique_ptr<CaseExecutor> executor_;
  TooFast too_fast_;
};

}  // namespace sextant
