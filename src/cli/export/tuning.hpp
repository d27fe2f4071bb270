// sextant export: tunings and tuning spaces for other programs.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// header, tunings (of a results file, to a file); t4, kernel-tuner, compact (of any recorded space, to a
// folder, one file a space, or to a file if there is one space).
const std::vector<std::string>& tuning_formats();

// `output`: a file or a folder; empty: standard output, for one text alone. Throws UserError.
void export_tuning(const std::string& file, const std::string& format, const std::string& output);

}  // namespace sextant
