#include "engine/case/phases.hpp"

#include <algorithm>

namespace sextant {
namespace {

Phase& phase_named(const std::string& name, std::vector<Phase>* phases) {
  const auto found =
      std::find_if(phases->begin(), phases->end(), [&](const Phase& phase) { return phase.name == name; });
  if (found != phases->end()) return *found;
  phases->push_back({name, {}});
  return phases->back();
}

}  // namespace

PhaseListener::PhaseListener(Call* call, Device* device) : call_(call), device_(device) {
  call_->on_phase = begin;
  call_->listener = this;
}

PhaseListener::~PhaseListener() {
  call_->on_phase = nullptr;
  call_->listener = nullptr;
}

void PhaseListener::begin(void* self, const char* name) {
  auto* listener = static_cast<PhaseListener*>(self);
  // without a device, only the existence of phases is recorded
  if (!listener->device_ && listener->heard()) return;
  if (listener->device_) listener->device_->mark();
  listener->names_.emplace_back(name);
}

void PhaseListener::finish(std::vector<Phase>* phases) {
  if (!heard()) return;
  device_->mark();
  device_->synchronise();
  const std::vector<double> marks = device_->take_marks();
  std::vector<Phase> launch;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].empty()) continue;  // this time belongs to no phase
    std::vector<double>& times = phase_named(names_[i], &launch).times;
    times.resize(1);
    times[0] += marks[i + 1] - marks[i];
  }
  for (const Phase& phase : launch) phase_named(phase.name, phases).times.push_back(phase.times[0]);
  names_.clear();
}

std::vector<Phase> measure_phases(const Variant& variant, Call* call, Device& device, int launches) {
  std::vector<Phase> phases;
  PhaseListener listener(call, &device);
  for (int i = 0; i < launches; ++i) {
    variant.launch[call->problem.type](*call);
    listener.finish(&phases);
  }
  return phases;
}

}  // namespace sextant
