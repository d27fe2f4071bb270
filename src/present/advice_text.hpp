// What a machine's results advise, in sentences: the same in the terminal and on the page.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/advice.hpp"

namespace sextant {

struct AdviceText {
  std::string topic;  // "Which model", "With copies", "OpenACC", "Programs", "How sure", "Why", "Threads"
  std::string text;   // one or a few sentences
};

// Of the rows of one machine; the answer first. Never empty: with nothing measured it says so.
std::vector<AdviceText> advice_text(const std::vector<StudyRow>& rows);

// The same as text in lines of at most `columns` characters, a topic a paragraph.
std::string advice_page(const std::vector<AdviceText>& advice, std::size_t columns);

// "memory limits triad and reduction, arithmetic matmul" of few kernels, each under one limit; of many how
// often each limit is met.
std::string limits_text(const Reasons& reasons);

// "CUDA", "OpenMP", "serial code", "a CPU library"; a variant's name as it is.
std::string spoken(const std::string& column);

}  // namespace sextant
