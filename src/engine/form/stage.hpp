// The stages of a case, and what each may run concurrently with, where several workers measure at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "record/case.hpp"

namespace sextant {

// loose: keeps cores busy but is not timed; concurrent with other loose stages.
// device: is timed on a GPU; concurrent with stages of other GPUs.
// alone: uses what all share (copies, the host's cores); concurrent with nothing.
// light: is not timed and keeps hardly a core busy: a run takes it for `device` or `loose` (with_overlap in
// engine/concurrent/exclusive_section.hpp), so that no ClassScheduler knows it.
enum class StageClass : std::uint8_t { loose, device, alone, light };

// "loose", "device", "alone", "light"; the other way round throws UserError for anything else.
const char* name_of(StageClass one);
StageClass stage_class_from(const std::string& name);

// In the order in which a case goes through them; the last four are the parent's.
enum class Stage : std::uint8_t {
  starting,
  // A driver compiles an offloaded variant's code when that is opened: neither of these is the case's own
  // time.
  starting_gpu,
  loading_code,
  allocating,
  computing_reference,
  timing_allocation,
  allocating_on_device,
  copying,
  compiling,
  preparing,
  checking,
  warming_up,
  sampling,
  reading_gpu_state,
  sampling_computation,
  sampling_exchange,
  timing_on_device,
  reading_counters,
  timing_phases,
  checking_again,
  timing_end_to_end,
  waiting_for_turn,
  waiting_for_compilers,
  unknown  // a worker of another release has announced it
};

// Hears which stage a case is about to enter: a crash is put down to it.
using StageListener = std::function<void(Stage)>;

// "sampling": in messages, timings and the workers' protocol. The other way round any other text is
// `unknown`.
const char* name_of(Stage stage);
Stage stage_from(const std::string& name);

// Everything of a case on the CPU is alone; so are copies, and whole calls that make their own. `is_light`:
// preparing and checking the case gives the host little to do.
StageClass class_of_stage(Stage stage, const Case& what, bool is_light = false);

}  // namespace sextant
