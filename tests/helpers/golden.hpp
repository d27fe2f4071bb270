// Golden files: what a view of the program prints, one committed file a view.
#pragma once

#include <string>
#include <vector>

namespace sextant::test {

// Fails the test if `text` is empty or differs from tests/<folder>/golden/<file>.txt, where `name` is
// "<folder>/<file>", or from the file's section below "#### <section>", where it is
// "<folder>/<file>:<section>". With SEXTANT_REGENERATE in the environment it also writes the file or section:
// look at the difference before you commit it.
void expect_golden(std::string text, const std::string& name);

// For output that differs from run to run: every number is replaced by 0, units by those without prefix and
// runs of blanks by one.
std::string without_numbers(std::string text);

// Each of `parts` and the end of a line, e.g. all messages of a command.
std::string lines(const std::vector<std::string>& parts);

// Every occurrence of `part`, e.g. the path of a temporary folder, replaced by `by`.
std::string replaced(std::string text, const std::string& part, const std::string& by);

}  // namespace sextant::test
