// Splits a C++ source into tokens, which suffices to find launches, shared memory and loops.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sextant::own {

struct Token {
  std::string text;
  int line = 0;
  std::size_t at = 0;  // source offset of the token's first character
};
using Tokens = std::vector<Token>;

bool is_word_part(char c);
bool is_word(const std::string& text);

// Splits a source into tokens without comments, strings and directives. An OpenMP directive becomes the token
// #omp.
Tokens tokens_of(const std::string& source);

// Returns the position of the token after the bracket that closes the one at `open`.
std::size_t behind(const Tokens& tokens, std::size_t open, const char* opens, const char* closes);

// Returns the maximum nesting depth of brackets and of statements without braces.
std::size_t deepest(const Tokens& tokens);

// Returns true if `word` is among the tokens [begin, end).
bool has(const Tokens& tokens, std::size_t begin, std::size_t end, const char* word);

}  // namespace sextant::own
