// sextant export: writes tunings and tuning spaces for other programs.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// Returns the names of the known formats.
// - header, tunings: written to a file, from a results file.
// - t4, kernel-tuner, compact: written to a folder with one file per tuning space, or to a file if there is
// only
//   one space. The input may be recorded tuning spaces in any known format.
const std::vector<std::string>& tuning_formats();

// Exports to `output`, which is a file or a folder. An empty `output` means standard output, which takes a
// single text only. Throws UserError.
void export_tuning(const std::string& file, const std::string& format, const std::string& output);

}  // namespace sextant
