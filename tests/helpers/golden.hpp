// Golden files: what a view of the program prints, one committed file a view.
#pragma once

#include <string>

namespace sextant::test {

// Fails the test if `text` differs from tests/<folder>/golden/<file>.txt, where `name` is "<folder>/<file>". With
// SEXTANT_REGENERATE in the environment it writes the file instead: look at the difference before you commit it.
void expect_golden(const std::string& text, const std::string& name);

// For output that differs from run to run: every number is replaced by 0, units by those without prefix and runs of blanks by
// one.
std::string without_numbers(std::string text);

// Every occurrence of `part`, e.g. the path of a temporary folder, replaced by `by`.
std::string replaced(std::string text, const std::string& part, const std::string& by);

}  // namespace sextant::test
