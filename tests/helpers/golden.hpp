// Compares output with golden files, which hold the expected output.
#pragma once

#include <string>
#include <vector>

namespace sextant::test {

// Fails the test if `text` is empty or differs from the golden file. The name "<folder>/<file>" stands for
// tests/<folder>/golden/<file>.txt. The name "<folder>/<file>:<section>" stands for the section below "####
// <section>" in that file. If SEXTANT_REGENERATE is set, the function also writes the file or section; review
// the difference before you commit it.
void expect_golden(std::string text, const std::string& name);

// Makes output comparable between runs: replaces every number by 0, removes prefixes of units, and merges
// spaces.
std::string without_numbers(std::string text);

// Joins `parts` as lines, for example all messages of a command.
std::string lines(const std::vector<std::string>& parts);

// Replaces every occurrence of `part`, for example the path of a temporary folder, by `by`.
std::string replaced(std::string text, const std::string& part, const std::string& by);

}  // namespace sextant::test
