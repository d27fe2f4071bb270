// Compares output with golden files: one committed file for each view of the program.
#pragma once

#include <string>
#include <vector>

namespace sextant::test {

// Fails the test if `text` is empty or differs from the golden file. For the name "<folder>/<file>", this is
// tests/<folder>/golden/<file>.txt. For "<folder>/<file>:<section>", it is the section of that file below
// "#### <section>". With SEXTANT_REGENERATE in the environment, it also writes the file or section; review
// the difference before you commit it.
void expect_golden(std::string text, const std::string& name);

// Makes output comparable between runs: replaces every number by 0, removes the prefix of units, and shortens
// runs of spaces to one.
std::string without_numbers(std::string text);

// Joins `parts` as lines, for example all messages of a command.
std::string lines(const std::vector<std::string>& parts);

// Replaces every occurrence of `part`, for example the path of a temporary folder, by `by`.
std::string replaced(std::string text, const std::string& part, const std::string& by);

}  // namespace sextant::test
