// sextant export: writes tunings and tuning spaces for other programs.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// Returns the known formats.
// - header, tunings: From a results file to a file.
// - t4, kernel-tuner, compact: From any recorded space to a folder with one file per space, or to a file for
// a single space.
const std::vector<std::string>& tuning_formats();

// `output` is a file or a folder. An empty `output` means standard output, which takes a single text only.
// Throws UserError.
void export_tuning(const std::string& file, const std::string& format, const std::string& output);

}  // namespace sextant
