// Turns a machine's results into sentences of advice, for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/advice.hpp"

namespace sextant {

struct AdviceText {
  // Heading: "Which model", "With copies", "OpenACC", "Programs", "How sure", "Why", "Threads" or
  // "Energy".
  std::string topic;
  std::string text;                     // one or a few sentences
  std::vector<std::string> lines = {};  // lines of a table below the text
};

// Returns advice from the rows of one machine, with the most important advice first. Without measurements, it
// says that there are none.
std::vector<AdviceText> advice_text(const std::vector<StudyRow>& rows);

// Formats the advice as paragraphs whose lines have at most `columns` characters.
std::string advice_page(const std::vector<AdviceText>& advice, std::size_t columns);

// States what limits the speed of the kernels. For few kernels with one limit each, it names them: "memory
// limits triad and reduction, arithmetic matmul". Otherwise, it gives the number of problems for each limit.
std::string limits_text(const Reasons& reasons);

// Returns the name of a model for use in a sentence: "CUDA", "OpenMP", "serial code", "a CPU library". A
// variant's name is returned unchanged.
std::string spoken(const std::string& column);

}  // namespace sextant
