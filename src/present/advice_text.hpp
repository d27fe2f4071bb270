// Turns a machine's results into sentences of advice, for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/advice.hpp"

namespace sextant {

struct AdviceText {
  std::string topic;  // "Which model", "With copies", "OpenACC", "Programs", "How sure", "Why", "Threads"
  std::string text;   // one or a few sentences
  std::vector<std::string> lines = {};  // a table below the text
};

// Advice from the rows of one machine, with the answer first. Never empty: without measurements it says so.
std::vector<AdviceText> advice_text(const std::vector<StudyRow>& rows);

// The same advice as paragraphs of lines with at most `columns` characters.
std::string advice_page(const std::vector<AdviceText>& advice, std::size_t columns);

// States what limits the kernels. For few kernels with one limit each, it names them: "memory limits triad
// and reduction, arithmetic matmul". For others, it counts each limit.
std::string limits_text(const Reasons& reasons);

// "CUDA", "OpenMP", "serial code", "a CPU library"; a variant's name is returned unchanged.
std::string spoken(const std::string& column);

}  // namespace sextant
