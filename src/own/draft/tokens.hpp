// A C++ source cut into words and signs: enough to read signatures and loops without a parser.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sextant::own {

struct Token {
  std::string text;
  int line = 0;
  std::size_t at = 0;  // of its first character
};
using Tokens = std::vector<Token>;

bool is_word_part(char c);
bool is_word(const std::string& text);

// Without comments, texts and directives; an OpenMP one is the word #omp.
Tokens tokens_of(const std::string& source);

// Behind the bracket that closes the one at `open`.
std::size_t behind(const Tokens& tokens, std::size_t open, const char* opens, const char* closes);

// How many brackets and statements without brackets stand one in another at most.
std::size_t deepest(const Tokens& tokens);

// Whether `word` is among [begin, end).
bool has(const Tokens& tokens, std::size_t begin, std::size_t end, const char* word);

}  // namespace sextant::own
