#include "own/draft/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sextant::own {

bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_word(const std::string& text) {
  return !text.empty() && is_word_part(text[0]) && !std::isdigit(static_cast<unsigned char>(text[0]));
}

namespace {

class Lexer {
 public:
  explicit Lexer(const std::string& source) : source_(source) {}

  std::vector<Token> tokens() {
    while (at_ < source_.size()) step();
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view text) const {
    return std::string_view(source_).substr(at_, text.size()) == text;
  }
  void advance_to(std::size_t to) {
    to = std::min(to, source_.size());
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void step() {
    const char c = source_[at_];
    if (starts("//")) return advance_to(source_.find('\n', at_));
    if (starts("/*")) {
      const std::size_t end = source_.find("*/", at_ + 2);
      return advance_to(end == std::string::npos ? end : end + 2);
    }
    if (c == '#') return directive();
    if (c == '"' || c == '\'') return quoted(c);
    if (is_word_part(c)) {
      std::size_t end = at_;
      while (end < source_.size() && is_word_part(source_[end])) ++end;
      tokens_.push_back({source_.substr(at_, end - at_), line_, at_});
      return advance_to(end);
    }
    if (!std::isspace(static_cast<unsigned char>(c))) tokens_.push_back({std::string(1, c), line_, at_});
    advance_to(at_ + 1);
  }
  void directive() {
    std::size_t end = at_;
    do end = source_.find('\n', end + 1);
    while (end != std::string::npos && source_[end - 1] == '\\');
    const std::string text = source_.substr(at_, end == std::string::npos ? end : end - at_);
    if (text.find("pragma") != std::string::npos && text.find(" omp ") != std::string::npos)
      tokens_.push_back({"#omp", line_, at_});
    advance_to(end);
  }
  void quoted(char mark) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != mark && source_[end] != '\n')
      end += source_[end] == '\\' ? 2 : 1;
    tokens_.push_back({"\"", line_, at_});
    advance_to(end + 1);
  }

  const std::string& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

Tokens tokens_of(const std::string& source) { return Lexer(source).tokens(); }

std::size_t behind(const Tokens& tokens, std::size_t open, const char* opens, const char* closes) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text == opens) ++depth;
    if (tokens[i].text == closes && --depth == 0) return i + 1;
  }
  return tokens.size();
}

std::size_t deepest(const Tokens& tokens) {
  // `heads` is the number of for, if and similar heads since the end of the last complete statement.
  std::size_t most = 0, brackets = 0, round = 0, heads = 0;
  for (const Token& one : tokens) {
    const char c = one.text.size() == 1 ? one.text[0] : ' ';
    if (c == '(' || c == '[' || c == '{') ++brackets;
    if ((c == ')' || c == ']' || c == '}') && brackets > 0) --brackets;
    if (c == '(') ++round;
    if (c == ')' && round > 0) --round;
    if (round == 0 && (c == ';' || c == '{' || c == '}')) heads = 0;
    for (const char* head : {"for", "while", "if", "else", "do", "switch", "?", "*", "&", "-", "!", "~"})
      if (one.text == head) ++heads;
    most = std::max(most, brackets + heads);
  }
  return most;
}

bool has(const Tokens& tokens, std::size_t begin, std::size_t end, const char* word) {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](const Token& one) { return one.text == word; });
}

}  // namespace sextant::own
