// Generates a tunable's values and the matching template instances from one list of compile-time choices.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace sextant {

// Thrown if a tuning needs a template instance that was not compiled. The engine marks the case as failed.
struct NoSuchInstance : std::logic_error {
  NoSuchInstance(int value, const std::vector<int>& choices) : std::logic_error(text_of(value, choices)) {}

 private:
  static std::string text_of(int value, const std::vector<int>& choices) {
    std::string text = "no code was compiled for the choice " + std::to_string(value) + ", only for";
    for (const int choice : choices)
      text += (choice == choices.front() ? " " : ", ") + std::to_string(choice);
    return text;
  }
};

template <int... Values>
struct Choices {
  static std::vector<int> list() { return {Values...}; }

  static constexpr bool has(int value) { return ((value == Values) || ...); }

  // Calls function.template operator()<V>() for the choice V that equals `value`. Throws NoSuchInstance if
  // there is none.
  template <typename Function>
  static void with(int value, Function&& function) {
    if (!((value == Values && (function.template operator()<Values>(), true)) || ...))
      throw NoSuchInstance(value, list());
  }
};

using BlockSizes = Choices<32, 64, 128, 256, 512, 1024>;

}  // namespace sextant
