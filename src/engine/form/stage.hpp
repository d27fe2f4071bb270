// The stages of measuring a case, and which stages may overlap if several workers measure at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "record/case.hpp"

namespace sextant {

// Class of a stage. It decides which stages of other workers may run concurrently with it.
//   loose   uses cores but is not timed; may overlap other loose stages
//   device  is timed on a GPU; may overlap device stages of other GPUs
//   alone   uses resources that all workers share (copies, host cores); overlaps nothing
//   light   is not timed and hardly uses a core
// with_overlap (engine/concurrent/exclusive_section.hpp) replaces `light` by `device` or `loose`, so
// ClassScheduler never sees it.
enum class StageClass : std::uint8_t { loose, device, alone, light };

// name_of returns "loose", "device", "alone" or "light". stage_class_from throws UserError for any other
// text.
const char* name_of(StageClass one);
StageClass stage_class_from(const std::string& name);

// The stages in the order in which a case passes through them. The last three are set by the parent process,
// not by the worker.
enum class Stage : std::uint8_t {
  starting,
  // Loading may include compilation by the driver for OpenACC and OpenMP target variants. Therefore the next
  // two stages do not count towards the case's time limit.
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
  reaching_steady_state,
  warming_up,
  sampling,
  reading_gpu_state,
  timing_after_pauses,
  sampling_computation,
  sampling_exchange,
  timing_on_device,
  reading_counters,
  measuring_energy,
  timing_phases,
  checking_again,
  timing_end_to_end,
  waiting_for_turn,
  waiting_for_compilers,
  unknown  // reported by a worker of another version
};

// Called with each stage before the case enters it, so that the stage of a crash is known.
using StageListener = std::function<void(Stage)>;

// name_of returns a name such as "sampling", for messages, timings and the worker protocol. stage_from
// returns Stage::unknown for a text that names no stage.
const char* name_of(Stage stage);
Stage stage_from(const std::string& name);

// Returns the class of a stage of the case. All stages of a case on the CPU are `alone`. On a GPU, copies are
// `alone`, and so are timed calls that copy their own arrays. `is_light` means that preparing and checking
// the case costs the host almost nothing.
StageClass class_of_stage(Stage stage, const Case& what, bool is_light = false);

}  // namespace sextant
