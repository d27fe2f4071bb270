#include "own/description/signature.hpp"

#include <algorithm>
#include <set>

#include "own/description/independence.hpp"
#include "own/description/tokens.hpp"

namespace sextant::own {
namespace {

// The pieces of [begin, end) between commas that stand in no bracket.
std::vector<Tokens> pieces(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<Tokens> all;
  Tokens piece;
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string& text = tokens[i].text;
    if (text == "<" || text == "(" || text == "[") ++depth;
    if (text == ">" || text == ")" || text == "]") --depth;
    if (text == "," && depth == 0) {
      all.push_back(std::move(piece));
      piece.clear();
    } else {
      piece.push_back(tokens[i]);
    }
  }
  if (!piece.empty()) all.push_back(std::move(piece));
  return all;
}

Parameter parameter_of(Tokens piece) {
  static const std::set<std::string> left_out = {"__restrict__", "__restrict", "restrict", "volatile",
                                                 "__grid_constant__"};
  const auto cut = std::find_if(piece.begin(), piece.end(), [](const Token& one) { return one.text == "="; });
  piece.erase(cut, piece.end());
  Parameter parameter;
  if (piece.size() > 2 && piece.back().text == "]") {
    while (piece.size() > 1 && piece.back().text != "[") piece.pop_back();
    piece.pop_back();
    parameter.pointer = true;
  }
  if (!piece.empty() && is_word(piece.back().text)) {
    parameter.name = piece.back().text;
    piece.pop_back();
  }
  for (const Token& one : piece) {
    if (one.text == "*") {
      parameter.pointer = true;
    } else if (one.text == "const") {
      parameter.is_const = parameter.is_const || !parameter.pointer;
    } else if (!left_out.contains(one.text)) {
      const bool space =
          !parameter.type.empty() && is_word_part(parameter.type.back()) && is_word_part(one.text[0]);
      parameter.type += (space ? " " : "") + one.text;
    }
  }
  if (parameter.type.starts_with("std::")) parameter.type.erase(0, 5);
  return parameter;
}

std::vector<std::string> template_types(const Tokens& head) {
  std::vector<std::string> types;
  for (std::size_t i = 0; i + 1 < head.size(); ++i)
    if ((head[i].text == "typename" || head[i].text == "class") && is_word(head[i + 1].text))
      types.push_back(head[i + 1].text);
  return types;
}

// A function's head, from its first word to its body; without a name if it is none.
Signature signature_of(const Tokens& head) {
  static const std::set<std::string> no_names = {"__launch_bounds__",
                                                 "__attribute__",
                                                 "alignas",
                                                 "decltype",
                                                 "noexcept",
                                                 "if",
                                                 "for",
                                                 "while",
                                                 "switch",
                                                 "main",
                                                 "requires"};
  Signature signature;
  for (const char* word : {"struct", "class", "enum", "union", "operator"})
    if (has(head, 0, head.size(), word) && !has(head, 0, head.size(), "template")) return signature;
  const bool is_template = !head.empty() && head[0].text == "template";
  for (std::size_t i = is_template ? behind(head, 1, "<", ">") : 1; i < head.size(); ++i) {
    if (head[i].text == "=") return signature;
    if (head[i].text != "(" || !is_word(head[i - 1].text)) continue;
    const std::size_t end = behind(head, i, "(", ")");
    if (no_names.contains(head[i - 1].text)) {
      if (head[i - 1].text == "main") return signature;
      i = end - 1;
      continue;
    }
    if (i >= 2 && head[i - 2].text == ":") return signature;  // a member
    signature.name = head[i - 1].text;
    signature.line = head[i - 1].line;
    for (Tokens& piece : pieces(head, i + 1, end - 1))
      signature.parameters.push_back(parameter_of(std::move(piece)));
    if (signature.parameters.size() == 1 && signature.parameters[0].name == "void")
      signature.parameters.clear();
    break;
  }
  signature.kernel = has(head, 0, head.size(), "__global__");
  signature.template_types = template_types(head);
  return signature;
}

}  // namespace

std::vector<Signature> signatures_of(const std::string& source) {
  const Tokens tokens = tokens_of(source);
  std::vector<Signature> all;
  Tokens head;
  for (std::size_t i = 0; i < tokens.size();) {
    const std::string& text = tokens[i].text;
    if (text == ";" || text == "}" || text == "#omp") {
      head.clear();
      ++i;
    } else if (text != "{") {
      head.push_back(tokens[i++]);
    } else if (has(head, 0, head.size(), "namespace") || (head.size() == 2 && head[0].text == "extern")) {
      head.clear();  // what stands within counts as outside
      ++i;
    } else {
      const std::size_t end = behind(tokens, i, "{", "}");
      Signature signature = signature_of(head);
      signature.threads = has(tokens, i, end, "#omp");
      for (std::size_t at = i; at + 2 < end; ++at)
        if (tokens[at].text == "threadIdx" && tokens[at + 2].text == "y") signature.two_dimensional = true;
      if (!signature.kernel && !signature.threads)
        signature.loop = outermost_loop(Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                               tokens.begin() + static_cast<std::ptrdiff_t>(end)),
                                        signature.parameters);
      if (!signature.name.empty()) all.push_back(std::move(signature));
      head.clear();
      i = end;
    }
  }
  return all;
}

}  // namespace sextant::own
