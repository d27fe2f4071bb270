#include "own/draft/cuda_calls.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace sextant::own {
namespace {

// The tokens [first, second) of an argument.
using ArgumentTokens = std::pair<std::size_t, std::size_t>;

// Returns the arguments of the call whose opening bracket is at `open`.
std::vector<ArgumentTokens> arguments_at(const Tokens& tokens, std::size_t open) {
  const std::size_t end = behind(tokens, open, "(", ")") - 1;
  std::vector<ArgumentTokens> arguments;
  std::size_t from = open + 1;
  for (std::size_t i = from; i < end; ++i) {
    if (tokens[i].text == "(") i = behind(tokens, i, "(", ")") - 1;
    if (i >= end || tokens[i].text != ",") continue;
    arguments.emplace_back(from, i);
    from = i + 1;
  }
  arguments.emplace_back(from, end);
  return arguments;
}

bool names_an_array(const Tokens& tokens, const ArgumentTokens& argument, const Signature& function) {
  return std::any_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter& one) {
    return one.pointer && has(tokens, argument.first, argument.second, one.name.c_str());
  });
}

// Returns true if a call copies between the host and an array that the function is given: then this array is
// in host memory.
bool copies_an_array(const Tokens& tokens, std::size_t at, const Signature& function) {
  const std::string& name = tokens[at].text;
  if (!name.starts_with("cudaMemcpy")) return false;
  const std::vector<ArgumentTokens> arguments = arguments_at(tokens, at + 1);
  const auto kind = [&](const char* word) { return has(tokens, at, arguments.back().second, word); };
  const auto given = [&](std::size_t argument) {
    return argument < arguments.size() && names_an_array(tokens, arguments[argument], function);
  };
  if (name.starts_with("cudaMemcpyToSymbol")) return given(1) && !kind("cudaMemcpyDeviceToDevice");
  if (name.starts_with("cudaMemcpyFromSymbol")) return given(0) && !kind("cudaMemcpyDeviceToDevice");
  const std::size_t from = name.starts_with("cudaMemcpy2D") ? 2 : 1;
  return (kind("cudaMemcpyHostToDevice") && given(from)) || (kind("cudaMemcpyDeviceToHost") && given(0));
}

}  // namespace

void read_cuda_calls(const Tokens& tokens, Signature* function) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool launch = i + 2 < tokens.size() && tokens[i].text == "<" && tokens[i + 1].text == "<" &&
                        tokens[i + 2].text == "<";
    const bool call = tokens[i].text.starts_with("cuda") && tokens[i + 1].text == "(";
    function->launches = function->launches || launch || call;
    if (!call) continue;
    function->sets_memory = function->sets_memory || tokens[i].text.starts_with("cudaMemset") ||
                            tokens[i].text.starts_with("cudaMemcpy");
    function->copies = function->copies || copies_an_array(tokens, i, *function);
  }
}

}  // namespace sextant::own
