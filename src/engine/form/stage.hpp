// What a stage of a case may run beside, where several workers measure at once.
#pragma once

#include <cstdint>
#include <string>

#include "record/case.hpp"

namespace sextant {

// loose: what keeps cores busy but is not timed, beside other loose stages. device: what is timed on a GPU, beside stages
// of other GPUs. alone: what uses what all share (copies, the host's cores), beside nothing. light: what is not timed and keeps
// hardly a core busy: one of the others, as the run finds (with_overlap in engine/concurrent/floor.hpp), and never asked of an Arbiter.
enum class StageClass : std::uint8_t { loose, device, alone, light };

// Everything of a case on the CPU is alone; so are copies, and whole calls that make their own. What a stage's name does not
// tell is loose. `is_light`: preparing and checking the case gives the host little to do.
StageClass class_of_stage(const std::string& stage, const Case& what, bool is_light = false);

// "loose", "device", "alone", "light"; the other way round throws UserError for anything else.
const char* name_of(StageClass one);
StageClass stage_class_from(const std::string& name);

}  // namespace sextant
