// What a stage of a case may run beside, where several workers measure at once.
#pragma once

#include <string>
#include <vector>

#include "engine/arbiter.hpp"
#include "record/case.hpp"

namespace sextant {

// Everything of a case on the CPU is alone; so are copies, and whole calls that make their own. What a stage's name does not
// tell is loose. `is_light`: preparing and checking the case gives the host little to do.
StageClass class_of_stage(const std::string& stage, const Case& what, bool is_light = false);

// "loose", "device", "alone", "light"; the other way round throws UserError for anything else.
const char* name_of(StageClass one);
StageClass stage_class_from(const std::string& name);

}  // namespace sextant
