#include "own/draft/cuda_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "own/draft/source_constants.hpp"

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

// Returns the array that an argument names; null if it names none.
Parameter* array_in(const Tokens& tokens, const ArgumentTokens& argument, Signature* function) {
  for (Parameter& one : function->parameters)
    if (one.pointer && has(tokens, argument.first, argument.second, one.name.c_str())) return &one;
  return nullptr;
}

// Returns the number of elements of a __constant__ array: `__constant__ float taps[64];`. 0 if it is unknown.
std::int64_t room_of(const std::string& source, const std::string& symbol) {
  const Tokens file = tokens_of(source);
  for (std::size_t i = 1; i + 3 < file.size(); ++i) {
    const bool declared = file[i].text == symbol && file[i + 1].text == "[" && file[i + 3].text == "]" &&
                          has(file, i - std::min<std::size_t>(i, 4), i, "__constant__");
    if (!declared) continue;
    return constant_in(source, file[i + 2].text).value_or(0);
  }
  return 0;
}

// Limits the number of elements that a call copies to a __constant__ array.
void limit_copy(const Tokens& tokens, const std::string& source, const std::vector<ArgumentTokens>& arguments,
                Signature* function) {
  if (arguments.size() < 3 || arguments[0].second != arguments[0].first + 1) return;
  const std::int64_t room = room_of(source, tokens[arguments[0].first].text);
  Parameter* number = nullptr;
  for (Parameter& one : function->parameters)
    if (!one.pointer && has(tokens, arguments[2].first, arguments[2].second, one.name.c_str())) {
      if (number) return;
      number = &one;
    }
  if (number && room > 0) number->most = room;
}

// Reads a call such as cudaMemcpy. What it copies from the host to the GPU is on the host, and so is the
// target of a copy to the host.
void read_copy(const Tokens& tokens, const std::string& source, std::size_t at, Signature* function) {
  const std::string& name = tokens[at].text;
  const std::vector<ArgumentTokens> arguments = arguments_at(tokens, at + 1);
  const auto is = [&](const char* kind) { return has(tokens, at, arguments.back().second, kind); };
  const auto array = [&](std::size_t argument) {
    return argument < arguments.size() ? array_in(tokens, arguments[argument], function) : nullptr;
  };
  const bool to_symbol = name.starts_with("cudaMemcpyToSymbol");
  const bool from_symbol = name.starts_with("cudaMemcpyFromSymbol");
  const std::size_t from = name.starts_with("cudaMemcpy2D") ? 2 : 1;
  const bool within = is("cudaMemcpyDeviceToDevice");
  if ((to_symbol && !within) || is("cudaMemcpyHostToDevice"))
    if (Parameter* one = array(from)) one->on_host = true;
  if (to_symbol) limit_copy(tokens, source, arguments, function);
  if (((from_symbol && !within) || is("cudaMemcpyDeviceToHost")) && array(0)) function->copies = true;
}

}  // namespace

void read_cuda_calls(const Tokens& tokens, const std::string& source, Signature* function) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool launch = i + 2 < tokens.size() && tokens[i].text == "<" && tokens[i + 1].text == "<" &&
                        tokens[i + 2].text == "<";
    const bool call = tokens[i].text.starts_with("cuda") && tokens[i + 1].text == "(";
    function->launches = function->launches || launch || call;
    if (!call) continue;
    function->sets_memory = function->sets_memory || tokens[i].text.starts_with("cudaMemset") ||
                            tokens[i].text.starts_with("cudaMemcpy");
    if (tokens[i].text.starts_with("cudaMemcpy")) read_copy(tokens, source, i, function);
  }
}

}  // namespace sextant::own
