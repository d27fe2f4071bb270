// sextant export: writes tunings and tuning spaces for other programs.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// Returns the names of the known formats. The formats `header` and `tunings` write a results file's tunings
// to one file. The formats t4, kernel-tuner and compact write to a folder with one file per tuning space. If
// there is only one space, they write to a file. Their input may also be recorded tuning spaces in any known
// format.
const std::vector<std::string>& tuning_formats();

// Exports to `output`, which is a file or a folder. An empty `output` means standard output, which takes a
// single text only. Throws UserError.
void export_tuning(const std::string& file, const std::string& format, const std::string& output);

}  // namespace sextant
