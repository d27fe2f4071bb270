#include "base/pattern.hpp"

#include <cctype>
#include <cstdlib>
#include <regex>
#include <vector>

#include "base/error.hpp"

namespace sextant {
namespace {

bool repeats(char c) { return c == '*' || c == '+' || c == '{' || c == '?'; }

// Returns why matching may take exponential time, or null if it cannot. It looks only at groups, brackets and
// escapes.
const char* why_endless(const std::string& pattern) {
  if (pattern.size() > 200) return "it has more than 200 characters";
  std::vector<bool> flexible = {false};  // per open group: true if it contains a repetition or an alternative
  bool closed_flexible = false;          // true if the preceding item is such a group
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      if (i + 1 < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[i + 1])))
        return "it refers back to a group in brackets";
      ++i;
      closed_flexible = false;
    } else if (c == '[') {
      while (i + 1 < pattern.size() && pattern[++i] != ']')
        if (pattern[i] == '\\') ++i;
      closed_flexible = false;
    } else if (c == '(') {
      flexible.push_back(false);
      // In (?: the question mark is not a repetition.
      if (i + 1 < pattern.size() && pattern[i + 1] == '?') ++i;
      closed_flexible = false;
    } else if (c == ')' && flexible.size() > 1) {
      closed_flexible = flexible.back();
      flexible.pop_back();
      flexible.back() = flexible.back() || closed_flexible;
    } else if (c == '|') {
      flexible.back() = true;
      closed_flexible = false;
    } else if (repeats(c)) {
      if (closed_flexible && c != '?')
        return "it repeats a group that contains a repetition or an alternative";
      if (c == '{')
        for (std::size_t at = i; at < pattern.size() && pattern[at] != '}'; ++at)
          if (std::isdigit(static_cast<unsigned char>(pattern[at])) && std::atoi(&pattern[at]) > 100)
            return "it has a repetition count above 100";
      flexible.back() = true;
    } else {
      closed_flexible = false;
    }
  }
  return nullptr;
}

}  // namespace

struct Pattern::Expression {
  std::regex compiled;
};

Pattern::Pattern(const std::string& text, const std::string& option) {
  const std::string remedy = "). A plain name selects that name, and `.*` matches any text.";
  if (const char* why = why_endless(text))
    throw UserError("`" + text.substr(0, 200) + "` of " + option + " may take too long to match (" + why +
                    remedy);
  try {
    expression_ = std::make_shared<const Expression>(
        Expression{std::regex(text, std::regex::ECMAScript | std::regex::optimize)});
  } catch (const std::regex_error& error) {
    throw UserError("`" + text + "` of " + option + " is not a regular expression (" + error.what() + remedy);
  }
}

bool Pattern::matches(const std::string& name) const { return std::regex_match(name, expression_->compiled); }

}  // namespace sextant
